//! Butterflies with their mirror images. Of pairs of real numbers, threads want points p and h − p of h at the half spectrum.
//!
//! In the last stage butterfly b of P gives the rows b + j·P, and butterfly P − b their images; in the first stage they take them. So
//! each thread has butterflies and their images there, and nothing is exchanged: 0 and P/2, which are their own, then 1 and P − 1,
//! and so on. Where that would be more butterflies than it has otherwise, points come to [slots](super::mirror) by an exchange.
//!
//! Where columns are some and their images, at a half spectrum or in the middle of a filter in several passes, the image of butterfly b
//! of a column is butterfly P − 1 − b of the column's image, and two columns have as many pairs as one has butterflies. Column 0 has its
//! images in itself, as a line has, and so has the one in the middle, which is behind it: its butterflies b and P − 1 − b are pairs
//! P/2 + b of the two. Threads learn that when they run.

use super::cost::{self, Limits};
use super::held::{Butterfly, Threads};
use super::index::Index;
use super::pass::rows_of;
use super::recipe::{Lanes, Pass};

impl Pass {
    /// Whether it is all of a transform of lines of real numbers, two of which make a point.
    pub(crate) fn has_lines_of_pairs(&self) -> bool {
        self.ends.as_ref().is_some_and(|ends| ends.packed && !ends.plane && ends.points == self.radix)
    }

    /// Whether threads have a stage's butterflies with their images. One butterfly alone has its rows' images in itself.
    pub(crate) fn has_mirrored_butterflies(&self, stage: usize) -> bool {
        let Some(last) = self.tile.stages.len().checked_sub(1).filter(|last| *last > 0) else { return false };
        let Some(ends) = self.ends.as_ref().filter(|ends| ends.packed) else { return false };
        if self.filter {
            return stage == last;
        }
        let is_at_half = ends.mirrored[0] && stage == 0 || ends.mirrored[1] && stage == last;
        // Turns of points on top of these leave too few registers.
        let is_plain = is_at_half && !self.convolves() && ends.turns == [None; 2];
        if self.has_images() {
            return is_plain && !self.is_of_plane() && !self.hopper.swaps && self.are_whole_pairs(stage);
        }
        let is_line = is_plain && self.has_lines_of_pairs();
        is_line && spare_slots(self.radix, self.tile.per_thread, self.tile.stages[stage])
    }

    /// The same of the stage at the half spectrum of that side.
    pub(crate) fn has_images_in_stage(&self, side: usize) -> bool {
        let stage = if side == 0 { 0 } else { self.tile.stages.len().saturating_sub(1) };
        self.ends.as_ref().is_some_and(|ends| ends.mirrored[side]) && self.has_mirrored_butterflies(stage)
    }

    /// Whether those are butterflies of two columns, each the other's image.
    pub(crate) fn pairs_columns(&self, stage: usize) -> bool {
        self.has_images() && self.has_mirrored_butterflies(stage)
    }

    /// The number of a thread among those of a column, or of a column and its image if it has butterflies of both in a stage, and
    /// the column.
    pub(crate) fn number_in_stage<I: Index>(&self, stage: usize, thread: &I, lanes: Lanes) -> (I, I) {
        if !self.pairs_columns(stage) {
            return self.number_and_column(thread, lanes);
        }
        let threads = Threads { of_column: 2 * self.threads_per_column(), of_all: self.group() };
        threads.number_and_column(thread, self.counted_in_tile(), lanes)
    }

    /// The column of a thread's butterfly.
    pub(crate) fn column_in_stage<I: Index>(&self, stage: usize, column: I, u: usize) -> I {
        if self.pairs_columns(stage) && u >= self.mirrored_pairs(stage) {
            return column.increased(self.counted_in_tile());
        }
        column
    }

    /// Whether a filter's butterflies come in whole pairs of columns.
    pub(super) fn has_whole_pairs(&self) -> bool {
        let last = self.tile.stages.len().checked_sub(1).filter(|last| self.pairs_columns(*last));
        last.is_some_and(|last| self.are_whole_pairs(last))
    }

    /// Whether a stage's butterflies come in whole pairs of columns, and there are columns 0 and in the middle.
    fn are_whole_pairs(&self, stage: usize) -> bool {
        let (butterflies, threads) = (self.radix / self.tile.stages[stage].max(1), 2 * self.threads_per_column());
        let is_even = |n: usize| n.is_multiple_of(2);
        let columns = is_even(self.tile.columns) && self.columns.first().is_some_and(|column| is_even(column.n));
        columns && threads > 0 && butterflies.is_multiple_of(threads)
    }

    /// Pairs of a thread.
    pub(crate) fn mirrored_pairs(&self, stage: usize) -> usize {
        let butterflies = self.radix / self.tile.stages[stage].max(1);
        butterflies.div_ceil(2).div_ceil(self.threads_per_column().max(1))
    }

    /// How many such pairs of a line a thread has, where roots of images are found from those of the others: row j of butterfly P − b
    /// has ω_{rP}^{j(P − b)} = ω_r^j · conj(ω_{rP}^{jb}), and ω_r^j turns the DFT by one row.
    pub(crate) fn pairs_of_roots(&self, stage: usize) -> Option<usize> {
        let (r, p) = self.stage(stage);
        let is_of_line = self.has_mirrored_butterflies(stage) && !self.pairs_columns(stage);
        let is_last = p > 1 && p * r == self.radix && self.done_before(stage) == 1;
        (is_of_line && is_last).then(|| self.mirrored_pairs(stage))
    }

    /// Of p roots of a row of a stage how many are looked up: those of one butterfly of each pair, or all.
    pub(crate) fn roots_of_row(&self, stage: usize, p: usize) -> usize {
        if self.pairs_of_roots(stage).is_some() { p.div_ceil(2) } else { p }
    }

    /// Whether half of the rows at a half spectrum have roots that are ω_4 times those of the others.
    pub(crate) fn turns_roots(&self) -> bool {
        let last = self.tile.stages.len().saturating_sub(1);
        let has_even = |stage: usize| self.has_mirrored_butterflies(stage) && self.tile.stages[stage].is_multiple_of(2);
        let Some(ends) = &self.ends else { return false };
        match (self.filter, ends.mirrored) {
            (true, _) | (_, [false, true]) => has_even(last),
            (_, [true, false]) => has_even(0),
            _ => false,
        }
    }

    /// A thread's butterfly of number `u` in such a stage: first the one of each pair, then their images. Instead of a pair beyond the
    /// last it is the last one's.
    pub(super) fn mirrored_butterfly<I: Index>(&self, s: usize, number: &I, u: usize) -> Butterfly<I> {
        let of_thread = self.mirrored_pairs(s);
        let (all, threads) = (self.radix / self.tile.stages[s], self.threads_per_column());
        if self.pairs_columns(s) {
            let first = 2 * threads * (u % of_thread);
            let number = number.increased(first);
            // Where they are no whole pairs, the recipe is refused.
            let number = if first + 2 * threads <= all { number } else { number.at_most(all - 1) };
            let number = if u < of_thread { number } else { number.increased(1).mirrored(all) };
            return Butterfly { number, exists: None, bound: all };
        }
        let (pairs, first) = (all.div_ceil(2), threads * (u % of_thread));
        let number = number.increased(first);
        let is_certain = first + threads <= pairs;
        // Of an odd number, butterfly 0 has no other.
        let is_alone = u == of_thread && !all.is_multiple_of(2);
        let exists = match (is_alone, is_certain) {
            (true, _) => Some(number.is_positive_below(pairs)),
            (false, true) => None,
            (false, false) => Some(number.is_below(pairs)),
        };
        let number = if is_certain { number } else { number.at_most(pairs - 1) };
        if u < of_thread {
            return Butterfly { number, exists, bound: pairs };
        }
        Butterfly { number: number.mirrored(all), exists, bound: all }
    }
}

/// Rows of a thread in a stage of radix r, if it has butterflies with their images there.
pub(super) fn mirrored_rows(radix: usize, per_thread: usize, r: usize) -> usize {
    let threads = radix.div_ceil(per_thread.max(1)).max(1);
    2 * r * radix.checked_div(r).unwrap_or(0).div_ceil(2).div_ceil(threads)
}

/// Whether these are no more than it has otherwise.
pub(super) fn spare_slots(radix: usize, per_thread: usize, r: usize) -> bool {
    let threads = radix.div_ceil(per_thread.max(1));
    r > 0 && mirrored_rows(radix, per_thread, r) == rows_of(radix, threads, r)
}

/// Rows of a thread and the radices of the stages, as they are elsewhere, if threads have butterflies with their images in the first
/// stage then, or in the last one.
pub(super) fn stages(radix: usize, rows_only: bool, is_first: bool, limits: &Limits) -> Option<(usize, Vec<usize>)> {
    let (rows, mut stages) = cost::stages(radix, rows_only, limits);
    let least = *stages.last().filter(|_| stages.len() > 1)?;
    if is_first {
        stages.reverse();
    }
    spare_slots(radix, rows, least).then_some((rows, stages))
}

/// The stages of threads of so many rows, ordered or cut so that a thread has whole pairs of butterflies in the first one, or in the
/// last, where its pass has columns and their images.
pub(super) fn in_pairs(mut stages: Vec<usize>, per_thread: usize, is_first: bool) -> Vec<usize> {
    let fits = |r: usize| per_thread.is_multiple_of(2 * r);
    let end = if is_first { 0 } else { stages.len().saturating_sub(1) };
    let radix: usize = stages.iter().product();
    match stages.iter().position(|r| fits(*r)) {
        _ if stages.len() < 2 || fits(stages[end]) => {}
        Some(other) => stages.swap(other, end),
        None if radix.is_power_of_two() && per_thread.is_power_of_two() && per_thread >= 4 => {
            let half = per_thread / 2;
            stages = cost::split((radix / half).ilog2(), per_thread.ilog2());
            stages.insert(if is_first { 0 } else { stages.len() }, half);
        }
        None => {}
    }
    stages
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_ordered_or_cut_for_whole_pairs() {
        type Stages = &'static [usize];
        let cases: [(Stages, usize, [Stages; 2]); 8] = [
            (&[16, 8], 16, [&[8, 16], &[16, 8]]),
            (&[16, 16], 16, [&[8, 16, 2], &[16, 2, 8]]),
            (&[32, 32], 32, [&[16, 32, 2], &[32, 2, 16]]),
            (&[4, 4], 4, [&[2, 4, 2], &[4, 2, 2]]),
            (&[6, 3], 6, [&[3, 6], &[6, 3]]),
            (&[5, 5], 5, [&[5, 5], &[5, 5]]),
            (&[2, 2], 2, [&[2, 2], &[2, 2]]),
            (&[16], 16, [&[16], &[16]]),
        ];
        for (stages, per_thread, [first, last]) in cases {
            assert_eq!(in_pairs(stages.to_vec(), per_thread, true), first);
            assert_eq!(in_pairs(stages.to_vec(), per_thread, false), last);
        }
    }
}
