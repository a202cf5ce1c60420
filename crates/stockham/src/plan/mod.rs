//! How to compute a transform: recipes as plain data, and the planner that writes them.

pub mod banks;
mod candidates;
mod chain;
mod choice;
mod chunks;
mod cluster;
mod cost;
mod explain;
mod free_roots;
mod planner;
mod recipe;
mod step;
mod twiddles;
mod wisdom;

use crate::device_info::{Backend, DeviceInfo};
use crate::error::{Error, Result};
use crate::transform::Transform;

pub use candidates::candidates;
pub use chain::{Chain, FirstStore, Input, chain};
pub use choice::{Choice, PassChoice};
pub use chunks::RING;
pub use cluster::Cluster;
pub use recipe::{
    Arithmetic, Block, Column, Holding, Lanes, Method, Padding, Pass, Place, Recipe, Rounds, Tile, Twiddle,
};
pub(crate) use step::twist_split;
pub use step::{Operation, Step};
pub use twiddles::{Trig, TwiddleSource};
pub use wisdom::{Load, Wisdom};

/// The recipe for a transform on a device.
///
/// # Errors
/// [`Error::InvalidTransform`] or [`Error::Unsupported`], with the reason.
pub fn plan(transform: &Transform, device: &DeviceInfo) -> Result<Recipe> {
    if device.backend != Backend::Cpu {
        return choose(transform, device)?.realise(transform, device);
    }
    check_shape(transform)?;
    Ok(Recipe::host(transform))
}

/// What the planner chooses for a transform, by its model of the device; [`plan`] realises it.
///
/// # Errors
/// As [`plan`], and [`Error::Unsupported`] for the host, which leaves nothing to choose.
pub fn choose(transform: &Transform, device: &DeviceInfo) -> Result<Choice> {
    check_shape(transform)?;
    if device.backend == Backend::Cpu {
        return Err(Error::unsupported("a choice of passes on the CPU", "it computes by the host's library"));
    }
    planner::choose(transform, device)
}

fn check_shape(transform: &Transform) -> Result<()> {
    transform.validate()?;
    if transform.dims.len() > 1 {
        return Err(Error::unsupported(
            format!("a transform of {} dimensions", transform.dims.len()),
            "this version executes one-dimensional transforms; run one per axis",
        ));
    }
    Ok(())
}

/// The recipe that follows from choices made by hand or by measuring, one a pass.
///
/// # Errors
/// [`Error::InvalidTransform`] if the stages' product is not the transform's length, a stage has no codelet or does not
/// divide the rows of a thread, or the device cannot hold such a tile.
pub fn realise(transform: &Transform, device: &DeviceInfo, choices: &[PassChoice]) -> Result<Recipe> {
    check_choices(transform, device, choices)?;
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
    check_choices(transform, device, choices)?;
    cluster::realise(transform, device, blocks, choices)
}

/// Checks what must hold before anything is computed from choices.
fn check_choices(transform: &Transform, device: &DeviceInfo, choices: &[PassChoice]) -> Result<()> {
    transform.validate()?;
    let product = choices.iter().try_fold(1usize, |product, choice| product.checked_mul(choice.radix()?));
    let (n, most) = (transform.points(), device.max_group);
    let sound = choices.iter().all(|choice| choice.is_sound(most));
    if transform.dims.len() != 1 || choices.is_empty() || product != Some(n) || !sound {
        return Err(Error::InvalidTransform(format!(
            "the choices {choices:?} do not make a transform of {n} points with work-groups of at most {most}"
        )));
    }
    Ok(())
}
