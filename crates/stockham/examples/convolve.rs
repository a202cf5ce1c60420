//! The convolution of two signals by transforms, compared with the definition.
//!
//! `cargo run --release -p stockham --example convolve`

use stockham::polynomial::{Product, multiply};
use stockham::{Complex64, Device, Result};

fn main() -> Result<()> {
    // A second of a decaying tone through a short smoothing filter: a convolution is a product of polynomials.
    let signal: Vec<f64> = (0..8000).map(|i| (-f64::from(i) / 2000.0).exp() * (f64::from(i) * 0.3).sin()).collect();
    let filter: Vec<f64> = (0..101).map(|i| (1.0 + (f64::from(i - 50) * 0.0628).cos()) / 101.0).collect();
    let complex = |x: &[f64]| x.iter().map(Complex64::from).collect::<Vec<_>>();
    let fast = multiply(&Device::best()?, Product::Linear, &complex(&signal), &complex(&filter))?;

    let mut worst: f64 = 0.0;
    for (k, found) in fast.iter().enumerate() {
        let first = k.saturating_sub(filter.len() - 1);
        let exact: f64 = (first..=k.min(signal.len() - 1)).map(|j| signal[j] * filter[k - j]).sum();
        worst = worst.max((found.re - exact).abs());
    }
    println!("{} outputs, the largest difference from the definition is {worst:.1e}", fast.len());
    assert!(worst < 1e-13);
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
