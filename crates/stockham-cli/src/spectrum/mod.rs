//! `stockham spectrum`: a recording in, a picture of its frequencies out.

mod labels;
mod peaks;
mod picture;
mod wav;
mod welch;

use std::io::Write;
use std::path::PathBuf;

use crate::args::DeviceArg;
use crate::error::{Error, Result};
use crate::plot;
use crate::table::{Align, Table};

use peaks::Peak;
use wav::Recording;
use welch::{Frames, Spectrum};

/// Draw the spectrum of a WAV recording and print its strongest peaks
#[derive(clap::Args)]
pub struct Args {
    /// The recording: PCM of 8 to 32 bits or 32-bit float, any number of channels (averaged to one)
    #[arg(value_name = "IN.wav")]
    input: PathBuf,
    /// Where the picture goes (.png, or .svg for a spectrum)
    #[arg(value_name = "OUT.png")]
    output: PathBuf,
    /// Draw time and frequency instead of the spectrum of the whole recording
    #[arg(long)]
    spectrogram: bool,
    /// Samples of a frame: more resolve frequencies better, fewer follow time better
    #[arg(long, value_name = "N", value_parser = crate::size::parse_positive)]
    window: Option<usize>,
    #[command(flatten)]
    device: DeviceArg,
}

/// How many peaks are printed and labelled.
const PEAKS: usize = 8;
/// Seconds of a frame: about 2.7 Hz apart are the frequencies of a spectrum, 11 Hz those of a spectrogram.
const SPECTRUM_SECONDS: f64 = 0.37;
const SPECTROGRAM_SECONDS: f64 = 0.093;
/// More columns than this a picture does not show.
const COLUMNS: usize = 1400;

/// Analyses, prints and draws.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let format = plot::Format::of(&args.output)?;
    if args.spectrogram && format == plot::Format::Svg {
        return Err(Error::input("a spectrogram is a bitmap: give the output a name that ends in .png"));
    }
    let recording = Recording::read(&args.input)?;
    let device = args.device.open()?;
    let whole = welch::average(&device, &recording, &frames(args, &recording, SPECTRUM_SECONDS, 2))?;
    let peaks = peaks::strongest(&whole, PEAKS);

    let name = args.input.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    writeln!(out, "{name}: {}", recording.describe())?;
    print(&whole, &peaks, out)?;

    let picture = if args.spectrogram {
        let frames = frames(args, &recording, SPECTROGRAM_SECONDS, 8);
        let image = welch::over_time(&device, &recording, &frames, COLUMNS)?;
        picture::spectrogram(&name, &recording, &image)
    } else {
        picture::spectrum(&name, &recording, &whole, &peaks)
    };
    plot::save(&picture, format, &args.output)?;
    writeln!(out, "\nwrote {}", args.output.display())?;
    Ok(())
}

fn frames(args: &Args, recording: &Recording, seconds: f64, overlap: usize) -> Frames {
    let natural = (f64::from(recording.rate) * seconds).log2().round().clamp(4.0, 24.0);
    let window = args.window.unwrap_or(1 << natural as u32).min(recording.samples.len());
    Frames { window, points: window.next_power_of_two().max(2), hop: (window / overlap).max(1) }
}

fn print(spectrum: &Spectrum, peaks: &[Peak], out: &mut dyn Write) -> Result<()> {
    writeln!(
        out,
        "{} Hann windows of {} samples averaged, {:.2} Hz between bins\n",
        spectrum.averaged, spectrum.window, spectrum.bin_hz
    )?;
    if peaks.is_empty() {
        writeln!(out, "no peak stands out")?;
        return Ok(());
    }
    writeln!(out, "strongest peaks (0 dBFS: a sine of full scale)")?;
    let mut table = Table::new(&[("Hz", Align::Right), ("dBFS", Align::Right), ("note", Align::Left)]);
    for peak in peaks {
        table.row([format!("{:.2}", peak.hz), format!("{:.1}", peak.level), peaks::note(peak.hz)]);
    }
    table.print(out)?;
    Ok(())
}

impl Args {
    /// The files it takes.
    pub fn files(&self) -> crate::output::Files<'_> {
        crate::output::Files::default().read([&self.input]).make(&self.output)
    }
}
