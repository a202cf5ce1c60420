//! The kinds of transforms: of elements, of real numbers, of cosines and of sines.

use serde::{Deserialize, Serialize};

/// What a transform's numbers are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Kind {
    /// The DFT: elements of the algebra on both sides.
    #[default]
    Dft,
    /// The DFT of real numbers. Forward, the input is real, and of the last transform dimension, of n points, the output has
    /// the first n/2 + 1: the others are their conjugates. The inverse takes these and gives real numbers. It takes the
    /// imaginary parts of the last dimension's points 0 and n/2 for 0, as NumPy does.
    Real,
    /// A discrete cosine transform of real numbers.
    Cosine(TrigType),
    /// A discrete sine transform of real numbers.
    Sine(TrigType),
}

/// The four types of discrete cosine and sine transforms, as SciPy and FFTW define them. Of n numbers x_0, x_1 … they give, for
/// every k below n, the sum over j of
///
/// | type | cosine | sine |
/// | :--- | :--- | :--- |
/// | I | x_0 + (−1)^k·x_{n−1} + 2·x_j·cos(π·j·k/(n − 1)) for 0 < j < n − 1 | 2·x_j·sin(π·(j + 1)·(k + 1)/(n + 1)) |
/// | II | 2·x_j·cos(π·(2j + 1)·k/2n) | 2·x_j·sin(π·(2j + 1)·(k + 1)/2n) |
/// | III | x_0 + 2·x_j·cos(π·j·(2k + 1)/2n) for j > 0 | (−1)^k·x_{n−1} + 2·x_j·sin(π·(j + 1)·(2k + 1)/2n) for j < n − 1 |
/// | IV | 2·x_j·cos(π·(2j + 1)·(2k + 1)/4n) | 2·x_j·sin(π·(2j + 1)·(2k + 1)/4n) |
///
/// Types II and III undo each other, and I and IV themselves, up to the factor N: 2n, of type I 2·(n − 1) for cosines and
/// 2·(n + 1) for sines. The inverse direction of type II is therefore III, and N stands for the length in a [`Normalization`](super::Normalization).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TrigType {
    /// Even, or odd, around points at both ends.
    I,
    /// Around places between points.
    II,
    /// The inverse of II.
    III,
    /// Even around one end, and odd around the other.
    IV,
}

impl TrigType {
    /// The factor N of n numbers: the period of what they are continued to, or half of it.
    pub(crate) fn logical(self, is_sine: bool, n: usize) -> usize {
        let half = match (self, is_sine) {
            (Self::I, false) => n.saturating_sub(1),
            (Self::I, true) => n.saturating_add(1),
            _ => n,
        };
        half.saturating_mul(2)
    }

    pub(super) fn inverse(self) -> Self {
        match self {
            Self::II => Self::III,
            Self::III => Self::II,
            own => own,
        }
    }
}
