//! Convolutions of many arrays by kernels whose spectra are kept.

use std::fmt;

use crate::algebra::{Direction, Element, Scale};
use crate::builder::TransformBuilder;
use crate::device::{Backend, Buffer, Device, Executable, Prepared, Stream};
use crate::error::Result;
use crate::host_memory;
use crate::parallel;
use crate::plan::Step;
use crate::transform::{Lengths, Normalization};

use super::axis::{Axis, Mode, axes};
use super::filtered::Filtered;
use super::{Sample, check_len, points, rows};

/// Points on a device at a time: more gain nothing.
const ENOUGH_POINTS: usize = 1 << 20;

/// Convolutions, or correlations, of arrays of one shape by kernels of another, made ready for a device.
///
/// An array is transformed, multiplied by the spectrum of a kernel, and transformed back, in lengths that are
/// [fast](super::next_fast_len); on GPUs by one program, of arrays of several dimensions and of lines that a work-group holds.
/// Several kernels are for channels: array i is convolved with kernel i mod their number.
///
/// ```
/// use stockham::signal::{Convolver, Mode};
/// use stockham::Device;
/// // Differences between neighbours, of pictures of 2 by 3 pixels.
/// let mut across = Convolver::plan(&Device::cpu(), [2, 3], &[1f64, -1.0], [1, 2], Mode::Valid)?;
/// let pictures = [1.0, 2.0, 4.0, 1.0, 1.0, 0.0, /* another */ 0.0, 5.0, 5.0, 2.0, 2.0, 2.0];
/// let differences = across.apply(&pictures)?;
/// let expected = [1.0, 2.0, 0.0, -1.0, 5.0, 0.0, 0.0, 0.0];
/// assert_eq!(across.output_shape(), [2, 2]);
/// assert!(differences.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14));
/// # Ok::<(), stockham::Error>(())
/// ```
pub struct Convolver<T: Sample> {
    device: Device,
    stream: Stream,
    axes: Vec<Axis>,
    way: Way<T>,
}

/// How arrays are convolved.
enum Way<T: Sample> {
    /// By one program.
    Filtered(Filtered<T>),
    Products(Products<T>),
}

/// By transforms there and back with a product between.
struct Products<T: Sample> {
    /// The spectra of the kernels, all of them once or several times.
    spectra: Buffer<T::Complex>,
    product: Prepared,
    /// Plans for some arrays at a time, the last one used first.
    rounds: Vec<Round<T>>,
}

impl<T: Sample> Convolver<T> {
    /// Prepares the convolution of arrays of a shape by kernels of one shape, one after the other.
    ///
    /// # Errors
    /// [`Error::Signal`](crate::Error::Signal) for an empty shape, ranks that differ, and shapes of which neither contains the other
    /// in [`Mode::Valid`]; [`Error::BufferLength`](crate::Error::BufferLength) if the kernels are no whole number of them, or none; as
    /// [`Device::plan`].
    pub fn plan(
        device: &Device,
        shape: impl Into<Lengths>,
        kernels: &[T],
        kernel_shape: impl Into<Lengths>,
        mode: Mode,
    ) -> Result<Self> {
        Self::new(device, &Vec::from(shape.into()), kernels, &Vec::from(kernel_shape.into()), (mode, false))
    }

    /// The same for correlations, c\[i\] = Σ x\[i + j − (k − 1)\]·h̄\[j\]: convolutions by kernels that are reversed and conjugated.
    ///
    /// # Errors
    /// As [`plan`](Self::plan).
    pub fn plan_correlation(
        device: &Device,
        shape: impl Into<Lengths>,
        kernels: &[T],
        kernel_shape: impl Into<Lengths>,
        mode: Mode,
    ) -> Result<Self> {
        Self::new(device, &Vec::from(shape.into()), kernels, &Vec::from(kernel_shape.into()), (mode, true))
    }

    fn new(
        device: &Device,
        shape: &[usize],
        kernels: &[T],
        kernel_shape: &[usize],
        (mode, is_correlation): (Mode, bool),
    ) -> Result<Self> {
        points("shape of the input", shape)?;
        let taps = points("shape of the kernel", kernel_shape)?;
        let axes = axes(shape, kernel_shape, mode, is_correlation, T::KIND)?;
        let count = (kernels.len() / taps).max(1);
        check_len("kernels", count.saturating_mul(taps), kernels.len())?;
        let forward = builder::<T>(&axes).batch(count).plan(device)?;
        let mut padded = host_memory::zeroed(forward.transform().input_len())?;
        for (padded, kernel) in padded.chunks_exact_mut(forward.transform().points()).zip(kernels.chunks_exact(taps)) {
            match is_correlation {
                false => rows::place(&axes, kernel.iter().copied(), padded),
                true => rows::place(&axes, kernel.iter().rev().map(|x| x.conj()), padded),
            }
        }
        let mut spectra = device.alloc(forward.transform().output_len())?;
        forward.run(&device.upload(&padded)?, &mut spectra)?;
        let way = match Filtered::plan(device, &axes, &spectra)? {
            Some(filtered) => Way::Filtered(filtered),
            None => Way::Products(Products::new(device, spectra, (forward.transform().points(), count))?),
        };
        let stream = device.new_stream()?;
        Ok(Self { device: device.clone(), stream, axes, way })
    }

    /// The shape of an output.
    pub fn output_shape(&self) -> Vec<usize> {
        self.axes.iter().map(|axis| axis.output).collect()
    }

    /// The points that each dimension is transformed in.
    pub fn transform_shape(&self) -> Vec<usize> {
        self.axes.iter().map(|axis| axis.fft).collect()
    }

    /// The outputs of arrays one after the other: array i by kernel i mod their number.
    ///
    /// # Errors
    /// [`Error::BufferLength`](crate::Error::BufferLength) for what is no whole number of arrays;
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory); as [`Device::plan`]; what the driver reports.
    pub fn apply(&mut self, inputs: &[T]) -> Result<Vec<T>> {
        let product = |of: fn(&Axis) -> usize| self.axes.iter().map(of).product::<usize>();
        let (input, fft, output) = (product(|axis| axis.input), product(|axis| axis.fft), product(|axis| axis.output));
        let count = inputs.len() / input;
        check_len("input", count * input, inputs.len())?;
        let Self { device, stream, axes, way } = self;
        let products = match way {
            Way::Filtered(filtered) => return filtered.apply(device, stream, inputs, ENOUGH_POINTS),
            Way::Products(products) => products,
        };
        let together = (ENOUGH_POINTS / fft).clamp(1, count.max(1));
        let mut outputs = host_memory::zeroed(count.saturating_mul(output))?;
        let mut padded = host_memory::zeroed(fft.saturating_mul(together))?;
        for first in (0..count).step_by(together) {
            let arrays = together.min(count - first);
            let padded = &mut padded[..arrays * fft];
            parallel::chunks(padded, fft, 1, |i, points| {
                rows::spread(axes, &inputs[(first + i) * input..][..input], points);
            });
            products.convolve((device, stream, axes), first, padded, arrays)?;
            let outputs = &mut outputs[first * output..][..arrays * output];
            parallel::chunks(outputs, output, 1, |i, output| rows::gather(axes, &padded[i * fft..][..fft], output));
        }
        Ok(outputs)
    }
}

impl<T: Sample> Products<T> {
    /// For so many points and kernels, of which these are the spectra.
    fn new(device: &Device, spectra: Buffer<T::Complex>, (points, count): (usize, usize)) -> Result<Self> {
        // One launch multiplies as many arrays as there are spectra.
        let copies = match device.info().backend {
            Backend::Cpu => 1,
            _ => (ENOUGH_POINTS / points / count).max(1),
        };
        let spectra = if copies == 1 { spectra } else { device.upload(&spectra.to_vec()?.repeat(copies))? };
        let scale = if points == 1 { Scale::One } else { Scale::Inverse(points) };
        let product = device.prepare_step(Step::Product { algebra: T::Complex::ALGEBRA, scale })?;
        Ok(Self { spectra, product, rounds: Vec::new() })
    }

    /// Convolves arrays that fill their transforms' points, of which that is the first one's number.
    fn convolve(
        &mut self,
        (device, stream, axes): (&Device, &Stream, &[Axis]),
        first: usize,
        points: &mut [T],
        count: usize,
    ) -> Result<()> {
        let Self { spectra, product, rounds } = self;
        let known = rounds.iter().position(|round| round.count == count);
        let round = match known {
            Some(known) => rounds.remove(known),
            None => Round::plan(device, axes, count)?,
        };
        rounds.insert(0, round);
        rounds.truncate(KEPT);
        let Round { forward, inverse, data, spectrum, workspaces, .. } = &mut rounds[0];
        data.write_on(stream, points)?;
        forward.run_on(stream, &*data, &mut *spectrum, &mut workspaces.0)?;
        let each = spectrum.len() / count;
        let known = spectra.len() / each;
        let mut done = 0;
        while done < count {
            let kernel = (first + done) % known;
            let together = (known - kernel).min(count - done);
            let factors = spectra.slice(kernel * each..(kernel + together) * each)?;
            product.run_in_place(stream, spectrum.slice_mut(done * each..(done + together) * each)?, Some(factors))?;
            done += together;
        }
        inverse.run_on(stream, &*spectrum, &mut *data, &mut workspaces.1)?;
        data.read_on(stream, points)
    }
}

impl<T: Sample> fmt::Debug for Convolver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (id, inputs) = (&self.device.info().id, self.axes.iter().map(|axis| axis.input).collect::<Vec<_>>());
        write!(f, "Convolver on {id} of {inputs:?} to {:?}", self.output_shape())
    }
}

/// Numbers of arrays that plans are kept for: the usual one, and what is left at the end.
const KEPT: usize = 2;

/// Transforms of some arrays there and back, with their memory.
struct Round<T: Sample> {
    count: usize,
    forward: Executable,
    inverse: Executable,
    data: Buffer<T>,
    spectrum: Buffer<T::Complex>,
    workspaces: (Buffer<T>, Buffer<T::Complex>),
}

impl<T: Sample> Round<T> {
    fn plan(device: &Device, axes: &[Axis], count: usize) -> Result<Self> {
        let both = builder::<T>(axes).batch(count).normalization(Normalization::None);
        let (forward, inverse) = (both.plan(device)?, both.direction(Direction::Inverse).plan(device)?);
        let data = device.alloc(forward.transform().input_len())?;
        let spectrum = device.alloc(forward.transform().output_len())?;
        let workspaces = (forward.workspace("input")?, inverse.workspace("input")?);
        Ok(Self { count, forward, inverse, data, spectrum, workspaces })
    }
}

/// The transform of an array's points.
pub(super) fn builder<T: Sample>(axes: &[Axis]) -> TransformBuilder {
    let shape: Vec<usize> = axes.iter().map(|axis| axis.fft).collect();
    TransformBuilder::new(T::Complex::ALGEBRA, T::KIND, shape)
}
