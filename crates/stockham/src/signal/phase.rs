//! Phase correlation: by how much one array is another, moved.

use crate::algebra::{Direction, Element};
use crate::builder::TransformBuilder;
use crate::device::Device;
use crate::error::Result;
use crate::parallel;
use crate::transform::Lengths;

use super::{Sample, check_len, points};

/// Points of a task at least.
const GRAIN: usize = 1 << 12;

/// The phase correlation of two arrays of one shape, DFT⁻¹(A·B̄/|A·B̄|). Where a is b moved by d, which comes in again at the other
/// side, it is 1 at d and 0 elsewhere (C. D. Kuglin and D. C. Hines, "The Phase Correlation Image Alignment Method", 1975).
///
/// # Errors
/// [`Error::Signal`](crate::Error::Signal) for an empty shape; [`Error::BufferLength`](crate::Error::BufferLength) if an array does
/// not fill it; as [`Device::plan`].
pub fn phase_correlation<T: Sample>(device: &Device, a: &[T], b: &[T], shape: impl Into<Lengths>) -> Result<Vec<T>> {
    let shape = Vec::from(shape.into());
    let len = points("shape of the input", &shape)?;
    check_len("first array", len, a.len())?;
    check_len("second array", len, b.len())?;
    let builder = TransformBuilder::new(T::Complex::ALGEBRA, T::KIND, shape);
    let forward = builder.plan(device)?;
    let mut spectrum = device.alloc::<T::Complex>(forward.transform().output_len())?;
    let mut of = |x: &[T]| {
        forward.run(&device.upload(x)?, &mut spectrum)?;
        spectrum.to_vec()
    };
    let (mut product, other) = (of(a)?, of(b)?);
    parallel::tasks(&mut product, 1, GRAIN, &|first, part| {
        part.iter_mut().zip(&other[first..]).for_each(|(a, b)| *a = T::cross_phase(*a, *b));
    });
    spectrum.write(&product)?;
    let mut surface = device.alloc(len)?;
    builder.direction(Direction::Inverse).plan(device)?.run(&spectrum, &mut surface)?;
    surface.to_vec()
}

/// By how many points the array a is b moved along each dimension, to either side: where their [`phase_correlation`] is largest.
///
/// ```
/// use stockham::Device;
/// use stockham::signal::translation;
/// let b: Vec<f32> = (0..35).map(|i| [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0][i * i % 8]).collect();
/// // Five rows of seven, each moved two to the left, and all one down.
/// let a: Vec<f32> = (0..35).map(|i| b[(i / 7 + 4) % 5 * 7 + (i % 7 + 2) % 7]).collect();
/// assert_eq!(translation(&Device::cpu(), &a, &b, [5, 7])?, [1, -2]);
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// As [`phase_correlation`].
pub fn translation<T: Sample>(device: &Device, a: &[T], b: &[T], shape: impl Into<Lengths>) -> Result<Vec<isize>> {
    let shape = Vec::from(shape.into());
    let surface = phase_correlation(device, a, b, shape.clone())?;
    let largest = surface.iter().map(|x| x.power()).enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
    let mut place = largest.map_or(0, |(place, _)| place);
    let mut moved: Vec<isize> = shape.iter().map(|_| 0).collect();
    for (moved, &n) in moved.iter_mut().zip(&shape).rev() {
        let along = place % n;
        place /= n;
        *moved = if along > n / 2 { along as isize - n as isize } else { along as isize };
    }
    Ok(moved)
}
