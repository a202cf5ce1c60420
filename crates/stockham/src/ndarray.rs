//! One-line calls on arrays of the crate [`ndarray`], with the feature `ndarray`: of any number of dimensions, along
//! any axes, on the [best device](crate::Device::best). What they planned last is kept.
//!
//! Arrays and views are taken as they lie, if they have no gaps, whatever the order of their axes; those with gaps, or with
//! axes that run backwards, are copied first. The result is a new array in standard layout. Axes are counted from 0, the
//! outermost, and all others are a batch. Without `n` in its name, a function works along one axis.
//!
//! ```
//! use ndarray::{Array3, s};
//! use stockham::{Complex64, ndarray::{fftn, irfftn, rfftn}};
//! let x = Array3::from_shape_fn((4, 5, 6), |(i, j, k)| (i * j) as f64 + k as f64);
//! // The first axis and the last; of real numbers, the last one named has half a spectrum.
//! let spectra = rfftn(&x, [0, 2])?;
//! assert_eq!(spectra.shape(), [4, 5, 4]);
//! let back = irfftn(&spectra, 6, [0, 2])?;
//! assert!((&back - &x).iter().all(|off| off.abs() < 1e-13));
//! // A view: every other row, backwards, over all axes.
//! let rows = x.mapv(Complex64::from);
//! let transformed = fftn(&rows.slice(s![.., ..;-2, ..]), 0..3)?;
//! assert!((transformed[[0, 0, 0]].re - x.slice(s![.., ..;2, ..]).sum()).abs() < 1e-12);
//! # Ok::<(), stockham::Error>(())
//! ```
//!
//! # Errors
//! All of them: [`Error::InvalidTransform`] if an axis is not there, is named twice or is empty, or if there is none;
//! otherwise as [`Device::plan`](crate::Device::plan) and [`Executable::run`](crate::Executable::run).

use ::ndarray::{Array, ArrayBase, Data as Storage, Dimension};

use crate::algebra::{ComplexElement, Data, Direction, Element, Real};
use crate::builder::TransformBuilder;
use crate::error::{Error, Result};
use crate::simple;
use crate::transform::{Kind, TrigType};

/// A transform along an axis, and the same along several.
macro_rules! functions {
    ($($(#[$doc:meta])* $one:ident, $many:ident: <$number:ident: $bound:ident>($($argument:ident: $type:ty),*) -> $output:ty,
        $algebra:expr, $kind:expr, $direction:ident, $last:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// As [all](self).
        pub fn $one<$number: $bound, S: Storage<Elem = $number>, D: Dimension>(
            x: &ArrayBase<S, D>,
            $($argument: $type,)*
            axis: usize,
        ) -> Result<Array<$output, D>> {
            $many(x, $($argument,)* [axis])
        }

        #[doc = concat!("As [`", stringify!($one), "`], along some axes.")]
        ///
        /// # Errors
        /// As [all](self).
        pub fn $many<$number: $bound, S: Storage<Elem = $number>, D: Dimension>(
            x: &ArrayBase<S, D>,
            $($argument: $type,)*
            axes: impl IntoIterator<Item = usize>,
        ) -> Result<Array<$output, D>> {
            let axes = axes.into_iter().collect();
            apply(x, Job { algebra: $algebra, kind: $kind, direction: Direction::$direction, axes, last: $last })
        }
    )*};
}

functions! {
    /// The forward DFT of elements along an axis.
    fft, fftn: <T: Element>() -> T, T::ALGEBRA, Kind::Dft, Forward, None;
    /// The inverse of [`fft`], with its factor.
    ifft, ifftn: <T: Element>() -> T, T::ALGEBRA, Kind::Dft, Inverse, None;
    /// The forward DFT of real numbers along an axis: of n points the first n/2 + 1.
    rfft, rfftn: <F: Real>() -> F::Complex, F::Complex::ALGEBRA, Kind::Real, Forward, None;
    /// The inverse of [`rfft`]: `n` real numbers along the axis, the last one if there are several. The imaginary parts of points
    /// that are their own mirror images along it are ignored, as NumPy does.
    irfft, irfftn: <T: ComplexElement>(n: usize) -> T::Real, T::ALGEBRA, Kind::Real, Inverse, Some(n);
    /// The discrete cosine transform of real numbers along an axis, without a factor.
    dct, dctn: <F: Real>(of: TrigType) -> F, F::Complex::ALGEBRA, Kind::Cosine(of), Forward, None;
    /// The inverse of [`dct`], with its factor.
    idct, idctn: <F: Real>(of: TrigType) -> F, F::Complex::ALGEBRA, Kind::Cosine(of), Inverse, None;
    /// The discrete sine transform of real numbers along an axis, without a factor.
    dst, dstn: <F: Real>(of: TrigType) -> F, F::Complex::ALGEBRA, Kind::Sine(of), Forward, None;
    /// The inverse of [`dst`], with its factor.
    idst, idstn: <F: Real>(of: TrigType) -> F, F::Complex::ALGEBRA, Kind::Sine(of), Inverse, None;
}

/// What is asked for; `last` is the number of points of the last axis, where the array does not tell it.
struct Job {
    algebra: crate::Algebra,
    kind: Kind,
    direction: Direction,
    axes: Vec<usize>,
    last: Option<usize>,
}

fn apply<I: Data, O: Data, S: Storage<Elem = I>, D: Dimension>(x: &ArrayBase<S, D>, job: Job) -> Result<Array<O, D>> {
    let mut shape = x.shape().to_vec();
    let mut dim = x.raw_dim();
    if let Some(&last) = job.axes.last().filter(|axis| **axis < shape.len()) {
        if let Some(n) = job.last {
            let (found, half) = (shape[last], n / 2 + 1);
            if found != half {
                let words = format!("axis {last} has {found} numbers, and half a spectrum of {n} points has {half}");
                return Err(Error::InvalidTransform(words));
            }
            shape[last] = n;
        }
        let is_half = job.kind == Kind::Real && job.direction == Direction::Forward;
        dim[last] = if is_half { shape[last] / 2 + 1 } else { shape[last] };
    }
    let builder = TransformBuilder::new(job.algebra, job.kind, shape).axes(job.axes).direction(job.direction);
    // Of an array without gaps, whatever the order of its axes, the memory is taken as it is.
    let forwards = x.strides().iter().map(|stride| usize::try_from(*stride).ok()).collect::<Option<Vec<_>>>();
    let output = match (x.as_slice_memory_order(), forwards) {
        (Some(numbers), Some(strides)) if !x.is_standard_layout() => {
            simple::apply(builder.strides(strides, standard(dim.slice())).transform()?, numbers)?
        }
        _ => {
            let numbers = x.as_standard_layout();
            simple::apply(builder.transform()?, numbers.as_slice().unwrap_or_default())?
        }
    };
    Ok(Array::from_shape_vec(dim, output).expect("the output has as many numbers as its shape says"))
}

/// The strides of an array without gaps.
fn standard(shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    strides
}
