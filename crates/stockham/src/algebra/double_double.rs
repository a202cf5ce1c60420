//! Double-double arithmetic: a real number as the unevaluated sum of two `f64`, about 106 bits.
//!
//! It rounds the twiddle tables correctly and is the reference that `f64` transforms are measured against.
//! Algorithms: T. J. Dekker, "A floating-point technique for extending the available precision" (1971);
//! D. E. Knuth, The Art of Computer Programming, vol. 2, 4.2.2 (the error-free sum).

use crate::parallel;

use super::scalar::Scalar;

/// The number `hi + lo`, with |lo| at most half a unit in the last place of `hi`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DoubleDouble {
    hi: f64,
    lo: f64,
}

/// 2π as a double-double.
const TWO_PI: DoubleDouble = DoubleDouble { hi: std::f64::consts::TAU, lo: 2.449_293_598_294_706_4e-16 };

/// √½, the cosine of the octant.
pub(crate) const HALF_SQRT: DoubleDouble =
    DoubleDouble { hi: std::f64::consts::FRAC_1_SQRT_2, lo: -4.833_646_656_726_457e-17 };

const fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

#[inline(always)]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let p = a * b;
    (p, a.mul_add(b, -p))
}

#[inline(always)]
const fn normalised(a: f64, b: f64) -> DoubleDouble {
    let hi = a + b;
    DoubleDouble { hi, lo: b - (hi - a) }
}

impl From<f64> for DoubleDouble {
    fn from(value: f64) -> Self {
        Self { hi: value, lo: 0.0 }
    }
}

impl DoubleDouble {
    /// The cosine and sine of no turn.
    pub(crate) const ONE_TURN: (Self, Self) = (Self { hi: 1.0, lo: 0.0 }, Self { hi: 0.0, lo: 0.0 });

    /// The nearest `f64`.
    #[inline(always)]
    pub fn to_f64(self) -> f64 {
        self.hi
    }

    /// The nearest `f32`, rounded once.
    #[inline(always)]
    pub fn to_f32(self) -> f32 {
        let first = self.hi as f32;
        let distance = |c: f32| ((self.hi - f64::from(c)) + self.lo).abs();
        let nearer = |best: f32, c: f32| if distance(c) < distance(best) { c } else { best };
        nearer(nearer(first, first.next_down()), first.next_up())
    }

    /// self / rhs.
    #[inline(always)]
    pub(crate) fn div(self, rhs: Self) -> Self {
        let q1 = self.hi / rhs.hi;
        let r = self.sub(&rhs.mul(&q1.into()));
        let q2 = r.hi / rhs.hi;
        let r = r.sub(&rhs.mul(&q2.into()));
        normalised(q1, q2).add(&(r.hi / rhs.hi).into())
    }

    /// The square root of a positive number (one Newton step on the `f64` root).
    pub fn sqrt(self) -> Self {
        if self.hi <= 0.0 {
            return Self::default();
        }
        let root: Self = self.hi.sqrt().into();
        let correction = self.sub(&root.mul(&root)).div(root.add(&root));
        root.add(&correction)
    }

    /// (cos, sin) of 2πk/n, accurate to about 100 bits: exact octant reduction in integers, then Taylor series.
    pub fn cos_sin_turn(k: usize, n: usize) -> (Self, Self) {
        turn(k, n, |rest| {
            let fraction = Self::from(rest as f64).div(Self::from(n as f64 * 8.0));
            taylor_cos_sin(TWO_PI.mul(&fraction))
        })
    }
}

/// (cos, sin) of 2πk/n, from a function that gives those of 2π·rest/(8n) for rest ≤ n, an angle within the octant.
fn turn(
    k: usize,
    n: usize,
    octant_cos_sin: impl Fn(usize) -> (DoubleDouble, DoubleDouble),
) -> (DoubleDouble, DoubleDouble) {
    let k = k % n;
    let (octant, rest) = match k.checked_mul(8) {
        Some(eighths) => (eighths / n, eighths % n),
        // Wider numbers take ten times as long to divide.
        None => ((8 * k as u128 / n as u128) as usize, (8 * k as u128 % n as u128) as usize),
    };
    let reflected = octant % 2 == 1;
    let (c, s) = octant_cos_sin(if reflected { n - rest } else { rest });
    let (c, s) = if reflected { (s, c) } else { (c, s) };
    // `c` and `s` now belong to the angle within its quadrant.
    match octant / 2 {
        0 => (c, s),
        1 => (s.neg(), c),
        2 => (c.neg(), s.neg()),
        _ => (s, c.neg()),
    }
}

/// The cosines and sines of all multiples of 2π/n, each as a product of a coarse and a fine root from two tables of
/// about √n entries: as accurate as [`DoubleDouble::cos_sin_turn`] and some hundred times faster.
pub(crate) struct TurnTable {
    n: usize,
    split: usize,
    /// Angles 2π·i/(8n), i < split.
    fine: Vec<(DoubleDouble, DoubleDouble)>,
    /// Angles 2π·i·split/(8n).
    coarse: Vec<(DoubleDouble, DoubleDouble)>,
}

impl TurnTable {
    pub(crate) fn new(n: usize) -> Self {
        let split = n.isqrt().max(1);
        let row = |count: usize, step: usize| parallel::map(count, 32, |i| DoubleDouble::cos_sin_turn(i * step, 8 * n));
        Self { n, split, fine: row(split, 1), coarse: row(n / split + 1, split) }
    }

    /// n.
    pub(crate) fn order(&self) -> usize {
        self.n
    }

    pub(crate) fn cos_sin(&self, k: usize) -> (DoubleDouble, DoubleDouble) {
        turn(k, self.n, |rest| {
            let ((a, b), (c, s)) = (self.coarse[rest / self.split], self.fine[rest % self.split]);
            (a.mul(&c).sub(&b.mul(&s)), a.mul(&s).add(&b.mul(&c)))
        })
    }
}

impl DoubleDouble {
    /// The same as [`cos_sin_turn`](Self::cos_sin_turn) where the compiler computes it.
    pub(crate) const fn constant_cos_sin_turn(k: usize, n: usize) -> (Self, Self) {
        let (octant, rest) = (8 * (k % n) / n, 8 * (k % n) % n);
        let reflected = octant % 2 == 1;
        let part = Self { hi: if reflected { n - rest } else { rest } as f64, lo: 0.0 };
        let x = constant_product(TWO_PI, part).constant_quotient(8.0 * n as f64);
        let (c, s) = (constant_series(Self::ONE_TURN.0, x, 1), constant_series(x, x, 2));
        let (c, s) = if reflected { (s, c) } else { (c, s) };
        match octant / 2 {
            0 => (c, s),
            1 => (s.constant_negated(), c),
            2 => (c.constant_negated(), s.constant_negated()),
            _ => (s, c.constant_negated()),
        }
    }

    const fn constant_negated(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }

    const fn constant_quotient(self, divisor: f64) -> Self {
        let first = self.hi / divisor;
        let (p, e) = constant_two_product(first, divisor);
        normalised(first, ((self.hi - p) - e + self.lo) / divisor)
    }
}

/// [`two_product`] without a fused product, which is no constant yet: each factor is cut into two halves (Dekker).
const fn constant_two_product(a: f64, b: f64) -> (f64, f64) {
    const CUT: f64 = 134_217_729.0;
    let (ca, cb) = (CUT * a, CUT * b);
    let (ah, bh) = (ca - (ca - a), cb - (cb - b));
    let (al, bl) = (a - ah, b - bh);
    let p = a * b;
    (p, ((ah * bh - p) + ah * bl + al * bh) + al * bl)
}

const fn constant_product(a: DoubleDouble, b: DoubleDouble) -> DoubleDouble {
    let (p, e) = constant_two_product(a.hi, b.hi);
    normalised(p, e + (a.hi * b.lo + a.lo * b.hi))
}

/// first·(1 − x²/(m(m + 1)) + …): of the cosine from 1 and m = 1 on, of the sine from x and m = 2.
const fn constant_series(first: DoubleDouble, x: DoubleDouble, start: u32) -> DoubleDouble {
    let x2 = constant_product(x, x).constant_negated();
    let (mut sum, mut term, mut m) = (first, first, start);
    while m < 30 {
        term = constant_product(term, x2).constant_quotient((m * (m + 1)) as f64);
        let (s, e) = two_sum(sum.hi, term.hi);
        sum = normalised(s, e + (sum.lo + term.lo));
        m += 2;
    }
    sum
}

fn taylor_cos_sin(x: DoubleDouble) -> (DoubleDouble, DoubleDouble) {
    let x2 = x.mul(&x).neg();
    let series = |first: DoubleDouble, start: u32| {
        let (mut sum, mut term, mut m) = (first, first, start);
        while term.hi.abs() > 1e-34 && m < 40 {
            term = term.mul(&x2).div(DoubleDouble::from(f64::from(m * (m + 1))));
            sum = sum.add(&term);
            m += 2;
        }
        sum
    };
    (series(1.0.into(), 1), series(x, 2))
}

impl Scalar for DoubleDouble {
    #[inline(always)]
    fn add(&self, rhs: &Self) -> Self {
        let (s, e) = two_sum(self.hi, rhs.hi);
        let (t, f) = two_sum(self.lo, rhs.lo);
        let r = normalised(s, e + t);
        normalised(r.hi, r.lo + f)
    }
    #[inline(always)]
    fn sub(&self, rhs: &Self) -> Self {
        self.add(&rhs.neg())
    }
    #[inline(always)]
    fn mul(&self, rhs: &Self) -> Self {
        let (p, e) = two_product(self.hi, rhs.hi);
        normalised(p, e + (self.hi * rhs.lo + self.lo * rhs.hi))
    }
    #[inline(always)]
    fn neg(&self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }
    #[inline(always)]
    fn mul_add(&self, a: &Self, b: &Self) -> Self {
        self.mul(a).add(b)
    }
    #[inline(always)]
    fn constant(&self, value: DoubleDouble) -> Self {
        value
    }
    #[inline(always)]
    fn times_exactly(&self, value: DoubleDouble) -> Self {
        self.mul(&value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosine_and_sine_lie_on_the_circle_and_match_the_library() {
        for n in [1usize, 2, 3, 5, 7, 8, 360, 1 << 20, (1 << 30) + 7] {
            for i in 0..64 {
                let k = i * (n / 64).max(1) + i / 3;
                let (c, s) = DoubleDouble::cos_sin_turn(k, n);
                let off = c.mul(&c).add(&s.mul(&s)).sub(&1.0.into());
                assert!(off.hi.abs() < 1e-30, "k {k} n {n}: {off:?}");
                let angle = std::f64::consts::TAU * ((k % n) as f64 / n as f64);
                assert!((c.hi - angle.cos()).abs() < 2e-15 && (s.hi - angle.sin()).abs() < 2e-15, "k {k} n {n}");
            }
        }
    }

    #[test]
    fn the_eighth_root_is_exact() {
        let (c, s) = DoubleDouble::cos_sin_turn(1, 8);
        let half = DoubleDouble::from(0.5);
        for x in [c, s] {
            assert!(x.mul(&x).sub(&half).hi.abs() < 1e-31);
            assert!(x.sub(&half.sqrt()).hi.abs() < 1e-31);
            assert!(x.sub(&HALF_SQRT).hi.abs() < 1e-31);
        }
        assert_eq!(DoubleDouble::cos_sin_turn(3, 4), (0.0.into(), DoubleDouble::from(-1.0)));
    }

    #[test]
    fn rounding_to_f32_happens_once() {
        // Just above the midpoint of two neighbouring f32: rounding through f64 would fall to the even one.
        let midpoint = 1.0 + f64::from(f32::EPSILON) / 2.0;
        let above = DoubleDouble { hi: midpoint, lo: 1e-20 };
        assert_eq!(above.to_f32(), 1.0 + f32::EPSILON);
        assert_eq!(DoubleDouble::from(midpoint).to_f32(), 1.0);
    }
}
