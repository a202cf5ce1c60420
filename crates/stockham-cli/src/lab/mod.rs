//! `stockham lab`: the study of the first FFTs in OpenCL, on today's device and carried to its end.

mod primes;
mod print;
mod published;
mod record;
mod report;
mod rig;
mod sections;
mod variants;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use clap::ValueEnum;
use stockham::{Algebra, Backend, BigPrime, Complex32, Device, Goldilocks};

use crate::args::DeviceArg;
use crate::bench::timing::Patience;
use crate::error::{Error, Result};
use crate::origin::Origin;
use crate::output::{Files, RecordArgs};
use crate::peer::Peer;
use crate::{memory, progress, size};

use record::Study;
use rig::Rig;
use sections::Lab;

/// Repeat the study of the first FFTs in OpenCL: one stage a launch by radix and sine, planar input, local memory,
/// batches, and the way from there to this library's own transforms, each result checked
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    device: DeviceArg,
    /// Points of the long transform, a power of two from 2^4
    #[arg(long, value_name = "N", default_value = "2^24", value_parser = size::parse_power_of_two)]
    size: usize,
    /// Work-group sizes to try, of which the fastest counts. Without it: 32, 64 … 1024, as far as the device goes
    #[arg(long, value_name = "G,…", value_delimiter = ',', value_parser = size::parse_positive)]
    groups: Vec<usize>,
    /// Parts of the study. Without it: all
    #[arg(long, value_name = "PART,…", value_delimiter = ',')]
    only: Vec<Part>,
    /// A big prime of the part `primes`, as P3 or 2^59+2^57+2^39,8; may be given several times. Without it: P3, P4,
    /// 2^31-2^15,32 and G32, on a CPU P3 alone
    #[arg(long = "prime", value_name = "PRIME")]
    primes: Vec<BigPrime>,
    #[command(flatten)]
    record: RecordArgs,
    /// Write a page of tables (lab.md) and its pictures (lab/*.svg, lab/*.png) into a folder
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Measure nothing: make the report from records of earlier runs, in this order
    #[arg(long, value_name = "FILE", requires = "report", conflicts_with_all = ["device", "size", "groups", "only", "primes", "json"])]
    from_json: Vec<PathBuf>,
}

impl Args {
    /// The files it takes.
    pub fn files(&self) -> Files<'_> {
        Files::default().read(&self.from_json).record(&self.record.json)
    }
}

/// A part of the study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    /// One stage a launch: radix, variant, sine.
    Chains,
    /// From one radix-2 stage a launch to the engine's recipe.
    Ladder,
    /// Planar input.
    Planar,
    /// Local memory, registers, in place, two dimensions.
    Later,
    /// More and more transforms at a time.
    Batches,
    /// The ladder over a finite field.
    Field,
    /// Programs of one kernel size over the lengths.
    Programs,
    /// Big primes, beside Montgomery's arithmetic and residue number systems.
    Primes,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Self::Chains => "one stage a launch",
            Self::Ladder => "the ladder",
            Self::Planar => "planar input",
            Self::Later => "what was left for later",
            Self::Batches => "batches",
            Self::Field => "the ladder over the Goldilocks field",
            Self::Programs => "programs of one kernel size",
            Self::Primes => "big primes",
        }
    }
}

/// Shorter transforms have no chain worth the name.
const LEAST: usize = 1 << 4;

/// Bytes on the host for each point: the input, a result, and a reference in more precision, as it is computed and as it is kept.
const HOST_BYTES: usize = 8 * 10;

/// Measures, prints and records.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    if let (Some(folder), false) = (&args.report, args.from_json.is_empty()) {
        let studies: Vec<Study> = args.from_json.iter().map(|path| report::read(path)).collect::<Result<_>>()?;
        return report::write(folder, &studies);
    }
    if args.size < LEAST {
        return Err(Error::input(format!("--size {} is too short: the study begins at 2^4", size::power(args.size))));
    }
    let device = args.device.open()?;
    let info = device.info();
    if info.backend == Backend::Cpu {
        let how = "choose an OpenCL or CUDA device (`stockham devices` lists them; PoCL makes the CPU one)";
        return Err(Error::input(format!("the study is one of kernels, and the device 'cpu' runs none: {how}")));
    }
    memory::require(args.size.saturating_mul(HOST_BYTES), out)?;
    writeln!(out, "{} ({}), {}, n = {}", info.id, info.name, info.driver, size::power(args.size))?;
    out.flush()?;
    // A folder that cannot be written is known at once.
    args.report.as_deref().map_or(Ok(()), report::prepare)?;
    let mut study = measure(args, &device, out)?;
    let reported = args.report.as_deref().map(|folder| report::write(folder, std::slice::from_ref(&study)));
    if let Some(Err(error)) = reported {
        study.failures.push(format!("the report: {error}"));
    }
    for failure in &study.failures {
        writeln!(out, "\nfailed: {failure}")?;
    }
    out.flush()?;
    let wrong: Vec<String> = study.wrong().collect();
    match (wrong.is_empty(), study.failures.is_empty()) {
        (false, _) => Err(Error::Failed(format!("WRONG RESULTS: {}", wrong.join("; ")))),
        // All of them were told of above.
        (true, false) => Err(Error::Failed(match &study.failures[..] {
            [first, rest @ ..] if !rest.is_empty() => format!("failed in part: {first} (and {} more)", rest.len()),
            failures => format!("failed in part: {}", failures.join("; ")),
        })),
        (true, true) => study.refused().map_or(Ok(()), |reason| Err(Error::Failed(format!("nothing ran: {reason}")))),
    }
}

fn measure(args: &Args, device: &Device, out: &mut dyn Write) -> Result<Study> {
    let most = device.info().max_group.min(1024);
    let groups = if args.groups.is_empty() {
        (5..=10).map(|bits| 1usize << bits).filter(|group| *group <= most).collect()
    } else {
        args.groups.clone()
    };
    let peer = Peer::find(device, Algebra::ComplexF32);
    let named = peer.as_ref().map_or_else(Clone::clone, Peer::name);
    let mut study = Study::new(Origin::of(device), args.size, groups.clone(), named);
    let bar = progress::bar(0);
    let tell = |what: &str| {
        bar.set_message(what.to_owned());
        bar.inc(1);
    };
    let lab = Lab { device, groups: &groups, primes: &args.primes, peer: peer.as_ref().ok(), tell: &tell };
    let (mut long, file) = (None, args.record.file());
    for part in Part::value_variants().iter().filter(|part| args.only.is_empty() || args.only.contains(part)) {
        if matches!(part, Part::Field | Part::Primes) {
            // Two rigs need not fit at once.
            long = None;
        }
        let start = Instant::now();
        // A part that cannot run leaves the others alone.
        let record = |study: &Study| file.keep(study);
        if let Err(error) = measure_part(*part, &lab, &mut long, &mut study, &record, out) {
            if matches!(error, Error::Stdout(_)) {
                return Err(error);
            }
            study.failures.push(format!("{}: {error}", part.name()));
        }
        writeln!(out, "\n({}: {:.1} s)", part.name(), start.elapsed().as_secs_f64())?;
        out.flush()?;
        // What was measured is kept, whatever happens to the rest.
        if let Err(error) = record(&study) {
            let failure = format!("the record: {error}");
            study.failures.retain(|known| *known != failure);
            study.failures.push(failure);
        }
    }
    file.finish(&study)?;
    Ok(study)
}

fn measure_part<'a>(
    part: Part,
    lab: &Lab<'a>,
    long: &mut Option<Rig<'a, Complex32>>,
    study: &mut Study,
    record: &dyn Fn(&Study) -> Result<()>,
    out: &mut dyn Write,
) -> Result<()> {
    match part {
        Part::Chains => {
            study.chains = lab.chains(of_size(lab.device, study.n, long)?);
            print::chains(study, out)
        }
        Part::Planar => {
            study.planar = lab.planar(of_size(lab.device, study.n, long)?);
            print::entries("Planar input, 8-point kernels", &study.planar, out)
        }
        Part::Ladder => {
            study.ladder = lab.ladder(of_size(lab.device, study.n, long)?, &study.chains);
            print::entries("The ladder", &study.ladder, out)
        }
        Part::Later => {
            study.later = lab.later(of_size(lab.device, study.n, long)?);
            print::entries("What was left for later", &study.later, out)
        }
        Part::Batches => {
            let measured = lab.batches::<Complex32>(study.n, &mut study.batches);
            print::entries("Batches", &study.batches, out)?;
            measured
        }
        Part::Field => {
            let mut rig = Rig::<Goldilocks>::new(lab.device, study.n, Patience::FIGURE)?;
            study.field_ladder = lab.ladder(&mut rig, &[]);
            print::entries("The ladder over the Goldilocks field", &study.field_ladder, out)
        }
        Part::Programs => {
            let measured = lab.programs::<Complex32>(study.n, &mut study.programs);
            print::programs(&study.programs, out)?;
            measured
        }
        Part::Primes => {
            let longest = study.n;
            let measured = primes::measure(lab, longest, |row| {
                study.primes.push(row);
                // A long part: what there is of it is kept. If that fails, it is told of at the end.
                let _ = record(study);
            });
            print::primes(&study.primes, out)?;
            measured
        }
    }
}

/// The memory of the long transform, made when it is first needed.
fn of_size<'a, 'b>(
    device: &'a Device,
    n: usize,
    long: &'b mut Option<Rig<'a, Complex32>>,
) -> Result<&'b mut Rig<'a, Complex32>> {
    Ok(match long {
        Some(rig) => rig,
        None => long.insert(Rig::new(device, n, Patience::FIGURE)?),
    })
}
