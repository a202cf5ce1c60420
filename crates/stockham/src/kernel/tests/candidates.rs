//! Every candidate of tuning computes the same as the planner's own choice: the right thing.

use num_complex::Complex;

use super::cluster::{check_recipe, hopper};
use super::{Bits, device};
use crate::algebra::Goldilocks;
use crate::device_info::DeviceInfo;
use crate::plan::candidates;
use crate::transform::{Normalization, Transform};

/// Checks all candidates on what they are for, and gives how many there were.
fn check_all<T: Bits>(transform: &Transform, device: &DeviceInfo) -> usize {
    let candidates = candidates(transform, device);
    for choice in &candidates {
        check_recipe::<T>(&choice.realise(transform, device).unwrap());
    }
    candidates.len()
}

fn check_lengths<T: Bits>(logs: &[u32], device: &DeviceInfo) {
    for &log in logs {
        let single = Transform::new(T::ALGEBRA, 1 << log);
        let tried = [single.clone(), single.clone().batch(5).inverse()].map(|t| check_all::<T>(&t, device));
        assert!(log < 3 || tried.iter().all(|&tried| tried > 1), "{tried:?} of 2^{log}");
    }
}

#[test]
fn complex_f32() {
    check_lengths::<Complex<f32>>(&[0, 1, 2, 3, 5, 8, 10], &hopper(Some(16)));
    check_lengths::<Complex<f32>>(&[2, 6, 9, 11], &device(2048, 64, 16));
}

#[test]
fn complex_f64() {
    check_lengths::<Complex<f64>>(&[1, 4, 7, 10], &hopper(Some(16)));
    check_lengths::<Complex<f64>>(&[4, 9], &device(1 << 21, 4096, 1));
}

#[test]
fn goldilocks() {
    check_lengths::<Goldilocks>(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], &hopper(Some(16)));
    check_lengths::<Goldilocks>(&[3, 6, 10], &device(48 << 10, 1024, 32));
}

/// Cuts into three and four passes.
#[test]
fn many_passes() {
    let long = Transform::new(crate::Algebra::Goldilocks, 1 << 15).normalization(Normalization::Forward);
    assert!(check_all::<Goldilocks>(&long, &hopper(None)) > 10);
    let cuts = |device: &DeviceInfo| -> Vec<usize> {
        candidates(&long, device).iter().map(|choice| choice.passes.len()).collect()
    };
    assert!(cuts(&hopper(None)).contains(&3));
}

/// What was chosen for one transform serves others of its length, wherever their points lie.
#[test]
fn choices_serve_other_batches_and_layouts() {
    use crate::transform::Dim;
    let device = hopper(Some(16));
    for log in [2, 3, 6, 10] {
        let n = 1usize << log;
        let base = Transform::new(crate::Algebra::Goldilocks, n);
        let others = [
            base.clone(),
            base.clone().batch(3).in_place(),
            base.clone().with_batch([Dim::new(3, n + 7)]),
            base.clone().with_dims([Dim::new(n, 5)]).with_batch([Dim::new(5, 1)]),
            base.clone().with_batch([Dim::new(2, 4 * n), Dim::new(3, n)]).inverse(),
        ];
        for choice in candidates(&base.clone().batch(64), &device) {
            for other in &others {
                check_recipe::<Goldilocks>(&choice.realise(other, &device).unwrap());
            }
        }
    }
}
