//! Transforms of several dimensions: one after the other along each, with no transposition between them. Each takes lines of
//! whatever strides, and leaves them where they were, so that all but the first work in place on the output.
//!
//! Of an array that is padded, or cropped, devices transform no lines of zeros and none that nobody reads: along a dimension there
//! are as many lines as the others have numbers by then, and what is not there is neither read nor written.

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
    lines_and_plane(transform, Together::default())
}

/// What a device does at once.
#[derive(Debug, Clone, Copy, Default)]
struct Together {
    /// The last two dimensions.
    plane: bool,
    /// The way along a dimension there, through the filter and back.
    turn: bool,
    /// Numbers that are there, and no others.
    there: bool,
}

impl Together {
    /// For each side the numbers that are there along each dimension, if that is asked for and not all are.
    fn there_of(self, transform: &Transform) -> [Option<&[usize]>; 2] {
        [Side::Input, Side::Output].map(|side| transform.there(side).filter(|_| self.there))
    }
}

/// The same on a device, which may take the last two dimensions [at once](plane).
pub(crate) fn lines_on(transform: &Transform, device: &DeviceInfo) -> Vec<Line> {
    let there = device.backend != Backend::Cpu;
    let apart = || lines_and_plane(transform, Together { there, ..Together::default() });
    if transform.is_filtered() {
        let at_once = lines_and_plane(transform, Together { turn: true, there, plane: false });
        let fits = |(_, _, line): &Line| !line.is_filtered() || planner::choose(line, device).is_ok();
        return if there && at_once.iter().all(fits) { at_once } else { apart() };
    }
    let with_plane = lines_and_plane(transform, Together { plane: true, there, turn: false });
    let is_taken = |(_, _, line): &Line| line.dims.len() == 1 || plane::choose(line, device).is_some();
    if with_plane.iter().all(is_taken) { with_plane } else { apart() }
}

fn lines_and_plane(transform: &Transform, together: Together) -> Vec<Line> {
    let mut lines = match &transform.filter {
        Some(filter) => there_and_back(transform, filter, together),
        None => plain_lines(transform, together),
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

/// A step of a transform: along some of its dimensions, from one place to another.
struct Along<'a> {
    transform: &'a Transform,
    numbers: Vec<usize>,
    from: Strided<'a>,
    to: Strided<'a>,
    /// For each side the numbers that there are along the transform's dimensions, if not all are there.
    there: [Option<&'a [usize]>; 2],
}

/// A place, and the distances between neighbours there.
type Strided<'a> = (Place, &'a [usize]);

/// The lines of a transform there and back: along the last dimension, then the others, through the filter along the first of them,
/// and back in the opposite order. The spectrum is in the workspace.
fn there_and_back(transform: &Transform, filter: &Filter, together: Together) -> Vec<Line> {
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
    if last == 0 && together.turn && super::ends::points_there_and_back(transform).is_some() {
        return vec![(
            Place::Input,
            Place::Output,
            Transform { placement: transform.placement, ..transform.unfused() },
        )];
    }
    let [given, wanted] = together.there_of(transform);
    let there = (0..=last).rev().map(|number| Along {
        transform: &forward,
        numbers: vec![number],
        from: if number == last { input } else { between },
        to: between,
        there: [given, None],
    });
    let backwards = (0..=last).map(|number| Along {
        transform: &back,
        numbers: vec![number],
        from: between,
        to: if number == last { output } else { between },
        there: [None, wanted],
    });
    let mut steps: Vec<Along<'_>> = there.chain(backwards).collect();
    let is_at_once = together.turn && last > 0;
    if is_at_once {
        steps.remove(last);
        steps[last].there[0] = given;
    }
    let mut lines = ends.lines(given, &steps);
    let (.., turn) = &mut lines[last];
    if is_at_once {
        turn.filter = Some(Filter { value: filter.value.clone(), whole: Some(whole) });
        turn.direction = Direction::Forward;
    } else {
        turn.store = Access::within(filter.value.clone(), whole);
    }
    lines
}

fn plain_lines(transform: &Transform, together: Together) -> Vec<Line> {
    let last = transform.dims.len().saturating_sub(1);
    // A DFT of one point is that point.
    let is_trig = transform.trig().is_some();
    let others: Vec<usize> = (0..last).rev().filter(|&number| is_trig || transform.dims[number].n > 1).collect();
    let ends = Ends::of(transform);
    let there = together.there_of(transform);
    let along = |numbers, from, to| Along { transform, numbers, from, to, there };
    let has_plane = together.plane && !is_trig && transform.dims.len() > 2 && transform.dims[last].n > 1;
    let (input, output) = ((Place::Input, &ends.input[..]), (Place::Output, &ends.output[..]));
    if transform.half_side() == Some(Side::Input) && !others.is_empty() {
        let (first, between) = match transform.placement {
            Placement::OutOfPlace => (input, (Place::Workspace, &ends.packed[..])),
            Placement::InPlace => ((Place::Output, &ends.input[..]), (Place::Output, &ends.input[..])),
        };
        let sources = [first].into_iter().chain(std::iter::repeat(between));
        let is_plane = has_plane && others.len() > 1 && others[0] == last - 1;
        let (others, real) = if is_plane { (&others[1..], vec![last - 1, last]) } else { (&others[..], vec![last]) };
        let spectra = others.iter().zip(sources).map(|(number, source)| along(vec![*number], source, between));
        let steps: Vec<Along<'_>> = spectra.chain([along(real, between, output)]).collect();
        return ends.lines(there[0], &steps);
    }
    // Real numbers become a half spectrum, however few they are.
    let is_first = transform.dims[last].n > 1 || transform.kind != Kind::Dft || others.is_empty();
    let mut numbers: Vec<Vec<usize>> = is_first.then_some(last).into_iter().chain(others).map(|n| vec![n]).collect();
    let has_plane = has_plane && transform.has_room(Side::Output);
    if has_plane && numbers.get(..2).is_some_and(|two| *two == [[last], [last - 1]]) {
        numbers.splice(..2, [vec![last - 1, last]]);
    }
    // Elements may have no place in the output.
    let between = if transform.has_room(Side::Output) { output } else { (Place::Workspace, &ends.packed[..]) };
    let count = numbers.len();
    let sources = [input].into_iter().chain(std::iter::repeat(between));
    let targets = (1..=count).map(|i| if i == count { output } else { between });
    let steps: Vec<Along<'_>> =
        numbers.into_iter().zip(sources).zip(targets).map(|((numbers, from), to)| along(numbers, from, to)).collect();
    ends.lines(there[0], &steps)
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

    /// The lines of steps that follow each other, of an array of which so many numbers are there along the transform's dimensions, if
    /// not all are.
    fn lines(&self, given: Option<&[usize]>, steps: &[Along<'_>]) -> Vec<Line> {
        let mut counts = self.counts.clone();
        counts.iter_mut().zip(given.unwrap_or_default()).for_each(|(count, there)| *count = *there);
        let line = |step: &Along<'_>| {
            let line = self.along(step, &counts);
            step.numbers.iter().for_each(|&at| counts[at] = step.there[1].map_or(self.counts[at], |there| there[at]));
            (step.from.0, step.to.0, line)
        };
        steps.iter().map(line).collect()
    }

    /// The lines of a step, as many as there are numbers along other dimensions.
    fn along(&self, step: &Along<'_>, counts: &[usize]) -> Transform {
        let &Along { transform, ref numbers, from: (source, from), to: (target, to), there } = step;
        let is_last = numbers.contains(&(transform.dims.len() - 1));
        let dim = |at: usize, n: usize| Dim { n, input_stride: from[at], output_stride: to[at] };
        let (rank, is_real) = (transform.dims.len(), transform.kind == Kind::Real);
        let (dims, outside) = (0..rank, rank..counts.len());
        let all: Vec<usize> = if is_real { outside.chain(dims).collect() } else { dims.chain(outside).collect() };
        let others = all.into_iter().filter(|at| !numbers.contains(at) && counts[*at] > 1);
        let in_place = transform.placement == Placement::InPlace || source == target;
        let batch = others.map(|at| dim(at, counts[at])).collect();
        let line = Transform {
            kind: if is_last || transform.trig().is_some() { transform.kind } else { Kind::Dft },
            dims: numbers.iter().map(|number| dim(*number, transform.dims[*number].n)).collect(),
            // Half spectra are no multiples of a tile, and planes of them may be.
            batch: if is_real { following(batch) } else { batch },
            placement: if in_place { Placement::InPlace } else { Placement::OutOfPlace },
            input_layout: if source == Place::Input { transform.input_layout } else { transform.output_layout },
            ..transform.unfused()
        };
        let access = |side, there: Option<&[usize]>| {
            let all: Vec<usize> = (0..line.dims.len()).map(|number| line.count(side, number)).collect();
            let there: Vec<usize> =
                numbers.iter().zip(&all).map(|(at, n)| there.map_or(*n, |there| there[*at])).collect();
            if there == all { Access::default() } else { Access::default().extent_with_gaps(there) }
        };
        let [load, store] = [access(Side::Input, there[0]), access(Side::Output, there[1])];
        Transform { load, store, ..line }
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
        let plane = axes.iter().any(|axis| axis.recipe.transform.dims.len() > 1);
        let turn = axes.iter().any(|axis| axis.recipe.transform.is_filtered());
        let there = device.backend != Backend::Cpu;
        let lines = lines_and_plane(&self.transform, Together { plane, turn, there });
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
