//! Batches of lines on the host.

use std::ops::Range;
use std::sync::Arc;

use crate::algebra::{Algebra, Data, Element, Goldilocks, NumericRing};
use crate::error::{Error, Result};
use crate::transform::{Kind, Transform};

use super::super::driver::{Operands, Program, Queue};
use super::access::FusedProgram;
use super::factor::{self, Real};
use super::lines::Lines;
use super::operands::sides;
use super::real::RealProgram;
use super::scaled::{Pool, Scaled};
use super::share::{Source, share};
use super::trig::TrigProgram;
use super::{digits, length, words};

pub(super) fn prepare(transform: &Transform) -> Result<Arc<dyn Program>> {
    if transform.is_fused() {
        return Ok(Arc::new(FusedProgram::new(transform, prepare)?));
    }
    match transform.algebra {
        Algebra::ComplexF32 => Ok(complex::<f32>(transform)),
        Algebra::ComplexF64 => Ok(complex::<f64>(transform)),
        Algebra::Goldilocks if !transform.domain.is_plain() => digits::prepare_goldilocks(transform),
        Algebra::Goldilocks => goldilocks(transform),
        Algebra::BigPrime(prime) => digits::prepare(transform, prime),
        Algebra::WordField(field) => Ok(words::prepare(transform, field)),
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
    Arc::new(HostProgram::new(transform, Scaled { line, factor: factor::complex(transform.scale(), n) }))
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
    Ok(Arc::new(HostProgram::new(transform, Scaled { line, factor: factor::exact(transform.scale(), &one) })))
}

struct HostProgram<T> {
    lines: Lines,
    line: Scaled<T>,
    scratch: Pool<T>,
}

impl<T: Element> HostProgram<T> {
    fn new(transform: &Transform, line: Scaled<T>) -> Self {
        Self { lines: Lines::of(transform), line, scratch: Pool::default() }
    }

    fn run(&self, source: Source<'_, T>, target: &mut [T]) {
        share(&self.lines, source, target, 0, &|task| {
            let mut scratch = self.scratch.take(self.line.line.scratch_len());
            task.by_lines(T::zero(), |_, source, lines| self.line.transform(source, lines, &mut scratch));
            self.scratch.give(scratch);
        });
    }
}

impl<T: Element> Program for HostProgram<T> {
    fn enqueue(&self, _: &dyn Queue, operands: Operands<'_>, _: Range<usize>) -> Result<()> {
        sides(operands, |source, target| self.run(source.map_or(Source::Target, Source::Elements), target));
        Ok(())
    }
}
