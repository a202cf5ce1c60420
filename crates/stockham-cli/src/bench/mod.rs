//! `stockham bench`: the time of transforms, in units of the time that copying their data takes, beside a peer's.

pub mod arrays;
pub mod beside;
pub mod check;
pub mod digits;
pub mod exact;
mod fields;
mod picture;
mod print;
pub mod reals;
pub mod row;
pub mod subject;
mod suite;
mod sweep;
pub mod timing;

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;
use stockham::plan::Choice;
use stockham::{Backend, Device, Direction, Kind};

use crate::args::{AlgebraArgs, DeviceArg, LayoutArg};
use crate::error::{Error, Result};
use crate::origin::Origin;
use crate::output::{Files, RecordArgs};
use crate::sizes::Sizes;
use crate::{memory, plot, size};

use suite::Suite;
use sweep::{Load, Record, Sweep};

/// Time transforms against a copy of the same bytes and against a peer (cuFFT, rustfft), and check their results
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    algebra: AlgebraArgs,
    #[command(flatten)]
    device: DeviceArg,
    #[command(flatten)]
    sizes: Sizes,
    /// Transforms of real numbers to half spectra. --bytes are those of the real numbers then
    #[arg(long)]
    real: bool,
    /// Of half spectra to real numbers
    #[arg(long, requires = "real")]
    inverse: bool,
    /// How the digits of a big prime's elements lie in memory
    #[arg(long, value_enum, default_value = "plain")]
    layout: LayoutArg,
    /// Bytes of the batch: 2^30, 64MiB. Without it: 2^30 on GPUs, 2^26 on the CPU
    #[arg(long, value_name = "B", value_parser = size::parse_positive, conflicts_with = "single")]
    bytes: Option<usize>,
    /// One transform at a time, timed launch to launch
    #[arg(long)]
    single: bool,
    /// Passes chosen by hand, as `explain --choice` takes them
    #[arg(long, value_name = "CHOICE", conflicts_with = "suite")]
    choice: Option<Choice>,
    /// A set of sweeps in one run instead, and what they amount to
    #[arg(long, value_enum, value_name = "SUITE", conflicts_with_all = ["precision", "field", "from", "to", "sizes", "smooth", "real", "inverse", "layout", "single", "plot"])]
    suite: Option<Suite>,
    /// Of the suite short and few transforms only, which a CPU has done in seconds
    #[arg(long, requires = "suite", conflicts_with = "bytes")]
    quick: bool,
    #[command(flatten)]
    record: RecordArgs,
    /// Draw the record (.png or .svg)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

impl Args {
    /// The files it takes.
    pub fn files(&self) -> Files<'_> {
        Files::default().record(&self.record.json).record(&self.plot)
    }
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    origin: Origin,
    #[serde(flatten)]
    record: &'a Record,
}

#[derive(Serialize)]
struct SuiteDocument<'a> {
    #[serde(flatten)]
    origin: Origin,
    suite: Suite,
    sweeps: Vec<&'a Record>,
}

/// Measures, prints, records and draws.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let format = args.plot.as_deref().map(plot::Format::of).transpose()?;
    let sizes = args.sizes.all()?;
    let (algebra, layout) = (args.algebra.algebra(), args.layout.into());
    let kind = if args.real { Kind::Real } else { Kind::Dft };
    let direction = if args.inverse { Direction::Inverse } else { Direction::Forward };
    let mut sweep = Sweep { algebra, layout, kind, direction, sizes, load: Load::Single, choice: args.choice.clone() };
    sweep.validate()?;
    let device = args.device.open()?;
    let bytes = args.bytes.unwrap_or(match device.info().backend {
        _ if args.quick => 1 << 16,
        Backend::Cpu => 1 << 26,
        _ => 1 << 30,
    });
    if args.suite == Some(Suite::Fields) {
        return fields::run(args.quick, &device, args.record.file(), out);
    }
    if let Some(suite) = args.suite {
        return run_suite(args, suite, &device, bytes, out);
    }
    if !args.single {
        sweep.load = Load::Batch(bytes);
    }
    memory::require(sweep.host_bytes(&device), out)?;
    let (origin, file) = (Origin::of(&device), args.record.file());
    let keep = &mut |record: &Record| file.keep(&Document { origin: origin.clone(), record });
    let (record, measured) = sweep.run(&device, keep, out)?;
    file.finish(&Document { origin: origin.clone(), record: &record })?;
    measured?;
    if let (Some(path), Some(format)) = (&args.plot, format) {
        let picture = picture::draw(&record, device.info());
        plot::save(&picture, format, path)?;
    }
    wrong(std::slice::from_ref(&record))
}

fn run_suite(args: &Args, suite: Suite, device: &Device, bytes: usize, out: &mut dyn Write) -> Result<()> {
    let mut sweeps: Vec<Record> = Vec::new();
    let (origin, file) = (Origin::of(device), args.record.file());
    let all = suite.sweeps(bytes);
    memory::require(all.iter().map(|sweep| sweep.host_bytes(device)).max().unwrap_or(0), out)?;
    for sweep in all {
        // What was measured before a failure is kept.
        let keep = &mut |record: &Record| {
            let sweeps: Vec<&Record> = sweeps.iter().chain([record]).collect();
            file.keep(&SuiteDocument { origin: origin.clone(), suite, sweeps })
        };
        let (record, measured) = sweep.run(device, keep, out)?;
        sweeps.push(record);
        writeln!(out)?;
        if measured.is_err() {
            file.finish(&SuiteDocument { origin: origin.clone(), suite, sweeps: sweeps.iter().collect() })?;
        }
        measured?;
    }
    file.finish(&SuiteDocument { origin, suite, sweeps: sweeps.iter().collect() })?;
    suite::summarise(&sweeps, out)?;
    wrong(&sweeps)
}

/// An error if results were.
fn wrong(records: &[Record]) -> Result<()> {
    let rows = records.iter().flat_map(|record| record.rows.iter().map(move |row| (record, row)));
    let wrong = rows.filter(|(_, row)| !row.right);
    let wrong: Vec<String> = wrong.map(|(record, row)| format!("{} ({})", row.shape, record.title())).collect();
    if wrong.is_empty() { Ok(()) } else { Err(Error::Failed(format!("WRONG RESULTS for n = {}", wrong.join(", ")))) }
}
