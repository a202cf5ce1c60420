//! References of lengths with large prime factors, as a convolution with a [chirp](crate::autosort::chirp): the error is that of two
//! transforms in the reference's own precision.

use crate::algebra::{Direction, NumericRing};
use crate::autosort::Autosort;
use crate::autosort::chirp::{filter, squares};
use crate::plan::host::chirp_length;

/// Points of the convolution.
pub(super) fn length(n: usize) -> usize {
    chirp_length(2 * n.max(1) - 1)
}

/// Transforms lines of n points, in a ring with roots of unity of every order.
pub(super) fn transform<R: NumericRing>(lines: &mut [R], n: usize, direction: Direction) {
    let m = length(n);
    let of = |direction| Autosort::<R>::new(m, direction).expect("a length of small primes");
    let (forward, inverse) = (of(Direction::Forward), of(Direction::Inverse));
    let roots = R::one().roots_of_unity(direction, 2 * n, 2 * n);
    let filter = filter(&forward, squares(n, n).map(|square| roots[(2 * n - square) % (2 * n)]));
    let chirp: Vec<R> = squares(n, n).map(|square| roots[square]).collect();
    let mut scratch = vec![R::zero(); m];
    let mut long = vec![R::zero(); m];
    for line in lines.chunks_exact_mut(n) {
        long.fill(R::zero());
        long.iter_mut().zip(&*line).zip(&chirp).for_each(|((to, x), c)| *to = x.mul(c));
        forward.process(&mut long, &mut scratch);
        long.iter_mut().zip(&filter).for_each(|(x, factor)| *x = x.mul(factor));
        inverse.process(&mut long, &mut scratch);
        line.iter_mut().zip(&long).zip(&chirp).for_each(|((to, x), c)| *to = x.mul(c));
    }
}

#[cfg(test)]
mod tests {
    use num_complex::{Complex, Complex64};

    use super::super::{errors, random};
    use super::*;
    use crate::algebra::{DoubleDouble, Scalar};
    use crate::naive;

    #[test]
    fn references_by_a_chirp_are_the_definition() {
        for (n, direction) in [(1, Direction::Forward), (37, Direction::Inverse), (2 * 499, Direction::Forward)] {
            let x = random::<Complex64>(2 * n, 1);
            let wide = |x: &Complex64| Complex::new(DoubleDouble::from(x.re), DoubleDouble::from(x.im));
            let mut double: Vec<_> = x.iter().map(wide).collect();
            let expected: Vec<_> = double.chunks(n).flat_map(|x| naive::dft(x, direction)).collect();
            transform(&mut double, n, direction);
            // What is left beyond the first 53 bits: of both, the error is within some units of 2^−104.
            let rest = |(a, b): (&Complex<DoubleDouble>, &Complex<DoubleDouble>)| {
                Complex64::new(a.re.sub(&b.re).to_f64(), a.im.sub(&b.im).to_f64()).norm()
            };
            let far = double.iter().zip(&expected).map(rest).fold(0.0, f64::max);
            assert!(far <= 2f64.powi(-90), "{n}: {far:e}");
            let mut single = x.clone();
            transform(&mut single, n, direction);
            assert!(errors(&single, |i| expected[i]).l2 <= 2f64.powi(-50), "{n}");
        }
    }
}
