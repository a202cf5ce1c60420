//! Small DFTs in registers, each written once over any [`Ring`].
//!
//! A codelet takes its points in natural order and leaves the DFT in natural order. To add one, write it in the file
//! of its family, name its radix in [`RADICES`] and in [`dft`]; the tests below then hold it to the naive transform.

mod odd;
mod split_radix;

use crate::algebra::{Direction, Ring};

pub use odd::{dft3, dft5, dft7};
pub use split_radix::{dft2, dft4, dft8, dft16, dft32};

/// The radices that have a codelet.
pub const RADICES: [usize; 8] = [2, 3, 4, 5, 7, 8, 16, 32];

/// The DFT of `x` in place, natural order in and out. `x.len()` must be 1 or one of [`RADICES`].
///
/// # Panics
/// If there is no codelet of that length.
pub fn dft<R: Ring>(x: &mut [R], direction: Direction) {
    fn apply<R: Ring, const N: usize>(
        x: &mut [R],
        codelet: impl Fn([R; N], Direction) -> [R; N],
        direction: Direction,
    ) {
        let input: [R; N] = std::array::from_fn(|j| x[j].clone());
        x.clone_from_slice(&codelet(input, direction));
    }
    match x.len() {
        1 => {}
        2 => apply(x, |v, _| dft2(v), direction),
        3 => apply(x, dft3, direction),
        4 => apply(x, dft4, direction),
        5 => apply(x, dft5, direction),
        7 => apply(x, dft7, direction),
        8 => apply(x, dft8, direction),
        16 => apply(x, dft16, direction),
        32 => apply(x, dft32, direction),
        n => panic!("no codelet of radix {n}; there are {RADICES:?}"),
    }
}

#[cfg(test)]
mod tests {
    use num_complex::Complex;
    use proptest::prelude::*;

    use super::*;
    use crate::algebra::{DoubleDouble, Goldilocks, NumericRing, Prime, Scalar};
    use crate::naive;

    /// 3360 = 2^5·3·5·7 divides 3361 − 1: a root of every radix.
    type Exact = Prime<3361>;

    const DIRECTIONS: [Direction; 2] = [Direction::Forward, Direction::Inverse];

    fn check_exact<R: Ring + NumericRing + PartialEq + std::fmt::Debug>(x: &[R], direction: Direction) {
        let mut y = x.to_vec();
        dft(&mut y, direction);
        assert_eq!(y, naive::dft(x, direction), "radix {}", x.len());
    }

    proptest! {
        #[test]
        fn exact_over_a_prime_field(seed in prop::collection::vec(0u64..3361, 32)) {
            for n in RADICES {
                let x: Vec<_> = seed[..n].iter().map(|&v| Exact::new(v)).collect();
                DIRECTIONS.into_iter().for_each(|d| check_exact(&x, d));
            }
        }

        #[test]
        fn exact_over_goldilocks(seed in prop::collection::vec(any::<u64>(), 32)) {
            for n in RADICES.into_iter().filter(|&n| n != 7) {
                let x: Vec<_> = seed[..n].iter().map(|&v| Goldilocks::reduce(v)).collect();
                DIRECTIONS.into_iter().for_each(|d| check_exact(&x, d));
            }
        }
    }

    /// The mean over many dense random vectors: a bound of u·√log2 n is one on typical errors. (The worst of hundreds
    /// of vectors for a radix as small as 3 may exceed it without fault: there each output has a rounding or two more
    /// than log2 n.)
    #[test]
    fn accurate_over_the_complex_numbers() {
        let mut state = 1u64;
        let mut uniform = || {
            state = state.wrapping_mul(0xd129_0d3a_2a1e_53c5).wrapping_add(0x9e37_79b9_7f4a_7c15).rotate_left(23);
            state as i64 as f64 / (1u64 << 63) as f64
        };
        for n in RADICES {
            for direction in DIRECTIONS {
                let (mut error, mut norm) = (0.0, 0.0);
                for _ in 0..500 {
                    let x: Vec<Complex<f64>> = (0..n).map(|_| Complex::new(uniform(), uniform())).collect();
                    let wide: Vec<Complex<DoubleDouble>> =
                        x.iter().map(|z| Complex::new(z.re.into(), z.im.into())).collect();
                    let mut y = x.clone();
                    dft(&mut y, direction);
                    for (a, b) in y.iter().zip(naive::dft(&wide, direction)) {
                        let off = |a: f64, b: DoubleDouble| DoubleDouble::from(a).sub(&b).to_f64();
                        error += off(a.re, b.re).powi(2) + off(a.im, b.im).powi(2);
                        norm += a.norm_sqr();
                    }
                }
                let units = (error / norm).sqrt() / (f64::EPSILON / 2.0 * (n as f64).log2().sqrt());
                assert!(units <= 1.0, "radix {n}: {units} u·√log2 n");
            }
        }
    }
}
