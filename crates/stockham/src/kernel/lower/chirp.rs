//! DFTs as [convolutions with a chirp](crate::plan::chirp), in one tile: rows times the chirp, a DFT, a product with the spectrum,
//! the same DFT back, and the chirp again.

use std::ops::Range;

use crate::algebra::{Circuit, Ring, Scalar};
use crate::plan::{Ends, Holding, Method};
use crate::transform::Side;

use super::ends::Point;
use super::{Lowering, Number, POINTS, Place};
use crate::kernel::ir::{Op, Type};
use crate::kernel::symbol::Symbol;

impl Lowering<'_> {
    /// What a pass of n points, by one chirp or by several side by side, does between its load and its store.
    pub(super) fn convolve(&self, n: usize, load: Holding, rows: Vec<Number>) -> Vec<Number> {
        let start = self.pass.inner().start;
        let mut rows = self.stages(0..start, 0, rows);
        let mut input = load;
        if let Some(number) = start.checked_sub(1) {
            input = self.pass.input_of(start);
            let exchange = (number, self.pass.exchanges()[number]);
            rows = self.exchange(exchange, rows);
            rows = rows.into_iter().enumerate().map(|(v, x)| self.before_end(n, &self.held(input, v), x)).collect();
        }
        let rows = self.by_chirp(n, input, rows, true);
        let rows = self.by_spectrum(self.stages(self.pass.inner(), start, rows));
        let rows = self.stages_back(rows);
        self.by_chirp(n, self.pass.input_of_back(start), rows, false)
    }

    /// What was received at a place before the end of a chirp of n points; zero behind it.
    fn before_end(&self, n: usize, place: &Place, x: Number) -> Number {
        if place.step >= self.most_points(n) {
            return self.no_point();
        }
        self.or_zero(&self.is_row_of(n, place), x)
    }

    /// What a thread has where that holds, and zero elsewhere.
    pub(super) fn or_zero(&self, exists: &Symbol, x: Number) -> Number {
        let nothing = self.zero();
        let components = x.into_components().iter().map(|x| exists.select(x, &nothing)).collect();
        Number::from_components(self.algebra(), components).of_stored()
    }

    /// The products with the spectrum, of what the last stage gives, at the places that rows and columns
    /// have in it.
    fn by_spectrum(&self, rows: Vec<Number>) -> Vec<Number> {
        let last = self.pass.tile.stages.len() - 1;
        let m = self.pass.side_by_side();
        let product = |(v, x): (usize, Number)| {
            let place = self.place_at(self.pass.output_of(last), v);
            if self.is_in_one_launch() {
                let (number, constant) = self.number_in_spectrum(&place);
                return x.mul(&self.table(self.tables.spectrum + constant, &number));
            }
            let Place { row, step, column, .. } = place;
            let place = if m == 1 { row.plus(step) } else { row.over(m).plus(step / m) };
            if self.pass.has_spectrum_by_column() {
                let start = self.origin(&column, |c| c.input_stride).weight.times(self.pass.radix);
                return x.mul(&self.table(self.tables.spectrum, &start.add(&place)));
            }
            x.mul(&self.table(self.tables.spectrum, &place))
        };
        rows.into_iter().enumerate().map(product).collect()
    }

    /// The number in the spectrum of what the middle pass in one launch has at a place, as what depends on the thread and what does not.
    pub(super) fn number_in_spectrum(&self, place: &Place) -> (Symbol, usize) {
        let before = self.pass.before_middle();
        let weight = self.origin(&place.column, |c| c.input_stride).weight;
        (place.row.times(before).add(&weight), place.step * before)
    }

    /// Which tile of all transforms a work-group takes: those of a long convolution come in [slices](crate::plan::Recipe::slices).
    pub(super) fn tile_of_group(&self, group: Symbol) -> Symbol {
        let Some((slice, tiles)) = self.recipe.slices(self.pass) else { return group };
        let columns = self.context.value(self.index_type, Op::Argument("columns"));
        let entries = columns.over(tiles * self.pass.tile.columns);
        let (slices_before, entry) = group.over(slice).divided(&entries);
        entry.times(tiles).add(&slices_before.times(slice)).add(&group.modulo(slice))
    }

    /// What a middle pass does between its load and its store.
    pub(super) fn there_and_back(&self, rows: Vec<Number>) -> Vec<Number> {
        self.stages_back(self.by_spectrum(self.stages(self.pass.inner(), 0, rows)))
    }

    /// Whether a place is behind the end of a chirp for all threads, at these ends of the pass if there are any.
    pub(super) fn is_beyond(&self, ends: Option<&Ends>, place: &Place) -> bool {
        let in_passes = |ends: &Ends| ends.chirp.is_some_and(|n| place.step * ends.row >= self.most_points(n));
        self.pass.points_by_chirp().is_some_and(|n| place.step >= self.most_points(n)) || ends.is_some_and(in_passes)
    }

    /// Whether there is a point at a place, where it may be behind the end of a chirp.
    pub(super) fn is_in_chirp(&self, ends: &Ends, place: &Place, point: &Point) -> Option<Symbol> {
        let in_tile = self.pass.points_by_chirp().map(|n| self.is_row_of(n, place));
        let is_below = |n: usize| (!point.is_certain).then(|| self.is_before_end(n, &point.whole()));
        in_tile.or_else(|| ends.chirp.and_then(is_below))
    }

    /// A point that several passes transform, times the chirp.
    pub(super) fn by_chirp_of_point(&self, n: usize, point: &Point, x: &Number) -> Number {
        if point.is_certain {
            return x.mul(&self.table(self.tables.chirp + point.step, &point.number));
        }
        let number = point.whole().min(&self.context.integer(Type::U32, self.most_points(n) - 1));
        x.mul(&self.table(self.tables.chirp, &number))
    }

    /// [`Lowering::held`]; where all three passes are one launch, whose threads have every T-th row from their own number on, with all
    /// of a row that does not depend on the thread apart.
    pub(super) fn place_at(&self, holding: Holding, v: usize) -> Place {
        if !self.is_in_one_launch() {
            return self.held(holding, v);
        }
        let first = self.held(holding, 0);
        Place { step: self.pass.held(holding, v, 0).0, ..first }
    }

    /// Whether it is a pass of a convolution in one launch.
    pub(super) fn is_in_one_launch(&self) -> bool {
        matches!(self.recipe.method, Method::Convolution(_)) && self.pass.hopper.share.is_some()
    }

    /// The point at a place of a pass in one launch: with a constant of its number apart, and whether it is before the end of the
    /// chirp for certain. Nothing elsewhere.
    pub(super) fn point_in_one_launch(&self, ends: &Ends, place: &Place, side: Side) -> Option<Point> {
        let n = ends.chirp.filter(|_| self.is_in_one_launch())?;
        let Place { row, column, step, .. } = place;
        let step = step * ends.row;
        let digits = self.pass.columns.iter().zip(&ends.digits).map(|(column, points)| (column.n - 1) * points);
        let farthest = step + (self.pass.threads_per_column() - 1) * ends.row + digits.sum::<usize>();
        let point = self.point(ends, &Place::of(row.clone(), 0, column.clone()), side);
        Some(Point { step, is_certain: farthest < self.least_points(n), ..point })
    }

    /// What several passes give, times the chirp.
    pub(super) fn back_from_chirp(&self, ends: &Ends, holding: Holding, rows: Vec<Number>) -> Vec<Number> {
        let n = ends.chirp.expect("an end of a convolution");
        let times = |(v, x): (usize, Number)| {
            let place = self.place_at(holding, v);
            if self.is_beyond(Some(ends), &place) {
                return x;
            }
            let apart = self.point_in_one_launch(ends, &place, Side::Output);
            let point = apart.unwrap_or_else(|| self.point(ends, &place, Side::Output));
            self.by_chirp_of_point(n, &point, &x)
        };
        rows.into_iter().enumerate().map(times).collect()
    }

    /// Some stages, one after the other; the first exchange between them has that number.
    pub(super) fn stages(&self, stages: Range<usize>, first: usize, mut rows: Vec<Number>) -> Vec<Number> {
        let exchanges = self.pass.exchanges();
        for (number, s) in stages.enumerate() {
            if let Some(before) = number.checked_sub(1) {
                rows = self.exchange((first + before, exchanges[first + before]), rows);
            }
            rows = self.stage(s, rows);
        }
        rows
    }

    /// Rows times the chirp; those beyond its end are zeros, or go nowhere. Where there are some [beside](crate::plan::Pass), twiddles
    /// are in the roots of what is taken.
    fn by_chirp(&self, n: usize, holding: Holding, rows: Vec<Number>, is_taken: bool) -> Vec<Number> {
        let m = self.pass.side_by_side();
        let times = |(v, x): (usize, Number)| {
            let place = self.held(holding, v);
            if place.step >= self.most_points(n) {
                return x;
            }
            let row = self.within(n, &place);
            let row = if is_taken || m == 1 { row } else { row.over(m).times(m) };
            x.mul(&self.table(self.tables.chirp, &row))
        };
        rows.into_iter().enumerate().map(times).collect()
    }

    /// The row at a place, or the last one that a chirp of n points has in its table.
    pub(super) fn within(&self, n: usize, place: &Place) -> Symbol {
        place.row.plus(place.step).min(&self.context.integer(Type::U32, self.most_points(n) - 1))
    }

    /// The most points that a chirp of n may have in this kernel, and the fewest.
    fn most_points(&self, n: usize) -> usize {
        self.lengths.as_ref().map_or(n, |lengths| *lengths.end())
    }
    fn least_points(&self, n: usize) -> usize {
        self.lengths.as_ref().map_or(n, |lengths| *lengths.start())
    }

    /// Whether a point is before the end of a chirp of n.
    fn is_before_end(&self, n: usize, point: &Symbol) -> Symbol {
        let for_certain = point.less_than(&self.context.integer(Type::U32, self.least_points(n)));
        if self.lengths.is_none() || for_certain.known() == Some(1) {
            return for_certain;
        }
        point.less_than(&self.length_of_line().cast(Type::U32))
    }

    /// How long lines are, where that is an argument.
    fn length_of_line(&self) -> Symbol {
        self.context.value(self.index_type, Op::Argument(POINTS))
    }

    /// A digit of the pass's columns times its distance in memory: that of lines which follow each other may be an argument.
    pub(super) fn along_column(&self, digit: &Symbol, c: usize, stride: usize) -> Symbol {
        let is_of_lines = c + 1 == self.pass.columns.len() && stride == self.recipe.transform.points();
        if self.lengths.is_some() && is_of_lines { digit.mul(&self.length_of_line()) } else { digit.times(stride) }
    }

    /// A row of the n that there are, whose index is given; zero beyond them.
    pub(super) fn row_or_zero(&self, n: usize, place: &Place, index: &Symbol) -> Number {
        if place.step >= self.most_points(n) {
            return self.no_point();
        }
        self.source(Some(&self.is_row_of(n, place)), index)
    }

    /// A point of zeros.
    pub(super) fn no_point(&self) -> Number {
        Number::from_components(self.algebra(), vec![self.zero(); self.element.1])
    }

    /// Whether the row at a place is one of n.
    pub(super) fn is_row_of(&self, n: usize, place: &Place) -> Symbol {
        self.is_before_end(n, &place.row.plus(place.step))
    }
}
