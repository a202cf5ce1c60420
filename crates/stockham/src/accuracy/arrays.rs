//! The same measurement of arrays, and of transforms of real numbers: every output against a reference, line by line along
//! each dimension, in at least twice the precision.

use std::iter;

use serde::{Deserialize, Serialize};

use super::check::{check_memory, errors, reference};
use super::{Errors, LINF_LIMIT, Measured, l2_limit, random};
use crate::algebra::{Algebra, ComplexElement, Direction, NumericRing, Ring, Root};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::parallel;
use crate::transform::{Kind, Lengths, Normalization, Side, Transform, TrigType};

/// What was measured for transforms of arrays or of real numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ArrayRecord {
    /// The numbers.
    pub algebra: Algebra,
    /// The kind of transform.
    pub kind: Kind,
    /// The lengths of the dimensions, outermost first.
    pub shape: Vec<usize>,
    /// The direction.
    pub direction: Direction,
    /// The input's seed.
    pub seed: u64,
    /// Outputs compared with the reference, all of them.
    pub outputs: usize,
    /// Whether the algebra is exact, so that only errors of 0 pass.
    pub exact: bool,
    /// The L2 error in units of u·√log2 n, n being the points of all dimensions; the root of the share of wrong outputs over
    /// an exact algebra.
    pub l2_units: f64,
    /// The L∞ error likewise; 1 over an exact algebra if any output is wrong.
    pub linf_units: f64,
}

impl ArrayRecord {
    /// Whether the errors are within [`LINF_LIMIT`] and the highest [`l2_limit`] of the dimensions; over an exact algebra,
    /// whether there are none.
    pub fn passes(&self) -> bool {
        let is_sine = matches!(self.kind, Kind::Sine(_));
        let inner = |n: usize| match self.kind {
            Kind::Cosine(TrigType::I) | Kind::Sine(TrigType::I) => TrigType::I.logical(is_sine, n),
            _ => n,
        };
        let limits = self.shape.iter().map(|n| l2_limit(inner(*n)));
        let (l2, linf) = if self.exact { (0.0, 0.0) } else { (limits.fold(0.0, f64::max), LINF_LIMIT) };
        // So written that an error that is not a number fails.
        self.l2_units <= l2 && self.linf_units <= linf
    }
}

/// Measures a device's DFT of elements over all dimensions of an array, out of place and without normalisation.
///
/// # Errors
/// As [`Device::plan`] and [`Executable::run`](crate::Executable::run); [`Error::Unsupported`] if there is no reference for
/// one of the lengths, which have prime factors above 31 and more than 4096 points then; [`Error::OutOfMemory`].
pub fn measure_array<T: Measured>(
    device: &Device,
    shape: impl Into<Lengths>,
    direction: Direction,
    seed: u64,
) -> Result<ArrayRecord> {
    let transform = Transform::new(T::ALGEBRA, shape).direction(direction).normalization(Normalization::None);
    let x = prepare::<T>(&transform, seed)?;
    let executable = device.plan(&transform)?;
    let mut output = device.alloc::<T>(x.len())?;
    executable.run(&device.upload(&x)?, &mut output)?;
    compare(&transform, x, output.to_vec()?, seed)
}

/// The same of a transform of real numbers, of any [`Kind`] but [`Kind::Dft`], in the precision of complex numbers. Half spectra
/// that go in are random, too: what their symmetry would not allow is ignored as NumPy does.
///
/// ```
/// use stockham::{Complex64, Device, Direction, Kind, TrigType, accuracy};
/// let kind = Kind::Cosine(TrigType::II);
/// let record = accuracy::measure_reals::<Complex64>(&Device::cpu(), kind, [24, 30], Direction::Forward, 1)?;
/// assert!(record.passes() && record.outputs == 720 && record.l2_units > 0.0);
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// As [`measure_array`]; [`Error::InvalidTransform`] if the kind is that of elements.
pub fn measure_reals<T: Measured + ComplexElement>(
    device: &Device,
    kind: Kind,
    shape: impl Into<Lengths>,
    direction: Direction,
    seed: u64,
) -> Result<ArrayRecord> {
    if kind == Kind::Dft {
        return Err(Error::InvalidTransform("the DFT of elements is no transform of real numbers".into()));
    }
    let lengths: Vec<usize> = shape.into().into();
    let axes: Vec<usize> = (0..lengths.len()).collect();
    let transform = Transform::along(T::ALGEBRA, kind, &lengths, &axes)?.direction(direction);
    let transform = transform.normalization(Normalization::None);
    let x = prepare::<T>(&transform, seed)?;
    // Of a side of real numbers, the real parts of elements.
    let parts = |side: Side| if transform.is_real(side) { 1 } else { 2 };
    let input: Vec<T::Real> = match parts(Side::Input) {
        1 => bytemuck::cast_slice::<T, T::Real>(&x).iter().copied().step_by(2).collect(),
        _ => bytemuck::cast_slice(&x).to_vec(),
    };
    let x = match parts(Side::Input) {
        1 => elements(&input),
        _ => x,
    };
    let executable = device.plan(&transform)?;
    let mut output = device.alloc::<T::Real>(parts(Side::Output) * transform.output_len())?;
    executable.run(&device.upload(&input)?, &mut output)?;
    let found = output.to_vec()?;
    let found = if parts(Side::Output) == 1 { elements(&found) } else { bytemuck::cast_slice(&found).to_vec() };
    compare(&transform, x, found, seed)
}

/// Real numbers as elements.
fn elements<T: ComplexElement>(reals: &[T::Real]) -> Vec<T> {
    let pairs: Vec<T::Real> = reals.iter().flat_map(|x| [*x, bytemuck::Zeroable::zeroed()]).collect();
    bytemuck::cast_slice(&pairs).to_vec()
}

/// Random input, once it is known that there is room for it and what comes of it.
fn prepare<T: Measured>(transform: &Transform, seed: u64) -> Result<Vec<T>> {
    transform.validate()?;
    let longest = transform.dims.iter().map(|dim| period(transform, dim.n)).max().unwrap_or(1);
    check_memory::<T>(transform.points().max(longest))?;
    Ok(random(transform.input_len(), seed))
}

fn compare<T: Measured>(transform: &Transform, x: Vec<T>, found: Vec<T>, seed: u64) -> Result<ArrayRecord> {
    let expected = expected(transform, &x)?;
    drop(x);
    let u = transform.algebra.unit_roundoff();
    let errors: Errors = errors(&found, |i| expected[i]).in_units(u, transform.points());
    Ok(ArrayRecord {
        algebra: transform.algebra,
        kind: transform.kind,
        shape: transform.dims.iter().map(|dim| dim.n).collect(),
        direction: transform.direction,
        seed,
        outputs: found.len(),
        exact: u.is_none(),
        l2_units: errors.l2,
        linf_units: errors.linf,
    })
}

/// Points of the DFT whose outputs are those of a line of n.
fn period(transform: &Transform, n: usize) -> usize {
    match transform.trig() {
        None => n,
        Some((is_sine, TrigType::I)) => TrigType::I.logical(is_sine, n),
        Some((_, TrigType::II | TrigType::III)) => n.saturating_mul(4),
        Some((_, TrigType::IV)) => n.saturating_mul(8),
    }
}

/// What should come out.
fn expected<T: Measured>(transform: &Transform, x: &[T]) -> Result<Vec<T::Wide>> {
    let mut lengths: Vec<usize> =
        (0..transform.dims.len()).map(|number| transform.count(Side::Input, number)).collect();
    let mut array: Vec<T::Wide> = x.iter().map(|x| x.widen()).collect();
    for axis in 0..lengths.len() {
        let of = |line: Vec<T::Wide>| line_of::<T>(transform, axis, line);
        (array, lengths[axis]) = along(array, &lengths, axis, &of)?;
    }
    if transform.is_real(Side::Output) {
        array.iter_mut().for_each(|x| *x = T::real_part(x));
    }
    Ok(array)
}

/// Every line along an axis becomes another, all of one length, which is told.
fn along<R: NumericRing>(
    array: Vec<R>,
    lengths: &[usize],
    axis: usize,
    of: &(impl Fn(Vec<R>) -> Result<Vec<R>> + Sync),
) -> Result<(Vec<R>, usize)> {
    let (n, inner): (usize, usize) = (lengths[axis], lengths[axis + 1..].iter().product());
    let line = |at: usize| (0..n).map(|i| array[(at / inner * n + i) * inner + at % inner]).collect();
    let lines: Vec<Vec<R>> = (0..array.len() / n).map(|at| of(line(at))).collect::<Result<_>>()?;
    let m = lines.first().map_or(0, Vec::len);
    let mut result = vec![R::zero(); lines.len() * m];
    parallel::fill(&mut result, 1 << 12, |at| lines[at / (m * inner) * inner + at % inner][at / inner % m]);
    Ok((result, m))
}

/// The outputs of a line: those of a DFT of so many points, of numbers of which some weigh double.
///
/// The sum over x_j·cos(2π·a·b/N) is the real part of point b of the DFT of N points of which number a is x_j. With x_j times i
/// it is that of sines.
fn line_of<T: Measured>(transform: &Transform, axis: usize, line: Vec<T::Wide>) -> Result<Vec<T::Wide>> {
    let n = transform.dims[axis].n;
    let dft = |line: Vec<T::Wide>, direction| reference::<T>(line, direction);
    let is_last = axis + 1 == transform.dims.len();
    let Some((is_sine, of)) = transform.trig() else {
        return match (transform.kind, transform.direction) {
            (Kind::Real, Direction::Forward) if is_last => {
                let mut spectrum = dft(line, Direction::Forward)?;
                spectrum.truncate(n / 2 + 1);
                Ok(spectrum)
            }
            // The other half are conjugates: they make the same real parts.
            (Kind::Real, Direction::Inverse) if is_last => {
                let weighed = line.into_iter().enumerate();
                let weighed = weighed.map(|(k, x)| if k == 0 || 2 * k == n { x } else { x.add(&x) });
                dft(weighed.chain(iter::repeat(T::Wide::zero())).take(n).collect(), Direction::Inverse)
            }
            (_, direction) => dft(line, direction),
        };
    };
    let period = period(transform, n);
    let shift = usize::from(is_sine);
    let place = |j: usize| if matches!(of, TrigType::I | TrigType::III) { j + shift } else { 2 * j + 1 };
    let point = |k: usize| if matches!(of, TrigType::III | TrigType::IV) { 2 * k + 1 } else { k + shift };
    let weighs_one = |j: usize| match (of, is_sine) {
        (TrigType::I, false) => j == 0 || j + 1 == n,
        (TrigType::III, false) => j == 0,
        (TrigType::III, true) => j + 1 == n,
        _ => false,
    };
    let mut longer = vec![T::Wide::zero(); period];
    let i = T::Wide::root(Root::new(3, 4));
    for (j, x) in line.into_iter().enumerate() {
        let x = if is_sine { x.mul(&i) } else { x };
        longer[place(j)] = if weighs_one(j) { x } else { x.add(&x) };
    }
    let outputs = dft(longer, Direction::Forward)?;
    Ok((0..n).map(|k| T::real_part(&outputs[point(k)])).collect())
}

#[cfg(test)]
mod tests {
    use num_complex::{Complex32, Complex64};

    use super::*;
    use crate::algebra::Goldilocks;

    const KINDS: [Kind; 3] = [Kind::Real, Kind::Cosine(TrigType::I), Kind::Sine(TrigType::I)];

    fn kinds() -> impl Iterator<Item = Kind> {
        let others = [TrigType::II, TrigType::III, TrigType::IV];
        KINDS.into_iter().chain(others.into_iter().flat_map(|of| [Kind::Cosine(of), Kind::Sine(of)]))
    }

    #[test]
    fn arrays_of_all_kinds_pass() {
        let device = Device::cpu();
        for direction in [Direction::Forward, Direction::Inverse] {
            for shape in [&[16][..], &[37], &[6, 10], &[3, 4, 5], &[64, 64], &[2, 41, 9]] {
                let record = measure_array::<Goldilocks>(&device, &[4, 15, 8][..], direction, 1).unwrap();
                assert!(record.passes() && record.exact && record.outputs == 480);
                let record = measure_array::<Complex32>(&device, shape, direction, 1).unwrap();
                assert!(record.passes() && record.l2_units > 0.01, "{record:?}");
                for kind in kinds() {
                    let record = measure_reals::<Complex32>(&device, kind, shape, direction, 1).unwrap();
                    assert!(record.passes() && record.l2_units > 0.01, "{record:?}");
                    let record = measure_reals::<Complex64>(&device, kind, shape, direction, 1).unwrap();
                    // Angles of the CPU's f64 transforms are rounded where lengths are no powers of two.
                    assert!(record.l2_units < 4.0 && record.l2_units > 0.01, "{record:?}");
                }
            }
        }
    }

    #[test]
    fn wrong_outputs_are_seen() {
        for kind in kinds() {
            let transform = Transform::along(Algebra::ComplexF32, kind, &[6, 8], &[0, 1]).unwrap();
            let x: Vec<Complex32> = elements(&vec![1f32; transform.input_len()]);
            let right: Vec<Complex32> = expected::<Complex32>(&transform, &x)
                .unwrap()
                .iter()
                .map(|z| Complex32::new(z.re as f32, z.im as f32))
                .collect();
            let passes = |found: Vec<Complex32>| compare(&transform, x.clone(), found, 1).unwrap().passes();
            assert!(passes(right.clone()));
            for at in [0, 7, right.len() - 1] {
                for wrong in [0.01, f32::NAN] {
                    let mut found = right.clone();
                    found[at].re += wrong;
                    assert!(!passes(found), "{kind:?} at {at}");
                }
            }
        }
        let record = measure_reals::<Complex32>(&Device::cpu(), Kind::Real, [4, 4099], Direction::Forward, 1);
        assert!(record.as_ref().is_ok_and(|record| record.passes()), "{record:?}");
        let error = measure_reals::<Complex32>(&Device::cpu(), Kind::Dft, 8, Direction::Forward, 1);
        assert!(matches!(error, Err(Error::InvalidTransform(_))), "{error:?}");
    }
}
