//! How to compute a transform: recipes as plain data, and the planner that writes them.

pub mod banks;
mod cost;
mod explain;
mod planner;
mod recipe;

use crate::device_info::{Backend, DeviceInfo};
use crate::error::{Error, Result};
use crate::transform::Transform;

pub use recipe::{Column, Lanes, Method, Padding, Pass, Place, Recipe, Tile, Twiddle};

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
