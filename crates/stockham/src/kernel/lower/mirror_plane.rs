//! The half spectra of planes of real numbers, two of which make a point along the last dimension: as in [lines](super::mirror), but
//! that points have their images along both dimensions. Rows of the tile are points of a line, and its columns lines.
//!
//! Of line k, for h points of n lines, Z*_{−k,h−p} takes the place of Z*_{h−p}. So what p = 0 makes is not alone where k is other than
//! −k modulo n: X_{k,0} and X_{k,h} come of Z_{k,0} and Z_{−k,0}, and so do X_{−k,0} and X_{−k,h}, their conjugates. And back, of the four
//! only what real lines make counts: (X_{k,0} + X*_{−k,0})/2, and so of h.

use crate::algebra::{DoubleDouble, Scalar};
use crate::kernel::ir::{Op, Type};
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
    /// Whether the row of its first point is 0, where that may be.
    is_edge: Option<Symbol>,
    /// Whether its column is another than its image.
    is_pair: Symbol,
}

impl Lowering<'_> {
    /// The ends of an array of lines in one tile.
    pub(super) fn lines_in_tile(&self) -> Option<&Ends> {
        self.pass.ends.as_ref().filter(|ends| !ends.lines.is_empty())
    }

    /// A thread's slot of that number in an [array](crate::plan) in one tile, whose rows are as in memory.
    fn slot_of_array(&self, ends: &Ends, lanes: Lanes, number: usize) -> SlotOfPlane {
        let (threads, h) = (self.pass.slots().1, ends.points);
        let thread = self.context.value(Type::U32, Op::Thread);
        let threads_of = Threads { of_column: threads, of_all: self.pass.group() };
        let (lane, column) = threads_of.number_and_column(&thread, self.pass.tile.columns, lanes);
        // Threads have whole butterflies of all stages, so slots are shared out evenly.
        let at = lane.plus(threads * number);
        let (line, first) = (at.over(h / 2), at.modulo(h / 2));
        let (mut rest, mut opposite, mut below) = (line.clone(), self.integer(0), 1);
        for &n in ends.lines.iter().rev() {
            let digit = rest.modulo(n);
            let negated = digit.equals(0).select(&digit, &self.less(n, &digit));
            opposite = opposite.add(&negated.times(below));
            (rest, below) = (rest.over(n), below * n);
        }
        let is_zero = first.equals(0);
        let is_behind = opposite.less_than(&line);
        let is_pair = is_behind.select(&is_behind, &line.less_than(&opposite));
        let k = is_zero.and(&is_behind).select(&self.integer(h / 2), &first);
        let is_edge = k.equals(0);
        let is_first = is_pair.select(&self.integer(0), &self.integer(1)).equals(1).and(&is_edge);
        let image = is_edge.select(&self.integer(0), &self.less(h, &k));
        let image = is_first.select(&self.integer(h / 2), &image);
        let place = |line: &Symbol, point: &Symbol| Place::of(line.times(h).add(point), 0, column.clone());
        let slot = Slot { own: place(&line, &k), image: place(&opposite, &image), is_first: Some(is_first) };
        SlotOfPlane { slot, is_edge: Some(is_edge), is_pair }
    }

    /// A thread's slot of that number.
    pub(super) fn slot_of_plane(&self, lanes: Lanes, number: usize) -> SlotOfPlane {
        if let Some(ends) = self.lines_in_tile() {
            return self.slot_of_array(ends, lanes, number);
        }
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
            None => opposite_row,
        };
        let image_column = is_own_image.select(&own_column, &behind);
        let place = |row: Symbol, column: Symbol| Place { exists: exists.clone(), ..Place::of(row, 0, column) };
        let slot = Slot { own: place(own_row, own_column), image: place(image_row, image_column), is_first };
        SlotOfPlane { slot, is_edge, is_pair }
    }

    fn slots_of_plane(&self, lanes: Lanes) -> impl Iterator<Item = SlotOfPlane> {
        (0..self.pass.slots_of_thread()).map(move |number| self.slot_of_plane(lanes, number))
    }

    /// The points of the DFT, from those of the half spectrum.
    pub(super) fn load_plane(&self, ends: &Ends, lanes: Lanes) -> Vec<Number> {
        let two = |parts: [Symbol; 2]| Number::from_components(self.algebra(), parts.to_vec());
        let half = |x: Symbol| x.times_exactly(DoubleDouble::from(0.5));
        let pair = |SlotOfPlane { slot, is_edge, .. }: SlotOfPlane| {
            let [at, of_image] = [&slot.own, &slot.image].map(|place| self.point(ends, place, Side::Input));
            let image = self.less(ends.points, &at.number);
            let read = |of: &Point, number, exists| self.read_half(ends, of, number, exists);
            let (a, b) = (read(&at, &at.number, None), read(&of_image, &image, None));
            // Points 0 and h of a line are as those of real numbers.
            let (a, b) = match &is_edge {
                Some(is_edge) => {
                    let c = read(&of_image, &at.number, Some(is_edge));
                    let d = read(&at, &image, Some(is_edge));
                    let of_real = |x: &[Symbol], y: &[Symbol]| {
                        let both = [half(x[0].add(&y[0])), half(x[1].sub(&y[1]))];
                        vec![is_edge.select(&both[0], &x[0]), is_edge.select(&both[1], &x[1])]
                    };
                    (of_real(&a, &c), of_real(&b, &d))
                }
                None => (a, b),
            };
            let [own, image] = self.joined(|| self.root_of_point(&slot.own), [&a, &b]);
            let [re, im] = match slot.is_first {
                Some(is_first) => {
                    let middle = read(&at, &self.integer(ends.points / 2), Some(&is_first));
                    let alone = [middle[0].add(&middle[0]), middle[1].add(&middle[1]).neg()];
                    [0, 1].map(|part| is_first.select(&alone[part], &image[part]))
                }
                None => image,
            };
            (two(own), two([re, im]))
        };
        let (own, images): (Vec<_>, Vec<_>) = self.slots_of_plane(lanes).map(pair).unzip();
        own.into_iter().chain(images).collect()
    }

    /// The points of the half spectrum, from those of the DFT.
    pub(super) fn store_plane(&self, ends: &Ends, lanes: Lanes, rows: Vec<Number>) {
        let rows: Vec<Vec<Symbol>> = rows.into_iter().map(|x| x.into_components()).collect();
        let (owns, images) = rows.split_at(rows.len() / 2);
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
            let [low, high] = self.halves(&slot.own, [own, &[other(0), other(1)]]);
            let mut store = |of: &Point, number: &Symbol, x: &[Symbol; 2], exists: Option<Symbol>| {
                let index = self.index_of(ends.strides.1, &of.base, number);
                stored.push(Stored::at(&index, x.to_vec(), exists));
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
        self.store_all(stored);
    }
}
