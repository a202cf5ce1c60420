//! Products: negacyclic convolutions of digits, whose sums are divided by r.

use super::Writer;
use super::division::Division;
use super::sums::{Factors, Sums};
use crate::algebra::ptx::{Block, Limb, constant, zero};

/// The digits of a product, as they come about.
#[derive(Default)]
struct Digits {
    done: Vec<Vec<Limb>>,
    /// The last division.
    last: Option<Division>,
}

impl Writer {
    /// x·y.
    pub(super) fn product(&self) -> String {
        let (k, most) = (self.k, self.prime.radix());
        let mut block = Block::default();
        let x = Factors { digits: self.digits(&mut block, k + 1), most };
        let y = Factors { digits: self.digits(&mut block, 2 * k + 1), most };
        let z = self.convolution(&mut block, &x, &y);
        self.put(&mut block, &z);
        let outputs: Vec<String> = self.operands("=", "z").into_iter().chain(["\"+r\"(*rare)".into()]).collect();
        let inputs: Vec<String> = self.operands("", "x").into_iter().chain(self.operands("", "y")).collect();
        let statement = block.statement(&outputs, &inputs);
        format!("\nFUNCTION big fast_bp_mul(big x, big y, u32 *rare) {{\n    big z;\n{statement}    return z;\n}}\n")
    }

    /// The negacyclic convolution of the digits, as in the portable text. k·r² is added to a sum that it be positive,
    /// whose quotient k·r is taken away again from the next.
    fn convolution(&self, block: &mut Block, x: &Factors, y: &Factors) -> Vec<Vec<Limb>> {
        let k = self.k;
        // Sums are below 4 k r², where r is hardly more than 2^u.
        let estimate = self.estimate(2 * self.sparse.u + k.ilog2() + 2);
        let mut z = Digits::default();
        for i in 0..k {
            let offset = self.offset(k, u64::from(i > 0), self.margin(&estimate));
            let mut negative = Sums::default();
            for j in i + 1..k {
                negative.accumulate(block, (x, j), (y, k + i - j));
            }
            let start = if negative.is_empty() {
                offset
            } else {
                let total = negative.total(block);
                block.sub(&offset, &total, false, false)
            };
            let start = self.carry_on(block, &mut z, start);
            let mut sums = Sums::from(&start);
            for j in 0..=i {
                sums.accumulate(block, (x, j), (y, i - j));
            }
            let total = sums.total(block);
            z.last = Some(self.divide(block, &estimate, &total));
        }
        let left = self.finish(block, &mut z);
        let mut z = z.done;
        self.subtract(block, &mut z, &left);
        z
    }

    /// The sum with the quotient of the digit before, which is done then.
    fn carry_on(&self, block: &mut Block, z: &mut Digits, sum: Vec<Limb>) -> Vec<Limb> {
        let Some(last) = z.last.take() else { return sum };
        let (total, digit) = self.settle(block, &last, &sum);
        z.done.push(digit);
        total
    }

    /// The quotient that is left at the end.
    fn finish(&self, block: &mut Block, z: &mut Digits) -> Vec<Limb> {
        let last = z.last.take().expect("a digit");
        let (quotient, digit) = self.settle(block, &last, &vec![zero(); self.w + 1]);
        z.done.push(digit);
        quotient
    }

    /// Subtracts left − k·r, which came out of the top, at digits 0 and 1; what goes beyond them is rare.
    fn subtract(&self, block: &mut Block, z: &mut [Vec<Limb>], left: &[Limb]) {
        let w = self.w;
        let estimate = self.estimate(self.sparse.u + self.k.ilog2() + 2);
        let left = block.sub(left, &constant(self.margin(&estimate), w + 1), false, false);
        let division = self.divide(block, &estimate, &left);
        let (quotient, rest) = self.settle(block, &division, &[zero()]);
        let (digit, borrow) = self.minus(block, &z[0], &rest, None);
        z[0] = digit;
        let less = block.op("sub.u32", &[&self.k.to_string(), &quotient[0]]);
        let change = block.op("add.s32", &[&less, &borrow]);
        let sign = block.op("shr.s32", &[&change, "31"]);
        let addend: Vec<Limb> = std::iter::once(change).chain(std::iter::repeat_n(sign, w)).collect();
        let mut second = z[1].clone();
        second.push(zero());
        let mut digit = block.add(&second, &addend, false, false);
        // Beyond its words, negative, or not below r: seldom.
        let beyond = digit.pop().expect("the limb above");
        let mut against = block.sub(&digit, &self.radix(), false, true);
        let below = against.pop().expect("the borrow");
        let not_below = block.op("not.b32", &[&below]);
        let rare = block.op("or.b32", &[&beyond, &not_below]);
        z[1] = digit;
        block.line(format!("or.b32 %{0}, %{0}, {rare};", self.k));
    }
}
