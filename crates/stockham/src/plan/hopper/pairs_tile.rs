//! Tiles for lines of pairs of real numbers, of powers of two of them, as they were measured on an H100: of 300 by hand the fastest of
//! each length. Instructions tell them apart little; what counts is that threads end by several short butterflies instead of a long one.

use crate::transform::Transform;

use super::super::choice::PassChoice;
use super::super::cost::Limits;

/// Columns, rows of a thread, and stages.
type Tile = (usize, usize, &'static [usize]);

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
    [(1, 16, &[16, 16, 8, 4]), (1, 16, &[8, 8, 8, 16])],
];

/// The same where expressions have instructions as well, so that fewer exchanges win.
const FUSED_FROM: u32 = 13;

/// The fastest tile for a transform's lines of so many pairs, from half spectra or to them. Nothing on another device, and for other
/// lengths.
pub(in crate::plan) fn tile(
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
    Some(PassChoice::new(columns.min(transform.batch_count().next_power_of_two()), rows, stages))
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
    }
}
