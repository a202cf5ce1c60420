//! Random polynomials, domains and offsets on every device of this machine, or on the one that `STOCKHAM_TEST_DEVICE` names, against
//! arkworks' own transforms. `STOCKHAM_CASES` says how many for each field on the CPU, and `STOCKHAM_DEVICE_CASES` on others,
//! which compile kernels for most of them.

use ark_ec::{CurveGroup, PrimeGroup};
use ark_ff::{Field, UniformRand};
use ark_poly::univariate::DensePolynomial;
use ark_poly::{DenseUVPolynomial, EvaluationDomain, Polynomial, Radix2EvaluationDomain};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use ark_std::rand::rngs::StdRng;
use ark_std::rand::{Rng, SeedableRng};
use stockham::{Backend, Device, Error};
use stockham_arkworks::{DeviceField, DomainTransforms, StockhamDomain};

fn devices() -> Vec<Device> {
    match std::env::var("STOCKHAM_TEST_DEVICE") {
        Ok(name) if !name.is_empty() => vec![Device::by_name(&name).expect("the device named by the environment")],
        _ => Device::list().found.iter().map(|info| Device::by_name(&info.id).expect("a device found")).collect(),
    }
}

fn number(variable: &str, otherwise: usize) -> usize {
    std::env::var(variable).map_or(otherwise, |text| text.parse().expect("a number of cases"))
}

fn cases(device: &Device) -> usize {
    match device.info().backend {
        Backend::Cpu => number("STOCKHAM_CASES", 200),
        _ => number("STOCKHAM_DEVICE_CASES", 6),
    }
}

/// Every ninth is at an edge.
fn elements<F: DeviceField>(rng: &mut StdRng, len: usize) -> Vec<F> {
    let edges = [F::ZERO, F::ONE, -F::ONE];
    (0..len).map(|i| if i % 9 == 4 { edges[i / 9 % 3] } else { F::rand(rng) }).collect()
}

fn agreement<F: DeviceField>(seed: u64) {
    for device in devices() {
        let ours = DomainTransforms::<F>::new(device.clone());
        for case in 0..cases(&device) {
            let mut rng = StdRng::seed_from_u64(seed << 32 | case as u64);
            let most = if rng.gen_range(0..8) == 0 { 12 } else { 8 };
            let n: usize = 1 << rng.gen_range(0..=most);
            let offset = [F::ONE, F::GENERATOR, F::rand(&mut rng)][case % 3];
            let domain = Radix2EvaluationDomain::<F>::new_coset(n, offset).unwrap();
            // All coefficients, some of them, few, or more than there is room for.
            let len = match rng.gen_range(0..8) {
                0..4 => n,
                4 => rng.gen_range(0..=n),
                5 => n / 8,
                6 => (n / 2).max(1),
                _ => n + 3,
            };
            let x = elements::<F>(&mut rng, len);
            let words = format!("case {case} on {}: {len} of {n} points, offset {offset}", device.info().id);
            let (mut there, mut back) = (x.clone(), x.clone());
            if case % 2 == 0 {
                ours.fft_in_place(&domain, &mut there).unwrap();
                assert_eq!(there, domain.fft(&x), "{words}");
            } else {
                ours.ifft_in_place(&domain, &mut back).unwrap();
                assert_eq!(back, domain.ifft(&x), "inverse, {words}");
            }
            if case % 4 < 2 {
                let mut batch = elements::<F>(&mut rng, 3 * n);
                let expected: Vec<F> = batch.chunks(n).flat_map(|x| domain.fft(x)).collect();
                ours.fft_batch_in_place(&domain, &mut batch).unwrap();
                assert_eq!(batch, expected, "three, {words}");
                let expected: Vec<F> = batch.chunks(n).flat_map(|x| domain.ifft(x)).collect();
                ours.ifft_batch_in_place(&domain, &mut batch).unwrap();
                assert_eq!(batch, expected, "three, inverse, {words}");
            }
        }
    }
}

#[test]
fn over_the_scalars_of_bls12_381() {
    agreement::<ark_bls12_381::Fr>(1);
}

#[test]
fn over_the_scalars_of_bn254() {
    agreement::<ark_bn254::Fr>(2);
}

/// What arkworks computes by the trait is the same with either domain.
#[test]
fn the_trait() {
    use ark_bn254::Fr;
    let mut rng = StdRng::seed_from_u64(3);
    let theirs = Radix2EvaluationDomain::<Fr>::new_coset(64, Fr::from(7)).unwrap();
    let ours = StockhamDomain::new_coset(64, Fr::from(7)).unwrap();
    assert_eq!((ours.radix2(), ours.size(), ours.coset_offset()), (&theirs, 64, Fr::from(7)));
    assert!(ours.elements().eq(theirs.elements()));
    let polynomial = DensePolynomial::<Fr>::rand(40, &mut rng);
    let values = polynomial.evaluate_over_domain_by_ref(ours);
    assert_eq!(values.evals, polynomial.evaluate_over_domain_by_ref(theirs).evals);
    assert_eq!(values.evals[5], polynomial.evaluate(&ours.element(5)));
    assert_eq!(values.interpolate(), polynomial);
    let point = Fr::rand(&mut rng);
    assert_eq!(ours.evaluate_all_lagrange_coefficients(point), theirs.evaluate_all_lagrange_coefficients(point));
    let mut bytes = Vec::new();
    ours.serialize_compressed(&mut bytes).unwrap();
    assert_eq!(StockhamDomain::<Fr>::deserialize_compressed(&*bytes).unwrap(), ours);
}

/// Points of a curve are no elements of the field.
#[test]
fn points_of_a_curve_are_transformed_by_arkworks() {
    use ark_bls12_381::{Fr, G1Projective};
    let mut rng = StdRng::seed_from_u64(4);
    let domain = StockhamDomain::<Fr>::new(8).unwrap();
    let x: Vec<Fr> = (0..8).map(|_| Fr::rand(&mut rng)).collect();
    let points: Vec<G1Projective> = x.iter().map(|x| G1Projective::generator() * x).collect();
    let expected: Vec<G1Projective> = domain.fft(&x).iter().map(|x| G1Projective::generator() * x).collect();
    let affine = |points: &[G1Projective]| points.iter().map(|point| point.into_affine()).collect::<Vec<_>>();
    assert_eq!(affine(&domain.fft(&points)), affine(&expected));
    assert_eq!(affine(&domain.ifft(&expected)), affine(&points));
}

#[test]
fn what_cannot_be_is_an_error() {
    use ark_bn254::Fr;
    let transforms = DomainTransforms::<Fr>::new(Device::cpu());
    let domain = Radix2EvaluationDomain::<Fr>::new(8).unwrap();
    let other = Radix2EvaluationDomain { group_gen: domain.group_gen.pow([3u64]), ..domain };
    let error = transforms.fft_in_place(&other, &mut vec![Fr::ONE; 8]).unwrap_err();
    assert!(matches!(error, Error::InvalidTransform(_)), "{error}");
    for len in [0, 7, 12] {
        let error = transforms.fft_batch_in_place(&domain, &mut vec![Fr::ONE; len]).unwrap_err();
        assert!(matches!(error, Error::BufferLength { .. }), "{error}");
    }
}
