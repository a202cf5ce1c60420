//! Work-groups that stay and fetch the next transform while they compute, on the devices that can.

use stockham::accuracy::random;
use stockham::plan::{Loading, PassChoice, realise};
use stockham::{Complex32, Complex64, Device, Error, Executable, Goldilocks, Placement, Transform};

use crate::common::{Poison, assert_close, devices, reference, same_bits};

fn pass(columns: usize, per_thread: usize, stages: &[usize]) -> PassChoice {
    PassChoice { columns, per_thread, stages: stages.to_vec(), loading: Loading::Ahead }
}

/// Tiles of one transform and of several; fewer of them than work-groups, and many times as many.
fn shapes() -> [(PassChoice, [usize; 3]); 5] {
    [
        (pass(1, 32, &[16, 32, 32]), [1, 2, 300]),
        (pass(1, 16, &[16, 16, 8]), [1, 7, 2000]),
        (pass(3, 16, &[16, 8, 8]), [3, 9, 3000]),
        (pass(4, 8, &[8, 4, 4]), [4, 12, 40_000]),
        (pass(2, 4, &[4, 4]), [2, 6, 100_000]),
    ]
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
fn agree<T: Poison>(device: &Device, choice: &PassChoice, batch: usize, placement: Placement) {
    let n: usize = choice.stages.iter().product();
    let transform = Transform { placement, ..Transform::new(T::ALGEBRA, n).batch(batch) };
    let recipe = match realise(&transform, device.info(), std::slice::from_ref(choice)) {
        Ok(recipe) => recipe,
        // Large elements, in exchanges that cannot go by component.
        Err(Error::InvalidTransform(_)) if n * choice.columns * size_of::<T>() > 64 << 10 => return,
        Err(error) => panic!("{error}"),
    };
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
        let is_realised = realise(&transform, device.info(), &[pass(2, 4, &[4, 4])]).is_ok();
        assert_eq!(is_realised, device.info().has_bulk_copies(), "{:?}", device.info());
        is_realised
    };
    devices().into_iter().filter(is_able).collect()
}

#[test]
fn tiles_that_are_fetched_ahead_are_right() {
    for device in able() {
        for (choice, batches) in shapes() {
            for batch in batches {
                for placement in [Placement::OutOfPlace, Placement::InPlace] {
                    agree::<Complex32>(&device, &choice, batch, placement);
                    agree::<Complex64>(&device, &choice, batch, placement);
                    agree::<Goldilocks>(&device, &choice, batch, placement);
                }
            }
        }
    }
}

/// A few tiles for each work-group: little enough to be watched by a sanitizer.
#[test]
fn work_groups_take_tile_after_tile() {
    for device in able() {
        agree::<Complex32>(
            &device,
            &pass(1, 32, &[16, 32, 32]),
            2 * device.info().compute_units + 3,
            Placement::OutOfPlace,
        );
        agree::<Complex64>(&device, &pass(1, 16, &[16, 8, 8]), 2000, Placement::InPlace);
    }
}
