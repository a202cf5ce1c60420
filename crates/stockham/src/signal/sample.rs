//! The numbers that signals are made of.

use num_complex::Complex;

use crate::algebra::{ComplexElement, Data, Real};
use crate::transform::Kind;

/// A number of a signal: `f32`, `f64`, `Complex<f32>` or `Complex<f64>`.
pub trait Sample: Data {
    /// What its spectra are made of.
    type Complex: ComplexElement + Sample;
    /// The kind of its transforms.
    const KIND: Kind;
    /// The conjugate, which a real number is itself.
    fn conj(self) -> Self;
    /// The sum.
    fn plus(self, other: Self) -> Self;
    /// The product with a real number.
    fn times(self, factor: f64) -> Self;
    /// |x|².
    fn power(self) -> f64;
    /// a·b̄/|a·b̄|, or 0 where that is not defined.
    fn cross_phase(a: Self::Complex, b: Self::Complex) -> Self::Complex;
}

macro_rules! sample {
    ($type:ty, $real:ty, $kind:expr, $conj:expr, $power:expr) => {
        impl Sample for $type {
            type Complex = <$real as Real>::Complex;
            const KIND: Kind = $kind;
            fn conj(self) -> Self {
                $conj(self)
            }
            fn plus(self, other: Self) -> Self {
                self + other
            }
            fn times(self, factor: f64) -> Self {
                self * factor as $real
            }
            fn power(self) -> f64 {
                f64::from($power(self))
            }
            fn cross_phase(a: Self::Complex, b: Self::Complex) -> Self::Complex {
                // Each by itself: the product's norm may leave the range.
                let unit = |z: Complex<$real>| if z.norm() > 0.0 { z.unscale(z.norm()) } else { Complex::ZERO };
                unit(a) * unit(b).conj()
            }
        }
    };
}

sample!(f32, f32, Kind::Real, |x| x, |x: f32| x * x);
sample!(f64, f64, Kind::Real, |x| x, |x: f64| x * x);
sample!(Complex<f32>, f32, Kind::Dft, |z| Complex::conj(&z), |z: Complex<f32>| z.norm_sqr());
sample!(Complex<f64>, f64, Kind::Dft, |z| Complex::conj(&z), |z: Complex<f64>| z.norm_sqr());
