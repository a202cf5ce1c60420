//! The half spectra of planes of real numbers, two of which make a point along the last dimension: as in [lines](super::mirror), but
//! that points have their images along both dimensions.
//!
//! For R rows and n columns, h of one dimension being half as many as there are numbers, Z*_{−k,h−p} takes the place of Z*_{h−p}. So
//! what p = 0 makes is not alone where k is other than its image: X_{k,0} and X_{k,h} come of Z_{k,0} and Z_{−k,0}. And back, of
//! X_{k,0} and X_{k,h} only what real lines make counts: (X_{k,0} + X*_{−k,0})/2, and so of h.

use crate::algebra::{DoubleDouble, Scalar};
use crate::kernel::ir::{Memory, Op, Type};
use crate::kernel::symbol::{Symbol, all_of};
use crate::plan::held::Threads;
use crate::plan::{Ends, Lanes};
use crate::transform::Side;

use super::ends::{Point, Stored};
use super::mirror::Slot;
use super::{Lowering, Number, Place};

/// A slot, and more of it.
pub(super) struct SlotOfPlane {
    pub slot: Slot,
    /// Row R − i for row i, and 0 for 0.
    opposite_row: Symbol,
    /// Whether the row of its first point is 0, or R/2 of it, where that may be.
    is_edge: Option<Symbol>,
    /// Whether it is of column 0.
    is_zero: Symbol,
    /// Whether its column is another than its image.
    is_pair: Symbol,
}

impl Lowering<'_> {
    /// A thread's slot of that number.
    pub(super) fn slot_of_plane(&self, lanes: Lanes, number: usize) -> SlotOfPlane {
        let ((slots, threads), columns) = (self.pass.slots(), self.pass.counted_in_tile());
        let thread = self.context.value(Type::U32, Op::Thread);
        let threads_of = Threads { of_column: threads, of_all: self.pass.group() };
        let (lane, column) = threads_of.number_and_column(&thread, columns, lanes);
        let (r, at) = (self.pass.radix, lane.plus(threads * number));
        let (exists, at) = if threads * (number + 1) <= slots {
            (None, at)
        } else {
            (Some(at.less_than(&self.integer(slots))), at.min(&self.integer(slots - 1)))
        };
        let digit = self.counted_digits(&column).0.swap_remove(0);
        let (is_own_image, is_pair) = (digit.equals(0), self.context.integer(self.index_type, 0).less_than(&digit));
        // Columns 0 and n/2 have half as many slots each.
        let (middle, behind) = (r / 2, column.plus(columns));
        let is_middle = self.integer(middle - 1).less_than(&at).and(&is_own_image);
        let is_zero = at.less_than(&self.integer(middle)).and(&is_own_image);
        let own_row = is_middle.select(&at.sub(&self.integer(middle)), &at);
        let own_column = is_middle.select(&behind, &column);
        let may_be_edge = number == 0 || (threads * number..threads * (number + 1)).contains(&middle);
        let is_edge = may_be_edge.then(|| own_row.equals(0));
        let opposite_row = self.less(r, &own_row);
        let opposite_row = match &is_edge {
            Some(is_edge) => is_edge.select(&self.integer(0), &opposite_row),
            None => opposite_row,
        };
        let is_first = is_edge.as_ref().map(|is_edge| is_edge.and(&is_own_image));
        let image_row = match &is_first {
            Some(is_first) => is_first.select(&self.integer(middle), &opposite_row),
            None => opposite_row.clone(),
        };
        let image_column = is_own_image.select(&own_column, &behind);
        let place = |row: Symbol, column: Symbol| Place { exists: exists.clone(), ..Place::of(row, 0, column) };
        let slot = Slot { own: place(own_row, own_column), image: place(image_row, image_column), is_first };
        SlotOfPlane { slot, opposite_row, is_edge, is_zero, is_pair }
    }

    fn slots_of_plane(&self, lanes: Lanes) -> impl Iterator<Item = SlotOfPlane> {
        (0..self.pass.slots_of_thread()).map(move |number| self.slot_of_plane(lanes, number))
    }

    /// The points of the DFT, from those of the half spectrum. Rows are of the first dimension.
    pub(super) fn load_plane(&self, ends: &Ends, lanes: Lanes) -> Vec<Number> {
        let two = |re, im| Number::from_components(self.algebra(), vec![re, im]);
        let half = |x: Symbol| x.times_exactly(DoubleDouble::from(0.5));
        let pair = |of: SlotOfPlane| {
            let SlotOfPlane { slot, opposite_row, is_zero, .. } = of;
            let own = self.point(ends, &slot.own, Side::Input);
            let opposite = self.point(ends, &Place::of(opposite_row, 0, slot.own.column.clone()), Side::Input);
            let image = self.less(ends.points, &own.number);
            let read = |of: &Point, number, exists| self.read_half(ends, of, number, exists);
            let (a, b) = (read(&own, &own.number, None), read(&opposite, &image, None));
            // Column 0 has those of points 0 and h of all rows.
            let (c, d) = (read(&opposite, &own.number, Some(&is_zero)), read(&own, &image, Some(&is_zero)));
            let of_real = |x: &[Symbol], y: &[Symbol]| {
                let both = [half(x[0].add(&y[0])), half(x[1].sub(&y[1]))];
                [0, 1].map(|part| is_zero.select(&both[part], &x[part]))
            };
            let (sum, difference) = Self::sum_and_difference([&of_real(&a, &c), &of_real(&b, &d)]);
            let turned = self.turned_difference(&self.root_of_point(ends, &slot.own), difference);
            let own_point = two(sum[0].sub(&turned[1]), sum[1].add(&turned[0]));
            let image_point = [sum[0].add(&turned[1]), turned[0].sub(&sum[1])];
            let image_point = match slot.is_first {
                Some(is_first) => {
                    // Row R/2 of a column that is its own image is its own, too.
                    let row = self.point(ends, &Place::of(slot.image.row, 0, slot.own.column), Side::Input);
                    let (e, f) = (read(&row, &own.number, Some(&is_first)), read(&row, &image, Some(&is_first)));
                    let im = is_zero.select(&e[0].sub(&f[0]), &e[1].add(&f[1]).neg());
                    let alone = [e[0].add(&f[0]), im];
                    [0, 1].map(|part| is_first.select(&alone[part], &image_point[part]))
                }
                None => image_point,
            };
            let [re, im] = image_point;
            (own_point, two(re, im))
        };
        let (own, images): (Vec<_>, Vec<_>) = self.slots_of_plane(lanes).map(pair).unzip();
        own.into_iter().chain(images).collect()
    }

    /// The points of the half spectrum, from those of the DFT. Rows are of the last dimension.
    pub(super) fn store_plane(&self, ends: &Ends, lanes: Lanes, rows: Vec<Number>) {
        let rows: Vec<Vec<Symbol>> = rows.into_iter().map(|x| x.into_components()).collect();
        let (owns, images) = rows.split_at(rows.len() / 2);
        let half = |x: Symbol| x.times_exactly(DoubleDouble::from(0.5));
        let mut stored: Vec<Stored> = Vec::new();
        for ((of, own), image) in self.slots_of_plane(lanes).zip(owns).zip(images) {
            let SlotOfPlane { slot, is_edge, is_pair, .. } = of;
            let [at, of_image] = [&slot.own, &slot.image].map(|place| self.point(ends, place, Side::Output));
            let exists = all_of([at.exists.clone(), slot.own.exists.clone()]);
            // Row 0 of a column that is its own image is its own, too.
            let other = |c: usize| match &slot.is_first {
                Some(is_first) => is_first.select(&own[c], &image[c]),
                None => image[c].clone(),
            };
            let (sum, difference) = Self::sum_and_difference([own, &[other(0), other(1)]]);
            let turned = self.turned_difference(&self.root_of_point(ends, &slot.own), difference);
            let low = [half(sum[0].add(&turned[1])), half(sum[1].sub(&turned[0]))];
            let high = [half(sum[0].sub(&turned[1])), half(sum[1].add(&turned[0])).neg()];
            let mut store = |of: &Point, number: &Symbol, x: &[Symbol; 2], exists: Option<Symbol>| {
                let index = self.index_of(ends.strides.1, &of.base, number);
                stored.push(Stored { index, components: x.to_vec(), exists });
            };
            store(&at, &at.number, &low, exists.clone());
            store(&of_image, &self.less(ends.points, &at.number), &high, exists.clone());
            let (Some(is_edge), Some(is_first)) = (is_edge, slot.is_first) else { continue };
            // Rows 0 and R/2 of a column that is its own image, or rows 0 and h of both columns.
            let at_edge = all_of([exists.clone(), Some(is_edge)]);
            let between = [0, 1].map(|part| is_first.select(&image[part], &low[part]));
            let number = is_first.select(&self.integer(ends.points / 2), &self.integer(0));
            store(&of_image, &number, &[between[0].clone(), between[1].neg()], at_edge.clone());
            let at_pair = all_of([at_edge, Some(is_pair)]);
            store(&at, &self.integer(ends.points), &[high[0].clone(), high[1].neg()], at_pair);
        }
        // All is computed before anything is stored.
        for Stored { index, components, exists } in stored {
            self.context.store(Memory::Target, &index, &components, exists.as_ref());
        }
    }
}
