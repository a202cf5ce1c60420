//! What a file of elements needs to know of a field.

use std::marker::PhantomData;

use stockham::algebra::{MachineWord, PrimeField, Ring, Root, WordField};
use stockham::{Algebra, BigPrime, Data, Digit, Error as LibraryError, Goldilocks, Layout};

use crate::error::{Error, Result};
use crate::npy::Kind;

/// −1 is the root of order 2.
fn minus_one() -> Root {
    Root::new(1, 2)
}

/// A field whose elements stand in files.
pub trait FileField {
    /// What buffers hold.
    type Value: Data;
    /// The algebra.
    fn algebra(&self) -> Algebra;
    /// What a `.npy` file's values are.
    fn kind(&self) -> Kind;
    /// Values from those of a file of 64-bit words, the first of which is number `first`, where such a file is taken too; nothing
    /// where it is not.
    fn narrowed(&self, _first: usize, _words: &[u64]) -> Option<Result<Vec<Self::Value>>> {
        None
    }
    /// The digits of an element, if it has an axis of them.
    fn digits(&self) -> Option<usize>;
    /// Checks whole elements, the first of which is number `first`.
    fn check(&self, values: &[Self::Value], layout: Layout, first: usize) -> Result<()>;
    /// The values of a number's text.
    fn parse(&self, text: &str) -> std::result::Result<Vec<Self::Value>, LibraryError>;
    /// The words of a residue's text.
    fn residue(&self, text: &str) -> std::result::Result<Vec<u64>, LibraryError>;
    /// The values of −x, of an element's values.
    fn negated(&self, values: &[Self::Value]) -> Vec<Self::Value>;
    /// The text of an element's values.
    fn format(&self, values: &[Self::Value]) -> String;
}

/// Evaluates an expression with the field of an algebra.
macro_rules! with_field {
    ($algebra:expr, $field:ident => $body:expr) => {
        match $algebra {
            stockham::Algebra::BigPrime(prime) if prime.digit_bytes() == 4 => {
                let $field = &$crate::ntt::field::Digits::<u32>::of(prime);
                $body
            }
            stockham::Algebra::BigPrime(prime) => {
                let $field = &$crate::ntt::field::Digits::<u64>::of(prime);
                $body
            }
            stockham::Algebra::WordField(field) if field.bytes() == 4 => {
                let $field = &$crate::ntt::field::Word::<u32>::of(field);
                $body
            }
            stockham::Algebra::WordField(field) => {
                let $field = &$crate::ntt::field::Word::<u64>::of(field);
                $body
            }
            stockham::Algebra::PrimeField(field) => {
                let $field = &$crate::ntt::field::Words::of(field);
                $body
            }
            _ => {
                let $field = &$crate::ntt::field::Residues;
                $body
            }
        }
    };
}
pub(crate) use with_field;

/// A big prime, with digits of type `D`.
pub struct Digits<D> {
    prime: BigPrime,
    marker: PhantomData<D>,
}

impl<D> Digits<D> {
    pub fn of(prime: BigPrime) -> Self {
        Self { prime, marker: PhantomData }
    }
}

impl<D: Digit> FileField for Digits<D> {
    type Value = D;
    fn algebra(&self) -> Algebra {
        Algebra::BigPrime(self.prime)
    }
    fn kind(&self) -> Kind {
        if self.prime.digit_bytes() == 4 { Kind::U32 } else { Kind::U64 }
    }
    fn digits(&self) -> Option<usize> {
        Some(self.prime.digits())
    }
    fn check(&self, values: &[D], layout: Layout, first: usize) -> Result<()> {
        self.prime.field().check(values, layout).map_err(|error| match error {
            LibraryError::Digit { element, digit, value, field, radix } => {
                LibraryError::Digit { element: first + element, digit, value, field, radix }.into()
            }
            other => other.into(),
        })
    }
    fn parse(&self, text: &str) -> std::result::Result<Vec<D>, LibraryError> {
        Ok(self.prime.field().parse(text)?.into_iter().map(D::truncated).collect())
    }
    fn residue(&self, text: &str) -> std::result::Result<Vec<u64>, LibraryError> {
        self.prime.field().parse(text)
    }
    fn negated(&self, values: &[D]) -> Vec<D> {
        let (digits, field): (Vec<u64>, _) = (values.iter().map(|&digit| digit.into()).collect(), self.prime.field());
        field.multiply(&digits, &field.root(minus_one())).into_iter().map(D::truncated).collect()
    }
    fn format(&self, values: &[D]) -> String {
        let digits: Vec<u64> = values.iter().map(|&digit| digit.into()).collect();
        self.prime.field().to_decimal(&digits)
    }
}

/// A prime field of any form, with residues of one or more words.
pub struct Words {
    field: PrimeField,
}

impl Words {
    pub fn of(field: PrimeField) -> Self {
        Self { field }
    }
}

impl FileField for Words {
    type Value = u64;
    fn algebra(&self) -> Algebra {
        Algebra::PrimeField(self.field)
    }
    fn kind(&self) -> Kind {
        Kind::U64
    }
    fn digits(&self) -> Option<usize> {
        Some(self.field.words()).filter(|&words| words > 1)
    }
    fn check(&self, values: &[u64], layout: Layout, first: usize) -> Result<()> {
        self.field.check(values, layout).map_err(|error| match error {
            LibraryError::Residue { element, field } => {
                LibraryError::Residue { element: first + element, field }.into()
            }
            other => other.into(),
        })
    }
    fn parse(&self, text: &str) -> std::result::Result<Vec<u64>, LibraryError> {
        Ok(self.field.to_memory(&self.field.parse(text)?))
    }
    fn residue(&self, text: &str) -> std::result::Result<Vec<u64>, LibraryError> {
        self.field.parse(text)
    }
    fn negated(&self, values: &[u64]) -> Vec<u64> {
        self.field.multiply(values, &self.field.root(minus_one()))
    }
    fn format(&self, values: &[u64]) -> String {
        self.field.to_decimal(&self.field.from_memory(values))
    }
}

/// A prime field with elements of one word.
pub struct Word<W> {
    field: WordField,
    marker: PhantomData<W>,
}

impl<W> Word<W> {
    pub fn of(field: WordField) -> Self {
        Self { field, marker: PhantomData }
    }
}

/// The same refusal of an element that is so many places further.
fn moved(error: LibraryError, first: usize) -> Error {
    match error {
        LibraryError::FieldValue { index, value, field, modulus } => {
            LibraryError::FieldValue { index: first + index, value, field, modulus }.into()
        }
        other => other.into(),
    }
}

impl<W: Digit + MachineWord> FileField for Word<W> {
    type Value = W;
    fn algebra(&self) -> Algebra {
        Algebra::WordField(self.field)
    }
    fn kind(&self) -> Kind {
        if self.field.bytes() == 4 { Kind::U32 } else { Kind::U64 }
    }
    fn narrowed(&self, first: usize, words: &[u64]) -> Option<Result<Vec<W>>> {
        let values = || words.iter().map(|&word| W::truncated(word)).collect();
        Some(self.field.check(words).map(|()| values()).map_err(|error| moved(error, first)))
    }
    fn digits(&self) -> Option<usize> {
        None
    }
    fn check(&self, values: &[W], _: Layout, first: usize) -> Result<()> {
        self.field.check(values).map_err(|error| moved(error, first))
    }
    fn parse(&self, text: &str) -> std::result::Result<Vec<W>, LibraryError> {
        let word = |residue| W::truncated(self.field.to_memory(residue));
        Ok(self.field.field().parse(text)?.into_iter().map(word).collect())
    }
    fn residue(&self, text: &str) -> std::result::Result<Vec<u64>, LibraryError> {
        self.field.field().parse(text)
    }
    fn negated(&self, values: &[W]) -> Vec<W> {
        let minus = |&x: &W| W::truncated((self.field.modulus() - x.into()) % self.field.modulus());
        values.iter().map(minus).collect()
    }
    fn format(&self, values: &[W]) -> String {
        values.iter().map(|&value| self.field.from_memory(value.into()).to_string()).collect()
    }
}

/// The Goldilocks field.
pub struct Residues;

impl FileField for Residues {
    type Value = Goldilocks;
    fn algebra(&self) -> Algebra {
        Algebra::Goldilocks
    }
    fn kind(&self) -> Kind {
        Kind::U64
    }
    fn digits(&self) -> Option<usize> {
        None
    }
    fn check(&self, values: &[Goldilocks], _: Layout, first: usize) -> Result<()> {
        // As they stand in the file: on the host, words beyond the modulus are their residues.
        let words: &[u64] = bytemuck::cast_slice(values);
        match words.iter().position(|&word| Goldilocks::new(word).is_none()) {
            None => Ok(()),
            Some(i) => Err(LibraryError::FieldValue {
                index: first + i,
                value: words[i],
                field: Algebra::Goldilocks.name(),
                modulus: Goldilocks::MODULUS,
            }
            .into()),
        }
    }
    fn parse(&self, text: &str) -> std::result::Result<Vec<Goldilocks>, LibraryError> {
        let text = text.trim();
        let value = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => text.parse(),
        };
        let digits_only = text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains('+');
        let element = value.ok().filter(|_| digits_only).and_then(Goldilocks::new);
        element.map(|element| vec![element]).ok_or_else(|| LibraryError::Syntax {
            what: "an element of the field",
            found: text.chars().take(40).collect(),
            expected: format!("a number below {}, decimal or hexadecimal after 0x", Goldilocks::MODULUS),
        })
    }
    fn residue(&self, text: &str) -> std::result::Result<Vec<u64>, LibraryError> {
        Ok(self.parse(text)?.into_iter().map(Goldilocks::value).collect())
    }
    fn negated(&self, values: &[Goldilocks]) -> Vec<Goldilocks> {
        values.iter().map(Ring::neg).collect()
    }
    fn format(&self, values: &[Goldilocks]) -> String {
        values.iter().map(|value| value.value().to_string()).collect()
    }
}
