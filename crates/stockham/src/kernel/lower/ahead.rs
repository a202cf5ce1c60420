//! Tiles whose input comes to local memory while the work-group is at the tile before.
//!
//! Where it has memory of its own, the next one's is asked for at the first barrier that the exchanges need anyway, when all
//! threads have their rows. Where it comes to the memory of the exchanges, it is asked for behind the last of them.

use crate::algebra::Scalar;
use crate::kernel::ir::{Meeting, Memory};
use crate::plan::{Holding, Pass};

use super::{Lowering, Number, Place};

impl Lowering<'_> {
    /// The rows of a thread, when they have come and nobody is at the tile before any more. From then on the work-group may
    /// be sent what the second pass of the launch is to receive.
    pub(super) fn load_fetched(&self, holding: Holding, second: Option<&Pass>) -> Vec<Number> {
        let in_tile = self.pass.arrives_in_tile();
        if !in_tile {
            self.context.barrier();
        }
        self.context.meet(Meeting::Fetched);
        let is_contiguous = self.pass.has_contiguous_tiles();
        let row = |v| {
            let Place { row, step, column, .. } = self.held(holding, v);
            let index = if is_contiguous {
                column.times(self.pass.radix).add(&row).plus(step)
            } else {
                let columns = self.pass.tile.columns;
                row.times(columns).add(&column).plus(step * columns)
            };
            self.element(Memory::Fetched, &index)
        };
        let rows = (0..self.pass.tile.per_thread).map(row).collect();
        if in_tile {
            self.context.barrier();
            if let Some(second) = second {
                self.expect(second);
            }
            if self.recipe.ring.is_some() {
                self.context.meet(Meeting::Announce);
            }
            match self.pass.exchanges().is_empty() {
                true if self.recipe.ring.is_some() => self.fetch_next(),
                true => self.context.meet(Meeting::FetchNext),
                false => {}
            }
        }
        self.twiddle(holding, rows)
    }

    /// Behind a barrier of the work-group in the pass's exchange of that number, after which no thread needs what was
    /// fetched.
    pub(super) fn fetch_next_beside(&self, number: usize) {
        if self.pass.tile.ahead && !self.pass.arrives_in_tile() && number == 0 {
            self.context.meet(Meeting::FetchNext);
        }
    }

    /// Behind what the threads have read from local memory in the pass's exchange of that number.
    pub(super) fn fetch_next_in_tile(&self, number: usize) {
        if self.pass.arrives_in_tile() && number + 1 == self.pass.exchanges().len() {
            self.fetch_next();
        }
    }

    /// When nobody uses the memory any more to which it comes.
    fn fetch_next(&self) {
        if self.recipe.ring.is_some() {
            self.context.meet(Meeting::CrewReady);
        }
        self.context.barrier();
        self.context.meet(Meeting::FetchNext);
    }
}
