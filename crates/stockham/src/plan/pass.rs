//! What follows from a pass's tile: its threads, its local memory, and which rows and columns a thread's registers hold.

use std::ops::Range;

use crate::algebra::Algebra;
use crate::device_info::DeviceInfo;

use super::hopper::Share;
use super::recipe::{Column, Lanes, Pass, Tile};
use super::team::WARP;

/// Whether the values of digits lie at such distances that there are no gaps: `distance` for the first, and for each of the
/// others what those before it take.
pub(super) fn follow_each_other(columns: &[Column], mut distance: usize, stride: fn(&Column) -> usize) -> bool {
    columns.iter().all(|column| {
        let follows = column.n == 1 || stride(column) == distance;
        distance = distance.saturating_mul(column.n);
        follows
    })
}

/// Bytes that a thread loads or stores at once where elements are staged.
pub(super) const VECTOR_BYTES: usize = 16;

impl Pass {
    /// Threads that share a column.
    pub fn threads_per_column(&self) -> usize {
        if self.tile.per_thread == 0 { 0 } else { self.radix.div_ceil(self.tile.per_thread) }
    }

    /// Butterflies of a stage that a thread has; the last ones of some threads may be beyond those that there are.
    pub fn butterflies(&self, stage: usize) -> usize {
        if self.has_mirrored_butterflies(stage) {
            return 2 * self.mirrored_pairs(stage);
        }
        (self.stage_rows(stage) / self.tile.stages[stage].max(1)).div_ceil(self.threads_per_column().max(1))
    }

    /// Rows that a thread has registers for, of what it holds.
    pub fn rows(&self, holding: Holding) -> usize {
        match holding {
            Holding::Flat | Holding::Array => self.tile.per_thread,
            Holding::Slots(_) => 2 * self.slots_of_thread(),
            Holding::Points(_) => self.tile_rows().div_ceil(self.threads_per_column().max(1)),
            Holding::Gathered(_) | Holding::Scattered(_) => self.rows(self.of_powers(holding)) + self.zeroths(),
            Holding::Input(s, _) | Holding::Output(s, _) if s < self.tile.stages.len() => {
                self.butterflies(s) * self.tile.stages[s]
            }
            _ => self.tile.per_thread,
        }
    }

    /// Whether all threads have the same rows in all stages.
    pub fn is_even(&self) -> bool {
        self.beside == [0; 2] && is_even(self.radix, self.tile.per_thread, &self.tile.stages)
    }

    /// How many weights columns may have in the twiddle exponent.
    pub(crate) fn twiddle_columns(&self) -> usize {
        self.twiddle.map_or(0, |twiddle| twiddle.order / self.points())
    }

    /// The rows i whose factors ω^(K·i) threads look up where they have a table by columns: the first row of each thread, then
    /// how far its others are from that, for each bit of their number.
    pub(crate) fn twiddle_rows(&self) -> impl Iterator<Item = usize> + use<> {
        let (threads, bits) = (self.threads_per_column(), self.tile.per_thread.next_power_of_two().ilog2());
        (0..threads).chain((0..bits).map(move |bit| threads << bit))
    }

    /// Threads of a work-group, or teams.
    pub fn group(&self) -> usize {
        self.threads_per_column().saturating_mul(self.tile.columns)
    }

    /// Threads of a work-group, those of all teams.
    pub fn threads(&self) -> usize {
        self.group().saturating_mul(self.tile.team)
    }

    /// Registers that a work-group takes. A warp gets its own whole, however few of its threads there are.
    pub(super) fn registers(&self) -> usize {
        self.tile.registers * self.threads().next_multiple_of(WARP)
    }

    /// Points of a tile.
    pub(crate) fn tile_points(&self) -> usize {
        self.radix.saturating_mul(self.tile.columns)
    }

    /// The number of DFTs, without those that are mirror images of others in their tile.
    pub fn column_count(&self) -> usize {
        let others = self.columns.iter().skip(1);
        others.fold(self.counted_values(), |count, c| count.saturating_mul(c.n))
    }

    /// The number of work-groups.
    pub fn groups(&self) -> usize {
        self.column_count()
            .checked_div(self.counted_in_tile())
            .map_or(0, |_| self.column_count().div_ceil(self.counted_in_tile()))
    }

    /// How many neighbours of the first digit a tile has.
    pub fn neighbours(&self) -> usize {
        match self.hopper.share {
            Some(Share { digit: 0, values, .. }) => values,
            Some(_) => self.wide(),
            None => self.columns.first().map_or(0, |column| self.tile.columns.min(column.n)),
        }
    }

    /// Places of local memory.
    pub fn tile_len(&self, algebra: Algebra) -> usize {
        let place_bytes = self.place_bytes(algebra);
        let staged = self.staging_bytes(algebra).div_ceil(place_bytes);
        let tile_bytes = self.tile_points().saturating_mul(algebra.element_bytes());
        let fetched = if self.arrives_in_tile() { tile_bytes / place_bytes } else { 0 };
        let exchanged = self.planes_len().saturating_mul(self.tile.team);
        staged.max(self.early_len(algebra).saturating_add(exchanged)).max(fetched)
    }

    /// Places of local memory before the exchanges.
    pub fn early_len(&self, algebra: Algebra) -> usize {
        self.hopper.early.saturating_mul(algebra.element_bytes() / self.place_bytes(algebra))
    }

    /// Vectors that make up an element.
    pub(crate) fn vectors(&self, algebra: Algebra) -> usize {
        algebra.element_bytes() / VECTOR_BYTES
    }

    /// Bytes of local memory in which staged elements stand: a vector is left out after each.
    pub(super) fn staging_bytes(&self, algebra: Algebra) -> usize {
        if self.tile.staged == [false; 2] { 0 } else { self.bytes_if_staged(algebra) }
    }

    /// The same if they were staged.
    pub(super) fn bytes_if_staged(&self, algebra: Algebra) -> usize {
        self.tile_points().saturating_mul((self.vectors(algebra) + 1) * VECTOR_BYTES)
    }

    /// Places of local memory that the exchanges take.
    pub(super) fn planes_len(&self) -> usize {
        self.plane_len().saturating_mul(self.tile.rounds.planes.unwrap_or(1))
    }

    /// Places of a plane of local memory.
    pub fn plane_len(&self) -> usize {
        let rows = self.tile_rows().checked_div(self.tile.rounds.slices).unwrap_or(0);
        self.tile.exchanges.iter().map(|padding| padding.len(rows, self.tile.columns)).max().unwrap_or(0)
    }

    /// Bytes of a place of local memory.
    pub fn place_bytes(&self, algebra: Algebra) -> usize {
        algebra.element_bytes() / if self.tile.rounds.planes.is_some() { algebra.layout().1 } else { 1 }
    }

    /// Bytes of local memory.
    pub fn tile_bytes(&self, algebra: Algebra) -> usize {
        self.tile_len(algebra).saturating_mul(self.place_bytes(algebra))
    }

    /// Threads of a work-group, and the bytes of local memory that it takes.
    pub(super) fn needs(&self, algebra: Algebra) -> (usize, usize) {
        let ahead = self.ahead_bytes(algebra.element_bytes());
        (self.threads(), self.tile_bytes(algebra).saturating_add(ahead))
    }

    /// Whether a device has as much. Planner and check ask this alone, so that nothing is proposed that is then refused.
    pub(super) fn fits(&self, algebra: Algebra, device: &DeviceInfo) -> bool {
        let (threads, bytes) = self.needs(algebra);
        threads <= device.max_group && bytes <= device.local_bytes
    }

    /// The block that a stage belongs to, where the roots of order `free` cost no product: consecutive stages that make
    /// up one DFT of at most so many points. Only the first stage of a block has general twiddles, for the block as a
    /// whole; the others' are powers of the free root.
    pub fn block(&self, stage: usize, free: usize) -> Block {
        let mut block = Block { first: 0, before: 1, size: 1 };
        for (s, &radix) in self.tile.stages.iter().enumerate() {
            if block.size * radix > free.max(radix) {
                if s > stage {
                    break;
                }
                block = Block { first: s, before: block.before * block.size, size: 1 };
            }
            block.size *= radix;
        }
        block.before = self.stage(block.first).1 / self.done_before(block.first);
        block
    }

    /// The order of the threads in a stage, which is that of the store from the last exchange on, or from the first.
    pub(crate) fn lanes(&self, stage: usize) -> Lanes {
        let Tile { load, store, stages, .. } = &self.tile;
        if self.rader.is_some() {
            let inner = self.inner();
            return match stage {
                _ if stage < inner.start => *load,
                // Rows come in an order of their own, and neighbouring columns do not collide. Point 0 is added by the threads that
                // have it from the first exchange.
                _ if inner.contains(&stage) => Lanes::Columns,
                _ => *store,
            };
        }
        match (*load, *store) {
            (_, store)
                if store != Lanes::Flat && stage > 0 && stage + 1 + usize::from(self.hopper.swaps) >= stages.len() =>
            {
                store
            }
            (Lanes::Flat, _) => Lanes::Rows,
            (load, _) => load,
        }
    }

    /// What threads hold as the input of a stage.
    pub fn input_of(&self, stage: usize) -> Holding {
        Holding::Input(stage, self.lanes(stage))
    }

    /// What threads hold as the output of a stage.
    pub fn output_of(&self, stage: usize) -> Holding {
        Holding::Output(stage, self.lanes(stage))
    }

    /// What threads hold when they load, and when they store.
    pub fn ends(&self) -> (Holding, Holding) {
        let last = self.tile.stages.len().saturating_sub(1);
        if self.rader.is_some() {
            let ([before, after], Tile { load, store, .. }) = (self.beside, &self.tile);
            let at_load = if before > 0 { self.input_of(0) } else { Holding::Points(*load) };
            return (at_load, if after > 0 { self.output_of(last) } else { Holding::Points(*store) });
        }
        let flat_or = |lanes, holding| if lanes == Lanes::Flat { Holding::Flat } else { holding };
        let load = self
            .slots_at(0, self.lanes(0))
            .or_else(|| self.as_in_memory())
            .unwrap_or(flat_or(self.tile.load, self.input_of(0)));
        let last_held = if self.convolves() { self.input_of_back(self.inner().start) } else { self.output_of(last) };
        let store = self.slots_at(1, self.lanes(last)).unwrap_or(flat_or(self.tile.store, last_held));
        (load, store)
    }

    /// The exchanges, as what threads hold before and after: between the stages, and around them for flat tiles and at half
    /// spectra.
    pub fn exchanges(&self) -> Vec<(Holding, Holding)> {
        let (load, store) = self.ends();
        let stages = self.tile.stages.len();
        let before = load.is_apart().then(|| (load, self.input_of(0)));
        let of =
            |stages: Range<usize>| (stages.start + 1..stages.end).map(|s| (self.output_of(s - 1), self.input_of(s)));
        let between = of(0..stages - usize::from(self.hopper.swaps));
        let after = store.is_apart().then(|| (self.output_of(stages - 1), store));
        if self.convolves() {
            let inner = self.inner();
            let there_and_back = self.exchanges_there_and_back();
            if self.rader.is_none() {
                return of(0..inner.start + 1).chain(there_and_back).collect();
            }
            let lanes = self.lanes(inner.start);
            let first = if inner.start > 0 { self.output_of(inner.start - 1) } else { load };
            let last = if inner.end < stages { self.input_of(inner.end) } else { store };
            let before = of(0..inner.start).chain([(first, Holding::Gathered(lanes))]);
            let after = [(Holding::Scattered(lanes), last)].into_iter().chain(of(inner.end..stages));
            return before.chain(there_and_back).chain(after).collect();
        }
        before.into_iter().chain(between).chain(after).collect()
    }
}

/// Consecutive stages without general products between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// The first stage.
    pub first: usize,
    /// The product of the radices before it.
    pub before: usize,
    /// The product of its radices.
    pub size: usize,
}

/// Which rows a thread's registers hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holding {
    /// Every group-th element of the tile.
    Flat,
    /// The same of an array of several dimensions, whose rows have other numbers.
    Array,
    /// Points and their mirror images, at a half spectrum of real numbers.
    Slots(Lanes),
    /// Points of a length that Rader's convolutions make, in the order of memory: τ + T·v.
    Points(Lanes),
    /// The same, by the powers that the first of their stages takes, and point 0 of each.
    Gathered(Lanes),
    /// The same, by the powers that this stage gives on the way back, and point 0 of each.
    Scattered(Lanes),
    /// The input of that stage: thread τ of a column holds the rows b + j·R/r of its butterflies b = τ + T·u. Where all threads
    /// have as many in every stage, those are the rows τ + T·v.
    Input(usize, Lanes),
    /// The output of that stage: butterfly b = τ + T·u gives the rows (b − k)·r + k + j·p, with k = b mod p.
    Output(usize, Lanes),
}

impl Holding {
    /// Whether it takes an exchange to what stages take, or from what they give.
    pub(crate) fn is_apart(self) -> bool {
        matches!(self, Self::Flat | Self::Array | Self::Slots(_) | Self::Points(_))
    }
}

/// Whether `per_thread` rows of a DFT of length `radix` are whole butterflies of all stages, and all threads have them.
pub(super) fn is_even(radix: usize, per_thread: usize, stages: &[usize]) -> bool {
    radix.is_multiple_of(per_thread) && stages.iter().all(|&r| r > 0 && per_thread.is_multiple_of(r))
}

/// The most rows that a thread has in a stage of a DFT of length `radix`, in which `per_thread` of them make the threads.
pub(super) fn most_rows(radix: usize, per_thread: usize, stages: &[usize]) -> usize {
    stages.iter().map(|&r| rows_of(radix, radix.div_ceil(per_thread.max(1)), r)).max().unwrap_or(per_thread)
}

/// The most rows that one of so many threads has in a stage of radix r.
pub(super) fn rows_of(radix: usize, threads: usize, r: usize) -> usize {
    r.saturating_mul(radix.checked_div(r).unwrap_or(0).div_ceil(threads.max(1)))
}
