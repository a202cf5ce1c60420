//! One stage of a pass in registers: twiddles, and codelets.

use crate::algebra::{Algebra, Direction, Ring, Scalar};
use crate::codelet;
use crate::kernel::ir::{Memory, Op, Stmt, Type};
use crate::kernel::symbol::Context;
use crate::plan::Holding;
use crate::plan::held::Butterfly;
use crate::plan::index::Index;

use super::{Lowering, Number};

impl Lowering<'_> {
    /// One stage in registers: m butterflies of radix r, on the rows u, u + m, u + 2m, …
    pub(super) fn stage(&self, s: usize, mut rows: Vec<Number>) -> Vec<Number> {
        let (r, p) = self.pass.stage(s);
        let butterflies = rows.len() / r;
        let mut threads = self.pass.threads_per_column();
        let Holding::Input(_, lanes) = self.pass.input_of(s) else { unreachable!("what a stage takes") };
        let mut thread = self.thread(lanes).0;
        let swaps = self.pass.swaps_before(s);
        if swaps {
            (thread, threads) = (self.pass.first_of_swapped(&thread), threads / 2);
        }
        let block = self.pass.block(s, self.free);
        if block.first == s && block.before > 1 && block.size > r {
            rows = self.twiddle_block(s, &thread, rows);
        }
        if s > block.first {
            // What is left of the twiddles within the block. Rows u + j·butterflies for j > 0 have one.
            let order = p / block.before * r;
            let others = rows.split_off(butterflies);
            rows.extend(self.for_rows(others, |v, x| {
                let (u, j) = (v.modulo(butterflies), v.over(butterflies).plus(1));
                let k = thread.add(&u.times(threads)).modulo(p).over(block.before);
                self.by_free_root(&x, &k.mul(&j), order)
            }));
        }
        let done = self.pass.done_before(s);
        let one_stage = block.before > 1 && block.size == r;
        if one_stage && self.free > 1 {
            // Rows u + j·butterflies for j > 0, one after the other: products take much text.
            let others = rows.split_off(butterflies);
            rows.extend(self.for_rows(others, |v, x| {
                let (u, j) = (v.modulo(butterflies), v.over(butterflies));
                let k = thread.add(&u.times(threads)).modulo(p);
                self.by_factor(&x, (self.tables.stages[s], 0), &j.times(p).add(&k))
            }));
        }
        let mirrored = self.pass.pairs_of_roots(s).filter(|_| one_stage);
        for u in 0..butterflies {
            if one_stage && self.free == 1 && mirrored.is_none_or(|pairs| u < pairs) {
                let (b, bound) = if swaps {
                    (thread.plus(threads * u), p)
                } else {
                    let (Butterfly { number, bound, .. }, _) = self.butterfly(s, lanes, u);
                    (number, bound)
                };
                let k = b.remainder_below(p, bound);
                let k = if done > 1 { k.over(done) } else { k };
                if swaps && self.knows_roots() {
                    rows[u + butterflies] = rows[u + butterflies].mul_root(self.direction().root(u, r * p));
                } else {
                    let image = mirrored.map(|pairs| u + pairs);
                    self.by_roots_of_pair(s, lanes, (u, image), self.stage_roots(s, &k), &mut rows);
                }
            }
            let mut x: Vec<Number> = (0..r).map(|j| rows[u + j * butterflies].clone()).collect();
            codelet::dft(&mut x, self.direction());
            if mirrored.is_some_and(|pairs| u >= pairs) {
                x.rotate_left(1);
            }
            for (j, x) in x.into_iter().enumerate() {
                rows[u + j * butterflies] = x;
            }
        }
        rows
    }
}

/// Traces a codelet alone and counts its operations.
pub(in crate::kernel) fn count_operations(algebra: Algebra, n: usize, fuses: bool) -> (usize, usize) {
    let context = Context::fusing(fuses);
    let (word, components) = algebra.layout();
    let element = (Type::from(word), components);
    let index = |j| context.integer(Type::U32, j);
    let mut x: Vec<Number> =
        (0..n).map(|j| Number::from_components(algebra, context.load(Memory::Source, &index(j), element))).collect();
    codelet::dft(&mut x, Direction::Forward);
    for (j, x) in x.into_iter().enumerate() {
        context.store(Memory::Target, &index(j), &x.into_canonical(), None);
    }
    let (values, body) = context.take().finish();
    let count = |is: fn(&Op) -> bool| {
        body.iter().filter(|s| matches!(s, Stmt::Let(id) if is(&values[id.0 as usize].1))).count()
    };
    let additions = count(|op| matches!(op, Op::Add(..) | Op::Sub(..) | Op::Call("gl_add" | "gl_sub", _)));
    let products = count(|op| matches!(op, Op::Mul(..) | Op::Fma(..) | Op::Call("gl_mul", _)));
    (additions, products)
}
