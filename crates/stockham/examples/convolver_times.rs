//! Times convolutions of many lines by one kernel, copies from and to the host included:
//! `cargo run --release --example convolver_times -- cuda`.

use std::time::Instant;

use stockham::signal::{Convolver, Mode, Sample};
use stockham::{Complex32, Device, Result};

/// Samples of all lines together.
const SAMPLES: usize = 1 << 24;

const ROUNDS: usize = 7;

fn main() -> Result<()> {
    let device = match std::env::args().nth(1) {
        Some(name) => Device::by_name(&name)?,
        None => Device::best()?,
    };
    println!("{}: the least of {ROUNDS} times, in ms", device.info().name);
    println!("{:>8} {:>6} {:>10} {:>10}", "line", "taps", "f32", "complex");
    for (line, taps) in [(1000, 25), (2000, 2000), (4000, 97), (8000, 193)] {
        let real = least(&device, line, taps, 1f32)?;
        let complex = least(&device, line, taps, Complex32::ONE)?;
        println!("{line:>8} {taps:>6} {real:>10.2} {complex:>10.2}");
    }
    Ok(())
}

/// The least time that the lines take.
fn least<T: Sample>(device: &Device, line: usize, taps: usize, sample: T) -> Result<f64> {
    let mut convolver = Convolver::plan(device, line, &vec![sample; taps], taps, Mode::Same)?;
    let lines = vec![sample; SAMPLES / line * line];
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let outputs = convolver.apply(&lines)?;
        least = least.min(start.elapsed().as_secs_f64() * 1e3);
        assert_eq!(outputs.len(), lines.len());
    }
    Ok(least)
}
