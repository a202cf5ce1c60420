//! A polynomial commitment of Kate, Zaverucha and Goldberg ("Constant-Size Commitments to Polynomials and Their Applications",
//! 2010) over BLS12-381, to values on a domain. The opening at a point y is the commitment to the quotient (f − f(y))/(x − y), which
//! is computed on a coset, by transforms on a device of stockham's. A pairing checks it.
//!
//!     cargo run --release --example kzg_opening [LOG_VALUES] [DEVICE]

use std::error::Error;

use ark_bls12_381::{Bls12_381, Fr, G1Affine, G1Projective, G2Projective};
use ark_ec::pairing::Pairing;
use ark_ec::scalar_mul::BatchMulPreprocessing;
use ark_ec::{CurveGroup, PrimeGroup, VariableBaseMSM};
use ark_ff::{FftField, Field, batch_inversion};
use ark_poly::univariate::{DenseOrSparsePolynomial, DensePolynomial};
use ark_poly::{DenseUVPolynomial, EvaluationDomain, Polynomial, Radix2EvaluationDomain};
use ark_std::UniformRand;
use ark_std::rand::SeedableRng;
use ark_std::rand::rngs::StdRng;
use stockham::Device;
use stockham_arkworks::DomainTransforms;

/// The powers of a secret s, as points: s^i·G for i < n, and s·H.
struct Setup {
    powers: Vec<G1Affine>,
    secret: G2Projective,
}

impl Setup {
    /// Of a secret that is forgotten. (A real one comes from many people, none of whom knows it.)
    fn new(n: usize, rng: &mut StdRng) -> Self {
        let secret = Fr::rand(rng);
        let powers: Vec<Fr> = std::iter::successors(Some(Fr::ONE), |power| Some(power * &secret)).take(n).collect();
        let powers = BatchMulPreprocessing::new(G1Projective::generator(), n).batch_mul(&powers);
        Self { powers, secret: G2Projective::generator() * secret }
    }

    fn commit(&self, coefficients: &[Fr]) -> Result<G1Projective, Box<dyn Error>> {
        let powers = self.powers.get(..coefficients.len()).ok_or("the setup is too short")?;
        G1Projective::msm(powers, coefficients).map_err(|_| "as many points as coefficients".into())
    }

    /// Whether e(C − f(y)·G, H) = e(Q, s·H − y·H).
    fn verify(&self, commitment: G1Projective, point: Fr, value: Fr, proof: G1Projective) -> bool {
        let left = commitment - G1Projective::generator() * value;
        let right = self.secret - G2Projective::generator() * point;
        Bls12_381::pairing(left, G2Projective::generator()) == Bls12_381::pairing(proof, right)
    }
}

/// The quotient's coefficients, from those of f. On the coset x − y is nowhere 0, unless y lies there.
fn quotient(
    transforms: &DomainTransforms<Fr>,
    coset: &Radix2EvaluationDomain<Fr>,
    coefficients: &[Fr],
    [point, value]: [Fr; 2],
) -> stockham::Result<Vec<Fr>> {
    let mut values = coefficients.to_vec();
    transforms.fft_in_place(coset, &mut values)?;
    let mut inverses: Vec<Fr> = coset.elements().map(|x| x - point).collect();
    batch_inversion(&mut inverses);
    for (x, inverse) in values.iter_mut().zip(&inverses) {
        *x = (*x - value) * inverse;
    }
    transforms.ifft_in_place(coset, &mut values)?;
    Ok(values)
}

fn run(log_values: u32, device: Device) -> Result<(), Box<dyn Error>> {
    let mut rng = StdRng::seed_from_u64(1);
    let n = 1 << log_values;
    let setup = Setup::new(n, &mut rng);
    let transforms = DomainTransforms::<Fr>::new(device);
    let domain = Radix2EvaluationDomain::<Fr>::new(n).ok_or("there is no such domain")?;
    let coset = domain.get_coset(Fr::GENERATOR).ok_or("there is no such coset")?;

    // From values to the polynomial, and its commitment.
    let values: Vec<Fr> = (0..n).map(|_| Fr::rand(&mut rng)).collect();
    let mut coefficients = values.clone();
    transforms.ifft_in_place(&domain, &mut coefficients)?;
    let commitment = setup.commit(&coefficients)?;

    let point = Fr::rand(&mut rng);
    let polynomial = DensePolynomial::from_coefficients_slice(&coefficients);
    let value = polynomial.evaluate(&point);
    let quotient = quotient(&transforms, &coset, &coefficients, [point, value])?;
    let proof = setup.commit(&quotient)?;
    if !setup.verify(commitment, point, value, proof) || setup.verify(commitment, point, value + Fr::ONE, proof) {
        return Err("the pairing tells otherwise".into());
    }
    // arkworks divides polynomials.
    let divisor = DensePolynomial::from_coefficients_vec(vec![-point, Fr::ONE]);
    let numerator = &polynomial - &DensePolynomial::from_coefficients_vec(vec![value]);
    let (theirs, remainder) =
        DenseOrSparsePolynomial::from(numerator).divide_with_q_and_r(&divisor.into()).ok_or("the divisor is not 0")?;
    if !remainder.coeffs.is_empty() || DensePolynomial::from_coefficients_vec(quotient) != theirs {
        return Err("arkworks has another quotient".into());
    }
    println!(
        "2^{log_values} values committed to, opened and verified with transforms on {}: {}",
        transforms.device().info().id,
        proof.into_affine()
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let device = arguments.get(1).map_or_else(Device::best, |name| Device::by_name(name))?;
    run(arguments.first().map_or(Ok(12), |text| text.parse())?, device)
}

#[test]
fn openings_are_verified_on_every_device() {
    for info in Device::list().found {
        run(6, Device::by_name(&info.id).unwrap()).unwrap();
    }
}
