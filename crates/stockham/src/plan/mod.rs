//! How to compute a transform: recipes as plain data, and the planner that writes them.

pub mod banks;
mod chain;
mod chunks;
mod cluster;
mod cost;
mod explain;
mod free_roots;
mod planner;
mod recipe;
mod step;
mod twiddles;

use crate::device_info::{Backend, DeviceInfo};
use crate::error::{Error, Result};
use crate::transform::Transform;

pub use chain::{Chain, FirstStore, Input, chain};
pub use chunks::RING;
pub use cluster::Cluster;
pub use planner::PassChoice;
pub use recipe::{
    Arithmetic, Block, Column, Holding, Lanes, Method, Padding, Pass, Place, Recipe, Rounds, Tile, Twiddle,
};
pub(crate) use step::twist_split;
pub use step::{Operation, Step};
pub use twiddles::{Trig, TwiddleSource};

/// The recipe for a transform on a device.
///
/// # Errors
/// [`Error::InvalidTransform`] or [`Error::Unsupported`], with the reason.
pub fn plan(transform: &Transform, device: &DeviceInfo) -> Result<Recipe> {
    transform.validate()?;
    if transform.dims.len() > 1 {
        return Err(Error::unsupported(
            format!("a transform of {} dimensions", transform.dims.len()),
            "this version executes one-dimensional transforms; run one per axis",
        ));
    }
    if device.backend == Backend::Cpu {
        return Ok(Recipe::host(transform));
    }
    planner::plan(transform, device)
}

/// The recipe that follows from choices made by hand or by measuring, one a pass.
///
/// # Errors
/// [`Error::InvalidTransform`] if the stages' product is not the transform's length, a stage has no codelet or does not
/// divide the rows of a thread, or the device cannot hold such a tile.
pub fn realise(transform: &Transform, device: &DeviceInfo, choices: &[PassChoice]) -> Result<Recipe> {
    check_choices(transform, choices)?;
    let recipe = planner::realise(transform, &cost::Limits::of(device, transform.algebra), choices);
    recipe.check(device)?;
    Ok(recipe)
}

/// The same for two passes of one launch, in clusters of so many work-groups: the columns of each pass are the radix of
/// the other, divided by `blocks`.
///
/// # Errors
/// As [`realise`], and [`Error::Unsupported`] if the device has no such clusters.
pub fn realise_in_clusters(
    transform: &Transform,
    device: &DeviceInfo,
    blocks: usize,
    choices: &[PassChoice; 2],
) -> Result<Recipe> {
    check_choices(transform, choices)?;
    cluster::realise(transform, device, blocks, choices)
}

fn check_choices(transform: &Transform, choices: &[PassChoice]) -> Result<()> {
    transform.validate()?;
    let radix = |c: &PassChoice| c.stages.iter().product::<usize>();
    let product: usize = choices.iter().map(radix).product();
    let n = transform.points();
    let fits = |c: &PassChoice| {
        let stages = c.stages.iter().all(|r| crate::codelet::RADICES.contains(r) && c.per_thread.is_multiple_of(*r));
        stages && c.columns > 0 && radix(c).is_multiple_of(c.per_thread)
    };
    if transform.dims.len() != 1 || choices.is_empty() || product != n || !choices.iter().all(fits) {
        return Err(Error::InvalidTransform(format!("the choices {choices:?} do not make a transform of {n} points")));
    }
    Ok(())
}
