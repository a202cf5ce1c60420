//! Transforms over ℂ by our own codelets over vectors.

// Other processors' vectors are not there yet.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]

mod block;
mod columns;
mod halves;
mod lane;
mod line;
mod products;
mod rectangle;
mod strip;
mod tiles;
mod wide;

use bytemuck::Pod;
use num_complex::Complex;

use crate::algebra::Direction;
use crate::plan::host::LaneSides;

use super::line::Line;
use block::LaneBlock;
pub(super) use block::{Block, Course, MOST_LINES};
pub(super) use columns::ColumnLine;
use columns::LaneColumns;
use line::LaneLine;
use products::Products;
pub(super) use rectangle::{LINE, aligned};
use strip::Number;
use wide::Wide;
pub(super) use wide::{Operation, compiled};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::{Measured, Method, check_by};
    use crate::algebra::{Data, Element, NumericRing};
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
            line.lines(None, &mut y, &mut scratch, &|_| {});
            line.lines(Some(x), &mut z, &mut scratch, &|_| {});
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
                    line.lines(None, &mut y, &mut scratch, &|_| {});
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
                    line.line(None, &mut expected, &mut scratch, &|_| {});
                    let size = expected.iter().map(|x| x.norm_sqr()).sum::<f64>();
                    let off = (0..n).map(|j| (to[j * width + column] - expected[j]).norm_sqr()).sum::<f64>();
                    assert!(off <= 1e-30 * size, "column {column} of {n} points: {off} of {size}");
                }
            }
        }
    }
}
