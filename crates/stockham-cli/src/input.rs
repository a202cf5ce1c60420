//! Input files; `-` is standard input.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::{Error, Result};
use crate::output::{self, Place};

/// An open file that is no folder.
pub fn open(path: &Path) -> Result<File> {
    let file = if output::is_standard(path) { output::standard_input() } else { File::open(path) };
    let file = file.map_err(Error::read(path))?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(Error::input(format!("cannot read {}: it is a folder", path.display())));
    }
    Ok(file)
}

/// The bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(Error::read(path))?;
    Ok(bytes)
}

/// An error about what is in a file.
pub fn fault(path: &Path, why: impl std::fmt::Display) -> Error {
    if output::is_standard(path) {
        return Error::input(format!("standard input: {why}"));
    }
    Error::input(format!("{}: {why}", path.display()))
}

/// Whether it is a file with a name that tells what it holds: standard input, a pipe or a device has none.
pub fn has_name(path: &Path) -> bool {
    matches!(Place::of(path), Ok(Place::File(_)))
}
