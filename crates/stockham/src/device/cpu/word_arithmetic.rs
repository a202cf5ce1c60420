//! What stages do with words that stand for elements of a field, as loops that the compiler makes vectors of.

use crate::algebra::{
    Data, Digit, Goldilocks, MachineWord, Numbers, NumericRing, Root, Scale, WordField, WordModulus, montgomery,
    reduced,
};
use crate::error::Error;

use super::lanes::{Operation, compiled};

/// Sums, differences and products of words below p.
pub(super) trait Arithmetic: Copy + Send + Sync {
    type Word: Data;

    /// The first of some words that stands for no element, and what is said of it, as number `index(j)`.
    fn refused(self, words: &[Self::Word], index: impl Fn(usize) -> usize) -> Option<(usize, Error)>;
    /// A word below p, of one that stands for the same element.
    fn taken(self, x: Self::Word) -> Self::Word;
    fn sum(self, x: Self::Word, y: Self::Word) -> Self::Word;
    fn difference(self, x: Self::Word, y: Self::Word) -> Self::Word;
    /// Of a word and a factor, which may have a form of its own; of two factors a factor.
    fn product(self, x: Self::Word, factor: Self::Word) -> Self::Word;
    /// A residue as a factor.
    fn factor(self, residue: u64) -> Self::Word;
    /// 1/n as a factor, for n that is no multiple of p.
    fn inverse_of(self, n: usize) -> Self::Word;
    /// A root of unity as a factor.
    ///
    /// # Panics
    /// If the field has no roots of that order.
    fn root(self, root: Root) -> Self::Word;

    /// The first powers of a factor, as factors.
    fn powers(self, factor: Self::Word, count: usize) -> impl Iterator<Item = Self::Word> {
        std::iter::successors(Some(self.factor(1)), move |power| Some(self.product(*power, factor))).take(count)
    }

    /// The words of a line times one factor, or a factor each; as they are for none.
    fn multiply(self, line: &mut [Self::Word], factors: &[Self::Word]) {
        compiled(Factors { arithmetic: self, line, factors });
    }
}

struct Factors<'a, A: Arithmetic> {
    arithmetic: A,
    line: &'a mut [A::Word],
    factors: &'a [A::Word],
}

impl<A: Arithmetic> Operation for Factors<'_, A> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        match *self.factors {
            [] => {}
            [factor] => self.line.iter_mut().for_each(|x| *x = self.arithmetic.product(*x, factor)),
            _ => self.line.iter_mut().zip(self.factors).for_each(|(x, w)| *x = self.arithmetic.product(*x, *w)),
        }
    }
}

/// That of a word field. Factors stand as ω·R, so that their products with words are Montgomery's.
#[derive(Clone, Copy)]
pub(super) struct Montgomery<W> {
    field: WordField,
    modulus: WordModulus<W>,
}

impl<W: Digit + MachineWord> Montgomery<W> {
    pub fn new(field: WordField) -> Self {
        Self { field, modulus: field.word_modulus() }
    }
}

impl<W: Digit + MachineWord> Arithmetic for Montgomery<W> {
    type Word = W;

    fn refused(self, words: &[W], index: impl Fn(usize) -> usize) -> Option<(usize, Error)> {
        let p = W::truncated(self.field.modulus());
        // The largest first, as a loop of vectors.
        words.iter().copied().max().filter(|most| *most >= p)?;
        let j = words.iter().position(|word| *word >= p)?;
        Some((index(j), self.field.refusal(index(j), words[j].into())))
    }
    #[inline(always)]
    fn taken(self, x: W) -> W {
        x
    }
    #[inline(always)]
    fn sum(self, x: W, y: W) -> W {
        reduced(&x.plus(&y), &self.modulus.prime)
    }
    #[inline(always)]
    fn difference(self, x: W, y: W) -> W {
        reduced(&x.plus(&self.modulus.prime).minus(&y), &self.modulus.prime)
    }
    #[inline(always)]
    fn product(self, x: W, y: W) -> W {
        reduced(&montgomery(&self.modulus, &x, &y), &self.modulus.prime)
    }
    fn factor(self, residue: u64) -> W {
        W::truncated(self.field.in_form(residue))
    }
    fn inverse_of(self, n: usize) -> W {
        self.factor(self.field.inverse_of(n))
    }
    fn root(self, root: Root) -> W {
        self.factor(self.field.root(root))
    }
}

/// That of the Goldilocks field without branches and in products of halves of words, which vectors have. Words from p on stand for
/// their residues.
#[derive(Clone, Copy)]
pub(super) struct OfGoldilocks {
    /// Of which power of the field's own roots the roots are.
    pub power: u64,
}

impl OfGoldilocks {
    /// With the field's own roots.
    pub fn own() -> Self {
        Self { power: 1 }
    }
}

const EPSILON: u64 = Goldilocks::EPSILON;

impl Arithmetic for OfGoldilocks {
    type Word = Goldilocks;

    fn refused(self, _: &[Goldilocks], _: impl Fn(usize) -> usize) -> Option<(usize, Error)> {
        None
    }
    #[inline(always)]
    fn taken(self, x: Goldilocks) -> Goldilocks {
        Goldilocks::reduce(word(x))
    }
    #[inline(always)]
    fn sum(self, x: Goldilocks, y: Goldilocks) -> Goldilocks {
        element(difference(word(x), Goldilocks::MODULUS - word(y)))
    }
    #[inline(always)]
    fn difference(self, x: Goldilocks, y: Goldilocks) -> Goldilocks {
        element(difference(word(x), word(y)))
    }
    #[inline(always)]
    fn product(self, x: Goldilocks, y: Goldilocks) -> Goldilocks {
        product(word(x), word(y))
    }
    fn factor(self, residue: u64) -> Goldilocks {
        Goldilocks::reduce(residue)
    }
    fn inverse_of(self, n: usize) -> Goldilocks {
        Goldilocks::one().scaled(Scale::Inverse(n))
    }
    fn root(self, root: Root) -> Goldilocks {
        Goldilocks::root(root).pow(self.power)
    }
}

#[inline(always)]
fn word(x: Goldilocks) -> u64 {
    bytemuck::must_cast(x)
}

#[inline(always)]
fn element(word: u64) -> Goldilocks {
    bytemuck::must_cast(word)
}

#[inline(always)]
fn difference(x: u64, y: u64) -> u64 {
    x.wrapping_sub(y).wrapping_add(if x < y { Goldilocks::MODULUS } else { 0 })
}

/// Of 128 bits x = a + b·2^64 + c·2^96 = a + b·(2^32 − 1) − c.
#[inline(always)]
fn product(x: u64, y: u64) -> Goldilocks {
    let halves = |x: u64| (x & EPSILON, x >> 32);
    let ((x0, x1), (y0, y1)) = (halves(x), halves(y));
    let lowest = x0 * y0;
    let one = x1 * y0 + (lowest >> 32);
    let other = x0 * y1 + (one & EPSILON);
    let (b, c) = halves(x1 * y1 + (one >> 32) + (other >> 32));
    let a = other << 32 | lowest & EPSILON;
    let less = a.wrapping_sub(c).wrapping_sub(if a < c { EPSILON } else { 0 });
    let more = (b << 32) - b;
    let all = less.wrapping_add(more);
    Goldilocks::reduce(all.wrapping_add(if all < more { EPSILON } else { 0 }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Ring;

    #[test]
    fn goldilocks_is_that_of_elements() {
        let p = Goldilocks::MODULUS;
        let mut samples = vec![0, 1, 2, EPSILON - 1, EPSILON, EPSILON + 1, 1 << 63, p - 1, p - 2, p - EPSILON];
        let mut x = 0x9e37_79b9_7f4a_7c15_u64;
        samples.extend((0..100).map(|_| {
            x = x.wrapping_mul(0xd129_0d3a_2a1e_53c5).rotate_left(29).wrapping_add(1);
            x % p
        }));
        let own = OfGoldilocks::own();
        for &x in &samples {
            for &y in &samples {
                let (a, b) = (Goldilocks::reduce(x), Goldilocks::reduce(y));
                assert_eq!(word(own.sum(a, b)), a.add(&b).value(), "{x} + {y}");
                assert_eq!(word(own.difference(a, b)), a.sub(&b).value(), "{x} − {y}");
                assert_eq!(word(own.product(a, b)), a.mul(&b).value(), "{x}·{y}");
            }
            if x < EPSILON {
                assert_eq!(word(own.taken(element(p + x))), x);
                assert_eq!(own.product(element(p + x), element(3)), product(x, 3));
            }
        }
    }
}
