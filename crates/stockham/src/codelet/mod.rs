//! Small DFTs in registers, each written once over any [`Ring`].
//!
//! A codelet takes its points in natural order and leaves the DFT in natural order. To add one, write it in the file
//! of its family, name its radix in [`RADICES`] and in [`dft`]; the tests below then hold it to the naive transform.

#[cfg(test)]
mod accuracy_tests;
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
    use proptest::prelude::*;

    use super::*;
    use crate::algebra::{Goldilocks, NumericRing, Prime};
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
}
