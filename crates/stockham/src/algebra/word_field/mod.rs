//! Prime fields ℤ/p of one machine word: those of provers and of encryption. An element is its residue below p, a `u32` if p is
//! below 2^31, and else a `u64`.
//!
//! Data are plain residues, or in Montgomery's form if the field says so. Products of two variables are Montgomery's, with R = 2^32
//! or 2^64: roots of unity stand in tables as ω·R, so that their products with data take no conversion. Products with roots that are
//! constants of a codelet are Shoup's; so are, of words of 64 bits, those with the roots between stages, which stand in tables with
//! their quotients. On the host elements stand as x·R.

mod arithmetic;
mod element;
mod evaluate;
mod lazy;
#[cfg(test)]
mod tests;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::prime_field::negated_inverse;
use super::{Digit, MachineWord, PrimeField, Root, Word};
use crate::error::{Error, Result};

pub(crate) use arithmetic::{WordModulus, montgomery, reduced};
pub use element::WordElement;
pub use lazy::Lazy;

/// The field ℤ/p of an odd prime p below 2^63, with elements of one word.
///
/// It is written and read as its [`PrimeField`] is.
///
/// ```
/// use stockham::algebra::{Word, WordField};
/// let field: WordField = "babybear".parse()?;
/// assert_eq!((field.modulus(), field.word(), field.two_adicity()), (0x78000001, Word::U32, 27));
/// assert!("bls12-381".parse::<WordField>().is_err());
/// # Ok::<(), stockham::Error>(())
/// ```
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(into = "PrimeField", try_from = "PrimeField")]
pub struct WordField {
    constants: &'static Constants,
}

/// What follows from the prime: one of each for the life of the process.
#[derive(Debug)]
pub(super) struct Constants {
    field: PrimeField,
    word: Word,
    prime: u64,
    /// Whether elements lie in memory as x·R mod p.
    is_montgomery: bool,
    /// 1/p mod R.
    inverse: u64,
    /// R mod p: 1 in Montgomery's form.
    one: u64,
    /// R² mod p, by which numbers come into it.
    square: u64,
}

impl Constants {
    /// Nothing if the prime is too long.
    pub(super) fn of(field: PrimeField) -> Option<Self> {
        let (word, width) = match field.bits() {
            0..32 => (Word::U32, 32),
            32..64 => (Word::U64, 64),
            _ => return None,
        };
        let prime = field.modulus()[0];
        let one = ((1u128 << width) % u128::from(prime)) as u64;
        let square = (u128::from(one) * u128::from(one) % u128::from(prime)) as u64;
        let (is_montgomery, inverse) = (field.is_montgomery(), negated_inverse(prime).wrapping_neg());
        Some(Self { field, word, prime, is_montgomery, inverse, one, square })
    }
}

impl WordField {
    /// The field with elements of one word.
    ///
    /// # Errors
    /// [`Error::Unsupported`] unless p is below 2^63.
    pub fn new(field: PrimeField) -> Result<Self> {
        match field.word_constants() {
            Some(constants) => Ok(Self { constants }),
            None => {
                let what = format!("elements of one word modulo {}", field.given());
                Err(Error::unsupported(what, "the prime is not below 2^63"))
            }
        }
    }

    /// The same field as one of words in general.
    pub fn field(self) -> PrimeField {
        self.constants.field
    }

    /// The same field with other roots of unity.
    ///
    /// # Errors
    /// As [`PrimeField::with_root`].
    pub fn with_root(self, root: &str) -> Result<Self> {
        Self::new(self.field().with_root(root)?)
    }

    /// The same field with other roots of unity: that of the given order is the smallest number that is one of this order exactly. SEAL
    /// and OpenFHE take it for 2n, twice the points of a negacyclic transform.
    ///
    /// ```
    /// use stockham::algebra::{Root, WordField};
    /// let field = "0x1000000000b00001".parse::<WordField>()?.with_smallest_root(1 << 13)?;
    /// let smallest = field.root(Root::new(1, 1 << 13));
    /// assert!((1..1 << 12).all(|k| field.root(Root::new(2 * k + 1, 1 << 13)) > smallest));
    /// # Ok::<(), stockham::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`] unless the order is a power of two up to 2^[`max_log_len`](Self::max_log_len).
    pub fn with_smallest_root(self, order: usize) -> Result<Self> {
        if !order.is_power_of_two() || order.ilog2() > self.max_log_len() {
            let limit = self.max_log_len();
            let what = format!("a root of order {order} over {}", self.given());
            return Err(Error::unsupported(what, format!("the order is a power of two up to 2^{limit}")));
        }
        // Its odd powers are all there are. What is the smallest one's exponent is that of a root of the whole order.
        let first = self.root(Root::new(usize::from(order > 1), order));
        let square = self.product(first, first);
        let odd =
            std::iter::successors(Some(first), |power| Some(self.product(*power, square))).take((order / 2).max(1));
        let exponent = odd.enumerate().min_by_key(|(_, root)| *root).map_or(1, |(k, _)| 2 * k as u64 + 1);
        let whole = self.root(Root::new(1, 1 << self.max_log_len()));
        let root = (0..u64::BITS).rev().fold(1, |power, bit| {
            let power = self.product(power, power);
            if exponent >> bit & 1 == 1 { self.product(power, whole) } else { power }
        });
        self.with_root(&root.to_string())
    }

    /// The same field with elements in Montgomery's form: in memory x is x·R mod p with R = 2^32, or 2^64 where elements are `u64`.
    /// It is how Plonky3 and RISC Zero have them; else as [`PrimeField::montgomery`].
    ///
    /// ```
    /// use stockham::algebra::WordField;
    /// let field = "babybear".parse::<WordField>()?.montgomery();
    /// assert_eq!(field.to_memory(1), ((1u64 << 32) % 0x7800_0001));
    /// assert_eq!(field.from_memory(field.to_memory(5)), 5);
    /// # Ok::<(), stockham::Error>(())
    /// ```
    pub fn montgomery(self) -> Self {
        self.of_same_prime(self.field().montgomery())
    }

    /// The same field with residues for elements.
    pub fn plain(self) -> Self {
        self.of_same_prime(self.field().plain())
    }

    fn of_same_prime(self, field: PrimeField) -> Self {
        field.word_constants().map_or(self, |constants| Self { constants })
    }

    /// Whether elements lie in memory [in Montgomery's form](Self::montgomery).
    pub fn is_montgomery(self) -> bool {
        self.constants.is_montgomery
    }

    /// The word of the element that a residue below p is in memory.
    pub fn to_memory(self, residue: u64) -> u64 {
        if self.is_montgomery() { self.in_form(residue) } else { residue }
    }

    /// The residue that an element in memory is.
    pub fn from_memory(self, word: u64) -> u64 {
        if !self.is_montgomery() {
            return word;
        }
        match self.word() {
            Word::U32 => self.out_of_form::<u32>(word),
            _ => self.out_of_form::<u64>(word),
        }
    }

    /// x·R mod p.
    pub(crate) fn in_form(self, residue: u64) -> u64 {
        self.product(residue, self.constants.one)
    }

    /// What products of words take.
    pub(crate) fn word_modulus<W: Digit + MachineWord>(self) -> WordModulus<W> {
        WordModulus { prime: W::truncated(self.modulus()), inverse: W::truncated(self.constants.inverse) }
    }

    /// 1/p mod R.
    pub(crate) fn inverse_of_modulus(self) -> u64 {
        self.constants.inverse
    }

    /// x/R mod p.
    fn out_of_form<W: Digit + MachineWord>(self, x: u64) -> u64 {
        let modulus = self.word_modulus();
        reduced(&montgomery(&modulus, &W::truncated(x), &W::truncated(1)), &modulus.prime).into()
    }

    /// p.
    pub fn modulus(self) -> u64 {
        self.constants.prime
    }

    /// What an element is: [`Word::U32`] or [`Word::U64`].
    pub fn word(self) -> Word {
        self.constants.word
    }

    /// Bytes of an element.
    pub fn bytes(self) -> usize {
        if self.word() == Word::U32 { 4 } else { 8 }
    }

    /// The number of binary digits of p.
    pub fn bits(self) -> u32 {
        self.field().bits()
    }

    /// The largest m such that 2^m divides p − 1.
    pub fn two_adicity(self) -> u32 {
        self.field().two_adicity()
    }

    /// The logarithm of the longest transform: the two-adicity, but at most 48.
    pub fn max_log_len(self) -> u32 {
        self.field().max_log_len()
    }

    /// Its name, or p in hexadecimal.
    pub fn name(self) -> &'static str {
        self.field().name()
    }

    /// The text by which it was asked for first, for messages.
    pub fn given(self) -> &'static str {
        self.field().given()
    }

    /// The fields that have names.
    pub fn named() -> impl Iterator<Item = Self> {
        PrimeField::named().filter_map(|field| Self::new(field).ok())
    }

    /// Whether there are roots of order n: it divides p − 1.
    pub fn has_root(self, n: usize) -> bool {
        self.field().has_root(n)
    }

    /// The root ω_n^k. The family is consistent: ω_{mn}^m = ω_n.
    ///
    /// # Panics
    /// If n does not divide p − 1.
    pub fn root(self, root: Root) -> u64 {
        self.field().root(root)[0]
    }

    /// Checks that words are elements below p.
    ///
    /// # Errors
    /// [`Error::FieldValue`] naming the first that is not.
    pub fn check<D: Digit>(self, values: &[D]) -> Result<()> {
        match values.iter().position(|&value| value.into() >= self.modulus()) {
            None => Ok(()),
            Some(index) => Err(self.refusal(index, values[index].into())),
        }
    }

    pub(crate) fn refusal(self, index: usize, value: u64) -> Error {
        Error::FieldValue { index, value, field: self.given(), modulus: self.modulus() }
    }

    /// ω·R mod p for every root ω.
    pub(super) fn roots_in_form(self, roots: &[Root]) -> impl Iterator<Item = u64> {
        let forms = self.field().roots(roots).into_iter();
        forms.map(move |root| self.product(root[0], self.constants.one))
    }

    /// x·y for residues.
    pub fn multiply(self, x: u64, y: u64) -> u64 {
        self.product(x % self.modulus(), y)
    }

    /// s^(i·step)·R mod p for every i below a count.
    pub(super) fn powers_in_form(self, s: u64, step: usize, count: usize) -> impl Iterator<Item = u64> {
        self.powers(s, step, count, self.constants.one)
    }

    /// s^(i·step)·first mod p for every i below a count.
    pub(super) fn powers(self, s: u64, step: usize, count: usize, first: u64) -> impl Iterator<Item = u64> {
        let mut power = s;
        let factor = (0..usize::BITS).fold(1, |product, bit| {
            let factor = if step >> bit & 1 == 1 { power } else { 1 };
            power = self.product(power, power);
            self.product(product, factor)
        });
        std::iter::successors(Some(first), move |power| Some(self.product(*power, factor))).take(count)
    }

    /// x·y mod p.
    fn product(self, x: u64, y: u64) -> u64 {
        (u128::from(x) * u128::from(y) % u128::from(self.modulus())) as u64
    }

    /// 1/n, for n that is no multiple of p.
    pub fn inverse_of(self, n: usize) -> u64 {
        self.field().inverse_of(&[n as u64 % self.modulus()])[0]
    }

    /// What makes the product of two elements that is divided by R an element: R, or 1 in Montgomery's form.
    pub(crate) fn product_factor(self) -> u64 {
        if self.is_montgomery() { 1 } else { self.constants.one }
    }

    /// Whether products of words by roots that are looked up take a quotient beside each.
    pub(crate) fn has_pairs(self) -> bool {
        self.word() == Word::U64
    }

    /// Residues that multiply, each followed by its quotient.
    pub(super) fn pairs(self, residues: impl Iterator<Item = u64>) -> impl Iterator<Item = u64> {
        residues.flat_map(move |c| [c, self.quotient(c)])
    }

    /// ⌊c·R/p⌋.
    pub(crate) fn quotient(self, c: u64) -> u64 {
        ((u128::from(c) << (8 * self.bytes())) / u128::from(self.modulus())) as u64
    }
}

impl PartialEq for WordField {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.constants, other.constants)
    }
}

impl Eq for WordField {}

impl Hash for WordField {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.field().hash(state);
    }
}

impl fmt::Display for WordField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for WordField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WordField({})", self.name())
    }
}

impl FromStr for WordField {
    type Err = Error;
    /// A name, or p in decimal, or in hexadecimal after 0x.
    ///
    /// # Errors
    /// As a [`PrimeField`] is read; as [`WordField::new`].
    fn from_str(text: &str) -> Result<Self> {
        Self::new(text.parse()?)
    }
}

impl TryFrom<PrimeField> for WordField {
    type Error = Error;
    fn try_from(field: PrimeField) -> Result<Self> {
        Self::new(field)
    }
}

impl From<WordField> for PrimeField {
    fn from(field: WordField) -> Self {
        field.field()
    }
}
