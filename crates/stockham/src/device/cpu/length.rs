//! How the host transforms lines of a length: whole, or split into shorter ones.

use num_complex::Complex;

use crate::algebra::{Direction, Numbers, NumericRing};

use super::factor::Real;
use super::four_step::FourStep;
use super::line::{Identity, Library, Line, Own};

/// From this length on a transform over ℂ that has several cores is split, so that all have something of it.
const SHARED_FROM: usize = 1 << 18;

/// From this length on an `f64` transform is split even so. rustfft rounds its angles before it takes their sines, so that its
/// `f64` error grows faster than √log n: it is 0.93 u·√log2 n at 2^16, 1.00 at 2^20 and 1.04 at 2^24. Short transforms joined
/// by twiddles of correctly rounded factors stay below. In `f32` the angles are accurate enough.
const ACCURATE_BELOW: usize = 1 << 17;

/// From so many bytes on, elements of a field are transformed as columns and rows, which stay in the cache. Where many roots
/// take no product, the factors between the two would be most of the work.
const EXACT_BYTES: usize = 1 << 18;

/// Lines over ℂ, of which there are `batch`.
pub(super) fn complex<F: Real>(n: usize, direction: Direction, batch: usize) -> Box<dyn Line<Complex<F>>> {
    let threads = rayon::current_num_threads();
    // On one core, two trips take up to 1.6 times as long as rustfft in `f64`, and up to 2.4 times in `f32`.
    let pays = threads >= if F::HAS_ACCURATE_LIBRARY { 4 } else { 2 };
    let shared = n >= SHARED_FROM && batch < threads && pays;
    let accurate = F::HAS_ACCURATE_LIBRARY || n < ACCURATE_BELOW;
    match split(n) {
        _ if n == 1 => Box::new(Identity),
        Some((r, c)) if shared || !accurate => {
            let part = |n| complex(n, direction, usize::MAX);
            Box::new(FourStep::new(&Complex::one(), part(r), part(c), direction))
        }
        _ => Box::new(Library::new(n, direction)),
    }
}

/// Lines over a field that an element names. Nothing if n has a prime factor that no codelet covers.
pub(super) fn exact<T: Numbers + 'static>(context: &T, n: usize, direction: Direction) -> Option<Box<dyn Line<T>>> {
    if n == 1 {
        return Some(Box::new(Identity));
    }
    match split(n) {
        Some((r, c)) if n.saturating_mul(size_of::<T>()) >= EXACT_BYTES && context.shift_order() <= 2 => {
            let (columns, rows) = (exact(context, r, direction)?, exact(context, c, direction)?);
            Some(Box::new(FourStep::new(context, columns, rows, direction)))
        }
        _ if context.shift_order() > 1 => Some(Box::new(Own::shifting(context, n, direction)?)),
        _ => Some(Box::new(Own::autosort(context, n, direction)?)),
    }
}

/// The divisors of n that are nearest to its root, if they are near.
pub(super) fn split(n: usize) -> Option<(usize, usize)> {
    let r = (1..=n.isqrt()).rev().find(|r| n.is_multiple_of(*r))?;
    (n / r <= 64 * r).then_some((r, n / r))
}
