//! The work-groups that take two passes of one launch together, and the ring in memory that is between the passes.

use serde::{Deserialize, Serialize};

use crate::algebra::Algebra;

/// Shares with intermediate results that a crew has at a time: the one that is written and the one that is read.
pub(crate) const SLOTS: usize = 2;

/// Bytes of memory that a crew's count has for itself: a line of the cache.
pub(crate) const COUNT_BYTES: usize = 128;

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
    /// Elements of the ring, which begins at a multiple of [`COUNT_BYTES`] bytes.
    pub(crate) fn len(self, algebra: Algebra) -> usize {
        let slots = self.crews.saturating_mul(SLOTS).saturating_mul(self.points);
        slots.saturating_add(COUNT_BYTES / algebra.element_bytes())
    }

    /// Elements of the ring and of the crews' counts behind it.
    pub(super) fn len_with_counts(self, algebra: Algebra) -> usize {
        let counts = self.crews.saturating_mul(COUNT_BYTES).div_ceil(algebra.element_bytes());
        self.len(algebra).saturating_add(counts)
    }
}
