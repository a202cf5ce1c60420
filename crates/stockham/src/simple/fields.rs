//! Over the fields of big primes.

use super::run;
use crate::algebra::{Algebra, BigPrime, Digit, Direction, Layout};
use crate::error::Result;
use crate::transform::Transform;

/// The forward transform over a big prime of a host slice in place, on the [best device](crate::Device::best). An element is
/// [`digits`](BigPrime::digits) values, the lowest digit first.
///
/// ```
/// use stockham::{BigPrime, intt, ntt};
/// // Four elements of eight 32-bit digits: 0, 1, 2, 3.
/// let mut x = [0u32; 4 * 8];
/// (0..4).for_each(|i| x[8 * i] = i as u32);
/// ntt(BigPrime::G8, &mut x)?;
/// assert_eq!(x[..8], [6, 0, 0, 0, 0, 0, 0, 0]);
/// intt(BigPrime::G8, &mut x)?;
/// assert_eq!(x[24..], [3, 0, 0, 0, 0, 0, 0, 0]);
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// # Errors
/// [`Error::Digit`](crate::Error::Digit) if a digit is not below the radix (the element −1 = (0, …, 0, r) excepted);
/// [`Error::BufferLength`](crate::Error::BufferLength) if the slice does not hold whole elements,
/// [`Error::ElementType`](crate::Error::ElementType) if the digits are of another size; otherwise as [`fft`](super::fft).
pub fn ntt<D: Digit>(prime: BigPrime, digits: &mut [D]) -> Result<()> {
    run_digits(prime, digits, Direction::Forward)
}

/// The inverse transform over a big prime of a host slice in place, scaled by 1/n, on the [best device](crate::Device::best).
///
/// # Errors
/// As [`ntt`].
pub fn intt<D: Digit>(prime: BigPrime, digits: &mut [D]) -> Result<()> {
    run_digits(prime, digits, Direction::Inverse)
}

fn run_digits<D: Digit>(prime: BigPrime, digits: &mut [D], direction: Direction) -> Result<()> {
    prime.field().check(digits, Layout::Plain)?;
    run(Transform::new(Algebra::BigPrime(prime), digits.len() / prime.digits()).direction(direction), digits)
}
