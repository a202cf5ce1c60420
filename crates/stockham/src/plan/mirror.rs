//! Passes at the half spectrum of real numbers, two of which make a point: threads hold points two at a time, p and its mirror
//! image h − p of h.
//!
//! Point p = i·`row` + K is row i of column K. The image of column K > 0 is column `row` − K, with its rows from the last to the
//! first; columns 0 and `row`/2 are their own images. So a tile has some of the first half of the columns, and their images behind
//! them. A slot is two points, or points 0 and h/2, which have no others.
//!
//! Columns of two digits, K = k_0 + R_0·k_1, are counted by half of the values of the first: those of k_0 = 0 have their images
//! among themselves, and so have those of k_0 = R_0/2, which are counted behind them.
//!
//! The image of row i of column K of a plane of R rows and n columns is row R − i of column n − K, modulo both. So columns 0 and
//! n/2 are their own images, and slot 0 of them is points 0 and R/2.
//!
//! In an array in one tile the image of point k of line l is point h − k of line −l, whose digits are all negated. A line has h/2 slots, whose
//! first points are 0 to h/2 − 1. But of two lines that are each other's images the second one has point h/2 of both in the place of
//! point 0; and of a line that is its own, point h/2 stands behind point 0.

use crate::error::{Error, Result};

use super::ends::Ends;
use super::held::Threads;
use super::index::reversed;
use super::pass::Holding;
use super::recipe::{Lanes, Pass};

impl Pass {
    /// Whether it reads points of a half spectrum, or writes such, two at a time.
    pub(crate) fn is_mirrored(&self) -> bool {
        self.ends.as_ref().is_some_and(|ends| ends.mirrored != [false; 2])
    }

    /// Whether the columns of a tile are some and their images.
    pub(crate) fn has_images(&self) -> bool {
        let filters_columns = |ends: &Ends| self.filter && ends.packed && ends.has_digits();
        self.ends.as_ref().is_some_and(|ends| ends.has_images() || filters_columns(ends))
    }

    /// Whether points have their images along both dimensions of a plane.
    pub(crate) fn is_of_plane(&self) -> bool {
        self.ends.as_ref().is_some_and(|ends| ends.plane)
    }

    /// The values of the second digit of columns that have two and images.
    pub(crate) fn second_digit(&self) -> Option<usize> {
        let digits = self.ends.as_ref().filter(|_| self.has_images()).map(|ends| &ends.digits)?;
        digits.get(1).filter(|points| **points > 0).and_then(|_| self.columns.get(1)).map(|column| column.n)
    }

    /// Columns of a tile that work-groups count: without images.
    pub(crate) fn counted_in_tile(&self) -> usize {
        if self.has_images() { self.tile.columns / 2 } else { self.tile.columns }
    }

    /// Values of the first digit that work-groups count: those that have images, and the first.
    pub(crate) fn counted_values(&self) -> usize {
        let n = self.columns.first().map_or(1, |column| column.n);
        if self.has_images() { n.div_ceil(2) } else { n }
    }

    /// Slots of a column and its image, or of a column that is its own, and threads that share them.
    pub(crate) fn slots(&self) -> (usize, usize) {
        if self.has_images() {
            (self.radix, 2 * self.threads_per_column())
        } else {
            (self.radix.div_ceil(2), self.threads_per_column())
        }
    }

    /// Slots of a thread.
    pub(crate) fn slots_of_thread(&self) -> usize {
        let (slots, threads) = self.slots();
        slots.div_ceil(threads.max(1))
    }

    /// The row and column of a register: of so many slots the first points, then their images. Those of column 0 are as if it
    /// were another: threads learn that when they run.
    pub(super) fn held_in_slots(&self, lanes: Lanes, v: usize, thread: usize) -> (usize, usize) {
        // Where there are none, the recipe is refused.
        let ((slots, threads), columns) = (self.slots(), self.counted_in_tile().max(1));
        let of = Threads { of_column: threads, of_all: self.group() };
        let (number, column) = of.number_and_column(&thread, columns, lanes);
        let of_thread = self.slots_of_thread();
        let slot = (number + v % of_thread * threads).min(slots - 1);
        if let Some(rows) = self.rows_of_slot(slot) {
            return (reversed(&rows[v / of_thread], self.reversed_at_slots()), column);
        }
        match (v < of_thread, self.has_images()) {
            (true, _) => (slot, column),
            (false, true) if self.is_of_plane() => ((self.radix - slot) % self.radix, column + columns),
            (false, true) => (self.radix - 1 - slot, column + columns),
            (false, false) if slot == 0 => (self.radix / 2, column),
            (false, false) => (self.radix - slot, column),
        }
    }

    /// Of an array in one tile: the lengths in whose order rows are at slots before the first stage; none behind the last one, where they
    /// are as in memory.
    pub(crate) fn reversed_at_slots(&self) -> &[usize] {
        if self.ends.as_ref().is_some_and(|ends| ends.mirrored[0]) { &self.array } else { &[] }
    }

    /// The rows of a slot's points in an array in one tile, as they lie in memory.
    fn rows_of_slot(&self, slot: usize) -> Option<[usize; 2]> {
        let ends = self.ends.as_ref().filter(|ends| !ends.lines.is_empty())?;
        let (h, k) = (ends.points, slot % (ends.points / 2));
        let line = slot / (h / 2);
        let (mut rest, mut opposite, mut below) = (line, 0, 1);
        for n in ends.lines.iter().rev() {
            opposite += (n - rest % n) % n * below;
            (rest, below) = (rest / n, below * n);
        }
        let k = if k == 0 && line > opposite { h / 2 } else { k };
        let image = if k == 0 && line == opposite { h / 2 } else { (h - k) % h };
        Some([line * h + k, opposite * h + image])
    }

    /// In a launch of clusters: the work-group that takes a row of the first pass as a column of this one, and that column among
    /// those of the tile, for a value of the digit that is not shared out. Values 0 and n/2 of that, which have their images among
    /// themselves, are counted as others here.
    pub(crate) fn column_of_row(&self, row: usize, other: usize) -> (usize, usize) {
        let Some(share) = self.hopper.share.filter(|share| share.values > 0) else { return (0, row) };
        let (n, half) = (self.columns[share.digit].n, share.values / 2);
        let (value, of_work_group) = match (self.has_images(), self.half_of_wide()) {
            (false, _) => (row, share.values),
            (true, Some(half)) => (if other < half { row } else { n - 1 - row }, share.values),
            (true, None) => {
                // The value in the middle is behind value 0.
                let value = if row < n / 2 { row } else { (n - row) % (n / 2) };
                let shared = value % half + if row < n / 2 { 0 } else { half };
                return (value / half, self.column_of_parts(shared, other));
            }
        };
        (value / of_work_group, self.column_of_parts(value % of_work_group, other))
    }

    /// What threads hold in slots, if they do so when they load, or when they store.
    pub(super) fn slots_at(&self, side: usize, lanes: Lanes) -> Option<Holding> {
        let is_mirrored = self.ends.as_ref().is_some_and(|ends| ends.mirrored[side]);
        (is_mirrored && !self.has_images_in_stage(side)).then_some(Holding::Slots(lanes))
    }

    /// Checks that a pass at a half spectrum has tiles that its slots are counted for.
    pub(super) fn check_mirrors(&self) -> Result<()> {
        let tile = &self.tile;
        let is_flat = [tile.load, tile.store].contains(&Lanes::Flat) && self.array.is_empty();
        let is_plain = !self.convolves() && tile.rounds.slices == 1 && !is_flat && !tile.stages.is_empty();
        // Where there are two digits, both are halved.
        let is_halved = self.second_digit().is_none_or(|n| n.is_multiple_of(2) && self.columns[0].n.is_multiple_of(2));
        let first = if self.has_images() { 2 } else { 0 };
        let others_are_batch = |digits: &[usize]| digits.iter().skip(first).all(|points| *points == 0);
        let is_even = !self.has_images() || tile.columns.is_multiple_of(2) && tile.columns > 0;
        let is_even = is_even
            && (!self.is_of_plane()
                || !self.array.is_empty()
                || [self.radix, self.columns[0].n].iter().all(|n| n.is_multiple_of(2)));
        let fits = is_plain && is_even && is_halved;
        if !self.is_mirrored() || fits && self.ends.as_ref().is_some_and(|ends| others_are_batch(&ends.digits)) {
            return Ok(());
        }
        Err(Error::InvalidTransform(
            "a pass at the half spectrum of pairs has its columns and their images in one tile, in one slice".into(),
        ))
    }
}
