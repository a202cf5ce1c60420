//! What to compute: the descriptor of a transform, in the manner of FFTW's guru interface.

use serde::{Deserialize, Serialize};

use crate::algebra::{Algebra, Direction, Layout, Scale};
use crate::distinct::{self, Stride};
use crate::error::{Error, Result};

/// Which direction carries the factor 1/n, in SciPy's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Normalization {
    /// The inverse is scaled by 1/n (the default).
    Backward,
    /// Both directions are scaled by 1/√n.
    Ortho,
    /// The forward transform is scaled by 1/n.
    Forward,
    /// Neither is scaled.
    None,
}

impl Normalization {
    /// The factor for a transform of `n` points in `direction`.
    pub fn scale(self, direction: Direction, n: usize) -> Scale {
        match (self, direction) {
            _ if n == 1 => Scale::One,
            (Self::Backward, Direction::Inverse) | (Self::Forward, Direction::Forward) => Scale::Inverse(n),
            (Self::Ortho, _) => Scale::InverseSqrt(n),
            _ => Scale::One,
        }
    }
}

/// Whether the output replaces the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Placement {
    /// The output goes to memory of its own; the input is preserved.
    OutOfPlace,
    /// The output replaces the input; both have the same strides.
    InPlace,
}

impl Placement {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::OutOfPlace => "out of place",
            Self::InPlace => "in place",
        }
    }
}

/// One dimension of a transform or of its batch: a length and the strides between neighbours, in elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Dim {
    /// How many.
    pub n: usize,
    /// Distance between neighbours in the input, in elements.
    pub input_stride: usize,
    /// Distance between neighbours in the output, in elements.
    pub output_stride: usize,
}

impl Dim {
    /// A dimension with the same stride on both sides.
    pub fn new(n: usize, stride: usize) -> Self {
        Self { n, input_stride: stride, output_stride: stride }
    }
}

/// The description of a transform: transform dimensions, batch dimensions, direction, normalisation and placement.
///
/// ```
/// use stockham::{Algebra, Transform};
/// // 16 transforms of 1024 points, one after the other, inverse, in place.
/// let t = Transform::new(Algebra::ComplexF32, 1024).batch(16).inverse().in_place();
/// assert_eq!(t.input_len(), 16 * 1024);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Transform {
    /// The numbers.
    pub algebra: Algebra,
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
}

impl Transform {
    /// One contiguous forward transform of `n` points, out of place, with backward normalisation.
    pub fn new(algebra: Algebra, n: usize) -> Self {
        Self {
            algebra,
            dims: vec![Dim::new(n, 1)],
            batch: Vec::new(),
            direction: Direction::Forward,
            normalization: Normalization::Backward,
            placement: Placement::OutOfPlace,
            input_layout: Layout::Plain,
            output_layout: Layout::Plain,
        }
    }

    /// `count` transforms one after the other: one batch dimension whose stride is the transform's length.
    pub fn batch(mut self, count: usize) -> Self {
        self.batch = vec![Dim::new(count, self.points())];
        self
    }

    /// The transform dimensions with their strides, outermost first. Devices take one so far; two are computed one after the
    /// other, here of a matrix by rows:
    ///
    /// ```
    /// use stockham::{Algebra, Complex32, Device, Dim, Transform};
    /// let (rows, columns) = (6, 8);
    /// // Along each row: points side by side, row after row.
    /// let along_rows = Transform::new(Algebra::ComplexF32, columns).batch(rows).in_place();
    /// // Along each column: from point to point is a row, from transform to transform one element.
    /// let along_columns = Transform::new(Algebra::ComplexF32, rows)
    ///     .with_dims([Dim::new(rows, columns)])
    ///     .with_batch([Dim::new(columns, 1)])
    ///     .in_place();
    /// let device = Device::cpu();
    /// let mut matrix = device.upload(&vec![Complex32::ONE; rows * columns])?;
    /// device.plan(&along_rows)?.run_in_place(&mut matrix)?;
    /// device.plan(&along_columns)?.run_in_place(&mut matrix)?;
    /// assert_eq!(matrix.to_vec()?[0], Complex32::from((rows * columns) as f32));
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

    /// The direction.
    pub fn direction(mut self, direction: Direction) -> Self {
        self.direction = direction;
        self
    }

    /// The normalisation.
    pub fn normalization(mut self, normalization: Normalization) -> Self {
        self.normalization = normalization;
        self
    }

    /// The output replaces the input.
    pub fn in_place(mut self) -> Self {
        self.placement = Placement::InPlace;
        self
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

    /// Elements the input must have: one past the farthest element read.
    pub fn input_len(&self) -> usize {
        self.extent(|d| d.input_stride)
    }

    /// Elements the output must have: one past the farthest element written.
    pub fn output_len(&self) -> usize {
        self.extent(|d| d.output_stride)
    }

    /// The factor on the output.
    pub fn scale(&self) -> Scale {
        self.normalization.scale(self.direction, self.points())
    }

    fn all_dims(&self) -> impl Iterator<Item = &Dim> {
        self.dims.iter().chain(&self.batch)
    }

    fn extent(&self, stride: impl Fn(&Dim) -> usize) -> usize {
        if self.all_dims().any(|d| d.n == 0) {
            return 0;
        }
        // Saturating, so that a description larger than the address space is refused and does not wrap around.
        self.all_dims().map(|d| (d.n - 1).saturating_mul(stride(d))).fold(1, usize::saturating_add)
    }

    /// Checks that the description makes sense, whatever device may run it.
    ///
    /// # Errors
    /// [`Error::InvalidTransform`] for a zero length, an empty list of dimensions, in-place transforms whose strides
    /// or layouts differ, outputs that would overlap (or might, where three or more dimensions are interleaved, and all but
    /// the two longest are long: that is not found out), or a sliced layout of elements without digits;
    /// [`Error::Unsupported`] for a length the algebra has no root of unity for.
    pub fn validate(&self) -> Result<()> {
        let invalid = |message: String| Err(Error::InvalidTransform(message));
        if self.dims.is_empty() {
            return invalid("a transform needs at least one dimension".into());
        }
        if self.all_dims().any(|d| d.n == 0) {
            return invalid("every length must be at least 1, and one is 0".into());
        }
        let size = self.algebra.element_bytes();
        let room = |len: usize| len.checked_mul(size).is_some_and(|bytes| bytes <= isize::MAX as usize);
        if !room(self.input_len()) || !room(self.output_len()) {
            return invalid("the buffers would be larger than the address space".into());
        }
        if self.placement == Placement::InPlace && self.all_dims().any(|d| d.input_stride != d.output_stride) {
            return invalid("in place, input and output strides must be equal".into());
        }
        let layouts = [self.input_layout, self.output_layout];
        if !self.algebra.has_digits() && layouts != [Layout::Plain; 2] {
            return invalid(format!("{} elements have no digits to slice", self.algebra.given()));
        }
        if self.placement == Placement::InPlace && self.input_layout != self.output_layout {
            return invalid("in place, input and output layouts must be equal".into());
        }
        self.check_outputs_distinct()?;
        for d in &self.dims {
            self.algebra.check_length(d.n)?;
        }
        self.algebra.check_scale(self.scale())
    }

    /// Each output has a place of its own.
    fn check_outputs_distinct(&self) -> Result<()> {
        let strides = self.all_dims().map(|d| Stride { n: d.n as u64, stride: d.output_stride as u64 });
        let what = match distinct::are_distinct(strides) {
            Some(true) => return Ok(()),
            Some(false) => "would write several results to one place",
            None => "are interleaved so that it would take long to tell whether results share a place",
        };
        let dims: Vec<_> = self.all_dims().map(|d| (d.n, d.output_stride)).collect();
        Err(Error::InvalidTransform(format!("outputs of so many points at such strides {what}: {dims:?}")))
    }
}

fn product(dims: &[Dim]) -> usize {
    dims.iter().fold(1, |product, d| product.saturating_mul(d.n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_count_the_farthest_element() {
        let t = Transform::new(Algebra::ComplexF64, 8).with_dims([Dim::new(8, 3)]).with_batch([Dim::new(3, 1)]);
        assert_eq!((t.input_len(), t.output_len()), (24, 24));
        t.validate().unwrap();
    }

    #[test]
    fn contradictions_are_refused() {
        let zero = Transform::new(Algebra::ComplexF32, 0);
        assert!(matches!(zero.validate(), Err(Error::InvalidTransform(_))));
        let overlap = Transform::new(Algebra::ComplexF32, 8).with_batch([Dim::new(2, 4)]);
        assert!(matches!(overlap.validate(), Err(Error::InvalidTransform(_))));
        let mut strides = Transform::new(Algebra::ComplexF32, 8).in_place();
        strides.dims[0].output_stride = 2;
        assert!(matches!(strides.validate(), Err(Error::InvalidTransform(_))));
        let huge = Transform::new(Algebra::ComplexF32, 1 << 40).batch(1 << 40);
        assert!(matches!(huge.validate(), Err(Error::InvalidTransform(_))));
        let wide =
            Transform::new(Algebra::ComplexF32, 4).with_batch([Dim::new(usize::MAX, 4), Dim::new(usize::MAX, 1)]);
        assert!(matches!(wide.validate(), Err(Error::InvalidTransform(_))));
    }

    #[test]
    fn outputs_may_be_interleaved() {
        let pairs = |n, stride, batch: [Dim; 1]| {
            Transform::new(Algebra::ComplexF32, n).with_dims([Dim::new(n, stride)]).with_batch(batch)
        };
        pairs(2, 3, [Dim::new(2, 2)]).validate().unwrap();
        pairs(2, 3, [Dim::new(1 << 20, 2)]).validate().unwrap();
        pairs(3, 3, [Dim::new(1 << 20, 2)]).validate().unwrap_err();
        pairs(4, 5, [Dim::new(5, 4)]).validate().unwrap();
        assert!(matches!(pairs(5, 5, [Dim::new(6, 4)]).validate(), Err(Error::InvalidTransform(_))));
        assert!(matches!(pairs(4, 1, [Dim::new(2, 0)]).validate(), Err(Error::InvalidTransform(_))));
    }

    #[test]
    fn layouts_are_those_of_digits() {
        use crate::algebra::BigPrime;
        let t = Transform::new(Algebra::BigPrime(BigPrime::P3), 16);
        t.validate().unwrap();
        t.clone().layouts(Layout::Sliced, Layout::Plain).validate().unwrap();
        t.clone().layouts(Layout::Sliced, Layout::Sliced).in_place().validate().unwrap();
        let mixed = t.clone().layouts(Layout::Sliced, Layout::Plain).in_place();
        assert!(matches!(mixed.validate(), Err(Error::InvalidTransform(_))));
        let complex = Transform::new(Algebra::ComplexF32, 16).layouts(Layout::Plain, Layout::Sliced);
        assert!(matches!(complex.validate(), Err(Error::InvalidTransform(_))));
        for n in [12, 1 << 49] {
            let long = Transform::new(Algebra::BigPrime(BigPrime::P3), n);
            assert!(matches!(long.validate(), Err(Error::Unsupported { .. })), "{n}");
        }
        let text = serde_json::to_string(&t).unwrap();
        assert!(text.contains(r#"{"big-prime":"P3"}"#), "{text}");
        let older = text.replace(r#","input_layout":"plain","output_layout":"plain""#, "");
        assert!(older.len() < text.len());
        assert_eq!(serde_json::from_str::<Transform>(&older).unwrap(), t);
    }

    #[test]
    fn scales_follow_scipy() {
        let scale = |norm: Normalization, direction| norm.scale(direction, 4);
        assert_eq!(scale(Normalization::Backward, Direction::Forward), Scale::One);
        assert_eq!(scale(Normalization::Backward, Direction::Inverse), Scale::Inverse(4));
        assert_eq!(scale(Normalization::Forward, Direction::Forward), Scale::Inverse(4));
        assert_eq!(scale(Normalization::Ortho, Direction::Inverse), Scale::InverseSqrt(4));
        assert_eq!(scale(Normalization::None, Direction::Inverse), Scale::One);
    }
}
