//! Pictures: their spectrum in two dimensions, and the waves that stand out of it.

mod draw;
mod peaks;
mod plane;
mod raster;
mod report;

use std::io::Write;

use crate::error::{Error, Result};
use crate::origin::Origin;
use crate::output::RecordFile;
use crate::progress::Stages;
use crate::{memory, plot};

use super::Args;
use super::channel::Channel;
use super::source::Source;
use plane::Plane;
use raster::Raster;

pub use raster::is_image;

/// Analyses, prints and draws.
pub fn run(args: &Args, source: &Source, format: plot::Format, stages: &Stages, out: &mut dyn Write) -> Result<()> {
    if args.spectrogram || args.window.is_some() || args.channel != Channel::Mix {
        return Err(source.fault("is a picture, and --spectrogram, --window and --channel are for recordings"));
    }
    if format == plot::Format::Svg {
        return Err(Error::input("the spectrum of a picture is a bitmap: give the output a name that ends in .png"));
    }
    let device = args.device.open()?;
    let size = Raster::size(source)?;
    stages.aside(|| memory::require(plane::host_bytes(&device, size), out))?;
    let raster = Raster::read(source)?;
    stages.next("transforming");
    let plane = Plane::of(&device, &raster)?;
    let peaks = peaks::strongest(&plane);
    report::print(&raster, &peaks, out)?;
    stages.next("drawing");
    plot::save(&draw::draw(&raster, &plane, &peaks), format, &args.output)?;
    RecordFile(args.record.json.as_deref()).finish(&report::document(Origin::of(&device), &raster, &peaks))?;
    let info = device.info();
    writeln!(out, "\nwrote {}, transformed on {} ({})", args.output.display(), info.id, info.name)?;
    Ok(())
}
