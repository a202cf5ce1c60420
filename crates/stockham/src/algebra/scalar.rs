//! Real numbers as codelets see them: `f32`, `f64`, [`DoubleDouble`](super::DoubleDouble), or a symbol of a kernel.

use super::DoubleDouble;

/// A real number, or a symbol that stands for one.
pub trait Scalar: Clone {
    /// self + rhs.
    fn add(&self, rhs: &Self) -> Self;
    /// self − rhs.
    fn sub(&self, rhs: &Self) -> Self;
    /// self · rhs.
    fn mul(&self, rhs: &Self) -> Self;
    /// −self.
    fn neg(&self) -> Self;
    /// self · a + b with a single rounding where the type offers it.
    fn mul_add(&self, a: &Self, b: &Self) -> Self;
    /// Whether codelets shall be made of [`mul_add`](Self::mul_add)s, as few operations as they can be. Otherwise they have
    /// fewer products.
    fn fuses(&self) -> bool {
        false
    }
    /// A constant of the same kind, correctly rounded. (`self` only lends its context.)
    fn constant(&self, value: DoubleDouble) -> Self;
    /// self · a constant known to more digits than the type has, rounded as if once: a factor that is rounded first
    /// gives every output the same error.
    fn times_exactly(&self, value: DoubleDouble) -> Self;
}

macro_rules! native_scalar {
    ($t:ty, $round:ident) => {
        impl Scalar for $t {
            #[inline(always)]
            fn add(&self, rhs: &Self) -> Self {
                self + rhs
            }
            #[inline(always)]
            fn sub(&self, rhs: &Self) -> Self {
                self - rhs
            }
            #[inline(always)]
            fn mul(&self, rhs: &Self) -> Self {
                self * rhs
            }
            #[inline(always)]
            fn neg(&self) -> Self {
                -self
            }
            #[inline(always)]
            fn mul_add(&self, a: &Self, b: &Self) -> Self {
                // Two roundings: a fused product is slow where the target is not known to have one.
                self * a + b
            }
            #[inline(always)]
            fn constant(&self, value: DoubleDouble) -> Self {
                value.$round()
            }
            #[inline(always)]
            fn times_exactly(&self, value: DoubleDouble) -> Self {
                let product: DoubleDouble = DoubleDouble::from(f64::from(*self)).mul(&value);
                product.$round()
            }
        }
    };
}

native_scalar!(f32, to_f32);
native_scalar!(f64, to_f64);
