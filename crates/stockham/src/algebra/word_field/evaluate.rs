//! Polynomials at a place, for checks of transforms.

use std::ops::Range;

use super::arithmetic::{WordModulus, montgomery, reduced};
use super::{Digit, WordField};
use crate::algebra::MachineWord;
use crate::parallel;

/// Elements that one task takes.
const RUN: usize = 1 << 10;

impl WordField {
    /// The value at z of the polynomial whose coefficients are a range of the elements in an array, the constant one
    /// first: Σ x\[start + j\]·z^j, by Horner's rule. It takes a product an element and runs on all cores.
    ///
    /// ```
    /// use stockham::algebra::WordField;
    /// let field: WordField = "17".parse()?;
    /// assert_eq!(field.evaluate(&[1u32, 2, 3, 4], 0..4, 10), (1 + 20 + 300 + 4000) % 17);
    /// # Ok::<(), stockham::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the range does not lie within the array.
    pub fn evaluate<W: Digit + MachineWord>(self, values: &[W], elements: Range<usize>, z: u64) -> u64 {
        let values = &values[elements];
        // In Montgomery's form z has plain products with plain numbers.
        let z = self.multiply(z, self.constants.one);
        let modulus =
            WordModulus { prime: W::truncated(self.modulus()), inverse: W::truncated(self.constants.inverse) };
        let product = |x: W, y: W| reduced(&montgomery(&modulus, &x, &y), &modulus.prime);
        let horner = |terms: &[W], z: W| {
            terms.iter().rev().fold(W::truncated(0), |sum, term| reduced(&product(sum, z).plus(term), &modulus.prime))
        };
        let z = W::truncated(z);
        let runs = parallel::map(values.len().div_ceil(RUN), 1, |i| {
            horner(&values[i * RUN..values.len().min((i + 1) * RUN)], z)
        });
        let power = (0..RUN.ilog2()).fold(z, |power, _| product(power, power));
        horner(&runs, power).into()
    }
}
