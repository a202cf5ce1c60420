//! Products: negacyclic convolutions of digits.

use super::quotients::Digits;
use super::sums::{Factors, Sums};
use super::{Writer, halves};
use crate::algebra::ptx::{Block, Limb};

impl Writer {
    /// x·y.
    pub(super) fn product(&self) -> String {
        let (k, most) = (self.k, self.prime.radix());
        let mut block = Block::default();
        let x = Factors { digits: self.digits(&mut block, k + 1), most };
        let y = Factors { digits: self.digits(&mut block, 2 * k + 1), most };
        let z = if halves::suit(self.prime) {
            self.convolution_by_halves(&mut block, &x, &y)
        } else {
            self.convolution(&mut block, &x, &y)
        };
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
        let estimate = self.estimate_of_sums();
        let mut z = Digits::default();
        for i in 0..k {
            let offset = self.offset_of_sum(i == 0, &estimate);
            let mut negative = Sums::default();
            for j in i + 1..k {
                negative.accumulate(block, (x, j), (y, k + i - j));
            }
            let total = negative.total(block);
            let start = block.sub(&offset, &total, false, false);
            let start = self.carry_on(block, &mut z, start);
            let mut sums = Sums::from(&start);
            for j in 0..=i {
                sums.accumulate(block, (x, j), (y, i - j));
            }
            let total = sums.total(block);
            self.next(block, &mut z, &estimate, &total);
        }
        let (mut z, left) = self.finish(block, z);
        // r^k = −1.
        self.add_left(block, &mut z, true, (0, &left));
        z
    }
}
