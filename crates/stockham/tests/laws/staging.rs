//! Elements that go through local memory on their way from the source or to the target come out as those that do not.

use stockham::plan::{Method, PassChoice, Recipe, realise};
use stockham::{Algebra, BigPrime, Device, Digit, Dim, Error, Layout, Placement, Transform};

use crate::common::{devices, is_cpu, is_slow};

/// Two passes, a tile's neighbours being columns in one and, for the caller's last one, rows.
fn choices() -> [PassChoice; 2] {
    [PassChoice::new(4, 4, [4, 2]), PassChoice::new(2, 4, [4, 4])]
}

const N: usize = 8 * 16;

fn recipe(device: &Device, transform: &Transform, staged: [bool; 2]) -> Recipe {
    let mut recipe = realise(transform, device.info(), &choices()).unwrap();
    let Method::Passes(passes) = &mut recipe.method else { unreachable!("no recipe for the host") };
    passes.iter_mut().for_each(|pass| pass.tile.staged = staged);
    recipe
}

fn check<D: Digit>(device: &Device, prime: BigPrime, transform: &Transform) {
    let (k, poison) = (prime.digits(), D::truncated(u64::MAX));
    let x: Vec<D> = stockham::accuracy::random_digits(prime, transform.input_len(), 3);
    let run = |staged| {
        let executable = device.prepare(recipe(device, transform, staged)).unwrap();
        let mut data = device.upload(&x).unwrap();
        if transform.placement == Placement::InPlace {
            executable.run_in_place(&mut data).unwrap();
            return data.to_vec().unwrap();
        }
        let mut output = device.upload(&vec![poison; transform.output_len() * k]).unwrap();
        executable.run(&data, &mut output).unwrap();
        output.to_vec().unwrap()
    };
    let expected = run([false; 2]);
    for staged in [[false, true], [true, true]] {
        assert!(run(staged) == expected, "{prime} {transform:?} staged {staged:?} on {}", device.info().id);
    }
}

#[test]
fn staging_makes_no_difference() {
    fn all<D: Digit>(device: &Device, prime: BigPrime) {
        let base = Transform::new(Algebra::BigPrime(prime), N);
        // A batch that does not fill its last tile.
        check::<D>(device, prime, &base.clone().batch(3));
        check::<D>(device, prime, &base.clone().batch(2).inverse().in_place());
        let gaps = base.with_dims([Dim::new(N, 3)]).with_batch([Dim::new(3, 1)]);
        check::<D>(device, prime, &gaps);
    }
    for device in devices().iter().filter(|device| !is_cpu(device)) {
        if is_slow(device) {
            let base = |prime| Transform::new(Algebra::BigPrime(prime), N);
            check::<u64>(device, BigPrime::P2, &base(BigPrime::P2).batch(3));
            check::<u32>(device, BigPrime::G8, &base(BigPrime::G8).batch(2).inverse().in_place());
            continue;
        }
        all::<u64>(device, BigPrime::P2);
        all::<u32>(device, BigPrime::G8);
    }
}

#[test]
fn what_cannot_be_staged_is_refused() {
    for device in devices().iter().filter(|device| !is_cpu(device)) {
        let base = Transform::new(Algebra::BigPrime(BigPrime::P2), N).batch(3);
        let sliced = base.clone().layouts(Layout::Sliced, Layout::Plain);
        let words = Transform::new(Algebra::Goldilocks, N).batch(3);
        for (transform, staged) in [(&sliced, [true, false]), (&words, [true, true])] {
            let prepared = device.prepare(recipe(device, transform, staged)).map(drop);
            assert!(matches!(prepared, Err(Error::InvalidTransform(_))), "{prepared:?}");
        }
        device.prepare(recipe(device, &base, [true; 2])).unwrap();
    }
}
