//! The check of a product modulo random primes, from the digits alone.
//!
//! A wrong product of 2·10^8 digits is right modulo a random prime near 2^62 with a probability of about 10^−10: it has
//! fewer than 1.1·10^7 prime divisors of that size, out of 5·10^16.

use std::hash::{BuildHasher, RandomState};

use rayon::prelude::*;
use stockham::integer::{Base, Integer};

use crate::error::{Error, Result};

/// Primes that a product is checked by.
const PRIMES: usize = 3;

/// The primes by which the product was found right.
pub fn check(a: &Integer, b: &Integer, product: &Integer) -> Result<Vec<u64>> {
    let primes: Vec<u64> = (0..PRIMES).map(|_| random_prime()).collect();
    for &q in &primes {
        let (x, y, z) = (residue(a, q), residue(b, q), residue(product, q));
        if multiply(x, y, q) != z {
            return Err(Error::Failed(format!(
                "WRONG PRODUCT: modulo {q} it is {z} where {x}·{y} = {} should stand",
                multiply(x, y, q)
            )));
        }
    }
    Ok(primes)
}

fn multiply(x: u64, y: u64, q: u64) -> u64 {
    (u128::from(x) * u128::from(y) % u128::from(q)) as u64
}

fn power(mut x: u64, mut e: u64, q: u64) -> u64 {
    let mut result = 1 % q;
    while e > 0 {
        if e & 1 == 1 {
            result = multiply(result, x, q);
        }
        x = multiply(x, x, q);
        e >>= 1;
    }
    result
}

/// The number modulo q: parts on all cores, each by Horner's rule on a word at a time.
fn residue(number: &Integer, q: u64) -> u64 {
    let radix = number.base().radix();
    let per_word = match number.base() {
        Base::Decimal => 18,
        Base::Hexadecimal => 15,
    };
    let value = |digits: &[u8]| {
        digits.iter().fold(0, |value, digit| value * radix + u64::from((*digit as char).to_digit(16).unwrap_or(0)))
    };
    let part = |digits: &[u8]| {
        digits.chunks(per_word).fold(0, |sum, word| {
            let weight = u128::from(radix.pow(word.len() as u32));
            ((u128::from(sum) * weight + u128::from(value(word))) % u128::from(q)) as u64
        })
    };
    let parts: Vec<(u64, usize)> =
        number.digits().par_chunks(per_word << 12).map(|digits| (part(digits), digits.len())).collect();
    let sum = parts.into_iter().fold(0, |sum, (part, len)| {
        ((u128::from(multiply(sum, power(radix, len as u64, q), q)) + u128::from(part)) % u128::from(q)) as u64
    });
    if number.is_negative() && sum > 0 { q - sum } else { sum }
}

/// A random prime from 2^61 to 2^62. Rust seeds its hashers from the system's entropy.
fn random_prime() -> u64 {
    let seeds = RandomState::new();
    let candidates = (0u64..).map(|i| seeds.hash_one(i) >> 3 | 1 << 61 | 1);
    candidates.into_iter().find(|&n| is_prime(n)).expect("every two score of odd numbers of this size has a prime")
}

/// Miller and Rabin's test with the bases that decide every number below 2^64 (J. Sorenson and J. Webster, "Strong
/// pseudoprimes to twelve prime bases", 2017).
fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 || BASES.iter().any(|&p| n.is_multiple_of(p)) {
        return BASES.contains(&n);
    }
    let twos = (n - 1).trailing_zeros();
    BASES.iter().all(|&base| {
        let mut x = power(base, (n - 1) >> twos, n);
        x == 1
            || (0..twos).any(|_| {
                let is_minus_one = x == n - 1;
                x = multiply(x, x, n);
                is_minus_one
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_are_prime() {
        let small: Vec<u64> = (0..60).filter(|&n| is_prime(n)).collect();
        assert_eq!(small, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59]);
        assert!(is_prime(0xffff_ffff_0000_0001) && is_prime((1 << 61) - 1));
        // A strong pseudoprime to the first nine prime bases, and a square of a prime.
        assert!(!is_prime(3_825_123_056_546_413_051) && !is_prime(4_294_967_291 * 4_294_967_291));
        assert!((0..20).map(|_| random_prime()).all(|p| p >> 61 == 1));
    }

    #[test]
    fn residues_are_those_of_the_number() {
        let q = (1 << 61) - 1;
        let number = |text: &str| text.parse::<Integer>().unwrap();
        assert_eq!(residue(&number("-1"), q), q - 1);
        assert_eq!(
            residue(&number("0xffffffffffffffffffffffff"), q),
            (u128::from(u32::MAX) << 64 | u128::from(u64::MAX)).rem_euclid(u128::from(q)) as u64
        );
        // 10^100000 − 1, over several parts.
        let nines = number(&"9".repeat(100_000));
        assert_eq!(residue(&nines, q), (power(10, 100_000, q) + q - 1) % q);
    }

    #[test]
    fn wrong_products_are_found() {
        let number = |text: &str| text.parse::<Integer>().unwrap();
        let (a, b) = (number("123456789"), number("-987654321"));
        assert_eq!(check(&a, &b, &number("-121932631112635269")).unwrap().len(), PRIMES);
        assert!(check(&a, &b, &number("121932631112635269")).is_err());
        assert!(check(&a, &b, &number("-121932631112635268")).is_err());
    }
}
