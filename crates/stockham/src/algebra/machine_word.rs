//! Machine words as the arithmetic of fields sees them: `u32`, `u64`, or a symbol of a kernel.

/// An unsigned word of 32 or 64 bits, or a symbol that stands for one. Arithmetic is modulo R = 2^32 or 2^64.
pub trait MachineWord: Clone {
    /// self + rhs.
    fn plus(&self, rhs: &Self) -> Self;
    /// self − rhs.
    fn minus(&self, rhs: &Self) -> Self;
    /// The lower word of self · rhs.
    fn times(&self, rhs: &Self) -> Self;
    /// The upper word of self · rhs.
    fn times_high(&self, rhs: &Self) -> Self;
    /// Both words of self · rhs, the lower one first.
    fn times_wide(&self, rhs: &Self) -> [Self; 2] {
        [self.times(rhs), self.times_high(rhs)]
    }
    /// 1 if self < rhs, else 0.
    fn is_less(&self, rhs: &Self) -> Self;
    /// The lesser of self and rhs.
    fn least(&self, rhs: &Self) -> Self;
    /// self − bound where that is not negative, else self.
    fn less_at_most(&self, bound: &Self) -> Self;
    /// A constant. (`self` only lends its context.)
    fn literal(&self, value: u64) -> Self;
}

macro_rules! machine_word {
    ($word:ty, $wide:ty) => {
        impl MachineWord for $word {
            #[inline(always)]
            fn plus(&self, rhs: &Self) -> Self {
                self.wrapping_add(*rhs)
            }
            #[inline(always)]
            fn minus(&self, rhs: &Self) -> Self {
                self.wrapping_sub(*rhs)
            }
            #[inline(always)]
            fn times(&self, rhs: &Self) -> Self {
                self.wrapping_mul(*rhs)
            }
            #[inline(always)]
            fn times_high(&self, rhs: &Self) -> Self {
                ((<$wide>::from(*self) * <$wide>::from(*rhs)) >> Self::BITS) as Self
            }
            #[inline(always)]
            fn is_less(&self, rhs: &Self) -> Self {
                Self::from(self < rhs)
            }
            #[inline(always)]
            fn least(&self, rhs: &Self) -> Self {
                *self.min(rhs)
            }
            #[inline(always)]
            fn less_at_most(&self, bound: &Self) -> Self {
                if self < bound { *self } else { self - bound }
            }
            #[inline(always)]
            fn literal(&self, value: u64) -> Self {
                value as Self
            }
        }
    };
}

machine_word!(u32, u64);
machine_word!(u64, u128);
