//! The convolution of two signals by transforms, compared with the definition.
//!
//! `cargo run --release -p stockham --example convolve`

use stockham::{Complex64, Result, fft, ifft};

/// The linear convolution. A transform convolves in a circle; enough zeros at the end keep the turn out of the result.
fn convolve(a: &[f64], b: &[f64]) -> Result<Vec<f64>> {
    let len = a.len() + b.len() - 1;
    let padded = |x: &[f64]| -> Vec<Complex64> {
        let zeros = std::iter::repeat_n(&0.0, len.next_power_of_two() - x.len());
        x.iter().chain(zeros).map(Complex64::from).collect()
    };
    let (mut x, mut y) = (padded(a), padded(b));
    fft(&mut x)?;
    fft(&mut y)?;
    x.iter_mut().zip(&y).for_each(|(x, y)| *x *= y);
    ifft(&mut x)?;
    Ok(x[..len].iter().map(|z| z.re).collect())
}

fn main() -> Result<()> {
    // A second of a decaying tone through a short smoothing filter.
    let signal: Vec<f64> = (0..8000).map(|i| (-f64::from(i) / 2000.0).exp() * (f64::from(i) * 0.3).sin()).collect();
    let filter: Vec<f64> = (0..101).map(|i| (1.0 + (f64::from(i - 50) * 0.0628).cos()) / 101.0).collect();
    let fast = convolve(&signal, &filter)?;

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
