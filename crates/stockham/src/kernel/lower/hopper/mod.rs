//! What passes do that share a launch or fetch ahead: they hand on results without storing them, and have rows without loading
//! them. The lowering of a pass calls what is here, at its beginning, at its exchanges and at its end.

mod ahead;
mod cluster;
mod lines_with_images;
mod ring;
mod swap;

use crate::algebra::Algebra;
use crate::kernel::hopper::{Ahead, Hopper, Meeting};
use crate::plan::{Cluster, Holding, Pass, Place, Recipe};

use super::{Lowering, Number};

impl Lowering<'_> {
    /// Before the first pass of a launch: what is sent to those after it is expected there.
    pub(super) fn begin(&self) {
        if let Some((second, _)) = receiver(self.after).filter(|_| self.pass.source != Place::Cluster) {
            self.expect(second);
        }
    }

    /// The rows that a pass begins with, where it has been sent them or has fetched them.
    pub(super) fn received(&self, load: Holding) -> Option<Vec<Number>> {
        match self.pass.hopper.cluster {
            Some(cluster) => Some(self.receive_pushes(&cluster)),
            None if self.pass.hopper.ahead => Some(self.load_fetched(load)),
            None => self.pass.arrives_in_tile().then(|| self.load_beside(load)),
        }
    }

    /// Stores what a pass made, or sends it to the one after it, in the same launch; its crew is told.
    pub(super) fn hand_on(&self, store: Holding, rows: Vec<Number>) {
        match receiver(self.after) {
            Some((second, cluster)) => self.push(second, &cluster, store, rows),
            None => self.store(store, rows),
        }
        if self.pass.target == Place::Ring {
            self.context.meet(Meeting::Announce);
        }
    }
}

/// The pass after, if it is of the same cluster.
fn receiver(after: Option<&Pass>) -> Option<(&Pass, Cluster)> {
    after.and_then(|after| Some((after, after.hopper.cluster?)))
}

/// What the kernel of a launch is told, by its first pass and its last.
pub(super) fn of_launch(recipe: &Recipe, (first, last): (&Pass, &Pass)) -> Hopper {
    Hopper {
        cluster: last.hopper.cluster.map_or(1, |cluster| cluster.blocks),
        ahead: (first.hopper.ahead || first.arrives_in_tile()).then(|| Ahead {
            columns: first.counted_in_tile(),
            len: first.tile_points(),
            array: recipe.boxes(first),
            in_tile: first.arrives_in_tile(),
            early: first.hopper.early,
            loads: !first.hopper.ahead,
        }),
        pieces: recipe.ring.and_then(|ring| ring.pieces(&recipe.transform)),
    }
}

/// Places of local memory that a pass takes with those behind which it receives.
pub(super) fn places(pass: &Pass, algebra: Algebra) -> usize {
    pass.hopper.cluster.map_or(0, |cluster| cluster.tile_len(pass, algebra))
}
