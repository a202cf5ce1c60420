//! The work-groups that take two passes of one launch together, and the ring in memory that is between the passes.

use serde::{Deserialize, Serialize};

use crate::transform::Transform;

/// Transforms with intermediate results that a crew has at a time: the one that is written and the one that is read.
pub(crate) const SLOTS: usize = 2;

/// Bytes of memory that a crew's count has for itself: a line of the cache.
pub(crate) const COUNT_BYTES: usize = 128;

/// The crews of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ring {
    /// Work-groups of a crew: tiles of a transform, in either pass.
    pub crew: usize,
    /// The number of crews.
    pub crews: usize,
}

impl Ring {
    /// Elements of the workspace before the crews' counts: the ring, which begins at a multiple of [`COUNT_BYTES`] bytes.
    pub(crate) fn len(self, transform: &Transform) -> usize {
        let slots = self.crews.saturating_mul(SLOTS).saturating_mul(transform.points());
        slots.saturating_add(COUNT_BYTES / transform.algebra.element_bytes())
    }

    /// Elements of the workspace.
    pub(crate) fn workspace_len(self, transform: &Transform) -> usize {
        let counts = self.crews.saturating_mul(COUNT_BYTES).div_ceil(transform.algebra.element_bytes());
        self.len(transform).saturating_add(counts)
    }
}
