//! `stockham tune`: which choices are fastest on a device, size by size, remembered as wisdom.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use stockham::plan::{self, Load, Wisdom};
use stockham::tuning::{Outcome, Tuned};
use stockham::{Device, Transform, WISDOM_VARIABLE};

use crate::args::{AlgebraArgs, DeviceArg};
use crate::error::{Error, Result};
use crate::origin::Origin;
use crate::output::{self, OutputFile};
use crate::sizes::{self, Sizes};
use crate::table::{self, Align};
use crate::{progress, size};

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
    /// Write everything that was tried, with its times, as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
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
    let sizes = args.sizes.all()?;
    let variable = std::env::var_os(WISDOM_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    let path = args.wisdom.clone().or_else(|| variable.clone());
    if path.is_some() && args.json == path {
        return Err(Error::input("--json names the file of wisdom"));
    }
    let mut wisdom = path.as_deref().map(load).transpose()?.unwrap_or_default();
    // A device that is opened looks for the file of the environment, which is perhaps only to be made.
    if let Some(path) = path.as_deref().filter(|path| variable.as_deref() == Some(path)) {
        wisdom.save(path)?;
    }
    let device = args.device.open()?;
    let transforms: Vec<Transform> = sizes.into_iter().map(|n| transform(args, n)).collect();
    check(&transforms, &device)?;
    tune(&device, &transforms, path.as_deref(), args.json.as_deref(), &mut wisdom, out)?;
    match &path {
        Some(path) => writeln!(out, "\n{} choices in {}", wisdom.len(), path.display())?,
        None => writeln!(out, "\nnothing remembered: neither --wisdom nor {WISDOM_VARIABLE} names a file")?,
    }
    Ok(())
}

/// What the file knows: nothing if it is not there yet.
fn load(path: &Path) -> Result<Wisdom> {
    if path.try_exists().map_err(Error::read(path))? { Ok(Wisdom::load(path)?) } else { Ok(Wisdom::default()) }
}

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
    path: Option<&Path>,
    json: Option<&Path>,
    wisdom: &mut Wisdom,
    out: &mut dyn Write,
) -> Result<()> {
    // What cannot be written is told before anything takes long; an older record stays until there is something to write.
    json.map(OutputFile::create).transpose()?;
    path.map(|path| wisdom.save(path)).transpose()?;
    let (origin, mut rows) = (Origin::of(device), Vec::new());
    print_heading(device, out)?;
    let bar = progress::bar(transforms.len());
    for transform in transforms {
        let n = size::power(transform.points());
        // What is shipped takes part, too, and is not written to the file unless it wins.
        let mut known = device.wisdom().clone();
        known.merge(wisdom.clone());
        let device = device.with_wisdom(known);
        let mut tell = |done, of| bar.set_message(format!("n = {n}, candidate {done} of {of}"));
        let tuned = device.tune(transform, &mut tell)?;
        wisdom.insert(transform, device.info(), tuned.best.clone());
        rows.push(tuned);
        path.map(|path| wisdom.save(path)).transpose()?;
        json.map(|path| output::write_json(path, &Record { origin: &origin, rows: &rows })).transpose()?;
        bar.suspend(|| print(&rows[rows.len() - 1], out))?;
        bar.inc(1);
    }
    Ok(())
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
