//! Staging: elements of many digits go through local memory on their way from the source and to the target, so that
//! neighbouring threads touch neighbouring vectors of 16 bytes. A thread that loads its own elements makes a warp touch as
//! many lines of memory at once as it has threads, one vector of each.

use crate::algebra::Layout;
use crate::error::{Error, Result};
use crate::transform::Transform;

use super::cost::Limits;
use super::pass::VECTOR_BYTES;
use super::recipe::{Lanes, Pass, Place};

impl Pass {
    /// Whether it can be: elements are made of vectors that lie together, and a step of the work-group moves whole ones.
    fn can_stage(&self, transform: &Transform) -> [bool; 2] {
        let algebra = transform.algebra;
        let whole = algebra.has_digits()
            && self.tile.team == 1
            && algebra.element_bytes().is_multiple_of(VECTOR_BYTES)
            && self.group().is_multiple_of(self.vectors(algebra));
        [(self.source, self.tile.load), (self.target, self.tile.store)].map(|(place, lanes)| {
            let lies_together = match place {
                Place::Input => transform.input_layout == Layout::Plain,
                Place::Output => transform.output_layout == Layout::Plain,
                Place::Workspace | Place::Ring => true,
                Place::Cluster => false,
            };
            whole && lies_together && self.steps_are_whole(self.group() / self.vectors(algebra), lanes)
        })
    }

    /// Whether steps of so many elements take whole runs of neighbours, or runs whole steps.
    pub(crate) fn steps_are_whole(&self, at_once: usize, lanes: Lanes) -> bool {
        let run = self.neighbours_in_stage(lanes);
        at_once.is_multiple_of(run) || run.is_multiple_of(at_once)
    }

    /// Staged elements that follow each other in a row or column of the tile.
    pub(crate) fn neighbours_in_stage(&self, lanes: Lanes) -> usize {
        if lanes == Lanes::Columns { self.tile.columns } else { self.radix }
    }

    /// Checks that what is staged can be.
    pub(super) fn check_staging(&self, transform: &Transform) -> Result<()> {
        let can = self.can_stage(transform);
        if self.tile.staged.iter().zip(can).all(|(&staged, can)| can || !staged) {
            return Ok(());
        }
        Err(Error::InvalidTransform(format!(
            "a pass stages what does not go through local memory in vectors: {} with work-groups of {}, {:?} to {:?}",
            transform.algebra.name(),
            self.group(),
            self.source,
            self.target
        )))
    }
}

/// Whether a pass stages from the source, and to the target: where local memory is no cache, the elements are long, and as
/// many work-groups have room as without.
pub(super) fn choose(pass: &Pass, transform: &Transform, limits: &Limits) -> [bool; 2] {
    let bytes = pass.bytes_if_staged(transform.algebra);
    let side_by_side = limits.register_bytes / (4 * pass.tile.registers * pass.group()).max(1);
    let fits = bytes <= limits.tile_bytes && bytes.saturating_mul(side_by_side.max(1)) <= limits.unit_tile_bytes;
    pass.can_stage(transform).map(|can| can && fits && limits.moves_vectors())
}
