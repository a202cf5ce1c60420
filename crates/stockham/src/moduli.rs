//! Transforms over a list of primes: those of the limbs by which schemes of encryption write long coefficients.

use crate::algebra::{Algebra, Data, Scale, WordField};
use crate::convolution::values;
use crate::device::{Backend, Buffer, Device, Executable, KernelReport, Prepared, Stream};
use crate::error::{Error, Result};
use crate::parallel;
use crate::plan::{Step, StepFields};
use crate::transform::Transform;

/// One transform over each field of a list, with a call for all of them, and products between. Buffers hold the elements over
/// the first field, then those over the second, and so on.
///
/// On GPUs all fields with elements of one word share their launches: the primes are data of one kernel, which takes any others
/// of no more binary digits, too. Other fields, and those of a CPU, have plans of their own, which follow each other on the
/// stream.
///
/// ```
/// use stockham::{Algebra, Device, Transform, moduli::ModuliTransform};
/// let device = Device::cpu();
/// // Primes that are 1 modulo 8 have roots for products modulo x^4 + 1.
/// let fields: Vec<Algebra> = ["17", "41"].into_iter().map(str::parse).collect::<Result<_, _>>()?;
/// let one = Transform::new(fields[0], 4).negacyclic().bit_reversed(false, true);
/// let mut transform = ModuliTransform::<u32>::plan(&device, &fields, &one)?;
/// // (x + 2x^3)·x^3 is −2x^2 − 1 … in each field, as x^4 = −1.
/// let mut x = device.upload(&[0, 1, 0, 2, 0, 1, 0, 2])?;
/// let mut y = device.upload(&[0, 0, 0, 1, 0, 0, 0, 1])?;
/// let stream = device.default_stream();
/// transform.forward(stream, &mut x)?;
/// transform.forward(stream, &mut y)?;
/// transform.multiply(stream, &mut x, &y)?;
/// transform.inverse(stream, &mut x)?;
/// stream.synchronize()?;
/// assert_eq!(x.to_vec()?, [16, 0, 15, 0, 40, 0, 39, 0]);
/// # Ok::<(), stockham::Error>(())
/// ```
pub struct ModuliTransform<T> {
    device: Device,
    fields: Vec<Algebra>,
    /// Forward and inverse, of every field, or of all together.
    plans: Vec<[Executable; 2]>,
    /// One for every field, or one of all together, once they are asked for.
    products: Vec<Prepared>,
    /// The same for sums of so many.
    sums: (usize, Vec<Prepared>),
    workspace: Buffer<T>,
    /// Values of one field.
    len: usize,
}

impl<T: Data> ModuliTransform<T> {
    /// Plans a forward transform over each of the fields, in place, whatever its algebra is, and the one that undoes it: from its
    /// order of the output to that of the input.
    ///
    /// # Errors
    /// [`Error::InvalidTransform`] for no fields; [`Error::ElementType`] if elements of one are not made of `T`, and
    /// [`Error::BufferLength`] if not of as many as the first one's; otherwise as [`Device::plan`].
    pub fn plan(device: &Device, fields: &[Algebra], transform: &Transform) -> Result<Self> {
        let Some(&first) = fields.first() else {
            return Err(Error::InvalidTransform("a transform over a list of fields takes at least one".into()));
        };
        let forward = transform.clone().direction(crate::Direction::Forward).in_place();
        let mut inverse = forward.clone().inverse();
        inverse.domain.reversed.reverse();
        let len = values::<T>(first, forward.input_len())?;
        for &field in fields {
            let found = values::<T>(field, forward.input_len())?;
            if found != len {
                return Err(Error::BufferLength { buffer: "elements of a field of the list", expected: len, found });
            }
        }
        let both = |plan: &(dyn Fn(&Transform) -> Result<Executable> + Sync)| {
            let [forward, inverse] = [&forward, &inverse].map(plan);
            Ok([forward?, inverse?])
        };
        let plans: Vec<[Executable; 2]> = match of_words(fields) {
            Some(words) if device.info().backend != Backend::Cpu && forward.dims.len() == 1 => {
                vec![both(&|of| device.plan_over(of, &words))?]
            }
            _ => {
                let of_field = |&algebra: &Algebra| both(&|of| device.plan(&Transform { algebra, ..of.clone() }));
                parallel::map(fields.len(), 1, |i| of_field(&fields[i])).into_iter().collect::<Result<_>>()?
            }
        };
        let elements = plans.iter().flatten().map(Executable::workspace_len).max().unwrap_or(0);
        let workspace = device.alloc(values::<T>(first, elements)?)?;
        let (products, sums, fields) = (Vec::new(), (0, Vec::new()), fields.to_vec());
        Ok(Self { device: device.clone(), fields, plans, products, sums, workspace, len })
    }

    /// Values of a buffer.
    pub fn buffer_len(&self) -> usize {
        self.len.saturating_mul(self.fields.len())
    }

    /// The executables of the forward transforms: one of all fields together, or one of each.
    pub fn executables(&self) -> impl Iterator<Item = &Executable> {
        self.plans.iter().map(|[forward, _]| forward)
    }

    /// Submits the forward transforms.
    ///
    /// # Errors
    /// [`Error::BufferLength`], [`Error::DeviceMismatch`]; what the driver reports.
    pub fn forward(&mut self, stream: &Stream, data: &mut Buffer<T>) -> Result<()> {
        self.run(stream, data, (0, self.fields.len()))
    }

    /// Submits the forward transforms over the first fields of the list alone: the first elements of the buffer. It is what is left
    /// of a list when its last primes are dropped, and takes no other kernels.
    ///
    /// # Errors
    /// [`Error::InvalidTransform`] for no fields, or more than there are; otherwise as [`forward`](Self::forward).
    pub fn forward_first(&mut self, stream: &Stream, fields: usize, data: &mut Buffer<T>) -> Result<()> {
        self.run(stream, data, (0, fields))
    }

    /// Submits the inverse transforms over the first fields alone.
    ///
    /// # Errors
    /// As [`forward_first`](Self::forward_first).
    pub fn inverse_first(&mut self, stream: &Stream, fields: usize, data: &mut Buffer<T>) -> Result<()> {
        self.run(stream, data, (1, fields))
    }

    /// Submits the inverse transforms, with their factor.
    ///
    /// # Errors
    /// As [`forward`](Self::forward).
    pub fn inverse(&mut self, stream: &Stream, data: &mut Buffer<T>) -> Result<()> {
        self.run(stream, data, (1, self.fields.len()))
    }

    /// Submits x ← x·y, element by element. The first call makes the products ready.
    ///
    /// # Errors
    /// As [`forward`](Self::forward), and for the first call as [`plan`](Self::plan).
    pub fn multiply(&mut self, stream: &Stream, x: &mut Buffer<T>, y: &Buffer<T>) -> Result<()> {
        self.check_len("data", x.len())?;
        self.check_len("factor", y.len())?;
        if self.products.is_empty() {
            self.products = self.prepared(|algebra| Step::Product { algebra, scale: Scale::One })?;
        }
        let len = self.buffer_len() / self.products.len();
        for (product, start) in self.products.iter().zip((0..).step_by(len)) {
            let range = start..start + len;
            product.run_in_place(stream, x.slice_mut(range.clone())?, Some(y.slice(range)?))?;
        }
        Ok(())
    }

    /// Submits z ← x_0·y_0 + x_1·y_1 + …, element by element, for the arrays of a field that follow each other in x and in y: over
    /// the first field all `terms` of them, then those over the second. It is what switches of keys take. Sums of another number
    /// of terms are made ready when they are first asked for.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for no terms, or more than 64; otherwise as [`multiply`](Self::multiply).
    pub fn inner_product(
        &mut self,
        stream: &Stream,
        terms: usize,
        (x, y): (&Buffer<T>, &Buffer<T>),
        z: &mut Buffer<T>,
    ) -> Result<()> {
        self.check_len("sums", z.len())?;
        for (buffer, found) in [("first factors", x.len()), ("second factors", y.len())] {
            let expected = self.buffer_len().saturating_mul(terms);
            if found != expected {
                return Err(Error::BufferLength { buffer, expected, found });
            }
        }
        if self.sums.1.is_empty() || self.sums.0 != terms {
            self.sums = (terms, self.prepared(|algebra| Step::InnerProduct { algebra, terms })?);
        }
        let len = self.buffer_len() / self.sums.1.len();
        for (sum, start) in self.sums.1.iter().zip((0..).step_by(len)) {
            let factors = start * terms..(start + len) * terms;
            let [x, y] = [x.slice(factors.clone())?, y.slice(factors)?];
            sum.run_with(stream, x, y, z.slice_mut(start..start + len)?)?;
        }
        Ok(())
    }

    /// A step of each field, or one of all where they share their launches.
    fn prepared(&self, step: impl Fn(Algebra) -> Step + Sync) -> Result<Vec<Prepared>> {
        match (of_words(&self.fields), &self.plans[..]) {
            (Some(fields), [together]) if !together[0].recipe().moduli.is_empty() && fields.len() <= MOST_IN_TEXT => {
                let step = step(together[0].recipe().transform.algebra);
                Ok(vec![self.device.prepare_step_over(step, &StepFields { fields, len: self.len })?])
            }
            _ => {
                let of_field = |i: usize| self.device.prepare_step(step(self.fields[i]));
                parallel::map(self.fields.len(), 1, of_field).into_iter().collect()
            }
        }
    }

    /// What the device's compiler told of each kernel.
    pub fn kernel_reports(&self) -> Vec<KernelReport> {
        self.plans.iter().flatten().flat_map(Executable::kernel_reports).collect()
    }

    fn run(&mut self, stream: &Stream, data: &mut Buffer<T>, (direction, fields): (usize, usize)) -> Result<()> {
        let all = self.fields.len();
        if fields == 0 || fields > all {
            return Err(Error::InvalidTransform(format!("of {all} fields, the first 1 to {all} are transformed")));
        }
        if fields == all {
            self.check_len("data", data.len())?;
        }
        let expected = self.len * fields;
        if data.len() < expected {
            return Err(Error::BufferLength { buffer: "data", expected, found: data.len() });
        }
        if let [together] = &self.plans[..]
            && !together[direction].recipe().moduli.is_empty()
        {
            let data = (data.slice_mut(..expected)?, fields);
            return together[direction].run_first_in_place_on(stream, data, &mut self.workspace);
        }
        for (plans, start) in self.plans[..fields].iter().zip((0..).step_by(self.len)) {
            let part = data.slice_mut(start..start + self.len)?;
            plans[direction].run_in_place_on(stream, part, &mut self.workspace)?;
        }
        Ok(())
    }

    fn check_len(&self, buffer: &'static str, found: usize) -> Result<()> {
        let expected = self.buffer_len();
        if expected == found { Ok(()) } else { Err(Error::BufferLength { buffer, expected, found }) }
    }
}

/// Fields at most whose constants stand in the text of a kernel.
const MOST_IN_TEXT: usize = 1 << 10;

/// The fields, if all are of one word.
fn of_words(fields: &[Algebra]) -> Option<Vec<WordField>> {
    let word = |algebra: &Algebra| if let Algebra::WordField(field) = algebra { Some(*field) } else { None };
    fields.iter().map(word).collect()
}
