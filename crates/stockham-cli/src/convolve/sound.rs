//! Recordings: in blocks, unless they go round.

use std::io::{Read, Write};

use serde::Serialize;
use stockham::Device;
use stockham::signal::OverlapSave;

use crate::error::{Error, Result};
use crate::origin::Origin;
use crate::output::OutputFile;
use crate::sound_stream::{self, Recording, Stream, Wanted};
use crate::spectrum::sound::{self, Fault, Sound};
use crate::spectrum::wav;
use crate::{input, memory};

use super::{Args, Content, Mode};

/// What is told of a convolved recording.
#[derive(Serialize)]
struct Record {
    origin: Origin,
    rate: u32,
    channels: usize,
    format: String,
    /// Of A, of B and of the result.
    frames: [u64; 3],
    /// The largest sample before it is rounded, full scale being 1.
    peak: f32,
    clipped: u64,
}

/// Convolves a recording.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    if input::has_name(&args.output) && Content::of(&args.output) != Some(Content::Sound) {
        return Err(Error::input("recordings are written as WAV: give the output a name that ends in .wav"));
    }
    let unknown = "not a recording that can be convolved: WAV, RF64 and W64 are";
    let recording = Recording::open(&args.a, unknown)?;
    let kernels = kernels(args, &recording)?;
    let taps = kernels.first().map_or(0, Vec::len) as u64;
    let Some(count) = recording.frames() else {
        return Err(input::fault(&args.a, "its header does not tell how long it is, and it comes out of a pipe"));
    };
    if count == 0 {
        return Err(input::fault(&args.a, Fault::Empty));
    }
    let wanted = match args.mode {
        Mode::Full => Wanted { skip: 0, frames: Some(count.saturating_add(taps - 1)) },
        Mode::Same => Wanted { skip: (taps - 1) / 2, frames: Some(count) },
        Mode::Valid => Wanted { skip: count.min(taps) - 1, frames: Some(count.abs_diff(taps) + 1) },
        Mode::Circular => Wanted { skip: 0, frames: Some(count) },
    };
    let frames = wanted.frames.unwrap_or(count);
    let (device, format) = (args.device.open()?, recording.head.format);
    let head = wav::header(&format, &recording.head.description, frames);
    let work = Work { args, recording, kernels, device: &device, head, wanted };
    let stream = match args.mode {
        Mode::Circular => work.circular(out)?,
        _ => work.in_blocks(out)?,
    };
    let (what, by) = args.words();
    let info = device.info();
    writeln!(out, "{what} {} {by} {taps} samples to {frames} on {} ({})", stream.words(), info.id, info.name)?;
    stream.report_clipped(out)?;
    let Stream { peak, clipped, .. } = stream;
    let (origin, frames) = (Origin::of(&device), [count, taps, frames]);
    let (rate, channels, format) = (format.rate, format.channels, format.words());
    args.record.file().finish(&Record { origin, rate, channels, format, frames, peak, clipped })
}

/// The kernel of each channel.
fn kernels(args: &Args, recording: &Recording) -> Result<Vec<Vec<f32>>> {
    let format = &recording.head.format;
    let Sound { rate, channels, samples, .. } =
        sound::decode(&input::read(&args.b)?).map_err(|why| input::fault(&args.b, why))?;
    if rate != format.rate {
        let why = format!("{rate} samples a second, and A has {}: both need the same rate", format.rate);
        return Err(input::fault(&args.b, why));
    }
    if channels != 1 && channels != format.channels {
        let why = format!("{channels} channels, and A has {}: one is needed, or as many", format.channels);
        return Err(input::fault(&args.b, why));
    }
    let kernel = |channel: usize| {
        let mut kernel: Vec<f32> = samples.iter().copied().skip(channel).step_by(channels).collect();
        args.normalized(&mut kernel)?;
        Ok(kernel)
    };
    let each = (0..channels).map(kernel).collect::<Result<Vec<_>>>()?;
    Ok((0..format.channels).map(|channel| each[channel % channels].clone()).collect())
}

/// What there is to do, and what the result begins with.
struct Work<'a> {
    args: &'a Args,
    recording: Recording,
    /// Of each channel.
    kernels: Vec<Vec<f32>>,
    device: &'a Device,
    head: Vec<u8>,
    wanted: Wanted,
}

impl Work<'_> {
    /// Block by block.
    fn in_blocks(self, out: &mut dyn Write) -> Result<Stream> {
        let Self { args, recording, kernels, device, head, wanted } = self;
        let filter = |kernel: &Vec<f32>| match args.correlate {
            false => OverlapSave::plan(device, kernel),
            true => OverlapSave::plan(device, &kernel.iter().rev().copied().collect::<Vec<_>>()),
        };
        let filters = kernels.iter().map(filter).collect::<stockham::Result<Vec<_>>>()?;
        let taps = kernels.first().map_or(0, Vec::len);
        memory::require(sound_stream::host_bytes(device, &filters, taps, &recording), out)?;
        let mut stream = Stream::new(filters, recording.head.format, wanted);
        let mut output = OutputFile::create(&args.output)?;
        output.write(&head)?;
        recording.pass(&mut stream, &mut output)?;
        finish(output, &stream)?;
        Ok(stream)
    }

    /// As a whole, whose first outputs need its last samples.
    fn circular(self, out: &mut dyn Write) -> Result<Stream> {
        let Self { args, recording, kernels, device, head, wanted } = self;
        let format = recording.head.format;
        let count = wanted.frames.unwrap_or(0) as usize;
        let values = count.saturating_mul(format.channels);
        memory::require(values.saturating_mul(format.encoding.bytes() + 40), out)?;
        let mut bytes = Vec::new();
        recording.samples().read_to_end(&mut bytes).map_err(Error::read(&args.a))?;
        if bytes.len() < count * format.frame() {
            let why = wav::truncated("its samples", (count * format.frame()) as u64, bytes.len());
            return Err(input::fault(&args.a, why));
        }
        let samples = wav::samples(format.encoding, &bytes[..count * format.frame()]);
        let mut outputs = Vec::new();
        for (channel, kernel) in kernels.iter().enumerate() {
            let line: Vec<f32> = samples.iter().copied().skip(channel).step_by(format.channels).collect();
            if let Some(index) = line.iter().position(|x| !x.is_finite()) {
                let fault = Fault::NotFinite { index, channel: channel + 1, value: line[index] };
                return Err(input::fault(&args.a, fault));
            }
            outputs.push(args.convolver(device, &[count], kernel, &[kernel.len()])?.apply(&line)?);
        }
        let (mut stream, mut encoded) = (Stream::new(Vec::new(), format, wanted), Vec::new());
        stream.frames = count as u64;
        stream.encode(&outputs, &mut encoded);
        let mut output = OutputFile::create(&args.output)?;
        output.write(&head)?;
        output.write(&encoded)?;
        finish(output, &stream)?;
        Ok(stream)
    }
}

/// Ends the file with whole words.
fn finish(mut output: OutputFile, stream: &Stream) -> Result<()> {
    if stream.bytes_written() % 2 == 1 {
        output.write(&[0])?;
    }
    output.commit()
}
