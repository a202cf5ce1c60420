//! Times of transforms by choices of passes made by hand, for those who look for better ones than the planner's.
//!
//! `cargo run --release -p stockham --example choice_times -- [DEVICE [BYTES]] < CASES`, where each line of CASES is `f16|f32|f64 N CHOICE`, with
//! `real` or `real inverse` before N for half spectra of f32 and f64, and `-` as the choice for the planner's own. Numbers of f16 are
//! those of memory, on both sides; they are computed with as f32. Lines of the output have the case, the time in plain copies of the
//! larger side, and the largest error beside the CPU's of the first lines, in parts of the largest number. Kernels are compiled ahead,
//! several at a time.

use std::io::BufRead;

use half::f16;
use rayon::prelude::*;
use stockham::accuracy::random;
use stockham::plan::Choice;
use stockham::timing::{Patience, measure};
use stockham::{
    Access, Algebra, Buffer, Complex32, Complex64, Data, Device, Direction, Error, Executable, Format, Kind, Result,
    Transform,
};

/// Bytes of the larger side, unless they are given.
const BYTES: usize = 1 << 27;

/// Lines that are checked.
const CHECKED: usize = 3;

fn main() -> Result<()> {
    let device = std::env::args().nth(1).map_or_else(Device::best, |name| Device::by_name(&name))?;
    println!("# {}, {}", device.info().name, device.info().driver);
    let cases: Vec<String> = std::io::stdin().lock().lines().map_while(|line| line.ok()).collect();
    let bytes: usize = std::env::args().nth(2).map_or(Ok(BYTES), |bytes| bytes.parse()).map_err(|_| {
        Error::InvalidTransform("expected the bytes of the larger side, a number, behind the device".into())
    })?;
    let planned: Vec<_> = cases.par_iter().map(|case| plan(&device, case, bytes)).collect();
    // A half spectrum of one line has a point more.
    let numbers = random::<Complex32>(bytes / size_of::<f16>() / 2 + 2, 1);
    let parts = bytemuck::cast_slice::<_, f32>(&numbers).iter().map(|&part| f16::from_f32(part)).collect();
    let mut halves = Table::<f16, f16>::new(&device, parts, |part| part)?;
    let mut singles =
        Table::<Complex32, f32>::new(&device, numbers[..bytes / size_of::<Complex32>() + 1].to_vec(), |z| z.re)?;
    let mut doubles = Table::<Complex64, f64>::new(&device, random(bytes / size_of::<Complex64>() + 1, 1), |z| z.re)?;
    for (case, planned) in cases.iter().zip(planned) {
        let row = planned.and_then(|(transform, executable)| match transform.algebra {
            Algebra::ComplexF64 => doubles.row(&transform, &executable),
            _ if transform.load != Access::default() => halves.row(&transform, &executable),
            _ => singles.row(&transform, &executable),
        });
        match row {
            Ok((copies, error)) => println!("{case}\t{copies:.3}\t{error:.1e}"),
            Err(error) => println!("{case}\t{error}"),
        }
    }
    Ok(())
}

fn plan(device: &Device, case: &str, all_bytes: usize) -> Result<(Transform, Executable)> {
    let wrong = || Error::InvalidTransform(format!("{case}: expected f16|f32|f64 [real [inverse]] N CHOICE"));
    let words: Vec<&str> = case.split_whitespace().collect();
    let [precision, flags @ .., n, choice] = &words[..] else { return Err(wrong()) };
    let algebra = match *precision {
        "f16" | "f32" => Algebra::ComplexF32,
        "f64" => Algebra::ComplexF64,
        _ => return Err(wrong()),
    };
    let n: usize = n.parse().map_err(|_| wrong())?;
    let transform = match flags {
        [] => Transform::new(algebra, n),
        ["real"] => Transform::real(algebra, n),
        ["real", "inverse"] => Transform::real(algebra, n).inverse(),
        _ => return Err(wrong()),
    };
    let numbers = if flags.is_empty() { n } else { n / 2 + 1 };
    let (transform, bytes) = match *precision {
        "f16" => {
            let halves = || Access::default().format(Format::F16.complex());
            (transform.with_load(halves()).with_store(halves()), 2 * size_of::<f16>())
        }
        _ => (transform, algebra.element_bytes()),
    };
    let transform = transform.batch((all_bytes / bytes / numbers.max(1)).max(1));
    let executable = match *choice {
        "-" => device.plan(&transform)?,
        choice => device.prepare(choice.parse::<Choice>()?.realise(&transform, device.info())?)?,
    };
    Ok((transform, executable))
}

/// Numbers of a type, as many as fit, on the host and as the input and the output of rows.
struct Numbers<T: Data> {
    host: Vec<T>,
    input: Buffer<T>,
    output: Buffer<T>,
}

impl<T: Data> Numbers<T> {
    fn new(device: &Device, host: Vec<T>) -> Result<Self> {
        Ok(Self { input: device.upload(&host)?, output: device.alloc(host.len())?, host })
    }
}

/// The rows of a precision.
struct Table<T: Data, F: Data> {
    device: Device,
    complex: Numbers<T>,
    real: Numbers<F>,
    /// Milliseconds that a plain copy of a byte of them takes.
    copy: f64,
}

impl<T: Data, F: Data + Into<f64>> Table<T, F> {
    fn new(device: &Device, complex: Vec<T>, real_part: impl Fn(T) -> F) -> Result<Self> {
        let real = complex.iter().chain(&complex).map(|z| real_part(*z)).collect();
        let (mut complex, real) = (Numbers::new(device, complex)?, Numbers::new(device, real)?);
        let stream = device.new_stream()?;
        let Numbers { input, output, .. } = &mut complex;
        let copy = measure(Patience::FIGURE, &stream, &mut || output.copy_from(&stream, input))?;
        let copy = copy / (complex.host.len() * size_of::<T>()) as f64;
        Ok(Self { device: device.clone(), complex, real, copy })
    }

    fn row(&mut self, transform: &Transform, executable: &Executable) -> Result<(f64, f64)> {
        let Self { device, complex, real, copy } = self;
        let (ms, bytes, error) = match (transform.kind, transform.direction) {
            (Kind::Dft, _) => {
                time::<_, _, F>(device, transform, executable, (&complex.host, &complex.input), &mut complex.output)
            }
            (_, Direction::Forward) => {
                time::<_, _, F>(device, transform, executable, (&real.host, &real.input), &mut complex.output)
            }
            _ => time::<_, _, F>(device, transform, executable, (&complex.host, &complex.input), &mut real.output),
        }?;
        Ok((ms / *copy / bytes as f64, error))
    }
}

/// The milliseconds, the bytes of the larger side, and the largest error.
fn time<I: Data, O: Data, F: Data + Into<f64>>(
    device: &Device,
    transform: &Transform,
    executable: &Executable,
    (host, input): (&[I], &Buffer<I>),
    output: &mut Buffer<O>,
) -> Result<(f64, usize, f64)> {
    // Complex numbers of f16 are two values each.
    let values = if size_of::<I>() == size_of::<f16>() { 2 } else { 1 };
    let few = transform.clone().batch(CHECKED.min(transform.batch_count()));
    let [lens, few_lens] = [transform, &few].map(|t| [t.input_len() * values, t.output_len() * values]);
    let stream = device.new_stream()?;
    let mut workspace =
        device.alloc::<I>(executable.workspace_len() * transform.algebra.element_bytes() / size_of::<I>())?;
    let mut run = || executable.run_on(&stream, input.slice(..lens[0])?, output.slice_mut(..lens[1])?, &mut workspace);
    let ms = measure(Patience::FIGURE, &stream, &mut run)?;
    let cpu = Device::cpu();
    let mut expected = cpu.alloc::<O>(few_lens[1])?;
    cpu.plan(&few)?.run(&cpu.upload(&host[..few_lens[0]])?, &mut expected)?;
    let error = farthest::<O, F>(&output.slice(..few_lens[1])?.to_vec()?, &expected.to_vec()?);
    let bytes = (lens[0] * size_of::<I>()).max(lens[1] * size_of::<O>());
    Ok((ms, bytes, error))
}

/// The largest difference of two lists of numbers whose parts are of a type, in parts of the largest one.
fn farthest<O: Data, F: Data + Into<f64>>(ours: &[O], expected: &[O]) -> f64 {
    let parts = |x| bytemuck::cast_slice::<O, F>(x).iter().map(|&part| part.into());
    let most = parts(expected).fold(f64::MIN_POSITIVE, |most: f64, y: f64| most.max(y.abs()));
    parts(ours).zip(parts(expected)).fold(0.0, |far: f64, (a, b): (f64, f64)| far.max((a - b).abs())) / most
}
