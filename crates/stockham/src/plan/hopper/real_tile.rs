//! Tiles for lines of real numbers, as they were measured on an H100: of 300 by hand the fastest for lines of pairs of each power of two,
//! where instructions tell them apart little, and what counts is that threads end by several short butterflies instead of a long one; and of
//! 640 the fastest for short lines, each number a point, where few threads to a work-group win.

use crate::transform::{Side, Transform};

use super::super::choice::PassChoice;
use super::super::cost::Limits;

/// Columns, rows of a thread, and stages.
pub(super) type Tile = (usize, usize, &'static [usize]);

/// The logarithm of the fewest pairs.
const FROM: u32 = 9;

/// Of pairs of `f32`, to half spectra and from them, the shortest first.
const OF_F32: [[Tile; 2]; 6] = [
    [(4, 8, &[8, 8, 8]), (4, 16, &[16, 8, 4])],
    [(2, 8, &[8, 8, 4, 4]), (2, 8, &[8, 8, 4, 4])],
    [(1, 8, &[8, 8, 8, 4]), (1, 8, &[8, 8, 8, 4])],
    [(1, 16, &[16, 8, 8, 4]), (1, 32, &[32, 16, 8])],
    [(1, 32, &[16, 16, 32]), (1, 32, &[32, 16, 16])],
    [(1, 32, &[32, 32, 16]), (1, 32, &[16, 32, 8, 4])],
];

/// Of pairs of `f64`.
const OF_F64: [[Tile; 2]; 5] = [
    [(4, 8, &[8, 8, 8]), (4, 16, &[16, 8, 4])],
    [(1, 16, &[16, 16, 4]), (2, 16, &[16, 8, 8])],
    [(1, 16, &[16, 8, 4, 4]), (1, 16, &[16, 16, 8])],
    [(1, 16, &[16, 16, 16]), (1, 16, &[16, 8, 8, 4])],
    [(1, 16, &[16, 4, 16, 8]), (1, 32, &[32, 16, 16])],
];

/// The same where expressions have instructions as well, so that fewer exchanges win.
const FUSED_FROM: u32 = 13;

/// The fastest tile for a transform's lines of so many pairs, from half spectra or to them. Nothing on another device, and for other
/// lengths.
pub(in crate::plan) fn of_pairs(
    transform: &Transform,
    pairs: usize,
    is_from_half: bool,
    limits: &Limits,
) -> Option<PassChoice> {
    let from = if transform.is_fused() { FUSED_FROM } else { FROM };
    if limits.is_exact || limits.max_cluster == 1 || !pairs.is_power_of_two() || pairs.ilog2() < from {
        return None;
    }
    let measured: &[[Tile; 2]] = if limits.element_bytes == 8 { &OF_F32 } else { &OF_F64 };
    let of_length = measured.get((pairs.ilog2() - FROM) as usize)?;
    let (columns, rows, stages) = of_length[usize::from(is_from_half)];
    Some(choice(transform, (columns, rows, stages)))
}

/// Of lines of so many `f32` to half spectra, and from them.
const OF_REALS: [(usize, Side, Tile); 12] = [
    (14, Side::Output, (16, 7, &[2, 7])),
    (24, Side::Output, (16, 6, &[8, 3])),
    (26, Side::Output, (8, 7, &[13, 2])),
    (28, Side::Output, (8, 7, &[4, 7])),
    (46, Side::Output, (16, 12, &[23, 2])),
    (14, Side::Input, (16, 7, &[2, 7])),
    (18, Side::Input, (16, 6, &[3, 6])),
    (22, Side::Input, (16, 6, &[2, 11])),
    (26, Side::Input, (8, 7, &[2, 13])),
    (34, Side::Input, (8, 9, &[17, 2])),
    (46, Side::Input, (10, 16, &[23, 2])),
    (112, Side::Input, (4, 7, &[4, 7, 4])),
];

/// The fastest tile for a transform's lines of so many real numbers. Nothing on another device, and for other lengths.
pub(in crate::plan) fn of_reals(transform: &Transform, reals: usize, limits: &Limits) -> Option<PassChoice> {
    let half = transform.half_side()?;
    if limits.max_cluster == 1 || limits.element_bytes != 8 || transform.is_fused() {
        return None;
    }
    let (.., tile) = OF_REALS.into_iter().find(|(n, side, _)| (*n, *side) == (reals, half))?;
    Some(choice(transform, tile))
}

/// A measured tile as a choice, with no more columns than there are lines.
pub(super) fn choice(transform: &Transform, (columns, rows, stages): Tile) -> PassChoice {
    PassChoice::new(columns.min(transform.batch_count().next_power_of_two()), rows, stages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_of_their_lengths() {
        for measured in [&OF_F32[..], &OF_F64] {
            for (number, tiles) in measured.iter().enumerate() {
                for (_, rows, stages) in tiles {
                    assert_eq!(stages.iter().product::<usize>(), 1 << (FROM as usize + number));
                    assert!(stages.iter().all(|radix| rows % radix == 0));
                }
            }
        }
        for (reals, _, (.., stages)) in OF_REALS {
            assert_eq!(stages.iter().product::<usize>(), reals);
        }
    }
}
