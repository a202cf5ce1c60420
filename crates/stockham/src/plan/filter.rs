//! Passes there and back: the stages, then the same ones from the last to the first, transposed. A DFT is a symmetric matrix, and so
//! is a codelet's; so a stage back is a butterfly and then the factors that it had before, and gives the rows that it took. What
//! threads have after the last stage there is what the way back begins with, and nothing is exchanged between. Of pairs of real numbers
//! they have butterflies [with their images](super::images) there.

use crate::transform::{Side, Transform};

use super::cost::{self, Limits};
use super::pass::Holding;
use super::recipe::Pass;
use super::smooth;

impl Pass {
    /// Whether it goes there and back by the half spectrum of real numbers, two of which make a point.
    pub(crate) fn filters_halves(&self) -> bool {
        self.filter && self.ends.as_ref().is_some_and(|ends| ends.packed)
    }

    /// What threads hold as the output of a stage on the way back, which it takes there.
    pub(crate) fn input_of_back(&self, stage: usize) -> Holding {
        let inner = self.inner();
        let is_stored = stage == inner.start && inner.len() > 1 && self.rader.is_none();
        Holding::Input(stage, if is_stored { self.tile.store } else { self.lanes(stage) })
    }

    /// What threads hold as the input of a stage on the way back.
    fn output_of_back(&self, stage: usize) -> Holding {
        let Holding::Input(_, lanes) = self.input_of_back(stage) else { unreachable!("what a stage gives back") };
        Holding::Output(stage, lanes)
    }

    /// Whether threads write in an exchange, the first one back, where they alone read in the one before: nobody waits for others then.
    pub(crate) fn turns_in_places(&self, exchange: usize) -> bool {
        let (inner, exchanges) = (self.inner(), &self.tile.exchanges);
        let are_certain = |s| (0..self.butterflies(s)).all(|u| self.butterfly(s, &0usize, u).exists.is_none());
        let is_turn = self.convolves() && inner.len() > 1 && exchange == self.first_exchange_back();
        is_turn && exchanges[exchange - 1] == exchanges[exchange] && are_certain(inner.end - 1)
    }

    /// The number of the first exchange there: points come to Rader's convolutions by one of their own.
    pub(crate) fn first_exchange_there(&self) -> usize {
        self.inner().start.max(usize::from(self.rader.is_some()))
    }

    /// The number of the first exchange back.
    pub(crate) fn first_exchange_back(&self) -> usize {
        self.first_exchange_there() + self.inner().len() - 1
    }

    /// The exchanges there, and those back.
    pub(super) fn exchanges_there_and_back(&self) -> Vec<(Holding, Holding)> {
        let after_first = || self.inner().skip(1);
        let there = after_first().map(|s| (self.output_of(s - 1), self.input_of(s)));
        let back = after_first().rev().map(|s| (self.input_of_back(s), self.output_of_back(s - 1)));
        there.chain(back).collect()
    }
}

impl Transform {
    /// For each column of a single pass over lines the batch dimension that it is.
    pub(crate) fn batch_of_columns(&self) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..self.batch.len()).rev().collect();
        numbers.sort_by_key(|&number| self.batch[number].input_stride.min(self.batch[number].output_stride));
        numbers
    }
}

/// Threads of a work-group, unless a column has half as many: they wait at many barriers, and small ones wait while others work.
const GROUP: usize = 128;

/// Threads of a work-group of columns that have so many.
pub(super) fn group(threads: usize) -> usize {
    if 2 * threads >= GROUP { threads } else { GROUP }
}

/// Bytes of the rows that a thread holds: compilers find room for those and for the roots that both ways take in 128 registers.
const THREAD_BYTES: usize = 128;

/// The logarithm of the threads of a column from which on each has twice as many rows.
const MANY_THREADS: u32 = 9;

/// The logarithm of the radix of the last stage, if its butterflies come with their images: of larger ones threads have more than
/// their registers hold beside the roots.
const LAST: u32 = 2;

/// Registers that threads want, in times of those that there are, at most if what is between two transforms would be as many bytes
/// as their input and output together: zeros that are in no memory, or numbers of fewer bytes.
const MOST_SHORTAGE: f64 = 1.4;

fn most_shortage(transform: &Transform, points: usize, limits: &Limits) -> f64 {
    let bytes = |side, numbers: usize| numbers.saturating_mul(transform.format(side).bytes());
    let at_ends = bytes(Side::Input, transform.input_len()).saturating_add(bytes(Side::Output, transform.output_len()));
    let between = points.saturating_mul(transform.batch_count()).saturating_mul(limits.element_bytes);
    if between >= at_ends { MOST_SHORTAGE } else { 1.0 }
}

/// Rows of a thread, and the radices of the stages; nothing if two transforms are faster, or no work-group holds so many points.
pub(super) fn stages(
    transform: &Transform,
    points: usize,
    in_pairs: bool,
    limits: &Limits,
) -> Option<(usize, Vec<usize>)> {
    if !points.is_power_of_two() {
        return smooth::filter_tile(points, in_pairs, limits).map(|tile| (tile.per_thread, tile.stages));
    }
    let bits = points.ilog2();
    let most = (THREAD_BYTES / limits.element_bytes).ilog2();
    let rows = match bits {
        0..=3 => bits,
        4 => 2,
        5 | 6 => 3,
        7 if in_pairs => 3,
        _ if bits >= most + MANY_THREADS => most + 1,
        _ => most,
    };
    let rows = rows.min(most + 1).max(bits.saturating_sub(limits.max_group.ilog2()));
    let registers = cost::registers_to_convolve(1 << rows, limits) << (bits - rows);
    let there = limits.register_bytes / 4;
    let is_short = registers > there;
    if rows > most + 1 || registers as f64 > there as f64 * most_shortage(transform, points, limits) {
        return None;
    }
    // Where registers are short, a butterfly leaves room for another's rows.
    let first = if is_short { most } else { rows };
    let rest = bits - first;
    // With their images, butterflies of the last stage are no more than a thread has rows for.
    let last = match in_pairs {
        true if first > most => rest.min(first - 1),
        true => rest.min(LAST).min(first.saturating_sub(1)),
        false => 0,
    };
    let count = (rest - last).div_ceil(first.max(1));
    let shares = (0..count).map(|s| (rest - last) / count + u32::from(s < (rest - last) % count));
    let mut others: Vec<u32> = shares.chain([last]).filter(|bits| *bits > 0).collect();
    others.sort_unstable_by(|a, b| b.cmp(a));
    Some((1 << rows, [first].into_iter().chain(others).filter(|bits| *bits > 0).map(|bits| 1 << bits).collect()))
}
