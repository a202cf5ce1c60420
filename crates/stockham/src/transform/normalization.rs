//! The factor on a transform's output.

use serde::{Deserialize, Serialize};

use crate::algebra::{Direction, Scale};

/// Which direction carries the factor 1/n, in SciPy's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Normalization {
    /// The inverse is scaled by 1/n (the default).
    Backward,
    /// Both directions are scaled by 1/√n.
    Ortho,
    /// The forward transform is scaled by 1/n.
    Forward,
    /// Neither is scaled.
    None,
}

impl Normalization {
    /// The factor for a transform of `n` points in `direction`.
    pub fn scale(self, direction: Direction, n: usize) -> Scale {
        match (self, direction) {
            _ if n == 1 => Scale::One,
            (Self::Backward, Direction::Inverse) | (Self::Forward, Direction::Forward) => Scale::Inverse(n),
            (Self::Ortho, _) => Scale::InverseSqrt(n),
            _ => Scale::One,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_follow_scipy() {
        let scale = |norm: Normalization, direction| norm.scale(direction, 4);
        assert_eq!(scale(Normalization::Backward, Direction::Forward), Scale::One);
        assert_eq!(scale(Normalization::Backward, Direction::Inverse), Scale::Inverse(4));
        assert_eq!(scale(Normalization::Forward, Direction::Forward), Scale::Inverse(4));
        assert_eq!(scale(Normalization::Ortho, Direction::Inverse), Scale::InverseSqrt(4));
        assert_eq!(scale(Normalization::None, Direction::Inverse), Scale::One);
    }
}
