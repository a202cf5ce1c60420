//! Where the passes of a near ring have their elements: in blocks, each of which is what a work-group of a crew has for
//! another.
//!
//! The rows of the first pass's tile, so many at a time, are for one work-group after the other, and a block has these of its
//! columns. In the second pass's tile the blocks follow each other in the order of the work-groups that they come from.

use crate::algebra::Scalar;
use crate::kernel::hopper::Meeting;
use crate::kernel::ir::{Memory, Type};
use crate::kernel::symbol::Symbol;
use crate::plan::{Pieces, Place};

use super::super::Lowering;

impl Lowering<'_> {
    /// The pieces of what a pass reads from there or writes to there, if that is a near ring.
    pub(in crate::kernel::lower) fn pieces(&self, place: Place) -> Option<Pieces> {
        let ring = self.recipe.ring.filter(|_| place == Place::Ring)?;
        ring.pieces(&self.recipe.transform)
    }

    /// Stores rows to a near ring, some of them as soon as the part of the next tile has landed that was there.
    pub(in crate::kernel::lower) fn store_pieces(&self, pieces: &Pieces, rows: &[Vec<Symbol>]) {
        let at_once = rows.len() / pieces.landings();
        for (v, components) in rows.iter().enumerate() {
            if v.is_multiple_of(at_once) {
                self.context.meet(Meeting::Landed(v / at_once));
            }
            self.context.store(Memory::Target, &self.place_in_ring(pieces, v), components, None);
        }
    }

    /// Where row τ + T·v of its column goes.
    fn place_in_ring(&self, pieces: &Pieces, v: usize) -> Symbol {
        let columns = self.pass.tile.columns;
        let (thread, column) = self.thread(self.pass.tile.store);
        let (piece, row, step) = self.split_row(&thread, v, pieces.piece / columns);
        let start = self.context.load(Memory::Places, &piece, (Type::U32, 1)).remove(0);
        start.add(&row.times(columns).add(&column)).offset(step * columns)
    }

    /// Where row τ + T·v of its column is in the second pass's tile.
    pub(super) fn place_in_blocks(&self, pieces: &Pieces, v: usize) -> Symbol {
        let (thread, column) = self.thread(self.pass.tile.load);
        // Blocks have as many of our rows as the first pass's tile has columns.
        let rows = self.pass.radix / pieces.crew;
        let (block, row, step) = self.split_row(&thread, v, rows);
        let start = if pieces.keeps {
            self.context.load(Memory::Blocks, &block, (Type::U32, 1)).remove(0)
        } else {
            block.times(pieces.block)
        };
        start.add(&column.times(rows)).add(&row).plus(step)
    }

    /// Row τ + T·v by so many rows: whole ones, and what is left, with its constant part apart.
    fn split_row(&self, thread: &Symbol, v: usize, rows: usize) -> (Symbol, Symbol, usize) {
        let threads = self.pass.threads_per_column();
        if rows <= threads {
            return (thread.over(rows).plus(threads / rows * v), thread.modulo(rows), 0);
        }
        let at_once = rows / threads;
        (self.context.integer(Type::U32, v / at_once), thread.clone(), threads * (v % at_once))
    }
}
