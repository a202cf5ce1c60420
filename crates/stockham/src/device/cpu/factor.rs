//! The factor on a transform's output. It comes last, so that small numbers lose nothing; but first, as far as it is a power of
//! two, where sums of such large numbers could overflow although the scaled result fits.

use num_complex::Complex;
use rustfft::FftNum;

use crate::algebra::{DoubleDouble, Numbers, Scalar, Scale, scale_factor};

use super::lanes::Vectors;

/// A factor, and when to multiply by it.
pub(super) trait Factor<T>: Send + Sync {
    /// Whether a line with such elements has to be scaled before it is transformed.
    fn comes_first(&self, _: &[T]) -> bool {
        false
    }
    /// The part that comes first then.
    fn before(&self, _: &mut [T]) {}
    /// What is left for the end.
    fn after(&self, line: &mut [T], came_first: bool);
}

/// The real numbers that the host computes with.
pub(super) trait Real: FftNum + Scalar + Default + Into<f64> + Vectors {
    /// Whether rustfft rounds the angles of its roots in more precision than it computes in.
    const HAS_ACCURATE_LIBRARY: bool;
    const MAX: f64;
}

impl Real for f32 {
    const HAS_ACCURATE_LIBRARY: bool = true;
    const MAX: f64 = Self::MAX as f64;
}

impl Real for f64 {
    const HAS_ACCURATE_LIBRARY: bool = false;
    const MAX: f64 = Self::MAX;
}

/// A product with a constant, rounded once.
#[derive(Clone, Copy)]
enum Multiplier<F> {
    One,
    /// The constant is exact.
    Exact(F),
    Long(DoubleDouble),
}

impl<F: Real> Multiplier<F> {
    fn new(factor: DoubleDouble) -> Self {
        let rounded = F::default().constant(factor);
        match DoubleDouble::from(rounded.into()) {
            exact if exact == DoubleDouble::from(1.0) && exact == factor => Self::One,
            exact if exact == factor => Self::Exact(rounded),
            _ => Self::Long(factor),
        }
    }

    fn apply(self, line: &mut [Complex<F>]) {
        match self {
            Self::One => {}
            Self::Exact(c) => line.iter_mut().for_each(|x| *x = Complex::new(x.re * c, x.im * c)),
            Self::Long(c) => {
                line.iter_mut().for_each(|x| *x = Complex::new(x.re.times_exactly(c), x.im.times_exactly(c)));
            }
        }
    }
}

/// A real factor in two parts: a power of two of at most its size, and one between 1 and 2.
struct Parts<F> {
    whole: Multiplier<F>,
    power: Multiplier<F>,
    rest: Multiplier<F>,
    /// Sums of so many numbers of this magnitude may overflow on the way.
    limit: f64,
}

impl<F: Real> Factor<Complex<F>> for Parts<F> {
    fn comes_first(&self, line: &[Complex<F>]) -> bool {
        let is_large = |x: F| x.into().abs() > self.limit;
        line.iter().fold(false, |any, x| any | is_large(x.re) | is_large(x.im))
    }
    fn before(&self, line: &mut [Complex<F>]) {
        self.power.apply(line);
    }
    fn after(&self, line: &mut [Complex<F>], came_first: bool) {
        if came_first { self.rest } else { self.whole }.apply(line);
    }
}

/// Nothing if the factor is 1.
pub(super) fn complex<F: Real>(scale: Scale, n: usize) -> Option<Box<dyn Factor<Complex<F>>>> {
    if scale == Scale::One {
        return None;
    }
    let factor = scale_factor(scale);
    let power = DoubleDouble::from(factor.to_f64().log2().floor().exp2());
    // Codelets add real and imaginary parts as well.
    let limit = F::MAX / (8.0 * n as f64);
    let (whole, power, rest) = (factor, power, factor.div(power));
    let [whole, power, rest] = [whole, power, rest].map(Multiplier::new);
    Some(Box::new(Parts { whole, power, rest, limit }))
}

/// Over a field nothing overflows.
struct Exact<T>(T);

impl<T: Numbers> Factor<T> for Exact<T> {
    fn after(&self, line: &mut [T], _: bool) {
        line.iter_mut().for_each(|x| *x = x.mul(&self.0));
    }
}

/// The same over a field, whose 1 is given.
pub(super) fn exact<T: Numbers + 'static>(scale: Scale, one: &T) -> Option<Box<dyn Factor<T>>> {
    (scale != Scale::One).then(|| Box::new(Exact(one.scaled(scale))) as Box<dyn Factor<T>>)
}
