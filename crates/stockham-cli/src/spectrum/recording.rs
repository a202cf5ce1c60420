//! A recording of one channel, out of a file or a pipe.

use crate::error::{Error, Result};

use super::channel::Channel;
use super::sound::{self, Sound};
use super::source::Source;
use super::welch::samples;

/// A recording of one channel, full scale at ±1.
pub struct Recording {
    /// What to call it.
    pub name: String,
    /// Samples a second.
    pub rate: u32,
    /// The samples, at least one, all finite.
    pub samples: Vec<f32>,
    /// How the file has them, in words.
    pub encoding: String,
    /// Channels of the file.
    pub channels: usize,
    /// Which of them this is.
    pub channel: Channel,
    /// What one should know of it.
    pub notes: Vec<String>,
}

impl Recording {
    /// What a file has.
    pub fn decode(source: Source, channel: Channel) -> Result<Self> {
        let sound = sound::decode(&source.bytes).map_err(|fault| source.fault(fault))?;
        let Source { name, shown, bytes } = source;
        drop(bytes);
        Self::of(name, sound, channel).map_err(|why| Error::input(format!("{shown}: {why}")))
    }

    fn of(name: String, sound: Sound, channel: Channel) -> std::result::Result<Self, String> {
        let Sound { rate, channels, encoding, samples, mut notes } = sound;
        let channel = channel.among(channels)?;
        let samples = channel.take(samples, channels, &mut notes);
        if samples.iter().all(|x| *x == samples[0]) {
            let what = if samples.len() == 1 { "it is one sample" } else { "all its samples are the same" };
            notes.push(format!("{what}, which has no frequency"));
        }
        Ok(Self { name, rate, samples, encoding, channels, channel, notes })
    }

    /// Its length.
    pub fn seconds(&self) -> f64 {
        self.samples.len() as f64 / f64::from(self.rate)
    }

    /// `2.50 s, 44100 Hz, 16-bit, 2 channels averaged to one`.
    pub fn describe(&self) -> String {
        let length = match (self.samples.len(), self.seconds()) {
            (n, _) if n < 100 => samples(n),
            (_, seconds) if seconds < 1.0 => format!("{:.1} ms", seconds * 1000.0),
            (_, seconds) => format!("{seconds:.2} s"),
        };
        let channels = match (self.channels, self.channel) {
            (1, _) => "mono".to_owned(),
            (n, Channel::Mix) => format!("{n} channels averaged to one"),
            (n, Channel::One(channel)) => format!("channel {channel} of {n}"),
        };
        format!("{length}, {} Hz, {}, {channels}", self.rate, self.encoding)
    }
}
