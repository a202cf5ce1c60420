//! Which filters go through [clusters](super::chirp) there and back, and in which shape: those that no tile holds. Of 50 shapes by hand
//! for 2^14 and 2^16 points of two `f32` on an H100, those of sides alike with 16 rows a thread and three work-groups side by side were
//! the fastest.

use std::ops::RangeInclusive;

use super::super::choice::{Choice, Clusters};
use super::super::cost::{self, Limits};
use super::chirp_shape::Shape;
use super::cluster_shape::{self, GROUP_BYTES, Rectangle, WIDE_ROWS};

/// Bytes of a line.
const BYTES: RangeInclusive<usize> = 128 << 10..=512 << 10;

/// The choice for lines of n points, which may be pairs of real numbers, if they go through clusters.
pub(super) fn choice(n: usize, in_pairs: bool, limits: &Limits) -> Option<Choice> {
    let bytes = n.checked_mul(limits.element_bytes)?;
    let blocks = bytes / GROUP_BYTES;
    if limits.is_exact || !n.is_power_of_two() || !BYTES.contains(&bytes) || blocks > limits.max_cluster {
        return None;
    }
    let side_by_side = Some(cluster_shape::side_by_side(n / blocks, limits)?);
    let radices = Rectangle::sides(n);
    let [outer, middle] = radices.map(|radix| cost::split(radix.ilog2(), WIDE_ROWS.ilog2()));
    // Butterflies with their images are no more than a thread has rows for.
    let middle = match middle[..] {
        [first, last] if in_pairs && last > WIDE_ROWS / 2 => vec![first / 2, last / 2, 4],
        _ => middle,
    };
    let stages = [outer, middle];
    let clusters = Clusters { blocks, side_by_side };
    Some(Shape { radices, stages, rows: WIDE_ROWS, clusters, cost: 0.0 }.choice())
}
