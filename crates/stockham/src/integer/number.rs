//! Integers as the digits they are written with.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::{Error, Result};
use crate::parallel;

use super::separators;

/// The base that a number is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Base {
    /// Base 10.
    Decimal,
    /// Base 16, written with the prefix 0x.
    Hexadecimal,
}

impl Base {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Decimal => "decimal",
            Self::Hexadecimal => "hexadecimal",
        }
    }

    /// 10 or 16.
    pub fn radix(self) -> u64 {
        match self {
            Self::Decimal => 10,
            Self::Hexadecimal => 16,
        }
    }

    pub(super) fn has(self, byte: u8) -> bool {
        match self {
            Self::Decimal => byte.is_ascii_digit(),
            Self::Hexadecimal => byte.is_ascii_hexdigit(),
        }
    }
}

/// An integer of any length: a sign and the ASCII digits it is written with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Integer {
    negative: bool,
    base: Base,
    /// The most significant first, not 0; in lower case; none for zero.
    digits: Vec<u8>,
}

/// What some editors put before a text in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Digits that one task looks at.
const GRAIN: usize = 1 << 16;

impl Integer {
    /// 0.
    pub fn zero(base: Base) -> Self {
        Self { negative: false, base, digits: Vec::new() }
    }

    /// Digits as the functions of this module make them: in lower case, the first not 0.
    pub(super) fn from_digits(base: Base, digits: Vec<u8>) -> Self {
        Self { negative: false, base, digits }
    }

    /// Reads a number: a sign if any, `0x` before hexadecimal digits, digits. White space around it is ignored, and so is
    /// a byte order mark before it. Digits may be parted by single underscores, and lines continued after a backslash.
    ///
    /// # Errors
    /// [`Error::Number`] with the position of the first byte that does not belong there.
    pub fn parse(mut text: Vec<u8>) -> Result<Self> {
        let end = text.len() - text.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        let mark = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let blank = text.iter().take(end).skip(mark).take_while(|byte| byte.is_ascii_whitespace()).count();
        let begin = mark + blank;
        let mut start = begin;
        text.truncate(end);
        let negative = text.get(start) == Some(&b'-');
        if let Some(b'-' | b'+') = text.get(start) {
            start += 1;
        }
        let base = match text.get(start..start + 2) {
            Some(b"0x" | b"0X") => Base::Hexadecimal,
            _ => Base::Decimal,
        };
        if base == Base::Hexadecimal {
            start += 2;
        }
        if start >= text.len() {
            let reason = if start == begin { "the text is empty" } else { "the text ends" };
            let position = text.len().max(start) + 1;
            return Err(Error::Number { position, reason: format!("{reason} where a digit should stand") });
        }
        let other = |part: &mut [u8]| {
            part.make_ascii_lowercase();
            part.iter().position(|byte| !base.has(*byte))
        };
        let first = AtomicUsize::new(usize::MAX);
        parallel::chunks(&mut text[start..], GRAIN, 1, |i, part| {
            if let Some(place) = other(part) {
                first.fetch_min(start + i * GRAIN + place, Ordering::Relaxed);
            }
        });
        let first = first.into_inner();
        if first < text.len() {
            // Lower case up to there, and perhaps beyond.
            text[first..].make_ascii_lowercase();
            separators::remove(&mut text, start, first, base).map_err(|place| {
                let what = text[place..].utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
                let what = what.map_or_else(|| format!("byte {:#04x}", text[place]), |c| format!("{c:?}"));
                Error::Number { position: place + 1, reason: format!("{what} is no {} digit", base.name()) }
            })?;
        }
        let zeros = text[start..].iter().take_while(|digit| **digit == b'0').count();
        text.drain(..start + zeros);
        Ok(Self { negative: negative && !text.is_empty(), base, digits: text })
    }

    /// The base it is written in.
    pub fn base(&self) -> Base {
        self.base
    }

    /// Whether it is below 0.
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Its digits in ASCII, the most significant first; none for zero.
    pub fn digits(&self) -> &[u8] {
        &self.digits
    }

    /// −self.
    pub fn negated(self) -> Self {
        Self { negative: !self.negative && !self.is_zero(), ..self }
    }

    /// What is written before the digits; for zero, which has none, all there is.
    pub fn prefix(&self) -> &'static str {
        match (self.base, self.is_zero(), self.negative) {
            (Base::Decimal, true, _) => "0",
            (Base::Decimal, _, false) => "",
            (Base::Decimal, _, true) => "-",
            (Base::Hexadecimal, true, _) => "0x0",
            (Base::Hexadecimal, _, false) => "0x",
            (Base::Hexadecimal, _, true) => "-0x",
        }
    }
}

impl FromStr for Integer {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text.as_bytes().to_vec())
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.prefix())?;
        f.write_str(std::str::from_utf8(&self.digits).map_err(|_| fmt::Error)?)
    }
}
