//! Recordings through filters in blocks, so that they may be longer than memory.

use std::fs::File;
use std::io::{BufReader, Chain, Cursor, Read, Take, Write};
use std::path::{Path, PathBuf};

use stockham::Device;
use stockham::signal::OverlapSave;

use crate::error::{Error, Result};
use crate::output::OutputFile;
use crate::spectrum::sound::Fault;
use crate::spectrum::wav::{self, Format, Head};
use crate::{input, memory, progress};

/// Frames that are read at a time.
const FRAMES: usize = 1 << 16;

/// Bytes that are looked for the samples in: at first, and at most, as pictures may stand before them.
const FIRST: u64 = 1 << 16;
const MOST: u64 = 1 << 26;

/// A recording whose head has been read.
pub struct Recording {
    pub head: Head,
    path: PathBuf,
    /// As much of the file as was read for its head.
    bytes: Vec<u8>,
    file: BufReader<File>,
    /// Bytes of the file, if it is one.
    length: Option<u64>,
}

impl Recording {
    /// Opens one; what is none is refused by these words.
    pub fn open(path: &Path, unknown: &str) -> Result<Self> {
        let file = input::open(path)?;
        let length = file.metadata().ok().filter(std::fs::Metadata::is_file).map(|metadata| metadata.len());
        let mut file = BufReader::with_capacity(1 << 18, file);
        let (mut bytes, mut wanted) = (Vec::new(), FIRST);
        let head = loop {
            let before = bytes.len() as u64;
            file.by_ref().take(wanted - before).read_to_end(&mut bytes).map_err(Error::read(path))?;
            let is_all = (bytes.len() as u64) < wanted || wanted >= MOST;
            match wav::head(&bytes) {
                Ok(head) => break head,
                Err(Fault::Truncated { .. } | Fault::Missing(_)) if !is_all => wanted *= 2,
                Err(Fault::Unknown) => return Err(input::fault(path, unknown)),
                Err(why) => return Err(input::fault(path, why)),
            }
        };
        Ok(Self { head, path: path.to_owned(), bytes, file, length })
    }

    /// What comes before the samples.
    pub fn before(&self) -> &[u8] {
        &self.bytes[..self.head.start]
    }

    /// How many frames there are, if that is known.
    pub fn frames(&self) -> Option<u64> {
        let rest = self.length.map(|length| length.saturating_sub(self.head.start as u64));
        let bytes = if self.head.is_sure { Some(self.head.bytes) } else { rest.map(|rest| rest.min(self.head.bytes)) };
        bytes.map(|bytes| bytes / self.head.format.frame() as u64)
    }

    /// The bytes of all samples.
    pub fn samples(self) -> impl Read {
        let mut start = Cursor::new(self.bytes);
        start.set_position(self.head.start as u64);
        start.chain(self.file).take(self.head.bytes)
    }

    /// Sends all samples through a stream to an output. Gives what follows them.
    pub fn pass(self, stream: &mut Stream, output: &mut OutputFile) -> Result<Behind> {
        let Self { head, path, bytes, file, length } = self;
        let frame = head.format.frame();
        let mut start = Cursor::new(bytes);
        start.set_position(head.start as u64);
        let mut source = start.chain(file).take(head.bytes);
        let steps = length.map_or(0, |length| length.min(head.bytes) / (FRAMES * frame) as u64);
        let bar = progress::bar(steps as usize);
        let (mut block, mut encoded) = (Vec::new(), Vec::new());
        let left = loop {
            block.clear();
            source.by_ref().take((FRAMES * frame) as u64).read_to_end(&mut block).map_err(Error::read(&path))?;
            let whole = block.len() / frame * frame;
            if whole > 0 {
                stream.push(&block[..whole], &mut encoded).map_err(|why| why.into_error(&path))?;
                output.write(&encoded)?;
            }
            bar.inc(1);
            // What is less than a frame, at the end.
            if block.len() < FRAMES * frame {
                break block.split_off(whole);
            }
        };
        let found = stream.frames * frame as u64 + left.len() as u64;
        if head.is_sure && found < head.bytes {
            return Err(input::fault(&path, wav::truncated("its samples", head.bytes, found as usize)));
        }
        if stream.frames == 0 {
            return Err(input::fault(&path, Fault::Empty));
        }
        stream.finish(&mut encoded)?;
        output.write(&encoded)?;
        Ok(Behind { left, source, path })
    }
}

/// What follows the samples.
pub struct Behind {
    left: Vec<u8>,
    source: Take<Chain<Cursor<Vec<u8>>, BufReader<File>>>,
    path: PathBuf,
}

impl Behind {
    /// Copies it.
    pub fn copy(self, output: &mut OutputFile) -> Result<()> {
        output.write(&self.left)?;
        let (mut rest, mut bytes) = (self.source.into_inner(), vec![0; 1 << 16]);
        loop {
            match rest.read(&mut bytes).map_err(Error::read(&self.path))? {
                0 => return Ok(()),
                count => output.write(&bytes[..count])?,
            }
        }
    }
}

/// What all this takes: of each channel a block or what comes at a time, as points, spectra, workspace and copies.
pub fn host_bytes(device: &Device, filters: &[OverlapSave<f32>], taps: usize, recording: &Recording) -> usize {
    let points = filters.iter().map(|filter| (filter.step() + taps).max(2 * FRAMES)).sum::<usize>();
    let host = recording.bytes.len() + FRAMES * filters.len() * 16;
    memory::of_host(device, points.saturating_mul(16).saturating_add(host), points.saturating_mul(24))
}

/// Which frames of what filters give are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// Those that come before the first one.
    pub skip: u64,
    /// How many; as many as come in if nothing is said.
    pub frames: Option<u64>,
}

/// The samples on their way.
pub struct Stream {
    /// One for each channel.
    filters: Vec<OverlapSave<f32>>,
    format: Format,
    wanted: Wanted,
    /// Frames that have come in.
    pub frames: u64,
    written: u64,
    /// The largest sample before it is rounded, full scale being 1.
    pub peak: f32,
    pub clipped: u64,
}

/// A sample that no sound has, or a failure.
pub enum Trouble {
    Sample(Fault),
    Filter(stockham::Error),
}

impl Trouble {
    fn into_error(self, path: &Path) -> Error {
        match self {
            Self::Sample(why) => input::fault(path, why),
            Self::Filter(why) => why.into(),
        }
    }
}

impl Stream {
    pub fn new(filters: Vec<OverlapSave<f32>>, format: Format, wanted: Wanted) -> Self {
        Self { filters, format, wanted, frames: 0, written: 0, peak: 0.0, clipped: 0 }
    }

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

    /// Puts the channels together, as many frames as are wanted.
    pub fn encode(&mut self, outputs: &[Vec<f32>], encoded: &mut Vec<u8>) {
        let count = outputs.first().map_or(0, Vec::len) as u64;
        let first = self.wanted.skip.min(count);
        self.wanted.skip -= first;
        let most = self.wanted.frames.unwrap_or(self.frames);
        let last = most.saturating_sub(self.written).min(count - first) + first;
        let frames = first as usize..last as usize;
        let samples: Vec<f32> = frames.flat_map(|i| outputs.iter().map(move |output| output[i])).collect();
        self.written += last - first;
        self.peak = samples.iter().fold(self.peak, |peak, x| peak.max(x.abs()));
        encoded.clear();
        self.clipped += wav::encode(&self.format, &samples, encoded) as u64;
    }

    /// Bytes of what was given.
    pub fn bytes_written(&self) -> u64 {
        self.written * self.format.frame() as u64
    }

    /// What came in.
    pub fn words(&self) -> String {
        let Format { rate, channels, .. } = &self.format;
        let seconds = self.frames as f64 / f64::from(*rate);
        let channels = if *channels == 1 { "mono".to_owned() } else { format!("{channels} channels") };
        format!("{seconds:.2} s, {rate} Hz, {}, {channels}", self.format.words())
    }

    /// Tells how many samples were clipped, if any were.
    pub fn report_clipped(&self, out: &mut dyn Write) -> Result<()> {
        if self.clipped > 0 {
            let (clipped, over) = (self.clipped, 20.0 * self.peak.log10());
            writeln!(out, "clipped {clipped} samples: the result goes up to {over:.1} dB over full scale")?;
        }
        Ok(())
    }
}
