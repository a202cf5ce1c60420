//! What of a pass only Hopper has, as plain data.

use serde::{Deserialize, Serialize};

use crate::algebra::Algebra;

use super::super::index::Index;
use super::super::recipe::{Padding, Pass};

/// What of a pass only devices with clusters and bulk copies have; by default nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Hopper {
    /// For a source in the local memories of a cluster: where it is received there. The strides in the source are
    /// then those of the array that it would otherwise have been.
    #[serde(default)]
    pub cluster: Option<Cluster>,
    /// In a launch of clusters: the share that the work-group has of what the cluster shares out.
    #[serde(default)]
    pub share: Option<Share>,
    /// Whether the work-group stays for one tile after another, and fetches the next one's input while it computes.
    #[serde(default)]
    pub ahead: bool,
    /// In the second pass of a ring: how many points of the next tile come while the exchanges go on, to the start of local
    /// memory; these go on behind them, in rounds. The others come when the exchanges are over.
    #[serde(default)]
    pub early: usize,
    /// Whether the last stage, of radix 2, has its rows without an exchange through local memory: of neighbouring threads each
    /// gives the other half of its rows.
    #[serde(default)]
    pub swaps: bool,
}

impl Hopper {
    /// Whether there is nothing of it.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// The share of a work-group in the columns of its cluster: some values of one of the first two digits, for each of the
/// values that the tile has of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// The digit that is shared out, 0 or 1: the radix of the other pass of the launch.
    pub digit: usize,
    /// The values of it that a work-group has.
    pub values: usize,
    /// Whether the values that the tile has of the other digit are some and their mirror images, as the pass at the
    /// half spectrum wants them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub images: bool,
}

/// Where the second of two passes receives the results of the first, in the local memories of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cluster {
    /// Work-groups of the cluster.
    pub blocks: usize,
    /// Where a row and a column of the second pass stand in local memory, from the start on.
    pub padding: Padding,
    /// The first place of what is received. Those before it are for exchanges of the first pass, while a faster work-group
    /// may be sending already; exchanges of the second pass go where it received.
    pub start: usize,
    /// Which of the launch's exchanges through the cluster it is.
    #[serde(default, skip_serializing_if = "is_first")]
    pub exchange: usize,
}

fn is_first(exchange: &usize) -> bool {
    *exchange == 0
}

impl Cluster {
    /// Whether work-groups store plainly what they have for themselves. All that goes from one local memory to another takes a
    /// network, and by `st.async` what a work-group keeps as well. Of elements of 8 bytes there are twice as many, and conditions,
    /// which pays where much is kept: in small clusters.
    pub(crate) fn stores_own(blocks: usize, element_bytes: usize) -> bool {
        element_bytes >= 16 || blocks <= 4
    }

    /// Places of local memory of each group, for both passes.
    pub fn tile_len(&self, second: &Pass, algebra: Algebra) -> usize {
        let received = self.padding.len(second.radix, second.tile.columns);
        self.start.saturating_add(received.max(second.tile_len(algebra)))
    }
}

impl Pass {
    /// Whether the pass after it, in the same launch, receives where this one has received or has its exchanges. Then nobody may
    /// send anything before all are done with these.
    pub(crate) fn sends_where_it_works(&self, second: &Self, algebra: Algebra) -> bool {
        let Some(cluster) = second.hopper.cluster else { return false };
        let received = cluster.start..cluster.start + cluster.padding.len(second.radix, second.tile.columns);
        let works = match self.hopper.cluster {
            Some(own) => own.start..own.tile_len(self, algebra),
            None => 0..self.tile_len(algebra),
        };
        received.start < works.end && works.start < received.end
    }

    /// In a launch of clusters: how many values a tile has of the digit that the cluster does not share out.
    pub fn wide(&self) -> usize {
        self.hopper.share.map_or(1, |share| self.tile.columns / share.values.max(1))
    }

    /// Half of the values that a tile has of that digit, if they are some and their images, the images behind.
    pub(crate) fn half_of_wide(&self) -> Option<usize> {
        self.hopper.share.filter(|share| share.images).map(|_| self.wide() / 2)
    }

    /// The value of the digit that the cluster shares out, among those of the work-group, and that of the other digit, among
    /// those of the tile, that make up a column of the tile.
    pub(crate) fn parts_of_column<I: Index>(&self, column: &I) -> (I, I) {
        let wide = self.wide();
        match (self.hopper.share, self.half_of_wide()) {
            (_, Some(half)) if self.has_images() => {
                let (behind, within) = (column.quotient(half * self.values()), column.remainder(half * self.values()));
                (within.quotient(half), within.remainder(half).sum(&behind.multiple(half)))
            }
            (Some(Share { digit: 0, values, .. }), _) if wide > 1 => {
                (column.remainder(values), column.quotient(values))
            }
            _ if wide == 1 => (column.clone(), column.multiple(0)),
            _ => (column.quotient(wide), column.remainder(wide)),
        }
    }

    /// The column of the tile that these values make up.
    pub fn column_of_parts(&self, shared: usize, other: usize) -> usize {
        match (self.hopper.share, self.half_of_wide()) {
            (_, Some(half)) if self.has_images() => other / half * half * self.values() + shared * half + other % half,
            (Some(Share { digit: 0, values, .. }), _) => shared + other * values,
            _ => shared * self.wide() + other,
        }
    }

    /// The values that the work-group has of the digit that the cluster shares out.
    fn values(&self) -> usize {
        self.hopper.share.map_or(1, |share| share.values)
    }
}
