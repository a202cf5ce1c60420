//! A picture as numbers: its luminance, out of a PNG or JPEG file.

use std::io::Cursor;

use ::image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader};

use crate::error::Result;

use super::super::source::Source;

/// Luminance, row by row, black at 0 and white at 1.
pub struct Raster {
    /// What to call it.
    pub name: String,
    /// Pixels of a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// One number a pixel.
    pub pixels: Vec<f32>,
}

/// Whether a file begins as a picture does that can be read.
pub fn is_image(bytes: &[u8]) -> bool {
    format(bytes).is_some()
}

fn format(bytes: &[u8]) -> Option<ImageFormat> {
    ::image::guess_format(bytes).ok().filter(|format| matches!(format, ImageFormat::Png | ImageFormat::Jpeg))
}

fn decoder(source: &Source) -> Result<impl ImageDecoder> {
    let mut reader = ImageReader::new(Cursor::new(&source.bytes));
    if let Some(format) = format(&source.bytes) {
        reader.set_format(format);
    }
    reader.into_decoder().map_err(|why| source.fault(why))
}

impl Raster {
    /// Width and height, which the head of a file tells.
    pub fn size(source: &Source) -> Result<(u32, u32)> {
        Ok(decoder(source)?.dimensions())
    }

    /// Decodes a file, and turns it as its camera was held.
    pub fn read(source: &Source) -> Result<Self> {
        let mut decoder = decoder(source)?;
        let orientation = decoder.orientation().map_err(|why| source.fault(why))?;
        let mut image = DynamicImage::from_decoder(decoder).map_err(|why| source.fault(why))?;
        image.apply_orientation(orientation);
        // Weighed in floating point: whole numbers would be rounded once more.
        if image.color().has_color() {
            image = DynamicImage::ImageRgb32F(image.into_rgb32f());
        }
        // As ITU-R BT.709 weighs red, green and blue, in the scale of the file.
        let grey = image.to_luma32f();
        let (width, height) = (grey.width() as usize, grey.height() as usize);
        Ok(Self { name: source.name.clone(), width, height, pixels: grey.into_raw() })
    }

    /// `512 × 384 pixels`.
    pub fn describe(&self) -> String {
        format!("{} × {} pixels", self.width, self.height)
    }
}
