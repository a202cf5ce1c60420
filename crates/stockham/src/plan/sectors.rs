//! Elements of one word in bit-reversed order: a butterfly's rows are neighbours there, and are stored in vectors of 16 bytes, half
//! a sector of memory. Where neighbouring threads give each other halves before, every store fills whole sectors.

use crate::transform::Transform;

use super::cost::SECTOR_BYTES;
use super::recipe::{Lanes, Pass, Place};

/// Threads of a warp.
const WARP: usize = 32;

impl Pass {
    /// Whether it can be: neighbouring threads are of one warp and one column, and a butterfly of the last stage gives whole sectors
    /// to the output.
    pub(super) fn can_share_sectors(&self, transform: &Transform) -> bool {
        let (algebra, last) = (transform.algebra, self.tile.stages.last().copied().unwrap_or(1));
        let words = SECTOR_BYTES / algebra.element_bytes().max(1);
        transform.domain.reversed[1]
            && (self.target, self.tile.store) == (Place::Output, Lanes::Rows)
            && algebra.layout().1 == 1
            && words >= 2
            && last.is_multiple_of(words)
            && self.is_even()
            && self.row_strides.1 == 1
            && self.columns.iter().all(|column| column.output_stride.is_multiple_of(words))
            && self.threads_per_column().is_multiple_of(2)
            && self.group().is_multiple_of(WARP)
    }
}
