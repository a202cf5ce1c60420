//! Fetching ahead: a work-group stays for one tile after another, and the input of the next one is on its way into local
//! memory while it computes. So it is for tiles that fill a compute unit, where no other work-group is there to use the
//! time in which one waits; and for the crews of a ring, which stay anyway.
//!
//! The copies are the device's own (NVIDIA, "PTX ISA", from sm_90 on): `cp.async.bulk` of contiguous bytes, where
//! transforms follow each other without gaps, and `cp.async.bulk.tensor` of boxes of an array, for rows that lie apart.

use crate::algebra::Algebra;
use crate::device_info::DeviceInfo;
use crate::error::{Error, Result};

use super::super::choice::{Choice, Launches, Loading, PassChoice};
use super::super::cost::{self, Limits};
use super::super::load::Load;
use super::super::pass::follow_each_other;
use super::super::recipe::{Lanes, Pass, Place};
use super::boxes::{Array, MOST_DIMS, UNIT_BYTES};
use super::crews::MOST_PIECES;

/// Local memory that the kernel has beside its tile: the count of what has arrived, and what aligns the tiles.
const BESIDE_BYTES: usize = 256;

/// Bytes of the lists of where the pieces of a tile go in a near ring, and where they come from.
const PLACES_BYTES: usize = 2 * MOST_PIECES * size_of::<u32>();

/// Rows of a thread: so many make two exchanges of the transforms that are fetched ahead, instead of three.
pub(super) const ROWS: usize = 32;

/// The choice for a batch of transforms without gaps where it is worth it: they fill the device, and one fills a compute
/// unit.
pub(super) fn choose(n: usize, batch: usize, device: &DeviceInfo, limits: &Limits) -> Option<Choice> {
    let bytes = n * limits.element_bytes;
    // Beside what is fetched, a component at a time is exchanged, with paddings.
    let room = bytes + bytes / limits.components / 16 * 17 + BESIDE_BYTES;
    let fits = device.has_bulk_copies() && n / ROWS <= limits.max_group && room <= limits.tile_bytes;
    let pays = !limits.is_exact
        && bytes > cost::OVERLAPPING_TILE_BYTES
        && Load::Full.is_reached(n, batch, limits.compute_units);
    if fits && pays { candidates(n, ROWS).into_iter().next_back() } else { None }
}

/// The choices there are, with so many rows a thread: the best is the last one.
pub(super) fn candidates(n: usize, rows: usize) -> [Choice; 2] {
    let bits = n.ilog2();
    let stages = cost::split(bits, rows.ilog2().min(bits));
    let reversed = stages.iter().rev().copied().collect();
    [stages, reversed].map(|stages| Choice {
        passes: vec![PassChoice { loading: Loading::Ahead, ..PassChoice::new(1, rows, stages) }],
        launches: Launches::Apart,
    })
}

impl Pass {
    /// Whether the tile's input arrives where the exchanges are, as soon as they need that memory no more: so it is in a
    /// ring. A pass that is alone has memory for both.
    pub(crate) fn arrives_in_tile(&self) -> bool {
        [self.source, self.target].contains(&Place::Ring)
    }

    /// Bytes of local memory that fetching ahead takes beside that of the exchanges.
    pub(in crate::plan) fn ahead_bytes(&self, element_bytes: usize) -> usize {
        match self.hopper.ahead {
            _ if self.arrives_in_tile() => BESIDE_BYTES + PLACES_BYTES,
            false => 0,
            true => self.tile_points() * element_bytes + BESIDE_BYTES,
        }
    }

    /// The array whose boxes are fetched, where tiles are not contiguous.
    pub(crate) fn boxes(&self) -> Option<Array> {
        if self.hopper.ahead && !self.has_contiguous_tiles() { self.array() } else { None }
    }

    /// Whether each tile is a contiguous part of the source, one after the other.
    pub(crate) fn has_contiguous_tiles(&self) -> bool {
        self.row_strides.0 == 1
            && self.hopper.share.is_none()
            && self.columns.first().is_some_and(|column| column.n.is_multiple_of(self.tile.columns))
            && follow_each_other(&self.columns, self.radix, |column| column.input_stride)
    }

    /// Checks that what is fetched ahead can be.
    pub(super) fn check_ahead(&self, algebra: Algebra, device: &DeviceInfo) -> Result<()> {
        if !self.hopper.ahead {
            return Ok(());
        }
        let what = "a pass that fetches ahead";
        if !device.has_bulk_copies() {
            return Err(Error::unsupported(format!("{what} on {}", device.id), "the device has no bulk copies"));
        }
        let bytes = self.tile_points() * algebra.element_bytes();
        let is_plain = !algebra.has_digits() && self.planes.is_none() && self.tile.load != Lanes::Flat;
        let is_contiguous = || self.has_contiguous_tiles() && bytes.is_multiple_of(UNIT_BYTES);
        let is_box = || self.boxes().is_some_and(|array| array.can_be_copied(algebra.element_bytes()));
        let is_copied = match (self.source, self.target) {
            // The next tile is asked for at an exchange.
            (Place::Input, Place::Output) => self.tile.stages.len() > 1 && is_contiguous(),
            (Place::Input, Place::Ring) => is_box(),
            (Place::Ring, Place::Output) => is_contiguous(),
            _ => false,
        };
        if is_plain && is_copied {
            return Ok(());
        }
        Err(Error::InvalidTransform(format!(
            "{what} reads tiles of numbers that are contiguous, or boxes of at most {MOST_DIMS} dimensions, in multiples of \
             {UNIT_BYTES} bytes; this one reads {} columns of {} points at a time",
            self.tile.columns, self.radix
        )))
    }
}
