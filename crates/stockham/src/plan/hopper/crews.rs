//! The work-groups that take two passes of one launch together, and the ring in memory that is between the passes.

use serde::{Deserialize, Serialize};

use crate::transform::{Kind, Transform};

/// Transforms with intermediate results that a crew has at a time: the one that is written and the one that is read.
pub(crate) const SLOTS: usize = 2;

/// Bytes of memory that a crew's count has for itself: a line of the cache.
pub(crate) const COUNT_BYTES: usize = 128;

/// Parts in which a tile lands at most, each of them waited for by itself.
pub(crate) const MOST_LANDINGS: usize = 4;

/// Bytes of memory that are on the same side of the cache, on an H200; the next ones are on the other side.
pub(crate) const SIDE_BYTES: usize = 4 << 10;

/// Pieces of a tile at most: work-groups have a list of where they are.
pub(super) const MOST_PIECES: usize = 256;

/// Work-groups of a crew that is small. They may keep what they have for themselves (of more, each has too little), and they
/// tell late what they have stored.
pub(super) const SMALL_CREW: usize = 16;

/// How the transforms of a batch are shared out among the crews.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sharing {
    /// Crew c takes transforms c, c + crews, and so on.
    #[default]
    Even,
    /// The same in two parts: as many crews as can be are of work-groups that came first to their units, which go before those
    /// that came second, and take more of the transforms.
    ByAge,
    /// A crew draws its transforms, as soon as it is done with others, so that faster ones take more.
    Drawn,
}

/// What a crew of work-groups that came first to their units takes for so many transforms of another, so that both are
/// done at the same time.
pub(crate) const SHARES: (usize, usize) = (6, 5);

/// The crews of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ring {
    /// Work-groups of a crew: tiles of a transform, in either pass.
    pub crew: usize,
    /// The number of crews.
    pub crews: usize,
    /// For a ring that is near to its crews: the work-groups of the launch. They are as many as there is room for, so that
    /// there are crews on either side of the cache; those that are left over have nothing to do.
    #[serde(default)]
    pub near: Option<usize>,
    /// Whether a work-group of a near ring keeps in local memory what it has for itself, instead of storing and fetching it.
    #[serde(default)]
    pub keeps: bool,
    /// How the crews share the transforms.
    #[serde(default)]
    pub sharing: Sharing,
    /// Whether the threads load the tiles of the first pass, instead of having them fetched: those of half spectra, which begin
    /// anywhere.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub loads: bool,
}

/// How the tiles of a near ring are cut up, in points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pieces {
    /// Work-groups of a crew.
    pub crew: usize,
    /// Those of a tile.
    pub tile: usize,
    /// What a work-group has for another.
    pub block: usize,
    /// What of a block is on one side of the cache.
    pub piece: usize,
    /// Whether the block that a work-group has for itself stays in its local memory.
    pub keeps: bool,
}

impl Pieces {
    /// Pieces of a tile.
    pub fn count(&self) -> usize {
        self.tile / self.piece
    }

    /// Points that a work-group keeps of both transforms that are between its passes.
    pub fn kept(&self) -> usize {
        if self.keeps { SLOTS * self.block } else { 0 }
    }

    /// In how many parts a tile lands.
    pub fn landings(&self) -> usize {
        MOST_LANDINGS.min(self.crew)
    }
}

/// Elements of a transform between its passes: of real numbers two make one.
pub(crate) fn points_of(transform: &Transform) -> usize {
    transform.points() / if transform.kind == Kind::Real { 2 } else { 1 }
}

impl Ring {
    /// Work-groups of the launch.
    pub(crate) fn groups(self) -> usize {
        self.near.unwrap_or(self.crews * self.crew)
    }

    /// Whether work-groups tell what they have stored when they have met at their next tile, instead of letting a warp wait for
    /// the others at once. The others wait for that warp at the next barrier, and a small crew waits less than they do.
    pub(crate) fn tells_late(self) -> bool {
        self.near.is_some() && self.crew <= SMALL_CREW
    }

    /// How tiles are cut up in a near ring.
    pub(crate) fn pieces(self, transform: &Transform) -> Option<Pieces> {
        self.near?;
        let tile = points_of(transform).checked_div(self.crew)?;
        let block = tile.checked_div(self.crew)?;
        let piece = block.min(SIDE_BYTES / transform.algebra.element_bytes());
        Some(Pieces { crew: self.crew, tile, block, piece, keeps: self.keeps })
    }

    /// Pairs of [`SIDE_BYTES`] each that a crew has in a near ring.
    pub(crate) fn pairs(self, transform: &Transform) -> usize {
        points_of(transform).saturating_mul(transform.algebra.element_bytes()).div_ceil(SIDE_BYTES)
    }

    /// Elements of the workspace before the crews' counts: the ring, which begins at a multiple of [`COUNT_BYTES`] bytes, a
    /// near one at a multiple of a pair's.
    pub(crate) fn len(self, transform: &Transform) -> usize {
        let element_bytes = transform.algebra.element_bytes();
        if self.near.is_some() {
            let pairs = self.pairs(transform).saturating_mul(self.crews).saturating_add(1);
            return pairs.saturating_mul(2 * SIDE_BYTES / element_bytes);
        }
        let slots = self.crews.saturating_mul(SLOTS).saturating_mul(points_of(transform));
        slots.saturating_add(COUNT_BYTES / element_bytes)
    }

    /// Bytes behind the ring that are zero at first: the crews' counts, and those of work-groups on either side and of transforms
    /// that have been drawn.
    pub(crate) fn count_bytes(self) -> usize {
        self.crews.saturating_add(1).saturating_mul(COUNT_BYTES)
    }

    /// Elements of the workspace: a near ring has a byte for every pair, too.
    pub(crate) fn workspace_len(self, transform: &Transform) -> usize {
        let sides = if self.near.is_some() { self.pairs(transform).saturating_mul(self.crews) } else { 0 };
        let bytes = self.count_bytes().saturating_add(sides);
        self.len(transform).saturating_add(bytes.div_ceil(transform.algebra.element_bytes()))
    }
}
