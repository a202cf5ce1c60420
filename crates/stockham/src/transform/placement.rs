//! Where a transform's output goes.

use serde::{Deserialize, Serialize};

/// Whether the output replaces the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Placement {
    /// The output goes to memory of its own; the input is preserved.
    OutOfPlace,
    /// The output replaces the input; both have the same strides.
    InPlace,
}

impl Placement {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::OutOfPlace => "out of place",
            Self::InPlace => "in place",
        }
    }
}
