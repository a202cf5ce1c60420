//! The layers of a circle FFT in registers, in the place of a stage's twiddles and codelets.

use crate::algebra::{Direction, Ring, Scalar};
use crate::kernel::ir::Type;
use crate::plan::Holding;
use crate::plan::circle::Layers;
use crate::plan::held::Butterfly;
use crate::plan::index::Index;
use crate::transform::reversed_bits;

use super::{Lowering, Number};

impl Lowering<'_> {
    /// A stage of radix r: log2 r layers on each butterfly's rows. As of a DFT, the digit that a layer does becomes the next one from
    /// the right of the output's.
    pub(super) fn circle_stage(&self, layers: Layers, s: usize, mut rows: Vec<Number>) -> Vec<Number> {
        let (r, p) = self.pass.stage(s);
        let butterflies = rows.len() / r;
        let Holding::Input(_, lanes) = self.pass.input_of(s) else { unreachable!("what a stage takes") };
        let (thread, column) = self.thread(lanes);
        let (done, is_forward) = (layers.first() + p.ilog2(), self.direction() == Direction::Forward);
        // The digits done in the passes before, and those left to the passes behind, as one.
        let before = self.origin(&column, |c| c.input_stride).weight;
        let (inner, after) = match self.inner_digit() {
            Some(digit) => (self.pass.columns[digit].n, self.digits(&column).0[digit].cast(Type::U32)),
            None => (1, self.context.integer(Type::U32, 0)),
        };
        for u in 0..butterflies {
            let Butterfly { number: b, bound, .. } = self.pass.butterfly(s, &thread, u);
            let mut x: Vec<Number> = (0..r).map(|j| rows[u + j * butterflies].clone()).collect();
            // The butterfly's digits among those that are done, or are still to come.
            let k = if is_forward { b.remainder_below(p, bound) } else { b.quotient_below(p, bound) };
            for layer in 0..r.ilog2() {
                let (half, start) = (r >> (layer + 1), self.tables.layers + layers.start(done + layer));
                // How many factors, the distance of those of neighbouring rows, and where this butterfly's begin.
                let rest = self.pass.radix / (p * r);
                let (count, step, base) = match (is_forward, layers.columns(done + layer)) {
                    (true, _) => (1 << layer, p, before.times(p << layer).add(&k)),
                    (false, 1) => (half, rest * inner, k.times(inner).add(&after)),
                    (false, _) => (half, rest, after.times(rest * half).add(&k)),
                };
                let factors: Vec<Number> = (0..count).map(|i| self.table(start + i * step, &base)).collect();
                for (block, i) in (0..1 << layer).flat_map(|block| (0..half).map(move |i| (block, i))) {
                    let (first, second) = (2 * half * block + i, 2 * half * block + i + half);
                    (x[first], x[second]) = if is_forward {
                        let turned = x[second].mul(&factors[reversed_bits(block, layer)]);
                        (x[first].add(&turned), x[first].sub(&turned))
                    } else {
                        (x[first].add(&x[second]), x[first].sub(&x[second]).mul(&factors[i]))
                    };
                }
            }
            for j in 0..r {
                rows[u + j * butterflies] = x[reversed_bits(j, r.ilog2())].clone();
            }
        }
        rows
    }

    /// The column that is the digits of the passes behind, if there are some.
    fn inner_digit(&self) -> Option<usize> {
        let across = crate::plan::across_of(&self.recipe.transform, self.recipe.passes().len());
        let is_last = std::ptr::eq(self.pass, &self.recipe.passes()[self.recipe.passes().len() - 1]);
        (!is_last).then_some(usize::from(across))
    }
}
