//! Proof that p = r^k + 1 is prime, by É. Lucas' test with the factors of p − 1 = r^k, which are those of r: if for
//! every prime q | p − 1 some a has a^{p−1} = 1 and a^{(p−1)/q} ≠ 1 modulo p, then p is prime (D. H. Lehmer, "Tests for
//! primality by the converse of Fermat's theorem", 1927; J. Brillhart and J. Selfridge, 1967, let a depend on q).

use super::factor::{is_prime as is_small_prime, power, prime_factors};
use super::{BigPrime, Field};

/// p mod a.
fn residue(r: u64, k: u32, a: u64) -> u64 {
    (power(r, k.into(), a) + 1) % a
}

/// The smallest quadratic non-residue of the prime p = r^k + 1: 2, or else an odd prime a of which p is a non-residue
/// (quadratic reciprocity, since 4 divides p − 1). Nothing if p turns out to be composite.
pub(super) fn nonresidue(r: u64, k: u32) -> Option<u64> {
    if residue(r, k, 8) == 5 {
        return Some(2);
    }
    for a in (3..).filter(|&a| is_small_prime(a)) {
        match power(residue(r, k, a), (a - 1) / 2, a) {
            0 => return None,
            1 => {}
            _ => return Some(a),
        }
    }
    None
}

/// The field of r^k + 1 if that is prime, for an even r and a power of two k. It takes some k·log2 r products modulo p.
/// Only primes pass.
pub(super) fn prove(candidate: BigPrime) -> Option<Field> {
    let BigPrime { r, k } = candidate;
    let p_below = |bound: u64| r.checked_pow(k).is_some_and(|p| p < bound);
    if (3..1000).any(|a| is_small_prime(a) && residue(r, k, a) == 0 && !p_below(a)) {
        return None;
    }
    // For q = 2 a quadratic non-residue decides: if p is prime, its power is −1.
    let a = nonresidue(r, k)?;
    let field = Field::new(candidate, a);
    let one = field.unit(0);
    let mut open = prime_factors(r);
    // A witness serves q with probability 1 − 1/q: a hundred of them fail only where none can serve.
    let mut witnesses = std::iter::once(a).chain((2..).filter(|&w| w != a && is_small_prime(w))).take(100);
    while !open.is_empty() {
        // b = a^(r^(k−1)), so that a^{p−1} = b^r and a^{(p−1)/q} = b^(r/q).
        let b = (1..k).fold(field.small(witnesses.next()?), |b, _| field.power(&b, r));
        if field.power(&b, r) != one || (open[0] == 2 && field.power(&b, r / 2) == one) {
            return None;
        }
        open.retain(|q| field.power(&b, r / q) == one);
    }
    Some(field)
}
