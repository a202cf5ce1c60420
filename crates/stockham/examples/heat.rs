//! Heat that spreads in a periodic cube: one exact step of any length, by real transforms of three dimensions.
//!
//! A wave of wave vector k decays by exp(−|k|²·t). So the temperatures become a sum of waves, each is multiplied by its
//! factor, and they become temperatures again.
//!
//! `cargo run --release -p stockham --example heat`

use std::f64::consts::TAU;

use stockham::{Complex64, Result, irfftn, rfftn};

/// Points along each side of the cube, which is 2π long.
const N: usize = 64;
const SHAPE: [usize; 3] = [N; 3];

/// The temperatures after a time.
fn after(time: f64, temperatures: &[f64]) -> Result<Vec<f64>> {
    let mut waves: Vec<Complex64> = rfftn(temperatures, SHAPE)?;
    // Of the last dimension half of the waves are there; of the others those beyond the middle run backwards.
    let half = N / 2 + 1;
    let square = |i: usize| (i.min(N - i) as f64).powi(2);
    for (i, wave) in waves.iter_mut().enumerate() {
        let (x, y, z) = (i / (half * N), i / half % N, i % half);
        *wave *= (-(square(x) + square(y) + square(z)) * time).exp();
    }
    irfftn(&waves, SHAPE)
}

/// A number for every point, in the order in which they lie in memory.
fn field(of: impl Fn([usize; 3]) -> f64) -> Vec<f64> {
    (0..N * N * N).map(|i| of([i / (N * N), i / N % N, i % N])).collect()
}

/// All heat together, row by row, so that few roundings add up.
fn heat(temperatures: &[f64]) -> f64 {
    temperatures.chunks(N).map(|row| row.iter().sum::<f64>()).sum()
}

fn main() -> Result<()> {
    // A single wave keeps its form, and decays as is known.
    let angle = |[x, y, z]: [usize; 3]| TAU / N as f64 * (2 * x + y + 3 * z) as f64;
    let found = after(0.1, &field(|at| angle(at).cos()))?;
    let exact = field(|at| (-(4.0 + 1.0 + 9.0) * 0.1f64).exp() * angle(at).cos());
    let worst = found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("a wave after 0.1 is off by {worst:.1e}");
    assert!(worst < 1e-14);

    // A hot box in the middle of a cold cube. It evens out, and no heat is lost.
    let mut cube = field(|at| if at.iter().all(|x| (N / 4..3 * N / 4).contains(x)) { 100.0 } else { 0.0 });
    let before = heat(&cube);
    for step in 1..=4 {
        cube = after(0.25, &cube)?;
        let (coldest, hottest) = cube.iter().fold((100f64, 0f64), |(low, high), t| (low.min(*t), high.max(*t)));
        println!("at {:.2} all is between {coldest:.3} and {hottest:.3} degrees", 0.25 * f64::from(step));
        assert!(coldest > -1e-9 && hottest < 100.0, "nothing is colder or hotter than before");
        assert!((heat(&cube) / before - 1.0).abs() < 1e-14, "heat is neither lost nor made");
    }
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
