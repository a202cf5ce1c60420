//! What there is to choose about a transform, as plain data that can be stored and compared. All the
//! rest of a recipe follows from it.

mod text;

use super::beside::{inner, parts};
use super::pass::rows_of;

/// What a planner chooses for a transform, whatever its batch, strides, placement and direction.
///
/// It is written pass by pass, as [`PassChoice`] is, with what [`Launches`] there are before it:
/// `16x16x16.16/16x16x16.16`, `c8/32x16x16.16/32x16x16.16`, `c8x5/128x32x32/4x32x32.32`. So it stands in files, too. What is
/// written is read as the same choice, and nothing else is read; without passes it is none, which neither is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Choice {
    /// The passes, in their order.
    pub passes: Vec<PassChoice>,
    /// Which of them share a launch.
    pub launches: Launches,
}

/// Which passes share a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Launches {
    /// Each is one.
    #[default]
    Apart,
    /// Two make one, in clusters of work-groups: `c8/`.
    Clusters(Clusters),
    /// There are two, and both make one, through a [ring](super::Ring) in memory: `r/`.
    Ring,
    /// The same, through a ring that is near to its crews: `n/`.
    NearRing,
    /// Each is one, and they make a convolution, there and back, with a chirp (Bluestein): `b/`.
    Chirp,
    /// They make such a convolution, or a filter, all three in one launch of clusters: `bc8/`, or `bc8x5/`.
    ChirpClusters(Clusters),
}

/// The clusters of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Clusters {
    /// Work-groups of a cluster.
    pub blocks: usize,
    /// Work-groups that a unit shall have registers for, where that is not left to the planner: `c8x5/`. With more of them,
    /// threads have fewer registers.
    pub side_by_side: Option<usize>,
}

/// What there is to choose about a pass; its DFTs are as long as the product of the stages, or shorter by a chirp.
///
/// It is written COLUMNSxROWSxSTAGE.STAGE…, with the length behind it where that is made by a chirp, a letter for a [`Loading`] that
/// is not direct, one for products, and one before how many work-groups are side by side: `16x16x16.16`, `2x9x9.16.15b1009`, `64x4x4f`,
/// `1x32x32.32.16a`, `16x16x16.16ep`, `1x32x32.16.12s2`. No stages are `1`, and a single one of radix 1 is `1.`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PassChoice {
    /// Columns of a tile.
    pub columns: usize,
    /// Rows of a column for each thread of it, rounded up: they make the threads. In a stage a thread has whole butterflies, and
    /// may have more rows.
    pub per_thread: usize,
    /// The radices of the stages.
    pub stages: Vec<usize>,
    /// How the input comes to the threads.
    pub loading: Loading,
    /// Whether roots of unity between its stages are products of a few that are looked up ([`StageRoots::Products`]) also where
    /// the planner would look up all of them: `p`.
    ///
    /// [`StageRoots::Products`]: super::StageRoots::Products
    pub products: bool,
    /// The length of the pass's DFTs where they are convolutions with a chirp (Bluestein), of as many points as the stages make:
    /// `b1009`.
    pub chirp: Option<usize>,
    /// Whether they are of prime length, one point more than the stages make, and convolutions of these (Rader): `r`.
    pub rader: bool,
    /// A convolution may be a stage beside others: how many of the stages are before it, and after it. There is a
    /// `+` between: `1x8x5+6.7r+7`.
    pub beside: [usize; 2],
    /// Work-groups that a unit shall have registers for, where that is not left to the planner: `s4`. With more of them, threads have
    /// fewer registers, but those of their rows at least.
    pub side_by_side: Option<usize>,
}

/// How the input of a tile comes to the threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Loading {
    /// Each thread loads its rows.
    #[default]
    Direct,
    /// The tile is loaded, and stored, as one contiguous range ([`Lanes::Flat`](super::Lanes::Flat)): `f`.
    Flat,
    /// Copies bring it to local memory while the work-group is at the tile before ([`Hopper::ahead`](super::Hopper::ahead)):
    /// `a`.
    Ahead,
    /// The same, and half of the next tile comes while the exchange goes on, by component, in the other half of local memory
    /// ([`Hopper::early`](super::Hopper::early)): `e`.
    Early,
}

impl Choice {
    /// Whether there is a convolution with a chirp in it.
    pub(super) fn has_chirp(&self) -> bool {
        matches!(self.launches, Launches::Chirp | Launches::ChirpClusters(_))
            || self.passes.iter().any(|pass| pass.chirp.is_some())
    }

    /// Work-groups of the largest launch of one transform of n points; none if there are no passes.
    pub(super) fn groups(&self, n: usize) -> usize {
        let groups = |pass: &PassChoice| n.div_ceil(pass.radix().unwrap_or(n).saturating_mul(pass.columns).max(1));
        self.passes.iter().map(groups).max().unwrap_or(0)
    }
}

impl Launches {
    /// Clusters of so many work-groups.
    pub(super) fn clusters(blocks: usize) -> Self {
        Self::Clusters(Clusters { blocks, side_by_side: None })
    }

    /// Whether they go through a ring.
    pub(super) fn is_ring(self) -> bool {
        matches!(self, Self::Ring | Self::NearRing)
    }
}

impl PassChoice {
    /// A pass of such stages, whose threads load their rows, and whose roots come from where the planner takes them.
    pub fn new(columns: usize, per_thread: usize, stages: impl Into<Vec<usize>>) -> Self {
        Self {
            columns,
            per_thread,
            stages: stages.into(),
            loading: Loading::Direct,
            products: false,
            chirp: None,
            rader: false,
            beside: [0; 2],
            side_by_side: None,
        }
    }

    /// The length of the pass's DFTs; nothing if it is beyond all numbers.
    pub(super) fn radix(&self) -> Option<usize> {
        if self.beside == [0; 2] {
            return self.chirp.or_else(|| self.product()?.checked_add(usize::from(self.rader)));
        }
        let [before, points, after] = parts(&self.stages, self.beside);
        let points = self.chirp.or_else(|| points.checked_add(usize::from(self.rader)))?;
        points.checked_mul(before)?.checked_mul(after)
    }

    /// What the stages make that are a convolution, or all.
    pub(super) fn convolved(&self) -> Option<usize> {
        self.product().map(|_| parts(&self.stages, self.beside)[1])
    }

    /// The most rows that a thread has in a stage.
    pub(super) fn most_rows(&self) -> usize {
        let (Some(all), Some(points)) = (self.product(), self.radix()) else { return usize::MAX };
        let (threads, inner) = (all.div_ceil(self.per_thread.max(1)), inner(&self.stages, self.beside));
        let rows = |(s, &r): (usize, &usize)| {
            let is_beside = self.beside != [0; 2] && !inner.contains(&s);
            rows_of(if is_beside { points } else { all }, threads, r)
        };
        self.stages.iter().enumerate().map(rows).max().unwrap_or(self.per_thread)
    }

    /// What the stages make; nothing if it is beyond all numbers.
    pub(super) fn product(&self) -> Option<usize> {
        self.stages.iter().try_fold(1usize, |product, &radix| product.checked_mul(radix))
    }

    /// Whether it is a pass at all, with work-groups of at most so many threads.
    pub(super) fn is_sound(&self, max_group: usize) -> bool {
        let Some(radix) = self.product() else { return false };
        if self.beside != [0; 2] && (!self.rader && self.chirp.is_none() || inner(&self.stages, self.beside).is_empty())
        {
            return false;
        }
        (1..=MOST_ROWS.min(radix)).contains(&self.per_thread)
            && self.stages.iter().all(|r| crate::codelet::RADICES.contains(r))
            && self.most_rows() <= MOST_ROWS
            && self.columns > 0
            && radix.div_ceil(self.per_thread).saturating_mul(self.columns) <= max_group
    }
}

/// Rows of a thread at most: more would make kernels without end.
pub(super) const MOST_ROWS: usize = 64;
