//! Lengths that are no powers of two: every class of them, on every kind of device.

use num_complex::Complex;

use super::cluster::check_recipe;
use super::{Bits, check, devices};
use crate::algebra::{Algebra, Goldilocks};
use crate::device_info::DeviceInfo;
use crate::error::Error;
use crate::plan::{Choice, Method, plan};
use crate::transform::{Dim, Normalization, Transform};

use super::lengths::{GOLDILOCKS, LONG_PRIME, LONG_SMOOTH, ROUGH, SMOOTH, has_goldilocks_root};

fn check_layouts<T: Bits>(n: usize, device: &DeviceInfo) {
    let base = Transform::new(T::ALGEBRA, n);
    check::<T>(&base.clone().batch(1 + 500 / n), device);
    check::<T>(&base.clone().batch(3).inverse().in_place(), device);
    // Neighbours side by side, and padded lines.
    check::<T>(&base.clone().with_dims([Dim::new(n, 5)]).with_batch([Dim::new(5, 1)]), device);
    check::<T>(&base.with_batch([Dim::new(3, n + 7)]).normalization(Normalization::Forward), device);
}

#[test]
fn all_classes_over_the_complex_numbers() {
    for (case, n) in SMOOTH.into_iter().enumerate() {
        let devices = devices();
        let device = &devices[case % devices.len()];
        check_layouts::<Complex<f32>>(n, device);
        check_layouts::<Complex<f64>>(n, &devices[(case + 1) % devices.len()]);
    }
}

#[test]
fn several_passes() {
    for device in devices() {
        for n in LONG_SMOOTH {
            check::<Complex<f64>>(&Transform::new(Algebra::ComplexF64, n).inverse(), &device);
        }
        check::<Complex<f32>>(&Transform::new(Algebra::ComplexF32, 10_000).batch(2), &device);
    }
}

#[test]
fn exact_over_a_field() {
    for n in GOLDILOCKS {
        for device in devices() {
            check::<Goldilocks>(&Transform::new(Algebra::Goldilocks, n).batch(2), &device);
            check::<Goldilocks>(&Transform::new(Algebra::Goldilocks, n).inverse(), &device);
        }
    }
}

/// By hand: threads that have no butterfly of some stages, or one more than others.
#[test]
fn stages_may_have_butterflies_for_some_threads_only() {
    for (choice, n) in [
        ("1x7x7.11.13", 1001),
        ("3x11x13.11.7", 1001),
        ("2x14x11.7.13", 1001),
        ("1x9x7.4.2", 56),
        ("5x3x3.4", 12),
        ("4x5x4.4.2", 32),
        ("16x5x6.5/16x7x7.3", 630),
    ] {
        for algebra in [Algebra::ComplexF32, Algebra::ComplexF64] {
            let transform = Transform::new(algebra, n).batch(7);
            let recipe = choice.parse::<Choice>().unwrap().realise(&transform, &devices()[0]).unwrap();
            match algebra {
                Algebra::ComplexF32 => check_recipe::<Complex<f32>>(&recipe),
                _ => check_recipe::<Complex<f64>>(&recipe),
            }
        }
    }
}

#[test]
fn other_lengths_are_made_by_chirps() {
    let [large, middle, cache, _] = &devices()[..] else { unreachable!("four devices") };
    // The reference of longer ones would take minutes.
    for (case, n) in ROUGH.into_iter().filter(|n| *n < 10_000).enumerate() {
        let device = [large, middle, cache][case % 3];
        if n > 1000 {
            check::<Complex<f32>>(&Transform::new(Algebra::ComplexF32, n).batch(2), device);
            check::<Complex<f64>>(&Transform::new(Algebra::ComplexF64, n).inverse(), large);
        } else if case % 2 == 0 {
            check_layouts::<Complex<f32>>(n, device);
        } else {
            check_layouts::<Complex<f64>>(n, device);
        }
    }
    for device in devices() {
        check_layouts::<Complex<f64>>(37, &device);
        check::<Complex<f64>>(&Transform::new(Algebra::ComplexF64, 37 * 64).inverse(), &device);
    }
}

/// By hand: stages that are even and uneven, one and several.
#[test]
fn chirps_in_tiles_of_all_kinds() {
    for (choice, n) in
        [("3x5x5b3", 3), ("4x4x4.4b7", 7), ("2x9x5.9b23", 23), ("1x7x7.11.13b500", 500), ("2x3x3.5b8/3x4x4.2", 64)]
    {
        let transform = Transform::new(Algebra::ComplexF64, n).batch(5);
        check_recipe::<Complex<f64>>(&choice.parse::<Choice>().unwrap().realise(&transform, &devices()[0]).unwrap());
    }
    for (choice, n) in [("3x4x4b3", 3), ("1x8x8b5", 5), ("1x16x16b8", 7)] {
        let transform = Transform::new(Algebra::ComplexF64, n);
        let found = choice.parse::<Choice>().and_then(|choice| choice.realise(&transform, &devices()[0]));
        assert!(matches!(found, Err(Error::InvalidTransform(_))), "{choice}: {found:?}");
    }
}

/// By hand: even stages and uneven ones, one and several columns, behind another pass and before one.
#[test]
fn primes_by_powers_of_a_root() {
    for (choice, n) in [
        ("1x6x6r", 7),
        ("3x5x10r", 11),
        ("4x4x4.4r", 17),
        ("2x6x6.6r", 37),
        ("1x9x9.7.16r", 1009),
        ("5x4x4.3r/4x4x4.2", 104),
        ("4x4x4.2/5x4x4.3r", 104),
        ("2x6x6.6r/4x4x4.3r", 481),
    ] {
        for algebra in [Algebra::ComplexF32, Algebra::ComplexF64] {
            let transform = Transform::new(algebra, n).batch(5);
            for transform in [transform.clone(), transform.inverse().in_place()] {
                let recipe = choice.parse::<Choice>().unwrap().realise(&transform, &devices()[0]).unwrap();
                match algebra {
                    Algebra::ComplexF32 => check_recipe::<Complex<f32>>(&recipe),
                    _ => check_recipe::<Complex<f64>>(&recipe),
                }
            }
        }
    }
    for (choice, n) in [("1x4x4r", 4), ("1x8x8r", 9), ("1x6x6b3r", 3), ("1x6x6r", 6)] {
        let transform = Transform::new(Algebra::ComplexF64, n);
        let found = choice.parse::<Choice>().and_then(|choice| choice.realise(&transform, &devices()[0]));
        assert!(matches!(found, Err(Error::InvalidTransform(_))), "{choice}: {found:?}");
    }
}

/// By hand: before other stages, behind them and between, more of them than threads, one and several columns, behind another pass and
/// before one.
#[test]
fn convolutions_beside_other_stages() {
    for (choice, n) in [
        ("1x3x2+4r", 10),
        ("1x3x4r+2", 10),
        ("1x4x2+4r+3", 30),
        ("1x16x8+4r+4", 160),
        ("3x5x3.2+6r+2", 84),
        ("2x9x5+6.7r+7", 1505),
        ("1x14x7.5+6.6r", 1295),
        ("1x12x6.6r+2.3", 222),
        ("5x4x2+4r+3/4x4x4", 120),
        ("4x4x4/5x4x2+4r+3", 120),
        ("1x5x2+5b3", 6),
        ("2x9x3.5+6.7b11", 165),
        ("1x16x8+4.4b7", 56),
        ("3x4x2+4.4b7/4x4x4", 56),
    ] {
        for algebra in [Algebra::ComplexF32, Algebra::ComplexF64] {
            let transform = Transform::new(algebra, n).batch(5);
            for transform in [transform.clone(), transform.inverse().in_place()] {
                let recipe = choice.parse::<Choice>().unwrap().realise(&transform, &devices()[0]).unwrap();
                match algebra {
                    Algebra::ComplexF32 => check_recipe::<Complex<f32>>(&recipe),
                    _ => check_recipe::<Complex<f64>>(&recipe),
                }
            }
        }
    }
    for (choice, n) in [("1x4x2+4+3", 24), ("1x4x2+8r", 18), ("1x4x2+4b3", 6), ("1x4x2+8b3+2", 12), ("1x4x4r+1.", 5)] {
        let transform = Transform::new(Algebra::ComplexF64, n);
        let found = choice.parse::<Choice>().and_then(|choice| choice.realise(&transform, &devices()[0]));
        assert!(matches!(found, Err(Error::InvalidTransform(_))), "{choice}: {found:?}");
    }
}

/// What no tile of a small device holds.
#[test]
fn convolutions_in_several_passes() {
    let small = &devices()[3];
    for (case, n) in [251, 503, 1009, 2 * 499, 4099].into_iter().enumerate() {
        let recipe = plan(&Transform::new(Algebra::ComplexF64, n), small).unwrap();
        assert!(matches!(recipe.method, Method::Convolution(_)), "{recipe}");
        if case < 2 {
            check_layouts::<Complex<f32>>(n, small);
            check_layouts::<Complex<f64>>(n, small);
        } else {
            check::<Complex<f64>>(&Transform::new(Algebra::ComplexF64, n).batch(2).inverse(), small);
        }
    }
}

/// Of a long batch some transforms go through all passes before the next ones do.
#[test]
fn convolutions_of_some_transforms_at_a_time() {
    let line = Transform::new(Algebra::ComplexF32, LONG_PRIME);
    let recipe = plan(&line.clone().batch(1000), &devices()[0]).unwrap();
    let entries = recipe.chunk.unwrap();
    assert!((2..999).contains(&entries) && recipe.workspace_len == entries * recipe.points(), "{recipe}");
    assert_eq!(plan(&line, &devices()[0]).unwrap().chunk, None);
    let gaps = [Dim::new(5, 2 * 131), Dim::new(2, 131)];
    let transform = Transform::new(Algebra::ComplexF32, 127).with_batch(gaps);
    let mut recipe = "b/4x4x4.4/2x4x4.4/4x4x4.4".parse::<Choice>().unwrap().realise(&transform, &devices()[0]).unwrap();
    (recipe.chunk, recipe.workspace_len) = (Some(2), 2 * 2 * 256);
    let numbers: Vec<usize> = recipe.schedule().iter().map(|launch| launch.number).collect();
    assert_eq!(numbers, [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    check_recipe::<Complex<f32>>(&recipe);
}

/// By hand: of two and three radices, even and uneven, and tiles of one column and several.
#[test]
fn convolutions_in_passes_of_all_kinds() {
    let device = &devices()[0];
    for (choice, n) in [
        ("b/4x4x4.4/2x4x4.4/4x4x4.4", 128),
        ("b/3x3x3/1x4x4/2x3x3", 5),
        ("b/2x3x3.5/1x7x7.11/5x5x5.3", 500),
        ("b/4x4x4/3x2x2.3/2x4x4.2/6x3x6/1x2x4", 90),
        ("b/1x4x4/1x2x2/1x2x4", 4),
    ] {
        for transform in
            [Transform::new(Algebra::ComplexF64, n).batch(5), Transform::new(Algebra::ComplexF64, n).inverse()]
        {
            check_recipe::<Complex<f64>>(&choice.parse::<Choice>().unwrap().realise(&transform, device).unwrap());
        }
    }
    for (choice, n) in [
        ("b/4x4x4/4x4x4/4x4x4", 9),
        ("b/4x4x4/4x4x4/8x8x8", 8),
        ("b/4x4x4/4x4x4", 8),
        ("b/4x4x4", 2),
        ("b/4x4x4/4x4x4b2/4x4x4", 8),
        ("b/4x4x4/4x4x1/4x4x4", 2),
    ] {
        let transform = Transform::new(Algebra::ComplexF64, n);
        let found = choice.parse::<Choice>().and_then(|choice| choice.realise(&transform, device));
        assert!(matches!(found, Err(Error::InvalidTransform(_))), "{choice}: {found:?}");
    }
}

#[test]
fn what_has_no_roots_is_refused() {
    let device = &devices()[0];
    for n in SMOOTH.into_iter().filter(|n| !has_goldilocks_root(*n)) {
        let found = plan(&Transform::new(Algebra::Goldilocks, n), device);
        assert!(matches!(&found, Err(Error::Unsupported { reason, .. }) if reason.contains("p - 1")), "{n}: {found:?}");
    }
}
