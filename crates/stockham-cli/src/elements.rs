//! Numbers of any kind as the complex numbers that NumPy's transforms make of them: float16 and float32 in single
//! precision, all integers and truth values in double.

use bytemuck::Pod;
use half::f16;
use stockham::{Complex, Complex32, Complex64, Data};

use crate::npy::Kind;

/// A number in a file.
pub trait Number: Pod {
    /// The complex number that is transformed.
    type Complex;
    /// What that is made of.
    type Real: Data;
    /// Itself as a complex number.
    fn complex(self) -> Self::Complex;
    /// Itself as a real number, or its real part.
    fn real(self) -> Self::Real;
}

macro_rules! numbers {
    ($($number:ty as $real:ty: $x:ident => $value:expr;)*) => {
        $(impl Number for $number {
            type Complex = Complex<$real>;
            type Real = $real;
            fn complex(self) -> Complex<$real> {
                Complex::from(self.real())
            }
            fn real(self) -> $real {
                let $x = self;
                $value
            }
        })*
    };
}

numbers! {
    i8 as f64: x => f64::from(x);
    i16 as f64: x => f64::from(x);
    i32 as f64: x => f64::from(x);
    // Rounded, as NumPy does.
    i64 as f64: x => x as f64;
    u8 as f64: x => f64::from(x);
    u16 as f64: x => f64::from(x);
    u32 as f64: x => f64::from(x);
    u64 as f64: x => x as f64;
    f32 as f32: x => x;
    f64 as f64: x => x;
    f16 as f32: x => x.to_f32();
    Truth as f64: x => f64::from(u8::from(x != [0]));
}

impl Number for Complex32 {
    type Complex = Self;
    type Real = f32;
    fn complex(self) -> Self {
        self
    }
    fn real(self) -> f32 {
        self.re
    }
}

impl Number for Complex64 {
    type Complex = Self;
    type Real = f64;
    fn complex(self) -> Self {
        self
    }
    fn real(self) -> f64 {
        self.re
    }
}

/// The byte of a `bool`.
pub type Truth = [u8; 1];

/// Evaluates an expression with the type of a kind's numbers.
macro_rules! with_number {
    ($kind:expr, $number:ident => $body:expr) => {{
        use $crate::elements::Truth;
        use $crate::npy::Kind;
        with_number!(@ $kind, $number => $body; Bool Truth, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32,
            U64 u64, F16 half::f16, F32 f32, F64 f64, C64 stockham::Complex32, C128 stockham::Complex64)
    }};
    (@ $kind:expr, $number:ident => $body:expr; $($name:ident $type:ty),*) => {
        match $kind {
            $(Kind::$name => {
                type $number = $type;
                $body
            })*
        }
    };
}
pub(crate) use with_number;

/// The kind of results that are real.
pub fn real_kind(kind: Kind) -> Kind {
    if result_kind(kind) == Kind::C64 { Kind::F32 } else { Kind::F64 }
}

/// The kind of the results.
pub fn result_kind(kind: Kind) -> Kind {
    if matches!(kind, Kind::F16 | Kind::F32 | Kind::C64) { Kind::C64 } else { Kind::C128 }
}
