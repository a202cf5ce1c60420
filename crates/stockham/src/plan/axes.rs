//! Transforms of several dimensions: one after the other along each, with no transposition between them. Each takes lines of
//! whatever strides, and leaves them where they were, so that all but the first work in place on the output.

use crate::algebra::Direction;
use crate::device_info::{Backend, DeviceInfo};
use crate::error::{Error, Result};
use crate::transform::{Access, Coordinates, Dim, Filter, Kind, Normalization, Placement, Side, Transform};

use super::plane;
use super::planner;
use super::recipe::{Axis, Method, Place, Recipe};

/// A transform of one dimension, between these places.
pub(crate) type Line = (Place, Place, Transform);

/// What lies between dimensions in the workspace takes a multiple of so many elements, so that what is behind it begins at a
/// multiple of all that devices ask for.
const UNIT: usize = 32;

/// The transforms of one dimension that make up one of several. The last dimension comes first, as its points are neighbours
/// mostly; but last where it takes a half spectrum to real numbers, which have no room for the spectrum of the others: that is
/// in the workspace, unless it may replace the input.
pub(crate) fn lines(transform: &Transform) -> Vec<Line> {
    lines_and_plane(transform, false, false)
}

/// The same on a device, which may take the last two dimensions [at once](plane).
pub(crate) fn lines_on(transform: &Transform, device: &DeviceInfo) -> Vec<Line> {
    if transform.is_filtered() {
        let at_once = lines_and_plane(transform, false, true);
        let fits = |(_, _, line): &Line| !line.is_filtered() || planner::choose(line, device).is_ok();
        let is_gpu = device.backend != Backend::Cpu;
        return if is_gpu && at_once.iter().all(fits) { at_once } else { lines(transform) };
    }
    let with_plane = lines_and_plane(transform, true, false);
    let is_taken = |(_, _, line): &Line| line.dims.len() == 1 || plane::choose(line, device).is_some();
    if with_plane.iter().all(is_taken) { with_plane } else { lines(transform) }
}

fn lines_and_plane(transform: &Transform, has_plane: bool, at_once: bool) -> Vec<Line> {
    let mut lines = match &transform.filter {
        Some(filter) => there_and_back(transform, filter, at_once),
        None => plain_lines(transform, has_plane),
    };
    // What is read goes through the first one's expression, and what is written through the last one's.
    if let Some((_, _, first)) = lines.first_mut() {
        first.load = transform.access_of_whole(Side::Input);
    }
    if let Some((_, _, last)) = lines.last_mut() {
        last.store = transform.access_of_whole(Side::Output);
    }
    lines
}

/// The lines of a transform there and back: along the last dimension, then the others, through the filter along the first of them,
/// and back in the opposite order. The spectrum is in the workspace.
fn there_and_back(transform: &Transform, filter: &Filter, at_once: bool) -> Vec<Line> {
    let plain = Transform { filter: None, placement: Placement::OutOfPlace, ..transform.unfused() };
    let forward = Transform { normalization: Normalization::None, ..plain.clone() };
    let scaled =
        if transform.normalization == Normalization::None { Normalization::None } else { Normalization::Backward };
    let back = Transform { direction: Direction::Inverse, normalization: scaled, ..plain };
    let (ends, last) = (Ends::of(&forward), forward.dims.len() - 1);
    let strides: Vec<(usize, usize)> = ends.counts.iter().copied().zip(ends.packed.iter().copied()).collect();
    let whole = Coordinates::of(&strides, last + 1, &[]).expect("the workspace has no gaps");
    let (input, between, output) =
        ((Place::Input, &ends.input[..]), (Place::Workspace, &ends.packed[..]), (Place::Output, &ends.output[..]));
    if last == 0 && at_once && super::ends::points_there_and_back(transform).is_some() {
        return vec![(
            Place::Input,
            Place::Output,
            Transform { placement: transform.placement, ..transform.unfused() },
        )];
    }
    let there = (0..=last).rev().map(|number| {
        let (source, target, line) = ends.line(&forward, number, if number == last { input } else { between }, between);
        let is_turn = number == 0;
        let store = if is_turn { Access::within(filter.value.clone(), whole.clone()) } else { Access::default() };
        (source, target, Transform { store, ..line })
    });
    let mut lines: Vec<Line> = there.collect();
    let mut numbers = 0..=last;
    if at_once && last > 0 {
        numbers.next();
        lines.pop();
        let (source, target, line) = ends.line(&back, 0, between, between);
        let filter = Filter { value: filter.value.clone(), whole: Some(whole) };
        lines.push((source, target, Transform { filter: Some(filter), direction: Direction::Forward, ..line }));
    }
    let backwards =
        numbers.map(|number| ends.line(&back, number, between, if number == last { output } else { between }));
    lines.extend(backwards);
    lines
}

fn plain_lines(transform: &Transform, has_plane: bool) -> Vec<Line> {
    let last = transform.dims.len().saturating_sub(1);
    // A DFT of one point is that point.
    let is_trig = transform.trig().is_some();
    let others: Vec<usize> = (0..last).rev().filter(|&number| is_trig || transform.dims[number].n > 1).collect();
    let ends = Ends::of(transform);
    let line = |number, source, target| ends.line(transform, number, source, target);
    let plane = |source, target| ends.plane(transform, source, target);
    let has_plane = has_plane && !is_trig && transform.dims.len() > 2 && transform.dims[last].n > 1;
    let (input, output) = ((Place::Input, &ends.input[..]), (Place::Output, &ends.output[..]));
    if transform.half_side() == Some(Side::Input) && !others.is_empty() {
        let (first, between) = match transform.placement {
            Placement::OutOfPlace => (input, (Place::Workspace, &ends.packed[..])),
            Placement::InPlace => ((Place::Output, &ends.input[..]), (Place::Output, &ends.input[..])),
        };
        let sources = [first].into_iter().chain(std::iter::repeat(between));
        let has_plane = has_plane && others.len() > 1 && others[0] == last - 1;
        let (others, is_plane) = if has_plane { (others[1..].to_vec(), true) } else { (others, false) };
        let real = if is_plane { plane(between, output) } else { line(last, between, output) };
        let spectra = others.into_iter().zip(sources).map(|(number, source)| line(number, source, between));
        return spectra.chain([real]).collect();
    }
    // Real numbers become a half spectrum, however few they are.
    let is_first = transform.dims[last].n > 1 || transform.kind != Kind::Dft || others.is_empty();
    let mut numbers: Vec<usize> = is_first.then_some(last).into_iter().chain(others).collect();
    let has_plane = has_plane && transform.has_room(Side::Output);
    if has_plane && numbers.starts_with(&[last, last - 1]) {
        numbers.remove(0);
        let plane = plane(input, output);
        let sources = std::iter::repeat(output);
        let others = numbers.split_off(1).into_iter().zip(sources).map(|(number, source)| line(number, source, output));
        return [plane].into_iter().chain(others).collect();
    }
    // Elements may have no place in the output.
    let between = if transform.has_room(Side::Output) { output } else { (Place::Workspace, &ends.packed[..]) };
    let count = numbers.len();
    let sources = [input].into_iter().chain(std::iter::repeat(between));
    let targets = (1..=count).map(|i| if i == count { output } else { between });
    numbers
        .into_iter()
        .zip(sources)
        .zip(targets)
        .map(|((number, source), target)| line(number, source, target))
        .collect()
}

/// Distances between neighbours along each dimension, those of the batch behind the transform's.
struct Ends {
    input: Vec<usize>,
    output: Vec<usize>,
    /// In the workspace.
    packed: Vec<usize>,
    /// Elements along each dimension, of the half spectrum where there is one.
    counts: Vec<usize>,
}

impl Ends {
    fn of(transform: &Transform) -> Self {
        let spectrum = transform.half_side().unwrap_or(Side::Output);
        let dims: Vec<&Dim> = transform.dims.iter().chain(&transform.batch).collect();
        let of_dims = (0..transform.dims.len()).map(|number| transform.count(spectrum, number));
        let counts: Vec<usize> = of_dims.chain(transform.batch.iter().map(|dim| dim.n)).collect();
        // The batch is outside of the transforms.
        let mut packed = vec![0; dims.len()];
        let (rank, mut len) = (transform.dims.len(), 1usize);
        for at in (0..rank).rev().chain((rank..dims.len()).rev()) {
            packed[at] = len;
            len = len.saturating_mul(counts[at]);
        }
        let strides = |of: fn(&Dim) -> usize| dims.iter().map(|dim| of(dim)).collect();
        Self { input: strides(|dim| dim.input_stride), output: strides(|dim| dim.output_stride), packed, counts }
    }

    fn line(&self, transform: &Transform, number: usize, from: (Place, &[usize]), to: (Place, &[usize])) -> Line {
        self.along(transform, &[number], from, to)
    }

    /// The last two dimensions at once.
    fn plane(&self, transform: &Transform, from: (Place, &[usize]), to: (Place, &[usize])) -> Line {
        let rank = transform.dims.len();
        self.along(transform, &[rank - 2, rank - 1], from, to)
    }

    fn along(
        &self,
        transform: &Transform,
        numbers: &[usize],
        (source, from): (Place, &[usize]),
        (target, to): (Place, &[usize]),
    ) -> Line {
        let is_last = numbers.contains(&(transform.dims.len() - 1));
        let dim = |at: usize, n: usize| Dim { n, input_stride: from[at], output_stride: to[at] };
        let (rank, is_real) = (transform.dims.len(), transform.kind == Kind::Real);
        let (dims, outside) = (0..rank, rank..self.counts.len());
        let all: Vec<usize> = if is_real { outside.chain(dims).collect() } else { dims.chain(outside).collect() };
        let others = all.into_iter().filter(|at| !numbers.contains(at) && self.counts[*at] > 1);
        let in_place = transform.placement == Placement::InPlace || source == target;
        let batch = others.map(|at| dim(at, self.counts[at])).collect();
        let line = Transform {
            kind: if is_last || transform.trig().is_some() { transform.kind } else { Kind::Dft },
            dims: numbers.iter().map(|number| dim(*number, transform.dims[*number].n)).collect(),
            // Half spectra are no multiples of a tile, and planes of them may be.
            batch: if is_real { following(batch) } else { batch },
            placement: if in_place { Placement::InPlace } else { Placement::OutOfPlace },
            input_layout: if source == Place::Input { transform.input_layout } else { transform.output_layout },
            ..transform.unfused()
        };
        (source, target, line)
    }
}

/// Dimensions of a batch, outermost first, in which those that follow each other without gaps are one.
fn following(batch: Vec<Dim>) -> Vec<Dim> {
    let mut found: Vec<Dim> = Vec::new();
    for inner in batch {
        let follows = |outer: &&mut Dim| {
            let [input, output] = [inner.input_stride, inner.output_stride].map(|stride| inner.n.checked_mul(stride));
            (input, output) == (Some(outer.input_stride), Some(outer.output_stride))
        };
        match found.last_mut().filter(follows) {
            Some(outer) => *outer = Dim { n: outer.n.saturating_mul(inner.n), ..inner },
            None => found.push(inner),
        }
    }
    found
}

/// Elements of the workspace that lie between dimensions.
pub(crate) fn between(axes: &[Axis]) -> usize {
    let of_axis = |axis: &Axis| if axis.target == Place::Workspace { axis.recipe.transform.output_len() } else { 0 };
    axes.iter().map(of_axis).max().unwrap_or(0).next_multiple_of(UNIT)
}

/// The recipe of several dimensions, made of recipes for one each.
///
/// # Errors
/// Those of `recipe`.
pub(crate) fn compose(
    transform: &Transform,
    lines: Vec<Line>,
    mut recipe: impl FnMut(&Transform) -> Result<Recipe>,
) -> Result<Recipe> {
    let axis = |(source, target, line): Line| Ok(Axis { source, target, recipe: recipe(&line)? });
    let axes = lines.into_iter().map(axis).collect::<Result<Vec<Axis>>>()?;
    let workspace_len = workspace_len(&axes);
    let method = Method::Axes(axes);
    Ok(Recipe { transform: transform.clone(), method, workspace_len, chunk: None, ring: None, moduli: Vec::new() })
}

fn workspace_len(axes: &[Axis]) -> usize {
    let most = axes.iter().map(|axis| axis.recipe.workspace_len).max().unwrap_or(0);
    between(axes).saturating_add(most)
}

impl Recipe {
    /// Checks that dimension after dimension makes the transform.
    pub(super) fn check_axes(&self, device: &DeviceInfo) -> Result<()> {
        let axes = self.axes();
        let has_plane = axes.iter().any(|axis| axis.recipe.transform.dims.len() > 1);
        let at_once = axes.iter().any(|axis| axis.recipe.transform.is_filtered());
        let lines = lines_and_plane(&self.transform, has_plane, at_once);
        let is_line = |(axis, line): (&Axis, &Line)| {
            (axis.source, axis.target, &axis.recipe.transform) == (line.0, line.1, &line.2)
        };
        if axes.len() != lines.len()
            || !axes.iter().zip(&lines).all(is_line)
            || self.workspace_len != workspace_len(axes)
            || self.chunk.is_some()
            || self.ring.is_some()
        {
            return Err(Error::InvalidTransform("the recipe's dimensions are not those of its transform".into()));
        }
        axes.iter().try_for_each(|axis| axis.recipe.check(device))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Algebra;

    fn of(transform: &Transform) -> Vec<(Place, Place, usize, usize)> {
        lines(transform).iter().map(|(from, to, line)| (*from, *to, line.points(), line.batch_count())).collect()
    }

    #[test]
    fn all_but_the_first_work_on_the_output() {
        use Place::{Input, Output, Workspace};
        let f32 = Algebra::ComplexF32;
        let array = Transform::new(f32, [4, 1, 6]).batch(3);
        assert_eq!(of(&array), [(Input, Output, 6, 12), (Output, Output, 4, 18)]);
        let real = Transform::real(f32, [4, 5, 1]);
        assert_eq!(of(&real), [(Input, Output, 1, 20), (Output, Output, 5, 4), (Output, Output, 4, 5)]);
        let back = Transform::real(f32, [4, 5, 6]).inverse();
        let spectra = [(Input, Workspace, 5, 16), (Workspace, Workspace, 4, 20), (Workspace, Output, 6, 20)];
        assert_eq!(of(&back), spectra);
        assert_eq!(of(&back.in_place()), spectra.map(|(_, _, n, batch)| (Output, Output, n, batch)));
        assert_eq!(of(&Transform::real(f32, [1, 6]).inverse()), [(Input, Output, 6, 1)]);
    }

    #[test]
    fn half_spectra_that_follow_each_other_are_one_batch() {
        let batches = |transform: &Transform| -> Vec<Vec<usize>> {
            lines(transform).iter().map(|(.., line)| line.batch.iter().map(|dim| dim.n).collect()).collect()
        };
        let volume = Transform::real(Algebra::ComplexF32, [4, 5, 6]).batch(2);
        assert_eq!(batches(&volume), [vec![40], vec![8, 4], vec![2, 20]]);
        let rows = [Dim::new(4, 50), Dim::new(5, 8), Dim::new(6, 1)];
        let apart = Transform::real(Algebra::ComplexF32, [4, 5, 6]).with_dims(rows);
        assert_eq!(batches(&apart), [vec![4, 5], vec![4, 4], vec![5, 4]]);
    }

    #[test]
    fn lines_are_transforms_of_their_own() {
        let f64 = Algebra::ComplexF64;
        for transform in
            [Transform::new(f64, [3, 4, 5]), Transform::real(f64, [3, 4, 5]), Transform::real(f64, [3, 4, 5]).inverse()]
        {
            for transform in [transform.clone().batch(7), transform.batch(2).in_place()] {
                transform.validate().unwrap();
                for (source, target, line) in lines(&transform) {
                    line.validate().unwrap();
                    let len = |place| match place {
                        Place::Input => transform.input_len(),
                        Place::Output if transform.placement == Placement::InPlace => usize::MAX,
                        Place::Output => transform.output_len(),
                        _ => 3 * 4 * 3 * 7,
                    };
                    assert!(line.input_len() <= len(source) && line.output_len() <= len(target), "{line:?}");
                }
            }
        }
    }
}
