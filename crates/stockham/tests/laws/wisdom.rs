//! Devices take the choices that wisdom gives, and their results are right; what does not fit is passed over.

use rayon::prelude::*;
use stockham::accuracy::random;
use stockham::plan::{Choice, Clusters, Launches, Wisdom, candidates, choose, plan};
use stockham::{Complex32, Complex64, Device, Goldilocks, Placement, Transform, WISDOM_VARIABLE};

use crate::common::{DIRECTIONS, Poison, assert_close, batch_case, devices, is_cpu, run};

fn gpus() -> Vec<Device> {
    devices().into_iter().filter(|device| !is_cpu(device)).collect()
}

/// A device that knows one thing.
fn advised(device: &Device, transform: &Transform, choice: &Choice) -> Device {
    let mut wisdom = Wisdom::default();
    assert!(wisdom.insert(transform, device.info(), choice.clone()));
    device.with_wisdom(wisdom)
}

#[test]
fn a_choice_is_taken_and_the_result_is_right() {
    fn agree<T: Poison>(device: &Device, log: u32) {
        let base = Transform::new(T::ALGEBRA, 1 << log);
        let found = candidates(&base, device.info());
        let choice = &found[found.len() / 2];
        assert_ne!(*choice, found[0]);
        let (advised, model) = (advised(device, &base, choice), device.with_wisdom(Wisdom::default()));
        for direction in DIRECTIONS {
            for placement in [Placement::OutOfPlace, Placement::InPlace] {
                let transform = base.clone().direction(direction).placement(placement);
                let executable = advised.plan(&transform).unwrap();
                assert_eq!(*executable.recipe(), choice.realise(&transform, device.info()).unwrap());
                assert_eq!(advised.advised(&transform).as_ref(), Some(executable.recipe()));
                assert_ne!(model.plan(&transform).unwrap().recipe(), executable.recipe());
                let (x, expected) = batch_case::<T>(&transform, 29);
                let y = run(&advised, &transform, &x).unwrap();
                assert_close(&y, &expected, transform.points(), 1.5, || format!("{:?}", executable.recipe()));
            }
        }
    }
    for device in gpus() {
        agree::<Complex32>(&device, 10);
        agree::<Goldilocks>(&device, 8);
    }
}

#[test]
fn other_wisdom_makes_no_other_device() {
    for device in gpus() {
        let transform = Transform::new(stockham::Algebra::Goldilocks, 64);
        let choice = &candidates(&transform, device.info())[1];
        let executable = advised(&device, &transform, choice).plan(&transform).unwrap();
        let (x, expected) = batch_case::<Goldilocks>(&transform, 31);
        let (input, mut output) = (device.upload(&x).unwrap(), device.alloc::<Goldilocks>(64).unwrap());
        executable.run(&input, &mut output).unwrap();
        assert_eq!(output.to_vec().unwrap(), expected);
    }
}

#[test]
fn what_does_not_fit_is_passed_over() {
    for device in gpus() {
        let transform = Transform::new(stockham::Algebra::Goldilocks, 64);
        let model = plan(&transform, device.info()).unwrap();
        let good = choose(&transform, device.info()).unwrap();
        let longer = choose(&Transform::new(stockham::Algebra::Goldilocks, 128), device.info()).unwrap();
        let mut wide = good.clone();
        wide.passes[0].columns = 1 << 20;
        let clusters =
            Choice { launches: Launches::Clusters(Clusters { blocks: 64, side_by_side: None }), ..good.clone() };
        for choice in [longer, wide, clusters] {
            let advised = advised(&device, &transform, &choice);
            assert_eq!(advised.advised(&transform), None, "{choice}");
            assert_eq!(*advised.plan(&transform).unwrap().recipe(), model, "{choice}");
        }
        // Several that do not fill the device take it while there is a unit for each, and are planned by the model beyond.
        let units = device.info().compute_units;
        for batch in [2, units, units + 1] {
            let few = transform.clone().batch(batch);
            let advice = advised(&device, &transform, &good).advised(&few);
            assert_eq!(advice.is_some(), batch <= units, "{batch} on {units} units");
        }
    }
}

/// Points of the longest transforms that the shipped choices are tried with: the host compares whole results.
const MOST_POINTS: usize = 1 << 20;

/// The shipped choices against the planner's own, on the devices that they are for.
#[test]
fn shipped_choices_compute_what_the_planners_do() {
    fn agree<T: Poison>(device: &Device, transform: &Transform, choice: &Choice) {
        if transform.algebra != T::ALGEBRA {
            return;
        }
        let executable = device.plan(transform).unwrap();
        assert_eq!(*executable.recipe(), choice.realise(transform, device.info()).unwrap(), "{choice}");
        let x = random::<T>(transform.input_len(), 43);
        let found = run(device, transform, &x).unwrap();
        let expected = run(&device.with_wisdom(Wisdom::default()), transform, &x).unwrap();
        let expected: Vec<T::Wide> = expected.iter().map(|v| v.widen()).collect();
        assert_close(&found, &expected, transform.points(), 2.0, || format!("{transform:?} by {choice}"));
    }
    for device in gpus() {
        let device = device.with_wisdom(Wisdom::shipped().clone());
        let choices = Wisdom::shipped().choices(device.info()).filter(|(t, _)| t.points() <= MOST_POINTS);
        // Compiling is what takes most of the time.
        choices.collect::<Vec<_>>().into_par_iter().for_each(|(transform, choice)| {
            for transform in [transform.clone(), transform.inverse().in_place()] {
                agree::<Complex32>(&device, &transform, choice);
                agree::<Complex64>(&device, &transform, choice);
                agree::<Goldilocks>(&device, &transform, choice);
            }
        });
    }
}

/// Without a file in the environment, devices start with what is shipped, but for the host.
#[test]
fn devices_start_with_what_is_shipped() {
    assert!(Device::cpu().wisdom().is_empty());
    if std::env::var_os(WISDOM_VARIABLE).is_none() {
        for device in gpus() {
            assert_eq!(device.wisdom(), Wisdom::shipped());
        }
    }
}

#[test]
fn the_host_has_nothing_to_choose() {
    let (cpu, transform) = (Device::cpu(), Transform::new(stockham::Algebra::ComplexF32, 64));
    let choice = choose(&transform, &crate::recipes::h200()).unwrap();
    let advised = advised(&cpu, &transform, &choice);
    assert_eq!(advised.advised(&transform), None);
    let (x, expected) = batch_case::<Complex32>(&transform, 37);
    assert_close(&run(&advised, &transform, &x).unwrap(), &expected, 64, 2.0, || "the host".into());
}
