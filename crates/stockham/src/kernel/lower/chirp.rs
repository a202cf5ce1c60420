//! DFTs as convolutions with a chirp, in one tile: rows times the chirp, a DFT, a product with the chirp's, the DFT back, and the
//! chirp again. The way back is the same DFT of conjugates, so that it takes the same roots.

use crate::algebra::Ring;
use crate::plan::Holding;

use super::{Lowering, Number, Place};
use crate::kernel::ir::{Memory, Type};
use crate::kernel::symbol::Symbol;

impl Lowering<'_> {
    /// What a pass by a chirp of n points does between its load and its store.
    pub(super) fn convolve(&self, n: usize, load: Holding, rows: Vec<Number>) -> Vec<Number> {
        let last = self.pass.tile.stages.len() - 1;
        let rows = self.by_chirp(n, load, rows);
        let rows = self.stages(0, rows);
        let product = |(v, x): (usize, Number)| {
            let Place { row, step, .. } = self.held(self.pass.output_of(last), v);
            x.mul(&self.table(self.tables.spectrum, &row.plus(step))).conjugate()
        };
        let rows = rows.into_iter().enumerate().map(product).collect();
        let exchanges = self.pass.exchanges();
        let rows = self.exchange((last, exchanges[last]), rows);
        let rows = self.stages(last + 1, rows).into_iter().map(|x| x.conjugate()).collect();
        self.by_chirp(n, self.pass.output_of(last), rows)
    }

    /// The stages of a DFT, whose first exchange has that number.
    fn stages(&self, first: usize, mut rows: Vec<Number>) -> Vec<Number> {
        let exchanges = self.pass.exchanges();
        for s in 0..self.pass.tile.stages.len() {
            if s > 0 {
                rows = self.exchange((first + s - 1, exchanges[first + s - 1]), rows);
            }
            rows = self.stage(s, rows);
        }
        rows
    }

    /// Rows times the chirp; those beyond its end are zeros, or go nowhere.
    fn by_chirp(&self, n: usize, holding: Holding, rows: Vec<Number>) -> Vec<Number> {
        let times = |(v, x): (usize, Number)| {
            let place = self.held(holding, v);
            if place.step >= n { x } else { x.mul(&self.table(self.tables.chirp, &self.within(n, &place))) }
        };
        rows.into_iter().enumerate().map(times).collect()
    }

    /// The row at a place, or the last one of n.
    pub(super) fn within(&self, n: usize, place: &Place) -> Symbol {
        place.row.plus(place.step).min(&self.context.integer(Type::U32, n - 1))
    }

    /// A row of the n that there are, whose index is given; zero beyond them.
    pub(super) fn row_or_zero(&self, n: usize, place: &Place, index: &Symbol) -> Number {
        let (ty, count) = self.element;
        if place.step >= n {
            return Number::from_components(
                self.algebra(),
                vec![self.context.value(ty, crate::kernel::ir::Op::Const(0)); count],
            );
        }
        let exists = self.is_row_of(n, place);
        if self.reals[0] {
            return self.real(Some(&exists), index);
        }
        Number::from_components(
            self.algebra(),
            self.context.load_where(Some(&exists), Memory::Source, index, self.element),
        )
    }

    /// Whether the row at a place is one of n.
    pub(super) fn is_row_of(&self, n: usize, place: &Place) -> Symbol {
        place.row.plus(place.step).less_than(&self.context.integer(Type::U32, n))
    }
}
