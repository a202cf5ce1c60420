//! Steps on the host.

use std::marker::PhantomData;
use std::sync::Arc;

use bytemuck::Pod;
use num_complex::Complex;

use crate::algebra::limbs::{self, LIMBS, LOOKBACK};
use crate::algebra::residue_system::Constants;
use crate::algebra::{Algebra, Element, Goldilocks, Numbers, NumericRing, Scale};
use crate::algebra::{BigElement, Digit, Gathered, Residue, Word, WordElement, with_digit_count, with_word_count};
use crate::error::Result;
use crate::parallel;
use crate::plan::Step;

use super::super::driver::{Extent, Queue, StepOperands, StepProgram};
use super::factor::{self, Factor};
use super::memory::{HostMemory, values, values_mut};
use super::operands::{range, words};
use super::repeat;
use super::residues::{Recombine, Reduce};

/// Elements that one task takes: less is not worth handing to another core. A multiple of [`LIMBS`].
const GRAIN: usize = LIMBS << 12;

pub(super) fn prepare(step: &Step) -> Arc<dyn StepProgram> {
    let algebra = match *step {
        Step::Product { algebra, .. }
        | Step::Square { algebra, .. }
        | Step::InnerProduct { algebra, .. }
        | Step::Twist { algebra, .. } => algebra,
        Step::Repeat { prime, operation, times } => return repeat::prepare(prime, operation, times),
        Step::Unpack { base } => return Arc::new(Unpack { base }),
        Step::Carry { base } => return Arc::new(Carry { base }),
        Step::Reduce { system } => return Arc::new(Reduce(Constants::of(system))),
        Step::Recombine { system } => return Arc::new(Recombine(Constants::of(system))),
    };
    match algebra {
        Algebra::ComplexF32 => elementwise::<Complex<f32>>(*step, |scale| factor::complex(scale, 1)),
        Algebra::ComplexF64 => elementwise::<Complex<f64>>(*step, |scale| factor::complex(scale, 1)),
        Algebra::Goldilocks => elementwise::<Goldilocks>(*step, |scale| factor::exact(scale, &NumericRing::one())),
        Algebra::BigPrime(prime) => with_digit_count!(prime.digits(), K => match prime.word() {
            Word::U32 => Arc::new(Digits::<u32, BigElement<K>, K>::new(prime.field(), *step)),
            _ => Arc::new(Digits::<u64, BigElement<K>, K>::new(prime.field(), *step)),
        }),
        Algebra::WordField(field) if field.word() == Word::U32 => {
            Arc::new(Digits::<u32, WordElement<u32>, 1>::new(field, *step))
        }
        Algebra::WordField(field) => Arc::new(Digits::<u64, WordElement<u64>, 1>::new(field, *step)),
        Algebra::PrimeField(field) => with_word_count!(field.words(), K => {
            Arc::new(Digits::<u64, Residue<K>, K>::new(field, *step))
        }),
    }
}

fn elementwise<T: Element>(step: Step, factor: impl Fn(Scale) -> Option<Box<dyn Factor<T>>>) -> Arc<dyn StepProgram> {
    if let Step::InnerProduct { .. } = step {
        return Arc::new(InnerProduct::<T> { marker: PhantomData });
    }
    let (roots, scale) = roots_and_scale(step, &T::one());
    Arc::new(Elementwise { roots, factor: factor(scale) })
}

/// The roots that a twist multiplies by, none for other steps, and the factor.
fn roots_and_scale<R: Numbers>(step: Step, one: &R) -> (Vec<R>, Scale) {
    match step {
        Step::Twist { n, direction, scale, .. } => (one.roots_of_unity(direction, 2 * n, n), scale),
        Step::Product { scale, .. } | Step::Square { scale, .. } => (Vec::new(), scale),
        _ => (Vec::new(), Scale::One),
    }
}

/// Σ x·y of several arrays.
struct InnerProduct<T> {
    marker: PhantomData<T>,
}

impl<T: Element> StepProgram for InnerProduct<T> {
    fn enqueue(&self, _: &dyn Queue, StepOperands { source, target, other }: StepOperands<'_>) -> Result<()> {
        let Some(other) = other else { return Ok(()) };
        let mut words = HostMemory::of(target.location.memory).write();
        let z: &mut [T] = &mut values_mut(&mut words, 0)[range::<T>(target)];
        let n = z.len();
        factors(source, other, 1, |x: &[T], y: &[T]| {
            parallel::fill(z, GRAIN, |i| {
                let terms = (i..x.len()).step_by(n).map(|j| x[j].mul(&y[j]));
                terms.reduce(|sum, term| sum.add(&term)).unwrap_or_else(T::zero)
            });
        });
        Ok(())
    }
}

/// Calls `work` with the values of two arrays, which may be of one buffer.
fn factors<D: Pod, R>(
    source: Extent<'_>,
    other: Extent<'_>,
    per_element: usize,
    work: impl FnOnce(&[D], &[D]) -> R,
) -> R {
    let range = |extent: Extent<'_>| {
        let start = extent.location.offset / size_of::<D>();
        start..start + extent.len * per_element
    };
    let of_source = HostMemory::of(source.location.memory).read();
    // Nobody waits for a buffer that he reads already.
    let is_same = std::ptr::addr_eq(source.location.memory, other.location.memory);
    let of_other = (!is_same).then(|| HostMemory::of(other.location.memory).read());
    let y = of_other.as_ref().unwrap_or(&of_source);
    work(&values(&of_source, 0)[range(source)], &values(y, 0)[range(other)])
}

/// A product with another array, with the roots of a twist, or with itself.
struct Elementwise<T> {
    roots: Vec<T>,
    /// What all products are multiplied by, if not by 1.
    factor: Option<Box<dyn Factor<T>>>,
}

impl<T: Element> Elementwise<T> {
    fn product(&self, x: &mut [T], y: &[T]) {
        parallel::tasks(x, 1, GRAIN, &|first, x| {
            x.iter_mut().zip(&y[first..]).for_each(|(x, y)| *x = x.mul(y));
            self.scale(x);
        });
    }

    fn square(&self, x: &mut [T]) {
        parallel::tasks(x, 1, GRAIN, &|_, x| {
            x.iter_mut().for_each(|x| *x = x.mul(x));
            self.scale(x);
        });
    }

    fn scale(&self, x: &mut [T]) {
        if let Some(factor) = &self.factor {
            factor.after(x, false);
        }
    }
}

impl<T: Element> StepProgram for Elementwise<T> {
    fn enqueue(&self, _: &dyn Queue, StepOperands { target, other, .. }: StepOperands<'_>) -> Result<()> {
        let mut words = HostMemory::of(target.location.memory).write();
        let x = &mut values_mut(&mut words, 0)[range::<T>(target)];
        match other {
            Some(other) => {
                let words = HostMemory::of(other.location.memory).read();
                self.product(x, &values(&words, 0)[range::<T>(other)]);
            }
            None if !self.roots.is_empty() => self.product(x, &self.roots),
            None => self.square(x),
        }
        Ok(())
    }
}

/// The same over elements that are gathered from their digits, checked, and scattered again.
struct Digits<D, E: Gathered<K>, const K: usize> {
    field: E::Field,
    roots: Vec<E>,
    /// What all elements are multiplied by.
    factor: Option<E>,
    /// Whether it is an inner product.
    adds_up: bool,
    marker: PhantomData<D>,
}

impl<D: Digit, E: Gathered<K>, const K: usize> Digits<D, E, K> {
    fn new(field: E::Field, step: Step) -> Self {
        let one = E::one(field);
        let (roots, scale) = roots_and_scale(step, &one);
        let factor = (scale != Scale::One).then(|| one.scaled(scale));
        let adds_up = matches!(step, Step::InnerProduct { .. });
        Self { field, roots, factor, adds_up, marker: PhantomData }
    }

    fn element(&self, index: usize, digits: &[D]) -> Result<E> {
        E::gather(self.field, index, &std::array::from_fn(|c| digits[c].into()))
    }

    fn inner_product(&self, x: &[D], y: &[D], z: &mut [D]) -> Result<()> {
        let n = z.len() / K;
        let zero = E::one(self.field).integer(0);
        parallel::try_chunks(z, K, 1 << 8, |i, digits| {
            let mut sum = zero;
            for j in (i..x.len() / K).step_by(n) {
                let [x, y] = [x, y].map(|all| self.element(j, &all[j * K..(j + 1) * K]));
                sum = sum.add(&x?.mul(&y?));
            }
            digits.iter_mut().zip(sum.scatter()).for_each(|(digit, value)| *digit = D::truncated(value));
            Ok(())
        })
    }

    fn product(&self, x: &mut [D], other: Option<&[D]>) -> Result<()> {
        parallel::try_chunks(x, K, 1 << 8, |i, digits| {
            let x = self.element(i, digits)?;
            let y = match other {
                Some(other) => self.element(i, &other[i * K..(i + 1) * K])?,
                None => self.roots.get(i).copied().unwrap_or(x),
            };
            let product = self.factor.iter().fold(x.mul(&y), |product, factor| product.mul(factor));
            digits.iter_mut().zip(product.scatter()).for_each(|(digit, value)| *digit = D::truncated(value));
            Ok(())
        })
    }
}

impl<D: Digit, E: Gathered<K>, const K: usize> StepProgram for Digits<D, E, K> {
    fn enqueue(&self, _: &dyn Queue, StepOperands { source, target, other }: StepOperands<'_>) -> Result<()> {
        let range = |extent: Extent<'_>| {
            let start = extent.location.offset / size_of::<D>();
            start..start + extent.len * K
        };
        if let (true, Some(other)) = (self.adds_up, other) {
            let mut words = HostMemory::of(target.location.memory).write();
            let z = &mut values_mut(&mut words, 0)[range(target)];
            return factors(source, other, K, |x, y| self.inner_product(x, y, z));
        }
        let mut words = HostMemory::of(target.location.memory).write();
        let x = &mut values_mut(&mut words, 0)[range(target)];
        match other {
            Some(other) => {
                let words = HostMemory::of(other.location.memory).read();
                self.product(x, Some(&values(&words, 0)[range(other)]))
            }
            None => self.product(x, None),
        }
    }
}

struct Unpack {
    base: u64,
}

impl StepProgram for Unpack {
    fn enqueue(&self, _: &dyn Queue, operands: StepOperands<'_>) -> Result<()> {
        words(operands, |source, target| unpack(self.base, source, target));
        Ok(())
    }
}

fn unpack(base: u64, source: &[u64], target: &mut [u64]) {
    parallel::chunks(target, GRAIN, 1, |task, limbs| {
        let words = source.iter().skip(task * (GRAIN / LIMBS)).chain(std::iter::repeat(&0));
        specialised(base, |base| {
            for (limbs, word) in limbs.chunks_mut(LIMBS).zip(words) {
                limbs.copy_from_slice(&limbs::split(base, word)[..limbs.len()]);
            }
        });
    });
}

struct Carry {
    base: u64,
}

impl StepProgram for Carry {
    fn enqueue(&self, _: &dyn Queue, operands: StepOperands<'_>) -> Result<()> {
        words(operands, |source, target| carry(self.base, source, target));
        Ok(())
    }
}

/// Every task estimates its carry in; the ones that are missing then are added, task after task, and hardly ever go far.
fn carry(base: u64, coefficients: &[u64], words: &mut [u64]) {
    let per_task = GRAIN / LIMBS;
    let coefficient = |i: usize| coefficients.get(i).copied().unwrap_or(0);
    let task = |task: usize, words: &mut [u64]| {
        let first = task * GRAIN;
        let before = (first.saturating_sub(LOOKBACK)..first).map(coefficient).collect::<Vec<_>>();
        let own = (first..first + words.len() * LIMBS).map(coefficient).collect::<Vec<_>>();
        specialised(base, |base| {
            let estimated = limbs::estimate(base, &before, 0);
            limbs::carry(base, &own, estimated, |i, word| words[i] = word)
        })
    };
    let mut parts: Vec<_> = words.chunks_mut(per_task).map(|words| (words, 0)).collect();
    parallel::chunks(&mut parts, 1, 1, |i, part| part[0].1 = task(i, part[0].0));
    let mut one = 0;
    for (words, state) in parts {
        if one > 0 {
            limbs::add_one(base, words, one);
        }
        one = limbs::resolve(&state, &one);
    }
}

/// Calls `work` with the base, as a constant if it is a usual one: division by a constant is much faster.
#[inline(always)]
fn specialised<R>(base: u64, work: impl FnOnce(u64) -> R) -> R {
    match base {
        1_000_000 => work(1_000_000),
        100_000 => work(100_000),
        0x10_0000 => work(0x10_0000),
        0x1_0000 => work(0x1_0000),
        _ => work(base),
    }
}
