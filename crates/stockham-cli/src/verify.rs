//! `stockham verify`: how accurate the transforms of a device are, size by size.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;
use stockham::accuracy::{self, L2_LIMIT, LINF_LIMIT, Measured, Method, Record};
use stockham::{Algebra, Complex32, Complex64, Device, Direction, Goldilocks};

use crate::args::{AlgebraArgs, DeviceArg};
use crate::error::{Error, Result};
use crate::origin::Origin;
use crate::sizes::Sizes;
use crate::table::{Align, Table};
use crate::{output, progress, size};

/// Measure the error of a device's transforms, in units of u·√log2 n, and hold it to limits
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    algebra: AlgebraArgs,
    #[command(flatten)]
    device: DeviceArg,
    #[command(flatten)]
    sizes: Sizes,
    /// Measure the inverse transform
    #[arg(long)]
    inverse: bool,
    /// The random inputs' seed
    #[arg(long, value_name = "SEED", default_value = "1")]
    seed: u64,
    /// Write the record as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    origin: Origin,
    l2_limit: f64,
    linf_limit: f64,
    records: Vec<Record>,
}

/// Measures, prints and judges.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let sizes = args.sizes.all()?;
    let device = args.device.open()?;
    let records = match args.algebra.algebra() {
        Algebra::ComplexF32 => measure::<Complex32>(args, &device, &sizes),
        Algebra::ComplexF64 => measure::<Complex64>(args, &device, &sizes),
        Algebra::Goldilocks => measure::<Goldilocks>(args, &device, &sizes),
        other => Err(Error::input(format!("{} cannot be measured", other.name()))),
    }?;
    print(&records, &device, out)?;
    let failed = records.iter().filter(|record| !record.passes()).count();
    let total = records.len();
    if let Some(path) = &args.json {
        let origin = Origin::of(&device);
        let document = Document { origin, l2_limit: L2_LIMIT, linf_limit: LINF_LIMIT, records };
        output::write_json(path, &document)?;
    }
    if failed > 0 {
        out.flush()?;
        return Err(Error::Failed(format!("{failed} of {total} sizes are outside the limits")));
    }
    Ok(())
}

fn measure<T: Measured>(args: &Args, device: &Device, sizes: &[usize]) -> Result<Vec<Record>> {
    let direction = if args.inverse { Direction::Inverse } else { Direction::Forward };
    let bar = progress::bar(sizes.len());
    let measure = |n: &usize| {
        bar.set_message(format!("n = {}", size::power(*n)));
        let record = accuracy::measure::<T>(device, *n, direction, args.seed)?;
        bar.inc(1);
        Ok(record)
    };
    sizes.iter().map(measure).collect()
}

fn print(records: &[Record], device: &Device, out: &mut dyn Write) -> Result<()> {
    let exact = records.first().is_some_and(|record| record.exact);
    if exact {
        writeln!(out, "{}: every output must be exact; L2 is the root of the share that is wrong\n", device.info().id)?;
    } else {
        let limits = format!("limits {L2_LIMIT:.1} (L2) and {LINF_LIMIT:.1} (Linf)");
        writeln!(out, "{}: relative errors in units of u·√log2 n, {limits}\n", device.info().id)?;
    }
    let mut table = Table::new(&[
        ("n", Align::Right),
        ("method", Align::Left),
        ("outputs", Align::Right),
        ("L2", Align::Right),
        ("Linf", Align::Right),
        ("", Align::Left),
    ]);
    for record in records {
        let method = match record.method {
            Method::Reference => "reference",
            Method::SelfTest => "self-test and samples",
        };
        let (l2, linf) = if exact && record.l2_units == 0.0 {
            ("exact".to_owned(), "exact".to_owned())
        } else {
            (format!("{:.3}", record.l2_units), format!("{:.3}", record.linf_units))
        };
        let verdict = if record.passes() { "pass" } else { "FAIL" };
        let outputs = record.outputs.to_string();
        table.row([size::power(record.n), method.to_owned(), outputs, l2, linf, verdict.to_owned()]);
    }
    table.print(out)?;
    Ok(())
}
