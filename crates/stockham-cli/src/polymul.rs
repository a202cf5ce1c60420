//! `stockham polymul`: products of polynomials over a field.

use std::io::Write;
use std::path::{Path, PathBuf};

use bytemuck::Zeroable;
use stockham::polynomial::{Multiplier, Product};
use stockham::{Algebra, Layout};

use crate::args::{self, DeviceArg};
use crate::error::{Error, Result};
use crate::memory;
use crate::ntt::field::{FileField, with_field};
use crate::ntt::file::{Sink, Source, is_array};
use crate::output::Files;
use crate::progress::Stages;

/// Multiply two polynomials over a finite field
///
/// Coefficients stand in the order of their powers, the constant one first: in a .npy file with one axis of elements,
/// as `stockham ntt` takes it, or in a text with a number on each line
#[derive(clap::Args)]
pub struct Args {
    /// A polynomial; - is standard input, of either kind
    #[arg(value_name = "A")]
    a: PathBuf,
    /// Another
    #[arg(value_name = "B")]
    b: PathBuf,
    /// Where the product goes: a .npy file, or text; - is standard output, in the form of A
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

impl Args {
    /// The files it takes.
    pub fn files(&self) -> Files<'_> {
        Files::default().read([&self.a, &self.b]).make(&self.output)
    }
}

/// Reads, multiplies and writes.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    with_field!(args.field, field => multiply(args, field, out))
}

fn multiply<F: FileField>(args: &Args, field: &F, out: &mut dyn Write) -> Result<()> {
    let product = match (args.cyclic, args.negacyclic) {
        (true, _) => Product::Cyclic,
        (_, true) => Product::Negacyclic,
        _ => Product::Linear,
    };
    let stages = Stages::new(4);
    stages.next("reading");
    let (first, second) = (read(&args.a, field)?, read(&args.b, field)?);
    let is_array = is_array(&args.output).unwrap_or(first.is_array);
    let (n, m) = (first.n, second.n);
    if product != Product::Linear && n != m {
        let (first, second) = (args.a.display(), args.b.display());
        let words = format!("{first} has {n} coefficients and {second} has {m}: this product takes as many of both");
        return Err(Error::input(words));
    }
    let device = args.device.open()?;
    let points = n.saturating_add(m).checked_next_power_of_two().unwrap_or(usize::MAX);
    let bytes = points.saturating_mul(field.algebra().element_bytes());
    let (host, on_device) = (bytes.saturating_mul(2), bytes.saturating_mul(DEVICE_VECTORS));
    stages.aside(|| memory::require(memory::of_host(&device, host, on_device), out))?;
    stages.next("planning");
    let mut multiplier = Multiplier::plan(&device, field.algebra(), product, n, m)?;
    stages.next("multiplying");
    let c = multiplier.multiply(&first.values, &second.values)?;
    let len = c.len() / field.digits().unwrap_or(1);
    stages.next("writing");
    let mut sink = Sink::create(&args.output, is_array, field, Layout::Plain, &[], len)?;
    sink.write(&c)?;
    sink.commit()?;
    let (info, name) = (device.info(), field.algebra().given());
    writeln!(out, "{n} by {m} coefficients over {name} make {len}, on {} ({})", info.id, info.name)?;
    Ok(())
}

/// Vectors of the transforms' length on the device: two factors, a workspace and its like, and tables.
const DEVICE_VECTORS: usize = 6;

/// A polynomial, and how it was written.
struct Polynomial<V> {
    is_array: bool,
    n: usize,
    values: Vec<V>,
}

fn read<F: FileField>(path: &Path, field: &F) -> Result<Polynomial<F::Value>> {
    let mut source = Source::open(path, field, Layout::Plain)?;
    let (is_array, n, axes) = (source.is_array, source.n, source.batch.len() + 1);
    if axes > 1 {
        return Err(Error::input(format!("{} has {axes} axes of elements; a polynomial has one", path.display())));
    }
    let mut values = vec![F::Value::zeroed(); n * field.digits().unwrap_or(1)];
    let named = |error| Error::input(format!("{}: {error}", path.display()));
    source.fill(field, 0, &mut values)?;
    field.check(&values, Layout::Plain, 0).map_err(named)?;
    Ok(Polynomial { is_array, n, values })
}
