//! `stockham filter`: recordings without some of their frequencies, and pictures blurred or sharpened.

mod design;
mod picture;
mod sound;

use std::io::Write;
use std::path::PathBuf;

use crate::args::DeviceArg;
use crate::error::Result;
use crate::output::{Files, RecordArgs};

use design::{Design, DesignArgs};

/// Filter a recording (.wav) by frequencies, or blur or sharpen a picture (.png)
///
/// Recordings go through in blocks, so they may be longer than memory. Their filters have linear phase, and nothing is delayed;
/// the output has the length and the sample format of the input, and all else that stands in the file. Pictures go on beyond
/// their edges as mirror images.
#[derive(clap::Args)]
pub struct Args {
    /// The recording: WAV, RF64 or W64; or the picture: PNG or JPEG. - is standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Where the result goes, a recording like the input or a PNG; - is standard output
    #[arg(value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    design: DesignArgs,
    /// By how much a recording's filter attenuates what it does not let pass, in dB
    #[arg(long, value_name = "DB", default_value_t = 80.0)]
    attenuation: f64,
    /// Hz between what passes and what does not. Without it: a quarter of the distance between the edges
    #[arg(long, value_name = "HZ")]
    width: Option<f64>,
    #[command(flatten)]
    record: RecordArgs,
    #[command(flatten)]
    device: DeviceArg,
}

impl Args {
    /// The files it takes.
    pub fn files(&self) -> Files<'_> {
        Files::default().read([&self.input]).make(&self.output).record(&self.record.json)
    }
}

/// Reads, filters and writes.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    match args.design.design()? {
        Design::Band(band) => sound::run(args, band, out),
        Design::Blur(sigma) => picture::run(args, sigma, false, out),
        Design::Sharpen(sigma) => picture::run(args, sigma, true, out),
    }
}
