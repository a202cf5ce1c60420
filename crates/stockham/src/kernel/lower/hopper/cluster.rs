//! Between two passes of one launch: the first pushes its results to the local memories of the work-groups that need
//! them, and the second receives them there ([`Cluster`] says where they stand).
//!
//! Places that receive are touched by nobody before, and by their own work-group's threads not before all has come. So the
//! cluster needs no barrier but the one that says that all have begun.

use crate::algebra::{Scalar, Traced};
use crate::kernel::hopper::Meeting;
use crate::kernel::ir::{Op, Type};
use crate::kernel::symbol::Symbol;
use crate::plan::Place as Target;
use crate::plan::{Cluster, Holding, Method, Pass, Share};

use super::super::exchange::{position, skipping};
use super::super::twiddle::multiplied;
use super::super::{Lowering, Memory, Number, Place};
use super::receiver;

impl Lowering<'_> {
    /// Tells the cluster that this work-group has begun, and may be sent something where it has nothing to do before.
    pub(super) fn expect(&self, second: &Pass) {
        let third = self.recipe.passes().iter().rfind(|pass| pass.hopper.cluster.is_some_and(|of| of.exchange > 0));
        let places = [second.tile_points(), third.map_or(0, Pass::tile_points)];
        self.context.meet(Meeting::Expect { places, tells: !self.pass.sends_where_it_works(second, self.algebra()) });
    }

    /// Behind an exchange: if it was the last before rows are pushed to where it went on, the cluster is told so.
    pub(in crate::kernel::lower) fn done_exchanging(&self, number: usize) {
        let is_last = number + 1 == self.pass.exchanges().len();
        if let Some((second, _)) = receiver(self.after).filter(|_| is_last)
            && self.pass.sends_where_it_works(second, self.algebra())
        {
            self.context.meet(Meeting::Done);
        }
    }

    /// Sends the results of this pass: row k of column i becomes row i of the second pass's column k.
    pub(super) fn push(&self, second: &Pass, cluster: &Cluster, holding: Holding, rows: Vec<Number>) {
        if self.pass.source != Target::Cluster || self.pass.sends_where_it_works(second, self.algebra()) {
            self.context.meet(Meeting::ClusterBegun);
        }
        let (Some(share), Some(of_second)) = (&self.pass.hopper.share, &second.hopper.share) else {
            unreachable!("both passes of a launch have their shares")
        };
        let (padding, width, threads) = (cluster.padding, of_second.values, self.pass.threads_per_column());
        let rank = self.context.value(self.index_type, Op::Group).modulo(cluster.blocks).cast(Type::U32);
        // After the last stage a thread has every T-th row, from its own number on; or, after a swap, every (T/2)-th of half of
        // them, T being a power of two as the width is.
        let Place { row: thread, column, .. } = self.held(holding, 0);
        let (shared, other) = self.pass.parts_of_column(&column);
        let digit = |digit: usize| self.digits(&column).0[digit].cast(Type::U32);
        let row = if self.pass.has_images() { digit(share.digit) } else { rank.times(share.values).add(&shared) };
        let line = self.line_with_images(&column, &other);
        let other = line.as_ref().map_or(other, |line| line.place.clone());
        // Where a value of the shared digit stands in a column's number, and one of the other.
        let (step, start) = (second.column_of_parts(1, 0), other.times(second.column_of_parts(0, 1)));
        for (v, x) in rows.into_iter().map(Traced::into_components).enumerate() {
            let (of_first_thread, _) = self.pass.held(holding, v, 0);
            if second.has_images() {
                let (block, column) = match &line {
                    Some(line) => self.beside_images(line, second, &thread, of_first_thread),
                    None => self.among_images(width / 2, &thread, of_first_thread),
                };
                let place = row.times(padding.row).add(&column.times(padding.column));
                let index = skipping(&padding, &place, false, 0).plus(cluster.start);
                self.context.push(cluster.exchange, &block, &index, &x);
                continue;
            }
            let (number, constant) = (of_first_thread / width, of_first_thread % width);
            let ((block, within), constant) = if self.pass.hopper.swaps {
                ((thread.over(width).plus(number), thread.modulo(width)), constant)
            } else if threads + constant <= width {
                ((self.context.integer(Type::U32, number), thread.clone()), constant)
            } else {
                let value = thread.plus(constant);
                ((value.over(width).plus(number), value.modulo(width)), 0)
            };
            let place = row.times(padding.row).add(&within.times(step).add(&start).times(padding.column));
            let index = skipping(&padding, &place, false, constant * step * padding.column).plus(cluster.start);
            self.context.push(cluster.exchange, &block, &index, &x);
        }
        // Or its places would stay in registers for the other pass.
        self.context.forget();
    }

    /// [`Pass::column_of_row`] in symbols, for a thread's row that is so far from its first, where columns are some and their
    /// images, so many each.
    fn among_images(&self, half: usize, thread: &Symbol, row: usize) -> (Symbol, Symbol) {
        let middle = self.pass.radix / 2;
        if row < middle {
            let value = thread.plus(row);
            return (value.over(half), value.modulo(half));
        }
        // The value in the middle is behind value 0.
        let value = self.integer(self.pass.radix - row).sub(thread);
        let value = if row == middle { value.modulo(middle) } else { value };
        (value.over(half), value.modulo(half).plus(half))
    }

    /// The first digits of a column in a cluster, and what of the work-group's number is left for the others.
    pub(in crate::kernel::lower) fn digits_in_cluster(&self, share: &Share, column: &Symbol) -> (Vec<Symbol>, Symbol) {
        let group = self.context.value(self.index_type, Op::Group);
        let blocks = self.pass.columns[share.digit].n / share.values;
        let (shared, other) = self.pass.parts_of_column(column);
        let counted = if self.pass.has_images() && !share.images { share.values / 2 } else { share.values };
        let shared = group.modulo(blocks).times(counted).add(&shared.cast(self.index_type));
        let (rest, wide) = (group.over(blocks), self.pass.wide());
        if wide == 1 {
            return (vec![shared], rest);
        }
        let n = self.pass.columns[1 - share.digit].n;
        let (tiles, other) = (n / wide, other.cast(self.index_type));
        let other = match self.pass.half_of_wide() {
            Some(half) => {
                let first = rest.modulo(tiles).times(half).add(&other.modulo(half));
                if self.pass.has_images() {
                    first
                } else {
                    self.value_or_image(&first, &other.less_than(&self.context.integer(self.index_type, half)), n)
                }
            }
            None => rest.modulo(tiles).times(wide).add(&other),
        };
        let digits = if share.digit == 0 { vec![shared, other] } else { vec![other, shared] };
        (digits, rest.over(tiles))
    }

    /// The input of this pass, when all of it has come.
    pub(super) fn receive_pushes(&self, cluster: &Cluster) -> Vec<Number> {
        let holding = self.pass.input_of(0);
        // While it is on its way. A convolution's threads have registers for what factors are made of, and not for all of them.
        let factor = self.factors(holding);
        let of_all = |factor: &dyn Fn(usize) -> Option<Number>| (0..self.pass.tile.per_thread).map(factor).collect();
        let convolves = matches!(self.recipe.method, Method::Convolution(_));
        let factors: Option<Vec<_>> = factor.as_deref().filter(|_| !convolves).map(of_all);
        self.context.meet(Meeting::Received { exchange: cluster.exchange });
        if Cluster::stores_own(cluster.blocks, self.algebra().element_bytes()) {
            self.context.barrier();
        }
        let row = |v| {
            let index = position(&cluster.padding, &self.held(holding, v)).plus(cluster.start);
            self.element(Memory::Tile, &index)
        };
        let rows = (0..self.pass.tile.per_thread).map(row);
        match (factors, factor) {
            (Some(factors), _) => rows.zip(factors).map(|(x, w)| multiplied(x, w)).collect(),
            (None, Some(factor)) => rows.enumerate().map(|(v, x)| multiplied(x, factor(v))).collect(),
            (None, None) => self.twiddle(holding, rows.collect()),
        }
    }
}
