//! Sums, products and shifts over Goldilocks: sums are wide, and a sign waits for what takes it.

use super::{Circuit, Traced, wide, word};

/// Value, whether it is wide, whether it is negated.
pub(super) type Residue<'a, S> = (&'a S, bool, bool);

pub(super) fn widen<S: Circuit>(value: &S, is_wide: bool) -> S {
    if is_wide { value.clone() } else { value.call(wide("gl_widen"), &[value]) }
}

pub(super) fn narrow<S: Circuit>(value: &S, is_wide: bool) -> S {
    if is_wide { value.call(word("gl_narrow"), &[value]) } else { value.clone() }
}

/// Whether a value is known to be zero: a word, as nothing is added to such.
pub(super) fn is_zero<S: Circuit>(value: &S, is_wide: bool) -> bool {
    !is_wide && value.known() == Some(0)
}

pub(super) fn add<S: Circuit>((a, wa, na): Residue<'_, S>, (b, wb, nb): Residue<'_, S>) -> Traced<S> {
    for ((zero, is_wide), (value, of_value, negated)) in [((b, wb), (a, wa, na)), ((a, wa), (b, wb, nb))] {
        if is_zero(zero, is_wide) {
            return Traced::Goldilocks { value: value.clone(), is_wide: of_value, negated };
        }
    }
    let (a, b) = (&widen(a, wa), &widen(b, wb));
    let (value, negated) = match (na, nb) {
        (false, true) => (a.call(wide("gl_sub"), &[a, b]), false),
        (true, false) => (a.call(wide("gl_sub"), &[b, a]), false),
        _ => (a.call(wide("gl_add"), &[a, b]), na),
    };
    Traced::Goldilocks { value, is_wide: true, negated }
}

pub(super) fn mul<S: Circuit>((a, wa, na): Residue<'_, S>, (b, wb, nb): Residue<'_, S>) -> Traced<S> {
    let (a, b) = (&narrow(a, wa), &narrow(b, wb));
    if let Some(zero) = [a, b].into_iter().find(|x| is_zero(*x, false)) {
        return Traced::Goldilocks { value: zero.clone(), is_wide: false, negated: false };
    }
    Traced::Goldilocks { value: a.call(word("gl_mul"), &[a, b]), is_wide: false, negated: na != nb }
}

/// Times 2^(32 i) and a second operand, 2 to a power below 32: one function for each number of whole words, as compilers take
/// long over branches that a constant decides.
const SHIFTS: [&str; 3] = ["gl_shift0", "gl_shift32", "gl_shift64"];

/// What is shifted, and by how many bits, where a value is that of a shift.
fn unshifted<S: Circuit>(value: &S) -> Option<(S, u64)> {
    let (name, operands) = value.called()?;
    let words = SHIFTS.iter().position(|&shift| shift == name)?;
    let [value, bits] = operands.try_into().ok()?;
    Some((value, 32 * words as u64 + bits.known()?))
}

/// Times 2^s. No shift is of a shift: see the text of CUDA's.
pub(super) fn shifted<S: Circuit>(value: &S, is_wide: bool, negated: bool, s: u64) -> Traced<S> {
    if s == 0 || is_zero(value, is_wide) {
        return Traced::Goldilocks { value: value.clone(), is_wide, negated };
    }
    let (value, before) = unshifted(value).unwrap_or_else(|| (widen(value, is_wide), 0));
    let s = before + s;
    let (s, negated) = if s % 192 >= 96 { (s % 96, !negated) } else { (s % 96, negated) };
    if s == 0 {
        return Traced::Goldilocks { value, is_wide: true, negated };
    }
    let value = value.call(wide(SHIFTS[s as usize / 32]), &[&value, &value.word(s % 32)]);
    Traced::Goldilocks { value, is_wide: true, negated }
}
