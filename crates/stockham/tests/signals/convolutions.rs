//! Convolutions, correlations and filters against their definitions.

use stockham::accuracy::random;
use stockham::signal::{Convolver, Mode, OverlapSave, Sample, convolve, correlate, phase_correlation, translation};
use stockham::{Algebra, Complex32, Complex64, Device, Element, Error};

use crate::common::{computes, devices, is_slow};

const MODES: [Mode; 4] = [Mode::Full, Mode::Same, Mode::Valid, Mode::Circular];

/// Random samples, and their values in more precision.
pub trait Number: Sample {
    fn random(n: usize, seed: u64) -> Vec<Self>;
    fn wide(self) -> Complex64;
}

macro_rules! number {
    ($type:ty, $complex:ty, $from:expr, $wide:expr) => {
        impl Number for $type {
            fn random(n: usize, seed: u64) -> Vec<Self> {
                random::<$complex>(n, seed).into_iter().map($from).collect()
            }
            fn wide(self) -> Complex64 {
                $wide(self)
            }
        }
    };
}
number!(f32, Complex32, |z| z.re, |x| Complex64::from(f64::from(x)));
number!(f64, Complex64, |z| z.re, Complex64::from);
number!(Complex32, Complex32, |z| z, |z: Complex32| Complex64::new(z.re.into(), z.im.into()));
number!(Complex64, Complex64, |z| z, |z| z);

/// Calls a test for every device and every kind of sample, with which the device is spared some cases: it compiles each.
macro_rules! everywhere {
    ($test:ident) => {
        for device in devices() {
            $test::<f32>(&device, if is_slow(&device) { 29 } else { 1 });
            $test::<Complex32>(&device, if is_slow(&device) { 31 } else { 1 });
            if computes(&device, Algebra::ComplexF64) {
                $test::<f64>(&device, if is_slow(&device) { 37 } else { 1 });
                $test::<Complex64>(&device, if is_slow(&device) { 41 } else { 1 });
            }
        }
    };
}

fn product(shape: &[usize]) -> usize {
    shape.iter().product()
}

/// The index of a point in an array of a shape.
fn index(mut place: usize, shape: &[usize]) -> Vec<isize> {
    let mut index: Vec<isize> = shape.iter().map(|_| 0).collect();
    for (i, n) in index.iter_mut().zip(shape).rev() {
        (*i, place) = ((place % n) as isize, place / n);
    }
    index
}

/// The definition: the sum over all pairs, each of which adds to one output, or to none.
fn definition<T: Number>(a: (&[T], &[usize]), b: (&[T], &[usize]), mode: Mode, correlates: bool) -> Vec<Complex64> {
    let pairs = || a.1.iter().zip(b.1).map(|(&n, &k)| (n as isize, k as isize));
    let (shape, starts): (Vec<usize>, Vec<isize>) = pairs()
        .map(|(n, k)| match mode {
            Mode::Full => (n + k - 1, 0),
            Mode::Same => (n, (k - 1) / 2),
            Mode::Valid => (n.max(k) - n.min(k) + 1, n.min(k) - 1),
            _ => (n, 0),
        })
        .map(|(n, start)| (n as usize, start))
        .unzip();
    let mut y = vec![Complex64::ZERO; product(&shape)];
    let taps: Vec<_> = b.0.iter().enumerate().map(|(j, h)| (index(j, b.1), h)).collect();
    for (i, x) in a.0.iter().enumerate() {
        let at = index(i, a.1);
        for (by, h) in &taps {
            let mut place = Some(0);
            for (axis, (n, k)) in pairs().enumerate() {
                let out = match (mode, correlates) {
                    (Mode::Circular, false) => (at[axis] + by[axis]).rem_euclid(n),
                    (Mode::Circular, true) => (at[axis] - by[axis]).rem_euclid(n),
                    (_, false) => at[axis] + by[axis] - starts[axis],
                    (_, true) => at[axis] + k - 1 - by[axis] - starts[axis],
                };
                let inside = (0..shape[axis] as isize).contains(&out);
                place = place.filter(|_| inside).map(|place| place * shape[axis] + out as usize);
            }
            let h = if correlates { h.wide().conj() } else { h.wide() };
            place.into_iter().for_each(|place: usize| y[place] += x.wide() * h);
        }
    }
    y
}

/// The product of two arrays' L2 norms.
fn norms<T: Number>(a: &[T], b: &[T]) -> f64 {
    [a, b].map(|x| x.iter().map(|x| x.wide().norm_sqr()).sum::<f64>().sqrt()).iter().product()
}

/// Asserts that no error is larger than so many units of u·√log2 n of the largest output; or of the mean one that factors of such
/// norms have, where all outputs happen to cancel.
fn assert_close<T: Number>(found: &[T], expected: &[Complex64], norms: f64, points: usize, what: impl Fn() -> String) {
    const LIMIT: f64 = 4.0;
    assert_eq!(found.len(), expected.len(), "{}", what());
    let largest = expected.iter().map(|y| y.norm()).fold(norms / (points as f64).sqrt(), f64::max);
    let unit = T::Complex::ALGEBRA.unit_roundoff().unwrap() * (points as f64).log2().max(1.0).sqrt() * largest;
    for (i, (y, expected)) in found.iter().zip(expected).enumerate() {
        let error = (y.wide() - expected).norm();
        assert!(error <= LIMIT * unit, "{}: output {i} is off by {} units", what(), error / unit);
    }
}

fn convolutions_follow_the_definition<T: Number>(device: &Device, stride: usize) {
    let shapes: [(&[usize], &[usize]); 17] = [
        (&[1], &[1]),
        (&[1], &[5]),
        (&[5], &[1]),
        (&[7], &[3]),
        (&[8], &[4]),
        (&[3], &[8]),
        (&[64], &[64]),
        (&[100], &[31]),
        (&[97], &[200]),
        (&[30], &[61]),
        (&[1], &[1000]),
        (&[5, 7], &[3, 2]),
        (&[8, 6], &[8, 6]),
        (&[9, 11], &[2, 16]),
        (&[1, 13], &[4, 3]),
        (&[4, 5, 6], &[2, 3, 4]),
        (&[2, 1, 3, 7], &[2, 3, 1, 2]),
    ];
    let cases = shapes.iter().flat_map(|shapes| MODES.map(|mode| [false, true].map(|c| (shapes, mode, c)))).flatten();
    for (case, (&(shape, kernel), mode, correlates)) in cases.enumerate().step_by(stride) {
        let seed = case as u64;
        let (a, b) = (T::random(product(shape), seed), T::random(product(kernel), seed + 1000));
        let one_line = if correlates { correlate } else { convolve };
        let found = one_line(device, (&a[..], shape), (&b[..], kernel), mode);
        let what = || format!("{mode:?} of {shape:?} by {kernel:?}, correlation {correlates}, on {device:?}");
        let contains = |a: &[usize], b: &[usize]| a.iter().zip(b).all(|(a, b)| a >= b);
        if mode == Mode::Valid && !contains(shape, kernel) && !contains(kernel, shape) {
            assert!(matches!(found, Err(Error::Signal { .. })), "{}", what());
            continue;
        }
        let points = shape.iter().zip(kernel).map(|(n, k)| n + k - 1).product();
        assert_close(
            &found.unwrap(),
            &definition((&a, shape), (&b, kernel), mode, correlates),
            norms(&a, &b),
            points,
            what,
        );
    }
}

#[test]
fn convolutions_and_correlations_are_those_of_the_definition() {
    everywhere!(convolutions_follow_the_definition);
}

/// More arrays than go together, each with the kernel of its channel.
fn channels_have_their_kernels<T: Number>(device: &Device, stride: usize) {
    for (shape, kernel, kernels, count) in
        [([9, 20], [3, 3], 3, 7), ([64, 65], [5, 1], 1, 3), ([480, 300], [3, 5], 2, 9)]
            .into_iter()
            .take(4 - stride.min(3))
    {
        let (each, taps) = (product(&shape), product(&kernel));
        let (a, b) = (T::random(each * count, 3), T::random(taps * kernels, 4));
        let mut convolver = Convolver::plan(device, shape, &b, kernel, Mode::Same).unwrap();
        // A second time with what the first has left in memory, and fewer arrays.
        for count in [count, count - 1, 0] {
            let found = convolver.apply(&a[..each * count]).unwrap();
            assert_eq!(found.len(), each * count);
            // The first and the last, and some between.
            for i in (0..count).filter(|i| each < 10_000 || i % 3 == 2 || i + 1 == count) {
                let b = &b[i % kernels * taps..][..taps];
                let expected = definition((&a[i * each..][..each], &shape), (b, &kernel), Mode::Same, false);
                assert_close(&found[i * each..][..each], &expected, norms(&a[i * each..][..each], b), each, || {
                    format!("array {i} of {count}")
                });
            }
        }
    }
}

#[test]
fn a_batch_has_the_kernel_of_each_channel() {
    everywhere!(channels_have_their_kernels);
}

/// Lines that a tile holds, which one program takes there and back.
fn lines_have_the_kernel_of_each_channel<T: Number>(device: &Device, stride: usize) {
    let cases = [(100, 7, 3, 7, Mode::Full), (60, 200, 2, 5, Mode::Same), (500, 33, 1, 4, Mode::Valid)];
    for (n, k, kernels, count, mode) in cases.into_iter().take(if stride > 1 { 2 } else { 3 }) {
        let (a, b) = (T::random(n * count, 13), T::random(k * kernels, 14));
        for correlates in [false, true] {
            let planned = match correlates {
                false => Convolver::plan(device, n, &b, k, mode),
                true => Convolver::plan_correlation(device, n, &b, k, mode),
            };
            let mut convolver = planned.unwrap();
            let output = convolver.output_shape()[0];
            // No whole number of lines for each kernel, then fewer than there are kernels, and none.
            for count in [count, 1, 0] {
                let found = convolver.apply(&a[..n * count]).unwrap();
                assert_eq!(found.len(), output * count);
                for i in 0..count {
                    let (a, b) = (&a[n * i..][..n], &b[i % kernels * k..][..k]);
                    let expected = definition((a, &[n]), (b, &[k]), mode, correlates);
                    let what = || format!("line {i} of {count}, {mode:?} of {n} by {k}, correlation {correlates}");
                    assert_close(&found[output * i..][..output], &expected, norms(a, b), n + k, what);
                }
            }
        }
    }
}

#[test]
fn lines_of_a_batch_have_the_kernel_of_each_channel() {
    everywhere!(lines_have_the_kernel_of_each_channel);
}

fn blocks_make_the_whole<T: Number>(device: &Device, stride: usize) {
    for (case, (n, k, block)) in
        [(1, 1, 1), (5000, 1, 64), (1000, 17, 32), (3000, 100, 0), (50, 300, 300), (4096, 64, 127)]
            .into_iter()
            .enumerate()
    {
        if case % stride > 0 {
            continue;
        }
        let (x, h) = (T::random(n, 5), T::random(k, 6));
        let planned =
            if block == 0 { OverlapSave::plan(device, &h) } else { OverlapSave::with_block(device, &h, block) };
        let mut filter = planned.unwrap();
        let expected = definition((&x, &[n]), (&h, &[k]), Mode::Full, false);
        // Twice, as flushing begins anew.
        for _ in 0..2 {
            let (mut y, mut rest, mut size) = (Vec::new(), &x[..], 1);
            while !rest.is_empty() {
                let (now, later) = rest.split_at(size.min(rest.len()));
                y.extend(filter.push(now).unwrap());
                assert!(y.len() + filter.step() > n - later.len(), "samples are held back");
                (rest, size) = (later, size * 3 % 1000);
            }
            y.extend(filter.flush().unwrap());
            assert_close(&y, &expected, norms(&x, &h), n + k, || format!("{n} samples, {k} taps, {filter:?}"));
            assert_eq!(filter.flush(), Ok(Vec::new()));
        }
    }
}

#[test]
fn blocks_of_any_length_make_the_whole() {
    everywhere!(blocks_make_the_whole);
}

fn moved_arrays_are_found<T: Number>(device: &Device, stride: usize) {
    for (shape, moved) in
        [(vec![40], vec![-7]), (vec![9, 21], vec![3, -10]), (vec![5, 6, 7], vec![0, 3, -1])].into_iter().step_by(stride)
    {
        let b = T::random(product(&shape), 7);
        let from = |place: usize| {
            let there = index(place, &shape).into_iter().zip(&moved).zip(&shape);
            there.fold(0, |from, ((i, by), n)| from * n + (i - by).rem_euclid(*n as isize) as usize)
        };
        let a: Vec<T> = (0..b.len()).map(|place| b[from(place)]).collect();
        assert_eq!(translation(device, &a, &b, shape.clone()), Ok(moved.clone()));
        // 1 at the translation and 0 elsewhere.
        let surface = phase_correlation(device, &a, &b, shape.clone()).unwrap();
        let peak = (0..b.len()).find(|place| from(*place) == 0).unwrap();
        let tolerance = 1e3 * T::Complex::ALGEBRA.unit_roundoff().unwrap();
        for (place, y) in surface.into_iter().enumerate() {
            let expected = if place == peak { 1.0 } else { 0.0 };
            assert!((y.wide() - expected).norm() < tolerance, "{shape:?}: {y:?} at {place}");
        }
    }
}

#[test]
fn phase_correlation_finds_what_was_moved() {
    everywhere!(moved_arrays_are_found);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let cpu = Device::cpu();
    let plan = |shape: &[usize], taps: &[f32], kernel: &[usize]| {
        Convolver::plan(&cpu, shape, taps, kernel, Mode::Full).map(|_| ()).unwrap_err()
    };
    for (shape, kernel) in [(&[][..], &[1][..]), (&[0], &[1]), (&[4], &[0]), (&[4], &[1, 1]), (&[4, 4], &[1])] {
        assert!(matches!(plan(shape, &[1.0], kernel), Error::Signal { .. }), "{shape:?}, {kernel:?}");
    }
    let expected = |expected, found| Error::BufferLength { buffer: "kernels", expected, found };
    assert_eq!(plan(&[4], &[1.0; 5], &[3]), expected(3, 5));
    assert_eq!(plan(&[4], &[1.0; 2], &[3]), expected(3, 2));
    assert!(matches!(
        plan(&[usize::MAX, 3], &[1.0], &[1, 1]),
        Error::InvalidTransform(_) | Error::Unsupported { .. } | Error::OutOfMemory { .. }
    ));
    assert!(matches!(
        plan(&[usize::MAX], &[1.0; 2], &[2]),
        Error::InvalidTransform(_) | Error::Unsupported { .. } | Error::OutOfMemory { .. }
    ));
    let mut convolver = Convolver::plan(&cpu, 4, &[1f32], 1, Mode::Full).unwrap();
    assert_eq!(convolver.apply(&[0.0; 6]), Err(Error::BufferLength { buffer: "input", expected: 4, found: 6 }));
    assert!(matches!(OverlapSave::<f64>::plan(&cpu, &[]), Err(Error::Signal { .. })));
    assert!(convolve(&cpu, (&[1f32; 3], 4), (&[1.0], 1), Mode::Full).is_err());
    assert!(phase_correlation(&cpu, &[1f32; 3], &[1.0; 4], 4).is_err());
}
