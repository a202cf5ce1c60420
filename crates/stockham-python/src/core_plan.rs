//! A plan as an object of Python's, for arrays of one shape and one arrangement in memory: on the CPU and by copies they are
//! NumPy's, on CUDA devices pointers of whatever library.

use num_complex::Complex;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use stockham::kernel::{self, Dialect};
use stockham::{Backend, Data, Executable, Placement, interop};

use crate::devices::Chosen;
use crate::error::raised;
use crate::job::Job;
use crate::numpy::Numpy;
use crate::plans::planned;
use crate::run::{described, number, run, workers_of};
use crate::view::{Found, Place, View};

/// A transform made ready.
#[pyclass(frozen, module = "stockham._stockham")]
pub struct CorePlan {
    job: Job,
    input: Place,
    output: Place,
    chosen: Chosen,
    /// Nothing for arrays without numbers.
    executable: Option<Executable>,
    in_place: bool,
    workers: usize,
}

#[pymethods]
impl CorePlan {
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
        in_place: bool,
        workers: Option<i64>,
        device: Option<&str>,
    ) -> PyResult<Self> {
        let job = described(kind, inverse, axes, lengths, norm, orthogonalize, "")?;
        let (input, output) = (place(input)?, place(output)?);
        let placement = if in_place { Placement::InPlace } else { Placement::OutOfPlace };
        let transform = job.transform(&input, &output, placement)?;
        let chosen = Chosen::named(py, device)?;
        let workers = chosen.workers(py, workers)?;
        let threads = workers_of(workers, &transform, &input)?;
        let executable = match job.is_empty(&output) {
            true => None,
            false => Some(py.detach(|| planned(&chosen.device, &chosen.name, transform, &threads)).map_err(raised)?),
        };
        Ok(Self { job, input, output, chosen, executable, in_place, workers })
    }

    /// Bytes of workspace that a run takes.
    #[getter]
    fn workspace_bytes(&self) -> usize {
        workspace_bytes(self.executable.as_ref())
    }

    /// The name of its device.
    #[getter]
    fn device(&self) -> String {
        self.chosen.device.info().id.clone()
    }

    /// How it is computed, in words.
    fn explain(&self) -> String {
        explained(self.executable.as_ref())
    }

    /// How it is computed, as JSON.
    fn to_json(&self) -> PyResult<String> {
        json(self.executable.as_ref())
    }

    /// The text of its kernels; none on the CPU.
    fn source(&self) -> String {
        source(self.executable.as_ref())
    }

    /// Runs it from one of NumPy's arrays to another.
    fn run(&self, py: Python<'_>, x: &Bound<'_, PyAny>, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let (input, output) = (View::required(x, "input")?, View::required(out, "output")?);
        if !output.is_writeable {
            return Err(PyValueError::new_err("the output array is read-only"));
        }
        run(py, &self.job, &input.place, &output.place, &self.chosen, self.workers)
    }

    /// Runs it for one of NumPy's arrays, into another if one is given; nothing for what Python has to look at.
    fn call<'py>(
        &self,
        py: Python<'py>,
        x: &Bound<'py, PyAny>,
        out: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let numpy = Numpy::get(py)?;
        let plain = |array: &Bound<'py, PyAny>, like: &Place| match numpy.is_array(array) {
            true => match View::look(array)? {
                Found::Plain(view) if view.place.number == like.number && view.place.shape == like.shape => {
                    Ok(Some(view))
                }
                _ => Ok::<_, PyErr>(None),
            },
            false => Ok(None),
        };
        let Some(input) = plain(x, &self.input)? else { return Ok(None) };
        let result = match (self.in_place, out.is_none()) {
            (true, true) => x.clone(),
            (false, true) => numpy.empty(py, &self.output.shape, self.output.number)?,
            _ => out.clone(),
        };
        let Some(output) = plain(&result, &self.output)? else { return Ok(None) };
        let is_apart = input.place.is(&output.place) || !input.place.overlaps(&output.place);
        if !(output.is_writeable && output.place.is_simple() && is_apart) {
            return Ok(None);
        }
        run(py, &self.job, &input.place, &output.place, &self.chosen, self.workers)?;
        Ok(Some(result))
    }

    /// Submits it to a CUDA stream, from one device pointer to another with a workspace at a third.
    fn enqueue(&self, py: Python<'_>, input: u64, output: u64, workspace: u64, stream: usize) -> PyResult<()> {
        let Some(executable) = &self.executable else { return Ok(()) };
        let launch = Launch { executable, input, output, workspace, stream, parts: [1; 2] };
        py.detach(|| {
            match (self.output.number.is_double(), self.input.number.is_complex(), self.output.number.is_complex()) {
                (false, true, true) => launch.between::<Complex<f32>, Complex<f32>>(),
                (false, true, false) => launch.between::<Complex<f32>, f32>(),
                (false, false, true) => launch.between::<f32, Complex<f32>>(),
                (false, false, false) => launch.between::<f32, f32>(),
                (true, true, true) => launch.between::<Complex<f64>, Complex<f64>>(),
                (true, true, false) => launch.between::<Complex<f64>, f64>(),
                (true, false, true) => launch.between::<f64, Complex<f64>>(),
                (true, false, false) => launch.between::<f64, f64>(),
            }
        })
        .map_err(raised)
    }
}

/// Numbers, counts and distances, at no address.
fn place((dtype, shape, strides): (&str, Vec<usize>, Vec<usize>)) -> PyResult<Place> {
    if shape.len() != strides.len() {
        return Err(PyValueError::new_err("there must be as many strides as dimensions"));
    }
    let strides = shape.iter().zip(strides).map(|(n, stride)| if *n <= 1 { 0 } else { stride }).collect();
    Ok(Place { number: number(dtype)?, address: 0, shape, strides })
}

/// Bytes of workspace that a run takes.
pub fn workspace_bytes(executable: Option<&Executable>) -> usize {
    executable.map_or(0, |executable| {
        executable.workspace_len().saturating_mul(executable.transform().algebra.element_bytes())
    })
}

/// How it is computed, in words.
pub fn explained(executable: Option<&Executable>) -> String {
    executable.map_or_else(|| "nothing to compute\n".into(), |executable| executable.recipe().to_string())
}

/// How it is computed, as JSON.
pub fn json(executable: Option<&Executable>) -> PyResult<String> {
    let Some(executable) = executable else { return Ok("null".into()) };
    serde_json::to_string(executable.recipe()).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The text of its kernels; none on the CPU.
pub fn source(executable: Option<&Executable>) -> String {
    let Some(executable) = executable else { return String::new() };
    let info = executable.device().info();
    let dialect = match info.backend {
        Backend::Cuda => Dialect::Cuda,
        Backend::Opencl if info.compute_capability.is_some() => Dialect::OpenClNvidia,
        Backend::Opencl => Dialect::OpenCl,
        _ => return String::new(),
    };
    let texts = kernel::texts(executable.recipe(), dialect);
    texts.iter().map(|text| format!("// {}\n{}\n", text.name, text.source.trim_end())).collect()
}

/// A run on a CUDA device.
#[derive(Clone, Copy)]
pub struct Launch<'a> {
    pub executable: &'a Executable,
    pub input: u64,
    pub output: u64,
    pub workspace: u64,
    pub stream: usize,
    /// Values of a number of the input and of the output.
    pub parts: [usize; 2],
}

impl Launch<'_> {
    pub fn between<I: Data, O: Data>(self) -> stockham::Result<()> {
        let Self { executable, input, output, workspace, stream, parts } = self;
        let (device, transform) = (executable.device(), executable.transform());
        let element = transform.algebra.element_bytes();
        let workspace_len = executable.workspace_len().saturating_mul(element) / size_of::<I>();
        // SAFETY: the producer's current stream outlives this call.
        let stream = unsafe { interop::cuda::stream(device, std::ptr::with_exposed_provenance_mut(stream)) }?;
        // SAFETY: Python holds the arrays until the call returns, and their allocator gives their memory to later work of the
        // same stream only. Work of that stream is ordered with this.
        let memory = |pointer, len| unsafe { interop::cuda::buffer::<I>(device, pointer, len) };
        if transform.placement == Placement::InPlace {
            let mut data = memory(output, transform.output_len() * parts[1])?;
            if workspace_len == 0 {
                // Some memory is needed for no elements; any will do.
                return executable.run_in_place_on(&stream, &mut data, &mut memory(output, 0)?);
            }
            return executable.run_in_place_on(&stream, &mut data, &mut memory(workspace, workspace_len)?);
        }
        let source = memory(input, transform.input_len() * parts[0])?;
        // SAFETY: as above.
        let mut target = unsafe { interop::cuda::buffer::<O>(device, output, transform.output_len() * parts[1]) }?;
        if workspace_len == 0 {
            let mut none = memory(input, 0)?;
            return executable.run_on(&stream, &source, &mut target, &mut none);
        }
        executable.run_on(&stream, &source, &mut target, &mut memory(workspace, workspace_len)?)
    }
}
