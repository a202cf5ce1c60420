//! Transforms of several dimensions, of elements and of real numbers, over whatever strides: random descriptions against the
//! definition. `STOCKHAM_TEST_DESCRIPTIONS` says how many of each kind, and `STOCKHAM_TEST_SEED` where they begin.

use stockham::accuracy::random;
use stockham::algebra::{DoubleDouble, Numbers, NumericRing, Ring, Scalar};
use stockham::{
    Algebra, Buffer, Complex, Complex32, Complex64, Data, Device, Dim, Direction, Error, Kind, Normalization,
    Placement, Scale, Transform, TrigType,
};

use crate::common::{Poison, assert_close, computes, devices, everywhere, is_cpu, is_slow, reference_of};
use crate::lengths::{LONG_SMOOTH, ROUGH, SMOOTH};
use crate::mutations::Random;

/// Lengths of a dimension.
const LENGTHS: [usize; 20] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 20, 25, 32, 37];
/// Over the field.
const FIELD_LENGTHS: [usize; 9] = [1, 2, 3, 4, 6, 8, 15, 16, 34];
/// Elements of an array at most.
const MOST: usize = 6000;

/// An array without gaps, outermost dimension first.
struct Array<W> {
    lengths: Vec<usize>,
    data: Vec<W>,
}

impl<W: Copy> Array<W> {
    /// Every line of a dimension becomes another, of whatever length.
    fn along(self, axis: usize, line: &dyn Fn(&[W]) -> Vec<W>) -> Self {
        let n = self.lengths[axis];
        let inner: usize = self.lengths[axis + 1..].iter().product();
        let mut lines = Vec::new();
        for block in self.data.chunks(n * inner) {
            for i in 0..inner {
                let of: Vec<W> = (0..n).map(|j| block[i + j * inner]).collect();
                lines.push(line(&of));
            }
        }
        let m = lines[0].len();
        let place = |at: usize| lines[at / (m * inner) * inner + at % inner][at / inner % m];
        let data = (0..lines.len() * m).map(place).collect();
        let mut lengths = self.lengths;
        lengths[axis] = m;
        Self { lengths, data }
    }
}

/// Where the numbers of a side are, the batch outside of the transform's dimensions.
fn places(transform: &Transform, lengths: &[usize], stride: fn(&Dim) -> usize) -> Vec<usize> {
    let dims = transform.batch.iter().chain(&transform.dims);
    dims.zip(lengths).fold(vec![0], |places, (dim, n)| {
        places.iter().flat_map(|at| (0..*n).map(move |i| at + i * stride(dim))).collect()
    })
}

/// Lengths of a side, likewise.
fn lengths(transform: &Transform, is_half: bool) -> Vec<usize> {
    let mut lengths: Vec<usize> = transform.batch.iter().chain(&transform.dims).map(|dim| dim.n).collect();
    let last = lengths.last_mut().unwrap();
    *last = if is_half { *last / 2 + 1 } else { *last };
    lengths
}

/// A description of one dimension of so many points, for the reference along it.
fn line(transform: &Transform, n: usize) -> Transform {
    Transform::new(transform.algebra, n).direction(transform.direction).normalization(transform.normalization)
}

/// Random dimensions, strides, direction, normalisation and place.
fn description(algebra: Algebra, kind: Kind, random: &mut Random) -> Transform {
    let lengths: &[usize] = match kind {
        Kind::Cosine(TrigType::I) => &LENGTHS[1..],
        _ if algebra == Algebra::Goldilocks => &FIELD_LENGTHS,
        _ => &LENGTHS,
    };
    let (rank, batch) = (1 + random.below(4), random.below(3));
    let mut points = 1;
    let mut length = |random: &mut Random| {
        let n = random.one_of(lengths);
        let n = if points * n > MOST { lengths[0] } else { n };
        points *= n;
        n
    };
    let of: Vec<usize> = (0..rank + batch).map(|_| length(random)).collect();
    let mut transform = Transform::along(algebra, kind, &of[..rank], &(0..rank).collect::<Vec<_>>()).unwrap();
    transform.batch = of[rank..].iter().map(|&n| Dim::new(n, 1)).collect();
    if random.below(2) == 0 {
        transform = transform.inverse();
    }
    let norms = [Normalization::Backward, Normalization::Forward, Normalization::Ortho, Normalization::None];
    let norms = if algebra == Algebra::Goldilocks { vec![norms[0], norms[1], norms[3]] } else { norms.to_vec() };
    transform.normalization = random.one_of(&norms);
    transform.placement = random.one_of(&[Placement::OutOfPlace, Placement::InPlace]);
    let in_place = transform.placement == Placement::InPlace;
    let forward = transform.direction == Direction::Forward;
    // Dimensions in any order, with gaps; in place, the last is innermost for real numbers.
    let lay_out = |is_half: bool, keeps_last: bool, random: &mut Random| {
        let mut order: Vec<usize> = (0..rank + batch).collect();
        (1..order.len()).for_each(|i| order.swap(i, random.below(i + 1)));
        if keeps_last {
            order.retain(|at| *at != rank - 1);
            order.insert(0, rank - 1);
        }
        let (mut strides, mut stride) = (vec![1; rank + batch], 1);
        for (number, at) in order.into_iter().enumerate() {
            let gap = random.one_of(&[0, 0, 0, 1, 3]);
            let n = if is_half && at == rank - 1 { of[at] / 2 + 1 } else { of[at] };
            let first = if keeps_last && number == 0 { 1 } else { stride + gap };
            strides[at] = first;
            stride += (n - 1) * first;
        }
        strides
    };
    let real = kind == Kind::Real;
    let spectrum = lay_out(real, real && in_place, random);
    let other = match (in_place, real) {
        (false, _) => lay_out(false, false, random),
        (true, false) => spectrum.clone(),
        (true, true) => (0..rank + batch).map(|at| if at == rank - 1 { 1 } else { 2 * spectrum[at] }).collect(),
    };
    let (input, output) = if real && !forward { (spectrum, other) } else { (other, spectrum) };
    for (at, dim) in transform.dims.iter_mut().chain(&mut transform.batch).enumerate() {
        (dim.input_stride, dim.output_stride) = (input[at], output[at]);
    }
    transform
}

/// How many descriptions a device takes, and the first seed.
fn count(device: &Device) -> (u64, u64) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let few = if is_cpu(device) {
        400
    } else if is_slow(device) {
        3
    } else {
        40
    };
    (number("STOCKHAM_TEST_DESCRIPTIONS").unwrap_or(few), number("STOCKHAM_TEST_SEED").unwrap_or(1))
}

/// Errors in u·√log2 n: those of a few outputs do not average out. On the CPU, rustfft's `f64` transforms round the angles of
/// their roots, which shows in lengths that are no powers of two.
fn limit(device: &Device, transform: &Transform) -> f64 {
    let is_even = transform.dims.iter().all(|dim| dim.n.is_power_of_two());
    match transform.points() * transform.batch_count() {
        _ if is_cpu(device) && transform.algebra == Algebra::ComplexF64 && !is_even => 4.0,
        0..16 => 3.0,
        _ => 2.0,
    }
}

/// Runs it in its place; what is beside its numbers must not change.
fn outputs<I: Data, O: Data>(device: &Device, transform: &Transform, input: &[I], blank: &[O], to: &[usize]) -> Vec<O> {
    let what = || format!("{} {transform:?}", device.info().id);
    let executable = device.plan(transform).unwrap_or_else(|error| panic!("{}: {error}", what()));
    let mut data: Buffer<I> = device.upload(input).unwrap();
    let before: Vec<u8>;
    let after: Vec<O> = match transform.placement {
        Placement::OutOfPlace => {
            let mut output = device.upload(blank).unwrap();
            executable.run(&data, &mut output).unwrap_or_else(|error| panic!("{}: {error}", what()));
            let same = bytemuck::cast_slice::<I, u8>(&data.to_vec().unwrap()) == bytemuck::cast_slice::<I, u8>(input);
            assert!(same, "{}: the input changed", what());
            before = bytemuck::cast_slice(blank).to_vec();
            output.to_vec().unwrap()
        }
        Placement::InPlace => {
            executable.run_in_place(&mut data).unwrap_or_else(|error| panic!("{}: {error}", what()));
            before = bytemuck::cast_slice(input).to_vec();
            bytemuck::cast_slice(&data.to_vec().unwrap()).to_vec()
        }
    };
    // In place, numbers of the other kind were where there are gaps now, within lines.
    if transform.kind != Kind::Real || transform.placement == Placement::OutOfPlace {
        let mut written = vec![false; after.len()];
        to.iter().for_each(|at| written[*at] = true);
        let bytes: &[u8] = bytemuck::cast_slice(&after);
        let size = size_of::<O>();
        for (at, _) in written.iter().enumerate().filter(|(_, written)| !**written) {
            assert_eq!(bytes[at * size..][..size], before[at * size..][..size], "{}: at {at}", what());
        }
    }
    to.iter().map(|at| after[*at]).collect()
}

#[test]
fn elements_in_several_dimensions() {
    fn check<T: Poison>(device: &Device) {
        let (cases, seed) = count(device);
        for case in seed..seed + cases {
            let transform = description(T::ALGEBRA, Kind::Dft, &mut Random(case));
            let x = random::<T>(transform.input_len(), case);
            let of = lengths(&transform, false);
            let from = places(&transform, &of, |dim| dim.input_stride);
            let to = places(&transform, &of, |dim| dim.output_stride);
            let batch = transform.batch.len();
            let mut array = Array { lengths: of, data: from.iter().map(|at| x[*at].widen()).collect() };
            for axis in batch..array.lengths.len() {
                array = array.along(axis, &|x| reference_of(x.to_vec(), &line(&transform, x.len())));
            }
            let found = outputs(device, &transform, &x, &vec![T::poison(); transform.output_len()], &to);
            let what = || format!("case {case} on {}: {transform:?}", device.info().id);
            assert_close(&found, &array.data, transform.points(), limit(device, &transform), what);
        }
    }
    everywhere!(check);
}

/// Complex numbers and the real ones that they are made of.
pub trait OverReals: Poison {
    type Real: Data;
    fn re(self) -> Self::Real;
    fn from_real(x: Self::Real) -> Self;
    /// The conjugate.
    fn mirrored(x: Self::Wide) -> Self::Wide;
    /// With an imaginary part of 0.
    fn without_im(x: Self::Wide) -> Self::Wide;
}

macro_rules! over_reals {
    ($real:ty, $wide:ty) => {
        impl OverReals for Complex<$real> {
            type Real = $real;
            fn re(self) -> $real {
                self.re
            }
            fn from_real(x: $real) -> Self {
                x.into()
            }
            fn mirrored(x: Complex<$wide>) -> Complex<$wide> {
                Complex::new(x.re, x.im.neg())
            }
            fn without_im(x: Complex<$wide>) -> Complex<$wide> {
                Complex::new(x.re, <$wide>::from(0.0))
            }
        }
    };
}
over_reals!(f32, f64);
over_reals!(f64, DoubleDouble);

/// n elements of which the first n/2 + 1 are given, as NumPy completes them.
fn completed<T: OverReals>(half: &[T::Wide], n: usize) -> Vec<T::Wide> {
    let is_own = |k: usize| k == 0 || 2 * k == n;
    let of = |k: usize| match k {
        k if is_own(k) => T::without_im(half[k]),
        k if k < half.len() => half[k],
        k => T::mirrored(half[n - k]),
    };
    (0..n).map(of).collect()
}

/// What a transform of real numbers is, from its numbers in order.
pub fn real_reference<T: OverReals>(transform: &Transform, x: Vec<T::Wide>) -> Vec<T::Wide> {
    let (batch, last) = (transform.batch.len(), transform.batch.len() + transform.dims.len() - 1);
    let n = transform.dims[transform.dims.len() - 1].n;
    let is_inverse = transform.direction == Direction::Inverse;
    let mut array = Array { lengths: lengths(transform, is_inverse), data: x };
    let of = |x: Vec<T::Wide>| {
        let line = line(transform, x.len());
        reference_of(x, &line)
    };
    if !is_inverse {
        array = array.along(last, &|x| of(x.to_vec())[..n / 2 + 1].to_vec());
    }
    for axis in batch..last {
        array = array.along(axis, &|x| of(x.to_vec()));
    }
    if is_inverse {
        array = array.along(last, &|half| of(completed::<T>(half, n)).into_iter().map(T::without_im).collect());
    }
    array.data
}

#[test]
fn real_numbers_in_several_dimensions() {
    fn check<T: OverReals>(device: &Device) {
        let (cases, seed) = count(device);
        for case in seed..seed + cases {
            let transform = description(T::ALGEBRA, Kind::Real, &mut Random(case ^ 0xfeed));
            let what = || format!("case {case} on {}: {transform:?}", device.info().id);
            let is_inverse = transform.direction == Direction::Inverse;
            let from = places(&transform, &lengths(&transform, is_inverse), |dim| dim.input_stride);
            let to = places(&transform, &lengths(&transform, !is_inverse), |dim| dim.output_stride);
            let in_place = transform.placement == Placement::InPlace;
            let pairs = random::<T>(transform.input_len().max(transform.output_len()), case);
            let (found, x): (Vec<T>, Vec<T>) = if is_inverse {
                let x = &pairs[..transform.input_len()];
                let blank = vec![T::poison().re(); if in_place { 0 } else { transform.output_len() }];
                let found = outputs(device, &transform, x, &blank, &to);
                (found.into_iter().map(T::from_real).collect(), x.to_vec())
            } else if in_place {
                // As elements or as real numbers, which is the same memory.
                let x = &pairs[..transform.output_len()];
                let reals: &[T::Real] = bytemuck::cast_slice(x);
                let found = match case % 2 {
                    0 => outputs(device, &transform, x, &[], &to),
                    _ => outputs(device, &transform, reals, &[], &to),
                };
                (found, reals.iter().map(|x| T::from_real(*x)).collect())
            } else {
                let reals: Vec<T::Real> = pairs[..transform.input_len()].iter().map(|x| x.re()).collect();
                let found = outputs(device, &transform, &reals, &vec![T::poison(); transform.output_len()], &to);
                (found, reals.into_iter().map(T::from_real).collect())
            };
            let expected = real_reference::<T>(&transform, from.iter().map(|at| x[*at].widen()).collect());
            assert_close(&found, &expected, transform.points(), limit(device, &transform), what);
        }
    }
    for device in devices() {
        check::<Complex32>(&device);
        if computes(&device, Algebra::ComplexF64) {
            check::<Complex64>(&device);
        }
    }
}

/// Of the number j, what goes into number k: a weight of 1 or 2, and a fraction of a turn whose cosine, or sine, it has.
fn trig_term(is_sine: bool, of: TrigType, n: usize, (j, k): (usize, usize)) -> (usize, usize, usize) {
    let once = |is_end: bool| if is_end { 1 } else { 2 };
    match (is_sine, of) {
        (false, TrigType::I) => (once(j == 0 || j + 1 == n), j * k, 2 * (n - 1)),
        (true, TrigType::I) => (2, (j + 1) * (k + 1), 2 * (n + 1)),
        (false, TrigType::II) => (2, (2 * j + 1) * k, 4 * n),
        (true, TrigType::II) => (2, (2 * j + 1) * (k + 1), 4 * n),
        (false, TrigType::III) => (once(j == 0), j * (2 * k + 1), 4 * n),
        (true, TrigType::III) => (once(j + 1 == n), (j + 1) * (2 * k + 1), 4 * n),
        (_, TrigType::IV) => (2, (2 * j + 1) * (2 * k + 1), 8 * n),
    }
}

/// The matrix of the definition, row after row, in the type that the direction makes of it.
fn trig_matrix<T: OverReals>(transform: &Transform) -> Vec<Vec<T::Wide>> {
    let (is_sine, of) = match transform.kind {
        Kind::Cosine(of) => (false, of),
        Kind::Sine(of) => (true, of),
        _ => unreachable!("a cosine or sine transform"),
    };
    let of = match (of, transform.direction) {
        (TrigType::II, Direction::Inverse) => TrigType::III,
        (TrigType::III, Direction::Inverse) => TrigType::II,
        (of, _) => of,
    };
    let (n, one) = (transform.points(), T::Wide::one());
    let half_root = one.scaled(Scale::InverseSqrt(2));
    let root = half_root.add(&half_root);
    let is_end = |i: usize| match (is_sine, of) {
        (true, TrigType::I) | (_, TrigType::IV) => false,
        (false, TrigType::I) => i == 0 || i + 1 == n,
        (false, _) => i == 0,
        (true, _) => i + 1 == n,
    };
    let (before, after) = (of != TrigType::II, of != TrigType::III);
    let element = |k: usize, j: usize| {
        let (weight, a, turn) = trig_term(is_sine, of, n, (j, k));
        // A sine is the cosine of a quarter of a turn less.
        let (a, turn) = if is_sine { (4 * (a % turn) + 3 * turn, 4 * turn) } else { (a, turn) };
        let once = T::without_im(one.root_of_unity(Direction::Forward.root(a % turn, turn)));
        let element = if weight == 1 { once } else { once.add(&once) }.scaled(transform.scale());
        let element = if transform.orthogonalize && before && is_end(j) { element.mul(&root) } else { element };
        if transform.orthogonalize && after && is_end(k) { element.mul(&half_root) } else { element }
    };
    (0..n).map(|k| (0..n).map(|j| element(k, j)).collect()).collect()
}

#[test]
fn cosine_and_sine_transforms() {
    fn check<T: OverReals>(device: &Device) {
        let (cases, seed) = count(device);
        for case in seed..seed + cases {
            let mut random_numbers = Random(case ^ 0xc05);
            let of = random_numbers.one_of(&[TrigType::I, TrigType::II, TrigType::III, TrigType::IV]);
            let kind = random_numbers.one_of(&[Kind::Cosine(of), Kind::Sine(of)]);
            let mut transform = description(T::ALGEBRA, kind, &mut random_numbers);
            transform.orthogonalize = random_numbers.below(2) == 0;
            let what = || format!("case {case} on {}: {transform:?}", device.info().id);
            let of = lengths(&transform, false);
            let from = places(&transform, &of, |dim| dim.input_stride);
            let to = places(&transform, &of, |dim| dim.output_stride);
            let x: Vec<T::Real> = random::<T>(transform.input_len(), case).into_iter().map(|x| x.re()).collect();
            let data = from.iter().map(|at| T::from_real(x[*at]).widen()).collect();
            let mut array = Array { lengths: of, data };
            for axis in transform.batch.len()..array.lengths.len() {
                let mut of_line = line(&transform, array.lengths[axis]);
                (of_line.kind, of_line.orthogonalize) = (kind, transform.orthogonalize);
                let matrix = trig_matrix::<T>(&of_line);
                array = array.along(axis, &|x| {
                    let sum = |row: &Vec<T::Wide>| {
                        let products = row.iter().zip(x).map(|(a, x)| a.mul(x));
                        products.reduce(|sum, term| sum.add(&term)).unwrap_or_else(T::Wide::zero)
                    };
                    matrix.iter().map(sum).collect()
                });
            }
            let found = outputs(device, &transform, &x, &vec![T::poison().re(); transform.output_len()], &to);
            let found: Vec<T> = found.into_iter().map(T::from_real).collect();
            assert_close(&found, &array.data, transform.points(), limit(device, &transform), what);
        }
    }
    for device in devices() {
        check::<Complex32>(&device);
        if computes(&device, Algebra::ComplexF64) {
            check::<Complex64>(&device);
        }
    }
}

/// Lines of every class of lengths, of one pass and of several: there, and from random half spectra back.
#[test]
fn real_lines_of_every_length() {
    fn check<T: OverReals>(device: &Device, case: usize, n: usize) {
        let forward = Transform::real(T::ALGEBRA, n).batch(2);
        for transform in [forward.clone(), forward.inverse()] {
            let what = || format!("{} {transform:?}", device.info().id);
            let pairs = random::<T>(transform.input_len().max(transform.output_len()), case as u64);
            let x: Vec<T> = match transform.direction {
                Direction::Forward => pairs.iter().map(|x| T::from_real(x.re())).collect(),
                Direction::Inverse => pairs,
            };
            let x = &x[..transform.input_len()];
            let expected = real_reference::<T>(&transform, x.iter().map(|x| x.widen()).collect());
            let to: Vec<usize> = (0..transform.output_len()).collect();
            let found = match transform.direction {
                Direction::Forward => {
                    let reals: Vec<T::Real> = x.iter().map(|x| x.re()).collect();
                    outputs(device, &transform, &reals, &vec![T::poison(); to.len()], &to)
                }
                Direction::Inverse => {
                    let found = outputs(device, &transform, x, &vec![T::poison().re(); to.len()], &to);
                    found.into_iter().map(T::from_real).collect()
                }
            };
            assert_close(&found, &expected, n, limit(device, &transform), what);
        }
    }
    let powers = (0..=14).map(|log| 1 << log);
    // The definition, which is the reference of those with large prime factors, takes the square of their length.
    let rough = ROUGH.into_iter().filter(|n| *n < 1 << 13);
    let lengths: Vec<usize> = powers.chain(SMOOTH).chain(LONG_SMOOTH).chain(rough).collect();
    for device in devices() {
        for (case, &n) in lengths.iter().enumerate() {
            // Compiling takes some their time: of one pass, of several, and by a chirp.
            let is_taken = |few: [usize; 2]| !is_slow(&device) || few.contains(&n);
            if is_taken([60, 1 << 13]) {
                check::<Complex32>(&device, case, n);
            }
            if is_taken([37, 10_000]) && computes(&device, Algebra::ComplexF64) {
                check::<Complex64>(&device, case, n);
            }
        }
    }
}

#[test]
fn real_numbers_in_wrong_buffers() {
    let (f32, device) = (Algebra::ComplexF32, Device::cpu());
    let forward = device.plan(&Transform::real(f32, 6)).unwrap();
    let (reals, mut half) = (device.upload(&[1f32; 7]).unwrap(), device.alloc::<Complex32>(4).unwrap());
    let mut pairs = device.alloc::<Complex32>(6).unwrap();
    let of_six = || reals.slice(1..).unwrap();
    forward.run(of_six(), &mut half).unwrap();
    assert_eq!(half.to_vec().unwrap(), [6.0, 0.0, 0.0, 0.0].map(Complex32::from));
    assert!(matches!(forward.run(&reals, &mut half), Err(Error::BufferLength { expected: 6, found: 7, .. })));
    let others = device.upload(&[1f64; 6]).unwrap();
    assert!(matches!(forward.run(&others, &mut half), Err(Error::ElementType { expected: "f32", .. })));
    assert!(matches!(forward.run(&half, &mut pairs), Err(Error::ElementType { buffer: "input", .. })));
    // The two parts of an element lie together.
    let mut parts = device.alloc::<f32>(9).unwrap();
    forward.run(of_six(), parts.slice_mut(..8).unwrap()).unwrap();
    let shifted = forward.run(of_six(), parts.slice_mut(1..).unwrap());
    assert!(matches!(shifted, Err(Error::Alignment { what: "output", alignment: 8, .. })), "{shifted:?}");
}
