//! Cosets, zeros behind the input and bit-reversed orders.

use crate::algebra::Scalar;
use crate::plan::Holding;
use crate::transform::{Side, reversed_bits};

use super::{Lowering, Number, Origin, Place};
use crate::kernel::ir::{Memory, Op, Type};
use crate::kernel::symbol::{Symbol, all_of};

impl Lowering<'_> {
    /// Rows times powers of the coset's number, if they are on that side.
    pub(super) fn by_coset(&self, side: Side, holding: Holding, rows: Vec<Number>) -> Vec<Number> {
        if self.coset.is_none_or(|(of, _)| of != side) {
            return rows;
        }
        if self.algebra().has_digits() {
            return self.by_long_powers(holding, rows);
        }
        let times = |(v, x): (usize, Number)| {
            let Place { row, step, .. } = self.held(holding, v);
            self.by_factor(&x, (self.tables.coset, 0), &row.plus(step))
        };
        rows.into_iter().enumerate().map(times).collect()
    }

    /// The same over elements of digits, in a loop: products take much text.
    fn by_long_powers(&self, holding: Holding, rows: Vec<Number>) -> Vec<Number> {
        let times = |x: Number, row: &Symbol| self.by_factor(&x, (self.tables.coset, 0), row);
        if !matches!(holding, Holding::Input(..) | Holding::Output(..)) || rows.len() < 2 {
            let places = (0..rows.len()).map(|v| self.held(holding, v));
            return rows.into_iter().zip(places).map(|(x, place)| times(x, &place.row.plus(place.step))).collect();
        }
        // What the first stage takes, and the last one gives, are rows as far apart as there are threads.
        let (first, threads) = (self.held(holding, 0).row, self.pass.threads_per_column());
        self.for_rows(rows, |v, x| {
            let x = times(x, &first.add(&v.times(threads)));
            Number::from_big(self.algebra(), x.into_big())
        })
    }

    /// A row of the first ones that are there, whose index is given; zero beyond them.
    pub(super) fn given_row(&self, rows: usize, place: &Place, index: &Symbol) -> Number {
        let (ty, count) = self.element;
        if place.step >= rows {
            return Number::from_components(self.algebra(), vec![self.context.value(ty, Op::Const(0)); count]);
        }
        let exists = all_of([Some(self.is_row_of(rows, place)), self.apart(place)]);
        let components = self.context.load_where(exists.as_ref(), Memory::Source, index, self.element);
        Number::from_components(self.algebra(), components)
    }

    /// Where the element at a place of a side is, and the column's [origin](Origin) there.
    pub(super) fn index_on(&self, side: Side, place: &Place) -> (Symbol, Origin) {
        let ((base, number), origin) = self.place_on(side, place);
        (base.offset(number), origin)
    }

    /// The same, as what depends on the thread and what does not.
    pub(super) fn place_on(&self, side: Side, place: &Place) -> ((Symbol, usize), Origin) {
        let (of, strides) = (self.pass, self.pass.row_strides);
        let stride = if side == Side::Input { strides.0 } else { strides.1 };
        let of_column = |c: &crate::plan::Column| if side == Side::Input { c.input_stride } else { c.output_stride };
        let mut origin = self.origin(&place.column, of_column);
        let plain = |row: &Symbol, step: usize, base: &Symbol| {
            (base.add(&row.cast(self.index_type).times(stride)), step * stride)
        };
        if !self.recipe.reverses(of, side, None) {
            return (plain(&place.row, place.step, &origin.base), origin);
        }
        let (digits, _) = self.digits(&place.column);
        let mut base = self.context.integer(self.index_type, 0);
        for (c, (digit, column)) in digits.iter().zip(&of.columns).enumerate() {
            let is_reversed = self.recipe.reverses(of, side, Some(c));
            let digit = if is_reversed {
                digit.cast(Type::U32).reversed(column.n.ilog2()).cast(self.index_type)
            } else {
                digit.clone()
            };
            base = base.add(&digit.times(of_column(column)));
        }
        origin.base = base;
        // What depends on the thread and what does not have no bits in common.
        let bits = of.radix.ilog2();
        (plain(&place.row.reversed(bits), reversed_bits(place.step, bits), &origin.base), origin)
    }
}
