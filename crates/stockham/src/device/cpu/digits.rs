//! Transforms over big primes on the host: digits are gathered into elements, checked on the way, and scattered again.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use crate::algebra::{BigElement, BigPrime, Digit, Numbers, Ring, Scale, Word, with_digit_count};
use crate::autosort::ShiftingAutosort;
use crate::error::{Error, Result};
use crate::transform::Transform;

use super::super::driver::{KernelReport, Operands, Program, Queue};
use super::HostMemory;
use super::lines::Lines;

/// Elements gathered at a time, as far as whole lines allow: bounds the extra memory.
const GROUP: usize = 1 << 18;

pub(super) fn prepare(transform: &Transform, prime: BigPrime) -> Result<Arc<dyn Program>> {
    with_digit_count!(prime.digits(), K => match prime.word() {
        Word::U32 => Ok(Arc::new(DigitProgram::<u32, K>::new(transform, prime)?)),
        _ => Ok(Arc::new(DigitProgram::<u64, K>::new(transform, prime)?)),
    })
}

struct DigitProgram<D, const K: usize> {
    prime: BigPrime,
    lines: Lines,
    autosort: ShiftingAutosort<BigElement<K>>,
    /// The factor on the output, if it is not 1.
    factor: Option<BigElement<K>>,
    /// Distances between neighbouring elements and digits.
    input_strides: (usize, usize),
    output_strides: (usize, usize),
    marker: PhantomData<D>,
}

impl<D: Digit, const K: usize> DigitProgram<D, K> {
    fn new(transform: &Transform, prime: BigPrime) -> Result<Self> {
        let (n, direction) = (transform.points(), transform.direction);
        let one = BigElement::from_u64(prime.field(), 1);
        let autosort = ShiftingAutosort::over(&one, n, direction).ok_or_else(|| {
            Error::unsupported(format!("a transform over {prime} of {n} points"), "n must be a power of two")
        })?;
        Ok(Self {
            prime,
            lines: Lines::of(transform),
            autosort,
            factor: (transform.scale() != Scale::One).then(|| one.scaled(transform.scale())),
            input_strides: transform.input_layout.strides(K, transform.input_len()),
            output_strides: transform.output_layout.strides(K, transform.output_len()),
            marker: PhantomData,
        })
    }

    /// Lines gathered at a time.
    fn group(&self) -> usize {
        (GROUP / self.lines.dim.n).clamp(1, 64)
    }

    /// The transforms of some lines, the first of which is number `first`.
    fn transformed(&self, first: usize, input: &[D]) -> Result<Vec<Vec<BigElement<K>>>> {
        let last = (first + self.group()).min(self.lines.count());
        (first..last).into_par_iter().map(|index| self.line(index, input)).collect()
    }

    fn line(&self, index: usize, input: &[D]) -> Result<Vec<BigElement<K>>> {
        let (start, stride) = (self.lines.origin(index).0, self.lines.dim.input_stride);
        let mut line = (0..self.lines.dim.n)
            .into_par_iter()
            .with_min_len(1 << 8)
            .map(|j| self.load(start + j * stride, input))
            .collect::<Result<Vec<_>>>()?;
        let mut scratch = line.clone();
        self.autosort.process(&mut line, &mut scratch);
        if let Some(factor) = self.factor {
            line.par_iter_mut().with_min_len(1 << 8).for_each(|x| *x = x.mul(&factor));
        }
        Ok(line)
    }

    fn load(&self, element: usize, input: &[D]) -> Result<BigElement<K>> {
        let (next_element, next_digit) = self.input_strides;
        let digits: [u64; K] = std::array::from_fn(|c| input[element * next_element + c * next_digit].into());
        self.prime.field().check_element(element, |c| digits[c])?;
        Ok(BigElement::of(self.prime.field(), &digits))
    }

    fn scatter(&self, first: usize, lines: &[Vec<BigElement<K>>], output: &mut [D]) {
        let (next_element, next_digit) = self.output_strides;
        for (line, index) in lines.iter().zip(first..) {
            let (start, stride) = (self.lines.origin(index).1, self.lines.dim.output_stride);
            for (j, x) in line.iter().enumerate() {
                let element = start + j * stride;
                for (c, &digit) in x.digits().iter().enumerate() {
                    output[element * next_element + c * next_digit] = D::truncated(digit);
                }
            }
        }
    }

    fn groups(&self) -> impl Iterator<Item = usize> {
        (0..self.lines.count()).step_by(self.group())
    }
}

impl<D: Digit, const K: usize> Program for DigitProgram<D, K> {
    fn launches(&self) -> usize {
        1
    }

    fn enqueue(&self, _: &dyn Queue, operands: Operands<'_>, _: Range<usize>) -> Result<()> {
        let Operands { input, output, .. } = operands;
        let (first_in, first_out) = (input.offset / size_of::<D>(), output.offset / size_of::<D>());
        if std::ptr::addr_eq(input.memory, output.memory) {
            let mut words = HostMemory::of(output.memory).write();
            let data: &mut [D] = &mut bytemuck::cast_slice_mut(&mut words)[first_out..];
            for first in self.groups() {
                let lines = self.transformed(first, data)?;
                self.scatter(first, &lines, data);
            }
        } else {
            let source = HostMemory::of(input.memory).read();
            let mut words = HostMemory::of(output.memory).write();
            let target: &mut [D] = &mut bytemuck::cast_slice_mut(&mut words)[first_out..];
            for first in self.groups() {
                let lines = self.transformed(first, &bytemuck::cast_slice(&source)[first_in..])?;
                self.scatter(first, &lines, target);
            }
        }
        Ok(())
    }

    fn reports(&self) -> Vec<KernelReport> {
        Vec::new()
    }
}
