//! What may stand between the digits of a number: an underscore, or a backslash at the end of a line, as bc writes them.

use super::Base;

/// Removes separators from a number whose digits begin at `start`, the first that is none at `first`.
///
/// # Errors
/// The place of the first byte that is neither, or stands where no separator does; the text is then as it was.
pub(super) fn remove(text: &mut Vec<u8>, start: usize, first: usize, base: Base) -> Result<(), usize> {
    let is_digit = |place: usize| place >= start && text.get(place).is_some_and(|&byte| base.has(byte));
    let mut place = first;
    while place < text.len() {
        let len = if base.has(text[place]) { 1 } else { separator(&text[place..]) };
        // Each stands between two digits.
        if len == 0 || !(base.has(text[place]) || place > start && is_digit(place - 1) && is_digit(place + len)) {
            return Err(place);
        }
        place += len;
    }
    let mut at = 0;
    text.retain(|&byte| {
        at += 1;
        at <= start || base.has(byte)
    });
    Ok(())
}

/// The length of a separator; 0 if there is none.
fn separator(text: &[u8]) -> usize {
    match text {
        [b'_', ..] => 1,
        [b'\\', b'\n', ..] => 2,
        [b'\\', b'\r', b'\n', ..] => 3,
        _ => 0,
    }
}
