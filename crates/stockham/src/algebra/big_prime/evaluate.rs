//! Polynomials with elements as coefficients, evaluated by Horner's rule: outputs of transforms by their definition.

use std::ops::Range;

use crate::parallel;

use super::product::multiply;
use super::radix::Radix;
use super::{Digit, Field, Layout, sums, with_digit_count};

/// Elements that one task takes.
const RUN: usize = 1 << 10;

impl Field {
    /// The value at z of the polynomial whose coefficients are a range of the elements in an array, the constant one
    /// first: Σ x\[start + j\]·z^j. It takes a product an element and runs on all cores.
    ///
    /// At z = ω^k it is output k of the transform of these elements, at z = 1 it is their sum, which takes no products.
    /// The digits are taken as they are; [`check`](Self::check) tells whether they are those of elements.
    ///
    /// ```
    /// use stockham::{BigPrime, Layout, algebra::Root};
    /// let field = BigPrime::G8.field();
    /// let digits: Vec<u32> = (0..4 * 8).collect();
    /// let sum = field.evaluate(&digits, Layout::Plain, 0..4, &field.root(Root::new(0, 4)));
    /// assert_eq!(sum, [48, 52, 56, 60, 64, 68, 72, 76]);
    /// ```
    ///
    /// # Panics
    /// If the array does not hold whole elements, the range does not lie within it, or z does not have k digits.
    pub fn evaluate<D: Digit>(&self, digits: &[D], layout: Layout, elements: Range<usize>, z: &[u64]) -> Vec<u64> {
        with_digit_count!(self.prime().digits(), K => self.evaluate_digits::<D, K>(digits, layout, elements, z).to_vec())
    }

    fn evaluate_digits<D: Digit, const K: usize>(
        &self,
        digits: &[D],
        layout: Layout,
        elements: Range<usize>,
        z: &[u64],
    ) -> [u64; K] {
        let len = digits.len() / K;
        assert!(digits.len().is_multiple_of(K), "an element has {K} digits");
        assert!(elements.end <= len, "elements {elements:?} lie within the {len} there are");
        let z: [u64; K] = z.try_into().expect("z has as many digits as the field's elements");
        let (next_element, next_digit) = layout.strides(K, len);
        let element = |i: usize| std::array::from_fn(|c| digits[i * next_element + c * next_digit].into());
        let run = |i: usize| {
            let start = elements.start + i * RUN;
            horner(self.radix(), (start..elements.end.min(start + RUN)).map(element), &z)
        };
        match elements.len().div_ceil(RUN) {
            0 => [0; K],
            1 => run(0),
            runs => {
                let runs = parallel::map(runs, 1, run);
                let step = self.power(&z, RUN as u64);
                horner(self.radix(), runs.into_iter(), &step.try_into().expect("a power has K digits"))
            }
        }
    }
}

fn horner<const K: usize>(
    radix: &Radix,
    coefficients: impl DoubleEndedIterator<Item = [u64; K]>,
    z: &[u64; K],
) -> [u64; K] {
    let is_one = z[0] == 1 && z[1..].iter().all(|&digit| digit == 0);
    let step = |sum: [u64; K], x: [u64; K]| {
        let mut product = sum;
        if !is_one {
            multiply(radix, &sum, z, &mut product);
        }
        sums::add(radix.value(), &product, &x)
    };
    coefficients.rev().fold([0; K], step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::{BigElement, BigPrime, Direction, Ring, Root};
    use crate::naive;

    /// Some elements, −1 among them.
    fn elements<const K: usize>(field: &'static Field, len: usize) -> Vec<BigElement<K>> {
        let x = BigElement::<K>::from_u64(field, 0x9e37_79b9_7f4a_7c15);
        let mut elements: Vec<_> = std::iter::successors(Some(x), |last| Some(last.mul(&x).neg())).take(len).collect();
        elements[len / 2] = BigElement::from_u64(field, 1).neg();
        elements
    }

    fn laid_out<D: Digit, const K: usize>(x: &[BigElement<K>], layout: Layout) -> Vec<D> {
        let (next_element, next_digit) = layout.strides(K, x.len());
        let mut digits = vec![D::truncated(0); x.len() * K];
        for (i, x) in x.iter().enumerate() {
            x.digits()
                .iter()
                .enumerate()
                .for_each(|(c, &d)| digits[i * next_element + c * next_digit] = D::truncated(d));
        }
        digits
    }

    fn outputs_are_values<D: Digit, const K: usize>(prime: BigPrime) {
        let field = prime.field();
        for n in [1, 2, 16, 4 * RUN] {
            let x = elements::<K>(field, n + 3);
            for layout in [Layout::Plain, Layout::Sliced] {
                let digits = laid_out::<D, K>(&x, layout);
                field.check(&digits, layout).unwrap();
                for k in [0, 1, n / 2, n - 1] {
                    let expected = naive::dft_at(&x[2..][..n], k, Direction::Forward);
                    let found = field.evaluate(&digits, layout, 2..n + 2, &field.root(Root::new(k, n)));
                    assert_eq!(found, expected.digits(), "{prime}, n = {n}, k = {k}, {layout:?}");
                }
            }
        }
    }

    #[test]
    fn outputs_of_transforms_are_values_of_polynomials() {
        outputs_are_values::<u64, 8>(BigPrime::P3);
        outputs_are_values::<u32, 8>(BigPrime::G8);
        outputs_are_values::<u32, 32>(BigPrime::G32);
    }

    #[test]
    fn a_polynomial_without_terms_is_zero() {
        let field = BigPrime::P3.field();
        assert_eq!(field.evaluate::<u64>(&[1; 16], Layout::Plain, 1..1, &[3; 8]), [0; 8]);
    }
}
