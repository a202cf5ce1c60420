//! What a transform computes: agreement with the definition, and the theorems.

use proptest::prelude::*;

use stockham::accuracy::{Measured, Method, check_by, measure, random};
use stockham::algebra::{NumericRing, Ring};
use stockham::{Algebra, Complex32, Complex64, Device, Direction, Error, Normalization, Transform, naive};

use crate::common::{
    DIRECTIONS, Poison, assert_close, batch_case, computes, devices, everywhere, is_cpu, run, same_bits, takes,
};

const NORMALIZATIONS: [Normalization; 4] =
    [Normalization::Backward, Normalization::Ortho, Normalization::Forward, Normalization::None];

#[test]
fn short_transforms_agree_with_the_reference() {
    fn agree<T: Measured>(device: &Device) {
        for log in 0..=14 {
            for direction in DIRECTIONS {
                if !takes(device, T::ALGEBRA, log + direction as usize) {
                    continue;
                }
                let record = measure::<T>(device, 1 << log, direction, log as u64).unwrap();
                assert!(record.passes(), "{}: {record:?}", device.info().id);
            }
        }
    }
    everywhere!(agree);
}

#[test]
fn long_transforms_agree_with_the_reference() {
    fn agree<T: Measured>(device: &Device) {
        for (n, direction) in
            [(1 << 16, Direction::Inverse), (1 << 17, Direction::Forward), (1 << 20, Direction::Forward)]
        {
            let record = measure::<T>(device, n, direction, 1).unwrap();
            assert!(record.passes(), "{}: {record:?}", device.info().id);
        }
    }
    everywhere!(agree);
}

/// Directly from the definition, by another way than the fast reference.
#[test]
fn agreement_with_the_definition() {
    fn agree<T: Poison>(device: &Device) {
        for (case, n) in [1usize, 2, 4, 8, 16, 32, 64, 128, 256].into_iter().enumerate() {
            for direction in DIRECTIONS {
                if !takes(device, T::ALGEBRA, case + direction as usize) {
                    continue;
                }
                let transform = Transform::new(T::ALGEBRA, n).direction(direction).normalization(Normalization::None);
                let x = random::<T>(n, 11);
                let wide: Vec<T::Wide> = x.iter().map(|v| v.widen()).collect();
                let y = run(device, &transform, &x).unwrap();
                assert_close(&y, &naive::dft(&wide, direction), n, 2.0, || format!("{transform:?}"));
            }
        }
    }
    everywhere!(agree);
}

/// The CPU takes lengths that are no powers of two as well: smooth, prime, and odd ones beyond the split.
#[test]
fn any_length_on_the_cpu() {
    fn agree<T: Poison>(lengths: &[usize]) {
        for &n in lengths {
            let transform = Transform::new(T::ALGEBRA, n).batch(2);
            let (x, expected) = batch_case::<T>(&transform, 3);
            let y = run(&Device::cpu(), &transform, &x).unwrap();
            // rustfft's algorithms for odd factors round more often than those for powers of two.
            assert_close(&y, &expected, n, 4.0, || format!("{transform:?}"));
        }
    }
    let lengths = [3, 5, 6, 7, 9, 11, 12, 15, 17, 30, 97, 100, 251, 360, 1000, 1009, 2187, 375 * 400];
    agree::<Complex32>(&lengths);
    agree::<Complex64>(&lengths);
    agree::<stockham::Goldilocks>(&[3, 5, 6, 12, 15, 48, 96, 960, 3 << 16, 15 << 12]);
}

/// Nothing is computed, so that every bit stays: signs of zeros, infinities, and what is not a number.
#[test]
fn one_point_on_the_cpu_is_itself() {
    let values = [(-0.0, 0.0), (0.0, -0.0), (f64::INFINITY, 1.0), (f64::NAN, f64::NEG_INFINITY), (f64::MAX, -1e-310)];
    let singles: Vec<_> = values.iter().map(|&(re, im)| Complex32::new(re as f32, im as f32)).collect();
    let doubles: Vec<_> = values.iter().map(|&(re, im)| Complex64::new(re, im)).collect();
    fn check<T: Poison>(x: &[T]) {
        for normalization in NORMALIZATIONS {
            for direction in DIRECTIONS {
                let batch = Transform::new(T::ALGEBRA, 1).batch(x.len()).normalization(normalization);
                for transform in [batch.clone().direction(direction), batch.direction(direction).in_place()] {
                    let y = run(&Device::cpu(), &transform, x).unwrap();
                    assert!(same_bits(&y, x), "{transform:?}: {y:?}");
                }
            }
        }
    }
    check(&singles);
    check(&doubles);
}

/// Where the sum of all inputs overflows and the scaled one does not; and numbers that are as small lose nothing.
#[test]
fn results_that_fit_do_not_overflow_on_the_cpu() {
    let tiny = 2f32.powi(-90);
    for n in [2, 12, 16, 1000, 1 << 12, 1 << 18] {
        let x = vec![Complex32::new(f32::MAX / 4.0, -f32::MAX / 8.0); n];
        for transform in [
            Transform::new(Algebra::ComplexF32, n).inverse().in_place(),
            Transform::new(Algebra::ComplexF32, n).inverse(),
        ] {
            let y = run(&Device::cpu(), &transform, &x).unwrap();
            // The quotient of numbers this large would overflow itself.
            let off = (y[0] * tiny / (x[0] * tiny) - 1.0).norm();
            assert!(off < 1e-6 && y[1..].iter().all(|y| y.norm() < 1e-6 * f32::MAX), "{transform:?}: {}", y[0]);
        }
        let transform = Transform::new(Algebra::ComplexF32, n).inverse();
        let x = random::<Complex32>(n, 1);
        let small: Vec<_> = x.iter().map(|x| x * tiny).collect();
        let (y, small) =
            (run(&Device::cpu(), &transform, &x).unwrap(), run(&Device::cpu(), &transform, &small).unwrap());
        assert!(y.iter().zip(&small).all(|(y, small)| y * tiny == *small), "n = {n}");
    }
}

/// Linearity, the impulse and the shift theorem.
#[test]
fn ergun_s_laws() {
    fn obeyed<T: Poison>(device: &Device) {
        for (n, direction) in [(2, Direction::Inverse), (64, Direction::Forward), (1 << 11, Direction::Inverse)] {
            let transform = Transform::new(T::ALGEBRA, n).batch((4096 / n).max(1)).direction(direction);
            let transform = transform.normalization(Normalization::None);
            let record = check_by(Method::SelfTest, |x: &[T]| run(device, &transform, x), n, direction, 5).unwrap();
            assert!(record.laws.is_some() && record.passes(), "{}: {record:?}", device.info().id);
        }
    }
    everywhere!(obeyed);
}

/// n·v, by doubling: n is a power of two.
fn times<R: NumericRing>(v: R, n: usize) -> R {
    (0..n.trailing_zeros()).fold(v, |v, _| v.add(&v))
}

#[test]
fn round_trips_under_every_normalization() {
    fn returns<T: Poison>(device: &Device) {
        let lengths = if is_cpu(device) { vec![1, 2, 16, 512, 1 << 13] } else { vec![16, 1 << 13] };
        for n in lengths {
            for (case, normalization) in NORMALIZATIONS.into_iter().enumerate() {
                if !takes(device, T::ALGEBRA, case + usize::from(n > 16)) {
                    continue;
                }
                let forward = Transform::new(T::ALGEBRA, n).batch(3).normalization(normalization);
                let x = random::<T>(3 * n, 17);
                if T::ALGEBRA == Algebra::Goldilocks && normalization == Normalization::Ortho && n > 1 {
                    let refused = run(device, &forward, &x);
                    assert!(
                        matches!(refused, Err(Error::Unsupported { .. })),
                        "a field has no square root: {refused:?}"
                    );
                    continue;
                }
                let y = run(device, &forward, &x).unwrap();
                let expected: Vec<_> = batch_case::<T>(&forward, 17).1;
                assert_close(&y, &expected, n, 2.0, || format!("{forward:?}"));
                let back = run(device, &forward.clone().inverse().in_place(), &y).unwrap();
                let factor = if normalization == Normalization::None { n } else { 1 };
                let expected: Vec<_> = x.iter().map(|v| times(v.widen(), factor)).collect();
                assert_close(&back, &expected, n, 2.0, || format!("there and back, {forward:?}"));
            }
        }
    }
    everywhere!(returns);
}

#[test]
fn products_of_transforms_are_transforms_of_convolutions() {
    fn convolved<T: Poison>(device: &Device) {
        for n in [1, 8, 128] {
            let forward = Transform::new(T::ALGEBRA, n);
            let (a, b) = (random::<T>(n, 1), random::<T>(n, 2));
            let (fa, fb) = (run(device, &forward, &a).unwrap(), run(device, &forward, &b).unwrap());
            let product: Vec<T> = fa.iter().zip(&fb).map(|(x, y)| Ring::mul(x, y)).collect();
            let found = run(device, &forward.clone().inverse(), &product).unwrap();
            let term = |j: usize, k: usize| a[j].widen().mul(&b[(n + k - j) % n].widen());
            let expected: Vec<T::Wide> =
                (0..n).map(|k| (0..n).fold(T::Wide::zero(), |sum, j| sum.add(&term(j, k)))).collect();
            // Three transforms and a product.
            assert_close(&found, &expected, n, 4.0, || format!("{} n = {n}", device.info().id));
        }
    }
    everywhere!(convolved);
}

/// Parseval: Σ|X|² = n Σ|x|².
#[test]
fn energy_is_conserved() {
    fn energy<T: Measured>(x: &[T]) -> f64 {
        x.iter().map(|v| T::magnitude_squared(&v.widen())).sum()
    }
    fn conserved<T: Poison>(device: &Device, n: usize) {
        let transform = Transform::new(T::ALGEBRA, n).normalization(Normalization::Ortho);
        let x = random::<T>(n, 23);
        let y = run(device, &transform, &x).unwrap();
        let u = T::ALGEBRA.unit_roundoff().expect("complex numbers");
        let off = (energy(&y) / energy(&x) - 1.0).abs();
        // A relative error e of a vector is one of at most 2e + e² of its energy; the sums here round as well.
        let bound = 2.0 * u * (n as f64).log2().sqrt() + 16.0 * f64::EPSILON;
        assert!(off <= bound, "{}: {off} for n = {n}", device.info().id);
    }
    for device in devices() {
        for n in [2, 64, 1 << 12] {
            conserved::<Complex32>(&device, n);
            if computes(&device, Algebra::ComplexF64) {
                conserved::<Complex64>(&device, n);
            }
        }
    }
}

#[test]
fn in_place_is_out_of_place() {
    fn equal<T: Poison>(device: &Device) {
        for n in [1, 4, 256, 1 << 13] {
            let transform = Transform::new(T::ALGEBRA, n).batch(3).inverse();
            let x = random::<T>(3 * n, 29);
            let outside = run(device, &transform, &x).unwrap();
            let inside = run(device, &transform.clone().in_place(), &x).unwrap();
            // Not bit by bit: nothing promises the same order of operations.
            let expected: Vec<_> = outside.iter().map(|v| v.widen()).collect();
            assert_close(&inside, &expected, n, 1.0, || format!("{} n = {n}", device.info().id));
        }
    }
    everywhere!(equal);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Over a field the numbers are arbitrary, zeros and extremes among them; every bit must be right.
    #[test]
    fn exact_for_any_numbers(
        values in prop::collection::vec(prop_oneof![Just(0u64), Just(u64::MAX), Just(1 << 32), any::<u64>()], 64),
        log in 0u32..=6,
        inverse in any::<bool>(),
    ) {
        let n = 1 << log;
        let x: Vec<_> = values[..n].iter().map(|&v| stockham::Goldilocks::reduce(v)).collect();
        let direction = if inverse { Direction::Inverse } else { Direction::Forward };
        let transform = Transform::new(Algebra::Goldilocks, n).direction(direction).normalization(Normalization::None);
        for device in devices() {
            prop_assert_eq!(run(&device, &transform, &x).unwrap(), naive::dft(&x, direction));
        }
    }
}
