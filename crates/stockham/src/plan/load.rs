//! Whether a device has enough to do at once: that decides which passes are the fastest.

use serde::{Deserialize, Serialize};

use crate::device_info::DeviceInfo;
use crate::transform::Transform;

/// Whether a device has enough to do at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Load {
    /// A single transform, however long.
    Single,
    /// So many transforms that every compute unit has work.
    Full,
    /// So many that the compute units go around several times, and no cache holds them.
    Streaming,
}

impl Load {
    /// The load that a transform is; nothing for several transforms that do not fill the device.
    pub fn of(transform: &Transform, device: &DeviceInfo) -> Option<Self> {
        match transform.batch_count() {
            1 => Some(Self::Single),
            batch => [Self::Streaming, Self::Full]
                .into_iter()
                .find(|load| load.is_reached(transform.points(), batch, device.compute_units)),
        }
    }

    /// Points that a compute unit has at least: those of a work-group where a batch fills the device, and of tiles of several
    /// rounds where it streams.
    fn of_unit(self) -> usize {
        match self {
            Self::Single => 0,
            Self::Full => 1 << 12,
            Self::Streaming => 1 << 16,
        }
    }

    /// Whether so many transforms of n points are as much work for so many compute units, be it one transform.
    pub(super) fn is_reached(self, n: usize, batch: usize, compute_units: usize) -> bool {
        n.saturating_mul(batch) >= self.of_unit().saturating_mul(compute_units)
    }

    /// The least batch that has this load.
    pub(super) fn least_batch(self, n: usize, compute_units: usize) -> usize {
        match self {
            Self::Single => 1,
            load => load.of_unit().saturating_mul(compute_units).div_ceil(n.max(1)).max(2),
        }
    }

    /// The loads whose choices are for this one, too, the best first.
    pub(super) fn advisers(self) -> &'static [Self] {
        match self {
            Self::Single => &[Self::Single],
            Self::Full => &[Self::Full],
            Self::Streaming => &[Self::Streaming, Self::Full],
        }
    }
}
