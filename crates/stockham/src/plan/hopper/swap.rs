//! Swaps: a last stage of radix 2 has its rows without an exchange through local memory, where threads of a warp can give each
//! other what they hold (on CUDA). It is for the first pass of a cluster, whose exchange would need local memory beside what is
//! received; where memory is there, an exchange is no slower, or faster.
//!
//! With R rows a thread, and a stage of radix R before, T threads have a column; thread τ < T/2 ends up with rows
//! τ + T/2·j of its first half, and thread τ + T/2 with the same of the second. The last stage wants a row of each half. So
//! these two are neighbours in a warp, and give each other half of what they have: the first goes on with j < R/2 and the
//! second with the others.

use super::super::index::Index;
use super::super::recipe::{Lanes, Pass, Place, Tile};
use super::super::team::WARP;

impl Pass {
    /// Whether threads swap rows before a stage.
    pub fn swaps_before(&self, stage: usize) -> bool {
        self.hopper.swaps && stage + 1 == self.tile.stages.len()
    }

    /// How far apart in a warp threads are that swap: they hold the same rows of both halves of a column. Between them are
    /// threads of neighbouring columns.
    pub fn beside(&self) -> usize {
        if self.tile.store == Lanes::Columns { self.tile.columns.min(WARP / 2) } else { 1 }
    }

    /// Whether the last stage has its rows by swaps among threads of a warp, on devices that have them.
    pub(in crate::plan) fn can_swap(&self) -> bool {
        let Tile { stages, per_thread, load, store, .. } = &self.tile;
        let [.., before, 2] = stages[..] else { return false };
        self.target == Place::Cluster
            // Rows of a convolution's passes are no powers of two.
            && !self.convolves()
            && self.ends.as_ref().is_none_or(|ends| ends.chirp.is_none())
            && before == *per_thread
            && before.is_multiple_of(2)
            && (load == store || stages.len() > 2)
            && ![load, store].contains(&&Lanes::Flat)
            && self.tile.team == 1
            && self.tile.columns.is_power_of_two()
            && self.group().is_multiple_of(WARP)
    }

    /// The number of a thread's pair in the work-group, and which of the two it is.
    pub(crate) fn pair<I: Index>(&self, thread: &I) -> (I, I) {
        let beside = self.beside();
        let of_rest = thread.quotient_below(2 * beside, self.group()).multiple(beside);
        (thread.remainder(beside).sum(&of_rest), thread.quotient(beside).remainder(2))
    }

    /// The first row that a thread of a column has after the swap.
    pub(crate) fn first_of_swapped<I: Index>(&self, thread: &I) -> I {
        let half = self.threads_per_column() / 2;
        thread.remainder(half).sum(&thread.quotient(half).multiple(self.radix / 4))
    }
}
