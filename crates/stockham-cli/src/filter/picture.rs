//! Pictures under a Gaussian.

use std::io::Write;

use image::Rgba32FImage;
use serde::Serialize;
use stockham::signal::{Convolver, Mode, next_fast_len};
use stockham::{Device, Kind};

use crate::error::Result;
use crate::origin::Origin;
use crate::pixels::{self, COLOURS};
use crate::progress::Stages;
use crate::{input, memory};

use super::Args;

/// Standard deviations from its middle on a Gaussian ends, as SciPy's does.
const REACH: f64 = 4.0;

/// What is told of a filtered picture.
#[derive(Serialize)]
struct Record {
    origin: Origin,
    width: usize,
    height: usize,
    sigma: f64,
    sharpened: bool,
    /// Values beyond black and white, which became that.
    clipped: usize,
}

/// Blurs a picture, or sharpens it.
pub fn run(args: &Args, sigma: f64, sharpens: bool, out: &mut dyn Write) -> Result<()> {
    pixels::check_name(&args.output)?;
    let stages = Stages::new(3);
    stages.next("reading");
    let bytes = input::read(&args.input)?;
    let (width, height) = pixels::size(&bytes).map_err(|why| input::fault(&args.input, why))?;
    let reach = (REACH * sigma).round().min(f64::from(u32::MAX)) as usize;
    let device = args.device.open()?;
    stages.aside(|| memory::require(host_bytes(&device, width, height, reach), out))?;
    let image = image::load_from_memory(&bytes).map_err(|why| input::fault(&args.input, why))?;
    drop(bytes);
    stages.next("filtering");
    let color = image.color();
    let mut pixels = image.into_rgba32f();
    let mut convolver = convolver(&device, width, height, sigma, reach, sharpens)?;
    // Grey is the same in all.
    let colours = if color.has_color() { COLOURS } else { 1 };
    let mut clipped = 0;
    for colour in 0..colours {
        let filtered = convolver.apply(&mirrored(&pixels, colour, reach))?;
        for (pixel, value) in pixels.pixels_mut().zip(filtered) {
            // Less than half of the least step that files have is no clipping.
            clipped += usize::from(!(-1e-6..=1.0 + 1e-6).contains(&value));
            let same = if colours == 1 { 0..COLOURS } else { colour..colour + 1 };
            same.for_each(|colour| pixel.0[colour] = value.clamp(0.0, 1.0));
        }
    }
    stages.next("writing");
    pixels::write(&args.output, pixels.into(), color)?;
    let (info, what) = (device.info(), if sharpens { "sharpened" } else { "blurred" });
    writeln!(out, "{what} {width} × {height} pixels by a σ of {sigma} on {} ({})", info.id, info.name)?;
    if clipped > 0 {
        writeln!(out, "clipped {clipped} values beyond black or white")?;
    }
    let origin = Origin::of(&device);
    args.record.file().finish(&Record { origin, width, height, sigma, sharpened: sharpens, clipped })
}

/// A picture of four floats a pixel and its file, and one colour on its way, on the device with spectra and workspace.
fn host_bytes(device: &Device, width: usize, height: usize, reach: usize) -> usize {
    let along = |n: usize, kind| next_fast_len(n.saturating_add(reach.saturating_mul(2)), kind);
    let points = along(height, Kind::Dft).saturating_mul(along(width, Kind::Real));
    let host = width.saturating_mul(height).saturating_mul(40).saturating_add(points.saturating_mul(12));
    memory::of_host(device, host, points.saturating_mul(24))
}

/// The Gaussian, or twice the picture less that, over a picture that goes on by its reach.
fn convolver(
    device: &Device,
    width: usize,
    height: usize,
    sigma: f64,
    reach: usize,
    sharpens: bool,
) -> Result<Convolver<f32>> {
    let side = 2 * reach + 1;
    let gauss = |i: usize| (-((i as f64 - reach as f64) / sigma).powi(2) / 2.0).exp();
    let sum = (0..side).map(gauss).sum::<f64>();
    let weights: Vec<f64> = (0..side).map(|i| gauss(i) / sum).collect();
    let mut kernel: Vec<f32> = weights.iter().flat_map(|y| weights.iter().map(move |x| (x * y) as f32)).collect();
    if sharpens {
        kernel.iter_mut().for_each(|x| *x = -*x);
        kernel[reach * side + reach] = (2.0 - weights[reach] * weights[reach]) as f32;
    }
    let shape = [height + 2 * reach, width + 2 * reach];
    Ok(Convolver::plan(device, shape, &kernel, [side, side], Mode::Valid)?)
}

/// One colour, that goes on beyond the edges as a mirror image, and so on.
fn mirrored(pixels: &Rgba32FImage, colour: usize, reach: usize) -> Vec<f32> {
    let [width, height] = [pixels.width(), pixels.height()].map(|n| n as usize);
    let within = move |i: usize, n: usize| {
        let i = (i as isize - reach as isize).rem_euclid(2 * n as isize) as usize;
        if i < n { i } else { 2 * n - 1 - i }
    };
    let samples = pixels.as_raw();
    let row = |y: usize| {
        let start = within(y, height) * width;
        (0..width + 2 * reach).map(move |x| samples[(start + within(x, width)) * (COLOURS + 1) + colour])
    };
    (0..height + 2 * reach).flat_map(row).collect()
}
