//! Work-groups that stay and fetch the next transform while they compute, on the devices that can.

use stockham::accuracy::random;
use stockham::plan::{Choice, PassChoice, realise};
use stockham::{Complex32, Complex64, Device, Error, Executable, Goldilocks, Placement, Transform};

use crate::common::{Poison, assert_close, devices, reference, same_bits};

/// Tiles of one transform and of several; fewer of them than work-groups, and many times as many.
const TILES: [(&str, [usize; 3]); 5] = [
    ("1x32x16.32.32a", [1, 2, 300]),
    ("1x16x16.16.8a", [1, 7, 2000]),
    ("3x16x16.8.8a", [3, 9, 3000]),
    ("4x8x8.4.4a", [4, 12, 40_000]),
    ("2x4x4.4a", [2, 6, 100_000]),
];

/// Through a ring: fewer transforms than crews, about as many, and many more; crews of many work-groups and of few.
const RINGS: [(&str, [usize; 3]); 5] = [
    ("r/16x16x16.16a/16x16x16.16a", [1, 35, 200]),
    ("r/8x32x32.32a/8x32x32.32e", [1, 2, 9]),
    ("r/8x16x16.16.2a/16x16x16.16a", [1, 20, 100]),
    ("r/16x8x8a/2x8x8.8a", [1, 500, 20_000]),
    ("r/8x4x4.4a/4x4x4.4.2a", [1, 1000, 20_000]),
];

/// The same through near rings.
const NEAR_RINGS: [(&str, [usize; 3]); 4] = [
    ("n/16x16x16.16a/16x16x16.16e", [1, 35, 200]),
    ("n/8x32x32.32a/8x32x32.32a", [1, 2, 9]),
    ("n/16x8x8a/2x8x8.8a", [1, 500, 20_000]),
    ("n/8x4x4.4a/4x4x4.4.2a", [1, 1000, 20_000]),
];

fn read(choice: &str) -> Choice {
    choice.parse().unwrap()
}

fn points(choice: &Choice) -> usize {
    choice.passes.iter().map(|pass| pass.stages.iter().product::<usize>()).product()
}

/// Memory where a run begins, in elements: copies want multiples of 16 bytes.
const STARTS: [usize; 3] = [0, 1, 2];

/// The transforms of what lies from there on in memory.
fn run_from<T: Poison>(executable: &Executable, x: &[T], start: usize) -> Vec<T> {
    let device = executable.device();
    let poison = vec![T::poison(); start];
    let mut data = device.upload(&[&poison[..], x].concat()).unwrap();
    if executable.transform().placement == Placement::InPlace {
        executable.run_in_place(data.slice_mut(start..).unwrap()).unwrap();
    } else {
        let mut output = device.upload(&vec![T::poison(); start + x.len()]).unwrap();
        executable.run(data.slice(start..).unwrap(), output.slice_mut(start..).unwrap()).unwrap();
        data = output;
    }
    let mut found = data.to_vec().unwrap();
    assert!(same_bits(&found[..start], &poison), "what lies before was written");
    found.split_off(start)
}

/// Whether the device fetches that choice ahead, and if so, that it is right wherever memory begins.
fn agree<T: Poison>(device: &Device, choice: &str, batch: usize, placement: Placement) {
    let choice = read(choice);
    let n = points(&choice);
    let transform = Transform::new(T::ALGEBRA, n).batch(batch).placement(placement);
    let is_large = |pass: &PassChoice| pass.stages.iter().product::<usize>() * pass.columns * size_of::<T>() > 64 << 10;
    let recipe = match choice.realise(&transform, device.info()) {
        Ok(recipe) => recipe,
        // Large elements, in exchanges that cannot go by component.
        Err(Error::InvalidTransform(_)) if choice.passes.iter().any(is_large) => return,
        Err(error) => panic!("{error}"),
    };
    let is_ahead = recipe.passes().iter().any(|pass| pass.hopper.ahead);
    assert!(is_ahead || batch == 1 && choice.passes.len() == 1, "{choice} is not fetched ahead");
    let executable = device.prepare(recipe).unwrap();
    let x = random::<T>(n * batch, n as u64);
    let y = run_from(&executable, &x, STARTS[0]);
    for start in &STARTS[1..] {
        let again = run_from(&executable, &x, *start);
        assert!(same_bits(&again, &y), "from element {start} on: another result of {transform:?}");
    }
    for line in [0, batch / 2, batch - 1] {
        let place = line * n..(line + 1) * n;
        assert_close(&y[place.clone()], &reference(&x[place], &transform), n, 1.0, || format!("{transform:?}"));
    }
}

/// The devices that can fetch ahead; all others refuse to.
fn able() -> Vec<Device> {
    let transform = Transform::new(stockham::Algebra::ComplexF32, 16).batch(4);
    let is_able = |device: &Device| {
        let is_realised = realise(&transform, device.info(), &read("2x4x4.4a").passes).is_ok();
        assert_eq!(is_realised, device.info().has_bulk_copies(), "{:?}", device.info());
        is_realised
    };
    devices().into_iter().filter(is_able).collect()
}

fn all_agree(device: &Device, shapes: &[(&str, [usize; 3])]) {
    for (choice, batches) in shapes {
        for &batch in batches {
            for placement in [Placement::OutOfPlace, Placement::InPlace] {
                agree::<Complex32>(device, choice, batch, placement);
                agree::<Complex64>(device, choice, batch, placement);
                agree::<Goldilocks>(device, choice, batch, placement);
            }
        }
    }
}

#[test]
fn tiles_that_are_fetched_ahead_are_right() {
    able().iter().for_each(|device| all_agree(device, &TILES));
}

#[test]
fn rings_are_right() {
    able().iter().for_each(|device| all_agree(device, &RINGS));
}

#[test]
fn near_rings_are_right() {
    able().iter().for_each(|device| all_agree(device, &NEAR_RINGS));
}

/// A few tiles for each work-group: little enough to be watched by a sanitizer.
#[test]
fn work_groups_take_tile_after_tile() {
    for device in able() {
        let units = device.info().compute_units;
        agree::<Complex32>(&device, "1x32x16.32.32a", 2 * units + 3, Placement::OutOfPlace);
        agree::<Complex64>(&device, "1x16x16.8.8a", 2000, Placement::InPlace);
    }
}

#[test]
fn crews_take_transform_after_transform() {
    for device in able() {
        agree::<Complex32>(&device, "r/8x8x8.8a/8x8x8.8e", 600, Placement::OutOfPlace);
        agree::<Complex32>(&device, "n/8x8x8.8a/8x8x8.8a", 600, Placement::InPlace);
        agree::<Complex64>(&device, "r/16x8x8a/2x8x8.8a", 2000, Placement::InPlace);
        agree::<Complex64>(&device, "n/16x8x8a/2x8x8.8e", 2000, Placement::OutOfPlace);
    }
}
