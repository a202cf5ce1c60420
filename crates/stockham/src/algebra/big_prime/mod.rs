//! Big prime fields ℤ/p with p = r^k + 1: the generalised Fermat primes with a sparse radix r.
//!
//! An element is k digits in base r. Since r^k = −1, r is a primitive root of unity of order K = 2k, and a product with
//! a power of r only rotates the digits and negates those that fall off the top: DFTs of up to K points need no
//! products at all (M. Fürer, "Faster integer multiplication", 2009; S. Covanov, D. Mohajerani, M. Moreno Maza and
//! L. Wang, "Big prime field FFT on multi-core processors", ISSAC 2019, from where the primes P1 … P7 are).

#[cfg(test)]
mod descriptor_tests;
mod element;
mod evaluate;
pub(crate) mod factor;
mod field;
mod layout;
pub(super) mod limbs;
mod names;
mod product;
mod proof;
mod radix;
mod sums;
#[cfg(test)]
mod tests;
mod text;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{Digit, Word};
use crate::error::{Error, Result};

pub use element::BigElement;
pub use field::Field;
pub use layout::Layout;
pub(super) use text::primitives;

/// Evaluates an expression with the number of digits as a constant.
macro_rules! with_digit_count {
    ($count:expr, $constant:ident => $body:expr) => {
        $crate::algebra::with_digit_count!(@ $count, $constant => $body, 2 4 8 16 32 64 128 256)
    };
    (@ $count:expr, $constant:ident => $body:expr, $($value:literal)*) => {
        match $count {
            $($value => {
                const $constant: usize = $value;
                $body
            })*
            count => unreachable!("no field has elements of {count} digits"),
        }
    };
}
pub(crate) use with_digit_count;

/// The same for the words of residues.
macro_rules! with_word_count {
    ($count:expr, $constant:ident => $body:expr) => {
        $crate::algebra::with_digit_count!(@ $count, $constant => $body, 1 2 4 8 16 32)
    };
}
pub(crate) use with_word_count;

/// The prime p = r^k + 1, proved to be prime.
///
/// There is no other way to one than the constants, whose proofs are among the tests, and [`new`](Self::new), which
/// proves. It is written as its name, or else as `r,k`, and read as either:
///
/// ```
/// use stockham::algebra::BigPrime;
/// let p3: BigPrime = "2^63+2^34,8".parse()?;
/// assert_eq!((p3, p3.to_string()), (BigPrime::P3, "P3".into()));
/// assert_eq!((p3.digits(), p3.base_order(), p3.bits(), p3.two_adicity()), (8, 16, 505, 272));
/// assert!("2^63+2^33,8".parse::<BigPrime>().is_err());
/// # Ok::<(), stockham::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct BigPrime {
    r: u64,
    k: u32,
}

impl BigPrime {
    /// The prime r^k + 1. Its primality is proved, which takes up to some seconds for thousands of bits, once in the
    /// life of the process.
    ///
    /// # Errors
    /// [`Error::NotPrime`] if r^k + 1 is composite; [`Error::Unsupported`] unless k is a power of two from 2 to 256 and
    /// r is even and at least 4.
    pub fn new(r: u64, k: u32) -> Result<Self> {
        let what = || format!("the field of r^k + 1 with r = {r}, k = {k}");
        if !k.is_power_of_two() || !(2..=256).contains(&k) {
            return Err(Error::unsupported(what(), "k must be a power of two from 2 to 256"));
        }
        if r < 4 || !r.is_multiple_of(2) {
            return Err(Error::unsupported(what(), "r must be even and at least 4"));
        }
        let candidate = Self { r, k };
        if names::is_known(candidate) {
            return Ok(candidate);
        }
        let field = proof::prove(candidate).ok_or(Error::NotPrime { r, k })?;
        names::remember(candidate, field);
        Ok(candidate)
    }

    /// Registers of 32 bits that a product takes in a kernel.
    pub(crate) fn product_registers(self) -> usize {
        text::registers(self)
    }

    /// The radix r.
    pub fn radix(self) -> u64 {
        self.r
    }

    /// The number of digits k.
    pub fn digits(self) -> usize {
        self.k as usize
    }

    /// Bytes of a digit in a buffer: 4 if r < 2^32, or else 8.
    pub fn digit_bytes(self) -> usize {
        match self.word() {
            Word::U32 => 4,
            _ => 8,
        }
    }

    /// The word that holds a digit: [`Word::U32`] if r < 2^32, or else [`Word::U64`].
    pub fn word(self) -> Word {
        if self.r >> 32 == 0 { Word::U32 } else { Word::U64 }
    }

    /// K = 2k, the order of r as a root of unity.
    pub fn base_order(self) -> usize {
        2 * self.digits()
    }

    /// The largest m such that 2^m divides p − 1.
    pub fn two_adicity(self) -> u32 {
        self.k * self.r.trailing_zeros()
    }

    /// The logarithm of the longest transform: the two-adicity, but at most 48.
    pub fn max_log_len(self) -> u32 {
        self.two_adicity().min(48)
    }

    /// The number of binary digits of p.
    pub fn bits(self) -> u32 {
        // r^k + 1 is as long as r^k: r^k is even.
        let mut limbs = vec![1];
        (0..self.k).for_each(|_| limbs::multiply_add(&mut limbs, self.r, 0));
        64 * limbs.len() as u32 - limbs.last().map_or(0, |top| top.leading_zeros())
    }

    /// The radix as a sum of powers of two, as `2^63+2^34`; in decimal, if that takes many.
    pub fn radix_text(self) -> String {
        names::radix_text(self.r)
    }

    /// The field, as a context for its elements.
    pub fn field(self) -> &'static Field {
        names::field(self)
    }

    /// The name of a constant; for other primes the radix and the number of digits, as in `2^61-2^20,64`.
    pub fn name(self) -> &'static str {
        names::name(self)
    }
}

impl fmt::Display for BigPrime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for BigPrime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BigPrime({})", self.name())
    }
}

impl FromStr for BigPrime {
    type Err = Error;
    /// A name, or `r,k` with r a sum of powers of two and numbers.
    ///
    /// # Errors
    /// [`Error::Syntax`] if the text is neither; otherwise as [`BigPrime::new`].
    fn from_str(text: &str) -> Result<Self> {
        if let Some(prime) = names::by_name(text.trim()) {
            return Ok(prime);
        }
        let (r, k) = names::parse(text).ok_or_else(|| Error::Syntax {
            what: "a big prime field",
            found: text.into(),
            expected: "a name as P3 or G32, or r,k as 2^63+2^34,8".into(),
        })?;
        Self::new(r, k)
    }
}

impl TryFrom<String> for BigPrime {
    type Error = Error;
    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<BigPrime> for String {
    fn from(prime: BigPrime) -> Self {
        prime.name().into()
    }
}
