//! Into which passes lengths are cut that are no powers of two: as few as tiles allow, unless what they compute takes longer than
//! another trip through memory.

use std::collections::HashMap;

use super::cost::{self, Limits};
use super::hopper;
use super::instructions::{HIDDEN, TWIDDLE, cost_of};
use super::shortage::Purpose;
use super::smooth::{SHORT_CHIRP, Tile, middle_tile, room, tile};

/// Passes at most.
const MOST_PASSES: u32 = 4;

/// The same of elements of digits, whose threads hold few rows, and all as many.
const MOST_PASSES_OF_DIGITS: u32 = 6;

/// The radices of the passes with the least cost; nothing if no cut fits. Several passes may be worth it where one alone would be by a
/// convolution and prime factors by themselves are shorter.
pub(super) fn cut(n: usize, limits: &Limits) -> Option<Vec<usize>> {
    let room = room(limits);
    let alone = (n <= room).then(|| tile(n, Purpose::Once, limits)).flatten();
    let is_long = alone.as_ref().is_some_and(|tile| tile.chirp.is_some() || tile.beside != [0; 2]);
    if alone.is_some() && !is_long {
        return Some(vec![n]);
    }
    let mut costs = HashMap::new();
    let most_passes = if limits.free_order > 1 { MOST_PASSES_OF_DIGITS } else { MOST_PASSES };
    let several = (2..=most_passes).find_map(|passes| {
        let mut best = None;
        sides(n, passes, &mut Vec::new(), &mut |radices| {
            let mut cost_of =
                |&radix| *costs.entry(radix).or_insert_with(|| pass_cost(radix, Purpose::Once, room, limits));
            let cost = radices.iter().map(&mut cost_of).sum::<Option<f64>>();
            if let Some(cost) = cost
                && best.as_ref().is_none_or(|(least, _)| cost < *least)
            {
                best = Some((cost, radices.to_vec()));
            }
        });
        // More passes than two are for what fits no tile.
        best.or_else(|| alone.is_some().then(|| (f64::INFINITY, Vec::new())))
    });
    let (least, radices) = several?;
    let is_better = alone.is_some_and(|tile| cost_alone(n, &tile, limits) <= least);
    Some(if is_better { vec![n] } else { radices })
}

/// Factors of a cut are at most so many times as long as if all were alike.
const OBLONG: f64 = 6.0;

/// Visits all ways to cut a length into so many passes that are about as long, the longest first: only later ones have
/// twiddles.
pub(super) fn sides(n: usize, passes: u32, begun: &mut Vec<usize>, visit: &mut impl FnMut(&[usize])) {
    if passes == 1 {
        if begun.last().is_none_or(|last| n <= *last) {
            begun.push(n);
            visit(begun);
            begun.pop();
        }
        return;
    }
    let mean = (n as f64).powf(1.0 / f64::from(passes));
    let most = ((mean * OBLONG) as usize).min(begun.last().copied().unwrap_or(usize::MAX));
    for side in (mean.ceil() as usize..=most).rev().filter(|side| n.is_multiple_of(*side)) {
        begun.push(side);
        sides(n / side, passes - 1, begun, visit);
        begun.pop();
    }
}

/// Instructions that it hides of convolutions, which have more to do between.
const HIDDEN_THERE_AND_BACK: f64 = 140.0;

/// What a pass costs, in trips through memory.
fn pass_cost(radix: usize, purpose: Purpose, room: usize, limits: &Limits) -> Option<f64> {
    if radix > room {
        return None;
    }
    let (length, busy) = busy(radix, purpose, limits)?;
    let (_, memory) = cost::best_width(length, limits)?;
    Some(trips(memory, busy))
}

/// The same of a pass by a convolution that takes lines as they lie in memory.
fn cost_alone(n: usize, tile: &Tile, limits: &Limits) -> f64 {
    match hopper::chirp_tile(n, limits) {
        // Of longer ones, several passes take less than they are told to.
        Some((copies, measured)) if n <= SHORT_CHIRP && measured.stages == tile.stages => copies,
        _ => {
            let (length, busy) = busy_with(tile);
            trips(cost::pass_cost(usize::MAX, length * limits.element_bytes, limits.is_exact), busy)
        }
    }
}

/// The points of a pass's tile, and the time of its instructions.
fn busy(radix: usize, purpose: Purpose, limits: &Limits) -> Option<(usize, f64)> {
    if radix.is_power_of_two() {
        let instructions = cost_of(radix, radix.div_ceil(16), &cost::stages(radix, false, limits).1);
        return Some((radix, instructions / HIDDEN));
    }
    Some(busy_with(&tile(radix, purpose, limits)?))
}

/// The same of a tile that is known.
fn busy_with(tile: &Tile) -> (usize, f64) {
    let hidden = if tile.chirp.is_some() || tile.rader { HIDDEN_THERE_AND_BACK } else { HIDDEN };
    (tile.stages.iter().product(), tile.cost / hidden)
}

/// The time of a pass, given that of its memory and of its instructions.
fn trips(memory: f64, busy: f64) -> f64 {
    memory.max(busy) + busy / 8.0
}

/// The same of passes of a convolution: of one before and after the middle, and of the middle one, which has the rows of one column
/// side by side.
pub(super) fn outer_cost(radix: usize, limits: &Limits) -> Option<f64> {
    pass_cost(radix, Purpose::End, room(limits), limits)
}

pub(super) fn there_and_back(radix: usize, limits: &Limits) -> Option<f64> {
    if radix > room(limits) {
        return None;
    }
    let tile = middle_tile(radix, limits)?;
    Some(trips(1.0, (2.0 * tile.cost + TWIDDLE) / HIDDEN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Algebra;
    use crate::device_info::DeviceInfo;
    use crate::plan::smooth::is_smooth;
    use crate::transform::largest_factor;

    fn limits(algebra: Algebra) -> Limits {
        let device = DeviceInfo {
            backend: crate::Backend::Cuda,
            max_group: 1024,
            local_bytes: 227 << 10,
            simd_width: 32,
            registers: Some(64 << 10),
            ..crate::Device::cpu().info().clone()
        };
        Limits::of(&device, algebra)
    }

    #[test]
    fn other_passes_are_made_by_chirps() {
        for algebra in [Algebra::ComplexF32, Algebra::ComplexF64] {
            let limits = limits(algebra);
            // Threads of longer tiles of f64 lack registers: those go in several passes.
            let longest = if algebra == Algebra::ComplexF32 { 4099 } else { 2503 };
            for n in [37, 74, 1009, 31 * 37, longest, 37 << 12, 1009 * 1013] {
                let radices = cut(n, &limits).unwrap_or_else(|| panic!("no cut of {n}"));
                assert_eq!(radices.iter().product::<usize>(), n);
                for tile in radices
                    .iter()
                    .filter(|radix| !is_smooth(**radix))
                    .map(|&radix| (radix, tile(radix, Purpose::Once, &limits).unwrap()))
                {
                    let (radix, Tile { stages, chirp, rader, .. }) = tile;
                    let points = stages.iter().product::<usize>();
                    let q = largest_factor(radix);
                    assert!(if rader {
                        points == radix - radix / q
                    } else {
                        chirp == Some(radix) && points >= 2 * radix - 1
                    });
                }
            }
            assert_eq!(cut(65_537, &limits), None);
        }
    }

    #[test]
    fn passes_make_the_length_and_fit() {
        let of_digits = Algebra::PrimeField("bls12-381".parse().unwrap());
        for algebra in [Algebra::ComplexF32, Algebra::ComplexF64, Algebra::Goldilocks, of_digits] {
            let limits = limits(algebra);
            for n in [
                3,
                6,
                31,
                37 - 1,
                1000,
                1001,
                4095,
                7 * 11 * 13,
                10_000,
                30 * 31,
                1_000_000,
                3 << 20,
                7usize.pow(8),
                31usize.pow(5),
                3usize.pow(18),
            ] {
                let radices = cut(n, &limits).unwrap_or_else(|| panic!("no cut of {n}"));
                assert_eq!(radices.iter().product::<usize>(), n);
                for radix in radices.into_iter().filter(|radix| !radix.is_power_of_two()) {
                    let tile = tile(radix, Purpose::Once, &limits).unwrap();
                    assert_eq!((tile.stages.iter().product::<usize>(), tile.chirp), (radix, None));
                    assert!(radix.div_ceil(tile.per_thread) <= limits.max_group);
                }
            }
        }
    }
}
