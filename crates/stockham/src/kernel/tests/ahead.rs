//! Work-groups that stay and fetch ahead, tile by tile on the host.

use num_complex::Complex;

use super::{Bits, changed, check, device, expected, interpreted, meetings};
use crate::algebra::{Algebra, Goldilocks};
use crate::device_info::{Backend, DeviceInfo};
use crate::error::Error;
use crate::plan::{Loading, PassChoice, Recipe, choose, plan, realise};
use crate::transform::{Dim, Transform};

/// A device with so much local memory, and bulk copies or not.
fn hopper(local_bytes: usize, has_copies: bool) -> DeviceInfo {
    let compute_capability = Some(if has_copies { (9, 0) } else { (8, 9) });
    DeviceInfo { backend: Backend::Cuda, compute_capability, ..device(local_bytes, 1024, 32) }
}

fn ahead(columns: usize, per_thread: usize, stages: &[usize]) -> PassChoice {
    PassChoice { loading: Loading::Ahead, ..PassChoice::new(columns, per_thread, stages) }
}

/// Long and short tiles, of one column and of several; exchanged whole, by component and in slices, as local memory allows
/// beside what is fetched.
fn check_all<T: Bits>() {
    let element = T::ALGEBRA.element_bytes();
    for (columns, per_thread, stages) in [
        (1, 8, &[8, 8][..]),
        (4, 4, &[4, 4, 2]),
        (2, 4, &[4, 4]),
        (1, 16, &[16, 16, 8]),
        (2, 2, &[2, 2, 2]),
        (3, 4, &[4, 4]),
    ] {
        let n: usize = stages.iter().product();
        let tile = columns * n * element;
        for room in [4 * tile, tile + tile * 2 / 3, tile + tile * 2 / 5] {
            let device = hopper(room + 256, true);
            for transform in [
                Transform::new(T::ALGEBRA, n).batch(3 * columns),
                Transform::new(T::ALGEBRA, n).batch(columns).inverse(),
                Transform::new(T::ALGEBRA, n).batch(2 * columns).in_place(),
            ] {
                let Ok(recipe) = realise(&transform, &device, &[ahead(columns, per_thread, stages)]) else {
                    // Short tiles have no room for paddings in so little more.
                    assert!(room < 2 * tile, "{columns} columns of {n} points");
                    continue;
                };
                assert!(recipe.passes()[0].hopper.ahead);
                let input: Vec<T> = (0..transform.input_len()).map(T::sample).collect();
                let output = interpreted(&recipe, &input).unwrap_or_else(|fault| panic!("{fault}\n{recipe:#?}"));
                assert!(T::close(&output, &expected(&transform, &input)), "wrong result\n{recipe:#?}");
            }
        }
    }
}

#[test]
fn complex_f32() {
    check_all::<Complex<f32>>();
}

#[test]
fn complex_f64() {
    check_all::<Complex<f64>>();
}

#[test]
fn goldilocks() {
    check_all::<Goldilocks>();
}

/// Batches that fill a device of few units go ahead by themselves where a tile leaves no room for another; single ones,
/// those with gaps and those of devices without copies do not, and integers never.
#[test]
fn the_planner_fetches_ahead_where_it_is_worth_it() {
    let device = |has_copies| DeviceInfo { registers: Some(65536), compute_units: 2, ..hopper(227 << 10, has_copies) };
    let is_ahead =
        |transform: &Transform, device: &DeviceInfo| plan(transform, device).unwrap().passes()[0].hopper.ahead;
    for (algebra, n) in [(Algebra::ComplexF32, 1 << 14), (Algebra::ComplexF64, 1 << 13)] {
        let batch = Transform::new(algebra, n).batch(3);
        assert!(is_ahead(&batch, &device(true)));
        assert!(is_ahead(&batch.clone().inverse().in_place(), &device(true)));
        assert!(!is_ahead(&batch, &device(false)));
        assert!(!is_ahead(&Transform::new(algebra, n), &device(true)));
        assert!(!is_ahead(&Transform::new(algebra, n).with_batch([Dim::new(3, n + 2)]), &device(true)));
        assert!(!is_ahead(&Transform::new(algebra, n / 4).batch(9), &device(true)));
        // What was chosen for a batch without gaps serves others in its way.
        let choice = choose(&batch, &device(true)).unwrap();
        let gaps = Transform::new(algebra, n).with_batch([Dim::new(3, n + 2)]);
        assert!(!choice.realise(&gaps, &device(true)).unwrap().passes()[0].hopper.ahead);
    }
    assert!(!is_ahead(&Transform::new(Algebra::Goldilocks, 1 << 14).batch(3), &device(true)));
    check::<Complex<f32>>(&Transform::new(Algebra::ComplexF32, 1 << 14).batch(2), &device(true));
    check::<Complex<f64>>(&Transform::new(Algebra::ComplexF64, 1 << 13).batch(2), &device(true));
}

/// Two exchanges, so that one barrier is missed in each of three places.
fn recipe() -> Recipe {
    let transform = Transform::new(Algebra::Goldilocks, 64).batch(2);
    realise(&transform, &hopper(1 << 14, true), &[ahead(1, 4, &[4, 4, 4])]).unwrap()
}

/// What the interpreter says of the recipe's kernel without the statement of that number.
fn without(number: usize) -> Result<(), String> {
    changed(&recipe(), |body| {
        let at = meetings(body);
        assert_eq!(at.len(), 6, "a barrier before what is fetched, one after it, and two for the second exchange");
        body.remove(at[number]);
    })
}

#[test]
fn what_is_left_out_is_found() {
    for (number, fault) in [
        (0, "at the same time"),
        (1, "before it is there"),
        (2, "while this one may still be read"),
        (3, "before the next one is fetched"),
        (4, "at the same time"),
        (5, "at the same time"),
    ] {
        let found = without(number);
        assert!(matches!(&found, Err(why) if why.contains(fault)), "{number}: {found:?}");
    }
}

#[test]
fn what_cannot_be_fetched_is_refused() {
    let device = hopper(1 << 16, true);
    let good = ahead(2, 8, &[8, 8]);
    let transform = Transform::new(Algebra::ComplexF32, 64);
    let realised = |transform: &Transform, device: &DeviceInfo, choice: &PassChoice| {
        realise(transform, device, std::slice::from_ref(choice)).map(|_| ())
    };
    realised(&transform.clone().batch(4), &device, &good).unwrap();
    let gaps = transform.clone().with_batch([Dim::new(4, 65)]);
    let strided = Transform::new(Algebra::ComplexF32, 64).with_dims([Dim::new(64, 2)]).with_batch([Dim::new(4, 128)]);
    for wrong in [gaps, strided, transform.clone().batch(3)] {
        let found = realised(&wrong, &device, &good);
        assert!(matches!(&found, Err(Error::InvalidTransform(why)) if why.contains("contiguous")), "{found:?}");
    }
    let many = transform.batch(4);
    assert!(matches!(realised(&many, &hopper(1 << 16, false), &good), Err(Error::Unsupported { .. })));
    // Two tiles of 1 KiB, one of which is exchanged.
    assert!(matches!(realised(&many, &hopper(1 << 10, true), &good), Err(Error::InvalidTransform(_))));
    assert!(matches!(realised(&many, &device, &ahead(2, 64, &[64])), Err(Error::InvalidTransform(_))));
}
