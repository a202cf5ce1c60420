//! Prime fields ℤ/p with p of any form, up to 2^2047: those of pairings and of residue number systems. An element is its
//! residue below p, in 64-bit words.
//!
//! Products are Montgomery's (P. L. Montgomery, "Modular multiplication without trial division", 1985): with R = 2^(64·L)
//! for L words, x ∘ y = x·y/R mod p takes no division. Data are plain residues; the roots of unity stand in tables as
//! ω·R, so that x ∘ ωR = x·ω, and nothing is ever converted. Kernels over up to [`PAIRED_WORDS`] words multiply by roots that they look
//! up for one product, and by constants, by way of quotients instead.

mod arithmetic;
mod element;
mod evaluate;
mod modulus;
mod names;
#[cfg(test)]
mod tests;
mod text;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::big_prime::limbs as numbers;
use super::{BigPrime, Layout};
use crate::error::{Error, Result};

pub(super) use arithmetic::negated_inverse;
pub use element::Residue;
pub use names::RootPreset;
pub(super) use text::primitives;

use modulus::Modulus;

/// Words up to which products by roots and constants go by their quotients (V. Shoup): with q = ⌊ω·R/p⌋ beside ω, x·ω is
/// x·ω − ⌊x·q/R⌋·p, less p once. Of three halves of products of so many words each, two are lower halves, whose last words are short.
const PAIRED_WORDS: usize = 4;

/// The field ℤ/p of an odd prime p.
///
/// It is written as its name, or else as p in hexadecimal, and read as either, or in decimal:
///
/// ```
/// use stockham::algebra::PrimeField;
/// let field: PrimeField = "bls12-381".parse()?;
/// assert_eq!((field.bits(), field.words(), field.two_adicity()), (255, 4, 32));
/// let small: PrimeField = "998244353".parse()?;
/// assert_eq!((small.name(), small.two_adicity()), ("0x3b800001", 23));
/// assert!("998244355".parse::<PrimeField>().is_err());
/// # Ok::<(), stockham::Error>(())
/// ```
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct PrimeField {
    modulus: &'static Modulus,
}

impl PrimeField {
    /// The field of the prime with these 64-bit words, the lowest first.
    ///
    /// Below 2^64 the test of primality is a proof; beyond, a composite passes with a probability below 2^-80 (Miller and
    /// Rabin's test with 40 bases).
    ///
    /// # Errors
    /// [`Error::Unsupported`] unless p is odd, at least 3 and has at most 2047 bits, and if it is found to be composite.
    pub fn new(words: &[u64]) -> Result<Self> {
        names::find_or_make(words)
    }

    /// The field of a big prime, with the same roots of unity, but with residues for elements and no use made of the
    /// prime's form.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if p has more than 2047 bits.
    pub fn of(prime: BigPrime) -> Result<Self> {
        names::of_big_prime(prime)
    }

    /// p, in 64-bit words, the lowest first.
    pub fn modulus(self) -> &'static [u64] {
        &self.modulus.words
    }

    /// The number of 64-bit words of an element: 1, 2, 4, 8, 16 or 32.
    pub fn words(self) -> usize {
        self.modulus.words.len()
    }

    /// The number of binary digits of p.
    pub fn bits(self) -> u32 {
        arithmetic::bits(&self.modulus.words)
    }

    /// The largest m such that 2^m divides p − 1.
    pub fn two_adicity(self) -> u32 {
        self.modulus.two_adicity
    }

    /// The logarithm of the longest transform: the two-adicity, but at most 48.
    pub fn max_log_len(self) -> u32 {
        self.two_adicity().min(48)
    }

    /// The same field with other roots of unity: powers of this one, whose order is 2^[`two_adicity`](Self::two_adicity). It is
    /// the name of one of the [presets](Self::root_presets), or a number in decimal, or in hexadecimal after 0x.
    ///
    /// ```
    /// use stockham::algebra::{PrimeField, Root};
    /// let field = "babybear".parse::<PrimeField>()?.with_root("risc0")?;
    /// assert_eq!((field.name(), field.root(Root::new(1, 1 << 27))), ("babybear@0x89", vec![137]));
    /// assert_eq!("babybear@137".parse::<PrimeField>()?, field);
    /// # Ok::<(), stockham::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Root`] for a number of another order; [`Error::Syntax`] for what is neither.
    pub fn with_root(self, root: &str) -> Result<Self> {
        names::with_root(self, root.trim())
    }

    /// The same field with elements in Montgomery's form: in memory x is x·R mod p, with R = 2^(64·[`words`](Self::words)), or 2^32 for
    /// a [`WordField`](super::WordField) of `u32`. Its name has `/montgomery` behind it. Transforms are the same ones; products of
    /// elements know the form. Numbers that tell of a field or a transform, as roots, cosets and scales, are residues all the same.
    ///
    /// ```
    /// use stockham::algebra::PrimeField;
    /// let field = "17".parse::<PrimeField>()?.montgomery();
    /// assert_eq!((field.name(), field.to_memory(&[3])), ("0x11/montgomery", vec![3])); // 2^64 = 16^16 = 1
    /// assert_eq!("17/montgomery".parse::<PrimeField>()?, field);
    /// # Ok::<(), stockham::Error>(())
    /// ```
    pub fn montgomery(self) -> Self {
        names::montgomery(self)
    }

    /// The same field with residues for elements.
    pub fn plain(self) -> Self {
        names::plain(self)
    }

    /// Whether elements lie in memory [in Montgomery's form](Self::montgomery).
    pub fn is_montgomery(self) -> bool {
        self.modulus.is_montgomery
    }

    /// The words of the element that a residue below p is in memory.
    pub fn to_memory(self, residue: &[u64]) -> Vec<u64> {
        if self.is_montgomery() { self.modulus.form(residue) } else { residue.to_vec() }
    }

    /// The residue that an element in memory is.
    pub fn from_memory(self, words: &[u64]) -> Vec<u64> {
        if self.is_montgomery() { self.modulus.plain(words) } else { words.to_vec() }
    }

    /// The roots of other libraries, where they are known.
    pub fn root_presets(self) -> impl Iterator<Item = RootPreset> {
        names::presets(self)
    }

    /// g, of which the roots of unity are powers: ω of order 2^m is g^((p − 1)/2^m). It is the generator that other
    /// libraries take for the fields that have names, and else the smallest quadratic non-residue; nothing for the fields
    /// [of](Self::of) big primes, which have those primes' roots, and for those [with roots](Self::with_root) of their own.
    pub fn generator(self) -> Option<u64> {
        self.modulus.generator()
    }

    /// Its name, or p in hexadecimal.
    pub fn name(self) -> &'static str {
        &self.modulus.name
    }

    /// The text by which it was asked for first, for messages: a prime in decimal perhaps, or else its [name](Self::name).
    pub fn given(self) -> &'static str {
        self.modulus.given.get().map_or(&self.modulus.name, String::as_str)
    }

    /// The fields that have names.
    pub fn named() -> impl Iterator<Item = Self> {
        names::named()
    }

    /// Checks that words are elements below p.
    ///
    /// # Errors
    /// [`Error::Residue`] naming the first that is not; [`Error::BufferLength`] if the array does not hold whole elements.
    pub fn check(self, values: &[u64], layout: Layout) -> Result<()> {
        let words = self.words();
        if !values.len().is_multiple_of(words) {
            let expected = values.len().next_multiple_of(words);
            return Err(Error::BufferLength { buffer: "array of residues", expected, found: values.len() });
        }
        let len = values.len() / words;
        let (next_element, next_word) = layout.strides(words, len);
        let mut value = vec![0; words];
        (0..len).try_for_each(|i| {
            value.iter_mut().enumerate().for_each(|(c, word)| *word = values[i * next_element + c * next_word]);
            self.check_element(i, &value)
        })
    }

    /// The words of a number below p in decimal, or in hexadecimal after 0x.
    ///
    /// # Errors
    /// [`Error::Syntax`].
    pub fn parse(self, text: &str) -> Result<Vec<u64>> {
        let number = numbers::parse(text.trim(), self.words()).map(|mut words| {
            words.resize(self.words(), 0);
            words
        });
        number.filter(|words| arithmetic::less(words, self.modulus())).ok_or_else(|| Error::Syntax {
            what: "an element of the field",
            found: text.chars().take(40).collect(),
            expected: format!("a number below the prime of {}, decimal or hexadecimal after 0x", self.given()),
        })
    }

    /// The number with these words in decimal.
    pub fn to_decimal(self, words: &[u64]) -> String {
        numbers::to_decimal(words.to_vec())
    }

    /// What its elements of one word need, if p is short enough.
    pub(super) fn word_constants(self) -> Option<&'static super::word_field::Constants> {
        self.modulus.word.get_or_init(|| super::word_field::Constants::of(self)).as_ref()
    }

    pub(crate) fn check_element(self, element: usize, value: &[u64]) -> Result<()> {
        if arithmetic::less(value, &self.modulus.words) {
            return Ok(());
        }
        Err(Error::Residue { element, field: self.given() })
    }

    /// 1/x for a residue that is not 0.
    pub(super) fn inverse_of(self, x: &[u64]) -> Vec<u64> {
        self.modulus.plain(&self.modulus.inverse_of(&self.modulus.form(x)))
    }

    /// Many roots, at a product each.
    pub(super) fn roots(self, roots: &[super::Root]) -> Vec<Vec<u64>> {
        self.modulus.roots(roots).iter().map(|root| self.modulus.plain(root)).collect()
    }

    /// ω·R for every root ω.
    pub(super) fn roots_in_form(self, roots: &[super::Root]) -> Vec<Vec<u64>> {
        self.modulus.roots(roots)
    }

    /// Whether roots that are looked up, and the constants of kernels, have their quotients beside them.
    pub(crate) fn has_pairs(self) -> bool {
        (2..=PAIRED_WORDS).contains(&self.words())
    }

    /// The residue x that stands as x·R, followed by its quotient ⌊x·R/p⌋.
    pub(super) fn pair(self, form: &[u64]) -> Vec<u64> {
        [self.modulus.plain(form), self.modulus.quotient(form)].concat()
    }

    /// ω·R.
    pub(super) fn root_in_form(self, root: super::Root) -> Vec<u64> {
        self.modulus.root(root)
    }

    /// (ω + 1/ω)/2·R, and (ω − 1/ω)/2·R.
    pub(super) fn halves_in_form(self, root: super::Root) -> [Vec<u64>; 2] {
        let (p, [root, inverse]) = (self.modulus(), [root, root.inverse()].map(|root| self.modulus.root(root)));
        let (mut sum, mut difference) = (root.clone(), root);
        arithmetic::add_modulo(p, &mut sum, &inverse);
        arithmetic::subtract_modulo(p, &mut difference, &inverse);
        let half = self.modulus.inverse_of_pow2(1);
        [sum, difference].map(|x| self.modulus.multiply(&x, &half))
    }

    /// s^(i·step)·R for every i below a count.
    pub(super) fn powers_in_form(self, s: &[u64], step: usize, count: usize) -> impl Iterator<Item = Vec<u64>> {
        let factor = self.modulus.power(&self.modulus.form(s), &[step as u64]);
        let one = self.modulus.power(&factor, &[0]);
        std::iter::successors(Some(one), move |power| Some(self.modulus.multiply(power, &factor))).take(count)
    }

    /// x·y·R of x·R and y·R.
    pub(super) fn product_in_form(self, x: &[u64], y: &[u64]) -> Vec<u64> {
        self.modulus.multiply(x, y)
    }

    /// R/n.
    pub(super) fn inverse_in_form(self, n: usize) -> Vec<u64> {
        self.modulus.inverse_of_number(n)
    }
}

impl PartialEq for PrimeField {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.modulus, other.modulus)
    }
}

impl Eq for PrimeField {}

impl Hash for PrimeField {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.modulus.name.hash(state);
    }
}

impl fmt::Display for PrimeField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for PrimeField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrimeField({})", self.name())
    }
}

impl FromStr for PrimeField {
    type Err = Error;
    /// A name, or p in decimal, or in hexadecimal after 0x; with @ behind and a [root](Self::with_root), or without.
    ///
    /// # Errors
    /// [`Error::Syntax`] if the text is neither; otherwise as [`PrimeField::new`] and [`PrimeField::with_root`].
    fn from_str(text: &str) -> Result<Self> {
        names::parse(text.trim())
    }
}

impl TryFrom<String> for PrimeField {
    type Error = Error;
    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<PrimeField> for String {
    fn from(field: PrimeField) -> Self {
        field.name().into()
    }
}
