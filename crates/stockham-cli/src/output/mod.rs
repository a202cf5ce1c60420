//! Output files that are there whole or not at all; and what is no file, which is written as it comes.

mod files;
mod place;
mod record;
mod signals;
mod unfinished;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

pub use files::Files;
pub use place::{Place, is_standard, standard_input};
pub use record::{RecordArgs, RecordFile};

use unfinished::Unfinished;

/// An output being written. A file is replaced as a whole by [`commit`](Self::commit), and dropping it without that leaves
/// what was there, the input of the same command perhaps.
pub struct OutputFile {
    writer: BufWriter<Sink>,
    target: PathBuf,
}

enum Sink {
    /// Under another name beside its target.
    Unfinished(Unfinished),
    /// A file in a folder where none can be made: emptied when the first byte comes.
    InPlace { file: File, is_begun: bool },
    /// A pipe, a device, or what is open already.
    Stream(File),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Unfinished(unfinished) => unfinished.file().write(bytes),
            Self::Stream(file) => file.write(bytes),
            Self::InPlace { file, is_begun } => {
                if !std::mem::replace(is_begun, true) {
                    file.set_len(0)?;
                }
                file.write(bytes)
            }
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl OutputFile {
    /// Starts writing.
    pub fn create(path: &Path) -> Result<Self> {
        let (sink, target) = match Place::of(path).map_err(Error::write(path))? {
            Place::Folder => return Err(Error::input(format!("cannot write {}: it is a folder", path.display()))),
            Place::Descriptor(number) => {
                (Sink::Stream(place::duplicate(number).map_err(Error::write(path))?), path.to_owned())
            }
            Place::Special(special) => {
                let file = File::options().append(true).open(special).map_err(Error::write(path))?;
                (Sink::Stream(file), path.to_owned())
            }
            Place::File(target) => (sink(&target)?, target),
        };
        Ok(Self { writer: BufWriter::with_capacity(1 << 18, sink), target })
    }

    /// Whether it is written where it stands, so that what was there is gone before the end.
    fn is_in_place(&self) -> bool {
        matches!(self.writer.get_ref(), Sink::InPlace { .. })
    }

    /// Writes more.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.writer.write_all(bytes).map_err(|error| self.failed(error))
    }

    /// Ends the file and gives it its name.
    pub fn commit(self) -> Result<()> {
        let Self { writer, target } = self;
        let failed = |error| failed(&target, error);
        match writer.into_inner().map_err(|error| failed(error.into_error()))? {
            Sink::Unfinished(unfinished) => unfinished.rename(&target).map_err(failed),
            Sink::InPlace { file, is_begun: false } => file.set_len(0).map_err(failed),
            Sink::InPlace { .. } | Sink::Stream(_) => Ok(()),
        }
    }

    fn failed(&self, error: io::Error) -> Error {
        failed(&self.target, error)
    }
}

fn failed(target: &Path, error: io::Error) -> Error {
    // Whoever reads it may have read enough.
    if is_standard(target) { Error::Stdout(error) } else { Error::write(target)(error) }
}

/// How a file that is there, or is to be made, is written.
fn sink(target: &Path) -> Result<Sink> {
    let there = match File::options().write(true).open(target) {
        // The superuser may open it, and yet whoever protected it meant something by it.
        Ok(file) if file.metadata().is_ok_and(|metadata| metadata.permissions().readonly()) => {
            return Err(protected(target));
        }
        Ok(file) => Some(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied && target.exists() => {
            return Err(protected(target));
        }
        Err(error) => return Err(Error::write(target)(error)),
    };
    match (Unfinished::beside(target), there) {
        (Ok(unfinished), _) => Ok(Sink::Unfinished(unfinished)),
        (Err(error), Some(file)) if is_closed(&error) => Ok(Sink::InPlace { file, is_begun: false }),
        (Err(error), _) => {
            let folder = unfinished::folder(target);
            if folder.exists() {
                return Err(Error::write(target)(error));
            }
            let reason = io::Error::new(error.kind(), format!("there is no folder {}", folder.display()));
            Err(Error::write(target)(reason))
        }
    }
}

/// Whether a folder takes no new files.
fn is_closed(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

fn protected(target: &Path) -> Error {
    Error::input(format!("cannot write {}: it is write-protected", target.display()))
}

/// Writes a whole file.
pub fn write(target: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = OutputFile::create(target)?;
    file.write(bytes)?;
    file.commit()
}
