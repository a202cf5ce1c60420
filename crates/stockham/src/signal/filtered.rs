//! Convolutions on devices, of lines that a tile holds and of arrays of several dimensions: one program takes them there, by their
//! kernels' spectra, and back. What is behind them on the way in, and what is not wanted on the way out, is in no memory of the
//! caller's.

use num_complex::{Complex32, Complex64};

use crate::algebra::{Algebra, ComplexElement};
use crate::device::{Backend, Buffer, Device, Executable, Stream};
use crate::error::Result;
use crate::host_memory;
use crate::plan::{self, Recipe};
use crate::transform::{Access, Dim, Expr, Kind, Side, Transform};

use super::Sample;
use super::axis::Axis;
use super::convolver::builder;

/// Numbers of spectra at most: the program's constants are held in more precision than its tables.
const MOST_NUMBERS: usize = 1 << 22;

/// Programs that are kept: the usual one, and that of what is left at the end.
const KEPT: usize = 2;

/// Convolutions of arrays, as many as there are kernels, or several times as many.
pub struct Filtered<T: Sample> {
    /// Of one array.
    transform: Transform,
    kernels: usize,
    /// Numbers of an array there, and back.
    input: usize,
    output: usize,
    /// The last one used first.
    rounds: Vec<Round<T>>,
}

/// A program for so many arrays for each kernel, with its memory.
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
        let is_whole = |axis: &Axis| axis.extended == axis.input;
        let is_on_device = device.info().backend != Backend::Cpu && spectra.len() <= MOST_NUMBERS;
        if !is_on_device || !axes.iter().all(is_whole) {
            return Ok(None);
        }
        let (plain, rank) = (builder::<T>(axes).transform()?, axes.len());
        let spectrum: Vec<(usize, usize)> = (0..rank).map(|dim| (dim, plain.count(Side::Output, dim))).collect();
        let kernels = spectra.len() / spectrum.iter().map(|(_, n)| n).product::<usize>();
        // Batch dimensions, which come after the transform's: arrays of the same kernel, and kernels.
        let by = Expr::complex_along_dims(&[&[(rank + 1, kernels)], &spectrum[..]].concat(), &wide(&spectra.to_vec()?));
        let of = |of: fn(&Axis) -> usize| axes.iter().map(of).collect::<Vec<usize>>();
        let (input, output) = (of(|axis| axis.input), of(|axis| axis.output));
        let [given, wanted] = [&input, &output].map(|lengths| lengths.iter().product());
        let transform = plain
            .filtered(Expr::value() * by)
            .with_load(Access::default().extent(input))
            .with_store(Access::default().extent(output));
        let this = Self { transform, kernels, input: given, output: wanted, rounds: Vec::new() };
        // Of real lines also in a kernel each way. Of several dimensions every way takes as many trips.
        let most = if T::KIND == Kind::Real { 2 } else { 1 };
        let fits = |recipe: &Recipe| rank > 1 || recipe.trips() <= most;
        Ok(plan::plan(&this.arrays(1), device.info()).is_ok_and(|recipe| fits(&recipe)).then_some(this))
    }

    /// So many arrays for each kernel.
    fn arrays(&self, count: usize) -> Transform {
        let each = self.transform.points();
        self.transform.clone().with_batch([Dim::new(count, self.kernels * each), Dim::new(self.kernels, each)])
    }

    /// The outputs of arrays one after the other: array i by kernel i mod their number. So many points go at a time, if not fewer are
    /// enough for one array of each kernel.
    ///
    /// # Errors
    /// As [`Device::plan`]; [`Error::OutOfMemory`](crate::Error::OutOfMemory); what the driver reports.
    pub fn apply(&mut self, device: &Device, stream: &Stream, inputs: &[T], enough: usize) -> Result<Vec<T>> {
        let (count, each) = (inputs.len() / self.input, self.kernels);
        let points = self.transform.points().saturating_mul(each);
        let together = (enough / points).clamp(1, count.div_ceil(each).max(1)) * each;
        let mut outputs = host_memory::zeroed(count.saturating_mul(self.output))?;
        for first in (0..count).step_by(together) {
            let arrays = first..count.min(first + together);
            let (from, to) = (self.input, self.output);
            let round = self.round(device, arrays.len().div_ceil(each))?;
            // What the last kernels have no arrays for is computed of whatever is there, and not read.
            let Round { executable, input, output, workspace, .. } = round;
            input
                .slice_mut(..arrays.len() * from)?
                .write_on(stream, &inputs[arrays.start * from..arrays.end * from])?;
            executable.run_on(stream, &*input, &mut *output, &mut *workspace)?;
            output.slice(..arrays.len() * to)?.read_on(stream, &mut outputs[arrays.start * to..arrays.end * to])?;
        }
        Ok(outputs)
    }

    /// The program for so many arrays for each kernel.
    fn round(&mut self, device: &Device, count: usize) -> Result<&mut Round<T>> {
        let known = self.rounds.iter().position(|round| round.count == count);
        let round = match known {
            Some(known) => self.rounds.remove(known),
            None => {
                let executable = device.plan(&self.arrays(count))?;
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
        let transform = builder::<T>(&axes).transform().unwrap();
        let spectra = device.alloc(transform.output_len() * 3).unwrap();
        Filtered::<T>::plan(device, &axes, &spectra).unwrap().is_some()
    }

    #[test]
    fn arrays_and_lines_that_a_tile_holds_go_by_one_program() {
        assert!(!is_way::<f32>(&Device::cpu(), &[100], &[7], Mode::Full));
        for info in Device::list().found.into_iter().filter(|info| info.backend != Backend::Cpu) {
            let device = Device::by_name(&info.id).unwrap();
            assert!(is_way::<f32>(&device, &[100], &[7], Mode::Full));
            assert!(is_way::<Complex32>(&device, &[7], &[100], Mode::Same));
            assert!(is_way::<f32>(&device, &[10, 12], &[3, 3], Mode::Full));
            // A line that goes on periodically, one that is too long, and a plane that goes on along one dimension.
            assert!(!is_way::<f32>(&device, &[97], &[7], Mode::Circular));
            assert!(!is_way::<Complex32>(&device, &[1 << 20], &[7], Mode::Valid));
            assert!(!is_way::<f32>(&device, &[97, 12], &[7, 3], Mode::Circular));
        }
    }
}
