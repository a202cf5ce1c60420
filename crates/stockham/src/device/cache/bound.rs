//! How large the cache is, and what keeps it from growing without end.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::{ENTRY_EXTENSION, directory};

/// The cache is kept below so many bytes: some ten thousand programs.
pub const MOST_BYTES: u64 = 1 << 29;

/// What is in the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Compiled programs.
    pub programs: usize,
    /// The bytes of their files.
    pub bytes: u64,
}

/// What is in the cache; nothing if it is off or not there.
///
/// # Errors
/// What the file system reports.
pub fn usage() -> io::Result<Usage> {
    let entries = directory().map_or(Ok(Vec::new()), |directory| entries(&directory))?;
    Ok(Usage { programs: entries.len(), bytes: entries.iter().map(|entry| entry.bytes).sum() })
}

struct Entry {
    written: SystemTime,
    bytes: u64,
    path: PathBuf,
}

fn entries(directory: &Path) -> io::Result<Vec<Entry>> {
    let files = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        files => files?,
    };
    let mut entries = Vec::new();
    for file in files {
        let path = file?.path();
        if path.extension().is_none_or(|extension| extension != ENTRY_EXTENSION) {
            continue;
        }
        // Another process may have removed it.
        let Ok(metadata) = fs::metadata(&path) else { continue };
        entries.push(Entry { written: metadata.modified()?, bytes: metadata.len(), path });
    }
    Ok(entries)
}

/// Removes the oldest entries until the rest are no more than so many bytes.
pub(super) fn trim(directory: &Path, most: u64) -> io::Result<()> {
    let mut entries = entries(directory)?;
    let mut bytes: u64 = entries.iter().map(|entry| entry.bytes).sum();
    entries.sort_by_key(|entry| entry.written);
    for entry in entries.iter().take_while(|entry| {
        let is_too_much = bytes > most;
        bytes -= entry.bytes;
        is_too_much
    }) {
        match fs::remove_file(&entry.path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_oldest_go_until_the_rest_fit() {
        let folder = std::env::temp_dir().join(format!("stockham-cache-bound-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for (name, age) in [("b.program", 20), ("a.program", 30), ("c.program", 10), ("other.file", 40)] {
            fs::write(folder.join(name), [0; 100]).unwrap();
            let file = fs::File::options().write(true).open(folder.join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        }
        let names = || {
            let mut names: Vec<_> =
                fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        };
        trim(&folder, 300).unwrap();
        assert_eq!(names().len(), 4);
        trim(&folder, 299).unwrap();
        assert_eq!(names(), ["b.program", "c.program", "other.file"]);
        trim(&folder, 100).unwrap();
        assert_eq!(names(), ["c.program", "other.file"]);
        trim(&folder, 0).unwrap();
        assert_eq!(names(), ["other.file"]);
        fs::remove_dir_all(&folder).unwrap();
    }
}
