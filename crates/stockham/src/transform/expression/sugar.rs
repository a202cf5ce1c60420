//! What expressions are used for most.

use num_complex::Complex64;

use super::Expr;

impl Expr {
    /// Ten times the decimal logarithm of a real number, of a floor at least, in decibels.
    pub fn decibels(&self, floor: f64) -> Self {
        self.max(floor).log2() * (10.0 * std::f64::consts::LOG10_2)
    }

    /// Times −1 where the sum of the indices along so many transform dimensions is odd: a spectrum of an even length has its zero
    /// frequency in the middle then.
    pub fn alternating(&self, dims: usize) -> Self {
        let sum = (1..dims).fold(Self::index(0), |sum, dim| sum + Self::index(dim));
        self.clone() * sum.cos_pi()
    }

    /// Times numbers of the shape of the transform.
    pub fn times(&self, shape: &[usize], numbers: &[Complex64]) -> Self {
        self.clone() * Self::complex_over(shape, numbers)
    }
}
