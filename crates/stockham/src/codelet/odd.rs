//! Odd prime lengths, by pairing the inputs j and n − j: their sum meets only cosines, their difference only sines.

use std::array;

use crate::algebra::{Direction, Ring};

/// The DFT of 3 points.
pub fn dft3<R: Ring>(x: [R; 3], direction: Direction) -> [R; 3] {
    paired(x, direction)
}

/// The DFT of 5 points.
pub fn dft5<R: Ring>(x: [R; 5], direction: Direction) -> [R; 5] {
    paired(x, direction)
}

/// The DFT of 7 points.
pub fn dft7<R: Ring>(x: [R; 7], direction: Direction) -> [R; 7] {
    paired(x, direction)
}

/// X_k = x_0 + Σ_j (c_{jk} s_j + i·s_{jk} d_j) and X_{n−k} the same with a minus, for s_j, d_j = x_j ± x_{n−j}.
pub(super) fn paired<R: Ring, const N: usize>(x: [R; N], direction: Direction) -> [R; N] {
    let half = N / 2;
    // What is behind the pairs is of no use: an array takes no memory of its own, as a list would in every butterfly.
    let joined = |join: fn(&R, &R) -> R| -> [R; N] {
        array::from_fn(|j| if (1..=half).contains(&j) { join(&x[j], &x[N - j]) } else { x[0].clone() })
    };
    let (sums, differences) = (joined(R::add), joined(R::sub));
    let (sums, differences) = (&sums[1..=half], &differences[1..=half]);
    let mut out = x.clone();
    for s in sums {
        out[0] = out[0].add(s);
    }
    for k in 1..=half {
        let mut even = x[0].clone();
        for (s, j) in sums.iter().zip(1..) {
            even = even.add(&s.mul_cos(direction.root(j * k, N)));
        }
        let mut terms = differences.iter().zip(1..).map(|(d, j)| d.mul_sin(direction.root(j * k, N)));
        let first = terms.next().expect("an odd radix has at least one pair");
        let odd = terms.fold(first, |sum, t| sum.add(&t));
        out[k] = even.add(&odd);
        out[N - k] = even.sub(&odd);
    }
    out
}
