//! The functions of `stockham.fft` for NumPy's arrays and for lists, and for arguments that are as they should be. All else goes
//! to Python, which is slower and says what is wrong.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString, PyTuple};
use stockham::{Kind, Normalization, TrigType};

use crate::devices::Chosen;
use crate::job::{self, Finish, Job};
use crate::numpy::Numpy;
use crate::run::run;
use crate::view::{Found, View};

/// What a function computes, by the number that it is called with.
#[derive(Clone, Copy)]
struct Function {
    family: Family,
    inverse: bool,
    /// Whether it takes several axes.
    many: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Complex,
    ToSpectrum,
    FromSpectrum,
    Cosine,
    Sine,
    FromHermitian,
    ToHermitian,
}

impl Function {
    /// Numbers are 4·family + 2·many + inverse.
    fn of(code: u32) -> Option<Self> {
        let family = match code / 4 {
            0 => Family::Complex,
            1 => Family::ToSpectrum,
            2 => Family::FromSpectrum,
            3 => Family::Cosine,
            4 => Family::Sine,
            5 => Family::FromHermitian,
            6 => Family::ToHermitian,
            _ => return None,
        };
        Some(Self { family, inverse: code & 1 != 0, many: code & 2 != 0 })
    }
}

/// A DFT of an array, as `stockham.fft` has it.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn call<'py>(
    py: Python<'py>,
    code: u32,
    x: &Bound<'py, PyAny>,
    n: &Bound<'py, PyAny>,
    axis: &Bound<'py, PyAny>,
    norm: &Bound<'py, PyAny>,
    overwrite_x: &Bound<'py, PyAny>,
    workers: &Bound<'py, PyAny>,
    plan: &Bound<'py, PyAny>,
    out: &Bound<'py, PyAny>,
    device: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    if plan.is_none() && device.is_none() {
        let given = Given { x, n, axis, norm, overwrite_x, workers, out };
        if let Some(result) = Function::of(code).map_or(Ok(None), |function| given.compute(py, function, None))? {
            return Ok(result);
        }
    }
    static GENERAL: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    general(py, &GENERAL, "call")?.call1((code, x, n, axis, norm, overwrite_x, workers, plan, out, device))
}

/// A cosine or sine transform of an array, as `stockham.fft` has it.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn call_trig<'py>(
    py: Python<'py>,
    code: u32,
    x: &Bound<'py, PyAny>,
    of_type: &Bound<'py, PyAny>,
    n: &Bound<'py, PyAny>,
    axis: &Bound<'py, PyAny>,
    norm: &Bound<'py, PyAny>,
    overwrite_x: &Bound<'py, PyAny>,
    workers: &Bound<'py, PyAny>,
    orthogonalize: &Bound<'py, PyAny>,
    out: &Bound<'py, PyAny>,
    device: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    if device.is_none() {
        let given = Given { x, n, axis, norm, overwrite_x, workers, out };
        let number = of_type.extract::<i64>().ok().and_then(job::trig_type);
        let orthogonal =
            if orthogonalize.is_none() { Some(None) } else { orthogonalize.extract::<bool>().ok().map(Some) };
        if let (Some(function), Some(of), Some(orthogonal)) = (Function::of(code), number, orthogonal)
            && let Some(result) = given.compute(py, function, Some((of, orthogonal)))?
        {
            return Ok(result);
        }
    }
    static GENERAL: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let general = general(py, &GENERAL, "call_trig")?;
    general.call1((code, x, of_type, n, axis, norm, overwrite_x, workers, orthogonalize, out, device))
}

fn general<'py>(py: Python<'py>, kept: &'static PyOnceLock<Py<PyAny>>, name: &str) -> PyResult<&'py Bound<'py, PyAny>> {
    Ok(kept.get_or_try_init(py, || Ok::<_, PyErr>(py.import("stockham._general")?.getattr(name)?.unbind()))?.bind(py))
}

/// What a function was given.
struct Given<'a, 'py> {
    x: &'a Bound<'py, PyAny>,
    n: &'a Bound<'py, PyAny>,
    axis: &'a Bound<'py, PyAny>,
    norm: &'a Bound<'py, PyAny>,
    overwrite_x: &'a Bound<'py, PyAny>,
    workers: &'a Bound<'py, PyAny>,
    out: &'a Bound<'py, PyAny>,
}

/// The points along each axis, and how many numbers of the input are taken there.
struct Points {
    lengths: Vec<usize>,
    taken: Vec<usize>,
}

impl<'py> Given<'_, 'py> {
    /// The result; nothing for what Python has to look at.
    fn compute(
        &self,
        py: Python<'py>,
        function: Function,
        trig: Option<(TrigType, Option<bool>)>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let numpy = Numpy::get(py)?;
        let (Some(norm), Ok(workers)) = (self.normalization(), self.workers()) else { return Ok(None) };
        let Some((mut array, mut view)) = self.array(numpy)? else { return Ok(None) };
        let Some(axes) = self.axes(function.many, view.place.shape.len()) else { return Ok(None) };
        let Some(Points { lengths, taken }) = self.points(function, &axes, &view.place.shape) else { return Ok(None) };
        let from_half = matches!(function.family, Family::FromSpectrum | Family::FromHermitian);
        let is_complex = view.place.number.is_complex();
        let (kind, inverse, finish) = match (function.family, trig) {
            (Family::Complex, _) if is_complex => (Kind::Dft, function.inverse, Finish::Nothing),
            (Family::Complex, _) if function.inverse => (Kind::Real, false, Finish::MirrorConjugate),
            (Family::Complex, _) => (Kind::Real, false, Finish::Mirror),
            (Family::ToSpectrum, _) if !is_complex => (Kind::Real, false, Finish::Nothing),
            (Family::ToHermitian, _) if !is_complex => (Kind::Real, false, Finish::Conjugate),
            (Family::FromSpectrum | Family::FromHermitian, _) => (Kind::Real, true, Finish::Nothing),
            (Family::Cosine, Some((of, _))) => (Kind::Cosine(of), function.inverse, Finish::Nothing),
            (Family::Sine, Some((of, _))) => (Kind::Sine(of), function.inverse, Finish::Nothing),
            _ => return Ok(None),
        };
        let orthogonalize = trig.is_some_and(|(_, orthogonal)| orthogonal.unwrap_or(norm == Normalization::Ortho));
        if kind == Kind::Cosine(TrigType::I) && lengths.iter().any(|n| *n < 2) {
            return Ok(None);
        }
        // The inverse of real numbers is the conjugate of their transform; what is Hermitian in time instead of in frequency goes
        // the other way. Factors stay where they are.
        let turns =
            matches!(finish, Finish::MirrorConjugate | Finish::Conjugate) || function.family == Family::FromHermitian;
        let normalization = if turns { swapped(norm) } else { norm };
        if from_half && !is_complex {
            array = numpy.copy(&array, view.place.number.complex())?;
            view = View::required(&array, "input")?;
        } else if function.family == Family::FromHermitian {
            array = numpy.conjugate(&array)?;
            view = View::required(&array, "input")?;
        }
        let mut shape = view.place.shape.clone();
        axes.iter().zip(&taken).for_each(|(axis, n)| shape[*axis] = *n);
        if shape.iter().zip(&view.place.shape).any(|(to, from)| to > from) {
            array = numpy.fitted(&array, &view.place.shape, &shape, view.place.number)?;
            view = View::required(&array, "input")?;
        }
        let job = Job { kind, direction: job::direction(inverse), normalization, orthogonalize, axes, lengths, finish };
        let chosen = Chosen::named(py, None)?;
        let workers = chosen.workers(py, workers)?;
        let Some((result, output)) = self.output(numpy, &job, trig.is_some(), &array, &view)? else { return Ok(None) };
        if trig.is_some() && is_complex {
            // The real and the imaginary parts, each for itself.
            for part in [intern!(py, "real"), intern!(py, "imag")] {
                let from = View::required(&array.getattr(part)?, "input")?;
                let to = View::required(&result.getattr(part)?, "output")?;
                run(py, &job, &from.place, &to.place, &chosen, workers)?;
            }
        } else {
            run(py, &job, &view.place, &output.place, &chosen, workers)?;
        }
        Ok(Some(result))
    }

    /// The array of what was given, if it is NumPy's or a list.
    fn array(&self, numpy: &Numpy) -> PyResult<Option<(Bound<'py, PyAny>, View<'py>)>> {
        let array = match numpy.is_array(self.x) {
            true => self.x.clone(),
            false if self.x.is_exact_instance_of::<PyList>() || self.x.is_exact_instance_of::<PyTuple>() => {
                numpy.asarray(self.x)?
            }
            false => return Ok(None),
        };
        match View::look(&array)? {
            Found::Plain(view) => Ok(Some((array, view))),
            Found::Other(number) => {
                let copy = numpy.copy(&array, number)?;
                let view = View::required(&copy, "input")?;
                Ok(Some((copy, view)))
            }
            Found::Strange => Ok(None),
        }
    }

    /// Where the result goes: to the output that was given, if it fits, to the place of an input that may be overwritten, or
    /// to a new array.
    fn output(
        &self,
        numpy: &Numpy,
        job: &Job,
        is_trig: bool,
        array: &Bound<'py, PyAny>,
        view: &View<'py>,
    ) -> PyResult<Option<(Bound<'py, PyAny>, View<'py>)>> {
        let input = &view.place;
        let shape = job.output_shape(&input.shape);
        let number = if is_trig { input.number } else { job.numbers(input.number).1 };
        if !self.out.is_none() {
            if !numpy.is_array(self.out) {
                return Ok(None);
            }
            let Found::Plain(output) = View::look(self.out)? else { return Ok(None) };
            let place = &output.place;
            let fits = place.shape == shape && place.number == number && output.is_writeable && place.is_simple();
            let is_apart = !place.overlaps(input) || place.is(input);
            return Ok((fits && is_apart).then(|| (self.out.clone(), output)));
        }
        let may_overwrite = view.is_writeable && shape == input.shape && number == input.number;
        // What was copied for this call is nobody else's.
        if may_overwrite && (!array.is(self.x) || self.overwrite_x.is_truthy()?) && input.is_simple() {
            return Ok(Some((array.clone(), View::required(array, "output")?)));
        }
        let result = numpy.empty(array.py(), &shape, number)?;
        let output = View::required(&result, "output")?;
        Ok(Some((result, output)))
    }

    fn normalization(&self) -> Option<Normalization> {
        if self.norm.is_none() {
            return Some(Normalization::Backward);
        }
        // What is no text is told in Python.
        self.norm.cast::<PyString>().ok()?.to_str().ok().and_then(|name| job::normalization(Some(name)))
    }

    fn workers(&self) -> PyResult<Option<i64>> {
        if self.workers.is_none() { Ok(None) } else { self.workers.extract().map(Some) }
    }

    fn axes(&self, many: bool, rank: usize) -> Option<Vec<usize>> {
        if rank == 0 {
            return None;
        }
        if !many {
            return Some(vec![index(self.axis.extract::<isize>().ok()?, rank)?]);
        }
        if self.axis.is_none() {
            return Some((0..rank).collect());
        }
        let list = integers(self.axis).filter(|list| !list.is_empty())?;
        let mut axes = Vec::with_capacity(list.len());
        for axis in list {
            let axis = index(axis, rank)?;
            if axes.contains(&axis) {
                return None;
            }
            axes.push(axis);
        }
        Some(axes)
    }

    /// Points along each axis.
    fn points(&self, function: Function, axes: &[usize], shape: &[usize]) -> Option<Points> {
        let from_half = matches!(function.family, Family::FromSpectrum | Family::FromHermitian);
        let mut lengths: Vec<usize> = axes.iter().map(|axis| shape[*axis]).collect();
        if !self.n.is_none() {
            let given = if function.many { integers(self.n)? } else { vec![self.n.extract().ok()?] };
            // Without axes they are the last ones, which is left to Python where they are not all.
            if given.len() != lengths.len() {
                return None;
            }
            for (length, n) in lengths.iter_mut().zip(given) {
                match n {
                    -1 if function.many => {}
                    n => *length = usize::try_from(n).ok()?,
                }
            }
        } else if from_half {
            let last = lengths.last_mut()?;
            *last = last.checked_sub(1)?.checked_mul(2)?;
        }
        let mut taken = lengths.clone();
        if let Some(last) = taken.last_mut().filter(|_| from_half) {
            *last = *last / 2 + 1;
        }
        lengths.iter().all(|n| *n > 0).then_some(Points { lengths, taken })
    }
}

/// Integers of a tuple or a list.
fn integers(object: &Bound<'_, PyAny>) -> Option<Vec<isize>> {
    match object.cast::<PyTuple>() {
        Ok(tuple) => tuple.iter().map(|each| each.extract().ok()).collect(),
        Err(_) => object.cast::<PyList>().ok()?.iter().map(|each| each.extract().ok()).collect(),
    }
}

fn swapped(normalization: Normalization) -> Normalization {
    match normalization {
        Normalization::Backward => Normalization::Forward,
        Normalization::Forward => Normalization::Backward,
        other => other,
    }
}

fn index(axis: isize, rank: usize) -> Option<usize> {
    let axis = if axis < 0 { axis.checked_add_unsigned(rank)? } else { axis };
    usize::try_from(axis).ok().filter(|axis| *axis < rank)
}
