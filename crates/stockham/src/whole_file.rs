//! Files that are there whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// What the name of a file ends with while it is being written.
pub(crate) const UNFINISHED_EXTENSION: &str = "unfinished";

/// As [`write`], a file that the user alone may read and write.
pub(crate) fn write_private(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    write_by(&mut options, target, bytes)
}

/// Writes a file under another name beside its target and then gives it its name, in place of what was there. Renaming
/// within a directory is atomic: readers see the old file or the whole new one. A file that may be written in a directory
/// that takes no others is written where it stands; one that is write-protected is left alone.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] if the target is a pipe or a device, which would be gone; what the file system reports.
pub(crate) fn write(target: &Path, bytes: &[u8]) -> io::Result<()> {
    write_by(&mut OpenOptions::new(), target, bytes)
}

fn write_by(options: &mut OpenOptions, target: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(target).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
    }
    let there = match File::options().write(true).open(target) {
        // Renaming, and the superuser, would pass over that.
        Ok(file) if file.metadata()?.permissions().readonly() => {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is write-protected"));
        }
        Ok(file) => Some(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let (mut file, unfinished) = match (create_beside(options, target), there) {
        (Err(error), Some(file)) if error.kind() == io::ErrorKind::PermissionDenied => {
            file.set_len(0)?;
            return (&file).write_all(bytes);
        }
        (created, _) => created?,
    };
    let written = file.write_all(bytes).and_then(|()| fs::rename(&unfinished, target));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

/// A new file, which nobody else writes: a process in another container may have the same number.
fn create_beside(options: &mut OpenOptions, target: &Path) -> io::Result<(File, PathBuf)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    loop {
        let count = COUNTER.fetch_add(1, Ordering::Relaxed);
        // Without the target's name, which may be as long as a name may be.
        let path = target.with_file_name(format!("{}.{count}.{UNFINISHED_EXTENSION}", std::process::id()));
        match options.write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            file => return Ok((file?, path)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_names_are_written_and_protected_files_are_not() {
        let folder = std::env::temp_dir().join(format!("stockham-whole-file-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let target = folder.join("n".repeat(255));
        write(&target, b"one").unwrap();
        write(&target, b"two").unwrap();
        let mut permissions = fs::metadata(&target).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&target, permissions.clone()).unwrap();
        assert_eq!(write(&target, b"three").unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(fs::read(&target).unwrap(), b"two");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
