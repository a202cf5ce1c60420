//! The general product of two elements, as a negacyclic convolution of their digits.
//!
//! With r^k = −1, digit i of the product is Σ_{j≤i} x_j y_{i−j} − Σ_{j>i} x_j y_{k+i−j}, less than k·r² in magnitude;
//! the carries then run through all digits once, and once more from the top, negated, until they die out.
//! It is right modulo r^k + 1 whether that is prime or not: the proof of primality computes with it too.

use super::radix::{Radix, Wide};

/// z = x·y. Digits are below r, except the one element −1 = (0, …, 0, r).
#[inline(always)]
pub(super) fn multiply(radix: &Radix, x: &[u64], y: &[u64], z: &mut [u64]) {
    let k = x.len();
    let square = u128::from(radix.value()) * u128::from(radix.value());
    // A multiple of r², so that the sums are not negative: the carry takes it back, divided by r.
    let offset = (0..k).fold(Wide::ZERO, |sum, _| sum.plus(square));
    let offset_carry = k as i128 * i128::from(radix.value());
    let mut carry = 0;
    for (i, digit) in z.iter_mut().enumerate() {
        let plus = (0..=i).fold(offset, |sum, j| sum.plus(u128::from(x[j]) * u128::from(y[i - j])));
        let minus = (i + 1..k).fold(Wide::ZERO, |sum, j| sum.plus(u128::from(x[j]) * u128::from(y[k + i - j])));
        let (quotient, rest) = radix.divide(plus.minus(minus).plus_signed(carry));
        *digit = rest;
        carry = quotient as i128 - offset_carry;
    }
    add_small(radix, z, -carry);
}

/// z += c, where z is not −1 and |c| ≤ 2k·r.
fn add_small(radix: &Radix, z: &mut [u64], mut c: i128) {
    for digit in z.iter_mut() {
        if c == 0 {
            return;
        }
        let sum = i128::from(*digit) + c;
        let (quotient, rest) = radix.divide(Wide { low: sum.unsigned_abs(), high: 0 });
        (c, *digit) = match (sum < 0, rest) {
            (false, _) => (quotient as i128, rest),
            (true, 0) => (-(quotient as i128), 0),
            (true, _) => (-(quotient as i128) - 1, radix.value() - rest),
        };
    }
    // What comes out of the top counts for −1 each.
    for _ in 0..c {
        decrement(radix.value(), z);
    }
    for _ in c..0 {
        increment(radix.value(), z);
    }
}

/// z += 1.
#[inline(always)]
pub(super) fn increment(r: u64, z: &mut [u64]) {
    let top = z.len() - 1;
    if z[top] == r {
        z[top] = 0;
        return;
    }
    for digit in z.iter_mut() {
        if *digit < r - 1 {
            *digit += 1;
            return;
        }
        *digit = 0;
    }
    // All digits were r − 1.
    z[top] = r;
}

/// z −= 1.
#[inline(always)]
pub(super) fn decrement(r: u64, z: &mut [u64]) {
    for digit in z.iter_mut() {
        if *digit > 0 {
            *digit -= 1;
            return;
        }
        *digit = r - 1;
    }
    // All digits were 0.
    z.fill(0);
    z[z.len() - 1] = r;
}
