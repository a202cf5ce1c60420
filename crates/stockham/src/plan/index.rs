//! Numbers that formulas are written over once: integers, which the planner counts with, and symbols, of which kernels are made.

/// A number of a thread, a row or a column.
pub(crate) trait Index: Clone {
    /// What may hold of it.
    type Truth;

    /// The sum of two.
    fn sum(&self, other: &Self) -> Self;
    /// The number and so many more.
    fn increased(&self, by: usize) -> Self;
    /// So many times the number.
    fn multiple(&self, times: usize) -> Self;
    /// How often a divisor goes into it.
    fn quotient(&self, divisor: usize) -> Self;
    /// What is left then.
    fn remainder(&self, divisor: usize) -> Self;
    /// The number, or the greatest that it may be if it is greater.
    fn at_most(&self, greatest: usize) -> Self;
    /// Whether it is below a bound.
    fn is_below(&self, bound: usize) -> Self::Truth;
    /// Whether it is below a bound, and not 0.
    fn is_positive_below(&self, bound: usize) -> Self::Truth;
    /// What it takes to make so many; half of them, rounded down, for 0.
    fn mirrored(&self, in_all: usize) -> Self;

    /// The quotient of a number that is below `bound`: 0 where the divisor is as large.
    fn quotient_below(&self, divisor: usize, bound: usize) -> Self {
        if divisor >= bound { self.multiple(0) } else { self.quotient(divisor) }
    }
    /// The remainder of a number that is below `bound`: the number itself where the divisor is as large.
    fn remainder_below(&self, divisor: usize, bound: usize) -> Self {
        if divisor >= bound { self.clone() } else { self.remainder(divisor) }
    }
}

impl Index for usize {
    type Truth = bool;

    fn sum(&self, other: &Self) -> Self {
        self + other
    }
    fn increased(&self, by: usize) -> Self {
        self + by
    }
    fn multiple(&self, times: usize) -> Self {
        self * times
    }
    fn quotient(&self, divisor: usize) -> Self {
        self / divisor
    }
    fn remainder(&self, divisor: usize) -> Self {
        self % divisor
    }
    fn at_most(&self, greatest: usize) -> Self {
        (*self).min(greatest)
    }
    fn is_below(&self, bound: usize) -> bool {
        *self < bound
    }
    fn is_positive_below(&self, bound: usize) -> bool {
        (1..bound).contains(self)
    }
    fn mirrored(&self, in_all: usize) -> Self {
        if *self == 0 { in_all / 2 } else { in_all - self }
    }
}

/// The numbers of many threads at once. What holds of each of them nobody asks.
impl Index for Vec<usize> {
    type Truth = ();

    fn sum(&self, other: &Self) -> Self {
        self.iter().zip(other).map(|(a, b)| a + b).collect()
    }
    fn increased(&self, by: usize) -> Self {
        self.iter().map(|x| x + by).collect()
    }
    fn multiple(&self, times: usize) -> Self {
        self.iter().map(|x| x * times).collect()
    }
    fn quotient(&self, divisor: usize) -> Self {
        if divisor.is_power_of_two() {
            return self.iter().map(|x| x >> divisor.ilog2()).collect();
        }
        self.iter().map(|x| x / divisor).collect()
    }
    fn remainder(&self, divisor: usize) -> Self {
        if divisor.is_power_of_two() {
            return self.iter().map(|x| x & (divisor - 1)).collect();
        }
        self.iter().map(|x| x % divisor).collect()
    }
    fn at_most(&self, greatest: usize) -> Self {
        self.iter().map(|x| *x.min(&greatest)).collect()
    }
    fn is_below(&self, _: usize) {}
    fn is_positive_below(&self, _: usize) {}
    fn mirrored(&self, in_all: usize) -> Self {
        self.iter().map(|x| x.mirrored(in_all)).collect()
    }
}

/// The number whose digits, of these counts with the most significant first, are those of another from right to left.
pub(crate) fn reversed<I: Index>(number: &I, counts: &[usize]) -> I {
    let Some((last, others)) = counts.split_last() else { return number.clone() };
    let (mut result, mut rest) = (number.remainder(*last), number.quotient(*last));
    for count in others.iter().rev() {
        result = result.multiple(*count).sum(&rest.remainder(*count));
        rest = rest.quotient(*count);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_from_right_to_left() {
        // Of row 1 of 2, column 2 of 3, depth 3 of 4.
        assert_eq!(reversed(&(3 + 4 * (2 + 3)), &[2, 3, 4]), 1 + 2 * (2 + 3 * 3));
        assert!((0..24).all(|x| reversed(&reversed(&x, &[2, 3, 4]), &[4, 3, 2]) == x));
        assert_eq!(reversed(&7, &[]), 7);
    }

    #[test]
    fn bounds_that_are_known_spare_divisions() {
        assert!((0..8).all(|x: usize| x.quotient_below(8, 8) == x / 8 && x.remainder_below(8, 8) == x % 8));
        assert!((0..9).all(|x: usize| x.quotient_below(8, 9) == x / 8 && x.remainder_below(8, 9) == x % 8));
    }
}
