//! Roots of unity as digits of any field: those whose orders are powers of two from the roots ω_{2^m}, whose squares are the ones
//! before; and many of any orders.

use crate::parallel;

use super::{Direction, Root};

/// Roots of unity of one order, ω_n^e or the inverse roots for each exponent e. They are not in lowest terms, as to reduce each would
/// take longer than the root itself.
#[derive(Debug, Clone)]
pub(crate) struct Powers {
    pub direction: Direction,
    pub order: usize,
    pub exponents: Vec<usize>,
}

impl Powers {
    pub fn new(direction: Direction, order: usize, exponents: impl IntoIterator<Item = usize>) -> Self {
        Self { direction, order, exponents: exponents.into_iter().collect() }
    }

    /// Each as a root.
    pub fn roots(&self) -> impl Iterator<Item = Root> {
        self.exponents.iter().map(|e| self.direction.root(*e, self.order))
    }
}

/// ω_n^k for a power of two n, as a product of some of `orders`, which has ω_{2^m} at place m.
pub(super) fn of_power_of_two(
    orders: &[Vec<u64>],
    root: Root,
    multiply: impl Fn(&[u64], &[u64]) -> Vec<u64>,
) -> Vec<u64> {
    let log = root.order().trailing_zeros() as usize;
    // ω_1 is 1.
    (0..log)
        .filter(|bit| root.exponent() >> bit & 1 == 1)
        .fold(orders[0].clone(), |product, bit| multiply(&product, &orders[log - bit]))
}

/// Many roots, at a product each: the order n of which all of theirs are divisors is split, ω_n^e = ω_n^{e mod s}·ω_n^{s·⌊e/s⌋} with
/// s about √n, into two tables.
pub(super) fn many(
    roots: &[Root],
    root: impl Fn(Root) -> Vec<u64>,
    multiply: impl Fn(&[u64], &[u64]) -> Vec<u64> + Sync,
) -> Vec<Vec<u64>> {
    let n = roots.iter().fold(1, |n, root| common_multiple(n, root.order()));
    let split = n.isqrt() + 1;
    let powers = |step: usize, count: usize| {
        let step = root(Root::new(step, n));
        std::iter::successors(Some(root(Root::new(0, n))), |last| Some(multiply(last, &step))).take(count).collect()
    };
    let (fine, coarse): (Vec<_>, Vec<_>) = (powers(1, split), powers(split, n / split + 1));
    let product = |root: &Root| {
        let e = root.exponent() * (n / root.order());
        multiply(&fine[e % split], &coarse[e / split])
    };
    parallel::map(roots.len(), 64, |i| product(&roots[i]))
}

/// The least number that both divide. Orders are mostly divisors of one of them.
fn common_multiple(a: usize, b: usize) -> usize {
    let (least, most) = (a.min(b), a.max(b));
    // The order of ω_b^a is b, less what both have in common.
    most * Root::new(most, least).order()
}
