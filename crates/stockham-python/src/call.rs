//! The functions of `stockham.fft` for what is called most: plain arrays and plain arguments. All else goes to Python, which
//! is slower and says what is wrong.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyTuple};
use stockham::{Kind, Normalization, TrigType};

use crate::devices::Chosen;
use crate::job::{self, Finish, Job};
use crate::numpy::Numpy;
use crate::run::run;
use crate::view::View;
use crate::workers;

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
}

impl Function {
    /// Numbers are 4·family + 2·many + inverse. Those of Hermitian input are put together in Python.
    fn of(code: u32) -> Option<Self> {
        let family = match code / 4 {
            0 => Family::Complex,
            1 => Family::ToSpectrum,
            2 => Family::FromSpectrum,
            3 => Family::Cosine,
            4 => Family::Sine,
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
    if plan.is_none() && out.is_none() && device.is_none() {
        let given = Given { x, n, axis, norm, overwrite_x, workers };
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
    if out.is_none() && device.is_none() {
        let given = Given { x, n, axis, norm, overwrite_x, workers };
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
        if !numpy.is_array(self.x) {
            return Ok(None);
        }
        let (Some(normalization), Ok(asked)) = (self.normalization(), self.workers()) else { return Ok(None) };
        let Some(view) = View::of(self.x)? else { return Ok(None) };
        let input = &view.place;
        let Some(axes) = self.axes(function.many, input.shape.len()) else { return Ok(None) };
        let Some(lengths) = self.lengths(function, &axes, &input.shape) else { return Ok(None) };
        let is_complex = input.number.is_complex();
        let (kind, inverse, finish) = match (function.family, is_complex, trig) {
            (Family::Complex, true, _) => (Kind::Dft, function.inverse, Finish::Nothing),
            (Family::Complex, false, _) if function.inverse => (Kind::Real, false, Finish::MirrorConjugate),
            (Family::Complex, false, _) => (Kind::Real, false, Finish::Mirror),
            (Family::ToSpectrum, false, _) => (Kind::Real, false, Finish::Nothing),
            (Family::FromSpectrum, true, _) => (Kind::Real, true, Finish::Nothing),
            (Family::Cosine, false, Some((of, _))) => (Kind::Cosine(of), function.inverse, Finish::Nothing),
            (Family::Sine, false, Some((of, _))) => (Kind::Sine(of), function.inverse, Finish::Nothing),
            _ => return Ok(None),
        };
        // The inverse of real numbers is the conjugate of the forward transform, with the factor of the inverse.
        let normalization = if finish == Finish::MirrorConjugate { swapped(normalization) } else { normalization };
        let orthogonalize =
            trig.is_some_and(|(_, orthogonal)| orthogonal.unwrap_or(normalization == Normalization::Ortho));
        if kind == Kind::Cosine(TrigType::I) && lengths.iter().any(|n| *n < 2) {
            return Ok(None);
        }
        let job = Job { kind, direction: job::direction(inverse), normalization, orthogonalize, axes, lengths, finish };
        let chosen = Chosen::named(py, None)?;
        let workers = workers::of(py, asked)?;
        let shape = job.output_shape(&input.shape);
        let may_overwrite = view.is_writeable && shape == input.shape && job.numbers(input.number).1 == input.number;
        if may_overwrite && self.overwrite_x.is_truthy()? && is_simple(&input.strides, &shape) {
            run(py, &job, input, input, &chosen, workers)?;
            return Ok(Some(self.x.clone()));
        }
        let result = numpy.empty(py, &shape, job.numbers(input.number).1)?;
        let output = View::required(&result, "output")?;
        run(py, &job, input, &output.place, &chosen, workers)?;
        Ok(Some(result))
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
        let list = self.axis.cast::<PyTuple>().ok().filter(|list| !list.is_empty())?;
        let mut axes = Vec::with_capacity(list.len());
        for axis in list.iter() {
            let axis = index(axis.extract::<isize>().ok()?, rank)?;
            if axes.contains(&axis) {
                return None;
            }
            axes.push(axis);
        }
        Some(axes)
    }

    /// Points along each axis, which the array has at least.
    fn lengths(&self, function: Function, axes: &[usize], shape: &[usize]) -> Option<Vec<usize>> {
        let spectrum = function.family == Family::FromSpectrum;
        let mut lengths: Vec<usize> = axes.iter().map(|axis| shape[*axis]).collect();
        if !self.n.is_none() {
            let n = if function.many { return None } else { self.n.extract::<usize>().ok()? };
            let taken = if spectrum { n / 2 + 1 } else { n };
            lengths = (taken <= lengths[0]).then(|| vec![n])?;
        } else if spectrum {
            let last = lengths.last_mut()?;
            *last = last.checked_sub(1)?.checked_mul(2)?;
        }
        lengths.iter().all(|n| *n > 0).then_some(lengths)
    }
}

/// Whether no two numbers share a place, as far as it is seen at once: in the order of their strides, each dimension is within
/// the next.
fn is_simple(strides: &[usize], shape: &[usize]) -> bool {
    let mut dims: Vec<(usize, usize)> =
        strides.iter().copied().zip(shape.iter().copied()).filter(|dim| dim.1 > 1).collect();
    dims.sort_unstable();
    dims.first().is_none_or(|first| first.0 > 0)
        && dims.windows(2).all(|pair| pair[0].0.saturating_mul(pair[0].1) <= pair[1].0)
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
