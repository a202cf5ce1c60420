//! What a file of sound holds, whatever its format, and what may be wrong with one.

use super::{compressed, wav};

/// Decoded samples.
#[derive(Debug)]
pub struct Sound {
    /// Samples a second of each channel; more than 0.
    pub rate: u32,
    /// Channels; at least one.
    pub channels: usize,
    /// How the file has them, in words: `24-bit`, `MP3`.
    pub encoding: String,
    /// Full scale at ±1, the channels of one moment together.
    pub samples: Vec<f32>,
    /// What of the file was passed over.
    pub notes: Vec<String>,
}

/// Why a file is no recording, or one that cannot be read.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum Fault {
    /// No format that is known.
    #[error(
        "not a recording that can be read: WAV, RF64, W64, FLAC, MP3 and Ogg Vorbis are, and of pictures PNG and JPEG"
    )]
    Unknown,
    /// It ends too early.
    #[error("the recording is truncated: {part} should have {expected}, and the file has {found}")]
    Truncated {
        /// Of what there is too little.
        part: &'static str,
        /// As the header says.
        expected: String,
        /// What is there.
        found: String,
    },
    /// A part that must be there is not.
    #[error("not a WAV file that can be read: it has no {0}")]
    Missing(&'static str),
    /// A header that contradicts itself.
    #[error("not a WAV file that can be read: {0}")]
    Header(String),
    /// A known format whose samples are kept in an unknown way.
    #[error("its encoding is not supported ({0}); convert it to PCM")]
    Encoding(String),
    /// A compressed stream that does not follow its format.
    #[error("cannot be read as {format}: {why}")]
    Stream {
        /// The format's name.
        format: &'static str,
        /// The decoder's words.
        why: String,
    },
    /// Samples of which there are none.
    #[error("the recording is empty")]
    Empty,
    /// A sample that no sound has.
    #[error("sample {index} (from 0) of channel {channel} is {value}, not a finite number")]
    NotFinite {
        /// Its place in the channel, from 0.
        index: usize,
        /// The channel, from 1.
        channel: usize,
        /// What stands there.
        value: f32,
    },
}

/// Decodes a whole file. All samples are finite, and there is at least one of each channel.
pub fn decode(bytes: &[u8]) -> Result<Sound, Fault> {
    let sound = match compressed::Kind::of(bytes) {
        Some(kind) => compressed::decode(bytes, kind)?,
        None => wav::decode(bytes)?,
    };
    if sound.samples.len() < sound.channels {
        return Err(Fault::Empty);
    }
    if let Some(place) = sound.samples.iter().position(|x| !x.is_finite()) {
        let (index, channel) = (place / sound.channels, place % sound.channels + 1);
        return Err(Fault::NotFinite { index, channel, value: sound.samples[place] });
    }
    Ok(sound)
}
