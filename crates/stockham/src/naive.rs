//! The transform by its definition, over any ring: the oracle of every test.

use crate::algebra::{Direction, Numbers};
use crate::parallel;

/// X\[k\] = Σ x\[j\] ω^{jk}, in O(n²) operations and without normalisation.
///
/// Over [`Complex<DoubleDouble>`](crate::algebra::DoubleDouble) it is a reference of about 100 bits.
///
/// ```
/// use stockham::{Direction, algebra::Prime, naive};
/// let x = [1, 2, 3, 4].map(Prime::<17>::new);
/// assert_eq!(naive::dft(&x, Direction::Forward)[0], Prime::new(10));
/// ```
///
/// # Panics
/// If the ring has no root of unity of order `x.len()`.
pub fn dft<R: Numbers>(x: &[R], direction: Direction) -> Vec<R> {
    let roots = x.first().map_or_else(Vec::new, |first| first.roots_of_unity(direction, x.len(), x.len()));
    (0..x.len()).map(|k| output(x, &roots, k)).collect()
}

/// The single output X\[k\], in O(n) operations and on all cores.
///
/// With j = i·b + l it is Σ_i ω^{ibk} Σ_l x\[ib + l\] ω^{lk}: about √n roots serve all n terms, and sums of √n terms
/// round less than one of n.
///
/// # Panics
/// If `x` is empty, or the ring has no root of unity of order `x.len()`.
pub fn dft_at<R: Numbers>(x: &[R], k: usize, direction: Direction) -> R {
    let n = x.len();
    let b = n.isqrt();
    let zero = x[0].integer(0);
    // In 128 bits, since the exponents of lengths above 2^32 overflow 64.
    let root = |j: usize| x[0].root_of_unity(direction.root((j as u128 * k as u128 % n as u128) as usize, n));
    let inner: Vec<R> = (0..b).map(root).collect();
    let part = |i: usize| {
        let run = &x[i * b..n.min((i + 1) * b)];
        let sum = run.iter().zip(&inner).fold(zero, |sum, (v, w)| sum.add(&v.mul(w)));
        sum.mul(&root(i * b))
    };
    let parts = parallel::map(n.div_ceil(b), 64, part);
    parts.iter().fold(zero, |sum, part| sum.add(part))
}

/// The outputs X\[start + step·t\] for all t below n/step, in O(n + (n/step)²) operations and on all cores.
///
/// With m = n/step and j = i·m + l it is Σ_l ω_m^{lt} ω_n^{l·start} Σ_i x\[im + l\] ω_step^{i·start}: one pass over the
/// input serves m outputs.
///
/// # Panics
/// If `step` does not divide `x.len()`, or the ring has no root of unity of that order.
pub fn dft_comb<R: Numbers>(x: &[R], start: usize, step: usize, direction: Direction) -> Vec<R> {
    const ROWS: usize = 1 << 10;
    let n = x.len();
    assert!(step > 0 && n.is_multiple_of(step), "a step of {step} divides {n}");
    let m = n / step;
    if n == 0 {
        return Vec::new();
    }
    // In 128 bits, since the exponents of lengths above 2^32 overflow 64.
    let root =
        |j: usize, n: usize| x[0].root_of_unity(direction.root((j as u128 * start as u128 % n as u128) as usize, n));
    let zero = || x[0].integer(0);
    let part = |first: usize| {
        let rows = &x[first * m * ROWS..n.min((first + 1) * m * ROWS)];
        // Short sums are added up afterwards: they round less than one long one.
        let mut sums = vec![zero(); m];
        for (i, row) in rows.chunks(m).enumerate() {
            let w = root(first * ROWS + i, step);
            sums.iter_mut().zip(row).for_each(|(sum, v)| *sum = sum.add(&v.mul(&w)));
        }
        sums
    };
    let parts = parallel::map(n.div_ceil(m * ROWS), 1, part);
    let folded = |l: usize| parts.iter().fold(zero(), |sum, part| sum.add(&part[l])).mul(&root(l, n));
    dft(&(0..m).map(folded).collect::<Vec<_>>(), direction)
}

fn output<R: Numbers>(x: &[R], roots: &[R], k: usize) -> R {
    let mut exponent = 0;
    x.iter().fold(x[0].integer(0), |sum, v| {
        let term = v.mul(&roots[exponent]);
        exponent = (exponent + k) % roots.len();
        sum.add(&term)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Prime;

    #[test]
    fn one_output_is_that_of_all() {
        for n in [1u64, 2, 3, 5, 8, 15, 96, 480, 3360] {
            let x: Vec<_> = (0..n).map(|i| Prime::<3361>::new(i * i + 5 * i + 2)).collect();
            for direction in [Direction::Forward, Direction::Inverse] {
                let all = dft(&x, direction);
                for k in [0, 1, n as usize / 2, n as usize - 1] {
                    assert_eq!(dft_at(&x, k, direction), all[k % x.len()], "n = {n}, k = {k}");
                }
                for step in (1..=n as usize).filter(|step| x.len().is_multiple_of(*step)) {
                    let comb: Vec<_> = all[step / 2..].iter().step_by(step).copied().collect();
                    assert_eq!(dft_comb(&x, step / 2, step, direction), comb, "n = {n}, step = {step}");
                }
            }
        }
    }
}
