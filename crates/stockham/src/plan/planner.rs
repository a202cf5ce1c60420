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
use crate::transform::{Dim, Kind, Transform};

use super::across::{self, across};
use super::ahead;
use super::banks;
use super::choice::{Choice, Launches, Loading, PassChoice};
use super::cluster_shape;
use super::cost::{self, Limits};
use super::domain;
use super::ends::{self, Ends};
use super::free_roots;
use super::pass::{is_even, most_rows};
use super::recipe::{Arithmetic, Column, Lanes, Method, Pass, Place, Recipe, Rounds, StageRoots, Tile, Twiddle};
use super::ring_shape;
use super::smooth;
use super::staging;
use super::twiddles::TwiddleSource;

/// Whether a device with work-groups executes the transform at all.
pub(super) fn check(transform: &Transform, device: &DeviceInfo) -> Result<()> {
    for dim in &transform.dims {
        let n = transform.inner_of(dim.n);
        let what = || format!("a transform of {n} points on {}", device.id);
        if !n.is_power_of_two() {
            check_length(n, transform.algebra).map_err(|reason| Error::unsupported(what(), reason))?;
        }
        if n > 1 << 30 {
            return Err(Error::unsupported(what(), "this version executes up to 2^30 points along a dimension"));
        }
    }
    let what = || format!("a transform of {} points on {}", transform.points(), device.id);
    if !transform.domain.is_plain() && transform.algebra.has_digits() {
        return Err(Error::unsupported(
            what(),
            "GPUs have cosets, zeros and bit-reversed orders of elements of one word",
        ));
    }
    if device.max_group == 0 {
        return Err(Error::unsupported(what(), "the device has no work-groups"));
    }
    if transform.algebra == Algebra::ComplexF64 && !device.has_f64 {
        return Err(Error::unsupported(what(), "the device has no f64 arithmetic"));
    }
    Ok(())
}

/// Whether passes make a length that is no power of two; or else why not.
fn check_length(n: usize, algebra: Algebra) -> std::result::Result<(), String> {
    if algebra.has_digits() {
        return Err(format!("over {} the length is a power of two", algebra.name()));
    }
    if !smooth::is_smooth(n) && algebra.unit_roundoff().is_none() {
        return Err(format!(
            "over {} GPUs execute lengths whose prime factors are at most {MOST_PRIME}",
            algebra.name()
        ));
    }
    Ok(())
}

/// The choice for a one-dimensional transform, and the recipe that follows from it.
pub(super) fn choose(transform: &Transform, device: &DeviceInfo) -> Result<(Choice, Recipe)> {
    check(transform, device)?;
    let (n, batch) = (transform.inner_points(), transform.batch_count());
    let limits = Limits::of(device, transform.algebra);
    let in_clusters = || match across(transform) {
        Some(number) => cluster_shape::choose_across(n, transform.batch[number].n, &limits),
        None => cluster_shape::choose(n, batch, &limits),
    };
    let staying = || {
        let alone = ahead::choose(n, batch, device, &limits);
        alone.or_else(|| ring_shape::choose(n, batch, device, &limits)).filter(|_| is_packed(transform))
    };
    // Those shapes ask for more than a tile's room; where there is less, passes through memory do.
    let realised = |choice: Choice| choice.realise(transform, device).ok().map(|recipe| (choice, recipe));
    if transform.kind != Kind::Dft {
        // Of pairs of real numbers where passes make them; or else of all, which are elements without imaginary parts.
        let in_pairs =
            ends::paying_pairs(transform).filter(|pairs| pairs.is_power_of_two() || smooth::is_smooth(*pairs));
        let in_pairs = in_pairs.and_then(|pairs| {
            if let Some(found) = cluster_shape::choose_pairs(pairs, &limits).and_then(realised) {
                return Some(found);
            }
            let of = |most| through_memory(transform, pairs, most, device, limits.clone()).ok();
            of(usize::MAX)
                .filter(|(_, recipe)| are_short(recipe))
                .or_else(|| of(MOST_MIRRORED))
                .or_else(|| of(usize::MAX))
        });
        return in_pairs.map_or_else(|| through_memory(transform, n, usize::MAX, device, limits), Ok);
    }
    let may_share = n.is_power_of_two() && transform.domain.is_plain();
    let found = may_share.then(|| in_clusters().and_then(realised).or_else(|| staying().and_then(realised)));
    found.flatten().map_or_else(|| through_memory(transform, n, usize::MAX, device, limits), Ok)
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
fn through_memory(
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
        match fitted(transform, device, &limits, &mut passes) {
            Ok(recipe) => {
                recipe.check(device)?;
                return Ok((Choice { passes, launches: Launches::Apart }, recipe));
            }
            Err(radix) => limits.most_points = radix / 2,
        }
    }
    let what = format!("a transform of {n} points on {}", device.id);
    let most = smooth::most_prime(&limits);
    if smooth::largest_factor(n) > most {
        let reason =
            format!("GPUs execute lengths whose prime factors are at most {most} there; the CPU executes any length");
        return Err(Error::unsupported(what, reason));
    }
    Err(Error::unsupported(what, format!("{} bytes of local memory do not hold its tiles", device.local_bytes)))
}

/// The recipe for such passes, which take fewer columns at a time where their tiles do not fit; or else a radix of which
/// not even one column does.
fn fitted(
    transform: &Transform,
    device: &DeviceInfo,
    limits: &Limits,
    choices: &mut [PassChoice],
) -> std::result::Result<Recipe, usize> {
    loop {
        let recipe = realise(transform, limits, choices, Place::Workspace);
        let mut fits = true;
        for (pass, choice) in recipe.passes().iter().zip(&mut *choices) {
            if pass.fits(transform.algebra, device) {
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
const TWO_TRIPS: f64 = 2.16;

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
        false => smooth::cut(n, limits),
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
    let pass = |(a, &radix): (usize, &usize)| {
        let shape = Shape::of(transform, radices, a);
        let (load, store) = shape.lanes();
        let rows_only = load == Lanes::Rows && store == Lanes::Rows;
        let other = (!radix.is_power_of_two()).then(|| smooth::tile(radix, limits)).flatten();
        let chirp = other.as_ref().and_then(|tile| tile.chirp);
        let (per_thread, stages) = match rows {
            _ if other.is_some() => other.map(|tile| (tile.per_thread, tile.stages)).unwrap_or_default(),
            _ if limits.free_order > 1 => free_roots::stages(radix, limits),
            Some(rows) => cost::stages_of(radix, rows, limits),
            None => cost::stages(radix, rows_only, limits),
        };
        let length = stages.iter().product();
        let width = cost::width(length, per_thread, rows_only, &shape.columns, limits);
        let is_even = chirp.is_none() && is_even(radix, per_thread, &stages);
        // The images of columns are in their tile, behind them; but of long elements few rows are sectors, and guarded butterflies
        // leave many threads too few registers.
        let is_wide = is_even || limits.element_bytes < 16;
        let columns = match shape.has_images() {
            true if is_wide => 2 * width,
            true => width.max(2),
            false => width,
        };
        let is_packed = transform.kind == Kind::Dft && shape.is_packed();
        let flat = rows_only && is_even && is_packed && cost::wants_flat(radix, per_thread, limits);
        let loading = if flat { Loading::Flat } else { Loading::Direct };
        PassChoice { loading, chirp, ..PassChoice::new(columns, per_thread, stages) }
    };
    radices.iter().enumerate().map(pass).collect()
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
    }
}

/// What a pass reads and writes, before it is known how.
struct Shape {
    radix: usize,
    array: Vec<usize>,
    ends: Option<Ends>,
    row_strides: (usize, usize),
    columns: Vec<Column>,
    twiddle: Option<Twiddle>,
}

impl Shape {
    fn of(transform: &Transform, radices: &[usize], a: usize) -> Self {
        if transform.dims.len() > 1 {
            return if radices.len() == 1 { Self::of_array(transform) } else { Self::of_plane(transform, a) };
        }
        let (dim, last) = (transform.dims[0], radices.len() - 1);
        let inner: usize = radices[a + 1..].iter().product();
        let before: usize = radices[..a].iter().product();
        // In the workspace the transforms are packed, those side by side as neighbours; input and output have the caller's
        // strides. One pass has all columns in the order of their distances.
        let beside = across(transform).filter(|_| last > 0);
        let lines = beside.map_or(1, |number| transform.batch[number].n);
        let input_unit = if a == 0 { dim.input_stride } else { lines };
        let output_unit = if a == last { dim.output_stride } else { lines };
        let mut columns = Vec::new();
        columns.extend(beside.map(|number| across::column(&transform.batch[number], (a == 0, a == last))));
        let first_digit = columns.len();
        if a < last {
            // The digits inside i_a, as one: neighbours in the source and in the target.
            columns.push(Column { n: inner, input_stride: input_unit, output_stride: output_unit, weight: 0 });
        }
        for b in 0..a {
            // k_b stands where i_b stood, except that the last pass writes the final order.
            let place = radices[b + 1..].iter().product::<usize>() * lines;
            let weight: usize = radices[..b].iter().product();
            let output_stride = if a == last { weight * output_unit } else { place };
            columns.push(Column { n: radices[b], input_stride: place, output_stride, weight });
        }
        let mut packed = before * radices[a] * inner * lines;
        let others = transform.batch.iter().enumerate().filter(|(number, _)| Some(*number) != beside);
        for (_, d) in others.rev() {
            let input_stride = if a == 0 { d.input_stride } else { packed };
            let output_stride = if a == last { d.output_stride } else { packed };
            columns.push(Column { n: d.n, input_stride, output_stride, weight: 0 });
            packed *= d.n;
        }
        if last == 0 {
            // Only batch digits: the one whose values lie closest together comes first.
            columns.sort_by_key(|c| c.input_stride.min(c.output_stride));
        }
        if columns.is_empty() {
            columns.push(Column { n: 1, input_stride: 0, output_stride: 0, weight: 0 });
        }
        let output_row = if a == last { before } else { inner };
        let mut row_strides = (inner * input_unit, output_row * output_unit);
        if !transform.domain.is_plain() {
            let (places, digit) = ([a == 0, a == last], (a < last).then_some(first_digit));
            domain::reverse(transform, places, (input_unit, output_unit), &mut row_strides, (digit, &mut columns));
        }
        let ends = ends::of(transform, (before, radices[a], inner), (a, last), first_digit, &columns);
        let order = before * radices[a];
        let split = twiddle_split(order, transform.algebra);
        Self {
            radix: radices[a],
            array: Vec::new(),
            ends,
            row_strides,
            columns,
            twiddle: (a > 0).then_some(Twiddle { order, split, source: TwiddleSource::Tables }),
        }
    }

    /// The pass of an array in one [tile](super::volume), as it lies in memory.
    fn of_array(transform: &Transform) -> Self {
        let points = transform.points();
        let of_dim =
            |d: &Dim| Column { n: d.n, input_stride: d.input_stride, output_stride: d.output_stride, weight: 0 };
        let mut columns: Vec<Column> = transform.batch.iter().rev().map(of_dim).collect();
        if columns.is_empty() {
            columns.push(Column { n: 1, input_stride: points, output_stride: points, weight: 0 });
        }
        let array = transform.dims.iter().map(|dim| dim.n).collect();
        Self { radix: points, array, ends: None, row_strides: (1, 1), columns, twiddle: None }
    }

    /// The passes of a [plane](super::plane), one a dimension.
    fn of_plane(transform: &Transform, a: usize) -> Self {
        let [first, second] = [transform.dims[0], transform.dims[1]];
        let mut packed = first.n * second.n;
        let (radix, row_strides, column) = match a {
            0 => {
                let column = Column { n: second.n, input_stride: second.input_stride, output_stride: 1, weight: 0 };
                (first.n, (first.input_stride, second.n), column)
            }
            _ => {
                let column =
                    Column { n: first.n, input_stride: second.n, output_stride: first.output_stride, weight: 0 };
                (second.n, (1, second.output_stride), column)
            }
        };
        let batch = transform.batch.iter().rev().map(|d| {
            let input_stride = if a == 0 { d.input_stride } else { packed };
            let output_stride = if a == 0 { packed } else { d.output_stride };
            packed *= d.n;
            Column { n: d.n, input_stride, output_stride, weight: 0 }
        });
        let columns = [column].into_iter().chain(batch).collect();
        Self { radix, array: Vec::new(), ends: None, row_strides, columns, twiddle: None }
    }

    /// Whether columns have [images](super::mirror).
    fn has_images(&self) -> bool {
        self.ends.as_ref().is_some_and(Ends::has_images)
    }

    /// Whether neighbouring columns follow each other without gaps, in the source and in the target.
    fn is_packed(&self) -> bool {
        let column = &self.columns[0];
        let packed = |row: usize, stride: usize| row == 1 && stride == self.radix;
        self.columns.len() == 1
            && packed(self.row_strides.0, column.input_stride)
            && packed(self.row_strides.1, column.output_stride)
    }

    /// Which neighbours of the threads are neighbours in the source, and in the target.
    fn lanes(&self) -> (Lanes, Lanes) {
        let column = &self.columns[0];
        let lanes = |row: usize, stride: usize| {
            if column.n > 1 && stride < row { Lanes::Columns } else { Lanes::Rows }
        };
        (lanes(self.row_strides.0, column.input_stride), lanes(self.row_strides.1, column.output_stride))
    }
}

/// How the roots of that order are split into tables. Where some roots are free, one table has what they leave over; but
/// a rotation takes time too, and while the table is small it has all roots.
pub(super) fn twiddle_split(order: usize, algebra: Algebra) -> usize {
    /// Bytes of it: a fraction of what second-level caches hold, and quickly computed.
    const WHOLE: usize = 4 << 20;
    let free = algebra.free_order();
    match order / free {
        _ if free == 1 => square_root_split(order),
        0 | 1 => 1,
        _ if order * algebra.element_bytes() <= WHOLE => order,
        rest => rest,
    }
}

/// One table while it is small, then two of about √order.
pub(super) fn square_root_split(order: usize) -> usize {
    const SINGLE: usize = 1 << 10;
    if order <= SINGLE { order } else { 1 << order.ilog2().div_ceil(2) }
}

fn finish(shape: Shape, choice: &PassChoice, place: (Place, Place), scale: Scale, limits: &Limits) -> Pass {
    let PassChoice { columns, per_thread, stages, .. } = choice.clone();
    let (load, store) = shape.lanes();
    // The order of the threads changes at an exchange, or not at all.
    let store = if stages.len() < 2 { load } else { store };
    let (load, store) = match choice.loading {
        // The rows of an array's last stage are far enough apart.
        Loading::Flat if !shape.array.is_empty() && store_fills_sectors(&stages, limits) => (Lanes::Flat, Lanes::Rows),
        Loading::Flat => (Lanes::Flat, Lanes::Flat),
        _ => (load, store),
    };
    let groups = shape.columns.iter().map(|column| column.n).product::<usize>().div_ceil(columns);
    let radix = stages.iter().product();
    let rows = most_rows(radix, per_thread, &stages);
    let registers = if groups > limits.compute_units {
        cost::registers(rows, limits)
    } else {
        cost::registers_alone(rows, columns * usize::div_ceil(radix, per_thread), limits)
    };
    let mut pass = Pass {
        source: place.0,
        target: place.1,
        cluster: None,
        planes: None,
        radix,
        chirp: choice.chirp,
        array: shape.array,
        ends: shape.ends,
        row_strides: shape.row_strides,
        columns: shape.columns,
        twiddle: shape.twiddle,
        scale,
        tile: Tile {
            columns,
            per_thread,
            stages,
            load,
            store,
            exchanges: Vec::new(),
            registers,
            rounds: Rounds::ONE,
            staged: [false; 2],
            arithmetic: Arithmetic::Scalar,
            roots: StageRoots::Lookups,
            share: None,
            team: limits.team,
            ahead: matches!(choice.loading, Loading::Ahead | Loading::Early),
            early: 0,
            swaps: false,
        },
    };
    pass.tile.roots = cost::stage_roots(&pass, limits);
    if choice.products && pass.tile.stages.len() > 1 {
        pass.tile.roots = StageRoots::Products;
    }
    lay_out(&mut pass, limits);
    pass
}

/// Whether neighbouring threads write whole sectors after the last stage.
fn store_fills_sectors(stages: &[usize], limits: &Limits) -> bool {
    let [before @ .., _] = stages else { return false };
    !before.is_empty() && before.iter().product::<usize>() * limits.element_bytes >= 2 * cost::SECTOR_BYTES
}

/// Chooses the exchanges' paddings, and as many rounds as it takes to fit local memory.
pub(super) fn lay_out(pass: &mut Pass, limits: &Limits) {
    pass.tile.swaps = limits.swaps && pass.can_swap();
    // A slice must hold whole outputs of every stage, the last of which are the largest.
    let sliceable = pass.chirp.is_none()
        && !pass.is_mirrored()
        && pass.is_even()
        && pass.tile.load != Lanes::Flat
        && pass.tile.store != Lanes::Flat;
    let room = limits.tile_bytes.saturating_sub(pass.ahead_bytes(limits.element_bytes));
    let last = pass.tile.stages.last().copied().filter(|_| sliceable).unwrap_or(1);
    let per_thread = pass.tile.per_thread;
    let is_whole = |slices: usize| slices == 1 || last.is_multiple_of(slices) && per_thread.is_multiple_of(slices);
    for rounds in limits.rounds().filter(|rounds| is_whole(rounds.slices)) {
        if lay_out_in(pass, rounds, limits) <= room {
            return;
        }
    }
}

/// Chooses the paddings of exchanges in such rounds; gives the bytes that they take.
pub(super) fn lay_out_in(pass: &mut Pass, rounds: Rounds, limits: &Limits) -> usize {
    pass.tile.rounds = rounds;
    let place_bytes = limits.element_bytes / if rounds.planes.is_some() { limits.components } else { 1 };
    pass.tile.exchanges = (0..pass.exchanges().len()).map(|e| banks::choose(pass, e, place_bytes)).collect();
    pass.planes_len() * place_bytes
}

#[cfg(test)]
#[path = "planner_tests.rs"]
mod tests;
