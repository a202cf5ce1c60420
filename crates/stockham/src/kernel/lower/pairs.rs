//! The ends of passes that have whole lines of pairs of real numbers, with all that is known of a number's indices.

use crate::algebra::Scalar;
use crate::kernel::access::{Indices, Site};
use crate::kernel::ir::Type;
use crate::kernel::symbol::{Symbol, all_of};
use crate::plan::Holding;
use crate::transform::Side;

use super::{Lowering, Number, Place};

impl Lowering<'_> {
    /// A number of a column's line, one of `range`, as what depends on the thread and what does not; and whether there is such a
    /// column, where that is not certain.
    pub(super) fn site(
        &self,
        side: Side,
        column: &Symbol,
        (number, offset): (&Symbol, usize),
        range: std::ops::Range<usize>,
    ) -> (Site, Option<Symbol>) {
        let (digits, exists) = self.digits(column);
        let of_side = |input: usize, output: usize| if side == Side::Input { input } else { output };
        let dim = &self.recipe.transform.dims[0];
        let stride = of_side(dim.input_stride, dim.output_stride);
        let zero = self.context.integer(self.index_type, 0);
        // Columns that are digits of the points' numbers are in these.
        let stride_of = |c: usize, stride| self.pass.ends.as_ref().map_or(stride, |ends| ends.stride_of(c, stride));
        let base = digits.iter().zip(&self.pass.columns).enumerate().fold(zero, |base, (c, (digit, column))| {
            base.add(&digit.times(stride_of(c, of_side(column.input_stride, column.output_stride))))
        });
        let place = base.add(&number.cast(self.index_type).times(stride)).cast(Type::U64);
        // Of several dimensions, expressions know the indices of the whole.
        if self.recipe.transform.access(side).is_of_whole() || self.pass.has_images() && !self.pass.filter {
            return (Site::at(&place.plus(offset * stride)), exists);
        }
        let mut batch = vec![self.context.integer(self.index_type, 0); self.recipe.transform.batch.len()];
        for (of, digit) in self.recipe.transform.batch_of_columns().into_iter().zip(digits) {
            batch[of] = digit;
        }
        let known = Some(Indices { number: (number.clone(), offset), range, batch });
        (Site { place: (place, offset * stride), known }, exists)
    }

    /// Whether rows of a side are two real numbers of a line each, as they lie in memory.
    pub(super) fn has_pairs(&self, side: Side) -> bool {
        let transform = &self.recipe.transform;
        let is_there = if side == Side::Input { self.ends_of_source() } else { self.ends_of_target() }.is_some();
        is_there && self.pass.has_lines_of_pairs() && transform.trig().is_none() && transform.is_real(side)
    }

    /// The site of a row's first or second number.
    fn site_of_pair(&self, side: Side, holding: Holding, place: &Place, which: usize) -> (Site, Option<Symbol>) {
        // What depends on the thread is below the number of threads, or that of the stage's butterflies.
        let (Holding::Input(stage, _) | Holding::Output(stage, _)) = holding else { unreachable!("what stages have") };
        let butterflies = self.pass.radix / self.pass.tile.stages[stage];
        let is_even = self.pass.is_even() && matches!(holding, Holding::Input(..));
        let rows = if is_even { self.pass.threads_per_column() } else { butterflies };
        let offset = 2 * place.step + which;
        self.site(side, &place.column, (&place.row.times(2), offset), offset..offset + 2 * rows - 1)
    }

    /// The points of the DFT, which are two numbers each.
    pub(super) fn load_pairs(&self, holding: Holding) -> Vec<Number> {
        let row = |v| {
            let place = self.held(holding, v);
            let guard = self.apart(&place);
            let sites = [0, 1].map(|which| self.site_of_pair(Side::Input, holding, &place, which).0);
            let parts = self.context.load_two(guard.as_ref(), &sites, self.element.0);
            Number::from_components(self.algebra(), parts.into())
        };
        (0..self.pass.rows(holding)).map(row).collect()
    }

    /// Stores them.
    pub(super) fn store_pairs(&self, holding: Holding, rows: Vec<Number>) {
        for (v, row) in rows.into_iter().enumerate() {
            let Ok(parts) = <[Symbol; 2]>::try_from(row.into_components()) else { unreachable!("two real numbers") };
            let place = self.held(holding, v);
            let [(first, exists), (second, _)] =
                [0, 1].map(|which| self.site_of_pair(Side::Output, holding, &place, which));
            let guard = all_of([exists, place.exists.clone()]);
            self.context.store_two(guard.as_ref(), &[first, second], &parts);
        }
    }
}
