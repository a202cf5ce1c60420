//! From a transform to its recipe: the choice of the model, realised.

use crate::device_info::{Backend, DeviceInfo};
use crate::error::{Error, Result};
use crate::transform::Transform;

use super::axes;
use super::choice::Choice;
use super::plane;
use super::planner;
use super::recipe::Recipe;
use super::shape;

/// The recipe for a transform on a device.
///
/// # Errors
/// [`Error::InvalidTransform`] or [`Error::Unsupported`], with the reason.
pub fn plan(transform: &Transform, device: &DeviceInfo) -> Result<Recipe> {
    shape::check(transform, device)?;
    if transform.dims.len() > 1 {
        if let Some((_, recipe)) = plane::choose(transform, device) {
            return Ok(recipe);
        }
        return axes::compose(transform, axes::lines_on(transform, device), |line| plan(line, device));
    }
    if transform.is_filtered() {
        let lines = axes::lines_on(transform, device);
        if lines.len() > 1 {
            return axes::compose(transform, lines, |line| plan(line, device));
        }
    }
    if device.backend == Backend::Cpu { Ok(Recipe::host(transform)) } else { Ok(planner::choose(transform, device)?.1) }
}

/// What the planner chooses for a transform, by its model of the device; [`plan`] realises it.
///
/// # Errors
/// As [`plan`], and [`Error::Unsupported`] for the host, which leaves nothing to choose, and for several dimensions.
pub fn choose(transform: &Transform, device: &DeviceInfo) -> Result<Choice> {
    shape::check_line(transform, device)?;
    if device.backend == Backend::Cpu {
        return Err(Error::unsupported("a choice of passes on the CPU", "it computes by the host's library"));
    }
    Ok(planner::choose(transform, device)?.0)
}
