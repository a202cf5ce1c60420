//! Transforms there and back, with a filter between, in one tile or as the middle one of several passes. The way back is that of
//! conjugates, so that it takes the same roots.

use std::ops::Range;

use crate::codelet;
use crate::plan::held::Butterfly;
use crate::plan::index::Index;
use crate::plan::{Ends, Holding};
use crate::transform::Side;

use super::halves::{Parts, Slots};
use super::{Lowering, Number};
use crate::kernel::access::{Indices, Site};
use crate::kernel::ir::Type;
use crate::kernel::symbol::Symbol;

impl Lowering<'_> {
    /// What a pass there and back does between its load and its store.
    pub(super) fn filter(&self, rows: Vec<Number>) -> Vec<Number> {
        let rows = self.stages(0..self.pass.tile.stages.len(), 0, rows);
        let rows = match self.pass.ends.as_ref().filter(|_| self.pass.filters_halves()) {
            Some(ends) => self.filter_halves(ends, rows),
            None => self.filter_points(rows),
        };
        self.stages_back(rows)
    }

    /// What the last pass of a transform there and back stores: the way back is that of conjugates.
    pub(super) fn back_from_filter(&self, rows: Vec<Number>) -> Vec<Number> {
        if !self.recipe.transform.is_filtered() || self.after.is_some() {
            return rows;
        }
        rows.into_iter().map(|x| x.conjugate()).collect()
    }

    /// A number of the spectrum of a column's line, one of `range`, in a pass in one launch with others: as what depends on the thread
    /// and what does not.
    pub(super) fn site_in_one_launch(&self, column: &Symbol, number: (Symbol, usize), range: Range<usize>) -> Site {
        let digits = self.digits(column).0;
        let lines = self.recipe.transform.batch.len();
        let batch = digits[digits.len() - lines..].iter().rev().cloned().collect();
        let known = Some(Indices { number, range, batch });
        Site { place: (self.context.integer(Type::U64, 0), 0), known }
    }

    /// The stages of a convolution from the last to the first.
    pub(super) fn stages_back(&self, mut rows: Vec<Number>) -> Vec<Number> {
        let (exchanges, first) = (self.pass.exchanges(), self.pass.first_exchange_back());
        for (number, s) in self.pass.inner().rev().enumerate() {
            if let Some(before) = number.checked_sub(1) {
                rows = self.exchange((first + before, exchanges[first + before]), rows);
            }
            rows = self.stage_back(s, rows);
        }
        rows
    }

    /// One stage back: butterflies, and then the factors that their rows had there.
    fn stage_back(&self, s: usize, mut rows: Vec<Number>) -> Vec<Number> {
        let ((r, p), done) = (self.pass.stage(s), self.pass.done_before(s));
        let butterflies = rows.len() / r;
        let Holding::Input(_, lanes) = self.pass.input_of_back(s) else { unreachable!("what a stage gives back") };
        let pairs = self.pass.pairs_of_roots(s);
        for u in 0..pairs.unwrap_or(butterflies) {
            let image = pairs.map(|pairs| u + pairs);
            for v in [Some(u), image].into_iter().flatten() {
                let mut x: Vec<Number> = (0..r).map(|j| rows[v + j * butterflies].clone()).collect();
                if Some(v) == image {
                    x.rotate_right(1);
                }
                codelet::dft(&mut x, self.direction());
                for (j, x) in x.into_iter().enumerate() {
                    rows[v + j * butterflies] = x;
                }
            }
            if p > done {
                let (Butterfly { number, bound, .. }, _) = self.butterfly(s, lanes, u);
                let k = number.remainder_below(p, bound);
                let k = if done > 1 { k.over(done) } else { k };
                self.by_roots_of_pair(s, lanes, (u, image), self.stage_roots(s, &k), &mut rows);
            }
        }
        rows
    }

    /// The conjugates of what the filter gives of points.
    fn filter_points(&self, rows: Vec<Number>) -> Vec<Number> {
        let last = self.pass.tile.stages.len() - 1;
        let held = self.pass.output_of(last);
        // A line of several dimensions has the indices of the whole.
        let is_whole = self.recipe.transform.filter.as_ref().is_some_and(|filter| filter.whole.is_some());
        let of = |(v, x): (usize, Number)| {
            let place = self.place_at(held, v);
            let site = if self.is_in_one_launch() {
                self.site_in_one_launch(&place.column, self.number_in_spectrum(&place), 0..self.recipe.points())
            } else if is_whole {
                Site::at(&self.index_on(Side::Output, &place).0)
            } else {
                let range = place.step..place.step + self.pass.stage(last).1;
                self.site(Side::Output, &place.column, (&place.row, place.step), range).0
            };
            let components = self.context.filtered(&site, x.into_components());
            Number::from_components(self.algebra(), components).conjugate()
        };
        rows.into_iter().enumerate().map(of).collect()
    }

    /// The same of points of the DFT of pairs of real numbers, by way of the half spectrum.
    fn filter_halves(&self, ends: &Ends, rows: Vec<Number>) -> Vec<Number> {
        let last = self.pass.tile.stages.len() - 1;
        let mut rows: Vec<Parts> = rows.into_iter().map(Number::into_components).collect();
        for (slots, numbers) in Slots::of_stage(self, ends, last) {
            let [own, image] = slots.butterflies(&rows, numbers);
            slots.put(&mut rows, numbers, slots.filter(&own, &image));
        }
        rows.into_iter().map(|x| Number::from_components(self.algebra(), x)).collect()
    }
}
