//! Fetching ahead: a work-group stays for one tile after another, and the input of the next one is on its way into local
//! memory while it computes. So it is for tiles that fill a compute unit, where no other work-group is there to use the
//! time in which one waits.
//!
//! The copies are the device's own (NVIDIA, "PTX ISA", `cp.async.bulk`, from sm_90 on), of contiguous bytes; so the
//! transforms have to follow each other without gaps.

use crate::algebra::Algebra;
use crate::device_info::DeviceInfo;
use crate::error::{Error, Result};

use super::choice::{Choice, Loading, PassChoice};
use super::cost::{self, Limits};
use super::recipe::{Lanes, Pass, Place};

/// What bulk copies move is a multiple of this.
const UNIT_BYTES: usize = 16;

/// Local memory that the kernel has beside its tile: the count of what has arrived, and what aligns the tiles.
const BESIDE_BYTES: usize = 256;

/// Rows of a thread: so many make two exchanges of the transforms that are fetched ahead. With 16 and twice the threads,
/// f32 transforms of 2^14 points took 1.34 copies instead of 1.12.
pub(super) const ROWS: usize = 32;

/// The choice for a batch of transforms without gaps where it is worth it: they fill the device, and one fills a compute
/// unit.
pub(super) fn choose(n: usize, batch: usize, device: &DeviceInfo, limits: &Limits) -> Option<Choice> {
    let bytes = n * limits.element_bytes;
    // Beside what is fetched, a component at a time is exchanged, with paddings.
    let room = bytes + bytes / limits.components / 16 * 17 + BESIDE_BYTES;
    let fits = device.has_bulk_copies() && n / ROWS <= limits.max_group && room <= limits.tile_bytes;
    let pays = !limits.is_exact && bytes > cost::OVERLAPPING_TILE_BYTES && cost::fills(n, batch, limits.compute_units);
    if fits && pays { candidates(n, ROWS).into_iter().next_back() } else { None }
}

/// The choices there are, with so many rows a thread: the best is the last one.
pub(super) fn candidates(n: usize, rows: usize) -> [Choice; 2] {
    let bits = n.ilog2();
    let stages = cost::split(bits, rows.ilog2().min(bits));
    let reversed = stages.iter().rev().copied().collect();
    [stages, reversed].map(|stages| Choice {
        passes: vec![PassChoice { columns: 1, per_thread: rows, stages, loading: Loading::Ahead }],
        cluster: None,
    })
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
        if !device.has_bulk_copies() {
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
