//! How to compute a transform: recipes as plain data, and the planner that writes them.

mod across;
mod ahead;
mod array;
pub(crate) mod axes;
pub mod banks;
mod candidates;
mod chain;
mod check;
pub(crate) mod chirp;
mod choice;
mod choose;
mod chunks;
mod cluster;
mod cluster_shape;
mod cost;
mod crews;
pub(crate) mod ends;
mod explain;
mod free_roots;
pub(crate) mod host;
mod lane_sides;
mod load;
mod mirror;
mod neighbours;
mod pass;
pub(crate) mod plane;
mod planner;
mod reach;
mod realise;
mod recipe;
mod ring;
mod ring_shape;
mod scales;
mod shape;
mod smooth;
mod staging;
mod step;
mod swap;
mod team;
mod twiddles;
pub(crate) mod volume;
mod wisdom;

pub(crate) use array::BOX_WORD;
pub use array::{Array, Extent};
pub use candidates::candidates;
pub use chain::{Chain, FirstStore, Input, chain};
pub use choice::{Choice, Clusters, Launches, Loading, PassChoice};
pub use choose::{choose, plan};
pub use chunks::RING;
pub(crate) use crews::{COUNT_BYTES, MOST_LANDINGS, SHARES, SIDE_BYTES, SLOTS};
pub use crews::{Pieces, Ring, Sharing};
pub use ends::{Ends, Turn};
pub use host::HostBytes;
pub use load::Load;
pub use neighbours::neighbours;
pub use pass::{Block, Holding};
pub use realise::{realise, realise_in_clusters};
pub use recipe::{
    Arithmetic, Axis, Cluster, Column, Lanes, Method, Padding, Pass, Place, Recipe, Rounds, Share, StageRoots, Tile,
    Twiddle,
};
pub(crate) use step::twist_split;
pub use step::{Operation, Step};
pub(crate) use team::WARP;
pub use twiddles::{Trig, TwiddleSource};
pub use wisdom::Wisdom;
