//! The work-groups that take two passes of one launch together, and the ring in memory that is between the passes.
//!
//! A second-level cache may have two sides, each of them near to one half of the compute units, and what goes to the other
//! side goes through a narrow passage. So a crew's work-groups are on the same side as far as they can be, and the ring has
//! twice the memory that it needs, in pairs of which one is on either side: a crew takes what is near. Which that is, the
//! kernel finds out itself; were it wrong, it would be slower, and no less right.

use serde::{Deserialize, Serialize};

use crate::algebra::Algebra;

/// Bytes of memory that a crew's count has for itself: a line of the cache.
pub(crate) const COUNT_BYTES: usize = 128;

/// Parts of a tile that are waited for by themselves, at most.
pub(crate) const MOST_LANDINGS: usize = 4;

/// Bytes of memory that are on the same side of the cache, on an H200; the next ones are on the other side.
pub(crate) const SIDE_BYTES: usize = 4 << 10;

/// Pieces of a tile at most: work-groups have a list of where they are.
pub(super) const MOST_PIECES: usize = 256;

/// The crews of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ring {
    /// Work-groups of a crew: tiles of a share, in either pass.
    pub crew: usize,
    /// The number of crews.
    pub crews: usize,
    /// Work-groups of the launch: as many as there is room for, so that there are crews on both sides. What is left over has
    /// nothing to do.
    pub groups: usize,
    /// Points of a share, which a crew takes at a time: those of a transform, or where a pass comes before, those of some
    /// neighbouring lines of it.
    pub points: usize,
}

impl Ring {
    /// In how many parts a tile's blocks land, each of them waited for by itself.
    pub(crate) fn landings(self) -> usize {
        MOST_LANDINGS.min(self.crew)
    }

    /// Points of a tile.
    pub(crate) fn tile(self) -> usize {
        self.points / self.crew
    }

    /// Points of a block, which is what a work-group has for another.
    pub(crate) fn block(self) -> usize {
        self.tile() / self.crew
    }

    /// Points of a piece: what of a block is on one side.
    pub(crate) fn piece(self, algebra: Algebra) -> usize {
        self.block().min(SIDE_BYTES / algebra.element_bytes())
    }

    /// Pairs of [`SIDE_BYTES`] each that a crew has.
    pub(crate) fn pairs(self, algebra: Algebra) -> usize {
        self.points.saturating_mul(algebra.element_bytes()).div_ceil(SIDE_BYTES)
    }

    /// Elements of the ring, which begins at a multiple of a pair's bytes.
    pub(crate) fn len(self, algebra: Algebra) -> usize {
        let pairs = self.pairs(algebra).saturating_mul(self.crews).saturating_add(1);
        pairs.saturating_mul(2 * SIDE_BYTES / algebra.element_bytes())
    }

    /// Bytes behind the ring that are zero at first: the crews' counts, and how many work-groups are on either side.
    pub(crate) fn count_bytes(self) -> usize {
        self.crews.saturating_add(1).saturating_mul(COUNT_BYTES)
    }

    /// Elements of the ring, and behind it of the counts and of a byte for every pair.
    pub(super) fn len_with_counts(self, algebra: Algebra) -> usize {
        let bytes = self.count_bytes().saturating_add(self.pairs(algebra).saturating_mul(self.crews));
        self.len(algebra).saturating_add(bytes.div_ceil(algebra.element_bytes()))
    }
}
