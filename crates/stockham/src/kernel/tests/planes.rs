//! Lines side by side, and planes: what several dimensions are made of, in passes through memory, in clusters and through rings.

use num_complex::Complex;

use super::cluster::{check_recipe, hopper};
use super::{Bits, check, devices, elements, interpreted, interpreted_words, words_of as words_of_bytes};
use crate::algebra::{Algebra, Data, Direction, Goldilocks};
use crate::device::Device;
use crate::device_info::DeviceInfo;
use crate::error::Error;
use crate::plan::{Choice, Method, Recipe, plan};
use crate::transform::{Dim, Kind, Transform};

/// The columns of some images of n rows, and of lines with gaps.
fn columns(algebra: Algebra, n: usize, lines: usize) -> [Transform; 2] {
    let images = Transform::along(algebra, Kind::Dft, &[2, n, lines], &[1]).unwrap();
    let dims = [Dim { n, input_stride: 3 * lines + 2, output_stride: 2 * lines + 1 }];
    let batch = [Dim { n: lines, input_stride: 3, output_stride: 2 }];
    [images, Transform::new(algebra, n).with_dims(dims).with_batch(batch)]
}

#[test]
fn lines_side_by_side_in_several_passes() {
    for device in devices() {
        for (n, lines) in [(1 << 13, 4), (1 << 14, 3), (6000, 5), (10_000, 2), (96, 7)] {
            for transform in columns(Algebra::ComplexF64, n, lines) {
                check::<Complex<f64>>(&transform, &device);
                check::<Complex<f64>>(&transform.inverse(), &device);
            }
        }
        for transform in columns(Algebra::Goldilocks, 1 << 13, 3) {
            check::<Goldilocks>(&transform, &device);
        }
    }
}

#[test]
fn lines_side_by_side_in_clusters() {
    let device = hopper(Some(16));
    for (n, is_f64) in [(1 << 11, false), (1 << 12, true), (1 << 13, false)] {
        let algebra = if is_f64 { Algebra::ComplexF64 } else { Algebra::ComplexF32 };
        for transform in columns(algebra, n, 16) {
            let recipe = plan(&transform, &device).unwrap();
            assert!(recipe.passes().iter().any(|pass| pass.hopper.cluster.is_some()), "{recipe}");
            if is_f64 { check_recipe::<Complex<f64>>(&recipe) } else { check_recipe::<Complex<f32>>(&recipe) }
        }
    }
}

/// Against the host.
fn check_plane<T: Bits + Data>(recipe: &Recipe) {
    let transform = &recipe.transform;
    let input: Vec<T> = (0..transform.input_len()).map(T::sample).collect();
    let found = interpreted(recipe, &input).unwrap_or_else(|fault| panic!("{fault}\n{recipe}"));
    let cpu = Device::cpu();
    let mut expected = cpu.upload(&vec![T::sample(77); transform.output_len()]).unwrap();
    cpu.plan(transform).unwrap().run(&cpu.upload(&input).unwrap(), &mut expected).unwrap();
    assert!(T::close(&found, &expected.to_vec().unwrap()), "wrong result\n{recipe}");
}

#[test]
fn planes_in_one_launch() {
    let device = hopper(Some(16));
    for lengths in [[256, 256], [128, 256], [512, 64], [64, 128]] {
        let plane = Transform::new(Algebra::ComplexF32, lengths).batch(2);
        let gaps = Transform::along(Algebra::ComplexF64, Kind::Dft, &[lengths[0], lengths[1], 2], &[0, 1]).unwrap();
        for plane in [plane.clone(), plane.inverse(), gaps] {
            let recipe = plan(&plane, &device).unwrap();
            assert_eq!((recipe.passes().len(), recipe.launches().len()), (2, 1), "{recipe}");
            match plane.algebra {
                Algebra::ComplexF32 => check_plane::<Complex<f32>>(&recipe),
                _ => check_plane::<Complex<f64>>(&recipe),
            }
        }
    }
    // A field has no clusters, and lengths that are no powers of two neither.
    for other in [Transform::new(Algebra::Goldilocks, [256, 256]), Transform::new(Algebra::ComplexF32, [250, 256])] {
        assert_eq!(plan(&other, &device).unwrap().axes().len(), 2);
    }
}

/// Planes of real numbers against the host, with spectra that no real numbers have on the way back.
fn check_real<T: Bits + Data, R: Data>(recipe: &Recipe, real: fn(u64) -> (R, T)) {
    let transform = &recipe.transform;
    let is_forward = transform.direction == Direction::Forward;
    let words_of = |x: T, is_real: bool| x.to_bits()[..if is_real { 1 } else { 2 }].to_vec();
    let samples = |len: usize| (0..len).map(T::sample);
    let filler = |is_real| samples(transform.output_len()).flat_map(|x| words_of(x, is_real)).collect::<Vec<u64>>();
    let input: Vec<u64> = samples(transform.input_len()).flat_map(|x| words_of(x, is_forward)).collect();
    let found = interpreted_words(recipe, input.clone(), filler(!is_forward));
    let found = found.unwrap_or_else(|fault| panic!("{fault}\n{recipe}"));
    let (cpu, reals) = (Device::cpu(), |words: &[u64]| words.iter().map(|bits| real(*bits).0).collect::<Vec<R>>());
    let of_real = |words: &[u64]| words.iter().map(|bits| real(*bits).1).collect::<Vec<T>>();
    let plan = cpu.plan(transform).unwrap();
    let (found, expected) = if is_forward {
        let mut output = cpu.upload(&elements::<T>(&filler(false))).unwrap();
        plan.run(&cpu.upload(&reals(&input)).unwrap(), &mut output).unwrap();
        (elements::<T>(&found), output.to_vec().unwrap())
    } else {
        let mut output = cpu.upload(&reals(&filler(true))).unwrap();
        plan.run(&cpu.upload(&elements::<T>(&input)).unwrap(), &mut output).unwrap();
        let expected: Vec<R> = output.to_vec().unwrap();
        let bits: Vec<u64> = words_of_bytes(transform.algebra, bytemuck::cast_slice(&expected));
        (of_real(&found), of_real(&bits))
    };
    assert!(T::close(&found, &expected), "wrong result\n{recipe}");
}

fn check_any_real(recipe: &Recipe) {
    match recipe.transform.algebra {
        Algebra::ComplexF32 => check_real::<Complex<f32>, f32>(recipe, |bits| {
            let x = f32::from_bits(bits as u32);
            (x, Complex::new(x, 0.0))
        }),
        _ => check_real::<Complex<f64>, f64>(recipe, |bits| {
            let x = f64::from_bits(bits);
            (x, Complex::new(x, 0.0))
        }),
    }
}

#[test]
fn planes_of_real_numbers_in_one_launch() {
    let device = hopper(Some(16));
    for lengths in [[256, 256], [128, 512], [512, 128], [64, 256]] {
        let plane = Transform::real(Algebra::ComplexF32, lengths).batch(2);
        let gaps = Transform::along(Algebra::ComplexF64, Kind::Real, &[lengths[0], lengths[1], 2], &[0, 1]).unwrap();
        for plane in [plane.clone(), plane.inverse(), gaps.clone(), gaps.inverse()] {
            let recipe = plan(&plane, &device).unwrap();
            assert_eq!((recipe.passes().len(), recipe.launches().len()), (2, 1), "{recipe}");
            check_any_real(&recipe);
        }
    }
    for choice in
        ["c2/8x4x4.4/8x4x4.4", "c4/4x4x4.4/4x4x4.4", "c2/4x4x4.2.4/16x4x4.2", "4x4x4.4/8x4x4.4", "c2/8x8x8/4x8x8.2"]
    {
        let choice: Choice = choice.parse().unwrap();
        let [first, second] = [0, 1].map(|number| choice.passes[number].stages.iter().product::<usize>());
        for algebra in [Algebra::ComplexF32, Algebra::ComplexF64] {
            // The pass along the last dimension is at the half spectrum.
            let (there, back) =
                (Transform::real(algebra, [first, 2 * second]), Transform::real(algebra, [second, 2 * first]));
            for plane in [there.batch(3), back.batch(3).inverse()] {
                check_any_real(&choice.realise(&plane, &device).unwrap());
            }
        }
    }
    // Of the pairs of 2 numbers a column and its image make a tile, and none is one of an odd number of rows.
    let refused = |lengths: [usize; 2], choice: &str| {
        let plane = Transform::real(Algebra::ComplexF32, lengths);
        let found = choice.parse::<Choice>().unwrap().realise(&plane, &device);
        assert!(matches!(found, Err(Error::InvalidTransform(_) | Error::Unsupported { .. })), "{choice}: {found:?}");
    };
    refused([16, 32], "c16/1x4x4.4/1x4x4.4");
    refused([16, 32], "c2/8x4x4.4/8x4x4.4.2");
    refused([16, 32], "1x16x16.16");
    refused([15, 32], "2x5x5.3/2x4x4.4");
    for other in [Transform::real(Algebra::ComplexF32, [250, 256]), Transform::real(Algebra::ComplexF32, [256, 255])] {
        assert_eq!(plan(&other, &device).unwrap().axes().len(), 2);
    }
}

#[test]
fn planes_through_rings() {
    let device = DeviceInfo { compute_capability: Some((9, 0)), ..hopper(Some(16)) };
    for choice in ["r/8x4x4.4a/8x4x4.4a", "n/8x4x4.4a/8x4x4.4a"] {
        let plane = Transform::new(Algebra::ComplexF64, [16, 16]).batch(3);
        let recipe = choice.parse::<Choice>().unwrap().realise(&plane, &device).unwrap();
        assert!(recipe.ring.is_some(), "{recipe}");
        check_plane::<Complex<f64>>(&recipe);
        let device = super::ring::device();
        for algebra in [Algebra::ComplexF32, Algebra::ComplexF64] {
            let real = Transform::real(algebra, [16, 32]).batch(3);
            let back = choice.replacen("4.4a", "4.4", 1);
            for (choice, real) in [(choice, real.clone()), (&back, real.inverse())] {
                let recipe = choice.parse::<Choice>().unwrap().realise(&real, &device).unwrap();
                assert!(recipe.ring.is_some(), "{recipe}");
                check_any_real(&recipe);
            }
        }
    }
    let oblong = Transform::new(Algebra::ComplexF64, [64, 32]);
    assert!("4x4x4.4/4x4x4.4".parse::<Choice>().unwrap().realise(&oblong, &device).is_err());
}

#[test]
fn the_last_two_of_more_dimensions_are_a_plane() {
    let device = hopper(Some(16));
    let volume = Transform::new(Algebra::ComplexF32, [8, 256, 256]);
    let recipe = plan(&volume, &device).unwrap();
    assert!(matches!(recipe.method, Method::Axes(_)));
    let lengths: Vec<usize> = recipe.axes().iter().map(|axis| axis.recipe.transform.points()).collect();
    assert_eq!((lengths, recipe.trips()), (vec![256 * 256, 8], 2));
    for real in
        [Transform::real(Algebra::ComplexF32, [8, 256, 256]), Transform::real(Algebra::ComplexF32, [2, 3, 64, 256])]
    {
        for real in [real.clone(), real.clone().inverse(), real.inverse().in_place()] {
            let recipe = plan(&real, &device).unwrap();
            assert_eq!((recipe.axes().len(), recipe.trips()), (real.dims.len() - 1, real.dims.len() - 1), "{recipe}");
            recipe.check(&device).unwrap();
        }
    }
    let small = plan(&Transform::new(Algebra::ComplexF32, [3, 16, 16]), &device).unwrap();
    assert_eq!((small.axes().len(), small.trips()), (2, 2));
    recipe.check(&device).unwrap();
}

#[test]
fn arrays_in_one_tile() {
    for device in [hopper(Some(16)), devices().remove(1)] {
        for lengths in [&[16, 16, 16][..], &[4, 4], &[2, 2], &[64, 32], &[32, 64], &[8, 2, 4, 2], &[2, 256], &[256, 4]]
        {
            let array = Transform::new(Algebra::ComplexF64, lengths).batch(3);
            for array in [array.clone(), array.inverse()] {
                let recipe = plan(&array, &device).unwrap();
                assert_eq!(recipe.launches().len(), 1, "{lengths:?}: {recipe}");
                check_plane::<Complex<f64>>(&recipe);
            }
        }
    }
    // Stages that cross dimensions make no array.
    let device = hopper(Some(16));
    let array = Transform::new(Algebra::ComplexF64, [8, 2]).batch(4);
    assert!("4x4x4.4f".parse::<Choice>().unwrap().realise(&array, &device).is_err());
    assert!("4x8x2.8f".parse::<Choice>().unwrap().realise(&array, &device).is_ok());
}

#[test]
fn arrays_of_real_numbers_in_one_tile() {
    for device in [hopper(Some(16)), devices().remove(1)] {
        for lengths in
            [&[16, 16, 16][..], &[4, 4], &[2, 8], &[64, 32], &[8, 2, 4, 4], &[2, 256], &[128, 4], &[4, 16, 8]]
        {
            let array = Transform::real(Algebra::ComplexF64, lengths).batch(3);
            for array in [array.clone(), array.inverse()] {
                let recipe = plan(&array, &device).unwrap();
                assert_eq!((recipe.launches().len(), recipe.passes().len()), (1, 1), "{lengths:?}: {recipe}");
                check_any_real(&recipe);
                let in_place = plan(&array.in_place(), &device).unwrap();
                assert_eq!(in_place.passes().len(), 1, "{in_place}");
                in_place.check(&device).unwrap();
            }
        }
    }
    // Lines of the array with others between them.
    let device = hopper(Some(16));
    let between = Transform::along(Algebra::ComplexF32, Kind::Real, &[16, 16, 3], &[0, 1]).unwrap();
    for array in [between.clone(), between.inverse()] {
        let recipe = plan(&array, &device).unwrap();
        assert_eq!(recipe.passes().len(), 1, "{recipe}");
        check_any_real(&recipe);
    }
    // Of any lengths by hand.
    for (lengths, choice) in [
        (&[3, 8][..], "2x12x4.3f"),
        (&[6, 5, 12], "1x30x6.5.6f"),
        (&[5, 3, 4], "3x30x2.3.5f"),
        (&[4, 20], "1x20x10.4f"),
    ] {
        let array = Transform::real(Algebra::ComplexF64, lengths).batch(2);
        for array in [array.clone(), array.inverse()] {
            check_any_real(&choice.parse::<Choice>().unwrap().realise(&array, &device).unwrap());
        }
    }
    // Two numbers that are no pair, and stages that cross dimensions.
    let refused = |lengths: [usize; 2], choice: &str| {
        let array = Transform::real(Algebra::ComplexF32, lengths);
        assert!(choice.parse::<Choice>().unwrap().realise(&array, &device).is_err(), "{choice}");
    };
    refused([4, 6], "1x3x3.4f");
    refused([8, 8], "1x8x8.4f");
    refused([8, 8], "1x4x4.8");
}
