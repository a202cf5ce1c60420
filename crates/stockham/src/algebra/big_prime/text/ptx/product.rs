//! Products: sums of products of limbs, and the division of a sum by r.

use super::{Sparse, Writer};
use crate::algebra::ptx::{Block, Limb, constant, zero};

impl Writer {
    /// x below 2^bits divided by r: the quotient, as `limbs` limbs, and the rest. With r = 2^u + 2^v,
    /// x = (x >> u)·r + (x mod 2^u) − (x >> u)·2^v, and so on with what is left, which gets shorter by u − v bits.
    fn divide(&self, block: &mut Block, x: &[Limb], bits: u32, limbs: usize) -> (Vec<Limb>, Vec<Limb>) {
        let Sparse { u, v, minus } = self.sparse;
        let (mut left, mut bits, mut signed) = (x.to_vec(), bits, false);
        let mut quotient: Option<Vec<Limb>> = None;
        loop {
            let high_bits = bits.saturating_sub(u).max(1) + u32::from(signed);
            let high = block.shr(&left, u, high_bits.div_ceil(32) as usize, signed);
            let low = block.low_bits(&left, u);
            let next_bits = u.max(high_bits + v) + 1;
            let count = next_bits.div_ceil(32) as usize;
            let shifted = block.shl(&high, v, count, signed);
            let mut extended = low.clone();
            extended.resize(count, zero());
            left = if minus {
                block.add(&extended, &shifted, false, false)
            } else {
                block.sub(&extended, &shifted, false, false)
            };
            quotient = Some(match quotient {
                None => high.iter().cloned().chain(std::iter::repeat(zero())).take(limbs).collect(),
                Some(q) => {
                    let mut addend = high.clone();
                    let sign = if signed { block.sign(&high) } else { zero() };
                    addend.resize(limbs, sign);
                    block.add(&q, &addend, false, false)
                }
            });
            // Of a negative number with a negative high part there remains a positive one, and so on in turns; with
            // r = 2^u − 2^v all are positive.
            let was_small = high_bits + v < u;
            (bits, signed) = (next_bits - 1, !minus && !signed);
            if was_small {
                break;
            }
        }
        let mut quotient = quotient.expect("at least one round");
        // What is left lies between −r and 2r.
        if signed {
            let sign = block.sign(&left);
            let back = block.masked(&self.radix(), &sign);
            left = block.add(&left[..self.w], &back, false, false);
            let addend = vec![sign; limbs];
            quotient = block.add(&quotient, &addend, false, false);
        } else {
            let mut less = block.sub(&left[..], &self.padded(self.radix(), left.len()), false, true);
            let borrow = less.pop().expect("the borrow");
            let back = block.masked(&self.radix(), &borrow);
            left = block.add(&less[..self.w], &back, false, false);
            let one = block.op("add.u32", &[&borrow, "1"]);
            quotient = block.add(&quotient, &[one], false, false);
        }
        left.truncate(self.w);
        quotient.truncate(limbs);
        (quotient, left)
    }

    fn padded(&self, mut x: Vec<Limb>, len: usize) -> Vec<Limb> {
        x.resize(len, zero());
        x
    }

    /// sums += x·y, a sum of products of limbs: those at even places and those at odd ones have carries of their own.
    fn accumulate(&self, block: &mut Block, sums: &mut Sums, x: &[Limb], y: &[Limb]) {
        let even: Vec<[&str; 2]> = (0..self.w).map(|i| [x[i].as_str(), y[i].as_str()]).collect();
        products(block, &mut sums.even, &even);
        if self.w == 2 {
            products(block, &mut sums.odd, &[[&x[0], &y[1]]]);
            products(block, &mut sums.odd, &[[&x[1], &y[0]]]);
        }
    }

    /// The total of the sums, 2w + 1 limbs.
    fn total(&self, block: &mut Block, sums: Sums) -> Vec<Limb> {
        if sums.odd.is_empty() {
            return sums.even;
        }
        let odd: Vec<Limb> = std::iter::once(zero()).chain(sums.odd).collect();
        let mut total = block.add(&sums.even, &odd, false, false);
        total.truncate(2 * self.w + 1);
        total
    }

    /// The negacyclic convolution of the digits, as in the portable text.
    pub(super) fn product(&self) -> String {
        let (k, w) = (self.k, self.w);
        let mut block = Block::default();
        let x = self.digits(&mut block, k + 1);
        let y = self.digits(&mut block, 2 * k + 1);
        let (first, offset) = super::super::offsets(self.prime);
        let limbs_of = |words: [u64; 3]| -> Vec<Limb> {
            let limbs = words.iter().flat_map(|&word| constant(word.into(), w));
            limbs.take(2 * w + 1).collect()
        };
        // Sums below 2 k r² and the quotient before, where r is hardly more than 2^u.
        let bits = 2 * self.sparse.u + k.ilog2() + 2;
        let mut z = Vec::new();
        let mut quotient: Vec<Limb> = Vec::new();
        for i in 0..k {
            let offset = limbs_of(if i == 0 { first } else { offset });
            let mut sums = Sums::default();
            for j in i + 1..k {
                self.accumulate(&mut block, &mut sums, &x[j], &y[k + i - j]);
            }
            let start = if i + 1 < k {
                let total = self.total(&mut block, sums);
                block.sub(&offset, &total, false, false)
            } else {
                offset
            };
            let start = if quotient.is_empty() { start } else { block.add(&start, &quotient, false, false) };
            let mut sums = Sums { even: start, odd: Vec::new() };
            for j in 0..=i {
                self.accumulate(&mut block, &mut sums, &x[j], &y[i - j]);
            }
            let total = self.total(&mut block, sums);
            let (q, rest) = self.divide(&mut block, &total, bits, w + 1);
            quotient = q;
            z.push(rest);
        }
        // What is left, quotient − k r, comes back negated at digits 0 and 1.
        let bits = self.sparse.u + k.ilog2() + 2;
        let (s1, s0) = self.divide(&mut block, &quotient, bits, 1);
        let (digit, borrow) = self.minus(&mut block, &z[0], &s0, None);
        z[0] = digit;
        let less = block.op("sub.u32", &[&k.to_string(), &s1[0]]);
        let change = block.op("add.s32", &[&less, &borrow]);
        let sign = block.op("shr.s32", &[&change, "31"]);
        let addend: Vec<Limb> = std::iter::once(change).chain(std::iter::repeat_n(sign.clone(), w)).collect();
        let second = self.padded(z[1].clone(), w + 1);
        let mut digit = block.add(&second, &addend, false, false);
        // Beyond its words, negative, or not below r: seldom.
        let beyond = digit.pop().expect("the limb above");
        let mut against = block.sub(&digit, &self.radix(), false, true);
        let below = against.pop().expect("the borrow");
        let not_below = block.op("not.b32", &[&below]);
        let rare = block.op("or.b32", &[&beyond, &not_below]);
        z[1] = digit;
        self.put(&mut block, &z);
        block.line(format!("or.b32 %{k}, %{k}, {rare};"));
        let outputs: Vec<String> = self.operands("=", "z").into_iter().chain(["\"+r\"(*rare)".into()]).collect();
        let inputs: Vec<String> = self.operands("", "x").into_iter().chain(self.operands("", "y")).collect();
        let statement = block.statement(&outputs, &inputs);
        format!("\nFUNCTION big fast_bp_mul(big x, big y, u32 *rare) {{\n    big z;\n{statement}    return z;\n}}\n")
    }
}

/// Sums of products of limbs: those that begin at even places, and those that begin at odd ones, from place 1 on.
#[derive(Default)]
struct Sums {
    even: Vec<Limb>,
    odd: Vec<Limb>,
}

/// sums += Σ product·2^(64·i), and one limb for the carries. The multiply-adds come in pairs that the machine fuses.
fn products(block: &mut Block, sums: &mut Vec<Limb>, factors: &[[&str; 2]]) {
    if sums.is_empty() {
        for [a, b] in factors {
            sums.push(block.op("mul.lo.u32", &[a, b]));
            sums.push(block.op("mul.hi.u32", &[a, b]));
        }
        sums.push(zero());
        return;
    }
    for (i, [a, b]) in factors.iter().enumerate() {
        let carry = if i == 0 { "" } else { "c" };
        sums[2 * i] = block.op(&format!("mad{carry}.lo.cc.u32"), &[a, b, &sums[2 * i].clone()]);
        sums[2 * i + 1] = block.op("madc.hi.cc.u32", &[a, b, &sums[2 * i + 1].clone()]);
    }
    let top = sums.len() - 1;
    sums[top] = block.op("addc.u32", &[&sums[top].clone(), "0"]);
}
