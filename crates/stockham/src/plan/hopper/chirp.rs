//! Convolutions in one trip through memory: all three passes are one launch of clusters. They make DFTs by a
//! [chirp](super::super::long_chirp), or filter transforms of n = M points, without chirps.
//!
//! The M = R_0·R_1 points stay in the registers and local memories of a cluster of C work-groups. Each has R_1/C columns of the first
//! pass, which reads n points; it pushes row k_0 of them to the work-group that has column k_0 of the middle one. That goes there and
//! back with R_0/C columns, and pushes its rows to where the first pass's columns were, which the last pass stores.
//!
//! A work-group receives twice. Nobody pushes in the second exchange before having received all of the first, and so before all
//! work-groups are done with the first pass: what its exchanges used may receive then, if there is room for that beside what the
//! middle pass uses. Otherwise all receive in the same places, and tell the cluster when they are done with them.

use crate::device_info::DeviceInfo;
use crate::error::{Error, Result};
use crate::transform::{Kind, Transform};

use super::super::banks;
use super::super::choice::{Clusters, PassChoice};
use super::super::cost::{self, Limits};
use super::super::finish;
use super::super::load::Load;
use super::super::long_chirp;
use super::super::recipe::{Lanes, Method, Padding, Pass, Place, Recipe, Rounds};
use super::super::twiddles::TwiddleSource;
use super::cluster::{self, BY_COLUMNS};
use super::{Cluster, Share};

/// The recipe that follows from a choice for each of the three passes, in such clusters.
///
/// # Errors
/// [`Error::InvalidTransform`] if they make no convolution that is long enough, or do not fit each other or local memory;
/// [`Error::Unsupported`] if the device has no such clusters.
pub(in crate::plan) fn realise(
    transform: &Transform,
    device: &DeviceInfo,
    clusters: Clusters,
    choices: &[PassChoice],
) -> Result<Recipe> {
    let Clusters { blocks, side_by_side } = clusters;
    long_chirp::check_choices(transform, device, choices, true)?;
    let what = || format!("a convolution in a cluster of {blocks} work-groups on {}", device.id);
    let most = device.max_cluster.unwrap_or(1);
    if blocks > most {
        return Err(Error::unsupported(what(), format!("the device has clusters of {most} at most")));
    }
    let invalid = |why: &str| Err(Error::InvalidTransform(format!("{} {why}", what())));
    let radices = [0, 1].map(|a| choices[a].product().unwrap_or(0));
    let shares = [radices[1], radices[0], radices[1]].map(|radix| radix / blocks.max(1));
    let are_shared = blocks > 1 && radices.iter().all(|radix| radix.is_multiple_of(blocks));
    if choices.len() != 3 || !are_shared || !choices.iter().zip(shares).all(|(choice, share)| choice.columns == share) {
        return invalid(
            "is three passes, and each takes as many columns as its work-groups share those of the other radix",
        );
    }
    if !transform.domain.is_plain() {
        return invalid("has all its rows, in their order");
    }
    let in_pairs = transform.is_filtered() && transform.kind == Kind::Real;
    if in_pairs && !shares[1].is_multiple_of(2) {
        return invalid("has columns and their images in a work-group, of pairs of real numbers");
    }
    let limits = Limits::of(device, transform.algebra);
    let mut recipe = long_chirp::realise(transform, &limits, choices);
    (recipe.workspace_len, recipe.chunk) = (0, None);
    let is_streaming = Load::of(transform, device) == Some(Load::Streaming);
    let Method::Convolution(passes) = &mut recipe.method else { return Ok(recipe) };
    for (number, (pass, values)) in passes.iter_mut().zip(shares).enumerate() {
        pass.hopper.share = Some(Share { digit: 0, values, images: false });
        (pass.tile.load, pass.tile.store) = (Lanes::Columns, Lanes::Columns);
        if number > 0 {
            pass.source = Place::Cluster;
            let padding = Padding::packed(pass.radix);
            pass.hopper.cluster = Some(Cluster { blocks, padding, start: 0, exchange: number - 1 });
        }
        if number < 2 {
            pass.target = Place::Cluster;
        }
        // Others are done before the table is in the cache.
        if is_streaming && values * limits.element_bytes >= BY_COLUMNS {
            pass.twiddle.iter_mut().for_each(|twiddle| twiddle.source = TwiddleSource::Columns);
        }
        finish::lay_out(pass, &limits);
    }
    if !passes.iter().all(|pass| pass.is_even() && pass.tile.rounds == Rounds::ONE && pass.group() == passes[0].group())
    {
        return invalid("has as many rows in all threads, and exchanges of one round");
    }
    let is_whole = |[first, middle]: [&Pass; 2]| middle.has_whole_pairs() && first.tile.per_thread > 1;
    if in_pairs && !is_whole([&passes[0], &passes[1]]) {
        return invalid("has butterflies with their images in all threads, of pairs of real numbers");
    }
    if let Some(count) = side_by_side {
        cluster::leave_room(passes, count, &limits)?;
    }
    receive(passes, &limits);
    let places = passes.iter().filter_map(|pass| Some(pass.hopper.cluster?.tile_len(pass, transform.algebra)));
    let bytes = places.max().unwrap_or(0) * limits.element_bytes;
    if bytes > device.local_bytes {
        return invalid(&format!("needs {bytes} bytes of local memory of {}", device.local_bytes));
    }
    recipe.check_passes_fit(device)?;
    Ok(recipe)
}

/// Chooses where the middle pass and the last one receive.
fn receive(passes: &mut [Pass], limits: &Limits) {
    let [first, middle, last] = passes else { return };
    choose_padding(first, middle, limits);
    choose_padding(middle, last, limits);
    let received = |pass: &Pass| {
        let padding = pass.hopper.cluster.map_or(Padding::packed(pass.radix), |cluster| cluster.padding);
        padding.len(pass.radix, pass.tile.columns).max(pass.planes_len())
    };
    let start = first.planes_len().max(received(last));
    let bytes = (start + received(middle)) * limits.element_bytes;
    // As many work-groups side by side as there are registers for.
    let registers = [&*first, &*middle, &*last].map(|pass| pass.registers()).into_iter().max().unwrap_or(1);
    let beside = (limits.register_bytes / 4 / registers.max(1)).max(1);
    let is_alone = middle.tile.stages.len() < 2 || beside.saturating_mul(bytes) <= limits.unit_tile_bytes;
    if is_alone {
        middle.hopper.cluster = middle.hopper.cluster.map(|cluster| Cluster { start, ..cluster });
    }
}

fn choose_padding(from: &Pass, to: &mut Pass, limits: &Limits) {
    let padding = banks::choose_for_cluster(from, to, limits.element_bytes);
    to.hopper.cluster = to.hopper.cluster.map(|cluster| Cluster { padding, ..cluster });
}

/// The work-groups of a recipe's clusters, and those side by side that may have been asked for.
pub(in crate::plan) fn clusters_of(recipe: &Recipe, device: &DeviceInfo) -> Option<Vec<Clusters>> {
    let limits = Limits::of(device, recipe.transform.algebra);
    let passes = recipe.passes();
    let blocks = passes.last()?.hopper.cluster?.blocks;
    let leaves = |count: &usize| {
        passes.iter().all(|pass| {
            cost::registers_beside(*count, pass.tile.per_thread, pass.threads(), &limits) == Some(pass.tile.registers)
        })
    };
    let counts = (1..=MOST_SIDE_BY_SIDE).filter(leaves).map(Some);
    Some([None].into_iter().chain(counts).map(|side_by_side| Clusters { blocks, side_by_side }).collect())
}

/// Work-groups that a unit has side by side at most.
const MOST_SIDE_BY_SIDE: usize = 64;
