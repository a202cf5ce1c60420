//! Tiles for lines of real numbers, as they were measured: of 300 by hand the fastest on an H100 for lines of pairs of each power of two,
//! where instructions tell them apart little, and what counts is that threads end by several short butterflies instead of a long one; of 266
//! on an H200, whose memory hides fewer instructions, so that fewer exchanges by threads of more rows win; and of 640 the fastest for
//! short lines, each number a point, where few threads to a work-group win.

use crate::transform::{Side, Transform};

use super::super::choice::PassChoice;
use super::super::cost::Limits;
use super::super::instructions::HIDDEN;

/// The logarithm of the fewest pairs.
const FROM: u32 = 9;

/// Of pairs of `f32`, to half spectra and from them, the shortest first.
const OF_F32: [[&str; 2]; 6] = [
    ["4x8x8.8.8", "4x16x16.8.4"],
    ["2x8x8.8.4.4", "2x8x8.8.4.4"],
    ["1x8x8.8.8.4", "1x8x8.8.8.4"],
    ["1x16x16.8.8.4", "1x32x32.16.8"],
    ["1x32x16.16.32", "1x32x32.16.16"],
    ["1x32x32.32.16", "1x32x16.32.8.4"],
];

/// The same where memory hides fewer instructions.
const OF_F32_ON_H200: [[&str; 2]; 6] = [
    ["2x16x8.8.8", "8x32x16.4.8"],
    ["2x16x16.8.8", "2x32x16.8.8"],
    ["1x32x16.8.16p", "2x32x4.32.16p"],
    ["1x32x32.8.16p", "1x32x16.16.16p"],
    ["1x32x16.32.16", "1x32x16.32.4.4"],
    OF_F32[5],
];

/// Of pairs of `f64`.
const OF_F64: [[&str; 2]; 5] = [
    ["4x8x8.8.8", "4x16x16.8.4"],
    ["1x16x16.16.4", "2x16x16.8.8"],
    ["1x16x16.8.4.4", "1x16x16.16.8"],
    ["1x16x16.16.16", "1x16x16.8.8.4"],
    ["1x16x16.4.16.8", "1x32x32.16.16"],
];

/// The same where expressions have instructions as well, so that fewer exchanges win, but for tiles to half spectra that have few.
const FUSED_FROM: u32 = 13;

/// The fastest tile for a transform's lines of so many pairs, from half spectra or to them. Nothing on another device, and for other
/// lengths.
pub(in crate::plan) fn of_pairs(
    transform: &Transform,
    pairs: usize,
    is_from_half: bool,
    limits: &Limits,
) -> Option<PassChoice> {
    let is_fused = transform.is_fused();
    let fused_from = if is_fused { FUSED_FROM } else { FROM };
    let (from, measured): (_, &[[&str; 2]]) = match limits.element_bytes {
        8 if limits.hidden < HIDDEN && !(is_fused && is_from_half) => (FROM, &OF_F32_ON_H200),
        8 => (fused_from, &OF_F32),
        _ => (fused_from, &OF_F64),
    };
    if limits.is_exact || limits.max_cluster == 1 || !pairs.is_power_of_two() || pairs.ilog2() < from {
        return None;
    }
    let of_length = measured.get((pairs.ilog2() - FROM) as usize)?;
    Some(choice(transform, of_length[usize::from(is_from_half)]))
}

/// Of lines of so many `f32` to half spectra, and from them.
const OF_REALS: [(usize, Side, &str); 12] = [
    (14, Side::Output, "16x7x2.7"),
    (24, Side::Output, "16x6x8.3"),
    (26, Side::Output, "8x7x13.2"),
    (28, Side::Output, "8x7x4.7"),
    (46, Side::Output, "16x12x23.2"),
    (14, Side::Input, "16x7x2.7"),
    (18, Side::Input, "16x6x3.6"),
    (22, Side::Input, "16x6x2.11"),
    (26, Side::Input, "8x7x2.13"),
    (34, Side::Input, "8x9x17.2"),
    (46, Side::Input, "10x16x23.2"),
    (112, Side::Input, "4x7x4.7.4"),
];

/// The fastest tile for a transform's lines of so many real numbers. Nothing on another device, and for other lengths.
pub(in crate::plan) fn of_reals(transform: &Transform, reals: usize, limits: &Limits) -> Option<PassChoice> {
    let half = transform.half_side()?;
    if limits.max_cluster == 1 || limits.element_bytes != 8 || transform.is_fused() {
        return None;
    }
    let (.., text) = OF_REALS.into_iter().find(|(n, side, _)| (*n, *side) == (reals, half))?;
    Some(choice(transform, text))
}

/// A measured tile, with no more columns than there are lines.
pub(super) fn choice(transform: &Transform, text: &str) -> PassChoice {
    let choice: PassChoice = text.parse().expect("tests read all of them");
    PassChoice { columns: choice.columns.min(transform.batch_count().next_power_of_two()), ..choice }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A tile whose threads have whole butterflies, and as many points as it should have.
    pub(in super::super) fn check(text: &str, points: usize) -> PassChoice {
        let choice: PassChoice = text.parse().unwrap();
        assert_eq!(choice.stages.iter().product::<usize>(), points, "{text}");
        assert!(choice.stages.iter().all(|radix| choice.per_thread.is_multiple_of(*radix)), "{text}");
        choice
    }

    /// Whether threads of a tile for pairs have whole pairs of butterflies in that stage.
    pub(in super::super) fn has_pairs(choice: &PassChoice, stage: usize) -> bool {
        choice.per_thread.is_multiple_of(2 * choice.stages[stage])
    }

    #[test]
    fn tiles_are_of_their_lengths() {
        for measured in [&OF_F32[..], &OF_F32_ON_H200, &OF_F64] {
            for (number, tiles) in measured.iter().enumerate() {
                tiles.iter().for_each(|text| drop(check(text, 1 << (FROM as usize + number))));
            }
        }
        for [there, back] in &OF_F32_ON_H200[..5] {
            let (there, back): (PassChoice, PassChoice) = (there.parse().unwrap(), back.parse().unwrap());
            assert!(has_pairs(&there, there.stages.len() - 1) && has_pairs(&back, 0), "{there}, {back}");
        }
        for (reals, _, text) in OF_REALS {
            let choice: PassChoice = text.parse().unwrap();
            assert_eq!(choice.stages.iter().product::<usize>(), reals);
        }
    }
}
