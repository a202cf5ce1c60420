//! What rounded constants make of a DFT in the mean.
//!
//! Roundings of sums and products are up as often as down. A codelet's constants are off by the same in every butterfly, stage and
//! transform: √3/2 as an `f64` by half a unit in the last place, √½ by .6 u. So stages with rounded constants are those of the DFT times
//! 1 + ε, and errors without a mean beside that. What else a result is multiplied by takes ε out again.

use std::sync::OnceLock;

use num_complex::Complex;

use super::{RADICES, dft};
use crate::algebra::{Algebra, Direction, DoubleDouble, Numbers, Scalar};

/// ε of stages of these radices together, over ℂ; none over fields. Codelets may be of [fused](Scalar::fuses) products and sums.
pub(crate) fn excess(stages: &[usize], algebra: Algebra, fuses: bool) -> f64 {
    let constants = match algebra {
        Algebra::ComplexF32 => Constants { are_f32: true, fuses },
        Algebra::ComplexF64 => Constants { are_f32: false, fuses },
        _ => return 0.0,
    };
    stages.iter().map(|radix| of_radix(*radix, constants)).sum()
}

/// How constants are rounded and used.
#[derive(Debug, Clone, Copy)]
struct Constants {
    are_f32: bool,
    fuses: bool,
}

/// That of one codelet, computed once.
fn of_radix(radix: usize, constants: Constants) -> f64 {
    const MOST: usize = RADICES[RADICES.len() - 1];
    static KNOWN: [[OnceLock<f64>; MOST + 1]; 4] = [const { [const { OnceLock::new() }; MOST + 1] }; 4];
    let kind = usize::from(constants.are_f32) + 2 * usize::from(constants.fuses);
    KNOWN[kind].get(radix).map_or(0.0, |known| *known.get_or_init(|| computed(radix, constants)))
}

/// Of a codelet C in place of the DFT F of r points: tr(C·F⁻¹)/r = 1 + ε.
fn computed(radix: usize, constants: Constants) -> f64 {
    let one = Complex::new(DoubleDouble::from(1.0), DoubleDouble::default());
    let number = |value: f64| Precise { value: value.into(), constants };
    let mut trace = DoubleDouble::from(-1.0);
    for j in 0..radix {
        let unit = |i: usize| Complex::new(number(f64::from(u8::from(i == j))), number(0.0));
        let mut column: Vec<Complex<Precise>> = (0..radix).map(unit).collect();
        dft(&mut column, Direction::Forward);
        for (k, x) in column.iter().enumerate() {
            let root = one.root_of_unity(Direction::Forward.root(j * k, radix));
            let product = x.re.value.mul(&root.re).add(&x.im.value.mul(&root.im));
            trace = trace.add(&product.div(((radix * radix) as f64).into()));
        }
    }
    trace.to_f64()
}

/// A number in twice an `f64`'s precision, whose constants are rounded as a kernel's.
#[derive(Debug, Clone)]
struct Precise {
    value: DoubleDouble,
    constants: Constants,
}

impl Precise {
    fn of(&self, value: DoubleDouble) -> Self {
        Self { value, constants: self.constants }
    }
}

impl Scalar for Precise {
    fn add(&self, rhs: &Self) -> Self {
        self.of(self.value.add(&rhs.value))
    }
    fn sub(&self, rhs: &Self) -> Self {
        self.of(self.value.sub(&rhs.value))
    }
    fn mul(&self, rhs: &Self) -> Self {
        self.of(self.value.mul(&rhs.value))
    }
    fn neg(&self) -> Self {
        self.of(self.value.neg())
    }
    fn mul_add(&self, a: &Self, b: &Self) -> Self {
        self.of(self.value.mul_add(&a.value, &b.value))
    }
    fn fuses(&self) -> bool {
        self.constants.fuses
    }
    fn constant(&self, value: DoubleDouble) -> Self {
        self.of(if self.constants.are_f32 { f64::from(value.to_f32()) } else { value.to_f64() }.into())
    }
    fn times_exactly(&self, value: DoubleDouble) -> Self {
        self.of(self.value.mul(&value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn that_of_three_points_is_a_third_of_the_constants() {
        let root = DoubleDouble::from(0.75).sqrt();
        for (algebra, rounded) in
            [(Algebra::ComplexF64, root.to_f64()), (Algebra::ComplexF32, f64::from(root.to_f32()))]
        {
            let off = DoubleDouble::from(rounded).sub(&root).div(root).to_f64() / 3.0;
            let found = excess(&[3], algebra, false);
            assert!((found - off).abs() < 1e-6 * off.abs(), "{found} and {off}");
        }
        assert_eq!(excess(&[2, 4, 2], Algebra::ComplexF64, false), 0.0);
        assert_eq!(excess(&[9, 32], Algebra::Goldilocks, false), 0.0);
    }

    /// What transforms there and back make of all unit vectors is off by as much in the mean.
    #[test]
    fn sizes_drift_by_it() {
        const ROUNDS: u32 = 10;
        for (radix, fuses) in [(3, false), (8, false), (9, false), (18, false), (32, false), (32, true)] {
            let constants = Constants { are_f32: true, fuses };
            let number = |value: f64| Precise { value: value.into(), constants };
            let size = number(1.0 / radix as f64);
            let of_vector = |j: usize| {
                let mut x = vec![Complex::new(number(0.0), number(0.0)); radix];
                x[j].re = number(1.0);
                for _ in 0..ROUNDS {
                    dft(&mut x, Direction::Forward);
                    dft(&mut x, Direction::Inverse);
                    x.iter_mut().for_each(|z| *z = Complex::new(z.re.mul(&size), z.im.mul(&size)));
                }
                x[j].re.value.sub(&1.0.into()).to_f64()
            };
            let found = (0..radix).map(of_vector).sum::<f64>() / radix as f64;
            let expected = 2.0 * f64::from(ROUNDS) * excess(&[radix], Algebra::ComplexF32, fuses);
            assert!((found - expected).abs() < 1e-3 * expected.abs(), "radix {radix}: {found} for {expected}");
        }
    }
}
