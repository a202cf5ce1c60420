//! Rust types of what buffers hold: elements of algebras, real numbers, words, and formats that are only ever in memory.

use bytemuck::Pod;
use num_complex::Complex;

use super::{Algebra, Goldilocks, NumericRing, Word};
use crate::transform::Format;

mod sealed {
    pub trait Sealed {}
    impl Sealed for num_complex::Complex<f32> {}
    impl Sealed for num_complex::Complex<f64> {}
    impl Sealed for crate::algebra::Goldilocks {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
    impl Sealed for u32 {}
    impl Sealed for u64 {}
    impl Sealed for i8 {}
    impl Sealed for u8 {}
    impl Sealed for i16 {}
    impl Sealed for u16 {}
    impl Sealed for i32 {}
    impl Sealed for half::f16 {}
    impl Sealed for half::bf16 {}
}

/// A Rust type that buffers can hold: an [`Element`], a real number, or a [`Digit`] of [big primes](super::BigPrime) and of residues.
pub trait Data: sealed::Sealed + Pod + Send + Sync + std::fmt::Debug + PartialEq {
    /// Its name in messages.
    const NAME: &'static str;
    /// How many values make one element of the algebra; nothing if the algebra's elements are not made of such values.
    fn per_element(algebra: Algebra) -> Option<usize>;
    /// Whether a value is a real number of the algebra over ℂ.
    fn is_real(_: Algebra) -> bool {
        false
    }
    /// The format of a value, if it is a real number or a complex one.
    fn format() -> Option<Format> {
        None
    }
}

/// A Rust type of which one value is an element: `Complex<f32>`, `Complex<f64>` or [`Goldilocks`].
pub trait Element: Data + NumericRing {
    /// The algebra these elements belong to.
    const ALGEBRA: Algebra;
}

macro_rules! element {
    ($type:ty, $algebra:expr, $name:literal, $format:expr) => {
        impl Data for $type {
            const NAME: &'static str = $name;
            fn per_element(algebra: Algebra) -> Option<usize> {
                (algebra == Self::ALGEBRA).then_some(1)
            }
            fn format() -> Option<Format> {
                $format
            }
        }
        impl Element for $type {
            const ALGEBRA: Algebra = $algebra;
        }
    };
}

element!(Complex<f32>, Algebra::ComplexF32, "complex-f32", Some(Format::F32.complex()));
element!(Complex<f64>, Algebra::ComplexF64, "complex-f64", Some(Format::F64.complex()));
element!(Goldilocks, Algebra::Goldilocks, "goldilocks", None);

/// A Rust type of real numbers: `f32` or `f64`.
pub trait Real: Data {
    /// The complex numbers that are made of two of them.
    type Complex: ComplexElement<Real = Self>;
}

/// A Rust type of complex numbers: `Complex<f32>` or `Complex<f64>`.
pub trait ComplexElement: Element {
    /// The real numbers that they are made of.
    type Real: Real<Complex = Self>;
}

macro_rules! real {
    ($type:ty, $algebra:expr, $name:literal, $format:expr) => {
        impl Real for $type {
            type Complex = Complex<$type>;
        }
        impl ComplexElement for Complex<$type> {
            type Real = $type;
        }
        impl Data for $type {
            const NAME: &'static str = $name;
            fn per_element(algebra: Algebra) -> Option<usize> {
                Self::is_real(algebra).then_some(2)
            }
            fn is_real(algebra: Algebra) -> bool {
                algebra == $algebra
            }
            fn format() -> Option<Format> {
                Some($format)
            }
        }
    };
}

real!(f32, Algebra::ComplexF32, "f32", Format::F32);
real!(f64, Algebra::ComplexF64, "f64", Format::F64);

macro_rules! stored {
    ($($type:ty, $name:literal, $format:ident;)*) => {$(
        impl Data for $type {
            const NAME: &'static str = $name;
            fn per_element(_: Algebra) -> Option<usize> {
                None
            }
            fn format() -> Option<Format> {
                Some(Format::$format)
            }
        }
    )*};
}

// What is only ever in memory, and computed with as other numbers.
stored! {
    i8, "i8", I8;
    u8, "u8", U8;
    i16, "i16", I16;
    u16, "u16", U16;
    i32, "i32", I32;
    half::f16, "f16", F16;
    half::bf16, "bf16", BF16;
}

/// A word that holds a digit of a big prime's elements, `u32` if r < 2^32, or else `u64`; or all of a [`WordField`](super::WordField)'s.
pub trait Digit: Data + Into<u64> + Ord {
    /// The low bits of a number.
    fn truncated(value: u64) -> Self;
}

macro_rules! digit {
    ($type:ty, $word:expr, $name:literal) => {
        impl Data for $type {
            const NAME: &'static str = $name;
            fn per_element(algebra: Algebra) -> Option<usize> {
                match algebra {
                    Algebra::BigPrime(prime) if prime.word() == $word => Some(prime.digits()),
                    Algebra::WordField(field) if field.word() == $word => Some(1),
                    Algebra::PrimeField(field) if $word == Word::U64 => Some(field.words()),
                    _ => None,
                }
            }
        }
        impl Digit for $type {
            fn truncated(value: u64) -> Self {
                value as Self
            }
        }
    };
}

digit!(u32, Word::U32, "u32");
digit!(u64, Word::U64, "u64");
