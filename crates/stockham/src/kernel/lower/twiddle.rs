//! The twiddle factors of a pass and of its stages: looked up, computed, or free.

use num_complex::Complex;

use crate::algebra::{Direction, DoubleDouble, Numbers, Ring, Root, Scalar, Traced};
use crate::plan::{Block, Holding, Method, StageRoots, Twiddle, TwiddleSource};

use super::{Lowering, Number, Place};
use crate::kernel::ir::Type;
use crate::kernel::symbol::Symbol;
use crate::kernel::trig::Angle;

/// A row times its factor, unless that is 1.
pub(super) fn multiplied(x: Number, factor: Option<Number>) -> Number {
    match factor {
        Some(w) => x.mul(&w),
        None => x,
    }
}

impl Lowering<'_> {
    /// Row τ + T·v of a column of weight K is multiplied by ω^(K·τ) · ω^(K·T·v). The second factor is the product of the
    /// ω^(K·T·2^b) for the bits b of v, so that a thread looks up a few roots and multiplies on, never more than one
    /// product deep for each bit.
    pub(super) fn twiddle(&self, holding: Holding, rows: Vec<Number>) -> Vec<Number> {
        if let Some(twiddle) = self.twiddle_beside_free_roots() {
            return self.for_rows(rows, self.by_root_of_row(holding, twiddle));
        }
        let Some(factor) = self.factors(holding) else { return rows };
        rows.into_iter().enumerate().map(|(v, x)| multiplied(x, factor(v))).collect()
    }

    /// The factor of row v of a thread, unless it is 1; nothing at all for a pass without twiddles, or where most roots are
    /// free.
    pub(super) fn factors(&self, holding: Holding) -> Option<Box<dyn Fn(usize) -> Option<Number> + '_>> {
        let twiddle = self.pass.twiddle.filter(|_| self.twiddle_beside_free_roots().is_none())?;
        let Place { row, column, .. } = self.held(holding, 0);
        let weight = self.origin(&column, |c| c.input_stride).weight;
        let weight = if twiddle.odd { weight.times(2).plus(1) } else { weight };
        let threads = self.pass.threads_per_column();
        let angle = |trig| Angle::new(self.context, trig, &weight, twiddle.order, self.direction(), self.element.0);
        if self.pass.chirp.is_some() || self.pass.rader.is_some() || !self.pass.is_even() {
            let root = move |v| {
                let place = self.held(holding, v);
                self.root(&weight.mul(&self.within(self.pass.points(), &place)))
            };
            return Some(Box::new(move |v| Some(root(v))));
        }
        let bits = self.pass.tile.per_thread.next_power_of_two().ilog2();
        let columns = self.pass.twiddle_columns();
        let in_row = |row: &Symbol| self.table(self.tables.fine, &row.times(columns).add(&weight));
        let bit = |b: u32| self.context.integer(Type::U32, threads + b as usize);
        let step = |b: u32| match self.recipe.method {
            // A constant that is left to the address.
            Method::Convolution(_) => self.table(self.tables.fine + (threads + b as usize) * columns, &weight),
            _ => in_row(&bit(b)),
        };
        let steps: Vec<Number> = match twiddle.source {
            TwiddleSource::Columns => (0..bits).map(step).collect(),
            TwiddleSource::Tables => (0..bits).map(|b| self.root(&weight.times(threads << b))).collect(),
            TwiddleSource::Powers(trig) => angle(trig).squares(bits),
            TwiddleSource::Each(trig) => {
                let angle = angle(trig);
                return Some(Box::new(move |v| (v > 0).then(|| angle.root(v))));
            }
        };
        // Transforms of wide tiles go through twice as many passes, and their errors add up: there, what the highest bit
        // decides between is looked up as it is, a product less in half of them. Elsewhere it would cost lookups that lanes
        // do not share. A thread that has its column for itself begins with row 0, whose factor is 1.
        let by_columns = twiddle.source == TwiddleSource::Columns;
        let low = if self.pass.wide() > 1 && !by_columns { bits - 1 } else { bits };
        let far = |a: usize| match (threads, a) {
            (1, 0) => None,
            (1, _) => Some(steps[low as usize].clone()),
            _ if by_columns => Some(in_row(&row)),
            _ => Some(self.root(&weight.mul(&row.plus(a * (threads << low))))),
        };
        let far: Vec<Option<Number>> = (0..1 << (bits - low)).map(far).collect();
        Some(Box::new(move |v: usize| {
            // The highest bit first: neighbours share their products.
            (0..low)
                .rev()
                .filter(|b| v >> b & 1 == 1)
                .map(|b| steps[b as usize].clone())
                .fold(far[v >> low].clone(), |w, step| Some(w.map_or_else(|| step.clone(), |w| w.mul(&step))))
        }))
    }

    /// The twiddle that is left to tables of what free roots leave over, if the pass has one of this kind.
    pub(super) fn twiddle_beside_free_roots(&self) -> Option<Twiddle> {
        self.pass.twiddle.filter(|twiddle| twiddle.is_one_product(self.free))
    }

    /// Row i of a column of weight K is multiplied by ω^e for e = K·i mod order: by fine\[e mod split\], and, unless that
    /// is all, by the free root to the power e / split. A general product is what costs here, so there is but one a row.
    /// The function takes row v of the thread.
    pub(super) fn by_root_of_row(&self, holding: Holding, twiddle: Twiddle) -> impl Fn(&Symbol, Number) -> Number {
        let Place { row, column, .. } = self.held(holding, 0);
        let weight = self.origin(&column, |c| c.input_stride).weight;
        let threads = self.pass.threads_per_column();
        move |v, x| {
            let e = weight.mul(&row.add(&v.times(threads)));
            let fine = |x: Number| self.by_factor(&x, (self.tables.fine, 0), &e.modulo(twiddle.split));
            let x = if twiddle.split == 1 { x } else { fine(x) };
            if twiddle.split == twiddle.order {
                return x;
            }
            let x = self.by_free_root(&x, &e.over(twiddle.split), twiddle.order / twiddle.split);
            // Here, once, rather than in the sums of each of them.
            Number::from_big(self.algebra(), x.into_big())
        }
    }

    /// A loop over rows of big elements.
    pub(super) fn for_rows(&self, rows: Vec<Number>, each: impl FnOnce(&Symbol, Number) -> Number) -> Vec<Number> {
        let values: Vec<Symbol> = rows.into_iter().map(Traced::into_big).collect();
        let mut less = false;
        let results = self.context.for_rows(&values, |v, x| {
            let (value, is_less) = each(v, Number::from_big(self.algebra(), x.clone())).into_value();
            less = is_less;
            value
        });
        results.into_iter().map(|x| Number::from_value(self.algebra(), (x, less))).collect()
    }

    /// x·ω_order^e for e below the order, a divisor of the order of the free roots.
    pub(super) fn by_free_root(&self, x: &Number, e: &Symbol, order: usize) -> Number {
        let step = match self.recipe.transform.direction {
            Direction::Forward => self.free / order,
            Direction::Inverse => self.free - self.free / order,
        };
        x.mul_free_root(&e.times(step).modulo(self.free))
    }

    /// ω^e from the pass's tables.
    fn root(&self, e: &Symbol) -> Number {
        let twiddle = self.pass.twiddle.expect("a pass with a twiddle");
        if twiddle.split == twiddle.table_order() {
            return self.table(self.tables.fine, e);
        }
        let fine = self.table(self.tables.fine, &e.modulo(twiddle.split));
        fine.mul(&self.table(self.tables.coarse, &e.over(twiddle.split)))
    }

    /// The roots ω_{pr}^{jk} of a butterfly's rows j = 1, 2, …, one after the other.
    pub(super) fn stage_roots(&self, s: usize, k: &Symbol) -> impl Iterator<Item = Number> {
        let (r, p) = self.pass.stage(s);
        let p = self.pass.roots_of_row(s, p / self.pass.done_before(s));
        let base = match self.pass.tile.roots {
            StageRoots::Lookups | StageRoots::Pairs => r,
            StageRoots::Products => 1 << r.ilog2().div_ceil(2).min(2),
        };
        let mut roots: Vec<Number> = Vec::new();
        std::iter::from_fn(move || {
            // ω^{jk} is ω^{(j − low)·k}·ω^{low·k}: no product is made of products.
            let j = roots.len() + 1;
            let low = j % base;
            let root = if low == 0 || low == j {
                self.factor((self.tables.stages[s], (j - 1) * p), k)
            } else {
                roots[j - low - 1].mul(&roots[low - 1])
            };
            roots.push(root.clone());
            Some(root)
        })
    }

    /// A root, or one that is known when a kernel is made where a condition holds.
    pub(super) fn root_or_known(&self, root: Number, is_known: &Symbol, known: Root) -> Number {
        let known = Complex::<DoubleDouble>::default().root_of_unity(known);
        let parts = [known.re, known.im].map(|part| self.zero().constant(part));
        let parts =
            parts.iter().zip(&root.into_components()).map(|(known, part)| is_known.select(known, part)).collect();
        Number::from_components(self.algebra(), parts)
    }

    /// The twiddles of a block of several stages: its input j, of column k of the DFTs before, by ω_{ps}^{jk}.
    pub(super) fn twiddle_block(&self, s: usize, thread: &Symbol, rows: Vec<Number>) -> Vec<Number> {
        let Block { before, size, .. } = self.pass.block(s, self.free);
        let (threads, width) = (self.pass.threads_per_column(), self.pass.radix / size);
        self.for_rows(rows, |v, x| {
            let row = thread.add(&v.times(threads));
            let (j, k) = (row.over(width), row.modulo(before));
            self.by_factor(&x, (self.tables.stages[s], 0), &j.times(before).add(&k))
        })
    }
}
