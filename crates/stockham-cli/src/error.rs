//! What can go wrong in the command, and the exit code each kind of failure ends with.

use std::io;
use std::path::{Path, PathBuf};

use crate::size;

/// The command's result.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure with the words for standard error.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The arguments or the input file ask for something that makes no sense.
    #[error("{0}")]
    Input(String),
    /// The work was understood and went wrong.
    #[error("{0}")]
    Failed(String),
    /// The work takes more memory than there is.
    #[error("this takes {} of memory, and {} are free", size::bytes(*needed), size::bytes(*available))]
    Memory {
        /// Bytes that it takes.
        needed: u64,
        /// Bytes that are there for this process.
        available: u64,
    },
    /// A file could not be opened or read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// A file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's words.
        source: io::Error,
    },
    /// Standard output could not be written.
    #[error("cannot write to standard output: {0}")]
    Stdout(io::Error),
    /// The library refused or failed.
    #[error(transparent)]
    Library(#[from] stockham::Error),
}

impl Error {
    /// Bad input, in these words.
    pub fn input(message: impl Into<String>) -> Self {
        Self::Input(message.into())
    }

    /// A file that could not be read.
    pub fn read(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Read { path: path.to_owned(), source }
    }

    /// A file that could not be written.
    pub fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Write { path: path.to_owned(), source }
    }

    /// 2 if the user can mend it by asking for something else, 1 if not.
    pub fn exit_code(&self) -> u8 {
        use stockham::Error as Library;
        match self {
            Self::Input(_) | Self::Read { .. } => 2,
            Self::Library(
                Library::Unsupported { .. }
                | Library::InvalidTransform(_)
                | Library::Signal { .. }
                | Library::FieldValue { .. }
                | Library::Root { .. }
                | Library::Digit { .. }
                | Library::NotPrime { .. }
                | Library::Syntax { .. }
                | Library::Number { .. }
                | Library::Bases { .. }
                | Library::DeviceNotFound { .. }
                | Library::ReadFile { .. }
                | Library::Wisdom { .. },
            ) => 2,
            Self::Library(Library::Threads { requested, .. }) if *requested > stockham::threads::most() => 2,
            Self::Failed(_) | Self::Memory { .. } | Self::Write { .. } | Self::Stdout(_) | Self::Library(_) => 1,
        }
    }

    /// Whether the reader of standard output has gone, as after `stockham devices | head -1`: no failure of ours.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Stdout(source) if source.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// Failures to print: every `?` on an `io::Result` without a path is about standard output.
impl From<io::Error> for Error {
    fn from(source: io::Error) -> Self {
        Self::Stdout(source)
    }
}
