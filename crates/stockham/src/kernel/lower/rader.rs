//! DFTs of prime lengths as Rader's convolutions, in one tile: points go to the threads in the order of the powers of a primitive
//! root, through the stages, a product and the same stages again, and back in that order.

use crate::algebra::Ring;
use crate::plan::{Holding, Rader};

use super::{Lowering, Number, Place};
use crate::kernel::ir::{Op, Type};
use crate::kernel::symbol::Symbol;

impl Lowering<'_> {
    /// What a pass of prime length does between its load and its store.
    pub(super) fn by_powers(&self, rows: Vec<Number>) -> Vec<Number> {
        let exchanges = self.pass.exchanges();
        let (last, end) = (self.pass.tile.stages.len() - 1, exchanges.len() - 1);
        let mut rows = self.exchange((0, exchanges[0]), rows);
        let zeroth = rows.pop().expect("point 0 behind the others");
        let rows = self.stages(1, rows);
        let holding = self.pass.output_of(last);
        let is_first = self.held(holding, 0).row.equals(0);
        let sum = rows[0].add(&zeroth);
        let product = |(v, x): (usize, &Number)| {
            let Place { row, step, .. } = self.held(holding, v);
            x.mul(&self.table(self.tables.spectrum, &row.plus(step)))
        };
        let mut rows: Vec<Number> = rows.iter().enumerate().map(product).collect();
        let nothing = self.zero();
        let own = zeroth.into_components().iter().map(|x| is_first.select(x, &nothing)).collect();
        rows[0] = rows[0].add(&Number::from_components(self.algebra(), own));
        let rows = self.exchange((last + 1, exchanges[last + 1]), rows);
        let mut rows = self.stages(last + 2, rows);
        rows.push(sum);
        self.exchange((end, exchanges[end]), rows)
    }

    /// [`Pass::held_by_powers`](crate::plan::Pass) in symbols.
    pub(super) fn held_by_powers(&self, rader: Rader, holding: Holding, v: usize) -> Place {
        let of_stage = match holding {
            Holding::Points(lanes) => {
                return self.pass.point_in_order(lanes, v, &self.context.value(Type::U32, Op::Thread));
            }
            Holding::Gathered(lanes) => Holding::Input(0, lanes),
            _ => self.pass.output_of(self.pass.tile.stages.len() - 1),
        };
        if v >= self.pass.rows(of_stage) {
            // Of the threads that have no butterfly some stand at the first one, too.
            let Place { row, column, exists, .. } = self.held(of_stage, 0);
            let is_first = row.equals(0);
            let exists = exists.map_or(is_first.clone(), |exists| exists.and(&is_first));
            let zeroth = self.context.integer(Type::U32, 0);
            return Place { exists: Some(exists), ..Place::of(zeroth, 0, column) };
        }
        let place = self.held(of_stage, v);
        let base = self.power(&place.row);
        let row = match place.step {
            0 => base,
            step => base.times(rader.power(step)).modulo(rader.prime),
        };
        Place { row, step: 0, aligned: 1, ..place }
    }

    /// The power of the primitive root with that exponent.
    fn power(&self, exponent: &Symbol) -> Symbol {
        self.table(self.tables.powers, exponent).into_components()[0].cast(Type::U32)
    }
}
