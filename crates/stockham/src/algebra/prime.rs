//! Small prime fields ℤ/p with p known at compile time: the exact rings that prove an algorithm, rounding aside.

use super::ring::{Numbers, NumericRing, Ring, Root, Scale};

/// An element of ℤ/P, kept below P. P must be an odd prime below 2^63.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Prime<const P: u64>(u64);

impl<const P: u64> Prime<P> {
    /// The residue of a number.
    pub fn new(value: u64) -> Self {
        Self(value % P)
    }

    /// The residue, below P.
    pub fn value(self) -> u64 {
        self.0
    }

    /// self^e.
    pub fn pow(self, e: u64) -> Self {
        power(self, e, Self(1))
    }

    /// A root of exact order n: the least generator raised to (P−1)/n.
    fn primitive_root(n: u64) -> Self {
        assert!((P - 1).is_multiple_of(n), "{n} does not divide {P} - 1");
        let is_generator = |g: &Self| prime_factors(P - 1).iter().all(|&q| g.pow((P - 1) / q).0 != 1);
        let g = (2..P).map(Self).find(is_generator).expect("a prime field has a generator");
        g.pow((P - 1) / n)
    }
}

/// x^e by repeated squaring, over any ring.
pub(crate) fn power<R: Ring>(x: R, mut e: u64, one: R) -> R {
    let (mut square, mut result) = (x, one);
    while e > 0 {
        if e & 1 == 1 {
            result = result.mul(&square);
        }
        square = square.mul(&square);
        e >>= 1;
    }
    result
}

fn prime_factors(mut n: u64) -> Vec<u64> {
    let mut factors = Vec::new();
    let mut d = 2;
    while d * d <= n {
        if n.is_multiple_of(d) {
            factors.push(d);
            while n.is_multiple_of(d) {
                n /= d;
            }
        }
        d += 1;
    }
    if n > 1 {
        factors.push(n);
    }
    factors
}

impl<const P: u64> Ring for Prime<P> {
    fn add(&self, rhs: &Self) -> Self {
        Self((self.0 + rhs.0) % P)
    }
    fn sub(&self, rhs: &Self) -> Self {
        Self((self.0 + P - rhs.0) % P)
    }
    fn neg(&self) -> Self {
        Self((P - self.0) % P)
    }
    fn mul(&self, rhs: &Self) -> Self {
        Self((u128::from(self.0) * u128::from(rhs.0) % u128::from(P)) as u64)
    }
    fn mul_root(&self, root: Root) -> Self {
        self.mul(&Self::primitive_root(root.order() as u64).pow(root.exponent() as u64))
    }
    fn mul_cos(&self, root: Root) -> Self {
        self.mul_root(root).add(&self.mul_root(root.inverse())).mul(&Self(P.div_ceil(2)))
    }
    fn mul_sin(&self, root: Root) -> Self {
        self.mul_root(root).sub(&self.mul_root(root.inverse())).mul(&Self(P.div_ceil(2)))
    }
}

impl<const P: u64> NumericRing for Prime<P> {
    fn zero() -> Self {
        Self(0)
    }
    fn one() -> Self {
        Self(1)
    }
}

impl<const P: u64> Numbers for Prime<P> {
    fn integer(&self, value: u64) -> Self {
        Self::new(value)
    }
    /// # Panics
    /// For [`Scale::InverseSqrt`]: a field has no canonical square root.
    fn scaled(&self, scale: Scale) -> Self {
        match scale {
            Scale::One => *self,
            Scale::Inverse(n) => self.mul(&Self::new(n as u64).pow(P - 2)),
            Scale::InverseSqrt(_) => panic!("a finite field has no canonical square root"),
        }
    }
}
