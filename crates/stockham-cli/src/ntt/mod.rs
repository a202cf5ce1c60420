//! `stockham ntt`: the transform of a file of elements of a finite field.

pub mod field;
pub mod file;

use std::io::Write;
use std::path::PathBuf;

use stockham::{Algebra, Direction, Layout, Transform};

use crate::args::{self, DeviceArg, LayoutArg, Norm};
use crate::batches::Batches;
use crate::error::{Error, Result};

use field::{FileField, with_field};
use file::{Sink, Source, is_npy};

/// Transform over a finite field: numbers as text, or arrays of their digits
///
/// A .npy file of a big prime holds digits in base r, uint32 or uint64, the lowest first: shape [..., N, k], or
/// [k, ..., N] if sliced; that of another prime residues, in words of 64 bits likewise. Any other file is text, a decimal number (or a hexadecimal one after 0x) on each line
#[derive(clap::Args)]
pub struct Args {
    /// What is transformed: a .npy file, or text with a number on each line
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Where the result goes: a .npy file, or text
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// The field: goldilocks, a name as P3 or bls12-381 (`stockham fields` lists them), r,k as 2^63+2^34,8, or any odd
    /// prime of up to 2047 bits
    #[arg(long, value_name = "FIELD", value_parser = args::parse_field)]
    field: Algebra,
    /// The inverse transform
    #[arg(long)]
    inverse: bool,
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
    /// The layout of a file's digits.
    fn layout(&self, is_npy: bool) -> Layout {
        if is_npy { self.layout.into() } else { Layout::Plain }
    }
}

/// Reads, transforms and writes.
pub fn run(args: &Args, _: &mut dyn Write) -> Result<()> {
    with_field!(args.field, field => transform(args, field))
}

fn transform<F: FileField>(args: &Args, field: &F) -> Result<()> {
    let layouts = (args.layout(is_npy(&args.input)), args.layout(is_npy(&args.output)));
    let mut source = Source::open(&args.input, field, layouts.0)?;
    let (n, batch) = (source.n, source.batch.clone());
    let direction = if args.inverse { Direction::Inverse } else { Direction::Forward };
    let one = Transform::new(field.algebra(), n).direction(direction).normalization(args.norm.into());
    let one = one.layouts(layouts.0, layouts.1);
    one.validate()?;
    let count: usize = batch.iter().product();
    if count != 1 && !is_npy(&args.output) {
        let words =
            format!("{} holds {count} transforms, and a text file one: write a .npy file", args.input.display());
        return Err(Error::input(words));
    }
    let device = args.device.open()?;
    if count == 0 {
        return Sink::create(&args.output, field, layouts.1, &batch, n)?.commit();
    }
    let mut batches = Batches::<F::Value>::new(&device, &one, count)?;
    let mut sink = Sink::create(&args.output, field, layouts.1, &batch, n)?;
    let line = n * field.digits().unwrap_or(1);
    for first in (0..count).step_by(batches.lines()) {
        let len = batches.lines().min(count - first) * line;
        let lines = batches.run(|values| {
            source.fill(&mut values[..len])?;
            field.check(&values[..len], layouts.0, first * n)
        })?;
        sink.write(&lines[..len])?;
    }
    sink.commit()
}
