//! Which planes go through clusters or a ring, and in which shape.

use std::ops::RangeInclusive;

use crate::device_info::DeviceInfo;
use crate::transform::{Side, Transform};

use super::super::choice::{Choice, Clusters};
use super::super::cost::Limits;
use super::super::ends::go_through_rings;
use super::super::load::Load;
use super::super::plane::{is_packed, is_real, lengths};
use super::cluster_shape::{MOST_BYTES_OF_PAIRS, Shape};
use super::ring_shape;

/// Points of a work-group where there are clusters of so many as it takes, bytes of a plane, and rows of a thread, of short
/// planes and of others (measured on an H100).
const POINTS: [usize; 4] = [1 << 11, 1 << 12, 1 << 13, 1 << 14];
const BYTES: RangeInclusive<usize> = 32 << 10..=1 << 20;
const SHORT: usize = 1 << 12;
const ROWS: [usize; 2] = [8, 16];

/// A cluster for each plane.
pub(in crate::plan) fn in_clusters(transform: &Transform, limits: &Limits) -> Option<Choice> {
    let [first, second] = lengths(transform)?;
    let (n, batch) = (first * second, transform.batch_count());
    let bytes = n.saturating_mul(limits.element_bytes);
    if !BYTES.contains(&bytes) || is_real(transform) && bytes > MOST_BYTES_OF_PAIRS {
        return None;
    }
    let fills = Load::Full.is_reached(n, batch, limits.compute_units);
    // Half spectra are read faster by work-groups of fewer points, too.
    let is_short = n <= SHORT || transform.half_side() == Some(Side::Input);
    // One that is alone goes through as many work-groups as there may be.
    let points = if fills { POINTS[usize::from(!is_short)] } else { n / limits.max_cluster };
    let rows = ROWS[usize::from(n > SHORT)].min(first).min(second);
    let of = |points: usize| Shape { n, blocks: n / points, rows, first, swaps: false };
    let shapes = [points].into_iter().chain(POINTS).filter(|points| n >= 2 * points).map(of);
    let has_room = |shape: &Shape| !is_real(transform) || shape.has_images(limits);
    let fitting =
        |shape: &Shape| (2..=limits.max_cluster).contains(&shape.blocks) && shape.fits(limits) && has_room(shape);
    let shape = shapes.into_iter().find(fitting)?;
    Some(shape.choice(Clusters { blocks: shape.blocks, side_by_side: None }))
}

/// A ring for packed planes.
pub(in crate::plan) fn through_ring(transform: &Transform, device: &DeviceInfo, limits: &Limits) -> Option<Choice> {
    let follow = if is_real(transform) { go_through_rings(transform) } else { is_packed(transform) };
    follow.then(|| ring_shape::choose_plane(transform, device, limits)).flatten()
}
