//! A right result is found to be right; planted faults are found.

use super::super::check::is_right;
use super::*;
use stockham::algebra::Ring;
use stockham::{Algebra, Complex32, Complex64, Device, Goldilocks, Lengths};

/// What makes a result wrong.
type Fault<'a, T> = &'a dyn Fn(&mut [T]);

/// The input of real numbers and the half spectra on the CPU.
fn half_spectra(transform: &Transform) -> (Vec<f32>, Vec<Complex32>) {
    let device = Device::cpu();
    let x = accuracy::random::<Complex32>(transform.input_len(), 1).iter().map(|v| v.re).collect::<Vec<f32>>();
    let (input, mut output) = (device.upload(&x).unwrap(), device.alloc(transform.output_len()).unwrap());
    device.plan(transform).unwrap().run(&input, &mut output).unwrap();
    (x, output.to_vec().unwrap())
}

/// The input of elements and the result on the CPU.
fn spectra<T: Measured>(transform: &Transform) -> (Vec<T>, Vec<T>) {
    let device = Device::cpu();
    let x = accuracy::random::<T>(transform.input_len(), 1);
    let (input, mut output) = (device.upload(&x).unwrap(), device.alloc(transform.output_len()).unwrap());
    device.plan(transform).unwrap().run(&input, &mut output).unwrap();
    (x, output.to_vec().unwrap())
}

fn arrays<T: Measured>(lengths: impl Into<Lengths>, batch: usize) -> Transform {
    Transform::new(T::ALGEBRA, lengths).batch(batch)
}

fn passes<T: Measured>(transform: &Transform, x: &(impl Fn(usize) -> T::Wide + Sync), y: &[T]) -> bool {
    is_right(transform, l2_error(transform, x, &|range| Ok(y[range].to_vec())).unwrap())
}

/// The right result passes, and with a fault it does not.
fn only_the_right_result_passes<T: Measured>(
    transform: &Transform,
    x: &(impl Fn(usize) -> T::Wide + Sync),
    y: &[T],
    faults: &[Fault<'_, T>],
) {
    let lengths: Vec<usize> = transform.dims.iter().map(|dim| dim.n).collect();
    assert!(passes(transform, x, y), "{lengths:?}");
    let last = y.len() - 1;
    let common: [Fault<'_, T>; 6] = [
        &|y| y.swap(0, 1),
        &|y| y.swap(1, last),
        &|y| y[0] = y[0].neg(),
        &|y| y[last] = y[last].neg(),
        &|y| y[last / 2] = T::zero(),
        &|y| y.reverse(),
    ];
    for (number, fault) in common.iter().chain(faults).enumerate() {
        let mut y = y.to_vec();
        fault(&mut y);
        assert!(!passes(transform, x, &y), "{lengths:?}, fault {number}");
    }
}

/// Every transform of `rows` by `columns` outputs as if its axes had been confused.
fn transpose<T: Copy>(y: &mut [T], rows: usize, columns: usize) {
    for array in y.chunks_mut(rows * columns) {
        let found = array.to_vec();
        array.iter_mut().enumerate().for_each(|(i, y)| *y = found[i % rows * columns + i / rows]);
    }
}

fn of_elements<T: Measured>(lengths: &[usize], batch: usize, faults: &[Fault<'_, T>]) {
    let transform = arrays::<T>(lengths, batch);
    let (x, y) = spectra::<T>(&transform);
    only_the_right_result_passes(&transform, &|i| x[i].widen(), &y, faults);
}

#[test]
fn faults_in_several_dimensions_are_found() {
    of_elements::<Complex32>(&[8, 8], 3, &[&|y| transpose(y, 8, 8)]);
    of_elements::<Complex32>(&[12, 10], 2, &[&|y| transpose(y, 12, 10), &|y| transpose(y, 10, 12)]);
    of_elements::<Complex32>(&[37, 2], 1, &[]);
    of_elements::<Complex64>(&[4, 6, 5], 2, &[&|y| y.chunks_mut(30 * 4).for_each(|y| transpose(y, 4, 30))]);
    of_elements::<Complex32>(&[3, 1, 4, 74], 1, &[]);
    // The two outer axes confused: lines of 16 outputs change places.
    of_elements::<Complex64>(
        &[8, 8, 16],
        1,
        &[&|y| {
            let found = y.to_vec();
            for (line, outputs) in y.chunks_mut(16).enumerate() {
                outputs.copy_from_slice(&found[(line % 8 * 8 + line / 8) * 16..][..16]);
            }
        }],
    );
    of_elements::<Goldilocks>(&[16, 4, 8], 2, &[&|y| y[100] = y[101]]);
}

/// Not all of a large array is looked at, but lines from all over it.
#[test]
fn wrong_axes_of_large_arrays_are_found() {
    let transform = arrays::<Complex32>([128, 4096], 1);
    let (x, y) = spectra::<Complex32>(&transform);
    let passes = |y: &[Complex32]| passes(&transform, &|i| x[i].widen(), y);
    assert!(passes(&y));
    // The transform of lines only.
    let (_, lines) = spectra::<Complex32>(&arrays::<Complex32>(4096, 128));
    assert!(!passes(&lines));
    // The inverse along the first axis.
    let mut rows: Vec<&[Complex32]> = y.chunks(4096).collect();
    rows[1..].reverse();
    assert!(!passes(&rows.concat()));
    assert!(!passes(&x));
}

#[test]
fn faults_in_half_spectra_are_found() {
    // With a middle and without; a prime without an autosort; one that is left to combs.
    for lengths in [&[64][..], &[15], &[37], &[8209], &[2], &[12, 10], &[5, 9], &[3, 4, 8]] {
        let transform = Transform::real(Algebra::ComplexF32, lengths).batch(2);
        let (x, y) = half_spectra(&transform);
        let x = |i: usize| Complex32::from(x[i]).widen();
        // The other half of the spectrum.
        let conjugate = |y: &mut [Complex32]| y.iter_mut().for_each(|y| *y = y.conj());
        let kept = lengths[lengths.len() - 1] / 2 + 1;
        let shifted = move |y: &mut [Complex32]| y.chunks_mut(kept).for_each(|y| y.rotate_left(1));
        // The outputs of two points are real.
        let faults: &[Fault<'_, Complex32>] = if lengths == [2] { &[&shifted] } else { &[&conjugate, &shifted] };
        if lengths != [8209] {
            only_the_right_result_passes(&transform, &x, &y, faults);
            continue;
        }
        // Some outputs are looked at.
        assert!(passes(&transform, &x, &y));
        for fault in faults {
            let mut y = y.clone();
            fault(&mut y);
            assert!(!passes(&transform, &x, &y));
        }
    }
}

/// What a line is compared with is the definition, by whichever way it is computed.
#[test]
fn references_are_the_definition() {
    let x: Vec<Goldilocks> = accuracy::random(3 * 5 * 48, 7);
    let weight = |k: usize, j: usize, n: usize| Goldilocks::root(Root::new(k * j, n));
    for row in [0, 1, 7, 14] {
        let line = summed(&|i| x[i], &[3, 5], 48, row);
        for (column, found) in line.into_iter().enumerate() {
            let term = |at: usize| {
                let w = weight(row / 5, at / 5, 3).mul(&weight(row % 5, at % 5, 5));
                x[at * 48 + column].mul(&w)
            };
            assert_eq!(found, (0..15).map(term).fold(Goldilocks::zero(), |sum, term| sum.add(&term)));
        }
    }
    let all = naive::dft(&x[..48], Direction::Forward);
    for kept in [48, 25] {
        let combs = Lines { n: 48, kept, autosort: None };
        assert_eq!(combs.outputs(x[..48].to_vec()), [(0, all[..kept].to_vec())]);
        assert_eq!(Lines::new(48, kept).outputs(x[..48].to_vec()), [(0, all[..kept].to_vec())]);
        let some = combs.combs(&x[..48]);
        assert!(some.len() >= kept.min(COMB) && some.iter().all(|(place, values)| values[..] == [all[*place]]));
    }
}

/// More columns than a task sums up, and more elements than one part has.
#[test]
fn long_sums_are_whole() {
    let ones = |_: usize| Goldilocks::one();
    for (rows, n) in [(5, ELEMENTS + 1), (300, 1000), (3, COLUMNS * 2 + 1)] {
        let total = (0..rows).fold(Goldilocks::zero(), |sum, _| sum.add(&Goldilocks::one()));
        let line = summed(&ones, &[rows], n, 0);
        assert!(line.len() == n && line.iter().all(|sum| *sum == total), "{rows} of {n}");
    }
}
