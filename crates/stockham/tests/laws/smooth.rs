//! Lengths that are no powers of two, on every device.

use stockham::accuracy::{Measured, measure};
use stockham::{Algebra, Complex64, Device, Error, Normalization, Transform};

use crate::common::{DIRECTIONS, Poison, assert_close, batch_case, everywhere, is_cpu, is_slow, run};

use crate::lengths::{GOLDILOCKS, LONG_PRIME, LONG_SMOOTH, ROUGH, SMOOTH, has_goldilocks_root};

/// Those that a test takes: all where kernels are compiled fast, a few of each class elsewhere, others for every algebra.
fn some<T: Measured>(device: &Device, lengths: &[usize]) -> Vec<usize> {
    let (step, first) = match T::ALGEBRA {
        _ if is_cpu(device) => (1, 0),
        Algebra::ComplexF32 if !is_slow(device) => (1, 0),
        Algebra::ComplexF32 => (13, 6),
        Algebra::ComplexF64 => (13, 3),
        _ => (9, 2),
    };
    lengths.iter().copied().skip(first).step_by(step).collect()
}

fn lengths_of<T: Measured>(device: &Device) -> Vec<usize> {
    let all = [&SMOOTH[..], &LONG_SMOOTH, &ROUGH, &[LONG_PRIME]].concat();
    some::<T>(device, if T::ALGEBRA == Algebra::Goldilocks { &GOLDILOCKS } else { &all })
}

#[test]
fn smooth_lengths_agree_with_the_reference() {
    fn agree<T: Measured>(device: &Device) {
        for (case, n) in lengths_of::<T>(device).into_iter().enumerate() {
            let record = measure::<T>(device, n, DIRECTIONS[case % 2], n as u64).unwrap();
            let bound = Transform::new(T::ALGEBRA, n).error_bound();
            let units = bound / T::ALGEBRA.unit_roundoff().unwrap_or(1.0) / (n as f64).log2().max(1.0).sqrt();
            // rustfft's own limits are told in the README.
            let limit = if is_cpu(device) { 4.0 } else { units };
            assert!(
                record.exact && record.l2_units == 0.0 || record.l2_units <= limit,
                "{}: {record:?}",
                device.info().id
            );
        }
    }
    everywhere!(agree);
}

/// Convolutions of 9·9·9·9 points, and of 18·18 in two passes, whose constants are too small together.
#[test]
fn constants_have_no_part_in_the_errors_of_convolutions() {
    for device in crate::common::devices().into_iter().filter(|device| !is_cpu(device) && !is_slow(device)) {
        for n in [3253, 149 * 149] {
            let record = measure::<Complex64>(&device, n, DIRECTIONS[n % 2], n as u64).unwrap();
            assert!(record.l2_units <= 1.15, "{}: {record:?}", device.info().id);
        }
    }
}

#[test]
fn batches_scales_and_places_of_smooth_lengths() {
    fn agree<T: Poison>(device: &Device) {
        // The definition of longer ones would take minutes.
        let lengths = lengths_of::<T>(device).into_iter().filter(|n| *n < LONG_PRIME);
        for (case, n) in lengths.enumerate().filter(|(case, _)| case % 2 == 1) {
            let norm = if case % 4 == 1 { Normalization::Forward } else { Normalization::Backward };
            let transform = Transform::new(T::ALGEBRA, n).batch(3).direction(DIRECTIONS[case % 2]).normalization(norm);
            let transform = if case % 3 == 0 { transform.in_place() } else { transform };
            let (x, expected) = batch_case::<T>(&transform, n as u64);
            let y = run(device, &transform, &x).unwrap();
            // As any_length_on_the_cpu.
            let limit = if is_cpu(device) { 4.0 } else { 2.0 };
            assert_close(&y, &expected, n, limit, || format!("{transform:?} on {}", device.info().id));
        }
    }
    everywhere!(agree);
}

#[test]
fn lengths_without_roots_are_refused_on_gpus() {
    for device in crate::common::devices().into_iter().filter(|device| !is_cpu(device)) {
        for n in SMOOTH.into_iter().filter(|n| !has_goldilocks_root(*n)) {
            let found = device.plan(&Transform::new(Algebra::Goldilocks, n)).err();
            assert!(matches!(found, Some(Error::Unsupported { .. })), "{n}: {found:?}");
        }
    }
}
