//! The division of a number by r = 2^u ± 2^v, in shifts. The quotient may come out one less, which makes the rest r more;
//! both are put right when the quotient is added to something.

use super::{Sparse, Writer};
use crate::algebra::ptx::{Block, Limb, zero};

/// What is known of x = q·r + rest: q, or one less, and the digit that is the rest, or r too much. The two go together:
/// adding 2^(32w) − r to such a digit carries if and only if it is r too much.
pub(super) struct Division {
    pub quotient: Vec<Limb>,
    digit: Vec<Limb>,
}

/// How a quotient is estimated: with F = x / 2^s and d = u − v it is F·(1 ∓ 2^−d + 2^−2d ∓ …), in units of 2^(s−u). All
/// terms are taken as integers. Those of 2^u − 2^v are positive, so that what is cut off makes the quotient less, never
/// more; of 2^u + 2^v some are negative, and a little must be taken from F.
pub(super) struct Estimate {
    /// x is below 2^bits.
    bits: u32,
    /// s: limbs that it takes nothing to cut off.
    skipped: u32,
    /// Terms after the first.
    terms: u32,
    /// Taken from F.
    margin: u128,
}

impl Writer {
    /// For numbers below 2^bits, with as few limbs and terms as do.
    pub fn estimate(&self, bits: u32) -> Estimate {
        let Sparse { u, v, minus } = self.sparse;
        let (r, d) = (u128::from(self.prime.radix()), u - v);
        let room = (1u128 << (32 * self.w)) - r;
        let with = |skipped: u32, terms: u32| {
            let unit = 1u128 << (u - skipped);
            // The terms left out come to less than twice the first of them.
            let left_out = 1u128 << (bits + 1).saturating_sub(skipped + (terms + 1) * d).min(60);
            let negative = if minus { 0 } else { u128::from(terms.div_ceil(2)) + left_out };
            let margin = if minus { 0 } else { negative + (negative >> (d - 1)) + 1 };
            let error = margin + u128::from(terms) + 1 + left_out;
            // The rest is less than r + error·r / unit, which must be below 2r and fit a digit's words.
            let fits = error <= unit && error <= room.saturating_mul(unit) / r;
            fits.then_some(Estimate { bits, skipped, terms, margin })
        };
        let most = bits / d + 1;
        let all =
            [32 * (self.w as u32 - 1), 0].into_iter().flat_map(|skipped| (1..=most).map(move |terms| (skipped, terms)));
        let found = all.into_iter().find_map(|(skipped, terms)| with(skipped, terms)).expect("an estimate");
        assert!(
            found.margin == 0 || found.skipped == 32 * (self.w as u32 - 1),
            "a margin is of the upper limb of a digit"
        );
        found
    }

    /// What is to be taken from x before it is divided.
    pub fn margin(&self, estimate: &Estimate) -> u128 {
        estimate.margin << estimate.skipped
    }

    /// Divides x by r. The block has x less the margin.
    pub fn divide(&self, block: &mut Block, estimate: &Estimate, x: &[Limb]) -> Division {
        let Sparse { u, v, minus } = self.sparse;
        let &Estimate { bits, skipped, terms, margin } = estimate;
        let shifted = |block: &mut Block, shift: u32| {
            block.shr(x, shift, bits.saturating_sub(shift).max(1).div_ceil(32) as usize)
        };
        let mut sum: Vec<Limb> = Vec::new();
        for n in (0..=terms).rev() {
            let term = shifted(block, skipped + n * (u - v));
            sum = if minus { block.add(&term, &sum, false, false) } else { block.sub(&term, &sum, false, false) };
        }
        let count = (bits - u).div_ceil(32) as usize;
        let quotient = block.shr(&sum, u - skipped, count);
        // The rest modulo 2^(32w): x + q·(2^(32w) − r).
        let (bias, top) = (self.bias(), self.w - 1);
        let mut digit = x[..self.w].to_vec();
        if top > 0 && bias[0] != zero() {
            digit[0] = block.op("mad.lo.cc.u32", &[&quotient[0], &bias[0], &x[0]]);
            digit[1] = block.op("madc.hi.u32", &[&quotient[0], &bias[0], &x[1]]);
            if let Some(high) = quotient.get(1) {
                digit[1] = block.op("mad.lo.u32", &[high, &bias[0], &digit[1]]);
            }
        }
        if bias[top] != zero() {
            digit[top] = block.op("mad.lo.u32", &[&quotient[0], &bias[top], &digit[top]]);
        }
        if margin > 0 {
            digit[top] = block.op("add.u32", &[&digit[top], &margin.to_string()]);
        }
        Division { quotient, digit }
    }

    /// addend + quotient, and the digit, both put right.
    pub fn settle(&self, block: &mut Block, division: &Division, addend: &[Limb]) -> (Vec<Limb>, Vec<Limb>) {
        let digit = &division.digit;
        let less = block.add_to_flag(digit, &self.bias());
        let sum = block.add(addend, &division.quotient, true, false);
        // What has overflown is less.
        let pair = |x: &[Limb]| format!("{{{}, {}}}", x[0], x[1]);
        let digit = if self.w == 1 {
            vec![block.op("min.u32", &[&digit[0], &less[0]])]
        } else if digit[0] == less[0] {
            vec![digit[0].clone(), block.op("min.u32", &[&digit[1], &less[1]])]
        } else {
            block.line(format!("mov.b64 wx, {}; mov.b64 wy, {}; min.u64 wx, wx, wy;", pair(digit), pair(&less)));
            let digit = [block.register(), block.register()];
            block.line(format!("mov.b64 {}, wx;", pair(&digit)));
            digit.to_vec()
        };
        (sum, digit)
    }
}
