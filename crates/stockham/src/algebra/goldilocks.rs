//! The Goldilocks field ℤ/p, p = 2^64 − 2^32 + 1: 2^96 = −1, so 2 is a 192nd root of unity and small DFTs need no product.
//!
//! The root of order n is 7^((p−1)/n), as in the other libraries over this field.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use bytemuck::{Pod, Zeroable};

use super::RootPreset;
use super::prime::power;
use super::ring::{Numbers, NumericRing, Ring, Root, Scale};

/// An element of the Goldilocks field, kept in 0 … p−1.
///
/// A cast from bytes, or memory of other programs, may bring in words from p on. They stand for their residues, in arithmetic
/// and comparisons on the host; a device's kernels are promised words below p.
#[derive(Clone, Copy, Default)]
#[repr(transparent)]
pub struct Goldilocks(u64);

impl PartialEq for Goldilocks {
    fn eq(&self, other: &Self) -> bool {
        self.value() == other.value()
    }
}

impl Eq for Goldilocks {}

impl Hash for Goldilocks {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value().hash(state);
    }
}

impl PartialOrd for Goldilocks {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Goldilocks {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value().cmp(&other.value())
    }
}

impl fmt::Debug for Goldilocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Goldilocks").field(&self.value()).finish()
    }
}

// SAFETY: a transparent wrapper of u64; every bit pattern is a valid u64, and all zeros is the field's zero.
unsafe impl Zeroable for Goldilocks {}
// SAFETY: as above; there is no padding and no pointer.
unsafe impl Pod for Goldilocks {}

/// ω_192 = 7^((p−1)/192) as a power of two.
const ROOT_192_SHIFT: u64 = 77;

impl Goldilocks {
    /// The modulus p = 2^64 − 2^32 + 1.
    pub const MODULUS: u64 = 0xffff_ffff_0000_0001;
    /// 2^32 − 1 = 2^64 mod p, and the lower half of a word.
    pub(crate) const EPSILON: u64 = 0xffff_ffff;
    /// p − 1 is divisible by 2^32 and by no higher power of two.
    pub const TWO_ADICITY: u32 = 32;

    /// The roots of order 2^32 of other libraries by their names, its own one first.
    pub const ROOTS: [RootPreset; 2] = [
        RootPreset { name: "plonky3", root: "0x185629dcda58878c", libraries: "Plonky3, sppark" },
        RootPreset { name: "plonky2", root: "0x64fdd1a46201e246", libraries: "Plonky2" },
    ];

    /// The element, or nothing if the value is not below the modulus.
    pub fn new(value: u64) -> Option<Self> {
        (value < Self::MODULUS).then_some(Self(value))
    }

    /// The residue of any 64-bit number.
    #[inline(always)]
    pub fn reduce(value: u64) -> Self {
        // What wraps around is more; without a branch, for vectors.
        Self(value.min(value.wrapping_sub(Self::MODULUS)))
    }

    /// The residue, below the modulus.
    pub fn value(self) -> u64 {
        Self::reduce(self.0).0
    }

    /// self^e.
    pub fn pow(self, e: u64) -> Self {
        power(self, e, Self(1))
    }

    /// 1/self, or nothing for zero.
    pub fn inverse(self) -> Option<Self> {
        (self.value() != 0).then(|| self.pow(Self::MODULUS - 2))
    }

    /// The exponent below 2^32 of which its root of order 2^32 has this power, if it is a root of that order, too: the digits of the
    /// exponent one by one (S. Pohlig and M. Hellman, "An improved algorithm for computing logarithms", 1978).
    pub(crate) fn logarithm(self) -> Option<u64> {
        let base = Self(7).pow((Self::MODULUS - 1) >> Self::TWO_ADICITY);
        let mut exponent = 0;
        for bit in 0..Self::TWO_ADICITY {
            let rest = self.mul(&base.pow((1 << Self::TWO_ADICITY) - exponent));
            let is_set = rest.pow(1 << (Self::TWO_ADICITY - 1 - bit)) != Self(1);
            exponent |= u64::from(is_set) << bit;
        }
        (exponent & 1 == 1 && base.pow(exponent) == self).then_some(exponent)
    }

    /// self · 2^s, for any s.
    pub fn mul_pow2(self, s: u64) -> Self {
        let s = s % 192;
        let (s, negate) = if s >= 96 { (s - 96, true) } else { (s, false) };
        let product = if s < 64 {
            reduce128(u128::from(self.0) << s)
        } else {
            // 2^64 = 2^32 − 1, applied to a number shifted by less than 32.
            let low = reduce128(u128::from(self.0) << (s - 64));
            reduce128(u128::from(low.0) * u128::from(Goldilocks::EPSILON))
        };
        if negate { product.neg() } else { product }
    }

    /// The exponent s with ω = 2^s, if ω's order divides 192.
    pub fn root_as_pow2(root: Root) -> Option<u64> {
        let order = root.order() as u64;
        192u64.is_multiple_of(order).then(|| ROOT_192_SHIFT * (192 / order) % 192 * root.exponent() as u64 % 192)
    }

    /// The exponent s with 1/n = 2^s, if n is a power of two.
    pub fn inverse_as_pow2(n: usize) -> Option<u64> {
        n.is_power_of_two().then(|| (192 - u64::from(n.trailing_zeros())) % 192)
    }
}

/// x mod p for any x below 2^128: x = a + b·2^64 + c·2^96 = a + b·(2^32−1) − c.
fn reduce128(x: u128) -> Goldilocks {
    let (low, high) = (x as u64, (x >> 64) as u64);
    let (b, c) = (high & Goldilocks::EPSILON, high >> 32);
    let (mut r, borrow) = low.overflowing_sub(c);
    if borrow {
        r = r.wrapping_sub(Goldilocks::EPSILON);
    }
    let (mut s, carry) = r.overflowing_add(b * Goldilocks::EPSILON);
    if carry {
        s = s.wrapping_add(Goldilocks::EPSILON);
    }
    Goldilocks::reduce(s)
}

impl Ring for Goldilocks {
    fn add(&self, rhs: &Self) -> Self {
        let (s, carry) = self.0.overflowing_add(rhs.0);
        // Of words from p on, the sum may be so large that it carries twice.
        let (s, again) = s.overflowing_add(if carry { Goldilocks::EPSILON } else { 0 });
        Self::reduce(if again { s + Goldilocks::EPSILON } else { s })
    }
    fn sub(&self, rhs: &Self) -> Self {
        let (d, borrow) = self.0.overflowing_sub(rhs.0);
        let (d, again) = d.overflowing_sub(if borrow { Goldilocks::EPSILON } else { 0 });
        Self::reduce(if again { d - Goldilocks::EPSILON } else { d })
    }
    fn neg(&self) -> Self {
        Self(0).sub(self)
    }
    fn mul(&self, rhs: &Self) -> Self {
        reduce128(u128::from(self.0) * u128::from(rhs.0))
    }
    /// # Panics
    /// If the field has no root of that order; [`Algebra::check_length`](super::Algebra::check_length) tells before.
    fn mul_root(&self, root: Root) -> Self {
        match Self::root_as_pow2(root) {
            Some(s) => self.mul_pow2(s),
            None => {
                let order = root.order() as u64;
                assert!((Self::MODULUS - 1).is_multiple_of(order), "{order} does not divide p - 1");
                let omega = Self(7).pow((Self::MODULUS - 1) / order);
                self.mul(&omega.pow(root.exponent() as u64))
            }
        }
    }
    fn mul_cos(&self, root: Root) -> Self {
        self.mul_root(root).add(&self.mul_root(root.inverse())).mul_pow2(191)
    }
    fn mul_sin(&self, root: Root) -> Self {
        self.mul_root(root).sub(&self.mul_root(root.inverse())).mul_pow2(191)
    }
}

impl NumericRing for Goldilocks {
    fn zero() -> Self {
        Self(0)
    }
    fn one() -> Self {
        Self(1)
    }
}

impl Numbers for Goldilocks {
    fn has_root(&self, n: usize) -> bool {
        n > 0 && (Self::MODULUS - 1).is_multiple_of(n as u64)
    }
    fn integer(&self, value: u64) -> Self {
        Self::reduce(value)
    }
    /// # Panics
    /// For [`Scale::InverseSqrt`]: a field has no canonical square root.
    fn scaled(&self, scale: Scale) -> Self {
        match scale {
            Scale::One => *self,
            Scale::Inverse(n) => match Self::inverse_as_pow2(n) {
                Some(s) => self.mul_pow2(s),
                None => self.mul(&Self::reduce(n as u64).pow(Self::MODULUS - 2)),
            },
            Scale::InverseSqrt(_) => panic!("a finite field has no canonical square root"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: u128 = Goldilocks::MODULUS as u128;

    fn samples() -> Vec<Goldilocks> {
        let p = Goldilocks::MODULUS;
        let mut values = vec![
            0,
            1,
            2,
            Goldilocks::EPSILON - 1,
            Goldilocks::EPSILON,
            Goldilocks::EPSILON + 1,
            1 << 63,
            p - 1,
            p - 2,
            p - Goldilocks::EPSILON,
        ];
        let mut x = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..50 {
            x = x.wrapping_mul(0xd129_0d3a_2a1e_53c5).rotate_left(29).wrapping_add(1);
            values.push(x % p);
        }
        values.into_iter().map(|v| Goldilocks::new(v).unwrap()).collect()
    }

    #[test]
    fn arithmetic_is_that_of_big_integers() {
        let modulo = |x: u128| (x % P) as u64;
        for a in samples() {
            for b in samples() {
                let (x, y) = (u128::from(a.0), u128::from(b.0));
                assert_eq!(a.add(&b).0, modulo(x + y));
                assert_eq!(a.sub(&b).0, modulo(x + P - y));
                assert_eq!(a.mul(&b).0, modulo(x * y));
            }
            assert_eq!(a.neg().0, modulo(P - u128::from(a.0)));
            if let Some(inverse) = a.inverse() {
                assert_eq!(a.mul(&inverse).0, 1);
            }
        }
    }

    /// Words from p on stand for their residues: the same comes of both, and is below p.
    #[test]
    fn words_beyond_the_modulus_are_their_residues() {
        let p = Goldilocks::MODULUS;
        let near = [0, 1, 2, 3, Goldilocks::EPSILON - 1];
        let beyond = near.into_iter().flat_map(|d| [p.wrapping_add(d), u64::MAX - d]).filter(|word| *word >= p);
        let words: Vec<u64> = beyond.chain(samples().into_iter().map(|x| x.0)).collect();
        let raw: &[Goldilocks] = bytemuck::cast_slice(&words);
        let residue = |x: Goldilocks| Goldilocks(x.0 % p);
        for &x in raw {
            let r = residue(x);
            assert_eq!((x, x.value(), x.cmp(&r)), (r, r.0, Ordering::Equal));
            assert_eq!((x.neg().0, x.inverse(), x.pow(5).0), (r.neg().0, r.inverse(), r.pow(5).0));
            for s in [0, 1, 31, 32, 63, 64, 95, 96, 160, 191] {
                assert_eq!(x.mul_pow2(s).0, r.mul_pow2(s).0, "{x:?} << {s}");
            }
            for &y in raw {
                let t = residue(y);
                assert_eq!(
                    [x.add(&y).0, x.sub(&y).0, x.mul(&y).0],
                    [r.add(&t).0, r.sub(&t).0, r.mul(&t).0],
                    "{x:?}, {y:?}"
                );
            }
        }
    }

    #[test]
    fn shifts_are_products_with_powers_of_two() {
        for a in samples() {
            for s in 0..400 {
                assert_eq!(a.mul_pow2(s), a.mul(&Goldilocks(2).pow(s)), "{a:?} << {s}");
            }
        }
    }

    #[test]
    fn roots_have_their_orders_and_follow_from_seven() {
        for n in [2usize, 3, 4, 6, 8, 12, 16, 32, 64, 96, 192, 5, 1 << 20, 1 << 32] {
            let w = Goldilocks::root(Root::new(1, n));
            assert_eq!(w, Goldilocks(7).pow((Goldilocks::MODULUS - 1) / n as u64), "order {n}");
            assert_eq!(w.pow(n as u64).0, 1);
        }
        assert_eq!(Goldilocks::root(Root::new(1, 1 << 32)).0, 1_753_635_133_440_165_772);
    }

    #[test]
    fn logarithms_of_roots() {
        let base = Goldilocks::root(Root::new(1, 1 << 32));
        for exponent in [1, 3, 0x8000_0001, 0xffff_ffff, 0x1234_5677] {
            assert_eq!(base.pow(exponent).logarithm(), Some(exponent));
            assert_eq!(base.pow(exponent + 1).logarithm(), None);
        }
        assert_eq!([Goldilocks(0).logarithm(), Goldilocks(7).logarithm()], [None, None]);
        // Of Plonky2's root of order 64, products are shifts by 3.
        let root = Goldilocks(0x64fd_d1a4_6201_e246);
        assert_eq!(root.pow(1 << 26).0, 8);
        let power = root.logarithm().unwrap();
        assert_eq!(Goldilocks::root_as_pow2(Root::new(1, 64).to_power(power)), Some(3));
    }

    #[test]
    fn values_at_or_above_the_modulus_are_refused() {
        assert_eq!(Goldilocks::new(Goldilocks::MODULUS), None);
        assert_eq!(Goldilocks::new(Goldilocks::MODULUS - 1).map(Goldilocks::value), Some(Goldilocks::MODULUS - 1));
    }
}
