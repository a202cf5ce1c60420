//! The planner on made-up devices: it refuses nothing that they could do, whatever their drivers tell.

use proptest::prelude::*;
use rayon::prelude::*;

use crate::algebra::{Algebra, BigPrime, PrimeField};
use crate::device_info::{Backend, DeviceInfo};
use crate::error::Error;
use crate::plan::{
    Arithmetic, Chain, Choice, Clusters, FirstStore, Input, Launches, Loading, PassChoice, TwiddleSource, candidates,
    chain, choose, neighbours, plan,
};
use crate::transform::{Access, Dim, Expr, Side, Transform};

fn algebras() -> Vec<Algebra> {
    let big = [BigPrime::P1, BigPrime::H2, BigPrime::P3, BigPrime::G32, BigPrime::H64, BigPrime::P7];
    let residues = ["babybear", "koalabear", "998244353", "bls12-381"].map(|name| name.parse().unwrap());
    let long =
        [BigPrime::P1, BigPrime::P3, BigPrime::P5].map(|prime| Algebra::PrimeField(PrimeField::of(prime).unwrap()));
    let plain = [Algebra::ComplexF32, Algebra::ComplexF64, Algebra::Goldilocks];
    plain.into_iter().chain(big.map(Algebra::BigPrime)).chain(residues).chain(long).collect()
}

/// CUDA with clusters and without, and OpenCL.
const KINDS: usize = 3;

fn device(kind: usize, local_bytes: usize, max_group: usize) -> DeviceInfo {
    DeviceInfo {
        id: "any".into(),
        backend: [Backend::Cuda, Backend::Cuda, Backend::Opencl][kind],
        name: "made up".into(),
        driver: String::new(),
        memory_bytes: 1 << 34,
        max_allocation_bytes: 1 << 34,
        max_group,
        local_bytes,
        simd_width: 32,
        compute_units: 80,
        registers: Some(1 << 16),
        has_f64: true,
        compute_capability: [Some((9, 0)), Some((6, 1)), None][kind],
        max_cluster: [Some(16), None, None][kind],
    }
}

/// Single ones, batches without gaps, and columns of matrices, of n points in strides of any kind.
fn layouts(algebra: Algebra, n: usize) -> Vec<Transform> {
    let one = Transform::new(algebra, n);
    let transposed = one.clone().with_dims([Dim::new(n, 4096)]).with_batch([Dim::new(4096, 1)]);
    let (dim, batch) =
        (Dim { n, input_stride: 3, output_stride: 5 }, Dim { n: 6, input_stride: 1, output_stride: 5 * n });
    vec![
        one.clone(),
        one.clone().batch(((1 << 26) / n).max(3)),
        transposed.clone(),
        transposed.inverse().in_place(),
        one.with_dims([dim]).with_batch([batch]),
    ]
}

/// What is refused of them, with the reasons.
fn refused(cases: impl ParallelIterator<Item = (Transform, DeviceInfo)>) -> Vec<String> {
    let refused = cases.filter_map(|(transform, device)| {
        let error = plan(&transform, &device).and_then(|recipe| recipe.check(&device)).err()?;
        Some(format!("{transform:?} on {device:?}: {error}"))
    });
    refused.collect()
}

/// The n that an algebra has transforms of, up to 2^30.
fn lengths(algebra: Algebra) -> impl Iterator<Item = usize> {
    (0..=30).map(|log| 1 << log).filter(move |&n| algebra.check_length(n).is_ok())
}

#[test]
fn devices_with_little_local_memory_are_refused_nothing() {
    let names = ["P1", "H2", "babybear", "998244353"].map(|name| name.parse::<Algebra>().unwrap());
    let cases: Vec<_> = [32 << 10, 48 << 10]
        .into_iter()
        .flat_map(|local_bytes| names.iter().map(move |&algebra| (device(1, local_bytes, 1024), algebra)))
        .flat_map(|(device, algebra)| lengths(algebra).map(move |n| (layouts(algebra, n), device.clone())))
        .flat_map(|(layouts, device)| [0, 2].map(|layout| (layouts[layout].clone(), device.clone())))
        .collect();
    let refused = refused(cases.into_par_iter());
    assert!(refused.is_empty(), "{} are, such as {}", refused.len(), refused[0]);
}

/// A part of all combinations, spread evenly.
#[test]
fn no_device_is_refused_what_it_could_do() {
    let mut cases = Vec::new();
    let mut number = 0u64;
    for local_bytes in [16, 32, 48, 64, 96, 227].map(|kibibytes| kibibytes << 10) {
        for max_group in [64, 128, 256, 512, 1024] {
            for kind in 0..KINDS {
                for algebra in algebras() {
                    for n in lengths(algebra) {
                        for transform in layouts(algebra, n) {
                            number += 1;
                            // A multiple of the golden ratio: its fraction is spread evenly.
                            let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                            if mixed >> 57 != 0 {
                                continue;
                            }
                            let device = DeviceInfo {
                                simd_width: [1, 8, 32, 64][(mixed >> 40) as usize % 4],
                                registers: [None, Some(1 << 16)][(mixed >> 42) as usize % 2],
                                has_f64: algebra == Algebra::ComplexF64 || (mixed >> 43).is_multiple_of(2),
                                ..device(kind, local_bytes, max_group)
                            };
                            cases.push((transform, device));
                        }
                    }
                }
            }
        }
    }
    assert!(cases.len() > 1000, "{} cases", cases.len());
    let refused = refused(cases.into_par_iter());
    assert!(refused.is_empty(), "{} are, such as {}", refused.len(), refused[0]);
}

#[test]
fn chains_of_endless_work_groups_are_refused() {
    let exchanged = |group| Chain {
        radices: vec![4, 4],
        twiddles: TwiddleSource::Tables,
        group,
        first_store: FirstStore::Exchanged,
        input: Input::Interleaved,
        arithmetic: Arithmetic::Scalar,
    };
    let transform = Transform::new(Algebra::ComplexF32, 16);
    for most in [64, usize::MAX] {
        let device = device(0, 48 << 10, most);
        chain(&transform, &device, &exchanged(64)).unwrap();
        for group in [0, usize::MAX / 4, usize::MAX] {
            let found = chain(&transform, &device, &exchanged(group));
            assert!(matches!(found, Err(Error::InvalidTransform(_))), "{group}");
        }
    }
}

/// The points, the threads and the stages of the only pass that is chosen for a large batch.
fn tile_of(transform: Transform) -> (usize, usize, Vec<usize>) {
    let points = transform.points();
    let choice = choose(&transform.batch((1 << 25) / points), &device(0, 227 << 10, 1024)).unwrap();
    let [pass] = &choice.passes[..] else { panic!("{choice} for {points} points") };
    (points, points.div_ceil(pass.per_thread), pass.stages.clone())
}

#[test]
fn threads_share_short_lines_of_real_numbers() {
    for n in [6, 8, 9, 10, 12, 18, 20, 22, 30, 40, 44, 52, 100, 128] {
        let (n, threads, stages) = tile_of(Transform::real(Algebra::ComplexF32, n));
        assert!(threads > 1 && stages.len() > 1, "{n}: {threads} threads, stages {stages:?}");
        // Those that are written are whole, and of longer lines those that are read.
        assert!(n < 12 || threads >= if n < 40 { 4 } else { 8 }, "{n}: {threads} threads");
    }
}

#[test]
fn butterflies_that_take_all_registers_have_no_guards() {
    for n in [186, 310, 558, 651, 2635] {
        let (n, threads, stages) = tile_of(Transform::new(Algebra::ComplexF64, n));
        assert!(stages.contains(&31) && (n / 31).is_multiple_of(threads), "{n}: {threads} threads, stages {stages:?}");
    }
}

#[test]
fn long_primes_come_last_but_in_short_lines() {
    for (algebra, n, expected) in [
        (Algebra::ComplexF32, 87, &[29, 3][..]),
        (Algebra::ComplexF32, 341, &[11, 31]),
        (Algebra::ComplexF32, 589, &[31, 19]),
        (Algebra::ComplexF32, 957, &[3, 11, 29]),
        (Algebra::ComplexF64, 207, &[23, 3, 3]),
        (Algebra::ComplexF64, 589, &[19, 31]),
        (Algebra::ComplexF32, 2958, &[6, 17, 29]),
        (Algebra::ComplexF32, 5336, &[8, 23, 29]),
        (Algebra::ComplexF32, 4095, &[21, 13, 5, 3]),
        (Algebra::ComplexF64, 5980, &[13, 20, 23]),
        (Algebra::ComplexF64, 3828, &[29, 12, 11]),
    ] {
        let (.., stages) = tile_of(Transform::new(algebra, n));
        assert_eq!(stages, expected, "{n}");
    }
}

/// Arrays of which some are there on either side, with long lines, in the workspace and in place.
#[test]
fn padded_arrays_of_all_shapes_are_taken() {
    let shapes =
        [[1 << 14, 64], [1 << 16, 4], [4, 1 << 18], [4, 1 << 22], [10_007, 4], [5, 65_537], [3, 40_000], [1 << 13; 2]];
    let (f32, f64) = (Algebra::ComplexF32, Algebra::ComplexF64);
    shapes.into_par_iter().for_each(|shape| {
        let real = Transform::real(f32, shape);
        let plain = [Transform::new(f32, shape), Transform::new(f64, shape), real.clone(), real.clone().inverse()];
        let filtered = [Transform::new(f32, shape), real].map(|t| t.filtered(Expr::value() * 0.5));
        for transform in plain.into_iter().chain(filtered) {
            let some = |side| {
                let half = (0..2).map(|number| transform.count(side, number).div_ceil(2)).collect::<Vec<_>>();
                Access::default().extent(half)
            };
            let (load, store) = (some(Side::Input), some(Side::Output));
            for transform in [transform.clone().with_load(load.clone()).with_store(store), transform.with_load(load)] {
                for kind in 0..KINDS {
                    let device = device(kind, 48 << 10, 1024);
                    let recipe = plan(&transform, &device).unwrap_or_else(|error| panic!("{error}: {transform:?}"));
                    recipe.check(&device).unwrap_or_else(|error| panic!("{error}: {recipe}"));
                }
            }
        }
    });
}

/// Devices as drivers may describe them, some of which there cannot be.
fn odd_device() -> impl Strategy<Value = DeviceInfo> {
    const NUMBERS: [usize; 16] =
        [0, 1, 2, 3, 31, 32, 48, 100, 1000, 1024, 5000, 16 << 10, 48 << 10, 100_000, 1 << 20, usize::MAX];
    let number = || prop::sample::select(NUMBERS.to_vec());
    let version = prop::sample::select(vec![(0, 0), (0, u32::MAX), (6, 1), (9, 0), (u32::MAX, 0)]);
    let limits = (number(), number(), number(), number(), prop::option::of(number()), prop::option::of(number()));
    let kind = (any::<bool>(), any::<bool>(), prop::option::of(version));
    (limits, kind).prop_map(|(limits, (is_cuda, has_f64, compute_capability))| {
        let (max_group, local_bytes, simd_width, compute_units, registers, max_cluster) = limits;
        DeviceInfo {
            backend: if is_cuda { Backend::Cuda } else { Backend::Opencl },
            memory_bytes: compute_units as u64,
            max_allocation_bytes: simd_width as u64,
            max_group,
            local_bytes,
            simd_width,
            compute_units,
            registers,
            has_f64,
            compute_capability,
            max_cluster,
            ..device(0, 0, 0)
        }
    })
}

fn any_transform(logs: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = Transform> {
    (prop::sample::select(algebras()), logs, 0..5usize).prop_map(|(algebra, log, layout)| {
        let most = lengths(algebra).last().unwrap().ilog2();
        layouts(algebra, 1 << log.min(most)).swap_remove(layout)
    })
}

/// Choices of two passes, sound ones among them.
fn any_choice() -> impl Strategy<Value = Choice> {
    let number = || prop::sample::select(vec![0, 1, 2, 3, 4, 8, 16, 64, 1000, usize::MAX]);
    let stages = prop::collection::vec(prop::sample::select(vec![2usize, 4, 8, 16]), 0..3);
    let loadings = prop::sample::select(vec![Loading::Direct, Loading::Flat, Loading::Ahead, Loading::Early]);
    let pass = (prop_oneof![number(), Just(4)], prop_oneof![number(), Just(16)], stages, loadings)
        .prop_map(|(columns, rows, stages, loading)| PassChoice { loading, ..PassChoice::new(columns, rows, stages) });
    let clusters = (number(), prop::option::of(number()))
        .prop_map(|(blocks, side_by_side)| Launches::Clusters(Clusters { blocks, side_by_side }));
    let launches = prop_oneof![Just(Launches::Apart), clusters, Just(Launches::Ring), Just(Launches::NearRing)];
    (prop::collection::vec(pass, 0..3), launches).prop_map(|(passes, launches)| Choice { passes, launches })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 384, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn odd_devices_get_what_they_can_run(device in odd_device(), transform in any_transform(0..=30)) {
        let can = device.max_group > 0 && (device.has_f64 || transform.algebra != Algebra::ComplexF64);
        match plan(&transform, &device) {
            Ok(recipe) => prop_assert_eq!((can, recipe.check(&device)), (true, Ok(()))),
            Err(error) => prop_assert!(!can && matches!(error, Error::Unsupported { .. }), "{error}"),
        }
    }

    #[test]
    fn odd_devices_refuse_choices_or_can_run_them(
        device in odd_device(),
        choice in any_choice(),
        algebra in prop::sample::select(algebras()),
        layout in 0..5usize,
    ) {
        let n = choice.passes.iter().flat_map(|pass| &pass.stages).product();
        if let Ok(recipe) = choice.realise(&layouts(algebra, n).swap_remove(layout), &device) {
            prop_assert_eq!(recipe.check(&device), Ok(()));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn odd_devices_have_candidates_that_they_can_run(device in odd_device(), transform in any_transform(0..=16)) {
        let found = candidates(&transform, &device);
        prop_assert_eq!(found.first().cloned(), choose(&transform, &device).ok());
        let around = found.first().map(|choice| neighbours(choice, 0, &transform, &device));
        for choice in found.into_iter().chain(around.unwrap_or_default()) {
            prop_assert!(choice.realise(&transform, &device).is_ok(), "{choice}");
        }
    }
}

#[test]
fn work_groups_side_by_side_have_room() {
    let device = device(0, 227 << 10, 1024);
    let transform = Transform::new(Algebra::ComplexF32, 4091).batch(1 << 12);
    let realised = |choice: &str| choice.parse::<Choice>().unwrap().realise(&transform, &device);
    for (choice, registers) in
        [("1x32x32.16.16b4091s1", 255), ("1x32x32.16.16b4091s2", 128), ("1x32x32.16.16b4091s3", 85)]
    {
        assert_eq!(realised(choice).unwrap().passes()[0].registers() / 256, registers, "{choice}");
    }
    for choice in ["1x32x32.16.16b4091s4", "1x32x32.16.16b4091s99999999999"] {
        let found = realised(choice);
        assert!(matches!(&found, Err(Error::InvalidTransform(why)) if why.contains("side by side")), "{found:?}");
    }
}
