//! The file that is analysed, as it comes out of a folder or a pipe.

use std::path::Path;

use crate::error::{Error, Result};
use crate::input;

/// A file, whole.
pub struct Source {
    /// What to call it.
    pub name: String,
    /// What to call it in messages.
    pub shown: String,
    /// All that is in it.
    pub bytes: Vec<u8>,
}

impl Source {
    /// Reads it; `-` is standard input.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = input::read(path)?;
        let name = if path.as_os_str() == "-" {
            "standard input".to_owned()
        } else {
            path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        };
        let shown = if path.as_os_str() == "-" { name.clone() } else { path.display().to_string() };
        Ok(Self { name, shown, bytes })
    }

    /// An error about what is in it.
    pub fn fault(&self, why: impl std::fmt::Display) -> Error {
        Error::input(format!("{}: {why}", self.shown))
    }
}
