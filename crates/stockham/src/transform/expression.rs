//! Expressions: what is computed of each number as it is read, or before it is written.
//!
//! An expression is made of the number itself, of its place, of constants and of arrays, by functions of real and complex numbers. It is
//! part of the transform's description, so that a GPU computes it within the first or the last kernel.

mod operators;
mod sugar;
mod trace;
mod types;

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) use trace::{Value, Values, trace};
pub(crate) use types::Type;

/// An expression. Cheap to clone; parts that are used twice are computed once.
///
/// ```
/// use stockham::{Access, Algebra, Complex32, Device, Expr, Transform};
/// // The squares of a spectrum's absolute values, of a signal that fades.
/// let fading = Expr::value() * (Expr::index(0) * -0.5).exp2();
/// let transform = Transform::real(Algebra::ComplexF32, 4)
///     .with_load(Access::of(fading))
///     .with_store(Access::of(Expr::value().norm_sqr()).real());
/// let device = Device::cpu();
/// let input = device.upload(&[1f32, 0.0, 2.0, 0.0])?;
/// let mut power = device.alloc::<f32>(3)?;
/// device.plan(&transform)?.run(&input, &mut power)?;
/// assert_eq!(power.to_vec()?, [4.0, 0.0, 4.0]);
/// # Ok::<(), stockham::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Expr(Arc<Node>);

/// What an expression is made of.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Node {
    /// The number that is read, or that would be written.
    Value,
    Constant(Bits),
    /// Its index along a transform dimension, outermost first.
    Index(usize),
    /// Its index along a batch dimension.
    Batch(usize),
    /// A number of an array.
    Array(Array),
    Complex(Expr, Expr),
    Re(Expr),
    Im(Expr),
    Conj(Expr),
    NormSqr(Expr),
    /// A function of numbers that may be complex: a sum, a difference, a product, a quotient, the opposite or a choice.
    Ring(Function, Vec<Expr>),
    /// A function of real numbers.
    Real(Function, Vec<Expr>),
}

/// A function of real numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Function {
    Add,
    Sub,
    Mul,
    Div,
    Neg,
    /// The lesser and the greater of two numbers.
    Min,
    Max,
    Abs,
    Sqrt,
    /// 1/√x.
    Rsqrt,
    Log2,
    Exp2,
    /// sin πx and cos πx.
    SinPi,
    CosPi,
    Floor,
    /// Whether the first is less than the second.
    Less,
    /// The second where the first, a truth, holds, and the third elsewhere.
    Select,
}

/// A number as its bits, so that it can be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Bits(u64);

impl Serialize for Bits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        format!("{:?}", f64::from_bits(self.0)).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Bits {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse::<f64>().map(|x| Self(x.to_bits())).map_err(serde::de::Error::custom)
    }
}

impl Serialize for Expr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Expr {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Node::deserialize(deserializer).map(Self::from)
    }
}

impl From<Node> for Expr {
    fn from(node: Node) -> Self {
        Self(Arc::new(node))
    }
}

/// Numbers that expressions look up by the index along some dimensions.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Array {
    /// Real and imaginary parts, one after the other, or real numbers.
    numbers: Vec<Bits>,
    pub is_complex: bool,
    /// The dimensions, batch dimensions after those of the transform, and how many numbers there are along each; the last one's are
    /// neighbours.
    pub along: Vec<(usize, usize)>,
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array of {} numbers along {:?}", self.len(), self.along)
    }
}

impl Array {
    /// How many numbers there are.
    pub fn len(&self) -> usize {
        if self.is_complex { self.numbers.len() / 2 } else { self.numbers.len() }
    }

    /// The real and the imaginary part of a number.
    pub fn number(&self, at: usize) -> (f64, f64) {
        let of = |i: usize| f64::from_bits(self.numbers[i].0);
        if self.is_complex { (of(2 * at), of(2 * at + 1)) } else { (of(at), 0.0) }
    }
}

impl Expr {
    /// The arrays that it looks up, each once.
    pub(crate) fn arrays(&self) -> Vec<&Array> {
        let mut found: Vec<&Array> = Vec::new();
        self.visit(&mut |expr| {
            if let Node::Array(array) = &*expr.0
                && !found.contains(&array)
            {
                found.push(array);
            }
        });
        found
    }

    /// Whether it depends on a number's place.
    pub(crate) fn knows_places(&self) -> bool {
        let mut knows = false;
        self.visit(&mut |expr| knows |= matches!(&*expr.0, Node::Index(_) | Node::Batch(_) | Node::Array(_)));
        knows
    }

    /// Calls `see` with every part, those that are used twice once.
    fn visit<'a>(&'a self, see: &mut dyn FnMut(&'a Self)) {
        let (mut seen, mut rest) = (std::collections::HashSet::new(), vec![self]);
        while let Some(expr) = rest.pop() {
            if seen.insert(Arc::as_ptr(&expr.0)) {
                see(expr);
                rest.extend(expr.parts());
            }
        }
    }

    fn parts(&self) -> Vec<&Self> {
        match &*self.0 {
            Node::Value | Node::Constant(_) | Node::Index(_) | Node::Batch(_) | Node::Array(_) => Vec::new(),
            Node::Re(x) | Node::Im(x) | Node::Conj(x) | Node::NormSqr(x) => vec![x],
            Node::Complex(a, b) => vec![a, b],
            Node::Ring(_, operands) | Node::Real(_, operands) => operands.iter().collect(),
        }
    }
}
