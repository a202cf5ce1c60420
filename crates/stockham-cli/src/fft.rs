//! `stockham fft`: the transform of a `.npy` file along some of its axes, as `scipy.fft` computes it.

use std::io::Write;
use std::path::PathBuf;

use bytemuck::Pod;
use stockham::{Algebra, Data, Direction, Goldilocks, Kind as TransformKind, Transform};

use crate::args::{self, DeviceArg, KindArgs, Norm};
use crate::batches::Batches;
use crate::elements::{Number, real_kind, result_kind, with_number};
use crate::error::{Error, Result};
use crate::npy::{Kind, Reader, Resized, Writer};
use crate::output::Files;
use crate::{memory, progress};

/// Transform a NumPy array, along its last axis or along others
#[derive(clap::Args)]
pub struct Args {
    /// The array, of numbers of any kind (uint64 with --field); - is standard input
    #[arg(value_name = "IN.npy")]
    input: PathBuf,
    /// Where the result goes: complex64 of float16, float32 and complex64, complex128 of all others (uint64 with --field;
    /// float32 or float64 where real numbers come out); - is standard output
    #[arg(value_name = "OUT.npy")]
    output: PathBuf,
    /// The axes, as 0,2; those below 0 are counted from the last
    #[arg(long, value_name = "A,B", value_delimiter = ',', allow_hyphen_values = true)]
    axes: Option<Vec<isize>>,
    /// Points along each of the axes, or of the last ones: what is beyond them is left out, and what is missing is 0
    #[arg(long, value_name = "N,M", value_delimiter = ',')]
    shape: Option<Vec<usize>>,
    #[command(flatten)]
    kind: KindArgs,
    /// Whether cosine and sine transforms have the factors that make them orthogonal. Without it: with --norm ortho
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    orthogonalize: Option<bool>,
    /// The inverse transform
    #[arg(long)]
    inverse: bool,
    /// Which direction carries the factor 1/n
    #[arg(long, value_enum, default_value = "backward")]
    norm: Norm,
    /// Transform over a finite field: goldilocks (`stockham ntt` takes others too)
    #[arg(long, value_name = "FIELD", value_parser = args::parse_field)]
    field: Option<Algebra>,
    #[command(flatten)]
    device: DeviceArg,
}

impl Args {
    /// The files it takes.
    pub fn files(&self) -> Files<'_> {
        Files::default().read([&self.input]).make(&self.output)
    }

    /// Whether what goes in is real.
    fn takes_real(&self) -> bool {
        match self.kind.kind() {
            TransformKind::Dft => false,
            TransformKind::Real => !self.inverse,
            _ => true,
        }
    }

    /// The factors that make cosine and sine transforms orthogonal.
    fn is_orthogonal(&self) -> bool {
        let by_norm = self.kind.is_trig() && matches!(self.norm, Norm::Ortho);
        self.orthogonalize.unwrap_or(by_norm)
    }
}

/// Reads, transforms and writes.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let reader = Reader::open(&args.input)?;
    let kind = reader.header().kind;
    let name = args.input.display();
    match (args.field, kind) {
        (None, Kind::C64 | Kind::C128) if args.takes_real() => {
            Err(Error::input(format!("{name} holds {}, and real numbers are to be transformed", kind.name())))
        }
        (None, kind) => with_number!(kind, N => numbers::<N>(args, reader, out)),
        (Some(Algebra::Goldilocks), Kind::U64) => {
            let elements = |first, x: &[u64], y: &mut [_]| field_elements(args, first, x, y);
            transform::<u64, Goldilocks, Goldilocks>(args, reader, out, (Algebra::Goldilocks, Kind::U64), elements)
        }
        (Some(Algebra::Goldilocks), other) => {
            Err(Error::input(format!("{name} holds {}, but --field goldilocks takes uint64", other.name())))
        }
        (Some(field), _) => Err(Error::input(format!("transforms over {} are made by `stockham ntt`", field.name()))),
    }
}

/// The same of numbers over ℂ.
fn numbers<N: Number>(args: &Args, reader: Reader, out: &mut dyn Write) -> Result<()>
where
    N::Complex: Data,
{
    let kind = reader.header().kind;
    let (complex, real) = (result_kind(kind), real_kind(kind));
    let algebra = if complex == Kind::C64 { Algebra::ComplexF32 } else { Algebra::ComplexF64 };
    let to_complex = |_: usize, x: &[N], y: &mut [N::Complex]| {
        y.iter_mut().zip(x).for_each(|(y, x)| *y = x.complex());
        Ok(())
    };
    let to_real = |_: usize, x: &[N], y: &mut [N::Real]| {
        y.iter_mut().zip(x).for_each(|(y, x)| *y = x.real());
        Ok(())
    };
    match args.kind.kind() {
        TransformKind::Dft => transform::<N, N::Complex, N::Complex>(args, reader, out, (algebra, complex), to_complex),
        TransformKind::Real if args.inverse => {
            transform::<N, N::Complex, N::Real>(args, reader, out, (algebra, real), to_complex)
        }
        TransformKind::Real => transform::<N, N::Real, N::Complex>(args, reader, out, (algebra, complex), to_real),
        // Cosines and sines.
        _ => transform::<N, N::Real, N::Real>(args, reader, out, (algebra, real), to_real),
    }
}

fn field_elements(args: &Args, first: usize, values: &[u64], elements: &mut [Goldilocks]) -> Result<()> {
    for (i, (element, &value)) in elements.iter_mut().zip(values).enumerate() {
        *element = Goldilocks::new(value).ok_or_else(|| {
            let (index, field) = (first + i, Algebra::Goldilocks.name());
            let error = stockham::Error::FieldValue { index, value, field, modulus: Goldilocks::MODULUS };
            Error::input(format!("{}: {error}", args.input.display()))
        })?;
    }
    Ok(())
}

/// Transforms a file of `F`; `convert` makes numbers of them, knowing the index of the first.
fn transform<F: Pod, I: Data, O: Data>(
    args: &Args,
    reader: Reader,
    out: &mut dyn Write,
    (algebra, result): (Algebra, Kind),
    convert: impl Fn(usize, &[F], &mut [I]) -> Result<()>,
) -> Result<()> {
    let Job { one, count, input, output } = describe(args, algebra, &reader.header().shape)?;
    let device = args.device.open()?;
    // In Fortran order the file has been read whole already.
    memory::require(Batches::<I, O>::host_bytes(&device, &one, count), out)?;
    let mut writer = Writer::create(&args.output, result, &output)?;
    if count > 0 {
        let mut reader = Resized::new(reader, &input);
        let bar = progress::bar(count);
        bar.set_message("planning");
        let mut batches = Batches::<I, O>::new(&device, &one, count)?;
        bar.set_message("transforming");
        let mut numbers = Vec::new();
        for first in (0..count).step_by(batches.lines()) {
            let fill = |start: usize, elements: &mut [I]| {
                numbers.resize(elements.len(), F::zeroed());
                reader.fill(bytemuck::cast_slice_mut(&mut numbers))?;
                convert(first * one.input_len() + start, &numbers, elements)
            };
            batches.stream(count - first, fill, |results| writer.write(bytemuck::cast_slice(results)))?;
            bar.inc(batches.lines() as u64);
        }
    }
    writer.commit()?;
    writeln!(out, "{}", args::done(&one, count, &device))?;
    Ok(())
}

/// What is to be done.
struct Job {
    /// The transform of the axes from the first transformed one on, and how many of them the axes before make.
    one: Transform,
    count: usize,
    /// The shapes of what is read, as it is completed, and of what is written.
    input: Vec<usize>,
    output: Vec<usize>,
}

fn describe(args: &Args, algebra: Algebra, shape: &[usize]) -> Result<Job> {
    let bad = |what: String| Err(Error::input(format!("{} {what}", args.input.display())));
    if shape.is_empty() {
        return bad("holds a single number (shape ()): a transform needs an axis".into());
    }
    let axes = axes(args, shape)?;
    let Some(&last) = axes.last() else { return bad("is to be transformed along no axis".into()) };
    // The lengths of the transform, of what goes in, and of what comes out.
    let mut lengths = shape.to_vec();
    for (i, &axis) in axes.iter().enumerate() {
        let half = args.kind.real && args.inverse && axis == last;
        let given = args.shape.as_ref().map(|shape| shape[i]);
        lengths[axis] = given.unwrap_or(if half { 2 * shape[axis].saturating_sub(1) } else { shape[axis] });
        if lengths[axis] == 0 {
            return bad(format!(
                "has shape {shape:?}, and axis {axis} would be empty: a transform needs at least one point"
            ));
        }
    }
    let (mut input, mut output) = (lengths.clone(), lengths.clone());
    if args.kind.real {
        let side = if args.inverse { &mut input } else { &mut output };
        side[last] = lengths[last] / 2 + 1;
    }
    // All from the first axis that is transformed.
    let first = axes.iter().copied().min().unwrap_or(last);
    let inner: Vec<usize> = axes.iter().map(|axis| axis - first).collect();
    let is_empty = (0..shape.len()).any(|axis| lengths[axis] == 0);
    let direction = if args.inverse { Direction::Inverse } else { Direction::Forward };
    let mut one = Transform::along(algebra, args.kind.kind(), &lengths[first..], &inner)?;
    one.orthogonalize = args.is_orthogonal();
    let one = one.direction(direction).normalization(args.norm.into());
    // Lengths beyond all memory may stand beside an empty axis.
    if !is_empty {
        one.validate()?;
    }
    let count = if is_empty { 0 } else { lengths[..first].iter().product() };
    Ok(Job { one, count, input, output })
}

/// The axes that are transformed.
fn axes(args: &Args, shape: &[usize]) -> Result<Vec<usize>> {
    let rank = shape.len();
    let bad = |what: String| Error::input(format!("{} {what}", args.input.display()));
    let of = |&axis: &isize| {
        let from_end = if axis < 0 { axis + rank as isize } else { axis };
        let found = usize::try_from(from_end).ok().filter(|axis| *axis < rank);
        found.ok_or_else(|| bad(format!("has {rank} axes, 0 to {}, and --axes names {axis}", rank - 1)))
    };
    let lengths = args.shape.as_ref().map(Vec::len);
    match (&args.axes, lengths) {
        (Some(axes), None) => axes.iter().map(of).collect(),
        (Some(axes), Some(count)) if axes.len() == count => axes.iter().map(of).collect(),
        (Some(axes), Some(count)) => {
            Err(bad(format!("is to be transformed along {} axes, and --shape has {count} lengths", axes.len())))
        }
        (None, Some(count)) if count <= rank => Ok((rank - count..rank).collect()),
        (None, Some(count)) => Err(bad(format!("has {rank} axes, and --shape has {count} lengths"))),
        (None, None) => Ok(vec![rank - 1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stockham::Complex64;

    /// The largest array a device may be asked for at once is bounded; a batch beyond it comes in parts.
    #[test]
    fn a_batch_in_parts_covers_every_line() {
        let one = Transform::new(Algebra::ComplexF64, 1 << 20);
        let batches = Batches::<Complex64>::new(&stockham::Device::cpu(), &one, 33).unwrap();
        assert!(batches.lines() < 33 && batches.lines() * 3 >= 33, "{}", batches.lines());
    }
}
