//! Composite lengths from the codelets of their factors. Coprime factors meet without products (I. J. Good, "The interaction
//! algorithm and practical Fourier analysis", 1958; L. H. Thomas, 1963), others by the twiddles of J. W. Cooley and J. W. Tukey,
//! "An algorithm for the machine calculation of complex Fourier series", 1965.

use crate::algebra::{Direction, Ring};

use super::dft;

/// The DFT of `x` in place, whose length is a product of radices.
pub(super) fn composite<R: Ring>(x: &mut [R], direction: Direction) {
    let n = x.len();
    let (a, b) = factors(n);
    let is_coprime = b % smallest_factor(a) != 0;
    // Index j of the input is b·j1 + a·j2 modulo n, where the factors are coprime, and else b·j1 + j2.
    let input = |j1: usize, j2: usize| if is_coprime { (b * j1 + a * j2) % n } else { b * j1 + j2 };
    let mut columns: Vec<Vec<R>> = (0..b).map(|j2| (0..a).map(|j1| x[input(j1, j2)].clone()).collect()).collect();
    for (j2, column) in columns.iter_mut().enumerate() {
        dft(column, direction);
        if !is_coprime {
            let twiddled = column.iter_mut().enumerate().skip(1);
            twiddled.for_each(|(k1, x)| *x = x.mul_root(direction.root(j2 * k1, n)));
        }
    }
    for k1 in 0..a {
        let mut row: Vec<R> = columns.iter().map(|column| column[k1].clone()).collect();
        dft(&mut row, direction);
        for (k2, value) in row.into_iter().enumerate() {
            // The output is the index that leaves k1 and k2 where it is divided by a and b, or else k1 + a·k2.
            let k = if is_coprime { (0..b).map(|i| k1 + a * i).find(|k| k % b == k2) } else { Some(k1 + a * k2) };
            x[k.expect("one of b numbers, as a and b are coprime")] = value;
        }
    }
}

/// The power of a prime that divides n, and what is left; or the prime and what is left, of a power of it.
fn factors(n: usize) -> (usize, usize) {
    let p = smallest_factor(n);
    let mut power = p;
    while n.is_multiple_of(power * p) {
        power *= p;
    }
    if power == n { (p, n / p) } else { (power, n / power) }
}

fn smallest_factor(n: usize) -> usize {
    (2..n).find(|p| n.is_multiple_of(*p)).unwrap_or(n)
}
