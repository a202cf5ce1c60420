//! The arithmetic of residue number systems, written once over [`MachineWord`]s: on `u64` it is the CPU's code, on symbols
//! the kernels.

use crate::algebra::MachineWord;

/// A prime below 2^62 for Montgomery's reduction with R = 2^64.
#[derive(Debug, Clone)]
pub(crate) struct Modulus<W> {
    /// q.
    pub prime: W,
    /// −1/q mod R.
    pub inverse: W,
}

/// Σ x_i·c_i / R mod q for c_i < q: a scalar product in which the c_i stand in form, as c·R. Nothing if there are no terms.
///
/// The products are summed up in two words, the upper of which is kept below 4q, and reduced once (P. L. Montgomery,
/// "Modular multiplication without trial division", 1985).
#[inline(always)]
pub(crate) fn scalar_product<W: MachineWord>(q: &Modulus<W>, terms: impl IntoIterator<Item = (W, W)>) -> Option<W> {
    let twice = q.prime.plus(&q.prime);
    let mut terms = terms.into_iter();
    let (x, c) = terms.next()?;
    let (mut low, mut high) = (x.times(&c), x.times_high(&c));
    // The sum is below bound·q·R, as each product is below q·R.
    let mut bound = 1;
    for (x, c) in terms {
        if bound == 4 {
            (high, bound) = (high.less_at_most(&twice), 2);
        }
        let product = x.times(&c);
        low = low.plus(&product);
        high = high.plus(&x.times_high(&c)).plus(&low.is_less(&product));
        bound += 1;
    }
    if bound > 2 {
        high = high.less_at_most(&twice);
    }
    if bound > 1 {
        high = high.less_at_most(&q.prime);
    }
    // The multiple of q that clears the lower word, with a carry unless that is 0 already.
    let multiple = low.times(&q.inverse).times_high(&q.prime);
    let carry = low.literal(0).is_less(&low);
    Some(high.plus(&multiple).plus(&carry).less_at_most(&q.prime))
}

/// words ← words·factor + term, with a word more.
#[inline(always)]
pub(crate) fn multiply_add<W: MachineWord>(words: &mut Vec<W>, factor: &W, term: W) {
    let mut carry = term;
    for word in words.iter_mut() {
        let high = word.times_high(factor);
        *word = word.times(factor).plus(&carry);
        carry = high.plus(&word.is_less(&carry));
    }
    words.push(carry);
}

/// The words of d_0 + q_0·(d_1 + q_1·(d_2 + …)), as many as there are digits.
#[inline(always)]
pub(crate) fn horner<W: MachineWord>(digits: &[W], primes: &[W]) -> Vec<W> {
    let mut words: Vec<W> = digits.last().into_iter().cloned().collect();
    for (digit, prime) in digits.iter().zip(primes).rev().skip(1) {
        multiply_add(&mut words, prime, digit.clone());
    }
    words
}
