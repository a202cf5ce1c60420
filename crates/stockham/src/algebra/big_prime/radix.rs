//! Division by the radix, by its reciprocal: N. Möller and T. Granlund, "Improved division by invariant integers",
//! IEEE Transactions on Computers 60 (2011).

/// A number of 192 bits; arithmetic is modulo 2^192.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wide {
    pub low: u128,
    pub high: u64,
}

impl Wide {
    pub const ZERO: Self = Self { low: 0, high: 0 };

    #[inline(always)]
    pub fn plus(self, x: u128) -> Self {
        let (low, carry) = self.low.overflowing_add(x);
        Self { low, high: self.high.wrapping_add(carry.into()) }
    }

    #[inline(always)]
    pub fn minus(self, x: Self) -> Self {
        let (low, borrow) = self.low.overflowing_sub(x.low);
        Self { low, high: self.high.wrapping_sub(x.high).wrapping_sub(borrow.into()) }
    }

    /// self + x for a signed x.
    #[inline(always)]
    pub fn plus_signed(self, x: i128) -> Self {
        let sum = self.plus(x as u128);
        Self { high: sum.high.wrapping_sub((x < 0).into()), ..sum }
    }
}

/// The radix, with its reciprocal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Radix {
    r: u64,
    shift: u32,
    /// ⌊(2^128 − 1) / d⌋ − 2^64 for the divisor d = r·2^shift, which has its highest bit set.
    reciprocal: u64,
}

impl Radix {
    /// # Panics
    /// If the radix is zero.
    pub fn new(r: u64) -> Self {
        let shift = r.leading_zeros();
        let reciprocal = (u128::MAX / u128::from(r << shift)) as u64;
        Self { r, shift, reciprocal }
    }

    #[inline(always)]
    pub fn value(&self) -> u64 {
        self.r
    }

    /// Quotient and remainder of a number below 2^191 whose quotient is below 2^127, as all sums of 2k products of two
    /// digits are.
    #[inline(always)]
    pub fn divide(&self, x: Wide) -> (u128, u64) {
        let shifted = x.low << self.shift;
        // In two steps: a shift by 128 − 0 would be none.
        let high = x.high << self.shift | ((x.low >> 64 >> 1) >> (63 - self.shift)) as u64;
        let (q1, rest) = self.step(high, (shifted >> 64) as u64);
        let (q0, rest) = self.step(rest, shifted as u64);
        (u128::from(q1) << 64 | u128::from(q0), rest >> self.shift)
    }

    /// Algorithm 4 of the paper: quotient and remainder of high·2^64 + low by d, for high < d.
    #[inline(always)]
    fn step(&self, high: u64, low: u64) -> (u64, u64) {
        let d = self.r << self.shift;
        let estimate =
            (u128::from(self.reciprocal) * u128::from(high)).wrapping_add(u128::from(high) << 64 | u128::from(low));
        let mut q = ((estimate >> 64) as u64).wrapping_add(1);
        let mut rest = low.wrapping_sub(q.wrapping_mul(d));
        if rest > estimate as u64 {
            q = q.wrapping_sub(1);
            rest = rest.wrapping_add(d);
        }
        if rest >= d {
            q = q.wrapping_add(1);
            rest -= d;
        }
        (q, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_and_remainders_make_up_the_number() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(0xd129_0d3a_2a1e_53c5).rotate_left(29).wrapping_add(0x9e37_79b9_7f4a_7c15);
            state
        };
        for r in [4, 6, 10, 3 << 10, 0x4001_0000, 0xffff_e000, 1 << 32, (1 << 63) + (1 << 34), u64::MAX - 1] {
            let radix = Radix::new(r);
            for i in 0..5000 {
                // Below 2·256·r².
                let (a, b) = (random() % r, random() % 512);
                let (a, b) = [(a, b), (0, 0), (r - 1, 511), (r - 1, 0)][i % 4];
                let rest = [random() % r, 0, r - 1][i % 3];
                let quotient = u128::from(b) * u128::from(r) + u128::from(a);
                let (high, low) = (quotient >> 64, quotient as u64);
                let upper = high * u128::from(r);
                let x = Wide { low: upper << 64, high: (upper >> 64) as u64 };
                let x = x.plus(u128::from(low) * u128::from(r)).plus(rest.into());
                assert_eq!(radix.divide(x), (quotient, rest), "r = {r}");
            }
        }
    }

    #[test]
    fn signed_sums_borrow() {
        let x = Wide { low: 3, high: 7 };
        assert_eq!(x.plus_signed(-5), Wide { low: u128::MAX - 1, high: 6 });
        assert_eq!(x.plus_signed(-5).plus_signed(5), x);
        assert_eq!(x.minus(Wide { low: 4, high: 7 }), Wide::ZERO.plus_signed(-1));
    }
}
