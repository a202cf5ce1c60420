//! Chains, run launch by launch on the host.

use num_complex::Complex;

use super::{Bits, device, elements, expected, interpreted, words};
use crate::algebra::{Algebra, Goldilocks};
use crate::error::Error;
use crate::plan::{Arithmetic, Chain, FirstStore, Input, Trig, TwiddleSource, chain};
use crate::transform::Transform;

fn base(radices: &[usize]) -> Chain {
    Chain {
        radices: radices.to_vec(),
        twiddles: TwiddleSource::Tables,
        group: 32,
        first_store: FirstStore::Direct,
        input: Input::Interleaved,
        arithmetic: Arithmetic::Scalar,
    }
}

fn check<T: Bits>(transform: &Transform, choice: &Chain) {
    let recipe = chain(transform, &device(227 << 10, 1024, 32), choice).expect("a chain");
    let launches = choice.radices.len() + usize::from(choice.input == Input::PlanarPacked);
    assert_eq!(recipe.passes().len(), launches);
    let input: Vec<T> = (0..transform.input_len()).map(T::sample).collect();
    let mut given = input.clone();
    if choice.input != Input::Interleaved {
        let bits = words(&input);
        let plane = |c: usize| bits[c..].iter().step_by(2).copied();
        given = elements(&plane(0).chain(plane(1)).collect::<Vec<u64>>());
    }
    let output = interpreted(&recipe, &given).unwrap_or_else(|fault| panic!("{fault}\n{recipe:#?}"));
    assert!(T::close(&output, &expected(transform, &input)), "wrong result\n{recipe:#?}");
}

const RADICES: [&[usize]; 7] = [&[2], &[2; 9], &[4, 4, 4, 4, 2], &[8, 8, 8], &[16, 16, 4], &[32, 16], &[16, 2, 8]];

#[test]
fn chains_are_right_for_every_radix_and_group() {
    for radices in RADICES {
        let n = radices.iter().product::<usize>();
        for (batch, group) in [(1, 32), (3, 64), (1, 1), (1, 24), (5, 512)] {
            let transform = Transform::new(Algebra::Goldilocks, n).batch(batch);
            for first_store in [FirstStore::Direct, FirstStore::Exchanged] {
                let choice = Chain { group, first_store, ..base(radices) };
                check::<Goldilocks>(&transform, &choice);
                check::<Goldilocks>(&transform.clone().inverse(), &choice);
            }
        }
    }
}

#[test]
fn every_kind_of_twiddle_is_right() {
    for radices in RADICES {
        let n = radices.iter().product::<usize>();
        let both = [TwiddleSource::Each, TwiddleSource::Powers];
        let computed = both.into_iter().flat_map(|f| [Trig::SinCos, Trig::SinAndCos, Trig::Native].map(f));
        for twiddles in computed.chain([TwiddleSource::Tables]) {
            let choice = Chain { twiddles, ..base(radices) };
            check::<Complex<f32>>(&Transform::new(Algebra::ComplexF32, n), &choice);
            if twiddles.trig() != Some(Trig::Native) {
                check::<Complex<f64>>(&Transform::new(Algebra::ComplexF64, n).inverse(), &choice);
            }
        }
    }
}

#[test]
fn vectors_compute_the_same() {
    for radices in RADICES {
        for twiddles in [TwiddleSource::Tables, TwiddleSource::Each(Trig::SinCos), TwiddleSource::Powers(Trig::SinCos)]
        {
            let transform = Transform::new(Algebra::ComplexF32, radices.iter().product::<usize>());
            for first_store in [FirstStore::Direct, FirstStore::Exchanged] {
                let choice = Chain { twiddles, first_store, arithmetic: Arithmetic::Vectors, ..base(radices) };
                check::<Complex<f32>>(&transform, &choice);
                check::<Complex<f32>>(&transform.clone().inverse(), &choice);
            }
        }
    }
}

#[test]
fn planar_input_is_read() {
    for input in [Input::PlanarPacked, Input::PlanarFused] {
        for batch in [1, 3] {
            let choice = Chain { input, ..base(&[8, 8, 2]) };
            check::<Complex<f32>>(&Transform::new(Algebra::ComplexF32, 128).batch(batch), &choice);
        }
    }
}

#[test]
fn what_no_chain_can_do_is_refused() {
    let device = device(48 << 10, 256, 32);
    let refused = |transform: &Transform, choice: &Chain| chain(transform, &device, choice).unwrap_err();
    let f32s = Transform::new(Algebra::ComplexF32, 64);
    let invalid = |error| matches!(error, Error::InvalidTransform(_));
    assert!(invalid(refused(&f32s, &base(&[8, 4]))));
    assert!(invalid(refused(&f32s, &base(&[64]))));
    assert!(invalid(refused(&f32s, &base(&[usize::MAX, 2]))));
    assert!(invalid(refused(&f32s, &Chain { group: 0, ..base(&[8, 8]) })));
    assert!(invalid(refused(&f32s, &Chain { group: 512, ..base(&[8, 8]) })));
    let unsupported = |error| matches!(error, Error::Unsupported { .. });
    assert!(unsupported(refused(&f32s.clone().in_place(), &base(&[8, 8]))));
    let native = Chain { twiddles: TwiddleSource::Each(Trig::Native), ..base(&[8, 8]) };
    assert!(unsupported(refused(&Transform::new(Algebra::ComplexF64, 64), &native)));
    assert!(unsupported(refused(&Transform::new(Algebra::Goldilocks, 64), &native)));
}
