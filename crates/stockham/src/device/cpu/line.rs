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
    /// Transforms some lines in place, and calls `finish` with the results, or with parts of them, while they are in the cache.
    fn in_place(&self, lines: &mut [T], scratch: &mut [T], finish: Finish<'_, T>);
    /// The same out of place.
    fn out_of_place(&self, input: &[T], output: &mut [T], scratch: &mut [T], finish: Finish<'_, T>);
}

/// What is done with results.
pub(super) type Finish<'a, T> = &'a (dyn Fn(&mut [T]) + Sync);

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
    fn in_place(&self, lines: &mut [Complex<F>], scratch: &mut [Complex<F>], finish: Finish<'_, Complex<F>>) {
        self.0.process_with_scratch(lines, &mut scratch[..self.0.get_inplace_scratch_len()]);
        finish(lines);
    }
    fn out_of_place(
        &self,
        input: &[Complex<F>],
        output: &mut [Complex<F>],
        scratch: &mut [Complex<F>],
        finish: Finish<'_, Complex<F>>,
    ) {
        self.0.process_immutable_with_scratch(input, output, &mut scratch[..self.0.get_immutable_scratch_len()]);
        finish(output);
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
    fn in_place(&self, lines: &mut [R], scratch: &mut [R], finish: Finish<'_, R>) {
        for line in lines.chunks_exact_mut(self.n) {
            (self.process)(line, &mut scratch[..self.n]);
            finish(line);
        }
    }
    fn out_of_place(&self, input: &[R], output: &mut [R], scratch: &mut [R], finish: Finish<'_, R>) {
        output.copy_from_slice(input);
        self.in_place(output, scratch, finish);
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
    fn in_place(&self, lines: &mut [T], _: &mut [T], finish: Finish<'_, T>) {
        finish(lines);
    }
    fn out_of_place(&self, input: &[T], output: &mut [T], _: &mut [T], finish: Finish<'_, T>) {
        output.copy_from_slice(input);
        finish(output);
    }
}
