//! Recordings: WAV files, mixed to one channel.

use std::io;
use std::path::Path;

use hound::{SampleFormat, WavReader, WavSpec};

use crate::error::{Error, Result};

/// A recording of one channel, full scale at ±1.
pub struct Recording {
    /// Samples a second.
    pub rate: u32,
    /// The samples.
    pub samples: Vec<f32>,
    /// What the file held.
    spec: WavSpec,
}

impl Recording {
    /// Reads a file whole.
    pub fn read(path: &Path) -> Result<Self> {
        let explain = |error| explain(path, error);
        let broken = |why: &str| Error::input(format!("{}: {why}", path.display()));
        if std::fs::metadata(path).is_ok_and(|m| m.is_dir()) {
            return Err(broken("it is a folder"));
        }
        let mut reader = WavReader::open(path).map_err(explain)?;
        let spec = reader.spec();
        if spec.channels == 0 || spec.sample_rate == 0 {
            return Err(broken("its header names no channels or no sample rate"));
        }
        let interleaved: Vec<f32> = match spec.sample_format {
            SampleFormat::Float => reader.samples::<f32>().collect::<hound::Result<_>>().map_err(explain)?,
            SampleFormat::Int => {
                let full_scale = (1u64 << (spec.bits_per_sample - 1)) as f64;
                let scaled = |sample: hound::Result<i32>| Ok((f64::from(sample?) / full_scale) as f32);
                reader.samples::<i32>().map(scaled).collect::<hound::Result<_>>().map_err(explain)?
            }
        };
        let channels = usize::from(spec.channels);
        let mix = |frame: &[f32]| frame.iter().sum::<f32>() / channels as f32;
        let samples: Vec<f32> = interleaved.chunks_exact(channels).map(mix).collect();
        if samples.is_empty() {
            return Err(broken("the recording is empty"));
        }
        if samples.iter().any(|x| !x.is_finite()) {
            return Err(broken("a sample is not a finite number"));
        }
        Ok(Self { rate: spec.sample_rate, samples, spec })
    }

    /// Its length.
    pub fn seconds(&self) -> f64 {
        self.samples.len() as f64 / f64::from(self.rate)
    }

    /// `2.50 s, 44100 Hz, 16-bit, 2 channels averaged to one`.
    pub fn describe(&self) -> String {
        let format = match self.spec.sample_format {
            SampleFormat::Float => "float",
            SampleFormat::Int => "bit",
        };
        let channels = match self.spec.channels {
            1 => "mono".to_owned(),
            n => format!("{n} channels averaged to one"),
        };
        let (seconds, rate, bits) = (self.seconds(), self.rate, self.spec.bits_per_sample);
        format!("{seconds:.2} s, {rate} Hz, {bits}-{format}, {channels}")
    }
}

fn explain(path: &Path, error: hound::Error) -> Error {
    let name = path.display();
    let truncated =
        || Error::input(format!("{name}: the recording is truncated: the file ends before its header says"));
    match error {
        hound::Error::IoError(source) if source.kind() == io::ErrorKind::UnexpectedEof => truncated(),
        // hound's words for the end of a file are an error of kind Other.
        hound::Error::IoError(source) if source.raw_os_error().is_none() && source.kind() == io::ErrorKind::Other => {
            truncated()
        }
        hound::Error::IoError(source) => Error::Read { path: path.to_owned(), source },
        hound::Error::FormatError(why) => Error::input(format!("{name}: not a WAV file that can be read: {why}")),
        hound::Error::Unsupported => Error::input(format!(
            "{name}: its encoding is not supported (A-law, µ-law, ADPCM, 64-bit …); convert it to PCM or 32-bit float"
        )),
        other => Error::input(format!("{name}: {other}")),
    }
}
