//! The rounding errors of codelets over ℂ, plain and in fused products and sums.

use num_complex::Complex;

use super::{RADICES, dft};
use crate::algebra::fused::testing::Fused;
use crate::algebra::{Direction, DoubleDouble, Scalar};
use crate::naive;

const DIRECTIONS: [Direction; 2] = [Direction::Forward, Direction::Inverse];

type Dft = fn(&mut [Complex<f64>], Direction);

fn plain(x: &mut [Complex<f64>], direction: Direction) {
    dft(x, direction);
}

fn fused(x: &mut [Complex<f64>], direction: Direction) {
    let mut y: Vec<_> = x.iter().map(|z| Complex::new(Fused(z.re), Fused(z.im))).collect();
    dft(&mut y, direction);
    x.iter_mut().zip(y).for_each(|(x, z)| *x = Complex::new(z.re.0, z.im.0));
}

/// The relative L2 error over many dense random vectors, in units of u·√log2 n: a bound is one on typical errors. (The
/// worst of hundreds of vectors for a radix as small as 3 may exceed 1 without fault: there each output has a rounding or
/// two more than log2 n.)
fn error(n: usize, direction: Direction, dft: Dft) -> f64 {
    let mut state = 1u64;
    let mut uniform = || {
        state = state.wrapping_mul(0xd129_0d3a_2a1e_53c5).wrapping_add(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        state as i64 as f64 / (1u64 << 63) as f64
    };
    let (mut off, mut all) = (0.0, 0.0);
    for _ in 0..500 {
        let x: Vec<Complex<f64>> = (0..n).map(|_| Complex::new(uniform(), uniform())).collect();
        let wide: Vec<Complex<DoubleDouble>> = x.iter().map(|z| Complex::new(z.re.into(), z.im.into())).collect();
        let mut y = x.clone();
        dft(&mut y, direction);
        for (a, b) in y.iter().zip(naive::dft(&wide, direction)) {
            let difference = |a: f64, b: DoubleDouble| DoubleDouble::from(a).sub(&b).to_f64();
            off += difference(a.re, b.re).powi(2) + difference(a.im, b.im).powi(2);
            all += a.norm_sqr();
        }
    }
    (off / all).sqrt() / (f64::EPSILON / 2.0 * (n as f64).log2().sqrt())
}

#[test]
fn accurate_over_the_complex_numbers() {
    for n in RADICES {
        for direction in DIRECTIONS {
            let units = error(n, direction, plain);
            assert!(units <= 1.0, "radix {n}: {units} u·√log2 n");
        }
    }
}

#[test]
fn no_less_accurate_where_products_and_sums_are_fused() {
    for n in [4, 8, 16, 32] {
        for direction in DIRECTIONS {
            let (fused, plain) = (error(n, direction, fused), error(n, direction, plain));
            assert!(fused <= 1.0 && fused <= 1.05 * plain, "radix {n}: {fused}, and {plain} u·√log2 n");
        }
    }
}
