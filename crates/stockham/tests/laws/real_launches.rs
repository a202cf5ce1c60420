//! Transforms of real numbers whose passes share a launch, on the devices that have clusters and bulk copies: planes, and batches
//! through rings, there and back.

use stockham::accuracy::random;
use stockham::plan::Choice;
use stockham::{Complex32, Complex64, Data, Device, Executable, Transform};

use crate::common::{assert_close, devices, same_bits};
use crate::dimensions::{OverReals, real_reference};

/// Memory where a run begins, in numbers: copies want multiples of 16 bytes.
const STARTS: [usize; 4] = [0, 1, 2, 4];

/// What becomes of the numbers from there on in memory, in memory that begins there, too.
fn run_from<I: Data, O: Data>(executable: &Executable, x: &[I], blank: &[O], start: usize) -> Vec<O> {
    let device = executable.device();
    let input = device.upload(&[&x[..start], x].concat()).unwrap();
    let mut output = device.upload(&[&blank[..start], blank].concat()).unwrap();
    executable.run(input.slice(start..).unwrap(), output.slice_mut(start..).unwrap()).unwrap();
    output.to_vec().unwrap().split_off(start)
}

/// Whether choices for both directions are right wherever memory begins, for so many arrays of these lengths.
fn agree<T: OverReals>(device: &Device, choices: [&str; 2], lengths: &[usize], batch: usize) {
    let one = Transform::real(T::ALGEBRA, lengths);
    let there = one.clone().batch(batch);
    for (transform, choice) in [there.clone(), there.inverse()].iter().zip(choices) {
        let recipe = choice.parse::<Choice>().unwrap().realise(transform, device.info()).unwrap();
        assert_eq!((recipe.trips(), recipe.passes().len()), (1, 2), "{recipe}");
        let executable = device.prepare(recipe).unwrap();
        let (given, taken) = (transform.input_len(), transform.output_len());
        let is_back = given < taken;
        let elements = random::<T>(given, batch as u64);
        let reals: Vec<T::Real> = elements.iter().map(|x| x.re()).collect();
        let x: Vec<T> = if is_back { elements } else { reals.iter().map(|x| T::from_real(*x)).collect() };
        let run = |start| -> Vec<T> {
            if is_back {
                let found = run_from(&executable, &x, &vec![T::poison().re(); taken], start);
                found.into_iter().map(T::from_real).collect()
            } else {
                run_from(&executable, &reals, &vec![T::poison(); taken], start)
            }
        };
        let y = run(STARTS[0]);
        for start in STARTS {
            let again = run(start);
            assert!(same_bits(&again, &y), "from {start} on: another result of {choice}");
        }
        let one = if is_back { one.clone().inverse() } else { one.clone() };
        for i in [0, batch / 2, batch - 1] {
            let line = x[i * given / batch..][..given / batch].iter().map(|x| x.widen()).collect();
            let expected = real_reference::<T>(&one, line);
            let found = &y[i * taken / batch..][..taken / batch];
            assert_close(found, &expected, one.points(), 1.0, || format!("array {i} of {transform:?} by {choice}"));
        }
    }
}

fn all_agree(device: &Device, choices: [&str; 2], lengths: &[usize], batches: &[usize]) {
    for &batch in batches {
        agree::<Complex32>(device, choices, lengths, batch);
        agree::<Complex64>(device, choices, lengths, batch);
    }
}

#[test]
fn planes_of_real_numbers_go_through_clusters() {
    for device in devices().iter().filter(|device| device.info().max_cluster.is_some()) {
        // The pass along the last dimension is at the half spectrum.
        for (choices, lengths) in [
            (["c2/8x4x4.4/8x4x4.4"; 2], [16, 32]),
            (["c4/16x8x8.8/16x8x8.8"; 2], [64, 128]),
            (["c8/16x16x16.16/32x16x16.8", "c8/32x16x16.8/16x16x16.16"], [256, 256]),
        ] {
            all_agree(device, choices, &lengths, &[1, 7, 300]);
        }
    }
}

/// Fewer transforms than crews, about as many, and many more; crews of many work-groups and of few.
fn go_through_rings(launches: &str, lengths: fn([usize; 2]) -> Vec<usize>) {
    for device in devices().iter().filter(|device| device.info().has_bulk_copies()) {
        for (there, back, pairs, batches) in [
            ("16x16x16.16a/16x16x16.16a", "16x16x16.16/16x16x16.16a", [256, 256], [1, 35, 200]),
            ("8x4x4.4a/4x4x4.4.2a", "4x4x4.4.2/8x4x4.4a", [16, 32], [1, 1000, 20_000]),
            ("8x8x8.8a/8x8x8.8e", "8x8x8.8/8x8x8.8a", [64, 64], [2, 300, 3000]),
        ] {
            let choices = [there, back].map(|passes| format!("{launches}/{passes}"));
            all_agree(device, [&choices[0], &choices[1]], &lengths(pairs), &batches);
        }
    }
}

#[test]
fn lines_of_real_numbers_go_through_rings() {
    go_through_rings("r", |[first, last]| vec![2 * first * last]);
}

#[test]
fn lines_of_real_numbers_go_through_near_rings() {
    go_through_rings("n", |[first, last]| vec![2 * first * last]);
}

#[test]
fn planes_of_real_numbers_go_through_rings() {
    go_through_rings("r", |[first, last]| vec![first, 2 * last]);
}

#[test]
fn planes_of_real_numbers_go_through_near_rings() {
    go_through_rings("n", |[first, last]| vec![first, 2 * last]);
}
