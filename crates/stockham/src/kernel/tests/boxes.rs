//! Work-groups that stay and fetch boxes of an array ahead, alone and in clusters, tile by tile on the host.

use num_complex::Complex;

use super::cluster::{check_recipe, hopper};
use super::{changed, meetings};
use crate::algebra::{Algebra, Goldilocks};
use crate::device_info::DeviceInfo;
use crate::error::Error;
use crate::kernel::ir::{Meeting, Stmt};
use crate::kernel::{Boxes, Dialect, lower, texts};
use crate::plan::{Choice, Extent, Recipe, realise};
use crate::transform::{Dim, Transform};

/// With bulk copies.
fn device() -> DeviceInfo {
    DeviceInfo { compute_capability: Some((9, 0)), ..hopper(Some(16)) }
}

fn recipe(transform: &Transform, choice: &str) -> Recipe {
    choice.parse::<Choice>().unwrap().realise(transform, &device()).unwrap()
}

/// Passes through memory, of boxes first and of contiguous tiles then; with exchanges and without, whole and by component.
const PASSES: [&str; 4] = ["8x4x4.4a/4x8x8.4a", "4x4x4.4/8x4x4.2.2a", "2x8x8a/2x8x8.2a/4x8x8", "16x16x16.2a/16x32x32"];

/// Clusters, whose first pass has exchanges or has none, of one transform and of neighbouring lines.
const CLUSTERS: [&str; 7] = [
    "c2/2x4x4a/2x4x4",
    "c2/16x8x8.8a/32x8x8.4",
    "c4/8x16x16a/4x16x16.2",
    "c8/2x4x4.4a/2x4x4.4",
    "c4/8x32x32a/8x32x32",
    "c2/4x4x4a/4x4x4/4x4x4a/4x4x4",
    "c4/16x8x8a/8x8x8.2/16x8x8/8x8x8.2",
];

fn points(choice: &str) -> usize {
    choice.parse::<Choice>().unwrap().passes.iter().map(|pass| pass.stages.iter().product::<usize>()).product()
}

#[test]
fn every_shape_is_right() {
    for choice in PASSES.into_iter().chain(CLUSTERS) {
        let n = points(choice);
        let base = Transform::new(Algebra::Goldilocks, n);
        for transform in [base.clone().batch(3), base.clone().inverse(), base.in_place().batch(2)] {
            let recipe = recipe(&transform, choice);
            assert!(recipe.passes().iter().any(|pass| pass.tile.ahead), "{choice}");
            // A complex number of f64 has two words, and rows of a box are multiples of 16 bytes.
            check_recipe::<Goldilocks>(&recipe);
        }
        check_recipe::<Complex<f32>>(&recipe(&Transform::new(Algebra::ComplexF32, n).batch(2), choice));
        check_recipe::<Complex<f64>>(&recipe(&Transform::new(Algebra::ComplexF64, n).batch(3).inverse(), choice));
    }
}

/// A pass that is alone fetches boxes where transforms lie interleaved.
#[test]
fn interleaved_transforms_are_boxes() {
    let choice: Choice = "4x8x8.4a".parse().unwrap();
    let interleaved = |algebra, to| {
        let transform = Transform::new(algebra, 32);
        transform.with_dims([Dim { n: 32, input_stride: 24, output_stride: to }]).with_batch([
            Dim { n: 3, input_stride: 8, output_stride: 8 * 32 },
            Dim { n: 8, input_stride: 1, output_stride: if to == 1 { 32 } else { 1 } },
        ])
    };
    for to in [1, 8] {
        let recipe = |algebra| realise(&interleaved(algebra, to), &device(), &choice.passes).unwrap();
        check_recipe::<Goldilocks>(&recipe(Algebra::Goldilocks));
        check_recipe::<Complex<f64>>(&recipe(Algebra::ComplexF64));
    }
}

/// Two passes that fetch ahead do not go by chunks.
#[test]
fn chunks_load_directly() {
    let recipe = recipe(&Transform::new(Algebra::Goldilocks, 1 << 9).batch(8), "8x4x4.4a/4x8x8.4");
    assert!(matches!(recipe.in_chunks(2), Err(Error::InvalidTransform(_))));
}

/// What is fetched comes to the memory of the exchanges: there is no more of it.
#[test]
fn boxes_take_no_memory_of_their_own() {
    let transform = Transform::new(Algebra::ComplexF32, 1 << 16).batch(2);
    let local = |choice| texts(&recipe(&transform, choice), Dialect::Cuda)[0].local_bytes;
    let (ahead, direct) = ("c16/16x16x16.16a/16x16x16.16", "c16/16x16x16.16/16x16x16.16");
    assert!(local(ahead) <= local(direct) + 32, "{} and {} bytes", local(ahead), local(direct));
}

/// The map of the array, in the order in which the tiles lie in local memory.
#[test]
fn launches_know_their_array() {
    let transform = Transform::new(Algebra::ComplexF32, 1 << 16).batch(3);
    let text = &texts(&recipe(&transform, "c16/16x16x16.16a/16x16x16.16"), Dialect::Cuda)[0];
    let Some(Boxes { array, element_bytes: 8 }) = &text.boxes else { panic!("{:?}", text.boxes) };
    let extent = |n, stride, of_box| Extent { n, stride, of_box };
    assert_eq!(array.dims, [extent(256, 1, 16), extent(256, 256, 256), extent(3, 1 << 16, 1)]);
    assert_eq!((array.first, array.rows), (0, 1));
    assert!(text.stays && text.source.contains("cp.async.bulk.tensor.3d"));
    let direct = &texts(&recipe(&transform, "c16/16x16x16.16/16x16x16.16"), Dialect::Cuda)[0];
    assert_eq!((direct.boxes.as_ref(), direct.stays), (None, false));
}

/// What the interpreter says of a kernel without one of the statements at which threads meet; nothing without so many.
fn without(choice: &str, number: usize) -> Option<Result<(), String>> {
    let recipe = recipe(&Transform::new(Algebra::Goldilocks, points(choice)).batch(2), choice);
    let launch = recipe.launches().remove(0);
    let at = *meetings(&lower::kernel(&recipe, launch).body).get(number)?;
    Some(changed(&recipe, |body| drop(body.remove(at))))
}

#[test]
fn nothing_can_be_left_out() {
    for choice in ["8x4x4.4a/4x8x8.4", "c4/8x8x8a/2x8x8.4", "c4/4x4x4.4a/4x4x4.4"] {
        let mut number = 0;
        while let Some(found) = without(choice, number) {
            assert!(found.is_err(), "{choice}: meeting {number} is not needed?");
            number += 1;
        }
        assert!(number >= 4, "{choice}: {number} meetings");
    }
}

/// Where threads say that they are ready too early, or fetch too early, is found.
#[test]
fn what_comes_too_early_is_found() {
    let choice = "c4/8x8x8a/2x8x8.4";
    let recipe = recipe(&Transform::new(Algebra::Goldilocks, points(choice)).batch(2), choice);
    let kernel = lower::kernel(&recipe, 0..2);
    let at = |is: &dyn Fn(&Stmt) -> bool| kernel.body.iter().position(is).unwrap();
    let barrier = at(&|stmt| *stmt == Stmt::Meet(Meeting::Barrier));
    for early in [
        at(&|stmt| matches!(stmt, Stmt::Meet(Meeting::Expect { .. }))),
        at(&|stmt| *stmt == Stmt::Meet(Meeting::FetchNext)),
    ] {
        let found = changed(&recipe, |body| {
            let statement = body.remove(early);
            body.insert(barrier, statement);
        })
        .unwrap_err();
        assert!(found.contains("may still be read"), "{found}");
    }
}

#[test]
fn what_is_no_box_is_refused() {
    let choice: Choice = "8x4x4.4a/4x8x8.4".parse().unwrap();
    let transform = Transform::new(Algebra::ComplexF32, 1 << 9).batch(2);
    // Rows that do not begin at multiples of 16 bytes, or not beside each other: threads load them.
    let gaps = transform.clone().with_batch([Dim::new(2, 515)]);
    assert!(!choice.realise(&gaps, &device()).unwrap().passes()[0].tile.ahead);
    let refused = |transform: &Transform, choice: &Choice| {
        let found = realise(transform, &device(), &choice.passes);
        assert!(matches!(&found, Err(Error::InvalidTransform(why)) if why.contains("boxes")), "{found:?}");
    };
    refused(&gaps, &choice);
    refused(&transform.clone().with_dims([Dim::new(1 << 9, 2)]).with_batch([Dim::new(2, 1)]), &choice);
    refused(&transform, &"1x4x4.4a/4x8x8.4".parse().unwrap());
    refused(&transform, &"3x4x4.4a/4x8x8.4".parse().unwrap());
    let without = DeviceInfo { compute_capability: Some((8, 0)), ..device() };
    assert!(matches!(choice.realise(&transform, &without), Err(Error::Unsupported { .. })));
    // The second pass of a launch receives, and fetches nothing.
    let second: Choice = "c4/8x8x8/2x8x8.4a".parse().unwrap();
    let transform = Transform::new(Algebra::ComplexF32, 1 << 8);
    assert!(matches!(second.realise(&transform, &device()), Err(Error::InvalidTransform(_))));
}
