//! Which transforms a device executes at all, however a recipe for them was made: by the planner, from a choice, or by hand.

use crate::device_info::{Backend, DeviceInfo};
use crate::error::{Error, Result};
use crate::transform::Transform;

use super::plane;
use super::planner;

/// Checks a transform that a recipe is made of, or was made of.
///
/// # Errors
/// [`Error::InvalidTransform`] if it contradicts itself; [`Error::Unsupported`] if the device does not execute it.
pub(super) fn check(transform: &Transform, device: &DeviceInfo) -> Result<()> {
    transform.validate()?;
    if device.backend == Backend::Cpu { Ok(()) } else { planner::check(transform, device) }
}

/// The same for what is computed at once: a transform of one dimension.
pub(super) fn check_line(transform: &Transform, device: &DeviceInfo) -> Result<()> {
    check(transform, device)?;
    match transform.dims.len() {
        1 => Ok(()),
        rank => Err(Error::unsupported(
            format!("passes for a transform of {rank} dimensions"),
            "along each dimension it is a transform of its own",
        )),
    }
}

/// The same for what passes make: a line, or an array of elements.
pub(super) fn check_passes(transform: &Transform, device: &DeviceInfo) -> Result<()> {
    let is_array = plane::is_array(transform) || plane::is_real(transform) || plane::is_array_of_pairs(transform);
    if is_array && device.backend != Backend::Cpu {
        return check(transform, device);
    }
    check_line(transform, device)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::algebra::Algebra;
    use crate::device::Device;
    use crate::plan::{Method, Pass, Recipe, plan};
    use crate::transform::Dim;

    /// A GPU that has no f64.
    pub(in crate::plan) fn gpu() -> DeviceInfo {
        DeviceInfo {
            backend: Backend::Opencl,
            max_group: 256,
            local_bytes: 32 << 10,
            simd_width: 32,
            has_f64: false,
            ..Device::cpu().info().clone()
        }
    }

    fn plane(algebra: Algebra) -> Transform {
        Transform::new(algebra, 16).with_dims([Dim::new(4, 4), Dim::new(4, 1)])
    }

    #[test]
    fn passes_are_of_one_dimension() {
        let cpu = Device::cpu();
        for algebra in [Algebra::ComplexF32, Algebra::ComplexF64, Algebra::Goldilocks] {
            let none = Transform::new(algebra, 16).with_dims([]);
            assert!(matches!(Recipe::host(&none).check(cpu.info()), Err(Error::InvalidTransform(_))));
            assert!(matches!(Recipe::host(&plane(algebra)).check(cpu.info()), Err(Error::Unsupported { .. })));
            Recipe::host(&Transform::new(algebra, 16)).check(cpu.info()).unwrap();
        }
        let line = plan(&Transform::new(Algebra::ComplexF32, 16), &gpu()).unwrap();
        line.check(&gpu()).unwrap();
        let folded = Recipe { transform: plane(Algebra::ComplexF32), ..line };
        assert!(matches!(folded.check(&gpu()), Err(Error::InvalidTransform(_))));
    }

    #[test]
    fn recipes_by_hand_are_of_numbers_that_the_device_has() {
        let wide = DeviceInfo { has_f64: true, ..gpu() };
        let recipe = plan(&Transform::new(Algebra::ComplexF64, 16), &wide).unwrap();
        recipe.check(&wide).unwrap();
        assert!(matches!(recipe.check(&gpu()), Err(Error::Unsupported { .. })));
    }

    #[test]
    fn the_host_takes_nothing_beside_the_transform() {
        let (cpu, host) = (Device::cpu(), Recipe::host(&Transform::new(Algebra::ComplexF32, 16).batch(4)));
        let passes = Recipe { method: Method::Passes(Vec::<Pass>::new()), ..host.clone() };
        let changes =
            [Recipe { workspace_len: 1 << 60, ..host.clone() }, Recipe { chunk: Some(2), ..host.clone() }, passes];
        host.check(cpu.info()).unwrap();
        for changed in changes {
            assert!(matches!(changed.check(cpu.info()), Err(Error::InvalidTransform(_))), "{changed:?}");
        }
    }
}
