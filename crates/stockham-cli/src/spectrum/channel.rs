//! Which channel of a recording is looked at, and what is lost where all of them are averaged.

use std::fmt;
use std::str::FromStr;

/// One channel, or the average of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// The average.
    Mix,
    /// That one, from 1.
    One(usize),
}

impl FromStr for Channel {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.to_lowercase().as_str() {
            "mix" => Ok(Self::Mix),
            "left" => Ok(Self::One(1)),
            "right" => Ok(Self::One(2)),
            number => match number.parse() {
                Ok(number @ 1..) => Ok(Self::One(number)),
                _ => Err("expected mix, left, right, or a number from 1".to_owned()),
            },
        }
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Mix => f.write_str("mix"),
            Self::One(number) => write!(f, "{number}"),
        }
    }
}

/// How many dB the average may be weaker than channels that have nothing in common make it.
const CANCELLED: f64 = 6.0;

impl Channel {
    /// The same, if a recording of that many channels has it.
    pub fn among(self, channels: usize) -> Result<Self, String> {
        match self {
            Self::Mix if channels == 1 => Ok(Self::One(1)),
            Self::One(number) if number > channels => {
                let have = if channels == 1 { "one channel".to_owned() } else { format!("{channels} channels") };
                Err(format!("there is no channel {number}: the recording has {have}"))
            }
            channel => Ok(channel),
        }
    }

    /// Its samples out of those of all channels; `notes` is told if the channels cancel each other.
    pub fn take(self, samples: Vec<f32>, channels: usize, notes: &mut Vec<String>) -> Vec<f32> {
        if channels == 1 {
            return samples;
        }
        let frames = samples.chunks_exact(channels);
        let Self::One(number) = self else {
            let mix: Vec<f32> = frames
                .map(|frame| (frame.iter().map(|x| f64::from(*x)).sum::<f64>() / channels as f64) as f32)
                .collect();
            let each = (0..channels).map(|c| power(samples.iter().skip(c).step_by(channels)));
            // Channels with nothing in common leave the mean of their powers, divided by their number.
            let expected = each.sum::<f64>() / (channels * channels) as f64;
            let lost = 10.0 * (expected / power(mix.iter())).log10();
            if expected > 0.0 && lost > CANCELLED {
                let how =
                    if lost < 100.0 { format!(": their average is {lost:.0} dB too weak") } else { String::new() };
                notes.push(format!("the channels cancel each other{how}; --channel 1 shows the first alone"));
            }
            return mix;
        };
        frames.map(|frame| frame[number - 1]).collect()
    }
}

/// The mean square of the deviation from the mean.
fn power<'a>(samples: impl Iterator<Item = &'a f32> + Clone) -> f64 {
    let count = samples.clone().count().max(1) as f64;
    let mean = samples.clone().map(|x| f64::from(*x)).sum::<f64>() / count;
    samples.map(|x| (f64::from(*x) - mean).powi(2)).sum::<f64>() / count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mixed(frames: &[[f32; 2]]) -> (Vec<f32>, Vec<String>) {
        let mut notes = Vec::new();
        let mix = Channel::Mix.take(frames.concat(), 2, &mut notes);
        (mix, notes)
    }

    #[test]
    fn names_and_numbers_are_channels() {
        let parse = |text: &str| text.parse::<Channel>();
        assert_eq!(
            [parse("mix"), parse("left"), parse("Right")],
            [Channel::Mix, Channel::One(1), Channel::One(2)].map(Ok)
        );
        assert_eq!(parse("7"), Ok(Channel::One(7)));
        for wrong in ["0", "-1", "", "both"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Channel::Mix.among(1), Ok(Channel::One(1)));
        assert_eq!(Channel::One(2).among(2), Ok(Channel::One(2)));
        assert!(Channel::One(2).among(1).is_err_and(|why| why.contains("no channel 2: the recording has one channel")));
    }

    #[test]
    fn a_channel_is_itself_and_the_mix_the_average() {
        let frames = [[0.5, 0.25], [-0.5, 0.0], [0.125, 0.5]];
        assert_eq!(Channel::One(2).take(frames.concat(), 2, &mut Vec::new()), [0.25, 0.0, 0.5]);
        assert_eq!(mixed(&frames).0, [0.375, -0.25, 0.3125]);
    }

    #[test]
    fn channels_that_cancel_are_told_and_others_are_not() {
        let wave = |i: usize, step: usize| [0.5f32, -0.5][i / step % 2];
        let of = |other: &dyn Fn(usize) -> f32| {
            let frames: Vec<[f32; 2]> = (0..64).map(|i| [wave(i, 2) + 0.1, other(i)]).collect();
            mixed(&frames).1
        };
        assert!(of(&|i| -wave(i, 2))[0].contains("cancel each other;"));
        assert!(of(&|i| -0.9 * wave(i, 2))[0].contains("23 dB too weak"), "{:?}", of(&|i| -0.9 * wave(i, 2)));
        assert_eq!(of(&|i| wave(i, 4)), [""; 0]);
        assert_eq!(of(&|_| 0.0), [""; 0]);
        assert_eq!(of(&|i| wave(i, 2)), [""; 0]);
    }
}
