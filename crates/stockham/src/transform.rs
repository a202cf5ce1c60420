//! What to compute: the descriptor of a transform, in the manner of FFTW's guru interface.

mod access;
mod arrange;
mod check;
mod dims;
mod domain;
mod error_bound;
mod expression;
mod filter;
mod format;
mod inner;
mod kind;
mod normalization;
mod placement;
mod sides;

use serde::{Deserialize, Serialize};

use crate::algebra::{Algebra, Direction, Layout, Scale};

pub use access::Access;
pub(crate) use access::{Axis, Coordinates};
pub use dims::{Dim, Lengths};
pub use domain::Domain;
pub(crate) use domain::reversed_bits;
pub(crate) use error_bound::largest_factor;
pub use expression::Expr;
pub(crate) use expression::{Array, Function, Value, Values, trace};
pub(crate) use filter::Filter;
pub use format::Format;
pub(crate) use format::Part;
pub use kind::{Kind, TrigType};
pub use normalization::Normalization;
pub use placement::Placement;
pub(crate) use sides::Side;

use dims::product;

/// The description of a transform: transform dimensions, batch dimensions, direction, normalisation and placement.
///
/// ```
/// use stockham::{Algebra, Transform};
/// // 16 transforms of 1024 points, one after the other, inverse, in place.
/// let t = Transform::new(Algebra::ComplexF32, 1024).batch(16).inverse().in_place();
/// assert_eq!(t.input_len(), 16 * 1024);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Transform {
    /// The numbers.
    pub algebra: Algebra,
    /// Whether they are elements on both sides, or real on one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: Kind,
    /// Of cosine and sine transforms: whether the first or last numbers are multiplied by √2 or its inverse, so that with
    /// [`Normalization::Ortho`] the transform is an orthogonal matrix, as SciPy has it by default then.
    #[serde(default, skip_serializing_if = "is_default")]
    pub orthogonalize: bool,
    /// The transform dimensions, outermost first.
    pub dims: Vec<Dim>,
    /// The batch dimensions, outermost first.
    pub batch: Vec<Dim>,
    /// Forward or inverse.
    pub direction: Direction,
    /// The factor on the output.
    pub normalization: Normalization,
    /// In place or out of place.
    pub placement: Placement,
    /// How the input's digits lie; [`Layout::Plain`] for all algebras but big primes.
    #[serde(default)]
    pub input_layout: Layout,
    /// How the output's digits lie.
    #[serde(default)]
    pub output_layout: Layout,
    /// Over a field: where and in which order.
    #[serde(default, skip_serializing_if = "is_default")]
    pub domain: Domain,
    /// Over ℂ: how the input is read.
    #[serde(default, skip_serializing_if = "is_default")]
    pub load: Access,
    /// Over ℂ: how the output is written.
    #[serde(default, skip_serializing_if = "is_default")]
    pub store: Access,
    /// Over ℂ: what becomes of the spectrum, if it is transformed back at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) filter: Option<Filter>,
}

impl Transform {
    /// One forward transform over the dimensions of an array without gaps, out of place, with backward normalisation: of `n`
    /// points, or of `[rows, columns]`, the last of which are neighbours.
    pub fn new(algebra: Algebra, lengths: impl Into<Lengths>) -> Self {
        Self::over(algebra, Kind::Dft, lengths.into().0)
    }

    /// The same for [real](Kind::Real) numbers, over ℂ in the precision that the algebra tells.
    ///
    /// ```
    /// use stockham::{Algebra, Complex32, Device, Transform};
    /// let device = Device::cpu();
    /// let forward = Transform::real(Algebra::ComplexF32, 6).batch(2);
    /// let input = device.upload(&[1f32, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, -1.0, 1.0, -1.0, 1.0, -1.0])?;
    /// let mut spectra = device.alloc::<Complex32>(2 * 4)?;
    /// device.plan(&forward)?.run(&input, &mut spectra)?;
    /// assert_eq!(spectra.to_vec()?[3..], [1.0, 0.0, 0.0, 0.0, 6.0].map(Complex32::from));
    /// let mut back = device.alloc::<f32>(2 * 6)?;
    /// device.plan(&forward.inverse())?.run(&spectra, &mut back)?;
    /// assert_eq!(back.to_vec()?[6..], [1.0, -1.0, 1.0, -1.0, 1.0, -1.0]);
    /// # Ok::<(), stockham::Error>(())
    /// ```
    pub fn real(algebra: Algebra, lengths: impl Into<Lengths>) -> Self {
        Self::over(algebra, Kind::Real, lengths.into().0)
    }

    /// A discrete cosine transform of real numbers, in the precision that the algebra tells.
    ///
    /// ```
    /// use stockham::{Algebra, Device, Transform, TrigType};
    /// let device = Device::cpu();
    /// let input = device.upload(&[1f64, 2.0, 3.0])?;
    /// let mut output = device.alloc::<f64>(3)?;
    /// device.plan(&Transform::cosine(Algebra::ComplexF64, TrigType::II, 3))?.run(&input, &mut output)?;
    /// assert!((output.to_vec()?[1] + 12f64.sqrt()).abs() < 1e-14);
    /// # Ok::<(), stockham::Error>(())
    /// ```
    pub fn cosine(algebra: Algebra, of: TrigType, lengths: impl Into<Lengths>) -> Self {
        Self::over(algebra, Kind::Cosine(of), lengths.into().0)
    }

    /// A discrete sine transform likewise.
    pub fn sine(algebra: Algebra, of: TrigType, lengths: impl Into<Lengths>) -> Self {
        Self::over(algebra, Kind::Sine(of), lengths.into().0)
    }

    /// The transform dimensions with their strides, outermost first, here of some columns of a matrix:
    ///
    /// ```
    /// use stockham::{Algebra, Complex32, Device, Dim, Transform};
    /// let (rows, columns) = (6, 8);
    /// // From point to point is a row, from transform to transform one element.
    /// let first_two = Transform::new(Algebra::ComplexF32, rows)
    ///     .with_dims([Dim::new(rows, columns)])
    ///     .with_batch([Dim::new(2, 1)])
    ///     .in_place();
    /// let device = Device::cpu();
    /// let mut matrix = device.upload(&vec![Complex32::ONE; rows * columns])?;
    /// device.plan(&first_two)?.run_in_place(matrix.slice_mut(..first_two.input_len())?)?;
    /// assert_eq!(matrix.to_vec()?[..3], [6.0, 6.0, 1.0].map(Complex32::from));
    /// # Ok::<(), stockham::Error>(())
    /// ```
    pub fn with_dims(mut self, dims: impl Into<Vec<Dim>>) -> Self {
        self.dims = dims.into();
        self
    }

    /// The batch dimensions with their strides, outermost first.
    pub fn with_batch(mut self, batch: impl Into<Vec<Dim>>) -> Self {
        self.batch = batch.into();
        self
    }

    /// The inverse direction.
    pub fn inverse(self) -> Self {
        self.direction(Direction::Inverse)
    }

    /// The factors √2 of orthogonal cosine and sine transforms.
    pub fn orthogonalize(mut self) -> Self {
        self.orthogonalize = true;
        self
    }

    /// The direction. The inverse of a transform of [real](Kind::Real) numbers reads what that would write, and so their
    /// strides change sides with the direction; so do the orders of a [circle FFT](Self::circle).
    pub fn direction(mut self, direction: Direction) -> Self {
        if self.kind == Kind::Real && direction != self.direction {
            for dim in self.dims.iter_mut().chain(&mut self.batch) {
                (dim.input_stride, dim.output_stride) = (dim.output_stride, dim.input_stride);
            }
        }
        if self.domain.circle.is_some() && direction != self.direction {
            self.domain.reversed.reverse();
        }
        self.direction = direction;
        self
    }

    /// The normalisation.
    pub fn normalization(mut self, normalization: Normalization) -> Self {
        self.normalization = normalization;
        self
    }

    /// The output replaces the input. For [real](Kind::Real) numbers the lines are padded then to n/2 + 1 pairs of them, as
    /// FFTW's are: in `f32` or `f64` as many numbers as there are elements, twice.
    pub fn in_place(self) -> Self {
        self.placement(Placement::InPlace)
    }

    /// The placement.
    pub fn placement(mut self, placement: Placement) -> Self {
        self.placement = placement;
        self.padded()
    }

    /// The layout of the digits, in the input and in the output.
    pub fn layouts(mut self, input: Layout, output: Layout) -> Self {
        (self.input_layout, self.output_layout) = (input, output);
        self
    }

    /// The number of points of one transform.
    pub fn points(&self) -> usize {
        product(&self.dims)
    }

    /// The number of transforms.
    pub fn batch_count(&self) -> usize {
        product(&self.batch)
    }

    /// The factor on the output.
    pub fn scale(&self) -> Scale {
        if self.is_filtered() {
            return if self.normalization == Normalization::None { Scale::One } else { Scale::Inverse(self.points()) };
        }
        let logical = self.dims.iter().map(|dim| match self.kind {
            Kind::Dft | Kind::Real => dim.n,
            Kind::Cosine(of) => of.logical(false, dim.n),
            Kind::Sine(of) => of.logical(true, dim.n),
        });
        self.normalization.scale(self.direction, logical.fold(1, usize::saturating_mul))
    }

    fn all_dims(&self) -> impl Iterator<Item = &Dim> {
        self.dims.iter().chain(&self.batch)
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
