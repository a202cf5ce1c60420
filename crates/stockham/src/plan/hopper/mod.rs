//! What only NVIDIA's Hopper has, and later ones: two passes in one launch, through the local memories of a cluster of
//! work-groups or through a ring in the second-level cache, and work-groups that fetch their next input while they compute.
//!
//! The rest of the planner asks what is here, and need not know what is behind it: [`choose`] and its like propose, [`realise`]
//! makes a recipe of it, [`check`] and [`check_pass`] say whether a device takes one. All of it is told in `docs/hopper.md`.

mod ahead;
mod boxes;
mod candidates;
mod chirp;
mod chirp_shape;
mod chirp_tile;
mod cluster;
mod cluster_shape;
mod crews;
mod explain;
mod filter_shape;
mod narrow_tile;
mod pass;
mod plane;
mod real_tile;
mod ring;
mod ring_shape;
mod swap;

use crate::device_info::DeviceInfo;
use crate::error::{Error, Result};
use crate::transform::{Kind, Side, Transform};

use super::across::across;
use super::choice::{Choice, Launches, PassChoice};
use super::cost::Limits;
use super::ends::{go_through_rings, points_there_and_back};
use super::load::Load;
use super::long_chirp::is_plain_filter;
use super::planner::is_packed;
use super::recipe::{Pass, Recipe};

pub(crate) use boxes::BOX_WORD;
pub use boxes::{Array, Extent};
pub(super) use candidates::{candidates, crowded, of_chirp as chirp_candidates};
pub(super) use chirp::{clusters_of as chirp_clusters_of, realise as realise_chirp};
pub(super) use chirp_tile::tile as chirp_tile;
pub(super) use cluster::realise as realise_clusters;
pub(crate) use crews::{COUNT_BYTES, MOST_LANDINGS, SHARES, SIDE_BYTES, SLOTS, points_of};
pub use crews::{Pieces, Ring, Sharing};
pub(super) use explain::{ahead_line, launch_line, ring_line};
pub(super) use narrow_tile::tile as narrow_tile;
pub use pass::{Cluster, Hopper, Share};
pub(super) use plane::{in_clusters as choose_plane_in_clusters, through_ring as choose_plane_through_ring};
pub(super) use real_tile::{of_pairs as pairs_tile, of_reals as reals_tile};

/// The choice for a batch of lines of a power of two, and the recipe that follows from it; nothing where passes through memory
/// are as fast, or nothing fits.
pub(super) fn choose(transform: &Transform, device: &DeviceInfo, limits: &Limits) -> Option<(Choice, Recipe)> {
    let (n, batch) = (transform.inner_points(), transform.batch_count());
    let in_clusters = || match across(transform) {
        Some(number) => cluster_shape::choose_across(n, transform.batch[number].n, limits),
        None => cluster_shape::choose(n, batch, limits),
    };
    let staying = || {
        let alone = ahead::choose(n, batch, device, limits);
        alone.or_else(|| ring_shape::choose(n, batch, device, limits)).filter(|_| is_packed(transform))
    };
    // Those shapes ask for more than a tile's room; where there is less, passes through memory do.
    in_clusters().and_then(|choice| realised(choice, transform, device)).or_else(|| {
        let choice = staying()?;
        realised(choice, transform, device)
    })
}

/// The choice for a transform that others than codelets have to make, by a chirp in a tile that was measured or in clusters, and the
/// recipe that follows from it; nothing where that is not faster than what passes through memory make of it, or does not fit.
pub(super) fn choose_chirp(
    transform: &Transform,
    device: &DeviceInfo,
    limits: &Limits,
    through_memory: &Recipe,
) -> Option<(Choice, Recipe)> {
    // A tile that has the registers for it is as fast.
    let lacks = |pass: &Pass| {
        pass.registers() > device.registers.unwrap_or(usize::MAX) && !chirp_tile::is_measured(&pass.tile.stages)
    };
    let is_slow = |pass: &Pass| {
        pass.middle.is_some() || pass.chirp.is_some() && (lacks(pass) || through_memory.passes().len() > 1)
    };
    let n = transform.inner_points();
    if limits.is_exact
        || !through_memory.passes().iter().any(is_slow)
        || !Load::Full.is_reached(n, transform.batch_count(), limits.compute_units)
    {
        return None;
    }
    let in_clusters = chirp_shape::choices(n, limits);
    let in_tile = chirp_tile::choice(n, limits).filter(|_| !in_clusters.is_empty());
    in_tile.into_iter().chain(in_clusters).find_map(|choice| realised(choice, transform, device))
}

/// The choice for lines of complex numbers, or of pairs of real ones, there and back, with a filter between, that no tile holds, and
/// the recipe that follows from it; nothing where two transforms are as fast, or nothing fits.
pub(super) fn choose_filter(transform: &Transform, device: &DeviceInfo, limits: &Limits) -> Option<(Choice, Recipe)> {
    let n = points_there_and_back(transform).filter(|_| is_plain_filter(transform))?;
    let fills = Load::Full.is_reached(n, transform.batch_count(), limits.compute_units);
    let choice = filter_shape::choice(n, transform.kind == Kind::Real, limits).filter(|_| fills)?;
    realised(choice, transform, device)
}

/// The same where real numbers go as so many pairs.
pub(super) fn choose_pairs(
    transform: &Transform,
    pairs: usize,
    device: &DeviceInfo,
    limits: &Limits,
) -> Option<(Choice, Recipe)> {
    let is_from_half = transform.half_side() == Some(Side::Input);
    let in_clusters = cluster_shape::choose_pairs(pairs, is_from_half, limits);
    let through_ring = || {
        let follow = pairs.is_power_of_two() && go_through_rings(transform);
        follow.then(|| ring_shape::choose_pairs(pairs, transform, device, limits)).flatten()
    };
    let in_two_launches =
        || cluster_shape::choose_pairs_in_two_launches(pairs, (is_from_half, Load::of(transform, device)), limits);
    realised(in_clusters.or_else(in_two_launches).or_else(through_ring)?, transform, device)
}

fn realised(choice: Choice, transform: &Transform, device: &DeviceInfo) -> Option<(Choice, Recipe)> {
    choice.realise(transform, device).ok().map(|recipe| (choice, recipe))
}

/// The recipe that follows from choices for passes of which two share a launch; nothing where no launch is to be shared, or
/// the transform is not one for it. What `follows` says is whether transforms follow each other without gaps.
pub(super) fn realise(
    transform: &Transform,
    device: &DeviceInfo,
    (launches, passes): (Launches, &[PassChoice]),
    (in_pairs, follows): (bool, bool),
) -> Option<Result<Recipe>> {
    // Rows that are zeros, or lie in another order, are loaded and stored by their threads.
    if !transform.domain.is_plain() {
        return None;
    }
    match launches {
        Launches::Clusters(clusters) if transform.kind == Kind::Dft || in_pairs => {
            Some(cluster::realise(transform, device, clusters, passes))
        }
        Launches::Ring | Launches::NearRing if follows => {
            Some(ring::realise(transform, device, passes, launches == Launches::NearRing))
        }
        _ => None,
    }
}

/// Checks what of a pass only such devices have.
pub(super) fn check_pass(pass: &Pass, recipe: &Recipe, device: &DeviceInfo) -> Result<()> {
    let algebra = recipe.transform.algebra;
    if pass.hopper.swaps && !(Limits::of(device, algebra).swaps && pass.can_swap()) {
        let what = format!("a stage whose rows come by swaps on {}", device.id);
        return Err(Error::unsupported(what, "those are of complex numbers, in the last stage, within CUDA's warps"));
    }
    if pass.tile.sectors && !(Limits::of(device, algebra).has_warps && pass.can_share_sectors(&recipe.transform)) {
        let what = format!("a pass whose threads share sectors on {}", device.id);
        return Err(Error::unsupported(what, "those of bit-reversed outputs of one word do, within CUDA's warps"));
    }
    pass.check_ahead(algebra, device)
}

/// Checks that passes which share a launch fit each other, and the device.
pub(super) fn check(recipe: &Recipe, device: &DeviceInfo) -> Result<()> {
    cluster::check(recipe.passes(), recipe.transform.algebra, device)?;
    recipe.check_ring()
}
