//! What is computed of numbers as they are read and before they are written is what the same functions give apart from the
//! transform: random expressions, formats and extents, around transforms of every kind, on every device.

use num_complex::Complex64;
use stockham::{Access, Algebra, Data, Device, Dim, Error, Expr, Format, Kind, Transform, TrigType};

use crate::common::{devices, is_slow};
use crate::random_expressions::{Both, Dice, complex, one, real};

/// A number in memory as others compute with it.
trait Stored: Data {
    fn wide(self) -> f64;
    fn of(x: f64) -> Self;
}

macro_rules! stored {
    ($($type:ty => $wide:expr, $of:expr;)*) => {$(
        impl Stored for $type {
            fn wide(self) -> f64 {
                $wide(self)
            }
            fn of(x: f64) -> Self {
                $of(x)
            }
        }
    )*};
}

stored! {
    f32 => f64::from, |x| x as f32;
    f64 => |x| x, |x| x;
    i8 => f64::from, |x: f64| (x * 100.0).round() as i8;
    u8 => f64::from, |x: f64| (x * 100.0 + 100.0).round() as u8;
    i16 => f64::from, |x: f64| (x * 1000.0).round() as i16;
    u16 => f64::from, |x: f64| (x * 1000.0 + 1000.0).round() as u16;
    i32 => f64::from, |x: f64| (x * 1000.0).round() as i32;
    half::f16 => half::f16::to_f64, half::f16::from_f64;
    half::bf16 => half::bf16::to_f64, half::bf16::from_f64;
}

/// How far apart numbers of a format are around x, at most.
fn step(format: Format, x: f64) -> f64 {
    match format.to_string().trim_start_matches("complex-") {
        "f16" => x.abs() * 2f64.powi(-10) + 1e-6,
        "bf16" => x.abs() * 2f64.powi(-7),
        "f32" => x.abs() * 2f64.powi(-23),
        "f64" => 0.0,
        _ => 1.0,
    }
}

/// A side: its format, what there is of it, and each number's indices with its place in memory and in the array of all.
pub struct Layout {
    is_complex: bool,
    pub places: Vec<(Vec<usize>, usize, usize)>,
    all: usize,
}

impl Layout {
    /// `counts` along transform dimensions then batch, of which `there` are in memory; they lie without gaps, the batch outside.
    pub fn of(counts: &[usize], rank: usize, there: &[usize], is_complex: bool) -> Self {
        let order: Vec<usize> = (rank..counts.len()).chain(0..rank).collect();
        let place = |at: &[usize], of: &[usize]| order.iter().fold(0, |place, &axis| place * of[axis] + at[axis]);
        let all: usize = counts.iter().product();
        let mut places = Vec::new();
        for number in 0..there.iter().product::<usize>() {
            let (mut rest, mut at) = (number, vec![0; counts.len()]);
            for &axis in order.iter().rev() {
                at[axis] = rest % there[axis];
                rest /= there[axis];
            }
            let (in_memory, in_all) = (place(&at, there), place(&at, counts));
            places.push((at, in_memory, in_all));
        }
        Self { is_complex, places, all }
    }
}

struct Case {
    transform: Transform,
    /// The same in f64, of numbers as they are.
    plain: Transform,
    input: Layout,
    output: Layout,
    load: Option<Both>,
    store: Option<Both>,
    /// Whether numbers are added to what is there.
    accumulates: bool,
}

/// A transform with random accesses, in one precision.
fn case(seed: u64, algebra: Algebra, formats: (Format, Format)) -> Case {
    let mut dice = Dice(seed * 7919 + 1);
    (0..8).for_each(|_| _ = dice.next(2));
    let lengths = [1, 2, 12, 16, 37, 60, 64, 100, 128, 243, 1000, 1009, 1024, 4096, 4099, 16384];
    let kind = match dice.next(8) {
        0..4 => Kind::Dft,
        4 | 5 => Kind::Real,
        6 => Kind::Cosine(TrigType::II),
        _ => Kind::Sine(TrigType::III),
    };
    let shape: Vec<usize> = match dice.next(4) {
        0 => vec![[3, 8, 16][dice.next(3)], [4, 16, 30, 37][dice.next(4)]],
        1 => vec![2, 6, [8, 11][dice.next(2)]],
        _ => vec![lengths[dice.next(lengths.len())]],
    };
    let of = |algebra| match kind {
        Kind::Real => Transform::real(algebra, &shape[..]),
        Kind::Cosine(of) => Transform::cosine(algebra, of, &shape[..]),
        Kind::Sine(of) => Transform::sine(algebra, of, &shape[..]),
        _ => Transform::new(algebra, &shape[..]),
    };
    let batch = [0, 1, 3][dice.next(3)];
    let inverse = dice.next(2) == 1;
    let arranged = |t: Transform| {
        let t = if batch > 0 { t.batch(batch) } else { t };
        if inverse { t.inverse() } else { t }
    };
    let (mut transform, plain) = (arranged(of(algebra)), arranged(of(Algebra::ComplexF64)));
    let half = |is_half: bool| {
        let mut counts = shape.clone();
        if is_half {
            let last = counts.len() - 1;
            counts[last] = counts[last] / 2 + 1;
        }
        counts
    };
    let is_real = kind == Kind::Real;
    let (input, output) = (half(is_real && inverse), half(is_real && !inverse));
    let batches = if batch > 0 { vec![batch] } else { Vec::new() };
    let natural = |is_half_side: bool| kind == Kind::Dft || is_real && is_half_side;
    let (input_complex, output_complex) = (natural(inverse), natural(!inverse));
    let mut side = |counts: &[usize], (given, wanted): (bool, bool), format: Format| {
        let both = match (dice.next(4), wanted) {
            (0, _) if !given || wanted => None,
            (_, true) => Some(complex(&mut dice, counts, batches.len(), 3)),
            (_, false) => Some(real(&mut dice, counts, batches.len(), 3)),
        };
        let there: Vec<usize> = match dice.next(3) {
            0 => counts.iter().map(|n| 1 + dice.next(*n)).collect(),
            _ => counts.to_vec(),
        };
        let mut access = both.as_ref().map_or_else(Access::default, |both| Access::of(both.0.clone())).format(format);
        if there != counts {
            access = access.extent(there.clone());
        }
        (both, access, there)
    };
    let format = |format: Format, is_complex| if is_complex { format.complex() } else { format };
    let given = input_complex && dice_even(seed);
    let wanted = output_complex && dice_even(seed / 2);
    let (load, access, there) = side(&input, (given, input_complex), format(formats.0, given));
    transform = transform.with_load(access);
    let (store, access, kept) = side(&output, (output_complex, wanted), format(formats.1, wanted));
    let accumulates = dice.next(3) == 0;
    transform = transform.with_store(if accumulates { access.accumulate() } else { access });
    let layout = |counts: &[usize], there: &[usize], is_complex| {
        let all = |of: &[usize]| [of, &batches].concat();
        Layout::of(&all(counts), shape.len(), &all(there), is_complex)
    };
    let (input, output) = (layout(&input, &there, given), layout(&output, &kept, wanted));
    Case { transform, plain, input, output, load, store, accumulates }
}

fn dice_even(seed: u64) -> bool {
    seed.is_multiple_of(2)
}

fn check<I: Stored, O: Stored>(device: &Device, seed: u64, algebra: Algebra) {
    let formats = (I::format().unwrap(), O::format().unwrap());
    let Case { transform, plain, input, output, load, store, accumulates } = case(seed, algebra, formats);
    let what = || format!("seed {seed} on {}: {transform:?}", device.info().id);
    let mut dice = Dice(seed + 99);
    let parts = if input.is_complex { 2 } else { 1 };
    assert_eq!(input.places.len(), transform.input_len(), "{}", what());
    let memory: Vec<I> = (0..input.places.len() * parts).map(|_| I::of(dice.unit())).collect();
    // What the transform is to read.
    let mut numbers = vec![Complex64::ZERO; input.all];
    for (at, place, to) in &input.places {
        let part = |c: usize| memory[place * parts + c].wide();
        let x = Complex64::new(part(0), if parts == 2 { part(1) } else { 0.0 });
        numbers[*to] = load.as_ref().map_or(x, |both| both.1(x, at));
    }
    let spectrum = reference(&plain, &numbers);
    let run = |transform: &Transform| -> stockham::Result<Vec<O>> {
        let executable = device.plan(transform)?;
        let source = device.upload(&memory)?;
        let kept = output.places.len() * if output.is_complex { 2 } else { 1 };
        let mut target = device.upload(&vec![O::of(0.25); kept])?;
        executable.run(&source, &mut target)?;
        target.to_vec()
    };
    let found = match run(&transform) {
        Ok(found) => found,
        Err(error) => panic!("{error}: {}", what()),
    };
    let u = algebra.unit_roundoff().unwrap();
    let before = if accumulates { O::of(0.25).wide() } else { 0.0 };
    let before = Complex64::new(before, if output.is_complex { before } else { 0.0 });
    let stored = |at: &[usize], x: Complex64| store.as_ref().map_or(x, |both| both.1(x, at));
    let expected: Vec<Complex64> =
        output.places.iter().map(|(at, _, from)| before + stored(at, spectrum[*from])).collect();
    let most = expected.iter().chain(&spectrum).chain(&numbers).map(|x| x.norm()).fold(1e-9, f64::max);
    if !(all_finite(&expected) && all_finite(&spectrum)) || most > 1e12 {
        // Squares of squares have left what is computed with, or a quotient had a pole.
        return;
    }
    for ((_, place, _), expected) in output.places.iter().zip(&expected) {
        let parts = if output.is_complex { vec![expected.re, expected.im] } else { vec![expected.re] };
        for (c, expected) in parts.iter().enumerate() {
            let found = found[place * parts.len() + c].wide();
            let held = if formats.1 == Format::F32 || formats.1 == Format::F64 {
                *expected
            } else {
                // Integers end somewhere, and half precision, too.
                held(formats.1, *expected)
            };
            // Squares and quotients in a row make errors larger, and the largest number may be another one's.
            let bound = 4000.0 * u * most.max(most * most) + step(formats.1, held);
            let is_near = (found - held).abs() <= bound || found == held;
            assert!(is_near, "{found}, not {expected} ± {bound:e}, number {place}.{c}: {}", what());
        }
    }
}

pub fn all_finite(numbers: &[Complex64]) -> bool {
    numbers.iter().all(|x| x.is_finite())
}

fn held(format: Format, x: f64) -> f64 {
    match format.to_string().as_str() {
        "i8" => x.clamp(-128.0, 127.0),
        "u8" => x.clamp(0.0, 255.0),
        "i16" => x.clamp(-32768.0, 32767.0),
        "u16" => x.clamp(0.0, 65535.0),
        "i32" => x.clamp(-2_147_483_648.0, 2_147_483_647.0),
        "f16" => half::f16::from_f64(x).to_f64(),
        _ => x,
    }
}

/// The plain transform of numbers, in f64 on the CPU.
pub fn reference(plain: &Transform, numbers: &[Complex64]) -> Vec<Complex64> {
    let cpu = Device::cpu();
    let executable = cpu.plan(plain).unwrap();
    let reals: Vec<f64> = numbers.iter().map(|x| x.re).collect();
    let wide = |reals: Vec<f64>| reals.into_iter().map(one).collect();
    let is_half = plain.kind == Kind::Real;
    let (from_real, to_real) = match plain.kind {
        Kind::Dft => (false, false),
        _ if is_half => {
            (plain.direction == stockham::Direction::Forward, plain.direction != stockham::Direction::Forward)
        }
        _ => (true, true),
    };
    match (from_real, to_real) {
        (false, false) => {
            let mut out = cpu.alloc::<Complex64>(plain.output_len()).unwrap();
            executable.run(&cpu.upload(numbers).unwrap(), &mut out).unwrap();
            out.to_vec().unwrap()
        }
        (true, false) => {
            let mut out = cpu.alloc::<Complex64>(plain.output_len()).unwrap();
            executable.run(&cpu.upload(&reals).unwrap(), &mut out).unwrap();
            out.to_vec().unwrap()
        }
        (false, true) => {
            let mut out = cpu.alloc::<f64>(plain.output_len()).unwrap();
            executable.run(&cpu.upload(numbers).unwrap(), &mut out).unwrap();
            wide(out.to_vec().unwrap())
        }
        (true, true) => {
            let mut out = cpu.alloc::<f64>(plain.output_len()).unwrap();
            executable.run(&cpu.upload(&reals).unwrap(), &mut out).unwrap();
            wide(out.to_vec().unwrap())
        }
    }
}

/// Cases of each format; more where the environment variable says so, and few where each takes long to compile.
pub fn cases(device: &Device) -> u64 {
    let usual = if is_slow(device) { 1 } else { 12 };
    std::env::var("STOCKHAM_TEST_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

#[test]
fn expressions_are_computed_on_the_way() {
    for device in devices() {
        for seed in 0..4 * cases(&device) {
            check::<f32, f32>(&device, seed, Algebra::ComplexF32);
            if device.info().has_f64 {
                check::<f64, f64>(&device, seed + 1000, Algebra::ComplexF64);
            }
        }
    }
}

#[test]
fn formats_are_read_and_written() {
    for device in devices() {
        for seed in 0..cases(&device) {
            check::<i16, f32>(&device, seed, Algebra::ComplexF32);
            check::<u8, half::f16>(&device, seed + 1, Algebra::ComplexF32);
            check::<i8, half::bf16>(&device, seed + 2, Algebra::ComplexF32);
            check::<half::f16, i16>(&device, seed + 3, Algebra::ComplexF32);
            check::<half::bf16, u8>(&device, seed + 4, Algebra::ComplexF32);
            check::<u16, i8>(&device, seed + 5, Algebra::ComplexF32);
            check::<i32, u16>(&device, seed + 6, Algebra::ComplexF32);
            if device.info().has_f64 {
                check::<i32, f32>(&device, seed + 7, Algebra::ComplexF64);
                check::<half::f16, half::f16>(&device, seed + 8, Algebra::ComplexF64);
                check::<f32, i32>(&device, seed + 9, Algebra::ComplexF64);
            }
        }
    }
}

#[test]
fn numbers_of_another_kind_are_refused() {
    for device in devices() {
        let samples = Access::of(Expr::value() * 0.5).format(Format::I16);
        let executable = device.plan(&Transform::new(Algebra::ComplexF32, 64).with_load(samples)).unwrap();
        let wrong = device.upload(&[0u16; 64]).unwrap();
        let mut output = device.alloc::<stockham::Complex32>(64).unwrap();
        let result = executable.run(&wrong, &mut output);
        assert!(matches!(result, Err(Error::ElementType { expected: "i16", found: "u16", .. })), "{result:?}");
        let short = device.upload(&[0i16; 63]).unwrap();
        let result = executable.run(&short, &mut output);
        assert!(matches!(result, Err(Error::BufferLength { expected: 64, found: 63, .. })), "{result:?}");
    }
}

#[test]
fn columns_and_transforms_in_place_have_expressions() {
    let x: Vec<Complex64> = (0..60).map(|j| Complex64::new((j * j % 17) as f64, (j % 5) as f64)).collect();
    for device in devices().into_iter().filter(|device| device.info().has_f64) {
        let columns = Transform::new(Algebra::ComplexF64, 10)
            .with_dims([Dim::new(10, 6)])
            .with_batch([Dim::new(6, 1)])
            .in_place()
            .with_load(Access::of(Expr::value() * (Expr::index(0) + 1.0)))
            .with_store(Access::of(Expr::value() * (Expr::batch(0) + 1.0)));
        let mut data = device.upload(&x).unwrap();
        device.plan(&columns).unwrap().run_in_place(&mut data).unwrap();
        let mut expected: Vec<_> = x.iter().enumerate().map(|(i, x)| x * (i / 6 + 1) as f64).collect();
        let plain = columns.clone().with_load(Access::default()).with_store(Access::default());
        let mut other = device.upload(&expected).unwrap();
        device.plan(&plain).unwrap().run_in_place(&mut other).unwrap();
        expected = other.to_vec().unwrap().iter().enumerate().map(|(i, x)| x * (i % 6 + 1) as f64).collect();
        for (found, expected) in data.to_vec().unwrap().iter().zip(&expected) {
            assert!((found - expected).norm() <= 1e-11, "{found} and not {expected} on {}", device.info().id);
        }
    }
}

pub fn run<I: Data, O: Data>(device: &Device, transform: &Transform, input: &[I]) -> stockham::Result<Vec<O>> {
    let executable = device.plan(transform)?;
    let mut output = device.alloc::<O>(transform.output_len())?;
    executable.run(&device.upload(input)?, &mut output)?;
    output.to_vec()
}

/// Long real lines of arrays, whose ends have all indices and holes, there and back.
#[test]
fn long_real_lines_of_arrays_know_all_indices() {
    let (rows, n, batch) = (3, 1000, 2);
    let weights: Vec<f64> = (0..n).map(|j| 1.0 + (j % 13) as f64 / 8.0).collect();
    let weight = |row: usize, j: usize, line: usize| weights[j] * (row + 1) as f64 * (line + 2) as f64;
    let by = |points: usize| {
        Expr::value() * Expr::along(1, &weights[..points]) * (Expr::index(0) + 1.0) * (Expr::batch(0) + 2.0)
    };
    for device in devices().into_iter().filter(|device| device.info().has_f64) {
        let real = Transform::real(Algebra::ComplexF64, [rows, n]).batch(batch);
        let (half, there) = (n / 2 + 1, n - 300);
        let x: Vec<f64> = (0..batch * rows * there).map(|i| (i * i % 17) as f64 - 8.0).collect();
        let mut whole = vec![0.0; batch * rows * n];
        for (i, x) in x.iter().enumerate() {
            let (line, row, j) = (i / there / rows, i / there % rows, i % there);
            whole[(line * rows + row) * n + j] = x * weight(row, j, line);
        }
        let fused = real.clone().with_load(Access::of(by(n)).extent([rows, there])).with_store(Access::of(by(half)));
        let found: Vec<Complex64> = run(&device, &fused, &x).unwrap();
        let mut expected: Vec<Complex64> = run(&device, &real, &whole).unwrap();
        for (i, x) in expected.iter_mut().enumerate() {
            *x *= weight(i / half % rows, i % half, i / half / rows);
        }
        let close = |a: &Complex64, b: &Complex64| (a - b).norm() <= 1e-9;
        assert!(found.iter().zip(&expected).all(|(a, b)| close(a, b)), "{}", device.info().id);
        let back = real.inverse();
        let fused = back.clone().with_load(Access::of(by(half))).with_store(Access::of(by(n)));
        let given: Vec<Complex64> = (0..batch * rows * half).map(|i| one((i % 19) as f64)).collect();
        let mut prepared = given.clone();
        for (i, x) in prepared.iter_mut().enumerate() {
            *x *= weight(i / half % rows, i % half, i / half / rows);
        }
        let found: Vec<f64> = run(&device, &fused, &given).unwrap();
        let expected: Vec<f64> = run(&device, &back, &prepared).unwrap();
        for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let expected = expected * weight(i / n % rows, i % n, i / n / rows);
            assert!((found - expected).abs() <= 1e-9, "{found} and not {expected} at {i} on {}", device.info().id);
        }
    }
}
