//! An element of any algebra whose components are symbols: what a codelet computes with while it becomes a kernel.

mod digits;
mod goldilocks;
mod mersenne;

use num_complex::Complex;

use super::complex::scale_factor;
use super::ring::{self, Direction, NumericRing, Ring, Root, Scale};
use super::{Algebra, Goldilocks, Lazy, MachineWord, Scalar, Word};

pub(super) use digits::SumNumber;
use digits::{Turned, negated, raised, rotated};
use goldilocks::{Residue, is_zero, narrow, shifted, widen};
pub use mersenne::Mersenne;
pub(crate) use mersenne::{PRIME as MERSENNE_31, doubled};

/// A scalar that can also go through an algebra's primitive functions, which stand as text beside the algebra.
pub trait Circuit: Scalar + MachineWord {
    /// The primitive applied to operands.
    fn call(&self, primitive: Primitive, operands: &[&Self]) -> Self;
    /// A constant machine word. (`self` only lends its context.)
    fn word(&self, value: u64) -> Self;
    /// What a kernel looks up of the prime, two words; nothing where the prime is known. (`self` only lends its context.)
    fn of_modulus(&self, _: OfModulus) -> Option<[Self; 2]> {
        None
    }
    /// Whether elements are those of a circle FFT, where tables have twice each factor. (`self` only lends its context.)
    fn is_on_circle(&self) -> bool {
        false
    }
    /// Of which power of the field's own roots Goldilocks' are. (`self` only lends its context.)
    fn root_power(&self) -> u64 {
        1
    }
    /// The bits of the constant that it is.
    fn known(&self) -> Option<u64> {
        None
    }
    /// The primitive that it is the result of, and its operands.
    fn called(&self) -> Option<(&'static str, Vec<Self>)> {
        None
    }
}

/// Constants of a word field that kernels look up where the prime is data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OfModulus {
    /// p, and 1/p mod R.
    Prime,
    /// The factor of the output c, and ⌊c·R/p⌋.
    Scale,
    /// What makes a product of two elements one again, c = R or 1, and its quotient.
    Product,
    /// The same of a root of unity of the codelets, of those whose exponent is below half of the order.
    Root(Root),
}

/// A primitive function of an algebra. A name that ends in `_` is that of a family, which has a function for every number
/// that the last operand, a constant, may be: it becomes part of the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Primitive {
    /// Its name in the algebra's text.
    pub name: &'static str,
    /// What it gives.
    pub gives: Word,
}

const fn word(name: &'static str) -> Primitive {
    Primitive { name, gives: Word::U64 }
}

const fn big(name: &'static str) -> Primitive {
    Primitive { name, gives: Word::Big }
}

const fn wide(name: &'static str) -> Primitive {
    Primitive { name, gives: Word::Wide }
}

/// An element of an algebra over symbols.
#[derive(Debug, Clone)]
pub enum Traced<S> {
    /// Real and imaginary part.
    Complex(Complex<S>),
    /// A residue, with a sign that is applied when it costs nothing: a ± b absorbs it.
    Goldilocks {
        /// The magnitude: a word, or a sum of words not reduced yet.
        value: S,
        /// Whether the value is such a sum.
        is_wide: bool,
        /// Whether the element is minus the value.
        negated: bool,
    },
    /// A residue of one word.
    Word(Lazy<S>),
    /// A residue modulo 2^31 − 1 in a circle FFT.
    Mersenne(Mersenne<S>),
    /// An element of digits, with a power of the algebra's free root, r or −1, that is applied when it costs nothing:
    /// a ± b absorbs it, as it does a one.
    Big {
        /// The field.
        algebra: Algebra,
        /// All digits together.
        value: S,
        /// Whether the value is one less, as a rotation by a computed power leaves it.
        less: bool,
        /// The element is the value, or one more, times the free root to this power, below its order.
        turn: usize,
    },
}

impl<S: Circuit> Traced<S> {
    /// The element of an algebra with these components, as they lie in memory.
    ///
    /// # Panics
    /// If their number is not the algebra's.
    pub fn from_components(algebra: Algebra, components: Vec<S>) -> Self {
        match algebra {
            Algebra::ComplexF32 | Algebra::ComplexF64 => {
                let [re, im] = components.try_into().ok().expect("a complex number has two components");
                Self::Complex(Complex::new(re, im))
            }
            Algebra::Goldilocks => {
                let [value] = components.try_into().ok().expect("a Goldilocks element has one component");
                Self::Goldilocks { value, is_wide: false, negated: false }
            }
            Algebra::WordField(field) => {
                let [word] = components.try_into().ok().expect("an element of one word");
                if word.is_on_circle() {
                    Self::Mersenne(Mersenne::new(word))
                } else {
                    Self::Word(Lazy::new(field, word))
                }
            }
            Algebra::BigPrime(_) | Algebra::PrimeField(_) => {
                let digits: Vec<&S> = components.iter().collect();
                Self::from_big(algebra, digits[0].call(big("bp_pack"), &digits))
            }
        }
    }

    /// The root with its quotient, of a word field.
    ///
    /// # Panics
    /// Over another algebra.
    pub(crate) fn from_pair(algebra: Algebra, pair: Vec<S>) -> Self {
        let (Algebra::WordField(field), Ok(pair)) = (algebra, pair.try_into()) else {
            panic!("roots over {} have no quotients", algebra.name())
        };
        Self::Word(Lazy::of_pair(field, pair))
    }

    /// The components as they lie in memory between two stages.
    pub fn into_components(self) -> Vec<S> {
        match self {
            Self::Complex(z) => vec![z.re, z.im],
            Self::Goldilocks { value, is_wide, negated } if !negated || is_zero(&value, is_wide) => {
                vec![narrow(&value, is_wide)]
            }
            Self::Goldilocks { value, is_wide, .. } => {
                let zero = value.call(wide("gl_widen"), &[&value.word(0)]);
                vec![narrow(&zero.call(wide("gl_sub"), &[&zero, &widen(&value, is_wide)]), true)]
            }
            Self::Word(x) => vec![x.stored()],
            Self::Mersenne(x) => vec![x.stored()],
            Self::Big { algebra, .. } => {
                let value = self.into_big();
                let (gives, count) = algebra.layout();
                let digit = Primitive { name: "bp_digit", gives };
                (0..count as u64).map(|c| value.call(digit, &[&value, &value.word(c)])).collect()
            }
        }
    }

    /// The components as the caller gets them: the one representative of each element.
    pub fn into_canonical(self) -> Vec<S> {
        match self {
            Self::Word(x) => vec![x.canonical()],
            Self::Mersenne(x) => vec![x.canonical()],
            Self::Goldilocks { .. } => {
                self.into_components().into_iter().map(|c| c.call(word("gl_reduce"), &[&c])).collect()
            }
            _ => self.into_components(),
        }
    }

    /// self times the scale.
    pub fn scaled(&self, scale: Scale) -> Self {
        match (self, scale) {
            (_, Scale::One) => self.clone(),
            (Self::Complex(z), _) => {
                let factor = scale_factor(scale);
                Self::Complex(Complex::new(z.re.times_exactly(factor), z.im.times_exactly(factor)))
            }
            (Self::Word(x), Scale::Inverse(n) | Scale::InverseSqrt(n)) => Self::Word(x.over(n)),
            (Self::Mersenne(x), Scale::Inverse(n) | Scale::InverseSqrt(n)) => Self::Mersenne(x.over(n)),
            (Self::Big { algebra, .. }, Scale::Inverse(n) | Scale::InverseSqrt(n)) => {
                let factor = match algebra {
                    Algebra::BigPrime(prime) => prime.field().inverse_of_pow2(n.trailing_zeros()),
                    Algebra::PrimeField(field) => field.inverse_in_form(n),
                    _ => unreachable!("an element of digits"),
                };
                self.mul(&self.constant(&factor))
            }
            (Self::Goldilocks { value, is_wide, negated }, Scale::Inverse(n) | Scale::InverseSqrt(n)) => {
                match Goldilocks::inverse_as_pow2(n) {
                    Some(s) => shifted(value, *is_wide, *negated, s),
                    None => {
                        let inverse = Goldilocks::reduce(n as u64).inverse().expect("n is below p and not zero");
                        self.times(inverse)
                    }
                }
            }
        }
    }

    /// The same element, where its components were left by [`into_components`](Self::into_components) and are no caller's.
    pub(crate) fn of_stored(self) -> Self {
        match self {
            Self::Word(x) => Self::Word(x.of_stored()),
            Self::Mersenne(x) => Self::Mersenne(x.of_stored()),
            other => other,
        }
    }

    /// The complex conjugate.
    ///
    /// # Panics
    /// Over a field, which has none.
    pub(crate) fn conjugate(&self) -> Self {
        let Self::Complex(z) = self else { panic!("an element of a field has no conjugate") };
        Self::Complex(Complex::new(z.re.clone(), z.im.neg()))
    }

    /// self times a constant of the field.
    fn times(&self, factor: Goldilocks) -> Self {
        let Self::Goldilocks { value, is_wide, negated } = self else { unreachable!("a constant of the field") };
        let factor = value.word(factor.value());
        goldilocks::mul((value, *is_wide, *negated), (&factor, false, false))
    }

    /// The element with these digits. (`self` only lends its context.)
    fn constant(&self, digits: &[u64]) -> Self {
        let Self::Big { algebra, value, .. } = self else { unreachable!("an element of the field") };
        let words: Vec<S> = digits.iter().map(|&d| value.word(d)).collect();
        Self::from_components(*algebra, words)
    }

    /// The element of digits with this value.
    pub(crate) fn from_big(algebra: Algebra, value: S) -> Self {
        Self::from_value(algebra, (value, false))
    }

    /// The element of digits with this value, or one more.
    pub(crate) fn from_value(algebra: Algebra, (value, less): (S, bool)) -> Self {
        Self::Big { algebra, value, less, turn: 0 }
    }

    /// self times rhs, where both are data. (Other products are with roots, which stand in Montgomery's form.)
    pub(crate) fn product(&self, rhs: &Self) -> Self {
        if let (Self::Word(x), Self::Word(y)) = (self, rhs) {
            return Self::Word(x.product(y));
        }
        match self.mul(rhs) {
            Self::Big { algebra: Algebra::PrimeField(field), value, less, turn } if !field.is_montgomery() => {
                let number = value.word(field.square_constant());
                let value = value.call(big("bp_by_constant"), &[&value, &number]);
                Self::Big { algebra: Algebra::PrimeField(field), value, less, turn }
            }
            product => product,
        }
    }

    /// self times a root, given with its quotient, of a field of digits that [has them](Algebra::has_pairs).
    pub(crate) fn by_pair(&self, root: Self, quotient: Self) -> Self {
        let Self::Big { algebra, value, less, turn } = self else { unreachable!("an element of digits") };
        let value = raised(value.clone(), *less);
        let value = value.call(big("bp_mul_pair"), &[&value, &root.into_big(), &quotient.into_big()]);
        Self::Big { algebra: *algebra, value, less: false, turn: *turn }
    }

    /// The element of digits, all of it.
    pub(crate) fn into_big(self) -> S {
        let (value, less) = self.into_value();
        raised(value, less)
    }

    /// The value of an element of digits, and whether it is one less.
    pub(crate) fn into_value(self) -> (S, bool) {
        match self {
            Self::Big { value, less, turn: 0, .. } => (value, less),
            Self::Big { algebra, value, less, turn } => {
                let turn = value.word(turn as u64);
                rotated(algebra, raised(value, less), &turn)
            }
            _ => unreachable!("an element of digits"),
        }
    }

    /// self times the power of the algebra's [free root](Algebra::free_order) that a thread computes, below its order.
    pub(crate) fn mul_free_root(&self, exponent: &S) -> Self {
        match self {
            Self::Big { algebra, value, less, turn } => {
                let (value, less) = rotated(*algebra, raised(value.clone(), *less), exponent);
                Self::Big { algebra: *algebra, value, less, turn: *turn }
            }
            _ => unreachable!("the order of the free root is 1"),
        }
    }

    fn zip(
        &self,
        rhs: &Self,
        complex: impl Fn(&Complex<S>, &Complex<S>) -> Complex<S>,
        field: fn(Residue<'_, S>, Residue<'_, S>) -> Self,
        words: fn(&Lazy<S>, &Lazy<S>) -> Lazy<S>,
        on_circle: fn(&Mersenne<S>, &Mersenne<S>) -> Mersenne<S>,
        digits: fn(Algebra, Turned<'_, S>, Turned<'_, S>) -> Self,
    ) -> Self {
        match (self, rhs) {
            (Self::Word(a), Self::Word(b)) => Self::Word(words(a, b)),
            (Self::Mersenne(a), Self::Mersenne(b)) => Self::Mersenne(on_circle(a, b)),
            (Self::Complex(a), Self::Complex(b)) => Self::Complex(complex(a, b)),
            (
                Self::Goldilocks { value: a, is_wide: wa, negated: na },
                Self::Goldilocks { value: b, is_wide: wb, negated: nb },
            ) => field((a, *wa, *na), (b, *wb, *nb)),
            (Self::Big { algebra, value: a, less: la, turn: ta }, Self::Big { value: b, less: lb, turn: tb, .. }) => {
                digits(*algebra, (a, *la, *ta), (b, *lb, *tb))
            }
            _ => unreachable!("a kernel has one algebra"),
        }
    }
}

fn complex_of<S>(x: Traced<S>) -> Complex<S> {
    let Traced::Complex(z) = x else { unreachable!("elements of one algebra") };
    z
}

impl<S: Circuit> Ring for Traced<S> {
    fn add(&self, rhs: &Self) -> Self {
        self.zip(rhs, Ring::add, goldilocks::add, Lazy::add, Mersenne::add, digits::add)
    }
    fn sub(&self, rhs: &Self) -> Self {
        self.zip(
            rhs,
            Ring::sub,
            |a, (b, wide, negated)| goldilocks::add(a, (b, wide, !negated)),
            Lazy::sub,
            Mersenne::sub,
            digits::sub,
        )
    }
    fn neg(&self) -> Self {
        match self {
            Self::Complex(z) => Self::Complex(Ring::neg(z)),
            Self::Word(x) => Self::Word(x.clone().neg()),
            Self::Mersenne(x) => Self::Mersenne(x.clone().neg()),
            Self::Goldilocks { value, is_wide, negated } => {
                Self::Goldilocks { value: value.clone(), is_wide: *is_wide, negated: !negated }
            }
            Self::Big { algebra, value, less, turn } => {
                Self::Big { algebra: *algebra, value: value.clone(), less: *less, turn: negated(*algebra, *turn) }
            }
        }
    }
    fn mul(&self, rhs: &Self) -> Self {
        self.zip(rhs, Ring::mul, goldilocks::mul, Lazy::mul, Mersenne::mul, digits::mul)
    }
    fn mul_root(&self, root: Root) -> Self {
        match self {
            Self::Complex(z) => Self::Complex(z.mul_root(root)),
            Self::Word(x) => Self::Word(x.mul_root(root)),
            Self::Mersenne(x) => Self::Mersenne(x.mul_root(root)),
            Self::Goldilocks { value, is_wide, negated } => {
                let root = match value.root_power() {
                    1 => root,
                    power => root.to_power(power),
                };
                match Goldilocks::root_as_pow2(root) {
                    Some(s) => shifted(value, *is_wide, *negated, s),
                    None => self.times(<Goldilocks as NumericRing>::root(root)),
                }
            }
            Self::Big { algebra, value, less, turn } => {
                let order = algebra.free_order();
                if order.is_multiple_of(root.order()) {
                    let turn = (turn + root.exponent() * (order / root.order())) % order;
                    return Self::Big { algebra: *algebra, value: value.clone(), less: *less, turn };
                }
                match algebra {
                    Algebra::PrimeField(field) => {
                        let Some((number, negates)) = field.root_constant(root) else {
                            return self.mul(&self.constant(&field.root_in_form(root)));
                        };
                        let value = value.call(big("bp_by_constant"), &[value, &value.word(number)]);
                        let turn = if negates { negated(*algebra, *turn) } else { *turn };
                        Self::Big { algebra: *algebra, value, less: *less, turn }
                    }
                    Algebra::BigPrime(prime) => self.mul(&self.constant(&prime.field().root(root))),
                    _ => unreachable!("an element of digits"),
                }
            }
        }
    }
    fn combine<const N: usize, const H: usize, const Q: usize>(
        u: [Self; H],
        z: [Self; Q],
        t: [Self; Q],
        direction: Direction,
    ) -> [Self; N] {
        if let Self::Complex(_) = u[0] {
            let (u, z, t) = (u.map(complex_of), z.map(complex_of), t.map(complex_of));
            return Complex::combine(u, z, t, direction).map(Self::Complex);
        }
        ring::combine(u, z, t, direction)
    }
    fn mul_cos(&self, root: Root) -> Self {
        match self {
            Self::Complex(z) => Self::Complex(z.mul_cos(root)),
            Self::Goldilocks { .. } if Goldilocks::root_as_pow2(root).is_none() => {
                self.times(Ring::mul_cos(&Goldilocks::reduce(1), root))
            }
            Self::Word(x) => Self::Word(x.mul_cos(root)),
            Self::Big { algebra: Algebra::PrimeField(field), .. } => {
                self.mul(&self.constant(&field.halves_in_form(root)[0]))
            }
            field => field.mul_root(root).add(&field.mul_root(root.inverse())).scaled(Scale::Inverse(2)),
        }
    }
    fn mul_sin(&self, root: Root) -> Self {
        match self {
            Self::Complex(z) => Self::Complex(z.mul_sin(root)),
            Self::Goldilocks { .. } if Goldilocks::root_as_pow2(root).is_none() => {
                self.times(Ring::mul_sin(&Goldilocks::reduce(1), root))
            }
            Self::Word(x) => Self::Word(x.mul_sin(root)),
            Self::Big { algebra: Algebra::PrimeField(field), .. } => {
                self.mul(&self.constant(&field.halves_in_form(root)[1]))
            }
            field => field.mul_root(root).sub(&field.mul_root(root.inverse())).scaled(Scale::Inverse(2)),
        }
    }
}
