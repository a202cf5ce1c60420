//! `stockham verify`: how accurate the transforms of a device are, size by size.

use std::io::Write;

use serde::Serialize;
use stockham::accuracy::{self, ArrayRecord, CHIRP_L2_LIMIT, L2_LIMIT, LINF_LIMIT, Measured, Method, Record};
use stockham::{Algebra, Backend, Complex32, Complex64, Device, Direction, Goldilocks, Kind, Transform};

use crate::args::{AlgebraArgs, DeviceArg, KindArgs};
use crate::error::{Error, Result};
use crate::origin::Origin;
use crate::output::{Files, RecordArgs};
use crate::peer::{Peer, Work};
use crate::size::Shape;
use crate::sizes::Sizes;
use crate::table::{self, Align};
use crate::{memory, progress};

/// Measure the error of a device's transforms, in units of u·√log2 n, and hold it to limits
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    algebra: AlgebraArgs,
    #[command(flatten)]
    device: DeviceArg,
    #[command(flatten)]
    sizes: Sizes,
    #[command(flatten)]
    kind: KindArgs,
    /// Measure the inverse transform
    #[arg(long)]
    inverse: bool,
    /// The random inputs' seed
    #[arg(long, value_name = "SEED", default_value = "1")]
    seed: u64,
    #[command(flatten)]
    record: RecordArgs,
}

impl Args {
    /// The files it takes.
    pub fn files(&self) -> Files<'_> {
        Files::default().record(&self.record.json)
    }
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    origin: Origin,
    l2_limit: f64,
    linf_limit: f64,
    records: Vec<Measurement>,
    /// The peer beside it, and its records of the same sizes and inputs.
    peer: Option<String>,
    peer_records: Vec<Record>,
}

/// What was measured of a size.
#[derive(Serialize)]
#[serde(untagged)]
enum Measurement {
    /// The DFT of elements along one dimension.
    Line(Record),
    /// Of several, or of real numbers.
    Array(ArrayRecord),
}

impl Measurement {
    fn passes(&self) -> bool {
        match self {
            Self::Line(record) => record.passes(),
            Self::Array(record) => record.passes(),
        }
    }

    /// The size, how it was checked, the outputs that were, and the errors.
    fn cells(&self) -> [String; 5] {
        let (shape, method, outputs, errors, exact) = match self {
            Self::Line(r) => (Shape::from(r.n), r.method, r.outputs, [r.l2_units, r.linf_units], r.exact),
            Self::Array(r) => (Shape::of(&r.shape), Method::Reference, r.outputs, [r.l2_units, r.linf_units], r.exact),
        };
        let method = match method {
            Method::Reference => "reference",
            Method::SelfTest => "self-test and samples",
        };
        let is_right = exact && errors[0] == 0.0;
        let [l2, linf] = errors.map(|error| if is_right { "exact".to_owned() } else { format!("{error:.3}") });
        [shape.to_string(), method.into(), outputs.to_string(), l2, linf]
    }
}

/// Vectors as long as the transform that are on the host at a time: inputs and results of three runs, and one in twice
/// the precision.
const HOST_VECTORS: usize = 9;
/// On the device, its workspace included.
const DEVICE_VECTORS: usize = 3;
/// Short transforms are repeated until there are so many points.
const LEAST_POINTS: usize = 1 << 12;

/// Measures, prints and judges.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let sizes = args.sizes.all()?;
    let device = args.device.open()?;
    let algebra = args.algebra.algebra();
    // cuFFT's errors stand beside ours where it is there; rustfft is what the CPU device itself computes with.
    let is_plain = sizes.iter().all(Shape::is_line) && args.kind.kind() == Kind::Dft && !args.inverse;
    let peer = Some(&device).filter(|d| d.info().backend == Backend::Cuda && is_plain);
    let peer = peer.and_then(|device| Peer::find(device, algebra).ok());
    let measure = match algebra {
        Algebra::ComplexF32 => measure::<Complex32>,
        Algebra::ComplexF64 => measure::<Complex64>,
        Algebra::Goldilocks => measure::<Goldilocks>,
        other => {
            let name = other.given();
            return Err(Error::input(format!("transforms over {name} are checked by `stockham bench --field {name}`")));
        }
    };
    let longest = sizes.iter().map(Shape::points).max().unwrap_or(0);
    let longest = longest.max(LEAST_POINTS).saturating_mul(algebra.element_bytes());
    let (host, on_device) = (longest.saturating_mul(HOST_VECTORS), longest.saturating_mul(DEVICE_VECTORS));
    memory::require(memory::of_host(&device, host, on_device), out)?;
    let mut document = Document {
        origin: Origin::of(&device),
        l2_limit: L2_LIMIT,
        linf_limit: LINF_LIMIT,
        records: Vec::new(),
        peer: peer.as_ref().map(Peer::name),
        peer_records: Vec::new(),
    };
    let file = args.record.file();
    print_heading(&document, algebra, &device, out)?;
    let bar = progress::bar(sizes.len());
    for shape in sizes {
        bar.set_message(format!("n = {shape}"));
        measure(args, &device, peer.as_ref(), &shape, &mut document)?;
        file.keep(&document)?;
        bar.suspend(|| print_row(&document, out))?;
        bar.inc(1);
    }
    file.finish(&document)?;
    let (records, failed) = (&document.records, document.records.iter().filter(|record| !record.passes()).count());
    if failed > 0 {
        return Err(Error::Failed(format!("{failed} of {} sizes are outside the limits", records.len())));
    }
    Ok(())
}

fn measure<T: Verified>(
    args: &Args,
    device: &Device,
    peer: Option<&Peer>,
    shape: &Shape,
    document: &mut Document,
) -> Result<()> {
    let direction = if args.inverse { Direction::Inverse } else { Direction::Forward };
    let measurement = match (shape.lengths(), args.kind.kind()) {
        (&[n], Kind::Dft) => Measurement::Line(accuracy::measure::<T>(device, n, direction, args.seed)?),
        (lengths, Kind::Dft) => {
            Measurement::Array(accuracy::measure_array::<T>(device, lengths, direction, args.seed)?)
        }
        (lengths, kind) => Measurement::Array(T::measure_reals(device, kind, lengths, direction, args.seed)?),
    };
    document.records.push(measurement);
    if let (Some(peer), &[n]) = (peer, shape.lengths()) {
        let run = |x: &[T]| run_peer(device, peer, n, x);
        document.peer_records.push(accuracy::check(run, n, direction, args.seed)?);
    }
    Ok(())
}

/// Elements, some of which are made of real numbers.
trait Verified: Measured {
    fn measure_reals(
        device: &Device,
        kind: Kind,
        lengths: &[usize],
        direction: Direction,
        seed: u64,
    ) -> stockham::Result<ArrayRecord>;
}

macro_rules! verified {
    ($type:ty, $measure:expr) => {
        impl Verified for $type {
            fn measure_reals(
                device: &Device,
                kind: Kind,
                lengths: &[usize],
                direction: Direction,
                seed: u64,
            ) -> stockham::Result<ArrayRecord> {
                $measure(device, kind, lengths, direction, seed)
            }
        }
    };
}

verified!(Complex32, accuracy::measure_reals::<Complex32>);
verified!(Complex64, accuracy::measure_reals::<Complex64>);
verified!(Goldilocks, |_, _, _, _, _| Err(stockham::Error::InvalidTransform("a field has no real numbers".into())));

/// The peer's transforms of the vectors in `x`.
fn run_peer<T: Measured>(device: &Device, peer: &Peer, n: usize, x: &[T]) -> stockham::Result<Vec<T>> {
    let (input, mut output) = (device.upload(x)?, device.alloc(x.len())?);
    let stream = device.default_stream();
    let failed = |error: Error| stockham::Error::Unsupported { what: peer.name(), reason: error.to_string() };
    let transform = &Transform::new(T::ALGEBRA, n).batch(x.len() / n);
    let work = Work { stream, transform, host: x, input: &input, output: &mut output };
    let mut transformer = peer.prepare(work).map_err(failed)?;
    transformer.submit().map_err(failed)?;
    stream.synchronize()?;
    transformer.outputs(0..x.len()).map_err(failed)
}

/// The columns of the table, wide enough for all that comes; there is one more with a peer.
const COLUMNS: [(&str, usize, Align); 6] = [
    ("n", 9, Align::Right),
    ("method", 21, Align::Left),
    ("outputs", 8, Align::Right),
    ("L2", 6, Align::Right),
    ("Linf", 6, Align::Right),
    ("", 4, Align::Left),
];

fn line(cells: &[String]) -> String {
    let peer = (0, Align::Right);
    let columns: Vec<_> = COLUMNS.iter().map(|(_, width, align)| (*width, *align)).chain([peer]).collect();
    table::line(&columns[..cells.len()], cells)
}

fn print_heading(document: &Document, algebra: Algebra, device: &Device, out: &mut dyn Write) -> Result<()> {
    let info = device.info();
    let (id, name) = (&info.id, &info.name);
    if algebra.unit_roundoff().is_none() {
        writeln!(out, "{id} ({name}): every output must be exact; L2 is the root of the share that is wrong\n")?;
    } else {
        let l2 = format!("{L2_LIMIT:.1} (L2; {CHIRP_L2_LIMIT:.1} of lengths with prime factors above 31)");
        let limits = format!("limits {l2} and {LINF_LIMIT:.1} (Linf)");
        writeln!(out, "{id} ({name}): relative errors in units of u·√log2 n, {limits}\n")?;
    }
    let mut titles: Vec<String> = COLUMNS.iter().map(|(name, ..)| (*name).to_owned()).collect();
    titles.extend(document.peer.as_ref().map(|name| format!("{name} L2")));
    writeln!(out, "{}", line(&titles))?;
    Ok(out.flush()?)
}

/// The row of what was measured last.
fn print_row(document: &Document, out: &mut dyn Write) -> Result<()> {
    let Some(record) = document.records.last() else { return Ok(()) };
    let verdict = if record.passes() { "pass" } else { "FAIL" };
    let mut row: Vec<String> = record.cells().into_iter().chain([verdict.to_owned()]).collect();
    row.extend(document.peer_records.last().map(|record| format!("{:.3}", record.l2_units)));
    writeln!(out, "{}", line(&row))?;
    Ok(out.flush()?)
}
