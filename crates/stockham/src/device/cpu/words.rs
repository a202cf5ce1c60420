//! Transforms over word fields on the host, and over Goldilocks: lines are checked, transformed and multiplied by their factors
//! where they lie.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use bytemuck::Zeroable;

use crate::algebra::{Digit, Direction, Goldilocks, MachineWord, NumericRing, Scale, Word, WordField};
use crate::error::{Error, Result};
use crate::transform::{Transform, reversed_bits};

use super::super::driver::{Operands, Program, Queue};
use super::any_words::AnyWords;
use super::length;
use super::line::{Line, copy};
use super::lines::Lines;
use super::operands::sides;
use super::scratch::Scratch;
use super::share::{Source, share};
use super::word_arithmetic::{Arithmetic, Montgomery, OfGoldilocks};
use super::word_line::WordLine;

pub(super) fn prepare(transform: &Transform, field: WordField) -> Result<Arc<dyn Program>> {
    match field.word() {
        Word::U32 => of_field::<u32>(transform, field),
        _ => of_field::<u64>(transform, field),
    }
}

/// Powers of two in vectors, and others element by element.
fn of_field<W: Digit + MachineWord>(transform: &Transform, field: WordField) -> Result<Arc<dyn Program>> {
    let (n, direction, arithmetic) = (transform.points(), transform.direction, Montgomery::<W>::new(field));
    let line: Box<dyn Line<W>> = if n.is_power_of_two() {
        Box::new(WordLine::new(arithmetic, n, direction))
    } else {
        let what = || format!("a {} transform of {n} points", field.given());
        let line = AnyWords::new(field, n, direction);
        Box::new(line.ok_or_else(|| Error::unsupported(what(), "no way is known"))?)
    };
    Ok(Arc::new(WordProgram::new(transform, arithmetic, line)))
}

/// Powers of two over the Goldilocks field, with any roots; nothing of other lengths.
pub(super) fn goldilocks(transform: &Transform) -> Option<Arc<dyn Program>> {
    let (n, direction) = (transform.points(), transform.direction);
    let arithmetic = OfGoldilocks { power: transform.domain.power.unwrap_or(1) };
    let line = match arithmetic.power {
        _ if !n.is_power_of_two() => None,
        1 => length::exact(&Goldilocks::one(), n, direction),
        _ => Some(Box::new(WordLine::new(arithmetic, n, direction)) as Box<_>),
    };
    line.map(|line| Arc::new(WordProgram::new(transform, arithmetic, line)) as Arc<_>)
}

struct WordProgram<A: Arithmetic> {
    lines: Lines,
    line: Box<dyn Line<A::Word>>,
    arithmetic: A,
    /// What a line is multiplied by before and afterwards: one factor, or one for each word; none if it is 1.
    before: Vec<A::Word>,
    after: Vec<A::Word>,
    /// Points of a line that are there.
    given: usize,
    /// Whether the input, and the output, are in bit-reversed order.
    reversed: [bool; 2],
    scratch: Scratch<A::Word>,
}

impl<A: Arithmetic> WordProgram<A> {
    fn new(transform: &Transform, arithmetic: A, line: Box<dyn Line<A::Word>>) -> Self {
        let n = transform.points();
        let scale = match transform.scale() {
            Scale::One => None,
            Scale::Inverse(n) | Scale::InverseSqrt(n) => Some(arithmetic.inverse_of(n)),
        };
        let mut factors = [Vec::new(), scale.into_iter().collect()];
        if let Some(s) = transform.coset_factor() {
            let mut powers: Vec<_> = arithmetic.powers(arithmetic.factor(s[0]), n).collect();
            match transform.direction {
                Direction::Forward => factors[0] = powers,
                Direction::Inverse => {
                    arithmetic.multiply(&mut powers, &factors[1]);
                    factors[1] = powers;
                }
            }
        }
        let [before, after] = factors;
        Self {
            lines: Lines::of(transform),
            line,
            arithmetic,
            before,
            after,
            given: transform.domain.given.unwrap_or(n),
            reversed: transform.domain.reversed,
            scratch: Scratch::default(),
        }
    }

    /// From one line to another, or in place, each in bit-reversed order or not.
    fn transform(&self, source: Option<&[A::Word]>, line: &mut [A::Word], scratch: &mut [A::Word]) {
        let reverse = |line: &mut [A::Word]| {
            for j in 0..line.len() {
                let k = reversed_bits(j, line.len().ilog2());
                if j < k {
                    line.swap(j, k);
                }
            }
        };
        let is_bare = self.before.is_empty() && !self.reversed[0];
        copy(source.filter(|_| !is_bare), line);
        if self.reversed[0] {
            reverse(line);
        }
        self.arithmetic.multiply(&mut line[..self.given], &self.before);
        self.line.line(source.filter(|_| is_bare), line, scratch, &|_| {});
        self.arithmetic.multiply(line, &self.after);
        if self.reversed[1] {
            reverse(line);
        }
    }

    fn run(&self, input: Option<&[A::Word]>, target: &mut [A::Word]) -> Result<()> {
        let n = self.lines.dim.n;
        let stride = self.lines.dim.input_stride;
        // Of lines with zeros behind them a part is read.
        let source = match input {
            None => Source::Target,
            Some(_) if self.given < n => Source::Elsewhere,
            Some(input) => Source::Elements(input),
        };
        let fault: Mutex<Option<(usize, Error)>> = Mutex::new(None);
        let check = |place: usize, words: &[A::Word]| {
            let Some(found) = self.arithmetic.refused(words, |j| place + j * stride) else { return };
            let mut fault = fault.lock().unwrap_or_else(PoisonError::into_inner);
            if fault.as_ref().is_none_or(|(first, _)| found.0 < *first) {
                *fault = Some(found);
            }
        };
        let zero = A::Word::zeroed();
        share(&self.lines, source, target, 0, &|task| {
            self.scratch.with(self.line.scratch_len(), |scratch| {
                task.by_lines(zero, &mut |place, source, lines| {
                    if let (None, Some(input)) = (source, input.filter(|_| self.given < n)) {
                        let (given, zeros) = lines.split_at_mut(self.given);
                        given.iter_mut().zip(0..).for_each(|(x, j)| *x = input[place + j * stride]);
                        zeros.fill(zero);
                    }
                    for (line, i) in lines.chunks_exact_mut(n).zip(0..) {
                        let source = source.map(|source| &source[i * n..][..n]);
                        check(place + i * n, source.unwrap_or(&line[..self.given]));
                        self.transform(source, line, scratch);
                    }
                });
            });
        });
        fault.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), |(_, error)| Err(error))
    }
}

impl<A: Arithmetic> Program for WordProgram<A> {
    fn enqueue(&self, _: &dyn Queue, operands: Operands<'_>, _: Range<usize>) -> Result<()> {
        sides(operands, |source, target| self.run(source, target))
    }
}
