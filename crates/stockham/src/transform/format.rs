//! How numbers lie in memory, where that is not as they are computed with.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a number lies in memory: real, or [`complex`](Self::complex) as two parts, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Format {
    pub(crate) part: Part,
    pub(crate) is_complex: bool,
}

/// How a real number lies in memory, or a part of a complex one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Part {
    F16,
    Bf16,
    F32,
    F64,
    I8,
    U8,
    I16,
    U16,
    I32,
}

macro_rules! formats {
    ($($name:ident $part:ident $what:literal)*) => {
        impl Format {
            $(
                #[doc = $what]
                pub const $name: Self = Self { part: Part::$part, is_complex: false };
            )*
        }
    };
}

formats! {
    F16 F16 "IEEE half precision."
    BF16 Bf16 "The upper half of single precision."
    F32 F32 "IEEE single precision."
    F64 F64 "IEEE double precision."
    I8 I8 "Integers from −128 to 127. What is written is rounded to the nearest, ties to even, and held to the limits, here and below."
    U8 U8 "Integers from 0 to 255."
    I16 I16 "Integers of 16 bits."
    U16 U16 "Integers from 0 to 65535."
    I32 I32 "Integers of 32 bits."
}

impl Format {
    /// Complex numbers of such parts.
    pub const fn complex(self) -> Self {
        Self { is_complex: true, ..self }
    }

    /// Bytes of a number.
    pub fn bytes(self) -> usize {
        let part = match self.part {
            Part::I8 | Part::U8 => 1,
            Part::F16 | Part::Bf16 | Part::I16 | Part::U16 => 2,
            Part::F32 | Part::I32 => 4,
            Part::F64 => 8,
        };
        if self.is_complex { 2 * part } else { part }
    }

    /// Its name in messages.
    pub(crate) fn name(self) -> &'static str {
        match (self.part, self.is_complex) {
            (Part::F16, false) => "f16",
            (Part::Bf16, false) => "bf16",
            (Part::F32, false) => "f32",
            (Part::F64, false) => "f64",
            (Part::I8, false) => "i8",
            (Part::U8, false) => "u8",
            (Part::I16, false) => "i16",
            (Part::U16, false) => "u16",
            (Part::I32, false) => "i32",
            (Part::F16, true) => "complex-f16",
            (Part::Bf16, true) => "complex-bf16",
            (Part::F32, true) => "complex-f32",
            (Part::F64, true) => "complex-f64",
            (Part::I8, true) => "complex-i8",
            (Part::U8, true) => "complex-u8",
            (Part::I16, true) => "complex-i16",
            (Part::U16, true) => "complex-u16",
            (Part::I32, true) => "complex-i32",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
