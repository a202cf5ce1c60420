//! Sums and products modulo p = 2^31 − 1 in kernels of the circle FFT: 32 bits hold two multiples of p, so that words that are
//! signed wait for the next layer unreduced.

use super::{Circuit, Primitive};
use crate::algebra::{Root, Word};

/// p.
pub(crate) const PRIME: u32 = (1 << 31) - 1;

/// An element as a word in two's complement, with a sign that is applied when it costs nothing: a ± b absorbs it.
#[derive(Debug, Clone)]
pub struct Mersenne<S> {
    word: S,
    /// The word is from −p to p, or else from 0 to p, which is 0, too.
    is_signed: bool,
    negated: bool,
}

/// What a kernel looks up of a factor: twice the one of least magnitude, in two's complement.
pub(crate) fn doubled(factor: u32) -> u32 {
    if factor > PRIME / 2 { factor.wrapping_sub(PRIME) << 1 } else { factor << 1 }
}

impl<S: Circuit> Mersenne<S> {
    /// The element with a word below p; or what a kernel looks up of a factor, which only multiplies.
    pub(super) fn new(word: S) -> Self {
        Self { word, is_signed: false, negated: false }
    }

    /// The same of a word that [`stored`](Self::stored) gave.
    pub(super) fn of_stored(self) -> Self {
        Self { is_signed: true, ..self }
    }

    /// A word to go on with later.
    pub(super) fn stored(self) -> S {
        if self.negated { self.word.literal(0).minus(&self.word) } else { self.word }
    }

    /// The residue below p.
    pub(super) fn canonical(self) -> S {
        let is_signed = self.is_signed || self.negated;
        let word = Self { is_signed, ..Self::new(self.stored()) }.magnitude();
        word.least(&word.minus(&word.literal(PRIME.into())))
    }

    /// The word from 0 to p, but for the sign. As an unsigned one, a negative word is above all that are not.
    fn magnitude(&self) -> S {
        if self.is_signed {
            self.word.least(&self.word.plus(&self.word.literal(PRIME.into())))
        } else {
            self.word.clone()
        }
    }

    pub(super) fn add(&self, rhs: &Self) -> Self {
        let (a, b) = (self.magnitude(), rhs.magnitude());
        let (word, negated) = match (self.negated, rhs.negated) {
            (false, true) => (a.minus(&b), false),
            (true, false) => (b.minus(&a), false),
            (_, negated) => (a.plus(&b).minus(&a.literal(PRIME.into())), negated),
        };
        Self { word, is_signed: true, negated }
    }

    pub(super) fn sub(&self, rhs: &Self) -> Self {
        self.add(&rhs.clone().neg())
    }

    pub(super) fn neg(self) -> Self {
        Self { negated: !self.negated, ..self }
    }

    /// self times a factor that the kernel looked up.
    pub(super) fn mul(&self, factor: &Self) -> Self {
        self.by(&factor.word)
    }

    /// self times 1 or −1, the only roots that the field has of a power of two for order.
    pub(super) fn mul_root(&self, root: Root) -> Self {
        match root.order() {
            1 => self.clone(),
            2 => self.clone().neg(),
            order => unreachable!("layers have no roots of order {order}"),
        }
    }

    /// self / n, for a power of two n.
    pub(super) fn over(&self, n: usize) -> Self {
        self.by(&self.word.literal(doubled(1 << ((31 - n.ilog2()) % 31)).into()))
    }

    fn by(&self, doubled: &S) -> Self {
        let product = Primitive { name: "m31_mul", gives: Word::U32 };
        Self { word: self.word.call(product, &[&self.word, doubled]), is_signed: true, negated: self.negated }
    }
}
