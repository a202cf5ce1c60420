//! The transform of contiguous lines: by rustfft as far as it is accurate, by a split into short transforms beyond, and by
//! the engine's own codelets over other algebras.

use std::sync::Arc;

use num_complex::Complex;
use rustfft::{Fft, FftDirection, FftNum, FftPlanner};

use crate::algebra::{Direction, Numbers};
use crate::autosort::{Autosort, ShiftingAutosort};

/// An unscaled transform of contiguous lines of one length, with scratch memory of the caller's.
pub(super) trait Line<T>: Send + Sync {
    /// Points of a line.
    fn len(&self) -> usize;
    /// Elements of scratch memory.
    fn scratch_len(&self) -> usize;
    /// Transforms a line, from another or where it is, and calls `finish` with the result, or with parts of it, while they are in the
    /// cache.
    fn line(&self, input: Option<&[T]>, line: &mut [T], scratch: &mut [T], finish: Finish<'_, T>);
    /// The same with some lines that follow each other.
    fn lines(&self, input: Option<&[T]>, lines: &mut [T], scratch: &mut [T], finish: Finish<'_, T>) {
        let mut inputs = input.map(|input| input.chunks_exact(self.len()));
        for line in lines.chunks_exact_mut(self.len()) {
            self.line(inputs.as_mut().and_then(Iterator::next), line, scratch, finish);
        }
    }
}

/// What is done with results.
pub(super) type Finish<'a, T> = &'a (dyn Fn(&mut [T]) + Sync);

/// For lines that are transformed where they are.
pub(super) fn copy<T: Copy>(input: Option<&[T]>, line: &mut [T]) {
    if let Some(input) = input {
        line.copy_from_slice(input);
    }
}

/// By rustfft.
pub(super) struct Library<F: FftNum>(Arc<dyn Fft<F>>);

impl<F: FftNum> Library<F> {
    pub fn new(n: usize, direction: Direction) -> Self {
        let direction = match direction {
            Direction::Forward => FftDirection::Forward,
            Direction::Inverse => FftDirection::Inverse,
        };
        Self(FftPlanner::new().plan_fft(n, direction))
    }
}

impl<F: FftNum> Line<Complex<F>> for Library<F> {
    fn len(&self) -> usize {
        self.0.len()
    }
    fn scratch_len(&self) -> usize {
        self.0.get_inplace_scratch_len().max(self.0.get_immutable_scratch_len())
    }
    fn line(
        &self,
        input: Option<&[Complex<F>]>,
        line: &mut [Complex<F>],
        scratch: &mut [Complex<F>],
        finish: Finish<'_, Complex<F>>,
    ) {
        self.lines(input, line, scratch, finish);
    }
    fn lines(
        &self,
        input: Option<&[Complex<F>]>,
        lines: &mut [Complex<F>],
        scratch: &mut [Complex<F>],
        finish: Finish<'_, Complex<F>>,
    ) {
        let Self(library) = self;
        match input {
            Some(input) => {
                let scratch = &mut scratch[..library.get_immutable_scratch_len()];
                library.process_immutable_with_scratch(input, lines, scratch);
            }
            None => library.process_with_scratch(lines, &mut scratch[..library.get_inplace_scratch_len()]),
        }
        finish(lines);
    }
}

/// By our own codelets.
pub(super) struct Own<R> {
    n: usize,
    process: Process<R>,
}

/// A transform in place, with scratch memory of the same length.
type Process<R> = Box<dyn Fn(&mut [R], &mut [R]) + Send + Sync>;

impl<R: Numbers + 'static> Own<R> {
    /// Nothing if a prime factor has no codelet.
    pub fn autosort(context: &R, n: usize, direction: Direction) -> Option<Self> {
        let autosort = Autosort::over(context, n, direction)?;
        Some(Self { n, process: Box::new(move |line, scratch| autosort.process(line, scratch)) })
    }

    /// Makes use of roots that take no product. Nothing if n is not a power of two.
    pub fn shifting(context: &R, n: usize, direction: Direction) -> Option<Self> {
        let autosort = ShiftingAutosort::over(context, n, direction)?;
        Some(Self { n, process: Box::new(move |line, scratch| autosort.process(line, scratch)) })
    }
}

impl<R: Numbers> Line<R> for Own<R> {
    fn len(&self) -> usize {
        self.n
    }
    fn scratch_len(&self) -> usize {
        self.n
    }
    fn line(&self, input: Option<&[R]>, line: &mut [R], scratch: &mut [R], finish: Finish<'_, R>) {
        copy(input, line);
        (self.process)(line, &mut scratch[..self.n]);
        finish(line);
    }
}

/// The transform of one point: itself, to the bit.
pub(super) struct Identity;

impl<T: Copy> Line<T> for Identity {
    fn len(&self) -> usize {
        1
    }
    fn scratch_len(&self) -> usize {
        0
    }
    fn line(&self, input: Option<&[T]>, line: &mut [T], _: &mut [T], finish: Finish<'_, T>) {
        copy(input, line);
        finish(line);
    }
    fn lines(&self, input: Option<&[T]>, lines: &mut [T], scratch: &mut [T], finish: Finish<'_, T>) {
        self.line(input, lines, scratch, finish);
    }
}
