//! Builders and the descriptions that they make: what is said in one line is what `Transform` says in several, and what
//! contradicts itself is refused with words that tell why, by all devices alike.

use stockham::algebra::PrimeField;
use stockham::{
    Algebra, BigPrime, Dim, Error, Fft, Kind, Layout, Normalization, Ntt, Transform, TransformBuilder, TrigType,
};

use crate::common::devices;

const F32: Algebra = Algebra::ComplexF32;

#[test]
fn builders_say_what_descriptions_say() {
    let dims = |dims: &[[usize; 3]]| -> Vec<Dim> {
        dims.iter().map(|&[n, input_stride, output_stride]| Dim { n, input_stride, output_stride }).collect()
    };
    let mut orthogonal = Transform::cosine(F32, TrigType::II, 9).normalization(Normalization::Ortho);
    let ortho = Fft::cosine::<f32>(TrigType::II, 9).normalization(Normalization::Ortho);
    let pairs = [
        (Fft::complex::<f32>(12), Transform::new(F32, 12)),
        (Fft::complex::<f64>([3, 4]).batch(5), Transform::new(Algebra::ComplexF64, [3, 4]).batch(5)),
        (Fft::real::<f32>([3, 4]).batch(5), Transform::real(F32, [3, 4]).batch(5)),
        // In whatever order things are said.
        (
            Fft::real::<f32>([3, 4]).in_place().inverse().batch(5),
            Transform::real(F32, [3, 4]).inverse().in_place().batch(5),
        ),
        (
            Fft::real::<f32>([3, 4]).batch(5).inverse().in_place(),
            Transform::real(F32, [3, 4]).inverse().in_place().batch(5),
        ),
        (Fft::complex::<f32>([3, 4, 5]).axes([2, 0]), Transform::along(F32, Kind::Dft, &[3, 4, 5], &[2, 0]).unwrap()),
        (
            Fft::real::<f32>([3, 4, 5]).axes([0, 1]).batch(2),
            Transform::along(F32, Kind::Real, &[3, 4, 5], &[0, 1]).unwrap().repeated(2),
        ),
        (
            Fft::real::<f32>([3, 4, 5]).axes([2]).strides([4, 1, 12], [1, 3, 12]),
            Transform::real(F32, 5).with_dims(dims(&[[5, 12, 12]])).with_batch(dims(&[[3, 4, 1], [4, 1, 3]])),
        ),
        (
            Fft::complex::<f32>([2, 3]).strides([8, 2], [4, 1]).batch(6),
            Transform::new(F32, 1).with_dims(dims(&[[2, 8, 4], [3, 2, 1]])).with_batch(dims(&[[6, 13, 7]])),
        ),
        (ortho.clone().orthogonalize(false), orthogonal.clone()),
        (Fft::sine::<f32>(TrigType::IV, 9).inverse(), Transform::sine(F32, TrigType::IV, 9).inverse()),
        (Ntt::over(Algebra::Goldilocks, [4, 15]), Transform::new(Algebra::Goldilocks, [4, 15])),
        (
            Ntt::over(BigPrime::G8, 16).layouts(Layout::Sliced, Layout::Plain),
            Transform::new(Algebra::BigPrime(BigPrime::G8), 16).layouts(Layout::Sliced, Layout::Plain),
        ),
    ];
    for (built, said) in pairs {
        assert_eq!(built.transform().unwrap(), said);
    }
    orthogonal.orthogonalize = true;
    assert_eq!(ortho.transform().unwrap(), orthogonal);
    let field: PrimeField = "998244353".parse().unwrap();
    assert_eq!(Ntt::over(field, 8).transform().unwrap().algebra, Algebra::PrimeField(field));
}

#[test]
fn contradictions_are_told() {
    const HALF: usize = usize::MAX / 2 + 1;
    let complex = |shape: &[usize]| Fft::complex::<f32>(shape);
    let real = |shape: &[usize]| Fft::real::<f32>(shape);
    // What is wrong, and a word of what is said of it.
    let wrong: Vec<(TransformBuilder, &str)> = vec![
        (complex(&[]), "at least one dimension"),
        (complex(&[4, 5]).axes([]), "at least one dimension"),
        (real(&[4, 5]).axes([]), "at least one dimension"),
        (complex(&[4, 5]).axes([0, 2]), "number 2 is not there"),
        (complex(&[4, 5]).axes([usize::MAX]), "is not there"),
        (complex(&[4, 5]).axes([1, 1]), "number 1 is named twice"),
        (complex(&[4, 5]).axes([0, 1, 0]), "number 0 is named twice"),
        (complex(&[0]), "one is 0"),
        (complex(&[4, 0, 2]), "one is 0"),
        (complex(&[4, 0, 2]).axes([0]), "one is 0"),
        (real(&[0]), "one is 0"),
        (real(&[0]).inverse(), "one is 0"),
        (real(&[3, 0]).in_place().inverse(), "one is 0"),
        (complex(&[8]).batch(0), "one is 0"),
        (Fft::cosine::<f64>(TrigType::I, 1), "two points at least"),
        (Fft::cosine::<f64>(TrigType::I, [4, 1]), "two points at least"),
        (Fft::sine::<f64>(TrigType::II, 0), "one is 0"),
        // Products and strides beyond all memory.
        (complex(&[usize::MAX]), "address space"),
        (complex(&[1 << 40]).batch(1 << 40), "address space"),
        (complex(&[1 << 32, 1 << 32]), "address space"),
        (complex(&[HALF, 2, 2]), "address space"),
        (real(&[usize::MAX]).in_place(), "address space"),
        (real(&[2, HALF]).inverse().in_place().batch(usize::MAX), "address space"),
        (Fft::sine::<f32>(TrigType::I, usize::MAX), "address space"),
        (complex(&[2, 2]).strides([usize::MAX, 1], [2, 1]), "address space"),
        (complex(&[2, 2]).strides([2, 1], [HALF, HALF]), "address space"),
        (complex(&[usize::MAX, 4]).axes([1]).strides([0, 1], [4, 1]), "address space"),
        // Strides of other arrays.
        (complex(&[2, 3]).strides([3], [3, 1]), "1 strides in the input"),
        (complex(&[2, 3]).strides([3, 1], [6, 3, 1]), "3 strides in the output"),
        (complex(&[2, 3]).axes([1]).strides([1], [1]), "1 strides in the input"),
        // Outputs that share a place.
        (complex(&[4, 5]).strides([5, 1], [0, 1]), "several results to one place"),
        (complex(&[4, 5]).strides([5, 1], [4, 1]), "several results to one place"),
        (complex(&[4, 5]).axes([0]).strides([5, 1], [1, 1]), "several results to one place"),
        (complex(&[7, 6]).strides([6, 1], [3, 4]), "several results to one place"),
        (real(&[4, 5]).strides([5, 1], [2, 1]), "several results to one place"),
        (complex(&[4, 5]).strides([0, 1], [0, 1]).in_place(), "several results to one place"),
        // In place, where both sides lie alike.
        (complex(&[4, 5]).strides([5, 1], [1, 4]).in_place(), "strides must be equal"),
        (complex(&[8]).strides([1], [2]).in_place(), "strides must be equal"),
        (real(&[4, 6]).strides([6, 1], [4, 1]).in_place(), "n/2 + 1 pairs"),
        (real(&[4, 6]).strides([16, 2], [8, 2]).in_place(), "n/2 + 1 pairs"),
        (real(&[4, 6]).axes([0]).in_place(), "n/2 + 1 pairs"),
        // Numbers of another kind.
        (Fft::complex::<f32>(8).layouts(Layout::Sliced, Layout::Plain), "no digits"),
        (Ntt::over(BigPrime::P3, 8).layouts(Layout::Sliced, Layout::Plain).in_place(), "layouts must be equal"),
        (complex(&[8]).orthogonalize(true), "only cosine and sine"),
        (Ntt::over(Algebra::Goldilocks, 8).orthogonalize(true), "only cosine and sine"),
    ];
    let devices = devices();
    for (builder, words) in &wrong {
        let error = builder.transform().expect_err(words);
        assert!(matches!(&error, Error::InvalidTransform(told) if told.contains(words)), "{words}: {error}");
        for device in &devices {
            assert_eq!(builder.plan(device).map(drop), Err(error.clone()));
        }
    }

    // Descriptions by hand are refused by devices.
    let by_hand = [
        Transform::real(Algebra::Goldilocks, 8),
        Transform::cosine(Algebra::Goldilocks, TrigType::II, 8),
        Transform::new(F32, [4, 6]).with_batch([Dim { n: 2, input_stride: 24, output_stride: 6 }]),
        Transform::new(F32, 8).with_batch([Dim::new(3, 0)]),
        Transform::new(F32, 8).with_dims([]),
        Transform::real(F32, [4, 6]).in_place().with_dims(Transform::real(F32, [4, 6]).dims),
    ];
    for device in &devices {
        for transform in &by_hand {
            assert!(matches!(device.plan(transform), Err(Error::InvalidTransform(_))), "{transform:?}");
        }
    }
}

#[test]
fn what_fields_have_not_is_unsupported() {
    let unsupported = [
        Ntt::over(Algebra::Goldilocks, 7),
        Ntt::over(Algebra::Goldilocks, [8, 7]),
        Ntt::over(BigPrime::P3, 12),
        Ntt::over(Algebra::Goldilocks, 8).normalization(Normalization::Ortho),
    ];
    for builder in unsupported {
        let made = builder.transform();
        assert!(matches!(made, Err(Error::Unsupported { .. })), "{made:?}");
    }
}
