//! Products by halves: three convolutions of half the length do for the four of the schoolbook (A. A. Karatsuba and Yu. P.
//! Ofman, "Multiplication of many-digital numbers by automatic computers", 1962), where digits leave room for sums of two.
//!
//! With x = x' + x''·t and y likewise for t = r^h, h = k/2, t² = −1, and with a = x'·y', b = x''·y'' and
//! c = (x' + x'')·(y' + y'') as polynomials in r, of degrees below 2h − 1, the digits of x·y are
//!
//! z_i       =  (a_(i+h) − b_i) + (a_i + b_(i+h)) − c_(i+h)
//! z_(i+h)   =  (a_(i+h) − b_i) − (a_i + b_(i+h)) + c_i
//!
//! before carries. Both are computed side by side for i = 0, 1, …, with a chain of carries each. What the lower one leaves
//! is added where the upper one began.

use super::Writer;
use super::quotients::Digits;
use super::sums::{Factors, Sums};
use crate::algebra::BigPrime;
use crate::algebra::ptx::{Block, Limb};

/// Digits from which on it is quicker.
const FEWEST_DIGITS: usize = 16;

/// Whether sums of two digits fit a digit's words, and there are enough of them.
pub(super) fn suit(prime: BigPrime) -> bool {
    prime.digits() >= FEWEST_DIGITS && u128::from(prime.radix()) * 2 < 1 << (8 * prime.digit_bytes())
}

impl Writer {
    /// The negacyclic convolution of the digits, as in [`Writer::convolution`].
    pub(super) fn convolution_by_halves(&self, block: &mut Block, x: &Factors, y: &Factors) -> Vec<Vec<Limb>> {
        let h = self.k / 2;
        let estimate = self.estimate_of_sums();
        let halves = [self.sums_of_halves(block, x), self.sums_of_halves(block, y)];
        let [mut low, mut high] = [Digits::default(), Digits::default()];
        // Adds coefficients n of products of two polynomials of h digits, those from a place on.
        let add = |block: &mut Block, mut sums: Sums, parts: &[([&Factors; 2], usize, usize)]| {
            for &([x, y], first, n) in parts {
                for i in (n + 1).saturating_sub(h)..=n.min(h - 1) {
                    sums.accumulate(block, (x, first + i), (y, first + n - i));
                }
            }
            sums.total(block)
        };
        for i in 0..h {
            // In this order the compiler for sm_90 finds room in 168 registers, three warps to a scheduler.
            let offset = self.offset_of_sum(i == 0, &estimate);
            let across = add(block, Sums::default(), &[([x, y], 0, i), ([x, y], h, i + h)]);
            let b = add(block, Sums::default(), &[([x, y], h, i)]);
            let a = add(block, Sums::default(), &[([x, y], 0, i + h)]);
            let both = block.add(&offset, &a, false, false);
            let both = block.sub(&both, &b, false, false);
            let lower = self.carry_on(block, &mut low, both.clone());
            let lower = block.add(&lower, &across, false, false);
            let c = add(block, Sums::default(), &[(halves.each_ref(), 0, i + h)]);
            let lower = block.sub(&lower, &c, false, false);
            self.next(block, &mut low, &estimate, &lower);
            let upper = self.carry_on(block, &mut high, both);
            let upper = block.sub(&upper, &across, false, false);
            let upper = add(block, Sums::from(&upper), &[(halves.each_ref(), 0, i)]);
            self.next(block, &mut high, &estimate, &upper);
        }
        let (mut z, left_below) = self.finish(block, low);
        let (upper, left) = self.finish(block, high);
        z.extend(upper);
        self.add_left(block, &mut z, false, (h, &left_below));
        // r^k = −1.
        self.add_left(block, &mut z, true, (0, &left));
        z
    }

    /// x_i + x_(i+h)
    fn sums_of_halves(&self, block: &mut Block, x: &Factors) -> Factors {
        let (low, high) = x.digits.split_at(self.k / 2);
        let digits: Vec<Vec<Limb>> = low.iter().zip(high).map(|(a, b)| block.add(a, b, false, false)).collect();
        Factors { digits, most: 2 * x.most }
    }
}
