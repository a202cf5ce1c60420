//! Which transforms go through clusters of work-groups, and in which shape.
//!
//! In batches it is work-groups of 128 threads with 32 rows each that win on an H200, as many to a cluster as the transform
//! takes, and one more side by side on a multiprocessor than the compiler would leave registers for: some send while others
//! compute. The first pass is a single codelet, in the registers of a thread or of two that swap: there are two exchanges
//! then instead of three, and local memory is needed for what is received alone. It makes short rows of the output, down to a
//! sector of memory each; but the work-groups of a cluster write neighbouring ones at about the same time, and the
//! second-level cache makes whole lines of them.
//!
//! One transform alone goes through as many work-groups as there may be, so that more multiprocessors have some of it.

use std::ops::RangeInclusive;

use super::super::choice::{Choice, Clusters, Launches, PassChoice};
use super::super::cost::{self, Limits, SECTOR_BYTES};
use super::super::images;
use super::super::load::Load;
use super::super::team::WARP;

/// Points of a work-group, where there are clusters of so many as it takes, and otherwise; and bytes at most.
const POINTS: [usize; 2] = [1 << 12, 1 << 13];
const MOST_BYTES: usize = 64 << 10;

/// Rows of a thread.
const ROWS: usize = 32;

/// Bytes of a transform, the threads that share its first pass, and the time of a trip through memory with the exchange, in plain
/// copies (measured on an H200, the mean over both precisions): of work-groups that have fewer points, and of others.
const TRIPS: [(usize, usize, [f64; 2]); 3] =
    [(128 << 10, 1, [1.05, 1.09]), (256 << 10, 1, [1.13, 1.22]), (512 << 10, 2, [1.28, 1.48])];

/// Work-groups of so many bytes that are side by side on a multiprocessor: one more than have the registers that 32 rows are
/// given. The compiler finds a way with few spills or none.
const CROWDS: [(usize, usize); 2] = [(32 << 10, 5), (64 << 10, 3)];

/// The work-groups of a cluster and its passes, where that costs less than passes through memory.
pub(super) fn choose(n: usize, batch: usize, limits: &Limits) -> Option<Choice> {
    let fills = Load::Full.is_reached(n, batch, limits.compute_units);
    let one = if fills { one_launch(n, limits) } else { spread(n, batch, limits) };
    one.or_else(|| two_launches(n, limits))
}

/// Bytes of contiguous rows, of which clusters take neighbouring ones: a line of memory each, or half of one where a work-group
/// would have more bytes than that.
const WIDE_BYTES: [usize; 2] = [128, 64];
const WIDE_TILE_BYTES: usize = 32 << 10;

/// Work-groups of such a cluster for sides of up to 2^11 points, and for longer ones.
const WIDE_BLOCKS: [usize; 2] = [8, 16];
const SHORT_SIDE: usize = 1 << 11;

/// Rows of a thread there.
pub(super) const WIDE_ROWS: usize = 16;

/// Points of a side, and the time of a launch that takes its lines, in plain copies (measured on an H200). Two passes through
/// memory are as fast where sides are shorter.
const WIDE_TRIPS: [(usize, f64); 4] = [(1 << 11, 1.19), (1 << 12, 1.28), (1 << 13, 1.40), (1 << 14, 1.68)];

/// Two launches.
fn two_launches(n: usize, limits: &Limits) -> Option<Choice> {
    let sides = Rectangle::sides(n);
    let blocks = WIDE_BLOCKS[usize::from(sides[0] > SHORT_SIDE)];
    let [line, half] = WIDE_BYTES.map(|bytes| bytes / limits.element_bytes);
    let wide = if sides[0] / blocks * WIDE_BYTES[0] <= WIDE_TILE_BYTES { line } else { half };
    let shape = Rectangle { sides, blocks, rows: WIDE_ROWS, wide };
    if limits.is_exact || blocks > limits.max_cluster || !shape.fits(limits) {
        return None;
    }
    let trip = |side: usize| WIDE_TRIPS.into_iter().find(|(points, _)| *points == side).map(|(_, trip)| trip);
    (trip(sides[0])? + trip(sides[1])? < cost_through_memory(n, limits)?)
        .then(|| Choice { passes: shape.passes(), launches: Launches::clusters(blocks) })
}

/// One launch for lines side by side, of which there are so many.
pub(super) fn choose_across(n: usize, lines: usize, limits: &Limits) -> Option<Choice> {
    let blocks = WIDE_BLOCKS[usize::from(n > SHORT_SIDE)];
    let [line, half] = WIDE_BYTES.map(|bytes| bytes / limits.element_bytes);
    let wide = if n / blocks * WIDE_BYTES[0] <= WIDE_TILE_BYTES { line } else { half };
    let shape = Rectangle { sides: [n; 2], blocks, rows: WIDE_ROWS, wide };
    let (_, trip) = WIDE_TRIPS.into_iter().find(|(points, _)| *points == n)?;
    let (_, one) = cost::best_width(n, limits).unwrap_or((1, f64::INFINITY));
    let pays = !limits.is_exact && trip < one;
    let fits = blocks <= limits.max_cluster && lines.is_multiple_of(wide) && shape.fits(limits);
    let passes = || shape.passes()[..2].to_vec();
    (pays && fits).then(|| Choice { passes: passes(), launches: Launches::clusters(blocks) })
}

/// Bytes of pairs of real numbers in a cluster at most: of more, two passes through memory are faster.
pub(super) const MOST_BYTES_OF_PAIRS: usize = 512 << 10;

/// Bytes of a work-group with [`WIDE_ROWS`] a thread, and how many of them are side by side on a multiprocessor.
pub(super) const GROUP_BYTES: usize = 32 << 10;
const SIDE_BY_SIDE: usize = 3;

/// So many, if there are registers for work-groups of these points.
pub(super) fn side_by_side(points: usize, limits: &Limits) -> Option<usize> {
    let have_registers = cost::registers_beside(SIDE_BY_SIDE, WIDE_ROWS, points / WIDE_ROWS, limits).is_some();
    have_registers.then_some(SIDE_BY_SIDE)
}

/// Bytes of a work-group's pairs, if there are clusters of so many as it takes, and otherwise; and the most points of the pass that reads
/// half spectra, whose columns are the wider the shorter they are.
const BYTES_OF_PAIRS: [usize; 2] = [GROUP_BYTES, 2 * GROUP_BYTES];
const BITS_AT_HALF: u32 = 7;

/// One launch for pairs of real numbers that no tile holds, from half spectra or to them.
pub(super) fn choose_pairs(pairs: usize, is_from_half: bool, limits: &Limits) -> Option<Choice> {
    let is_short = pairs.saturating_mul(limits.element_bytes) <= MOST_BYTES_OF_PAIRS;
    if !is_short || !pairs.is_power_of_two() || limits.is_exact || cost::cut(pairs, limits)?.len() == 1 {
        return None;
    }
    let bits =
        if is_from_half { (pairs.ilog2().saturating_sub(1) / 2).min(BITS_AT_HALF) } else { pairs.ilog2().div_ceil(2) };
    let first = 1 << bits;
    let of = |points: usize| Shape { n: pairs, blocks: pairs / points, rows: WIDE_ROWS, first, swaps: false };
    let fitting = |shape: &Shape| {
        (2..=limits.max_cluster).contains(&shape.blocks) && shape.fits(limits) && shape.has_images(limits)
    };
    let points = BYTES_OF_PAIRS.map(|bytes| bytes / limits.element_bytes);
    let shape = points.into_iter().filter(|points| 2 * points <= pairs).map(of).find(fitting)?;
    let side_by_side = side_by_side(pairs / shape.blocks, limits);
    let choice = shape.choice(Clusters { blocks: shape.blocks, side_by_side });
    Some(Choice { passes: in_pairs(choice.passes, is_from_half), ..choice })
}

/// The same with the stages at the half spectrum as its pairs want them.
pub(super) fn in_pairs(mut passes: Vec<PassChoice>, is_from_half: bool) -> Vec<PassChoice> {
    let at_half = if is_from_half { passes.first_mut() } else { passes.last_mut() };
    if let Some(pass) = at_half {
        pass.stages = images::in_pairs(std::mem::take(&mut pass.stages), pass.per_thread, is_from_half);
    }
    passes
}

/// Bytes of neighbouring lines of a cluster at half spectra, half of them images, the more the better, and of a work-group at most; of
/// these the pairs' other passes have [`WIDE_ROWS`] points.
const WIDE_WITH_IMAGES: [usize; 2] = [256, 128];
const GROUP_BYTES_WITH_IMAGES: usize = 64 << 10;

/// Pairs of elements of so many bytes that were faster in two launches than through memory and rings, on an H200: of streams to half
/// spectra and from them, and of one transform to its half spectrum.
struct TwoLaunches {
    element_bytes: usize,
    there: RangeInclusive<usize>,
    back: Option<RangeInclusive<usize>>,
    alone: RangeInclusive<usize>,
}

const TWO_LAUNCHES: [TwoLaunches; 2] = [
    TwoLaunches { element_bytes: 8, there: 1 << 20..=1 << 25, back: None, alone: 1 << 23..=1 << 25 },
    TwoLaunches {
        element_bytes: 16,
        there: 1 << 20..=1 << 24,
        back: Some(1 << 20..=1 << 23),
        alone: 1 << 21..=1 << 24,
    },
];

/// Two launches for pairs of real numbers, from half spectra or to them.
pub(super) fn choose_pairs_in_two_launches(
    pairs: usize,
    (is_from_half, load): (bool, Option<Load>),
    limits: &Limits,
) -> Option<Choice> {
    let measured = TWO_LAUNCHES.iter().find(|of| of.element_bytes == limits.element_bytes)?;
    let range = match (is_from_half, load?) {
        (false, Load::Streaming) => &measured.there,
        (true, Load::Streaming) => measured.back.as_ref()?,
        (false, Load::Single) => &measured.alone,
        _ => return None,
    };
    let [long, short] = Rectangle::sides(pairs);
    let blocks = WIDE_BLOCKS[1];
    if !range.contains(&pairs) || !pairs.is_power_of_two() || limits.is_exact || blocks > limits.max_cluster {
        return None;
    }
    let shape =
        |bytes: usize| Rectangle { sides: [short, long], blocks, rows: WIDE_ROWS, wide: bytes / limits.element_bytes };
    let is_small = |shape: &Rectangle| long / blocks * shape.wide * limits.element_bytes <= GROUP_BYTES_WITH_IMAGES;
    let fits = |shape: &Rectangle| is_small(shape) && shape.have_room(limits);
    let mut passes = WIDE_WITH_IMAGES.into_iter().map(shape).find(fits)?.passes();
    if is_from_half {
        // The pass at the half spectrum has several stages, for pairs of butterflies.
        passes.swap(0, 1);
    }
    Some(Choice { passes: in_pairs(passes, is_from_half), launches: Launches::clusters(blocks) })
}

/// The cost of passes through memory.
fn cost_through_memory(n: usize, limits: &Limits) -> Option<f64> {
    Some(match &cost::cut(n, limits)?[..] {
        [_] => cost::pass_cost(n * limits.element_bytes, n * limits.element_bytes, limits.is_exact),
        radices => radices.iter().map(|&r| cost::best_width(r, limits).map_or(f64::INFINITY, |(_, cost)| cost)).sum(),
    })
}

/// One launch, for batches.
fn one_launch(n: usize, limits: &Limits) -> Option<Choice> {
    // Arithmetic limits exact algebras, not memory.
    if limits.is_exact {
        return None;
    }
    let (_, sharing, trips) = TRIPS.into_iter().find(|(bytes, ..)| *bytes == n * limits.element_bytes)?;
    let (points, trip) = POINTS.into_iter().zip(trips).find(|(points, _)| n / points <= limits.max_cluster)?;
    let blocks = n / points;
    let shape = Shape { n, blocks, rows: ROWS, first: sharing * ROWS, swaps: limits.swaps };
    let bytes = points * limits.element_bytes;
    let has_room = |count: &usize| cost::registers_beside(*count, ROWS, points / ROWS, limits).is_some();
    let crowd = CROWDS.into_iter().find(|(of, _)| points == POINTS[0] && *of == bytes).map(|(_, count)| count);
    let side_by_side = crowd.filter(has_room);
    let can_be = blocks > 1 && bytes <= MOST_BYTES && (limits.swaps || sharing == 1) && shape.fits(limits);
    (can_be && trip < cost_through_memory(n, limits)?).then(|| shape.choice(Clusters { blocks, side_by_side }))
}

/// Bytes of transforms that are spread out, over ℂ and over a field; of shorter ones a launch takes longer than all else, and
/// longer ones take two passes through the second-level cache.
const SPREAD: RangeInclusive<usize> = 64 << 10..=512 << 10;
const SPREAD_EXACT: RangeInclusive<usize> = 64 << 10..=256 << 10;

/// Threads of a work-group there at least; and rows of each, up to 2^14 points and beyond.
const SPREAD_THREADS: usize = 64;
const SPREAD_ROWS: [usize; 2] = [8, 16];

/// One launch, for a transform that is alone or a few that have a multiprocessor for each of their work-groups.
fn spread(n: usize, batch: usize, limits: &Limits) -> Option<Choice> {
    let bytes = n.checked_mul(limits.element_bytes)?;
    let range = if limits.is_exact { SPREAD_EXACT } else { SPREAD };
    let rows = SPREAD_ROWS[usize::from(n > 1 << 14)];
    let blocks = (n / rows / SPREAD_THREADS).min(limits.max_cluster);
    let shape = Shape { n, blocks, rows, first: 1 << (n.ilog2() / 2), swaps: false };
    let fits = range.contains(&bytes)
        && blocks > 1
        && blocks.saturating_mul(batch) <= limits.compute_units
        && limits.free_order == 1
        && shape.fits(limits);
    fits.then(|| shape.choice(Clusters { blocks, side_by_side: None }))
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
        let has_digits = |launch: &Shape| launch.first.min(launch.n / launch.first) >= self.wide;
        self.launches().iter().all(has_digits) && self.have_room(limits)
    }

    /// The same where neighbours may be of two digits.
    fn have_room(&self, limits: &Limits) -> bool {
        self.launches().iter().all(|launch| {
            let [first, second] = launch.radices();
            let points = launch.n / self.blocks * self.wide;
            first.min(second) >= self.blocks
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

    /// Whether they have whole sectors of columns whose images are in their tile: half of them are images of the others.
    pub fn has_images(&self, limits: &Limits) -> bool {
        self.radices().iter().all(|radix| radix / self.blocks * limits.element_bytes / 2 >= SECTOR_BYTES)
    }

    /// The choice of clusters like these.
    pub fn choice(&self, clusters: Clusters) -> Choice {
        Choice { passes: self.passes().to_vec(), launches: Launches::Clusters(clusters) }
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
