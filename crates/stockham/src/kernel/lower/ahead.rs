//! Tiles whose input comes to local memory while the work-group is at the tile before. The next one's is asked for at the
//! first barrier that the exchanges need anyway, when all threads have their rows.

use crate::algebra::Scalar;
use crate::kernel::ir::{Meeting, Memory};
use crate::plan::Holding;

use super::{Lowering, Number, Place};

impl Lowering<'_> {
    /// The rows of a thread, when they have come and nobody is at the tile before any more.
    pub(super) fn load_fetched(&self, holding: Holding) -> Vec<Number> {
        self.context.barrier();
        self.context.meet(Meeting::Fetched);
        let row = |v| {
            let Place { row, step, column, .. } = self.held(holding, v);
            self.element(Memory::Fetched, &column.times(self.pass.radix).add(&row).plus(step))
        };
        (0..self.pass.tile.per_thread).map(row).collect()
    }
}
