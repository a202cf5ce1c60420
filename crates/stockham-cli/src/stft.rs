//! `stockham stft`: the short-time Fourier transform of a recording, as `scipy.signal.stft` computes it.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;
use stockham::Complex32;
use stockham::signal::{Stft, Window};

use crate::args::DeviceArg;
use crate::error::{Error, Result};
use crate::memory;
use crate::npy::{Kind, Writer};
use crate::origin::Origin;
use crate::output::{Files, RecordArgs};
use crate::progress::Stages;
use crate::spectrum::channel::Channel;
use crate::spectrum::recording::Recording;
use crate::spectrum::source::Source;

/// Transform a recording in segments under a Hann window, to a NumPy array of complex64
///
/// The array has a row for each frequency, from 0 to half of the sample rate, and a column for each segment. The first one has
/// its middle at the first sample. A sine of full scale has the magnitude 0.5.
#[derive(clap::Args)]
pub struct Args {
    /// The recording: WAV, FLAC, MP3 or Ogg Vorbis; - reads it from standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Where the array goes; - is standard output
    #[arg(value_name = "OUT.npy")]
    output: PathBuf,
    /// Which channel: mix (the average of all), left, right, or a number from 1
    #[arg(long, value_name = "C", default_value = "mix")]
    channel: Channel,
    /// Samples of a segment
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = crate::size::parse_positive)]
    window: usize,
    /// Samples from a segment to the next. Without it: half of a segment
    #[arg(long, value_name = "N", value_parser = crate::size::parse_positive)]
    hop: Option<usize>,
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

/// What is told of it.
#[derive(Serialize)]
struct Record {
    origin: Origin,
    rate: u32,
    window: usize,
    hop: usize,
    frequencies: usize,
    segments: usize,
}

/// Reads, transforms and writes.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let stages = Stages::new(3);
    stages.next("reading");
    let recording = Recording::decode(Source::read(&args.input)?, args.channel)?;
    let device = args.device.open()?;
    let (window, hop) = (args.window, args.hop.unwrap_or((args.window / 2).max(1)));
    if hop > window {
        return Err(Error::input(format!("segments of {window} samples that are {hop} apart leave samples out")));
    }
    let (segments, frequencies) = (recording.samples.len() / hop + 2, window / 2 + 1);
    let spectra = segments.saturating_mul(frequencies).saturating_mul(size_of::<Complex32>());
    // The array, a row on its way, and some segments at a time with their spectra and a workspace.
    let at_a_time = (1usize << 20).max(window).saturating_mul(24);
    stages.aside(|| memory::require(spectra.saturating_add(at_a_time).saturating_add(segments * 8), out))?;
    stages.next("transforming");
    let stft = Stft::new(Window::Hann.periodic(window), hop)?;
    let spectra = stft.forward(&device, &recording.samples)?;
    stages.next("writing");
    let segments = spectra.len() / frequencies;
    let mut writer = Writer::create(&args.output, Kind::C64, &[frequencies, segments])?;
    for k in 0..frequencies {
        let row: Vec<Complex32> = spectra.iter().copied().skip(k).step_by(frequencies).collect();
        writer.write(bytemuck::cast_slice(&row))?;
    }
    writer.commit()?;
    let (info, rate) = (device.info(), recording.rate);
    let apart = f64::from(rate) / window as f64;
    writeln!(out, "{}: {}", recording.name, recording.describe())?;
    writeln!(
        out,
        "{frequencies} frequencies, {apart:.2} Hz apart, by {segments} segments of {window} samples, {hop} apart, on {} ({})",
        info.id, info.name
    )?;
    let record = Record { origin: Origin::of(&device), rate, window, hop, frequencies, segments };
    args.record.file().finish(&record)
}
