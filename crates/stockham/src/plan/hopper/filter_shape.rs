//! Which filters go through [clusters](super::chirp) there and back, and in which shape: those that no tile holds. Of 50 shapes by hand
//! for 2^14 and 2^16 points of two `f32` on an H100, those of sides alike with 16 rows a thread and three work-groups side by side were
//! the fastest; of 30 for as many pairs of real numbers, those of 256 rows there and back, so that the middle pass, which has the half
//! spectrum, has short columns.

use std::ops::RangeInclusive;

use super::super::choice::{Choice, Clusters};
use super::super::cost::{self, Limits};
use super::chirp_shape::Shape;
use super::cluster_shape::{self, GROUP_BYTES, Rectangle, WIDE_ROWS};

/// Bytes of a line.
const BYTES: RangeInclusive<usize> = 128 << 10..=512 << 10;

/// Bytes of a line of pairs that is faster with fewer work-groups side by side, and those.
const LONG_PAIRS: usize = 256 << 10;
const SIDE_BY_SIDE_OF_LONG: usize = 2;

/// The choice for lines of n points, or of n pairs of real numbers, if they go through clusters.
pub(super) fn choice(n: usize, in_pairs: bool, limits: &Limits) -> Option<Choice> {
    let bytes = n.checked_mul(limits.element_bytes)?;
    let blocks = bytes / GROUP_BYTES;
    if limits.is_exact || !n.is_power_of_two() || !BYTES.contains(&bytes) || blocks > limits.max_cluster {
        return None;
    }
    let most = cluster_shape::side_by_side(n / blocks, limits)?;
    let side_by_side = Some(if in_pairs && bytes == LONG_PAIRS { SIDE_BY_SIDE_OF_LONG } else { most });
    let radices = if in_pairs { sides_of_pairs(n) } else { Rectangle::sides(n) };
    let stages = radices.map(|radix| cost::split(radix.ilog2(), WIDE_ROWS.ilog2()));
    let clusters = Clusters { blocks, side_by_side };
    Some(Shape { radices, stages, rows: WIDE_ROWS, clusters, cost: 0.0 }.choice())
}

/// The outer radix, in two butterflies, and that of the middle pass. Where its last butterflies leave threads no room for their images
/// the shape is refused, and the line takes two transforms.
fn sides_of_pairs(n: usize) -> [usize; 2] {
    let outer = (WIDE_ROWS * WIDE_ROWS).min(n / (2 * WIDE_ROWS));
    [outer, n / outer]
}
