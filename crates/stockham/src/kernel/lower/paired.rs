//! A thread's butterflies. Where threads have them with their [images](crate::plan) in other columns, those of
//! column 0 and of the one in the middle have theirs in themselves.

use crate::algebra::{Ring, Scalar};
use crate::kernel::ir::{Op, Type};
use crate::kernel::symbol::Symbol;
use crate::plan::held::Butterfly;
use crate::plan::index::Index;
use crate::plan::{Holding, Lanes};

use super::{Lowering, Number, Place};

impl Lowering<'_> {
    /// A thread's butterfly of a stage, and its column.
    pub(super) fn butterfly(&self, s: usize, lanes: Lanes, u: usize) -> (Butterfly<Symbol>, Symbol) {
        let (pass, thread) = (self.pass, self.context.value(Type::U32, Op::Thread));
        let (number, column) = pass.number_in_stage(s, &thread, lanes);
        let butterfly = pass.butterfly(s, &number, u);
        if !pass.pairs_columns(s) {
            return (butterfly, column);
        }
        let (all, of_thread) = (pass.radix / pass.tile.stages[s], pass.mirrored_pairs(s));
        let pair = pass.butterfly(s, &number, u % of_thread).number;
        let behind = column.plus(pass.counted_in_tile());
        let (is_zero, is_low) = (self.is_column_zero(&column), pair.less_than(&self.integer(all / 2)));
        let is_low_of_zero = is_zero.and(&is_low);
        let (number, column) = if u < of_thread {
            // Pairs from P/2 on are those of the column in the middle.
            let number = is_low.select(&pair, &pair.sub(&self.integer(all / 2)));
            (is_zero.select(&number, &pair), is_low.select(&column, &is_zero.select(&behind, &column)))
        } else {
            let of_zero = is_low.select(&pair.mirrored(all), &self.less(all + all / 2 - 1, &pair));
            (is_zero.select(&of_zero, &butterfly.number), is_low_of_zero.select(&column, &behind))
        };
        (Butterfly { number, ..butterfly }, column)
    }

    /// Whether a thread's pair of butterflies has its images in itself: the first one of column 0, or of a line.
    pub(super) fn is_first_pair(&self, s: usize, lanes: Lanes) -> Symbol {
        let thread = self.context.value(Type::U32, Op::Thread);
        let (number, column) = self.pass.number_in_stage(s, &thread, lanes);
        let is_first = self.pass.butterfly(s, &number, 0).number.equals(0);
        if self.pass.pairs_columns(s) { is_first.and(&self.is_column_zero(&column)) } else { is_first }
    }

    /// Whether a column of those that are counted is the first of all.
    pub(super) fn is_column_zero(&self, column: &Symbol) -> Symbol {
        let digits = self.counted_digits(column).0;
        match self.pass.second_digit() {
            Some(_) => digits[0].equals(0).and(&digits[1].equals(0)),
            None => digits[0].equals(0),
        }
    }

    /// The rows of butterfly u of a thread times its roots from row 1 on, and those of its image times the image's but for ω_r^j: that
    /// of butterfly 0 is in the middle.
    pub(super) fn by_roots_of_pair(
        &self,
        s: usize,
        lanes: Lanes,
        (u, image): (usize, Option<usize>),
        roots: impl Iterator<Item = Number>,
        rows: &mut [Number],
    ) {
        let r = self.pass.tile.stages[s];
        let butterflies = rows.len() / r;
        for (j, root) in (1..r).zip(roots) {
            let of = |u: usize| u + j * butterflies;
            rows[of(u)] = rows[of(u)].mul(&root);
            let Some(image) = image else { continue };
            let root = match u {
                0 => self.root_or_known(root, &self.is_first_pair(s, lanes), self.direction().root(j, 2 * r)),
                _ => root,
            };
            rows[of(image)] = rows[of(image)].mul(&root.conjugate());
        }
    }

    /// The place of a register, where its butterfly may be in column 0 or in the middle.
    pub(super) fn held_in_pairs(&self, holding: Holding, v: usize) -> Option<Place> {
        let (Holding::Input(s, lanes) | Holding::Output(s, lanes)) = holding else { return None };
        if s >= self.pass.tile.stages.len() || !self.pass.pairs_columns(s) {
            return None;
        }
        let (butterflies, (r, p)) = (self.pass.butterflies(s), self.pass.stage(s));
        let (Butterfly { number: b, .. }, column) = self.butterfly(s, lanes, v % butterflies);
        let (j, all) = (v / butterflies, self.pass.radix / r);
        if matches!(holding, Holding::Input(..)) {
            return Some(Place::of(b, j * all, column));
        }
        let high = b.quotient_below(p, all).multiple(p * r);
        Some(Place::of(high.sum(&b.remainder_below(p, all)), j * p, column))
    }
}
