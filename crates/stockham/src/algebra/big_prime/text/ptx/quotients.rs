//! The digits of a product as they come about: each sum of products is divided by r, and its quotient goes to the next.

use super::Writer;
use super::division::{Division, Estimate};
use crate::algebra::ptx::{Block, Limb, constant, zero};

/// Neighbouring digits of a product, as they come about.
#[derive(Default)]
pub(super) struct Digits {
    done: Vec<Vec<Limb>>,
    /// The last division.
    last: Option<Division>,
}

impl Writer {
    /// For sums, which are below 4 k r², where r is hardly more than 2^u.
    pub(super) fn estimate_of_sums(&self) -> Estimate {
        self.estimate(2 * self.sparse.u + self.k.ilog2() + 2)
    }

    /// What a sum of products begins at, so that it is positive: k·r² less the k·r of the sum before, if there is one.
    pub(super) fn offset_of_sum(&self, is_first: bool, estimate: &Estimate) -> Vec<Limb> {
        self.offset(self.k, u64::from(!is_first), self.margin(estimate))
    }

    /// The sum with the quotient of the digit before, which is done then.
    pub(super) fn carry_on(&self, block: &mut Block, z: &mut Digits, sum: Vec<Limb>) -> Vec<Limb> {
        let Some(last) = z.last.take() else { return sum };
        let (total, digit) = self.settle(block, &last, &sum);
        z.done.push(digit);
        total
    }

    /// The sum is the last digit's.
    pub(super) fn next(&self, block: &mut Block, z: &mut Digits, estimate: &Estimate, total: &[Limb]) {
        z.last = Some(self.divide(block, estimate, total));
    }

    /// All digits, and the quotient that is left at the end.
    pub(super) fn finish(&self, block: &mut Block, mut z: Digits) -> (Vec<Vec<Limb>>, Vec<Limb>) {
        let last = z.last.take().expect("a digit");
        let (quotient, digit) = self.settle(block, &last, &vec![zero(); self.w + 1]);
        z.done.push(digit);
        (z.done, quotient)
    }

    /// Adds left − k·r, or its negative, which came out of the digits before, at a place and the one above; what goes
    /// beyond them is rare.
    pub(super) fn add_left(&self, block: &mut Block, z: &mut [Vec<Limb>], minus: bool, (at, left): (usize, &[Limb])) {
        let w = self.w;
        let estimate = self.estimate(self.sparse.u + self.k.ilog2() + 2);
        let left = block.sub(left, &constant(self.margin(&estimate), w + 1), false, false);
        let division = self.divide(block, &estimate, &left);
        let (quotient, rest) = self.settle(block, &division, &[zero()]);
        let (mut digit, carry) = self.half(block, minus, &[(&z[at], &rest)], None);
        z[at] = digit.remove(0);
        let count = self.k.to_string();
        let more = block.op("sub.u32", &if minus { [&count, &quotient[0]] } else { [&quotient[0], &count] });
        let change = block.op("add.s32", &[&more, &carry]);
        let sign = block.op("shr.s32", &[&change, "31"]);
        let addend: Vec<Limb> = std::iter::once(change).chain(std::iter::repeat_n(sign, w)).collect();
        let mut second = z[at + 1].clone();
        second.push(zero());
        let mut digit = block.add(&second, &addend, false, false);
        // Beyond its words, negative, or not below r: seldom.
        let beyond = digit.pop().expect("the limb above");
        let mut against = block.sub(&digit, &self.radix(), false, true);
        let below = against.pop().expect("the borrow");
        let not_below = block.op("not.b32", &[&below]);
        let rare = block.op("or.b32", &[&beyond, &not_below]);
        z[at + 1] = digit;
        block.line(format!("or.b32 %{0}, %{0}, {rare};", self.k));
    }
}
