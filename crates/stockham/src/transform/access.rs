//! How the numbers of a side are reached: how they lie in memory, which of them are there, and what is computed of them.

use serde::{Deserialize, Serialize};

use super::expression::{Expr, Type};
use super::format::{Format, Part};
use super::{Dim, Placement, Side, Transform};
use crate::algebra::Algebra;
use crate::error::{Error, Result};

/// How the numbers of the input are read, or those of the output written. By default they are, as they lie in memory.
///
/// ```
/// use stockham::{Access, Expr, Format};
/// // Samples of 16 bits, of which the first 1000 are there, as numbers from −1 to 1.
/// let samples = Access::of(Expr::value() * (1.0 / 32768.0)).format(Format::I16).extent([1000]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Access {
    numbers: Numbers,
    extent: Option<Vec<usize>>,
    /// Whether those that are there lie where they would if all were, and not closer together.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    keeps_places: bool,
    value: Option<Expr>,
    /// Whether they are added to what is there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    accumulates: bool,
    /// Of a line of a transform of several dimensions: those of the whole, as [`Coordinates`].
    #[serde(skip_serializing_if = "Option::is_none")]
    whole: Option<Coordinates>,
}

/// Which numbers lie in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Numbers {
    /// Those that are transformed.
    #[default]
    Natural,
    /// Real and complex ones of that precision.
    Real,
    Complex,
    Of(Format),
}

impl Access {
    /// The numbers that an expression gives: of those in memory, what is transformed; or of those of the transform, what is
    /// written.
    pub fn of(value: Expr) -> Self {
        Self { value: Some(value), ..Self::default() }
    }

    /// Real numbers lie in memory, in the precision that is computed with.
    pub fn real(self) -> Self {
        Self { numbers: Numbers::Real, ..self }
    }

    /// Complex numbers lie in memory, in the precision that is computed with.
    pub fn complex(self) -> Self {
        Self { numbers: Numbers::Complex, ..self }
    }

    /// Such numbers lie in memory.
    pub fn format(self, format: Format) -> Self {
        Self { numbers: Numbers::Of(format), ..self }
    }

    /// Of the numbers along each transform dimension only the first ones are in memory, without gaps: those of the input that
    /// follow are 0, those of the output are not written.
    pub fn extent(self, lengths: impl Into<Vec<usize>>) -> Self {
        Self { extent: Some(lengths.into()), ..self }
    }

    /// The same with gaps, in which those lie that are not there: neither read nor written, whatever the memory holds.
    pub(crate) fn extent_with_gaps(self, lengths: impl Into<Vec<usize>>) -> Self {
        Self { keeps_places: true, ..self.extent(lengths) }
    }

    /// Of the output: numbers are added to those that lie there, which the memory holds from before. A sum is rounded once to what
    /// lies in memory, and held to its limits.
    ///
    /// ```
    /// use stockham::{Access, Device, Expr, Fft};
    /// // Power spectra, summed.
    /// let device = Device::cpu();
    /// let store = Access::of(Expr::value().norm_sqr()).real().accumulate();
    /// let plan = Fft::real::<f32>(4).store(store).plan(&device)?;
    /// let mut sum = device.upload(&[0f32; 3])?;
    /// for signal in [[1f32, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]] {
    ///     plan.run(&device.upload(&signal)?, &mut sum)?;
    /// }
    /// assert_eq!(sum.to_vec()?, [17.0, 1.0, 1.0]);
    /// # Ok::<(), stockham::Error>(())
    /// ```
    pub fn accumulate(self) -> Self {
        Self { accumulates: true, ..self }
    }

    /// Whether numbers are added to what is there.
    pub(crate) fn accumulates(&self) -> bool {
        self.accumulates
    }

    /// Whether those that are not there have places, which keep what they hold.
    pub(crate) fn leaves_gaps(&self) -> bool {
        self.keeps_places
    }

    /// An expression of numbers with such indices.
    pub(crate) fn within(value: Expr, whole: Coordinates) -> Self {
        Self { whole: Some(whole), ..Self::of(value) }
    }

    /// Whether it is of a line of a transform of several dimensions, with the indices of the whole.
    pub(crate) fn is_of_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// What is computed.
    pub(crate) fn value(&self) -> Option<&Expr> {
        self.value.as_ref()
    }

    /// Whether it is the default. Every run asks, so nothing is made to compare it with.
    pub(crate) fn is_plain(&self) -> bool {
        let Self { numbers, extent, keeps_places, value, accumulates, whole } = self;
        let is_natural = *numbers == Numbers::Natural && !keeps_places && !accumulates;
        is_natural && extent.is_none() && value.is_none() && whole.is_none()
    }
}

/// How far apart the values of each index lie in the array that a side is, or would be if all of it were there: transform dimensions
/// first, then the batch, outermost first.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Coordinates {
    pub axes: Vec<Axis>,
    /// How many of them are transform dimensions.
    pub rank: usize,
}

/// An index of the array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Axis {
    /// How many values it has.
    pub n: usize,
    /// How far apart they lie in the array.
    pub stride: usize,
    /// The stride of the next larger one, if there is one: the index is what is left of a place by that, over its own.
    pub next: Option<usize>,
    /// How many values are in memory, and how far apart.
    pub there: usize,
    pub in_memory: usize,
}

impl Coordinates {
    /// Those of indices of so many values each, so far apart, of which the first ones are transform dimensions; of those so many
    /// are in memory, if not all.
    pub fn of(strides: &[(usize, usize)], rank: usize, extent: &[usize]) -> Option<Self> {
        let there = |at: usize| extent.get(at).copied().filter(|_| at < rank).unwrap_or(strides[at].0);
        let mut order: Vec<usize> = (0..strides.len()).collect();
        // An index of one value may have any stride.
        order.sort_by_key(|&at| (strides[at].1, strides[at].0));
        let mut axes = vec![Axis { n: 1, stride: 1, next: Some(1), there: 1, in_memory: 0 }; strides.len()];
        let (mut inside, mut packed) = (1, 1usize);
        let long: Vec<usize> = order.into_iter().filter(|&at| strides[at].0 > 1).collect();
        for (i, &at) in long.iter().enumerate() {
            let (n, stride) = strides[at];
            if stride < inside {
                return None;
            }
            inside = (n - 1).checked_mul(stride)?.checked_add(inside)?;
            let next = long.get(i + 1).map(|&next| strides[next].1);
            let in_memory = if extent.is_empty() { stride } else { packed };
            packed = packed.saturating_mul(there(at));
            axes[at] = Axis { n, stride, next, there: there(at), in_memory };
        }
        Some(Self { axes, rank })
    }

    /// The same where what is in memory lies as it would if all were there.
    fn with_gaps(mut self) -> Self {
        self.axes.iter_mut().filter(|axis| axis.n > 1).for_each(|axis| axis.in_memory = axis.stride);
        self
    }
}

impl Axis {
    /// One whose place in the array nobody asks for.
    pub fn plain(n: usize, stride: usize) -> Self {
        Self { n, stride, next: None, there: n, in_memory: stride }
    }
}

impl Transform {
    /// What is computed of the input's numbers as they are read, how these lie in memory, and how many there are. For ℂ alone.
    pub fn with_load(mut self, load: Access) -> Self {
        self.load = load;
        self
    }

    /// What is computed of the output's numbers before they are written, how these lie in memory, and how many there are.
    pub fn with_store(mut self, store: Access) -> Self {
        self.store = store;
        self
    }

    pub(crate) fn access(&self, side: Side) -> &Access {
        if side == Side::Input { &self.load } else { &self.store }
    }

    /// Whether numbers are other than they lie in memory, on any side.
    pub(crate) fn is_fused(&self) -> bool {
        !self.load.is_plain() || !self.store.is_plain()
    }

    /// The same transform of numbers as they lie in memory.
    pub(crate) fn unfused(&self) -> Self {
        Self { load: Access::default(), store: Access::default(), ..self.clone() }
    }

    /// The numbers of a side as they are computed with.
    pub(crate) fn natural_format(&self, side: Side) -> Format {
        let format = if self.algebra == Algebra::ComplexF64 { Format::F64 } else { Format::F32 };
        if self.is_real(side) { format } else { format.complex() }
    }

    /// The numbers of a side as they lie in memory.
    pub(crate) fn format(&self, side: Side) -> Format {
        let natural = self.natural_format(side);
        match self.access(side).numbers {
            Numbers::Natural => natural,
            Numbers::Real => Format { is_complex: false, ..natural },
            Numbers::Complex => natural.complex(),
            Numbers::Of(format) => format,
        }
    }

    /// What its numbers take of memory, there and back, in times of what all of them would in the precision that is computed with.
    pub(crate) fn share_of_memory(&self) -> f64 {
        let counts = |side| (0..self.dims.len()).map(move |number| self.count(side, number));
        let bytes = |side, format: Format, there: Option<&[usize]>| {
            let numbers = there.map_or_else(|| counts(side).product(), |there| there.iter().product::<usize>());
            (numbers * format.bytes()) as f64
        };
        let sides = [Side::Input, Side::Output];
        let all: f64 = sides.map(|side| bytes(side, self.natural_format(side), None)).iter().sum();
        let own: f64 = sides.map(|side| bytes(side, self.format(side), self.there(side))).iter().sum();
        if all > 0.0 { own / all } else { 1.0 }
    }

    /// Whether what a side has in memory can hold the numbers that are computed with.
    pub(crate) fn has_room(&self, side: Side) -> bool {
        let access = self.access(side);
        let is_closer = access.extent.is_some() && !access.keeps_places;
        self.format(side) == self.natural_format(side) && !is_closer && !access.accumulates
    }

    /// How many numbers of a side are in memory along each transform dimension, if not all are.
    pub(crate) fn there(&self, side: Side) -> Option<&[usize]> {
        self.access(side).extent.as_deref()
    }

    /// How many there are along each batch dimension.
    pub(super) fn batch_shape(&self) -> Vec<usize> {
        self.batch.iter().map(|dim| dim.n).collect()
    }

    /// Numbers in memory, if not all are there.
    pub(super) fn numbers_there(&self, side: Side) -> Option<usize> {
        let access = self.access(side);
        let extent = access.extent.as_ref().filter(|_| !access.keeps_places)?;
        Some(extent.iter().copied().chain(self.batch.iter().map(|dim| dim.n)).fold(1, usize::saturating_mul))
    }

    /// The indices of a side's numbers; none if they do not follow from a number's place.
    pub(crate) fn coordinates(&self, side: Side) -> Option<Coordinates> {
        if let Some(whole) = &self.access(side).whole {
            return Some(whole.clone());
        }
        let strides: Vec<(usize, usize)> = self.strides(side).map(|s| (s.n as usize, s.stride as usize)).collect();
        let access = self.access(side);
        let found = Coordinates::of(&strides, self.dims.len(), access.extent.as_deref().unwrap_or_default());
        if access.keeps_places { found.map(Coordinates::with_gaps) } else { found }
    }

    /// A side's access as a line of the transform has it, which does not know the whole's dimensions.
    pub(crate) fn access_of_whole(&self, side: Side) -> Access {
        if self.access(side).is_plain() {
            return Access::default();
        }
        Access { whole: self.coordinates(side), ..self.access(side).clone() }
    }

    /// Checks that accesses make sense.
    pub(super) fn check_accesses(&self) -> Result<()> {
        if !self.is_fused() {
            return Ok(());
        }
        let invalid = |message: String| Err(Error::InvalidTransform(message));
        if self.algebra.unit_roundoff().is_none() {
            return invalid(format!("expressions and formats are of complex numbers, not of {}", self.algebra.given()));
        }
        for (side, what) in [(Side::Input, "what is read"), (Side::Output, "what is written")] {
            if let Err(message) = self.check_access(side) {
                return invalid(format!("{what}: {message}"));
            }
        }
        if self.placement == Placement::InPlace && !(self.has_room(Side::Input) && self.has_room(Side::Output)) {
            return invalid(
                "in place, memory holds the numbers that are transformed, all of them and nothing else".into(),
            );
        }
        Ok(())
    }

    fn check_access(&self, side: Side) -> std::result::Result<(), String> {
        let access = self.access(side);
        if access.is_plain() || access.whole.is_some() {
            return Ok(());
        }
        if access.accumulates && side == Side::Input {
            return Err("it is the output that numbers are added to".into());
        }
        let (natural, format) = (self.natural_format(side), self.format(side));
        if format.part == Part::F64 && natural.part != Part::F64 {
            return Err(format!("numbers of {format} take a transform in f64"));
        }
        let ty = |format: Format| if format.is_complex { Type::Complex } else { Type::Real };
        let (given, wanted) = if side == Side::Input { (format, natural) } else { (natural, format) };
        let shape: Vec<usize> = (0..self.dims.len()).map(|number| self.count(side, number)).collect();
        let found = match &access.value {
            Some(value) => value.check(ty(given), &shape, &self.batch_shape())?,
            None => ty(given),
        };
        match (found, ty(wanted)) {
            (Type::Truth, _) => return Err("numbers are expected, not truths".into()),
            (Type::Complex, Type::Real) => {
                return Err(format!(
                    "real numbers are expected, of {wanted}; take the real part, or the absolute value"
                ));
            }
            _ => {}
        }
        if let Some(extent) = &access.extent {
            let fits = extent.len() == shape.len() && extent.iter().zip(&shape).all(|(m, n)| (1..=*n).contains(m));
            if !fits {
                return Err(format!("an extent of {extent:?}, of points of shape {shape:?}"));
            }
        }
        let is_placed = access.extent.is_some() || access.value.as_ref().is_some_and(Expr::knows_places);
        if is_placed && self.coordinates(side).is_none() {
            return Err(
                "indices do not follow from where numbers lie: dimensions are interleaved, or without a stride".into(),
            );
        }
        let has_gaps = |dim: &Dim| dim.n > 1 && self.strides(side).any(|s| s.n > 1 && s.stride == 0);
        if access.extent.is_some() && self.all_dims().any(has_gaps) {
            return Err("where not all numbers are there, each has a place of its own".into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The indices of a place of the array.
    fn indices(coordinates: &Coordinates, place: usize) -> Vec<usize> {
        let of = |axis: &Axis| axis.next.map_or(place, |next| place % next) / axis.stride;
        coordinates.axes.iter().map(of).collect()
    }

    #[test]
    fn indices_follow_from_places() {
        let t = Transform::new(Algebra::ComplexF32, [4, 6]).batch(3);
        let coordinates = t.coordinates(Side::Input).unwrap();
        assert_eq!(indices(&coordinates, 2 * 24 + 3 * 6 + 5), [3, 5, 2]);
        // Columns with gaps, and one transform alone.
        let t = Transform::new(Algebra::ComplexF32, 4)
            .with_dims([Dim::new(4, 10)])
            .with_batch([Dim::new(7, 1), Dim::new(1, 0)]);
        let coordinates = t.coordinates(Side::Output).unwrap();
        assert_eq!(indices(&coordinates, 36), [3, 6, 0]);
        let shared =
            Transform::new(Algebra::ComplexF32, 4).with_batch([Dim { n: 2, input_stride: 0, output_stride: 4 }]);
        assert_eq!(shared.coordinates(Side::Input), None);
    }

    #[test]
    fn contradictions_are_refused() {
        let t = || Transform::new(Algebra::ComplexF32, [4, 6]);
        let refused = |t: Transform, expected: &str| {
            let Err(Error::InvalidTransform(message)) = t.validate() else { panic!("{expected}: taken") };
            assert!(message.contains(expected), "{message}, and not {expected}");
        };
        let x = Expr::value;
        refused(t().with_store(Access::default().real()), "real numbers are expected");
        refused(t().with_load(Access::of(x().re().less(1.0))), "truths");
        refused(t().with_load(Access::default().format(Format::F64)), "f64");
        refused(t().with_load(Access::default().extent([4, 7])), "[4, 7]");
        refused(t().in_place().with_load(Access::default().format(Format::I16)), "in place");
        refused(t().in_place().with_store(Access::default().accumulate()), "in place");
        refused(t().with_load(Access::default().accumulate()), "the output");
        refused(Transform::new(Algebra::Goldilocks, 4).with_load(Access::of(x())), "complex numbers");
        refused(Transform::real(Algebra::ComplexF32, 8).with_load(Access::default().complex()), "real numbers");
        let shared =
            Transform::new(Algebra::ComplexF32, 4).with_batch([Dim { n: 2, input_stride: 0, output_stride: 4 }]);
        refused(shared.with_load(Access::of(x() * Expr::index(0))), "without a stride");
        t().with_store(Access::of(x().norm_sqr()).format(Format::BF16)).validate().unwrap();
        t().in_place().with_load(Access::of(x() * Expr::index(1))).validate().unwrap();
    }
}
