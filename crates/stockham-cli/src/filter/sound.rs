//! Recordings, in blocks: what stands before and after their samples is kept as it is.

use std::io::{BufReader, Read, Write};

use serde::Serialize;
use stockham::Device;
use stockham::signal::{Band, OverlapSave};

use crate::error::{Error, Result};
use crate::origin::Origin;
use crate::output::OutputFile;
use crate::spectrum::sound::Fault;
use crate::spectrum::wav::{self, Format, Head};
use crate::{input, memory, progress};

use super::{Args, design, fault};

/// Frames that are read at a time.
const FRAMES: usize = 1 << 16;

/// Bytes that are looked for the samples in: at first, and at most, as pictures may stand before them.
const FIRST: u64 = 1 << 16;
const MOST: u64 = 1 << 26;

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
    let file = input::open(&args.input)?;
    let length = file.metadata().ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len());
    let mut file = BufReader::with_capacity(1 << 18, file);
    let (head, bytes) = head(args, &mut file)?;
    let format = head.format;
    let (taps, width) = design::taps(band, f64::from(format.rate), args.attenuation, args.width)?;
    let device = args.device.open()?;
    let filters = (0..format.channels).map(|_| OverlapSave::plan(&device, &taps));
    let filters = filters.collect::<stockham::Result<Vec<_>>>()?;
    let count = taps.len();
    memory::require(host_bytes(&device, &filters, count, bytes.len()), out)?;

    let mut stream = Stream { filters, format, skip: count / 2, frames: 0, written: 0, peak: 0.0, clipped: 0 };
    let mut output = OutputFile::create(&args.output)?;
    output.write(&bytes[..head.start])?;
    let mut source = (&bytes[head.start..]).chain(file).take(head.bytes);
    let steps = length.map_or(0, |length| length.min(head.bytes) / (FRAMES * format.frame()) as u64);
    let bar = progress::bar(steps as usize);
    let (mut block, mut encoded) = (Vec::new(), Vec::new());
    let left = loop {
        block.clear();
        source
            .by_ref()
            .take((FRAMES * format.frame()) as u64)
            .read_to_end(&mut block)
            .map_err(Error::read(&args.input))?;
        let whole = block.len() / format.frame() * format.frame();
        if whole > 0 {
            stream.push(&block[..whole], &mut encoded).map_err(|why| why.into_error(args))?;
            output.write(&encoded)?;
        }
        bar.inc(1);
        // What is less than a frame, at the end.
        if block.len() < FRAMES * format.frame() {
            break block.split_off(whole);
        }
    };
    let found = stream.frames * format.frame() as u64 + left.len() as u64;
    if head.is_sure && found < head.bytes {
        return Err(fault(args, wav::truncated("its samples", head.bytes, found as usize)));
    }
    if stream.frames == 0 {
        return Err(fault(args, Fault::Empty));
    }
    stream.finish(&mut encoded)?;
    output.write(&encoded)?;
    output.write(&left)?;
    copy(args, source.into_inner(), &mut output)?;
    output.commit()?;
    drop(bar);
    stream.report(count, &device, out)?;
    let Stream { format, frames, peak, clipped, .. } = stream;
    let Format { rate, channels, .. } = format;
    let (origin, attenuation) = (Origin::of(&device), args.attenuation);
    let format = format.words();
    let record = Record { origin, rate, channels, format, frames, taps: count, attenuation, width, peak, clipped };
    args.record.file().finish(&record)
}

/// What comes before the samples, and as much of the file as was read for it.
fn head(args: &Args, file: &mut impl Read) -> Result<(Head, Vec<u8>)> {
    let (mut bytes, mut wanted) = (Vec::new(), FIRST);
    loop {
        let before = bytes.len() as u64;
        file.take(wanted - before).read_to_end(&mut bytes).map_err(Error::read(&args.input))?;
        let is_all = (bytes.len() as u64) < wanted || wanted >= MOST;
        match wav::head(&bytes) {
            Ok(head) => return Ok((head, bytes)),
            Err(Fault::Truncated { .. } | Fault::Missing(_)) if !is_all => wanted *= 2,
            Err(Fault::Unknown) => {
                return Err(fault(
                    args,
                    "not a recording that can be filtered: WAV, RF64 and W64 are (and --blur and \
                                        --sharpen are for pictures)",
                ));
            }
            Err(why) => return Err(fault(args, why)),
        }
    }
}

/// Copies what follows the samples.
fn copy(args: &Args, mut rest: impl Read, output: &mut OutputFile) -> Result<()> {
    let mut bytes = vec![0; 1 << 16];
    loop {
        match rest.read(&mut bytes).map_err(Error::read(&args.input))? {
            0 => return Ok(()),
            count => output.write(&bytes[..count])?,
        }
    }
}

/// What all this takes: of each channel a block or what comes at a time, as points, spectra, workspace and copies.
fn host_bytes(device: &Device, filters: &[OverlapSave<f32>], taps: usize, head: usize) -> usize {
    let points = filters.iter().map(|filter| (filter.step() + taps).max(2 * FRAMES)).sum::<usize>();
    let frames = FRAMES * filters.len() * 16;
    memory::of_host(device, points.saturating_mul(16).saturating_add(head + frames), points.saturating_mul(24))
}

/// The samples on their way.
struct Stream {
    /// One for each channel.
    filters: Vec<OverlapSave<f32>>,
    format: Format,
    /// Frames of the output that come before the first of the input.
    skip: usize,
    frames: u64,
    written: u64,
    peak: f32,
    clipped: u64,
}

/// A sample that no sound has, or a failure.
enum Trouble {
    Sample(Fault),
    Filter(stockham::Error),
}

impl Trouble {
    fn into_error(self, args: &Args) -> Error {
        match self {
            Self::Sample(why) => fault(args, why),
            Self::Filter(why) => why.into(),
        }
    }
}

impl Stream {
    /// Takes whole frames; gives those that are ready as the file has them.
    fn push(&mut self, bytes: &[u8], encoded: &mut Vec<u8>) -> std::result::Result<(), Trouble> {
        let samples = wav::samples(self.format.encoding, bytes);
        let channels = self.format.channels;
        if let Some(place) = samples.iter().position(|x| !x.is_finite()) {
            let index = self.frames as usize + place / channels;
            let (channel, value) = (place % channels + 1, samples[place]);
            return Err(Trouble::Sample(Fault::NotFinite { index, channel, value }));
        }
        self.frames += (samples.len() / channels) as u64;
        let of = |channel| samples.iter().copied().skip(channel).step_by(channels).collect::<Vec<f32>>();
        let outputs = self.filters.iter_mut().enumerate().map(|(channel, filter)| filter.push(&of(channel)));
        let outputs = outputs.collect::<stockham::Result<Vec<_>>>().map_err(Trouble::Filter)?;
        self.encode(&outputs, encoded);
        Ok(())
    }

    /// Gives what is left.
    fn finish(&mut self, encoded: &mut Vec<u8>) -> Result<()> {
        let outputs = self.filters.iter_mut().map(OverlapSave::flush).collect::<stockham::Result<Vec<_>>>()?;
        self.encode(&outputs, encoded);
        Ok(())
    }

    /// Puts the channels together, as many frames as there have been.
    fn encode(&mut self, outputs: &[Vec<f32>], encoded: &mut Vec<u8>) {
        let count = outputs.first().map_or(0, Vec::len);
        let first = self.skip.min(count);
        self.skip -= first;
        let last = (self.frames - self.written).min((count - first) as u64) as usize + first;
        let samples: Vec<f32> = (first..last).flat_map(|i| outputs.iter().map(move |output| output[i])).collect();
        self.written += (last - first) as u64;
        self.peak = samples.iter().fold(self.peak, |peak, x| peak.max(x.abs()));
        encoded.clear();
        self.clipped += wav::encode(&self.format, &samples, encoded) as u64;
    }

    fn report(&self, taps: usize, device: &Device, out: &mut dyn Write) -> Result<()> {
        let (Format { rate, channels, .. }, info) = (&self.format, device.info());
        let seconds = self.frames as f64 / f64::from(*rate);
        let channels = if *channels == 1 { "mono".to_owned() } else { format!("{channels} channels") };
        let words = self.format.words();
        writeln!(
            out,
            "filtered {seconds:.2} s, {rate} Hz, {words}, {channels}, by {taps} taps on {} ({})",
            info.id, info.name
        )?;
        if self.clipped > 0 {
            let (clipped, over) = (self.clipped, 20.0 * self.peak.log10());
            writeln!(out, "clipped {clipped} samples: the result goes up to {over:.1} dB over full scale")?;
        }
        Ok(())
    }
}
