//! Convolutions of lines in one kernel, against their definition.

use half::bf16;
use stockham::{Access, Algebra, Complex32, Complex64, Data, Device, Dim, Expr, Format, Transform};

use crate::common::{devices, is_slow, run};

/// Whole numbers, so small that their sums are exact in every format.
fn sample(i: usize) -> f64 {
    ((i * i * 7 + i / 3) % 5) as f64 - 2.0
}

/// The spectrum of a line, by its definition.
fn spectrum(x: &[f64], n: usize) -> Vec<Complex64> {
    let root = |k: usize| Complex64::from_polar(1.0, -std::f64::consts::TAU * (k % n) as f64 / n as f64);
    (0..=n / 2).map(|p| x.iter().enumerate().map(|(j, x)| root(j * p) * x).sum()).collect()
}

/// Where lines of n numbers are padded and cropped, or in place; so many for each kernel.
struct Case<T> {
    algebra: Algebra,
    n: usize,
    lines: usize,
    in_place: bool,
    format: Format,
    of: fn(f64) -> T,
    wide: fn(T) -> f64,
}

impl<T: Data> Case<T> {
    /// Several lines for each of several kernels of a few taps.
    fn check(&self, device: &Device) {
        let Self { n, lines, in_place, .. } = *self;
        let (kernels, taps) = (4, 5.min(n));
        let (given, kept) = if in_place { (n, n) } else { (n - n / 3, n - n / 4) };
        let by_kernel: Vec<Vec<f64>> = (0..kernels).map(|c| (0..taps).map(|j| sample(c * 11 + j)).collect()).collect();
        let spectra: Vec<Complex64> = by_kernel.iter().flat_map(|taps| spectrum(taps, n)).collect();
        let by = Expr::complex_along_dims(&[(2, kernels), (0, n / 2 + 1)], &spectra);
        let transform = Transform::real(self.algebra, n)
            .with_batch([Dim::new(lines, kernels * n), Dim::new(kernels, n)])
            .filtered(Expr::value() * by);
        let x: Vec<f64> = (0..lines * kernels * given).map(sample).collect();
        let mut data = device.upload(&x.iter().map(|x| (self.of)(*x)).collect::<Vec<T>>()).unwrap();
        let found = if in_place {
            device.plan(&transform.in_place()).unwrap().run_in_place(&mut data).unwrap();
            data.to_vec().unwrap()
        } else {
            let some = |count: usize| Access::default().extent([count]).format(self.format);
            let transform = transform.with_load(some(given)).with_store(some(kept));
            let mut output = device.alloc::<T>(transform.output_len()).unwrap();
            device.plan(&transform).unwrap().run(&data, &mut output).unwrap();
            output.to_vec().unwrap()
        };
        assert_eq!(found.len(), lines * kernels * kept);
        for (line, (x, y)) in x.chunks(given).zip(found.chunks(kept)).enumerate() {
            let taps = &by_kernel[line % kernels];
            for (t, y) in y.iter().enumerate() {
                let terms = taps.iter().enumerate().map(|(j, h)| h * x.get((t + n - j) % n).unwrap_or(&0.0));
                let (found, expected) = ((self.wide)(*y), terms.sum::<f64>());
                let what = || format!("at {t} of line {line}, {n} numbers on {}", device.info().id);
                assert!((found - expected).abs() <= 1e-4, "{found}, not {expected}, {}", what());
            }
        }
    }
}

/// In the formats of numbers that a device has; in place where that holds.
fn check_formats(device: &Device, n: usize, lines: usize, in_place: [bool; 2]) {
    let (algebra, format) = (Algebra::ComplexF32, Format::BF16);
    let of = |x| x as f32;
    Case { algebra, n, lines, in_place: in_place[0], format: Format::F32, of, wide: f64::from }.check(device);
    Case { algebra, n, lines, in_place: false, format, of: bf16::from_f64, wide: bf16::to_f64 }.check(device);
    if device.info().has_f64 {
        let (algebra, format, in_place) = (Algebra::ComplexF64, Format::F64, in_place[1]);
        Case { algebra, n, lines, in_place, format, of: |x| x, wide: |x| x }.check(device);
    }
}

#[test]
fn real_lines_meet_their_kernels() {
    for device in devices() {
        let few = if is_slow(&device) { &[6, 64, 1000][..] } else { &[4, 6, 30, 64, 90, 250, 1000, 1024, 4096] };
        for &n in few {
            check_formats(&device, n, 3, [n % 3 == 1, n % 3 == 0]);
        }
    }
}

/// Lines that fill a GPU, one in a tile and two that clusters take, of pairs, where a device has some.
#[test]
fn long_real_lines_meet_their_kernels() {
    for device in devices() {
        let few = if is_slow(&device) { 1 } else { 3 };
        for (n, lines) in [(1 << 15, 9), (1 << 14, 18), (1 << 16, 5)].into_iter().take(few) {
            check_formats(&device, n, lines, [n == 1 << 15, n == 1 << 16]);
        }
    }
}

/// Lines that fill a GPU and are longer than a tile, which clusters take there and back where a device has some.
#[test]
fn long_complex_lines_meet_their_kernels() {
    let taps: Vec<Complex64> = (0..5).map(|j| Complex64::new(sample(j), sample(j + 7))).collect();
    for device in devices() {
        let few = if is_slow(&device) { 1 } else { 3 };
        for (n, lines) in [(1 << 13, 140), (1 << 14, 70), (1 << 15, 40)].into_iter().take(few) {
            let given = n - n / 4;
            let root = |k: usize| Complex64::from_polar(1.0, -std::f64::consts::TAU * (k % n) as f64 / n as f64);
            let spectrum: Vec<Complex64> =
                (0..n).map(|p| taps.iter().enumerate().map(|(j, x)| root(j * p) * x).sum()).collect();
            let by = Expr::value() * Expr::complex_along(0, &spectrum) * (Expr::batch(0) + 1.0);
            let x: Vec<Complex64> = (0..lines * given).map(|i| Complex64::new(sample(i), sample(i + 3))).collect();
            let check = |line: usize, y: &dyn Fn(usize) -> Complex64, most: f64| {
                for t in (0..n).step_by(7) {
                    let at = |j: usize| (t + n - j) % n;
                    let terms = taps.iter().enumerate().filter(|(j, _)| at(*j) < given);
                    let sum: Complex64 = terms.map(|(j, h)| h * x[line * given + at(j)]).sum();
                    let (found, expected) = (y(t), sum * (line + 1) as f64);
                    let error = (found - expected).norm() / (line + 1) as f64;
                    assert!(
                        error <= most,
                        "{found}, not {expected}, at {t} of line {line}, {n} points on {}",
                        device.info().id
                    );
                }
            };
            let of = |algebra| {
                let load = Access::default().extent([given]);
                Transform::new(algebra, n).batch(lines).filtered(by.clone()).with_load(load)
            };
            let narrow: Vec<Complex32> = x.iter().map(|x| Complex32::new(x.re as f32, x.im as f32)).collect();
            let found = run(&device, &of(Algebra::ComplexF32), &narrow).unwrap();
            let wide = |x: Complex32| Complex64::new(x.re.into(), x.im.into());
            [0, lines / 2, lines - 1].iter().for_each(|&line| check(line, &|t| wide(found[line * n + t]), 1e-4));
            if device.info().has_f64 {
                let found = run(&device, &of(Algebra::ComplexF64), &x).unwrap();
                [0, lines / 2, lines - 1].iter().for_each(|&line| check(line, &|t| found[line * n + t], 1e-12));
            }
        }
    }
}

/// The indices of all numbers of an array.
fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let longer = |all: Vec<Vec<usize>>, n: &usize| {
        let with = |i: &Vec<usize>| (0..*n).map(|last| [&i[..], &[last]].concat()).collect::<Vec<_>>();
        all.iter().flat_map(with).collect()
    };
    shape.iter().fold(vec![Vec::new()], longer)
}

/// The place of an index in an array of which so many are there along each dimension, if it is there.
fn place(index: &[usize], there: &[usize]) -> Option<usize> {
    let within = index.iter().zip(there).all(|(i, n)| i < n);
    within.then(|| index.iter().zip(there).fold(0, |place, (i, n)| place * n + i))
}

/// Arrays of several dimensions that are padded and cropped along each of them, in a workspace that holds no numbers before.
#[test]
fn padded_arrays_meet_their_kernels() {
    let shapes = [&[32, 64][..], &[5, 8, 6], &[1, 9, 8], &[12, 10], &[8, 3, 4, 6]];
    for device in devices() {
        let few = if is_slow(&device) { 2 } else { shapes.len() };
        for (case, shape) in shapes.into_iter().enumerate().take(few) {
            for is_real in [false, true] {
                let given: Vec<usize> = shape.iter().map(|n| n - n / 3).collect();
                let kept: Vec<usize> = shape.iter().map(|n| n - n / 4).collect();
                check_array(&device, shape, [&given, &kept], (case, is_real));
            }
        }
    }
}

/// The output of a transform in `f32`, which runs in memory full of such numbers.
fn run_among<T: Data>(device: &Device, transform: &Transform, x: &[T], number: T) -> Vec<T> {
    let (executable, stream) = (device.plan(transform).unwrap(), device.new_stream().unwrap());
    let workspace = executable.workspace_len() * size_of::<Complex32>() / size_of::<T>();
    let memory = |len: usize| device.upload(&vec![number; len]).unwrap();
    let (mut output, mut workspace) = (memory(transform.output_len()), memory(workspace));
    executable.run_on(&stream, &device.upload(x).unwrap(), &mut output, &mut workspace).unwrap();
    stream.synchronize().unwrap();
    output.to_vec().unwrap()
}

fn check_array(device: &Device, shape: &[usize], [given, kept]: [&[usize]; 2], (case, is_real): (usize, bool)) {
    let (batch, points) = (2, shape.iter().product::<usize>());
    let number = |i: usize| Complex64::new(sample(i), if is_real { 0.0 } else { sample(i + 3) });
    let taps: Vec<(Vec<usize>, Complex64)> =
        indices(&vec![2; shape.len()]).into_iter().enumerate().map(|(i, at)| (at, number(i + case))).collect();
    let mut of_spectrum = shape.to_vec();
    if let Some(last) = of_spectrum.last_mut().filter(|_| is_real) {
        *last = *last / 2 + 1;
    }
    let turns = |a: &[usize], b: &[usize]| -> f64 {
        a.iter().zip(b).zip(shape).map(|((a, b), n)| (a * b % n) as f64 / *n as f64).sum()
    };
    let root = |p: &[usize], at: &[usize]| Complex64::from_polar(1.0, -std::f64::consts::TAU * turns(p, at));
    let spectrum: Vec<Complex64> =
        indices(&of_spectrum).iter().map(|p| taps.iter().map(|(at, h)| h * root(p, at)).sum()).collect();
    let dims: Vec<(usize, usize)> = of_spectrum.iter().copied().enumerate().collect();
    let plain = match is_real {
        true => Transform::real(Algebra::ComplexF32, shape),
        false => Transform::new(Algebra::ComplexF32, shape),
    };
    let transform = plain
        .batch(batch)
        .filtered(Expr::value() * Expr::complex_along_dims(&dims, &spectrum))
        .with_load(Access::default().extent(given))
        .with_store(Access::default().extent(kept));
    let count: usize = given.iter().product();
    let x: Vec<Complex64> = (0..batch * count).map(number).collect();
    let found: Vec<Complex64> = if is_real {
        let x: Vec<f32> = x.iter().map(|x| x.re as f32).collect();
        run_among(device, &transform, &x, f32::NAN).iter().map(|y| Complex64::new(f64::from(*y), 0.0)).collect()
    } else {
        let x: Vec<Complex32> = x.iter().map(|x| Complex32::new(x.re as f32, x.im as f32)).collect();
        let found = run_among(device, &transform, &x, Complex32::new(f32::NAN, f32::NAN));
        found.iter().map(|y| Complex64::new(y.re.into(), y.im.into())).collect()
    };
    let each: usize = kept.iter().product();
    assert_eq!(found.len(), batch * each);
    for (array, y) in found.chunks(each).enumerate() {
        for (t, y) in indices(kept).iter().zip(y) {
            let term = |(at, h): &(Vec<usize>, Complex64)| {
                let from: Vec<usize> = t.iter().zip(at).zip(shape).map(|((t, j), n)| (t + n - j % n) % n).collect();
                place(&from, given).map(|place| h * x[array * count + place])
            };
            let expected: Complex64 = taps.iter().filter_map(term).sum();
            let what = || format!("at {t:?} of array {array}, {points} points of {shape:?} on {}", device.info().id);
            assert!((y - expected).norm() <= 1e-4 * (1.0 + expected.norm()), "{y}, not {expected}, {}", what());
        }
    }
}
