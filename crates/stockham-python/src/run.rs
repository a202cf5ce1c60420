//! Jobs computed: on the CPU where arrays lie, on other devices with one copy each way.

use num_complex::Complex;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use stockham::threads::Workers;
use stockham::{Data, Error, Kind, Normalization, Placement, Transform};

use crate::devices::Chosen;
use crate::error::raised;
use crate::job::{self, Finish, Job};
use crate::plans::planned;
use crate::strided::{self, Float};
use crate::view::{Number, Place, View};
use crate::workers;

/// Computes a job from one array to another, or in place if they are the same. The interpreter's lock is released meanwhile.
///
/// # Errors
/// `ValueError` if the arrays do not fit the job or overlap; what the device reports.
pub fn run(py: Python<'_>, job: &Job, input: &Place, output: &Place, chosen: &Chosen, workers: usize) -> PyResult<()> {
    let in_place = input.is(output);
    if !in_place && input.overlaps(output) {
        return Err(PyValueError::new_err("the input and the output overlap"));
    }
    let placement = if in_place { Placement::InPlace } else { Placement::OutOfPlace };
    let transform = job.transform(input, output, placement)?;
    if job.is_empty(output) {
        return Ok(());
    }
    let workers = workers_of(workers, &transform, input)?;
    let task = Task { job, input, output, chosen, transform, workers };
    let result = py.detach(move || match output.number.is_double() {
        true => task.of::<f64>(),
        false => task.of::<f32>(),
    });
    result.map_err(raised)
}

/// Who computes a transform of such an array's numbers.
pub fn workers_of(workers: usize, transform: &Transform, input: &Place) -> PyResult<Workers> {
    let numbers = transform.points().saturating_mul(transform.batch_count());
    workers::for_floats(workers, numbers.saturating_mul(input.number.bytes()))
}

struct Task<'a> {
    job: &'a Job,
    input: &'a Place,
    output: &'a Place,
    chosen: &'a Chosen,
    transform: Transform,
    workers: Workers,
}

impl Task<'_> {
    fn of<F: Float + Data>(self) -> Result<(), Error>
    where
        Complex<F>: Data,
    {
        match (self.input.number.is_complex(), self.output.number.is_complex()) {
            (true, true) => self.between::<Complex<F>, Complex<F>, F>(),
            (false, true) => self.between::<F, Complex<F>, F>(),
            (true, false) => self.between::<Complex<F>, F, F>(),
            (false, false) => self.between::<F, F, F>(),
        }
    }

    fn between<I: Data, O: Data, F: Float + Data>(self) -> Result<(), Error>
    where
        Complex<F>: Data,
    {
        let (job, chosen) = (self.job, self.chosen);
        let executable = planned(&chosen.device, &chosen.name, self.transform, &self.workers)?;
        let (input_len, output_len) = (executable.transform().input_len(), executable.transform().output_len());
        // What is written, with the numbers beyond the half of a spectrum.
        let whole = self.output.extent();
        // SAFETY: an array of such numbers lies there, kept alive by the caller, and does not overlap with the input; if others
        // write to it meanwhile, they could do so while NumPy computes.
        let target = unsafe { values_mut::<O>(self.output, whole) };
        let is_shared = self.workers.count() > 1;
        let workers = &self.workers;
        let in_place = executable.transform().placement == Placement::InPlace;
        // SAFETY: as above; in place there is no other view of it.
        let source = unsafe { values::<I>(self.input, if in_place { 0 } else { input_len }) };
        workers.run(|| {
            match in_place {
                true => executable.run_host_in_place(&mut target[..output_len])?,
                // What lies between the output's numbers is not changed.
                false => executable.run_host(source, &mut target[..output_len])?,
            }
            if job.finish != Finish::Nothing && self.output.number.is_complex() {
                strided::finish::<F>(job, self.output, bytemuck::cast_slice_mut(target), is_shared);
            }
            Ok(())
        })
    }
}

/// # Safety
/// So many numbers of that type, and of no other size, lie there, and nobody writes them.
unsafe fn values<'a, T: Data>(place: &Place, len: usize) -> &'a [T] {
    assert_eq!(size_of::<T>(), place.number.bytes());
    // SAFETY: as the caller promises; NumPy's empty arrays have an address, and what is not asked for is none.
    if len == 0 {
        &[]
    } else {
        unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(place.address), len) }
    }
}

/// # Safety
/// As [`values`], and nobody else uses them.
unsafe fn values_mut<'a, T: Data>(place: &Place, len: usize) -> &'a mut [T] {
    assert_eq!(size_of::<T>(), place.number.bytes());
    if len == 0 {
        return &mut [];
    }
    // SAFETY: as the caller promises.
    unsafe { std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut(place.address), len) }
}

/// Computes a job that Python has described in full, from one NumPy array to another.
#[pyfunction]
#[pyo3(signature = (kind, inverse, x, out, axes, lengths, norm, orthogonalize, finish, workers, device))]
#[allow(clippy::too_many_arguments)]
pub fn run_job(
    py: Python<'_>,
    kind: (&str, i64),
    inverse: bool,
    x: &Bound<'_, PyAny>,
    out: &Bound<'_, PyAny>,
    axes: Vec<usize>,
    lengths: Vec<usize>,
    norm: &str,
    orthogonalize: bool,
    finish: &str,
    workers: Option<i64>,
    device: Option<&str>,
) -> PyResult<()> {
    let job = described(kind, inverse, axes, lengths, norm, orthogonalize, finish)?;
    let (input, output) = (View::required(x, "input")?, View::required(out, "output")?);
    if !output.is_writeable {
        return Err(PyValueError::new_err("the output array is read-only"));
    }
    let chosen = Chosen::named(py, device)?;
    let workers = chosen.workers(py, workers)?;
    run(py, &job, &input.place, &output.place, &chosen, workers)
}

/// A job by words.
pub fn described(
    kind: (&str, i64),
    inverse: bool,
    axes: Vec<usize>,
    lengths: Vec<usize>,
    norm: &str,
    orthogonalize: bool,
    finish: &str,
) -> PyResult<Job> {
    let invalid = |what: &str, found: &str| PyValueError::new_err(format!("invalid {what}: {found}"));
    let of_type = |number| job::trig_type(number).ok_or_else(|| invalid("type", &format!("{number}")));
    let kind = match kind {
        ("dft", _) => Kind::Dft,
        ("real", _) => Kind::Real,
        ("cosine", number) => Kind::Cosine(of_type(number)?),
        ("sine", number) => Kind::Sine(of_type(number)?),
        (other, _) => return Err(invalid("kind", other)),
    };
    let normalization = normalization_of(norm)?;
    let finish = match finish {
        "" => Finish::Nothing,
        "mirror" => Finish::Mirror,
        "mirror-conjugate" => Finish::MirrorConjugate,
        "conjugate" => Finish::Conjugate,
        other => return Err(invalid("finish", other)),
    };
    let direction = job::direction(inverse);
    if axes.len() != lengths.len() || axes.is_empty() {
        return Err(invalid("axes", "as many axes as lengths are needed, and one at least"));
    }
    if finish != Finish::Nothing && (inverse || kind != Kind::Real) {
        return Err(invalid("finish", "only spectra of real numbers have one"));
    }
    Ok(Job { kind, direction, normalization, orthogonalize, axes, lengths, finish })
}

/// A norm by its name.
pub fn normalization_of(name: &str) -> PyResult<Normalization> {
    match name {
        "none" => Ok(Normalization::None),
        name => job::normalization(Some(name)).ok_or_else(|| PyValueError::new_err(format!("invalid norm: {name}"))),
    }
}

/// The numbers of a dtype's name.
pub fn number(name: &str) -> PyResult<Number> {
    Number::named(name)
        .ok_or_else(|| PyValueError::new_err(format!("dtype {name}: use float32, float64, complex64 or complex128")))
}
