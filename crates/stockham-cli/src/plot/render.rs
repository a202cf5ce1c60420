//! Drawing a picture with plotters: bitmaps at several times their size and averaged down, for smooth edges; text in
//! DejaVu Sans, which is part of the program.

use std::sync::Once;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color as _, FontTransform, register_font};
use rayon::prelude::*;

use crate::error::{Error, Result};

use super::picture::Shape;
use super::{Anchor, Color, Picture, Raster};

/// Plotters places shapes on whole pixels; drawn so many times larger, they land on fractions of one.
const OVERSAMPLING: u32 = 4;

const FAMILY: &str = "sans-serif";

/// What differs between the two kinds of picture.
#[derive(Clone, Copy)]
struct Manner {
    scale: f64,
    /// How much lower the text must be put, in sizes, for the middle of its capitals to lie at its point.
    sink: f64,
    /// Whether lines are drawn segment by segment with round joints: plotters' bitmaps have mitres of any length.
    joints: bool,
}

const BITMAP: Manner = Manner { scale: OVERSAMPLING as f64, sink: 0.217, joints: true };
const VECTOR: Manner = Manner { scale: 1.0, sink: 0.0, joints: false };

/// A PNG file.
pub fn png(picture: &Picture) -> Result<Vec<u8>> {
    let (width, height) = picture.size;
    let large = (width * OVERSAMPLING, height * OVERSAMPLING);
    let mut pixels = vec![255; large.0 as usize * large.1 as usize * 3];
    // Rasters are drawn by hand, in their order among the other shapes.
    for shapes in picture.shapes.chunk_by(|a, b| matches!(a, Shape::Raster(_)) == matches!(b, Shape::Raster(_))) {
        if let [Shape::Raster(_), ..] = shapes {
            let rasters = shapes.iter().filter_map(|s| if let Shape::Raster(raster) = s { Some(raster) } else { None });
            rasters.for_each(|raster| fill(raster, &mut pixels, large.0 as usize));
        } else {
            let area = BitMapBackend::with_buffer(&mut pixels, large).into_drawing_area();
            draw(&area, shapes, BITMAP)?;
        }
    }
    encode(&average(&pixels, width as usize), picture.size).map_err(|error| Error::Failed(format!("PNG: {error}")))
}

/// An SVG file.
pub fn svg(picture: &Picture) -> Result<String> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, picture.size).into_drawing_area();
        area.fill(&WHITE).map_err(failed)?;
        draw(&area, &picture.shapes, VECTOR)?;
        area.present().map_err(failed)?;
    }
    Ok(text)
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::Failed(format!("the picture could not be drawn: {error}"))
}

fn fonts() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for (style, bytes) in [(FontStyle::Normal, dejavu::sans::regular()), (FontStyle::Bold, dejavu::sans::bold())] {
            // Text would be missing, and drawing it would say so.
            let _ = register_font(FAMILY, style, bytes);
        }
    });
}

fn draw<B: DrawingBackend>(area: &DrawingArea<B, Shift>, shapes: &[Shape], manner: Manner) -> Result<()> {
    fonts();
    let scale = manner.scale;
    let place = |(x, y): (f64, f64)| ((x * scale).round() as i32, (y * scale).round() as i32);
    let places = |points: &[(f64, f64)]| points.iter().map(|p| place(*p)).collect::<Vec<_>>();
    for shape in shapes {
        let drawn = match shape {
            Shape::Line(points, color, width) => {
                let style = rgba(*color).stroke_width((width * scale).round().max(1.0) as u32);
                let points = places(points);
                if manner.joints && points.len() > 2 {
                    let radius = (width * scale / 2.0).round() as i32;
                    points.windows(2).try_for_each(|pair| {
                        area.draw(&PathElement::new(pair.to_vec(), style))?;
                        area.draw(&Circle::new(pair[1], radius, rgba(*color).filled()))
                    })
                } else {
                    area.draw(&PathElement::new(points, style))
                }
            }
            Shape::Area(points, color) => area.draw(&Polygon::new(places(points), rgba(*color).filled())),
            Shape::Dot(at, radius, color) => {
                area.draw(&Circle::new(place(*at), (radius * scale).round() as i32, rgba(*color).filled()))
            }
            Shape::Text(text) => {
                let weight = if text.bold { FontStyle::Bold } else { FontStyle::Normal };
                let font = (FAMILY, text.size * scale, weight).into_font();
                let font = if text.upwards { font.transform(FontTransform::Rotate270) } else { font };
                let horizontal = match text.anchor {
                    Anchor::Start => HPos::Left,
                    Anchor::Middle => HPos::Center,
                    Anchor::End => HPos::Right,
                };
                let style = font.color(&rgba(text.color)).pos(Pos::new(horizontal, VPos::Center));
                let (x, y) = text.at;
                let sink = manner.sink * text.size;
                let at = if text.upwards { (x + sink, y) } else { (x, y + sink) };
                area.draw_text(&text.words, &style, place(at))
            }
            Shape::Raster(_) => Ok(()),
        };
        drawn.map_err(failed)?;
    }
    Ok(())
}

fn rgba(Color(red, green, blue, opacity): Color) -> RGBAColor {
    RGBAColor(red, green, blue, opacity)
}

fn fill(raster: &Raster, pixels: &mut [u8], width: usize) {
    let (left, top, right, bottom) = raster.area;
    let whole = |x: f64| (x * f64::from(OVERSAMPLING)).round() as usize;
    let (left, top, right, bottom) = (whole(left), whole(top), whole(right), whole(bottom));
    let rows = pixels[top * width * 3..bottom * width * 3].par_chunks_mut(width * 3);
    rows.enumerate().for_each(|(y, row)| {
        let v = (y as f64 + 0.5) / (bottom - top) as f64;
        for (x, pixel) in row[left * 3..right * 3].chunks_exact_mut(3).enumerate() {
            let Color(red, green, blue, _) = (raster.color)((x as f64 + 0.5) / (right - left) as f64, v);
            pixel.copy_from_slice(&[red, green, blue]);
        }
    });
}

/// Each pixel is the mean of the square it was drawn as.
fn average(large: &[u8], width: usize) -> Vec<u8> {
    let k = OVERSAMPLING as usize;
    let row_bytes = width * k * 3;
    let rows: Vec<Vec<u8>> = large
        .par_chunks_exact(row_bytes * k)
        .map(|rows| {
            let mean = |x: usize, c: usize| {
                let square = (0..k * k).map(|i| u32::from(rows[i / k * row_bytes + (x * k + i % k) * 3 + c]));
                ((square.sum::<u32>() + OVERSAMPLING * OVERSAMPLING / 2) / (OVERSAMPLING * OVERSAMPLING)) as u8
            };
            (0..width * 3).map(|i| mean(i / 3, i % 3)).collect()
        })
        .collect();
    rows.concat()
}

fn encode(pixels: &[u8], (width, height): (u32, u32)) -> std::result::Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(file)
}
