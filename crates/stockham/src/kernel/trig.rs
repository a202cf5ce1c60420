//! Twiddle factors that a kernel computes by sines and cosines.

use num_complex::Complex;

use crate::algebra::{Direction, DoubleDouble, Ring, Scalar, Traced};
use crate::plan::Trig;

use super::ir::Type;
use super::symbol::{Context, Symbol};

/// The angle of ω_order^K, K being different from thread to thread.
pub(super) struct Angle<'a> {
    context: &'a Context,
    trig: Trig,
    radians: Symbol,
}

impl<'a> Angle<'a> {
    /// In the precision `ty`. The order is exact there if it is a power of two, and so is K below 2^24.
    pub fn new(
        context: &'a Context,
        trig: Trig,
        weight: &Symbol,
        order: usize,
        direction: Direction,
        ty: Type,
    ) -> Self {
        let sign = if direction == Direction::Forward { -1.0 } else { 1.0 };
        let weight = weight.cast(ty);
        let unit = weight.constant(DoubleDouble::from(sign * std::f64::consts::TAU / order as f64));
        Self { context, trig, radians: weight.mul(&unit) }
    }

    /// ω_order^(K·v), by a sine and a cosine of its own.
    pub fn root(&self, v: usize) -> Traced<Symbol> {
        let angle = self.radians.mul(&self.radians.constant(DoubleDouble::from(v as f64)));
        let [sin, cos] = self.context.sin_cos(self.trig, &angle);
        Traced::Complex(Complex::new(cos, sin))
    }

    /// ω_order^K, its square, the square of that, and so on.
    pub fn squares(&self, count: u32) -> Vec<Traced<Symbol>> {
        std::iter::successors(Some(self.root(1)), |w| Some(w.mul(w))).take(count as usize).collect()
    }
}
