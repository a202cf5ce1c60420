//! A transform made ready for a device, and the ways to run it.

use std::fmt;
use std::sync::Arc;

use crate::algebra::Data;
use crate::error::{Error, Result};
use crate::plan::Recipe;
use crate::transform::{Placement, Side, Transform};

use super::disjoint;
use super::driver::{KernelReport, Location, Operands, Program};
use super::{Buffer, Device, Slice, SliceMut, Stream};

/// A transform made ready for a device. Cheap to clone, `Send + Sync`, and without memory of its own beyond its
/// twiddle tables: intermediate results go to the caller's workspace of [`workspace_len`](Self::workspace_len)
/// elements, or to one that a [`Runner`] keeps.
#[derive(Clone)]
pub struct Executable {
    device: Device,
    shared: Arc<Shared>,
}

struct Shared {
    recipe: Recipe,
    /// Of input and output, which every run asks for.
    lens: [usize; 2],
    program: Arc<dyn Program>,
}

impl Executable {
    pub(crate) fn new(device: Device, recipe: Recipe, program: Arc<dyn Program>) -> Self {
        let lens = [recipe.transform.input_len(), recipe.transform.output_len()];
        Self { device, shared: Arc::new(Shared { recipe, lens, program }) }
    }

    /// What it computes.
    pub fn transform(&self) -> &Transform {
        &self.shared.recipe.transform
    }

    /// How it computes.
    pub fn recipe(&self) -> &Recipe {
        &self.shared.recipe
    }

    /// Its device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Elements of workspace that a run needs; 0 for transforms of one pass. (A big prime's elements are k values each.)
    pub fn workspace_len(&self) -> usize {
        self.shared.recipe.workspace_len
    }

    /// What the device's compiler told of each kernel (empty on the CPU).
    pub fn kernel_reports(&self) -> Vec<KernelReport> {
        self.shared.program.reports()
    }

    /// Submits the transform to `stream` and returns; the result is there when the stream has come so far. A CUDA stream may
    /// be under capture: the graph then takes the transform's launches.
    ///
    /// # Errors
    /// [`Error::BufferLength`], [`Error::ElementType`], [`Error::DeviceMismatch`], [`Error::Placement`] or, for buffers of
    /// foreign memory, [`Error::Overlap`] before anything is done, [`Error::Alignment`] for a range that begins within a
    /// complex number; what the driver reports.
    pub fn run_on<'a, I: Data, O: Data>(
        &self,
        stream: &Stream,
        input: impl Into<Slice<'a, I>>,
        output: impl Into<SliceMut<'a, O>>,
        workspace: impl Into<SliceMut<'a, I>>,
    ) -> Result<()> {
        let (input, output, workspace) = (input.into(), output.into(), workspace.into());
        self.check_out_of_place(&input, &output, Some(&workspace))?;
        self.submit(stream, input.location(), output.location(), Some(workspace.location()))
    }

    /// Runs as [`run_on`](Self::run_on) does, waits, and gives the milliseconds of device time of each launch, from the
    /// end of the one before it.
    ///
    /// # Errors
    /// As [`run_on`](Self::run_on).
    pub fn profile<'a, I: Data, O: Data>(
        &self,
        stream: &Stream,
        input: impl Into<Slice<'a, I>>,
        output: impl Into<SliceMut<'a, O>>,
        workspace: impl Into<SliceMut<'a, I>>,
    ) -> Result<Vec<f64>> {
        let (input, output, workspace) = (input.into(), output.into(), workspace.into());
        self.check_out_of_place(&input, &output, Some(&workspace))?;
        stream.check_device(&self.device)?;
        let program = &self.shared.program;
        let operands =
            Operands { input: input.location(), output: output.location(), workspace: Some(workspace.location()) };
        let mut events = vec![stream.record()?];
        for launch in 0..program.launches() {
            program.enqueue(stream.queue(), operands, launch..launch + 1)?;
            events.push(stream.record()?);
        }
        events.windows(2).map(|pair| pair[1].milliseconds_since(&pair[0])).collect()
    }

    /// Submits the transform in place.
    ///
    /// # Errors
    /// As [`run_on`](Self::run_on).
    pub fn run_in_place_on<'a, T: Data>(
        &self,
        stream: &Stream,
        data: impl Into<SliceMut<'a, T>>,
        workspace: impl Into<SliceMut<'a, T>>,
    ) -> Result<()> {
        let (data, workspace) = (data.into(), workspace.into());
        self.check_placement(Placement::InPlace)?;
        let (transform, [input_len, output_len]) = (self.transform(), self.shared.lens);
        // Elements stand where the real numbers do, if one side has such.
        let len = if transform.half_side() == Some(Side::Output) { output_len } else { input_len };
        let are_numbers = transform.trig().is_some() || transform.is_filtered() && transform.is_real(Side::Input);
        let per_number =
            if are_numbers { self.per_number::<T>("data", Side::Input)? } else { self.per_element::<T>("data")? };
        self.check("data", &data.as_slice(), len, per_number)?;
        self.check_workspace(&workspace)?;
        disjoint::check(&[data.as_slice().range("data"), workspace.as_slice().range("workspace")])?;
        self.submit(stream, data.location(), data.location(), Some(workspace.location()))
    }

    /// Submits a transform over several [fields](Recipe::moduli) in place for the first of them alone, whose elements are `data`.
    pub(crate) fn run_first_in_place_on<T: Data>(
        &self,
        stream: &Stream,
        (data, fields): (SliceMut<'_, T>, usize),
        workspace: &mut Buffer<T>,
    ) -> Result<()> {
        self.check_placement(Placement::InPlace)?;
        let [input_len, _] = self.shared.lens;
        let len = input_len / self.recipe().moduli.len() * fields;
        self.check("data", &data.as_slice(), len, self.per_element::<T>("data")?)?;
        let workspace = SliceMut::from(workspace);
        self.check_workspace(&workspace)?;
        disjoint::check(&[data.as_slice().range("data"), workspace.as_slice().range("workspace")])?;
        stream.check_device(&self.device)?;
        let (input, workspace) = (data.location(), Some(workspace.location()));
        self.shared.program.enqueue_first(stream.queue(), Operands { input, output: input, workspace }, fields)
    }

    /// Runs out of place on the device's default stream and waits, with a workspace made for this one run.
    /// A [`Runner`] keeps its workspace from run to run.
    ///
    /// # Errors
    /// As [`run_on`](Self::run_on), and [`Error::OutOfMemory`] for the workspace.
    pub fn run<'a, I: Data, O: Data>(
        &self,
        input: impl Into<Slice<'a, I>>,
        output: impl Into<SliceMut<'a, O>>,
    ) -> Result<()> {
        let stream = self.device.default_stream();
        self.per_number::<I>("input", Side::Input)?;
        if self.workspace_len() == 0 {
            let (input, output) = (input.into(), output.into());
            self.check_out_of_place::<I, O>(&input, &output, None)?;
            self.submit(stream, input.location(), output.location(), None)?;
        } else {
            let mut workspace = self.workspace::<I>("input")?;
            self.run_on(stream, input.into(), output.into(), &mut workspace)?;
        }
        stream.synchronize()
    }

    /// Runs in place on the device's default stream and waits, with a workspace made for this one run.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_in_place<'a, T: Data>(&self, data: impl Into<SliceMut<'a, T>>) -> Result<()> {
        let mut workspace = self.workspace::<T>("data")?;
        let stream = self.device.default_stream();
        self.run_in_place_on(stream, data.into(), &mut workspace)?;
        stream.synchronize()
    }

    /// This executable with a stream and a workspace of its own, kept from run to run, for inputs of such values.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] for the workspace; [`Error::ElementType`] if `T` is not the transform's element.
    pub fn runner<T: Data>(&self) -> Result<Runner<T>> {
        let workspace = self.workspace("workspace")?;
        Ok(Runner { stream: self.device.new_stream()?, workspace, executable: self.clone() })
    }

    fn submit(
        &self,
        stream: &Stream,
        input: Location<'_>,
        output: Location<'_>,
        workspace: Option<Location<'_>>,
    ) -> Result<()> {
        stream.check_device(&self.device)?;
        let program = &self.shared.program;
        program.enqueue(stream.queue(), Operands { input, output, workspace }, 0..program.launches())
    }

    fn check_out_of_place<I: Data, O: Data>(
        &self,
        input: &Slice<'_, I>,
        output: &SliceMut<'_, O>,
        workspace: Option<&SliceMut<'_, I>>,
    ) -> Result<()> {
        self.check_placement(Placement::OutOfPlace)?;
        let [input_len, output_len] = self.shared.lens;
        self.check("input", input, input_len, self.per_number::<I>("input", Side::Input)?)?;
        self.check("output", &output.as_slice(), output_len, self.per_number::<O>("output", Side::Output)?)?;
        let sides = [input.range("input"), output.as_slice().range("output")];
        let Some(workspace) = workspace else { return disjoint::check(&sides) };
        self.check_workspace(workspace)?;
        disjoint::check(&[sides[0], sides[1], workspace.as_slice().range("workspace")])
    }

    fn check_workspace<T: Data>(&self, workspace: &SliceMut<'_, T>) -> Result<()> {
        let per_element = self.per_element::<T>("workspace")?;
        // A larger workspace serves too, so that one can serve several transforms.
        let needed = self.workspace_len().saturating_mul(per_element).min(workspace.len());
        self.check("workspace", &workspace.as_slice().first(needed), self.workspace_len(), per_element)
    }

    /// Checks that a range is on the device, of that length, and begins at a whole number.
    fn check<T: Data>(&self, buffer: &'static str, range: &Slice<'_, T>, len: usize, per_number: usize) -> Result<()> {
        let (expected, found) = (len.saturating_mul(per_number), range.len());
        if !range.device().is_same(&self.device) {
            return Err(Error::DeviceMismatch { what: buffer, device: self.device.info().id.clone() });
        }
        if expected != found {
            return Err(Error::BufferLength { buffer, expected, found });
        }
        // Digits may begin anywhere, as nothing may; the two parts of a complex number lie together.
        let (location, algebra) = (range.location(), self.transform().algebra);
        let alignment = if algebra.has_digits() { size_of::<T>() } else { size_of::<T>() * per_number };
        if found > 0 && !location.is_at_multiple_of(alignment) {
            let address = location.memory.address().unwrap_or(0) + location.offset as u64;
            return Err(Error::Alignment { what: buffer, address, alignment });
        }
        Ok(())
    }

    /// How many values make one number of that side.
    fn per_number<T: Data>(&self, buffer: &'static str, side: Side) -> Result<usize> {
        let (transform, algebra) = (self.transform(), self.transform().algebra);
        if !transform.access(side).is_plain() {
            let format = transform.format(side);
            return match T::format() {
                Some(found) if found == format => Ok(1),
                Some(found) if found.complex() == format => Ok(2),
                _ => Err(Error::ElementType { buffer, expected: format.name(), found: T::NAME }),
            };
        }
        match transform.is_real(side) {
            false => self.per_element::<T>(buffer),
            true if T::is_real(algebra) => Ok(1),
            true => Err(Error::ElementType { buffer, expected: algebra.real_name(), found: T::NAME }),
        }
    }

    /// How many values make one element.
    fn per_element<T: Data>(&self, buffer: &'static str) -> Result<usize> {
        let algebra = self.transform().algebra;
        if self.transform().is_fused() && T::format().is_some() {
            // Whatever the numbers are, so many of them take an element's place.
            return Ok(algebra.element_bytes() / size_of::<T>());
        }
        T::per_element(algebra).ok_or_else(|| Error::ElementType { buffer, expected: algebra.name(), found: T::NAME })
    }

    pub(crate) fn workspace<T: Data>(&self, buffer: &'static str) -> Result<Buffer<T>> {
        self.device.alloc(self.workspace_values::<T>(buffer)?)
    }

    /// Values of the workspace.
    pub(super) fn workspace_values<T: Data>(&self, buffer: &'static str) -> Result<usize> {
        Ok(self.workspace_len().saturating_mul(self.per_element::<T>(buffer)?))
    }

    fn check_placement(&self, called: Placement) -> Result<()> {
        let planned = self.transform().placement;
        if planned == called {
            Ok(())
        } else {
            Err(Error::Placement { expected: planned.words(), found: called.words() })
        }
    }
}

impl fmt::Debug for Executable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Executable on {} of {:?}", self.device.info().id, self.transform())
    }
}

/// An [`Executable`] with a stream and a workspace of its own.
#[derive(Debug)]
pub struct Runner<T> {
    executable: Executable,
    stream: Stream,
    workspace: Buffer<T>,
}

impl<T: Data> Runner<T> {
    /// Submits the transform out of place and returns.
    ///
    /// # Errors
    /// As [`Executable::run_on`].
    pub fn run<'a, O: Data>(
        &'a mut self,
        input: impl Into<Slice<'a, T>>,
        output: impl Into<SliceMut<'a, O>>,
    ) -> Result<()> {
        self.executable.run_on(&self.stream, input, output, &mut self.workspace)
    }

    /// Submits the transform in place and returns.
    ///
    /// # Errors
    /// As [`Executable::run_on`].
    pub fn run_in_place<'a>(&'a mut self, data: impl Into<SliceMut<'a, T>>) -> Result<()> {
        self.executable.run_in_place_on(&self.stream, data, &mut self.workspace)
    }

    /// The stream it submits to.
    pub fn stream(&self) -> &Stream {
        &self.stream
    }
}
