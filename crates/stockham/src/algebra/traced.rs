//! An element of any algebra whose components are symbols: what a codelet computes with while it becomes a kernel.

use num_complex::Complex;

use super::complex::scale_factor;
use super::ring::{Ring, Root, Scale};
use super::{Algebra, Goldilocks, Scalar};

/// A scalar that can also go through an algebra's primitive functions, which stand as text beside the algebra.
pub trait Circuit: Scalar {
    /// The primitive of that name applied to operands.
    fn call(&self, primitive: &'static str, operands: &[&Self]) -> Self;
    /// A constant machine word. (`self` only lends its context.)
    fn word(&self, value: u64) -> Self;
}

/// An element of an algebra over symbols.
#[derive(Debug, Clone)]
pub enum Traced<S> {
    /// Real and imaginary part.
    Complex(Complex<S>),
    /// One word, with a sign that is applied when it costs nothing: a ± b absorbs it.
    Goldilocks {
        /// The magnitude.
        word: S,
        /// Whether the element is minus the word.
        negated: bool,
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
                let [word] = components.try_into().ok().expect("a Goldilocks element has one component");
                Self::Goldilocks { word, negated: false }
            }
        }
    }

    /// The components as they lie in memory.
    pub fn into_components(self) -> Vec<S> {
        match self {
            Self::Complex(z) => vec![z.re, z.im],
            Self::Goldilocks { word, negated: false } => vec![word],
            Self::Goldilocks { word, negated: true } => vec![word.call("gl_sub", &[&word.word(0), &word])],
        }
    }

    /// self times the scale.
    pub fn scaled(&self, scale: Scale) -> Self {
        match (self, scale) {
            (_, Scale::One) => self.clone(),
            (Self::Complex(z), _) => {
                let factor = z.re.constant(scale_factor(scale));
                Self::Complex(Complex::new(z.re.mul(&factor), z.im.mul(&factor)))
            }
            (Self::Goldilocks { word, negated }, Scale::Inverse(n) | Scale::InverseSqrt(n)) => {
                match Goldilocks::inverse_as_pow2(n) {
                    Some(s) => shifted(word, *negated, s),
                    None => {
                        let inverse = Goldilocks::reduce(n as u64).inverse().expect("n is below p and not zero");
                        let factor = word.word(inverse.value());
                        Self::Goldilocks { word: word.call("gl_mul", &[word, &factor]), negated: *negated }
                    }
                }
            }
        }
    }

    fn zip(&self, rhs: &Self, complex: impl Fn(&Complex<S>, &Complex<S>) -> Complex<S>, field: Field<S>) -> Self {
        match (self, rhs) {
            (Self::Complex(a), Self::Complex(b)) => Self::Complex(complex(a, b)),
            (Self::Goldilocks { word: a, negated: na }, Self::Goldilocks { word: b, negated: nb }) => {
                field(a, *na, b, *nb)
            }
            _ => unreachable!("a kernel has one algebra"),
        }
    }
}

type Field<S> = fn(&S, bool, &S, bool) -> Traced<S>;

fn field_add<S: Circuit>(a: &S, na: bool, b: &S, nb: bool) -> Traced<S> {
    let (word, negated) = match (na, nb) {
        (false, true) => (a.call("gl_sub", &[a, b]), false),
        (true, false) => (a.call("gl_sub", &[b, a]), false),
        _ => (a.call("gl_add", &[a, b]), na),
    };
    Traced::Goldilocks { word, negated }
}

fn field_mul<S: Circuit>(a: &S, na: bool, b: &S, nb: bool) -> Traced<S> {
    Traced::Goldilocks { word: a.call("gl_mul", &[a, b]), negated: na != nb }
}

fn shifted<S: Circuit>(word: &S, negated: bool, s: u64) -> Traced<S> {
    let (s, turned) = if s >= 96 { (s - 96, true) } else { (s, false) };
    let word = if s == 0 { word.clone() } else { word.call("gl_shift", &[word, &word.word(s)]) };
    Traced::Goldilocks { word, negated: negated != turned }
}

impl<S: Circuit> Ring for Traced<S> {
    fn add(&self, rhs: &Self) -> Self {
        self.zip(rhs, Ring::add, field_add)
    }
    fn sub(&self, rhs: &Self) -> Self {
        self.zip(rhs, Ring::sub, |a, na, b, nb| field_add(a, na, b, !nb))
    }
    fn neg(&self) -> Self {
        match self {
            Self::Complex(z) => Self::Complex(Ring::neg(z)),
            Self::Goldilocks { word, negated } => Self::Goldilocks { word: word.clone(), negated: !negated },
        }
    }
    fn mul(&self, rhs: &Self) -> Self {
        self.zip(rhs, Ring::mul, field_mul)
    }
    fn mul_root(&self, root: Root) -> Self {
        match self {
            Self::Complex(z) => Self::Complex(z.mul_root(root)),
            Self::Goldilocks { word, negated } => match Goldilocks::root_as_pow2(root) {
                Some(s) => shifted(word, *negated, s),
                None => {
                    let factor = word.word(<Goldilocks as super::NumericRing>::root(root).value());
                    Self::Goldilocks { word: word.call("gl_mul", &[word, &factor]), negated: *negated }
                }
            },
        }
    }
    fn mul_cos(&self, root: Root) -> Self {
        match self {
            Self::Complex(z) => Self::Complex(z.mul_cos(root)),
            field => field.mul_root(root).add(&field.mul_root(root.inverse())).scaled(Scale::Inverse(2)),
        }
    }
    fn mul_sin(&self, root: Root) -> Self {
        match self {
            Self::Complex(z) => Self::Complex(z.mul_sin(root)),
            field => field.mul_root(root).sub(&field.mul_root(root.inverse())).scaled(Scale::Inverse(2)),
        }
    }
}
