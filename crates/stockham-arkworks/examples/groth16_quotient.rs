//! The polynomial part of a Groth16 prover: of a system a·b = c with as many constraints as a domain has points, the quotient
//! h = (a·b − c)/z, where z vanishes on the domain. It is a function of any of arkworks' domains; here it runs with arkworks' own
//! and with stockham's, and the quotients are the same.
//!
//!     cargo run --release --example groth16_quotient [LOG_CONSTRAINTS] [DEVICE]

use std::error::Error;
use std::time::Instant;

use ark_bn254::Fr;
use ark_ff::{FftField, Field};
use ark_poly::univariate::DensePolynomial;
use ark_poly::{DenseUVPolynomial, EvaluationDomain, Polynomial, Radix2EvaluationDomain};
use ark_std::UniformRand;
use ark_std::rand::SeedableRng;
use ark_std::rand::rngs::StdRng;
use stockham::Device;
use stockham_arkworks::{StockhamDomain, use_device};

/// The coefficients of h, from the values of a, b and c on the domain: by those on a coset, where z is a constant.
fn quotient<D: EvaluationDomain<Fr>>(domain: D, [a, b, c]: [&[Fr]; 3]) -> Option<Vec<Fr>> {
    let coset = domain.get_coset(Fr::GENERATOR)?;
    let on_coset = |values: &[Fr]| coset.fft(&domain.ifft(values));
    let (mut h, b, c) = (on_coset(a), on_coset(b), on_coset(c));
    let scale = domain.evaluate_vanishing_polynomial(Fr::GENERATOR).inverse()?;
    for (h, (b, c)) in h.iter_mut().zip(b.iter().zip(&c)) {
        *h = (*h * b - c) * scale;
    }
    coset.ifft_in_place(&mut h);
    Some(h)
}

fn run(log_constraints: u32, device: Device) -> Result<(), Box<dyn Error>> {
    let mut rng = StdRng::seed_from_u64(1);
    let random = |rng: &mut StdRng| -> Vec<Fr> { (0..1 << log_constraints).map(|_| Fr::rand(rng)).collect() };
    let (a, b) = (random(&mut rng), random(&mut rng));
    let c: Vec<Fr> = a.iter().zip(&b).map(|(a, b)| a * b).collect();
    let id = device.info().id.clone();
    use_device(device);

    let domain = Radix2EvaluationDomain::<Fr>::new(a.len()).ok_or("there is no such domain")?;
    let timed = |compute: &dyn Fn() -> Option<Vec<Fr>>| -> Result<(Vec<Fr>, f64), &'static str> {
        let start = Instant::now();
        let h = compute().ok_or("the vanishing polynomial is 0 on the coset")?;
        Ok((h, start.elapsed().as_secs_f64()))
    };
    let ours = || quotient(StockhamDomain::from(domain), [&a, &b, &c]);
    // What is planned is planned once.
    drop(timed(&ours)?);
    let (h, seconds) = timed(&ours)?;
    let (theirs, their_seconds) = timed(&|| quotient(domain, [&a, &b, &c]))?;
    if h != theirs {
        return Err("the quotients differ".into());
    }
    // a·b − c = h·z at a point that has nothing to do with the domain.
    let point = Fr::rand(&mut rng);
    let at = |values: &[Fr]| DensePolynomial::from_coefficients_vec(domain.ifft(values)).evaluate(&point);
    let h = DensePolynomial::from_coefficients_vec(h).evaluate(&point);
    if at(&a) * at(&b) - at(&c) != h * domain.evaluate_vanishing_polynomial(point) {
        return Err("the quotient is wrong".into());
    }
    println!(
        "2^{log_constraints} constraints: the quotients agree; {seconds:.3} s on {id}, {their_seconds:.3} s by arkworks"
    );
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let device = arguments.get(1).map_or_else(Device::best, |name| Device::by_name(name))?;
    run(arguments.first().map_or(Ok(16), |text| text.parse())?, device)
}

#[test]
fn quotients_are_the_same_on_every_device() {
    for info in Device::list().found {
        run(8, Device::by_name(&info.id).unwrap()).unwrap();
    }
}
