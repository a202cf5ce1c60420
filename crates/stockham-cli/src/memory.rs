//! The host's memory: what is left of it for this process, and what work is going to take.

use std::io::Write;

use stockham::{Backend, Device, host_memory};

use crate::error::{Error, Result};
use crate::size;

/// Beside the data: code, stacks, plans of short transforms.
const SLACK: u64 = 16 << 20;

/// Tells what memory work takes, and refuses it if that is not there: a process that is killed for its memory loses all.
pub fn require(bytes: usize, out: &mut dyn Write) -> Result<()> {
    let (needed, available) = ((bytes as u64).saturating_add(SLACK), available());
    if let Some(available) = available.filter(|&available| needed > available) {
        return Err(Error::Memory { needed, available });
    }
    let of = available.map_or_else(String::new, |available| format!(" of {} that are free", size::bytes(available)));
    writeln!(out, "takes up to {} of memory{of}", size::bytes(needed))?;
    Ok(out.flush()?)
}

/// What so many bytes on the host and so many on the device take of the host's memory, which is the CPU's.
pub fn of_host(device: &Device, host: usize, on_device: usize) -> usize {
    if device.info().backend == Backend::Cpu { host.saturating_add(on_device) } else { host }
}

/// What this process may still take; nothing if that is not known.
pub fn available() -> Option<u64> {
    Some(host_memory::available()).filter(|&bytes| bytes < u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_refused_and_what_is_there_is_told() {
        let mut told = Vec::new();
        if available().is_some() {
            assert!(matches!(require(usize::MAX, &mut told), Err(Error::Memory { needed: u64::MAX, .. })));
        }
        assert!(told.is_empty());
        require(1 << 20, &mut told).unwrap();
        assert!(String::from_utf8(told).unwrap().starts_with("takes up to 17 MiB of memory"));
    }

    #[test]
    fn the_host_is_the_cpus_memory() {
        assert_eq!(of_host(&Device::cpu(), 3, 4), 7);
        assert_eq!(of_host(&Device::cpu(), usize::MAX, 4), usize::MAX);
    }
}
