//! The host's memory: what is left of it for this process, and what work is going to take.

use std::fs;
use std::io::Write;
use std::path::Path;

use stockham::{Backend, Device};

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

/// What this process may still take: of the machine's memory, of its container's, and of its address space; nothing if that
/// is not known.
pub fn available() -> Option<u64> {
    [of_machine(), of_container(), of_address_space()].into_iter().flatten().min()
}

fn of_machine() -> Option<u64> {
    Some(field("/proc/meminfo", "MemAvailable:")? << 10)
}

/// The limits of all control groups that the process is in, of the second version and the first.
fn of_container() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let number = |path: &Path| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let left = |folder: &Path, limit: &str, usage: &str, cache: &str| {
        let (limit, usage) = (number(&folder.join(limit))?, number(&folder.join(usage))?);
        // Pages of files are given back when they are needed.
        let cached = field(folder.join("memory.stat"), cache).unwrap_or(0);
        Some(limit.saturating_sub(usage.saturating_sub(cached)))
    };
    let of_group = |line: &str| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (kind, path) = (parts.next()?, parts.next()?);
        let (root, files) = match kind {
            "" => ("/sys/fs/cgroup", ["memory.max", "memory.current", "inactive_file "]),
            kind if kind.split(',').any(|kind| kind == "memory") => {
                ("/sys/fs/cgroup/memory", ["memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file "])
            }
            _ => return None,
        };
        // A container sees its own group as the root.
        let own = Path::new(root).join(path.trim_start_matches('/'));
        let folders = own.ancestors().take_while(|folder| folder.starts_with(root));
        folders.filter_map(|folder| left(folder, files[0], files[1], files[2])).min()
    };
    groups.lines().filter_map(of_group).min()
}

/// What `ulimit -v` leaves.
fn of_address_space() -> Option<u64> {
    let limit = field("/proc/self/limits", "Max address space")?;
    Some(limit.saturating_sub(field("/proc/self/status", "VmSize:")? << 10))
}

/// The number after a word at the beginning of a line.
fn field(file: impl AsRef<Path>, word: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| line.strip_prefix(word))?.split_whitespace().next()?.parse().ok()
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
