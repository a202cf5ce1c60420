//! Where a transform reads and writes: strides, batches, gaps, slices, threads.

use std::thread;

use proptest::prelude::*;

use stockham::accuracy::random;
use stockham::{Complex32, Complex64, Device, Dim, Goldilocks, Normalization, Placement, Transform};

use crate::common::{
    Poison, assert_close, batch_case, computes, devices, everywhere, is_cpu, is_slow, reference, run, same_bits, takes,
};

/// Elements before and after the slice that a transform is given.
const MARGIN: usize = 5;

/// The places of the elements of every transform of a batch, as the descriptor's documentation defines them.
fn places(transform: &Transform, stride: impl Fn(&Dim) -> usize) -> Vec<Vec<usize>> {
    let mut origins = vec![0];
    for d in &transform.batch {
        origins = origins.iter().flat_map(|o| (0..d.n).map(move |i| (o, i))).map(|(o, i)| o + i * stride(d)).collect();
    }
    let dim = transform.dims[0];
    origins.iter().map(|o| (0..dim.n).map(|j| o + j * stride(&dim)).collect()).collect()
}

/// Runs a layout in slices of larger buffers and checks every element: results where they belong, nothing else touched.
fn check_layout<T: Poison>(device: &Device, transform: &Transform) {
    let what = || format!("{} {transform:?}", device.info().id);
    let executable = device.plan(transform).unwrap_or_else(|error| panic!("{}: {error}", what()));
    let (inputs, outputs) = (places(transform, |d| d.input_stride), places(transform, |d| d.output_stride));
    let x = random::<T>(transform.input_len() + 2 * MARGIN, 31);
    let from = MARGIN..MARGIN + transform.input_len();
    let to = MARGIN..MARGIN + transform.output_len();
    let mut input = device.upload(&x).unwrap();
    let (before, after) = match transform.placement {
        Placement::OutOfPlace => {
            let before = vec![T::poison(); transform.output_len() + 2 * MARGIN];
            let mut output = device.upload(&before).unwrap();
            executable.run(input.slice(from).unwrap(), output.slice_mut(to).unwrap()).unwrap();
            assert!(same_bits(&input.to_vec().unwrap(), &x), "{}: the input changed", what());
            (before, output.to_vec().unwrap())
        }
        Placement::InPlace => {
            executable.run_in_place(input.slice_mut(from).unwrap()).unwrap();
            (x.clone(), input.to_vec().unwrap())
        }
    };

    let mut written = vec![false; after.len()];
    let (mut found, mut expected) = (Vec::new(), Vec::new());
    for (from, to) in inputs.iter().zip(&outputs) {
        let line: Vec<T> = from.iter().map(|i| x[MARGIN + i]).collect();
        expected.extend(reference(&line, transform));
        found.extend(to.iter().map(|i| after[MARGIN + i]));
        to.iter().for_each(|i| written[MARGIN + i] = true);
    }
    assert_close(&found, &expected, transform.points(), 2.0, what);
    for (i, _) in written.iter().enumerate().filter(|(_, written)| !**written) {
        assert!(same_bits(&after[i..=i], &before[i..=i]), "{}: element {i} was overwritten", what());
    }
}

fn dim(n: usize, input_stride: usize, output_stride: usize) -> Dim {
    Dim { n, input_stride, output_stride }
}

/// The layouts by name, for transforms of `n` points.
pub fn layouts(n: usize) -> Vec<(&'static str, Vec<Dim>, Vec<Dim>)> {
    vec![
        ("one transform", vec![Dim::new(n, 1)], vec![]),
        ("strided transform", vec![Dim::new(n, 3)], vec![]),
        ("strided transform within a batch", vec![Dim::new(n, 2)], vec![Dim::new(3, 2 * n + 1)]),
        ("padded rows", vec![Dim::new(n, 1)], vec![Dim::new(5, n + 7)]),
        ("rows of an image in a larger one", vec![Dim::new(n, 1)], vec![Dim::new(2, 4 * (n + 2)), Dim::new(3, n + 2)]),
        ("two batch dimensions", vec![Dim::new(n, 1)], vec![Dim::new(3, 2 * n), Dim::new(2, n)]),
        ("interleaved batch", vec![Dim::new(n, 7)], vec![Dim::new(7, 1)]),
        ("middle axis", vec![Dim::new(n, 4)], vec![Dim::new(3, 4 * n), Dim::new(4, 1)]),
        ("batch dimensions in another order", vec![Dim::new(n, 4)], vec![Dim::new(4, 1), Dim::new(3, 4 * n)]),
        ("batch dimensions of one", vec![Dim::new(n, 1)], vec![Dim::new(1, 9), Dim::new(3, n), Dim::new(1, 0)]),
        ("gathered", vec![dim(n, 5, 1)], vec![dim(5, 1, n)]),
        ("scattered", vec![dim(n, 1, 5)], vec![dim(5, n, 1)]),
        ("compacted", vec![dim(n, 2, 1)], vec![dim(3, 2 * n + 3, n)]),
        ("one input for all", vec![Dim::new(n, 1)], vec![dim(3, 0, n)]),
    ]
}

#[test]
fn every_layout() {
    fn lay_out<T: Poison>(device: &Device) {
        // On one pass, and on several.
        let lengths = if is_cpu(device) { vec![1, 2, 8, 256, 1 << 13] } else { vec![8, 1 << 13] };
        for n in lengths {
            for (case, (name, dims, batch)) in layouts(n).into_iter().enumerate() {
                if !takes(device, T::ALGEBRA, case) {
                    continue;
                }
                let transform = Transform::new(T::ALGEBRA, n).with_dims(dims).with_batch(batch);
                let same = transform.dims.iter().chain(&transform.batch).all(|d| d.input_stride == d.output_stride);
                println!("{name}, n = {n}");
                let transform = if case % 2 == 1 { transform.inverse() } else { transform };
                check_layout::<T>(device, &transform);
                if same {
                    check_layout::<T>(device, &transform.in_place());
                }
            }
        }
    }
    everywhere!(lay_out);
}

#[test]
fn batches_of_any_count() {
    fn count<T: Poison>(device: &Device) {
        let (lengths, counts) =
            if is_slow(device) { (&[128][..], &[3, 33][..]) } else { (&[4, 128][..], &[1, 3, 7, 33][..]) };
        for &n in lengths {
            for &count in counts {
                let transform = Transform::new(T::ALGEBRA, n).batch(count);
                let (x, expected) = batch_case::<T>(&transform, 37);
                let y = run(device, &transform, &x).unwrap();
                assert_close(&y, &expected, n, 2.0, || format!("{} {transform:?}", device.info().id));
            }
        }
        let long = Transform::new(T::ALGEBRA, 1 << 13).batch(3);
        let (x, expected) = batch_case::<T>(&long, 37);
        assert_close(&run(device, &long, &x).unwrap(), &expected, 1 << 13, 1.0, || {
            format!("{} {long:?}", device.info().id)
        });
    }
    everywhere!(count);
}

/// Batches and lengths beyond what the loops of one work-group or one task cover.
#[test]
fn many_transforms_at_once() {
    fn many<T: Poison>(device: &Device) {
        for (n, count) in [(2, 40_001), (64, 1025)] {
            let transform = Transform::new(T::ALGEBRA, n).batch(count).normalization(Normalization::None);
            let (x, expected) = batch_case::<T>(&transform, 41);
            let y = run(device, &transform, &x).unwrap();
            assert_close(&y, &expected, n, 1.0, || format!("{} {transform:?}", device.info().id));
        }
    }
    everywhere!(many);
}

/// A cloned executable serves several threads at once, with runners of their own and without.
#[test]
fn threads_share_an_executable() {
    fn share<T: Poison>(device: &Device) {
        for n in [64, 1 << 13] {
            let transform = Transform::new(T::ALGEBRA, n).batch(4);
            let executable = device.plan(&transform).unwrap();
            let work = |seed: u64| {
                let executable = executable.clone();
                let (x, expected) = batch_case::<T>(&transform, seed);
                let input = device.upload(&x).unwrap();
                let mut output = device.upload(&vec![T::poison(); x.len()]).unwrap();
                let mut runner = executable.runner::<T>().unwrap();
                for turn in 0..6 {
                    output.write(&vec![T::poison(); x.len()]).unwrap();
                    if turn % 2 == 0 {
                        executable.run(&input, &mut output).unwrap();
                    } else {
                        runner.run(&input, &mut output).unwrap();
                        runner.stream().synchronize().unwrap();
                    }
                    let what = || format!("{} thread {seed} turn {turn}", device.info().id);
                    assert_close(&output.to_vec().unwrap(), &expected, n, 1.0, what);
                }
            };
            thread::scope(|scope| (0..4).for_each(|seed| drop(scope.spawn(move || work(seed)))));
        }
    }
    everywhere!(share);
}

/// Any layout without overlapping outputs: strides grow from the innermost dimension on, with gaps.
fn any_layout() -> impl Strategy<Value = (usize, Vec<Dim>, Vec<Dim>, bool, bool)> {
    let gaps = prop::collection::vec((0usize..4, 0usize..4), 3);
    let counts = prop::collection::vec(1usize..6, 2);
    (0u32..=9, gaps, counts, 0usize..3, any::<bool>(), any::<bool>()).prop_map(
        |(log, gaps, counts, position, inverse, in_place)| {
            let n = 1 << log;
            // The transform dimension is the innermost, the middle or the outermost one.
            let mut lengths = counts;
            lengths.insert(position, n);
            let (mut input, mut output) = (1, 1);
            let mut dims: Vec<Dim> = Vec::new();
            for (length, (gap_in, gap_out)) in lengths.into_iter().zip(gaps) {
                let gap_out = if in_place { gap_in } else { gap_out };
                dims.push(dim(length, input + gap_in, output + gap_out));
                (input, output) = ((input + gap_in) * length, (output + gap_out) * length);
            }
            let transformed = dims.remove(position);
            (n, vec![transformed], dims, inverse, in_place)
        },
    )
}

fn check_any<T: Poison>(
    device: &Device,
    (n, dims, batch, inverse, in_place): &(usize, Vec<Dim>, Vec<Dim>, bool, bool),
) {
    let mut transform = Transform::new(T::ALGEBRA, *n).with_dims(dims.clone()).with_batch(batch.clone());
    if *inverse {
        transform = transform.inverse();
    }
    if *in_place {
        transform = transform.in_place();
    }
    check_layout::<T>(device, &transform);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_layout_on_the_cpu(layout in any_layout()) {
        let cpu = Device::cpu();
        check_any::<Complex32>(&cpu, &layout);
        check_any::<Complex64>(&cpu, &layout);
        check_any::<Goldilocks>(&cpu, &layout);
    }
}

proptest! {
    // Few, because a device compiles each of them.
    #![proptest_config(ProptestConfig { cases: 5, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_layout_on_other_devices(layout in any_layout()) {
        for device in devices().iter().filter(|device| !is_cpu(device)) {
            check_any::<Complex32>(device, &layout);
            check_any::<Goldilocks>(device, &layout);
            if computes(device, stockham::Algebra::ComplexF64) {
                check_any::<Complex64>(device, &layout);
            }
        }
    }
}
