//! `stockham spectrum`: a recording or a picture in, a picture of its frequencies out.

pub mod channel;
mod colors;
mod compressed;
mod frequency;
mod harmonics;
mod image;
mod labels;
mod note;
mod peaks;
mod picture;
pub mod recording;
mod report;
pub mod sound;
pub mod source;
mod spectrogram;
pub mod wav;
mod welch;

use std::io::Write;
use std::path::PathBuf;

use crate::args::DeviceArg;
use crate::error::{Error, Result};
use crate::origin::Origin;
use crate::output::{Files, RecordArgs};
use crate::progress::Stages;
use crate::{memory, plot};

use channel::Channel;
use recording::Recording;
use source::Source;
use welch::Frames;

/// Draw the spectrum of a recording or of a picture and print its strongest peaks
///
/// Levels are those of sines, in dBFS: a sine of full scale has 0, of pictures one from black to white. Noise is lower by as
/// much as the bins are narrow. Pictures are grey by luminance.
#[derive(clap::Args)]
pub struct Args {
    /// The recording: WAV (8 to 32 bits, float, A-law, µ-law; also RF64 and W64), FLAC, MP3 or Ogg Vorbis; or the picture:
    /// PNG or JPEG; `-` reads it from standard input
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// Where the picture goes (.png, or .svg for a spectrum)
    #[arg(value_name = "OUT.png")]
    output: PathBuf,
    /// Which channel: mix (the average of all), left, right, or a number from 1
    #[arg(long, value_name = "C", default_value = "mix")]
    channel: Channel,
    /// Draw time and frequency instead of the spectrum of the whole recording
    #[arg(long)]
    spectrogram: bool,
    /// Samples of a frame: more resolve frequencies better, fewer follow time better. Without it: about 0.37 s for a
    /// spectrum, 0.09 s for a spectrogram
    #[arg(long, value_name = "N", value_parser = crate::size::parse_positive)]
    window: Option<usize>,
    #[command(flatten)]
    record: RecordArgs,
    #[command(flatten)]
    device: DeviceArg,
}

/// How a frame is chosen: its seconds, and the samples that it has at least, so that slow signals have frequencies, too.
struct Natural {
    seconds: f64,
    samples: f64,
}

/// About 2.7 Hz apart are the frequencies of a spectrum, 11 Hz those of a spectrogram.
const SPECTRUM: Natural = Natural { seconds: 0.37, samples: 1024.0 };
const SPECTROGRAM: Natural = Natural { seconds: 0.093, samples: 256.0 };
/// More columns than this a picture does not show.
const COLUMNS: usize = 1400;

/// Analyses, prints and draws.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let format = plot::Format::of(&args.output)?;
    if args.spectrogram && format == plot::Format::Svg {
        return Err(Error::input("a spectrogram is a bitmap: give the output a name that ends in .png"));
    }
    let stages = Stages::new(if args.spectrogram { 4 } else { 3 });
    stages.next("reading");
    let source = Source::read(&args.input)?;
    if image::is_image(&source.bytes) {
        return image::run(args, &source, format, &stages, out);
    }
    let recording = Recording::decode(source, args.channel)?;
    let device = args.device.open()?;
    let spectrum = frames(args, &recording, &SPECTRUM, 2);
    let spectrogram = args.spectrogram.then(|| frames(args, &recording, &SPECTROGRAM, 8));
    let columns = |frames: &Frames| frames.host_bytes(&device, &recording, COLUMNS);
    let image = spectrogram.as_ref().map_or(0, columns);
    let bytes = spectrum.host_bytes(&device, &recording, 1).max(image);
    stages.aside(|| memory::require(bytes, out))?;
    stages.next("transforming");
    let whole = welch::average(&device, &recording, &spectrum)?;
    let entries = report::entries(&whole);
    report::print(&recording, &whole, &entries, out)?;

    let picture = if let Some(frames) = spectrogram {
        stages.next("transforming");
        let image = welch::over_time(&device, &recording, &frames, COLUMNS)?;
        spectrogram::draw(&recording, &image, &entries)
    } else {
        picture::draw(&recording, &whole, &entries)
    };
    stages.next("drawing");
    plot::save(&picture, format, &args.output)?;
    args.record.file().finish(&report::document(Origin::of(&device), &recording, &whole, &entries))?;
    let info = device.info();
    writeln!(out, "\nwrote {}, transformed on {} ({})", args.output.display(), info.id, info.name)?;
    Ok(())
}

fn frames(args: &Args, recording: &Recording, natural: &Natural, overlap: usize) -> Frames {
    let samples = (f64::from(recording.rate) * natural.seconds).max(natural.samples);
    let window = args.window.unwrap_or(1 << samples.log2().round().min(24.0) as u32).min(recording.samples.len());
    Frames { window, points: window.next_power_of_two().max(2), hop: (window / overlap).max(1) }
}

impl Args {
    /// The files it takes.
    pub fn files(&self) -> Files<'_> {
        Files::default().read([&self.input]).make(&self.output).record(&self.record.json)
    }
}
