//! What the numbers are: rings with roots of unity, and the elements that buffers hold.

mod complex;
mod double_double;
mod goldilocks;
mod prime;
mod ring;
mod scalar;
mod traced;

use num_complex::Complex;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

pub use double_double::DoubleDouble;
pub use goldilocks::Goldilocks;
pub use prime::Prime;
pub use ring::{Direction, NumericRing, Ring, Root, Scale};
pub use scalar::Scalar;
pub use traced::{Circuit, Primitive, Traced};

/// The numbers a transform works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Algebra {
    /// Complex numbers of two `f32`, real part first.
    ComplexF32,
    /// Complex numbers of two `f64`, real part first.
    ComplexF64,
    /// The field ℤ/p with p = 2^64 − 2^32 + 1, one `u64` below p an element.
    Goldilocks,
}

impl Algebra {
    /// The name in messages, recipes and file formats.
    pub fn name(self) -> &'static str {
        match self {
            Self::ComplexF32 => "complex-f32",
            Self::ComplexF64 => "complex-f64",
            Self::Goldilocks => "goldilocks",
        }
    }

    /// Bytes of one element in a buffer.
    pub fn element_bytes(self) -> usize {
        match self {
            Self::ComplexF32 | Self::Goldilocks => 8,
            Self::ComplexF64 => 16,
        }
    }

    /// How an element lies in memory: its words and how many of them.
    pub fn layout(self) -> (Word, usize) {
        match self {
            Self::ComplexF32 => (Word::F32, 2),
            Self::ComplexF64 => (Word::F64, 2),
            Self::Goldilocks => (Word::U64, 1),
        }
    }

    /// The text of the algebra's primitive functions, in the common subset of OpenCL C and CUDA C that
    /// [`kernel`](crate::kernel) prints: `u32`, `u64`, `FUNCTION` and `mul_hi64` are defined before it.
    /// With `ptx`, NVIDIA's assembly stands in where it is faster.
    pub(crate) fn primitives(self, ptx: bool) -> &'static str {
        match self {
            Self::ComplexF32 | Self::ComplexF64 => "",
            Self::Goldilocks if ptx => include_str!("goldilocks_ptx.h"),
            Self::Goldilocks => include_str!("goldilocks.h"),
        }
    }

    /// Roots of unity as the bytes of elements, correctly rounded.
    pub(crate) fn root_bytes(self, roots: &[Root]) -> Vec<u8> {
        fn bytes<T: Element>(roots: &[Root]) -> Vec<u8> {
            let elements: Vec<T> = roots.par_iter().with_min_len(64).map(|&root| T::root(root)).collect();
            bytemuck::cast_slice(&elements).to_vec()
        }
        match self {
            Self::ComplexF32 => bytes::<Complex<f32>>(roots),
            Self::ComplexF64 => bytes::<Complex<f64>>(roots),
            Self::Goldilocks => bytes::<Goldilocks>(roots),
        }
    }

    /// The unit roundoff u of the arithmetic: 2^-24 for `f32`, 2^-53 for `f64`; nothing for exact algebras.
    pub fn unit_roundoff(self) -> Option<f64> {
        match self {
            Self::ComplexF32 => Some(f64::from(f32::EPSILON) / 2.0),
            Self::ComplexF64 => Some(f64::EPSILON / 2.0),
            Self::Goldilocks => None,
        }
    }

    /// Checks that the algebra has a root of unity of order `n`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] naming the limit.
    pub fn check_length(self, n: usize) -> Result<()> {
        let what = || format!("a {} transform of {n} points", self.name());
        match self {
            Self::Goldilocks if n == 0 || !(Goldilocks::MODULUS - 1).is_multiple_of(n as u64) => {
                Err(Error::unsupported(what(), "n must divide p - 1 = 2^32·3·5·17·257·65537"))
            }
            _ => Ok(()),
        }
    }

    /// Checks that the algebra can scale by that factor.
    pub(crate) fn check_scale(self, scale: Scale) -> Result<()> {
        match (self, scale) {
            (Self::Goldilocks, Scale::InverseSqrt(_)) => Err(Error::unsupported(
                "ortho normalisation over the Goldilocks field",
                "a finite field has no canonical square root of n; use backward, forward or none",
            )),
            _ => Ok(()),
        }
    }
}

/// A word of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// A 64-bit residue.
    U64,
    /// A sum of residues that is not reduced yet: never in memory.
    Wide,
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for num_complex::Complex<f32> {}
    impl Sealed for num_complex::Complex<f64> {}
    impl Sealed for super::Goldilocks {}
}

/// A Rust type that buffers can hold: `Complex<f32>`, `Complex<f64>` or [`Goldilocks`].
pub trait Element: sealed::Sealed + bytemuck::Pod + NumericRing + std::fmt::Debug + PartialEq {
    /// The algebra these elements belong to.
    const ALGEBRA: Algebra;
}

impl Element for Complex<f32> {
    const ALGEBRA: Algebra = Algebra::ComplexF32;
}
impl Element for Complex<f64> {
    const ALGEBRA: Algebra = Algebra::ComplexF64;
}
impl Element for Goldilocks {
    const ALGEBRA: Algebra = Algebra::Goldilocks;
}
