//! Transforms over word fields on the host: lines are checked, transformed and multiplied by their factors where they lie.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use crate::algebra::{Digit, Direction, MachineWord, Scale, Word, WordField};
use crate::error::{Error, Result};
use crate::transform::{Transform, reversed_bits};

use super::super::driver::{Operands, Program, Queue};
use super::any_words::AnyWords;
use super::lines::Lines;
use super::operands::sides;
use super::scratch::Scratch;
use super::share::{Source, share};
use super::word_arithmetic::{Arithmetic, Montgomery};
use super::word_line::WordLine;

pub(super) fn prepare(transform: &Transform, field: WordField) -> Result<Arc<dyn Program>> {
    Ok(match field.word() {
        Word::U32 => Arc::new(WordProgram::<u32>::new(transform, field)?),
        _ => Arc::new(WordProgram::<u64>::new(transform, field)?),
    })
}

/// How lines are transformed: powers of two in vectors.
enum Way<W: Digit + MachineWord> {
    Powers(WordLine<Montgomery<W>>),
    Any(AnyWords<W>),
}

impl<W: Digit + MachineWord> Way<W> {
    fn of(field: WordField, n: usize, direction: Direction) -> Result<Self> {
        if n.is_power_of_two() {
            return Ok(Self::Powers(WordLine::new(Montgomery::new(field), n, direction)));
        }
        AnyWords::new(field, n, direction).map(Self::Any).ok_or_else(|| {
            Error::unsupported(format!("a {} transform of {n} points", field.given()), "no way is known")
        })
    }
}

struct WordProgram<W: Digit + MachineWord> {
    field: WordField,
    lines: Lines,
    line: Way<W>,
    arithmetic: Montgomery<W>,
    /// What a line is multiplied by before and afterwards: one factor, or one for each word; none if it is 1.
    before: Vec<W>,
    after: Vec<W>,
    /// Points of a line that are there.
    given: usize,
    /// Whether the input, and the output, are in bit-reversed order.
    reversed: [bool; 2],
    scratch: Scratch<W>,
}

impl<W: Digit + MachineWord> WordProgram<W> {
    fn new(transform: &Transform, field: WordField) -> Result<Self> {
        let (n, direction) = (transform.points(), transform.direction);
        let (line, arithmetic) = (Way::of(field, n, direction)?, Montgomery::new(field));
        let scale = match transform.scale() {
            Scale::One => None,
            Scale::Inverse(n) | Scale::InverseSqrt(n) => Some(arithmetic.factor(field.inverse_of(n))),
        };
        let mut factors = [Vec::new(), scale.into_iter().collect()];
        if let Some(s) = transform.coset_factor() {
            let mut powers: Vec<W> = arithmetic.powers(arithmetic.factor(s[0]), n).collect();
            match direction {
                Direction::Forward => factors[0] = powers,
                Direction::Inverse => {
                    arithmetic.multiply(&mut powers, &factors[1]);
                    factors[1] = powers;
                }
            }
        }
        let [before, after] = factors;
        Ok(Self {
            field,
            lines: Lines::of(transform),
            line,
            arithmetic,
            before,
            after,
            given: transform.domain.given.unwrap_or(n),
            reversed: transform.domain.reversed,
            scratch: Scratch::default(),
        })
    }

    /// A line in place, that is in bit-reversed order or not; an error names an element of the line.
    fn transform(&self, line: &mut [W], scratch: &mut [W]) {
        let reverse = |line: &mut [W]| {
            for j in 0..line.len() {
                let k = reversed_bits(j, line.len().ilog2());
                if j < k {
                    line.swap(j, k);
                }
            }
        };
        if self.reversed[0] {
            reverse(line);
        }
        self.arithmetic.multiply(&mut line[..self.given], &self.before);
        match &self.line {
            Way::Powers(way) => way.transform(line, scratch),
            Way::Any(way) => way.transform(line),
        }
        self.arithmetic.multiply(line, &self.after);
        if self.reversed[1] {
            reverse(line);
        }
    }

    fn run(&self, input: Option<&[W]>, target: &mut [W]) -> Result<()> {
        let n = self.lines.dim.n;
        let stride = self.lines.dim.input_stride;
        // Of lines with zeros behind them a part is read.
        let source = match input {
            None => Source::Target,
            Some(_) if self.given < n => Source::Elsewhere,
            Some(input) => Source::Elements(input),
        };
        let fault: Mutex<Option<(usize, u64)>> = Mutex::new(None);
        let check = |place: usize, stride: usize, words: &[W]| {
            let p = W::truncated(self.field.modulus());
            // The largest first, as a loop of vectors.
            if words.iter().copied().max().is_none_or(|most| most < p) {
                return;
            }
            let Some(j) = words.iter().position(|word| *word >= p) else { return };
            let found = (place + j * stride, words[j].into());
            let mut fault = fault.lock().unwrap_or_else(PoisonError::into_inner);
            *fault = Some(fault.map_or(found, |other| other.min(found)));
        };
        share(&self.lines, source, target, 0, &|task| {
            self.scratch.with(n, |scratch| {
                task.by_lines(W::zeroed(), &mut |place, source, lines| {
                    match (source, input) {
                        (Some(source), _) => lines.copy_from_slice(source),
                        (None, Some(input)) if self.given < n => {
                            let (given, zeros) = lines.split_at_mut(self.given);
                            given.iter_mut().zip(0..).for_each(|(x, j)| *x = input[place + j * stride]);
                            zeros.fill(W::zeroed());
                        }
                        (None, _) => {}
                    }
                    for (line, i) in lines.chunks_exact_mut(n).zip(0..) {
                        check(place + i * n, stride, &line[..self.given]);
                        self.transform(line, scratch);
                    }
                });
            });
        });
        match fault.into_inner().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(()),
            Some((index, value)) => Err(self.field.refusal(index, value)),
        }
    }
}

impl<W: Digit + MachineWord> Program for WordProgram<W> {
    fn enqueue(&self, _: &dyn Queue, operands: Operands<'_>, _: Range<usize>) -> Result<()> {
        sides(operands, |source, target| self.run(source, target))
    }
}
