//! Residue number systems: an integer below a product of primes q_0·q_1·… is given by its residues modulo each of them
//! (H. L. Garner, "The residue number system", 1959), so that a transform of long integers becomes one over each of
//! several word-sized prime fields.
//!
//! Both ways between integers and residues are [scalar products](arithmetic) with constants, in Montgomery's form:
//!
//! - *Reduction.* x = Σ w_i·2^(64i) leaves the residue Σ w_i·(2^(64i) mod q_j).
//! - *Recombination*, by the Chinese remainder theorem in Garner's mixed radix: x = d_0 + q_0·(d_1 + q_1·(d_2 + …)) with
//!   digits 0 ≤ d_j < q_j. Given those below it, d_j = (r_j − Σ_{i<j} d_i·q_0⋯q_{i−1}) / (q_0⋯q_{j−1}) mod q_j, one scalar
//!   product if constants take in sign and quotient. Horner's rule makes words of the digits.

pub(crate) mod arithmetic;
mod constants;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Deserialize, Serialize};

use super::PrimeField;
use super::big_prime::factor::is_prime;
use crate::error::{Error, Result};

pub(crate) use constants::Constants;

/// All primes are below 2^62: two bits of a word are left for sums.
const BITS: u32 = 62;

/// The largest primes q < 2^62 with q ≡ 1 mod 2^m, the largest first: so many of them, for one m. An integer is as many
/// 64-bit words, the lowest first, and is below the primes' product; transforms may have up to 2^m points.
///
/// ```
/// use stockham::algebra::ResidueSystem;
/// let system = ResidueSystem::new(8, 26)?;
/// assert_eq!(system.moduli()[0], 0x3fffffffcc000001);
/// # Ok::<(), stockham::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "Description", try_from = "Description")]
pub struct ResidueSystem {
    primes: usize,
    two_adicity: u32,
}

/// A system as it is written.
#[derive(Serialize, Deserialize)]
struct Description {
    primes: usize,
    two_adicity: u32,
}

impl ResidueSystem {
    /// The most primes of a system.
    pub const MOST: usize = 32;

    /// The system of so many primes q with 2^two_adicity | q − 1.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for no prime or more than [`MOST`](Self::MOST) of them, a two-adicity of 0 or beyond 48, or
    /// if there are not so many such primes.
    pub fn new(primes: usize, two_adicity: u32) -> Result<Self> {
        let what = || format!("a residue number system of {primes} primes q with 2^{two_adicity} | q - 1");
        if primes == 0 || primes > Self::MOST || two_adicity == 0 || two_adicity > 48 {
            return Err(Error::unsupported(what(), format!("1 to {} primes, 1 ≤ m ≤ 48", Self::MOST)));
        }
        let found = candidates(two_adicity).take(primes).count();
        if found < primes {
            return Err(Error::unsupported(what(), format!("there are {found} below 2^{BITS}")));
        }
        Ok(Self { primes, two_adicity })
    }

    /// The number of primes, which is that of an integer's 64-bit words as well.
    pub fn primes(self) -> usize {
        self.primes
    }

    /// m: transforms have up to 2^m points.
    pub fn two_adicity(self) -> u32 {
        self.two_adicity
    }

    /// The primes, the largest first.
    pub fn moduli(self) -> Vec<u64> {
        candidates(self.two_adicity).take(self.primes).collect()
    }

    /// Their fields.
    ///
    /// # Errors
    /// None for the primes that there are; as [`PrimeField::new`].
    pub fn fields(self) -> Result<Vec<PrimeField>> {
        self.moduli().into_iter().map(|q| PrimeField::new(&[q])).collect()
    }

    /// The primes' product in 64-bit words, the lowest first; an integer has as many.
    pub fn product(self) -> Vec<u64> {
        let mut product = vec![1];
        for q in self.moduli() {
            arithmetic::multiply_add(&mut product, &q, 0);
        }
        // The first product added a word that it did not need: 1·q_0 is one word.
        product.truncate(self.primes);
        product
    }

    /// Checks that integers are below the primes' product.
    ///
    /// # Errors
    /// [`Error::ResidueRange`] naming the first that is not; [`Error::BufferLength`] if the words are not those of whole
    /// integers.
    pub fn check(self, words: &[u64]) -> Result<()> {
        if !words.len().is_multiple_of(self.primes) {
            let expected = words.len().next_multiple_of(self.primes);
            return Err(Error::BufferLength { buffer: "array of integers", expected, found: words.len() });
        }
        let product = self.product();
        let is_below = |x: &[u64]| x.iter().rev().lt(product.iter().rev());
        match words.chunks_exact(self.primes).position(|x| !is_below(x)) {
            Some(element) => Err(Error::ResidueRange { element, primes: self.primes }),
            None => Ok(()),
        }
    }
}

/// The primes 1 + c·2^m below 2^62, the largest first.
fn candidates(two_adicity: u32) -> impl Iterator<Item = u64> {
    let most = 1u64 << (BITS - two_adicity);
    (1..most).rev().map(move |c| (c << two_adicity) + 1).filter(|&q| is_prime(q))
}

impl fmt::Debug for ResidueSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ResidueSystem of {} primes 1 mod 2^{}", self.primes, self.two_adicity)
    }
}

impl From<ResidueSystem> for Description {
    fn from(ResidueSystem { primes, two_adicity }: ResidueSystem) -> Self {
        Self { primes, two_adicity }
    }
}

impl TryFrom<Description> for ResidueSystem {
    type Error = Error;
    fn try_from(Description { primes, two_adicity }: Description) -> Result<Self> {
        Self::new(primes, two_adicity)
    }
}
