//! Files that are there whole or not at all.

use std::ffi::OsString;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the name of a file ends with while it is being written.
pub(crate) const UNFINISHED_EXTENSION: &str = "unfinished";

/// As [`write`], a file that the user alone may read and write.
pub(crate) fn write_private(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    write_by(&options, target, bytes)
}

/// Writes a file under another name beside its target and then gives it its name, in place of what was there. Renaming
/// within a directory is atomic: readers see the old file or the whole new one.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] if the target is a pipe or a device, which would be gone; what the file system reports.
pub(crate) fn write(target: &Path, bytes: &[u8]) -> io::Result<()> {
    write_by(&options(), target, bytes)
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    options
}

fn write_by(options: &OpenOptions, target: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(target).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
    }
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let mut name = target.file_name().map_or_else(OsString::new, OsString::from);
    name.push(format!(".{}.{count}.{UNFINISHED_EXTENSION}", std::process::id()));
    let unfinished = target.with_file_name(name);
    let written = options
        .open(&unfinished)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(&unfinished, target));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}
