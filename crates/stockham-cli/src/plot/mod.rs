//! Pictures: shapes in a list, axes around them, written as PNG or SVG without anything from the system.

mod axis;
mod frame;
mod picture;
mod render;

use std::path::Path;

use crate::error::{Error, Result};
use crate::output;

pub use axis::{Axis, power_of_two};
pub use frame::Frame;
pub use picture::{Anchor, Color, Picture, Raster, Text};

/// How a picture is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A bitmap.
    Png,
    /// Lines and text.
    Svg,
}

impl Format {
    /// The format that a file's name asks for.
    pub fn of(path: &Path) -> Result<Self> {
        let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("png") => Ok(Self::Png),
            Some("svg") => Ok(Self::Svg),
            _ => Err(Error::input(format!("{}: a picture's name ends in .png or .svg", path.display()))),
        }
    }
}

/// Draws a picture into a file.
pub fn save(picture: &Picture, format: Format, path: &Path) -> Result<()> {
    let bytes = match format {
        Format::Png => render::png(picture)?,
        Format::Svg => render::svg(picture)?.into_bytes(),
    };
    output::write(path, &bytes)
}
