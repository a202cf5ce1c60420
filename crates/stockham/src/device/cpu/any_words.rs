//! Lines of words of any length that divides p − 1: element by element, by the codelets of all rings.

use crate::algebra::{Digit, Direction, Gathered, MachineWord, Numbers, WordElement, WordField};

use super::length;
use super::line::{Finish, Line, copy};

/// A transform of words as they lie in memory.
pub(super) struct AnyWords<W> {
    field: WordField,
    line: Box<dyn Line<WordElement<W>>>,
}

impl<W: Digit + MachineWord> AnyWords<W> {
    /// Nothing if no way is known.
    pub fn new(field: WordField, n: usize, direction: Direction) -> Option<Self> {
        let line = length::exact(&WordElement::<W>::one(field), n, direction)?;
        Some(Self { field, line })
    }

    /// The transform of a line in place, without a factor. Words that are no elements count as 0.
    fn transform(&self, line: &mut [W]) {
        let zero = WordElement::<W>::one(self.field).integer(0);
        let element = |(j, word): (usize, &W)| WordElement::gather(self.field, j, &[(*word).into()]).unwrap_or(zero);
        let mut elements: Vec<_> = line.iter().enumerate().map(element).collect();
        self.line.line(None, &mut elements, &mut vec![zero; self.line.scratch_len()], &|_| {});
        line.iter_mut().zip(elements).for_each(|(word, x)| *word = W::truncated(x.scatter()[0]));
    }
}

impl<W: Digit + MachineWord> Line<W> for AnyWords<W> {
    fn len(&self) -> usize {
        self.line.len()
    }
    fn scratch_len(&self) -> usize {
        0
    }
    fn line(&self, input: Option<&[W]>, line: &mut [W], _: &mut [W], finish: Finish<'_, W>) {
        copy(input, line);
        self.transform(line);
        finish(line);
    }
}
