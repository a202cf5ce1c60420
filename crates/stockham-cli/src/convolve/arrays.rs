//! NumPy's arrays, as `scipy.signal` convolves them.

use std::io::Write;

use bytemuck::Zeroable;
use serde::Serialize;
use stockham::signal::{Convolver, Sample, next_fast_len};
use stockham::{Complex, Complex32, Complex64, Device};

use crate::elements::{Number, with_number};
use crate::error::{Error, Result};
use crate::memory;
use crate::npy::{Kind, Reader, Writer};
use crate::origin::Origin;
use crate::progress::Stages;

use super::Args;

/// What is told of a convolution.
#[derive(Serialize)]
struct Record {
    origin: Origin,
    a: Vec<usize>,
    b: Vec<usize>,
    output: Vec<usize>,
    /// The points of the transforms.
    transforms: Vec<usize>,
    kind: &'static str,
}

/// Reads, convolves and writes.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let files = [Reader::open(&args.a)?, Reader::open(&args.b)?];
    let all = |kinds: &[Kind]| files.iter().all(|file| kinds.contains(&file.header().kind));
    let is_single = all(&[Kind::F16, Kind::F32, Kind::C64]);
    let is_complex = files.iter().any(|file| matches!(file.header().kind, Kind::C64 | Kind::C128));
    match (is_complex, is_single) {
        (false, true) => convolve::<f32>(args, files, Kind::F32, out),
        (false, false) => convolve::<f64>(args, files, Kind::F64, out),
        (true, true) => convolve::<Complex32>(args, files, Kind::C64, out),
        (true, false) => convolve::<Complex64>(args, files, Kind::C128, out),
    }
}

fn convolve<T: FromParts>(args: &Args, files: [Reader; 2], kind: Kind, out: &mut dyn Write) -> Result<()> {
    let stages = Stages::new(3);
    let device = args.device.open()?;
    let [a, b] = files;
    let (shape, kernel) = (a.header().shape.clone(), b.header().shape.clone());
    let bytes = host_bytes::<T>(&device, &shape, &kernel);
    stages.aside(|| memory::require(bytes, out))?;
    stages.next("reading");
    let (a, b) = (read::<T>(a)?, read::<T>(b)?);
    stages.next("convolving");
    let mut convolver: Convolver<T> = args.convolver(&device, &shape, &b, &kernel)?;
    let result = convolver.apply(&a)?;
    stages.next("writing");
    let output = convolver.output_shape();
    let mut writer = Writer::create(&args.output, kind, &output)?;
    writer.write(bytemuck::cast_slice(&result))?;
    writer.commit()?;
    let (info, transforms) = (device.info(), convolver.transform_shape());
    let (what, by) = args.words();
    writeln!(
        out,
        "{what} {shape:?} {by} {kernel:?} to {output:?}, {} by transforms of {transforms:?} points on {} ({})",
        kind.name(),
        info.id,
        info.name
    )?;
    let origin = Origin::of(&device);
    args.record.file().finish(&Record { origin, a: shape, b: kernel, output, transforms, kind: kind.name() })
}

/// Arrays, and what is transformed: on the host twice, on the device as points, spectra and a workspace for each.
fn host_bytes<T: Sample>(device: &Device, shape: &[usize], kernel: &[usize]) -> usize {
    let values = |lengths: &[usize]| lengths.iter().fold(1usize, |values, n| values.saturating_mul(*n));
    let full = shape.iter().zip(kernel).map(|(n, k)| next_fast_len(n.saturating_add(*k), T::KIND));
    let points = full.fold(1usize, usize::saturating_mul);
    let host = values(shape).saturating_add(values(kernel)).saturating_add(points.saturating_mul(2));
    let on_device = points.saturating_mul(6).saturating_mul(size_of::<T>());
    memory::of_host(device, host.saturating_mul(size_of::<T>()), on_device)
}

/// A sample made of a complex number's parts; a real one has no use for the second.
trait FromParts: Sample {
    fn of(re: f64, im: f64) -> Self;
}

macro_rules! from_parts {
    ($($type:ty: $re:ident, $im:ident => $value:expr;)*) => {
        $(impl FromParts for $type {
            fn of($re: f64, $im: f64) -> Self {
                $value
            }
        })*
    };
}
from_parts! {
    f32: re, _im => re as f32;
    f64: re, _im => re;
    Complex32: re, im => Self::new(re as f32, im as f32);
    Complex64: re, im => Self::new(re, im);
}

/// The parts of a complex number.
trait Parts {
    fn parts(self) -> (f64, f64);
}

impl<F: Into<f64>> Parts for Complex<F> {
    fn parts(self) -> (f64, f64) {
        (self.re.into(), self.im.into())
    }
}

/// Values on their way from a file.
const CHUNK: usize = 1 << 16;

/// All numbers of a file.
fn read<T: FromParts>(mut reader: Reader) -> Result<Vec<T>> {
    let count = reader.header().shape.iter().product();
    let mut samples = Vec::new();
    samples.try_reserve_exact(count).map_err(|error| Error::Failed(error.to_string()))?;
    with_number!(reader.header().kind, N => {
        let mut numbers = vec![N::zeroed(); CHUNK.min(count)];
        while samples.len() < count {
            let numbers = &mut numbers[..CHUNK.min(count - samples.len())];
            reader.fill(bytemuck::cast_slice_mut(numbers))?;
            samples.extend(numbers.iter().map(|x| {
                let (re, im) = Number::complex(*x).parts();
                T::of(re, im)
            }));
        }
    });
    Ok(samples)
}
