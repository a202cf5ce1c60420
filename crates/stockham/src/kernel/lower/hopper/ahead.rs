//! Tiles whose input comes to local memory while the work-group is at the tile before.
//!
//! Where it has memory of its own, the next one's is asked for at the first barrier that the exchanges need anyway, when all
//! threads have their rows. In a crew, it comes to the memory of the exchanges and is asked for behind the last of them.

use crate::algebra::Scalar;
use crate::kernel::hopper::Meeting;
use crate::kernel::ir::Memory;
use crate::plan::Holding;

use super::super::{Lowering, Number, Place};

impl Lowering<'_> {
    /// The rows of a thread, when they have come and nobody is at the tile before any more.
    pub(super) fn load_fetched(&self, holding: Holding) -> Vec<Number> {
        let in_tile = self.pass.arrives_in_tile();
        if !in_tile {
            self.context.barrier();
        }
        self.context.meet(Meeting::Fetched);
        let (is_contiguous, pieces) = (self.pass.has_contiguous_tiles(), self.pieces(self.pass.source));
        let row = |v| {
            if let Some(pieces) = &pieces {
                return self.element(Memory::Fetched, &self.place_in_blocks(pieces, v));
            }
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
            if self.pass.hopper.early > 0 {
                self.context.meet(Meeting::FetchEarly);
            }
            if self.pass.exchanges().is_empty() {
                self.context.meet(Meeting::AskCrew);
                self.fetch_next_in_tile();
            }
        }
        self.twiddle(holding, rows)
    }

    /// The rows of a thread in a ring's first pass that loads them itself.
    pub(super) fn load_beside(&self, holding: Holding) -> Vec<Number> {
        let rows = self.load(holding);
        self.context.meet(Meeting::Fetched);
        self.context.barrier();
        rows
    }

    /// Behind a barrier of the work-group in the pass's first exchange, after which no thread needs what was fetched.
    pub(in crate::kernel::lower) fn fetch_next_beside(&self, number: usize) {
        if self.pass.hopper.ahead && !self.pass.arrives_in_tile() && number == 0 {
            self.context.meet(Meeting::FetchNext);
        }
    }

    /// Behind what the threads have written to local memory in the pass's last exchange: their registers are free.
    pub(in crate::kernel::lower) fn ask_crew(&self, number: usize) {
        if self.is_last_in_tile(number) {
            self.context.meet(Meeting::AskCrew);
        }
    }

    /// Behind what the threads have read from local memory in the pass's last exchange.
    pub(in crate::kernel::lower) fn fetch_next_behind(&self, number: usize) {
        if self.is_last_in_tile(number) {
            self.fetch_next_in_tile();
        }
    }

    /// Whether that is the last exchange, in memory to which the next tile comes.
    fn is_last_in_tile(&self, number: usize) -> bool {
        self.pass.arrives_in_tile() && number + 1 == self.pass.exchanges().len()
    }

    /// When nobody uses the memory any more to which it comes.
    fn fetch_next_in_tile(&self) {
        self.context.meet(Meeting::CrewReady);
        self.context.barrier();
        self.context.meet(Meeting::FetchNext);
    }
}
