//! How many digits make a limb.

use crate::algebra::limbs::{self, LIMBS};
use crate::error::{Error, Result};

use super::Base;

/// Limbs of so many digits of a base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Limb {
    pub base: Base,
    pub digits: usize,
}

impl Limb {
    /// The longest limbs with which the product of numbers of so many digits is exact: six or five decimal digits, five
    /// or four hexadecimal ones. Fewer, longer limbs make shorter transforms.
    pub fn longest(base: Base, digits: (usize, usize)) -> Result<Self> {
        let choices = match base {
            Base::Decimal => [6, 5],
            Base::Hexadecimal => [5, 4],
        };
        let choices = choices.map(|digits| Self { base, digits });
        let fits = |limb: &Self| limbs::check_bound(limb.value(), limb.count(digits.0.min(digits.1)));
        choices.into_iter().find(fits).ok_or_else(|| {
            Error::unsupported(
                format!("a product of numbers of {} and {} {} digits", digits.0, digits.1, base.name()),
                "sums of as many products of limbs as the shorter number has must stay below p = 2^64 - 2^32 + 1",
            )
        })
    }

    /// The base of the limbs.
    pub fn value(self) -> u64 {
        self.base.radix().pow(self.digits as u32)
    }

    /// Limbs of a number of so many digits.
    pub fn count(self, digits: usize) -> usize {
        digits.div_ceil(self.digits)
    }

    /// Digits of a word.
    pub fn word_digits(self) -> usize {
        self.digits * LIMBS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bound is sharp: (10^6 − 1)·10^6 goes 18446762 times into p.
    #[test]
    fn limbs_are_as_long_as_products_stay_exact() {
        let digits = |base, count| Limb::longest(base, (count, usize::MAX)).map(|limb| limb.digits);
        let limbs = ((1u128 << 64) - (1 << 32)) / (1_000_000 * 999_999);
        assert_eq!(limbs, 18_446_762);
        assert_eq!(digits(Base::Decimal, 18_446_762 * 6), Ok(6));
        assert_eq!(digits(Base::Decimal, 18_446_762 * 6 + 1), Ok(5));
        assert_eq!(digits(Base::Decimal, 100_000_000), Ok(6));
        assert_eq!(digits(Base::Decimal, 5_000_000_000), Ok(5));
        assert!(matches!(digits(Base::Decimal, 10_000_000_000), Err(Error::Unsupported { .. })));
        assert_eq!(digits(Base::Hexadecimal, 80_000_000), Ok(5));
        assert_eq!(digits(Base::Hexadecimal, 100_000_000), Ok(4));
    }
}
