//! `stockham convolve`: convolutions and correlations of arrays, as `scipy.signal` computes them.

use std::io::Write;
use std::path::PathBuf;

use bytemuck::Zeroable;
use clap::ValueEnum;
use serde::Serialize;
use stockham::signal::{self, Convolver, Sample, next_fast_len};
use stockham::{Complex, Complex32, Complex64, Device};

use crate::args::DeviceArg;
use crate::elements::{Number, with_number};
use crate::error::{Error, Result};
use crate::memory;
use crate::npy::{Kind, Reader, Writer};
use crate::origin::Origin;
use crate::output::{Files, RecordArgs};
use crate::progress::Stages;

/// Convolve two NumPy arrays of any equal number of axes, or correlate them
///
/// The result is real if both arrays are, and in single precision if both are float16, float32 or complex64.
#[derive(clap::Args)]
pub struct Args {
    /// An array; - is standard input
    #[arg(value_name = "A.npy")]
    a: PathBuf,
    /// Another, the kernel
    #[arg(value_name = "B.npy")]
    b: PathBuf,
    /// Where the result goes; - is standard output
    #[arg(value_name = "OUT.npy")]
    output: PathBuf,
    /// Which of the outputs
    #[arg(long, value_enum, default_value = "full")]
    mode: Mode,
    /// Correlate: B is reversed and conjugated
    #[arg(long)]
    correlate: bool,
    #[command(flatten)]
    record: RecordArgs,
    #[command(flatten)]
    device: DeviceArg,
}

/// `--mode`, in SciPy's words.
#[derive(Clone, Copy, ValueEnum)]
enum Mode {
    /// All.
    Full,
    /// The middle ones, as many as A has.
    Same,
    /// Those that both arrays overlap for wholly.
    Valid,
    /// Those of an A that is periodic.
    Circular,
}

impl From<Mode> for signal::Mode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Full => Self::Full,
            Mode::Same => Self::Same,
            Mode::Valid => Self::Valid,
            Mode::Circular => Self::Circular,
        }
    }
}

impl Args {
    /// The files it takes.
    pub fn files(&self) -> Files<'_> {
        Files::default().read([&self.a, &self.b]).make(&self.output).record(&self.record.json)
    }
}

/// What is told of a convolution.
#[derive(Serialize)]
struct Record {
    origin: Origin,
    a: Vec<usize>,
    b: Vec<usize>,
    output: Vec<usize>,
    /// The points of the transforms.
    transforms: Vec<usize>,
    kind: &'static str,
}

/// Reads, convolves and writes.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let files = [Reader::open(&args.a)?, Reader::open(&args.b)?];
    let all = |kinds: &[Kind]| files.iter().all(|file| kinds.contains(&file.header().kind));
    let is_single = all(&[Kind::F16, Kind::F32, Kind::C64]);
    let is_complex = files.iter().any(|file| matches!(file.header().kind, Kind::C64 | Kind::C128));
    match (is_complex, is_single) {
        (false, true) => convolve::<f32>(args, files, Kind::F32, out),
        (false, false) => convolve::<f64>(args, files, Kind::F64, out),
        (true, true) => convolve::<Complex32>(args, files, Kind::C64, out),
        (true, false) => convolve::<Complex64>(args, files, Kind::C128, out),
    }
}

fn convolve<T: FromParts>(args: &Args, files: [Reader; 2], kind: Kind, out: &mut dyn Write) -> Result<()> {
    let stages = Stages::new(3);
    let device = args.device.open()?;
    let [a, b] = files;
    let (shape, kernel) = (a.header().shape.clone(), b.header().shape.clone());
    let bytes = host_bytes::<T>(&device, &shape, &kernel);
    stages.aside(|| memory::require(bytes, out))?;
    stages.next("reading");
    let (a, b) = (read::<T>(a)?, read::<T>(b)?);
    stages.next("convolving");
    let mut convolver = match args.correlate {
        false => Convolver::plan(&device, shape.as_slice(), &b, kernel.as_slice(), args.mode.into()),
        true => Convolver::plan_correlation(&device, shape.as_slice(), &b, kernel.as_slice(), args.mode.into()),
    }?;
    let result = convolver.apply(&a)?;
    stages.next("writing");
    let output = convolver.output_shape();
    let mut writer = Writer::create(&args.output, kind, &output)?;
    writer.write(bytemuck::cast_slice(&result))?;
    writer.commit()?;
    let (info, transforms) = (device.info(), convolver.transform_shape());
    let (what, by) = if args.correlate { ("correlated", "with") } else { ("convolved", "by") };
    writeln!(
        out,
        "{what} {shape:?} {by} {kernel:?} to {output:?}, {} by transforms of {transforms:?} points on {} ({})",
        kind.name(),
        info.id,
        info.name
    )?;
    let origin = Origin::of(&device);
    args.record.file().finish(&Record { origin, a: shape, b: kernel, output, transforms, kind: kind.name() })
}

/// Arrays, and what is transformed: on the host twice, on the device as points, spectra and a workspace for each.
fn host_bytes<T: Sample>(device: &Device, shape: &[usize], kernel: &[usize]) -> usize {
    let values = |lengths: &[usize]| lengths.iter().fold(1usize, |values, n| values.saturating_mul(*n));
    let full = shape.iter().zip(kernel).map(|(n, k)| next_fast_len(n.saturating_add(*k), T::KIND));
    let points = full.fold(1usize, usize::saturating_mul);
    let host = values(shape).saturating_add(values(kernel)).saturating_add(points.saturating_mul(2));
    let on_device = points.saturating_mul(6).saturating_mul(size_of::<T>());
    memory::of_host(device, host.saturating_mul(size_of::<T>()), on_device)
}

/// A sample made of a complex number's parts; a real one has no use for the second.
trait FromParts: Sample {
    fn of(re: f64, im: f64) -> Self;
}

macro_rules! from_parts {
    ($($type:ty: $re:ident, $im:ident => $value:expr;)*) => {
        $(impl FromParts for $type {
            fn of($re: f64, $im: f64) -> Self {
                $value
            }
        })*
    };
}
from_parts! {
    f32: re, _im => re as f32;
    f64: re, _im => re;
    Complex32: re, im => Self::new(re as f32, im as f32);
    Complex64: re, im => Self::new(re, im);
}

/// The parts of a complex number.
trait Parts {
    fn parts(self) -> (f64, f64);
}

impl<F: Into<f64>> Parts for Complex<F> {
    fn parts(self) -> (f64, f64) {
        (self.re.into(), self.im.into())
    }
}

/// Values on their way from a file.
const CHUNK: usize = 1 << 16;

/// All numbers of a file.
fn read<T: FromParts>(mut reader: Reader) -> Result<Vec<T>> {
    let count = reader.header().shape.iter().product();
    let mut samples = Vec::new();
    samples.try_reserve_exact(count).map_err(|error| Error::Failed(error.to_string()))?;
    with_number!(reader.header().kind, N => {
        let mut numbers = vec![N::zeroed(); CHUNK.min(count)];
        while samples.len() < count {
            let numbers = &mut numbers[..CHUNK.min(count - samples.len())];
            reader.fill(bytemuck::cast_slice_mut(numbers))?;
            samples.extend(numbers.iter().map(|x| {
                let (re, im) = Number::complex(*x).parts();
                T::of(re, im)
            }));
        }
    });
    Ok(samples)
}
