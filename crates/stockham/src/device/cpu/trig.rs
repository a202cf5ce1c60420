//! Cosine and sine transforms of lines: numbers are put in another order, transformed, turned, and put in order again. All by
//! algorithms whose errors do not grow with the length.
//!
//! Types II and III by a real transform of as many points (J. Makhoul, "A fast cosine transform in one and two dimensions", 1980);
//! type I by that of the numbers and their mirror image; type IV by half as many complex points with two rotations. Of odd
//! length, (2j + 1)·(2k + 1)/8n is a multiple of 1/8 and one of 1/n by the Chinese remainder theorem, so that type IV is one
//! complex transform of n points in another order, without rotations (S. C. Chan and K. L. Ho, "Fast algorithms for computing the
//! discrete cosine transform", 1992, have it by real transforms). Those of sines are those of cosines of numbers with other
//! signs, or from right to left.

use std::ops::Range;

use num_complex::Complex;

use crate::algebra::{Data, Direction, DoubleDouble, Element, Numbers, NumericRing};
use crate::error::Result;
use crate::parallel;
use crate::transform::{Dim, Transform, TrigType};

use super::super::driver::{Operands, Program, Queue};
use super::blocks;
use super::factor::{self, Real};
use super::lanes::{Block, ColumnLine, LINE, aligned};
use super::length;
use super::lines::Lines;
use super::operands::sides;
use super::real::{RealLine, neighbours};
use super::scaled::Scaled;
use super::scratch::Scratch;
use super::share::{Source, Task, share};

/// A transform of contiguous lines of real numbers.
struct TrigLine<F> {
    n: usize,
    is_sine: bool,
    of: TrigType,
    /// Whether it is orthogonal.
    orthogonal: bool,
    inner: Inner<F>,
}

/// What a line goes through.
enum Inner<F> {
    /// A transform of 2·(n ± 1) real points.
    Mirrored(RealLine<F>),
    /// One of n real points, and ω_4n^k up to k = n/2, or their conjugates.
    Turned(RealLine<F>, Vec<Complex<F>>),
    /// One of n/2 points, and what is multiplied with before it and after it.
    Halved(Scaled<Complex<F>>, [Vec<Complex<F>>; 2]),
    /// One of n points, of an odd number, and where each number comes from and goes to.
    Reordered(Scaled<Complex<F>>, Vec<Moved>),
}

/// Where number j goes before the transform, with the signs of both its parts; and from where number k comes after it, with a
/// sign.
struct Moved {
    to: usize,
    signs: [bool; 2],
    from: usize,
    sign: bool,
}

impl<F: Real + Data> TrigLine<F>
where
    Complex<F>: Element,
{
    fn new(transform: &Transform, (is_sine, of): (bool, TrigType)) -> Self {
        let (n, batch, scale) = (transform.points(), transform.batch_count(), transform.scale());
        let one = Complex::<F>::one();
        let real = |n, direction| RealLine::new(n, direction, batch, scale);
        let complex = |points| Scaled {
            line: length::complex(points, Direction::Forward, batch),
            factor: factor::complex(scale, n),
        };
        let inner = match of {
            TrigType::I => Inner::Mirrored(real(of.logical(is_sine, n), Direction::Forward)),
            TrigType::II | TrigType::III => {
                let direction = if of == TrigType::II { Direction::Forward } else { Direction::Inverse };
                Inner::Turned(real(n, direction), one.roots_of_unity(direction, 4 * n, n / 2 + 1))
            }
            TrigType::IV if n.is_multiple_of(2) => {
                let before = |j: usize| one.root_of_unity(Direction::Forward.root(4 * j + 1, 8 * n));
                let after = one.roots_of_unity(Direction::Forward, 2 * n, n / 2);
                Inner::Halved(complex(n / 2), [parallel::map(n / 2, 256, before), after])
            }
            TrigType::IV => Inner::Reordered(complex(n), (0..n).map(|j| Moved::new(j, n)).collect()),
        };
        Self { n, is_sine, of, orthogonal: transform.orthogonalize, inner }
    }

    /// Elements of scratch memory: what goes through the inner transform and comes out, and what that takes.
    fn scratch_len(&self) -> usize {
        match &self.inner {
            Inner::Mirrored(line) | Inner::Turned(line, _) => line.n + line.half() + line.scratch_len(),
            Inner::Halved(inner, _) | Inner::Reordered(inner, _) => inner.line.len() + inner.line.scratch_len(),
        }
    }

    /// Transforms a line, which is lost, to another.
    fn apply(&self, x: &mut [F], y: &mut [F], scratch: &mut [Complex<F>]) {
        let (n, is_sine) = (self.n, self.is_sine);
        let root_2 = DoubleDouble::from(2.0).sqrt();
        let half_root = DoubleDouble::from(0.5).sqrt();
        if is_sine && self.of == TrigType::II {
            negate_odd(x);
        } else if is_sine && self.of != TrigType::I {
            x.reverse();
        }
        if self.orthogonal && (self.of == TrigType::III || self.of == TrigType::I && !is_sine) {
            x[0] = x[0].times_exactly(root_2);
            if self.of == TrigType::I {
                x[n - 1] = x[n - 1].times_exactly(root_2);
            }
        }
        match &self.inner {
            Inner::Mirrored(line) => mirrored(line, is_sine, x, y, scratch),
            Inner::Turned(line, roots) if self.of == TrigType::II => second(line, roots, x, y, scratch),
            Inner::Turned(line, roots) => third(line, roots, x, y, scratch),
            Inner::Halved(inner, factors) => halved(inner, factors, x, y, scratch),
            Inner::Reordered(inner, moved) => {
                let (line, scratch) = scratch.split_at_mut(n);
                for (x, Moved { to, signs, .. }) in x.iter().zip(moved) {
                    let [re, im] = signs.map(|sign| if sign { -*x } else { *x });
                    line[*to] = Complex::new(re, im);
                }
                inner.transform(None, line, scratch);
                for (y, Moved { from, sign, .. }) in y.iter_mut().zip(moved) {
                    let x = line[*from].re.times_exactly(root_2);
                    *y = if *sign { -x } else { x };
                }
            }
        }
        if self.orthogonal && (self.of == TrigType::II || self.of == TrigType::I && !is_sine) {
            y[0] = y[0].times_exactly(half_root);
            if self.of == TrigType::I {
                y[n - 1] = y[n - 1].times_exactly(half_root);
            }
        }
        if is_sine && self.of == TrigType::II {
            y.reverse();
        } else if is_sine && self.of != TrigType::I {
            negate_odd(y);
        }
    }
}

fn negate_odd<F: Real>(x: &mut [F]) {
    x.iter_mut().skip(1).step_by(2).for_each(|x| *x = -*x);
}

/// Real numbers and a half spectrum as long as a line's, and the scratch memory behind them.
fn sides_of<'a, F: Real + Data>(
    line: &RealLine<F>,
    scratch: &'a mut [Complex<F>],
) -> (&'a mut [F], &'a mut [Complex<F>], &'a mut [Complex<F>])
where
    Complex<F>: Element,
{
    let (reals, scratch) = scratch.split_at_mut(line.n);
    let (half, scratch) = scratch.split_at_mut(line.half());
    (&mut bytemuck::cast_slice_mut(reals)[..line.n], half, scratch)
}

/// Type I: of what is even, or odd, the transform is real, or imaginary.
fn mirrored<F: Real + Data>(line: &RealLine<F>, is_sine: bool, x: &[F], y: &mut [F], scratch: &mut [Complex<F>])
where
    Complex<F>: Element,
{
    let (whole, half, scratch) = sides_of(line, scratch);
    whole.fill(F::zero());
    let (first, sign) = if is_sine { (1, -F::one()) } else { (0, F::one()) };
    for (i, x) in x.iter().enumerate() {
        let at = i + first;
        // The ends are their own images.
        whole[(line.n - at) % line.n] = sign * *x;
        whole[at] = *x;
    }
    line.forward(whole, half, scratch);
    let part = |z: &Complex<F>| if is_sine { -z.im } else { z.re };
    y.iter_mut().zip(&half[first..]).for_each(|(y, z)| *y = part(z));
}

/// Type II: first the numbers of even places, then those of odd ones from right to left.
fn second<F: Real + Data>(line: &RealLine<F>, roots: &[Complex<F>], x: &[F], y: &mut [F], scratch: &mut [Complex<F>])
where
    Complex<F>: Element,
{
    let n = line.n;
    let (ordered, half, scratch) = sides_of(line, scratch);
    let (even, odd) = ordered.split_at_mut(n.div_ceil(2));
    even.iter_mut().zip(x.iter().step_by(2)).for_each(|(v, x)| *v = *x);
    odd.iter_mut().rev().zip(x.iter().skip(1).step_by(2)).for_each(|(v, x)| *v = *x);
    line.forward(ordered, half, scratch);
    let (low, high) = y.split_at_mut(half.len());
    for ((y, z), root) in low.iter_mut().zip(&*half).zip(roots) {
        let turned = z.re * root.re - z.im * root.im;
        *y = turned + turned;
    }
    // Of an even number, the middle is its own image.
    for ((y, z), root) in high.iter_mut().rev().zip(&half[1..]).zip(&roots[1..]) {
        let turned = z.re * root.im + z.im * root.re;
        *y = -(turned + turned);
    }
}

/// Type III.
fn third<F: Real + Data>(line: &RealLine<F>, roots: &[Complex<F>], x: &[F], y: &mut [F], scratch: &mut [Complex<F>])
where
    Complex<F>: Element,
{
    let n = line.n;
    let (ordered, half, scratch) = sides_of(line, scratch);
    half[0] = Complex::new(x[0], F::zero());
    for (((z, root), re), im) in half.iter_mut().zip(roots).zip(x).skip(1).zip(x.iter().rev()) {
        *z = Complex::new(*re, -*im) * root;
    }
    line.inverse(half, ordered, scratch);
    let (even, odd) = ordered.split_at(n.div_ceil(2));
    y.iter_mut().step_by(2).zip(even).for_each(|(y, v)| *y = *v);
    y.iter_mut().skip(1).step_by(2).zip(odd.iter().rev()).for_each(|(y, v)| *y = *v);
}

/// Type IV of even length.
fn halved<F: Real + Data>(
    inner: &Scaled<Complex<F>>,
    [before, after]: &[Vec<Complex<F>>; 2],
    x: &[F],
    y: &mut [F],
    scratch: &mut [Complex<F>],
) where
    Complex<F>: Element,
{
    let n = x.len();
    let (line, scratch) = scratch.split_at_mut(n / 2);
    for (j, (z, factor)) in line.iter_mut().zip(before).enumerate() {
        *z = Complex::new(x[2 * j], x[n - 1 - 2 * j]) * factor;
    }
    inner.transform(None, line, scratch);
    for (j, (z, factor)) in line.iter().zip(after).enumerate() {
        let turned = z * factor;
        (y[2 * j], y[n - 1 - 2 * j]) = (turned.re + turned.re, -(turned.im + turned.im));
    }
}

impl Moved {
    /// For number j of n, an odd number.
    fn new(j: usize, n: usize) -> Self {
        // Whether √2·cos(π·m/4), or √2·sin, is −1, for odd m.
        let cosine = |m: usize| matches!(m % 8, 3 | 5);
        let sine = |m: usize| matches!(m % 8, 5 | 7);
        let m = 2 * j + 1;
        // 1/n mod 8 is n mod 8, and 1/8 mod n one of these.
        let turned = n % 8 * (m % 8);
        let eighth = (1..8).find(|t| (t * n + 1).is_multiple_of(8)).map_or(0, |t| (t * n + 1) / 8);
        let point = (m % n) as u128 * eighth as u128 % n as u128;
        let point = point as usize;
        let is_same = cosine(turned) == sine(turned);
        let from = if is_same { (n - point) % n } else { point };
        Self { to: m % n, signs: [cosine(m), sine(m)], from, sign: cosine(turned) }
    }
}

/// A batch of them.
pub(super) struct TrigProgram<F> {
    line: TrigLine<F>,
    lines: Lines,
    stride: usize,
    /// Their way where they are short, one after the other or the columns of a matrix.
    blocks: Option<Box<dyn Block<F, F>>>,
    columns: Option<Box<dyn ColumnLine<F>>>,
    scratch: Scratch<Complex<F>>,
}

impl<F: Real + Data> TrigProgram<F>
where
    Complex<F>: Element,
{
    pub fn new(transform: &Transform) -> Self {
        let trig = transform.trig().unwrap_or((false, TrigType::II));
        let dim: Dim = transform.dims[0];
        let lines = Lines::of(transform);
        Self {
            line: TrigLine::new(transform, trig),
            stride: dim.input_stride,
            blocks: blocks::lines::<F, _, _>(transform),
            columns: blocks::real_columns(transform, &lines),
            lines,
            scratch: Scratch::default(),
        }
    }

    /// Transforms lines of the source, or where they are.
    fn run(&self, source: Option<&[F]>, target: &mut [F]) {
        let n = self.line.n;
        if let Some(columns) = &self.columns {
            return share(&self.lines, source.map_or(Source::Target, Source::Elements), target, 0, &|task| {
                self.by_columns(&**columns, task);
            });
        }
        let of = if source.is_some() { Source::Elsewhere } else { Source::Target };
        share(&self.lines, of, target, 0, &|task| {
            if let Some(block) = &self.blocks {
                return task.by_blocks(block.together(), |_, target, places| block.lines(source, target, places));
            }
            self.scratch.with(n + self.line.scratch_len(), |scratch| {
                let (copy, rest) = scratch.split_at_mut(n);
                let copy: &mut [F] = &mut bytemuck::cast_slice_mut(copy)[..n];
                task.by_lines(F::zero(), &mut |place, _, lines| {
                    for line in lines.chunks_exact_mut(n) {
                        match source {
                            // Lines come one by one then.
                            Some(source) if self.stride == 1 || n == 1 => copy.copy_from_slice(&source[place..][..n]),
                            Some(source) => drop(neighbours(&source[place..], self.stride, copy)),
                            None => copy.copy_from_slice(line),
                        }
                        self.line.apply(copy, line, rest);
                    }
                });
            });
        });
    }
}

impl<F: Real + Data> TrigProgram<F>
where
    Complex<F>: Element,
{
    fn by_columns(&self, columns: &dyn ColumnLine<F>, task: Task<'_, F>) {
        let len = self.line.n * columns.together();
        self.scratch.with(2 * len + LINE / size_of::<F>(), |scratch| {
            let (from, rest) = aligned(bytemuck::cast_slice_mut(scratch)).split_at_mut(len);
            let (to, rest) = rest.split_at_mut(len);
            let sides = (columns.together(), columns.lanes());
            task.by_columns(F::zero(), [from, to], sides, |from, to| columns.transform(from, to, rest));
        });
    }
}

impl<F: Real + Data> Program for TrigProgram<F>
where
    Complex<F>: Element,
{
    fn enqueue(&self, _: &dyn Queue, operands: Operands<'_>, _: Range<usize>) -> Result<()> {
        sides(operands, |source, target| self.run(source, target));
        Ok(())
    }
}
