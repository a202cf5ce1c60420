//! What a pass reads and writes: its rows, its columns, and the factors on them, before it is known how a work-group takes them.

use crate::algebra::Algebra;
use crate::transform::{Dim, Kind, Transform};

use super::across::{self, across};
use super::cost::Limits;
use super::domain;
use super::ends::{self, Ends};
use super::plane;
use super::recipe::{Column, Lanes, Twiddle};
use super::twiddles::TwiddleSource;

/// What a pass reads and writes, before it is known how.
pub(super) struct Shape {
    pub radix: usize,
    pub array: Vec<usize>,
    pub ends: Option<Ends>,
    pub row_strides: (usize, usize),
    pub columns: Vec<Column>,
    pub twiddle: Option<Twiddle>,
    /// For the middle pass of a [convolution](super::long_chirp): the length of the chirp.
    pub middle: Option<usize>,
    /// Whether it is a transform there and back.
    pub filter: bool,
}

impl Shape {
    pub fn of(transform: &Transform, radices: &[usize], a: usize) -> Self {
        if transform.dims.len() > 1 {
            return if radices.len() == 1 { Self::of_array(transform) } else { Self::of_plane(transform, a) };
        }
        let (dim, last) = (transform.dims[0], radices.len() - 1);
        let inner: usize = radices[a + 1..].iter().product();
        let before: usize = radices[..a].iter().product();
        // In the workspace the transforms are packed, those side by side as neighbours; input and output have the caller's
        // strides. One pass has all columns in the order of their distances.
        let beside = across(transform).filter(|_| last > 0);
        let lines = beside.map_or(1, |number| transform.batch[number].n);
        let input_unit = if a == 0 { dim.input_stride } else { lines };
        let output_unit = if a == last { dim.output_stride } else { lines };
        let mut columns = Vec::new();
        columns.extend(beside.map(|number| across::column(&transform.batch[number], (a == 0, a == last))));
        let first_digit = columns.len();
        if a < last {
            // The digits inside i_a, as one: neighbours in the source and in the target.
            columns.push(Column { n: inner, input_stride: input_unit, output_stride: output_unit, weight: 0 });
        }
        for b in 0..a {
            // k_b stands where i_b stood, except that the last pass writes the final order.
            let place = radices[b + 1..].iter().product::<usize>() * lines;
            let weight: usize = radices[..b].iter().product();
            let output_stride = if a == last { weight * output_unit } else { place };
            columns.push(Column { n: radices[b], input_stride: place, output_stride, weight });
        }
        let mut packed = before * radices[a] * inner * lines;
        let others = transform.batch.iter().enumerate().filter(|(number, _)| Some(*number) != beside);
        for (_, d) in others.rev() {
            let input_stride = if a == 0 { d.input_stride } else { packed };
            let output_stride = if a == last { d.output_stride } else { packed };
            columns.push(Column { n: d.n, input_stride, output_stride, weight: 0 });
            packed *= d.n;
        }
        if last == 0 {
            // Only batch digits: the one whose values lie closest together comes first.
            columns.sort_by_key(|c| c.input_stride.min(c.output_stride));
        }
        if columns.is_empty() {
            columns.push(Column { n: 1, input_stride: 0, output_stride: 0, weight: 0 });
        }
        let output_row = if a == last { before } else { inner };
        let mut row_strides = (inner * input_unit, output_row * output_unit);
        if !transform.domain.is_plain() {
            let (places, digit) = ([a == 0, a == last], (a < last).then_some(first_digit));
            domain::reverse(transform, places, (input_unit, output_unit), &mut row_strides, (digit, &mut columns));
        }
        let ends = ends::of(transform, (before, radices[a], inner), (a, last), first_digit, &columns);
        let order = before * radices[a];
        let odd = domain::has_odd_twiddles(transform);
        let split = twiddle_split(if odd { 2 * order } else { order }, transform.algebra);
        Self {
            radix: radices[a],
            array: Vec::new(),
            ends,
            row_strides,
            columns,
            // The circle's factors are within the passes.
            twiddle: (a > 0 && transform.domain.circle.is_none()).then_some(Twiddle {
                order,
                split,
                source: TwiddleSource::Tables,
                odd,
            }),
            middle: None,
            filter: transform.is_filtered(),
        }
    }

    /// Whether it is all of a transform of lines, once, whose points are not turned at the ends: factors there take registers.
    pub fn is_whole(&self) -> bool {
        let has_turns = self.ends.as_ref().is_some_and(|ends| ends.turns != [None; 2]);
        let has_more = self.twiddle.is_some() || self.middle.is_some() || self.filter;
        self.array.is_empty() && !has_turns && !has_more && !self.has_images()
    }

    /// Whether it has whole lines as they lie in memory, of real numbers or of a length that is no power of two.
    pub fn is_line(&self, limits: &Limits) -> bool {
        let rows_only = self.lanes() == (Lanes::Rows, Lanes::Rows);
        (self.has_reals() || !self.radix.is_power_of_two()) && rows_only && self.is_whole() && !limits.is_exact
    }

    /// Whether its points, or their spectra, are real numbers, each of which is a point.
    pub fn has_reals(&self) -> bool {
        self.ends.as_ref().is_some_and(|ends| !ends.packed && ends.chirp.is_none() && ends.turns == [None; 2])
    }

    /// The pass of an array in one [tile](super::volume), as it lies in memory. Of real numbers two make a point along the last
    /// dimension, and rows are as far apart as lines are.
    fn of_array(transform: &Transform) -> Self {
        let pairs = ends::pairs(transform).filter(|_| transform.kind == Kind::Real);
        let points = pairs.unwrap_or(transform.points());
        let of_dim =
            |d: &Dim| Column { n: d.n, input_stride: d.input_stride, output_stride: d.output_stride, weight: 0 };
        let mut columns: Vec<Column> = transform.batch.iter().rev().map(of_dim).collect();
        if columns.is_empty() {
            columns.push(Column { n: 1, input_stride: points, output_stride: points, weight: 0 });
        }
        let mut array: Vec<usize> = transform.dims.iter().map(|dim| dim.n).collect();
        let mut row_strides = (1, 1);
        if let ([.., line, _], Some(last), Some(_)) = (&transform.dims[..], array.last_mut(), pairs) {
            *last /= 2;
            row_strides = (line.input_stride, line.output_stride);
        }
        Self {
            radix: points,
            array,
            ends: pairs.and_then(|_| ends::of_array(transform, &columns)),
            row_strides,
            columns,
            twiddle: None,
            middle: None,
            filter: false,
        }
    }

    /// The passes of a [plane](super::plane), one a dimension.
    fn of_plane(transform: &Transform, a: usize) -> Self {
        let [(first, of_first), (second, of_second)] = plane::dims(transform).expect("a plane has two dimensions");
        let mut packed = of_first * of_second;
        let (radix, row_strides, column) = match a {
            0 => {
                let column = Column { n: of_second, input_stride: second.input_stride, output_stride: 1, weight: 0 };
                (of_first, (first.input_stride, of_second), column)
            }
            _ => {
                let output_stride = first.output_stride;
                let column = Column { n: of_first, input_stride: of_second, output_stride, weight: 0 };
                (of_second, (1, second.output_stride), column)
            }
        };
        let batch = transform.batch.iter().rev().map(|d| {
            let input_stride = if a == 0 { d.input_stride } else { packed };
            let output_stride = if a == 0 { packed } else { d.output_stride };
            packed *= d.n;
            Column { n: d.n, input_stride, output_stride, weight: 0 }
        });
        let columns: Vec<Column> = [column].into_iter().chain(batch).collect();
        let ends = ends::of_plane(transform, a, &columns);
        Self { radix, array: Vec::new(), ends, row_strides, columns, twiddle: None, middle: None, filter: false }
    }

    /// Whether columns have [images](super::mirror).
    pub fn has_images(&self) -> bool {
        self.ends.as_ref().is_some_and(Ends::has_images)
    }

    /// Of a pass that has whole lines of pairs of real numbers, and nothing else: the side on which their half spectrum is.
    pub fn lines_of_pairs(&self) -> Option<[bool; 2]> {
        let ends = self.ends.as_ref().filter(|ends| !ends.plane && ends.points == self.radix)?;
        (ends.mirrored != [false; 2] && ends.turns == [None; 2]).then_some(ends.mirrored)
    }

    /// Whether neighbouring columns follow each other without gaps, in the source and in the target.
    pub fn is_packed(&self) -> bool {
        let column = &self.columns[0];
        let packed = |row: usize, stride: usize| row == 1 && stride == self.radix;
        self.columns.len() == 1
            && packed(self.row_strides.0, column.input_stride)
            && packed(self.row_strides.1, column.output_stride)
    }

    /// Whether it is the first or the last pass of a convolution with a chirp.
    pub fn is_end_of_chirp(&self) -> bool {
        self.ends.as_ref().is_some_and(|ends| ends.chirp.is_some())
    }

    /// Which neighbours of the threads are neighbours in the source, and in the target.
    pub fn lanes(&self) -> (Lanes, Lanes) {
        let column = &self.columns[0];
        let lanes = |row: usize, stride: usize| {
            if column.n > 1 && stride < row { Lanes::Columns } else { Lanes::Rows }
        };
        (lanes(self.row_strides.0, column.input_stride), lanes(self.row_strides.1, column.output_stride))
    }
}

/// How the roots of that order are split into tables. Where some roots are free, one table has what they leave over; but
/// a rotation takes time too, and while the table is small it has all roots.
pub(super) fn twiddle_split(order: usize, algebra: Algebra) -> usize {
    /// Bytes of it: a fraction of what second-level caches hold, and quickly computed.
    const WHOLE: usize = 4 << 20;
    let free = algebra.free_order();
    match order / free {
        _ if free == 1 => square_root_split(order),
        0 | 1 => 1,
        _ if !order.is_multiple_of(free) => order,
        _ if order * algebra.element_bytes() <= WHOLE => order,
        rest => rest,
    }
}

/// One table while it is small, then two of about √order.
pub(super) fn square_root_split(order: usize) -> usize {
    const SINGLE: usize = 1 << 10;
    if order <= SINGLE { order } else { 1 << order.ilog2().div_ceil(2) }
}
