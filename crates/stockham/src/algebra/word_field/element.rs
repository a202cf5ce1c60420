//! Elements of word fields as numbers that codelets compute with.

use std::fmt;

use super::WordField;
use super::arithmetic::{WordModulus, montgomery, reduced};
use crate::algebra::prime::power;
use crate::algebra::{Data, Digit, Gathered, MachineWord, Numbers, Ring, Root, Scale};
use crate::error::{Error, Result};

/// An element of a [`WordField`], of words of its type.
///
/// ```
/// use stockham::algebra::{Ring, WordElement, WordField};
/// let field: WordField = "koalabear".parse()?;
/// let x = WordElement::<u32>::new(field, 0x7f000000)?;
/// assert_eq!(x.mul(&x).value(), 1);
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// Both operands must be of one field; debug builds panic if they are not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct WordElement<W> {
    field: WordField,
    /// The residue times R mod p.
    form: W,
}

impl<W: Digit + MachineWord> WordElement<W> {
    /// The element of that value.
    ///
    /// # Errors
    /// [`Error::FieldValue`] if it is not below p; [`Error::ElementType`] if the field's elements are other words.
    pub fn new(field: WordField, value: W) -> Result<Self> {
        if size_of::<W>() != field.bytes() {
            let expected = if field.bytes() == 4 { u32::NAME } else { u64::NAME };
            return Err(Error::ElementType { buffer: "element", expected, found: W::NAME });
        }
        field.check(&[value])?;
        Ok(Self::of(field, value))
    }

    fn of(field: WordField, value: W) -> Self {
        Self { field, form: value }.mul(&Self { field, form: W::truncated(field.constants.square) })
    }

    /// The residue below p.
    pub fn value(&self) -> W {
        self.mul(&Self { form: W::truncated(1), ..*self }).form
    }

    /// 1/self, or nothing for zero.
    pub fn inverse(&self) -> Option<Self> {
        let one = self.integer(1);
        (self.form != W::truncated(0)).then(|| power(*self, self.field.modulus() - 2, one))
    }

    #[inline(always)]
    fn modulus(&self) -> WordModulus<W> {
        let constants = self.field.constants;
        WordModulus { prime: W::truncated(constants.prime), inverse: W::truncated(constants.inverse) }
    }

    #[inline(always)]
    fn below_twice(&self, form: &W) -> Self {
        Self { form: reduced(form, &self.modulus().prime), ..*self }
    }
}

impl<W: Digit + MachineWord> Ring for WordElement<W> {
    #[inline(always)]
    fn add(&self, rhs: &Self) -> Self {
        debug_assert_eq!(self.field, rhs.field);
        self.below_twice(&self.form.plus(&rhs.form))
    }
    #[inline(always)]
    fn sub(&self, rhs: &Self) -> Self {
        debug_assert_eq!(self.field, rhs.field);
        self.below_twice(&self.form.plus(&self.modulus().prime).minus(&rhs.form))
    }
    #[inline(always)]
    fn neg(&self) -> Self {
        self.below_twice(&self.modulus().prime.minus(&self.form))
    }
    #[inline(always)]
    fn mul(&self, rhs: &Self) -> Self {
        debug_assert_eq!(self.field, rhs.field);
        self.below_twice(&montgomery(&self.modulus(), &self.form, &rhs.form))
    }
    /// # Panics
    /// If the field has no root of that order; [`Algebra::check_length`](crate::Algebra::check_length) tells before.
    fn mul_root(&self, root: Root) -> Self {
        match root.order() {
            1 => *self,
            2 => self.neg(),
            _ => self.mul(&Self::of(self.field, W::truncated(self.field.root(root)))),
        }
    }
    fn mul_cos(&self, root: Root) -> Self {
        self.mul_root(root).add(&self.mul_root(root.inverse())).scaled(Scale::Inverse(2))
    }
    fn mul_sin(&self, root: Root) -> Self {
        self.mul_root(root).sub(&self.mul_root(root.inverse())).scaled(Scale::Inverse(2))
    }
}

impl<W: Digit + MachineWord> Numbers for WordElement<W> {
    fn integer(&self, value: u64) -> Self {
        Self::of(self.field, W::truncated(value % self.field.modulus()))
    }
    fn has_root(&self, n: usize) -> bool {
        self.field.has_root(n)
    }
    /// The transform over fields takes −1 as the root that costs no product.
    fn shift_order(&self) -> usize {
        2
    }
    /// # Panics
    /// For [`Scale::InverseSqrt`]: a field has no canonical square root.
    fn scaled(&self, scale: Scale) -> Self {
        match scale {
            Scale::One => *self,
            Scale::Inverse(n) => self.mul(&self.integer(n as u64).inverse().expect("n is not a multiple of p")),
            Scale::InverseSqrt(_) => panic!("a finite field has no canonical square root"),
        }
    }
}

impl<W: Digit + MachineWord> Gathered<1> for WordElement<W> {
    type Field = WordField;
    fn one(field: WordField) -> Self {
        Self { field, form: W::truncated(field.constants.one) }
    }
    #[inline(always)]
    fn gather(field: WordField, index: usize, &[value]: &[u64; 1]) -> Result<Self> {
        if value >= field.modulus() {
            return Err(field.refusal(index, value));
        }
        let word = W::truncated(value);
        Ok(if field.is_montgomery() { Self { field, form: word } } else { Self::of(field, word) })
    }
    fn of_residue(field: WordField, &[value]: &[u64; 1]) -> Result<Self> {
        Self::new(field, W::truncated(value))
    }
    #[inline(always)]
    fn scatter(&self) -> [u64; 1] {
        [if self.field.is_montgomery() { self.form } else { self.value() }.into()]
    }
}

impl<W: Digit + MachineWord> fmt::Debug for WordElement<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", self.value().into(), self.field)
    }
}
