//! Batches of lines on the host.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::algebra::{Algebra, Element, Goldilocks, NumericRing};
use crate::error::{Error, Result};
use crate::transform::Transform;

use super::super::driver::{KernelReport, Operands, Program, Queue};
use super::factor::{self, Factor, Real};
use super::line::Line;
use super::lines::Lines;
use super::share::share;
use super::{HostMemory, digits, length};

pub(super) fn prepare(transform: &Transform) -> Result<Arc<dyn Program>> {
    match transform.algebra {
        Algebra::ComplexF32 => Ok(complex::<f32>(transform)),
        Algebra::ComplexF64 => Ok(complex::<f64>(transform)),
        Algebra::Goldilocks => goldilocks(transform),
        Algebra::BigPrime(prime) => digits::prepare(transform, prime),
        Algebra::PrimeField(field) => digits::prepare_residues(transform, field),
    }
}

fn complex<F: Real>(transform: &Transform) -> Arc<dyn Program>
where
    num_complex::Complex<F>: Element,
{
    let n = transform.points();
    let line = length::complex(n, transform.direction, transform.batch_count());
    Arc::new(HostProgram::new(transform, line, factor::complex(transform.scale(), n)))
}

fn goldilocks(transform: &Transform) -> Result<Arc<dyn Program>> {
    let one = Goldilocks::one();
    let n = transform.points();
    let line = length::exact(&one, n, transform.direction).ok_or_else(|| {
        Error::unsupported(
            format!("a goldilocks transform of {n} points"),
            "the prime factors of the length are at most 17",
        )
    })?;
    Ok(Arc::new(HostProgram::new(transform, line, factor::exact(transform.scale(), &one))))
}

struct HostProgram<T> {
    lines: Lines,
    line: Box<dyn Line<T>>,
    factor: Option<Box<dyn Factor<T>>>,
    /// Scratch memory that no task has: fresh from the system it would cost as much time as a transform.
    scratch: Mutex<Vec<Vec<T>>>,
}

impl<T: Element> HostProgram<T> {
    fn new(transform: &Transform, line: Box<dyn Line<T>>, factor: Option<Box<dyn Factor<T>>>) -> Self {
        Self { lines: Lines::of(transform), line, factor, scratch: Mutex::default() }
    }

    fn run(&self, source: Option<&[T]>, target: &mut [T]) {
        share(&self.lines, source, target, 0, &|task| {
            let pool = || self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
            let kept = pool().pop();
            let mut scratch = kept.unwrap_or_else(|| vec![T::zero(); self.line.scratch_len()]);
            task.by_lines(T::zero(), |_, source, lines| self.transform(source, lines, &mut scratch));
            pool().push(scratch);
        });
    }

    /// Transforms some lines, in place or from a source.
    fn transform(&self, source: Option<&[T]>, lines: &mut [T], scratch: &mut [T]) {
        let n = self.lines.dim.n;
        let Some(factor) = &self.factor else { return self.plain(source, lines, scratch, &|_| {}) };
        if !factor.comes_first(source.unwrap_or(lines)) {
            return self.plain(source, lines, scratch, &|part| factor.after(part, false));
        }
        if let Some(source) = source {
            lines.copy_from_slice(source);
        }
        for line in lines.chunks_exact_mut(n) {
            let comes_first = factor.comes_first(line);
            if comes_first {
                factor.before(line);
            }
            self.plain(None, line, scratch, &|part| factor.after(part, comes_first));
        }
    }

    fn plain(&self, source: Option<&[T]>, lines: &mut [T], scratch: &mut [T], finish: &(dyn Fn(&mut [T]) + Sync)) {
        match source {
            Some(source) => self.line.out_of_place(source, lines, scratch, finish),
            None => self.line.in_place(lines, scratch, finish),
        }
    }
}

impl<T: Element> Program for HostProgram<T> {
    fn launches(&self) -> usize {
        1
    }

    fn enqueue(&self, _: &dyn Queue, operands: Operands<'_>, _: Range<usize>) -> Result<()> {
        let Operands { input, output, .. } = operands;
        let (first_in, first_out) = (input.offset / size_of::<T>(), output.offset / size_of::<T>());
        if std::ptr::addr_eq(input.memory, output.memory) {
            let mut words = HostMemory::of(output.memory).write();
            self.run(None, &mut bytemuck::cast_slice_mut(&mut words)[first_out..]);
        } else {
            let source = HostMemory::of(input.memory).read();
            let mut target = HostMemory::of(output.memory).write();
            let target: &mut [T] = bytemuck::cast_slice_mut(&mut target);
            self.run(Some(&bytemuck::cast_slice(&source)[first_in..]), &mut target[first_out..]);
        }
        Ok(())
    }

    fn reports(&self) -> Vec<KernelReport> {
        Vec::new()
    }
}
