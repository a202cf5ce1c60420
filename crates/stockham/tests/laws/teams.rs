//! Elements whose digits are shared among threads come out as those that a thread has for itself.

use stockham::plan::{Method, PassChoice, Recipe, Rounds, realise};
use stockham::{
    Algebra, Backend, BigPrime, Device, DeviceInfo, Digit, Error, Executable, Layout, Placement, Transform,
};

use crate::common::{devices, is_cpu};
use crate::recipes::h200;

/// Two passes, with rotations and products between their stages.
fn choices() -> [PassChoice; 2] {
    [PassChoice::new(4, 2, [2, 2, 2]), PassChoice::new(2, 4, [4, 4])]
}

const N: usize = 8 * 16;

fn recipe(device: &DeviceInfo, transform: &Transform, team: usize, planes: usize) -> Recipe {
    let mut recipe = realise(transform, device, &choices()).unwrap();
    let Method::Passes(passes) = &mut recipe.method else { unreachable!("no recipe for the host") };
    for pass in passes {
        pass.tile.staged = [false; 2];
        pass.tile.rounds = Rounds { planes: Some(planes), slices: 1 };
        pass.tile.team = team;
    }
    recipe
}

/// Dense numbers, and those whose sums carry far: zero, −1, small ones and their negatives, powers of r.
fn numbers<D: Digit>(prime: BigPrime, count: usize) -> Vec<D> {
    let k = prime.digits();
    let mut x: Vec<D> = stockham::accuracy::random_digits(prime, count, 3);
    let highest = D::truncated(prime.radix() - 1);
    for (i, element) in x.chunks_mut(k).enumerate().filter(|(i, _)| i % 3 > 0) {
        element.fill(D::truncated(0));
        match i % 11 {
            0 => element[k - 1] = D::truncated(prime.radix()),
            1..=3 => element.fill(highest),
            4 => element[..k / 2].fill(highest),
            5 => element[i % k] = D::truncated(1),
            6 | 7 => element[0] = D::truncated(i as u64),
            _ => {}
        }
    }
    x
}

/// Teams of each size, and the digits that they exchange at a time.
fn check<D: Digit>(device: &Device, prime: BigPrime, transform: &Transform, teams: &[(usize, usize)]) {
    let (k, len) = (prime.digits(), transform.input_len());
    let executables: Vec<_> = std::iter::once(&(1, 1))
        .chain(teams)
        .map(|&(team, planes)| device.prepare(recipe(device.info(), transform, team, planes)).unwrap())
        .collect();
    for x in [stockham::accuracy::random_digits(prime, len, 5), numbers::<D>(prime, len)] {
        let run = |executable: &Executable| {
            let mut data = device.upload(&x).unwrap();
            if transform.placement == Placement::InPlace {
                executable.run_in_place(&mut data).unwrap();
                return data.to_vec().unwrap();
            }
            let mut output = device.upload(&vec![D::truncated(u64::MAX); transform.output_len() * k]).unwrap();
            executable.run(&data, &mut output).unwrap();
            output.to_vec().unwrap()
        };
        let expected = run(&executables[0]);
        for (executable, (team, _)) in executables[1..].iter().zip(teams) {
            assert!(run(executable) == expected, "{prime} {transform:?}: teams of {team} on {}", device.info().id);
        }
    }
}

#[test]
fn teams_make_no_difference() {
    fn all<D: Digit>(device: &Device, prime: BigPrime) {
        let (base, teams) = (Transform::new(Algebra::BigPrime(prime), N), [(2, 4), (4, 1)]);
        // A batch that does not fill its last tile.
        check::<D>(device, prime, &base.clone().batch(3), &teams);
        check::<D>(device, prime, &base.clone().inverse().in_place(), &teams[..1]);
        check::<D>(device, prime, &base.layouts(Layout::Sliced, Layout::Sliced), &teams[1..]);
    }
    for device in devices().iter().filter(|device| device.info().compute_capability.is_some()) {
        all::<u64>(device, BigPrime::P3);
        all::<u32>(device, BigPrime::G8);
        let long: BigPrime = "G64".parse().unwrap();
        check::<u32>(device, long, &Transform::new(Algebra::BigPrime(long), N).batch(2), &[(8, 2), (32, 1)]);
    }
}

#[test]
fn long_elements_are_shared_where_threads_read_each_others_registers() {
    let portable = DeviceInfo { backend: Backend::Opencl, compute_capability: None, max_cluster: None, ..h200() };
    for (field, team) in [("P3", 1), ("P4", 1), ("G32", 1), ("P5", 4), ("P6", 8), ("P7", 16), ("G64", 4), ("G256", 16)]
    {
        let transform = Transform::new(Algebra::BigPrime(field.parse().unwrap()), 1 << 12);
        for (device, team) in [(&h200(), team), (&portable, 1)] {
            let recipe = stockham::plan::plan(&transform, device).unwrap();
            assert!(recipe.passes().iter().all(|pass| pass.tile.team == team), "{field} {recipe}");
        }
        for (n, batch) in [(1, 7), (2, 1), (2, 3), (4, 5), (16, 3), (64, 1), (128, 5), (1 << 10, 3), (1 << 20, 1)] {
            let transform = Transform::new(transform.algebra, n).batch(batch);
            let recipe = stockham::plan::plan(&transform, &h200()).unwrap();
            let fits = |threads: usize| threads <= 1024 && (threads <= 32 || threads.is_multiple_of(32));
            assert!(recipe.passes().iter().all(|pass| fits(pass.threads())), "{field} {recipe}");
        }
    }
}

#[test]
fn what_cannot_be_shared_is_refused() {
    for device in devices().iter().filter(|device| !is_cpu(device)) {
        let big = Transform::new(Algebra::BigPrime(BigPrime::P3), N);
        for (team, planes) in [(3, 1), (8, 1), (64, 1), (4, 4)] {
            let prepared = device.prepare(recipe(device.info(), &big, team, planes)).map(drop);
            assert!(matches!(prepared, Err(Error::InvalidTransform(_))), "teams of {team}: {prepared:?}");
        }
        let prepared = device.prepare(recipe(device.info(), &big, 2, 2)).map(drop);
        assert_eq!(prepared.is_ok(), device.info().compute_capability.is_some(), "{prepared:?}");
    }
}
