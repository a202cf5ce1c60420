//! Sums, differences and rotations of elements, digit by digit.
//!
//! A carry out of the top digit stands for r^k = −1, so it is taken off again at the bottom. The one element p − 1 = r^k
//! is (0, …, 0, r): its top digit is r.

use super::product::{decrement, increment};

/// x + y.
#[inline(always)]
pub(super) fn add<const K: usize>(r: u64, x: &[u64; K], y: &[u64; K]) -> [u64; K] {
    let mut sum = [0; K];
    let mut carry = 0;
    for i in 0..K {
        (sum[i], carry) = add_digit(r, x[i], y[i], carry);
    }
    add_carry(r, sum, carry)
}

/// x − y.
#[inline(always)]
pub(super) fn sub<const K: usize>(r: u64, x: &[u64; K], y: &[u64; K]) -> [u64; K] {
    let mut difference = [0; K];
    let mut borrow = 0;
    for i in 0..K {
        (difference[i], borrow) = sub_digit(r, x[i], y[i], borrow);
    }
    sub_borrow(r, difference, borrow)
}

/// x + y and x − y, reading each digit once.
#[inline(always)]
pub(super) fn add_sub<const K: usize>(r: u64, x: &[u64; K], y: &[u64; K]) -> ([u64; K], [u64; K]) {
    let (mut sum, mut difference) = ([0; K], [0; K]);
    let (mut carry, mut borrow) = (0, 0);
    for i in 0..K {
        (sum[i], carry) = add_digit(r, x[i], y[i], carry);
        (difference[i], borrow) = sub_digit(r, x[i], y[i], borrow);
    }
    (add_carry(r, sum, carry), sub_borrow(r, difference, borrow))
}

/// x·r^s for s < 2k. With A the digits that move up and B those that fall off the top, it is A − B, and B − A beyond k.
#[inline(always)]
pub(super) fn rotate<const K: usize>(r: u64, x: &[u64; K], s: usize) -> [u64; K] {
    let (s, negate) = (s % K, s >= K);
    if x[K - 1] == r {
        // The digit r would come to stand where none may: −1 is made anew.
        let mut unit = [0; K];
        unit[s] = 1;
        return if negate { unit } else { sub(r, &[0; K], &unit) };
    }
    let (mut up, mut over) = ([0; K], [0; K]);
    up[s..].copy_from_slice(&x[..K - s]);
    over[..s].copy_from_slice(&x[K - s..]);
    if negate { sub(r, &over, &up) } else { sub(r, &up, &over) }
}

/// A digit of a sum and the carry; the sum of two digits may exceed 64 bits.
#[inline(always)]
fn add_digit(r: u64, x: u64, y: u64, carry: u64) -> (u64, u64) {
    let (sum, first) = x.overflowing_add(y);
    let (sum, second) = sum.overflowing_add(carry);
    let over = first | second | (sum >= r);
    (if over { sum.wrapping_sub(r) } else { sum }, over.into())
}

/// A digit of a difference and the borrow; y + borrow fits, because r is even.
#[inline(always)]
fn sub_digit(r: u64, x: u64, y: u64, borrow: u64) -> (u64, u64) {
    let y = y.wrapping_add(borrow);
    let under = x < y;
    let difference = x.wrapping_sub(y);
    (if under { difference.wrapping_add(r) } else { difference }, under.into())
}

#[inline(always)]
fn add_carry<const K: usize>(r: u64, mut sum: [u64; K], carry: u64) -> [u64; K] {
    if carry == 0 {
        return sum;
    }
    if sum[K - 1] == r {
        // (−1) + (−1): the carry, and an r left in the top digit.
        sum[K - 1] = 0;
        decrement(r, &mut sum);
    }
    decrement(r, &mut sum);
    sum
}

#[inline(always)]
fn sub_borrow<const K: usize>(r: u64, mut difference: [u64; K], borrow: u64) -> [u64; K] {
    if borrow > 0 {
        increment(r, &mut difference);
    }
    difference
}
