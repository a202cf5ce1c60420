//! Tiles for lines of powers of two whose numbers take less of memory than they do of registers, as of 16 bits, or where some are not
//! there: memory hides fewer instructions then, and few exchanges win, by threads of many rows. Of 250 by hand on an H200 the fastest,
//! and of 118 for real numbers of 16 bits with a window, to squares of half spectra; those by turns with a copy, and there threads of 16
//! rows win, twice as many.

use crate::transform::{Kind, Side, Transform};

use super::super::choice::PassChoice;
use super::super::cost::Limits;
use super::real_tile::choice;

/// The logarithm of the shortest length.
const FROM: u32 = 6;

/// Of two `f32` that take half of memory, the shortest first.
const OF_F32: [&str; 8] =
    ["8x8x8.8", "8x16x16.8", "2x16x16.16", "2x32x32.16", "1x32x32.32", "1x32x32.8.8", "1x32x32.16.8", "1x32x32.16.16"];

/// The same of real numbers, to half spectra, by pairs.
const FROM_OF_PAIRS: u32 = 7;

/// Tiles for such pairs.
const OF_PAIRS: [&str; 7] =
    ["4x8x8.8.2", "4x16x16.16p", "2x16x16.8.4p", "1x16x16.16.4p", "1x16x16.16.8p", "1x32x16.32.8p", "1x32x16.32.16p"];

/// What numbers take of memory at most.
const LESS: f64 = 0.8;

/// The fastest tile for a transform's lines of so many points. Nothing on another device, for other lengths, and where memory is the limit.
pub(in crate::plan) fn tile(transform: &Transform, points: usize, limits: &Limits) -> Option<PassChoice> {
    let is_known = limits.max_cluster > 1 && limits.element_bytes == 8;
    if !is_known || !points.is_power_of_two() || transform.share_of_memory() > LESS {
        return None;
    }
    let number = |from| Some(points.ilog2().checked_sub(from)? as usize);
    if transform.kind == Kind::Dft {
        return Some(choice(transform, OF_F32.get(number(FROM)?)?));
    }
    let are_pairs = transform.half_side() == Some(Side::Output) && points.checked_mul(2) == Some(transform.points());
    Some(choice(transform, OF_PAIRS.get(number(FROM_OF_PAIRS).filter(|_| are_pairs)?)?))
}

#[cfg(test)]
mod tests {
    use super::super::real_tile::tests::{check, has_pairs};
    use super::*;

    #[test]
    fn tiles_are_of_their_lengths() {
        for (number, text) in OF_F32.iter().enumerate() {
            check(text, 1 << (FROM as usize + number));
        }
        for (number, text) in OF_PAIRS.iter().enumerate() {
            let choice = check(text, 1 << (FROM_OF_PAIRS as usize + number));
            // Threads of one butterfly of the last stage exchange what is at a half spectrum.
            let is_one = choice.stages.last() == Some(&choice.per_thread);
            assert!(is_one || has_pairs(&choice, choice.stages.len() - 1), "{text}");
        }
    }
}
