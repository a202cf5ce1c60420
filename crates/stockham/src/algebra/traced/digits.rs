//! Sums and products of elements of digits, whose powers of the free root r are left to what takes them.

use super::{Circuit, Traced, big};
use crate::algebra::Algebra;

/// Value, whether it is one less, turn.
pub(super) type Turned<'a, S> = (&'a S, bool, usize);

/// The value, which may be one less than it is to be.
pub(super) fn raised<S: Circuit>(value: S, less: bool) -> S {
    if less { value.call(big("bp_raise"), &[&value]) } else { value }
}

/// value·r^exponent, or one less.
pub(super) fn rotated<S: Circuit>(algebra: Algebra, value: S, exponent: &S) -> (S, bool) {
    (value.call(big("bp_rotate"), &[&value, exponent]), matches!(algebra, Algebra::BigPrime(_)))
}

/// a·r^ta + b·r^tb = (a + b·r^(tb − ta))·r^ta for the free root r. The function is told of values that are one less.
pub(super) fn add<S: Circuit>(algebra: Algebra, (a, la, ta): Turned<'_, S>, (b, lb, tb): Turned<'_, S>) -> Traced<S> {
    let order = algebra.free_order();
    let apart = (tb + order - ta) % order;
    let is_plain = apart.is_multiple_of(order / 2);
    let (a, la) = if is_plain { (a.clone(), la) } else { (raised(a.clone(), la), false) };
    let number = SumNumber { turn: apart, less: [la, lb] };
    let value = a.call(big("bp_sum_"), &[&a, b, &a.word(number.in_family(order) as u64)]);
    Traced::Big { algebra, value, less: number.gives_less(), turn: ta }
}

pub(super) fn sub<S: Circuit>(algebra: Algebra, a: Turned<'_, S>, (b, less, tb): Turned<'_, S>) -> Traced<S> {
    add(algebra, a, (b, less, negated(algebra, tb)))
}

/// Which sum a + b·r^turn of the family `bp_sum_` it is.
#[derive(Debug, Clone, Copy)]
pub(in crate::algebra) struct SumNumber {
    pub turn: usize,
    /// Whether a and b are one less than they are to be. The first may be only if the turn is 0 or half of all.
    pub less: [bool; 2],
}

impl SumNumber {
    /// Its number in the family, where the free root has that order.
    fn in_family(self, order: usize) -> usize {
        self.turn + order * (usize::from(self.less[0]) + 2 * usize::from(self.less[1]))
    }

    /// The other way around.
    pub fn of(number: usize, order: usize) -> Self {
        let code = number / order;
        Self { turn: number % order, less: [code & 1 == 1, code & 2 == 2] }
    }

    /// Whether the sum comes out one less too.
    pub fn gives_less(self) -> bool {
        self.less == [true; 2] && self.turn == 0
    }
}

/// The turn of an element's negative: half of all turns is −1.
pub(super) fn negated(algebra: Algebra, turn: usize) -> usize {
    (turn + algebra.free_order() / 2) % algebra.free_order()
}

pub(super) fn mul<S: Circuit>(algebra: Algebra, (a, la, ta): Turned<'_, S>, (b, lb, tb): Turned<'_, S>) -> Traced<S> {
    let (a, b) = (raised(a.clone(), la), raised(b.clone(), lb));
    let value = a.call(big("bp_mul"), &[&a, &b]);
    Traced::Big { algebra, value, less: false, turn: (ta + tb) % algebra.free_order() }
}
