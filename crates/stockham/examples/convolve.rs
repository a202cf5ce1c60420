//! The convolution of two signals by transforms, compared with the definition.
//!
//! `cargo run --release -p stockham --example convolve`

use stockham::signal::{Mode, convolve};
use stockham::{Device, Result};

fn main() -> Result<()> {
    // A second of a decaying tone through a short smoothing filter.
    let signal: Vec<f64> = (0..8000).map(|i| (-f64::from(i) / 2000.0).exp() * (f64::from(i) * 0.3).sin()).collect();
    let filter: Vec<f64> = (0..101).map(|i| (1.0 + (f64::from(i - 50) * 0.0628).cos()) / 101.0).collect();
    let fast = convolve(&Device::best()?, (&signal, 8000), (&filter, 101), Mode::Full)?;

    let mut worst: f64 = 0.0;
    for (k, found) in fast.iter().enumerate() {
        let first = k.saturating_sub(filter.len() - 1);
        let exact: f64 = (first..=k.min(signal.len() - 1)).map(|j| signal[j] * filter[k - j]).sum();
        worst = worst.max((found - exact).abs());
    }
    println!("{} outputs, the largest difference from the definition is {worst:.1e}", fast.len());
    assert!(worst < 1e-13);
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
