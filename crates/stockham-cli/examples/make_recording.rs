//! Makes `examples/data/guitar_chord.wav`: a strummed E major chord, synthesised by physical modelling.
//!
//! Each string is a Karplus–Strong loop, a delay line that loses its high frequencies and some energy each round, with
//! an all-pass filter for the fraction of a sample that its pitch needs; plucking it at a fifth of its length weakens
//! every fifth harmonic. Six strings drive three resonances of a wooden body.
//!
//!     cargo run --release --example make_recording -- examples/data/guitar_chord.wav

use std::f64::consts::TAU;

const RATE: u32 = 44_100;
const SECONDS: f64 = 3.0;

/// The open chord, lowest string first: E2 B2 E3 G#3 B3 E4.
const CHORD: [f64; 6] = [82.407, 123.471, 164.814, 207.652, 246.942, 329.628];
/// From one string to the next, as a pick crosses them.
const STRUM_SECONDS: f64 = 0.045;
/// Where the string is plucked, as a part of its length.
const PLUCK: f64 = 0.2;

/// How fast high frequencies die away in a string, up to one half.
const DAMPING: f64 = 0.3;
/// How dull the pick is: 1 is a bright one.
const SOFTNESS: f64 = 0.25;

/// Noise that is the same on every machine.
struct Noise(u64);

impl Noise {
    /// The next value in −1..1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A plucked string of that pitch.
fn pluck(hz: f64, samples: usize, noise: &mut Noise) -> Vec<f64> {
    let period = f64::from(RATE) / hz;
    // The loop's low-pass delays by its share; the all-pass by what is left to the period, between 0.1 and 1.1.
    let whole = (period - DAMPING - 0.1).floor();
    let rest = period - DAMPING - whole;
    let all_pass = (1.0 - rest) / (1.0 + rest);
    let mut line: Vec<f64> = Vec::with_capacity(whole as usize);
    let (mut softer, mut softest) = (0.0, 0.0);
    for _ in 0..whole as usize {
        softer += SOFTNESS * (noise.next() - softer);
        softest += SOFTNESS * (softer - softest);
        line.push(softest);
    }
    let shift = (line.len() as f64 * PLUCK) as usize;
    let mut line: Vec<f64> = (0..line.len()).map(|i| line[i] - line[(i + line.len() - shift) % line.len()]).collect();

    // Every string has fallen by 60 dB after some seconds, thinner ones sooner.
    let decay_seconds = 5.0 * (110.0 / hz).sqrt();
    let gain = 10f64.powf(-3.0 * period / f64::from(RATE) / decay_seconds);
    let (mut last, mut filter_in, mut filter_out) = (0.0, 0.0, 0.0);
    let mut sound = Vec::with_capacity(samples);
    for i in 0..samples {
        let place = i % line.len();
        let x = line[place];
        sound.push(x);
        let low = ((1.0 - DAMPING) * x + DAMPING * last) * gain;
        last = x;
        filter_out = all_pass * (low - filter_out) + filter_in;
        filter_in = low;
        line[place] = filter_out;
    }
    sound
}

/// A resonance of the body: a band-pass filter of that frequency and quality.
fn resonance(sound: &[f64], hz: f64, quality: f64) -> Vec<f64> {
    let angle = TAU * hz / f64::from(RATE);
    let alpha = angle.sin() / (2.0 * quality);
    let (b, a0, a1, a2) = (alpha, 1.0 + alpha, -2.0 * angle.cos(), 1.0 - alpha);
    let (mut x1, mut x2, mut y1, mut y2) = (0.0, 0.0, 0.0, 0.0);
    let step = |&x: &f64| {
        let y = (b * (x - x2) - a1 * y1 - a2 * y2) / a0;
        (x2, x1, y2, y1) = (x1, x, y1, y);
        y
    };
    sound.iter().map(step).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).ok_or("give the name of the WAV file to write")?;
    let samples = (SECONDS * f64::from(RATE)) as usize;
    let mut noise = Noise(1);
    let mut strings = vec![0.0; samples];
    for (i, hz) in CHORD.into_iter().enumerate() {
        let start = ((0.08 + STRUM_SECONDS * i as f64) * f64::from(RATE)) as usize;
        let sound = pluck(hz, samples - start, &mut noise);
        strings[start..].iter_mut().zip(sound).for_each(|(sum, x)| *sum += x);
    }
    let mut sound = strings.clone();
    for (hz, quality, share) in [(103.0, 8.0, 0.9), (205.0, 10.0, 0.7), (410.0, 6.0, 0.4)] {
        sound.iter_mut().zip(resonance(&strings, hz, quality)).for_each(|(sum, x)| *sum += share * x);
    }
    let peak = sound.iter().fold(0.0_f64, |peak, x| peak.max(x.abs()));
    let spec =
        hound::WavSpec { channels: 1, sample_rate: RATE, bits_per_sample: 16, sample_format: hound::SampleFormat::Int };
    let mut writer = hound::WavWriter::create(path, spec)?;
    for (i, x) in sound.iter().enumerate() {
        // The end fades out over a fifth of a second; a microphone's hiss lies under all of it.
        let fade = ((samples - i) as f64 / (0.2 * f64::from(RATE))).min(1.0);
        let value = (0.8 * x / peak + 3e-4 * (noise.next() + noise.next())) * fade;
        writer.write_sample((value * f64::from(i16::MAX) + 0.5 * (noise.next() + noise.next())).round() as i16)?;
    }
    writer.finalize()?;
    Ok(())
}
