//! Which convolutions with a chirp go through [clusters](super::chirp), and in which shape.

use super::super::choice::{Choice, Clusters, Launches, PassChoice};
use super::super::cost::Limits;
use super::super::smooth;
use super::super::team::WARP;

/// Rows of a thread, and bytes of them at most.
const ROWS: [usize; 9] = [8, 12, 16, 18, 20, 24, 28, 30, 32];
const MOST_ROW_BYTES: usize = 256;

/// Bytes that neighbouring columns fill in whole: the banks of local memory serve as many at once, and it is a line of the caches.
const LINE_BYTES: usize = 128;

/// Threads of a work-group.
const THREADS: std::ops::RangeInclusive<usize> = 2 * WARP..=24 * WARP;

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
    /// Work-groups of the cluster.
    pub blocks: usize,
    /// Instructions for a point of the transform.
    pub cost: f64,
}

impl Shape {
    /// The choice of clusters like these.
    pub fn choice(&self, side_by_side: Option<usize>) -> Choice {
        let pass = |a: usize| PassChoice::new(self.radices[1 - a] / self.blocks, self.rows, self.stages[a].clone());
        let launches = Launches::ChirpClusters(Clusters { blocks: self.blocks, side_by_side });
        Choice { passes: vec![pass(0), pass(1), pass(0)], launches }
    }
}

/// The shapes for a transform of n points, the cheapest first.
pub(super) fn shapes(n: usize, limits: &Limits) -> Vec<Shape> {
    let (least, mut found) = (2 * n, Vec::new());
    let longest = (least as f64 * LONGER) as usize;
    for rows in ROWS.into_iter().filter(|rows| rows * limits.element_bytes <= MOST_ROW_BYTES) {
        for blocks in 2..=limits.max_cluster {
            let unit = smooth::least_common_multiple(rows, blocks * LINE_BYTES / limits.element_bytes);
            let most = longest / unit;
            let tiles: Vec<_> = (unit..=most)
                .step_by(unit)
                .filter_map(|radix| Some((radix, smooth::even_stages(radix, rows)?)))
                .collect();
            for (first, (outer, outer_cost)) in &tiles {
                for (second, (inner, inner_cost)) in &tiles {
                    let points = first * second;
                    let threads = points / blocks / rows;
                    let bytes = points / blocks * limits.element_bytes / 16 * 17;
                    if !(least..=longest).contains(&points)
                        || !THREADS.contains(&threads)
                        || threads > limits.max_group
                        || bytes > limits.tile_bytes
                    {
                        continue;
                    }
                    let warps = threads.next_multiple_of(WARP) as f64 / threads as f64;
                    let cost = (2.0 * (outer_cost + inner_cost) + BESIDE) * warps * points as f64 / n as f64;
                    let stages = [outer.clone(), inner.clone()];
                    found.push(Shape { radices: [*first, *second], stages, rows, blocks, cost });
                }
            }
        }
    }
    found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    found
}

/// Points of a transform at least: shorter ones are as fast in a tile.
const LEAST: usize = 1 << 11;

/// Shapes that are measured at most.
const MOST_TRIED: usize = 12;

/// The choices for a transform of n points, the cheapest first, of each radix and size of clusters one.
pub(super) fn choices(n: usize, limits: &Limits) -> Vec<Choice> {
    let mut found: Vec<Shape> = Vec::new();
    if limits.is_exact || n < LEAST {
        return Vec::new();
    }
    for shape in shapes(n, limits) {
        let is_other = |one: &Shape| (one.rows, one.blocks) != (shape.rows, shape.blocks);
        if found.iter().all(is_other) {
            found.push(shape);
        }
    }
    found.truncate(MOST_TRIED);
    found.iter().map(|shape| shape.choice(None)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Algebra;
    use crate::device_info::{Backend, DeviceInfo};

    #[test]
    #[ignore = "prints"]
    fn print() {
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
            for n in [4099, 5003, 8191, 10007, 16411, 30011, 65537, 100_003] {
                for shape in shapes(n, &Limits::of(&device, algebra)).iter().take(16) {
                    println!(
                        "{} {n} {:.2} {} {:.0} {}",
                        algebra.name(),
                        (shape.radices[0] * shape.radices[1]) as f64 / n as f64,
                        shape.threads(),
                        shape.cost,
                        shape.choice(None)
                    );
                }
            }
        }
    }
}
