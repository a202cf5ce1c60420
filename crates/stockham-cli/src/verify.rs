//! `stockham verify`: how accurate the transforms of a device are, size by size.

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;
use stockham::accuracy::{self, L2_LIMIT, LINF_LIMIT, Measured, Method, Record};
use stockham::{Algebra, Backend, Complex32, Complex64, Device, Direction, Goldilocks};

use crate::args::{AlgebraArgs, DeviceArg};
use crate::error::{Error, Result};
use crate::origin::Origin;
use crate::peer::{Peer, Work};
use crate::sizes::Sizes;
use crate::table::{Align, Table};
use crate::{output, progress, size};

/// Measure the error of a device's transforms, in units of u·√log2 n, and hold it to limits
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    algebra: AlgebraArgs,
    #[command(flatten)]
    device: DeviceArg,
    #[command(flatten)]
    sizes: Sizes,
    /// Measure the inverse transform
    #[arg(long)]
    inverse: bool,
    /// The random inputs' seed
    #[arg(long, value_name = "SEED", default_value = "1")]
    seed: u64,
    /// Write the record as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    origin: Origin,
    l2_limit: f64,
    linf_limit: f64,
    records: Vec<Record>,
    /// The peer beside it, and its records of the same sizes and inputs.
    peer: Option<String>,
    peer_records: Vec<Record>,
}

/// The device's records and the peer's.
type Records = (Vec<Record>, Vec<Record>);

/// Measures, prints and judges.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let sizes = args.sizes.all()?;
    let device = args.device.open()?;
    let algebra = args.algebra.algebra();
    // cuFFT's errors stand beside ours where it is there; rustfft is what the CPU device itself computes with.
    let peer = Some(&device).filter(|d| d.info().backend == Backend::Cuda && !args.inverse);
    let peer = peer.and_then(|device| Peer::find(device, algebra).ok());
    let (records, peer_records) = match algebra {
        Algebra::ComplexF32 => measure::<Complex32>(args, &device, peer.as_ref(), &sizes),
        Algebra::ComplexF64 => measure::<Complex64>(args, &device, peer.as_ref(), &sizes),
        Algebra::Goldilocks => measure::<Goldilocks>(args, &device, peer.as_ref(), &sizes),
        other => {
            let name = other.name();
            Err(Error::input(format!("transforms over {name} are checked by `stockham bench --field {name}`")))
        }
    }?;
    let peer = peer.map(|peer| peer.name());
    print(&records, peer.as_deref().map(|name| (name, &peer_records[..])), &device, out)?;
    let failed = records.iter().filter(|record| !record.passes()).count();
    let total = records.len();
    if let Some(path) = &args.json {
        let origin = Origin::of(&device);
        let document = Document { origin, l2_limit: L2_LIMIT, linf_limit: LINF_LIMIT, records, peer, peer_records };
        output::write_json(path, &document)?;
    }
    if failed > 0 {
        out.flush()?;
        return Err(Error::Failed(format!("{failed} of {total} sizes are outside the limits")));
    }
    Ok(())
}

fn measure<T: Measured>(args: &Args, device: &Device, peer: Option<&Peer>, sizes: &[usize]) -> Result<Records> {
    let direction = if args.inverse { Direction::Inverse } else { Direction::Forward };
    let bar = progress::bar(sizes.len());
    let (mut records, mut peers) = (Vec::new(), Vec::new());
    for &n in sizes {
        bar.set_message(format!("n = {}", size::power(n)));
        records.push(accuracy::measure::<T>(device, n, direction, args.seed)?);
        if let Some(peer) = peer {
            let run = |x: &[T]| run_peer(device, peer, n, x);
            peers.push(accuracy::check(run, n, direction, args.seed)?);
        }
        bar.inc(1);
    }
    Ok((records, peers))
}

/// The peer's transforms of the vectors in `x`.
fn run_peer<T: Measured>(device: &Device, peer: &Peer, n: usize, x: &[T]) -> stockham::Result<Vec<T>> {
    let (input, mut output) = (device.upload(x)?, device.alloc(x.len())?);
    let stream = device.default_stream();
    let failed = |error: Error| stockham::Error::Unsupported { what: peer.name(), reason: error.to_string() };
    let work = Work { stream, host: x, input: &input, output: &mut output, n };
    let mut transformer = peer.prepare(work).map_err(failed)?;
    transformer.submit().map_err(failed)?;
    stream.synchronize()?;
    transformer.outputs(0..x.len()).map_err(failed)
}

fn print(records: &[Record], peer: Option<(&str, &[Record])>, device: &Device, out: &mut dyn Write) -> Result<()> {
    let exact = records.first().is_some_and(|record| record.exact);
    if exact {
        writeln!(out, "{}: every output must be exact; L2 is the root of the share that is wrong\n", device.info().id)?;
    } else {
        let limits = format!("limits {L2_LIMIT:.1} (L2) and {LINF_LIMIT:.1} (Linf)");
        writeln!(out, "{}: relative errors in units of u·√log2 n, {limits}\n", device.info().id)?;
    }
    let peer_title = peer.map(|(name, _)| format!("{name} L2"));
    let mut columns = vec![
        ("n", Align::Right),
        ("method", Align::Left),
        ("outputs", Align::Right),
        ("L2", Align::Right),
        ("Linf", Align::Right),
        ("", Align::Left),
    ];
    columns.extend(peer_title.as_deref().map(|title| (title, Align::Right)));
    let mut table = Table::new(&columns);
    for (i, record) in records.iter().enumerate() {
        let method = match record.method {
            Method::Reference => "reference",
            Method::SelfTest => "self-test and samples",
        };
        let (l2, linf) = if exact && record.l2_units == 0.0 {
            ("exact".to_owned(), "exact".to_owned())
        } else {
            (format!("{:.3}", record.l2_units), format!("{:.3}", record.linf_units))
        };
        let verdict = if record.passes() { "pass" } else { "FAIL" };
        let outputs = record.outputs.to_string();
        let mut row = vec![size::power(record.n), method.to_owned(), outputs, l2, linf, verdict.to_owned()];
        row.extend(peer.map(|(_, records)| format!("{:.3}", records[i].l2_units)));
        table.row(row);
    }
    table.print(out)?;
    Ok(())
}
