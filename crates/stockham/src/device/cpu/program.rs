//! Batches of lines on the host.

use std::ops::Range;
use std::sync::Arc;

use crate::algebra::{Algebra, Data, Direction, Element, Goldilocks, NumericRing};
use crate::error::{Error, Result};
use crate::plan::host;
use crate::transform::{Kind, Transform};

use super::super::driver::{Operands, Program, Queue};
use super::access::FusedProgram;
use super::factor::{self, Real};
use super::lanes::{Block, ColumnLine, LINE, aligned};
use super::lines::Lines;
use super::operands::sides;
use super::real::RealProgram;
use super::scaled::Scaled;
use super::scratch::Scratch;
use super::share::{Source, Task, share};
use super::trig::TrigProgram;
use super::{blocks, circle, digits, length, words};

pub(super) fn prepare(transform: &Transform) -> Result<Arc<dyn Program>> {
    if transform.is_fused() {
        return Ok(Arc::new(FusedProgram::new(transform, prepare)?));
    }
    match transform.algebra {
        Algebra::ComplexF32 => Ok(complex::<f32>(transform)),
        Algebra::ComplexF64 => Ok(complex::<f64>(transform)),
        Algebra::Goldilocks if !transform.domain.is_plain() => {
            words::goldilocks(transform).map_or_else(|| digits::prepare_goldilocks(transform), Ok)
        }
        Algebra::Goldilocks => goldilocks(transform),
        Algebra::BigPrime(prime) => digits::prepare(transform, prime),
        Algebra::WordField(field) => match transform.domain.circle {
            Some(generator) => circle::prepare(transform, generator),
            None => words::prepare(transform, field),
        },
        Algebra::PrimeField(field) => digits::prepare_residues(transform, field),
    }
}

fn complex<F: Real + Data>(transform: &Transform) -> Arc<dyn Program>
where
    num_complex::Complex<F>: Element,
{
    match transform.kind {
        Kind::Dft => {}
        Kind::Real => return Arc::new(RealProgram::<F>::new(transform)),
        Kind::Cosine(_) | Kind::Sine(_) => return Arc::new(TrigProgram::<F>::new(transform)),
    }
    let n = transform.points();
    let line = length::complex(n, transform.direction, transform.batch_count());
    let scaled = Scaled { line, factor: factor::complex(transform.scale(), n) };
    let mut program = HostProgram::new(transform, scaled);
    program.columns = program.lines.are_columns().then(|| columns::<F>(n, transform.direction)).flatten();
    program.blocks = blocks::lines::<F, _, _>(transform);
    Arc::new(program)
}

/// Columns of that length side by side, if they are short, and the processor has vectors.
fn columns<F: Real>(n: usize, direction: Direction) -> Option<Box<dyn ColumnLine<num_complex::Complex<F>>>> {
    F::columns(&host::column_radices(n)?, direction)
}

fn goldilocks(transform: &Transform) -> Result<Arc<dyn Program>> {
    let one = Goldilocks::one();
    let n = transform.points();
    let line = length::exact(&one, n, transform.direction)
        .ok_or_else(|| Error::unsupported(format!("a goldilocks transform of {n} points"), "no way is known"))?;
    Ok(Arc::new(HostProgram::new(transform, Scaled { line, factor: factor::exact(transform.scale(), &one) })))
}

struct HostProgram<T> {
    lines: Lines,
    line: Scaled<T>,
    /// Their way where they are the columns of a matrix.
    columns: Option<Box<dyn ColumnLine<T>>>,
    /// Where they are short, and each one's elements are neighbours.
    blocks: Option<Box<dyn Block<T, T>>>,
    scratch: Scratch<T>,
}

impl<T: Element> HostProgram<T> {
    fn new(transform: &Transform, line: Scaled<T>) -> Self {
        Self { lines: Lines::of(transform), line, columns: None, blocks: None, scratch: Scratch::default() }
    }

    fn run(&self, source: Source<'_, T>, target: &mut [T]) {
        share(&self.lines, source, target, 0, &|task| {
            if let Some(columns) = &self.columns {
                return self.by_columns(&**columns, task);
            }
            if let Some(block) = &self.blocks {
                return task.by_blocks(block.together(), |source, target, places| block.lines(source, target, places));
            }
            self.scratch.with(self.line.line.scratch_len(), |scratch| {
                task.by_lines(T::zero(), &mut |_, source, lines| self.line.transform(source, lines, scratch));
            });
        });
    }

    fn by_columns(&self, columns: &dyn ColumnLine<T>, task: Task<'_, T>) {
        let len = self.lines.dim.n * columns.together();
        let factor = self.line.factor.as_deref();
        self.scratch.with(4 * len + LINE / size_of::<T>(), |scratch| {
            let (from, rest) = aligned(scratch).split_at_mut(len);
            let (to, rest) = rest.split_at_mut(len);
            let (most, lanes) = (columns.together(), columns.lanes());
            task.by_columns(T::zero(), [from, to], (most, lanes), |from, to| {
                let comes_first = factor.is_some_and(|factor| factor.comes_first(from));
                if let Some(factor) = factor.filter(|_| comes_first) {
                    factor.before(from);
                }
                columns.transform(from, to, rest);
                if let Some(factor) = factor {
                    factor.after(to, comes_first);
                }
            });
        });
    }
}

impl<T: Element> Program for HostProgram<T> {
    fn enqueue(&self, _: &dyn Queue, operands: Operands<'_>, _: Range<usize>) -> Result<()> {
        sides(operands, |source, target| self.run(source.map_or(Source::Target, Source::Elements), target));
        Ok(())
    }
}
