//! Files that are there whole or not at all.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the name of a file ends with while it is being written.
pub(crate) const UNFINISHED_EXTENSION: &str = "unfinished";

/// Writes a file under another name beside its target and then gives it its name, in place of what was there. Renaming
/// within a directory is atomic: readers see the old file or the whole new one.
pub(crate) fn write(target: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let count = COUNTER.fetch_add(1, Ordering::Relaxed);
    let mut name = target.file_name().map_or_else(OsString::new, OsString::from);
    name.push(format!(".{}.{count}.{UNFINISHED_EXTENSION}", std::process::id()));
    let unfinished = target.with_file_name(name);
    let written = fs::File::create(&unfinished)
        .and_then(|mut file| file.write_all(bytes))
        .and_then(|()| fs::rename(&unfinished, target));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}
