//! Elements of word fields in kernels: words that are not reduced before they have to be.

use super::WordField;
use super::arithmetic::{WordModulus, by_constant, montgomery, reduced};
use crate::algebra::{Circuit, OfModulus, Root, Word};

/// An element as a word that may be larger than p, and with a sign that is applied when it costs nothing: a ± b absorbs it,
/// as do products.
#[derive(Debug, Clone)]
pub struct Lazy<S> {
    field: WordField,
    word: S,
    /// The word is below so many p, which is at most R.
    bound: u64,
    negated: bool,
    /// ⌊c·R/p⌋ where the word is a root c below p that only multiplies; other roots stand as c·R.
    quotient: Option<S>,
}

/// What words between two stages, and between two passes, are below, in p, where words have room for it: products take them as
/// they are.
const MOST_STORED: u64 = 16;

/// Multiples of p that are subtracted from words of 64 bits one after the other, each half of the one before: beyond, a product
/// with 1 takes less.
const MOST_SUBTRACTED: u64 = 4;

impl<S: Circuit> Lazy<S> {
    /// The element with a word below p.
    pub(crate) fn new(field: WordField, word: S) -> Self {
        Self { field, word, bound: 1, negated: false, quotient: None }
    }

    /// The root c with ⌊c·R/p⌋, which only multiplies.
    pub(crate) fn of_pair(field: WordField, [c, quotient]: [S; 2]) -> Self {
        Self { quotient: Some(quotient), ..Self::new(field, c) }
    }

    /// The same of a word that [`stored`](Self::stored) gave.
    pub(crate) fn of_stored(self) -> Self {
        Self { bound: self.most_stored(), ..self }
    }

    /// A word to go on with later.
    pub(crate) fn stored(self) -> S {
        let most = self.most_stored();
        self.positive().below(most).word
    }

    /// The residue below p.
    pub(crate) fn canonical(self) -> S {
        self.positive().below(1).word
    }

    fn most_stored(&self) -> u64 {
        self.room().min(MOST_STORED)
    }

    /// The multiples of p that are words. Where p is data, it is any of no more binary digits.
    fn room(&self) -> u64 {
        if self.word.of_modulus(OfModulus::Prime).is_some() {
            return 1 << (8 * self.field.bytes() as u32 - self.field.bits());
        }
        match self.field.word() {
            Word::U32 => (1 << 32) / self.field.modulus(),
            _ => u64::MAX / self.field.modulus(),
        }
    }

    fn multiple(&self, count: u64) -> S {
        match self.word.of_modulus(OfModulus::Prime) {
            Some([prime, _]) => prime.times(&self.word.literal(count)),
            None => self.word.literal(count * self.field.modulus()),
        }
    }

    fn modulus(&self) -> WordModulus<S> {
        let literals = || [self.field.constants.prime, self.field.constants.inverse].map(|c| self.word.literal(c));
        let [prime, inverse] = self.word.of_modulus(OfModulus::Prime).unwrap_or_else(literals);
        WordModulus { prime, inverse }
    }

    /// The same element below so many p.
    fn below(mut self, bound: u64) -> Self {
        let is_known = self.word.of_modulus(OfModulus::Prime).is_none();
        if bound == 1 && self.bound > MOST_SUBTRACTED && self.field.word() == Word::U64 && is_known {
            let [one, quotient] = [1, self.field.quotient(1)].map(|word| self.word.literal(word));
            self = Self { word: by_constant(&self.multiple(1), &self.word, [&one, &quotient]), bound: 2, ..self };
        }
        while self.bound > bound {
            let half = self.bound.div_ceil(2);
            self = Self { word: reduced(&self.word, &self.multiple(half)), bound: half, ..self };
        }
        self
    }

    /// The same element without a sign. Of 0 the word is a multiple of p, which is not below as many.
    fn positive(self) -> Self {
        if !self.negated {
            return self;
        }
        let this = if self.bound < self.room() { self } else { self.below(1) };
        Self { word: this.multiple(this.bound).minus(&this.word), bound: this.bound + 1, negated: false, ..this }
    }

    /// Both below bounds whose sum is a word.
    fn fitting(&self, rhs: &Self) -> (Self, Self) {
        let (mut a, mut b) = (self.clone(), rhs.clone());
        while a.bound + b.bound > self.room() {
            let larger = if a.bound > b.bound { &mut a } else { &mut b };
            *larger = larger.clone().below(larger.bound.div_ceil(2));
        }
        (a, b)
    }

    pub(crate) fn add(&self, rhs: &Self) -> Self {
        match (self.negated, rhs.negated) {
            (false, true) => self.difference(rhs),
            (true, false) => rhs.difference(self),
            (_, negated) => {
                let (a, b) = self.fitting(rhs);
                Self { word: a.word.plus(&b.word), bound: a.bound + b.bound, negated, ..a }
            }
        }
    }

    pub(crate) fn sub(&self, rhs: &Self) -> Self {
        self.add(&rhs.clone().neg())
    }

    /// The difference of the words.
    fn difference(&self, rhs: &Self) -> Self {
        let (a, b) = self.fitting(rhs);
        let word = a.word.plus(&a.multiple(b.bound)).minus(&b.word);
        Self { word, bound: a.bound + b.bound, negated: false, ..a }
    }

    pub(crate) fn neg(self) -> Self {
        Self { negated: !self.negated, ..self }
    }

    /// self · rhs / R: the product where one of them stands in Montgomery's form.
    pub(crate) fn mul(&self, rhs: &Self) -> Self {
        if let Some(quotient) = &rhs.quotient {
            let product = self.by([rhs.word.clone(), quotient.clone()]);
            return Self { negated: self.negated != rhs.negated, ..product };
        }
        // x·y/R + p, for the most of x and y.
        let bound = |rhs: &Self| self.bound.saturating_mul(rhs.bound).div_ceil(self.room()) + 1;
        let rhs = if bound(rhs) <= 2.max(self.room() / 4) { rhs.clone() } else { rhs.clone().below(1) };
        let word = montgomery(&self.modulus(), &self.word, &rhs.word);
        Self { word, bound: bound(&rhs), negated: self.negated != rhs.negated, ..rhs }
    }

    /// The product of two elements as they lie in memory.
    pub(crate) fn product(&self, rhs: &Self) -> Self {
        let product = self.mul(rhs);
        if let Some(factor) = self.word.of_modulus(OfModulus::Product) {
            return product.by(factor);
        }
        if self.field.is_montgomery() { product } else { product.times(self.field.constants.one) }
    }

    /// self · c for a residue c.
    pub(crate) fn times(&self, c: u64) -> Self {
        self.by([c, self.field.quotient(c)].map(|word| self.word.literal(word)))
    }

    /// self · c for c and ⌊c·R/p⌋.
    fn by(&self, [c, quotient]: [S; 2]) -> Self {
        let word = by_constant(&self.multiple(1), &self.word, [&c, &quotient]);
        Self { word, bound: 2, ..self.clone() }
    }

    pub(crate) fn mul_root(&self, root: Root) -> Self {
        match root.order() {
            1 => self.clone(),
            2 => self.clone().neg(),
            order if root.exponent() > order / 2 && self.word.of_modulus(OfModulus::Prime).is_some() => {
                self.clone().neg().mul_root(Root::new(root.exponent() - order / 2, order))
            }
            _ => match self.word.of_modulus(OfModulus::Root(root)) {
                Some(root) => self.by(root),
                None => self.times(self.field.root(root)),
            },
        }
    }

    /// self / n.
    pub(crate) fn over(&self, n: usize) -> Self {
        match self.word.of_modulus(OfModulus::Scale) {
            Some(scale) => self.by(scale),
            None => self.times(self.field.inverse_of(n)),
        }
    }

    /// self · (ω + 1/ω)/2, and self · (ω − 1/ω)/2: constants of the field.
    pub(crate) fn mul_cos(&self, root: Root) -> Self {
        self.times(self.half(self.field.root(root), self.field.root(root.inverse())))
    }

    pub(crate) fn mul_sin(&self, root: Root) -> Self {
        let inverse = self.field.root(root.inverse());
        self.times(self.half(self.field.root(root), (self.field.modulus() - inverse) % self.field.modulus()))
    }

    /// (x + y)/2.
    fn half(&self, x: u64, y: u64) -> u64 {
        let sum = (u128::from(x) + u128::from(y)) % u128::from(self.field.modulus());
        self.field.multiply(sum as u64, self.field.inverse_of(2))
    }
}
