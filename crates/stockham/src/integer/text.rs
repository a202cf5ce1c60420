//! Digits to words of limbs and back, each word by itself and on all cores.

use crate::algebra::Goldilocks;
use crate::error::Result;
use crate::host_memory;
use crate::parallel;

use super::Base;
use super::limb::Limb;

/// Words that one task converts.
const GRAIN: usize = 1 << 12;

/// The words of a number, the least significant first.
pub(super) fn words(digits: &[u8], limb: Limb) -> Result<Vec<Goldilocks>> {
    let per_word = limb.word_digits();
    let mut words: Vec<Goldilocks> = host_memory::zeroed(digits.len().div_ceil(per_word))?;
    parallel::tasks(&mut words, 1, GRAIN, &|first, words| {
        let values = digits.rchunks(per_word).skip(first).map(|digits| value(limb.base, digits));
        words.iter_mut().zip(values).for_each(|(word, value)| *word = Goldilocks::reduce(value));
    });
    Ok(words)
}

fn value(base: Base, digits: &[u8]) -> u64 {
    match base {
        Base::Decimal => digits.iter().fold(0, |value, digit| value * 10 + u64::from(digit & 15)),
        // Letters are 0x61 and up.
        Base::Hexadecimal => digits.iter().fold(0, |value, d| value << 4 | u64::from((d & 15) + 9 * (d >> 6))),
    }
}

/// The digits of a number without leading zeros.
pub(super) fn digits(words: &[Goldilocks], limb: Limb) -> Result<Vec<u8>> {
    let per_word = limb.word_digits();
    let used = words.len() - words.iter().rev().take_while(|word| word.value() == 0).count();
    let Some((top, rest)) = words[..used].split_last() else { return Ok(Vec::new()) };
    let mut highest = vec![0; per_word];
    write(limb.base, top.value(), &mut highest);
    let zeros = highest.iter().take_while(|digit| **digit == b'0').count();
    let mut text: Vec<u8> = host_memory::zeroed(used * per_word - zeros)?;
    let (first, others) = text.split_at_mut(per_word - zeros);
    first.copy_from_slice(&highest[zeros..]);
    let parts = others.rchunks_mut(per_word * GRAIN).collect();
    parallel::each_of(parts, &|i, text: &mut [u8]| {
        let words = &rest[i * GRAIN..];
        let places = text.rchunks_exact_mut(per_word);
        places.zip(words).for_each(|(text, word)| write(limb.base, word.value(), text));
    });
    Ok(text)
}

/// Fills `text` with digits, leading zeros and all.
fn write(base: Base, mut value: u64, text: &mut [u8]) {
    for digit in text.iter_mut().rev() {
        match base {
            Base::Decimal => {
                *digit = b'0' + (value % 10) as u8;
                value /= 10;
            }
            Base::Hexadecimal => {
                *digit = b"0123456789abcdef"[(value % 16) as usize];
                value /= 16;
            }
        }
    }
}
