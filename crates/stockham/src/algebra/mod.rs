//! What the numbers are: rings with roots of unity, and the elements that buffers hold.

mod big_prime;
mod complex;
pub(crate) mod cosets;
mod data;
mod double_double;
pub(crate) mod fused;
mod gathered;
mod goldilocks;
pub mod limbs;
mod machine_word;
mod prime;
mod prime_field;
mod ptx;
pub(crate) mod residue_system;
mod ring;
mod root_parts;
mod roots;
mod scalar;
mod traced;
pub(crate) mod unrolled;
mod word_field;

use std::borrow::Cow;
use std::str::FromStr;

use num_complex::Complex;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::parallel;

pub use big_prime::{BigElement, BigPrime, Field, Layout};
pub(crate) use big_prime::{factor, with_digit_count, with_word_count};
pub(crate) use complex::scale_factor;
pub use data::{ComplexElement, Data, Digit, Element, Real};
pub use double_double::DoubleDouble;
pub(crate) use gathered::Gathered;
pub use goldilocks::Goldilocks;
pub use machine_word::MachineWord;
pub use prime::Prime;
pub use prime_field::{PrimeField, Residue, RootPreset};
pub use residue_system::ResidueSystem;
pub use ring::{Direction, Numbers, NumericRing, Ring, Root, Scale};
pub(crate) use roots::Powers;
pub use scalar::Scalar;
pub use traced::{Circuit, Mersenne, OfModulus, Primitive, Traced};
pub(crate) use traced::{MERSENNE_31, doubled};
pub(crate) use unrolled::unrolled;
pub use word_field::{Lazy, WordElement, WordField};
pub(crate) use word_field::{WordModulus, montgomery, reduced};

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
    /// A field ℤ/p with p = r^k + 1, k digits in base r an element: `u32` if r < 2^32, or else `u64`.
    BigPrime(BigPrime),
    /// A field ℤ/p of a prime below 2^63, the residue below p in a `u32` if p is below 2^31, or else in a `u64`.
    WordField(WordField),
    /// A field ℤ/p with p of any form, the residue below p in one or more `u64` an element.
    PrimeField(PrimeField),
}

impl From<BigPrime> for Algebra {
    fn from(prime: BigPrime) -> Self {
        Self::BigPrime(prime)
    }
}

impl From<PrimeField> for Algebra {
    fn from(field: PrimeField) -> Self {
        Self::PrimeField(field)
    }
}

impl From<WordField> for Algebra {
    fn from(field: WordField) -> Self {
        Self::WordField(field)
    }
}

impl Algebra {
    /// The name in recipes and file formats.
    pub fn name(self) -> &'static str {
        match self {
            Self::ComplexF32 => "complex-f32",
            Self::ComplexF64 => "complex-f64",
            Self::Goldilocks => "goldilocks",
            Self::BigPrime(prime) => prime.name(),
            Self::WordField(field) => field.name(),
            Self::PrimeField(field) => field.name(),
        }
    }

    /// The field ℤ/p with the narrowest elements that there are: one `u32` if p is below 2^31, one `u64` if it is below 2^63, else as
    /// many `u64` as a [`PrimeField`] has.
    pub fn of_prime(field: PrimeField) -> Self {
        WordField::new(field).map_or(Self::PrimeField(field), Self::WordField)
    }

    /// The name in messages: a prime's is what it was first [given](PrimeField::given) as.
    pub fn given(self) -> &'static str {
        match self {
            Self::WordField(field) => field.given(),
            Self::PrimeField(field) => field.given(),
            other => other.name(),
        }
    }

    /// Bytes of one element in a buffer.
    pub fn element_bytes(self) -> usize {
        match self {
            Self::ComplexF32 | Self::Goldilocks => 8,
            Self::ComplexF64 => 16,
            Self::BigPrime(prime) => prime.digits() * prime.digit_bytes(),
            Self::WordField(field) => field.bytes(),
            Self::PrimeField(field) => 8 * field.words(),
        }
    }

    /// Bytes of what kernels point to: an element, or a digit of one.
    pub(crate) fn unit_bytes(self) -> usize {
        match self {
            Self::BigPrime(prime) => prime.digit_bytes(),
            Self::PrimeField(_) => 8,
            _ => self.element_bytes(),
        }
    }

    /// How an element lies in memory: its words and how many of them.
    pub fn layout(self) -> (Word, usize) {
        match self {
            Self::ComplexF32 => (Word::F32, 2),
            Self::ComplexF64 => (Word::F64, 2),
            Self::Goldilocks => (Word::U64, 1),
            Self::BigPrime(prime) => (prime.word(), prime.digits()),
            Self::WordField(field) => (field.word(), 1),
            Self::PrimeField(field) => (Word::U64, field.words()),
        }
    }

    /// The name of the real numbers, over ℂ, and of the elements of a field.
    pub(crate) fn real_name(self) -> &'static str {
        match self {
            Self::ComplexF32 => "f32",
            Self::ComplexF64 => "f64",
            field => field.name(),
        }
    }

    /// Whether an element is made of digits or words that a [`Layout`] can pull apart.
    pub fn has_digits(self) -> bool {
        matches!(self, Self::BigPrime(_) | Self::PrimeField(_))
    }

    /// The algebra's primitive functions, in the common subset of OpenCL C and CUDA C that [`kernel`](crate::kernel)
    /// prints: `u32`, `u64`, `FUNCTION` and `mul_hi64` are defined before it. With `ptx`, NVIDIA's assembly stands in
    /// where it is faster. `numbers` are those by which functions of a [family](Primitive) are called. A `team` of threads
    /// holds an element. So many `products` stand in the kernel.
    pub(crate) fn primitives(self, ptx: bool, numbers: &[usize], team: usize, products: usize) -> Primitives {
        let text: Cow<'static, str> = match self {
            Self::ComplexF32 | Self::ComplexF64 => "".into(),
            Self::WordField(_) => include_str!("mersenne.h").into(),
            Self::Goldilocks if ptx => include_str!("goldilocks_ptx.h").into(),
            Self::Goldilocks => include_str!("goldilocks.h").into(),
            Self::BigPrime(prime) => return big_prime::primitives(prime, ptx, numbers, team),
            Self::PrimeField(field) => return prime_field::primitives(field, ptx, products),
        };
        Primitives { text, fast: &[] }
    }

    /// The order of the roots of unity that cost no product: DFTs of so many points need none.
    pub(crate) fn free_order(self) -> usize {
        match self {
            // Shifts by amounts that a thread computes cost as much as a product, and i hardly less.
            Self::ComplexF32 | Self::ComplexF64 | Self::Goldilocks | Self::WordField(_) => 1,
            Self::BigPrime(prime) => prime.base_order(),
            Self::PrimeField(_) => 2,
        }
    }

    /// Roots of unity as the bytes of elements, correctly rounded.
    pub(crate) fn root_bytes(self, roots: &[Root]) -> Vec<u8> {
        fn bytes<T: Element>(roots: &[Root]) -> Vec<u8> {
            let mut elements = vec![T::zero(); roots.len()];
            parallel::fill(&mut elements, 64, |i| T::root(roots[i]));
            bytemuck::cast_slice(&elements).to_vec()
        }
        match self {
            Self::ComplexF32 => bytes::<Complex<f32>>(roots),
            Self::ComplexF64 => bytes::<Complex<f64>>(roots),
            Self::Goldilocks => bytes::<Goldilocks>(roots),
            Self::BigPrime(prime) => word_bytes(prime.word(), prime.field().roots(roots).into_iter().flatten()),
            Self::WordField(field) => word_bytes(field.word(), field.roots_in_form(roots)),
            Self::PrimeField(field) => {
                field.roots_in_form(roots).into_iter().flatten().flat_map(u64::to_ne_bytes).collect()
            }
        }
    }

    /// The same of lists of roots, where others stand for a field's own.
    pub(crate) fn powers_bytes(self, lists: &[Powers], stands_for: &dyn Fn(Root) -> Root) -> Vec<u8> {
        match self {
            Self::ComplexF32 => bytemuck::cast_slice(&complex::powers::<f32>(lists)).to_vec(),
            Self::ComplexF64 => bytemuck::cast_slice(&complex::powers::<f64>(lists)).to_vec(),
            _ => self.root_bytes(&lists.iter().flat_map(Powers::roots).map(stands_for).collect::<Vec<_>>()),
        }
    }

    /// Whether roots that are looked up for one product each have their quotients beside them.
    pub(crate) fn has_pairs(self) -> bool {
        match self {
            Self::WordField(field) => field.has_pairs(),
            Self::PrimeField(field) => field.has_pairs(),
            _ => false,
        }
    }

    /// Roots of unity times a scale, with their quotients, as bytes.
    ///
    /// # Panics
    /// If elements [have none](Self::has_pairs), or are words and there is a scale.
    pub(crate) fn root_pair_bytes(self, roots: &[Root], scale: Scale) -> Vec<u8> {
        match self {
            Self::WordField(field) if scale == Scale::One => {
                let residues = field.field().roots(roots).into_iter().map(|root| root[0]);
                word_bytes(field.word(), field.pairs(residues))
            }
            Self::PrimeField(field) => {
                let forms = field.roots_in_form(roots);
                let factor = match scale {
                    Scale::One => None,
                    Scale::Inverse(n) | Scale::InverseSqrt(n) => Some(field.inverse_in_form(n)),
                };
                let pairs = parallel::map(forms.len(), 64, |i| match &factor {
                    Some(factor) => field.pair(&field.product_in_form(&forms[i], factor)),
                    None => field.pair(&forms[i]),
                });
                word_bytes(Word::U64, pairs.into_iter().flatten())
            }
            _ => panic!("elements of {} have no quotients", self.name()),
        }
    }

    /// Words as the bytes of elements.
    pub(crate) fn word_bytes(self, words: impl Iterator<Item = u64>) -> Vec<u8> {
        word_bytes(self.layout().0, words)
    }

    /// Complex numbers as the bytes of elements, rounded once.
    ///
    /// # Panics
    /// Over a field.
    pub(crate) fn complex_bytes(self, numbers: &[Complex<DoubleDouble>]) -> Vec<u8> {
        let parts = numbers.iter().flat_map(|z| [z.re, z.im]);
        match self {
            Self::ComplexF32 => bytemuck::cast_slice(&parts.map(DoubleDouble::to_f32).collect::<Vec<_>>()).to_vec(),
            Self::ComplexF64 => bytemuck::cast_slice(&parts.map(DoubleDouble::to_f64).collect::<Vec<_>>()).to_vec(),
            _ => panic!("a field has no complex numbers"),
        }
    }

    /// The scale as the bytes of an element, for algebras that keep it with the roots: a constant of many digits does not
    /// belong in a kernel's text.
    pub(crate) fn scale_bytes(self, scale: Scale) -> Vec<u8> {
        match (self, scale) {
            (Self::BigPrime(prime), Scale::Inverse(n)) => {
                word_bytes(prime.word(), prime.field().inverse_of_pow2(n.trailing_zeros()).into_iter())
            }
            (Self::PrimeField(field), Scale::Inverse(n)) => {
                field.inverse_in_form(n).into_iter().flat_map(u64::to_ne_bytes).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The unit roundoff u of the arithmetic: 2^-24 for `f32`, 2^-53 for `f64`; nothing for exact algebras.
    pub fn unit_roundoff(self) -> Option<f64> {
        match self {
            Self::ComplexF32 => Some(f64::from(f32::EPSILON) / 2.0),
            Self::ComplexF64 => Some(f64::EPSILON / 2.0),
            Self::Goldilocks | Self::BigPrime(_) | Self::WordField(_) | Self::PrimeField(_) => None,
        }
    }

    /// Checks that the algebra has a root of unity of order `n`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] naming the limit.
    pub fn check_length(self, n: usize) -> Result<()> {
        let what = || format!("a {} transform of {n} points", self.given());
        match self {
            Self::Goldilocks if !Goldilocks::reduce(1).has_root(n) => {
                Err(Error::unsupported(what(), "n must divide p - 1 = 2^32·3·5·17·257·65537"))
            }
            Self::BigPrime(prime) if !n.is_power_of_two() || n.ilog2() > prime.max_log_len() => {
                let limit = prime.max_log_len();
                Err(Error::unsupported(what(), format!("n must be a power of two up to 2^{limit}")))
            }
            Self::WordField(field) if !field.has_root(n) => {
                let (less_one, limit) = (field.modulus() - 1, field.max_log_len());
                Err(Error::unsupported(
                    what(),
                    format!("n must divide p - 1 = {less_one}, as powers of two up to 2^{limit} do"),
                ))
            }
            Self::PrimeField(field) if !field.has_root(n) => {
                let limit = field.max_log_len();
                Err(Error::unsupported(
                    what(),
                    format!(
                        "n must divide p - 1, as powers of two up to 2^{limit} do, and no power of two beyond 2^48"
                    ),
                ))
            }
            _ => Ok(()),
        }
    }

    /// Checks that the algebra can scale by that factor.
    pub(crate) fn check_scale(self, scale: Scale) -> Result<()> {
        match scale {
            Scale::InverseSqrt(_) if self.unit_roundoff().is_none() => Err(Error::unsupported(
                format!("ortho normalisation over the field {}", self.given()),
                "a finite field has no canonical square root of n; use backward, forward or none",
            )),
            _ => Ok(()),
        }
    }
}

impl FromStr for Algebra {
    type Err = Error;
    /// Reads a [name](Self::name), or what else tells of a field.
    ///
    /// # Errors
    /// As a [`BigPrime`] or a [`PrimeField`] is read.
    fn from_str(text: &str) -> Result<Self> {
        let plain = [Self::ComplexF32, Self::ComplexF64, Self::Goldilocks];
        if let Some(algebra) = plain.into_iter().find(|algebra| algebra.name() == text) {
            return Ok(algebra);
        }
        match text.parse::<PrimeField>() {
            // What is neither's name is told in the words of big primes.
            Err(Error::Syntax { .. }) => text.parse().map(Self::BigPrime),
            field => field.map(Self::of_prime),
        }
    }
}

/// Words of that width as bytes.
fn word_bytes(word: Word, words: impl Iterator<Item = u64>) -> Vec<u8> {
    match word {
        Word::U32 => words.flat_map(|d| (d as u32).to_ne_bytes()).collect(),
        _ => words.flat_map(u64::to_ne_bytes).collect(),
    }
}

/// The text of an algebra's primitive functions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Primitives {
    /// The text.
    pub text: Cow<'static, str>,
    /// Those that have a variant `fast_NAME` as well, which takes the address of a `u32` that it makes other than 0 when
    /// it meets operands it is not made for; its result is then wrong. `any_thread` tells all threads if one did.
    pub fast: &'static [&'static str],
}

/// A word of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// A digit below 2^32.
    U32,
    /// A 64-bit residue or digit.
    U64,
    /// A sum of residues that is not reduced yet: never in memory.
    Wide,
    /// All digits of an element together: never in memory.
    Big,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        let fields = [Algebra::BigPrime(BigPrime::P3), Algebra::PrimeField(PrimeField::named().next().unwrap())];
        for algebra in [Algebra::ComplexF32, Algebra::ComplexF64, Algebra::Goldilocks].into_iter().chain(fields) {
            assert_eq!(algebra.name().parse::<Algebra>().unwrap(), algebra);
        }
        assert!(matches!("mersenne".parse::<Algebra>(), Err(Error::Syntax { .. })));
    }
}
