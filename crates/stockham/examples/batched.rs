//! Many transforms at once, on data that stays on the device, timed by the device's own clock.
//!
//! `cargo run --release -p stockham --example batched [DEVICE]`

use stockham::{Complex32, Device, Fft, Result};

const N: usize = 4096;
const BATCH: usize = 1024;
const RUNS: usize = 20;

fn main() -> Result<()> {
    let device = match std::env::args().nth(1) {
        Some(name) => Device::by_name(&name)?,
        None => Device::best()?,
    };
    // Planned and compiled once; planning the same again is quick, because compiled kernels are kept on disk.
    let transform = Fft::complex::<f32>(N).batch(BATCH);
    let mut forward = transform.plan(&device)?.runner::<Complex32>()?;
    let mut inverse = transform.inverse().plan(&device)?.runner::<Complex32>()?;

    // One tone a transform: transform number t holds the tone of frequency t.
    let turn = |t: usize, j: usize| (t * j % N) as f32 / N as f32 * std::f32::consts::TAU;
    let signal: Vec<_> = (0..BATCH * N).map(|i| Complex32::cis(turn(i / N, i % N))).collect();
    let input = device.upload(&signal)?;
    let mut spectra = device.alloc::<Complex32>(signal.len())?;
    let mut back = device.alloc::<Complex32>(signal.len())?;

    // A runner submits to a stream of its own and returns at once; events mark places in the stream.
    forward.run(&input, &mut spectra)?;
    let start = forward.stream().record()?;
    for _ in 0..RUNS {
        forward.run(&input, &mut spectra)?;
    }
    let end = forward.stream().record()?;
    // The inverse works on another stream, which has to wait for the spectra.
    inverse.stream().wait_for(&end)?;
    inverse.run(&spectra, &mut back)?;

    let ms = end.milliseconds_since(&start)? / RUNS as f64;
    let gigabytes = (2 * size_of_val(&signal[..])) as f64 / 1e9;
    println!(
        "{}: {BATCH} transforms of {N} points in {ms:.3} ms, {:.1} GB/s",
        device.info().name,
        gigabytes / ms * 1e3
    );

    // Reading waits for all work of the device.
    let (spectra, back) = (spectra.to_vec()?, back.to_vec()?);
    let peak = |t: usize| (0..N).max_by(|&a, &b| spectra[t * N + a].norm().total_cmp(&spectra[t * N + b].norm()));
    assert!((0..BATCH).all(|t| peak(t) == Some(t)), "each spectrum has its peak at its tone");
    let off = back.iter().zip(&signal).map(|(a, b)| (a - b).norm()).fold(0.0, f32::max);
    assert!(off < 1e-5, "there and back again: off by {off}");
    println!("every peak is where its tone is; the round trip is off by {off:.1e} at most");
    Ok(())
}
