//! The circle FFT over the Mersenne prime p = 2^31 − 1: polynomials on the circle x² + y² = 1, whose p + 1 = 2^31 points are a
//! group, as p − 1 has no powers of two (U. Haböck, D. Levit and S. Papini, "Circle STARKs", 2024).
//!
//! A polynomial is f0(x) + y·f1(x), and f0(x) = g0(2x² − 1) + x·g1(2x² − 1), and so on: so coefficient j stands before the
//! product of y, x, 2x² − 1, 2(2x² − 1)² − 1, …, each if its digit of j is 1, the lowest for y. It is the basis of Plonky3 and
//! of Stwo; so are the domain and its orders.
//!
//! [`CircleTransform`] is code of the host. [`Transform::circle`](crate::Transform::circle) describes the same for any device.

use serde::{Deserialize, Serialize};

use crate::algebra::MERSENNE_31 as PRIME;
use crate::error::{Error, Result};
use crate::parallel;
use crate::transform::reversed_bits;

/// Values of the layers that are computed together, in the nearest cache.
const BLOCK: usize = 1 << 12;

/// The logarithm of the number of points.
const LOG_POINTS: u32 = 31;

/// A point of order 2^31, from which a library counts the points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum CircleGenerator {
    /// (311014874, 1584694829), of Plonky3.
    Plonky3,
    /// (2, 1268011823), of Stwo.
    Stwo,
}

/// The order of values on the domain of n points, which are the odd multiples of a point G of order 2n.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CircleOrder {
    /// Value i is at (2i + 1)·G.
    Natural,
    /// What comes out of the transform, and what is committed to: value i is at (4j + 1)·G for j below n/2, or at −(4j + 1)·G for
    /// j + n/2, where these are the binary digits of i from right to left.
    BitReversed,
}

/// A point of the circle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Point {
    x: u32,
    y: u32,
}

impl Point {
    fn plus(self, other: Self) -> Self {
        let x = difference(product(self.x, other.x), product(self.y, other.y));
        Self { x, y: sum(product(self.x, other.y), product(self.y, other.x)) }
    }

    /// The generator of the points of order 2^log.
    fn of_order(generator: CircleGenerator, log: u32) -> Self {
        let point = match generator {
            CircleGenerator::Plonky3 => Self { x: 311_014_874, y: 1_584_694_829 },
            CircleGenerator::Stwo => Self { x: 2, y: 1_268_011_823 },
        };
        (log..LOG_POINTS).fold(point, |point, _| point.plus(point))
    }
}

#[inline(always)]
fn reduced(x: u32) -> u32 {
    x.min(x.wrapping_sub(PRIME))
}

#[inline(always)]
fn sum(x: u32, y: u32) -> u32 {
    reduced(x + y)
}

#[inline(always)]
fn difference(x: u32, y: u32) -> u32 {
    reduced(x + PRIME - y)
}

/// 2^31 is 1.
#[inline(always)]
fn product(x: u32, y: u32) -> u32 {
    let product = u64::from(x) * u64::from(y);
    sum(product as u32 & PRIME, (product >> 31) as u32)
}

/// 1/x = x^(p − 2) for x ≠ 0.
fn inverse(x: u32) -> u32 {
    (0..31).rev().fold(1, |power, bit| {
        let square = product(power, power);
        if (PRIME - 2) >> bit & 1 == 1 { product(square, x) } else { square }
    })
}

/// Checks a number of points.
///
/// # Errors
/// [`Error::Unsupported`] unless it is a power of two from 2 to 2^30.
pub(crate) fn check_points(n: usize) -> Result<()> {
    if n.is_power_of_two() && (2..=1 << (LOG_POINTS - 1)).contains(&n) {
        return Ok(());
    }
    Err(Error::unsupported(format!("a circle transform of {n} points"), "n must be a power of two from 2 to 2^30"))
}

/// The factors of every layer: n/2^(b+1) in layer b, in the order of the points.
pub(crate) fn factors(n: usize, generator: CircleGenerator) -> Vec<Vec<u32>> {
    let first = Point::of_order(generator, n.ilog2() + 1);
    let step = first.plus(first).plus(first.plus(first));
    let half: Vec<Point> = std::iter::successors(Some(first), |point| Some(point.plus(step))).take(n / 2).collect();
    let mut factors: Vec<Vec<u32>> = vec![half.iter().map(|point| point.y).collect()];
    let mut x: Vec<u32> = half.iter().map(|point| point.x).collect();
    for _ in 1..n.ilog2() {
        // Those of the second half are minus those of the first.
        x.truncate(x.len() / 2);
        factors.push(x.clone());
        x.iter_mut().for_each(|x| *x = difference(sum(product(*x, *x), product(*x, *x)), 1));
    }
    factors
}

/// 1/x of each.
pub(crate) fn inverses(factors: &[u32]) -> Vec<u32> {
    parallel::map(factors.len(), 1 << 10, |i| inverse(factors[i]))
}

/// Transforms between a polynomial's n coefficients and its values on the domain of n points.
///
/// ```
/// use stockham::circle::{CircleGenerator, CircleOrder, CircleTransform};
/// let transform = CircleTransform::new(4, CircleGenerator::Stwo, CircleOrder::Natural)?;
/// // The polynomial y takes the second coordinates of the points.
/// let mut values = [0, 1, 0, 0];
/// transform.evaluate(&mut values)?;
/// assert_eq!([transform.point(0).1, transform.point(3).1], [values[0], values[3]]);
/// transform.interpolate(&mut values)?;
/// assert_eq!(values, [0, 1, 0, 0]);
/// # Ok::<(), stockham::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct CircleTransform {
    n: usize,
    generator: CircleGenerator,
    order: CircleOrder,
    /// Of layer b, n/2^(b+1) factors, and their inverses.
    layers: Vec<[Vec<u32>; 2]>,
    /// 1/n.
    scale: u32,
}

impl CircleTransform {
    /// Computes the points. It keeps 2n words.
    ///
    /// # Errors
    /// [`Error::Unsupported`] unless n is a power of two from 2 to 2^30.
    pub fn new(n: usize, generator: CircleGenerator, order: CircleOrder) -> Result<Self> {
        check_points(n)?;
        let layer = |natural: Vec<u32>| {
            let bits = natural.len().ilog2();
            let reversed: Vec<u32> = (0..natural.len()).map(|h| natural[reversed_bits(h, bits)]).collect();
            let inverses = inverses(&reversed);
            [reversed, inverses]
        };
        let layers = factors(n, generator).into_iter().map(layer).collect();
        // 2 has order 31.
        Ok(Self { n, generator, order, layers, scale: 1 << (31 - n.ilog2()) })
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.n
    }

    /// The coordinates of the point at which value i is.
    ///
    /// # Panics
    /// If i is not below n.
    pub fn point(&self, i: usize) -> (u32, u32) {
        assert!(i < self.n, "there are {} points", self.n);
        let multiple = 2 * self.natural(i) + 1;
        let mut power = Point::of_order(self.generator, self.n.ilog2() + 1);
        let mut point = Point { x: 1, y: 0 };
        for bit in 0..=self.n.ilog2() {
            if multiple >> bit & 1 == 1 {
                point = point.plus(power);
            }
            power = power.plus(power);
        }
        (point.x, point.y)
    }

    /// The place in natural order of a value.
    fn natural(&self, i: usize) -> usize {
        if self.order == CircleOrder::Natural {
            return i;
        }
        let j = reversed_bits(i, self.n.ilog2());
        // The conjugates are in the order of their points.
        if j < self.n / 2 { 2 * j } else { 2 * (self.n - 1 - j) + 1 }
    }

    /// Coefficients become values, in place, line after line of n words.
    ///
    /// # Errors
    /// [`Error::BufferLength`] unless there are whole lines; [`Error::FieldValue`] for a word above p, which stands for 0 itself.
    pub fn evaluate(&self, lines: &mut [u32]) -> Result<()> {
        self.check(lines)?;
        for line in lines.chunks_exact_mut(self.n) {
            for b in (self.low()..self.layers.len()).rev() {
                self.layer(b, 0, line, 0);
            }
            parallel::chunks(line, BLOCK, 1, |i, block| {
                (0..self.low()).rev().for_each(|b| self.layer(b, 0, block, i * BLOCK));
            });
            if self.order == CircleOrder::Natural {
                let values = line.to_vec();
                self.move_all(|place, natural| line[natural] = values[place]);
            }
        }
        Ok(())
    }

    /// Values become coefficients, in place, line after line.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate).
    pub fn interpolate(&self, lines: &mut [u32]) -> Result<()> {
        self.check(lines)?;
        for line in lines.chunks_exact_mut(self.n) {
            if self.order == CircleOrder::Natural {
                let values = line.to_vec();
                self.move_all(|place, natural| line[place] = values[natural]);
            }
            parallel::chunks(line, BLOCK, 1, |i, block| {
                (0..self.low()).for_each(|b| self.layer(b, 1, block, i * BLOCK));
            });
            (self.low()..self.layers.len()).for_each(|b| self.layer(b, 1, line, 0));
            line.iter_mut().for_each(|x| *x = product(*x, self.scale));
        }
        Ok(())
    }

    /// Layers that stay within a block.
    fn low(&self) -> usize {
        self.layers.len().min(BLOCK.ilog2() as usize)
    }

    /// Every place of the transform's own order with that in natural order.
    fn move_all(&self, mut each: impl FnMut(usize, usize)) {
        let own = Self { order: CircleOrder::BitReversed, layers: Vec::new(), ..*self };
        (0..self.n).for_each(|i| each(i, own.natural(i)));
    }

    /// Layer b of some values, the first of which is number `first`; the inverse one, which multiplies afterwards, or not.
    fn layer(&self, b: usize, side: usize, values: &mut [u32], first: usize) {
        let half = 1 << b;
        let factors = &self.layers[b][side][first / (2 * half)..];
        for (block, &t) in values.chunks_exact_mut(2 * half).zip(factors) {
            let (low, high) = block.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                if side == 0 {
                    let turned = product(*b, t);
                    (*a, *b) = (sum(*a, turned), difference(*a, turned));
                } else {
                    (*a, *b) = (sum(*a, *b), product(difference(*a, *b), t));
                }
            }
        }
    }

    /// Checks words, and makes p to 0.
    fn check(&self, lines: &mut [u32]) -> Result<()> {
        if !lines.len().is_multiple_of(self.n) {
            let expected = lines.len().next_multiple_of(self.n);
            return Err(Error::BufferLength { buffer: "lines", expected, found: lines.len() });
        }
        if let Some(index) = lines.iter().position(|&x| x > PRIME) {
            let (value, modulus) = (lines[index].into(), PRIME.into());
            return Err(Error::FieldValue { index, value, field: "2^31 - 1", modulus });
        }
        lines.iter_mut().for_each(|x| *x = reduced(*x));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(n: usize, seed: u64) -> Vec<u32> {
        let word =
            |i: u64| (i + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (0..n as u64).map(|i| (word(i) >> 33) as u32 % PRIME).collect()
    }

    /// Σ c_j·b_j at a point, where b_j is the product of y, x, 2x² − 1, … that the digits of j tell.
    fn value(coefficients: &[u32], (x, y): (u32, u32)) -> u32 {
        let p = u64::from(PRIME);
        let (mut factors, mut x) = (vec![u64::from(y)], u64::from(x));
        for _ in 0..coefficients.len().ilog2() {
            factors.push(x);
            x = (2 * x * x + p - 1) % p;
        }
        let basis = |j: usize| (0..32).filter(|b| j >> b & 1 == 1).fold(1, |product, b| product * factors[b] % p);
        let terms = coefficients.iter().enumerate().map(|(j, &c)| u64::from(c) * basis(j) % p);
        (terms.sum::<u64>() % p) as u32
    }

    #[test]
    fn values_are_those_of_the_definition() {
        for (generator, order) in [
            (CircleGenerator::Plonky3, CircleOrder::Natural),
            (CircleGenerator::Plonky3, CircleOrder::BitReversed),
            (CircleGenerator::Stwo, CircleOrder::BitReversed),
        ] {
            for n in [2, 4, 8, 32, 256, 1 << 13] {
                let transform = CircleTransform::new(n, generator, order).unwrap();
                let coefficients = noise(2 * n, n as u64);
                let mut values = coefficients.clone();
                transform.evaluate(&mut values).unwrap();
                for i in (0..2 * n).step_by((n / 32).max(1)) {
                    let (line, place) = (i / n, i % n);
                    let expected = value(&coefficients[line * n..][..n], transform.point(place));
                    assert_eq!(values[i], expected, "{generator:?}, {order:?}, n = {n}, value {i}");
                }
                transform.interpolate(&mut values).unwrap();
                assert!(values == coefficients, "{generator:?}, {order:?}, n = {n}");
            }
        }
    }

    /// The points are all odd multiples of one of order 2n, and no others.
    #[test]
    fn points_are_a_coset() {
        for generator in [CircleGenerator::Plonky3, CircleGenerator::Stwo] {
            let whole = Point::of_order(generator, LOG_POINTS);
            assert_eq!(sum(product(whole.x, whole.x), product(whole.y, whole.y)), 1);
            // Of order 2^31: half of it leads to −1.
            assert_eq!(Point::of_order(generator, 1), Point { x: PRIME - 1, y: 0 });
            let n = 16;
            let points = |order| {
                let transform = CircleTransform::new(n, generator, order).unwrap();
                let mut points: Vec<_> = (0..n).map(|i| transform.point(i)).collect();
                points.sort_unstable();
                points
            };
            let natural = points(CircleOrder::Natural);
            assert_eq!(natural, points(CircleOrder::BitReversed));
            let distinct: std::collections::HashSet<_> = natural.into_iter().collect();
            assert_eq!(distinct.len(), n);
        }
        // Neighbours in the transform's own order are conjugates.
        let transform = CircleTransform::new(8, CircleGenerator::Stwo, CircleOrder::BitReversed).unwrap();
        for i in (0..8).step_by(2) {
            let [(x, y), (conjugate, minus)] = [transform.point(i), transform.point(i + 1)];
            assert_eq!((conjugate, minus), (x, PRIME - y));
        }
        assert_eq!(
            transform.point(0),
            (Point::of_order(CircleGenerator::Stwo, 4).x, Point::of_order(CircleGenerator::Stwo, 4).y)
        );
    }

    #[test]
    fn misuse_is_an_error() {
        for n in [0, 1, 3, 1 << 31] {
            let of = CircleTransform::new(n, CircleGenerator::Stwo, CircleOrder::Natural);
            assert!(matches!(of, Err(Error::Unsupported { .. })), "{n}");
        }
        let transform = CircleTransform::new(4, CircleGenerator::Stwo, CircleOrder::Natural).unwrap();
        assert!(matches!(transform.evaluate(&mut [0; 6]), Err(Error::BufferLength { expected: 8, found: 6, .. })));
        let error = transform.interpolate(&mut [0, PRIME + 1, 0, 0]).unwrap_err();
        assert!(matches!(error, Error::FieldValue { index: 1, .. }), "{error}");
        // p stands for 0.
        let mut values = [PRIME; 4];
        transform.evaluate(&mut values).unwrap();
        assert_eq!(values, [0; 4]);
    }
}
