//! Where an output goes: into a file that can be replaced, or into what is open already or is no file, as it comes.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// What a path means as an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A regular file, or one that is still to be made; all symbolic links followed, also one that leads nowhere yet.
    File(PathBuf),
    /// A descriptor of this process: `-`, /dev/stdout, /dev/fd/3.
    Descriptor(u32),
    /// A pipe or a device.
    Special(PathBuf),
    /// A folder.
    Folder,
}

/// Standard output.
const STANDARD_OUTPUT: u32 = 1;

/// As many links in a row as Linux follows.
const MOST_LINKS: usize = 40;

/// Whether a path is `-`: standard input of what is read, standard output of what is written.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

impl Place {
    /// What the path means now.
    pub fn of(path: &Path) -> io::Result<Self> {
        if is_standard(path) {
            return Ok(Self::Descriptor(STANDARD_OUTPUT));
        }
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            // Before its link is followed: that of a descriptor leads to the file behind it, which has a place in it.
            if let Some(descriptor) = descriptor(&path) {
                return Ok(Self::Descriptor(descriptor));
            }
            match fs::symlink_metadata(&path) {
                Ok(metadata) if metadata.is_symlink() => {
                    let target = fs::read_link(&path)?;
                    path = path.parent().unwrap_or(Path::new("")).join(target);
                }
                Ok(metadata) if metadata.is_dir() => return Ok(Self::Folder),
                Ok(metadata) if metadata.is_file() => return Ok(Self::File(path)),
                Ok(_) => return Ok(Self::Special(path)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::File(path)),
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("too many symbolic links in a row"))
    }

    /// Whether it is standard output, where reports go otherwise.
    pub fn is_standard_output(&self) -> bool {
        *self == Self::Descriptor(STANDARD_OUTPUT)
    }
}

/// The number of this process's descriptor that a path in /dev/fd or /proc/…/fd names.
fn descriptor(path: &Path) -> Option<u32> {
    let number = path.file_name()?.to_str()?.parse().ok()?;
    let folder = fs::canonicalize(path.parent()?).ok()?;
    let own = Path::new("/proc").join(std::process::id().to_string());
    let is_ours = folder == Path::new("/dev/fd") || (folder.starts_with(own) && folder.ends_with("fd"));
    is_ours.then_some(number)
}

/// Another handle of an open descriptor, which shares its place in the file.
#[cfg(unix)]
pub fn duplicate(descriptor: u32) -> io::Result<File> {
    use std::os::fd::{AsFd, BorrowedFd, RawFd};
    let number = RawFd::try_from(descriptor).map_err(io::Error::other)?;
    let owned = match number {
        0 => io::stdin().as_fd().try_clone_to_owned(),
        1 => io::stdout().as_fd().try_clone_to_owned(),
        2 => io::stderr().as_fd().try_clone_to_owned(),
        // SAFETY: whoever named the descriptor has it open for this process, which does not close what it did not open;
        // and if it is not open, the one system call that it is lent to says so.
        _ => unsafe { BorrowedFd::borrow_raw(number) }.try_clone_to_owned(),
    }?;
    Ok(File::from(owned))
}

/// Standard input.
#[cfg(unix)]
pub fn standard_input() -> io::Result<File> {
    duplicate(0)
}

/// Standard output alone has a number here.
#[cfg(windows)]
pub fn duplicate(_: u32) -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}

/// Standard input.
#[cfg(windows)]
pub fn standard_input() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdin().as_handle().try_clone_to_owned()?))
}
