//! Before a last stage of radix 2: what threads of a warp hold goes from one to the other, and not through local memory
//! ([`Pass::swaps_before`](crate::plan::Pass::swaps_before)).
//!
//! After the stage before, one thread has R rows of the first half of a column, and another the same rows of the second half.
//! Each gives half of them, R/2 values, and has pairs then that a butterfly takes. NVIDIA, "CUDA C++ Programming Guide", warp
//! shuffle functions.

use crate::algebra::Ring;
use crate::kernel::ir::{Op, Type};

use super::super::{Lowering, Number};

impl Lowering<'_> {
    /// Gives the neighbour half of the rows for as many of its: of two that hold the same rows of both halves of a column,
    /// each has pairs of them then.
    pub(in crate::kernel::lower) fn swap(&self, rows: Vec<Number>) -> Vec<Number> {
        let (half, distance) = (rows.len() / 2, self.pass.beside());
        let is_second = self.pass.pair(&self.context.value(Type::U32, Op::Thread)).1.equals(1);
        let either = |second: Number, first: Number| -> Number {
            let both = second.into_components().into_iter().zip(first.into_components());
            let components = both.map(|(second, first)| is_second.select(&second, &first)).collect();
            Number::from_components(self.algebra(), components).of_stored()
        };
        let of_partner = |x: Number| {
            let components = x.into_components().iter().map(|x| x.of_partner(distance)).collect();
            Number::from_components(self.algebra(), components).of_stored()
        };
        let (low, high) = rows.split_at(half);
        let pairs = low.iter().zip(high).map(|(low, high)| {
            let got = of_partner(either(low.clone(), high.clone()));
            let own = if self.knows_roots() { high.mul_root(self.direction().root(1, 4)) } else { high.clone() };
            (either(got.clone(), low.clone()), either(own, got))
        });
        let (first, second): (Vec<Number>, Vec<Number>) = pairs.unzip();
        [first, second].concat()
    }

    /// Whether roots behind a swap are known beforehand, but for a quarter turn that the second of two threads has done before:
    /// where these two have a column for themselves.
    pub(in crate::kernel::lower) fn knows_roots(&self) -> bool {
        self.pass.threads_per_column() == 2
    }
}
