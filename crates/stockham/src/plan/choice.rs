//! What there is to choose about a transform of a power of two, as plain data that can be stored and compared. All the
//! rest of a recipe follows from it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::device_info::DeviceInfo;
use crate::error::{Error, Result};
use crate::transform::Transform;

use super::planner;
use super::recipe::Recipe;
use super::{realise, realise_in_clusters};

/// What a planner chooses for a transform, whatever its batch, strides, placement and direction.
///
/// It is written pass by pass, as [`PassChoice`] is, with `c8/` before it for clusters of eight work-groups:
/// `16x16x16.16/16x16x16.16`, `c8/32x16x16.16/32x16x16.16`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Choice {
    /// The passes, in their order.
    pub passes: Vec<PassChoice>,
    /// Work-groups of the cluster in which two passes share a launch; without it each pass is a launch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<usize>,
}

/// What there is to choose about a pass; its radix is the product of the stages.
///
/// It is written COLUMNSxROWSxSTAGE.STAGE…, with an `f` behind it for a flat tile: `16x16x16.16`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PassChoice {
    /// Columns of a tile.
    pub columns: usize,
    /// Rows that a thread holds.
    pub per_thread: usize,
    /// The radices of the stages.
    pub stages: Vec<usize>,
    /// Whether the tile is loaded and stored as one contiguous range ([`Lanes::Flat`](super::Lanes::Flat)).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flat: bool,
}

impl Choice {
    /// The recipe for a transform on a device. Tiles are flat only where the transforms follow each other without gaps.
    ///
    /// # Errors
    /// [`Error::InvalidTransform`] if the choice is one for another length, or the device cannot hold its tiles;
    /// [`Error::Unsupported`] if the device does not execute the transform, or has no such clusters.
    pub fn realise(&self, transform: &Transform, device: &DeviceInfo) -> Result<Recipe> {
        transform.validate()?;
        planner::check(transform, device)?;
        let mut passes = self.passes.clone();
        if passes.len() > 1 || !planner::is_packed(transform) {
            passes.iter_mut().for_each(|pass| pass.flat = false);
        }
        match self.cluster {
            None => realise(transform, device, &passes),
            Some(blocks) => {
                let pair = passes.try_into().map_err(|passes: Vec<_>| {
                    Error::InvalidTransform(format!("{} passes cannot share a cluster", passes.len()))
                })?;
                realise_in_clusters(transform, device, blocks, &pair)
            }
        }
    }
}

impl PassChoice {
    /// The length of the pass's DFTs; nothing if it is beyond all numbers.
    pub(super) fn radix(&self) -> Option<usize> {
        self.stages.iter().try_fold(1usize, |product, &radix| product.checked_mul(radix))
    }

    /// Whether it is a pass at all, with work-groups of at most so many threads.
    pub(super) fn is_sound(&self, max_group: usize) -> bool {
        let Some(radix) = self.radix() else { return false };
        let held = |r: &usize| crate::codelet::RADICES.contains(r) && self.per_thread.is_multiple_of(*r);
        (1..=MOST_ROWS).contains(&self.per_thread)
            && radix.is_multiple_of(self.per_thread)
            && self.stages.iter().all(held)
            && self.columns > 0
            && (radix / self.per_thread).saturating_mul(self.columns) <= max_group
    }
}

/// Rows of a thread at most: more would make kernels without end.
const MOST_ROWS: usize = 64;

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(blocks) = self.cluster {
            write!(f, "c{blocks}/")?;
        }
        let passes: Vec<String> = self.passes.iter().map(ToString::to_string).collect();
        f.write_str(&passes.join("/"))
    }
}

impl fmt::Display for PassChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stages: Vec<String> = self.stages.iter().map(ToString::to_string).collect();
        let stages = if stages.is_empty() { "1".into() } else { stages.join(".") };
        let flat = if self.flat { "f" } else { "" };
        write!(f, "{}x{}x{stages}{flat}", self.columns, self.per_thread)
    }
}
