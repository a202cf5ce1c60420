//! Convolutions with a chirp in one launch of clusters, on the devices that have them: those that the planner takes, and others by
//! hand.

use stockham::accuracy::{CHIRP_L2_LIMIT, random};
use stockham::plan::{Choice, Launches, Wisdom};
use stockham::{Complex32, Complex64, Device, Dim, Direction, Placement, Transform};

use crate::common::{Poison, assert_close, devices, reference, run, same_bits};

/// The devices with clusters of so many work-groups, which plan by the model, whatever is known to be faster.
fn with_clusters(blocks: usize) -> Vec<Device> {
    let found = devices().into_iter().filter(|device| device.info().max_cluster.is_some_and(|most| blocks <= most));
    found.map(|device| device.with_wisdom(Wisdom::default())).collect()
}

/// With a batch that just fills the device, out of place and in place, forth and back. A line alone goes through memory.
#[test]
fn planned_transforms_go_through_clusters() {
    fn agree<T: Poison>(device: &Device, n: usize, placement: Placement) {
        let batch = (device.info().compute_units << 12).div_ceil(n).max(2);
        let transform = Transform::new(T::ALGEBRA, n).batch(batch).placement(placement);
        let recipe = device.plan(&transform).unwrap().recipe().clone();
        assert_eq!((recipe.launches().len(), recipe.passes().len()), (1, 3), "{recipe}");
        let x = random::<T>(n * batch, n as u64);
        let y = run(device, &transform, &x).unwrap();
        for line in [0, 1, batch / 2, batch - 1] {
            let place = line * n..(line + 1) * n;
            let alone = run(device, &Transform::new(T::ALGEBRA, n), &x[place.clone()]).unwrap();
            let alone: Vec<T::Wide> = alone.iter().map(|v| v.widen()).collect();
            assert_close(&y[place], &alone, n, 2.0, || format!("{transform:?}"));
        }
        assert!(same_bits(&run(device, &transform, &x).unwrap(), &y), "another result of {transform:?}");
        // All lines.
        let back = run(device, &transform.clone().direction(Direction::Inverse), &y).unwrap();
        let wide: Vec<T::Wide> = x.iter().map(|v| v.widen()).collect();
        assert_close(&back, &wide, n, 2.0, || format!("there and back, {transform:?}"));
    }
    for device in with_clusters(16) {
        for placement in [Placement::OutOfPlace, Placement::InPlace] {
            for n in [10_007, 16_411] {
                agree::<Complex32>(&device, n, placement);
                agree::<Complex64>(&device, n, placement);
            }
            agree::<Complex64>(&device, 4099, placement);
        }
    }
}

/// Clusters of every size, and lines side by side.
#[test]
fn transforms_by_hand() {
    fn agree<T: Poison>(device: &Device) {
        for (n, choice) in [
            (101, "bc2/8x4x4.4/8x4x4.4/8x4x4.4"),
            (257, "bc4/6x12x12.2/6x12x6.4/6x12x12.2p"),
            (277, "bc8/3x6x6.2.2/3x6x6.2.2/3x6x6.2.2"),
            (1009, "bc16/3x12x12.4/3x12x12.4/3x12x12.2.2"),
            (500, "bc4x8/16x16x16/4x16x16.4/16x16x16"),
        ] {
            let choice: Choice = choice.parse().unwrap();
            let Launches::ChirpClusters(clusters) = choice.launches else { unreachable!("all are such") };
            if device.info().max_cluster.is_none_or(|most| clusters.blocks > most) {
                continue;
            }
            let base = Transform::new(T::ALGEBRA, n);
            let beside = base.clone().with_dims([Dim::new(n, 3)]).with_batch([Dim::new(3, 1)]);
            for (transform, (distance, stride)) in [(base.batch(5), (n, 1)), (beside, (1, 3))] {
                let executable = device.prepare(choice.realise(&transform, device.info()).unwrap()).unwrap();
                let x = random::<T>(transform.input_len(), 29);
                let input = device.upload(&x).unwrap();
                let mut output = device.upload(&vec![T::poison(); x.len()]).unwrap();
                executable.run(&input, &mut output).unwrap();
                let y = output.to_vec().unwrap();
                for first in (0..transform.batch_count()).map(|line| line * distance) {
                    let line = |all: &[T]| -> Vec<T> { (0..n).map(|j| all[first + j * stride]).collect() };
                    let expected = reference(&line(&x), &transform);
                    assert_close(&line(&y), &expected, n, CHIRP_L2_LIMIT, || format!("{choice}, {transform:?}"));
                }
            }
        }
    }
    for device in with_clusters(2) {
        agree::<Complex32>(&device);
        agree::<Complex64>(&device);
    }
}
