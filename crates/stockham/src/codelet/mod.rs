//! Small DFTs in registers, each written once over any [`Ring`].
//!
//! A codelet takes its points in natural order and leaves the DFT in natural order. To add one, write it in the file
//! of its family, name its radix in [`RADICES`] and in [`dft`]; the tests below then hold it to the naive transform.

#[cfg(test)]
mod accuracy_tests;
mod composite;
pub(crate) mod gain;
mod odd;
mod split_radix;

use crate::algebra::{Direction, Ring};

pub use odd::{dft3, dft5, dft7};
pub use split_radix::{dft2, dft4, dft8, dft16, dft32};

/// The radices that have a codelet: all numbers up to 32 but those that are twice a larger prime, or worth no codelet of their
/// own beside those of their factors.
pub const RADICES: [usize; 28] =
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 23, 24, 25, 28, 29, 30, 31, 32];

/// The largest prime that has a codelet.
pub const MOST_PRIME: usize = 31;

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
        11 => apply(x, odd::paired::<R, 11>, direction),
        13 => apply(x, odd::paired::<R, 13>, direction),
        17 => apply(x, odd::paired::<R, 17>, direction),
        19 => apply(x, odd::paired::<R, 19>, direction),
        23 => apply(x, odd::paired::<R, 23>, direction),
        29 => apply(x, odd::paired::<R, 29>, direction),
        31 => apply(x, odd::paired::<R, 31>, direction),
        8 => apply(x, dft8, direction),
        16 => apply(x, dft16, direction),
        32 => apply(x, dft32, direction),
        n if RADICES.contains(&n) => composite::composite(x, direction),
        n => panic!("no codelet of radix {n}; there are {RADICES:?}"),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::algebra::{Goldilocks, NumericRing, Prime};
    use crate::naive;

    /// 2^5·3^2·5^2·7·11·13·17·19·23·29·31 divides this prime less 1: a root of every radix.
    type Exact = Prime<625_748_729_205_601>;

    const DIRECTIONS: [Direction; 2] = [Direction::Forward, Direction::Inverse];

    fn check_exact<R: Ring + NumericRing + PartialEq + std::fmt::Debug>(x: &[R], direction: Direction) {
        let mut y = x.to_vec();
        dft(&mut y, direction);
        assert_eq!(y, naive::dft(x, direction), "radix {}", x.len());
    }

    proptest! {
        // Linear maps that differ agree on a random vector once in p times at most.
        #![proptest_config(ProptestConfig::with_cases(8))]

        #[test]
        fn exact_over_a_prime_field(seed in prop::collection::vec(any::<u64>(), 32)) {
            for n in RADICES {
                let x: Vec<_> = seed[..n].iter().map(|&v| Exact::new(v)).collect();
                DIRECTIONS.into_iter().for_each(|d| check_exact(&x, d));
            }
        }

        #[test]
        fn exact_over_goldilocks(seed in prop::collection::vec(any::<u64>(), 32)) {
            for n in RADICES.into_iter().filter(|n| ((1u64 << 32) * 65_535).is_multiple_of(*n as u64)) {
                let x: Vec<_> = seed[..n].iter().map(|&v| Goldilocks::reduce(v)).collect();
                DIRECTIONS.into_iter().for_each(|d| check_exact(&x, d));
            }
        }
    }
}
