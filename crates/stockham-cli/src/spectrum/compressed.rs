//! Compressed recordings, decoded by symphonia.

use std::io::Cursor;

use symphonia::core::errors::Error as Failure;
use symphonia::core::formats::TrackType;
use symphonia::core::io::MediaSourceStream;

use super::sound::{Fault, Sound};

/// The formats that are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Free lossless audio codec.
    Flac,
    /// MPEG's layer III.
    Mp3,
    /// Vorbis in Ogg.
    Vorbis,
}

impl Kind {
    /// What a file's first bytes say. A decoder that looked for a beginning by itself would find one in any noise.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let start = bytes.get(..4)?;
        match start {
            b"fLaC" => Some(Self::Flac),
            b"OggS" => Some(Self::Vorbis),
            [b'I', b'D', b'3', _] => {
                // Tags lie before MP3 as a rule, and before FLAC at times.
                let size = bytes.get(6..10)?.iter().fold(0, |size, b| size << 7 | usize::from(*b & 0x7f));
                Some(if bytes.get(10 + size..14 + size) == Some(b"fLaC") { Self::Flac } else { Self::Mp3 })
            }
            // Eleven ones, a version, layer III, a bit rate and a sample rate.
            [0xff, second, third, _] => {
                let is_frame = second & 0xe6 == 0xe2 && second & 0x18 != 0x08;
                (is_frame && third & 0xf0 != 0xf0 && third & 0x0c != 0x0c).then_some(Self::Mp3)
            }
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Flac => "FLAC",
            Self::Mp3 => "MP3",
            Self::Vorbis => "Ogg Vorbis",
        }
    }
}

/// Decodes a whole file of that kind.
pub fn decode(bytes: &[u8], kind: Kind) -> Result<Sound, Fault> {
    let fault = |why: String| Fault::Stream { format: kind.name(), why };
    let failed = |failure: Failure| fault(failure.to_string());
    let source = MediaSourceStream::new(Box::new(Cursor::new(bytes)), Default::default());
    let probe = symphonia::default::get_probe();
    let mut format =
        probe.probe(&Default::default(), source, Default::default(), Default::default()).map_err(failed)?;
    let track = format.default_track(TrackType::Audio).ok_or_else(|| fault("it has no sound".to_owned()))?;
    let (id, stated) = (track.id, track.num_frames);
    let codec = track.codec_params.as_ref().and_then(|codec| codec.audio());
    let codec = codec.ok_or_else(|| fault("its codec is not known".to_owned()))?;
    let encoding = match codec.bits_per_sample {
        Some(bits) if kind == Kind::Flac => format!("{bits}-bit {}", kind.name()),
        _ => kind.name().to_owned(),
    };
    let mut decoder =
        symphonia::default::get_codecs().make_audio_decoder(codec, &Default::default()).map_err(failed)?;

    let mut sound = Sound { rate: 0, channels: 0, encoding, samples: Vec::new(), notes: Vec::new() };
    let (mut packet_samples, mut damaged) = (Vec::<f32>::new(), 0usize);
    loop {
        let packet = match format.next_packet() {
            Ok(Some(packet)) => packet,
            Ok(None) => break,
            // The end of a file within a packet.
            Err(Failure::IoError(_)) => break,
            Err(failure) => return Err(failed(failure)),
        };
        if packet.track_id != id {
            continue;
        }
        match decoder.decode(&packet) {
            Ok(decoded) => {
                let (rate, channels) = (decoded.spec().rate(), decoded.num_planes());
                if sound.channels == 0 {
                    (sound.rate, sound.channels) = (rate, channels);
                }
                if (sound.rate, sound.channels) != (rate, channels) || rate == 0 || channels == 0 {
                    return Err(fault("its sample rate or its number of channels changes".to_owned()));
                }
                decoded.copy_to_vec_interleaved(&mut packet_samples);
                sound.samples.extend_from_slice(&packet_samples);
            }
            Err(Failure::DecodeError(_) | Failure::IoError(_)) => damaged += 1,
            Err(failure) => return Err(failed(failure)),
        }
    }
    if sound.channels == 0 {
        return Err(Fault::Empty);
    }
    let frames = (sound.samples.len() / sound.channels) as u64;
    match stated {
        // Of the others it is an estimate.
        Some(stated) if kind == Kind::Flac && frames < stated => {
            let expected = format!("{stated} samples");
            return Err(Fault::Truncated { part: "each channel", expected, found: frames.to_string() });
        }
        _ if damaged > 0 => sound.notes.push(format!("{damaged} damaged packets were left out")),
        _ => {}
    }
    Ok(sound)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use proptest::prelude::*;

    use super::*;
    use crate::spectrum::sound;

    const FLAC: &[u8] = include_bytes!("../../tests/data/tones.flac");
    const MP3: &[u8] = include_bytes!("../../tests/data/tones.mp3");
    const VORBIS: &[u8] = include_bytes!("../../tests/data/tones.ogg");
    const OPUS: &[u8] = include_bytes!("../../tests/data/opus.ogg");

    /// What the files were made from.
    fn tones() -> Vec<f64> {
        let frame = |i: usize| {
            let t = i as f64 / 8000.0;
            [0.5 * (TAU * 1000.0 * t).sin(), 0.25 * (TAU * 440.0 * t + 1.0).sin()]
        };
        (0..800).flat_map(frame).collect()
    }

    /// The mean square of the difference, relative to the tones, where the encoder has settled.
    fn difference(sound: &Sound) -> f64 {
        assert_eq!((sound.rate, sound.channels, sound.samples.len()), (8000, 2, 1600), "{}", sound.encoding);
        let inner = 400..1200;
        let pairs = sound.samples[inner.clone()]
            .iter()
            .zip(&tones()[inner])
            .map(|(x, y)| (f64::from(*x), *y))
            .collect::<Vec<_>>();
        let squares = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(|pair| of(pair).powi(2)).sum::<f64>();
        squares(&|(x, y)| x - y) / squares(&|(_, y)| *y)
    }

    #[test]
    fn compressed_recordings_are_what_they_were_made_from() {
        let flac = sound::decode(FLAC).unwrap();
        assert_eq!(flac.encoding, "24-bit FLAC");
        assert!(difference(&flac) < 1e-13, "{}", difference(&flac));
        for (bytes, encoding) in [(MP3, "MP3"), (VORBIS, "Ogg Vorbis")] {
            let sound = sound::decode(bytes).unwrap();
            assert_eq!((sound.encoding.as_str(), &sound.notes), (encoding, &vec![]));
            assert!(difference(&sound) < 1e-2, "{encoding}: {}", difference(&sound));
        }
    }

    #[test]
    fn what_is_not_there_or_not_known_is_told() {
        for length in [4, 40, 100, FLAC.len() / 2, FLAC.len() - 1] {
            let fault = sound::decode(&FLAC[..length]).unwrap_err();
            assert!(
                matches!(fault, Fault::Truncated { .. } | Fault::Stream { .. } | Fault::Empty),
                "{length}: {fault}"
            );
        }
        assert!(matches!(sound::decode(OPUS).unwrap_err(), Fault::Stream { format: "Ogg Vorbis", .. }));
        for nonsense in [&b""[..], b"RI", b"\xff\xd8\xff\xe0 a photograph", b"\x93NUMPY\x01\x00 an array"] {
            assert_eq!(sound::decode(nonsense).unwrap_err(), Fault::Unknown);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Whatever a stream says, the result is a sound or a fault.
        #[test]
        fn mutated_streams_are_no_trouble(
            file in prop_oneof![Just(FLAC), Just(MP3), Just(VORBIS)],
            changes in proptest::collection::vec((0usize..400, any::<u8>()), 1..6),
            cut in 0usize..3000,
        ) {
            let mut file = file.to_vec();
            for (at, value) in changes {
                file[at] = value;
            }
            file.truncate(file.len() - (cut.min(file.len()) & !1023));
            if let Ok(sound) = sound::decode(&file) {
                prop_assert!(sound.rate > 0 && sound.channels > 0 && sound.samples.len() >= sound.channels);
            }
        }
    }
}
