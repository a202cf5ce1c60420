//! What there is to try when a transform is tuned: the planner's choice, and its neighbours.

use crate::device_info::DeviceInfo;
use crate::transform::Transform;

use super::ahead;
use super::choice::{Choice, Clusters, Launches};
use super::choose::choose;
use super::cluster_shape::{Rectangle, Shape, WIDE_ROWS};
use super::cost::Limits;
use super::load::Load;
use super::neighbours::crowded;
use super::planner;
use super::ring_shape;

/// Rows a thread, beside those that the planner takes.
const ROWS: [usize; 4] = [4, 8, 16, 32];

/// Bytes of its rows that a thread holds at most where passes go through memory: half of 128 registers.
const THREAD_BYTES: usize = 256;

/// Widths of tiles, as powers of two beside the planner's: half, the same, double.
const WIDTHS: [i32; 3] = [0, -1, 1];

/// Passes at most.
const MOST_PASSES: usize = 4;

/// The logarithm of a pass's radix at least: shorter ones have less to do than to move.
const LEAST_BITS: u32 = 5;

/// Bytes of transforms that may be fetched ahead: of shorter ones there are several to a compute unit.
const LEAST_AHEAD: usize = 64 << 10;

/// Rows a thread there.
const AHEAD_ROWS: [usize; 2] = [16, ahead::ROWS];

/// Work-groups of a cluster.
const CLUSTERS: [usize; 4] = [2, 4, 8, 16];

/// Rows a thread in clusters.
const CLUSTER_ROWS: [usize; 3] = [8, 16, MOST_CLUSTER_ROWS];
const MOST_CLUSTER_ROWS: usize = 32;

/// Points of a transform that may go through two launches of clusters: shorter ones take two passes.
const LEAST_RECTANGLE: usize = 1 << 22;

/// Work-groups of clusters that take neighbouring lines, and contiguous bytes of the lines.
const WIDE_CLUSTERS: [usize; 2] = [8, 16];
const WIDE_BYTES: [usize; 3] = [64, 128, 256];

/// Threads of a work-group of a cluster at least, and of one that is tried with more beside it: of fewer threads, more were slower.
const LEAST_CLUSTER_GROUP: usize = 64;
const LEAST_CROWDED_GROUP: usize = 128;

/// Choices worth measuring for a transform on a device: the planner's first, then others without duplicates, some dozens
/// at most, every one of which can be realised. None if the planner refuses the transform, or on the host.
pub fn candidates(transform: &Transform, device: &DeviceInfo) -> Vec<Choice> {
    let Ok(own) = choose(transform, device) else { return Vec::new() };
    let limits = Limits::of(device, transform.algebra);
    let mut found = Found { transform, device, limits, choices: vec![own] };
    let n = transform.points();
    if let Some(cut) = planner::cut(n, false, &found.limits) {
        let most = THREAD_BYTES / found.limits.element_bytes;
        for rows in [None].into_iter().chain(ROWS.into_iter().filter(|&rows| rows <= most).map(Some)) {
            found.try_widths(&cut, rows);
        }
        let others = if n.is_power_of_two() { other_cuts(n.ilog2(), cut.len()) } else { Vec::new() };
        for other in others {
            found.try_widths(&other, None);
            // Most rows a thread make the fewest exchanges.
            found.try_widths(&other, ROWS.into_iter().rev().find(|&rows| rows <= most));
        }
    }
    if !n.is_power_of_two() {
        return found.choices;
    }
    if n * found.limits.element_bytes >= LEAST_AHEAD && planner::is_packed(transform) {
        AHEAD_ROWS.into_iter().flat_map(|rows| ahead::candidates(n, rows)).for_each(|choice| found.push(choice));
    }
    if Load::of(transform, device) == Some(Load::Streaming) && planner::is_packed(transform) {
        ring_shape::candidates(n, &found.limits).into_iter().for_each(|choice| found.push(choice));
    }
    found.try_clusters(n);
    found.try_rectangles(n);
    found.choices
}

/// Cuts into as many passes as the planner takes, one more, or one less: even ones, and those with the first pass twice
/// as long or half as long, at the last one's cost.
fn other_cuts(bits: u32, passes: usize) -> Vec<Vec<usize>> {
    let mut cuts = Vec::new();
    for count in [passes, passes + 1, passes - 1].into_iter().filter(|count| (1..=MOST_PASSES).contains(count)) {
        let parts = count as u32;
        let even: Vec<u32> = (0..parts).map(|a| bits / parts + u32::from(a < bits % parts)).collect();
        let shifts: &[i32] = if count == 1 { &[0] } else { &[0, 1, -1] };
        for shift in shifts {
            let mut cut = even.clone();
            cut[0] = cut[0].saturating_add_signed(*shift);
            cut[count - 1] = cut[count - 1].saturating_add_signed(-shift);
            if count == 1 || cut.iter().all(|&bits| bits >= LEAST_BITS) {
                cuts.push(cut.iter().map(|&bits| 1 << bits).collect());
            }
        }
    }
    cuts
}

/// Widths pass by pass: alike in all, and where there are two, other in one of them.
fn widths(passes: usize) -> Vec<Vec<i32>> {
    let mut widths: Vec<Vec<i32>> = WIDTHS.iter().map(|&width| vec![width; passes]).collect();
    if passes == 2 {
        widths.extend([-1, 1].into_iter().flat_map(|width| [vec![width, 0], vec![0, width]]));
    }
    widths
}

struct Found<'a> {
    transform: &'a Transform,
    device: &'a DeviceInfo,
    limits: Limits,
    choices: Vec<Choice>,
}

impl Found<'_> {
    /// A cut with so many rows a thread, in tiles of several widths.
    fn try_widths(&mut self, cut: &[usize], rows: Option<usize>) {
        let room = self.limits.tile_elements();
        if cut.iter().any(|&radix| radix > room) {
            return;
        }
        let passes = planner::passes(self.transform, cut, rows, &self.limits);
        for widths in widths(passes.len()) {
            let mut choice = Choice { passes: passes.clone(), launches: Launches::Apart };
            for ((pass, radix), width) in choice.passes.iter_mut().zip(cut).zip(widths) {
                let columns = self.transform.batch_count().saturating_mul(self.transform.points() / radix);
                let wanted = if width < 0 { pass.columns >> 1 } else { pass.columns << width };
                // More columns than there are would have nothing to do, and larger tiles no room in registers.
                let in_registers = *radix == pass.per_thread;
                let fits = if in_registers { usize::MAX } else { room / radix };
                pass.columns = wanted.min(columns.next_power_of_two()).min(fits).max(1);
            }
            self.push(choice);
        }
    }

    /// One launch of clusters of every size: with a first pass in the registers of a thread, and with one in those of two, where
    /// they hold most rows, or else with passes alike. Where threads hold most rows, there may be one work-group more side by
    /// side than these are given registers for.
    fn try_clusters(&mut self, n: usize) {
        let most = self.limits.max_cluster;
        for blocks in CLUSTERS.into_iter().filter(|&blocks| blocks <= most) {
            for rows in CLUSTER_ROWS {
                let swaps = self.limits.swaps;
                let longer = if swaps && rows == MOST_CLUSTER_ROWS { 2 * rows } else { 1 << (n.ilog2() / 2) };
                for first in [rows, longer] {
                    let shape = Shape { n, blocks, rows, first, swaps };
                    if n / blocks / rows >= LEAST_CLUSTER_GROUP && shape.fits(&self.limits) {
                        let choice = shape.choice(Clusters { blocks, side_by_side: None });
                        let more = (rows == MOST_CLUSTER_ROWS && n / blocks / rows >= LEAST_CROWDED_GROUP)
                            .then(|| crowded(&choice, 1, self.transform, self.device))
                            .flatten();
                        [Some(choice), more].into_iter().flatten().for_each(|choice| self.push(choice));
                    }
                }
            }
        }
    }

    /// Two launches of clusters, each of which takes some neighbouring lines.
    fn try_rectangles(&mut self, n: usize) {
        if self.limits.is_exact || n < LEAST_RECTANGLE {
            return;
        }
        let (most, [long, short]) = (self.limits.max_cluster, Rectangle::sides(n));
        for blocks in WIDE_CLUSTERS.into_iter().filter(|&blocks| blocks <= most) {
            for wide in WIDE_BYTES.map(|bytes| bytes / self.limits.element_bytes) {
                for sides in [[long, short], [short, long]] {
                    let shape = Rectangle { sides, blocks, rows: WIDE_ROWS, wide };
                    if shape.fits(&self.limits) {
                        self.push(Choice { passes: shape.passes(), launches: Launches::clusters(blocks) });
                    }
                }
            }
        }
    }

    fn push(&mut self, choice: Choice) {
        if !self.choices.contains(&choice) && choice.realise(self.transform, self.device).is_ok() {
            self.choices.push(choice);
        }
    }
}
