//! What checks of transforms need, on plain residues: roots of unity, products, and polynomials at a place.

use std::ops::Range;

use super::PrimeField;
use super::arithmetic::{add_modulo, multiply};
use crate::algebra::{Layout, Root, with_word_count};
use crate::parallel;

/// Elements that one task takes.
const RUN: usize = 1 << 10;

impl PrimeField {
    /// Whether there are roots of order n: it divides p − 1, and 2^49 does not divide it.
    pub fn has_root(self, n: usize) -> bool {
        self.modulus.has_root(n)
    }

    /// The root ω_n^k. The family is consistent: ω_{mn}^m = ω_n.
    ///
    /// # Panics
    /// If there is [none](Self::has_root).
    pub fn root(self, root: Root) -> Vec<u64> {
        self.modulus.plain(&self.modulus.root(root))
    }

    /// x·y, for residues.
    ///
    /// # Panics
    /// If they do not have as many words as elements.
    pub fn multiply(self, x: &[u64], y: &[u64]) -> Vec<u64> {
        assert_eq!((x.len(), y.len()), (self.words(), self.words()), "an element has so many words");
        self.modulus.multiply(&self.modulus.form(x), y)
    }

    /// 1/2^m.
    pub fn inverse_of_pow2(self, m: u32) -> Vec<u64> {
        self.modulus.plain(&self.modulus.inverse_of_pow2(m))
    }

    /// The value at z of the polynomial whose coefficients are a range of the elements in an array, the constant one
    /// first: Σ x\[start + j\]·z^j, by Horner's rule. It takes a product an element and runs on all cores.
    ///
    /// ```
    /// use stockham::{Layout, algebra::PrimeField};
    /// let field: PrimeField = "17".parse()?;
    /// assert_eq!(field.evaluate(&[1, 2, 3, 4], Layout::Plain, 0..4, &[10]), [(1 + 20 + 300 + 4000) % 17]);
    /// # Ok::<(), stockham::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the array does not hold whole elements, the range does not lie within it, or z does not have as many words as
    /// an element.
    pub fn evaluate(self, values: &[u64], layout: Layout, elements: Range<usize>, z: &[u64]) -> Vec<u64> {
        with_word_count!(self.words(), L => self.evaluate_words::<L>(values, layout, elements, z).to_vec())
    }

    fn evaluate_words<const L: usize>(
        self,
        values: &[u64],
        layout: Layout,
        elements: Range<usize>,
        z: &[u64],
    ) -> [u64; L] {
        let len = values.len() / L;
        assert!(values.len().is_multiple_of(L) && z.len() == L, "an element has {L} words");
        assert!(elements.end <= len, "elements {elements:?} lie within the {len} there are");
        // In Montgomery's form z has plain products with plain numbers.
        let z = self.modulus.form(z);
        let (next_element, next_word) = layout.strides(L, len);
        let element = |i: usize| std::array::from_fn(|c| values[i * next_element + c * next_word]);
        let run = |i: usize| {
            let start = elements.start + i * RUN;
            self.horner((start..elements.end.min(start + RUN)).map(element), &z)
        };
        let runs = parallel::map(elements.len().div_ceil(RUN), 1, run);
        self.horner(runs.into_iter(), &self.modulus.power(&z, &[RUN as u64]))
    }

    fn horner<const L: usize>(self, terms: impl DoubleEndedIterator<Item = [u64; L]>, z: &[u64]) -> [u64; L] {
        let (p, inverse) = (&self.modulus.words, self.modulus.inverse);
        terms.rev().fold([0; L], |sum, term| {
            let mut next = [0; L];
            multiply(p, inverse, &sum, z, &mut next);
            add_modulo(p, &mut next, &term);
            next
        })
    }
}
