//! Repeated operations on the host.

use std::marker::PhantomData;
use std::sync::Arc;

use crate::algebra::{BigElement, BigPrime, Digit, Gathered, Ring, Root, Word, with_digit_count};
use crate::error::Result;
use crate::parallel;
use crate::plan::Operation;

use super::super::driver::{Queue, StepOperands, StepProgram};
use super::memory::{HostMemory, values_mut};

pub(super) fn prepare(prime: BigPrime, operation: Operation, times: u32) -> Arc<dyn StepProgram> {
    with_digit_count!(prime.digits(), K => match prime.word() {
        Word::U32 => Arc::new(Repeat::<u32, K> { prime, operation, times, marker: PhantomData }),
        _ => Arc::new(Repeat::<u64, K> { prime, operation, times, marker: PhantomData }),
    })
}

struct Repeat<D, const K: usize> {
    prime: BigPrime,
    operation: Operation,
    times: u32,
    marker: PhantomData<D>,
}

impl<D: Digit, const K: usize> Repeat<D, K> {
    /// Replaces an element by what becomes of it.
    fn replace(&self, i: usize, digits: &mut [D], becomes: impl Fn(BigElement<K>) -> BigElement<K>) -> Result<()> {
        let result = becomes(self.element(i, digits)?);
        scatter(&result, digits);
        Ok(())
    }

    fn element(&self, i: usize, digits: &[D]) -> Result<BigElement<K>> {
        BigElement::gather(self.prime.field(), i, &std::array::from_fn(|c| digits[c].into()))
    }

    fn run(&self, x: &mut [D]) -> Result<()> {
        let order = self.prime.base_order();
        let rounds = || 0..self.times as usize;
        match self.operation {
            Operation::Product => parallel::try_chunks(x, K, 1, |i, digits| {
                self.replace(i, digits, |x| rounds().fold(x, |x, _| x.mul(&x)))
            }),
            Operation::Rotation => parallel::try_chunks(x, K, 1, |i, digits| {
                self.replace(i, digits, |x| rounds().fold(x, |x, t| x.mul_root(Root::new((i + t) % order, order))))
            }),
            Operation::Butterfly => {
                let half = x.len() / K / 2;
                let (low, high) = x.split_at_mut(half * K);
                let mut pairs: Vec<_> = low.chunks_exact_mut(K).zip(high.chunks_exact_mut(K)).collect();
                parallel::try_chunks(&mut pairs, 1, 1, |i, pair| {
                    let (low, high) = &mut pair[0];
                    let pair = (self.element(i, low)?, self.element(half + i, high)?);
                    let (x, y) = rounds().fold(pair, |(x, y), _| (x.add(&y), x.sub(&y)));
                    scatter(&x, low);
                    scatter(&y, high);
                    Ok(())
                })
            }
        }
    }
}

fn scatter<D: Digit, const K: usize>(x: &BigElement<K>, digits: &mut [D]) {
    digits.iter_mut().zip(x.digits()).for_each(|(digit, &value)| *digit = D::truncated(value));
}

impl<D: Digit, const K: usize> StepProgram for Repeat<D, K> {
    fn enqueue(&self, _: &dyn Queue, StepOperands { target, .. }: StepOperands<'_>) -> Result<()> {
        let start = target.location.offset / size_of::<D>();
        let mut words = HostMemory::of(target.location.memory).write();
        self.run(&mut values_mut(&mut words, 0)[start..start + target.len * K])
    }
}
