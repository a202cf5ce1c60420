//! Teams: elements of more digits than a thread has registers for are shared among neighbouring threads of a warp, so many
//! consecutive digits each. They exchange digits and carries without memory in between.

use crate::algebra::Algebra;
use crate::device_info::DeviceInfo;
use crate::error::{Error, Result};

use super::recipe::{Pass, Place, Recipe};

/// Threads that run in lockstep, get their registers together and read each other's, on NVIDIA's devices.
pub(crate) const WARP: usize = 32;

/// Bytes of an element that a thread has registers for.
const ALONE: usize = 128;

/// Bytes of an element that are a thread's share otherwise: sums of products take five times as many registers.
const SHARE: usize = 64;

/// Threads that hold an element together.
pub(super) fn size(device: &DeviceInfo, algebra: Algebra) -> usize {
    let bytes = algebra.element_bytes();
    let most = WARP.min(device.max_group);
    if bytes > ALONE && is_possible(device, algebra) && most > 1 { (bytes / SHARE).min(1 << most.ilog2()) } else { 1 }
}

/// Threads read each other's registers by NVIDIA's assembly.
fn is_possible(device: &DeviceInfo, algebra: Algebra) -> bool {
    matches!(algebra, Algebra::BigPrime(_)) && device.compute_capability.is_some()
}

/// Checks that a pass has teams that there can be.
pub(super) fn check(recipe: &Recipe, pass: &Pass, device: &DeviceInfo) -> Result<()> {
    let (team, algebra) = (pass.tile.team, recipe.transform.algebra);
    let digits = algebra.layout().1;
    let shares = team.is_power_of_two() && team <= WARP && 2 * team <= digits;
    // All threads of a warp are there, or it is the only one.
    let whole = || pass.threads() <= WARP || pass.threads().is_multiple_of(WARP);
    let in_groups = || pass.tile.rounds.planes.is_some_and(|planes| (digits / team).is_multiple_of(planes));
    let is_alone = ![pass.source, pass.target].contains(&Place::Cluster);
    let is_fit = || pass.tile.exchanges.is_empty() || in_groups();
    if team == 1 || shares && whole() && is_alone && is_fit() && is_possible(device, algebra) {
        return Ok(());
    }
    Err(Error::InvalidTransform(format!(
        "a pass shares elements among {team} threads. That is for big prime fields on NVIDIA's devices, with two digits a \
         thread or more that are exchanged in groups of equal size, in whole warps, and not in clusters; {} has {digits} digits, and the device is {}",
        algebra.name(),
        device.id
    )))
}
