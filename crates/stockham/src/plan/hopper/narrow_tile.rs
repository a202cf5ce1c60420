//! Tiles for lines of powers of two whose numbers take less of memory than they do of registers, as of 16 bits, or where some are not
//! there: memory hides fewer instructions then, and few exchanges win, by threads of many rows. Of 250 by hand on an H200 the fastest.

use crate::transform::{Kind, Transform};

use super::super::choice::PassChoice;
use super::super::cost::Limits;
use super::real_tile::{Tile, choice};

/// The logarithm of the shortest length.
const FROM: u32 = 6;

/// Of two `f32` that take half of memory, the shortest first.
const OF_F32: [Tile; 8] = [
    (8, 8, &[8, 8]),
    (8, 16, &[16, 8]),
    (2, 16, &[16, 16]),
    (2, 32, &[32, 16]),
    (1, 32, &[32, 32]),
    (1, 32, &[32, 8, 8]),
    (1, 32, &[32, 16, 8]),
    (1, 32, &[32, 16, 16]),
];

/// What numbers take of memory at most.
const LESS: f64 = 0.8;

/// The fastest tile for a transform's lines of so many points. Nothing on another device, for other lengths, and where memory is the limit.
pub(in crate::plan) fn tile(transform: &Transform, points: usize, limits: &Limits) -> Option<PassChoice> {
    let is_known = transform.kind == Kind::Dft && limits.max_cluster > 1 && limits.element_bytes == 8;
    if !is_known || !points.is_power_of_two() || transform.share_of_memory() > LESS {
        return None;
    }
    let tile = OF_F32.get(points.ilog2().checked_sub(FROM)? as usize)?;
    Some(choice(transform, *tile))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_of_their_lengths() {
        for (number, (_, rows, stages)) in OF_F32.iter().enumerate() {
            assert_eq!(stages.iter().product::<usize>(), 1 << (FROM as usize + number));
            assert!(stages.iter().all(|radix| rows % radix == 0));
        }
    }
}
