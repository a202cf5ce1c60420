//! What to compute: the descriptor of a transform, in the manner of FFTW's guru interface.

mod domain;
mod kind;

use serde::{Deserialize, Serialize};

use crate::algebra::{Algebra, Direction, Layout, Scale};
use crate::distinct::{self, Stride};
use crate::error::{Error, Result};

pub use domain::Domain;
pub(crate) use domain::reversed_bits;
pub use kind::{Kind, TrigType};

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

/// The lengths of a transform's dimensions, outermost first: a number or some.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lengths(Vec<usize>);

impl From<usize> for Lengths {
    fn from(n: usize) -> Self {
        Self(vec![n])
    }
}

impl<const RANK: usize> From<[usize; RANK]> for Lengths {
    fn from(lengths: [usize; RANK]) -> Self {
        Self(lengths.into())
    }
}

impl From<&[usize]> for Lengths {
    fn from(lengths: &[usize]) -> Self {
        Self(lengths.into())
    }
}

impl From<Vec<usize>> for Lengths {
    fn from(lengths: Vec<usize>) -> Self {
        Self(lengths)
    }
}

/// The two sides of a transform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Input,
    Output,
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

    fn over(algebra: Algebra, kind: Kind, lengths: Vec<usize>) -> Self {
        let axes: Vec<usize> = (0..lengths.len()).collect();
        Self::arranged(algebra, kind, &lengths, &axes)
    }

    /// Along those dimensions of an array without gaps, which has them all.
    fn arranged(algebra: Algebra, kind: Kind, lengths: &[usize], axes: &[usize]) -> Self {
        let mut transform = Self {
            algebra,
            kind,
            orthogonalize: false,
            dims: axes.iter().map(|&axis| Dim::new(lengths[axis], 1)).collect(),
            batch: Vec::new(),
            direction: Direction::Forward,
            normalization: Normalization::Backward,
            placement: Placement::OutOfPlace,
            input_layout: Layout::Plain,
            output_layout: Layout::Plain,
            domain: Domain::default(),
        };
        let (mut input, mut output) = (1usize, 1usize);
        for (axis, &n) in lengths.iter().enumerate().rev() {
            let dim = Dim { n, input_stride: input, output_stride: output };
            let counts = match axes.iter().position(|of| *of == axis) {
                Some(number) => {
                    transform.dims[number] = dim;
                    [Side::Input, Side::Output].map(|side| transform.count(side, number))
                }
                None => {
                    transform.batch.insert(0, dim);
                    [n; 2]
                }
            };
            (input, output) = (input.saturating_mul(counts[0]), output.saturating_mul(counts[1]));
        }
        transform
    }

    /// Of an array without gaps, the transform along some of its dimensions only; the others are its batch.
    ///
    /// ```
    /// use stockham::{Algebra, Transform};
    /// // Along the first dimension and the last, of 4 and of 6 points, 5 times.
    /// let t = Transform::along(Algebra::ComplexF32, Default::default(), &[4, 5, 6], &[0, 2])?;
    /// assert_eq!((t.points(), t.batch_count(), t.input_len()), (24, 5, 120));
    /// # Ok::<(), stockham::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidTransform`] if there is no such dimension, or one is named twice.
    pub fn along(algebra: Algebra, kind: Kind, lengths: &[usize], axes: &[usize]) -> Result<Self> {
        let rank = lengths.len();
        let twice = axes.iter().enumerate().find(|(i, axis)| axes[..*i].contains(axis));
        if let Some((_, axis)) = twice.or_else(|| axes.iter().enumerate().find(|(_, axis)| **axis >= rank)) {
            let what = if *axis < rank { "is named twice" } else { "is not there" };
            return Err(Error::InvalidTransform(format!("of an array of {rank} dimensions, number {axis} {what}")));
        }
        Ok(Self::arranged(algebra, kind, lengths, axes))
    }

    /// `count` transforms one after the other: one batch dimension whose strides are the transform's points on each side.
    pub fn batch(mut self, count: usize) -> Self {
        let all = |side| (0..self.dims.len()).fold(1usize, |all, number| all.saturating_mul(self.count(side, number)));
        self.batch = vec![Dim { n: count, input_stride: all(Side::Input), output_stride: all(Side::Output) }];
        self.padded()
    }

    /// `count` of all this, one after the other: a batch dimension outside of the others.
    ///
    /// ```
    /// use stockham::{Algebra, Transform};
    /// let columns = Transform::along(Algebra::ComplexF32, Default::default(), &[4, 6], &[0])?;
    /// assert_eq!((columns.batch_count(), columns.repeated(3).batch_count()), (6, 18));
    /// # Ok::<(), stockham::Error>(())
    /// ```
    pub fn repeated(mut self, count: usize) -> Self {
        let (input, output) = (self.input_len(), self.output_len());
        self.batch.insert(0, Dim { n: count, input_stride: input, output_stride: output });
        self.padded()
    }

    /// In place, the lines of real numbers are as far apart as those of pairs.
    fn padded(mut self) -> Self {
        let Some(half) = self.half_side().filter(|_| self.placement == Placement::InPlace) else { return self };
        let line = self.dims.len().saturating_sub(1);
        for dim in self.dims[..line].iter_mut().chain(&mut self.batch) {
            match half {
                Side::Output => dim.input_stride = dim.output_stride.saturating_mul(2),
                Side::Input => dim.output_stride = dim.input_stride.saturating_mul(2),
            }
        }
        self
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
    /// strides change sides with the direction.
    pub fn direction(mut self, direction: Direction) -> Self {
        if self.kind == Kind::Real && direction != self.direction {
            for dim in self.dims.iter_mut().chain(&mut self.batch) {
                (dim.input_stride, dim.output_stride) = (dim.output_stride, dim.input_stride);
            }
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
    pub fn in_place(mut self) -> Self {
        self.placement = Placement::InPlace;
        self.padded()
    }

    /// Over a field: on the coset of a residue s, given as its words. The input's element j is multiplied by s^j, or the
    /// output's by s^(−j) if the transform is the inverse one.
    ///
    /// ```
    /// use stockham::{Algebra, Device, Transform};
    /// let babybear: Algebra = "babybear".parse()?;
    /// let device = Device::cpu();
    /// let forward = Transform::new(babybear, 4).on_coset([31]).in_place();
    /// // The polynomial x takes the values 31·ω^k.
    /// let mut values = device.upload(&[0u32, 1, 0, 0])?;
    /// device.plan(&forward)?.run_in_place(&mut values)?;
    /// assert_eq!(values.to_vec()?[0], 31);
    /// device.plan(&forward.inverse())?.run_in_place(&mut values)?;
    /// assert_eq!(values.to_vec()?, [0, 1, 0, 0]);
    /// # Ok::<(), stockham::Error>(())
    /// ```
    pub fn on_coset(mut self, shift: impl Into<Vec<u64>>) -> Self {
        self.domain.coset = shift.into();
        self
    }

    /// Over a field: of the input only the first points are there, a power of two of them, and all others are 0. It is said
    /// before the [batch](Self::batch), whose inputs lie closer together then.
    pub fn padded_from(mut self, given: usize) -> Self {
        self.domain.given = Some(given);
        self
    }

    /// Over a field: whether the input's elements, and the output's, are in bit-reversed order.
    pub fn bit_reversed(mut self, input: bool, output: bool) -> Self {
        self.domain.reversed = [input, output];
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

    /// Elements the input must have, or real numbers: one past the farthest read.
    pub fn input_len(&self) -> usize {
        self.extent(Side::Input)
    }

    /// Elements the output must have, or real numbers: one past the farthest written.
    pub fn output_len(&self) -> usize {
        self.extent(Side::Output)
    }

    /// The factor on the output.
    pub fn scale(&self) -> Scale {
        let logical = self.dims.iter().map(|dim| match self.kind {
            Kind::Dft | Kind::Real => dim.n,
            Kind::Cosine(of) => of.logical(false, dim.n),
            Kind::Sine(of) => of.logical(true, dim.n),
        });
        self.normalization.scale(self.direction, logical.fold(1, usize::saturating_mul))
    }

    /// Of cosine and sine transforms: whether it is one of sines, and the type that is computed, as the direction has it.
    pub(crate) fn trig(&self) -> Option<(bool, TrigType)> {
        let (is_sine, of) = match self.kind {
            Kind::Dft | Kind::Real => return None,
            Kind::Cosine(of) => (false, of),
            Kind::Sine(of) => (true, of),
        };
        Some((is_sine, if self.direction == Direction::Inverse { of.inverse() } else { of }))
    }

    /// Points of the DFT that a line of n numbers goes through.
    pub(crate) fn inner_of(&self, n: usize) -> usize {
        match self.trig() {
            Some((is_sine, TrigType::I)) => TrigType::I.logical(is_sine, n),
            Some((_, TrigType::IV)) if n.is_multiple_of(2) => n / 2,
            _ => n,
        }
    }

    /// Those of all dimensions.
    pub(crate) fn inner_points(&self) -> usize {
        self.dims.iter().fold(1, |points, dim| points.saturating_mul(self.inner_of(dim.n)))
    }

    /// The direction of that DFT.
    pub(crate) fn inner_direction(&self) -> Direction {
        match self.trig() {
            None => self.direction,
            Some((_, TrigType::III)) => Direction::Inverse,
            Some(_) => Direction::Forward,
        }
    }

    fn all_dims(&self) -> impl Iterator<Item = &Dim> {
        self.dims.iter().chain(&self.batch)
    }

    /// The side that a half spectrum is on, if there is one.
    pub(crate) fn half_side(&self) -> Option<Side> {
        match (self.kind, self.direction) {
            (Kind::Real, Direction::Forward) => Some(Side::Output),
            (Kind::Real, Direction::Inverse) => Some(Side::Input),
            _ => None,
        }
    }

    /// Whether the numbers of a side are real.
    pub(crate) fn is_real(&self, side: Side) -> bool {
        self.kind != Kind::Dft && self.half_side() != Some(side)
    }

    /// How many numbers a side has along a transform dimension: of a half spectrum, the last one's are half.
    pub(crate) fn count(&self, side: Side, number: usize) -> usize {
        let n = self.dims[number].n;
        let is_half = self.half_side() == Some(side) && number + 1 == self.dims.len();
        match self.domain.given.filter(|_| side == Side::Input) {
            Some(given) => given.min(n),
            None if is_half && n > 0 => n / 2 + 1,
            None => n,
        }
    }

    /// How many numbers a side has along each dimension, and how far apart they are.
    pub(crate) fn strides(&self, side: Side) -> impl Iterator<Item = Stride> {
        let stride = move |dim: &Dim| if side == Side::Input { dim.input_stride } else { dim.output_stride };
        let of = move |n: usize, dim: &Dim| Stride { n: n as u64, stride: stride(dim) as u64 };
        let dims = (0..self.dims.len()).map(move |number| of(self.count(side, number), &self.dims[number]));
        dims.chain(self.batch.iter().map(move |dim| of(dim.n, dim)))
    }

    fn extent(&self, side: Side) -> usize {
        if self.all_dims().any(|d| d.n == 0) {
            return 0;
        }
        // Saturating, so that a description larger than the address space is refused and does not wrap around.
        let far = self.strides(side).map(|Stride { n, stride }| (n - 1).saturating_mul(stride));
        usize::try_from(far.fold(1, u64::saturating_add)).unwrap_or(usize::MAX)
    }

    /// Checks that the description makes sense, whatever device may run it.
    ///
    /// # Errors
    /// [`Error::InvalidTransform`] for a zero length, an empty list of dimensions, in-place transforms whose strides
    /// or layouts differ (of real numbers: whose lines are not padded to n/2 + 1 pairs), real numbers of a field, outputs that would overlap (or might, where three or more dimensions are interleaved, and all but
    /// the two longest are long: that is not found out), a sliced layout of elements without digits, or a
    /// [`Domain`] that is none; [`Error::FieldValue`] or [`Error::Residue`] for a coset of no residue;
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
        if self.kind != Kind::Dft && self.algebra.unit_roundoff().is_none() {
            return invalid(format!("{} has no real numbers", self.algebra.given()));
        }
        if self.kind == Kind::Cosine(TrigType::I) && self.dims.iter().any(|d| d.n < 2) {
            return invalid("a cosine transform of type I takes two points at least".into());
        }
        if self.orthogonalize && self.trig().is_none() {
            return invalid("only cosine and sine transforms are orthogonalized".into());
        }
        if self.placement == Placement::InPlace {
            self.check_strides_in_place()?;
        }
        let layouts = [self.input_layout, self.output_layout];
        if !self.algebra.has_digits() && layouts != [Layout::Plain; 2] {
            return invalid(format!("{} elements have no digits to slice", self.algebra.given()));
        }
        if self.placement == Placement::InPlace && self.input_layout != self.output_layout {
            return invalid("in place, input and output layouts must be equal".into());
        }
        self.domain.validate(self)?;
        self.check_outputs_distinct()?;
        for d in &self.dims {
            self.algebra.check_length(d.n)?;
        }
        self.algebra.check_scale(self.scale())
    }

    /// In place, all numbers of a line stay within it.
    fn check_strides_in_place(&self) -> Result<()> {
        let invalid = |message: &str| Err(Error::InvalidTransform(message.into()));
        let strides = |d: &Dim| match self.half_side() {
            Some(Side::Output) => (d.input_stride, d.output_stride.saturating_mul(2)),
            Some(Side::Input) => (d.output_stride, d.input_stride.saturating_mul(2)),
            None => (d.input_stride, d.output_stride),
        };
        let padded = |d: &Dim| d.n == 1 || strides(d).0 == strides(d).1;
        if self.half_side().is_none() {
            let same = self.all_dims().all(padded);
            return if same { Ok(()) } else { invalid("in place, input and output strides must be equal") };
        }
        let Some((line, others)) = self.dims.split_last() else { return Ok(()) };
        if (line.input_stride, line.output_stride) == (1, 1) && others.iter().chain(&self.batch).all(padded) {
            return Ok(());
        }
        invalid(
            "in place, the real numbers of a line are neighbours, and lines are as far apart as those of n/2 + 1 pairs: \
             strides of real numbers are twice those of elements",
        )
    }

    /// Each output has a place of its own.
    fn check_outputs_distinct(&self) -> Result<()> {
        let what = match distinct::are_distinct(self.strides(Side::Output)) {
            Some(true) => return Ok(()),
            Some(false) => "would write several results to one place",
            None => "are interleaved so that it would take long to tell whether results share a place",
        };
        let dims: Vec<_> = self.all_dims().map(|d| (d.n, d.output_stride)).collect();
        Err(Error::InvalidTransform(format!("outputs of so many points at such strides {what}: {dims:?}")))
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
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
