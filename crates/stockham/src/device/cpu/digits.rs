//! Transforms over elements of digits on the host: gathered, checked on the way, and scattered again.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use crate::algebra::{
    BigElement, BigPrime, Digit, Direction, Gathered, Goldilocks, Numbers, PrimeField, Residue, Scale, Word,
    with_digit_count, with_word_count,
};
use crate::error::{Error, Result};
use crate::parallel;
use crate::transform::{Transform, reversed_bits};

use super::super::driver::{Operands, Program, Queue};
use super::length;
use super::line::Line;
use super::lines::Lines;
use super::operands::sides;

/// Elements gathered at a time, as far as whole lines allow: bounds the extra memory.
const GROUP: usize = 1 << 18;

/// Elements that one task takes at least.
const GRAIN: usize = 1 << 8;

pub(super) fn prepare(transform: &Transform, prime: BigPrime) -> Result<Arc<dyn Program>> {
    with_digit_count!(prime.digits(), K => match prime.word() {
        Word::U32 => Ok(Arc::new(DigitProgram::<u32, BigElement<K>, K>::new(transform, prime.field())?)),
        _ => Ok(Arc::new(DigitProgram::<u64, BigElement<K>, K>::new(transform, prime.field())?)),
    })
}

/// The same over residues.
pub(super) fn prepare_residues(transform: &Transform, field: PrimeField) -> Result<Arc<dyn Program>> {
    with_word_count!(field.words(), K => Ok(Arc::new(DigitProgram::<u64, Residue<K>, K>::new(transform, field)?)))
}

/// The same over the Goldilocks field.
pub(super) fn prepare_goldilocks(transform: &Transform) -> Result<Arc<dyn Program>> {
    Ok(Arc::new(DigitProgram::<u64, Goldilocks, 1>::new(transform, ())?))
}

struct DigitProgram<D, E: Gathered<K>, const K: usize> {
    field: E::Field,
    lines: Lines,
    line: Box<dyn Line<E>>,
    /// What memory is filled with.
    zero: E,
    /// The factor on the output, if it is not 1.
    factor: Option<E>,
    /// Distances between neighbouring elements and digits.
    input_strides: (usize, usize),
    output_strides: (usize, usize),
    /// Points of a line that are there.
    given: usize,
    /// Whether the input, and the output, are in bit-reversed order.
    reversed: [bool; 2],
    /// Of which power of the field's own roots the roots are.
    power: Option<u64>,
    /// What the input, or the output, is multiplied by.
    coset: Option<Coset<E>>,
    direction: Direction,
    marker: PhantomData<D>,
}

impl<D: Digit, E: Gathered<K> + 'static, const K: usize> DigitProgram<D, E, K> {
    fn new(transform: &Transform, field: E::Field) -> Result<Self> {
        let (n, direction) = (transform.points(), transform.direction);
        let one = E::one(field);
        let line = length::exact(&one, n, direction).ok_or_else(|| {
            Error::unsupported(format!("a {} transform of {n} points", transform.algebra.given()), "no way is known")
        })?;
        Ok(Self {
            field,
            lines: Lines::of(transform),
            line,
            zero: one.integer(0),
            factor: (transform.scale() != Scale::One).then(|| one.scaled(transform.scale())),
            input_strides: transform.input_layout.strides(K, transform.input_len()),
            output_strides: transform.output_layout.strides(K, transform.output_len()),
            given: transform.domain.given.unwrap_or(n),
            reversed: transform.domain.reversed,
            power: transform.domain.power,
            coset: transform.coset_factor().map(|s| Coset::new(field, &s, n)).transpose()?,
            direction,
            marker: PhantomData,
        })
    }

    /// Lines gathered at a time.
    fn group(&self) -> usize {
        (GROUP / self.lines.dim.n).clamp(1, 64)
    }

    /// The transforms of some lines, the first of which is number `first`.
    fn transformed(&self, first: usize, input: &[D]) -> Result<Vec<Vec<E>>> {
        let last = (first + self.group()).min(self.lines.count());
        let mut lines = vec![Vec::new(); last - first];
        parallel::try_chunks(&mut lines, 1, 1, |i, line| {
            line[0] = self.line(first + i, input)?;
            Ok(())
        })?;
        Ok(lines)
    }

    fn line(&self, index: usize, input: &[D]) -> Result<Vec<E>> {
        let (start, stride) = (self.lines.origin(index).0, self.lines.dim.input_stride);
        let mut line = vec![self.zero; self.lines.dim.n];
        let bits = self.lines.dim.n.ilog2();
        let place = |side: usize, j: usize| if self.reversed[side] { reversed_bits(j, bits) } else { j };
        parallel::try_chunks(&mut line[..self.given], 1, GRAIN, |j, x| {
            x[0] = self.load(start + place(0, j) * stride, input)?;
            Ok(())
        })?;
        self.shift(Direction::Forward, &mut line[..self.given]);
        let mut scratch = vec![self.zero; self.line.scratch_len()];
        self.line.line(None, &mut line, &mut scratch, &|part| {
            if let Some(factor) = self.factor {
                part.iter_mut().for_each(|x| *x = x.mul(&factor));
            }
        });
        if let Some(power) = self.power {
            // X[k] is what stands at k times the exponent by the own roots.
            let own = line.clone();
            parallel::chunks(&mut line, 1, GRAIN, |k, x| x[0] = own[k.wrapping_mul(power as usize) % own.len()]);
        }
        self.shift(Direction::Inverse, &mut line);
        if self.reversed[1] {
            let natural = line.clone();
            parallel::chunks(&mut line, 1, GRAIN, |k, x| x[0] = natural[place(1, k)]);
        }
        Ok(line)
    }

    /// Multiplies the elements of a line by the powers of the coset's number, if that is the direction's side of it.
    fn shift(&self, direction: Direction, line: &mut [E]) {
        if let Some(coset) = self.coset.as_ref().filter(|_| direction == self.direction) {
            parallel::chunks(line, 1, GRAIN, |j, x| x[0] = x[0].mul(&coset.power(j)));
        }
    }

    fn load(&self, element: usize, input: &[D]) -> Result<E> {
        let (next_element, next_digit) = self.input_strides;
        let digits: [u64; K] = std::array::from_fn(|c| input[element * next_element + c * next_digit].into());
        E::gather(self.field, element, &digits)
    }

    fn scatter(&self, first: usize, lines: &[Vec<E>], output: &mut [D]) {
        let (next_element, next_digit) = self.output_strides;
        for (line, index) in lines.iter().zip(first..) {
            let (start, stride) = (self.lines.origin(index).1, self.lines.dim.output_stride);
            if (stride, next_element, next_digit) == (1, K, 1) {
                parallel::chunks(&mut output[start * K..][..line.len() * K], K, GRAIN, |j, digits| {
                    digits.iter_mut().zip(line[j].scatter()).for_each(|(to, digit)| *to = D::truncated(digit));
                });
                continue;
            }
            for (j, x) in line.iter().enumerate() {
                let element = start + j * stride;
                for (c, &digit) in x.scatter().iter().enumerate() {
                    output[element * next_element + c * next_digit] = D::truncated(digit);
                }
            }
        }
    }

    fn groups(&self) -> impl Iterator<Item = usize> {
        (0..self.lines.count()).step_by(self.group())
    }
}

/// The powers of a number, as products of two of them.
struct Coset<E> {
    fine: Vec<E>,
    coarse: Vec<E>,
}

impl<E: Numbers> Coset<E> {
    /// For exponents below n.
    fn new<const K: usize>(field: E::Field, words: &[u64], n: usize) -> Result<Self>
    where
        E: Gathered<K>,
    {
        let mut digits = [0; K];
        digits.iter_mut().zip(words).for_each(|(digit, word)| *digit = *word);
        let (one, s) = (E::one(field), E::of_residue(field, &digits)?);
        let powers = |step: E, count| std::iter::successors(Some(one), |x| Some(x.mul(&step))).take(count).collect();
        let fine: Vec<E> = powers(s, GRAIN.min(n));
        let step = fine[fine.len() - 1].mul(&s);
        Ok(Self { coarse: powers(step, n.div_ceil(fine.len())), fine })
    }

    fn power(&self, j: usize) -> E {
        self.coarse[j / self.fine.len()].mul(&self.fine[j % self.fine.len()])
    }
}

impl<D: Digit, E: Gathered<K> + 'static, const K: usize> Program for DigitProgram<D, E, K> {
    fn enqueue(&self, _: &dyn Queue, operands: Operands<'_>, _: Range<usize>) -> Result<()> {
        sides(operands, |source, target| {
            for first in self.groups() {
                let lines = self.transformed(first, source.unwrap_or(target))?;
                self.scatter(first, &lines, target);
            }
            Ok(())
        })
    }
}
