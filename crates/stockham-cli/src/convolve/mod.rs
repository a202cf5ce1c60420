//! `stockham convolve`: convolutions and correlations of arrays, recordings and pictures.

mod arrays;
mod picture;
mod sound;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use stockham::Device;
use stockham::signal::{self, Convolver, Sample};

use crate::args::DeviceArg;
use crate::error::{Error, Result};
use crate::input;
use crate::output::{Files, RecordArgs};

/// Convolve two NumPy arrays, recordings or pictures, or correlate them
///
/// Of arrays (.npy), of any equal number of axes, the result is real if both are, and in single precision if both are float16,
/// float32 or complex64. Recordings (.wav) go through in blocks, so that they may be longer than memory; B has one channel, for
/// each of A's, or as many, and the result has A's sample format. Pictures (.png, and .jpg to be read) are 0 beyond their edges;
/// a grey B is for each colour of A. The extensions of the names tell which of them it is, and arrays where there are none.
#[derive(clap::Args)]
pub struct Args {
    /// An array, a recording or a picture; - is standard input
    #[arg(value_name = "A")]
    a: PathBuf,
    /// Another of the same kind, the kernel
    #[arg(value_name = "B")]
    b: PathBuf,
    /// Where the result goes; - is standard output
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Which of the outputs
    #[arg(long, value_enum, default_value = "full")]
    mode: Mode,
    /// Correlate: B is reversed and conjugated
    #[arg(long)]
    correlate: bool,
    /// Divide a recording or picture B by the sum of its values, so that the result is as loud or as bright as A
    #[arg(long)]
    normalize: bool,
    #[command(flatten)]
    record: RecordArgs,
    #[command(flatten)]
    device: DeviceArg,
}

/// `--mode`, in SciPy's words.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
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

    /// What B does to arrays of a shape.
    fn convolver<T: Sample>(
        &self,
        device: &Device,
        shape: &[usize],
        kernel: &[T],
        by: &[usize],
    ) -> Result<Convolver<T>> {
        let mode = self.mode.into();
        Ok(match self.correlate {
            false => Convolver::plan(device, shape, kernel, by, mode),
            true => Convolver::plan_correlation(device, shape, kernel, by, mode),
        }?)
    }

    /// What is told to be done, and how the kernel is called then.
    fn words(&self) -> (&'static str, &'static str) {
        if self.correlate { ("correlated", "with") } else { ("convolved", "by") }
    }

    /// Divides a kernel by its sum if that is asked for.
    fn normalized(&self, kernel: &mut [f32]) -> Result<()> {
        if !self.normalize {
            return Ok(());
        }
        let (sum, size) =
            kernel.iter().fold((0.0, 0.0), |(sum, size), x| (sum + f64::from(*x), size + f64::from(x.abs())));
        // What is left of a sum that is 0 is roundings.
        if sum.abs() <= 1e-6 * size {
            return Err(input::fault(
                &self.b,
                "the sum of its values is 0: it cannot be divided by that (--normalize)",
            ));
        }
        kernel.iter_mut().for_each(|x| *x = (f64::from(*x) / sum) as f32);
        Ok(())
    }
}

/// What files hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Array,
    Sound,
    Picture,
}

impl Content {
    /// By the extension of a name; nothing of one that has none that says so.
    fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "npy" => Some(Self::Array),
            "wav" | "wave" | "rf64" | "w64" => Some(Self::Sound),
            "png" | "jpg" | "jpeg" => Some(Self::Picture),
            _ => None,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Array => "an array",
            Self::Sound => "a recording",
            Self::Picture => "a picture",
        }
    }
}

/// Reads, convolves and writes.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let known = [&args.a, &args.b, &args.output].map(|path| Content::of(path).map(|content| (path, content)));
    let mut known = known.into_iter().flatten();
    let first = known.next();
    let content = first.map_or(Content::Array, |(_, content)| content);
    if let (Some((path, _)), Some((other, another))) = (first, known.find(|(_, another)| *another != content)) {
        let (path, other) = (path.display(), other.display());
        let (what, another) = (content.words(), another.words());
        return Err(Error::input(format!("{path} is {what} and {other} {another}: all three are of one kind")));
    }
    match content {
        Content::Array if args.normalize => Err(Error::input("--normalize is for recordings and pictures")),
        Content::Array => arrays::run(args, out),
        Content::Sound => sound::run(args, out),
        Content::Picture => picture::run(args, out),
    }
}
