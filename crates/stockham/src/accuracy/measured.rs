//! What a measurement needs of an element: a wider ring, a distance, and random values.

use num_complex::Complex;

use crate::algebra::{
    BigPrime, Digit, DoubleDouble, Element, Goldilocks, Layout, NumericRing, PrimeField, Ring, WordField,
};
use crate::parallel;

/// An element whose transforms can be measured.
pub trait Measured: Element {
    /// A ring of at least twice the precision; the ring itself if it is exact.
    type Wide: NumericRing;
    /// The same number in the wider ring.
    fn widen(self) -> Self::Wide;
    /// |self − reference|²; 0 or 1 over an exact ring.
    fn distance_squared(self, reference: &Self::Wide) -> f64;
    /// |reference|²; 1 over an exact ring.
    fn magnitude_squared(reference: &Self::Wide) -> f64;
    /// The real part of a number; over a field the number itself.
    fn real_part(wide: &Self::Wide) -> Self::Wide;
    /// The element that 128 random bits make: over ℂ, uniform in the square from −1 to 1.
    fn from_bits(bits: [u64; 2]) -> Self;
    /// The impulse with as much energy as `n` random elements.
    fn impulse(n: usize) -> Self;
}

/// `n` random elements, the same for the same seed.
pub fn random<T: Measured>(n: usize, seed: u64) -> Vec<T> {
    let element = |i: usize| {
        let at = 2 * i as u64;
        T::from_bits([bits(seed, at), bits(seed, at + 1)])
    };
    filled(n, T::zero(), element)
}

/// The digits of `n` random elements of a big prime field, in either layout, the same for the same seed: each digit is
/// uniform below the radix.
pub fn random_digits<D: Digit>(prime: BigPrime, n: usize, seed: u64) -> Vec<D> {
    // The high half of the product with r: all 64 bits count.
    let scaled = |i: usize| u128::from(bits(seed, i as u64)) * u128::from(prime.radix());
    let digit = |i: usize| D::truncated((scaled(i) >> 64) as u64);
    filled(n * prime.digits(), D::truncated(0), digit)
}

/// `n` random elements of a word field, the same for the same seed: uniform below p, but for a deviation of p/2^64.
pub fn random_words<D: Digit>(field: WordField, n: usize, seed: u64) -> Vec<D> {
    let scaled = |i: usize| u128::from(bits(seed, i as u64)) * u128::from(field.modulus());
    filled(n, D::truncated(0), |i| D::truncated((scaled(i) >> 64) as u64))
}

/// The words of `n` random elements of a prime field, in either layout, the same for the same seed: all words are uniform, but
/// the uppermost one that is used stays below that of p, and those above are 0.
pub fn random_residues(field: PrimeField, layout: Layout, n: usize, seed: u64) -> Vec<u64> {
    let p = field.modulus();
    let top = p.iter().rposition(|&word| word != 0).expect("a prime is not 0");
    let next_word = layout.strides(p.len(), n).1;
    let word = |i: usize| {
        let (at, random) = (i / next_word % p.len(), bits(seed, i as u64));
        match at.cmp(&top) {
            std::cmp::Ordering::Less => random,
            std::cmp::Ordering::Equal => ((u128::from(random) * u128::from(p[top])) >> 64) as u64,
            std::cmp::Ordering::Greater => 0,
        }
    };
    filled(n * p.len(), 0, word)
}

fn filled<T: Copy + Send>(count: usize, zero: T, value: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut values = vec![zero; count];
    parallel::fill(&mut values, 1 << 12, value);
    values
}

/// The generator SplitMix64 at its `i`th step (G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number
/// generators", 2014). Mixing the seed first keeps the sequences of neighbouring seeds apart.
pub(super) fn bits(seed: u64, i: u64) -> u64 {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |z: u64| {
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    mix(mix(seed.wrapping_add(STEP)).wrapping_add(i.wrapping_add(1).wrapping_mul(STEP)))
}

/// All 64 bits count, so that the numbers have full mantissas and their sums round.
fn uniform(bits: u64) -> f64 {
    bits as i64 as f64 / (1u64 << 63) as f64
}

impl Measured for Complex<f32> {
    type Wide = Complex<f64>;
    fn widen(self) -> Self::Wide {
        Complex::new(self.re.into(), self.im.into())
    }
    fn distance_squared(self, reference: &Self::Wide) -> f64 {
        (self.widen() - reference).norm_sqr()
    }
    fn magnitude_squared(reference: &Self::Wide) -> f64 {
        reference.norm_sqr()
    }
    fn real_part(wide: &Self::Wide) -> Self::Wide {
        wide.re.into()
    }
    fn from_bits(bits: [u64; 2]) -> Self {
        Complex::new(uniform(bits[0]) as f32, uniform(bits[1]) as f32)
    }
    fn impulse(n: usize) -> Self {
        Complex::new((2.0 * n as f64 / 3.0).sqrt() as f32, 0.0)
    }
}

impl Measured for Complex<f64> {
    type Wide = Complex<DoubleDouble>;
    fn widen(self) -> Self::Wide {
        Complex::new(self.re.into(), self.im.into())
    }
    fn distance_squared(self, reference: &Self::Wide) -> f64 {
        // The difference first, in the wider ring: the reference must not be rounded before.
        let off = Ring::sub(&self.widen(), reference);
        off.re.to_f64().powi(2) + off.im.to_f64().powi(2)
    }
    fn magnitude_squared(reference: &Self::Wide) -> f64 {
        reference.re.to_f64().powi(2) + reference.im.to_f64().powi(2)
    }
    fn real_part(wide: &Self::Wide) -> Self::Wide {
        Complex::new(wide.re, 0.0.into())
    }
    fn from_bits(bits: [u64; 2]) -> Self {
        Complex::new(uniform(bits[0]), uniform(bits[1]))
    }
    fn impulse(n: usize) -> Self {
        Complex::new((2.0 * n as f64 / 3.0).sqrt(), 0.0)
    }
}

impl Measured for Goldilocks {
    type Wide = Self;
    fn widen(self) -> Self {
        self
    }
    fn distance_squared(self, reference: &Self) -> f64 {
        f64::from(u8::from(self != *reference))
    }
    fn magnitude_squared(_: &Self) -> f64 {
        1.0
    }
    fn real_part(wide: &Self) -> Self {
        *wide
    }
    fn from_bits(bits: [u64; 2]) -> Self {
        Self::reduce(bits[0])
    }
    fn impulse(n: usize) -> Self {
        // No element of a field is larger than another; any that is not 0 will do.
        Self::reduce(bits(0, n as u64) | 1)
    }
}
