//! Lengths that transforms are fast at.

use crate::transform::Kind;

/// The primes of such lengths: those that the planner makes [convolutions](crate::plan) of.
const PRIMES: [usize; 2] = [3, 5];

/// The least length of at least `n` points whose transforms are fast: a product of powers of 2, 3 and 5. Lines of real numbers
/// are transformed as half as many complex ones, so theirs are even. Beyond all such numbers it is `n` itself.
///
/// ```
/// use stockham::{Kind, signal::next_fast_len};
/// assert_eq!([1, 7, 17, 1021].map(|n| next_fast_len(n, Kind::Dft)), [1, 8, 18, 1024]);
/// assert_eq!([1, 7, 25, 1021].map(|n| next_fast_len(n, Kind::Real)), [2, 8, 30, 1024]);
/// ```
pub fn next_fast_len(n: usize, kind: Kind) -> usize {
    if kind == Kind::Dft {
        return next_smooth(n).unwrap_or(n);
    }
    next_smooth(n.div_ceil(2)).and_then(|half| half.checked_mul(2)).unwrap_or(n)
}

/// The least product of 2 and [`PRIMES`] that is not below `n`.
fn next_smooth(n: usize) -> Option<usize> {
    let mut least = n.checked_next_power_of_two();
    let mut odd = vec![1usize];
    while let Some(product) = odd.pop() {
        // Each product once: its primes are put in order.
        let last = PRIMES.iter().position(|p| product.is_multiple_of(*p)).unwrap_or(PRIMES.len() - 1);
        let more = PRIMES[..=last].iter().filter_map(|p| product.checked_mul(*p));
        odd.extend(more.filter(|product| least.is_none_or(|least| *product < least)));
        let found = n.div_ceil(product).checked_next_power_of_two().and_then(|two| two.checked_mul(product));
        least = [least, found].into_iter().flatten().min();
    }
    least
}
