//! What a butterfly may do to a number: the [`Ring`] trait, with its roots of unity.

use serde::{Deserialize, Serialize};

/// The sign of the exponent: forward is e^{-2πi/n} over ℂ, and the primitive root ω over a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// X\[k\] = Σ x\[j\] ω^{jk}.
    Forward,
    /// x\[j\] = Σ X\[k\] ω^{-jk}, times the normalisation.
    Inverse,
}

impl Direction {
    /// ω_n^k in this direction.
    pub fn root(self, k: usize, n: usize) -> Root {
        match self {
            Self::Forward => Root::new(k, n),
            Self::Inverse => Root::new(n - k % n, n),
        }
    }

    /// The other direction.
    pub fn reversed(self) -> Self {
        match self {
            Self::Forward => Self::Inverse,
            Self::Inverse => Self::Forward,
        }
    }
}

/// A root of unity ω_n^k in lowest terms, where ω_n is the algebra's forward root of order n.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Root {
    k: usize,
    n: usize,
}

impl Root {
    /// ω_n^k. `n` must not be zero.
    pub fn new(k: usize, n: usize) -> Self {
        let k = k % n;
        let common = gcd(k, n);
        Self { k: k / common, n: n / common }
    }

    /// The exponent, below the order.
    pub fn exponent(self) -> usize {
        self.k
    }

    /// The exact order of this root.
    pub fn order(self) -> usize {
        self.n
    }

    /// The inverse root.
    pub fn inverse(self) -> Self {
        Self::new(self.n - self.k, self.n)
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if a == 0 { b } else { gcd(b % a, a) }
}

/// The factor a transform's output is multiplied by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Scale {
    /// 1.
    One,
    /// 1/n.
    Inverse(usize),
    /// 1/√n.
    InverseSqrt(usize),
}

/// A commutative ring with the roots of unity its transforms need.
///
/// Every codelet is written once over this trait. On numbers it computes; on an exact ring it proves the algorithm;
/// on symbols it records the graph that becomes a GPU kernel.
pub trait Ring: Clone {
    /// self + rhs.
    fn add(&self, rhs: &Self) -> Self;
    /// self − rhs.
    fn sub(&self, rhs: &Self) -> Self;
    /// −self.
    fn neg(&self) -> Self;
    /// self · rhs.
    fn mul(&self, rhs: &Self) -> Self;
    /// self · ω, using what the ring knows of that root: a swap for i, a shift where ω is a power of two.
    fn mul_root(&self, root: Root) -> Self;
    /// self · (ω + ω⁻¹)/2, the ring's cosine: a real factor over ℂ.
    fn mul_cos(&self, root: Root) -> Self;
    /// self · (ω − ω⁻¹)/2, the ring's sine: an imaginary factor over ℂ.
    fn mul_sin(&self, root: Root) -> Self;
}

/// A ring whose elements exist as numbers: it can name its constants without an element at hand.
pub trait NumericRing: Ring + Copy + Send + Sync {
    /// The neutral element of addition.
    fn zero() -> Self;
    /// The neutral element of multiplication.
    fn one() -> Self;
    /// The root of unity itself.
    fn root(root: Root) -> Self {
        Self::one().mul_root(root)
    }
    /// self times the scale.
    fn scaled(&self, scale: Scale) -> Self;
}
