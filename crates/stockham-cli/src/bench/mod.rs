//! `stockham bench`: the time of transforms, in units of the time that copying their data takes, beside a peer's.

pub mod beside;
pub mod check;
pub mod digits;
pub mod exact;
mod picture;
mod print;
pub mod row;
pub mod subject;
pub mod timing;

use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;
use stockham::{Algebra, Backend, Complex32, Complex64, Device, Goldilocks, Layout, Transform};

use crate::args::{AlgebraArgs, DeviceArg, LayoutArg};
use crate::error::{Error, Result};
use crate::origin::Origin;
use crate::peer::Peer;
use crate::sizes::Sizes;
use crate::{output, plot, progress, size};

use digits::Digits;
use row::{Bench, Row};
use subject::{Elements, Subject};

/// Time transforms against a copy of the same bytes and against a peer (cuFFT, rustfft), and check their results
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    algebra: AlgebraArgs,
    #[command(flatten)]
    device: DeviceArg,
    #[command(flatten)]
    sizes: Sizes,
    /// How the digits of a big prime's elements lie in memory
    #[arg(long, value_enum, default_value = "plain")]
    layout: LayoutArg,
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
    /// How digits lie, for algebras whose elements have some.
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<Layout>,
    peer: Option<String>,
    rows: &'a [Row],
}

/// Measures, prints, records and draws.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let format = args.plot.as_deref().map(plot::Format::of).transpose()?;
    let sizes = args.sizes.all()?;
    let algebra = args.algebra.algebra();
    let layout = args.layout.into();
    Transform::new(algebra, 1).layouts(layout, layout).validate()?;
    let device = args.device.open()?;
    let peer = Peer::find(&device, algebra);
    let info = device.info();
    writeln!(out, "{} ({}), {}, {}", info.id, info.name, info.driver, title(algebra, layout))?;
    if !device.wisdom().is_empty() {
        writeln!(out, "planned by wisdom where it knows the transform")?;
    }
    match &peer {
        Ok(peer) => writeln!(out, "compared with {}", peer.name())?,
        Err(reason) => writeln!(out, "compared with nothing: {reason}")?,
    }
    let peer = peer.as_ref().ok();
    let bench = Run { args, device: &device, peer, sizes: &sizes };
    let mut rows = Vec::new();
    let measured = match algebra {
        Algebra::ComplexF32 => bench.measure(Elements::<Complex32>::new(), &mut rows),
        Algebra::ComplexF64 => bench.measure(Elements::<Complex64>::new(), &mut rows),
        Algebra::Goldilocks => bench.measure(Elements::<Goldilocks>::new(), &mut rows),
        Algebra::BigPrime(prime) if prime.digit_bytes() == 4 => {
            bench.measure(Digits::<_, u32>::of(prime, layout), &mut rows)
        }
        Algebra::BigPrime(prime) => bench.measure(Digits::<_, u64>::of(prime, layout), &mut rows),
        Algebra::PrimeField(field) => bench.measure(Digits::<_, u64>::of(field, layout), &mut rows),
        other => Err(Error::input(format!("{} is not measured", other.name()))),
    };
    // What was measured before a failure is worth seeing.
    print::print(&rows, algebra, peer, out)?;
    out.flush()?;
    measured?;

    let name = peer.map(Peer::name);
    if let (Some(path), Some(format)) = (&args.plot, format) {
        let picture = picture::draw(&rows, info, &title(algebra, layout), name.as_deref(), args.single);
        plot::save(&picture, format, path)?;
    }
    if let Some(path) = &args.json {
        let layout = algebra.has_digits().then_some(layout);
        let document = Document { origin: Origin::of(&device), algebra, layout, peer: name, rows: &rows };
        output::write_json(path, &document)?;
    }
    let wrong: Vec<String> = rows.iter().filter(|row| !row.right).map(|row| size::power(row.n)).collect();
    if !wrong.is_empty() {
        return Err(Error::Failed(format!("WRONG RESULTS for n = {}", wrong.join(", "))));
    }
    Ok(())
}

/// What is asked for.
struct Run<'a> {
    args: &'a Args,
    device: &'a Device,
    peer: Option<&'a Peer>,
    sizes: &'a [usize],
}

impl Run<'_> {
    fn measure<S: Subject>(&self, subject: S, rows: &mut Vec<Row>) -> Result<()> {
        let default = if self.device.info().backend == Backend::Cpu { 1 << 26 } else { 1 << 30 };
        let bytes = self.args.bytes.unwrap_or(default);
        let element = self.args.algebra.algebra().element_bytes();
        let mut bench = Bench::new(self.device, self.peer, subject)?;
        let bar = progress::bar(self.sizes.len());
        for &n in self.sizes {
            bar.set_message(format!("n = {}", size::power(n)));
            let batch = if self.args.single { 1 } else { (bytes / n.saturating_mul(element).max(1)).max(1) };
            rows.push(bench.row(n, batch)?);
            bar.inc(1);
        }
        Ok(())
    }
}

/// The algebra's name, and the layout of its digits if it is not the plain one.
fn title(algebra: Algebra, layout: Layout) -> String {
    match layout {
        Layout::Plain => algebra.name().into(),
        Layout::Sliced => format!("{}, digits sliced", algebra.name()),
    }
}
