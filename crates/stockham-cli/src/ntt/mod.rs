//! `stockham ntt`: the transform of a file of elements of a finite field.

mod extend;
pub mod field;
pub mod file;

use std::io::Write;
use std::path::PathBuf;

use clap::builder::ArgPredicate;
use stockham::circle::CircleGenerator;
use stockham::{Algebra, Dim, Direction, Domain, Layout, Transform};

use crate::args::{self, DeviceArg, LayoutArg, Norm};
use crate::batches::Batches;
use crate::error::{Error, Result};
use crate::output::Files;
use crate::{memory, progress};

use field::{FileField, with_field};
use file::{Sink, Source, is_array};

/// Transform over a finite field: numbers as text, or arrays of their digits
///
/// A .npy file of a big prime holds digits in base r, uint32 or uint64, the lowest first: shape [..., N, k], or
/// [k, ..., N] if sliced; that of another prime residues: uint32 if p is below 2^31 (uint64 is read as
/// well), uint64 if it is below 2^63, else words of 64 bits likewise.
/// Any other file is text, a decimal number (or a hexadecimal one after 0x) on each line, with a sign or not.
/// The transform is X[k] = sum of x[j]·w^(jk) with the root w of order n, w = g^((p - 1)/n): `stockham fields` tells g
#[derive(clap::Args)]
pub struct Args {
    /// What is transformed: a .npy file, or text with a number on each line; - is standard input, of either kind
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Where the result goes: a .npy file, or text; - is standard output, in the input's form
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// The field: goldilocks, a name as P3 or bls12-381 (`stockham fields` lists them), r,k as 2^63+2^34,8, or any odd
    /// prime of up to 2047 bits. With --circle it is 2^31 - 1
    #[arg(long, value_name = "FIELD", value_parser = args::parse_field, required = false, required_unless_present = "circle",
        default_value_if("circle", ArgPredicate::IsPresent, "0x7fffffff"))]
    field: Algebra,
    /// The root of unity of the field's whole power of two: a preset as plonky3 or risc0 (`stockham fields` lists them), or a
    /// number; or of a field of one word `smallest`, so that the root of the order that the transform takes, twice the points if
    /// it is negacyclic, is the smallest there is, as in SEAL and OpenFHE
    #[arg(long, value_name = "PRESET|VALUE")]
    root: Option<String>,
    /// Elements of .npy files are in Montgomery's form, x·2^32 mod p in uint32 and x·2^(64·L) mod p in L words of uint64. Text and
    /// options are numbers all the same
    #[arg(long)]
    montgomery: bool,
    /// The inverse transform
    #[arg(long)]
    inverse: bool,
    /// A number s: the input's element j is multiplied by s^j first, so that the outputs are values on the coset of s. With
    /// --inverse, the output's is multiplied by s^-j, which undoes that
    #[arg(long, value_name = "S", conflicts_with = "layout")]
    coset: Option<String>,
    /// Negacyclic: the coset of the root of order 2N whose square is w, so that products of the outputs are those of polynomials
    /// modulo x^N + 1
    #[arg(long, conflicts_with_all = ["coset", "lde", "layout"])]
    negacyclic: bool,
    /// The circle FFT over 2^31 - 1, between coefficients and values on the points of that library, in bit-reversed order: values with
    /// the numbers of neighbours are at conjugate points
    #[arg(long, value_enum, value_name = "POINTS", conflicts_with_all = ["root", "montgomery", "coset", "negacyclic", "order", "lde", "layout"])]
    circle: Option<Circle>,
    /// The columns of a matrix: along the first of two axes
    #[arg(long, conflicts_with = "layout")]
    columns: bool,
    /// The order of the points in the input and in the output: n is natural, r bit-reversed
    #[arg(long, value_enum, default_value = "nn")]
    order: Order,
    /// Low-degree extension: the input is a polynomial's values on the subgroup, and the output those on the coset of
    /// B times as many points
    #[arg(long, value_name = "B", conflicts_with_all = ["inverse", "norm", "layout"])]
    lde: Option<usize>,
    /// How the digits lie in .npy files
    #[arg(long, value_enum, default_value = "plain")]
    layout: LayoutArg,
    /// Which direction carries the factor 1/n
    #[arg(long, value_enum, default_value = "backward")]
    norm: Norm,
    #[command(flatten)]
    device: DeviceArg,
}

impl Args {
    /// The files it takes.
    pub fn files(&self) -> Files<'_> {
        Files::default().read([&self.input]).make(&self.output)
    }

    /// The layout of a file's digits.
    fn layout(&self, is_array: bool) -> Layout {
        if is_array { self.layout.into() } else { Layout::Plain }
    }
}

/// The smallest root, whatever it is.
const SMALLEST: &str = "smallest";

/// The algebra of transforms of so many points.
fn algebra_of(args: &Args, algebra: Algebra, points: usize) -> Result<Algebra> {
    match algebra {
        Algebra::WordField(field) if args.root.as_deref() == Some(SMALLEST) => {
            let times = if args.negacyclic { 2 } else { args.lde.unwrap_or(1) };
            Ok(field.with_smallest_root(points.saturating_mul(times))?.into())
        }
        _ => Ok(algebra),
    }
}

/// Reads, transforms and writes.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let algebra = match &args.root {
        // It follows from the points.
        Some(root) if root == SMALLEST && matches!(args.field, Algebra::WordField(_)) => args.field,
        // Over Goldilocks it is the transform's.
        Some(root) if args.field != Algebra::Goldilocks => args.field.with_root(root)?,
        _ => args.field,
    };
    let algebra = if args.montgomery { algebra.montgomery()? } else { algebra };
    with_field!(algebra, field => transform(args, field, out))
}

/// Which points of the circle.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Circle {
    Plonky3,
    Stwo,
}

impl Circle {
    fn domain(self, is_inverse: bool) -> Domain {
        let generator = match self {
            Self::Plonky3 => CircleGenerator::Plonky3,
            Self::Stwo => CircleGenerator::Stwo,
        };
        Domain { circle: Some(generator), reversed: [is_inverse, !is_inverse], ..Domain::default() }
    }
}

/// The order of points.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Order {
    /// Natural in, natural out.
    Nn,
    /// Natural in, bit-reversed out.
    Nr,
    /// Bit-reversed in, natural out.
    Rn,
    /// Bit-reversed in, bit-reversed out.
    Rr,
}

impl Order {
    fn reversed(self) -> [bool; 2] {
        [matches!(self, Self::Rn | Self::Rr), matches!(self, Self::Nr | Self::Rr)]
    }
}

/// What is transformed, as the file and the arguments describe it: one transform, and how many there are.
fn described<F: FileField>(args: &Args, field: &F, source: &Source<F::Value>) -> Result<(Transform, usize)> {
    let (n, batch) = (source.n, &source.batch);
    // Lengths beyond all memory may stand beside an empty axis.
    let count: usize = if batch.contains(&0) { 0 } else { batch.iter().product() };
    let (one, count) = match (args.columns, &batch[..]) {
        (false, _) => (Transform::new(algebra_of(args, field.algebra(), n)?, n), count),
        (true, &[rows]) if rows > 0 => {
            let columns = Transform::new(algebra_of(args, field.algebra(), rows)?, rows).with_dims([Dim::new(rows, n)]);
            (columns.with_batch([Dim::new(n, 1)]), 1)
        }
        (true, _) => {
            let words = format!("{} has no axes of rows and of columns: --columns takes two", args.input.display());
            return Err(Error::input(words));
        }
    };
    let direction = if args.inverse { Direction::Inverse } else { Direction::Forward };
    Ok((one.direction(direction).normalization(args.norm.into()), count))
}

fn transform<F: FileField>(args: &Args, field: &F, out: &mut dyn Write) -> Result<()> {
    let mut source = Source::open(&args.input, field, args.layout.into())?;
    let is_array = is_array(&args.output).unwrap_or(source.is_array);
    let layouts = (args.layout(source.is_array), args.layout(is_array));
    let (n, batch) = (source.n, source.batch.clone());
    let (one, count) = described(args, field, &source)?;
    let coset = args.coset.as_ref().map_or(Ok(Vec::new()), |text| field.residue(text))?;
    let domain = Domain { coset, negacyclic: args.negacyclic, reversed: args.order.reversed(), ..Domain::default() };
    let domain = match &args.root {
        Some(root) if field.algebra() == Algebra::Goldilocks => {
            Domain { power: one.clone().with_root(root)?.domain.power, ..domain }
        }
        _ => domain,
    };
    if count != 1 && !is_array {
        let words =
            format!("{} holds {count} transforms, and a text file one: write a .npy file", args.input.display());
        return Err(Error::input(words));
    }
    if let Some(blowup) = args.lde {
        return extend::extend(args, field, (source, is_array), (one, count), (blowup, domain), out);
    }
    let mut one = one.layouts(layouts.0, layouts.1);
    one.domain = args.circle.map_or(domain, |points| points.domain(args.inverse));
    one.validate()?;
    let device = args.device.open()?;
    memory::require(Batches::<F::Value>::host_bytes(&device, &one, count), out)?;
    let mut sink = Sink::create(&args.output, is_array, field, layouts.1, &batch, n)?;
    if count > 0 {
        let bar = progress::bar(count);
        bar.set_message("planning");
        let mut batches = Batches::<F::Value>::new(&device, &one, count)?;
        bar.set_message("transforming");
        let per_element = field.digits().unwrap_or(1);
        for first in (0..count).step_by(batches.lines()) {
            let fill = |start: usize, values: &mut [F::Value]| {
                let named = |error| Error::input(format!("{}: {error}", args.input.display()));
                let first = first * n + start / per_element;
                source.fill(field, first, values)?;
                field.check(values, layouts.0, first).map_err(named)
            };
            batches.stream(count - first, fill, |results| sink.write(results))?;
            bar.inc(batches.lines() as u64);
        }
    }
    sink.commit()?;
    writeln!(out, "{}", args::done(&one, count, &device))?;
    Ok(())
}
