//! Pictures as files have them.

use std::io::Cursor;
use std::path::Path;

use image::{ColorType, DynamicImage, ImageFormat};

use crate::error::{Error, Result};
use crate::{input, output};

/// Colours of a pixel, beside its opacity.
pub const COLOURS: usize = 3;

/// Width and height, which the head of a file tells.
pub fn size(bytes: &[u8]) -> image::ImageResult<(usize, usize)> {
    let reader =
        image::ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(image::ImageError::IoError)?;
    let (width, height) = reader.into_dimensions()?;
    Ok((width as usize, height as usize))
}

/// Checks that an output's name, if it has one, is a PNG's.
pub fn check_name(path: &Path) -> Result<()> {
    if input::has_name(path) && path.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("png")) {
        return Err(Error::input("pictures are written as PNG: give the output a name that ends in .png"));
    }
    Ok(())
}

/// Writes a PNG in such bits and with such colours.
pub fn write(path: &Path, image: DynamicImage, color: ColorType) -> Result<()> {
    let mut png = Cursor::new(Vec::new());
    let image = as_it_was(image, color);
    image.write_to(&mut png, ImageFormat::Png).map_err(|why| Error::Failed(format!("cannot make the PNG: {why}")))?;
    output::write(path, png.get_ref())
}

/// In the bits and with the colours that a file had.
fn as_it_was(image: DynamicImage, color: ColorType) -> DynamicImage {
    match color {
        ColorType::L8 => image.to_luma8().into(),
        ColorType::La8 => image.to_luma_alpha8().into(),
        ColorType::Rgb8 => image.to_rgb8().into(),
        ColorType::Rgba8 => image.to_rgba8().into(),
        ColorType::L16 => image.to_luma16().into(),
        ColorType::La16 => image.to_luma_alpha16().into(),
        ColorType::Rgb16 => image.to_rgb16().into(),
        _ => image.to_rgba16().into(),
    }
}
