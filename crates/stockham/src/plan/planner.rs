//! The planner for devices with work-groups: cuts a transform into passes and passes into stages.
//!
//! n = R_0·R_1·…: the input index is i = Σ i_a·S_a with S_a = Π_{t>a} R_t, the output index k = Σ k_a·T_a with
//! T_a = Π_{t<a} R_t. Pass a turns the digit i_a into k_a where it stands, after a multiplication by
//! ω_{T_a R_a}^{i_a·(k_0 T_0 + … + k_{a−1} T_{a−1})}; the last pass also puts the digits into their final order.
//! So all but the last can work in place in the workspace, and input and output are in natural order.

use crate::algebra::{Algebra, Scale};
use crate::codelet::MOST_PRIME;
use crate::device_info::DeviceInfo;
use crate::error::{Error, Result};
use crate::transform::{Domain, Kind, Transform};

use super::across::across;
use super::choice::{Choice, Launches, Loading, PassChoice};
use super::cost::{self, Limits};
use super::cuts;
use super::ends;
use super::filter;
use super::finish::finish;
use super::free_roots;
use super::hopper;
use super::images;
use super::long_chirp;
use super::pass::is_even;
use super::pass_shape::Shape;
use super::recipe::{Lanes, Method, Pass, Place, Recipe};
use super::shortage::Purpose;
use super::smooth::{self, Tile};
use super::staging;

/// Whether a device with work-groups executes the transform at all.
pub(super) fn check(transform: &Transform, device: &DeviceInfo) -> Result<()> {
    for dim in &transform.dims {
        let n = transform.inner_of(dim.n);
        let what = || format!("a transform of {n} points on {}", device.id);
        if transform.algebra.has_digits() && !smooth::is_smooth(n) {
            let reason = format!("over {} its prime factors are at most {MOST_PRIME}", transform.algebra.given());
            return Err(Error::unsupported(what(), reason));
        }
        if n > 1 << 30 {
            return Err(Error::unsupported(what(), "this version executes up to 2^30 points along a dimension"));
        }
    }
    let what = || format!("a transform of {} points on {}", transform.points(), device.id);
    let is_coset_at_most = Domain { coset: Vec::new(), negacyclic: false, ..transform.domain.clone() }.is_plain();
    if !is_coset_at_most && matches!(transform.algebra, Algebra::BigPrime(_)) {
        return Err(Error::unsupported(what(), "GPUs have zeros and bit-reversed orders of residues"));
    }
    if device.max_group == 0 {
        return Err(Error::unsupported(what(), "the device has no work-groups"));
    }
    if transform.algebra == Algebra::ComplexF64 && !device.has_f64 {
        return Err(Error::unsupported(what(), "the device has no f64 arithmetic"));
    }
    Ok(())
}

/// The choice for a one-dimensional transform, and the recipe that follows from it.
pub(super) fn choose(transform: &Transform, device: &DeviceInfo) -> Result<(Choice, Recipe)> {
    check(transform, device)?;
    let n = transform.inner_points();
    let limits = Limits::for_transform(device, transform);
    if transform.is_filtered() {
        return there_and_back(transform, device, &limits);
    }
    if transform.kind != Kind::Dft {
        // Of pairs of real numbers where passes make them; or else of all, which are elements without imaginary parts.
        let is_narrow = |pairs| narrow_tile(transform, &Shape::of(transform, &[pairs], 0), &limits).is_some();
        let narrow = || ends::pairs(transform).filter(|pairs| is_narrow(*pairs));
        let in_pairs = ends::paying_pairs(transform).or_else(narrow);
        let in_pairs = in_pairs.filter(|pairs| pairs.is_power_of_two() || smooth::is_smooth(*pairs));
        let in_pairs = in_pairs.and_then(|pairs| {
            if let Some(found) = hopper::choose_pairs(transform, pairs, device, &limits) {
                return Some(found);
            }
            let of = |most| through_memory(transform, pairs, most, device, limits.clone()).ok();
            of(usize::MAX)
                .filter(|(_, recipe)| are_short(recipe))
                .or_else(|| of(MOST_MIRRORED))
                .or_else(|| of(usize::MAX))
        });
        return in_pairs.map_or_else(|| in_passes(transform, device, limits), Ok);
    }
    let may_share = n.is_power_of_two() && transform.domain.is_plain();
    let shared = may_share.then(|| hopper::choose(transform, device, &limits)).flatten();
    shared.map_or_else(|| in_passes(transform, device, limits), Ok)
}

/// Passes through memory, or a convolution with a chirp in clusters where they would be such.
fn in_passes(transform: &Transform, device: &DeviceInfo, limits: Limits) -> Result<(Choice, Recipe)> {
    let found = through_memory(transform, transform.inner_points(), usize::MAX, device, limits.clone())?;
    Ok(hopper::choose_chirp(transform, device, &limits, &found.1).unwrap_or(found))
}

/// A transform there and back in one tile, or in clusters.
fn there_and_back(transform: &Transform, device: &DeviceInfo, limits: &Limits) -> Result<(Choice, Recipe)> {
    let points = ends::points_there_and_back(transform);
    let n = points.unwrap_or(transform.points());
    let refused =
        || Error::unsupported(format!("{n} points there and back in a tile on {}", device.id), "it is in two parts");
    let fits = points.is_some() && n > 1 && smooth::is_smooth(n) && n <= limits.most_points;
    if !fits || filter::stages(transform, n, transform.kind == Kind::Real, limits).is_none() {
        return hopper::choose_filter(transform, device, limits).ok_or_else(refused);
    }
    let mut passes = passes(transform, &[n], None, limits);
    let of = |passes: &[PassChoice]| realise(transform, limits, passes, Place::Workspace);
    let recipe = fitted(device, &mut passes, of).map_err(|_| refused())?;
    recipe.check(device)?;
    Ok((Choice { passes, launches: Launches::Apart }, recipe))
}

/// Points of the passes of pairs of real numbers where there are several, and of the one at the half spectrum: columns and their
/// images make a tile, and rows of it are half as long.
const MOST_OF_PAIRS: usize = 1 << 11;
const MOST_MIRRORED: usize = 1 << 10;

fn are_short(recipe: &Recipe) -> bool {
    let most = |pass: &Pass| if pass.is_mirrored() { MOST_MIRRORED } else { MOST_OF_PAIRS };
    recipe.passes().len() == 1 || recipe.passes().iter().all(|pass| pass.radix <= most(pass))
}

/// Passes through memory over n points, each of so many at most, in the largest tiles that are worth it and fit.
pub(super) fn through_memory(
    transform: &Transform,
    n: usize,
    most: usize,
    device: &DeviceInfo,
    mut limits: Limits,
) -> Result<(Choice, Recipe)> {
    let is_across = across(transform).is_some();
    // What limits the passes leaves their tiles as wide as they are.
    let shorter = |limits: &Limits| Limits { most_points: limits.most_points.min(most), ..limits.clone() };
    while let Some(radices) = cut(n, is_across, &shorter(&limits)) {
        let mut passes = passes(transform, &radices, None, &limits);
        let of = |passes: &[PassChoice]| realise(transform, &limits, passes, Place::Workspace);
        match fitted(device, &mut passes, of) {
            Ok(recipe) => {
                recipe.check(device)?;
                return Ok((Choice { passes, launches: Launches::Apart }, recipe));
            }
            Err(radix) => limits.most_points = radix / 2,
        }
    }
    if !transform.algebra.has_digits()
        && let Some(found) = long_chirp::choose(transform, device, &Limits::of(device, transform.algebra))
    {
        return Ok(found);
    }
    let what = format!("a transform of {n} points on {}", device.id);
    let reason = match smooth::is_smooth(n) || !limits.is_exact {
        true => format!("{} bytes of local memory do not hold its tiles", device.local_bytes),
        false => format!("{} has no roots for a convolution that makes it", transform.algebra.name()),
    };
    Err(Error::unsupported(what, reason))
}

/// The recipe for such passes, which take fewer columns at a time where their tiles do not fit; or else a radix of which
/// not even one column does.
pub(super) fn fitted(
    device: &DeviceInfo,
    choices: &mut [PassChoice],
    realise: impl Fn(&[PassChoice]) -> Recipe,
) -> std::result::Result<Recipe, usize> {
    loop {
        let recipe = realise(choices);
        let algebra = recipe.transform.algebra;
        let mut fits = true;
        for (pass, choice) in recipe.passes().iter().zip(&mut *choices) {
            if pass.fits(algebra, device) {
                continue;
            }
            fits = false;
            let least = if pass.has_images() { 2 } else { 1 };
            match choice {
                PassChoice { columns, .. } if *columns > least => *columns /= 2,
                PassChoice { loading: Loading::Flat, .. } => choice.loading = Loading::Direct,
                _ => return Err(pass.radix),
            }
        }
        if fits {
            return Ok(recipe);
        }
    }
}

/// What two passes cost at least, in trips through memory.
pub(super) const TWO_TRIPS: f64 = 2.16;

/// The radices of the passes with the least cost; nothing if no cut fits. Of lines side by side those that leave a tile too
/// few neighbours take several.
pub(super) fn cut(n: usize, is_across: bool, limits: &Limits) -> Option<Vec<usize>> {
    if is_across && cost::best_width(n, limits).is_none_or(|(_, cost)| cost > TWO_TRIPS) && limits.most_points > n / 2 {
        let shorter = Limits { most_points: n.saturating_sub(1), ..limits.clone() };
        if let Some(several) = cut(n, false, &shorter) {
            return Some(several);
        }
    }
    match n.is_power_of_two() {
        false => cuts::cut(n, limits),
        true if limits.free_order > 1 => free_roots::cut(n, limits),
        true => cost::cut(n, limits),
    }
}

/// The choices for the passes of a cut, with so many rows a thread where they are given and the algebra leaves a choice.
pub(super) fn passes(
    transform: &Transform,
    radices: &[usize],
    rows: Option<usize>,
    limits: &Limits,
) -> Vec<PassChoice> {
    (0..radices.len()).map(|a| pass_choice(transform, &Shape::of(transform, radices, a), rows, limits)).collect()
}

/// The choice for a pass of such a shape.
pub(super) fn pass_choice(transform: &Transform, shape: &Shape, rows: Option<usize>, limits: &Limits) -> PassChoice {
    let radix = shape.radix;
    let rows_only = shape.lanes() == (Lanes::Rows, Lanes::Rows);
    let half_first = shape.lines_of_pairs().map(|mirrored| mirrored[0]);
    let is_line = shape.is_line(limits);
    let is_packed = transform.kind == Kind::Dft && shape.is_packed();
    let purpose = match is_line {
        true if shape.has_reals() => Purpose::Reals,
        true => Purpose::Line { flat: is_packed },
        false if shape.is_end_of_chirp() => Purpose::End,
        false => Purpose::Once,
    };
    // Tiles that were measured are of lines, with rows of their own.
    let of_lines = rows_only && rows.is_none();
    if let Some(choice) = of_lines.then(|| narrow_tile(transform, shape, limits)).flatten() {
        return choice;
    }
    let of_pairs = half_first.filter(|_| of_lines && !shape.filter);
    if let Some(choice) = of_pairs.and_then(|is_first| hopper::pairs_tile(transform, radix, is_first, limits)) {
        return choice;
    }
    let of_reals = of_lines && purpose == Purpose::Reals;
    if let Some(choice) = of_reals.then(|| hopper::reals_tile(transform, radix, limits)).flatten() {
        return choice;
    }
    let other = (is_line || !radix.is_power_of_two()).then(|| match half_first.filter(|_| smooth::is_smooth(radix)) {
        Some(is_first) => smooth::tile_of_pairs(radix, is_first, limits),
        None => smooth::tile(radix, purpose, limits),
    });
    let is_plain_line = matches!(purpose, Purpose::Line { .. }) && half_first.is_none();
    let other = other.flatten().map(|tile| if is_plain_line { tile.in_order(radix, limits) } else { tile });
    let with_images = || half_first.and_then(|is_first| images::stages(radix, rows_only, is_first, limits));
    let tile = match rows {
        _ if shape.filter => filter::stages(transform, radix, shape.ends.is_some(), limits).map(Tile::of_stages),
        _ if shape.middle.is_some() => smooth::middle_tile(radix, limits),
        _ if other.is_some() => other,
        _ if limits.free_order > 1 => Some(Tile::of_stages(free_roots::stages(radix, limits))),
        Some(rows) => Some(Tile::of_stages(cost::stages_of(radix, rows, limits))),
        None => Some(Tile::of_stages(with_images().unwrap_or_else(|| cost::stages(radix, rows_only, limits)))),
    };
    choice_of_tile(transform, shape, tile.unwrap_or_default(), limits)
}

/// The measured tile for a pass of whole lines whose numbers take less of memory than they do of registers, if it is one.
fn narrow_tile(transform: &Transform, shape: &Shape, limits: &Limits) -> Option<PassChoice> {
    let is_of_lines = shape.lanes() == (Lanes::Rows, Lanes::Rows) && shape.is_whole();
    is_of_lines.then(|| hopper::narrow_tile(transform, shape.radix, limits)).flatten()
}

/// Choices for a transform whose lines codelets make in one tile: so many, the best of the model first.
pub(super) fn tiles_of_line(transform: &Transform, count: usize, limits: &Limits) -> Vec<PassChoice> {
    let n = transform.points();
    let shape = Shape::of(transform, &[n], 0);
    if !smooth::is_smooth(n) || n > smooth::room(limits) || !shape.is_line(limits) {
        return Vec::new();
    }
    let is_packed = transform.kind == Kind::Dft && shape.is_packed();
    let tiles = smooth::tiles_of_line(n, is_packed, count, limits).into_iter().map(|tile| tile.in_order(n, limits));
    tiles.map(|tile| choice_of_tile(transform, &shape, tile, limits)).collect()
}

/// The choice for a pass of such a shape by that tile.
fn choice_of_tile(transform: &Transform, shape: &Shape, tile: Tile, limits: &Limits) -> PassChoice {
    let Tile { per_thread, stages, chirp, rader, beside, side_by_side, .. } = tile;
    let radix = shape.radix;
    let rows_only = shape.lanes() == (Lanes::Rows, Lanes::Rows);
    let is_line = shape.is_line(limits);
    let is_packed = transform.kind == Kind::Dft && shape.is_packed();
    let length: usize = stages.iter().product();
    let is_even = chirp.is_none() && !rader && is_even(radix, per_thread, &stages);
    let flat = rows_only && is_even && is_packed && !shape.filter && cost::wants_flat(radix, per_thread, limits);
    let width = if rader || beside != [0; 2] {
        smooth::rader_columns(radix, length.div_ceil(per_thread), limits)
    } else {
        // Few threads load a tile as a whole with too little to do between barriers.
        let is_small = shape.filter || shape.middle.is_some() || chirp.is_some() || is_line && !flat;
        let wanted = if is_small { filter::group(length.div_ceil(per_thread)) } else { usize::MAX };
        let preferred_group = limits.preferred_group.min(wanted);
        let limits = Limits { preferred_group, ..limits.clone() };
        if is_line && chirp.is_none() && !flat && shape.columns.len() == 1 {
            cost::width_of_lines(length, per_thread, &shape.columns, &limits)
        } else if shape.is_end_of_chirp() && !rows_only {
            cost::width_of_ends(length, per_thread, &shape.columns, &limits)
        } else {
            cost::width(length, per_thread, rows_only, &shape.columns, &limits)
        }
    };
    // The images of columns are in their tile, behind them; but of long elements few rows are sectors, and guarded butterflies
    // leave many threads too few registers.
    let is_wide = is_even || limits.element_bytes < 16;
    let columns = match shape.has_images() {
        true if is_wide => 2 * width,
        true => width.max(2),
        false => width,
    };
    let is_in_stages = chirp.is_none() && !rader && beside == [0; 2];
    let stages = match &shape.ends {
        Some(ends) if is_in_stages && ends.has_images() && ends.turns == [None; 2] && !ends.plane => {
            images::in_pairs(stages, per_thread, ends.mirrored[0])
        }
        _ => stages,
    };
    let loading = if flat { Loading::Flat } else { Loading::Direct };
    let side_by_side = side_by_side.filter(|_| columns == 1);
    PassChoice { loading, chirp, rader, beside, side_by_side, ..PassChoice::new(columns, per_thread, stages) }
}

/// Whether the transforms of a batch follow each other without gaps, in the input and in the output, of elements.
pub(super) fn is_packed(transform: &Transform) -> bool {
    transform.kind == Kind::Dft && Shape::of(transform, &[transform.points()], 0).is_packed()
}

/// Whether there is a single transform of elements, neighbours in the input and in the output.
pub(super) fn is_alone(transform: &Transform) -> bool {
    let dim = transform.dims[0];
    transform.kind == Kind::Dft && transform.batch_count() == 1 && (dim.input_stride, dim.output_stride) == (1, 1)
}

/// The recipe that follows from the choices: all the rest is determined, but where what is between two passes lies.
pub(super) fn realise(transform: &Transform, limits: &Limits, choices: &[PassChoice], between: Place) -> Recipe {
    let radices: Vec<usize> = choices.iter().map(|c| c.radix().unwrap_or(0)).collect();
    let last = radices.len() - 1;
    let passes = choices.iter().enumerate().map(|(a, choice)| {
        let source = if a == 0 { Place::Input } else { between };
        let target = if a == last { Place::Output } else { between };
        let scale = if a == last { transform.scale() } else { Scale::One };
        let mut pass = finish(Shape::of(transform, &radices, a), choice, (source, target), scale, limits);
        pass.tile.staged = staging::choose(&pass, transform, limits);
        pass.tile.sectors = limits.has_warps && pass.can_share_sectors(transform);
        pass
    });
    let points = radices.iter().fold(1, |points: usize, radix| points.saturating_mul(*radix));
    let workspace_len = if last > 0 { points.saturating_mul(transform.batch_count()) } else { 0 };
    Recipe {
        transform: transform.clone(),
        method: Method::Passes(passes.collect()),
        workspace_len,
        chunk: None,
        ring: None,
        moduli: Vec::new(),
    }
}

#[cfg(test)]
#[path = "planner_tests.rs"]
mod tests;
