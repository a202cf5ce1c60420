//! `stockham polymul`: products of polynomials over a field.

use std::io::Write;
use std::path::{Path, PathBuf};

use bytemuck::Zeroable;
use stockham::polynomial::{Multiplier, Product};
use stockham::{Algebra, Layout};

use crate::args::{self, DeviceArg};
use crate::error::{Error, Result};
use crate::ntt::field::{FileField, with_field};
use crate::ntt::file::{Sink, Source};

/// Multiply two polynomials over a finite field
///
/// Coefficients stand in the order of their powers, the constant one first: in a .npy file with one axis of elements,
/// as `stockham ntt` takes it, or in a text with a number on each line
#[derive(clap::Args)]
pub struct Args {
    /// A polynomial
    #[arg(value_name = "A")]
    a: PathBuf,
    /// Another
    #[arg(value_name = "B")]
    b: PathBuf,
    /// Where the product goes: a .npy file, or text
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// The field: goldilocks, a name as P3 or bls12-381 (`stockham fields` lists them), r,k as 2^63+2^34,8, or any odd
    /// prime of up to 2047 bits
    #[arg(long, value_name = "FIELD", value_parser = args::parse_field)]
    field: Algebra,
    /// Modulo x^n - 1, for two polynomials of n coefficients
    #[arg(long, conflicts_with = "negacyclic")]
    cyclic: bool,
    /// Modulo x^n + 1, for two polynomials of n coefficients
    #[arg(long)]
    negacyclic: bool,
    #[command(flatten)]
    device: DeviceArg,
}

/// Reads, multiplies and writes.
pub fn run(args: &Args, _: &mut dyn Write) -> Result<()> {
    with_field!(args.field, field => multiply(args, field))
}

fn multiply<F: FileField>(args: &Args, field: &F) -> Result<()> {
    let product = match (args.cyclic, args.negacyclic) {
        (true, _) => Product::Cyclic,
        (_, true) => Product::Negacyclic,
        _ => Product::Linear,
    };
    let ((n, a), (m, b)) = (read(&args.a, field)?, read(&args.b, field)?);
    if product != Product::Linear && n != m {
        let (first, second) = (args.a.display(), args.b.display());
        let words = format!("{first} has {n} coefficients and {second} has {m}: this product takes as many of both");
        return Err(Error::input(words));
    }
    let c = Multiplier::plan(&args.device.open()?, field.algebra(), product, n, m)?.multiply(&a, &b)?;
    let n = c.len() / field.digits().unwrap_or(1);
    let mut sink = Sink::create(&args.output, field, Layout::Plain, &[], n)?;
    sink.write(&c)?;
    sink.commit()
}

/// The number of coefficients, and their values.
fn read<F: FileField>(path: &Path, field: &F) -> Result<(usize, Vec<F::Value>)> {
    let mut source = Source::open(path, field, Layout::Plain)?;
    let (n, axes) = (source.n, source.batch.len() + 1);
    if axes > 1 {
        return Err(Error::input(format!("{} has {axes} axes of elements; a polynomial has one", path.display())));
    }
    let mut values = vec![F::Value::zeroed(); n * field.digits().unwrap_or(1)];
    source.fill(&mut values)?;
    let named = |error| Error::input(format!("{}: {error}", path.display()));
    field.check(&values, Layout::Plain, 0).map_err(named)?;
    Ok((n, values))
}
