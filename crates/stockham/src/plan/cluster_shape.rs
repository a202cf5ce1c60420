//! Which transforms go through clusters of work-groups, and in which shape.
//!
//! On an H200 it is eight work-groups of 32 or 64 KiB that win, several to a multiprocessor, so that some send while others
//! compute. Of the shapes, the best has a first pass that is a single codelet, in the registers of a thread: there are two
//! exchanges then instead of three, and local memory is needed for what is received alone. It makes short rows of the
//! output, down to a sector of memory each; but the work-groups of a cluster write neighbouring ones at about the same time,
//! and the second-level cache makes whole lines of them.

use std::ops::RangeInclusive;

use super::choice::{Choice, Clusters, Launches, PassChoice};
use super::cost::{self, Limits, SECTOR_BYTES};
use super::load::Load;
use super::team::WARP;

/// Work-groups of a cluster: so many every device with clusters has.
const BLOCKS: usize = 8;

/// Rows of a thread, which are its first pass.
const ROWS: usize = 32;

/// Bytes of a transform that a work-group takes, and the time of a trip through memory with their exchange, in plain copies
/// (measured on an H200, the mean over both precisions). What clusters of less could hold one work-group holds about as well.
const TRIPS: [(usize, f64); 2] = [(32 << 10, 1.24), (64 << 10, 1.47)];

/// Work-groups of so many threads with elements of so many bytes are five side by side, where the registers that 32 rows are
/// given otherwise leave room for four: the compiler finds a way without spills, and f32 2^15 takes 1.21 copies instead of 1.24.
/// Of twice the threads, or the bytes, one more is slower.
const CROWDED_THREADS: usize = 128;
const CROWDED_BYTES: usize = 8;
const CROWD: usize = 5;

/// The work-groups of a cluster and its passes, where that costs less than passes through memory.
pub(super) fn choose(n: usize, batch: usize, limits: &Limits) -> Option<Choice> {
    one_launch(n, batch, limits).or_else(|| two_launches(n, limits))
}

/// Work-groups of a cluster that takes neighbouring lines, and contiguous bytes of those.
const WIDE_BLOCKS: usize = 16;
const WIDE_BYTES: usize = 64;

/// Rows of a thread there.
pub(super) const WIDE_ROWS: usize = 16;

/// Bytes of a transform that a work-group of such a cluster takes: smaller ones were slower than three passes, larger ones
/// no faster.
const WIDE_TILE_BYTES: RangeInclusive<usize> = 16 << 10..=32 << 10;

/// The time of a launch of such clusters, in plain copies (measured on an H200).
const WIDE_TRIP: f64 = 1.5;

/// Two launches, where it would be three passes through memory or more.
fn two_launches(n: usize, limits: &Limits) -> Option<Choice> {
    let wide = WIDE_BYTES / limits.element_bytes;
    let shape = Rectangle { sides: Rectangle::sides(n), blocks: WIDE_BLOCKS, rows: WIDE_ROWS, wide };
    let bytes = shape.launches().map(|launch| launch.n / WIDE_BLOCKS * WIDE_BYTES);
    let good = bytes.iter().all(|bytes| WIDE_TILE_BYTES.contains(bytes)) && shape.fits(limits);
    if limits.is_exact || WIDE_BLOCKS > limits.max_cluster || !good {
        return None;
    }
    let launches = Launches::clusters(WIDE_BLOCKS);
    (2.0 * WIDE_TRIP < cost_through_memory(n, limits)?).then(|| Choice { passes: shape.passes(), launches })
}

/// The cost of passes through memory.
fn cost_through_memory(n: usize, limits: &Limits) -> Option<f64> {
    Some(match &cost::cut(n, limits)?[..] {
        [_] => cost::pass_cost(n * limits.element_bytes, n * limits.element_bytes, limits.is_exact),
        radices => radices.iter().map(|&r| cost::best_width(r, limits).map_or(f64::INFINITY, |(_, cost)| cost)).sum(),
    })
}

/// One launch.
fn one_launch(n: usize, batch: usize, limits: &Limits) -> Option<Choice> {
    // Arithmetic limits exact algebras, not memory; and few transforms leave most of the device without work.
    if BLOCKS > limits.max_cluster || limits.is_exact || !Load::Full.is_reached(n, batch, limits.compute_units) {
        return None;
    }
    let (_, trip) = TRIPS.into_iter().find(|(bytes, _)| bytes * BLOCKS == n * limits.element_bytes)?;
    let shape = Shape { n, blocks: BLOCKS, rows: ROWS, first: ROWS, swaps: false };
    let is_crowded = limits.element_bytes == CROWDED_BYTES && n / BLOCKS / ROWS == CROWDED_THREADS;
    let clusters = Clusters { blocks: BLOCKS, side_by_side: is_crowded.then_some(CROWD) };
    (shape.fits(limits) && trip < cost_through_memory(n, limits)?)
        .then(|| Choice { passes: shape.passes().to_vec(), launches: Launches::Clusters(clusters) })
}

/// The four passes of two launches: of a rectangle of points, each takes the lines of one direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rectangle {
    /// Points of a line of either launch.
    pub sides: [usize; 2],
    /// Work-groups of a cluster.
    pub blocks: usize,
    /// Rows of a thread.
    pub rows: usize,
    /// Neighbouring lines of a cluster.
    pub wide: usize,
}

impl Rectangle {
    /// The sides for so many points: as alike as they can be, the first not the shorter one.
    pub fn sides(n: usize) -> [usize; 2] {
        let bits = n.ilog2();
        [1 << bits.div_ceil(2), 1 << (bits / 2)]
    }

    /// The passes of each launch, as if it were alone and took one line.
    fn launches(&self) -> [Shape; 2] {
        let Self { blocks, rows, .. } = *self;
        self.sides.map(|n| Shape { n, blocks, rows, first: rows, swaps: false })
    }

    /// Whether rows of memory are whole sectors, and all fits the device.
    pub fn fits(&self, limits: &Limits) -> bool {
        self.launches().iter().all(|launch| {
            let [first, second] = launch.radices();
            let points = launch.n / self.blocks * self.wide;
            first.min(second) >= self.blocks.max(self.wide)
                && second >= self.rows
                && self.wide * limits.element_bytes >= SECTOR_BYTES
                && (WARP..=limits.max_group).contains(&(points / self.rows))
                && points * limits.element_bytes / 16 * 17 <= limits.tile_bytes
        })
    }

    /// The choices for the passes.
    pub fn passes(&self) -> Vec<PassChoice> {
        let mut passes: Vec<PassChoice> = self.launches().iter().flat_map(Shape::passes).collect();
        passes.iter_mut().for_each(|pass| pass.columns *= self.wide);
        passes
    }
}

/// The two passes of clusters.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    /// Points of the transform.
    pub n: usize,
    /// Work-groups of a cluster.
    pub blocks: usize,
    /// Rows of a thread.
    pub rows: usize,
    /// The radix of the first pass.
    pub first: usize,
    /// Whether threads may swap rows.
    pub swaps: bool,
}

impl Shape {
    fn radices(&self) -> [usize; 2] {
        [self.first, self.n / self.first]
    }

    /// Whether work-groups have whole sectors of memory, and room in local memory for what they receive and the first
    /// pass's exchanges, with paddings.
    pub fn fits(&self, limits: &Limits) -> bool {
        let points = self.n / self.blocks;
        let has_exchange = self.first > if self.swaps { 2 * self.rows } else { self.rows };
        let bytes = points * limits.element_bytes / 16 * 17 * if has_exchange { 2 } else { 1 };
        self.radices()
            .iter()
            .all(|&radix| radix >= self.rows && radix / self.blocks * limits.element_bytes >= SECTOR_BYTES)
            && points / self.rows <= limits.max_group
            && bytes <= limits.tile_bytes
    }

    /// The choices for the passes.
    pub fn passes(&self) -> [PassChoice; 2] {
        let radices = self.radices();
        [0, 1].map(|a| PassChoice::new(radices[1 - a] / self.blocks, self.rows, self.stages(radices[a])))
    }

    /// Two threads hold the rows of a first pass that swaps.
    fn stages(&self, radix: usize) -> Vec<usize> {
        if self.swaps && radix == self.first && radix == 2 * self.rows {
            return vec![self.rows, 2];
        }
        cost::split(radix.ilog2(), self.rows.ilog2())
    }
}
