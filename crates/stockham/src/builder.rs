//! Builders of transforms: what is asked for most is said in one line. What they make is a [`Transform`], which stays the
//! plain description of one.

use crate::algebra::{Algebra, Direction, Element, Layout, Real};
use crate::device::{Device, Executable};
use crate::error::{Error, Result};
use crate::transform::{Access, Dim, Domain, Expr, Kind, Lengths, Normalization, Placement, Transform, TrigType};

/// Fourier, cosine and sine transforms, in the precision that a real type names.
///
/// ```
/// use stockham::{Complex32, Device, Fft};
/// let device = Device::best()?;
/// // Sixteen arrays of 100 by 120, one after the other.
/// let plan = Fft::complex::<f32>([100, 120]).batch(16).plan(&device)?;
/// let input = device.upload(&vec![Complex32::ONE; plan.transform().input_len()])?;
/// let mut output = device.alloc::<Complex32>(plan.transform().output_len())?;
/// plan.run(&input, &mut output)?;
/// assert_eq!(output.slice(..2)?.to_vec()?, [12000.0, 0.0].map(Complex32::from));
/// # Ok::<(), stockham::Error>(())
/// ```
#[derive(Debug)]
pub enum Fft {}

impl Fft {
    /// The DFT of complex numbers: of `n` points, or of `[rows, columns]`, the last of which are neighbours.
    pub fn complex<F: Real>(shape: impl Into<Lengths>) -> TransformBuilder {
        TransformBuilder::new(F::Complex::ALGEBRA, Kind::Dft, shape)
    }

    /// The DFT of real numbers, to [half spectra](Kind::Real), and back by [`inverse`](TransformBuilder::inverse). The shape is
    /// that of the real numbers either way.
    ///
    /// ```
    /// use stockham::{Device, Fft};
    /// let device = Device::cpu();
    /// let back = Fft::real::<f64>([4, 6]).inverse().plan(&device)?;
    /// assert_eq!((back.transform().input_len(), back.transform().output_len()), (4 * 4, 4 * 6));
    /// # Ok::<(), stockham::Error>(())
    /// ```
    pub fn real<F: Real>(shape: impl Into<Lengths>) -> TransformBuilder {
        TransformBuilder::new(F::Complex::ALGEBRA, Kind::Real, shape)
    }

    /// The discrete cosine transform of a [type](TrigType), of real numbers.
    pub fn cosine<F: Real>(of: TrigType, shape: impl Into<Lengths>) -> TransformBuilder {
        TransformBuilder::new(F::Complex::ALGEBRA, Kind::Cosine(of), shape)
    }

    /// The discrete sine transform of a [type](TrigType), of real numbers.
    pub fn sine<F: Real>(of: TrigType, shape: impl Into<Lengths>) -> TransformBuilder {
        TransformBuilder::new(F::Complex::ALGEBRA, Kind::Sine(of), shape)
    }
}

/// Transforms over finite fields.
///
/// ```
/// use stockham::{Algebra, BigPrime, Device, Goldilocks, Ntt};
/// let device = Device::cpu();
/// let plan = Ntt::over(Algebra::Goldilocks, 8).in_place().plan(&device)?;
/// let mut data = device.upload(&[Goldilocks::reduce(1); 8])?;
/// plan.run_in_place(&mut data)?;
/// assert_eq!(data.to_vec()?[0].value(), 8);
/// // The elements of a big prime have many digits.
/// assert_eq!(Ntt::over(BigPrime::P3, [4, 8]).transform()?.points(), 32);
/// # Ok::<(), stockham::Error>(())
/// ```
#[derive(Debug)]
pub enum Ntt {}

impl Ntt {
    /// The transform over a field: [`Algebra::Goldilocks`], a [`BigPrime`](crate::BigPrime), or a
    /// [`PrimeField`](crate::algebra::PrimeField). Over the algebras of complex numbers it is the DFT.
    pub fn over(field: impl Into<Algebra>, shape: impl Into<Lengths>) -> TransformBuilder {
        TransformBuilder::new(field.into(), Kind::Dft, shape)
    }
}

/// A transform in the making: forward, over all dimensions of one array without gaps, out of place, the inverse of it being
/// scaled, if nothing else is said. In what order things are said does not matter.
#[derive(Debug, Clone)]
#[must_use = "a builder does nothing until it makes a transform or a plan"]
pub struct TransformBuilder {
    algebra: Algebra,
    kind: Kind,
    shape: Vec<usize>,
    axes: Option<Vec<usize>>,
    strides: Option<[Vec<usize>; 2]>,
    batch: Option<usize>,
    direction: Direction,
    normalization: Normalization,
    orthogonalize: Option<bool>,
    placement: Placement,
    layouts: [Layout; 2],
    montgomery: bool,
    root: Option<String>,
    domain: Domain,
    /// Of the input and of the output.
    accesses: [Access; 2],
    filter: Option<Expr>,
}

impl TransformBuilder {
    pub(crate) fn new(algebra: Algebra, kind: Kind, shape: impl Into<Lengths>) -> Self {
        Self {
            algebra,
            kind,
            shape: shape.into().into(),
            axes: None,
            strides: None,
            batch: None,
            direction: Direction::Forward,
            normalization: Normalization::Backward,
            orthogonalize: None,
            placement: Placement::OutOfPlace,
            layouts: [Layout::Plain; 2],
            montgomery: false,
            root: None,
            domain: Domain::default(),
            accesses: Default::default(),
            filter: None,
        }
    }

    /// Along these axes of the array only, counted from 0, the outermost; the others are its batch. Of real numbers the last
    /// one named has half a spectrum.
    ///
    /// ```
    /// use stockham::Fft;
    /// let columns = Fft::complex::<f64>([100, 120]).axes([0]).transform()?;
    /// assert_eq!((columns.points(), columns.batch_count()), (100, 120));
    /// # Ok::<(), stockham::Error>(())
    /// ```
    pub fn axes(mut self, axes: impl IntoIterator<Item = usize>) -> Self {
        self.axes = Some(axes.into_iter().collect());
        self
    }

    /// So many arrays, each of which begins where the one before it ends.
    pub fn batch(mut self, count: usize) -> Self {
        self.batch = Some(count);
        self
    }

    /// The distances between neighbours along each axis of the array, of the input and of the output, counted in the numbers
    /// of that side: complex numbers, reals or elements. Without them there are no gaps; in place, lines of real numbers are
    /// [padded](Transform::in_place).
    ///
    /// ```
    /// use stockham::Fft;
    /// // The left half of a wider image goes to an array that has its columns one after the other.
    /// let left = Fft::complex::<f32>([100, 60]).strides([120, 1], [1, 100]).transform()?;
    /// assert_eq!((left.input_len(), left.output_len()), (99 * 120 + 60, 6000));
    /// # Ok::<(), stockham::Error>(())
    /// ```
    pub fn strides(mut self, input: impl IntoIterator<Item = usize>, output: impl IntoIterator<Item = usize>) -> Self {
        self.strides = Some([input.into_iter().collect(), output.into_iter().collect()]);
        self
    }

    /// The inverse transform.
    pub fn inverse(self) -> Self {
        self.direction(Direction::Inverse)
    }

    /// The direction.
    pub fn direction(mut self, direction: Direction) -> Self {
        self.direction = direction;
        self
    }

    /// How the input is read: what is computed of it on the way, its [format](crate::Format), how much of it there is.
    ///
    /// ```
    /// use stockham::{Access, Device, Expr, Fft, Format};
    /// let device = Device::cpu();
    /// // Samples of 16 bits to a power spectrum, in one kernel on a GPU.
    /// let plan = Fft::real::<f32>(4)
    ///     .load(Access::of(Expr::value() * 0.5).format(Format::I16))
    ///     .store(Access::of(Expr::value().norm_sqr()).real())
    ///     .plan(&device)?;
    /// let (samples, mut power) = (device.upload(&[2i16, 4, 6, 8])?, device.alloc::<f32>(3)?);
    /// plan.run(&samples, &mut power)?;
    /// assert_eq!(power.to_vec()?, [100.0, 8.0, 4.0]);
    /// # Ok::<(), stockham::Error>(())
    /// ```
    pub fn load(mut self, load: Access) -> Self {
        self.accesses[0] = load;
        self
    }

    /// How the output is written.
    pub fn store(mut self, store: Access) -> Self {
        self.accesses[1] = store;
        self
    }

    /// There and back, with what becomes of each number of the spectrum between ([`Transform::filtered`]).
    pub fn filtered(mut self, spectrum: Expr) -> Self {
        self.filter = Some(spectrum);
        self
    }

    /// The output replaces the input.
    pub fn in_place(mut self) -> Self {
        self.placement = Placement::InPlace;
        self
    }

    /// Which direction carries the factor. Without it the inverse does.
    pub fn normalization(mut self, normalization: Normalization) -> Self {
        self.normalization = normalization;
        self
    }

    /// Whether cosine and sine transforms are [orthogonalized](Transform::orthogonalize). Without it they are with
    /// [`Normalization::Ortho`], as SciPy's.
    pub fn orthogonalize(mut self, is_orthogonal: bool) -> Self {
        self.orthogonalize = Some(is_orthogonal);
        self
    }

    /// The layouts of digits, in the input and in the output.
    pub fn layouts(mut self, input: Layout, output: Layout) -> Self {
        self.layouts = [input, output];
        self
    }

    /// Over a field of elements [in Montgomery's form](Algebra::montgomery), which are taken and left as they are.
    ///
    /// ```
    /// use stockham::{Algebra, Device, Ntt};
    /// let plan = Ntt::over("babybear".parse::<Algebra>()?, 2).montgomery().in_place().plan(&Device::cpu())?;
    /// // 1 is 2^32 mod p.
    /// let mut data = Device::cpu().upload(&[0x0fff_fffeu32; 2])?;
    /// plan.run_in_place(&mut data)?;
    /// assert_eq!(data.to_vec()?, [0x1fff_fffc, 0]);
    /// # Ok::<(), stockham::Error>(())
    /// ```
    pub fn montgomery(mut self) -> Self {
        self.montgomery = true;
        self
    }

    /// Over a field: with the roots of unity of another library ([`Transform::with_root`]).
    pub fn root(mut self, root: impl Into<String>) -> Self {
        self.root = Some(root.into());
        self
    }

    /// Over a field: [negacyclic](Transform::negacyclic).
    pub fn negacyclic(mut self) -> Self {
        self.domain.negacyclic = true;
        self
    }

    /// Over a field: [on a coset](Transform::on_coset).
    pub fn coset(mut self, shift: impl Into<Vec<u64>>) -> Self {
        self.domain.coset = shift.into();
        self
    }

    /// Over a field: whether the input, and the output, are in [bit-reversed order](Transform::bit_reversed).
    pub fn bit_reversed(mut self, input: bool, output: bool) -> Self {
        self.domain.reversed = [input, output];
        self
    }

    /// The description.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for Montgomery's form where there is none; [`Error::Root`] and others as [`Transform::with_root`];
    /// [`Error::InvalidTransform`] if there is no such axis, one is named twice, or an axis has no stride; otherwise as
    /// [`Transform::validate`].
    pub fn transform(&self) -> Result<Transform> {
        let rank = self.shape.len();
        let axes = self.axes.clone().unwrap_or_else(|| (0..rank).collect());
        let algebra = if self.montgomery { self.algebra.montgomery()? } else { self.algebra };
        let mut transform = Transform::along(algebra, self.kind, &self.shape, &axes)?
            .direction(self.direction)
            .normalization(self.normalization)
            .placement(self.placement)
            .layouts(self.layouts[0], self.layouts[1]);
        transform.domain = self.domain.clone();
        if let Some(root) = &self.root {
            transform = transform.with_root(root)?;
        }
        if let Some(filter) = &self.filter {
            transform = transform.filtered(filter.clone());
        }
        let is_trig = transform.trig().is_some();
        transform.orthogonalize = self.orthogonalize.unwrap_or(is_trig && self.normalization == Normalization::Ortho);
        if let Some([input, output]) = &self.strides {
            for (side, strides) in [("input", input), ("output", output)] {
                if strides.len() != rank {
                    let words = format!("an array of {rank} dimensions has {} strides in the {side}", strides.len());
                    return Err(Error::InvalidTransform(words));
                }
            }
            let others = (0..rank).filter(|axis| !axes.contains(axis));
            let dim = |axis: usize| Dim { n: self.shape[axis], input_stride: input[axis], output_stride: output[axis] };
            transform.batch = others.map(dim).collect();
            transform.dims = axes.iter().map(|&axis| dim(axis)).collect();
        }
        if let Some(count) = self.batch {
            transform = transform.repeated(count);
        }
        let [load, store] = self.accesses.clone();
        transform = transform.with_load(load).with_store(store);
        transform.validate()?;
        Ok(transform)
    }

    /// Plans it for a device and makes it ready.
    ///
    /// # Errors
    /// As [`transform`](Self::transform) and [`Device::plan`].
    pub fn plan(&self, device: &Device) -> Result<Executable> {
        device.plan(&self.transform()?)
    }
}
