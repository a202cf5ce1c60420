//! Where the digits of many elements stand in one array.

use serde::{Deserialize, Serialize};

/// How the digits of a big prime's elements lie in a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// Element after element, the digits of each together: digit c of element i is value i·k + c.
    #[default]
    Plain,
    /// Digit after digit, those of all elements together: digit c of element i is value c·len + i, where len is the
    /// number of all elements: a transform's [`input_len`](crate::Transform::input_len) or
    /// [`output_len`](crate::Transform::output_len), batch included.
    Sliced,
}

impl Layout {
    /// The distance between neighbouring elements and between neighbouring digits, for `len` elements of `k` digits.
    pub fn strides(self, k: usize, len: usize) -> (usize, usize) {
        match self {
            Self::Plain => (k, 1),
            Self::Sliced => (1, len),
        }
    }
}
