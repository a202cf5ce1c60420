//! Expressions, built node by node.

use std::ops;

use num_complex::Complex64;

use super::{Array, Bits, Expr, Function, Node};

impl From<f64> for Expr {
    fn from(x: f64) -> Self {
        Node::Constant(Bits(x.to_bits())).into()
    }
}

impl From<Complex64> for Expr {
    fn from(x: Complex64) -> Self {
        Self::complex(x.re, x.im)
    }
}

impl Expr {
    /// The number that is read, or that would be written.
    pub fn value() -> Self {
        Node::Value.into()
    }

    /// Its index along a transform dimension, of which the outermost has number 0; a real number.
    pub fn index(dim: usize) -> Self {
        Node::Index(dim).into()
    }

    /// Its index along a batch dimension, of which the outermost has number 0.
    pub fn batch(dim: usize) -> Self {
        Node::Batch(dim).into()
    }

    /// Real numbers, one for each index along a transform dimension: a window, say.
    pub fn along(dim: usize, numbers: &[f64]) -> Self {
        Self::array(numbers.iter().copied(), false, vec![(dim, numbers.len())])
    }

    /// Complex numbers, one for each index along a transform dimension.
    pub fn complex_along(dim: usize, numbers: &[Complex64]) -> Self {
        Self::array(numbers.iter().flat_map(|x| [x.re, x.im]), true, vec![(dim, numbers.len())])
    }

    /// Real numbers in the shape of a transform, the last dimension's neighbours: one for each point. A number of each
    /// dimension's length comes first.
    pub fn over(shape: &[usize], numbers: &[f64]) -> Self {
        Self::array(numbers.iter().copied(), false, shape.iter().copied().enumerate().collect())
    }

    /// Complex numbers in the shape of a transform: a spectrum to multiply by, say.
    pub fn complex_over(shape: &[usize], numbers: &[Complex64]) -> Self {
        Self::array(numbers.iter().flat_map(|x| [x.re, x.im]), true, shape.iter().copied().enumerate().collect())
    }

    /// Real numbers along some dimensions, of each its number and its length; the last one's are neighbours. Batch dimensions are
    /// numbered after those of the transform.
    ///
    /// ```
    /// use stockham::{Access, Device, Expr, Fft};
    /// // A gain of each of two signals.
    /// let gains = Expr::along_dims(&[(1, 2)], &[1.0, 10.0]);
    /// let device = Device::cpu();
    /// let plan = Fft::real::<f64>(4).batch(2).load(Access::of(Expr::value() * gains)).store(Access::of(Expr::value().re()).real());
    /// let (input, mut output) = (device.upload(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])?, device.alloc::<f64>(6)?);
    /// plan.plan(&device)?.run(&input, &mut output)?;
    /// assert_eq!(output.to_vec()?, [1.0, 1.0, 1.0, 10.0, 10.0, 10.0]);
    /// # Ok::<(), stockham::Error>(())
    /// ```
    pub fn along_dims(dims: &[(usize, usize)], numbers: &[f64]) -> Self {
        Self::array(numbers.iter().copied(), false, dims.to_vec())
    }

    /// Complex numbers along some dimensions, as [`along_dims`](Self::along_dims).
    pub fn complex_along_dims(dims: &[(usize, usize)], numbers: &[Complex64]) -> Self {
        Self::array(numbers.iter().flat_map(|x| [x.re, x.im]), true, dims.to_vec())
    }

    fn array(numbers: impl Iterator<Item = f64>, is_complex: bool, along: Vec<(usize, usize)>) -> Self {
        let numbers = numbers.map(|x| Bits(x.to_bits())).collect();
        Node::Array(Array { numbers, is_complex, along }).into()
    }

    /// The complex number of two real ones.
    pub fn complex(re: impl Into<Self>, im: impl Into<Self>) -> Self {
        Node::Complex(re.into(), im.into()).into()
    }

    /// The real part.
    pub fn re(&self) -> Self {
        Node::Re(self.clone()).into()
    }

    /// The imaginary part.
    pub fn im(&self) -> Self {
        Node::Im(self.clone()).into()
    }

    /// The conjugate.
    pub fn conj(&self) -> Self {
        Node::Conj(self.clone()).into()
    }

    /// The square of the absolute value, a real number.
    pub fn norm_sqr(&self) -> Self {
        Node::NormSqr(self.clone()).into()
    }

    /// The absolute value.
    pub fn abs(&self) -> Self {
        self.norm_sqr().sqrt()
    }

    /// x/|x|, and 0 for 0.
    pub fn phase(&self) -> Self {
        let square = self.norm_sqr();
        Self::from(0.0).less(square.clone()).select(self.clone() * square.rsqrt(), 0.0)
    }

    fn real(function: Function, operands: Vec<Self>) -> Self {
        Node::Real(function, operands).into()
    }

    fn ring(function: Function, operands: Vec<Self>) -> Self {
        Node::Ring(function, operands).into()
    }

    /// The square root of a real number.
    pub fn sqrt(&self) -> Self {
        Self::real(Function::Sqrt, vec![self.clone()])
    }

    /// 1/√x of a real number.
    pub fn rsqrt(&self) -> Self {
        Self::real(Function::Rsqrt, vec![self.clone()])
    }

    /// The logarithm of a real number to base 2.
    pub fn log2(&self) -> Self {
        Self::real(Function::Log2, vec![self.clone()])
    }

    /// 2^x of a real number.
    pub fn exp2(&self) -> Self {
        Self::real(Function::Exp2, vec![self.clone()])
    }

    /// sin πx of a real number.
    pub fn sin_pi(&self) -> Self {
        Self::real(Function::SinPi, vec![self.clone()])
    }

    /// cos πx of a real number.
    pub fn cos_pi(&self) -> Self {
        Self::real(Function::CosPi, vec![self.clone()])
    }

    /// The greatest integer that is not greater than a real number.
    pub fn floor(&self) -> Self {
        Self::real(Function::Floor, vec![self.clone()])
    }

    /// The lesser of two real numbers.
    pub fn min(&self, other: impl Into<Self>) -> Self {
        Self::real(Function::Min, vec![self.clone(), other.into()])
    }

    /// The greater of two real numbers.
    pub fn max(&self, other: impl Into<Self>) -> Self {
        Self::real(Function::Max, vec![self.clone(), other.into()])
    }

    /// Whether a real number is less than another: a truth, to [`select`](Self::select) by.
    pub fn less(&self, other: impl Into<Self>) -> Self {
        Self::real(Function::Less, vec![self.clone(), other.into()])
    }

    /// The first where this truth holds, and the second elsewhere.
    pub fn select(&self, then: impl Into<Self>, otherwise: impl Into<Self>) -> Self {
        Self::ring(Function::Select, vec![self.clone(), then.into(), otherwise.into()])
    }
}

macro_rules! operators {
    ($($of:ident $name:ident)*) => {$(
        impl<E: Into<Expr>> ops::$of<E> for Expr {
            type Output = Expr;
            fn $name(self, other: E) -> Expr {
                Self::ring(Function::$of, vec![self, other.into()])
            }
        }
    )*};
}

operators! { Add add Sub sub Mul mul Div div }

impl ops::Neg for Expr {
    type Output = Self;
    fn neg(self) -> Self {
        Self::ring(Function::Neg, vec![self])
    }
}
