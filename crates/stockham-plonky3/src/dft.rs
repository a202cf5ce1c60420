//! Plonky3's trait.

use std::fmt;
use std::marker::PhantomData;

use p3_dft::{Layout, TwoAdicSubgroupDft};
use p3_matrix::Matrix;
use p3_matrix::bitrev::{BitReversedMatrixView, BitReversibleMatrix};
use p3_matrix::dense::{RowMajorMatrix, RowMajorMatrixViewMut};
use stockham::{Backend, Device, Dim, Domain, Error, HostRunner, Result, Transform, host_memory};

use crate::DeviceField;

/// [`TwoAdicSubgroupDft`] on a device of stockham's, of the columns of row-major matrices as they lie. The 32 latest plans are
/// kept, one for each shape, shift and direction; clones share them.
///
/// Values come in bit-reversed order behind a view, so that `bit_reverse_rows`, which FRI asks for, moves nothing.
///
/// The trait has no errors. Its methods panic with the device's words where a device fails, for a height that is no power of
/// two or beyond the field's roots of unity, and for the shift 0; the methods that begin with `try` return these as errors.
///
/// ```
/// use p3_baby_bear::BabyBear;
/// use p3_dft::{NaiveDft, TwoAdicSubgroupDft};
/// use p3_field::PrimeCharacteristicRing;
/// use p3_matrix::{Matrix, dense::RowMajorMatrix};
/// use stockham_plonky3::StockhamDft;
///
/// let dft = StockhamDft::new(stockham::Device::cpu());
/// let matrix = RowMajorMatrix::new((0..24).map(BabyBear::from_u32).collect(), 3);
/// let values = dft.coset_dft_batch(matrix.clone(), BabyBear::from_u32(31)).to_row_major_matrix();
/// assert_eq!(values, NaiveDft.coset_dft_batch(matrix, BabyBear::from_u32(31)));
/// ```
pub struct StockhamDft<F> {
    runner: HostRunner,
    field: PhantomData<fn() -> F>,
}

/// Values in natural order, which lie in bit-reversed order.
type Values<F> = BitReversedMatrixView<RowMajorMatrix<F>>;

/// A transform of all columns of a matrix, but for its shape.
#[derive(Clone, Copy)]
enum Columns<F> {
    /// To values on a coset.
    Forward { shift: F, added_bits: usize, is_reversed: bool },
    /// To coefficients.
    Inverse { shift: F },
}

impl<F: DeviceField> StockhamDft<F> {
    /// On a device.
    pub fn new(device: Device) -> Self {
        Self { runner: HostRunner::new(device), field: PhantomData }
    }

    /// The device.
    pub fn device(&self) -> &Device {
        self.runner.device()
    }

    /// As [`coset_dft_batch`](TwoAdicSubgroupDft::coset_dft_batch); on the subgroup with the shift 1.
    ///
    /// # Errors
    /// [`Error::InvalidTransform`] for a height that is no power of two, for a matrix without elements and for the shift 0;
    /// [`Error::Unsupported`] for one beyond the field's roots of unity; otherwise as [`HostRunner::run_in_place`].
    pub fn try_coset_dft_batch(&self, mut mat: RowMajorMatrix<F>, shift: F) -> Result<Values<F>> {
        self.in_place(&mut mat, Columns::Forward { shift, added_bits: 0, is_reversed: true })?;
        Ok(mat.bit_reverse_rows())
    }

    /// As [`coset_idft_batch`](TwoAdicSubgroupDft::coset_idft_batch).
    ///
    /// # Errors
    /// As [`try_coset_dft_batch`](Self::try_coset_dft_batch).
    pub fn try_coset_idft_batch(&self, mut mat: RowMajorMatrix<F>, shift: F) -> Result<RowMajorMatrix<F>> {
        self.in_place(&mut mat, Columns::Inverse { shift })?;
        Ok(mat)
    }

    /// As [`coset_lde_batch`](TwoAdicSubgroupDft::coset_lde_batch). The coefficients do not leave the device, and the zeros behind
    /// them are nowhere in memory.
    ///
    /// # Errors
    /// As [`try_coset_dft_batch`](Self::try_coset_dft_batch).
    pub fn try_coset_lde_batch(&self, mut mat: RowMajorMatrix<F>, added_bits: usize, shift: F) -> Result<Values<F>> {
        // Coefficients of the polynomial on the coset are fewer than its values, which then are on the subgroup.
        let to_values = Columns::Forward { shift: F::ONE, added_bits, is_reversed: true };
        let back = shift.try_inverse().ok_or_else(|| Error::InvalidTransform("0 makes no coset".into()))?;
        let inverse = self.transform(&mat, Columns::Inverse { shift: back })?.in_place();
        let forward = self.transform(&mat, to_values)?;
        let device = self.device();
        if device.info().backend != Backend::Cpu {
            let inverse = self.runner.plan(&inverse)?;
            if let Some(forward) = supported(self.runner.plan(&forward))? {
                let mut coefficients = device.upload(F::words(&mut mat.values))?;
                let mut output = device.alloc::<F::Word>(forward.transform().output_len())?;
                let mut workspace = device.alloc(inverse.workspace_len().max(forward.workspace_len()))?;
                let stream = device.default_stream();
                inverse.run_in_place_on(stream, &mut coefficients, &mut workspace)?;
                forward.run_on(stream, &coefficients, &mut output, &mut workspace)?;
                let mut values = RowMajorMatrix::new(zeros(output.len())?, mat.width);
                output.read_on(stream, F::words(&mut values.values))?;
                // Not before: where much memory is given back, the driver waits for the process's map of it.
                give_back(mat.values);
                return Ok(values.bit_reverse_rows());
            }
        }
        self.runner.run_in_place(inverse, F::words(&mut mat.values))?;
        Ok(self.extended(mat, to_values)?.bit_reverse_rows())
    }

    /// Values of the polynomials whose coefficients are given, on a subgroup of 2^`added_bits` times as many points, in natural
    /// order.
    ///
    /// # Errors
    /// As [`try_coset_dft_batch`](Self::try_coset_dft_batch).
    pub fn try_encode_batch(&self, mat: RowMajorMatrix<F>, added_bits: usize) -> Result<RowMajorMatrix<F>> {
        self.extended(mat, Columns::Forward { shift: F::ONE, added_bits, is_reversed: false })
    }

    fn in_place(&self, mat: &mut RowMajorMatrix<F>, columns: Columns<F>) -> Result<()> {
        let transform = self.transform(mat, columns)?;
        self.runner.run_in_place(transform, F::words(&mut mat.values))
    }

    /// Of coefficients, forward.
    fn extended(&self, mut mat: RowMajorMatrix<F>, columns: Columns<F>) -> Result<RowMajorMatrix<F>> {
        let transform = self.transform(&mat, columns)?;
        let mut values = zeros(transform.output_len())?;
        if supported(self.runner.run(&transform, F::words(&mut mat.values), F::words(&mut values)))?.is_some() {
            return Ok(RowMajorMatrix::new(values, mat.width));
        }
        drop(values);
        // Very few coefficients of many on a GPU: the zeros are written down.
        let Columns::Forward { shift, is_reversed, .. } = columns else {
            unreachable!("only forward transforms extend")
        };
        mat.values.resize(transform.output_len(), F::ZERO);
        self.in_place(&mut mat, Columns::Forward { shift, added_bits: 0, is_reversed })?;
        Ok(mat)
    }

    /// Out of place.
    fn transform(&self, mat: &RowMajorMatrix<F>, columns: Columns<F>) -> Result<Transform> {
        let (height, width) = (mat.height(), mat.width);
        if width == 0 || height == 0 {
            return Err(Error::InvalidTransform(format!(
                "a matrix of {height} rows and {width} columns has no elements"
            )));
        }
        if !height.is_power_of_two() {
            return Err(Error::InvalidTransform(format!("a matrix has {height} rows, which is no power of two")));
        }
        let (shift, added_bits, is_reversed) = match columns {
            Columns::Forward { shift, added_bits, is_reversed } => (shift, added_bits, is_reversed),
            Columns::Inverse { shift } => (shift, 0, false),
        };
        let algebra = F::algebra()?;
        let n = u32::try_from(added_bits).ok().and_then(|bits| height.checked_mul(1usize.checked_shl(bits)?));
        let Some(n) = n else {
            return Err(Error::InvalidTransform(format!("{height} rows times 2^{added_bits} are too many")));
        };
        let mut transform = Transform::new(algebra, n).with_dims([Dim::new(n, width)]).with_batch([Dim::new(width, 1)]);
        if let Columns::Inverse { .. } = columns {
            transform = transform.inverse();
        }
        transform.domain = Domain {
            coset: if shift == F::ONE { Vec::new() } else { vec![shift.as_canonical_u64()] },
            given: (n > height).then_some(height),
            reversed: [false, is_reversed && n > 1],
            ..Domain::default()
        };
        Ok(transform)
    }
}

/// # Errors
/// [`Error::OutOfMemory`] of the host.
fn zeros<F: DeviceField>(len: usize) -> Result<Vec<F>> {
    let requested = len.saturating_mul(size_of::<F>()) as u64;
    if requested > host_memory::available() {
        let total = Device::cpu().info().memory_bytes;
        return Err(Error::OutOfMemory { device: "cpu".into(), requested, total });
    }
    // The system's zeros, which nobody writes.
    Ok(F::zero_vec(len))
}

/// Bytes that are worth a thread.
const MUCH: usize = 16 << 20;

/// Gives memory back, beside other work where it is much: the system takes as long over it as a device over a transform.
fn give_back<F: DeviceField>(values: Vec<F>) {
    if values.len() * size_of::<F>() >= MUCH {
        // Without a thread the memory goes here.
        let _ = std::thread::Builder::new().spawn(move || drop(values));
    }
}

/// Nothing for what a device does not do in this way.
fn supported<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Err(Error::Unsupported { .. }) => Ok(None),
        result => result.map(Some),
    }
}

/// What the trait's methods do with an error.
pub(crate) fn or_panic<T>(device: &Device, result: Result<T>) -> T {
    result.unwrap_or_else(|error| panic!("stockham on {}: {error}", device.info().id))
}

impl<F: DeviceField> TwoAdicSubgroupDft<F> for StockhamDft<F> {
    type Evaluations = Values<F>;

    fn dft_batch(&self, mat: RowMajorMatrix<F>) -> Values<F> {
        self.coset_dft_batch(mat, F::ONE)
    }

    fn coset_dft_batch(&self, mat: RowMajorMatrix<F>, shift: F) -> Values<F> {
        or_panic(self.device(), self.try_coset_dft_batch(mat, shift))
    }

    fn idft_batch(&self, mat: RowMajorMatrix<F>) -> RowMajorMatrix<F> {
        self.coset_idft_batch(mat, F::ONE)
    }

    fn coset_idft_batch(&self, mat: RowMajorMatrix<F>, shift: F) -> RowMajorMatrix<F> {
        or_panic(self.device(), self.try_coset_idft_batch(mat, shift))
    }

    fn coset_lde_batch(&self, mat: RowMajorMatrix<F>, added_bits: usize, shift: F) -> Values<F> {
        or_panic(self.device(), self.try_coset_lde_batch(mat, added_bits, shift))
    }

    /// The coefficients come to the host, where the closure sees them in natural order.
    fn coset_lde_batch_with_transform<T>(
        &self,
        mat: RowMajorMatrix<F>,
        added_bits: usize,
        shift: F,
        transform: T,
    ) -> Values<F>
    where
        T: FnOnce(&mut RowMajorMatrixViewMut<'_, F>, Layout),
    {
        let mut coefficients = self.idft_batch(mat);
        transform(&mut coefficients.as_view_mut(), Layout::Natural);
        let columns = Columns::Forward { shift, added_bits, is_reversed: true };
        or_panic(self.device(), self.extended(coefficients, columns)).bit_reverse_rows()
    }
}

/// On the device that `STOCKHAM_DEVICE` names, or the fastest kind found.
///
/// # Panics
/// If there is no device of that name.
impl<F: DeviceField> Default for StockhamDft<F> {
    fn default() -> Self {
        Self::new(Device::best().unwrap_or_else(|error| panic!("stockham: {error}")))
    }
}

impl<F> Clone for StockhamDft<F> {
    fn clone(&self) -> Self {
        Self { runner: self.runner.clone(), field: PhantomData }
    }
}

impl<F> fmt::Debug for StockhamDft<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StockhamDft on {}", self.runner.device().info().id)
    }
}
