//! The product of two polynomials with integer coefficients, exact: transforms over the Goldilocks field do not round.
//!
//! `cargo run --release -p stockham --example exact_product`

use stockham::algebra::Ring;
use stockham::{Goldilocks, Result, fft, ifft};

/// The product's coefficients, right as long as each is below p = 2^64 − 2^32 + 1.
fn product(a: &[u64], b: &[u64]) -> Result<Vec<u64>> {
    let len = a.len() + b.len() - 1;
    let padded = |x: &[u64]| -> Vec<Goldilocks> {
        let mut x: Vec<_> = x.iter().copied().map(Goldilocks::reduce).collect();
        x.resize(len.next_power_of_two(), Goldilocks::reduce(0));
        x
    };
    let (mut x, mut y) = (padded(a), padded(b));
    fft(&mut x)?;
    fft(&mut y)?;
    x.iter_mut().zip(&y).for_each(|(x, y)| *x = x.mul(y));
    ifft(&mut x)?;
    Ok(x[..len].iter().map(|c| c.value()).collect())
}

/// The product by the rule that schools teach.
fn schoolbook(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut c = vec![0; a.len() + b.len() - 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            c[i + j] += x * y;
        }
    }
    c
}

fn main() -> Result<()> {
    // Coefficients below 2^26: sums of 3000 products stay below 2^64 − 2^32.
    let coefficients = |seed: u64| -> Vec<u64> {
        (1..=3000).map(|i: u64| i.wrapping_mul(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 38).collect()
    };
    let (a, b) = (coefficients(3), coefficients(5));
    let c = product(&a, &b)?;
    assert_eq!(c, schoolbook(&a, &b));
    println!("{} coefficients, each exact; the largest is {}", c.len(), c.iter().max().expect("some"));
    Ok(())
}
