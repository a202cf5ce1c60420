//! Elements of big prime fields as numbers that codelets compute with.

use std::fmt;

use crate::algebra::{Numbers, Ring, Root, Scale};
use crate::error::{Error, Result};

use super::product::multiply;
use super::{Field, sums};

/// An element of a [`Field`] of `K` digits.
///
/// ```
/// use stockham::algebra::{BigElement, BigPrime, Ring};
/// let field = BigPrime::P3.field();
/// let r = BigElement::<8>::parse(field, "9223372054034644992")?;
/// assert_eq!(r.pow(8), BigElement::from_u64(field, 1).neg());
/// assert_eq!(r.mul(&r), r.mul_pow_r(1));
/// # Ok::<(), stockham::Error>(())
/// ```
///
/// Both operands must be of one field; debug builds panic if they are not.
#[derive(Clone, Copy)]
pub struct BigElement<const K: usize> {
    field: &'static Field,
    digits: [u64; K],
}

impl<const K: usize> BigElement<K> {
    /// The element with these digits.
    ///
    /// # Errors
    /// [`Error::Digit`] if a digit is out of range; [`Error::BufferLength`] if the field's elements do not have `K`.
    pub fn new(field: &'static Field, digits: [u64; K]) -> Result<Self> {
        Self::check_field(field)?;
        field.check_element(0, |c| digits[c])?;
        Ok(Self { field, digits })
    }

    fn check_field(field: &Field) -> Result<()> {
        let expected = field.prime().digits();
        if expected == K { Ok(()) } else { Err(Error::BufferLength { buffer: "element", expected, found: K }) }
    }

    /// The element with digits that were checked.
    pub(crate) fn of(field: &'static Field, digits: &[u64]) -> Self {
        Self { field, digits: digits.try_into().expect("as many digits as the field's elements have") }
    }

    /// The residue of a number.
    ///
    /// # Panics
    /// If the field's elements do not have `K` digits.
    pub fn from_u64(field: &'static Field, value: u64) -> Self {
        Self::of(field, &field.small(value))
    }

    /// The element of a decimal or hexadecimal text, as [`Field::parse`] reads it.
    ///
    /// # Errors
    /// [`Error::Syntax`]; [`Error::BufferLength`] if the field's elements do not have `K` digits.
    pub fn parse(field: &'static Field, text: &str) -> Result<Self> {
        Self::check_field(field)?;
        Ok(Self::of(field, &field.parse(text)?))
    }

    /// Its field.
    pub fn field(&self) -> &'static Field {
        self.field
    }

    /// Its digits in base r, the lowest first.
    pub fn digits(&self) -> &[u64; K] {
        &self.digits
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.digits == [0; K]
    }

    fn with(&self, digits: [u64; K]) -> Self {
        Self { digits, ..*self }
    }

    fn r(&self) -> u64 {
        self.field.radix().value()
    }

    #[inline(always)]
    fn same_field(&self, other: &Self) {
        debug_assert!(std::ptr::eq(self.field, other.field), "{:?} and {:?}", self.field, other.field);
    }

    /// self · r^s, for any s: a rotation of the digits, since r^k = −1.
    pub fn mul_pow_r(&self, s: usize) -> Self {
        self.with(sums::rotate(self.r(), &self.digits, s % (2 * K)))
    }

    /// self^e.
    pub fn pow(&self, e: u64) -> Self {
        Self::of(self.field, &self.field.power(&self.digits, e))
    }

    /// 1/self, or nothing for zero: self^{p−2} = self^{(r−1)(1 + r + … + r^{k−1})}.
    pub fn inverse(&self) -> Option<Self> {
        // b_1 = self^{r−1}, b_{2j} = b_j · b_j^{r^j}: the exponents are (r − 1)(1 + r + … + r^{2j−1}).
        let step = |b: Self, j: usize| b.mul(&(0..j).fold(b, |power, _| power.pow(self.r())));
        let first = self.pow(self.r() - 1);
        (!self.is_zero()).then(|| (0..K.ilog2()).fold(first, |b, i| step(b, 1 << i)))
    }

    /// If ω is a power of r, the exponent s with ω = r^s, below 2k.
    pub fn root_as_rotation(root: Root) -> Option<usize> {
        (2 * K).is_multiple_of(root.order()).then(|| 2 * K / root.order() * root.exponent())
    }
}

impl<const K: usize> Ring for BigElement<K> {
    fn add(&self, rhs: &Self) -> Self {
        self.same_field(rhs);
        self.with(sums::add(self.r(), &self.digits, &rhs.digits))
    }
    fn sub(&self, rhs: &Self) -> Self {
        self.same_field(rhs);
        self.with(sums::sub(self.r(), &self.digits, &rhs.digits))
    }
    fn add_sub(&self, rhs: &Self) -> (Self, Self) {
        self.same_field(rhs);
        let (sum, difference) = sums::add_sub(self.r(), &self.digits, &rhs.digits);
        (self.with(sum), self.with(difference))
    }
    fn neg(&self) -> Self {
        self.with(sums::sub(self.r(), &[0; K], &self.digits))
    }
    fn mul(&self, rhs: &Self) -> Self {
        self.same_field(rhs);
        let mut product = [0; K];
        multiply(self.field.radix(), &self.digits, &rhs.digits, &mut product);
        self.with(product)
    }
    /// # Panics
    /// If the field has no root of that order; [`Algebra::check_length`](crate::Algebra::check_length) tells before.
    fn mul_root(&self, root: Root) -> Self {
        match Self::root_as_rotation(root) {
            Some(s) => self.mul_pow_r(s),
            None => self.mul(&Self::of(self.field, &self.field.root(root))),
        }
    }
    fn mul_cos(&self, root: Root) -> Self {
        self.mul_root(root).add(&self.mul_root(root.inverse())).scaled(Scale::Inverse(2))
    }
    fn mul_sin(&self, root: Root) -> Self {
        self.mul_root(root).sub(&self.mul_root(root.inverse())).scaled(Scale::Inverse(2))
    }
}

impl<const K: usize> Numbers for BigElement<K> {
    fn integer(&self, value: u64) -> Self {
        Self::from_u64(self.field, value)
    }
    fn shift_order(&self) -> usize {
        2 * K
    }
    /// # Panics
    /// For [`Scale::InverseSqrt`]: a field has no canonical square root.
    fn scaled(&self, scale: Scale) -> Self {
        match scale {
            Scale::One => *self,
            Scale::Inverse(n) if n.is_power_of_two() => {
                self.mul(&Self::of(self.field, &self.field.inverse_of_pow2(n.ilog2())))
            }
            Scale::Inverse(n) => {
                let n = Self::from_u64(self.field, n as u64);
                self.mul(&n.inverse().expect("n is not zero"))
            }
            Scale::InverseSqrt(_) => panic!("a finite field has no canonical square root"),
        }
    }
}

impl<const K: usize> PartialEq for BigElement<K> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.field, other.field) && self.digits == other.digits
    }
}

impl<const K: usize> Eq for BigElement<K> {}

/// The number in decimal.
impl<const K: usize> fmt::Display for BigElement<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad_integral(true, "", &self.field.to_decimal(&self.digits))
    }
}

impl<const K: usize> fmt::LowerHex for BigElement<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad_integral(true, "0x", &self.field.to_hex(&self.digits))
    }
}

impl<const K: usize> fmt::Debug for BigElement<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x?} in {}", self.digits, self.field.prime())
    }
}
