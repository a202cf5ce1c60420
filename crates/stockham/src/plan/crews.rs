//! The work-groups that take two passes of one launch together, and the ring in memory that is between the passes.

use serde::{Deserialize, Serialize};

use crate::algebra::Algebra;

/// Bytes of memory that a crew's count has for itself: a line of the cache.
pub(crate) const COUNT_BYTES: usize = 128;

/// Parts of a tile that are waited for by themselves.
pub(crate) const MOST_LANDINGS: usize = 4;

/// The crews of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ring {
    /// Work-groups of a crew: tiles of a share, in either pass.
    pub crew: usize,
    /// The number of crews.
    pub crews: usize,
    /// Points of a share, which a crew takes at a time: those of a transform, or where a pass comes before, those of some
    /// neighbouring lines of it.
    pub points: usize,
}

impl Ring {
    /// In how many parts a tile's blocks land, each of them waited for by itself.
    pub(crate) fn landings(self) -> usize {
        MOST_LANDINGS.min(self.crew)
    }

    /// Points of a block, which is what a work-group has for another.
    pub(crate) fn block(self) -> usize {
        self.points / self.crew / self.crew
    }

    /// Elements of the ring, which begins at a multiple of [`COUNT_BYTES`] bytes.
    pub(crate) fn len(self, algebra: Algebra) -> usize {
        self.crews.saturating_mul(self.points).saturating_add(COUNT_BYTES / algebra.element_bytes())
    }

    /// Elements of the ring and of the crews' counts behind it.
    pub(super) fn len_with_counts(self, algebra: Algebra) -> usize {
        let counts = self.crews.saturating_mul(COUNT_BYTES).div_ceil(algebra.element_bytes());
        self.len(algebra).saturating_add(counts)
    }
}
