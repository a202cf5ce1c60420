//! Two passes through a ring: each of them on the host, and what their kernel says of crews. That crews wait for what they
//! have to is a law of devices.

use num_complex::Complex;

use super::cluster::{check_recipe, hopper};
use super::{changed, changed_launch};
use crate::algebra::{Algebra, Goldilocks};
use crate::device_info::DeviceInfo;
use crate::error::Error;
use crate::kernel::hopper::Meeting;
use crate::kernel::ir::Stmt;
use crate::kernel::{Boxes, Dialect, texts};
use crate::plan::{Choice, Extent, Method, Recipe, Ring, Sharing, choose, plan};
use crate::transform::{Dim, Transform};

/// With bulk copies, and room for a crew of 16.
pub(super) fn device() -> DeviceInfo {
    DeviceInfo { compute_capability: Some((9, 0)), compute_units: 8, ..hopper(None) }
}

fn realise(transform: &Transform, choice: &str) -> Result<Recipe, Error> {
    choice.parse::<Choice>().unwrap().realise(transform, &device())
}

/// With exchanges in both passes, in one, and passes of different lengths; points, and work-groups of a crew.
const SHAPES: [(&str, usize, usize); 7] = [
    ("r/8x4x4.4a/8x4x4.4a", 1 << 8, 2),
    ("r/8x4x4.4a/4x4x4.4.2a", 1 << 9, 4),
    ("r/16x8x8a/2x8x8.8a", 1 << 9, 4),
    ("r/16x16x16.16a/16x16x16.16a", 1 << 16, 16),
    ("r/8x8x8.4ap/4x8x4.8.2ap", 1 << 11, 8),
    ("r/8x4x4.4a/4x4x4.4.2e", 1 << 9, 4),
    ("r/16x8x8a/2x8x8.8e", 1 << 9, 4),
];

#[test]
fn every_pass_is_right() {
    let near = SHAPES.map(|(choice, n, crew)| (choice.replacen('r', "n", 1), n, crew));
    let others = SHAPES.map(|(choice, n, crew)| (choice.to_owned(), n, crew));
    for (choice, n, crew) in near.into_iter().chain(others) {
        let base = Transform::new(Algebra::Goldilocks, n);
        for transform in [base.clone(), base.clone().batch(3).inverse(), base.in_place().batch(2)] {
            let recipe = realise(&transform, &choice).unwrap();
            assert_eq!(recipe.ring.map(|ring| ring.crew), Some(crew), "{choice}");
            check_recipe::<Goldilocks>(&recipe);
        }
        check_recipe::<Complex<f32>>(&realise(&Transform::new(Algebra::ComplexF32, n).batch(3), &choice).unwrap());
        check_recipe::<Complex<f64>>(&realise(&Transform::new(Algebra::ComplexF64, n).inverse(), &choice).unwrap());
    }
}

/// There are as many crews as the device has room for, and no more than transforms; and the workspace is as long as their
/// slots and counts, whatever the batch.
#[test]
fn crews_fill_the_device() {
    let choice = "r/16x16x16.16a/16x16x16.16a";
    let h200 = DeviceInfo { compute_units: 132, ..device() };
    let planned = |batch| {
        let transform = Transform::new(Algebra::ComplexF32, 1 << 16).batch(batch);
        choice.parse::<Choice>().unwrap().realise(&transform, &h200).unwrap()
    };
    let (long, short) = (planned(1 << 11), planned(5));
    // Four work-groups of 256 threads with 64 registers to each of 132 units.
    assert_eq!(
        long.ring,
        Some(Ring { crew: 16, crews: 33, near: None, keeps: false, sharing: Sharing::Even, loads: false })
    );
    assert_eq!(long.workspace_len, 33 * ((2 << 16) + 16) + 16 + 16);
    assert_eq!(
        short.ring,
        Some(Ring { crew: 16, crews: 5, near: None, keeps: false, sharing: Sharing::Even, loads: false })
    );
    // Eight units have no room for a crew of 32 of a whole unit's registers each.
    let large = realise(&Transform::new(Algebra::ComplexF32, 1 << 20), "r/32x32x32.32a/32x32x32.32a");
    assert!(matches!(&large, Err(Error::InvalidTransform(why)) if why.contains("room")), "{large:?}");
}

#[test]
fn one_kernel_does_both_passes() {
    let transform = Transform::new(Algebra::ComplexF32, 1 << 9).batch(7);
    let recipe = realise(&transform, "r/8x4x4.4a/4x4x4.4.2a").unwrap();
    let [text] = &texts(&recipe, Dialect::Cuda)[..] else { panic!("one kernel") };
    assert!(text.stays && text.cooperates && text.boxes.is_some());
    assert_eq!((text.group, text.cluster), (32, 1));
    for words in [
        "#define CREW 4u",
        "announce_stored(arrivals + 1, round & 1u, count)",
        "announce_landed(count)",
        "evict_first",
        "__stcs",
    ] {
        assert!(text.source.contains(words), "{words}\n{}", text.source);
    }
    let told = recipe.to_string();
    assert!(told.contains("one launch for both, 7 crews of 4 work-groups, through a ring of 56 KiB"), "{told}");
    assert_eq!(serde_json::from_str::<Recipe>(&serde_json::to_string(&recipe).unwrap()).unwrap(), recipe);
}

/// What a work-group has for itself stays with it where that is much, and at no other's price.
#[test]
fn work_groups_keep_what_they_have_for_themselves() {
    let keeps = |algebra, choice: &str, device: &DeviceInfo| {
        let transform = Transform::new(algebra, 1 << 16).batch(7);
        let recipe = choice.parse::<Choice>().unwrap().realise(&transform, device).unwrap();
        let [text] = &texts(&recipe, Dialect::Cuda)[..] else { panic!("one kernel") };
        assert_eq!(text.source.contains("keep_or_store(target"), recipe.ring.unwrap().keeps);
        (recipe.ring.unwrap().keeps, text.local_bytes)
    };
    let near = "n/16x16x16.16a/16x16x16.16a";
    let (kept, bytes) = keeps(Algebra::ComplexF64, near, &device());
    let small = DeviceInfo { local_bytes: 150 << 10, ..device() };
    let (not_kept, fewer_bytes) = keeps(Algebra::ComplexF64, near, &small);
    // Two blocks of 256 points, at a multiple of their bytes.
    assert_eq!((kept, not_kept, (bytes - fewer_bytes) / 16), (true, false, 2 * 256));
    for (algebra, choice) in [
        (Algebra::ComplexF32, near),
        (Algebra::ComplexF64, "n/8x16x16.16a/8x16x16.16a"),
        (Algebra::ComplexF64, "r/16x16x16.16a/16x16x16.16a"),
    ] {
        assert!(!keeps(algebra, choice, &device()).0, "{choice}");
    }
}

#[test]
fn near_rings_have_memory_on_both_sides() {
    let transform = Transform::new(Algebra::ComplexF32, 1 << 16).batch(7);
    let recipe = realise(&transform, "n/16x16x16.16a/16x16x16.16a").unwrap();
    // Two crews on 8 units with room for 4 work-groups each; a crew has half a mebibyte, in 128 parts that have a twin.
    assert_eq!(
        recipe.ring,
        Some(Ring { crew: 16, crews: 2, near: Some(32), keeps: false, sharing: Sharing::ByAge, loads: false })
    );
    assert_eq!(recipe.workspace_len, ((2 * 128 + 1) * 8192 + 3 * 128 + 2 * 128) / 8);
    let [text] = &texts(&recipe, Dialect::Cuda)[..] else { panic!("one kernel") };
    assert!(text.stays && text.cooperates && text.boxes.is_some());
    for words in [
        "#define PIECES 16u",
        "#define PAIRS 128u",
        "await_count(landed + 3, (round - 1u) & 1u)",
        "await_crew(count, found, round * CREW, 0)",
    ] {
        assert!(text.source.contains(words), "{words}\n{}", text.source);
    }
    assert!(!text.source.contains("    announce_landed(count);"), "{}", text.source);
    let told = recipe.to_string();
    assert!(
        told.contains("2 crews of 16 work-groups that share by age, through a ring of 1 MiB near to them"),
        "{told}"
    );
}

/// The map of the input, in the order in which the tiles lie in local memory.
#[test]
fn launches_know_their_array() {
    let transform = Transform::new(Algebra::ComplexF32, 1 << 16).batch(3);
    let text = &texts(&realise(&transform, "r/16x16x16.16a/16x16x16.16a").unwrap(), Dialect::Cuda)[0];
    let Some(Boxes { array, element_bytes: 8, number_bytes: 8 }) = &text.boxes else { panic!("{:?}", text.boxes) };
    let extent = |n, stride, of_box| Extent { n, stride, of_box };
    assert_eq!(array.dims, [extent(256, 1, 16), extent(256, 256, 256), extent(3, 1 << 16, 1)]);
    assert_eq!((array.first, array.rows), (0, 1));
    assert!(text.source.contains("cp.async.bulk.tensor.3d"));
}

/// A tile that is fetched while threads still read the one before is found, and one that is never fetched.
#[test]
fn what_comes_too_early_is_found() {
    let recipe = realise(&Transform::new(Algebra::Goldilocks, 1 << 8).batch(2), "r/8x4x4.4a/8x4x4.4a").unwrap();
    let found = |change: fn(&mut Vec<Stmt>)| changed(&recipe, change).unwrap_err();
    let early = found(|body| {
        let at = |what| body.iter().rposition(|stmt| *stmt == what).unwrap();
        let (barrier, fetch) = (at(Stmt::Barrier), at(Stmt::Meet(Meeting::FetchNext)));
        body.swap(barrier, fetch);
    });
    assert!(early.contains("may still be read"), "{early}");
    let never = found(|body| body.retain(|stmt| *stmt != Stmt::Meet(Meeting::FetchNext)));
    assert!(never.contains("before the next one is fetched"), "{never}");
}

/// Half of the next tile comes while the second pass exchanges by component in the other half of the memory: no sooner than all
/// have read what was there, and not over what is exchanged.
#[test]
fn half_of_a_tile_comes_early() {
    let transform = Transform::new(Algebra::ComplexF64, 1 << 8).batch(2);
    let recipe = realise(&transform, "r/8x4x4.4a/8x4x4.4e").unwrap();
    let [first, second] = recipe.passes() else { panic!("two passes") };
    assert_eq!((first.hopper.early, second.hopper.early), (0, 64));
    assert_eq!(second.tile_bytes(transform.algebra), 64 * 16 + second.plane_len() * 8);
    let body = |pass: usize| crate::kernel::lower::kernel(&recipe, pass..pass + 1).body;
    let early = |body: &[Stmt]| body.iter().position(|stmt| *stmt == Stmt::Meet(Meeting::FetchEarly));
    assert!(early(&body(0)).is_none() && early(&body(1)).is_some());
    let exact = realise(&Transform::new(Algebra::Goldilocks, 1 << 8).batch(2), "r/8x4x4.4a/8x4x4.4e").unwrap();
    changed_launch(&exact, 1, |_| ()).unwrap();
    let sooner = changed_launch(&exact, 1, |body| {
        let at = early(body).unwrap();
        body.swap(at - 1, at);
    });
    let sooner = sooner.unwrap_err();
    assert!(sooner.contains("may still be read"), "{sooner}");
    let mut over = recipe.clone();
    if let Method::Passes(passes) = &mut over.method {
        passes[1].hopper.early += 8;
    }
    assert!(matches!(over.check(&device()), Err(Error::InvalidTransform(_))));
    let told = recipe.to_string();
    assert!(
        told.contains("fetch the next 2 KiB while they compute, 1 KiB of it before the exchange is over"),
        "{told}"
    );
    assert!(told.contains("crews of 2 work-groups that draw transforms"), "{told}");
    let text = &texts(&recipe, Dialect::Cuda)[0].source;
    assert!(text.contains("#define EARLY_ROWS 8u") && text.contains("0u, EARLY_ROWS, arrivals"), "{text}");
}

/// Crews of f64 draw their transforms; others share by age where the ring is near and units have room for several work-groups
/// of both, and evenly elsewhere.
#[test]
fn crews_share_transforms() {
    let told = |algebra, n, choice| {
        let recipe = realise(&Transform::new(algebra, n).batch(9), choice).unwrap();
        let text = texts(&recipe, Dialect::Cuda).remove(0).source;
        let words = ["crew + round * crews", "start + round * stride", "next = *told"];
        (recipe.ring.unwrap().sharing, words.map(|words| text.contains(words)))
    };
    let (far, near) = ("r/8x4x4.4a/8x4x4.4a", "n/8x4x4.4a/8x4x4.4a");
    assert_eq!(told(Algebra::ComplexF64, 1 << 8, far), (Sharing::Drawn, [false, false, true]));
    assert_eq!(told(Algebra::ComplexF64, 1 << 8, near), (Sharing::Drawn, [false, false, true]));
    assert_eq!(told(Algebra::ComplexF32, 1 << 8, far), (Sharing::Even, [true, false, false]));
    assert_eq!(told(Algebra::ComplexF32, 1 << 8, near), (Sharing::ByAge, [false, true, false]));
    // A unit of its own for each.
    let alone = "n/64x32x16.16a/64x32x16.16a";
    assert_eq!(told(Algebra::ComplexF32, 1 << 16, alone), (Sharing::Even, [true, false, false]));
}

#[test]
fn the_planner_takes_rings_where_they_pay() {
    let h200 = DeviceInfo { compute_units: 132, ..device() };
    let chosen = |algebra, n, batch, device: &DeviceInfo| {
        let transform = Transform::new(algebra, n).batch(batch);
        plan(&transform, device).unwrap();
        choose(&transform, device).unwrap().to_string()
    };
    let (short, long) = (Algebra::ComplexF32, Algebra::ComplexF64);
    assert_eq!(chosen(short, 1 << 17, 1024, &h200), "n/16x32x32.16a/32x32x32.8a");
    assert_eq!(chosen(short, 1 << 19, 256, &h200), "n/16x32x32.32a/32x32x32.16a");
    assert_eq!(chosen(short, 1 << 20, 128, &h200), "r/16x32x32.32a/16x32x32.32e");
    assert_eq!(chosen(short, 1 << 21, 64, &h200), "r/8x32x32.8.8a/16x32x32.32e");
    assert_eq!(chosen(long, 1 << 18, 256, &h200), "n/16x32x32.16a/16x32x32.16a");
    let less_memory = DeviceInfo { local_bytes: 99 << 10, ..h200.clone() };
    assert_eq!(chosen(short, 1 << 18, 512, &less_memory), "n/16x32x32.16a/16x32x32.16a");
    let older = DeviceInfo { compute_capability: Some((8, 0)), ..h200.clone() };
    for (algebra, n, batch, device) in [
        // Few transforms, short ones, long ones, arithmetic that takes longer than memory.
        (short, 1 << 18, 20, &h200),
        (short, 1 << 16, 2048, &h200),
        (short, 1 << 22, 32, &h200),
        (Algebra::Goldilocks, 1 << 18, 512, &h200),
        // No bulk copies, and no room for a crew.
        (short, 1 << 18, 512, &older),
        (short, 1 << 18, 512, &self::device()),
    ] {
        let choice = chosen(algebra, n, batch, device);
        assert!(!choice.starts_with(['r', 'n']), "{choice}");
    }
}

#[test]
fn what_makes_no_ring_is_refused() {
    let transform = Transform::new(Algebra::ComplexF32, 1 << 9).batch(7);
    for wrong in [
        "r/1x8x8.8.8a",
        "r/8x4x4.4/4x4x4.4.2a",
        "r/8x4x4.4a/4x4x4.4.2",
        "r/8x4x4.4a/8x4x4.4.2a",
        "r/4x4x4.4a/8x4x4.4.2a",
        "r/8x8x8a/4x4x4.2a/4x4x4.2a",
        // Nothing comes early in the first pass, nor where nothing is exchanged.
        "r/8x4x4.4e/4x4x4.4.2a",
        "r/2x8x8.8a/16x8x8e",
    ] {
        let found = realise(&transform, wrong);
        assert!(matches!(found, Err(Error::InvalidTransform(_))), "{wrong}: {found:?}");
    }
    let choice: Choice = "r/8x4x4.4a/4x4x4.4.2a".parse().unwrap();
    let without = DeviceInfo { compute_capability: Some((8, 6)), ..device() };
    assert!(matches!(choice.realise(&transform, &without), Err(Error::Unsupported { .. })));
    // Transforms with gaps take both passes through memory.
    let gaps = transform.clone().with_batch([Dim::new(7, 600)]);
    let recipe = choice.realise(&gaps, &device()).unwrap();
    assert!(recipe.ring.is_none() && recipe.passes().iter().all(|pass| !pass.hopper.ahead));
    let recipe = choice.realise(&transform, &device()).unwrap();
    let refused = |change: &dyn Fn(&mut Recipe)| {
        let mut changed = recipe.clone();
        change(&mut changed);
        assert!(matches!(changed.check(&device()), Err(Error::InvalidTransform(_))), "{changed:#?}");
    };
    recipe.check(&device()).unwrap();
    let pass = |number: usize, change: &dyn Fn(&mut crate::plan::Pass)| {
        refused(&|recipe| {
            if let Method::Passes(passes) = &mut recipe.method {
                change(&mut passes[number]);
            }
        });
    };
    for (crew, crews) in [(2, 7), (4, 8), (4, 0), (usize::MAX, usize::MAX)] {
        refused(&|recipe| {
            recipe.ring = Some(Ring { crew, crews, near: None, keeps: false, sharing: Sharing::Even, loads: false })
        });
    }
    // Only in a near ring is anything kept.
    refused(&|recipe| recipe.ring = recipe.ring.map(|ring| Ring { keeps: true, ..ring }));
    // Only there have work-groups an age.
    refused(&|recipe| recipe.ring = recipe.ring.map(|ring| Ring { sharing: Sharing::ByAge, ..ring }));
    // A near ring is longer, and has no more crews than work-groups.
    refused(&|recipe| {
        recipe.ring =
            Some(Ring { crew: 4, crews: 7, near: Some(28), keeps: false, sharing: Sharing::Even, loads: false })
    });
    refused(&|recipe| {
        recipe.ring =
            Some(Ring { crew: 4, crews: 7, near: Some(27), keeps: false, sharing: Sharing::Even, loads: false });
        recipe.workspace_len *= 10;
    });
    refused(&|recipe| recipe.workspace_len -= 1);
    // Places in a ring, and none there.
    refused(&|recipe| {
        recipe.ring = None;
        if let Method::Passes(passes) = &mut recipe.method {
            passes.iter_mut().for_each(|pass| pass.hopper.ahead = false);
        }
    });
    refused(&|recipe| recipe.chunk = Some(2));
    pass(0, &|pass| pass.hopper.ahead = false);
    pass(1, &|pass| pass.hopper.ahead = false);
    pass(0, &|pass| pass.tile.columns = 4);
    pass(1, &|pass| pass.columns.clear());
    // Nothing comes early where exchanges do not leave room for it.
    for early in [8, 64, usize::MAX] {
        pass(0, &|pass| pass.hopper.early = early);
        pass(1, &|pass| pass.hopper.early = early);
    }
}
