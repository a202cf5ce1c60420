//! Where the passes of a ring have their elements: in blocks, each of which is what a work-group of a crew has for another.
//!
//! The rows of the first pass's tile, m at a time, are for one work-group after the other, and a block has these of its c
//! columns. In the second pass's tile the blocks follow each other in the order of the work-groups that they come from.

use crate::algebra::Scalar;
use crate::kernel::ir::{Meeting, Memory, Type};
use crate::kernel::symbol::Symbol;
use crate::plan::{Pass, Ring};

use super::Lowering;

impl Lowering<'_> {
    /// What has to be done before row τ + T·v is stored: its place, and those of later rows, are where the next tile's
    /// input was.
    pub(super) fn await_landing(&self, v: usize) {
        let landings = self.recipe.ring.map_or(1, Ring::landings);
        let rows = self.pass.tile.per_thread / landings;
        if v.is_multiple_of(rows) {
            self.context.meet(Meeting::Landed(v / rows));
        }
    }

    /// Where row τ + T·v of its column goes.
    pub(super) fn place_in_ring(&self, v: usize) -> Symbol {
        let (ring, columns) = (self.recipe.ring.expect("a pass to a ring"), self.pass.tile.columns);
        let (thread, column) = self.thread(self.pass.tile.store);
        let (piece, row) = self.split_row(&thread, v, ring.piece(self.algebra()) / columns);
        let [start] = &self.context.load(Memory::Places, &piece, (Type::U32, 1))[..] else {
            unreachable!("one number")
        };
        start.add(&row.times(columns).add(&column)).cast(self.index_type)
    }

    /// Where row τ + T·v of its column is in the second pass's tile.
    pub(super) fn place_in_blocks(&self, v: usize) -> Symbol {
        let ring = self.recipe.ring.expect("a pass from a ring");
        let [.., first, second] = self.recipe.passes() else { unreachable!("a ring is between two passes") };
        let (thread, column) = self.thread(self.pass.tile.load);
        let (block, row) = self.split_row(&thread, v, first.tile.columns);
        let lines = ring.points / (first.radix * second.radix);
        let block = block.add(&column.modulo(lines).times(second.radix / first.tile.columns));
        block.times(ring.block()).add(&column.over(lines).times(first.tile.columns)).add(&row)
    }

    /// Row τ + T·v by so many rows: whole ones, and what is left.
    fn split_row(&self, thread: &Symbol, v: usize, rows: usize) -> (Symbol, Symbol) {
        let threads = Pass::threads_per_column(self.pass);
        if rows <= threads {
            return (thread.over(rows).plus(threads / rows * v), thread.modulo(rows));
        }
        let at_once = rows / threads;
        (self.context.integer(Type::U32, v / at_once), thread.plus(threads * (v % at_once)))
    }
}
