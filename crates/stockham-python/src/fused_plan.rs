//! Plans of transforms whose numbers are other than they lie in memory: of any dtype, with expressions on the way in and out and
//! between, of which some are not there.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use stockham::threads::Workers;
use stockham::{Access, Algebra, Data, Dim, Error, Executable, Kind, Placement, Transform};

use crate::core_plan::{self, Launch};
use crate::devices::Chosen;
use crate::error::raised;
use crate::expressions::{self, Part};
use crate::job::{Finish, Job};
use crate::run::described;
use crate::stored::{Stored, with_type};
use crate::view::StoredView;
use crate::workers;

/// A transform made ready, for arrays of one arrangement in memory.
#[pyclass(frozen, module = "stockham._stockham")]
pub struct FusedPlan {
    input: Memory,
    output: Memory,
    chosen: Chosen,
    workers: Workers,
    /// Nothing for arrays without numbers.
    executable: Option<Executable>,
    in_place: bool,
}

/// A side: its numbers, how many along each axis, and how far apart.
struct Memory {
    stored: Stored,
    shape: Vec<usize>,
    strides: Vec<usize>,
}

impl Memory {
    fn of((dtype, shape, strides): (&str, Vec<usize>, Vec<usize>)) -> PyResult<Self> {
        let stored = Stored::named(dtype).ok_or_else(|| {
            PyValueError::new_err(format!(
                "no numbers of {dtype} in memory: use int8, uint8, int16, uint16, int32, float16, bfloat16, float32, float64, \
                 complex64 or complex128"
            ))
        })?;
        if shape.len() != strides.len() {
            return Err(PyValueError::new_err("there must be as many strides as dimensions"));
        }
        let strides = shape.iter().zip(strides).map(|(n, stride)| if *n <= 1 { 0 } else { stride }).collect();
        Ok(Self { stored, shape, strides })
    }

    /// Distances in the array that this is the beginning of along some axes, where that has so many numbers along each of them,
    /// and how many of those are there, if not all.
    fn whole(&self, job: &Job, counts: &[usize]) -> PyResult<(Vec<usize>, Option<Vec<usize>>)> {
        let mut shape = self.shape.clone();
        for (&axis, &n) in job.axes.iter().zip(counts) {
            let here = shape.get_mut(axis).ok_or_else(|| PyValueError::new_err(format!("there is no axis {axis}")))?;
            *here = (*here).max(n);
        }
        if shape == self.shape {
            return Ok((self.strides.clone(), None));
        }
        let packed = |shape: &[usize]| {
            let mut strides = vec![1usize; shape.len()];
            for axis in (1..shape.len()).rev() {
                strides[axis - 1] = strides[axis].saturating_mul(shape[axis]);
            }
            strides
        };
        let is_so =
            self.shape.iter().zip(self.strides.iter().zip(packed(&self.shape))).all(|(n, (a, b))| *n <= 1 || *a == b);
        if !is_so {
            return Err(PyValueError::new_err("where not all numbers are there, they are in C order without gaps"));
        }
        Ok((packed(&shape), Some(job.axes.iter().map(|axis| self.shape[*axis]).collect())))
    }

    fn layout(&self) -> (&[usize], &[usize]) {
        (&self.shape, &self.strides)
    }

    fn len(&self) -> usize {
        if self.shape.contains(&0) {
            return 0;
        }
        let far = self.shape.iter().zip(&self.strides).map(|(n, stride)| (n - 1).saturating_mul(*stride));
        far.fold(1, usize::saturating_add)
    }
}

/// What is computed of a side's numbers, and how they lie in memory.
fn access(value: Option<&[Part]>, stored: Stored, is_natural: bool, extent: Option<Vec<usize>>) -> PyResult<Access> {
    let mut access = match value {
        Some(parts) => Access::of(expressions::expression(parts)?),
        None => Access::default(),
    };
    if !is_natural {
        access = access.format(stored.format());
    }
    Ok(match extent {
        Some(extent) => access.extent(extent),
        None => access,
    })
}

#[pymethods]
impl FusedPlan {
    #[new]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        kind: (&str, i64),
        inverse: bool,
        axes: Vec<usize>,
        lengths: Vec<usize>,
        norm: &str,
        orthogonalize: bool,
        input: (&str, Vec<usize>, Vec<usize>),
        output: (&str, Vec<usize>, Vec<usize>),
        precision: &str,
        load: Option<Vec<Part>>,
        store: Option<Vec<Part>>,
        filtered: Option<Vec<Part>>,
        accumulates: bool,
        in_place: bool,
        workers: Option<i64>,
        device: Option<&str>,
    ) -> PyResult<Self> {
        let job = described(kind, inverse, axes, lengths, norm, orthogonalize, "")?;
        debug_assert_eq!(job.finish, Finish::Nothing);
        let (input, output) = (Memory::of(input)?, Memory::of(output)?);
        let how = (accumulates, in_place);
        let transform = transform(&job, &input, &output, precision, [&load, &store, &filtered], how)?;
        let chosen = Chosen::named(py, device)?;
        let workers = workers::for_numbers(
            chosen.workers(py, workers)?,
            transform.points().saturating_mul(transform.batch_count()),
        )?;
        let executable = match input.len().min(output.len()) {
            0 => None,
            // Not kept for other plans: how to compare expressions may take longer than to plan.
            _ => Some(py.detach(|| workers.run(|| chosen.device.plan(&transform))).map_err(raised)?),
        };
        Ok(Self { input, output, chosen, workers, executable, in_place })
    }

    /// Bytes of workspace that a run takes.
    #[getter]
    fn workspace_bytes(&self) -> usize {
        core_plan::workspace_bytes(self.executable.as_ref())
    }

    /// The name of its device.
    #[getter]
    fn device(&self) -> String {
        self.chosen.device.info().id.clone()
    }

    /// How it is computed, in words.
    fn explain(&self) -> String {
        core_plan::explained(self.executable.as_ref())
    }

    /// How it is computed, as JSON.
    fn to_json(&self) -> PyResult<String> {
        core_plan::json(self.executable.as_ref())
    }

    /// The text of its kernels; none on the CPU.
    fn source(&self) -> String {
        core_plan::source(self.executable.as_ref())
    }

    /// Runs it from one of NumPy's arrays to another, which lie as planned; in place they are the same.
    fn run(&self, py: Python<'_>, x: &Bound<'_, PyAny>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let input = StoredView::required(x, self.input.stored, self.input.layout(), "input")?;
        let output = StoredView::required(out, self.output.stored, self.output.layout(), "output")?;
        if !output.is_writeable {
            return Err(PyValueError::new_err("the output array is read-only"));
        }
        let Some(executable) = &self.executable else { return Ok(()) };
        let bytes = |memory: &Memory| memory.len().saturating_mul(memory.stored.bytes());
        let end = |address: usize, memory| address.saturating_add(bytes(memory));
        let overlaps =
            input.address.max(output.address) < end(input.address, &self.input).min(end(output.address, &self.output));
        if self.in_place != (overlaps && input.address == output.address) || (overlaps && !self.in_place) {
            let words =
                if self.in_place { "in place, the input is the output" } else { "the input and the output overlap" };
            return Err(PyValueError::new_err(words));
        }
        let run = Run { plan: self, executable, input: input.address, output: output.address };
        let result = py.detach(|| {
            with_type!(self.input.stored.part, I => {
                with_type!(self.output.stored.part, O => run.between::<I, O>())
            })
        });
        result.map_err(raised)
    }

    /// Submits it to a CUDA stream, from one device pointer to another with a workspace at a third.
    fn enqueue(&self, py: Python<'_>, input: u64, output: u64, workspace: u64, stream: usize) -> PyResult<()> {
        let Some(executable) = &self.executable else { return Ok(()) };
        let parts = [self.input.stored.parts(), self.output.stored.parts()];
        let launch = Launch { executable, input, output, workspace, stream, parts };
        py.detach(|| {
            with_type!(self.input.stored.part, I => {
                with_type!(self.output.stored.part, O => launch.between::<I, O>())
            })
        })
        .map_err(raised)
    }
}

/// The transform that goes from one side to the other.
fn transform(
    job: &Job,
    input: &Memory,
    output: &Memory,
    precision: &str,
    [load, store, filtered]: [&Option<Vec<Part>>; 3],
    (accumulates, in_place): (bool, bool),
) -> PyResult<Transform> {
    let misfit = |words: String| Err(PyValueError::new_err(words));
    let algebra = match precision {
        "float32" => Algebra::ComplexF32,
        "float64" => Algebra::ComplexF64,
        other => return misfit(format!("invalid precision {other:?}, should be float32 or float64")),
    };
    let rank = output.shape.len();
    if input.shape.len() != rank {
        return misfit(format!("the input has {} dimensions and the output {rank}", input.shape.len()));
    }
    let counts = |number: usize| {
        if filtered.is_some() { (job.lengths[number], job.lengths[number]) } else { job.counts(number) }
    };
    let (taken, given): (Vec<usize>, Vec<usize>) = (0..job.axes.len()).map(counts).unzip();
    let (input_strides, there) = input.whole(job, &taken)?;
    let (output_strides, kept) = output.whole(job, &given)?;
    let dim = |axis: usize, n| Dim { n, input_stride: input_strides[axis], output_stride: output_strides[axis] };
    let mut dims = Vec::with_capacity(rank);
    for (number, (&axis, &n)) in job.axes.iter().zip(&job.lengths).enumerate() {
        if axis >= rank || job.axes[..number].contains(&axis) {
            return misfit(format!("there is no axis {axis}, or it is named twice"));
        }
        if output.shape[axis] > given[number] {
            return misfit(format!(
                "along axis {axis} the transform gives {} numbers, not {}",
                given[number], output.shape[axis]
            ));
        }
        dims.push(dim(axis, n));
    }
    let mut batch = Vec::with_capacity(rank);
    for axis in (0..rank).filter(|axis| !job.axes.contains(axis)) {
        if output.shape[axis] != input.shape[axis] {
            let (n, other) = (output.shape[axis], input.shape[axis]);
            return misfit(format!("along axis {axis} the input has {other} numbers and the output {n}"));
        }
        if output.shape[axis] != 1 {
            batch.push(dim(axis, output.shape[axis]));
        }
    }
    let mut transform = Transform::new(algebra, 1).direction(job.direction).normalization(job.normalization);
    (transform.kind, transform.orthogonalize) = (job.kind, job.orthogonalize);
    if let Some(parts) = filtered {
        transform = transform.filtered(expressions::expression(parts)?);
    }
    let placement = if in_place { Placement::InPlace } else { Placement::OutOfPlace };
    let is_half = job.kind == Kind::Real && filtered.is_none();
    let is_inverse = job.direction == stockham::Direction::Inverse;
    let is_complex = |is_input: bool| job.kind == Kind::Dft || (is_half && is_inverse == is_input);
    let is_natural = |stored: Stored, is_input: bool| {
        let natural = if algebra == Algebra::ComplexF64 { "complex128" } else { "complex64" };
        Stored::named(natural).map(|natural| Stored { is_complex: is_complex(is_input), ..natural }) == Some(stored)
    };
    let load = access(load.as_deref(), input.stored, is_natural(input.stored, true), there)?;
    let store = access(store.as_deref(), output.stored, is_natural(output.stored, false), kept)?;
    let store = if accumulates { store.accumulate() } else { store };
    Ok(transform.placement(placement).with_dims(dims).with_batch(batch).with_load(load).with_store(store))
}

/// A run on the host's arrays.
#[derive(Clone, Copy)]
struct Run<'a> {
    plan: &'a FusedPlan,
    executable: &'a Executable,
    input: usize,
    output: usize,
}

impl Run<'_> {
    fn between<I: Data, O: Data>(self) -> Result<(), Error> {
        let Self { plan, executable, .. } = self;
        let transform = executable.transform();
        let input_len = transform.input_len().saturating_mul(plan.input.stored.parts());
        let output_len = transform.output_len().saturating_mul(plan.output.stored.parts());
        let held = |memory: &Memory| memory.len().saturating_mul(memory.stored.parts());
        assert!(input_len <= held(&plan.input) && output_len <= held(&plan.output));
        // SAFETY: an array of so many such numbers lies there, kept alive by the caller; if others write to it meanwhile, they
        // could do so while NumPy computes. In place there is no other view of it.
        let target = unsafe { slice_mut::<O>(self.output, output_len) };
        if plan.in_place {
            return plan.workers.run(|| executable.run_host_in_place(target));
        }
        // SAFETY: as above, and it does not overlap with the output.
        let source = unsafe { slice::<I>(self.input, input_len) };
        plan.workers.run(|| executable.run_host(source, target))
    }
}

/// # Safety
/// So many values of that type lie at the address, and nobody writes them.
unsafe fn slice<'a, T: Data>(address: usize, len: usize) -> &'a [T] {
    // SAFETY: as the caller promises.
    unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(address), len) }
}

/// # Safety
/// As [`slice`], and nobody else uses them.
unsafe fn slice_mut<'a, T: Data>(address: usize, len: usize) -> &'a mut [T] {
    // SAFETY: as the caller promises.
    unsafe { std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut(address), len) }
}
