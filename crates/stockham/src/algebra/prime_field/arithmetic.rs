//! Numbers below p as 64-bit words, the lowest first; p is odd and below half of 2^(64·L), so that sums of two fit.

/// Whether x < y, for as many words each.
#[inline(always)]
pub(super) fn less(x: &[u64], y: &[u64]) -> bool {
    x.iter().rev().lt(y.iter().rev())
}

pub(super) fn is_zero(x: &[u64]) -> bool {
    x.iter().all(|&word| word == 0)
}

/// The number of binary digits.
pub(super) fn bits(x: &[u64]) -> u32 {
    let top = x.iter().rposition(|&word| word != 0);
    top.map_or(0, |i| 64 * i as u32 + 64 - x[i].leading_zeros())
}

/// The largest m such that 2^m divides x, which is not zero.
pub(super) fn trailing_zeros(x: &[u64]) -> u32 {
    let lowest = x.iter().position(|&word| word != 0).expect("a number that is not zero");
    64 * lowest as u32 + x[lowest].trailing_zeros()
}

/// x / 2^s.
pub(super) fn shifted(x: &[u64], s: u32) -> Vec<u64> {
    let (words, bits) = (s as usize / 64, s % 64);
    let at = |i: usize| x.get(i).copied().unwrap_or(0);
    let word = |i: usize| match bits {
        0 => at(i),
        _ => at(i) >> bits | at(i + 1) << (64 - bits),
    };
    (words..words + x.len()).map(word).collect()
}

/// x −= y; whether it was less.
#[inline(always)]
pub(super) fn subtract(x: &mut [u64], y: &[u64]) -> bool {
    let mut borrow = false;
    for (x, &y) in x.iter_mut().zip(y) {
        let (difference, less) = x.overflowing_sub(y);
        let (difference, less_yet) = difference.overflowing_sub(borrow.into());
        (*x, borrow) = (difference, less || less_yet);
    }
    borrow
}

/// x += y, which fits.
#[inline(always)]
pub(super) fn add(x: &mut [u64], y: &[u64]) {
    let mut carry = false;
    for (x, &y) in x.iter_mut().zip(y) {
        let (sum, over) = x.overflowing_add(y);
        let (sum, over_yet) = sum.overflowing_add(carry.into());
        (*x, carry) = (sum, over || over_yet);
    }
}

/// x + y mod p, into x.
#[inline(always)]
pub(super) fn add_modulo(p: &[u64], x: &mut [u64], y: &[u64]) {
    add(x, y);
    if !less(x, p) {
        subtract(x, p);
    }
}

/// x − y mod p, into x.
#[inline(always)]
pub(super) fn subtract_modulo(p: &[u64], x: &mut [u64], y: &[u64]) {
    if subtract(x, y) {
        add(x, p);
    }
}

/// −1/p mod 2^64, by Newton's iteration: every step doubles the number of right bits, and p is its own inverse modulo 8.
pub(in crate::algebra) fn negated_inverse(p: u64) -> u64 {
    let inverse = (0..5).fold(p, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(inverse))));
    inverse.wrapping_neg()
}

/// x·y/R mod p, into z: word by word of x, with a multiple of p that clears the lowest word of the sum, which then falls
/// off ("coarsely integrated operand scanning"; Ç. K. Koç, T. Acar and B. S. Kaliski, 1996). The sum stays below 2p.
#[inline(always)]
pub(super) fn multiply(p: &[u64], inverse: u64, x: &[u64], y: &[u64], z: &mut [u64]) {
    let product = |a: u64, b: u64, c: u64, d: u64| {
        let sum = u128::from(a) * u128::from(b) + u128::from(c) + u128::from(d);
        (sum as u64, (sum >> 64) as u64)
    };
    z.fill(0);
    for &a in x {
        let mut carry = 0;
        for (z, &b) in z.iter_mut().zip(y) {
            (*z, carry) = product(a, b, *z, carry);
        }
        let top = carry;
        let m = z[0].wrapping_mul(inverse);
        (_, carry) = product(m, p[0], z[0], 0);
        for j in 1..z.len() {
            (z[j - 1], carry) = product(m, p[j], z[j], carry);
        }
        // Less than 2p altogether, so that this does not overflow.
        z[z.len() - 1] = top + carry;
    }
    if !less(z, p) {
        subtract(z, p);
    }
}
