//! Where the passes of a near ring have their elements: in blocks, each of which is what a work-group of a crew has for
//! another.
//!
//! The rows of the first pass's tile, so many at a time, are for one work-group after the other, and a block has these of its
//! columns. Where the second pass's columns are some and their images, these rows are, too: the order of rows is another then, in rings
//! of all kinds. In the second pass's tile the blocks follow each other in the order of the work-groups that they come from.

use crate::algebra::Scalar;
use crate::kernel::hopper::Meeting;
use crate::kernel::ir::{Memory, Type};
use crate::kernel::symbol::Symbol;
use crate::plan::{Pass, Pieces, Place};

use super::super::{Lowering, Place as RowAndColumn};

impl Lowering<'_> {
    /// The pieces of what a pass reads from there or writes to there, if that is a near ring.
    pub(in crate::kernel::lower) fn pieces(&self, place: Place) -> Option<Pieces> {
        let ring = self.recipe.ring.filter(|_| place == Place::Ring)?;
        ring.pieces(&self.recipe.transform)
    }

    /// Stores rows to a near ring, some of them as soon as the part of the next tile has landed that was there.
    pub(in crate::kernel::lower) fn store_pieces(&self, pieces: &Pieces, rows: &[Vec<Symbol>]) {
        let at_once = rows.len() / pieces.landings();
        let mut landed = 0;
        for (v, components) in rows.iter().enumerate() {
            // Images are for the work-groups that the first half of the rows was for.
            let needed = match self.receiver_with_images() {
                None => v / at_once + 1,
                Some(_) => pieces.landings().min(2 * (v / at_once) + 2),
            };
            (landed..needed).for_each(|part| self.context.meet(Meeting::Landed(part)));
            landed = needed.max(landed);
            self.context.store(Memory::Target, &self.place_in_ring(pieces, v), components, None);
        }
    }

    /// The pass that takes rows of this one through a ring, if they are columns and their images there: their tile has some values
    /// of the first half, and the images behind them, and stands in the ring as it is fetched.
    fn receiver_with_images(&self) -> Option<&Pass> {
        self.recipe.passes().last().filter(|second| self.pass.target == Place::Ring && second.has_images())
    }

    /// Where a row stands in a ring among the rows of its column.
    pub(in crate::kernel::lower) fn in_ring(&self, v: usize, place: RowAndColumn) -> RowAndColumn {
        match self.receiver_with_images() {
            None => place,
            Some(second) => {
                let (row, step) = self.row_among_images(second, v);
                RowAndColumn { row, step, ..place }
            }
        }
    }

    /// The same for row τ + T·v, with its constant part apart.
    fn row_among_images(&self, second: &Pass, v: usize) -> (Symbol, usize) {
        self.among(second.tile.columns, self.thread(self.pass.tile.store).0, v)
    }

    /// Where row τ + T·v stands where rows are columns of another pass's tiles, so many each, half of them images.
    fn among(&self, width: usize, thread: Symbol, v: usize) -> (Symbol, usize) {
        let (half, n, threads) = (width / 2, self.pass.radix, self.pass.threads_per_column());
        let middle = n / 2;
        // Values of the first half follow each other, so many to a tile.
        let place = |value: &Symbol| value.over(half).times(width).add(&value.modulo(half));
        let first = threads * v;
        let is_whole = threads.is_multiple_of(half);
        if first < middle {
            return if is_whole { (place(&thread), first / half * width) } else { (place(&thread.plus(first)), 0) };
        }
        // The value in the middle is behind value 0.
        let value = |from: usize| self.context.integer(Type::U32, from).sub(&thread);
        let of_image = |value: &Symbol| place(value).plus(half);
        if first == middle {
            return (of_image(&value(middle).modulo(middle)), 0);
        }
        let rest = n - first - threads;
        if is_whole { (of_image(&value(threads)), rest / half * width) } else { (of_image(&value(n - first)), 0) }
    }

    /// Where row τ + T·v of its column goes.
    fn place_in_ring(&self, pieces: &Pieces, v: usize) -> Symbol {
        let columns = self.pass.tile.columns;
        let (thread, column) = self.thread(self.pass.tile.store);
        let of_piece = pieces.piece / columns;
        let (piece, row, step) = match self.receiver_with_images() {
            None => self.split_row(&thread, v, of_piece),
            Some(second) => {
                let (row, step) = self.row_among_images(second, v);
                if step.is_multiple_of(of_piece) {
                    (row.over(of_piece).plus(step / of_piece), row.modulo(of_piece), 0)
                } else {
                    let row = row.plus(step);
                    (row.over(of_piece), row.modulo(of_piece), 0)
                }
            }
        };
        let start = self.context.load(Memory::Places, &piece, (Type::U32, 1)).remove(0);
        start.add(&row.times(columns).add(&column)).offset(step * columns)
    }

    /// Where row τ + T·v of its column is in the second pass's tile.
    pub(super) fn place_in_blocks(&self, pieces: &Pieces, v: usize) -> Symbol {
        let (thread, column) = self.thread(self.pass.tile.load);
        // Blocks have as many of our rows as the first pass's tile has columns.
        let rows = self.pass.radix / pieces.crew;
        let (block, row, step) = match self.recipe.passes().first().is_some_and(Pass::has_images) {
            false => self.split_row(&thread, v, rows),
            true => {
                let (row, step) = self.among(rows, thread, v);
                (row.over(rows).plus(step / rows), row.modulo(rows), 0)
            }
        };
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
