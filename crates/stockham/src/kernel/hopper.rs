//! What only Hopper has of the kernel language: clusters, copies of whole tiles, and what work-groups tell each other.

use crate::plan::{Array, Pieces};

/// What of a kernel only Hopper has; by default nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hopper {
    /// Work-groups of a cluster, neighbours by number; 1 without clusters.
    pub cluster: usize,
    /// The tiles of a kernel whose work-groups stay for one after another and fetch the next one's input. What the body calls
    /// the index of the work-group is that of the tile.
    pub ahead: Option<Ahead>,
    /// How the tiles of a near ring are cut up, for one of its two passes.
    pub pieces: Option<Pieces>,
}

impl Default for Hopper {
    fn default() -> Self {
        Self { cluster: 1, ahead: None, pieces: None }
    }
}

/// Exchanges through the cluster in a launch at most.
pub const EXCHANGES: usize = 2;

/// What the threads of a work-group do together with its cluster, its crew or the copies that it waits for, without a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// A thread comes here, and goes on: its work-group is going to be sent so many places of local memory by the work-groups of
    /// its cluster, in each of the launch's exchanges.
    Expect {
        /// How many places; none in exchanges that there are not.
        places: [usize; EXCHANGES],
        /// Whether the cluster is told of it here, or at the first [`Meeting::Done`].
        tells: bool,
    },
    /// A thread comes here, and goes on: it is done with the local memory where its work-group is going to be sent something next.
    Done,
    /// It waits until all threads of the cluster have come to the last [`Meeting::Expect`] that tells of it, or [`Meeting::Done`]:
    /// from here on they may be sent something.
    ClusterBegun,
    /// It waits until its work-group has been sent all that it expects in one of the exchanges, and sees it.
    Received {
        /// Which of them.
        exchange: usize,
    },
    /// It waits until the tile's input has arrived in local memory, and sees it.
    Fetched,
    /// It waits until that part of its next tile's input has arrived in local memory which lay where the rows are going to be
    /// stored that come then: one of several parts, in order.
    Landed(usize),
    /// The work-group tells its crew that it has stored its tile, when all its threads have come here. One of them waits for
    /// the others, which go on; or it is told at the next tile's [`Meeting::AskCrew`].
    Announce,
    /// A thread asks what the crew has announced, and goes on: the answer takes a while. All threads have passed a barrier since
    /// they loaded what they need of this tile.
    AskCrew,
    /// A thread waits until the crew has stored what the next tile is fetched from, and is done with where this one is going
    /// to be stored. The others learn of it by the next barrier.
    CrewReady,
    /// The work-group begins to fetch what comes early of the input of its next tile, to memory that the exchanges do not use.
    /// All threads have passed a barrier since they loaded what they need of this one's.
    FetchEarly,
    /// The work-group begins to fetch the input of its next tile, or the rest of it. All threads have passed a barrier since they
    /// loaded what they need of this one's, and from the memory where it arrives.
    FetchNext,
}

/// Tiles whose input is fetched ahead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ahead {
    /// Columns of a tile; their number is a multiple of it.
    pub columns: usize,
    /// Elements of a tile.
    pub len: usize,
    /// The array whose boxes they are; without it they follow each other without gaps in the source.
    pub array: Option<Array>,
    /// Whether they arrive at the start of the local memory that the exchanges use, and not beside it.
    pub in_tile: bool,
    /// Elements of the next one that come early.
    pub early: usize,
    /// Whether they are loaded by the threads after all, and it is the next pass's that is fetched in the meantime.
    pub loads: bool,
}
