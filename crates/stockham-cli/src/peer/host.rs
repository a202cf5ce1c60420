//! rustfft: one plan, the batch spread over the cores.

use std::ops::Range;
use std::sync::Arc;

use bytemuck::Pod;
use rayon::prelude::*;
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftNum, FftPlanner};
use stockham::{Algebra, Data, Kind};

use crate::error::{Error, Result};

use super::{Transformer, Work};

struct Rustfft<'a, F> {
    fft: Arc<dyn Fft<F>>,
    input: &'a [Complex<F>],
    output: Vec<Complex<F>>,
}

/// A plan for the work's elements.
pub fn prepare<'a, T: Data>(work: Work<'a, T>) -> Result<Box<dyn Transformer<T> + 'a>> {
    let has_no = |what: &str| Err(Error::input(format!("it has no transforms of {what}")));
    match (work.transform.algebra, work.transform.kind, &work.transform.dims[..]) {
        (_, Kind::Real, _) => has_no("real numbers"),
        (Algebra::ComplexF32, _, [line]) => Ok(Box::new(plan::<f32, T>(work.host, line.n))),
        (Algebra::ComplexF64, _, [line]) => Ok(Box::new(plan::<f64, T>(work.host, line.n))),
        (Algebra::ComplexF32 | Algebra::ComplexF64, ..) => has_no("several dimensions"),
        (other, ..) => has_no(other.name()),
    }
}

fn plan<F: FftNum, T: Data>(input: &[T], n: usize) -> Rustfft<'_, F>
where
    Complex<F>: Pod,
{
    let input: &[Complex<F>] = bytemuck::cast_slice(input);
    Rustfft { fft: FftPlanner::new().plan_fft_forward(n), input, output: input.to_vec() }
}

impl<F: FftNum, T: Data> Transformer<T> for Rustfft<'_, F>
where
    Complex<F>: Pod,
{
    fn submit(&mut self) -> Result<()> {
        let fft = &self.fft;
        // Scratch once a task, not once a line.
        let scratch = || vec![Complex::new(F::zero(), F::zero()); fft.get_immutable_scratch_len()];
        let lines = self.output.par_chunks_mut(fft.len()).zip(self.input.par_chunks(fft.len()));
        lines.for_each_init(scratch, |scratch, (output, input)| {
            fft.process_immutable_with_scratch(input, output, scratch);
        });
        Ok(())
    }

    fn outputs(&self, range: Range<usize>) -> Result<Vec<T>> {
        Ok(bytemuck::cast_slice(&self.output[range]).to_vec())
    }
}
