//! The frequencies of a sound over time: real transforms of overlapping frames, read from the sound where they lie.
//!
//! `cargo run --release -p stockham --example spectrogram`

use std::f32::consts::TAU;

use stockham::{Complex32, Device, Fft, Result};

/// Samples a second, those of a frame, and from one frame to the next.
const RATE: f32 = 8000.0;
const FRAME: usize = 512;
const HOP: usize = 128;
const BINS: usize = FRAME / 2 + 1;

/// The level of each bin of each frame, in decibels: 0 is that of a sine of full scale.
fn spectrogram(device: &Device, sound: &[f32]) -> Result<Vec<[f32; BINS]>> {
    let frames = (sound.len() - FRAME) / HOP + 1;
    // Frames overlap in the input, and are neighbours in the output.
    let plan = Fft::real::<f32>([frames, FRAME]).axes([1]).strides([HOP, 1], [BINS, 1]).plan(device)?;
    let input = device.upload(&sound[..plan.transform().input_len()])?;
    let mut output = device.alloc::<Complex32>(frames * BINS)?;
    plan.run(&input, &mut output)?;
    // A Hann window is a constant and a cosine of one period: in the spectrum, each bin less half of its neighbours.
    let of = |frame: &[Complex32]| {
        let bin = |k: usize| if k < BINS { frame[k] } else { frame[FRAME - k].conj() };
        let windowed = |k: usize| (bin(k) - (bin((k + FRAME - 1) % FRAME) + bin(k + 1)) / 2.0) / 2.0;
        std::array::from_fn(|k| 20.0 * (windowed(k).norm() * 4.0 / FRAME as f32).max(1e-6).log10())
    };
    Ok(output.to_vec()?.chunks(BINS).map(of).collect())
}

fn main() -> Result<()> {
    let device = Device::best()?;
    // Two seconds of a whistle that rises from 500 to 2500 Hz, above a steady hum.
    let rising = |t: f32| TAU * (500.0 * t + 500.0 * t * t);
    let sample = |i: usize| {
        let t = i as f32 / RATE;
        0.5 * rising(t).sin() + 0.1 * (TAU * 250.0 * t).sin()
    };
    let sound: Vec<f32> = (0..2 * RATE as usize).map(sample).collect();
    let levels = spectrogram(&device, &sound)?;

    // Time goes to the right, frequency upwards: the highest level of some bins and frames.
    for bins in (0..BINS / 16).rev() {
        let cell = |frames: &[[f32; BINS]]| {
            let levels = frames.iter().flat_map(|frame| &frame[16 * bins..16 * (bins + 1)]);
            [' ', '.', ':', '+', '#'][(levels.fold(-80.0, |a, b| b.max(a)) / 20.0 + 4.9).clamp(0.0, 4.0) as usize]
        };
        println!(
            "{:5.0} Hz {}",
            bins as f32 * 16.0 * RATE / FRAME as f32,
            levels.chunks(2).map(cell).collect::<String>()
        );
    }
    let worst = levels.iter().enumerate().map(|(i, frame)| {
        let loudest =
            (0..BINS).max_by(|&a, &b| frame[a].total_cmp(&frame[b])).unwrap_or(0) as f32 * RATE / FRAME as f32;
        let middle = (i * HOP + FRAME / 2) as f32 / RATE;
        (loudest - (500.0 + 1000.0 * middle)).abs()
    });
    let worst = worst.fold(0.0, f32::max);
    println!("the whistle is found within {worst:.1} Hz, and bins are {:.1} Hz apart", RATE / FRAME as f32);
    assert!(worst < 1.5 * RATE / FRAME as f32);
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
