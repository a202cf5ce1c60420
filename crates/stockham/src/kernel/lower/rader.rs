//! DFTs of prime lengths as Rader's convolutions, in one tile: points go to the threads in the order of the powers of a primitive
//! root, through the stages, a product and the stages back, and back in that order. There may be some
//! [side by side](crate::plan::Pass), between other stages.

use crate::algebra::{Ring, Scalar};
use crate::plan::{Holding, Rader};

use super::{Lowering, Number, Place};
use crate::kernel::ir::{Op, Type};
use crate::kernel::symbol::Symbol;

impl Lowering<'_> {
    /// What a pass with such a convolution does between its load and its store.
    pub(super) fn by_powers(&self, rows: Vec<Number>) -> Vec<Number> {
        let (exchanges, inner) = (self.pass.exchanges(), self.pass.inner());
        let gather = inner.start.saturating_sub(1);
        let scatter = gather + 2 * inner.len() - 1;
        // The powers that say where points go are looked up while the rows are on their way.
        for holding in [exchanges[gather].1, exchanges[scatter].0] {
            self.held(holding, 0);
        }
        let rows = self.stages(0..inner.start, 0, rows);
        let mut rows = self.exchange((gather, exchanges[gather]), rows);
        let zeroths = rows.split_off(rows.len() - self.pass.zeroths());
        let rows = self.stages(inner.clone(), gather + 1, self.by_roots_of_points(rows));
        let holding = self.pass.output_of(inner.end - 1);
        let firsts: Vec<Symbol> = (0..zeroths.len()).map(|z| self.is_first(&self.held(holding, z).row)).collect();
        let sums: Vec<Number> = rows.iter().zip(&zeroths).map(|(x, zeroth)| x.add(zeroth)).collect();
        let m = self.pass.side_by_side();
        let product = |(v, x): (usize, &Number)| {
            let Place { row, step, .. } = self.held(holding, v);
            x.mul(&self.table(self.tables.spectrum, &over(&row, m).plus(step / m)))
        };
        let mut rows: Vec<Number> = rows.iter().enumerate().map(product).collect();
        for (row, (zeroth, is_first)) in rows.iter_mut().zip(zeroths.into_iter().zip(firsts)) {
            *row = row.add(&self.or_zero(&is_first, zeroth));
        }
        // Where points go would stay in registers all the way, so that is looked up once more.
        if self.pass.wants_registers() {
            self.powers.borrow_mut().clear();
            self.held(exchanges[scatter].0, 0);
        }
        let mut rows = self.stages_back(rows);
        rows.extend(sums);
        let rows = self.exchange((scatter, exchanges[scatter]), rows);
        self.stages(inner.end..self.pass.tile.stages.len(), scatter + 1, rows)
    }

    /// Whether a row is the first one of a convolution.
    fn is_first(&self, row: &Symbol) -> Symbol {
        match self.pass.side_by_side() {
            1 => row.equals(0),
            m => row.less_than(&self.context.integer(Type::U32, m)),
        }
    }

    /// Gathered points times the twiddles that a stage of such a radix has for the stages before it.
    fn by_roots_of_points(&self, rows: Vec<Number>) -> Vec<Number> {
        let (m, before) = (self.pass.side_by_side(), self.pass.before_inner());
        if before == 1 {
            return rows;
        }
        let holding = self.pass.input_of(self.pass.inner().start);
        let times = |(v, x): (usize, Number)| {
            let Place { row, step, .. } = self.held(holding, v);
            let row = if m == before { row } else { row.over(m).times(before).add(&row.modulo(before)) };
            x.mul(&self.table(self.tables.points, &row.plus(step / m * before)))
        };
        rows.into_iter().enumerate().map(times).collect()
    }

    /// [`Pass::held_by_powers`](crate::plan::Pass) in symbols.
    pub(super) fn held_by_powers(&self, rader: Rader, holding: Holding, v: usize) -> Place {
        if let Holding::Points(lanes) = holding {
            return self.pass.point_in_order(lanes, v, &self.context.value(Type::U32, Op::Thread));
        }
        let of_stage = self.pass.of_powers(holding);
        if let Some(z) = v.checked_sub(self.pass.rows(of_stage)) {
            // Of the threads that have no butterfly some stand at the first one, too.
            let Place { row, column, exists, .. } = self.held(of_stage, z);
            let is_first = self.is_first(&row);
            let exists = exists.map_or(is_first.clone(), |exists| exists.and(&is_first));
            let zeroth = self.pass.point_by_powers(holding, &row, &self.context.integer(Type::U32, 0));
            return Place { exists: Some(exists), ..Place::of(zeroth, 0, column) };
        }
        let (place, m) = (self.held(of_stage, v), self.pass.side_by_side());
        let base = self.power(&over(&place.row, m));
        let point = match place.step / m {
            0 => base,
            step => base.times(rader.power(step)).modulo(rader.prime),
        };
        Place { row: self.pass.point_by_powers(holding, &place.row, &point), step: 0, aligned: 1, ..place }
    }

    /// The power of the primitive root with that exponent, which is looked up once.
    fn power(&self, exponent: &Symbol) -> Symbol {
        let mut found = self.powers.borrow_mut();
        if let Some((_, power)) = found.iter().find(|(of, _)| of.is(exponent)) {
            return power.clone();
        }
        let power = self.table(self.tables.powers, exponent).into_components()[0].cast(Type::U32);
        found.push((exponent.clone(), power.clone()));
        power
    }
}

/// A row's number in its convolution, of so many side by side.
fn over(row: &Symbol, m: usize) -> Symbol {
    if m == 1 { row.clone() } else { row.over(m) }
}
