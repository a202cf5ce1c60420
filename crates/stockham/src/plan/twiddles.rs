//! Where a pass's twiddle factors come from.

use serde::{Deserialize, Serialize};

use crate::algebra::Algebra;
use crate::error::{Error, Result};

/// The origin of a pass's twiddle factors ω^(K·v), K being the weight of the column and v the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TwiddleSource {
    /// Tables in device memory, correctly rounded on the host; any algebra has them.
    Tables,
    /// A table like that with a row for each factor that threads look up, and in it one for each column: neighbouring threads
    /// find theirs side by side, without a product.
    Columns,
    /// A sine and a cosine for every row, of an angle in the precision of the elements.
    Each(Trig),
    /// One sine and cosine a thread; the other factors are its squares and their products.
    Powers(Trig),
}

/// How a kernel computes a cosine and a sine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trig {
    /// One call that gives both.
    SinCos,
    /// Two calls.
    SinAndCos,
    /// The device's own functions, of an accuracy that it chooses: `native_sin` of OpenCL, `__sinf` of CUDA.
    Native,
}

impl TwiddleSource {
    /// How it computes sines, if it does.
    pub fn trig(self) -> Option<Trig> {
        match self {
            Self::Tables | Self::Columns => None,
            Self::Each(trig) | Self::Powers(trig) => Some(trig),
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Tables => "from tables",
            Self::Columns => "from a table by columns",
            Self::Each(Trig::SinCos) => "a sincos for each",
            Self::Each(Trig::SinAndCos) => "a sin and a cos for each",
            Self::Each(Trig::Native) => "a native sin and cos for each",
            Self::Powers(Trig::SinCos) => "powers of one sincos",
            Self::Powers(Trig::SinAndCos) => "powers of one sin and cos",
            Self::Powers(Trig::Native) => "powers of one native sin and cos",
        }
    }

    /// Checks that kernels over the algebra can have factors from there.
    pub(super) fn check(self, algebra: Algebra) -> Result<()> {
        let refuse = |reason: &str| Err(Error::unsupported(format!("{self:?} over {}", algebra.name()), reason));
        match (self.trig(), algebra) {
            _ if self == Self::Columns && algebra.free_order() > 1 => refuse("its free roots leave another table"),
            (None, _) | (Some(_), Algebra::ComplexF32) => Ok(()),
            (Some(Trig::Native), Algebra::ComplexF64) => refuse("native sines are in single precision only"),
            (Some(_), Algebra::ComplexF64) => Ok(()),
            _ => refuse("a field's roots are no sines: its factors come from tables"),
        }
    }
}
