//! Transforms over ℂ by our own codelets over vectors.

// Other processors' vectors are not there yet.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]

mod block;
mod columns;
mod halves;
mod lane;
mod products;
mod rectangle;
mod strip;
mod tiles;
mod wide;

use bytemuck::Pod;
use num_complex::Complex;

use crate::algebra::{Data, Direction, Element};
use crate::parallel;
use crate::plan::host::LaneSides;
use crate::threads;

use super::line::{Finish, Line};
use super::scratch::Scratch;
use block::LaneBlock;
pub(super) use block::{Block, Course, MOST_LINES};
pub(super) use columns::ColumnLine;
use columns::LaneColumns;
use products::Products;
use rectangle::{Columns, Rectangle, RowPart};
pub(super) use rectangle::{LINE, aligned};
use strip::{Number, Rows};
use wide::Wide;
pub(super) use wide::{Operation, compiled};

/// Bytes of a task at least: half of them come from another core's cache, which costs more than is gained with fewer.
const TASK: usize = 1 << 17;

/// Tasks of a pass for each thread, so that threads that are late have less to do.
const TASKS: usize = 2;

/// Real numbers of which the processor may have vectors.
pub(super) trait Vectors: Sized {
    /// A line as such a rectangle, on a processor with vectors.
    fn line(sides: &LaneSides, direction: Direction) -> Option<Box<dyn Line<Complex<Self>>>>;
    /// Neighbouring columns by stages of these radices, two at least, on such a processor.
    fn columns(radices: &[usize], direction: Direction) -> Option<Box<dyn ColumnLine<Complex<Self>>>>;
    /// Lines side by side, on such a processor.
    fn block<I: Pod, O: Pod>(course: Course<'_, Self>) -> Option<Box<dyn Block<I, O>>>;
    /// Columns of real numbers that stay real.
    fn real_columns(course: Course<'_, Self>) -> Option<Box<dyn ColumnLine<Self>>>;
    /// to = x·factors, or to·factors where there is no x, number by number.
    fn multiply(x: Option<&[Complex<Self>]>, factors: &[Complex<Self>], to: &mut [Complex<Self>]);
}

macro_rules! vectors {
    ($($float:ty)*) => {$(
        impl Vectors for $float {
            fn line(sides: &LaneSides, direction: Direction) -> Option<Box<dyn Line<Complex<Self>>>> {
                #[cfg(target_arch = "x86_64")]
                return match wide::long().filter(|wide| fills::<$float, _>(*wide, sides)) {
                    Some(wide) => Some(Box::new(LaneLine::new(wide, sides, direction))),
                    None => wide::known().map(|wide| Box::new(LaneLine::new(wide, sides, direction)) as Box<_>),
                };
                #[cfg(not(target_arch = "x86_64"))]
                None
            }
            fn columns(radices: &[usize], direction: Direction) -> Option<Box<dyn ColumnLine<Complex<Self>>>> {
                #[cfg(target_arch = "x86_64")]
                return wide::known().map(|wide| Box::new(LaneColumns::new(wide, radices, direction)) as Box<_>);
                #[cfg(not(target_arch = "x86_64"))]
                None
            }
            fn block<I: Pod, O: Pod>(course: Course<'_, Self>) -> Option<Box<dyn Block<I, O>>> {
                #[cfg(target_arch = "x86_64")]
                return wide::known().map(|wide| Box::new(LaneBlock::new(wide, course)) as Box<_>);
                #[cfg(not(target_arch = "x86_64"))]
                None
            }
            fn real_columns(course: Course<'_, Self>) -> Option<Box<dyn ColumnLine<Self>>> {
                #[cfg(target_arch = "x86_64")]
                return wide::known().map(|wide| Box::new(LaneBlock::new(wide, course)) as Box<_>);
                #[cfg(not(target_arch = "x86_64"))]
                None
            }
            fn multiply(x: Option<&[Complex<Self>]>, factors: &[Complex<Self>], to: &mut [Complex<Self>]) {
                #[cfg(target_arch = "x86_64")]
                if let Some(wide) = wide::known() {
                    return multiply(wide, x, factors, to);
                }
                match x {
                    Some(x) => to.iter_mut().zip(x).zip(factors).for_each(|((to, x), w)| *to = x * w),
                    None => to.iter_mut().zip(factors).for_each(|(to, w)| *to *= w),
                }
            }
        }
    )*};
}

vectors! { f32 f64 }

/// Bytes of a strip of long vectors at most, so that a core's cache holds it, and that memory is for lines.
#[cfg(target_arch = "x86_64")]
const STRIP: usize = 1 << 19;

/// Whether a rectangle's sides fill vectors, as what is left over would be computed in a vector as long, and strips of them are short.
#[cfg(target_arch = "x86_64")]
fn fills<F, W: Wide<F>>(_: W, LaneSides { columns, rows }: &LaneSides) -> bool {
    let sides = [columns, rows].map(|radices| radices.iter().product::<usize>());
    sides.iter().all(|side| side.is_multiple_of(W::LANES) && side * W::LANES * 2 * size_of::<F>() <= STRIP)
}

/// The products of [`Vectors::multiply`] by an instruction set.
fn multiply<F: Number + Pod, W: Wide<F>>(
    wide: W,
    x: Option<&[Complex<F>]>,
    factors: &[Complex<F>],
    to: &mut [Complex<F>],
) {
    let x: Option<&[F]> = x.map(|x| bytemuck::cast_slice(x));
    let (factors, to) = (bytemuck::cast_slice::<_, F>(factors), bytemuck::cast_slice_mut::<_, F>(to));
    wide.call(Products { wide, x, factors, to });
}

/// A rectangle of vectors as a line, with buffers of each task if it is shared out.
struct LaneLine<F, W> {
    wide: W,
    rectangle: Rectangle<F>,
    buffers: Scratch<Complex<F>>,
}

impl<F: Number + Data, W: Wide<F>> LaneLine<F, W>
where
    Complex<F>: Element,
{
    fn new(wide: W, sides: &LaneSides, direction: Direction) -> Self {
        let rectangle = Rectangle::new(&sides.columns, &sides.rows, W::LANES, direction);
        Self { wide, rectangle, buffers: Scratch::default() }
    }

    fn with_buffer(&self, work: impl FnOnce(&mut [F])) {
        self.buffers.with(self.rectangle.buffer_len() / 2 + 1, |buffer| work(bytemuck::cast_slice_mut(buffer)));
    }

    /// The columns, from the line to between the passes.
    fn columns(&self, tasks: usize, input: &[F], (between, pitch): (&mut [F], usize), buffer: &mut [F]) {
        let (rectangle, [strips, _]) = (&self.rectangle, self.rectangle.strips());
        let per = strips.div_ceil(tasks);
        if per == strips {
            return rectangle.columns(self.wide, Columns { strips: 0..strips, input, between, pitch }, buffer);
        }
        let part = |strips, between: &mut [F]| {
            self.with_buffer(|buffer| rectangle.columns(self.wide, Columns { strips, input, between, pitch }, buffer));
        };
        let parts = between.chunks_mut(per * W::LANES * pitch).take(strips.div_ceil(per)).collect();
        parallel::each_of(parts, &|i, between| part(i * per..strips.min((i + 1) * per), between));
    }

    /// The rows, from there to the line, or where they are.
    fn rows(
        &self,
        tasks: usize,
        between: Option<&[F]>,
        output: &mut [F],
        buffer: &mut [F],
        finish: Finish<'_, Complex<F>>,
    ) {
        let (rectangle, [_, strips]) = (&self.rectangle, self.rectangle.strips());
        let per = strips.div_ceil(tasks);
        if per == strips {
            let whole = Rows::Apart(&mut *output, rectangle.row());
            rectangle.rows(self.wide, RowPart { strips: 0..strips, between, output: whole }, buffer);
            return finish(bytemuck::cast_slice_mut(output));
        }
        let part = |strips, output: Rows<'_, '_, F>| {
            self.with_buffer(|buffer| rectangle.rows(self.wide, RowPart { strips, between, output }, buffer));
        };
        let count = strips.div_ceil(per);
        let mut parts: Vec<Vec<&mut [F]>> = (0..count).map(|_| Vec::with_capacity(rectangle.count())).collect();
        for row in output.chunks_mut(rectangle.row()) {
            parts.iter_mut().zip(row.chunks_mut(per * rectangle.width())).for_each(|(part, piece)| part.push(piece));
        }
        parallel::each_of(parts, &|i, mut rows| {
            part(i * per..strips.min((i + 1) * per), Rows::Each(&mut rows, 0));
            rows.into_iter().for_each(|piece| finish(bytemuck::cast_slice_mut(piece)));
        });
    }

    /// From one line to another, or where it is.
    fn transform(
        &self,
        input: Option<&[Complex<F>]>,
        line: &mut [Complex<F>],
        scratch: &mut [Complex<F>],
        finish: Finish<'_, Complex<F>>,
    ) {
        let (between, buffer) = scratch.split_at_mut(self.rectangle.between_len() / 2 + 1);
        let (between, buffer) = (aligned(bytemuck::cast_slice_mut(between)), bytemuck::cast_slice_mut(buffer));
        let tasks = match threads::current() {
            1 => 1,
            threads => (TASKS * threads).min(size_of_val(line) / TASK).max(1),
        };
        if let Some(input) = input.filter(|_| self.rectangle.waits_in_output(tasks)) {
            let (input, output) = (bytemuck::cast_slice(input), bytemuck::cast_slice_mut(line));
            self.columns(tasks, input, (&mut *output, self.rectangle.row()), buffer);
            return self.rows(tasks, None, output, buffer, finish);
        }
        self.columns(
            tasks,
            bytemuck::cast_slice(input.unwrap_or(line)),
            (&mut *between, self.rectangle.pitch()),
            buffer,
        );
        self.rows(tasks, Some(between), bytemuck::cast_slice_mut(line), buffer, finish);
    }
}

impl<F: Number + Data, W: Wide<F>> Line<Complex<F>> for LaneLine<F, W>
where
    Complex<F>: Element,
{
    fn len(&self) -> usize {
        self.rectangle.len()
    }
    fn scratch_len(&self) -> usize {
        self.rectangle.between_len() / 2 + 1 + self.rectangle.buffer_len() / 2 + 1
    }
    fn in_place(&self, lines: &mut [Complex<F>], scratch: &mut [Complex<F>], finish: Finish<'_, Complex<F>>) {
        lines.chunks_exact_mut(self.len()).for_each(|line| self.transform(None, line, scratch, finish));
    }
    fn out_of_place(
        &self,
        input: &[Complex<F>],
        output: &mut [Complex<F>],
        scratch: &mut [Complex<F>],
        finish: Finish<'_, Complex<F>>,
    ) {
        let lines = input.chunks_exact(self.len()).zip(output.chunks_exact_mut(self.len()));
        lines.for_each(|(input, output)| self.transform(Some(input), output, scratch, finish));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::{Measured, Method, check_by};
    use crate::algebra::NumericRing;
    use crate::plan::host::{column_radices, lane_sides};

    /// The L2 error in units of u·√log2 n; in place and out of place are the same to the bit.
    fn error<F: Vectors + Number + Data>(n: usize, direction: Direction) -> Option<f64>
    where
        Complex<F>: Element + Measured + NumericRing + PartialEq,
    {
        let line = F::line(&lane_sides(n)?, direction)?;
        let transform = |x: &[Complex<F>]| {
            let (mut y, mut z) = (x.to_vec(), vec![Complex::<F>::default(); x.len()]);
            let mut scratch = vec![Complex::<F>::default(); line.scratch_len()];
            line.in_place(&mut y, &mut scratch, &|_| {});
            line.out_of_place(x, &mut z, &mut scratch, &|_| {});
            assert!(y == z, "{n} points in place and out of place");
            Ok(y)
        };
        Some(check_by(Method::Reference, transform, n, direction, 1).unwrap().l2_units)
    }

    fn check(n: usize, limit: f64) {
        for direction in [Direction::Forward, Direction::Inverse] {
            // Nothing, where the processor has no vectors.
            for error in [error::<f32>(n, direction), error::<f64>(n, direction)].into_iter().flatten() {
                assert!(error <= limit, "{n}: {error} u·√log2 n");
            }
        }
    }

    #[test]
    fn lengths_of_small_primes_are_accurate() {
        // Sides that fill vectors, or not, or are one; stages of every radix.
        for n in [15, 64, 77, 360, 1 << 11, 3 << 9, 2197, 5040, 6561, 10_000, 14_641, 1 << 15] {
            check(n, 0.85);
        }
        for n in [17 * 31, 19 * 8, 23 * 29, 31 * 31, 17 << 7, 29 * 64] {
            check(n, 1.0);
        }
    }

    /// Short and long vectors, where the processor has both.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn vectors_of_both_lengths_agree() {
        let (Some(short), Some(long)) = (wide::known(), wide::long()) else { return };
        for n in [1 << 10, 1 << 12, 3 << 13, 15 << 12] {
            let sides = lane_sides(n).unwrap();
            assert!(fills::<f32, _>(long, &sides), "{sides:?}");
            for direction in [Direction::Forward, Direction::Inverse] {
                let x: Vec<_> = (0..n).map(|j| Complex::new((j * j % 1009) as f32, (j % 31) as f32)).collect();
                let of = |line: &dyn Line<Complex<f32>>| {
                    let (mut y, mut scratch) = (x.clone(), vec![Complex::default(); line.scratch_len()]);
                    line.in_place(&mut y, &mut scratch, &|_| {});
                    y
                };
                let (a, b) =
                    (of(&LaneLine::new(short, &sides, direction)), of(&LaneLine::new(long, &sides, direction)));
                assert!(a == b, "{n} points: the same operations, of which each is rounded alike");
            }
        }
    }

    #[test]
    fn columns_are_lines_side_by_side() {
        for n in [16, 36, 77, 100, 512, 961, 1000] {
            let radices = column_radices(n).unwrap();
            for direction in [Direction::Forward, Direction::Inverse] {
                let (Some(columns), Some(line)) =
                    (f64::columns(&radices, direction), f64::line(&lane_sides(n).unwrap(), direction))
                else {
                    return;
                };
                let width = columns.together();
                let value = |i: usize| Complex::new((i * i % 1009) as f64, (i % 31) as f64);
                let from: Vec<_> = (0..n * width).map(value).collect();
                let (mut to, mut scratch) = (from.clone(), vec![Complex::default(); 2 * n * width]);
                columns.transform(&from, &mut to, &mut scratch);
                let mut scratch = vec![Complex::default(); line.scratch_len()];
                for column in 0..width {
                    let mut expected: Vec<_> = (0..n).map(|j| from[j * width + column]).collect();
                    line.in_place(&mut expected, &mut scratch, &|_| {});
                    let size = expected.iter().map(|x| x.norm_sqr()).sum::<f64>();
                    let off = (0..n).map(|j| (to[j * width + column] - expected[j]).norm_sqr()).sum::<f64>();
                    assert!(off <= 1e-30 * size, "column {column} of {n} points: {off} of {size}");
                }
            }
        }
    }

    #[test]
    fn threads_change_nothing() {
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        // The last one's columns wait in the output.
        for n in [1 << 15, 9 * 5 * 7 * 11 * 13, 25 << 11, 3 << 17] {
            let Some(line) = f64::line(&lane_sides(n).unwrap(), Direction::Forward) else { return };
            let x: Vec<_> = (0..n).map(|j| Complex::new((j * j % 1009) as f64, (j % 31) as f64)).collect();
            let of = |threads| {
                let (mut y, mut scratch) = (x.clone(), vec![Complex::default(); line.scratch_len()]);
                let halved = |part: &mut [Complex<f64>]| part.iter_mut().for_each(|x| *x *= 0.5);
                pool(threads).install(|| line.in_place(&mut y, &mut scratch, &halved));
                let mut z = vec![Complex::default(); n];
                pool(threads).install(|| line.out_of_place(&x, &mut z, &mut scratch, &halved));
                assert!(y == z, "{n} points in place and out of place, on {threads} threads");
                y
            };
            assert!(of(1) == of(3), "{n} points on one thread and on three");
        }
    }
}
