//! Limbs, the digits of a long number in a base B, and carries: a product's coefficients become limbs again.
//!
//! The arithmetic is written once, over [`Unsigned`] words: on `u64` it is the CPU's code, on symbols the GPU's kernels.
//! Limbs lie in memory three to a word, the least first.
//!
//! **Carries.** Let c_i ≤ M be the coefficients and K_i the carry into position i: K_0 = 0 and
//! K_{i+1} = ⌊(c_i + K_i)/B⌋ ≤ M/(B − 1). That is a chain as long as the number. But a carry says little about far
//! positions: start from 0 instead of K_{i−3}, and after three positions the carry is too small by at most
//! ⌈M/(B − 1)/B³⌉, which is 1 for the M of [`check_bound`]. So every run of positions *estimates* its own carry in, and
//! the true one is the estimate or one more. What a run then says of the next run's estimate is one of three states, as
//! in a carry-lookahead adder: it is right whatever comes in, one too small whatever comes in, or one too small exactly
//! if this run's was. States compose associatively, so that a parallel scan finds which runs have to add their one.

use super::Goldilocks;

/// Limbs in a word.
pub const LIMBS: usize = 3;
/// Positions that an estimate of a carry looks back.
pub const LOOKBACK: usize = 3;

/// The next run's estimate is right.
pub const EXACT: u64 = 0;
/// The next run's estimate is one too small if this run's was.
pub const PROPAGATE: u64 = 1;
/// The next run's estimate is one too small.
pub const GENERATE: u64 = 2;

/// A machine word of 64 bits, or a symbol that stands for one.
pub trait Unsigned: Clone {
    /// self + rhs.
    fn sum(&self, rhs: &Self) -> Self;
    /// self − rhs, not negative.
    fn difference(&self, rhs: &Self) -> Self;
    /// self · factor.
    fn product(&self, factor: u64) -> Self;
    /// ⌊self / divisor⌋.
    fn quotient(&self, divisor: u64) -> Self;
    /// self mod divisor.
    fn remainder(&self, divisor: u64) -> Self;
    /// `then` if self is `value`, else `otherwise`.
    fn if_equal(&self, value: u64, then: &Self, otherwise: &Self) -> Self;
    /// A constant. (`self` only lends its context.)
    fn literal(&self, value: u64) -> Self;
}

impl Unsigned for u64 {
    #[inline(always)]
    fn sum(&self, rhs: &Self) -> Self {
        self + rhs
    }
    #[inline(always)]
    fn difference(&self, rhs: &Self) -> Self {
        self - rhs
    }
    #[inline(always)]
    fn product(&self, factor: u64) -> Self {
        self * factor
    }
    #[inline(always)]
    fn quotient(&self, divisor: u64) -> Self {
        self / divisor
    }
    #[inline(always)]
    fn remainder(&self, divisor: u64) -> Self {
        self % divisor
    }
    #[inline(always)]
    fn if_equal(&self, value: u64, then: &Self, otherwise: &Self) -> Self {
        if *self == value { *then } else { *otherwise }
    }
    #[inline(always)]
    fn literal(&self, value: u64) -> Self {
        value
    }
}

/// Whether products of numbers, the shorter of `limbs` limbs below `base`, are exact over the Goldilocks field and
/// their carries are found: every sum of a coefficient and a carry, at most limbs·B·(B − 1), is below p; a carry, at
/// most limbs·(B − 1), is no more than B³; and a word, below B³, is an element of the field.
pub fn check_bound(base: u64, limbs: usize) -> bool {
    let (base, limbs, p) = (u128::from(base), limbs as u128, u128::from(Goldilocks::MODULUS));
    let cube = base.checked_pow(3);
    let sum = base.checked_pow(2).and_then(|square| limbs.checked_mul(square - base));
    base > 1 && cube.is_some_and(|cube| cube <= p && limbs * (base - 1) <= cube) && sum.is_some_and(|sum| sum < p)
}

/// The limbs of a word.
#[inline(always)]
pub fn split<W: Unsigned>(base: u64, word: &W) -> [W; LIMBS] {
    let high = word.quotient(base);
    [word.remainder(base), high.remainder(base), high.quotient(base)]
}

/// The carry that leaves these coefficients if none comes in.
#[inline(always)]
pub fn estimate<'a, W: Unsigned + 'a>(base: u64, coefficients: impl IntoIterator<Item = &'a W>, zero: W) -> W {
    coefficients.into_iter().fold(zero, |carry, c| c.sum(&carry).quotient(base))
}

/// Turns a run of coefficients into words, given the estimate of the carry in, and gives the run's state. The run's
/// length is a multiple of [`LIMBS`] and not zero.
#[inline(always)]
pub fn carry<W: Unsigned>(base: u64, coefficients: &[W], estimated: W, mut store: impl FnMut(usize, W)) -> W {
    let largest = base.pow(LIMBS as u32) - 1;
    let mut carry = estimated;
    let (exact, propagate) = (carry.literal(EXACT), carry.literal(PROPAGATE));
    let mut full = propagate.clone();
    for (i, limbs) in coefficients.chunks_exact(LIMBS).enumerate() {
        let mut word = None;
        let mut weight = 1;
        for c in limbs {
            let sum = c.sum(&carry);
            carry = sum.quotient(base);
            let limb = sum.remainder(base).product(weight);
            word = Some(word.map_or(limb.clone(), |word: W| word.sum(&limb)));
            weight *= base;
        }
        let word = word.expect("a word has limbs");
        full = word.if_equal(largest, &full, &exact);
        store(i, word);
    }
    let last = &coefficients[coefficients.len() - LOOKBACK..];
    let missing = carry.difference(&estimate(base, last, exact));
    missing.if_equal(1, &missing.literal(GENERATE), &full)
}

/// The state of two neighbouring runs as one.
#[inline(always)]
pub fn compose<W: Unsigned>(high: &W, low: &W) -> W {
    high.if_equal(PROPAGATE, low, high)
}

/// What the run after one of that state has to add, if this run has to add `one`.
#[inline(always)]
pub fn resolve<W: Unsigned>(state: &W, one: &W) -> W {
    state.if_equal(PROPAGATE, one, &state.quotient(GENERATE))
}

/// Adds 0 or 1 to a number of such words, the least first, and drops what leaves it.
#[inline(always)]
pub fn add_one<W: Unsigned>(base: u64, words: &mut [W], mut one: W) {
    let modulus = base.pow(LIMBS as u32);
    let zero = one.literal(0);
    for word in words {
        let sum = word.sum(&one);
        one = sum.if_equal(modulus, &one, &zero);
        *word = sum.if_equal(modulus, &zero, &sum);
    }
}
