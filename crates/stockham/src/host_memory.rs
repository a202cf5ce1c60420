//! The host's memory: asked for before much of it is taken. Where it is promised and is not there, the system ends the
//! process, and where it is refused within a library, that does; so what follows from a caller's numbers is checked first.

use std::sync::OnceLock;

use bytemuck::Pod;

use crate::error::{Error, Result};
use crate::parallel;

/// Less is not worth asking for: it takes some microseconds to read how much there is.
const ASKED_FROM: u64 = 4 << 20;

/// The host as a device.
const NAME: &str = "cpu";

/// Bytes that this process may have in all: of the machine, of its group of processes, of its address space.
pub(crate) fn total() -> u64 {
    let machine = field("/proc/meminfo", "MemTotal:").map(kib);
    let Limits { group, addresses } = *limits();
    [machine, group, addresses].into_iter().flatten().min().unwrap_or(u64::MAX)
}

/// Bytes that this process may still take: of the machine, of its group of processes, of its address space. `u64::MAX` where
/// the system does not tell. Memory of files that are cached counts as free.
pub fn available() -> u64 {
    let machine = field("/proc/meminfo", "MemAvailable:").map(kib);
    let own = |name: &str| field("/proc/self/status", name).map_or(0, kib);
    let Limits { group, addresses } = *limits();
    let group = group.map(|limit| limit.saturating_sub(own("VmRSS:")));
    let addresses = addresses.map(|limit| limit.saturating_sub(own("VmSize:")));
    [machine, group, addresses].into_iter().flatten().min().unwrap_or(u64::MAX)
}

/// Checks that so many bytes can be taken.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(crate) fn check(bytes: u64) -> Result<()> {
    if bytes < ASKED_FROM || bytes <= available() { Ok(()) } else { Err(out_of_memory(bytes)) }
}

/// So many zeros. Their pages are written, so that they are not promised to anybody else.
///
/// # Errors
/// [`Error::OutOfMemory`].
pub(crate) fn zeroed<T: Pod>(len: usize) -> Result<Vec<T>> {
    let bytes = len.saturating_mul(size_of::<T>()) as u64;
    check(bytes)?;
    let mut zeros = bytemuck::allocation::try_zeroed_vec(len).map_err(|()| out_of_memory(bytes))?;
    prepare_pages(bytemuck::cast_slice_mut(&mut zeros));
    Ok(zeros)
}

/// Bytes of a page, or of a part of one.
const PAGE: usize = 4096;

/// Bytes of a large page, as most processors and systems have them.
const LARGE_PAGE: usize = 2 << 20;

/// Has the system make the pages of memory that is about to be written, on all threads, and large ones where it gives them: small
/// ones take it longer than the writing. What is written there stays. Nothing for little memory.
pub(crate) fn prepare_pages(bytes: &mut [u8]) {
    if (bytes.len() as u64) < ASKED_FROM {
        return;
    }
    let apart = bytes.as_ptr().align_offset(LARGE_PAGE).min(bytes.len());
    let (first, rest) = bytes.split_at_mut(apart);
    let (large, last) = rest.split_at_mut(rest.len() / LARGE_PAGE * LARGE_PAGE);
    #[cfg(target_os = "linux")]
    // SAFETY: advice on whole pages of memory that is borrowed, whose contents stay. A system without large pages refuses it.
    let _ = unsafe { libc::madvise(large.as_mut_ptr().cast(), large.len(), libc::MADV_HUGEPAGE) };
    touch(first);
    parallel::chunks(large, LARGE_PAGE, 1, |_, page| touch(page));
    touch(last);
}

/// Writes to every page, though nothing changes: a read would leave the one page of zeros there.
fn touch(bytes: &mut [u8]) {
    for page in bytes.chunks_mut(PAGE) {
        page[0] = std::hint::black_box(page[0]);
    }
}

pub(crate) fn out_of_memory(requested: u64) -> Error {
    Error::OutOfMemory { device: NAME.into(), requested, total: total() }
}

/// The first number after a name at the start of a line.
fn field(file: &str, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

fn kib(count: u64) -> u64 {
    count.saturating_mul(1024)
}

/// What the process was started with, where it is limited.
struct Limits {
    /// Of its group of processes, in a container mostly.
    group: Option<u64>,
    /// Of its address space: `ulimit -v`.
    addresses: Option<u64>,
}

fn limits() -> &'static Limits {
    static LIMITS: OnceLock<Limits> = OnceLock::new();
    LIMITS.get_or_init(|| Limits {
        group: std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok()),
        addresses: field("/proc/self/limits", "Max address space"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_are_prepared_keep_their_bytes() {
        for len in [0, 100, LARGE_PAGE - 1, 3 * LARGE_PAGE + 77] {
            let mut bytes: Vec<u8> = (0..len).map(|i| (i * i % 251) as u8).collect();
            let expected = bytes.clone();
            prepare_pages(&mut bytes);
            assert!(bytes == expected);
        }
    }

    #[test]
    fn what_is_not_there_is_refused() {
        check(0).unwrap();
        check(ASKED_FROM).unwrap();
        assert!(available() <= total());
        if total() < u64::MAX {
            assert!(available() > 0);
            assert!(matches!(check(total()), Err(Error::OutOfMemory { .. })));
            assert!(matches!(zeroed::<u64>(total() as usize / 8), Err(Error::OutOfMemory { .. })));
        }
        assert!(matches!(zeroed::<u64>(usize::MAX), Err(Error::OutOfMemory { requested: u64::MAX, .. })));
        assert_eq!(zeroed::<u32>(5), Ok(vec![0; 5]));
    }
}
