//! Lines of real numbers: those of even length as lines of half as many complex numbers, the others with imaginary parts of 0.
//!
//! With z_j = x_{2j} + i·x_{2j+1} and m = n/2, the DFT Z of z has X_k = E_k + ω_n^k·O_k for 2·E_k = Z_k + Z̄_{m−k} and
//! 2i·O_k = Z_k − Z̄_{m−k} (J. W. Cooley, P. A. W. Lewis and P. D. Welch, "The fast Fourier transform algorithm: programming
//! considerations in the calculation of sine, cosine and Laplace transforms", 1970). The way back reads the same from right to
//! left.

use std::ops::Range;

use num_complex::Complex;

use crate::algebra::{Data, Direction, Element, Numbers, NumericRing, Scale};
use crate::error::Result;
use crate::parallel;
use crate::transform::{Dim, Placement, Transform};

use super::super::driver::{Operands, Program, Queue};
use super::blocks;
use super::factor::{self, Real};
use super::lanes::Block;
use super::length;
use super::lines::Lines;
use super::operands::sides;
use super::scaled::Scaled;
use super::scratch::Scratch;
use super::share::{Source, share};

/// Pairs of points that a core splits at a time.
const GRAIN: usize = 1 << 12;

/// A transform of contiguous real lines, or to them.
pub(super) struct RealLine<F> {
    pub n: usize,
    /// That of n/2 points, or of n.
    inner: Scaled<Complex<F>>,
    /// ω_n^k up to k = n/4, for even n.
    roots: Vec<Complex<F>>,
}

impl<F: Real + Data> RealLine<F>
where
    Complex<F>: Element,
{
    /// For lines of n real numbers, of which there are `batch`.
    pub fn new(n: usize, direction: Direction, batch: usize, scale: Scale) -> Self {
        let points = if n.is_multiple_of(2) { n / 2 } else { n };
        let line = length::complex(points, direction, batch);
        let roots = if points == n { 0 } else { n / 4 + 1 };
        Self {
            n,
            inner: Scaled { line, factor: factor::complex(scale, n) },
            roots: Complex::<F>::one().roots_of_unity(direction, n, roots),
        }
    }

    /// Elements of a half spectrum.
    pub fn half(&self) -> usize {
        self.n / 2 + 1
    }

    fn is_packed(&self) -> bool {
        self.inner.line.len() < self.n
    }

    /// Elements of scratch memory: a full line, if it is computed as such, and what the complex transform takes.
    pub fn scratch_len(&self) -> usize {
        if self.is_packed() { 0 } else { self.n }.saturating_add(self.inner.line.scratch_len())
    }

    /// From n real numbers to a half spectrum.
    pub fn forward(&self, line: &[F], half: &mut [Complex<F>], scratch: &mut [Complex<F>]) {
        if !self.is_packed() {
            let (full, scratch) = scratch.split_at_mut(self.n);
            full.iter_mut().zip(line).for_each(|(z, &x)| *z = Complex::new(x, F::zero()));
            self.inner.transform(None, full, scratch);
            half.copy_from_slice(&full[..half.len()]);
            half[0].im = F::zero();
            return;
        }
        let m = self.n / 2;
        let packed = bytemuck::cast_slice::<F, Complex<F>>(line);
        self.inner.transform(Some(packed), &mut half[..m], scratch);
        let first = half[0];
        half[0] = Complex::new(first.re + first.im, F::zero());
        half[m] = Complex::new(first.re - first.im, F::zero());
        let a_half = F::one() / (F::one() + F::one());
        let split = |root: Complex<F>, low: &mut Complex<F>, high: &mut Complex<F>| {
            let (even, odd) = ((*low + high.conj()) * a_half, (*low - high.conj()) * a_half);
            // ω·odd/i
            let turned = Complex::new(odd.im, -odd.re) * root;
            (*low, *high) = (even + turned, (even - turned).conj());
        };
        self.pairs(half, &split);
        if m.is_multiple_of(2) {
            half[m / 2] = half[m / 2].conj();
        }
    }

    /// From a half spectrum to n real numbers.
    pub fn inverse(&self, half: &[Complex<F>], line: &mut [F], scratch: &mut [Complex<F>]) {
        if !self.is_packed() {
            let (full, scratch) = scratch.split_at_mut(self.n);
            full[0] = Complex::new(half[0].re, F::zero());
            for (k, x) in half.iter().enumerate().skip(1) {
                (full[k], full[self.n - k]) = (*x, x.conj());
            }
            self.inner.transform(None, full, scratch);
            line.iter_mut().zip(full).for_each(|(x, z)| *x = z.re);
            return;
        }
        let m = self.n / 2;
        let packed = bytemuck::cast_slice_mut::<F, Complex<F>>(line);
        packed[1..].copy_from_slice(&half[1..m]);
        packed[0] = Complex::new(half[0].re + half[m].re, half[0].re - half[m].re);
        let join = |root: Complex<F>, low: &mut Complex<F>, high: &mut Complex<F>| {
            let (even, odd) = (*low + high.conj(), (*low - high.conj()) * root);
            // even + i·odd, and the conjugate of even − i·odd
            let turned = Complex::new(-odd.im, odd.re);
            (*low, *high) = (even + turned, (even - turned).conj());
        };
        self.pairs(packed, &join);
        if m.is_multiple_of(2) {
            let middle = packed[m / 2];
            packed[m / 2] = middle.conj() + middle.conj();
        }
        self.inner.transform(None, packed, scratch);
    }

    /// Calls `each` with the root ω_n^k and the elements k and m − k, for every k from 1 to below m/2.
    fn pairs(&self, line: &mut [Complex<F>], each: &(impl Fn(Complex<F>, &mut Complex<F>, &mut Complex<F>) + Sync)) {
        let m = self.n / 2;
        let count = m.saturating_sub(1) / 2;
        let (low, high) = line[1..m.max(1)].split_at_mut(count);
        let high = &mut high[m.saturating_sub(1) - 2 * count..];
        let roots = &self.roots[1..][..count];
        let part = |low: &mut [Complex<F>], high: &mut [Complex<F>], roots: &[Complex<F>]| {
            for ((low, high), root) in low.iter_mut().zip(high.iter_mut().rev()).zip(roots) {
                each(*root, low, high);
            }
        };
        if count <= 2 * GRAIN {
            return part(low, high, roots);
        }
        let parts = low.chunks_mut(GRAIN).zip(high.rchunks_mut(GRAIN)).zip(roots.chunks(GRAIN));
        parallel::each_of(parts.collect(), &|_, ((low, high), roots)| part(low, high, roots));
    }
}

/// A batch of them.
pub(super) struct RealProgram<F> {
    line: RealLine<F>,
    direction: Direction,
    /// Where lines are written; in place, where the half spectra are.
    lines: Lines,
    /// Distance between neighbours of a line in the input.
    stride: usize,
    /// Where they are short: forward, or inverse.
    to_half: Option<Box<dyn Block<F, Complex<F>>>>,
    to_real: Option<Box<dyn Block<Complex<F>, F>>>,
    scratch: Scratch<Complex<F>>,
}

impl<F: Real + Data> RealProgram<F>
where
    Complex<F>: Element,
{
    pub fn new(transform: &Transform) -> Self {
        let dim = transform.dims[0];
        let line = RealLine::new(dim.n, transform.direction, transform.batch_count(), transform.scale());
        let in_place = transform.placement == Placement::InPlace;
        let written = if in_place || transform.direction == Direction::Forward { line.half() } else { line.n };
        let spectra = |dim: &Dim| match transform.direction {
            Direction::Forward => Dim::new(dim.n, dim.output_stride),
            Direction::Inverse => Dim::new(dim.n, dim.input_stride),
        };
        let batch = transform.batch.iter().map(|dim| if in_place { spectra(dim) } else { *dim });
        let lines = Lines::new(Dim { n: written, ..dim }, batch.collect());
        let direction = transform.direction;
        let (to_half, to_real) = match direction {
            _ if in_place => (None, None),
            Direction::Forward => (blocks::lines::<F, _, _>(transform), None),
            Direction::Inverse => (None, blocks::lines::<F, _, _>(transform)),
        };
        Self { line, direction, lines, stride: dim.input_stride, to_half, to_real, scratch: Scratch::default() }
    }

    /// Calls `work` with memory for a line and scratch memory.
    fn with_scratch(&self, work: impl FnOnce(&mut [Complex<F>], &mut [Complex<F>])) {
        let half = self.line.half();
        self.scratch.with(half + self.line.scratch_len(), |scratch| {
            let (line, rest) = scratch.split_at_mut(half);
            work(line, rest);
        });
    }

    fn in_place(&self, target: &mut [Complex<F>]) {
        share(&self.lines, Source::Target, target, 0, &|task| {
            self.with_scratch(|copy, scratch| {
                task.by_lines(Complex::zero(), &mut |_, _, lines| {
                    for half in lines.chunks_exact_mut(self.line.half()) {
                        match self.direction {
                            Direction::Forward => {
                                let copy: &mut [F] = &mut bytemuck::cast_slice_mut(copy)[..self.line.n];
                                copy.copy_from_slice(&bytemuck::cast_slice(half)[..self.line.n]);
                                self.line.forward(copy, half, scratch);
                            }
                            Direction::Inverse => {
                                let copy = &mut copy[..half.len()];
                                copy.copy_from_slice(half);
                                self.line.inverse(copy, &mut bytemuck::cast_slice_mut(half)[..self.line.n], scratch);
                            }
                        }
                    }
                });
            });
        });
    }

    fn forward(&self, source: &[F], target: &mut [Complex<F>]) {
        share(&self.lines, Source::Elsewhere, target, 0, &|task| {
            if let Some(block) = &self.to_half {
                return task.by_blocks(block.together(), |_, target, places| block.lines(Some(source), target, places));
            }
            self.with_scratch(|copy, scratch| {
                let copy: &mut [F] = &mut bytemuck::cast_slice_mut(copy)[..self.line.n];
                task.by_lines(Complex::zero(), &mut |place, _, half| {
                    self.line.forward(neighbours(&source[place..], self.stride, copy), half, scratch);
                });
            });
        });
    }

    fn inverse(&self, source: &[Complex<F>], target: &mut [F]) {
        share(&self.lines, Source::Elsewhere, target, 0, &|task| {
            if let Some(block) = &self.to_real {
                return task.by_blocks(block.together(), |_, target, places| block.lines(Some(source), target, places));
            }
            self.with_scratch(|copy, scratch| {
                let copy = &mut copy[..self.line.half()];
                task.by_lines(F::zero(), &mut |place, _, line| {
                    self.line.inverse(neighbours(&source[place..], self.stride, copy), line, scratch);
                });
            });
        });
    }
}

/// The elements of a line so far apart, as neighbours, which they may be already.
pub(super) fn neighbours<'a, T: Copy>(source: &'a [T], stride: usize, copy: &'a mut [T]) -> &'a [T] {
    if stride == 1 {
        return &source[..copy.len()];
    }
    copy.iter_mut().enumerate().for_each(|(j, x)| *x = source[j * stride]);
    copy
}

impl<F: Real + Data> Program for RealProgram<F>
where
    Complex<F>: Element,
{
    fn enqueue(&self, _: &dyn Queue, operands: Operands<'_>, _: Range<usize>) -> Result<()> {
        match self.direction {
            Direction::Forward => sides(operands, |source, target| match source {
                Some(source) => self.forward(source, target),
                None => self.in_place(target),
            }),
            Direction::Inverse => sides(operands, |source, target| match source {
                Some(source) => self.inverse(source, target),
                None => self.in_place(bytemuck::cast_slice_mut(target)),
            }),
        }
        Ok(())
    }
}
