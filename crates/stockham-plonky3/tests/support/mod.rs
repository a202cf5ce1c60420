//! The devices that tests run on, and how many cases each gets.

use stockham::{Backend, Device};

/// All devices of this machine, or the one that `STOCKHAM_TEST_DEVICE` names.
pub fn devices() -> Vec<Device> {
    match std::env::var("STOCKHAM_TEST_DEVICE") {
        Ok(name) if !name.is_empty() => vec![Device::by_name(&name).expect("the device named by the environment")],
        _ => Device::list().found.iter().map(|info| Device::by_name(&info.id).expect("a device found")).collect(),
    }
}

fn number(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable).map_or(otherwise, |text| text.parse().expect("a number of cases"))
}

/// `STOCKHAM_CASES` on the CPU, and `STOCKHAM_DEVICE_CASES` on others, which compile kernels for most of them.
pub fn cases(device: &Device) -> usize {
    match device.info().backend {
        Backend::Cpu => number("STOCKHAM_CASES", 200),
        _ => number("STOCKHAM_DEVICE_CASES", 12),
    }
}
