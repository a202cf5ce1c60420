//! A vector as a number of codelets: what is written once for numbers computes with several at a time.

use num_complex::Complex;

use crate::algebra::{DoubleDouble, Scalar};

use super::wide::Wide;

/// Real numbers side by side.
pub(crate) struct Lane<F, W: Wide<F>> {
    pub wide: W,
    pub vector: W::Vector,
}

/// Complex ones, their real parts and their imaginary parts.
pub(crate) type Lanes<F, W> = Complex<Lane<F, W>>;

impl<F, W: Wide<F>> Clone for Lane<F, W> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<F, W: Wide<F>> Copy for Lane<F, W> {}

impl<F, W: Wide<F>> Lane<F, W> {
    #[inline(always)]
    fn with(self, vector: W::Vector) -> Self {
        Self { vector, ..self }
    }
}

impl<F: Scalar + Default, W: Wide<F>> Scalar for Lane<F, W> {
    #[inline(always)]
    fn add(&self, rhs: &Self) -> Self {
        self.with(self.wide.add(self.vector, rhs.vector))
    }
    #[inline(always)]
    fn sub(&self, rhs: &Self) -> Self {
        self.with(self.wide.sub(self.vector, rhs.vector))
    }
    #[inline(always)]
    fn mul(&self, rhs: &Self) -> Self {
        self.with(self.wide.mul(self.vector, rhs.vector))
    }
    #[inline(always)]
    fn neg(&self) -> Self {
        self.with(self.wide.neg(self.vector))
    }
    #[inline(always)]
    fn mul_add(&self, a: &Self, b: &Self) -> Self {
        self.with(self.wide.mul_add(self.vector, a.vector, b.vector))
    }
    /// One lane stands for processors of which nothing is known.
    #[inline(always)]
    fn fuses(&self) -> bool {
        W::LANES > 1
    }
    #[inline(always)]
    fn constant(&self, value: DoubleDouble) -> Self {
        self.with(self.wide.splat(F::default().constant(value)))
    }
    /// The factor is rounded first: codelets have no use for more.
    #[inline(always)]
    fn times_exactly(&self, value: DoubleDouble) -> Self {
        self.mul(&self.constant(value))
    }
}

/// The complex numbers of two vectors.
#[inline(always)]
pub(crate) fn lanes<F, W: Wide<F>>(wide: W, [re, im]: [W::Vector; 2]) -> Lanes<F, W> {
    Complex::new(Lane { wide, vector: re }, Lane { wide, vector: im })
}

/// x·w, in fused products and sums.
#[inline(always)]
pub(crate) fn product<F: Scalar + Default, W: Wide<F>>(x: Lanes<F, W>, w: Lanes<F, W>) -> Lanes<F, W> {
    let re = x.re.mul_add(&w.re, &x.im.mul(&w.im).neg());
    Complex::new(re, x.re.mul_add(&w.im, &x.im.mul(&w.re)))
}
