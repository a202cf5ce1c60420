//! Planes: the last two dimensions in one trip through memory. A transform of n0·n1 points in two passes of these radices is one
//! of a plane of n0 rows of n1 points, if there are no factors between the passes and the last one leaves rows where they were;
//! so that clusters and rings take planes as they take lines.

use crate::device_info::{Backend, DeviceInfo};
use crate::error::{Error, Result};
use crate::transform::{Dim, Kind, Side, Transform};

use super::choice::{Choice, Launches, Loading, PassChoice};
use super::cost::{self, Limits};
use super::hopper;
use super::recipe::{Column, Lanes, Pass, Recipe};

/// Whether it is an array of elements of several dimensions.
pub(super) fn is_array(transform: &Transform) -> bool {
    transform.kind == Kind::Dft
        && !transform.is_filtered()
        && transform.dims.len() > 1
        && transform.dims.iter().all(|dim| dim.n > 1)
}

/// Whether it is a plane of elements, or of real numbers two of which make one.
pub(super) fn is_plane(transform: &Transform) -> bool {
    is_array(transform) && transform.dims.len() == 2 || is_real(transform)
}

/// Whether it is a plane of real numbers, two of which make an element along the last dimension. So it is a plane of half the
/// columns, whose points and their mirror images make the half spectrum: along both dimensions, as sums over both change
/// their order. Both have even numbers of points.
pub(super) fn is_real(transform: &Transform) -> bool {
    let [first, second] = transform.dims[..] else { return false };
    transform.kind == Kind::Real
        && !transform.is_filtered()
        && first.n > 1
        && first.n.is_multiple_of(2)
        && second.n > 0
        && second.n.is_multiple_of(4)
}

/// Whether it is an array of real numbers, two of which make an element along the last dimension, whose lines are all as far apart as
/// neighbours are, on both sides.
pub(super) fn is_array_of_pairs(transform: &Transform) -> bool {
    let Some((last, others)) = transform.dims.split_last() else { return false };
    let follow = others.windows(2).all(|pair| {
        let of = |stride: fn(&Dim) -> usize| stride(&pair[1]).checked_mul(pair[1].n) == Some(stride(&pair[0]));
        of(|dim| dim.input_stride) && of(|dim| dim.output_stride)
    });
    transform.kind == Kind::Real
        && !transform.is_filtered()
        && !others.is_empty()
        && others.iter().all(|dim| dim.n > 1)
        && last.n > 0
        && last.n.is_multiple_of(4)
        && follow
}

/// The dimensions of a plane in the order of its passes, and their points, of pairs where it is one of real numbers: half spectra are
/// read and written by the pass along the last one, whose lines they are.
pub(super) fn dims(transform: &Transform) -> Option<[(Dim, usize); 2]> {
    let [first, last] = transform.dims[..] else { return None };
    let points = if transform.kind == Kind::Real { last.n / 2 } else { last.n };
    let [first, last] = [(first, first.n), (last, points)];
    Some(if transform.half_side() == Some(Side::Input) { [last, first] } else { [first, last] })
}

/// Their points.
pub(super) fn lengths(transform: &Transform) -> Option<[usize; 2]> {
    dims(transform).map(|dims| dims.map(|(_, points)| points))
}

/// Whether rows follow each other without gaps, and planes do, on both sides.
pub(super) fn is_packed(transform: &Transform) -> bool {
    let mut len = 1usize;
    let inner_first = transform.dims.iter().rev().chain(transform.batch.iter().rev());
    inner_first.filter(|dim| dim.n > 1).all(|dim| {
        let follows = (dim.input_stride, dim.output_stride) == (len, len);
        len = len.saturating_mul(dim.n);
        follows
    })
}

/// The choice for an array that a launch takes at once, and its recipe; or nothing.
pub(crate) fn choose(transform: &Transform, device: &DeviceInfo) -> Option<(Choice, Recipe)> {
    let is_taken = device.backend != Backend::Cpu
        && (is_array(transform) || is_real(transform) || is_array_of_pairs(transform))
        && transform.dims.iter().all(|dim| dim.n.is_power_of_two());
    if !is_taken || transform.algebra.has_digits() {
        return None;
    }
    let limits = Limits::of(device, transform.algebra);
    if limits.is_exact || limits.free_order > 1 {
        return None;
    }
    let realised = |choice: Choice| choice.realise(transform, device).ok().map(|recipe| (choice, recipe));
    let in_one_tile = || in_tile(transform, &limits).and_then(realised);
    if !is_plane(transform) {
        return in_one_tile();
    }
    let in_cluster = hopper::choose_plane_in_clusters(transform, &limits).and_then(realised);
    let through_ring = || hopper::choose_plane_through_ring(transform, device, &limits).and_then(realised);
    in_cluster.or_else(in_one_tile).or_else(through_ring)
}

/// Points of an array in one tile at most, and rows a thread; fewer of a small one, whose threads would be few.
const MOST_IN_TILE: usize = 1 << 12;
const ROWS_IN_TILE: usize = 16;
const SMALL_IN_TILE: usize = 1 << 9;
const ROWS_IN_SMALL: usize = 8;

/// A tile of some arrays.
fn in_tile(transform: &Transform, limits: &Limits) -> Option<Choice> {
    let in_pairs = is_array_of_pairs(transform);
    let points = if in_pairs { transform.points() / 2 } else { transform.points() };
    if !(in_pairs || is_array(transform) && is_packed(transform)) || points > MOST_IN_TILE {
        return None;
    }
    let rows = match in_pairs && points <= SMALL_IN_TILE {
        true => ROWS_IN_SMALL.min(points / 2),
        false => ROWS_IN_TILE.min(points),
    };
    let lengths =
        transform.dims.iter().rev().enumerate().map(|(at, dim)| if at == 0 && in_pairs { dim.n / 2 } else { dim.n });
    let stages: Vec<usize> = lengths.flat_map(|n| cost::split(n.ilog2(), rows.min(n).ilog2())).collect();
    let batch = Column { n: transform.batch_count(), input_stride: points, output_stride: points, weight: 0 };
    let columns = cost::width(points, rows, true, &[batch], limits);
    let pass = PassChoice { loading: Loading::Flat, ..PassChoice::new(columns, rows, stages) };
    Some(Choice { passes: vec![pass], launches: Launches::Apart })
}

/// The order of the threads of a cluster's second pass, which writes rows but where it is along the first dimension.
pub(super) fn store_rows(second: &mut Pass, transform: &Transform) {
    if transform.half_side() != Some(Side::Input) {
        (second.tile.load, second.tile.store) = (Lanes::Rows, Lanes::Rows);
    }
}

/// Checks that an array is in one tile, or a plane has a pass for each dimension, and nothing between them.
pub(super) fn check(recipe: &Recipe) -> Result<()> {
    let radices = recipe.passes().iter().map(|pass| pass.radix);
    let has_none = |pass: &Pass| pass.twiddle.is_none() && !pass.convolves();
    let in_tile = recipe.passes().len() == 1;
    let is_made = in_tile || lengths(&recipe.transform).is_some_and(|lengths| radices.eq(lengths));
    if is_made && is_packed_between(recipe) && recipe.passes().iter().all(has_none) {
        return Ok(());
    }
    Err(Error::InvalidTransform(
        "an array is in one tile as it lies in memory, and a plane has a pass for each dimension, without factors between".into(),
    ))
}

/// Whether what one tile takes lies without gaps.
fn is_packed_between(recipe: &Recipe) -> bool {
    recipe.passes().len() > 1 || is_packed(&recipe.transform) || is_array_of_pairs(&recipe.transform)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Algebra;

    /// A GPU with clusters, but without bulk copies.
    fn device() -> DeviceInfo {
        DeviceInfo {
            id: "cuda:0".into(),
            backend: Backend::Cuda,
            max_group: 1024,
            local_bytes: 227 << 10,
            simd_width: 32,
            registers: Some(64 << 10),
            max_cluster: Some(16),
            compute_units: 132,
            ..crate::Device::cpu().info().clone()
        }
    }

    #[test]
    fn small_arrays_take_a_tile_and_larger_planes_a_cluster() {
        let of = |algebra, lengths: &[usize]| {
            let transform = Transform::new(algebra, lengths).batch(1000);
            let choice = in_tile(&transform, &Limits::of(&device(), algebra));
            if let Some(choice) = choice {
                choice
                    .realise(&transform, &device())
                    .unwrap_or_else(|error| panic!("{lengths:?} by {choice}: {error}"));
            }
            choose(&transform, &device()).map(|(choice, _)| choice.to_string())
        };
        for algebra in [Algebra::ComplexF32, Algebra::ComplexF64] {
            assert_eq!(of(algebra, &[16, 16, 16]).as_deref(), Some("1x16x16.16.16f"));
            assert_eq!(of(algebra, &[128, 128]).as_deref(), Some("c4/32x16x16.8/32x16x16.8"));
            assert_eq!(of(algebra, &[64, 64, 64]), None);
            assert_eq!(of(algebra, &[100, 100]), None);
        }
    }
}
