//! Recipes: how a transform is computed, as plain data that can be read, tested, stored and compared.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::algebra::{Scale, WordField};
use crate::transform::Transform;

use super::ends::Ends;
use super::hopper::{Hopper, Ring};
use super::rader::Rader;
use super::twiddles::TwiddleSource;

/// How a transform is computed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// What is computed.
    pub transform: Transform,
    /// How.
    pub method: Method,
    /// Elements of workspace.
    pub workspace_len: usize,
    /// How many entries of the outermost batch dimension go through the passes of a [convolution](Method::Convolution) at a time, whose
    /// workspace is as long as they take; without it, all.
    #[serde(default)]
    pub chunk: Option<usize>,
    /// The crews that take both of a recipe's two passes in one launch, through a ring in the workspace.
    #[serde(default)]
    pub ring: Option<Ring>,
    /// For entries of the outermost batch dimension that are over fields of their own: those, of which the transform names one. What
    /// kernels take of each is data.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moduli: Vec<WordField>,
}

/// The ways of computing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Method {
    /// By the host's library and codelets.
    Host,
    /// By kernels in this order, one a pass, or one for two passes that exchange through a cluster.
    Passes(Vec<Pass>),
    /// By a convolution that takes several passes, there and back: as many after the middle one as before it. It is one with a chirp
    /// (Bluestein), or the one that a transform [asks for](Transform::filtered).
    Convolution(Vec<Pass>),
    /// Dimension after dimension, in this order.
    Axes(Vec<Axis>),
}

/// What is done along one dimension of several: the others are its batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Axis {
    /// The input, the output, or the start of the workspace; where it reads.
    pub source: Place,
    /// Where it writes.
    pub target: Place,
    /// How it is computed. Its workspace is behind what lies between the dimensions in the workspace.
    pub recipe: Recipe,
}

/// One round trip through device memory, or half of one if it shares a launch: DFTs of length `radix` along one digit of
/// the index ("rows"), for every value of the other digits ("columns").
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pass {
    /// Where it reads.
    pub source: Place,
    /// Where it writes.
    pub target: Place,
    /// For a planar source, in which the components of an element lie in planes of their own: the distance between
    /// those, in words.
    #[serde(default)]
    pub planes: Option<usize>,
    /// The length R of its DFTs, or of the convolutions that they are.
    pub radix: usize,
    /// For DFTs that are convolutions with a chirp (Bluestein): their length, at most (R + 1)/2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chirp: Option<usize>,
    /// For DFTs of a prime length that are convolutions of one point less (Rader).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rader: Option<Rader>,
    /// For such a convolution beside others, as one stage of longer DFTs: how many of the tile's stages are before
    /// it, and after it.
    #[serde(default, skip_serializing_if = "is_whole")]
    pub beside: [usize; 2],
    /// For the middle pass of DFTs that are convolutions with a chirp in [several passes](Method::Convolution): their length. It goes its
    /// stages twice, with a product between.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub middle: Option<usize>,
    /// Whether it transforms there and back, with what the transform [asks for](Transform::filtered) between.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub filter: bool,
    /// For arrays of several dimensions in one tile: their lengths.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub array: Vec<usize>,
    /// For numbers in the input, or in the output, that are no points of the DFT: how they make them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends: Option<Ends>,
    /// Distance between rows in the source and in the target, in elements.
    pub row_strides: (usize, usize),
    /// The other digits of the index, the one that neighbouring threads share out first; the last may have any count.
    pub columns: Vec<Column>,
    /// The factors applied to the input, if any.
    pub twiddle: Option<Twiddle>,
    /// The factor applied to the output.
    pub scale: Scale,
    /// How a work-group shares the work.
    pub tile: Tile,
    /// What only Hopper has of it.
    #[serde(default, skip_serializing_if = "Hopper::is_none")]
    pub hopper: Hopper,
}

/// Where a pass reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// The caller's input.
    Input,
    /// The caller's output.
    Output,
    /// The workspace.
    Workspace,
    /// A ring in the workspace, between two passes of one launch: where all that they exchange would lie, if the ring were
    /// as long.
    Ring,
    /// The local memories of a cluster of work-groups, between two passes of one launch.
    Cluster,
}

/// A digit of the index that a pass does not transform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Column {
    /// The number of values.
    pub n: usize,
    /// Distance in the source, in elements.
    pub input_stride: usize,
    /// Distance in the target, in elements.
    pub output_stride: usize,
    /// Its weight in the twiddle exponent.
    pub weight: usize,
}

/// Row i of the column with digits d is multiplied by ω_order^(i · Σ weight·d).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Twiddle {
    /// The order of the root.
    pub order: usize,
    /// The root is looked up as coarse\[e / split\] · fine\[e mod split\]; with [all](Self::table_order) in it there is one table, and
    /// where the coarse roots cost no product they are not looked up.
    pub split: usize,
    /// Where the root comes from.
    pub source: TwiddleSource,
    /// Whether it is ω_(2·order)^(i · (2·Σ weight·d + 1)): that of a negacyclic transform, whose powers of the coset's number are
    /// in it.
    #[serde(default)]
    pub odd: bool,
}

impl Twiddle {
    /// The order of the roots in its tables.
    pub fn table_order(&self) -> usize {
        if self.odd { 2 * self.order } else { self.order }
    }

    /// Whether a row takes one product by a root that is looked up, beside a free root of such an order.
    pub(crate) fn is_one_product(&self, free: usize) -> bool {
        free > 1 && self.split * free >= self.order
    }
}

/// How a work-group shares the work of a pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tile {
    /// Columns of a work-group.
    pub columns: usize,
    /// Rows that a thread holds in registers.
    pub per_thread: usize,
    /// The radices of the stages; their product is the pass's radix.
    pub stages: Vec<usize>,
    /// Which neighbours of the first stage's threads are neighbours in memory.
    pub load: Lanes,
    /// The same for the last stage.
    pub store: Lanes,
    /// How each exchange between two stages is laid out in local memory.
    pub exchanges: Vec<Padding>,
    /// Registers that a thread should not exceed, so that enough work-groups run side by side.
    pub registers: usize,
    /// How an exchange that is too large for local memory goes in rounds.
    pub rounds: Rounds,
    /// Whether elements of digits go through local memory on their way from the source, and on that to the target.
    #[serde(default)]
    pub staged: [bool; 2],
    /// Whether neighbouring threads of a warp give each other halves of the sectors that they store.
    #[serde(default)]
    pub sectors: bool,
    /// What the arithmetic works on.
    #[serde(default)]
    pub arithmetic: Arithmetic,
    /// Where the roots of unity between stages come from.
    #[serde(default)]
    pub roots: StageRoots,
    /// Threads that hold an element together, so many digits each; what is said of threads elsewhere is of teams then.
    #[serde(default = "alone")]
    pub team: usize,
}

fn is_whole(beside: &[usize; 2]) -> bool {
    *beside == [0; 2]
}

fn alone() -> usize {
    1
}

/// What the arithmetic of a kernel works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arithmetic {
    /// Components, one by one.
    #[default]
    Scalar,
    /// Vectors of an element's components, wherever both are computed alike.
    Vectors,
}

/// Where a thread has the roots of unity from that its rows are multiplied by between two stages, r − 1 for a butterfly of
/// r rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StageRoots {
    /// Each is looked up.
    #[default]
    Lookups,
    /// About 2·√r are looked up, and the others are products of two of them.
    Products,
    /// Each is looked up, and with it the quotient that spares half of a product modulo a prime of one word, and a quarter modulo one of
    /// a few (Shoup). So are the powers of a coset's number, and twiddles of the pass that are looked up for one product.
    Pairs,
}

/// The rounds of an exchange: each moves some components, or all, of one slice of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rounds {
    /// How many components of an element go at a time, each in a plane of its own; all, side by side, if it is nothing.
    pub planes: Option<usize>,
    /// The number of slices of the rows.
    pub slices: usize,
}

impl Rounds {
    /// Everything at once.
    pub const ONE: Self = Self { planes: None, slices: 1 };

    /// How many there are, for elements of so many components.
    pub(super) fn count(self, components: usize) -> usize {
        let turns = self.planes.map_or(1, |planes| components / planes.max(1));
        turns.saturating_mul(self.slices).max(1)
    }
}

/// The order of the threads of a work-group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Lanes {
    /// Neighbouring threads hold neighbouring rows of one column.
    Rows,
    /// Neighbouring threads hold the same row of neighbouring columns.
    Columns,
    /// The tile is one contiguous range, shared out in order: for transforms shorter than a memory transaction. One
    /// more exchange brings the rows to the threads that transform them, or back.
    Flat,
}

/// Row i, column c of a tile stands at place x + (x >> `shift`)·`skip` of local memory, for x = i·`row` + c·`column`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Padding {
    /// Distance between rows.
    pub row: usize,
    /// Distance between columns.
    pub column: usize,
    /// Every 2^shift places …
    pub shift: u32,
    /// … so many are skipped.
    pub skip: usize,
}

impl Padding {
    /// Column after column, without gaps.
    pub(super) fn packed(rows: usize) -> Self {
        Self { row: 1, column: rows, shift: 0, skip: 0 }
    }

    /// Places that so many rows and columns take; all there are if they take more.
    pub(super) fn len(&self, rows: usize, columns: usize) -> usize {
        let along = |count: usize, distance: usize| count.saturating_sub(1).saturating_mul(distance);
        let x = along(rows, self.row).saturating_add(along(columns, self.column));
        let skipped = x.checked_shr(self.shift).unwrap_or(0).saturating_mul(self.skip);
        x.saturating_add(skipped).saturating_add(1)
    }

    /// The place of a row and column.
    pub fn place(&self, row: usize, column: usize) -> usize {
        let x = row * self.row + column * self.column;
        x + (x >> self.shift) * self.skip
    }
}

impl Recipe {
    /// The recipe for the host.
    pub fn host(transform: &Transform) -> Self {
        let (transform, moduli) = (transform.clone(), Vec::new());
        Self { transform, method: Method::Host, workspace_len: 0, chunk: None, ring: None, moduli }
    }

    /// The passes; none on the host, and none of several dimensions, of which [each](Self::axes) has some.
    pub fn passes(&self) -> &[Pass] {
        match &self.method {
            Method::Host | Method::Axes(_) => &[],
            Method::Passes(passes) | Method::Convolution(passes) => passes,
        }
    }

    /// Points of the DFT that the passes make, or of the convolution.
    pub fn points(&self) -> usize {
        let passes = self.passes();
        let there = if matches!(self.method, Method::Convolution(_)) { passes.len() / 2 + 1 } else { passes.len() };
        passes[..there].iter().map(Pass::points).fold(1, usize::saturating_mul)
    }

    /// What is done along each of several dimensions; nothing for one.
    pub fn axes(&self) -> &[Axis] {
        match &self.method {
            Method::Axes(axes) => axes,
            _ => &[],
        }
    }

    /// Trips through device memory: the least time that it can take, in copies of the data. None on the host.
    pub fn trips(&self) -> usize {
        let own = if self.ring.is_some() { 1 } else { self.launches().len() };
        self.axes().iter().map(|axis| axis.recipe.trips()).fold(own, usize::saturating_add)
    }

    /// The passes of each launch, which is one trip through memory: one, or two that exchange through a cluster. None on
    /// the host. The two that go through a [ring](Recipe::ring) stand apart here, though one kernel does both.
    pub fn launches(&self) -> Vec<Range<usize>> {
        let mut launches: Vec<Range<usize>> = Vec::new();
        for (number, pass) in self.passes().iter().enumerate() {
            match launches.last_mut().filter(|_| pass.source == Place::Cluster) {
                Some(launch) => launch.end = number + 1,
                None => launches.push(number..number + 1),
            }
        }
        launches
    }
}
