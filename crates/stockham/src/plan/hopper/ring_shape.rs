//! Which transforms go through a ring, and in which shape.
//!
//! On an H200 it is tiles of 128 KiB that win, one to a multiprocessor: their rows of memory are the longest, and the tiles
//! of both slots are about half of what the second-level cache holds. With as many rows a thread as registers take, the
//! passes have one exchange each. Near rings win where crews are small, up to 2 MiB a transform in tiles of 64 KiB.

use std::ops::RangeInclusive;

use crate::device_info::DeviceInfo;
use crate::transform::{Side, Transform};

use super::super::choice::{Choice, Launches, Loading, PassChoice};
use super::super::cost::{self, Limits};
use super::super::load::Load;
use super::super::plane::lengths;
use super::cluster_shape;

/// Bytes of a transform: what is shorter takes one trip through a cluster, and of longer ones rows of memory are short.
const BYTES: RangeInclusive<usize> = 1 << 20..=1 << 24;

/// Rows of a thread.
const ROWS: usize = 32;

/// Bytes of a row of memory at least, and of one between memory and a near ring.
const ROW_BYTES: usize = 64;
const NEAR_ROW_BYTES: usize = 128;

/// Crews of all units at least in a near ring, for lines and for planes: with fewer they wait too long for each other.
const CREWS_OF_NEAR_RING: usize = 4;
const CREWS_OF_PLANES: usize = 2;

/// What a ring is chosen for.
struct Wanted {
    /// Points of a transform.
    n: usize,
    /// Powers of two of points that the first pass may have, the best first.
    cuts: Vec<u32>,
    /// How many parts the columns of a tile are in: where half of them are images of the others, rows of memory are half as long.
    parts: [usize; 2],
    /// Crews of all units at least in a near ring.
    crews: usize,
    /// Bytes of a row of memory at least in another ring, if that is taken, too.
    other_row_bytes: Option<usize>,
}

/// The choice for a batch of transforms without gaps where it is worth it: there are many, of a suitable length.
pub(super) fn choose(n: usize, batch: usize, device: &DeviceInfo, limits: &Limits) -> Option<Choice> {
    let cuts = vec![n.ilog2().div_ceil(2)];
    let (crews, other_row_bytes) = (CREWS_OF_NEAR_RING, Some(ROW_BYTES));
    choose_of(&Wanted { n, cuts, parts: [1; 2], crews, other_row_bytes }, batch, device, limits)
}

/// The same for planes, whose passes are their dimensions. Half spectra are read and written in rows.
pub(super) fn choose_plane(transform: &Transform, device: &DeviceInfo, limits: &Limits) -> Option<Choice> {
    let [first, second] = lengths(transform)?;
    let (cuts, crews, other_row_bytes) = (vec![first.ilog2()], CREWS_OF_PLANES, Some(ROW_BYTES));
    let other_row_bytes = other_row_bytes.filter(|_| transform.half_side() != Some(Side::Input));
    let wanted = Wanted { n: first * second, cuts, parts: [1; 2], crews, other_row_bytes };
    Some(of_pairs(choose_of(&wanted, transform.batch_count(), device, limits)?, transform))
}

/// The same for so many pairs of real numbers, which may go through rings. With shorter rows they were slower than in two launches, and
/// from half spectra in rings that are not near.
pub(super) fn choose_pairs(
    pairs: usize,
    transform: &Transform,
    device: &DeviceInfo,
    limits: &Limits,
) -> Option<Choice> {
    let half = pairs.ilog2() / 2;
    let (parts, cuts) = match transform.half_side() {
        Some(Side::Input) => ([2, 1], vec![half, pairs.ilog2() - half]),
        _ => ([1, 2], vec![pairs.ilog2() - half, half]),
    };
    let other_row_bytes = Some(NEAR_ROW_BYTES).filter(|_| transform.half_side() != Some(Side::Input));
    let wanted = Wanted { n: pairs, cuts, parts, crews: CREWS_OF_NEAR_RING, other_row_bytes };
    Some(of_pairs(choose_of(&wanted, transform.batch_count(), device, limits)?, transform))
}

fn choose_of(wanted: &Wanted, batch: usize, device: &DeviceInfo, limits: &Limits) -> Option<Choice> {
    let &Wanted { n, ref cuts, parts, crews, other_row_bytes } = wanted;
    let pays = device.has_bulk_copies()
        && !limits.is_exact
        && BYTES.contains(&n.saturating_mul(limits.element_bytes))
        && Load::Streaming.is_reached(n, batch, limits.compute_units);
    if !pays {
        return None;
    }
    // A tile lies in local memory once, and what is beside it takes less than a tile.
    let tile = 1 << (limits.tile_bytes / limits.element_bytes).checked_ilog2()?;
    let units = limits.compute_units;
    let of = |tile: usize, row_bytes: usize| {
        let rows = parts.map(|parts| parts * row_bytes);
        cuts.iter().find_map(|first| shape((n, *first), ROWS, tile, rows, limits))
    };
    // A crew has a unit for each of its work-groups. Where a side of the cache has room for some crews, the ring is near to
    // them, and smaller tiles, two to a unit, have something to do while one waits.
    let near = [tile / 2, tile].into_iter().filter(|tile| *tile > 0 && n / tile <= units / crews);
    match near.filter_map(|tile| of(tile, NEAR_ROW_BYTES)).next() {
        Some(choice) => Some(Choice { launches: Launches::NearRing, ..choice }),
        None if n / tile <= units => of(tile, other_row_bytes?).map(fetching_early),
        None => None,
    }
}

/// The same with half of the next tile fetched early, for which one of two exchanges goes by component. It pays where nobody
/// computes while a unit's one work-group waits for device memory.
fn fetching_early(mut choice: Choice) -> Choice {
    choice.passes[1].loading = Loading::Early;
    choice
}

/// The same for pairs of real numbers: tiles of half spectra are loaded by threads.
fn of_pairs(mut choice: Choice, transform: &Transform) -> Choice {
    let is_from_half = transform.half_side() == Some(Side::Input);
    if is_from_half {
        (choice.passes[0].loading, choice.passes[1].loading) = (Loading::Direct, Loading::Ahead);
    }
    let mut passes = cluster_shape::in_pairs(choice.passes, is_from_half);
    if !is_from_half && transform.algebra.element_bytes() > 8 {
        passes.last_mut().into_iter().for_each(lengthen_last_stage);
    }
    Choice { passes, ..choice }
}

/// Several short butterflies and their images leave threads of many doubles too few registers, where one long one and its image does not.
fn lengthen_last_stage(pass: &mut PassChoice) {
    let (radix, half) = (pass.stages.iter().product::<usize>(), pass.per_thread / 2);
    let is_short = pass.stages.last().is_some_and(|last| *last < half);
    if is_short && radix.is_multiple_of(half) && radix / half <= pass.per_thread {
        pass.stages = vec![radix / half, half];
    }
}

/// The choices worth measuring: cuts around the middle, tiles of several sizes, and more or fewer rows a thread.
pub(super) fn candidates(n: usize, limits: &Limits) -> Vec<Choice> {
    let mut found = Vec::new();
    for shift in [0, 1, -1] {
        for rows in [ROWS, ROWS / 2] {
            for kibibytes in [128, 64, 32] {
                let tile = (kibibytes << 10) / limits.element_bytes;
                let Some(first) = n.ilog2().div_ceil(2).checked_add_signed(-shift) else { continue };
                let Some(choice) = shape((n, first), rows, tile, [ROW_BYTES; 2], limits) else { continue };
                for launches in [Launches::Ring, Launches::NearRing] {
                    let choice = Choice { launches, ..choice.clone() };
                    found.extend([choice.clone(), fetching_early(choice)]);
                }
            }
        }
    }
    found
}

/// Two passes, the first of 2^first points, with tiles of so many points, in rows of so many bytes at least. Nothing if there are
/// none.
fn shape((n, first): (usize, u32), rows: usize, tile: usize, row_bytes: [usize; 2], limits: &Limits) -> Option<Choice> {
    let bits = n.ilog2();
    let pass = |bits: u32, row_bytes: usize| {
        let columns = tile.checked_shr(bits)?;
        let fits =
            bits >= rows.ilog2() && columns * limits.element_bytes >= row_bytes && tile / rows <= limits.max_group;
        let stages = || cost::split(bits, rows.ilog2());
        fits.then(|| PassChoice { loading: Loading::Ahead, ..PassChoice::new(columns, rows, stages()) })
    };
    let passes = vec![pass(first, row_bytes[0])?, pass(bits.checked_sub(first)?, row_bytes[1])?];
    Some(Choice { passes, launches: Launches::Ring })
}
