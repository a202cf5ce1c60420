//! Convolutions of lines that a device's tile holds: one program takes them there, by their kernels' spectra, and back. What is
//! behind them on the way in, and what is not wanted on the way out, is in no memory.

use num_complex::{Complex32, Complex64};

use crate::algebra::{Algebra, ComplexElement, Element};
use crate::device::{Backend, Buffer, Device, Executable, Stream};
use crate::error::Result;
use crate::host_memory;
use crate::plan;
use crate::transform::{Access, Expr, Kind, Transform};

use super::Sample;
use super::axis::Axis;

/// Numbers of spectra at most: the program's constants are held in more precision than its tables.
const MOST_NUMBERS: usize = 1 << 22;

/// Programs that are kept: the usual one, and that of what is left at the end.
const KEPT: usize = 2;

/// Convolutions of lines, as many as there are kernels, or several times as many.
pub struct Filtered<T: Sample> {
    /// Of one line for each kernel.
    transform: Transform,
    kernels: usize,
    input: usize,
    output: usize,
    /// The last one used first.
    rounds: Vec<Round<T>>,
}

/// A program for so many lines for each kernel, with its memory.
struct Round<T: Sample> {
    count: usize,
    executable: Executable,
    input: Buffer<T>,
    output: Buffer<T>,
    workspace: Buffer<T>,
}

impl<T: Sample> Filtered<T> {
    /// If it is a way on a device: for kernels of which these are the spectra, one after the other.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn plan(device: &Device, axes: &[Axis], spectra: &Buffer<T::Complex>) -> Result<Option<Self>> {
        let [axis] = axes else { return Ok(None) };
        if device.info().backend == Backend::Cpu || axis.extended != axis.input || spectra.len() > MOST_NUMBERS {
            return Ok(None);
        }
        let points = if T::KIND == Kind::Real { axis.fft / 2 + 1 } else { axis.fft };
        let kernels = spectra.len() / points;
        // Batch dimensions, which come after the transform's: lines of the same kernel, and kernels.
        let by = Expr::complex_along_dims(&[(2, kernels), (0, points)], &wide(&spectra.to_vec()?));
        let plain = Transform::new(T::Complex::ALGEBRA, axis.fft);
        let transform = Transform { kind: T::KIND, ..plain }
            .filtered(Expr::value() * by)
            .with_load(Access::default().extent([axis.input]))
            .with_store(Access::default().extent([axis.output]));
        let this = Self { transform, kernels, input: axis.input, output: axis.output, rounds: Vec::new() };
        // Of real lines also in a kernel each way.
        let most = if T::KIND == Kind::Real { 2 } else { 1 };
        let fits = plan::plan(&this.lines(1), device.info()).is_ok_and(|recipe| recipe.trips() <= most);
        Ok(fits.then_some(this))
    }

    /// So many lines for each kernel.
    fn lines(&self, count: usize) -> Transform {
        let each = self.transform.dims[0].n;
        let dim = |n, stride| crate::transform::Dim::new(n, stride);
        self.transform.clone().with_batch([dim(count, self.kernels * each), dim(self.kernels, each)])
    }

    /// The outputs of lines one after the other: line i by kernel i mod their number. So many points go at a time, if not fewer are
    /// enough for one line of each kernel.
    ///
    /// # Errors
    /// As [`Device::plan`]; [`Error::OutOfMemory`](crate::Error::OutOfMemory); what the driver reports.
    pub fn apply(&mut self, device: &Device, stream: &Stream, inputs: &[T], enough: usize) -> Result<Vec<T>> {
        let (count, each) = (inputs.len() / self.input, self.kernels);
        let points = self.transform.dims[0].n.saturating_mul(each);
        let together = (enough / points).clamp(1, count.div_ceil(each).max(1)) * each;
        let mut outputs = host_memory::zeroed(count.saturating_mul(self.output))?;
        for first in (0..count).step_by(together) {
            let lines = first..count.min(first + together);
            let (from, to) = (self.input, self.output);
            let round = self.round(device, lines.len().div_ceil(each))?;
            // What the last kernels have no lines for is computed of whatever is there, and not read.
            let Round { executable, input, output, workspace, .. } = round;
            input.slice_mut(..lines.len() * from)?.write_on(stream, &inputs[lines.start * from..lines.end * from])?;
            executable.run_on(stream, &*input, &mut *output, &mut *workspace)?;
            output.slice(..lines.len() * to)?.read_on(stream, &mut outputs[lines.start * to..lines.end * to])?;
        }
        Ok(outputs)
    }

    /// The program for so many lines for each kernel.
    fn round(&mut self, device: &Device, count: usize) -> Result<&mut Round<T>> {
        let known = self.rounds.iter().position(|round| round.count == count);
        let round = match known {
            Some(known) => self.rounds.remove(known),
            None => {
                let executable = device.plan(&self.lines(count))?;
                let (input, output) = (executable.transform().input_len(), executable.transform().output_len());
                let workspace = executable.workspace("input")?;
                Round { count, executable, input: device.alloc(input)?, output: device.alloc(output)?, workspace }
            }
        };
        self.rounds.insert(0, round);
        self.rounds.truncate(KEPT);
        Ok(&mut self.rounds[0])
    }
}

fn wide<C: ComplexElement>(spectra: &[C]) -> Vec<Complex64> {
    match C::ALGEBRA {
        Algebra::ComplexF32 => {
            let single: &[Complex32] = bytemuck::cast_slice(spectra);
            single.iter().map(|x| Complex64::new(x.re.into(), x.im.into())).collect()
        }
        _ => bytemuck::cast_slice(spectra).to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::axis::{Mode, axes};
    use super::*;

    fn is_way<T: Sample>(device: &Device, input: &[usize], kernel: &[usize], mode: Mode) -> bool {
        let axes = axes(input, kernel, mode, false, T::KIND).unwrap();
        let transform = Transform { kind: T::KIND, ..Transform::new(T::Complex::ALGEBRA, axes[0].fft) };
        let spectra = device.alloc(transform.output_len() * 3).unwrap();
        Filtered::<T>::plan(device, &axes, &spectra).unwrap().is_some()
    }

    #[test]
    fn lines_that_a_tile_holds_go_by_one_program() {
        assert!(!is_way::<f32>(&Device::cpu(), &[100], &[7], Mode::Full));
        for info in Device::list().found.into_iter().filter(|info| info.backend != Backend::Cpu) {
            let device = Device::by_name(&info.id).unwrap();
            assert!(is_way::<f32>(&device, &[100], &[7], Mode::Full));
            assert!(is_way::<Complex32>(&device, &[7], &[100], Mode::Same));
            // A line that goes on periodically, one that is too long, and a plane.
            assert!(!is_way::<f32>(&device, &[97], &[7], Mode::Circular));
            assert!(!is_way::<Complex32>(&device, &[1 << 20], &[7], Mode::Valid));
            assert!(!is_way::<f32>(&device, &[10, 12], &[3, 3], Mode::Full));
        }
    }
}
