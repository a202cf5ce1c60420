//! Recordings, in blocks: what stands before and after their samples is kept as it is.

use std::io::Write;

use serde::Serialize;
use stockham::Device;
use stockham::signal::{Band, OverlapSave};

use crate::error::Result;
use crate::memory;
use crate::origin::Origin;
use crate::output::OutputFile;
use crate::sound_stream::{self, Recording, Stream, Wanted};
use crate::spectrum::wav::Format;

use super::{Args, design};

/// What is told of a filtered recording.
#[derive(Serialize)]
struct Record {
    origin: Origin,
    rate: u32,
    channels: usize,
    format: String,
    frames: u64,
    taps: usize,
    attenuation: f64,
    width: f64,
    /// The largest sample before it is rounded, full scale being 1.
    peak: f32,
    clipped: u64,
}

/// Filters a recording.
pub fn run(args: &Args, band: Band, out: &mut dyn Write) -> Result<()> {
    let recording = Recording::open(
        &args.input,
        "not a recording that can be filtered: WAV, RF64 and W64 are (and --blur and --sharpen are for pictures)",
    )?;
    let format = recording.head.format;
    let (taps, width) = design::taps(band, f64::from(format.rate), args.attenuation, args.width)?;
    let device = args.device.open()?;
    let filters = (0..format.channels).map(|_| OverlapSave::plan(&device, &taps));
    let filters = filters.collect::<stockham::Result<Vec<_>>>()?;
    let count = taps.len();
    memory::require(sound_stream::host_bytes(&device, &filters, count, &recording), out)?;

    let mut output = OutputFile::create(&args.output)?;
    output.write(recording.before())?;
    let mut stream = Stream::new(filters, format, Wanted { skip: count as u64 / 2, frames: None });
    recording.pass(&mut stream, &mut output)?.copy(&mut output)?;
    output.commit()?;
    report(&stream, count, &device, out)?;
    let Stream { frames, peak, clipped, .. } = stream;
    let Format { rate, channels, .. } = format;
    let (origin, attenuation) = (Origin::of(&device), args.attenuation);
    let format = format.words();
    let record = Record { origin, rate, channels, format, frames, taps: count, attenuation, width, peak, clipped };
    args.record.file().finish(&record)
}

fn report(stream: &Stream, taps: usize, device: &Device, out: &mut dyn Write) -> Result<()> {
    let (what, info) = (stream.words(), device.info());
    writeln!(out, "filtered {what}, by {taps} taps on {} ({})", info.id, info.name)?;
    stream.report_clipped(out)
}
