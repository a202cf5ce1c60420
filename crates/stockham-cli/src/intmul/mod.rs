//! `stockham intmul`: the exact product of two integers of any length.

mod report;
mod verify;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use stockham::Device;
use stockham::integer::{Integer, Multiplication, Times};

use crate::args::DeviceArg;
use crate::error::{Error, Result};
use crate::output::{Files, OutputFile, RecordArgs};
use crate::progress::Stages;
use crate::{input, memory, size};

use report::{Record, Seconds};

/// Multiply two integers exactly
#[derive(clap::Args)]
pub struct Args {
    /// A number: decimal, or hexadecimal after 0x, with a sign if it has one; - is standard input
    #[arg(value_name = "A.txt")]
    a: PathBuf,
    /// Another, in the same base
    #[arg(value_name = "B.txt")]
    b: PathBuf,
    /// Where the product goes, in the same base; - is standard output
    #[arg(value_name = "OUT.txt")]
    output: PathBuf,
    /// Check the product modulo random primes before it is written
    #[arg(long)]
    verify: bool,
    /// Multiply so many times on the device, once more to warm up, and tell the median time
    #[arg(long, value_name = "R", value_parser = size::parse_positive)]
    repeat: Option<usize>,
    #[command(flatten)]
    record: RecordArgs,
    #[command(flatten)]
    device: DeviceArg,
}

impl Args {
    /// The files it takes.
    pub fn files(&self) -> Files<'_> {
        Files::default().read([&self.a, &self.b]).make(&self.output).record(&self.record.json)
    }
}

/// Seconds since the last call, or since the start.
struct Watch(Instant);

impl Watch {
    fn lap(&mut self) -> f64 {
        let last = std::mem::replace(&mut self.0, Instant::now());
        self.0.duration_since(last).as_secs_f64()
    }
}

/// Reads, multiplies, verifies and writes.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let stages = Stages::new(if args.verify { 7 } else { 6 });
    let mut watch = Watch(Instant::now());
    stages.next("reading");
    let (a, b) = (read(&args.a)?, read(&args.b)?);
    if a.base() != b.base() {
        let (first, second) = (args.a.display(), args.b.display());
        let (base, other) = (a.base().name(), b.base().name());
        return Err(Error::input(format!("{first} is {base} and {second} is {other}: write both in one base")));
    }
    let mut seconds = Seconds { read: watch.lap(), ..Seconds::default() };
    let device = args.device.open()?;
    stages.aside(|| memory::require(host_bytes(&device, &a, &b), out))?;
    let mut work = Work { args, device: &device, seconds: &mut seconds, watch: &mut watch };
    let (magnitude, shape) =
        if a.is_zero() || b.is_zero() { (Integer::zero(a.base()), None) } else { work.multiply(&a, &b, &stages)? };
    let product = if a.is_negative() == b.is_negative() { magnitude } else { magnitude.negated() };
    let mut primes = Vec::new();
    if args.verify {
        stages.next("verifying");
        primes = verify::check(&a, &b, &product)?;
        seconds.verify = Some(watch.lap());
    }
    stages.next("writing");
    write(&args.output, &product)?;
    seconds.write = watch.lap();
    let digits = [&a, &b, &product].map(|number| number.digits().len().max(1));
    let record = Record { base: a.base(), digits, shape, seconds, primes };
    record.print(device.info(), out)?;
    args.record.file().finish(&record.document(&device))
}

/// What a product takes of the host's memory: its digits as words and as text; on the device, for limbs of at least two
/// digits, two factors, a workspace and its like, tables, and words.
fn host_bytes(device: &Device, a: &Integer, b: &Integer) -> usize {
    let digits = a.digits().len().saturating_add(b.digits().len());
    let points = (digits / LIMB_DIGITS).max(1).next_power_of_two();
    memory::of_host(device, digits.saturating_mul(3), points.saturating_mul(DEVICE_BYTES))
}

/// Digits of a limb of all but the longest numbers.
const LIMB_DIGITS: usize = 6;

/// Bytes on the device for each point of a transform.
const DEVICE_BYTES: usize = 8 * 7;

/// What was computed on the device.
pub struct Shape {
    /// The length of the transforms.
    pub points: usize,
    /// Digits of a limb.
    pub limb_digits: usize,
    /// Whether one transform was saved.
    pub square: bool,
    /// Runs that were timed.
    pub runs: usize,
    /// The run of median time.
    pub times: Times,
}

struct Work<'a> {
    args: &'a Args,
    device: &'a Device,
    seconds: &'a mut Seconds,
    watch: &'a mut Watch,
}

impl Work<'_> {
    /// The product without its sign.
    fn multiply(&mut self, a: &Integer, b: &Integer, stages: &Stages) -> Result<(Integer, Option<Shape>)> {
        stages.next("planning");
        let factor = (a.digits() != b.digits()).then_some(b);
        let lengths = (a.digits().len(), factor.map(|b| b.digits().len()));
        let mut multiplication = Multiplication::plan(self.device, a.base(), lengths.0, lengths.1)?;
        self.seconds.plan = self.watch.lap();
        stages.next("loading");
        multiplication.load(a, factor)?;
        self.seconds.load = self.watch.lap();
        stages.next("multiplying");
        if self.args.repeat.is_some() {
            multiplication.run()?;
        }
        let runs = self.args.repeat.unwrap_or(1);
        let mut all = (0..runs).map(|_| multiplication.run()).collect::<std::result::Result<Vec<_>, _>>()?;
        all.sort_by(|a, b| a.total().total_cmp(&b.total()));
        self.seconds.multiply = self.watch.lap();
        stages.next("unloading");
        let product = multiplication.product()?;
        self.seconds.unload = self.watch.lap();
        let (points, limb_digits) = (multiplication.points(), multiplication.limb_digits());
        Ok((product, Some(Shape { points, limb_digits, square: factor.is_none(), runs, times: all[runs / 2] })))
    }
}

fn read(path: &Path) -> Result<Integer> {
    Integer::parse(input::read(path)?).map_err(|error| Error::input(format!("{}: {error}", path.display())))
}

fn write(path: &Path, product: &Integer) -> Result<()> {
    let mut file = OutputFile::create(path)?;
    file.write(product.prefix().as_bytes())?;
    file.write(product.digits())?;
    file.write(b"\n")?;
    file.commit()
}
