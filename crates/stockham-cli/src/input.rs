//! Input files that are read whole.

use std::fs;
use std::path::Path;

use crate::error::{Error, Result};

/// The bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    if fs::metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
        return Err(Error::input(format!("cannot read {}: it is a folder", path.display())));
    }
    fs::read(path).map_err(Error::read(path))
}
