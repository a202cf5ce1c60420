//! Names of notes.

use std::fmt;

/// A note of equal temperament with A4 at 440 Hz, and how far a frequency is from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Note {
    /// MIDI's number: A4 is 69, C-1 is 0.
    number: u8,
    /// Hundredths of a semitone above it, −50 to 50.
    pub cents: f64,
}

impl Note {
    /// The nearest note; none beyond MIDI's 128.
    pub fn of(hz: f64) -> Option<Self> {
        let place = 69.0 + 12.0 * (hz / 440.0).log2();
        let nearest = place.round();
        (0.0..=127.0).contains(&nearest).then_some(Self { number: nearest as u8, cents: (place - nearest) * 100.0 })
    }

    /// `C#4`.
    pub fn name(self) -> String {
        const NAMES: [&str; 12] = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
        format!("{}{}", NAMES[usize::from(self.number) % 12], i32::from(self.number) / 12 - 1)
    }

    /// The deviation in whole cents; never −0.
    pub fn whole_cents(self) -> i32 {
        self.cents.round() as i32
    }
}

/// `E2 +3 cents`.
impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} {:+} cents", self.name(), self.whole_cents())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_have_their_names() {
        let named = |hz: f64| Note::of(hz).map(|note| note.to_string());
        assert_eq!(named(440.0).as_deref(), Some("A4 +0 cents"));
        assert_eq!(named(82.41).as_deref(), Some("E2 +0 cents"));
        assert_eq!(named(82.40).as_deref(), Some("E2 +0 cents"));
        assert_eq!(named(1000.0).as_deref(), Some("B5 +21 cents"));
        assert_eq!(named(1.0), None);
        assert_eq!(named(20_000.0), None);
    }
}
