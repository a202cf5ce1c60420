//! Finding devices. A backend is named here once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{Error, Result};

use super::driver::Driver;
use super::{Device, DeviceInfo, cpu};

/// What was found on this machine, and what was not.
#[derive(Debug, Clone)]
pub struct Discovery {
    /// The devices, fastest kind first; the CPU is always the last.
    pub found: Vec<DeviceInfo>,
    /// The backends that gave no device, or not all of what they could, with the reason and the remedy.
    pub missing: Vec<Missing>,
}

/// A backend, or a part of one, that is not there.
#[derive(Debug, Clone)]
pub struct Missing {
    /// The backend or the library.
    pub what: String,
    /// Why, and how to get it.
    pub reason: String,
}

/// Devices that were opened stay open: the same name gives the same device, whose buffers fit each other.
static OPEN: Mutex<BTreeMap<String, Device>> = Mutex::new(BTreeMap::new());

pub(super) fn cpu() -> Device {
    open("cpu", || Ok(Arc::new(cpu::Cpu::new()))).expect("the CPU needs no driver")
}

fn open(name: &str, start: impl FnOnce() -> Result<Arc<dyn Driver>>) -> Result<Device> {
    let mut devices = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(device) = devices.get(name) {
        return Ok(device.clone());
    }
    let device = Device::from_driver(start()?)?;
    devices.insert(name.to_owned(), device.clone());
    Ok(device)
}

pub(super) fn list() -> Discovery {
    Discovery { found: vec![cpu().info().clone()], missing: Vec::new() }
}

pub(super) fn best() -> Result<Device> {
    Ok(cpu())
}

pub(super) fn by_name(name: &str) -> Result<Device> {
    match name {
        "cpu" => Ok(cpu()),
        _ => Err(Error::DeviceNotFound { name: name.to_owned(), found: "cpu".to_owned() }),
    }
}
