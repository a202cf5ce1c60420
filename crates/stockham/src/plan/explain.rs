//! Recipes in words: a tensor formula, and what every pass does and moves.
//!
//! The formula is applied from right to left. `I_m` is the identity, `⊗` the Kronecker product, `D` a diagonal of
//! twiddle factors, and `L` the permutation that reverses the order of the digits: for two factors it is the stride
//! permutation L of the literature, for example C. Van Loan, "Computational Frameworks for the FFT" (1992).

use std::fmt;

use super::hopper;
use super::recipe::{Axis, Lanes, Method, Pass, Place, Recipe};
use super::twiddles::TwiddleSource;
use crate::algebra::{Algebra, Scale};
use crate::transform::Kind;

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let t = &self.transform;
        let n = t.points();
        let batch = t.batch_count();
        let direction = format!("{:?}", t.direction).to_lowercase();
        let lengths: Vec<String> = t.dims.iter().map(|dim| dim.n.to_string()).collect();
        let what = match t.kind {
            Kind::Dft => "transform".into(),
            Kind::Real => "transform of real numbers".into(),
            Kind::Cosine(of) => format!("cosine transform of type {of:?}"),
            Kind::Sine(of) => format!("sine transform of type {of:?}"),
        };
        writeln!(
            f,
            "{direction} {} {what} of {} points, {batch} at a time, {}",
            t.algebra.name(),
            lengths.join(" × "),
            t.placement.words()
        )?;
        let passes = match &self.method {
            Method::Host => return writeln!(f, "DFT_{n} by the host's library and codelets, one line a task"),
            Method::Axes(axes) => return self.axis_lines(f, axes),
            Method::Passes(passes) | Method::Convolution(passes) => passes,
        };
        let points = self.points();
        match &lengths[..] {
            _ if t.is_filtered() && passes.len() > 1 => {
                writeln!(f, "a filter of {points} points, there and back")?;
            }
            _ if matches!(self.method, Method::Convolution(_)) => {
                writeln!(
                    f,
                    "DFT_{} by a convolution of {points} points with a chirp, there and back",
                    t.inner_points()
                )?;
            }
            [_] => writeln!(f, "DFT_{points} = {}", formula(passes))?,
            // Dimension after dimension, with no factors between them.
            several => writeln!(f, "DFT_{} = DFT_{}", several.join("×"), several.join(" ⊗ DFT_"))?,
        }
        if passes.iter().any(Pass::is_mirrored) {
            writeln!(f, "two real numbers make a point, and two points of the half spectrum two points")?;
        }
        let element = t.algebra.element_bytes();
        // What stays in a cluster are points of the convolution.
        let stays = matches!(self.method, Method::Convolution(_)) && self.launches().len() == 1;
        let in_memory = if stays && !t.is_filtered() { t.inner_points() } else { points };
        let bytes = product([in_memory, batch, element]);
        for (number, pass) in passes.iter().enumerate() {
            pass_lines(f, number, pass, t.algebra)?;
        }
        if let Some(entries) = self.chunk {
            writeln!(f, "{entries} of the batch's {} at a time", t.batch.first().map_or(1, |d| d.n))?;
        }
        hopper::ring_line(f, self)?;
        let elements = self.workspace_len;
        writeln!(
            f,
            "in all: {} read and written, {} of workspace ({elements} elements)",
            binary(product([2, bytes, self.trips()])),
            binary(product([elements, element]))
        )
    }
}

impl Recipe {
    fn axis_lines(&self, f: &mut fmt::Formatter<'_>, axes: &[Axis]) -> fmt::Result {
        for Axis { source, target, recipe } in axes {
            let (source, target) = (place(*source), place(*target));
            write!(f, "\nfrom {source} to {target}: {recipe}")?;
        }
        let element = self.transform.algebra.element_bytes();
        let workspace = binary(product([self.workspace_len, element]));
        writeln!(f, "\nin all: {workspace} of workspace ({} elements)", self.workspace_len)
    }
}

/// A product, or the largest number there is: a recipe that was read from a file may say anything.
pub(super) fn product(factors: impl IntoIterator<Item = usize>) -> usize {
    factors.into_iter().fold(1, usize::saturating_mul)
}

fn formula(passes: &[Pass]) -> String {
    let radices: Vec<usize> = passes.iter().map(Pass::points).collect();
    let factors = radices.iter().enumerate().rev().map(|(a, r)| {
        let before = product(radices[..a].iter().copied());
        let inner = product(radices[a + 1..].iter().copied());
        let identity = |m: usize| if m > 1 { Some(format!("I_{m}")) } else { None };
        let parts: Vec<String> =
            [identity(before), Some(format!("DFT_{r}")), identity(inner)].into_iter().flatten().collect();
        let twiddle = if a > 0 { format!(" D_{}", product([before, *r])) } else { String::new() };
        match (parts.len(), a) {
            (1, _) => parts.concat(),
            _ => format!("({}){twiddle}", parts.join(" ⊗ ")),
        }
    });
    let factors: Vec<String> = factors.collect();
    if passes.len() == 1 { factors.concat() } else { format!("L {}", factors.join(" ")) }
}

fn pass_lines(f: &mut fmt::Formatter<'_>, number: usize, pass: &Pass, algebra: Algebra) -> fmt::Result {
    let element = algebra.element_bytes();
    let tile = &pass.tile;
    let inner = pass.inner();
    let radix = |(s, radix): (usize, &usize)| match inner.contains(&s) {
        true if pass.beside != [0; 2] => format!("({radix})"),
        _ => radix.to_string(),
    };
    let stages: Vec<String> = tile.stages.iter().enumerate().map(radix).collect();
    let swaps = if pass.hopper.swaps { ", the last by swaps within warps" } else { "" };
    let stages = if stages.is_empty() { "none".into() } else { stages.join("·") + swaps };
    let moved = product([pass.column_count(), pass.points(), element]);
    let ways = if [pass.source, pass.target].contains(&Place::Cluster) { "in memory one way" } else { "each way" };
    let rows = |place, lanes, input, word: &str| {
        let bytes = product([row_len(pass, lanes, input), element]);
        if place == Place::Cluster { String::new() } else { format!("{} {word}", binary(bytes)) }
    };
    let rows = [rows(pass.source, tile.load, true, "read"), rows(pass.target, tile.store, false, "written")];
    writeln!(
        f,
        "pass {number}: {} DFTs of {} points, {} to {}, {} {ways}, rows of {}",
        pass.column_count(),
        pass.points(),
        place(pass.source),
        place(pass.target),
        binary(moved),
        rows.iter().filter(|r| !r.is_empty()).cloned().collect::<Vec<_>>().join(" and ")
    )?;
    hopper::launch_line(f, pass)?;
    writeln!(
        f,
        "  work-groups: {} of {} threads; {} DFTs each, {} points {}; stages {stages}",
        pass.groups(),
        pass.threads(),
        tile.columns,
        tile.per_thread,
        if tile.team > 1 { format!("a team of {}, which share their digits", tile.team) } else { "a thread".into() }
    )?;
    if pass.chirp.is_some() {
        writeln!(f, "  by a chirp: each is a convolution of {} points, there and back by the same stages", pass.radix)?;
    }
    if let Some(rader) = pass.rader {
        let what = "each is a convolution of one point less, there and back by the same stages";
        writeln!(f, "  by the powers of {} modulo {}: {what}", rader.generator, rader.prime)?;
        if pass.beside != [0; 2] {
            writeln!(f, "  {} of them side by side, as a stage beside others", pass.side_by_side())?;
        }
    }
    if pass.middle.is_some() {
        writeln!(f, "  there and back by the same stages, with the product between")?;
    }
    let local = pass.tile_bytes(algebra);
    let halves = match tile.rounds.planes {
        None => String::new(),
        Some(1) => ", one component at a time".into(),
        Some(planes) => format!(", {planes} components at a time"),
    };
    let slices = if tile.rounds.slices > 1 { format!(", in {} slices", tile.rounds.slices) } else { String::new() };
    let twiddles = match &pass.twiddle {
        Some(t) if t.source != TwiddleSource::Tables => format!("ω_{}, {}", t.order, t.source.words()),
        Some(t) if t.split < t.table_order() => {
            let order = t.table_order();
            format!("ω_{order} from tables of {} and {}", t.split, order.div_ceil(t.split.max(1)))
        }
        Some(t) => format!("ω_{} from one table", t.table_order()),
        None => "none on input".into(),
    };
    let scale = match pass.scale {
        Scale::One => String::new(),
        Scale::Inverse(n) => format!("; output times 1/{n}"),
        Scale::InverseSqrt(n) => format!("; output times 1/√{n}"),
    };
    let staged = match tile.staged {
        [false, false] => "",
        [true, false] => "; read by way of it",
        [false, true] => "; written by way of it",
        [true, true] => "; read and written by way of it",
    };
    writeln!(f, "  exchange: {} of local memory{halves}{slices}{staged}; twiddles: {twiddles}{scale}", binary(local))?;
    hopper::ahead_line(f, pass, algebra)
}

/// Contiguous elements that neighbouring threads touch together.
fn row_len(pass: &Pass, lanes: Lanes, input: bool) -> usize {
    let first = pass.columns.first();
    let (row, column) = match input {
        true => (pass.row_strides.0, first.map(|column| column.input_stride)),
        false => (pass.row_strides.1, first.map(|column| column.output_stride)),
    };
    match lanes {
        Lanes::Rows if row == 1 && column == Some(pass.points()) => product([pass.points(), pass.tile.columns]),
        Lanes::Rows if row == 1 => pass.points(),
        Lanes::Columns if column == Some(1) => pass.neighbours(),
        _ => 1,
    }
}

fn place(place: Place) -> &'static str {
    match place {
        Place::Input => "input",
        Place::Output => "output",
        Place::Workspace => "workspace",
        Place::Ring => "ring",
        Place::Cluster => "cluster",
    }
}

pub(super) fn binary(bytes: usize) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let (mut value, mut unit) = (bytes as f64, 0);
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if value.fract() == 0.0 { format!("{value} {}", UNITS[unit]) } else { format!("{value:.1} {}", UNITS[unit]) }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::device_info::{Backend, DeviceInfo};
    use crate::plan::{Choice, plan};
    use crate::transform::Transform;

    fn device() -> DeviceInfo {
        DeviceInfo {
            id: "cuda:0".into(),
            backend: Backend::Cuda,
            name: "made up".into(),
            driver: String::new(),
            memory_bytes: 1 << 34,
            max_allocation_bytes: 1 << 34,
            max_group: 1024,
            local_bytes: 227 << 10,
            simd_width: 32,
            compute_units: 8,
            registers: Some(1 << 16),
            has_f64: true,
            compute_capability: Some((9, 0)),
            max_cluster: Some(16),
        }
    }

    /// Where numbers and lists are in a document.
    fn places(value: &Value, at: &str, found: &mut Vec<String>) {
        match value {
            Value::Array(values) => {
                found.push(at.to_owned());
                values.iter().enumerate().for_each(|(i, v)| places(v, &format!("{at}/{i}"), found));
            }
            Value::Object(fields) => fields.iter().for_each(|(name, v)| places(v, &format!("{at}/{name}"), found)),
            Value::Number(_) => found.push(at.to_owned()),
            _ => {}
        }
    }

    /// Prints recipes with something else in one place; gives how many there were.
    fn print_changed(recipe: &Recipe) -> usize {
        let document = serde_json::to_value(recipe).unwrap();
        let (mut found, mut printed) = (Vec::new(), 0);
        places(&document, "", &mut found);
        for place in found {
            let others = match document.pointer(&place).unwrap() {
                Value::Array(_) => vec![Value::Array(Vec::new())],
                _ => [0, 1, 1 << 31, u64::from(u32::MAX), 1 << 62, u64::MAX].map(Value::from).to_vec(),
            };
            for other in others {
                let mut changed = document.clone();
                *changed.pointer_mut(&place).unwrap() = other;
                let Ok(changed) = serde_json::from_value::<Recipe>(changed) else { continue };
                assert!(changed.to_string().contains("points"), "{place}");
                printed += 1;
            }
        }
        printed
    }

    #[test]
    fn whatever_stands_in_a_recipe_is_printed() {
        let of = |algebra, n, batch, choice: &str| {
            let transform = Transform::new(algebra, n).batch(batch).inverse();
            match choice {
                "" => plan(&transform, &device()).unwrap(),
                text => text.parse::<Choice>().unwrap().realise(&transform, &device()).unwrap(),
            }
        };
        let (f32, f64) = (Algebra::ComplexF32, Algebra::ComplexF64);
        let two = of(f32, 1 << 8, 6, "4x4x4.4/4x4x4.4");
        let recipes = [
            of(f32, 1, 1, ""),
            of(f32, 1 << 3, 64, ""),
            of(f32, 1 << 6, 8, "2x4x4.4.4a"),
            Recipe { chunk: Some(2), ..two.clone() },
            two,
            of(f32, 1 << 18, 1, "16x4x4.4.4/8x8x8.8/16x4x4.4.4"),
            of(f32, 1 << 8, 4, "c4/4x4x4.4/4x4x4.4"),
            of(f64, 1 << 6, 64, "r/8x4x4.2a/8x4x4.2e"),
            of(f64, 1 << 6, 64, "n/8x4x4.2a/8x4x4.2ap"),
            of("P3".parse().unwrap(), 1 << 12, 3, ""),
            of("P7".parse().unwrap(), 1 << 6, 3, ""),
            of("bls12-381".parse().unwrap(), 1 << 12, 3, ""),
            Recipe::host(&Transform::new(f32, 12).batch(2)),
        ];
        for recipe in recipes {
            let printed = print_changed(&recipe);
            assert!(printed > 10, "{printed} changes of\n{recipe}");
        }
    }
}
