//! Recipes by chunks give what the same passes give over the whole batch, bit for bit.

use stockham::accuracy::random;
use stockham::plan::{PassChoice, realise};
use stockham::{Complex32, Complex64, Device, Dim, Error, Goldilocks, Normalization, Placement, Transform};

use crate::common::{Poison, computes, devices, is_cpu, same_bits};

const N: usize = 1 << 12;

/// Two passes with work-groups of one size.
fn choices() -> [PassChoice; 2] {
    [(); 2].map(|()| PassChoice::new(8, 8, [8, 8]))
}

fn check<T: Poison>(device: &Device, transform: &Transform, chunk: usize) {
    let whole = realise(transform, device.info(), &choices()).unwrap();
    let chunked = whole.clone().in_chunks(chunk).unwrap();
    assert!(chunked.to_string().contains("of the next"), "{chunked}");
    let x = random::<T>(transform.input_len(), 3);
    let [expected, found] = [whole, chunked].map(|recipe| {
        let executable = device.prepare(recipe).unwrap();
        let mut data = device.upload(&x).unwrap();
        if transform.placement == Placement::InPlace {
            executable.run_in_place(&mut data).unwrap();
            return data.to_vec().unwrap();
        }
        let mut output = device.upload(&vec![T::poison(); transform.output_len()]).unwrap();
        // Again, so that the launches of one run meet those of another.
        executable.run(&data, &mut output).unwrap();
        executable.run(&data, &mut output).unwrap();
        assert!(same_bits(&data.to_vec().unwrap(), &x), "{executable:?} changed its input");
        output.to_vec().unwrap()
    });
    assert!(same_bits(&expected, &found), "{} {transform:?}, chunks of {chunk}", device.info().id);
}

#[test]
fn chunks_make_no_difference() {
    fn all<T: Poison>(device: &Device) {
        let base = || Transform::new(T::ALGEBRA, N);
        for (batch, chunk) in [(2, 1), (7, 1), (7, 3), (8, 4), (9, 8)] {
            check::<T>(device, &base().batch(batch), chunk);
        }
        check::<T>(device, &base().batch(7).inverse().in_place(), 2);
        let gaps = base().with_dims([Dim::new(N, 2)]).with_batch([Dim::new(5, 4 * N + 3), Dim::new(2, 1)]);
        check::<T>(device, &gaps.normalization(Normalization::None), 2);
    }
    for device in devices().iter().filter(|device| !is_cpu(device)) {
        all::<Complex32>(device);
        all::<Goldilocks>(device);
        if computes(device, stockham::Algebra::ComplexF64) {
            all::<Complex64>(device);
        }
    }
}

#[test]
fn what_has_no_chunks_is_refused() {
    for device in devices().iter().filter(|device| !is_cpu(device)) {
        let recipe = |transform: &Transform| realise(transform, device.info(), &choices()).unwrap();
        let one = Transform::new(stockham::Algebra::ComplexF32, N);
        let five = one.clone().batch(5);
        let short = stockham::plan::plan(&Transform::new(stockham::Algebra::ComplexF32, 16).batch(5), device.info());
        let refused = [
            recipe(&one).in_chunks(1),
            recipe(&five).in_chunks(0),
            recipe(&five).in_chunks(5),
            short.unwrap().in_chunks(1),
        ];
        for recipe in refused {
            assert!(matches!(recipe, Err(Error::InvalidTransform(_))), "{recipe:?}");
        }
        let mut forged = recipe(&five).in_chunks(2).unwrap();
        forged.workspace_len = N;
        assert!(matches!(device.prepare(forged).map(drop), Err(Error::InvalidTransform(_))));
    }
}
