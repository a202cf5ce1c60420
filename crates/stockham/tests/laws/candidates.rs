//! What tuning tries, without a device.

use stockham::plan::{Choice, Launches, Recipe, candidates, choose, neighbours, plan};
use stockham::{Algebra, Backend, BigPrime, DeviceInfo, Transform};

use crate::recipes::h200;

const ALGEBRAS: [Algebra; 4] =
    [Algebra::ComplexF32, Algebra::ComplexF64, Algebra::Goldilocks, Algebra::BigPrime(BigPrime::P3)];

#[test]
fn the_planners_choice_is_the_first_and_makes_its_recipe() {
    for algebra in ALGEBRAS {
        for log in [0, 1, 3, 6, 9, 12, 13, 14, 15, 16, 18, 20, 23, 26] {
            for batch in [1, 1 << 12] {
                let transform = Transform::new(algebra, 1 << log).batch(batch);
                let candidates = candidates(&transform, &h200());
                assert_eq!(candidates.first(), choose(&transform, &h200()).ok().as_ref());
                let first = candidates[0].realise(&transform, &h200()).unwrap();
                assert_eq!(first, plan(&transform, &h200()).unwrap(), "{}, 2^{log}", algebra.name());
            }
        }
    }
}

#[test]
fn candidates_are_different_realisable_some_dozens_and_the_same_every_time() {
    for device in [h200(), DeviceInfo { local_bytes: 48 << 10, max_cluster: None, registers: None, ..h200() }] {
        for algebra in ALGEBRAS {
            for log in [1, 5, 8, 12, 15, 17, 20, 24] {
                let transform = Transform::new(algebra, 1 << log).batch((1 << 22 >> log).max(1));
                let found = candidates(&transform, &device);
                assert_eq!(candidates(&transform, &device), found);
                assert!((1..=80).contains(&found.len()), "{} of {transform:?}", found.len());
                let recipes: Vec<Recipe> =
                    found.iter().map(|choice| choice.realise(&transform, &device).unwrap()).collect();
                for (i, recipe) in recipes.iter().enumerate() {
                    assert!(!recipes[..i].contains(recipe), "{} twice", found[i]);
                }
            }
        }
    }
}

/// What a person would try at 2^15, where the planner takes clusters of eight.
#[test]
fn the_neighbours_are_those_that_a_person_would_try() {
    let transform = Transform::new(Algebra::ComplexF32, 1 << 15).batch(1 << 12);
    let found: Vec<String> = candidates(&transform, &h200()).iter().map(ToString::to_string).collect();
    assert_eq!(found[0], "c8x5/128x32x32/4x32x32.32");
    for expected in [
        "c8/128x32x32/4x32x32.32",
        "c4x3/256x32x32/8x32x32.32",
        "c4/256x32x32/8x32x32.32",
        "c8/32x16x16.8/16x16x16.16",
        "c8/32x8x8.4.4/16x8x8.8.4",
        "c8/64x32x32.2/8x32x32.16",
        "r/32x16x16.16a/64x16x16.8a",
        "n/32x16x16.16a/64x16x16.8a",
    ] {
        assert!(found.iter().any(|choice| choice == expected), "{expected} is not in {found:#?}");
    }
    let others: Vec<_> = found.iter().filter(|choice| !choice.starts_with(['c', 'r', 'n'])).collect();
    let passes = |count: usize| others.iter().any(|choice| choice.split('/').count() == count);
    assert!(passes(2) && passes(3) && !passes(4), "{found:#?}");
    for radices in [[1 << 8, 1 << 7], [1 << 7, 1 << 8], [1 << 9, 1 << 6]] {
        let radix = |pass: &str| -> usize {
            pass.rsplit('x').next().unwrap().split('.').map(|stage| stage.parse::<usize>().unwrap()).product()
        };
        let is = |choice: &&&String| choice.split('/').map(radix).collect::<Vec<_>>() == radices;
        assert!(others.iter().filter(is).count() >= 2, "{radices:?} in {found:#?}");
    }
}

#[test]
fn there_are_none_where_there_is_nothing_to_choose() {
    let host = DeviceInfo { backend: Backend::Cpu, ..h200() };
    assert!(candidates(&Transform::new(Algebra::ComplexF32, 64), &host).is_empty());
    // Of a convolution in several passes there is the planner's choice alone, where there are no clusters.
    let prime = Transform::new(Algebra::ComplexF32, 65_537);
    let of_prime = candidates(&prime, &DeviceInfo { max_cluster: None, ..h200() });
    assert!(of_prime.iter().map(|choice| choice.launches).eq([Launches::Chirp]), "{of_prime:?}");
    let in_clusters = candidates(&Transform::new(Algebra::ComplexF32, 16_411), &h200());
    assert!(in_clusters.iter().any(|choice| matches!(choice.launches, Launches::ChirpClusters(_))), "{in_clusters:?}");
    assert!(!candidates(&Transform::new(Algebra::ComplexF32, 60), &h200()).is_empty());
    let without = DeviceInfo { has_f64: false, ..h200() };
    assert!(candidates(&Transform::new(Algebra::ComplexF64, 64), &without).is_empty());
}

/// The neighbours of a choice for a batch of 1 GiB or so.
fn neighbours_of(choice: &str, pass: usize, algebra: Algebra) -> Vec<String> {
    let choice: Choice = choice.parse().unwrap();
    let n: usize = choice.passes.iter().flat_map(|pass| &pass.stages).product();
    let transform = Transform::new(algebra, n).batch((1 << 26) / n);
    let found = neighbours(&choice, pass, &transform, &h200());
    assert!(found.iter().all(|other| other.realise(&transform, &h200()).is_ok() && *other != choice));
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn neighbours_differ_in_one_pass() {
    let own = "16x32x32.32/4x32x32.16.8";
    let found = neighbours_of(own, 1, Algebra::ComplexF32);
    for other in ["16x32x32.32/4x16x16.16.16", "16x32x32.32/4x32x32.4.32", "16x32x32.32/4x32x8.16.32"] {
        assert!(found.iter().any(|found| found == other), "{other} in {found:?}");
    }
    assert!(found.iter().all(|found| found.starts_with("16x32x32.32/4x")), "{found:?}");
    assert!(found.iter().enumerate().all(|(i, choice)| !found[..i].contains(choice)), "{found:?}");
    // More stages would be needed with fewer rows, and there is no other order of the same.
    assert_eq!(neighbours_of(own, 0, Algebra::ComplexF32), ["16x32x32.32p/4x32x32.16.8"]);
    assert_eq!(neighbours_of(own, 2, Algebra::ComplexF32), [""; 0]);
}

#[test]
fn what_cannot_be_realised_has_no_neighbours() {
    let transform = Transform::new(Algebra::ComplexF32, 1 << 12);
    let stages = ["2"; 60].join(".");
    for choice in [format!("1x{}x2", usize::MAX), format!("1x32x{stages}"), "1x32x32.32".into()] {
        let choice: Choice = choice.parse().unwrap();
        assert_eq!(neighbours(&choice, 0, &transform, &h200()), [], "{choice}");
    }
}

/// Clusters and rings ask for more than a pass alone.
#[test]
fn neighbours_share_launches_as_before() {
    let found = neighbours_of("c8/128x16x16/2x16x16.8.8", 1, Algebra::ComplexF64);
    assert!(found.contains(&"c8/128x16x16/2x16x16.4.16".to_owned()), "{found:?}");
    // With more room and with less, once.
    let room = |pass| {
        let found = neighbours_of("c4/128x32x32/8x32x32.16", pass, Algebra::ComplexF64);
        ["c4x3/", "c4x1/", "c4x2/"].map(|start| found.iter().any(|choice| choice.starts_with(start)))
    };
    assert_eq!((room(0), room(1)), ([true, true, false], [false; 3]));
    let found = neighbours_of("c16x5/64x32x32.2/4x32x32.32", 0, Algebra::ComplexF32);
    assert!(["c16x4/", "c16x6/"].iter().all(|start| found.iter().any(|choice| choice.starts_with(start))), "{found:?}");
    let found = neighbours_of("n/16x32x32.32a/32x32x32.16a", 1, Algebra::ComplexF32);
    assert!(found.contains(&"n/16x32x32.32a/32x32x16.32a".to_owned()), "{found:?}");
    assert!(found.iter().all(|found| found.starts_with("n/16x32x32.32a/32x32x")), "{found:?}");
}
