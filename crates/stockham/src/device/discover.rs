//! Finding devices. A backend is named here once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::{Error, Result};

use super::driver::Driver;
use super::listing::{Listing, Missing};
use super::{Device, DeviceInfo, cpu, cuda, opencl};

/// What was found on this machine, and what was not.
#[derive(Debug, Clone)]
pub struct Discovery {
    /// The devices, fastest kind first; the CPU is always the last.
    pub found: Vec<DeviceInfo>,
    /// The backends that gave no device, or not all of what they could, with the reason and the remedy.
    pub missing: Vec<Missing>,
}

struct BackendEntry {
    /// What its devices' names begin with.
    name: &'static str,
    /// Finds its devices without opening them.
    list: fn() -> Listing,
    /// Opens the device at that place of the list.
    open: fn(usize) -> Result<Arc<dyn Driver>>,
}

/// The backends, fastest first.
const BACKENDS: [BackendEntry; 3] = [
    BackendEntry { name: "cuda", list: cuda::list, open: cuda::open },
    BackendEntry { name: "opencl", list: opencl::list, open: opencl::open },
    BackendEntry { name: "cpu", list: cpu::list, open: cpu::open },
];

/// Devices that were opened stay open: the same name gives the same device, whose buffers fit each other.
static OPEN: Mutex<BTreeMap<String, Device>> = Mutex::new(BTreeMap::new());

fn open(name: &str, start: impl FnOnce() -> Result<Arc<dyn Driver>>) -> Result<Device> {
    let mut devices = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(device) = devices.get(name) {
        return Ok(device.clone());
    }
    let device = Device::from_driver(start()?)?;
    devices.insert(name.to_owned(), device.clone());
    Ok(device)
}

pub(super) fn cpu() -> Device {
    open("cpu", || cpu::open(0)).expect("the CPU needs no driver")
}

pub(super) fn list() -> Discovery {
    let mut discovery = Discovery { found: Vec::new(), missing: Vec::new() };
    for backend in &BACKENDS {
        let listing = (backend.list)();
        discovery.found.extend(listing.found.into_iter().map(|candidate| candidate.info));
        discovery.missing.extend(listing.missing);
    }
    discovery
}

pub(super) fn best() -> Result<Device> {
    for backend in &BACKENDS {
        for (index, candidate) in (backend.list)().found.into_iter().enumerate() {
            if !candidate.unasked {
                continue;
            }
            match open(&candidate.info.id, || (backend.open)(index)) {
                // A file that the environment names and that cannot be used is no fault of the device, and neither is a setting.
                Err(error @ (Error::ReadFile { .. } | Error::Wisdom { .. } | Error::Syntax { .. })) => {
                    return Err(error);
                }
                // A device that cannot be opened, being used up by others for instance, leaves the choice to the next.
                Err(_) => {}
                opened => return opened,
            }
        }
    }
    Ok(cpu())
}

pub(super) fn by_name(name: &str) -> Result<Device> {
    // Only the named backend is asked: others may take long to answer.
    let backend_name = name.split(':').next().unwrap_or(name);
    if let Some(backend) = BACKENDS.iter().find(|backend| backend.name == backend_name) {
        let found = (backend.list)().found;
        let index = if name == backend_name {
            (!found.is_empty()).then_some(0)
        } else {
            found.iter().position(|candidate| candidate.info.id == name)
        };
        if let Some(index) = index {
            return open(&found[index].info.id, || (backend.open)(index));
        }
    }
    Err(not_found(name, backend_name))
}

/// Names what was found, and why the asked-for backend gave nothing else.
fn not_found(name: &str, backend_name: &str) -> Error {
    let Discovery { found, missing } = list();
    let mut words = found.into_iter().map(|info| info.id).collect::<Vec<_>>().join(", ");
    for miss in missing.iter().filter(|miss| miss.what.starts_with(backend_name)) {
        words += &format!("; {}: {}", miss.what, miss.reason);
    }
    Error::DeviceNotFound { name: name.to_owned(), found: words }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_is_always_found_and_last() {
        assert_eq!(list().found.last().unwrap().id, "cpu");
        assert!(by_name("cpu").unwrap().is_same(&Device::cpu()));
    }

    #[test]
    fn names_are_unique_and_open_the_same_device_twice() {
        let found = list().found;
        let names: std::collections::BTreeSet<_> = found.iter().map(|info| &info.id).collect();
        assert_eq!(names.len(), found.len());
        for info in &found {
            assert_eq!(by_name(&info.id).unwrap().info(), info);
            assert!(by_name(&info.id).unwrap().is_same(&by_name(&info.id).unwrap()));
        }
    }

    #[test]
    fn unknown_names_are_told_what_there_is() {
        for name in ["", "gpu", "cuda:99", "opencl:99", "opencl:", "opencl:+0", "cpu:0", "cpu:1", "CPU"] {
            match by_name(name) {
                Err(Error::DeviceNotFound { name: asked, found }) => {
                    assert_eq!(asked, name);
                    assert!(found.contains("cpu"), "{found}");
                }
                other => panic!("{name}: {other:?}"),
            }
        }
    }
}
