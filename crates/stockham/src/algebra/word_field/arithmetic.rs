//! Arithmetic modulo a prime of one machine word, written once over [`MachineWord`]s: on `u32` and `u64` it is the CPU's
//! code, on symbols the kernels.
//!
//! R is 2^32 or 2^64, and p is odd and below R/2. Products are below 2p, and not reduced further: what follows may not need
//! it.

use crate::algebra::MachineWord;

/// A prime for Montgomery's reduction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WordModulus<W> {
    /// p.
    pub prime: W,
    /// 1/p mod R.
    pub inverse: W,
}

/// x·y/R mod p, below 2p, for x·y < p·R: the upper word of x·y less that of the multiple of p whose lower word is the same
/// (P. L. Montgomery, "Modular multiplication without trial division", 1985).
#[inline(always)]
pub(crate) fn montgomery<W: MachineWord>(q: &WordModulus<W>, x: &W, y: &W) -> W {
    let [low, high] = x.times_wide(y);
    let multiple = low.times(&q.inverse).times_high(&q.prime);
    high.plus(&q.prime).minus(&multiple)
}

/// x·c mod p, below 2p, for any x and a constant c < p that comes with ⌊c·R/p⌋ (V. Shoup's way; D. Harvey, "Faster arithmetic
/// for number-theoretic transforms", 2014).
#[inline(always)]
pub(crate) fn by_constant<W: MachineWord>(prime: &W, x: &W, [c, quotient]: [&W; 2]) -> W {
    x.times(c).minus(&x.times_high(quotient).times(prime))
}

/// x, less `multiple` if that leaves something not negative.
#[inline(always)]
pub(crate) fn reduced<W: MachineWord>(x: &W, multiple: &W) -> W {
    x.least(&x.minus(multiple))
}
