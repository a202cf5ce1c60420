//! Files under hidden names, while they are written: they get their names when they are whole, and go if that does not
//! come to pass, whatever ends the process.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use fs4::FileExt;

use super::signals;

/// What the hidden names end with. They begin with a dot and the process, and do not hold the target's name: that may be
/// as long as a name may be.
const SUFFIX: &str = ".stockham-unfinished";

/// A file that has no name of its own yet, locked as long as it is written.
pub struct Unfinished {
    file: File,
    path: PathBuf,
}

impl Unfinished {
    /// An empty file beside the target, with the permissions of what is there.
    pub fn beside(target: &Path) -> io::Result<Self> {
        static COUNTER: AtomicU64 = AtomicU64::new(0);
        let folder = folder(target);
        remove_abandoned(folder);
        signals::watch();
        loop {
            let count = COUNTER.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!(".{}-{count}{SUFFIX}", std::process::id()));
            // Known before it is there: a signal may come in between.
            living().files.insert(path.clone());
            let file = match File::options().write(true).create_new(true).open(&path) {
                Ok(file) => file,
                Err(error) => {
                    living().files.remove(&path);
                    if error.kind() == io::ErrorKind::AlreadyExists {
                        continue;
                    }
                    return Err(error);
                }
            };
            // Where files cannot be locked, nobody takes this one for abandoned.
            let _ = FileExt::lock(&file);
            // Another process may have found it before it was locked.
            if !path.exists() {
                living().files.remove(&path);
                continue;
            }
            if let Ok(metadata) = fs::metadata(target) {
                let _ = file.set_permissions(metadata.permissions());
            }
            return Ok(Self { file, path });
        }
    }

    /// The file, to be written.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Gives it its name, in place of what was there.
    pub fn rename(self, target: &Path) -> io::Result<()> {
        // Not while a signal removes what is unfinished.
        let mut living = living();
        fs::rename(&self.path, target)?;
        living.files.remove(&self.path);
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        let mut living = living();
        // What was given a name is not here any more.
        if living.files.remove(&self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// What this process writes, and the folders that it has looked through.
struct Living {
    files: BTreeSet<PathBuf>,
    seen: BTreeSet<PathBuf>,
}

fn living() -> MutexGuard<'static, Living> {
    static LIVING: Mutex<Living> = Mutex::new(Living { files: BTreeSet::new(), seen: BTreeSet::new() });
    LIVING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all that is unfinished, before the process ends: `end` is called while nothing can be begun or renamed.
#[cfg(unix)]
pub fn remove_all_and(end: impl FnOnce()) {
    let mut living = living();
    std::mem::take(&mut living.files).into_iter().for_each(|path| drop(fs::remove_file(path)));
    end();
}

/// Removes what dead processes left in a folder, once a process. Whoever lives holds a lock: it is known of processes
/// in other containers and on other machines, too, and goes with a process that is killed.
fn remove_abandoned(folder: &Path) {
    if !living().seen.insert(folder.to_owned()) {
        return;
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    let is_ours = |name: &OsStr| name.to_str().is_some_and(|name| name.starts_with('.') && name.ends_with(SUFFIX));
    for entry in entries.flatten().filter(|entry| is_ours(&entry.file_name())) {
        if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok(file) = File::options().write(true).open(entry.path()) else { continue };
        if FileExt::try_lock(&file).is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The folder that a file is in.
pub fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
