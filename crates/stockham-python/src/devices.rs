//! Devices by their names.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use stockham::{Backend, Device};

use crate::error::raised;
use crate::state::{self, lock};
use crate::workers;

/// A device and the name that plans are kept under.
#[derive(Clone)]
pub struct Chosen {
    pub device: Device,
    pub name: Arc<str>,
}

impl Chosen {
    /// The device of that name, or the one that is set for the host's arrays, or else the CPU.
    pub fn named(py: Python<'_>, name: Option<&str>) -> PyResult<Self> {
        let state = state::get();
        let set = if name.is_none() { lock(&state.device).clone() } else { None };
        let name = name.or(set.as_deref()).unwrap_or("cpu");
        if let Some(cpu) = state.cpu.get().filter(|_| name == "cpu") {
            return Ok(cpu.clone());
        }
        let known = lock(&state.devices).iter().find(|known| &*known.name == name).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        // Drivers take their time to start.
        let device = py.detach(|| Device::by_name(name)).map_err(raised)?;
        let chosen = Self { device, name: name.into() };
        if name == "cpu" {
            return Ok(state.cpu.get_or_init(|| chosen).clone());
        }
        lock(&state.devices).push(chosen.clone());
        Ok(chosen)
    }

    /// How many threads work on a call where so many are asked for: all of them copy to other devices than the CPU, and from there.
    pub fn workers(&self, py: Python<'_>, asked: Option<i64>) -> PyResult<usize> {
        let workers = workers::of(py, asked)?;
        Ok(if self.device.info().backend == Backend::Cpu { workers } else { usize::MAX })
    }
}

/// Sets the device for the host's arrays; none is the CPU. Returns the name of the one before.
#[pyfunction]
pub fn set_device(py: Python<'_>, name: Option<&str>) -> PyResult<Option<String>> {
    if let Some(name) = name {
        Chosen::named(py, Some(name))?;
    }
    Ok(std::mem::replace(&mut *lock(&state::get().device), name.map(str::to_owned)))
}

/// The name of the device for the host's arrays.
#[pyfunction]
pub fn get_device() -> String {
    lock(&state::get().device).clone().unwrap_or_else(|| "cpu".into())
}

/// Those found and those missing.
type Listed<'py> = (Bound<'py, PyList>, Vec<(String, String)>);

/// The devices found, as dictionaries, and what was not found and why, as pairs.
#[pyfunction]
pub fn list_devices(py: Python<'_>) -> PyResult<Listed<'_>> {
    let found = py.detach(Device::list);
    let list = PyList::empty(py);
    for info in found.found {
        let dict = PyDict::new(py);
        dict.set_item("id", info.id)?;
        dict.set_item("backend", format!("{:?}", info.backend).to_lowercase())?;
        dict.set_item("name", info.name)?;
        dict.set_item("driver", info.driver)?;
        dict.set_item("memory_bytes", info.memory_bytes)?;
        dict.set_item("compute_units", info.compute_units)?;
        dict.set_item("has_f64", info.has_f64)?;
        list.append(dict)?;
    }
    let missing = found.missing.into_iter().map(|missing| (missing.what, missing.reason)).collect();
    Ok((list, missing))
}
