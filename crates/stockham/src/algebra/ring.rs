//! What a butterfly may do to a number: the [`Ring`] trait, with its roots of unity.

use serde::{Deserialize, Serialize};

use crate::parallel;

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
    #[inline(always)]
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
    #[inline(always)]
    pub fn new(k: usize, n: usize) -> Self {
        let k = k % n;
        let common = gcd(k, n);
        Self { k: k / common, n: n / common }
    }

    /// The exponent, below the order.
    #[inline(always)]
    pub fn exponent(self) -> usize {
        self.k
    }

    /// The exact order of this root.
    #[inline(always)]
    pub fn order(self) -> usize {
        self.n
    }

    /// Its power of an exponent that has no divisor in common with its order, which is a power of two.
    pub(crate) fn to_power(self, exponent: u64) -> Self {
        Self::new(self.k.wrapping_mul(exponent as usize) % self.n, self.n)
    }

    /// The inverse root.
    #[inline(always)]
    pub fn inverse(self) -> Self {
        Self::new(self.n - self.k, self.n)
    }
}

/// Powers of two take no loop, so that the codelets' roots are constants to the compiler.
#[inline(always)]
fn gcd(a: usize, b: usize) -> usize {
    if b.is_power_of_two() {
        return 1 << a.trailing_zeros().min(b.trailing_zeros());
    }
    let (mut a, mut b) = (a, b);
    while a != 0 {
        (a, b) = (b % a, a);
    }
    b
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
    /// self + rhs and self − rhs.
    #[inline(always)]
    fn add_sub(&self, rhs: &Self) -> (Self, Self) {
        (self.add(rhs), self.sub(rhs))
    }
    /// −self.
    fn neg(&self) -> Self;
    /// self · rhs.
    fn mul(&self, rhs: &Self) -> Self;
    /// self · ω, using what the ring knows of that root: a swap for i, a shift where ω is a power of two.
    fn mul_root(&self, root: Root) -> Self;
    /// The last step of split radix: the DFT of N points from those of the inputs 0 mod 2 (`u`, N/2 points), 1 mod 4 (`z`) and
    /// 3 mod 4 (`t`).
    #[inline(always)]
    fn combine<const N: usize, const H: usize, const Q: usize>(
        u: [Self; H],
        z: [Self; Q],
        t: [Self; Q],
        direction: Direction,
    ) -> [Self; N] {
        combine(u, z, t, direction)
    }
    /// self · (ω + ω⁻¹)/2, the ring's cosine: a real factor over ℂ.
    fn mul_cos(&self, root: Root) -> Self;
    /// self · (ω − ω⁻¹)/2, the ring's sine: an imaginary factor over ℂ.
    fn mul_sin(&self, root: Root) -> Self;
}

/// [`Ring::combine`] where products and sums are operations of their own. With a = ω^k z_k and b = ω^{3k} t_k:
/// X_k, X_{k+n/2} = u_k ± (a + b) and X_{k+n/4}, X_{k+3n/4} = u_{k+n/4} ± ω^{n/4} (a − b).
#[inline(always)]
pub(super) fn combine<R: Ring, const N: usize, const H: usize, const Q: usize>(
    u: [R; H],
    z: [R; Q],
    t: [R; Q],
    direction: Direction,
) -> [R; N] {
    let quarter = direction.root(1, 4);
    let pairs: [(R, R); Q] = std::array::from_fn(|k| {
        let a = z[k].mul_root(direction.root(k, N));
        let b = t[k].mul_root(direction.root(3 * k, N));
        (a.add(&b), a.sub(&b).mul_root(quarter))
    });
    std::array::from_fn(|k| {
        let (sum, turned) = &pairs[k % Q];
        match k / Q {
            0 => u[k].add(sum),
            1 => u[k].add(turned),
            2 => u[k - H].sub(sum),
            _ => u[k - H].sub(turned),
        }
    })
}

/// A ring whose elements exist as numbers. Its constants are asked of any element, which only lends its context: which
/// field it is from, where that is known at run time only.
pub trait Numbers: Ring + Copy + Send + Sync {
    /// The image of an integer in self's ring.
    fn integer(&self, value: u64) -> Self;
    /// The root of unity itself.
    fn root_of_unity(&self, root: Root) -> Self {
        self.integer(1).mul_root(root)
    }
    /// ω_n^k for every k below `count`, in O(count) operations and on all cores.
    ///
    /// This way, by repeated products, is for exact rings; a ring that rounds must round each root but once.
    fn roots_of_unity(&self, direction: Direction, n: usize, count: usize) -> Vec<Self> {
        const RUN: usize = 1 << 10;
        let mut roots = vec![self.integer(1); count];
        let step = self.root_of_unity(direction.root(1, n.max(1)));
        parallel::chunks(&mut roots, RUN, 1, |i, run| {
            let mut power = self.root_of_unity(direction.root(i * RUN, n));
            for root in run {
                *root = power;
                power = power.mul(&step);
            }
        });
        roots
    }
    /// Whether there are roots of order n. (Rings that round have all.)
    fn has_root(&self, _n: usize) -> bool {
        true
    }
    /// The order of the roots that take no product, where [`ShiftingAutosort`](crate::autosort::ShiftingAutosort) is the
    /// way to make use of it.
    fn shift_order(&self) -> usize {
        1
    }
    /// self times the scale.
    fn scaled(&self, scale: Scale) -> Self;
}

/// A ring known at compile time: it can name its constants without an element at hand.
pub trait NumericRing: Numbers {
    /// The neutral element of addition.
    fn zero() -> Self;
    /// The neutral element of multiplication.
    fn one() -> Self;
    /// The root of unity itself.
    fn root(root: Root) -> Self {
        Self::one().root_of_unity(root)
    }
    /// ω_n^k for every k below n.
    fn roots(direction: Direction, n: usize) -> Vec<Self> {
        Self::one().roots_of_unity(direction, n, n)
    }
}

#[cfg(test)]
mod tests {
    use num_complex::Complex;

    use super::*;
    use crate::algebra::{DoubleDouble, Goldilocks, Prime};

    #[test]
    fn roots_come_in_lowest_terms() {
        for n in 1..200 {
            for k in 0..2 * n {
                let root = Root::new(k, n);
                assert_eq!(root.exponent() * n, k % n * root.order(), "ω_{n}^{k}");
                let divides_both = |d: usize| root.exponent().is_multiple_of(d) && root.order().is_multiple_of(d);
                assert!(!(2..=root.order()).any(divides_both), "ω_{n}^{k}");
            }
        }
    }

    #[test]
    fn all_roots_at_once_are_each_root() {
        for direction in [Direction::Forward, Direction::Inverse] {
            for n in [1, 2, 5, 8, 1020, 2048, 3 << 10, 1 << 14] {
                let expected = |k| direction.root(k, n);
                let found = Goldilocks::roots(direction, n);
                assert!((0..n).all(|k| found[k] == Goldilocks::root(expected(k))), "Goldilocks, n = {n}");
                let found = Complex::<f64>::roots(direction, n);
                assert!((0..n).all(|k| found[k] == Complex::root(expected(k))), "f64, n = {n}");
                let found = Complex::<f32>::roots(direction, n);
                assert!((0..n).all(|k| found[k] == Complex::root(expected(k))), "f32, n = {n}");
                for (k, w) in Complex::<DoubleDouble>::roots(direction, n).into_iter().enumerate() {
                    let off = w.sub(&Complex::root(expected(k)));
                    assert!(off.re.to_f64().abs().max(off.im.to_f64().abs()) < 1e-31, "k = {k}, n = {n}");
                }
            }
        }
        assert_eq!(Prime::<17>::roots(Direction::Forward, 0), []);
        let found = Prime::<3361>::roots(Direction::Inverse, 3360);
        assert!((0..3360).all(|k| found[k] == Prime::root(Direction::Inverse.root(k, 3360))));
    }
}
