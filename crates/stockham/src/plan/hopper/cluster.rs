//! Two passes in one launch: a cluster of work-groups takes one transform and exchanges it through local memories.
//!
//! The work-groups of a thread-block cluster can write to each other's local memory, which CUDA calls distributed shared
//! memory (NVIDIA, "CUDA C++ Programming Guide", thread block clusters; they came with the architecture Hopper). For
//! n = R_0·R_1 each of C groups takes R_1/C columns of the first pass, and pushes their DFTs from registers to where they
//! are needed: row k_0 of column i_1 becomes row i_1 of column k_0 of the second pass, which group k_0 / (R_0/C) takes.
//! A longer transform takes two such launches, each a pass of its own kind: of a square of 4096 points a cluster takes 4096
//! rows of, say, 16 neighbouring columns, which no work-group could hold. What it shares out is a digit of the columns, and
//! its tile is as wide in another.
//!
//! So the transform crosses device memory once each way; and a group writes no output before it has something of every
//! column, which depends on all input, so that it is right in place too.

use crate::algebra::Algebra;
use crate::device_info::DeviceInfo;
use crate::error::{Error, Result};
use crate::transform::Transform;

use super::super::across::across;
use super::super::banks;
use super::super::choice::{Clusters, PassChoice};
use super::super::cost::{self, Limits};
use super::super::ends;
use super::super::finish;
use super::super::load::Load;
use super::super::plane;
use super::super::planner;
use super::super::recipe::{Column, Lanes, Method, Padding, Pass, Place, Recipe, Rounds, StageRoots};
use super::super::twiddles::TwiddleSource;
use super::{Cluster, Share};

/// Bytes of roots that have one table in launches of neighbouring lines, and need no product.
const WHOLE_TABLE: usize = 64 << 10;

/// Bytes of a row of a table by columns that work-groups look up at least: shorter ones cost more than the
/// products that they spare.
pub(super) const BY_COLUMNS: usize = 64;

/// The recipe that follows from a choice for each pass, two of which make a launch of such clusters.
pub(in crate::plan) fn realise(
    transform: &Transform,
    device: &DeviceInfo,
    Clusters { blocks, side_by_side }: Clusters,
    choices: &[PassChoice],
) -> Result<Recipe> {
    let limits = Limits::of(device, transform.algebra);
    let mut recipe = planner::realise(transform, &limits, choices, Place::Workspace);
    if choices.len() == 2 {
        recipe.workspace_len = 0;
    }
    let Method::Passes(passes) = &mut recipe.method else { return Ok(recipe) };
    let count = passes.len();
    // Others are done before the table is in the cache.
    let is_streaming = Load::of(transform, device) == Some(Load::Streaming);
    let is_across = across(transform).is_some();
    if !matches!(count, 2 | 4) || !blocks.is_power_of_two() {
        return Err(Error::InvalidTransform(format!(
            "{count} passes in clusters of {blocks} work-groups: it is two passes, or twice two, and a power of two"
        )));
    }
    let in_two_launches = count == 4;
    let is_joined = in_two_launches && passes.iter().any(Pass::is_mirrored);
    if is_joined && is_across {
        return Err(Error::unsupported(
            "half spectra side by side in clusters of neighbouring lines",
            "they go through memory",
        ));
    }
    if is_joined {
        join_digits(passes);
    }
    let radices: Vec<usize> = passes.iter().map(|pass| pass.radix).collect();
    for (number, pair) in passes.chunks_mut(2).enumerate() {
        let [first, second] = pair else { continue };
        let images = is_joined && (first.is_mirrored() || second.is_mirrored());
        share_out(first, second, (2 * number, count), Tiles { is_across, is_joined, images }, blocks);
        for (a, pass) in [&mut *first, &mut *second].into_iter().enumerate().map(|(a, pass)| (2 * number + a, pass)) {
            if in_two_launches && pass.ends.is_some() {
                let product = |radices: &[usize]| radices.iter().product();
                let around = (product(&radices[..a]), radices[a], product(&radices[a + 1..]));
                pass.ends = ends::of(transform, around, (a, count - 1), 0, &pass.columns);
            }
        }
        (first.target, second.source) = (Place::Cluster, Place::Cluster);
        if !limits.is_exact {
            // What is pushed goes through the nearest cache's ports, too, and work-groups leave it little room.
            (first.tile.roots, second.tile.roots) = (StageRoots::Products, StageRoots::Products);
        }
        let row_bytes = second.tile.columns * limits.element_bytes;
        let by_columns = !is_across && is_streaming && !limits.is_exact && row_bytes >= BY_COLUMNS;
        if by_columns {
            second.twiddle.iter_mut().for_each(|twiddle| twiddle.source = TwiddleSource::Columns);
        }
        if in_two_launches || is_across {
            // Errors of four passes add up, and lanes share what they look up.
            let twiddles = [&mut *first, &mut *second].into_iter().filter_map(|pass| pass.twiddle.as_mut());
            twiddles
                .filter(|twiddle| twiddle.order * limits.element_bytes <= WHOLE_TABLE)
                .for_each(|twiddle| twiddle.split = twiddle.order);
        }
        // What is stored is contiguous then, whether there is an exchange before or not.
        second.tile.load = Lanes::Columns;
        if plane::is_plane(transform) {
            plane::store_rows(second, transform);
        }
        // Now that they are of a cluster.
        finish::lay_out(first, &limits);
        finish::lay_out(second, &limits);
        let start = first.tile_len(transform.algebra);
        second.hopper.cluster = Some(Cluster { blocks, padding: Padding::packed(second.radix), start, exchange: 0 });
    }
    if let Some(count) = side_by_side {
        leave_room(passes, count, &limits)?;
    }
    check(passes, transform.algebra, device)?;
    for pair in passes.chunks_mut(2) {
        let [first, second] = pair else { continue };
        let padding = banks::choose_for_cluster(first, second, limits.element_bytes);
        second.hopper.cluster = second.hopper.cluster.map(|cluster| Cluster { padding, ..cluster });
    }
    recipe.check(device)?;
    Ok(recipe)
}

/// Gives threads as many registers as are left if a unit has so many of their work-groups.
pub(super) fn leave_room(passes: &mut [Pass], count: usize, limits: &Limits) -> Result<()> {
    for pass in passes {
        let (rows, threads) = (pass.tile.per_thread, pass.threads());
        pass.tile.registers = cost::room_beside(count, rows, threads, limits)?;
    }
    Ok(())
}

/// What the tiles of a launch have beside the digit that it shares out.
struct Tiles {
    /// Lines side by side.
    is_across: bool,
    /// The [digits](join_digits) of the launch before as one.
    is_joined: bool,
    /// Values and their images.
    images: bool,
}

/// Makes the digits of a first launch one for the second, where half spectra are stored, or were loaded: the images of its values are
/// values of it, as they are not of each digit alone, and tiles may be wider. What is between the launches lies in its order then.
fn join_digits(passes: &mut [Pass]) {
    let [_, of_first, first, second] = passes else { return };
    let inside = of_first.columns[0].n;
    let least = of_first.columns[1].n;
    of_first.columns[1].output_stride = inside;
    of_first.row_strides.1 = least * inside;
    for (pass, digit) in [(first, 1), (second, 0)] {
        let higher = pass.columns.remove(digit + 1);
        let column = &mut pass.columns[digit];
        column.n *= higher.n;
        column.input_stride = inside;
        if pass.target == Place::Workspace {
            column.output_stride = inside;
        }
    }
}

/// Orders the columns of two passes of a launch, `number` and the next of `count`, so that the digit that the other pass
/// transforms is one of the first two, and both agree on the rest.
fn share_out(
    first: &mut Pass,
    second: &mut Pass,
    (number, count): (usize, usize),
    Tiles { is_across, is_joined, images }: Tiles,
    blocks: usize,
) {
    let is_last = number + 2 == count;
    let are_wide = |pass: &Pass| is_across && count == 2 && pass.tile.columns > pass.columns[1].n / blocks;
    let takes_lines = are_wide(first);
    if is_across && !takes_lines {
        // Lines side by side are a batch like others.
        [&mut *first, &mut *second].into_iter().for_each(|pass| pass.columns.rotate_left(1));
    }
    let digits = if takes_lines {
        [1, 1]
    } else if is_last {
        // The first pass's is all that is inside its rows. The second has it after those of the passes before.
        let before = if is_joined { number.min(1) } else { number };
        let own = second.columns.remove(before);
        second.columns.insert(usize::from(number > 0), own);
        [0, usize::from(number > 0)]
    } else {
        // What is inside both passes' rows stays the first digit.
        let inside = second.columns[0];
        let Column { n, input_stride, output_stride, weight } = first.columns[0];
        let of_second = Column {
            n: n / inside.n,
            input_stride: input_stride * inside.n,
            output_stride: output_stride * inside.n,
            weight,
        };
        first.columns[0].n = inside.n;
        first.columns.insert(1, of_second);
        [1, 1]
    };
    for (pass, digit) in [first, second].into_iter().zip(digits) {
        pass.hopper.share = Some(Share { digit, values: pass.columns[digit].n / blocks, images });
    }
}

/// Checks that passes which share a launch fit each other, and the device.
pub(super) fn check(passes: &[Pass], algebra: Algebra, device: &DeviceInfo) -> Result<()> {
    for (number, pass) in passes.iter().enumerate() {
        let goes_on = passes.get(number + 1).is_some_and(|next| next.source == Place::Cluster);
        let in_launch = pass.source == Place::Cluster || pass.target == Place::Cluster;
        let shared = [
            (pass.target == Place::Cluster, goes_on),
            (pass.source == Place::Cluster, pass.hopper.cluster.is_some()),
            (in_launch, pass.hopper.share.is_some()),
        ];
        if shared.iter().any(|(a, b)| a != b) || (pass.source == Place::Cluster && (goes_on || number == 0)) {
            return Err(Error::InvalidTransform(format!("pass {number} is half of a launch without the other half")));
        }
        if let Some(cluster) = &pass.hopper.cluster {
            check_pair(&passes[number - 1], pass, cluster, algebra, device)?;
        }
    }
    Ok(())
}

fn check_pair(first: &Pass, second: &Pass, cluster: &Cluster, algebra: Algebra, device: &DeviceInfo) -> Result<()> {
    let what = || format!("a cluster of {} work-groups on {}", cluster.blocks, device.id);
    let most = device.max_cluster.unwrap_or(1);
    if cluster.blocks > most {
        return Err(Error::unsupported(what(), format!("the device has clusters of {most} at most")));
    }
    if algebra.has_digits() {
        return Err(Error::unsupported(what(), "elements of many digits do not fit its local memory"));
    }
    let whole = |pass: &Pass, digit: usize| {
        let Some(share) = pass.hopper.share.filter(|share| share.digit < 2) else { return false };
        let Some(column) = pass.columns.get(share.digit) else { return false };
        let simple = pass.tile.rounds == Rounds::ONE && pass.tile.load != Lanes::Flat && pass.tile.store != Lanes::Flat;
        let stages = !pass.tile.stages.is_empty() && pass.tile.stages.iter().product::<usize>() == pass.radix;
        let shares = column.n == digit && share.values.checked_mul(cluster.blocks) == Some(digit);
        // Images are among the values that the cluster shares out, or else among those that the tile has of the other digit, of which
        // the first digit is one; and rows of the pass before follow each other.
        let images = match share.images {
            true => pass.wide().is_multiple_of(2) && (!pass.has_images() || share.digit == 1),
            false => !pass.has_images() || share.digit == 0 && pass.wide() == 1 && share.values.is_multiple_of(2),
        };
        let rows = !second.has_images() || !first.hopper.swaps && first.tile.per_thread >= 2;
        simple && stages && shares && images && rows && pass.tile.columns.is_multiple_of(share.values)
    };
    let fits = cluster.blocks.is_power_of_two()
        && first.radix.is_power_of_two()
        && second.radix.is_power_of_two()
        && whole(first, second.radix)
        && whole(second, first.radix)
        && first.group() == second.group()
        && first.wide() == second.wide()
        && first.half_of_wide() == second.half_of_wide()
        && (first.half_of_wide().is_none() || first.has_images() || second.has_images())
        && beside(first).is_some_and(|digits| Some(digits) == beside(second))
        && cluster.start >= first.tile_len(algebra);
    if !fits {
        let radices = (first.radix, second.radix);
        return Err(Error::InvalidTransform(format!("passes of {radices:?} points do not make {}", what())));
    }
    let element_bytes = algebra.element_bytes();
    let bytes = cluster.tile_len(second, algebra) * element_bytes;
    if bytes > device.local_bytes {
        let has = device.local_bytes;
        return Err(Error::InvalidTransform(format!("{} needs {bytes} bytes of local memory of {has}", what())));
    }
    Ok(())
}

/// The values of the digits that a cluster does not share out, in the order in which tiles go through them; nothing if
/// its tiles do not fit.
fn beside(pass: &Pass) -> Option<Vec<usize>> {
    let share = pass.hopper.share?;
    let wide = pass.wide();
    let mut digits: Vec<usize> = pass.columns.iter().map(|column| column.n).collect();
    digits.remove(share.digit);
    // With one value, tiles go through all other digits alike; the shared one comes first then.
    let fits = if wide == 1 { share.digit == 0 } else { digits.first().is_some_and(|n| n.is_multiple_of(wide)) };
    fits.then_some(digits)
}
