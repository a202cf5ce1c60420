//! Roots of unity whose orders are powers of two, as digits of any field: from the roots ω_{2^m}, whose squares are the
//! ones before.

use crate::parallel;

use super::Root;

/// ω_n^k, as a product of some of `orders`, which has ω_{2^m} at place m.
pub(super) fn root(orders: &[Vec<u64>], root: Root, multiply: impl Fn(&[u64], &[u64]) -> Vec<u64>) -> Vec<u64> {
    let log = root.order().trailing_zeros() as usize;
    // ω_1 is 1.
    (0..log)
        .filter(|bit| root.exponent() >> bit & 1 == 1)
        .fold(orders[0].clone(), |product, bit| multiply(&product, &orders[log - bit]))
}

/// Many roots, at a product each: the largest order n among them is split, ω_n^e = ω_n^{e mod s}·ω_n^{s·⌊e/s⌋} with s
/// about √n, into two tables.
pub(super) fn roots(
    roots: &[Root],
    root: impl Fn(Root) -> Vec<u64>,
    multiply: impl Fn(&[u64], &[u64]) -> Vec<u64> + Sync,
) -> Vec<Vec<u64>> {
    let n = roots.iter().map(|root| root.order()).max().unwrap_or(1);
    let split = 1 << n.ilog2().div_ceil(2);
    let powers = |step: usize, count: usize| {
        let step = root(Root::new(step, n));
        std::iter::successors(Some(root(Root::new(0, n))), |last| Some(multiply(last, &step))).take(count).collect()
    };
    let (fine, coarse): (Vec<_>, Vec<_>) = (powers(1, split), powers(split, n / split));
    let product = |root: &Root| {
        let e = root.exponent() * (n / root.order());
        multiply(&fine[e % split], &coarse[e / split])
    };
    parallel::map(roots.len(), 64, |i| product(&roots[i]))
}
