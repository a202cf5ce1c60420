//! `stockham tune`: which choices are fastest on a device, size by size, remembered as wisdom.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;
use stockham::plan::{self, Load};
use stockham::tuning::{Outcome, Tuned};
use stockham::{Device, Transform, WISDOM_VARIABLE};

use crate::args::{AlgebraArgs, DeviceArg};
use crate::error::{Error, Result};
use crate::origin::Origin;
use crate::output::{Files, Place, RecordArgs, RecordFile};
use crate::sizes::{self, Sizes};
use crate::table::{self, Align};
use crate::wisdom_file::WisdomFile;
use crate::{memory, progress, size};

/// Measure which passes are fastest on a device, and remember them as wisdom
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    algebra: AlgebraArgs,
    #[command(flatten)]
    device: DeviceArg,
    #[command(flatten)]
    sizes: Sizes,
    /// Bytes of the batch, which must fill the device
    #[arg(long, value_name = "B", default_value = "2^30", value_parser = size::parse_positive, conflicts_with = "single")]
    bytes: usize,
    /// One transform at a time, timed launch to launch
    #[arg(long)]
    single: bool,
    /// The file of wisdom to add to; it is made if it is not there. Without it: $STOCKHAM_WISDOM, if that is set
    #[arg(long, value_name = "FILE")]
    wisdom: Option<PathBuf>,
    #[command(flatten)]
    record: RecordArgs,
}

impl Args {
    /// The files it takes. That of wisdom is added to.
    pub fn files(&self) -> Files<'_> {
        Files::default().record(&self.wisdom).record(&self.record.json)
    }
}

/// What was tried, with its times.
#[derive(Serialize)]
struct Record<'a> {
    #[serde(flatten)]
    origin: &'a Origin,
    rows: &'a [Tuned],
}

/// Tunes, prints and remembers.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let sizes = args.sizes.lengths("tune")?;
    let variable = std::env::var_os(WISDOM_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    let path = args.wisdom.clone().or_else(|| variable.clone());
    if let Some(path) = &path {
        // Named by the environment, it has not been looked at yet.
        Files::default().record([path]).record(&args.record.json).check()?;
        if !matches!(Place::of(path), Ok(Place::File(_))) {
            return Err(Error::input(format!("{} is no file to keep wisdom in", path.display())));
        }
    }
    let mut remembered = path.as_deref().map(WisdomFile::load).transpose()?;
    // A device that is opened looks for the file of the environment, which is perhaps only to be made.
    if let Some(file) = remembered.as_ref().filter(|_| variable.is_some() && variable == path) {
        file.make()?;
    }
    let device = args.device.open()?;
    let transforms: Vec<Transform> = sizes.into_iter().map(|n| transform(args, n)).collect();
    check(&transforms, &device)?;
    let longest = transforms.iter().map(|one| one.input_len().saturating_mul(one.algebra.element_bytes())).max();
    memory::require(longest.unwrap_or(0).saturating_mul(HOST_COPIES), out)?;
    tune(&device, &transforms, remembered.as_mut(), args.record.file(), out)?;
    match &remembered {
        Some(file) => writeln!(out, "\n{} choices in {}", file.wisdom().len(), file.path().display())?,
        None => writeln!(out, "\nnothing remembered: neither --wisdom nor {WISDOM_VARIABLE} names a file")?,
    }
    Ok(())
}

/// Inputs, results, and what they are compared with.
const HOST_COPIES: usize = 4;

fn transform(args: &Args, n: usize) -> Transform {
    let algebra = args.algebra.algebra();
    Transform::new(algebra, n).batch(if args.single { 1 } else { sizes::batch(algebra, n, args.bytes) })
}

/// Refuses what cannot be tuned, or could not be remembered.
fn check(transforms: &[Transform], device: &Device) -> Result<()> {
    for transform in transforms {
        plan::choose(transform, device.info())?;
        if Load::of(transform, device.info()).is_none() {
            let (n, batch) = (size::power(transform.points()), transform.batch_count());
            let id = &device.info().id;
            return Err(Error::input(format!(
                "{batch} transforms of {n} points do not fill {id}: give more --bytes, or --single"
            )));
        }
    }
    Ok(())
}

/// Tunes size by size. What was measured is printed and written at once, because tuning takes long and may be stopped.
fn tune(
    device: &Device,
    transforms: &[Transform],
    mut remembered: Option<&mut WisdomFile>,
    json: RecordFile<'_>,
    out: &mut dyn Write,
) -> Result<()> {
    if let Some(file) = &remembered {
        file.make()?;
    }
    let (origin, mut rows) = (Origin::of(device), Vec::new());
    print_heading(device, out)?;
    let bar = progress::bar(transforms.len());
    for transform in transforms {
        let n = size::power(transform.points());
        // What is shipped takes part, too, and is not written to the file unless it wins.
        let mut known = device.wisdom().clone();
        if let Some(file) = &remembered {
            known.merge(file.wisdom().clone());
        }
        let device = device.with_wisdom(known);
        let mut tell = |done, of| bar.set_message(format!("n = {n}, candidate {done} of {of}"));
        let tuned = device.tune(transform, &mut tell)?;
        if let Some(file) = &mut remembered {
            file.remember(transform, device.info(), &tuned.best)?;
        }
        rows.push(tuned);
        json.keep(&Record { origin: &origin, rows: &rows })?;
        bar.suspend(|| print(&rows[rows.len() - 1], out))?;
        bar.inc(1);
    }
    json.finish(&Record { origin: &origin, rows: &rows })
}

/// The columns of the table, wide enough for all that comes; the last may be of any width.
const COLUMNS: [(&str, usize, Align); 7] = [
    ("n", 4, Align::Right),
    ("batch", 9, Align::Right),
    ("model ÷copy", 11, Align::Right),
    ("best ÷copy", 10, Align::Right),
    ("gain", 8, Align::Right),
    ("tried", 5, Align::Right),
    ("best", 0, Align::Left),
];

fn line(cells: &[String; 7]) -> String {
    table::line(&COLUMNS.map(|(_, width, align)| (width, align)), cells)
}

fn print_heading(device: &Device, out: &mut dyn Write) -> Result<()> {
    let info = device.info();
    writeln!(out, "{} ({}), {}\n", info.id, info.name, info.driver)?;
    writeln!(out, "{}", line(&COLUMNS.map(|(name, ..)| name.to_owned())))?;
    Ok(out.flush()?)
}

/// A size's row, and what was refused or failed.
fn print(tuned: &Tuned, out: &mut dyn Write) -> Result<()> {
    let n = size::power(tuned.transform.points());
    let is_own = tuned.trials.first().is_some_and(|own| own.choice == tuned.best);
    let own = if is_own { " (the model's)" } else { "" };
    let row = line(&[
        n.clone(),
        tuned.transform.batch_count().to_string(),
        format!("{:.3}", tuned.model_ms / tuned.copy_ms),
        format!("{:.3}", tuned.best_ms / tuned.copy_ms),
        format!("{:.1} %", 100.0 * (tuned.model_ms / tuned.best_ms - 1.0)),
        tuned.trials.len().to_string(),
        format!("{}{own}", tuned.best),
    ]);
    writeln!(out, "{row}")?;
    for trial in &tuned.trials {
        match &trial.outcome {
            Outcome::Time(_) => {}
            Outcome::Wrong => writeln!(out, "n = {n}: {} gives WRONG RESULTS and was refused", trial.choice)?,
            Outcome::Failed(reason) => {
                let reason: String = reason.chars().take(200).map(|c| if c == '\n' { ' ' } else { c }).collect();
                writeln!(out, "n = {n}: {} failed: {reason}", trial.choice)?;
            }
        }
    }
    Ok(out.flush()?)
}
