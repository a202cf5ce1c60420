//! Two passes in one launch: a cluster of work-groups takes one transform and exchanges it through local memories.
//!
//! The work-groups of a thread-block cluster can read each other's local memory, which CUDA calls distributed shared
//! memory (NVIDIA, "CUDA C++ Programming Guide", thread block clusters; they came with the architecture Hopper). For
//! n = R_0·R_1 each of C groups takes R_1/C columns of the first pass and leaves their DFTs in its own local memory.
//! After a barrier of the cluster it pulls what its R_0/C columns of the second pass need: row i_1 of column k_0 lies
//! with group i_1 / (R_1/C), as row k_0 of column i_1 mod (R_1/C). So the transform crosses device memory once each way,
//! and is read as a whole before any of it is written, which makes it right in place too.

use serde::{Deserialize, Serialize};

use crate::algebra::Algebra;
use crate::device_info::DeviceInfo;
use crate::error::{Error, Result};
use crate::transform::Transform;

use super::banks;
use super::choice::PassChoice;
use super::cost::Limits;
use super::planner;
use super::recipe::{Lanes, Method, Padding, Pass, Place, Recipe, Rounds};

/// How the first of two passes leaves its results to the second, in the local memories of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cluster {
    /// Work-groups of the cluster, a power of two.
    pub blocks: usize,
    /// Where a row and a column of the first pass stand in local memory.
    pub padding: Padding,
}

impl Cluster {
    /// Places of local memory of each group, for the results of this pass.
    pub fn tile_len(&self, first: &Pass) -> usize {
        self.padding.place(first.radix - 1, first.tile.columns - 1) + 1
    }
}

/// The recipe of one launch of such clusters that follows from a choice for each pass.
pub(super) fn realise(
    transform: &Transform,
    device: &DeviceInfo,
    blocks: usize,
    choices: &[PassChoice; 2],
) -> Result<Recipe> {
    let limits = Limits::of(device, transform.algebra);
    let mut recipe = planner::realise(transform, &limits, choices);
    recipe.workspace_len = 0;
    let Method::Passes(passes) = &mut recipe.method else { return Ok(recipe) };
    if let [first, second] = &mut passes[..] {
        (first.target, second.source) = (Place::Cluster, Place::Cluster);
        // Neighbouring threads pull neighbouring rows of the first pass, which lie side by side.
        second.tile.load = Lanes::Columns;
        planner::lay_out(second, &limits);
        second.cluster = Some(Cluster { blocks, padding: Padding::packed(first.radix) });
    }
    check(passes, transform.algebra, device)?;
    if let [first, second] = &mut passes[..] {
        let padding = banks::choose_for_cluster(first, second, blocks, limits.element_bytes);
        second.cluster = Some(Cluster { blocks, padding });
    }
    recipe.check(device)?;
    Ok(recipe)
}

/// Checks that passes which share a launch fit each other, and the device.
pub(super) fn check(passes: &[Pass], algebra: Algebra, device: &DeviceInfo) -> Result<()> {
    for (number, pass) in passes.iter().enumerate() {
        let goes_on = passes.get(number + 1).is_some_and(|next| next.source == Place::Cluster);
        let shared =
            [(pass.target == Place::Cluster, goes_on), (pass.source == Place::Cluster, pass.cluster.is_some())];
        if shared.iter().any(|(a, b)| a != b) || (pass.source == Place::Cluster && (goes_on || number == 0)) {
            return Err(Error::InvalidTransform(format!("pass {number} is half of a launch without the other half")));
        }
        if let Some(cluster) = &pass.cluster {
            check_pair(&passes[number - 1], pass, cluster, algebra, device)?;
        }
    }
    Ok(())
}

fn check_pair(first: &Pass, second: &Pass, cluster: &Cluster, algebra: Algebra, device: &DeviceInfo) -> Result<()> {
    let what = || format!("a cluster of {} work-groups on {}", cluster.blocks, device.id);
    let most = device.max_cluster.unwrap_or(1);
    if cluster.blocks > most {
        return Err(Error::unsupported(what(), format!("the device has clusters of {most} at most")));
    }
    if algebra.has_digits() {
        return Err(Error::unsupported(what(), "elements of many digits do not fit its local memory"));
    }
    let whole = |pass: &Pass, digit: usize| {
        let [column, ..] = pass.columns[..] else { return false };
        let simple = pass.tile.rounds == Rounds::ONE && pass.tile.load != Lanes::Flat && pass.tile.store != Lanes::Flat;
        let stages = !pass.tile.stages.is_empty() && pass.tile.stages.iter().product::<usize>() == pass.radix;
        simple && stages && column.n == digit && pass.tile.columns * cluster.blocks == digit
    };
    let batch = |pass: &Pass| pass.columns[1..].iter().map(|c| c.n).collect::<Vec<_>>();
    let fits = cluster.blocks.is_power_of_two()
        && first.radix.is_power_of_two()
        && second.radix.is_power_of_two()
        && whole(first, second.radix)
        && whole(second, first.radix)
        && first.group() == second.group()
        && batch(first) == batch(second);
    if !fits {
        let radices = (first.radix, second.radix);
        return Err(Error::InvalidTransform(format!("passes of {radices:?} points do not make {}", what())));
    }
    let bytes = cluster.tile_len(first) * algebra.element_bytes();
    if bytes > device.local_bytes {
        let has = device.local_bytes;
        return Err(Error::InvalidTransform(format!("{} needs {bytes} bytes of local memory of {has}", what())));
    }
    Ok(())
}
