//! Pictures, colour by colour.

use std::io::Write;

use image::{ColorType, DynamicImage, Rgba32FImage};
use serde::Serialize;
use stockham::signal::next_fast_len;
use stockham::{Device, Kind};

use crate::error::{Error, Result};
use crate::origin::Origin;
use crate::pixels::{self, COLOURS};
use crate::progress::Stages;
use crate::{input, memory};

use super::{Args, Mode};

/// What is told of a convolved picture.
#[derive(Serialize)]
struct Record {
    origin: Origin,
    /// Width and height, here and below.
    a: [usize; 2],
    b: [usize; 2],
    output: [usize; 2],
    /// Values beyond black and white, which became that.
    clipped: usize,
}

/// A picture on its way.
struct Pixels {
    width: usize,
    height: usize,
    color: ColorType,
    values: Rgba32FImage,
}

impl Pixels {
    /// The values of a colour, row by row.
    fn plane(&self, colour: usize) -> Vec<f32> {
        self.values.pixels().map(|pixel| pixel.0[colour]).collect()
    }
}

/// Convolves a picture by another.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    pixels::check_name(&args.output)?;
    let stages = Stages::new(3);
    stages.next("reading");
    let files = [input::read(&args.a)?, input::read(&args.b)?];
    let paths = [&args.a, &args.b];
    let size = |i: usize| pixels::size(&files[i]).map_err(|why| input::fault(paths[i], why));
    let (sizes, device) = ([size(0)?, size(1)?], args.device.open()?);
    stages.aside(|| memory::require(host_bytes(&device, sizes), out))?;
    let pixels = |i: usize| {
        let image = image::load_from_memory(&files[i]).map_err(|why| input::fault(paths[i], why))?;
        let (width, height) = sizes[i];
        Ok::<_, Error>(Pixels { width, height, color: image.color(), values: image.into_rgba32f() })
    };
    let (a, b) = (pixels(0)?, pixels(1)?);
    drop(files);
    stages.next("convolving");
    // Grey is the same in all.
    let has_color = a.color.has_color() || b.color.has_color();
    let (mut planes, mut shape) = (Vec::new(), Vec::new());
    for colour in 0..if has_color { COLOURS } else { 1 } {
        let mut kernel = b.plane(colour);
        args.normalized(&mut kernel)?;
        let mut convolver = args.convolver(&device, &[a.height, a.width], &kernel, &[b.height, b.width])?;
        shape = convolver.output_shape();
        planes.push(convolver.apply(&a.plane(colour))?);
    }
    stages.next("writing");
    // Where the picture is another part of the plane, nobody knows its opacity.
    let keeps_size = matches!(args.mode, Mode::Same | Mode::Circular);
    let mut clipped = 0;
    let mut result = Rgba32FImage::new(shape[1] as u32, shape[0] as u32);
    for (i, pixel) in result.pixels_mut().enumerate() {
        for colour in 0..COLOURS {
            let value = planes[colour % planes.len()][i];
            // Less than half of the least step that files have is no clipping.
            clipped += usize::from(colour < planes.len() && !(-1e-6..=1.0 + 1e-6).contains(&value));
            pixel.0[colour] = value.clamp(0.0, 1.0);
        }
        pixel.0[COLOURS] = if keeps_size { a.values.as_raw()[i * (COLOURS + 1) + COLOURS] } else { 1.0 };
    }
    let color = color_of(a.color, has_color, a.color.has_alpha() && keeps_size);
    pixels::write(&args.output, DynamicImage::from(result), color)?;
    let ((what, by), info) = (args.words(), device.info());
    let of = |size: [usize; 2]| format!("{} × {}", size[0], size[1]);
    let sizes = [[a.width, a.height], [b.width, b.height], [shape[1], shape[0]]];
    let [from, kernel, to] = sizes.map(of);
    writeln!(out, "{what} {from} pixels {by} {kernel} to {to} on {} ({})", info.id, info.name)?;
    if clipped > 0 {
        writeln!(out, "clipped {clipped} values beyond black or white")?;
    }
    let origin = Origin::of(&device);
    args.record.file().finish(&Record { origin, a: sizes[0], b: sizes[1], output: sizes[2], clipped })
}

/// Pictures of four floats a pixel and planes of them, and one colour on its way, on the device with spectra and workspace.
fn host_bytes(device: &Device, [a, b]: [(usize, usize); 2]) -> usize {
    let along = |n: usize, k: usize, kind| next_fast_len(n.saturating_add(k), kind);
    let points = along(a.1, b.1, Kind::Dft).saturating_mul(along(a.0, b.0, Kind::Real));
    let pixels = a.0.saturating_mul(a.1).saturating_add(b.0.saturating_mul(b.1));
    let host = pixels.saturating_mul(40).saturating_add(points.saturating_mul(44));
    memory::of_host(device, host, points.saturating_mul(24))
}

/// The bits of a file's colours, with colours and opacity or without.
fn color_of(file: ColorType, has_color: bool, has_alpha: bool) -> ColorType {
    let is_wide = file.bytes_per_pixel() > file.channel_count();
    match (has_color, has_alpha, is_wide) {
        (false, false, false) => ColorType::L8,
        (false, true, false) => ColorType::La8,
        (true, false, false) => ColorType::Rgb8,
        (true, true, false) => ColorType::Rgba8,
        (false, false, true) => ColorType::L16,
        (false, true, true) => ColorType::La16,
        (true, false, true) => ColorType::Rgb16,
        (true, true, true) => ColorType::Rgba16,
    }
}
