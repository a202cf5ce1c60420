//! DFTs by a [chirp](super::chirp) that no tile holds: a cyclic convolution of M points in passes through memory.
//!
//! M = R_0·R_1·…·R_m. The passes of radices R_0, …, R_m are those of a DFT of M points, each of which turns the digit i_a of the
//! point's number into the digit k_a of the frequency where it stands. The last of them, the middle one, does not put the digits in
//! order: it multiplies them by the spectrum of the chirp, and begins the way back at once, with the digit it has. The passes of
//! radices R_{m−1}, …, R_0 go on with it: each turns k_a into a digit of the result's number where it stands, whose lower digits
//! are there by then, so that after the last one the points are in their order. The first pass reads n points, and the last one
//! writes n; between them M go through the workspace, in place. Of a long batch some transforms go through all passes before the next
//! ones do, so that the workspace is as long as some of them.

use std::collections::HashMap;

use crate::algebra::Scale;
use crate::device_info::{Backend, DeviceInfo};
use crate::error::{Error, Result};
use crate::transform::Transform;

use super::chirp;
use super::choice::{Choice, Launches, PassChoice};
use super::cost::Limits;
use super::cuts;
use super::ends::{self, Ends};
use super::finish::finish;
use super::hopper;
use super::pass_shape::{Shape, twiddle_split};
use super::planner::{TWO_TRIPS, fitted, pass_choice};
use super::realise::MOST_GROUP;
use super::recipe::{Column, Method, Pass, Place, Recipe, StageRoots, Twiddle};
use super::twiddles::TwiddleSource;

/// Points of the convolution at most: what indices of 32 bits count.
const MOST_POINTS: usize = 1 << 31;

/// Passes on the way there.
const MOST_PASSES: u32 = 3;

/// Lengths of convolutions that are looked at, in multiples of the shortest, and what they are multiples of: rows of whole sectors.
const LONGER: f64 = 1.13;
const ROW: usize = 64;

/// Bytes of workspace at most where a batch takes more. Less, so that it stays in the cache, makes launches too short.
const MOST_WORKSPACE: usize = 256 << 20;

/// Bytes of a transform's slice at most, and of transforms that are sliced at least: several of shorter ones are in the cache with
/// their tables.
const SLICE: usize = 1 << 20;
const LEAST_SLICED: usize = 4 << 20;

/// What the product with the spectrum costs, in trips through memory.
const PRODUCT: f64 = 0.3;

/// The choice for a transform whose length no passes make, and the recipe that follows from it; nothing if there is none.
pub(super) fn choose(transform: &Transform, device: &DeviceInfo, limits: &Limits) -> Option<(Choice, Recipe)> {
    let radices = cut(transform.inner_points(), limits)?;
    let shapes = Shapes::of(transform, &radices);
    let of_shape = |number| {
        let choice = pass_choice(transform, &shapes.shape(number), None, limits);
        PassChoice::new(choice.columns, choice.per_thread, choice.stages)
    };
    let mut passes: Vec<PassChoice> = (0..shapes.count()).map(of_shape).collect();
    let recipe = fitted(device, &mut passes, |passes| realise(transform, limits, passes)).ok()?;
    recipe.check_passes_fit(device).ok()?;
    Some((Choice { passes, launches: Launches::Chirp }, recipe))
}

/// The radices of the passes there with the least cost, the middle one last; nothing if no cut fits.
fn cut(n: usize, limits: &Limits) -> Option<Vec<usize>> {
    let least = n.checked_mul(2)? - 1;
    let longest = (least as f64 * LONGER) as usize;
    let lengths = chirp::lengths(limits.algebra, n, &[5, 3, 2], longest, MOST_POINTS);
    let (mut outer, mut middle) = (HashMap::new(), HashMap::new());
    let mut best: Option<(f64, Vec<usize>)> = None;
    for passes in 2..=MOST_PASSES {
        for &length in lengths.iter().filter(|m| m.is_multiple_of(ROW)) {
            cuts::sides(length, passes, &mut Vec::new(), &mut |sides| {
                let [long, others @ ..] = sides else { return };
                let mut cost = *middle.entry(*long).or_insert_with(|| cuts::there_and_back(*long, limits));
                for side in others {
                    let of_side = *outer.entry(*side).or_insert_with(|| cuts::outer_cost(*side, limits));
                    cost = cost.zip(of_side).map(|(cost, of_side)| cost + 2.0 * of_side);
                }
                let Some(cost) = cost.map(|cost| (cost + PRODUCT) * length as f64) else { return };
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, sides.iter().rev().copied().collect()));
                }
            });
        }
        // Tiles with few columns use a part of what memory gives them, so that two passes more may be shorter than one.
        let is_short = |side: &usize| outer[side].is_some_and(|cost| cost <= TWO_TRIPS);
        if best.as_ref().is_some_and(|(_, radices)| radices[..radices.len() - 1].iter().all(is_short)) {
            break;
        }
    }
    best.map(|(_, radices)| radices)
}

/// The recipe that follows from choices, one a pass there and back.
///
/// # Errors
/// [`Error::InvalidTransform`] if they make no convolution that is long enough.
pub(super) fn realise_choices(transform: &Transform, device: &DeviceInfo, choices: &[PassChoice]) -> Result<Recipe> {
    check_choices(transform, device, choices, false)?;
    Ok(realise(transform, &Limits::of(device, transform.algebra), choices))
}

/// Checks that choices make a convolution that is long enough, there and back; with products between stages if they `may_multiply`.
pub(super) fn check_choices(
    transform: &Transform,
    device: &DeviceInfo,
    choices: &[PassChoice],
    may_multiply: bool,
) -> Result<()> {
    let most = device.max_group.min(MOST_GROUP);
    let there = choices.len() / 2 + 1;
    let radices: Vec<usize> = choices.iter().map(|choice| choice.product().unwrap_or(0)).collect();
    let length = radices.iter().take(there).try_fold(1usize, |product, radix| product.checked_mul(*radix));
    let is_filter = transform.is_filtered();
    let of_filter = ends::points_there_and_back(transform).filter(|_| is_filter);
    let n = of_filter.unwrap_or(transform.inner_points());
    let is_long_enough = length.is_some_and(|m| if is_filter { m == n } else { m / 2 >= n && m <= MOST_POINTS });
    let goes_back = radices.iter().eq(radices.iter().rev());
    let is_plain = |choice: &PassChoice| {
        let plain = PassChoice::new(choice.columns, choice.per_thread, choice.stages.clone());
        let products = may_multiply && choice.products;
        *choice == PassChoice { products, ..plain } && !choice.stages.is_empty() && choice.is_sound(most)
    };
    if choices.len() < 3
        || choices.len().is_multiple_of(2)
        || !is_long_enough
        || !goes_back
        || !choices.iter().all(is_plain)
    {
        let points = if is_filter { "" } else { "twice " };
        return Err(Error::InvalidTransform(format!(
            "passes of {radices:?} make no convolution of {points}{n} points, there and back"
        )));
    }
    if is_filter && !(is_plain_filter(transform) && may_multiply) {
        let what = format!("a filter of {n} points in several passes");
        return Err(Error::unsupported(
            what,
            "lines go there and back in clusters, of complex numbers or of pairs of real ones",
        ));
    }
    let algebra = transform.algebra;
    let has_chirp = !algebra.has_digits() && chirp::has_roots(algebra, n, length.unwrap_or(0));
    if !is_filter && !has_chirp {
        let what = format!("a chirp of {n} points over {}", algebra.name());
        return Err(Error::unsupported(what, "elements have no digits, and there are roots of orders 2n and M"));
    }
    if device.backend == Backend::Cpu {
        return Err(Error::unsupported("passes on the CPU", "the host makes none"));
    }
    Ok(())
}

/// Whether it is a filter of lines of complex numbers, or of pairs of real ones, whose spectra are known by their own numbers.
pub(super) fn is_plain_filter(transform: &Transform) -> bool {
    let is_of_line = transform.filter.as_ref().is_some_and(|filter| filter.whole.is_none());
    is_of_line && ends::points_there_and_back(transform).is_some() && transform.dims.len() == 1
}

pub(super) fn realise(transform: &Transform, limits: &Limits, choices: &[PassChoice]) -> Recipe {
    let there = choices.len() / 2 + 1;
    let radices: Vec<usize> = choices[..there].iter().map(|choice| choice.product().unwrap_or(0)).collect();
    let shapes = Shapes::of(transform, &radices);
    let last = choices.len() - 1;
    let passes = choices.iter().enumerate().map(|(number, choice)| {
        let source = if number == 0 { Place::Input } else { Place::Workspace };
        let target = if number == last { Place::Output } else { Place::Workspace };
        let scale = if number == last { transform.scale() } else { Scale::One };
        finish(shapes.shape(number), choice, (source, target), scale, limits)
    });
    let (outermost, inner) = match &transform.batch[..] {
        [outermost, inner @ ..] => (outermost.n, inner.iter().map(|dim| dim.n).product()),
        [] => (1, 1),
    };
    let entry = radices.iter().product::<usize>().saturating_mul(inner);
    // An index along the batch is that of all entries.
    let room = if transform.is_fused() { usize::MAX } else { MOST_WORKSPACE };
    let entries = (room / limits.element_bytes / entry.max(1)).clamp(1, outermost.max(1));
    Recipe {
        transform: transform.clone(),
        method: Method::Convolution(passes.collect()),
        workspace_len: entry.saturating_mul(entries),
        chunk: (entries < outermost).then_some(entries),
        ring: None,
        moduli: Vec::new(),
    }
}

/// What the passes of a convolution read and write.
struct Shapes<'a> {
    transform: &'a Transform,
    /// The radices of the passes there.
    radices: &'a [usize],
}

impl<'a> Shapes<'a> {
    fn of(transform: &'a Transform, radices: &'a [usize]) -> Self {
        Self { transform, radices }
    }

    fn count(&self) -> usize {
        2 * self.radices.len() - 1
    }

    /// The product of the radices behind that of a number, and before it.
    fn around(&self, a: usize) -> (usize, usize) {
        (self.radices[a + 1..].iter().product(), self.radices[..a].iter().product())
    }

    fn shape(&self, number: usize) -> Shape {
        let (transform, middle) = (self.transform, self.radices.len() - 1);
        let dim = transform.dims[0];
        let (is_first, is_last) = (number == 0, number + 1 == self.count());
        let (a, is_back) = if number <= middle { (number, false) } else { (self.count() - 1 - number, true) };
        let (inner, before) = self.around(a);
        let units = (if is_first { dim.input_stride } else { 1 }, if is_last { dim.output_stride } else { 1 });
        let mut columns = Vec::new();
        if inner > 1 {
            let weight = usize::from(is_back);
            columns.push(Column { n: inner, input_stride: units.0, output_stride: units.1, weight });
        }
        for b in 0..a {
            let (place, weight) = self.around(b);
            let weight = if is_back { 0 } else { weight };
            columns.push(Column { n: self.radices[b], input_stride: place, output_stride: place, weight });
        }
        let mut packed = self.radices.iter().product();
        for d in transform.batch.iter().rev() {
            let input_stride = if is_first { d.input_stride } else { packed };
            let output_stride = if is_last { d.output_stride } else { packed };
            columns.push(Column { n: d.n, input_stride, output_stride, weight: 0 });
            packed = packed.saturating_mul(d.n);
        }
        let order = self.radices[a] * if is_back { inner } else { before };
        let split = twiddle_split(order, transform.algebra);
        let is_filter = transform.is_filtered();
        Shape {
            radix: self.radices[a],
            array: Vec::new(),
            ends: self.ends(inner, before, columns.len(), [is_first, is_last]),
            row_strides: (inner * units.0, inner * units.1),
            columns,
            twiddle: (!is_first).then_some(Twiddle { order, split, source: TwiddleSource::Tables, odd: false }),
            middle: (!is_filter && number == middle).then(|| transform.inner_points()),
            filter: is_filter && number == middle,
        }
    }

    /// The ends of the first pass, or of the last: points of the transform, and none behind them. Of a filter of pairs of real numbers
    /// the middle pass, which has points of the half spectrum, has them, too.
    fn ends(&self, inner: usize, before: usize, columns: usize, sides: [bool; 2]) -> Option<Ends> {
        let (dim, is_middle) = (self.transform.dims[0], sides == [false; 2]);
        let pairs = ends::pairs(self.transform).filter(|_| self.transform.is_filtered());
        let points = pairs.unwrap_or(self.transform.inner_points());
        if pairs.is_none() && (self.transform.is_filtered() || is_middle) {
            return None;
        }
        Some(Ends {
            sides,
            points,
            strides: (dim.input_stride, dim.output_stride),
            row: if is_middle { before } else { inner },
            digits: (0..columns).map(|column| usize::from(column == 0)).collect(),
            turns: ends::turns_at(self.transform, sides),
            packed: pairs.is_some(),
            mirrored: [false; 2],
            plane: false,
            lines: Vec::new(),
            chirp: pairs.is_none().then_some(points),
        })
    }
}

impl Recipe {
    /// Checks a convolution with a chirp: it is what follows from its own choices.
    pub(super) fn check_long_chirp(&self, device: &DeviceInfo) -> Result<()> {
        let clusters = hopper::chirp_clusters_of(self, device);
        let choice = |pass: &Pass| PassChoice {
            products: clusters.is_some() && pass.tile.roots == StageRoots::Products,
            ..PassChoice::new(pass.tile.columns, pass.tile.per_thread, pass.tile.stages.clone())
        };
        let choices: Vec<PassChoice> = self.passes().iter().map(choice).collect();
        let follows = match clusters {
            None => *self == realise_choices(&self.transform, device, &choices)?,
            Some(clusters) => {
                let of = |clusters| hopper::realise_chirp(&self.transform, device, clusters, &choices);
                clusters.into_iter().map(of).any(|made| made.as_ref() == Ok(self))
            }
        };
        if !follows {
            return Err(Error::InvalidTransform("the passes of a convolution do not follow from their tiles".into()));
        }
        self.check_passes_fit(device)
    }

    /// How many tiles work-groups take of one transform before they take those of the next one, and how many it has; nothing if
    /// they take one transform after the other. Slices of a long one's tables stay in the cache so until all transforms had them.
    pub(crate) fn slices(&self, pass: &Pass) -> Option<(usize, usize)> {
        if !matches!(self.method, Method::Convolution(_))
            || pass.hopper.share.is_some()
            || self.transform.batch.is_empty()
        {
            return None;
        }
        let own = pass.columns.len().saturating_sub(self.transform.batch.len());
        let (first, columns) =
            (pass.columns.first()?.n, pass.columns[..own].iter().map(|column| column.n).product::<usize>());
        if own == 0 || !first.is_multiple_of(pass.tile.columns) {
            return None;
        }
        let tiles = columns / pass.tile.columns;
        let bytes = pass.radix * pass.tile.columns * self.transform.algebra.element_bytes();
        if tiles.saturating_mul(bytes) < LEAST_SLICED {
            return None;
        }
        let slice = (1..=tiles.min(SLICE / bytes)).rev().find(|slice| tiles.is_multiple_of(*slice));
        Some((slice.unwrap_or(1), tiles))
    }

    pub(super) fn check_passes_fit(&self, device: &DeviceInfo) -> Result<()> {
        self.passes().iter().try_for_each(|pass| pass.check_fits(self.transform.algebra, device))
    }
}

impl Pass {
    /// Whether it does its stages there and back, with a product between.
    pub(crate) fn convolves(&self) -> bool {
        self.chirp.is_some() || self.middle.is_some() || self.rader.is_some() || self.filter
    }

    /// Whether the rows of a column are neighbours in the table of the chirp's spectrum, as neighbouring threads have them. In one
    /// launch with the others neighbouring threads have columns.
    pub(crate) fn has_spectrum_by_column(&self) -> bool {
        self.middle.is_some() && self.hopper.share.is_none()
    }

    /// The product of the radices before the middle pass of a convolution.
    pub(crate) fn before_middle(&self) -> usize {
        self.twiddle.map_or(1, |twiddle| twiddle.order / self.radix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Algebra;

    #[test]
    fn primes_of_all_sizes_have_passes() {
        let device = DeviceInfo {
            backend: Backend::Cuda,
            max_group: 1024,
            local_bytes: 227 << 10,
            simd_width: 32,
            registers: Some(64 << 10),
            compute_units: 132,
            ..crate::Device::cpu().info().clone()
        };
        for algebra in [Algebra::ComplexF32, Algebra::ComplexF64] {
            for n in [16_411, 65_537, 1_000_003, 10_000_019, (1 << 28) - 57] {
                let (choice, recipe) = super::super::planner::choose(&Transform::new(algebra, n), &device).unwrap();
                let (length, most) = (recipe.points(), recipe.passes().len());
                assert!(length >= 2 * n && length as f64 <= 2.0 * LONGER * n as f64, "{choice}");
                assert!(matches!(most, 3 | 5) && recipe.workspace_len == length, "{choice}");
                assert_eq!(choice.realise(&Transform::new(algebra, n), &device), Ok(recipe));
            }
        }
    }
}
