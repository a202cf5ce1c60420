//! Products by roots and constants with their quotients, in PTX.

use super::PrimeField;
use super::ptx::{constant, finish, limbs, operands_of};
use crate::algebra::ptx::{Block, Limb, zero};

/// The function `bp_mul_pair`: x·y for y below p and q = ⌊y·R/p⌋, as x·y + h·(R − p) modulo R for h = ⌊x·q/R⌋, or that less one. It is
/// below 2p.
pub(super) fn product(field: PrimeField, kind: &str) -> String {
    let words = field.words();
    let (minus, [upper, lower]) = (constant("BP_MINUS_LIMBS", &field.modulus.negated()), [upper(words), lower(words)]);
    format!("{minus}\n{kind} big bp_mul_pair(big x, big y, big q) {{\n    big h, z;\n{upper}{lower}    return z;\n}}\n")
}

/// h, of x and q.
fn upper(words: usize) -> String {
    let (mut block, n) = (Block::default(), 2 * words);
    let [x, q] = [words, 2 * words].map(|first| limbs(&mut block, words, first));
    let mut sums = Sums::new(2 * n);
    // What products of lower limbs carry is less than n/2^32 of h's last one.
    for (i, a) in x.iter().enumerate() {
        sums.add(&mut block, (i, a), &q, (n - 2).saturating_sub(i));
    }
    // Limb n − 2 has nothing to be added to.
    let h = sums.total(&mut block, n - 1);
    finish(block, &h[1..], "h", &["x", "q"], &[])
}

/// z, of x, y and h.
fn lower(words: usize) -> String {
    let (mut block, n) = (Block::default(), 2 * words);
    let [x, y, h] = [words, 2 * words, 3 * words].map(|first| limbs(&mut block, words, first));
    let minus: Vec<Limb> = (0..n).map(|i| format!("%{}", 4 * words + i)).collect();
    let mut sums = Sums::new(n);
    for (i, (a, m)) in x.iter().zip(&h).enumerate() {
        sums.add(&mut block, (i, a), &y, 0);
        sums.add(&mut block, (i, m), &minus, 0);
    }
    let sum = sums.total(&mut block, 0);
    // Less p where that leaves something, which R − p tells by a carry.
    let mut less = block.add(&sum, &minus, false, true);
    let carry = less.pop().expect("the carry");
    block.line(format!("setp.ne.u32 p, {carry}, 0;"));
    let z: Vec<Limb> = sum.iter().zip(&less).map(|(sum, less)| block.op("selp.u32", &[less, sum, "p"])).collect();
    finish(block, &z, "z", &["x", "y", "h"], &operands_of("BP_MINUS_LIMBS", n))
}

/// A sum of products of two limbs, which are two limbs long: those that begin at even places in one array, those that begin at odd
/// places in another, each in one chain of carries.
struct Sums {
    arrays: [Vec<Limb>; 2],
}

impl Sums {
    /// Of so many limbs; what is beyond falls off.
    fn new(len: usize) -> Self {
        Self { arrays: [vec![zero(); len], vec![zero(); len]] }
    }

    /// More by a·y for limb a of place i, without y's limbs below one. The chain of y's last limb comes first: its last two limbs are new,
    /// so that it carries nothing, and have room for what the other one carries.
    fn add(&mut self, block: &mut Block, (i, a): (usize, &Limb), y: &[Limb], from: usize) {
        let last = (y.len() - 1 - from) % 2;
        for first in [from + last, from + 1 - last] {
            let parity = (i + first) % 2;
            let (sums, mut place, mut carry) = (&mut self.arrays[parity], i + first, "");
            let len = sums.len();
            for b in y.iter().skip(first).step_by(2).take(len.saturating_sub(place).div_ceil(2)) {
                let is_last = place + 1 == len;
                let sets = if is_last { "" } else { ".cc" };
                sums[place] = block.op(&format!("mad{carry}.lo{sets}.u32"), &[b, a, &sums[place].clone()]);
                if !is_last {
                    sums[place + 1] = block.op("madc.hi.cc.u32", &[b, a, &sums[place + 1].clone()]);
                }
                (place, carry) = (place + 2, "c");
            }
            if first != from + last && !carry.is_empty() && place < len {
                let other = &mut self.arrays[1 - parity][place];
                *other = block.op("addc.u32", &[&other.clone(), "0"]);
            }
        }
    }

    /// The sum from a place on.
    fn total(&self, block: &mut Block, from: usize) -> Vec<Limb> {
        block.add(&self.arrays[0][from..], &self.arrays[1][from..], false, false)
    }
}
