//! What of launches that passes share there is to try when a transform is tuned.

use crate::device_info::DeviceInfo;
use crate::transform::Transform;

use super::super::choice::{Choice, Clusters, Launches};
use super::super::cost::Limits;
use super::super::load::Load;
use super::super::planner::is_packed;
use super::super::recipe::Pass;
use super::cluster_shape::{Rectangle, Shape, WIDE_ROWS};
use super::{ahead, chirp_shape, ring_shape};

/// Bytes of transforms that may be fetched ahead: of shorter ones there are several to a compute unit.
const LEAST_AHEAD: usize = 64 << 10;

/// Rows a thread there.
const AHEAD_ROWS: [usize; 2] = [16, ahead::ROWS];

/// Work-groups of a cluster.
const CLUSTERS: [usize; 4] = [2, 4, 8, 16];

/// Rows a thread in clusters.
const CLUSTER_ROWS: [usize; 3] = [8, 16, MOST_CLUSTER_ROWS];
const MOST_CLUSTER_ROWS: usize = 32;

/// Points of a transform that may go through two launches of clusters: shorter ones take two passes.
const LEAST_RECTANGLE: usize = 1 << 22;

/// Work-groups of clusters that take neighbouring lines, and contiguous bytes of the lines.
const WIDE_CLUSTERS: [usize; 2] = [8, 16];
const WIDE_BYTES: [usize; 3] = [64, 128, 256];

/// Threads of a work-group of a cluster at least, and of one that is tried with more beside it: of fewer threads, more were slower.
const LEAST_CLUSTER_GROUP: usize = 64;
const LEAST_CROWDED_GROUP: usize = 128;

/// The choices worth measuring for a transform of a power of two; not all of them can be realised.
pub(in crate::plan) fn candidates(transform: &Transform, device: &DeviceInfo, limits: &Limits) -> Vec<Choice> {
    let (n, is_packed) = (transform.points(), is_packed(transform));
    let mut found = Found { transform, device, limits, choices: Vec::new() };
    if n * limits.element_bytes >= LEAST_AHEAD && is_packed {
        found.choices.extend(AHEAD_ROWS.into_iter().flat_map(|rows| ahead::candidates(n, rows)));
    }
    if Load::of(transform, device) == Some(Load::Streaming) && is_packed {
        found.choices.extend(ring_shape::candidates(n, limits));
    }
    found.clusters(n);
    found.rectangles(n);
    found.choices
}

/// Those for a transform that is made by a chirp, all in one launch, and with one work-group more side by side.
pub(in crate::plan) fn of_chirp(transform: &Transform, device: &DeviceInfo, limits: &Limits) -> Vec<Choice> {
    let choices = chirp_shape::choices(transform.inner_points(), limits);
    let with_more = |choice: Choice| {
        let more = crowded(&choice, 1, transform, device);
        [choice].into_iter().chain(more)
    };
    choices.into_iter().flat_map(with_more).collect()
}

/// The same clusters with so many more work-groups side by side: where one waits, others go on.
pub(in crate::plan) fn crowded(
    choice: &Choice,
    more: isize,
    transform: &Transform,
    device: &DeviceInfo,
) -> Option<Choice> {
    let (of, clusters): (fn(Clusters) -> Launches, _) = match choice.launches {
        Launches::Clusters(clusters) => (Launches::Clusters, clusters),
        Launches::ChirpClusters(clusters) => (Launches::ChirpClusters, clusters),
        _ => return None,
    };
    let recipe = choice.realise(transform, device).ok()?;
    let now = device.registers? / recipe.passes().iter().map(Pass::registers).max()?;
    let launches = of(Clusters { side_by_side: Some(now.checked_add_signed(more)?), ..clusters });
    Some(Choice { launches, ..choice.clone() })
}

struct Found<'a> {
    transform: &'a Transform,
    device: &'a DeviceInfo,
    limits: &'a Limits,
    choices: Vec<Choice>,
}

impl Found<'_> {
    /// One launch of clusters of every size: with a first pass in the registers of a thread, and with one in those of two, where
    /// they hold most rows, or else with passes alike. Where threads hold most rows, there may be one work-group more side by
    /// side than these are given registers for.
    fn clusters(&mut self, n: usize) {
        let most = self.limits.max_cluster;
        for blocks in CLUSTERS.into_iter().filter(|&blocks| blocks <= most) {
            for rows in CLUSTER_ROWS {
                let swaps = self.limits.swaps;
                let longer = if swaps && rows == MOST_CLUSTER_ROWS { 2 * rows } else { 1 << (n.ilog2() / 2) };
                for first in [rows, longer] {
                    let shape = Shape { n, blocks, rows, first, swaps };
                    if n / blocks / rows >= LEAST_CLUSTER_GROUP && shape.fits(self.limits) {
                        let choice = shape.choice(Clusters { blocks, side_by_side: None });
                        let more = (rows == MOST_CLUSTER_ROWS && n / blocks / rows >= LEAST_CROWDED_GROUP)
                            .then(|| crowded(&choice, 1, self.transform, self.device))
                            .flatten();
                        self.choices.push(choice);
                        self.choices.extend(more);
                    }
                }
            }
        }
    }

    /// Two launches of clusters, each of which takes some neighbouring lines.
    fn rectangles(&mut self, n: usize) {
        if self.limits.is_exact || n < LEAST_RECTANGLE {
            return;
        }
        let (most, [long, short]) = (self.limits.max_cluster, Rectangle::sides(n));
        for blocks in WIDE_CLUSTERS.into_iter().filter(|&blocks| blocks <= most) {
            for wide in WIDE_BYTES.map(|bytes| bytes / self.limits.element_bytes) {
                for sides in [[long, short], [short, long]] {
                    let shape = Rectangle { sides, blocks, rows: WIDE_ROWS, wide };
                    if shape.fits(self.limits) {
                        self.choices.push(Choice { passes: shape.passes(), launches: Launches::clusters(blocks) });
                    }
                }
            }
        }
    }
}
