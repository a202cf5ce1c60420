//! `stockham survey`: time and error of all lengths of a range beside a peer's, in a record that later runs go on with.

mod ahead;
mod picture;
mod record;
mod summary;

use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use stockham::accuracy::Measured;
use stockham::{Complex32, Complex64, Device, Transform, threads};

use crate::args::{DeviceArg, Precision};
use crate::bench::check::Reference;
use crate::bench::row::{Bench, Row};
use crate::bench::subject::{Elements, Subject};
use crate::bench::timing::Patience;
use crate::error::Result;
use crate::origin::Origin;
use crate::output::Files;
use crate::peer::Peer;
use crate::size::{self, Shape};
use crate::{memory, plot, progress, sizes};

use record::{Entry, Heading, Record};

/// Time every length of a range beside a peer, with the errors of both. It may be stopped, and goes on where it was
///
/// Lengths come in scattered order, so that what a short run has measured is a fair sample of all.
#[derive(clap::Args)]
pub struct Args {
    /// The record, a JSON document a line: what it has already is not measured again
    record: PathBuf,
    /// Measure the lengths from A to B. Without it, what the record has is summed up and drawn
    #[arg(long, value_name = "A..B", value_parser = sizes::parse_range)]
    lengths: Option<RangeInclusive<usize>>,
    /// Of these so many, taken at random and the same every time
    #[arg(long, value_name = "K", value_parser = size::parse_positive, requires = "lengths")]
    sample: Option<usize>,
    /// Begin no length after so many seconds
    #[arg(long, value_name = "S", value_parser = size::parse_positive, requires = "lengths")]
    seconds: Option<usize>,
    /// Precision of the complex numbers
    #[arg(long, value_name = "P", default_value = "f32")]
    precision: Precision,
    #[command(flatten)]
    device: DeviceArg,
    /// Compare errors only, of one run each: there are no times then
    #[arg(long)]
    errors: bool,
    /// Bytes of a batch
    #[arg(long, value_name = "B", value_parser = size::parse_positive, default_value = "2^28")]
    bytes: usize,
    /// Draw the record (.png or .svg)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

impl Args {
    /// The files it takes.
    pub fn files(&self) -> Files<'_> {
        let files = match &self.lengths {
            Some(_) => Files::default().record([&self.record]),
            None => Files::default().read([&self.record]),
        };
        files.record(&self.plot)
    }
}

/// The batch so many times on the host: input, twice, and a reference of the longest transform.
const HOST_COPIES: usize = 4;
/// … and so many times on the device, its workspace and a peer's result included.
const DEVICE_COPIES: usize = 4;

/// Where the peer seems to be faster by this, both are measured again with more patience.
const DOUBTFUL: f64 = 1.03;

/// Measures what the record does not have, sums up, draws.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let format = args.plot.as_deref().map(plot::Format::of).transpose()?;
    let record = match &args.lengths {
        None => Record::read(&args.record)?,
        Some(range) => {
            let device = args.device.open()?;
            let host = memory::of_host(&device, args.bytes * HOST_COPIES, args.bytes * DEVICE_COPIES);
            memory::require(host, out)?;
            match args.precision {
                Precision::F32 => measure::<Complex32>(args, range, &device, out),
                Precision::F64 => measure::<Complex64>(args, range, &device, out),
            }?
        }
    };
    summary::print(&record, out)?;
    if let (Some(path), Some(format)) = (&args.plot, format) {
        plot::save(&picture::draw(&record), format, path)?;
    }
    summary::wrong(&record)
}

fn measure<T: Measured>(
    args: &Args,
    range: &RangeInclusive<usize>,
    device: &Device,
    out: &mut dyn Write,
) -> Result<Record> {
    let algebra = args.precision.algebra();
    let peer = Peer::find(device, algebra).ok();
    let (origin, peer_name) = (Origin::of(device), peer.as_ref().map(Peer::name));
    let heading = Heading { origin, algebra, bytes: args.bytes, peer: peer_name, errors_only: args.errors };
    let mut record = Record::open(&args.record, heading)?;
    let wanted = scattered(range, args.sample);
    let missing: Vec<usize> = wanted.iter().copied().filter(|n| !record.has(*n)).collect();
    let info = device.info();
    let counts = format!("{} of {} lengths are to be measured", missing.len(), wanted.len());
    writeln!(out, "{} ({}), {}: {counts}", info.id, info.name, algebra.name())?;
    let transform = |n: &usize| Transform::new(algebra, *n).batch(sizes::batch(algebra, *n, args.bytes));
    let transforms: Vec<Transform> = missing.iter().map(transform).collect();
    let subject = Elements::<T>::new();
    // What all lengths are transforms of.
    let input = subject.random(args.bytes / size_of::<T>());
    let reference = |transform: &Transform| {
        let (n, count) = (transform.points(), transform.batch_count());
        threads::alone(|| Reference::of(input.get(..n * count)?, n, usize::MAX))
    };
    let mut bench = Bench::new(device, peer.as_ref(), subject)?;
    let end = args.seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds as u64));
    let bar = progress::bar(missing.len());
    ahead::plan(device, &transforms, reference, |executable, reference| {
        let executable = executable?;
        if let Some(reference) = reference {
            bench.subject().expect(reference);
        }
        let n = executable.transform().points();
        bar.set_message(format!("n = {n}"));
        let patience = if args.errors { Patience::ONCE } else { Patience::GLANCE };
        let mut row = bench.measured(executable.clone(), &Shape::from(n), patience)?;
        if is_doubtful(&row) && !args.errors {
            row = bench.measured(executable, &Shape::from(n), Patience::FIGURE)?;
        }
        record.add(Entry::of(&row, algebra, !args.errors))?;
        bar.inc(1);
        Ok(end.is_none_or(|end| Instant::now() < end))
    })?;
    drop(bar);
    Ok(record)
}

fn is_doubtful(row: &Row) -> bool {
    row.peer_ms.is_some_and(|ms| row.ms > DOUBTFUL * ms)
}

/// The lengths in an order of no pattern, the first of them if not all are wanted.
fn scattered(range: &RangeInclusive<usize>, count: Option<usize>) -> Vec<usize> {
    let mut lengths: Vec<usize> = range.clone().collect();
    lengths.sort_by_cached_key(|n| mixed(*n as u64));
    lengths.truncate(count.unwrap_or(usize::MAX));
    lengths
}

/// A number without any pattern for each number: the finalizer of G. Steele, D. Lea and C. Flood's SplitMix64 ("Fast splittable
/// pseudorandom number generators", OOPSLA 2014).
fn mixed(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_the_beginning_of_all_and_spread_over_them() {
        let (all, some) = (scattered(&(1..=4096), None), scattered(&(1..=4096), Some(512)));
        assert_eq!(all[..512], some);
        let mut sorted = all.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(1..=4096));
        let lower = some.iter().filter(|n| **n <= 2048).count();
        assert!((200..=312).contains(&lower), "{lower}");
    }
}
