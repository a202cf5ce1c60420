//! Which convolutions with a chirp go through [clusters](super::chirp), and in which shape.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::super::choice::{Choice, Clusters, Launches, PassChoice};
use super::super::cost::{self, Limits};
use super::super::smooth;
use super::super::team::WARP;

/// Rows of a thread, and bytes of them at most.
const ROWS: [usize; 9] = [8, 12, 16, 18, 20, 24, 28, 30, 32];
const MOST_ROW_BYTES: usize = 384;

/// Bytes that neighbouring columns fill in whole: the banks of local memory serve as many at once, and it is a line of the caches.
const LINE_BYTES: usize = 128;

/// Threads of a work-group, and points of a pass at most.
const THREADS: RangeInclusive<usize> = 2 * WARP..=24 * WARP;
const MOST_RADIX: usize = 1 << 11;

/// Registers of a thread, in times of those of its rows: with fewer the compiler spills.
const REGISTERS: usize = 3;

/// Warps of a unit that would take twice as long as many more, and what a work-group that is alone there takes longer than many
/// (fitted to ten shapes of 4099, 10007 and 16411 points on an H100).
const FEW_WARPS: f64 = 6.0;
const ALONE: f64 = 0.25;

/// Weighted instructions for a point from on three passes through memory are as fast.
const MOST_COST: f64 = 850.0;

/// Lengths that are looked at, in multiples of the shortest.
const LONGER: f64 = 1.3;

/// Instructions for a point beside those of the DFTs: pushes and receptions, twiddles, and products with chirp and spectrum.
const BESIDE: f64 = 44.0;

/// A convolution in a cluster.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    /// The radix of the outer passes, and of the middle one.
    pub radices: [usize; 2],
    /// The stages of each.
    pub stages: [Vec<usize>; 2],
    /// Rows of a thread.
    pub rows: usize,
    /// Work-groups of the cluster, and of a unit.
    pub clusters: Clusters,
    /// Instructions for a point of the transform, weighted by how many warps there are to hide what others wait for.
    pub cost: f64,
}

impl Shape {
    /// The choice of clusters like these.
    pub fn choice(&self) -> Choice {
        let columns = |a: usize| self.radices[1 - a] / self.clusters.blocks;
        let pass = |a: usize| PassChoice::new(columns(a), self.rows, self.stages[a].clone());
        Choice { passes: vec![pass(0), pass(1), pass(0)], launches: Launches::ChirpClusters(self.clusters) }
    }
}

/// The shapes for a transform of n points, the cheapest first.
pub(super) fn shapes(n: usize, limits: &Limits) -> Vec<Shape> {
    let (least, mut found) = (2 * n, Vec::new());
    let longest = (least as f64 * LONGER) as usize;
    for rows in ROWS.into_iter().filter(|rows| rows * limits.element_bytes <= MOST_ROW_BYTES) {
        let mut stages_of = HashMap::new();
        for blocks in 2..=limits.max_cluster {
            let unit = smooth::least_common_multiple(rows, blocks * LINE_BYTES / limits.element_bytes);
            let tiles: Vec<_> = (unit..=MOST_RADIX)
                .step_by(unit)
                .filter_map(|radix| {
                    let stages = stages_of.entry(radix).or_insert_with(|| smooth::even_stages(radix, rows));
                    Some((radix, stages.clone()?))
                })
                .collect();
            for (first, (outer, outer_cost)) in &tiles {
                for (second, (inner, inner_cost)) in &tiles {
                    let points = first * second;
                    let threads = points / blocks / rows;
                    if !(least..=longest).contains(&points) || !THREADS.contains(&threads) {
                        continue;
                    }
                    let Some(count) = side_by_side(points / blocks, rows, threads, limits) else { continue };
                    let warps = (threads.div_ceil(WARP) * count) as f64;
                    let idle = threads.next_multiple_of(WARP) as f64 / threads as f64;
                    let instructions = (2.0 * (outer_cost + inner_cost) + BESIDE) * points as f64 / n as f64;
                    let cost = instructions * idle * (1.0 + FEW_WARPS / warps) * (1.0 + ALONE / count as f64);
                    if cost > MOST_COST {
                        continue;
                    }
                    let stages = [outer.clone(), inner.clone()];
                    let clusters = Clusters { blocks, side_by_side: Some(count) };
                    found.push(Shape { radices: [*first, *second], stages, rows, clusters, cost });
                }
            }
        }
    }
    found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    found
}

/// Bytes of a convolution that is the fastest in two work-groups whose outer passes are a butterfly of 32 points each, as one exchange less
/// counts for more than the warps that wait for it: of 120 shapes by hand for 8,187 points of two `f32` on an H100, and of eight for 3,767 to
/// 4,079 points of two `f64`.
const OF_TWO_GROUPS: usize = 128 << 10;
const OF_TWO_GROUPS_ROWS: usize = 32;

/// The shortest of its transforms, in parts of the convolution's length: of shorter ones there are shorter convolutions.
const LEAST_OF_TWO: f64 = 0.45;

/// That shape for a transform of n points, if it is for one.
fn in_two_groups(n: usize, limits: &Limits) -> Option<Shape> {
    let points = OF_TWO_GROUPS / limits.element_bytes;
    if 2 * n > points || (n as f64) < LEAST_OF_TWO * points as f64 || limits.max_cluster < 2 {
        return None;
    }
    let (rows, radices) = (OF_TWO_GROUPS_ROWS, [OF_TWO_GROUPS_ROWS, points / OF_TWO_GROUPS_ROWS]);
    let [(outer, _), (inner, _)] = [smooth::even_stages(radices[0], rows)?, smooth::even_stages(radices[1], rows)?];
    let clusters = Clusters { blocks: 2, side_by_side: Some(2) };
    Some(Shape { radices, stages: [outer, inner], rows, clusters, cost: 0.0 })
}

/// Work-groups that a unit has room and registers for; nothing if there are too few for one.
fn side_by_side(points: usize, rows: usize, threads: usize, limits: &Limits) -> Option<usize> {
    let bytes = points * limits.element_bytes / 16 * 17;
    let of_rows = rows * limits.element_bytes / 4;
    let registers = (REGISTERS * of_rows).clamp(LEAST_REGISTERS, cost::MOST_REGISTERS);
    let by_registers = limits.register_bytes / 4 / (registers * threads.next_multiple_of(WARP));
    let count = by_registers.min(limits.unit_tile_bytes / bytes);
    let fits = threads <= limits.max_group && bytes <= limits.tile_bytes;
    (fits && count > 0).then_some(count)
}

/// Registers of a thread at least.
const LEAST_REGISTERS: usize = 64;

/// Points of a transform at least: shorter ones are as fast in a tile.
const LEAST: usize = 1 << 11;

/// Shapes that are measured at most.
const MOST_TRIED: usize = 12;

/// The choices for a transform of n points, the one that was measured and the cheapest first, of each radix and size of clusters one.
pub(super) fn choices(n: usize, limits: &Limits) -> Vec<Choice> {
    let mut found: Vec<Shape> = Vec::new();
    if limits.is_exact || n < LEAST {
        return Vec::new();
    }
    for shape in shapes(n, limits) {
        let is_other = |one: &Shape| (one.rows, one.clusters) != (shape.rows, shape.clusters);
        if found.iter().all(is_other) {
            found.push(shape);
        }
    }
    found.truncate(MOST_TRIED);
    in_two_groups(n, limits).iter().chain(&found).map(Shape::choice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Algebra;
    use crate::device_info::{Backend, DeviceInfo};

    #[test]
    fn shapes_hold_their_transforms_and_fill_lines() {
        let device = DeviceInfo {
            backend: Backend::Cuda,
            max_group: 1024,
            local_bytes: 227 << 10,
            simd_width: 32,
            registers: Some(64 << 10),
            compute_units: 132,
            max_cluster: Some(16),
            ..crate::Device::cpu().info().clone()
        };
        for algebra in [Algebra::ComplexF32, Algebra::ComplexF64] {
            let limits = Limits::of(&device, algebra);
            for n in [4099, 5003, 6007, 8191, 10_007, 12_289, 16_411, 20_011] {
                let found = shapes(n, &limits);
                assert!(!found.is_empty(), "{} {n}", algebra.name());
                for Shape { radices, stages, rows, clusters, .. } in found.iter().take(20) {
                    let points = radices[0] * radices[1];
                    assert!(points >= 2 * n && (points as f64) < 2.0 * LONGER * n as f64);
                    assert!(
                        radices.iter().all(|r| (r / clusters.blocks * limits.element_bytes).is_multiple_of(LINE_BYTES))
                    );
                    assert!(stages.iter().flatten().all(|r| rows.is_multiple_of(*r)));
                }
            }
            assert!(shapes(10_000_019, &limits).is_empty());
            // As many points as fit, and one more.
            let most = OF_TWO_GROUPS / 2 / limits.element_bytes;
            let [two, one_more] = [most, most + 1].map(|n| in_two_groups(n, &limits));
            assert_eq!((two.unwrap().radices[0], one_more), (32, None));
        }
    }
}
