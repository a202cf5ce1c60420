//! Between two passes of one launch: the first leaves its results in local memory, and the second pulls its input from the
//! local memories of the cluster ([`Cluster`] says where it stands).
//!
//! The barrier after the pulls has two halves, with the twiddles and the first stage of the second pass between them.

use crate::algebra::{Scalar, Traced};
use crate::kernel::ir::{Memory, Op, Type};
use crate::plan::{Cluster, Holding, Pass};

use super::exchange::{position, skipping};
use super::{Lowering, Number, Place};

impl Lowering<'_> {
    /// Stores the results of this pass for the work-groups of the cluster.
    pub(super) fn hand_over(&self, cluster: &Cluster, holding: Holding, rows: Vec<Number>) {
        if !self.pass.tile.exchanges.is_empty() {
            // Others may still read what the last exchange left there.
            self.context.barrier();
        }
        for (v, x) in rows.into_iter().map(Traced::into_components).enumerate() {
            let index = position(&cluster.padding, &self.held(holding, v));
            self.context.store(Memory::Tile, &index, &x, None);
        }
        self.context.cluster_arrive();
        self.context.cluster_wait();
        // Or its places would stay in registers for the other pass.
        self.context.forget();
    }

    /// Loads the input of this pass: row i of column k is row k of the first pass's column i.
    pub(super) fn pull(&self, first: &Pass) -> Vec<Number> {
        let cluster = self.pass.cluster.expect("a pass that goes on from another in its launch");
        let (padding, width) = (cluster.padding, first.tile.columns);
        let rank = self.context.value(self.index_type, Op::Group).modulo(cluster.blocks).cast(Type::U32);
        let holding = self.pass.input_of(0);
        let rows: Vec<Number> = (0..self.pass.tile.per_thread)
            .map(|v| {
                let Place { row, step, column, .. } = self.held(holding, v);
                let before = rank.times(self.pass.tile.columns).add(&column);
                // The thread's part of the row is below T, a power of two as the width is.
                let (block, within, constant) = if self.pass.threads_per_column() <= width {
                    (self.context.integer(Type::U32, step / width), row, step % width)
                } else {
                    (row.over(width).plus(step / width), row.modulo(width), 0)
                };
                let x = before.times(padding.row).add(&within.times(padding.column));
                let index = skipping(&padding, &x, false, constant * padding.column);
                Number::from_components(self.algebra(), self.context.pull(&block, &index, self.element))
            })
            .collect();
        self.context.cluster_arrive();
        self.twiddle(holding, rows)
    }
}
