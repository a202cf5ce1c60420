//! The constants of a residue number system, all in Montgomery's form: c stands as c·R mod q, R = 2^64.

use super::super::prime_field::negated_inverse;
use super::ResidueSystem;
use super::arithmetic::{Modulus, horner, scalar_product};
use crate::algebra::MachineWord;

/// What reduction and recombination multiply by.
#[derive(Debug)]
pub(crate) struct Constants {
    /// The primes.
    pub moduli: Vec<Modulus<u64>>,
    /// R^i mod q_j in form, at \[j\]\[i\].
    pub powers: Vec<Vec<u64>>,
    /// −q_0⋯q_{i−1} / (q_0⋯q_{j−1}) mod q_j in form, at \[j\]\[i\] for i < j, and then 1/(q_0⋯q_{j−1}) for the residue itself.
    pub garner: Vec<Vec<u64>>,
}

impl Constants {
    pub fn of(system: ResidueSystem) -> Self {
        let primes = system.moduli();
        let powers = primes.iter().map(|&q| powers(q, primes.len())).collect();
        let garner = (0..primes.len()).map(|j| garner(&primes[..j], primes[j])).collect();
        let moduli = primes.iter().map(|&prime| Modulus { prime, inverse: negated_inverse(prime) }).collect();
        Self { moduli, powers, garner }
    }

    /// What reduction needs as a table: for every prime itself, −1/q mod R, and the powers.
    pub fn table(&self) -> Vec<u64> {
        let of_prime = |(q, powers): (&Modulus<u64>, &Vec<u64>)| [&[q.prime, q.inverse], &powers[..]].concat();
        self.moduli.iter().zip(&self.powers).flat_map(of_prime).collect()
    }

    /// The residue of an integer's words modulo prime j.
    pub fn residue(&self, j: usize, words: &[u64]) -> u64 {
        let terms = words.iter().copied().zip(self.powers[j].iter().copied());
        scalar_product(&self.moduli[j], terms).unwrap_or(0)
    }

    /// The words of the integer with these residues.
    pub fn words<W: MachineWord>(&self, residues: &[W]) -> Vec<W> {
        let mut digits: Vec<W> = Vec::with_capacity(residues.len());
        for ((r, q), constants) in residues.iter().zip(&self.moduli).zip(&self.garner) {
            let q = Modulus { prime: r.literal(q.prime), inverse: r.literal(q.inverse) };
            let factors = digits.iter().chain([r]).cloned();
            let digit = scalar_product(&q, factors.zip(constants.iter().map(|&c| r.literal(c))));
            digits.extend(digit);
        }
        let primes: Vec<W> = digits.iter().zip(&self.moduli).map(|(d, q)| d.literal(q.prime)).collect();
        horner(&digits, &primes)
    }
}

fn multiply(x: u64, y: u64, q: u64) -> u64 {
    (u128::from(x) * u128::from(y) % u128::from(q)) as u64
}

/// x in form.
fn form(x: u64, q: u64) -> u64 {
    ((u128::from(x) << 64) % u128::from(q)) as u64
}

fn powers(q: u64, count: usize) -> Vec<u64> {
    std::iter::successors(Some(form(1, q)), |&power| Some(form(power, q))).take(count).collect()
}

/// 1/x = x^(q − 2).
fn inverse(x: u64, q: u64) -> u64 {
    let e = q - 2;
    (0..64).rev().fold(1, |power, bit| {
        let square = multiply(power, power, q);
        if e >> bit & 1 == 1 { multiply(square, x, q) } else { square }
    })
}

fn garner(before: &[u64], q: u64) -> Vec<u64> {
    // q_0⋯q_{i−1} for every i up to j.
    let mut products = vec![1];
    products.extend(before.iter().scan(1, |product, &prime| {
        *product = multiply(*product, prime % q, q);
        Some(*product)
    }));
    let last = inverse(products[before.len()], q);
    let negated = products[..before.len()].iter().map(|&product| q - multiply(product, last, q));
    negated.chain([last]).map(|c| form(c, q)).collect()
}
