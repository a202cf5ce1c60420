//! Times of transforms with something done on the way, one line a case, for `scripts/fused_peers.py`, which times the same by
//! several kernels of other libraries beside them.
//!
//! `cargo run --release -p stockham --example fused_times -- [DEVICE [CASE [N [CHOICE]]]]`, for all cases or those whose name has CASE
//! in it, of all lengths or that one, by the planner's choice of passes or one made by hand.
//! Each is checked first: the lines of a small batch against the CPU's. A copy is one of as many bytes as the case reads and
//! writes, half of them each way, of numbers that look random; both take turns.

use half::{bf16, f16};
use stockham::plan::Choice;
use stockham::timing::measure_in_turns;
use stockham::{Access, Algebra, Complex32, Complex64, Data, Device, Dim, Executable, Expr, Format, Result, Transform};

const F32: Algebra = Algebra::ComplexF32;

/// Bytes of the larger side.
const BYTES: usize = 1 << 30;

/// Different numbers: lines of a power of two have none of them at the same places.
const BLOCK: usize = 1_000_003;

/// Turns of a transform and of a copy.
const ROUNDS: usize = 5;

/// Lengths of numbers of 16 bits: powers of small primes, products of many, primes of every recipe, and the largest of one tile.
const HALVES: [usize; 32] = [
    2, 3, 5, 8, 16, 17, 31, 60, 64, 97, 127, 128, 243, 256, 257, 500, 512, 625, 1000, 1001, 1009, 1024, 2048, 2187,
    2310, 3125, 4093, 4095, 4096, 6561, 8191, 8192,
];

fn main() -> Result<()> {
    let device = std::env::args().nth(1).map_or_else(Device::best, |name| Device::by_name(&name))?;
    println!("# {}, {}", device.info().name, device.info().driver);
    println!("# case\tn\tbatch\tms\tcopies\tlargest error");
    let only = std::env::args().nth(2).unwrap_or_default();
    let n = std::env::args().nth(3).and_then(|n| n.parse().ok());
    let choice = std::env::args().nth(4).map(|choice| choice.parse()).transpose()?;
    let table = Table { device, cpu: Device::cpu(), only, n, choice };
    let x = Expr::value;
    for n in [1000, 4096] {
        let bare = Transform::new(F32, n);
        let window: Vec<f64> =
            (0..n).map(|j| 0.5 - 0.5 * (std::f64::consts::TAU * j as f64 / n as f64).cos()).collect();
        let windowed = x() * Expr::along(0, &window);
        let real_pair = || Access::of(x().norm_sqr()).real();
        table.row::<Complex32, Complex32>("bare", &bare)?;
        table.row::<Complex32, Complex32>("scale", &bare.clone().with_load(Access::of(x() * 0.37)))?;
        table.row::<Complex32, Complex32>("window", &bare.clone().with_load(Access::of(windowed.clone())))?;
        table.row::<Complex32, Complex32>("pad", &bare.clone().with_load(Access::default().extent([n / 2])))?;
        table.row::<Complex32, f32>("power", &bare.clone().with_store(real_pair()))?;
        table
            .row::<i16, Complex32>("int16", &bare.clone().with_load(Access::default().format(Format::I16.complex())))?;
        let real = Transform::real(F32, n);
        table.row::<f32, Complex32>("real bare", &real)?;
        let samples = Access::of(windowed).format(Format::I16);
        table.row::<i16, f32>("int16 window power", &real.with_load(samples).with_store(real_pair()))?;
    }
    for n in HALVES {
        let half = |format: Format| Access::default().format(format.complex());
        let bare = Transform::new(F32, n);
        table.row::<Complex32, Complex32>("f32", &bare)?;
        table.row::<f16, f16>("f16", &bare.clone().with_load(half(Format::F16)).with_store(half(Format::F16)))?;
        table.row::<bf16, bf16>("bf16", &bare.clone().with_load(half(Format::BF16)).with_store(half(Format::BF16)))?;
    }
    for n in [256, 1000, 1024, 2048, 4096, 8192, 1 << 14, 1 << 15, 1 << 16] {
        let spectrum = phases(n);
        let filter = x() * Expr::complex_along(0, &spectrum);
        table.row::<Complex32, Complex32>("convolution", &Transform::new(F32, n).filtered(filter.clone()))?;
        table.row::<Complex64, Complex64>(
            "convolution, f64",
            &Transform::new(Algebra::ComplexF64, n).filtered(filter),
        )?;
        let filter = x() * Expr::complex_along(0, &spectrum[..=n / 2]);
        let mut real = Transform::real(F32, n);
        real.dims[0].output_stride = 1;
        table.row::<f32, f32>("real convolution", &real.clone().filtered(filter.clone()))?;
        real.algebra = Algebra::ComplexF64;
        table.row::<f64, f64>("real convolution, f64", &real.filtered(filter))?;
    }
    for n in [2048, 8192, 1 << 15] {
        let short = |lines| causal(n, 768, lines);
        table.case::<bf16, bf16>("causal convolution, bf16", &short(1), &short(64))?;
        let long = |lines| causal(n, 768, lines).with_load(halves(n)).with_store(halves(n));
        table.case::<f32, f32>("causal convolution", &long(1), &long(64))?;
    }
    for side in [128, 256] {
        let volume = |plain: Transform, last: usize| {
            let by = |dim, count: usize| Expr::complex_along(dim, &phases(side)[..count]);
            let half = || Access::default().extent([side / 2; 3]);
            let filter = x() * by(0, side) * by(1, side) * by(2, last);
            plain.filtered(filter).with_load(half()).with_store(half())
        };
        let complex = volume(Transform::new(F32, [side; 3]), side);
        table.case::<Complex32, Complex32>("padded volume", &complex, &complex.clone().batch(8))?;
        let real = volume(Transform::real(F32, [side; 3]), side / 2 + 1);
        table.case::<f32, f32>("padded real volume", &real, &real.clone().batch(8))?;
    }
    Ok(())
}

/// The spectrum of real numbers, of absolute values 1.
fn phases(n: usize) -> Vec<Complex64> {
    let angle = |k: usize| if (2 * k).is_multiple_of(n) { 0.0 } else { (k * k % 97) as f64 };
    (0..n).map(|k| Complex64::from_polar(1.0, if 2 * k > n { -angle(n - k) } else { angle(k) })).collect()
}

/// The first half of lines of so many numbers.
fn halves(n: usize) -> Access {
    Access::default().extent([n / 2])
}

/// Convolutions of the first half of so many lines for each kernel.
fn causal(n: usize, kernels: usize, lines: usize) -> Transform {
    let spectra: Vec<Complex64> =
        (0..kernels * (n / 2 + 1)).map(|k| Complex64::from_polar(1.0, (k * 7 % 97) as f64)).collect();
    let by = Expr::complex_along_dims(&[(2, kernels), (0, n / 2 + 1)], &spectra);
    Transform::real(F32, n)
        .with_batch([Dim::new(lines, kernels * n), Dim::new(kernels, n)])
        .filtered(Expr::value() * by)
        .with_load(halves(n).format(Format::BF16))
        .with_store(halves(n).format(Format::BF16))
}

/// Values of a type that buffers hold.
trait Sample: Data {
    fn of(x: f64) -> Self;
    fn wide(self) -> f64;
    /// Parts of a complex number beside each other, or one.
    fn list(values: &[Self]) -> Vec<f64> {
        values.iter().map(|x| x.wide()).collect()
    }
}

macro_rules! samples {
    ($($type:ty: $of:expr, $wide:expr;)*) => {$(
        impl Sample for $type {
            fn of(x: f64) -> Self {
                $of(x)
            }
            fn wide(self) -> f64 {
                $wide(self)
            }
        }
    )*};
}

samples! {
    f32: |x| x as f32, f64::from;
    f64: |x| x, |x| x;
    i16: |x: f64| (x * 30000.0) as i16, f64::from;
    f16: f16::from_f64, f16::to_f64;
    bf16: bf16::from_f64, bf16::to_f64;
    Complex32: |x: f64| Complex32::new(x as f32, (x * 7.0).sin() as f32), |z: Complex32| f64::from(z.re) + f64::from(z.im) * 0.61;
    Complex64: |x: f64| Complex64::new(x, (x * 7.0).sin()), |z: Complex64| z.re + z.im * 0.61;
}

/// Bytes of the input and of the output. Complex numbers of parts of 16 bits are two values each.
fn bytes_of<I, O>(t: &Transform) -> [usize; 2] {
    let parts = |size: usize| if size == 2 && t.kind == stockham::Kind::Dft { 2 } else { 1 };
    [t.input_len() * size_of::<I>() * parts(size_of::<I>()), t.output_len() * size_of::<O>() * parts(size_of::<O>())]
}

struct Table {
    device: Device,
    cpu: Device,
    /// What the names of cases have in them.
    only: String,
    /// The only length.
    n: Option<usize>,
    /// A choice of passes on the device.
    choice: Option<Choice>,
}

impl Table {
    fn row<I: Sample, O: Sample>(&self, case: &str, transform: &Transform) -> Result<()> {
        let [read, written] = bytes_of::<I, O>(transform);
        let batch = BYTES / read.max(written);
        self.case::<I, O>(case, &transform.clone().batch(5.min(batch)), &transform.clone().batch(batch))
    }

    fn plan(&self, device: &Device, transform: &Transform) -> Result<Executable> {
        match self.choice.as_ref().filter(|_| device.info() == self.device.info()) {
            Some(choice) => device.prepare(choice.realise(transform, device.info())?),
            None => device.plan(transform),
        }
    }

    /// A small batch, which is checked, and a large one, which is timed.
    fn case<I: Sample, O: Sample>(&self, case: &str, small: &Transform, large: &Transform) -> Result<()> {
        if !case.contains(&self.only) || self.n.is_some_and(|n| n != large.points()) {
            return Ok(());
        }
        let numbers = |t: &Transform| random::<I>(bytes_of::<I, O>(t)[0] / size_of::<I>());
        let outputs = |t: &Transform| bytes_of::<I, O>(t)[1] / size_of::<O>();
        let mut results = Vec::new();
        for device in [&self.device, &self.cpu] {
            let mut y = device.alloc::<O>(outputs(small))?;
            self.plan(device, small)?.run(&device.upload(&numbers(small))?, &mut y)?;
            results.push(O::list(&y.to_vec()?));
        }
        let most = results[1].iter().fold(1e-30, |most: f64, y| most.max(y.abs()));
        let error = results[0].iter().zip(&results[1]).fold(0.0, |far: f64, (a, b)| far.max((a - b).abs())) / most;
        let x = self.device.upload(&numbers(large))?;
        let mut y = self.device.alloc::<O>(outputs(large))?;
        let executable = self.plan(&self.device, large)?;
        let mut workspace =
            self.device.alloc::<I>(executable.workspace_len() * large.algebra.element_bytes() / size_of::<I>())?;
        let stream = self.device.new_stream()?;
        let [read, written] = bytes_of::<I, O>(large);
        let half = (read + written) / 8;
        let from = self.device.upload(&random::<f32>(half))?;
        let mut to = self.device.alloc::<f32>(half)?;
        let mut run = || executable.run_on(&stream, &x, &mut y, &mut workspace);
        let mut copy = || to.copy_from(&stream, &from);
        let [ms, copy] = measure_in_turns(ROUNDS, &stream, [&mut run, &mut copy])?;
        let batch = large.batch_count();
        println!("{case}\t{}\t{batch}\t{ms:.4}\t{:.3}\t{error:.1e}", large.points(), ms / copy);
        Ok(())
    }
}

/// So many numbers that look random.
fn random<T: Sample>(count: usize) -> Vec<T> {
    let block: Vec<T> = (0..count.min(BLOCK)).map(|i| T::of(noise(i))).collect();
    block.iter().copied().cycle().take(count).collect()
}

/// A number from −1 to 1 that looks random.
fn noise(i: usize) -> f64 {
    let x = (i as u64 ^ 0x5851_f42d).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as f64 / f64::from(1 << 23) - 1.0
}
