//! `stockham bench`: the time of transforms, in units of the time that copying their data takes, beside a peer's.

mod check;
mod picture;
pub mod row;
pub mod timing;

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;
use stockham::accuracy::Measured;
use stockham::{Algebra, Backend, Complex32, Complex64, Device, Goldilocks};

use crate::args::{AlgebraArgs, DeviceArg};
use crate::error::{Error, Result};
use crate::origin::Origin;
use crate::peer::Peer;
use crate::sizes::Sizes;
use crate::table::{Align, Table};
use crate::{output, plot, progress, size};

use row::{Bench, Row};

/// Time transforms against a copy of the same bytes and against a peer (cuFFT, rustfft), and check their results
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    algebra: AlgebraArgs,
    #[command(flatten)]
    device: DeviceArg,
    #[command(flatten)]
    sizes: Sizes,
    /// Bytes of the batch: 2^30, 64MiB. Without it: 2^30 on GPUs, 2^26 on the CPU
    #[arg(long, value_name = "B", value_parser = size::parse_positive, conflicts_with = "single")]
    bytes: Option<usize>,
    /// One transform at a time, timed launch to launch
    #[arg(long)]
    single: bool,
    /// Write the record as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw the record (.png or .svg)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    origin: Origin,
    algebra: Algebra,
    peer: Option<String>,
    rows: &'a [Row],
}

/// Measures, prints, records and draws.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let format = args.plot.as_deref().map(plot::Format::of).transpose()?;
    let sizes = args.sizes.all()?;
    let device = args.device.open()?;
    let algebra = args.algebra.algebra();
    let peer = Peer::find(&device, algebra);
    let info = device.info();
    writeln!(out, "{} ({}), {}, {}", info.id, info.name, info.driver, algebra.name())?;
    match &peer {
        Ok(peer) => writeln!(out, "compared with {}", peer.name())?,
        Err(reason) => writeln!(out, "compared with nothing: {reason}")?,
    }
    let peer = peer.ok();
    let mut rows = Vec::new();
    let measured = match algebra {
        Algebra::ComplexF32 => measure::<Complex32>(args, &device, peer.as_ref(), &sizes, &mut rows),
        Algebra::ComplexF64 => measure::<Complex64>(args, &device, peer.as_ref(), &sizes, &mut rows),
        Algebra::Goldilocks => measure::<Goldilocks>(args, &device, peer.as_ref(), &sizes, &mut rows),
        other => Err(Error::input(format!("{} is not measured", other.name()))),
    };
    // What was measured before a failure is worth seeing.
    print(&rows, algebra, peer.as_ref(), out)?;
    out.flush()?;
    measured?;

    let name = peer.as_ref().map(Peer::name);
    if let (Some(path), Some(format)) = (&args.plot, format) {
        let picture = picture::draw(&rows, info, algebra, name.as_deref(), args.single);
        plot::save(&picture, format, path)?;
    }
    if let Some(path) = &args.json {
        output::write_json(path, &Document { origin: Origin::of(&device), algebra, peer: name, rows: &rows })?;
    }
    let wrong: Vec<String> = rows.iter().filter(|row| !row.right).map(|row| size::power(row.n)).collect();
    if !wrong.is_empty() {
        return Err(Error::Failed(format!("WRONG RESULTS for n = {}", wrong.join(", "))));
    }
    Ok(())
}

fn measure<T: Measured>(
    args: &Args,
    device: &Device,
    peer: Option<&Peer>,
    sizes: &[usize],
    rows: &mut Vec<Row>,
) -> Result<()> {
    let default = if device.info().backend == Backend::Cpu { 1 << 26 } else { 1 << 30 };
    let bytes = args.bytes.unwrap_or(default);
    let mut bench = Bench::<T>::new(device, peer)?;
    let bar = progress::bar(sizes.len());
    for &n in sizes {
        bar.set_message(format!("n = {}", size::power(n)));
        let batch = if args.single { 1 } else { (bytes / n.saturating_mul(size_of::<T>()).max(1)).max(1) };
        rows.push(bench.row(n, batch)?);
        bar.inc(1);
    }
    Ok(())
}

fn print(rows: &[Row], algebra: Algebra, peer: Option<&Peer>, out: &mut dyn Write) -> Result<()> {
    // Over a field an operation has no agreed count; elements have.
    let rate = if algebra.unit_roundoff().is_some() { "GFLOP/s" } else { "Gelem/s" };
    let name = peer.map_or("peer".into(), Peer::name);
    let (peer_copy, speed) = (format!("{name} ÷copy"), format!("speed ÷{name}"));
    let mut columns = vec!["n", "batch", "time", "÷copy", rate];
    if peer.is_some() {
        columns.extend([peer_copy.as_str(), speed.as_str()]);
    }
    columns.push("L2 error");
    let mut table = Table::new(&columns.iter().map(|name| (*name, Align::Right)).collect::<Vec<_>>());
    for row in rows {
        let mut cells = vec![
            size::power(row.n),
            row.batch.to_string(),
            duration(row.ms),
            format!("{:.3}", row.ms / row.copy_ms),
            format!("{:.3}", row.rate(algebra)),
        ];
        if peer.is_some() {
            cells.push(row.peer_ms.map_or("-".into(), |ms| format!("{:.3}", ms / row.copy_ms)));
            cells.push(row.peer_ms.map_or("-".into(), |ms| format!("{:.3}", ms / row.ms)));
        }
        cells.push(match (row.right, row.l2_error) {
            (true, 0.0) => "exact".into(),
            (true, error) => format!("{error:.1e}"),
            (false, error) => format!("{error:.1e} WRONG"),
        });
        table.row(cells);
    }
    writeln!(out)?;
    table.print(out)?;
    for row in rows {
        if let Some(note) = &row.note {
            writeln!(out, "n = {}: {note}", size::power(row.n))?;
        }
    }
    Ok(())
}

/// Three or four digits with a unit.
fn duration(ms: f64) -> String {
    match ms {
        ms if ms < 1.0 => format!("{:.2} µs", ms * 1e3),
        ms if ms < 1e3 => format!("{ms:.3} ms"),
        ms => format!("{:.3} s", ms / 1e3),
    }
}
