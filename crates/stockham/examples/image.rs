//! A picture with a pattern over it, as of a scanned print: its spectrum shows the pattern as two points, and without these
//! the picture is clean.
//!
//! `cargo run --release -p stockham --example image`

use std::f32::consts::{PI, TAU};

use stockham::{Complex32, Result, irfft2, rfft2};

const ROWS: usize = 240;
const COLUMNS: usize = 320;
const SHAPE: [usize; 2] = [ROWS, COLUMNS];
/// Of half a spectrum: frequencies to the right.
const HALF: usize = COLUMNS / 2 + 1;

/// A number for every pixel, row by row.
fn picture(of: impl Fn(f32, f32) -> f32) -> Vec<f32> {
    (0..ROWS * COLUMNS).map(|i| of((i % COLUMNS) as f32, (i / COLUMNS) as f32)).collect()
}

/// Cycles a pixel to the right and downwards of a place in half a spectrum.
fn frequency(at: usize) -> (f32, f32) {
    let down = at / HALF;
    let down = if down < ROWS / 2 { down as f32 } else { down as f32 - ROWS as f32 };
    ((at % HALF) as f32 / COLUMNS as f32, down / ROWS as f32)
}

/// The wave that stands out most, and neither the slow ones that pictures are made of.
fn strongest(spectrum: &[Complex32]) -> usize {
    let is_slow = |at: usize| frequency(at).0.hypot(frequency(at).1) < 0.06;
    let norm = |at: &usize| spectrum[*at].norm();
    (0..spectrum.len()).filter(|at| !is_slow(*at)).max_by(|a, b| norm(a).total_cmp(&norm(b))).unwrap_or(0)
}

/// The mean difference of two pictures, squared and rooted.
fn off(a: &[f32], b: &[f32]) -> f32 {
    (a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>() / a.len() as f32).sqrt()
}

fn main() -> Result<()> {
    // A soft disc, and over it a wave with crests 8 pixels apart to the right and upwards.
    let disc = |x: f32, y: f32| 1.0 / (1.0 + (((x - 160.0).hypot(y - 120.0) - 60.0) / 8.0).exp());
    let clean = picture(disc);
    let pattern = |x: f32, y: f32| 0.25 * (TAU * (x / 8.0 - y / 8.0)).cos();
    let scanned = picture(|x, y| disc(x, y) + pattern(x, y));

    // Under a window, so that the edges do not show as waves of their own.
    let window = |i: f32, n: usize| (PI * (i + 0.5) / n as f32).sin().powi(2);
    let windowed = picture(|x, y| (disc(x, y) + pattern(x, y)) * window(x, COLUMNS) * window(y, ROWS));
    let (right, down) = frequency(strongest(&rfft2(&windowed, SHAPE)?));
    println!("a pattern of {right:.4} cycles a pixel to the right and {:.4} upwards", -down);
    assert_eq!((right, down), (0.125, -0.125));

    let mut spectrum = rfft2(&scanned, SHAPE)?;
    for (at, wave) in spectrum.iter_mut().enumerate() {
        let (x, y) = frequency(at);
        if (x - right).hypot(y - down) < 0.01 {
            *wave = Complex32::ZERO;
        }
    }
    let mended = irfft2(&spectrum, SHAPE)?;
    let (before, after) = (off(&scanned, &clean), off(&mended, &clean));
    println!("the scan is off by {before:.4}, and by {after:.6} without it");
    assert!(before > 0.17 && after < 1e-3);
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
