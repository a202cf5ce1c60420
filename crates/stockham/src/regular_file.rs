//! Files that are read as a whole: regular ones, no longer than is expected. Pipes, terminals and devices would keep the reader
//! waiting, or never end.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Whether a file may be a link to one elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Links {
    Followed,
    Refused,
}

/// The file, and what the system tells of it.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] if it is no regular file; what the file system reports.
pub(crate) fn open(path: &Path, links: Links) -> Result<(File, Metadata)> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // To open a pipe that nobody writes to would wait, too.
        let link = if links == Links::Refused { libc::O_NOFOLLOW } else { 0 };
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY | link);
    }
    #[cfg(not(unix))]
    if links == Links::Refused && std::fs::symlink_metadata(path)?.is_symlink() {
        return Err(irregular());
    }
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() { Ok((file, metadata)) } else { Err(irregular()) }
}

/// All of a file.
///
/// # Errors
/// [`ErrorKind::FileTooLarge`] if it is longer than `most` bytes; what reading reports.
pub(crate) fn read(file: File, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // The length that the system tells is 0 for some files that have none.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(Error::new(ErrorKind::FileTooLarge, format!("it is longer than {most} bytes")));
    }
    Ok(bytes)
}

fn irregular() -> Error {
    Error::new(ErrorKind::InvalidInput, "it is no regular file")
}

#[cfg(all(test, unix))]
pub(crate) mod tests {
    use super::*;

    /// A pipe that nobody writes to: opened as files are, it would keep a reader for ever.
    pub(crate) fn make_pipe(path: &Path) {
        let status = std::process::Command::new("mkfifo").arg(path).status().unwrap();
        assert!(status.success(), "mkfifo {}", path.display());
    }

    #[test]
    fn files_alone_are_read() {
        let folder = std::env::temp_dir().join(format!("stockham-regular-test-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).unwrap();
        let [file, link, pipe, to_pipe] = ["file", "link", "pipe", "to_pipe"].map(|name| folder.join(name));
        std::fs::write(&file, b"12345").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        make_pipe(&pipe);
        std::os::unix::fs::symlink(&pipe, &to_pipe).unwrap();
        let bytes = |path: &Path, links, most| open(path, links).and_then(|(file, _)| read(file, most));
        assert_eq!(bytes(&file, Links::Refused, 5).unwrap(), b"12345");
        assert_eq!(bytes(&link, Links::Followed, 5).unwrap(), b"12345");
        assert!(bytes(&link, Links::Refused, 5).is_err());
        assert_eq!(bytes(&file, Links::Followed, 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
        let zeros = Path::new("/dev/zero");
        for path in [&pipe, &to_pipe, &folder, zeros] {
            assert_eq!(open(path, Links::Followed).unwrap_err().kind(), ErrorKind::InvalidInput, "{}", path.display());
        }
        assert_eq!(open(&folder.join("none"), Links::Followed).unwrap_err().kind(), ErrorKind::NotFound);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
