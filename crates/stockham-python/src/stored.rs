//! Numbers as arrays of any dtype have them in memory, whatever they are computed with.

use stockham::Format;

/// A real number in memory, or a part of a complex one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    I8,
    U8,
    I16,
    U16,
    I32,
    F16,
    Bf16,
    F32,
    F64,
}

/// The numbers of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    pub part: Part,
    pub is_complex: bool,
}

/// Does something with the Rust type of a part.
macro_rules! with_type {
    ($part:expr, $type:ident => $body:expr) => {
        match $part {
            $crate::stored::Part::I8 => $crate::stored::with_type!(@ i8, $type, $body),
            $crate::stored::Part::U8 => $crate::stored::with_type!(@ u8, $type, $body),
            $crate::stored::Part::I16 => $crate::stored::with_type!(@ i16, $type, $body),
            $crate::stored::Part::U16 => $crate::stored::with_type!(@ u16, $type, $body),
            $crate::stored::Part::I32 => $crate::stored::with_type!(@ i32, $type, $body),
            $crate::stored::Part::F16 => $crate::stored::with_type!(@ half::f16, $type, $body),
            $crate::stored::Part::Bf16 => $crate::stored::with_type!(@ half::bf16, $type, $body),
            $crate::stored::Part::F32 => $crate::stored::with_type!(@ f32, $type, $body),
            $crate::stored::Part::F64 => $crate::stored::with_type!(@ f64, $type, $body),
        }
    };
    (@ $is:ty, $type:ident, $body:expr) => {{
        type $type = $is;
        $body
    }};
}

pub(crate) use with_type;

impl Stored {
    /// Those of a dtype's name.
    pub fn named(name: &str) -> Option<Self> {
        let (part, is_complex) = match name {
            "int8" => (Part::I8, false),
            "uint8" => (Part::U8, false),
            "int16" => (Part::I16, false),
            "uint16" => (Part::U16, false),
            "int32" => (Part::I32, false),
            "float16" => (Part::F16, false),
            "bfloat16" => (Part::Bf16, false),
            "float32" => (Part::F32, false),
            "float64" => (Part::F64, false),
            "complex64" => (Part::F32, true),
            "complex128" => (Part::F64, true),
            _ => return None,
        };
        Some(Self { part, is_complex })
    }

    pub fn format(self) -> Format {
        let format = match self.part {
            Part::I8 => Format::I8,
            Part::U8 => Format::U8,
            Part::I16 => Format::I16,
            Part::U16 => Format::U16,
            Part::I32 => Format::I32,
            Part::F16 => Format::F16,
            Part::Bf16 => Format::BF16,
            Part::F32 => Format::F32,
            Part::F64 => Format::F64,
        };
        if self.is_complex { format.complex() } else { format }
    }

    pub fn bytes(self) -> usize {
        self.format().bytes()
    }

    /// Parts of a number.
    pub fn parts(self) -> usize {
        if self.is_complex { 2 } else { 1 }
    }

    /// NumPy's letter of the kind. (It has no bfloat16: others make such dtypes of no kind, or take their bits.)
    pub fn has_kind(self, kind: u8) -> bool {
        match (self.part, self.is_complex) {
            (_, true) => kind == b'c',
            (Part::I8 | Part::I16 | Part::I32, _) => kind == b'i',
            (Part::U8 | Part::U16, _) => kind == b'u',
            (Part::Bf16, _) => kind == b'V' || kind == b'u',
            _ => kind == b'f',
        }
    }
}
