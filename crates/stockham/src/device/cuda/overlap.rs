//! Launches that begin while the one before them ends (programmatic dependent launch), and where their work-groups go.

use cudarc::driver::sys::CUdevice_attribute as attribute;

use crate::error::Result;
use crate::kernel::KernelText;

use super::context::Context;

/// How launches of a kernel begin that waits itself for the launch before it.
///
/// Where a launch has about as many work-groups as there are units, the early ones gather on the units that are idle, and
/// the launch takes as long as those. So they ask for as much local memory as leaves a unit room for its even share of
/// them, and for no more. What runs on other streams
/// meanwhile finds no room beside them in these units.
pub(super) struct Overlap {
    units: usize,
    /// Local memory of a work-group, as its kernel says.
    local_bytes: u32,
    /// Nothing in clusters, whose units are neighbours, of which there are few: they begin early where they would not gather.
    shares: Option<Shares>,
}

/// The local memory of a unit.
struct Shares {
    of_unit: u32,
    /// What each work-group takes beside its own.
    reserved: u32,
}

/// Work-groups of a unit's even share at most that ask for it. With more there is no place to gather.
const LARGEST_SHARE: usize = 2;

impl Overlap {
    /// Nothing for kernels that do not wait, and on devices whose launches do not overlap.
    pub(super) fn of(context: &Context, text: &KernelText) -> Result<Option<Self>> {
        if !text.waits || context.info.compute_capability.is_none_or(|(major, _)| major < 9) {
            return Ok(None);
        }
        let shares = if text.cluster == 1 {
            let of_unit = context.attribute(attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR)?;
            let reserved = context.attribute(attribute::CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK)?;
            Some(Shares { of_unit, reserved })
        } else {
            None
        };
        Ok(Some(Self { units: context.info.compute_units, local_bytes: text.local_bytes as u32, shares }))
    }

    /// The local memory of a launch of so many work-groups, if it should begin early.
    pub(super) fn local_bytes(&self, groups: usize) -> Option<u32> {
        let share = groups.div_ceil(self.units);
        match &self.shares {
            Some(shares) if share <= LARGEST_SHARE => Some(self.local_bytes.max(shares.bytes(share))),
            Some(_) => Some(self.local_bytes),
            None => (groups <= self.units / 4 || groups > self.units).then_some(self.local_bytes),
        }
    }

    /// The most local memory of a launch.
    pub(super) fn most_bytes(&self) -> u32 {
        self.local_bytes.max(self.shares.as_ref().map_or(0, |shares| shares.bytes(1)))
    }
}

impl Shares {
    /// So much that a unit has room for so many work-groups, and for no more.
    fn bytes(&self, groups: usize) -> u32 {
        (self.of_unit / (groups as u32 + 1) + 1).saturating_sub(self.reserved)
    }
}
