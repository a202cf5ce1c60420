//! Non-negative integers as 64-bit limbs, the lowest first: what digits are converted to and from, and their text.

use super::radix::{Radix, Wide};

/// Decimal digits taken at a time: 10^19 is the largest power of ten below 2^64.
const CHUNK: usize = 19;
const CHUNK_BASE: u64 = 10u64.pow(CHUNK as u32);

/// limbs = limbs · factor + term.
pub(super) fn multiply_add(limbs: &mut Vec<u64>, factor: u64, term: u64) {
    let mut carry = u128::from(term);
    for limb in limbs.iter_mut() {
        carry += u128::from(*limb) * u128::from(factor);
        *limb = carry as u64;
        carry >>= 64;
    }
    if carry > 0 {
        limbs.push(carry as u64);
    }
}

/// limbs = limbs / divisor, without leading zeros; the remainder.
pub(super) fn divide(limbs: &mut Vec<u64>, divisor: &Radix) -> u64 {
    let mut rest = 0;
    for limb in limbs.iter_mut().rev() {
        let (quotient, r) = divisor.divide(Wide { low: u128::from(rest) << 64 | u128::from(*limb), high: 0 });
        (*limb, rest) = (quotient as u64, r);
    }
    trim(limbs);
    rest
}

pub(super) fn trim(limbs: &mut Vec<u64>) {
    let len = limbs.iter().rposition(|&limb| limb != 0).map_or(0, |last| last + 1);
    limbs.truncate(len);
}

pub(in crate::algebra) fn to_decimal(mut limbs: Vec<u64>) -> String {
    let base = Radix::new(CHUNK_BASE);
    trim(&mut limbs);
    let mut chunks = Vec::new();
    while !limbs.is_empty() {
        chunks.push(divide(&mut limbs, &base));
    }
    let first = chunks.pop().unwrap_or(0).to_string();
    chunks.iter().rev().fold(first, |text, chunk| text + &format!("{chunk:019}"))
}

pub(in crate::algebra) fn to_hex(mut limbs: Vec<u64>) -> String {
    trim(&mut limbs);
    let first = format!("{:x}", limbs.pop().unwrap_or(0));
    limbs.iter().rev().fold(first, |text, limb| text + &format!("{limb:016x}"))
}

/// A decimal number, or a hexadecimal one after `0x`, of at most `most` limbs.
pub(in crate::algebra) fn parse(text: &str, most: usize) -> Option<Vec<u64>> {
    let (text, base, per_chunk) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => (hex, 16, 15),
        None => (text, 10, CHUNK),
    };
    // Signs and spaces too would be read as numbers.
    if text.is_empty() || !text.bytes().all(|b| char::from(b).is_digit(base)) {
        return None;
    }
    let text = text.trim_start_matches('0').as_bytes();
    let mut limbs = Vec::new();
    let (head, tail) = text.split_at(text.len() % per_chunk);
    for chunk in std::iter::once(head).chain(tail.chunks(per_chunk)).filter(|chunk| !chunk.is_empty()) {
        let value = u64::from_str_radix(std::str::from_utf8(chunk).ok()?, base).ok()?;
        multiply_add(&mut limbs, u64::from(base).pow(chunk.len() as u32), value);
        if limbs.len() > most {
            return None;
        }
    }
    Some(limbs)
}
