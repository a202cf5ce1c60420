//! Fetching ahead: a work-group stays for one tile after another, and the input of the next one is on its way into local
//! memory while it computes. So it is for tiles that fill a compute unit, where no other work-group is there to use the
//! time in which one waits.
//!
//! The copies are the device's own (NVIDIA, "PTX ISA", `cp.async.bulk`, from sm_90 on), of contiguous bytes; so the
//! transforms have to follow each other without gaps.

use crate::algebra::Algebra;
use crate::device_info::{Backend, DeviceInfo};
use crate::error::{Error, Result};
use crate::transform::Transform;

use super::choice::{Choice, Loading, PassChoice};
use super::cost::{self, Limits};
use super::planner;
use super::recipe::{Lanes, Pass, Place};

/// What bulk copies move is a multiple of this.
const UNIT_BYTES: usize = 16;

/// The first compute capability with bulk copies.
const FIRST_CAPABILITY: (u32, u32) = (9, 0);

/// Local memory that the kernel has beside its tile: the count of what has arrived, and what aligns the tiles.
const BESIDE_BYTES: usize = 256;

/// Whether work-groups can fetch ahead on the device.
pub(super) fn is_there(device: &DeviceInfo) -> bool {
    device.backend == Backend::Cuda && device.compute_capability.is_some_and(|version| version >= FIRST_CAPABILITY)
}

/// Rows of a thread: so many make two exchanges of the transforms that are fetched ahead. With 16 and twice the threads,
/// f32 transforms of 2^14 points took 1.34 copies instead of 1.12.
pub(super) const ROWS: usize = 32;

/// The pass of a transform that is worth it: a batch of them fills the device, and one fills a compute unit.
pub(super) fn choose(transform: &Transform, device: &DeviceInfo, limits: &Limits) -> Option<Choice> {
    let n = transform.points();
    let is_large = n * limits.element_bytes > cost::OVERLAPPING_TILE_BYTES;
    if limits.is_exact || !is_large || !cost::fills(n, transform.batch_count(), limits.compute_units) {
        return None;
    }
    let choice = candidates(transform, device, &[ROWS]).pop()?;
    choice.realise(transform, device).is_ok().then_some(choice)
}

/// The choices there are, with so many rows a thread: the best is the last one. Nothing for transforms that do not follow
/// each other without gaps, and on devices that cannot.
pub(super) fn candidates(transform: &Transform, device: &DeviceInfo, rows: &[usize]) -> Vec<Choice> {
    if !is_there(device) || !planner::is_packed(transform) {
        return Vec::new();
    }
    let bits = transform.points().ilog2();
    let of_rows = |rows: &usize| {
        let stages = cost::split(bits, rows.ilog2().min(bits));
        let reversed = stages.iter().rev().copied().collect();
        let choice = |stages| Choice {
            passes: vec![PassChoice { columns: 1, per_thread: *rows, stages, loading: Loading::Ahead }],
            cluster: None,
        };
        [choice(stages), choice(reversed)]
    };
    rows.iter().flat_map(of_rows).collect()
}

impl Pass {
    /// Bytes of local memory where the next tile's input arrives.
    pub(super) fn ahead_bytes(&self, element_bytes: usize) -> usize {
        if self.tile.ahead { self.radix * self.tile.columns * element_bytes + BESIDE_BYTES } else { 0 }
    }

    /// Whether each tile is a contiguous part of the input.
    fn has_contiguous_tiles(&self) -> bool {
        let [column] = self.columns[..] else { return false };
        self.row_strides.0 == 1
            && (column.n == 1 || column.input_stride == self.radix)
            && column.n.is_multiple_of(self.tile.columns)
    }

    /// Checks that what is fetched ahead can be.
    pub(super) fn check_ahead(&self, algebra: Algebra, device: &DeviceInfo) -> Result<()> {
        if !self.tile.ahead {
            return Ok(());
        }
        let what = "a pass that fetches ahead";
        if !is_there(device) {
            return Err(Error::unsupported(format!("{what} on {}", device.id), "the device has no bulk copies"));
        }
        let is_alone = (self.source, self.target) == (Place::Input, Place::Output);
        let bytes = self.radix * self.tile.columns * algebra.element_bytes();
        let is_plain = self.tile.stages.len() > 1
            && !algebra.has_digits()
            && self.planes.is_none()
            && self.tile.load != Lanes::Flat;
        if is_alone && is_plain && self.has_contiguous_tiles() && bytes.is_multiple_of(UNIT_BYTES) {
            return Ok(());
        }
        Err(Error::InvalidTransform(format!(
            "{what} is alone and reads contiguous tiles of numbers, multiples of {UNIT_BYTES} bytes; this one reads {} columns \
             of {} points at a time",
            self.tile.columns, self.radix
        )))
    }
}
