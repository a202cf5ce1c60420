//! The butterfly of split radix over ℂ in fused products and sums: 16 operations instead of 20.
//!
//! A root with its cosine taken out, cos·(1 + i·tan), is a product of two multiply-adds, and leaves the cosine to those that
//! come behind (E. Linzer and E. Feig, "Implementation of efficient FFT algorithms on fused multiply-add architectures",
//! 1993). Of an angle of at most an eighth of a turn the tangent is at most 1, and errors do not grow.

use num_complex::Complex;

use super::ring::{Direction, Ring, Root};
use super::root_parts::root_parts;
use super::unrolled;
use super::{DoubleDouble, Scalar};

/// A root of unity as quarters of a turn, and an angle of at most an eighth.
struct Split {
    quarters: Root,
    rest: Root,
}

impl Split {
    #[inline(always)]
    fn of(root: Root) -> Self {
        let (k, n) = (4 * root.exponent(), root.order());
        let quarters = (k + n / 2) / n;
        Self { quarters: Root::new(quarters, 4), rest: Root::new(4 * n + k - quarters * n, 4 * n) }
    }

    #[inline(always)]
    fn cosine(&self) -> DoubleDouble {
        root_parts(self.rest).0
    }

    /// x times the root, without its cosine.
    #[inline(always)]
    fn apply<T: Scalar>(&self, x: &Complex<T>) -> Complex<T> {
        let (re, im) = (&x.re, &x.im);
        let x = match (self.rest.exponent(), self.rest.order()) {
            (0, 1) => x.clone(),
            (1, 8) => Complex::new(re.add(im), im.sub(re)),
            (7, 8) => Complex::new(re.sub(im), im.add(re)),
            _ => {
                let (cosine, sine) = root_parts(self.rest);
                let tangent = sine.div(cosine);
                Complex::new(im.mul_add(&im.constant(tangent.neg()), re), re.mul_add(&re.constant(tangent), im))
            }
        };
        x.mul_root(self.quarters)
    }
}

/// [`Ring::combine`].
#[inline(always)]
pub(super) fn combine<T: Scalar, const N: usize, const H: usize, const Q: usize>(
    u: [Complex<T>; H],
    z: [Complex<T>; Q],
    t: [Complex<T>; Q],
    direction: Direction,
) -> [Complex<T>; N] {
    let joined: [[_; 4]; Q] = unrolled!(Q, k => {
        let factors = [(&z[k], direction.root(k, N)), (&t[k], direction.root(3 * k, N))];
        join([&u[k], &u[k + Q]], factors, direction.root(1, 4))
    });
    unrolled!(N, k => joined[k % Q][k / Q].clone())
}

/// u ± (a + b) and v ± ω·(a − b), where a and b come with roots that they are to be multiplied by, and ω is a quarter of a turn.
#[inline(always)]
fn join<T: Scalar>(
    [u, v]: [&Complex<T>; 2],
    [(a, of_a), (b, of_b)]: [(&Complex<T>, Root); 2],
    quarter: Root,
) -> [Complex<T>; 4] {
    let (of_a, of_b) = (Split::of(of_a), Split::of(of_b));
    let (a, b) = (of_a.apply(a), of_b.apply(b));
    let (sum, difference) = if [of_b.rest, of_b.rest.inverse()].contains(&of_a.rest) {
        (a.add(&b), a.sub(&b))
    } else {
        let ratio = of_b.cosine().div(of_a.cosine());
        (plus(&a, &b, ratio), plus(&a, &b, ratio.neg()))
    };
    let turned = difference.mul_root(quarter);
    if of_a.rest.order() == 1 {
        return [u.add(&sum), v.add(&turned), u.sub(&sum), v.sub(&turned)];
    }
    let cosine = of_a.cosine();
    [plus(u, &sum, cosine), plus(v, &turned, cosine), plus(u, &sum, cosine.neg()), plus(v, &turned, cosine.neg())]
}

/// a + factor·b.
#[inline(always)]
fn plus<T: Scalar>(a: &Complex<T>, b: &Complex<T>, factor: DoubleDouble) -> Complex<T> {
    let factor = a.re.constant(factor);
    Complex::new(b.re.mul_add(&factor, &a.re), b.im.mul_add(&factor, &a.im))
}

/// A number for tests of what is fused.
#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// An `f64` whose codelets are fused.
    #[derive(Clone)]
    pub(crate) struct Fused(pub f64);

    impl Scalar for Fused {
        fn add(&self, rhs: &Self) -> Self {
            Self(self.0 + rhs.0)
        }
        fn sub(&self, rhs: &Self) -> Self {
            Self(self.0 - rhs.0)
        }
        fn mul(&self, rhs: &Self) -> Self {
            Self(self.0 * rhs.0)
        }
        fn neg(&self) -> Self {
            Self(-self.0)
        }
        fn mul_add(&self, a: &Self, b: &Self) -> Self {
            Self(self.0.mul_add(a.0, b.0))
        }
        fn fuses(&self) -> bool {
            true
        }
        fn constant(&self, value: DoubleDouble) -> Self {
            Self(value.to_f64())
        }
        fn times_exactly(&self, value: DoubleDouble) -> Self {
            Self(self.0.times_exactly(value))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_root_is_its_parts(k in 0usize..4096, log in 2u32..13) {
            let root = Root::new(k, 1 << log);
            let split = Split::of(root);
            let one = Split::of(root).apply(&Complex::new(DoubleDouble::from(1.0), DoubleDouble::from(0.0)));
            let (cosine, (re, im)) = (split.cosine(), root_parts(root));
            prop_assert!(cosine.to_f64() > 0.707, "{}", cosine.to_f64());
            for (part, whole) in [(one.re, re), (one.im, im)] {
                prop_assert!(Scalar::sub(&part.mul(&cosine), &whole).to_f64().abs() < 1e-30);
            }
        }
    }
}
