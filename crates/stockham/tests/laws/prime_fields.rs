//! The same over prime fields of any form: values, other layouts, agreement with big primes, misuse.

use stockham::algebra::{PrimeField, Residue, Ring};
use stockham::polynomial::{Multiplier, Product};
use stockham::{Algebra, BigPrime, Device, Dim, Error, Layout, Normalization, Transform, naive};

use crate::common::{DIRECTIONS, devices, is_slow};

/// The same residues for the same seed; every seventh is at an edge.
fn residues<const L: usize>(field: PrimeField, n: usize, seed: u64) -> Vec<Residue<L>> {
    let p: [u64; L] = field.modulus().try_into().unwrap();
    let mut state = seed;
    let mut word = || {
        state = state.wrapping_mul(0xd129_0d3a_2a1e_53c5).wrapping_add(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        state ^ state >> 31
    };
    let top = p.iter().rposition(|&w| w != 0).unwrap();
    let element = |i: usize| {
        let mut words = [0; L];
        match i % 21 {
            0 => words[0] = 1,
            7 => {
                words = p;
                words[0] -= 1;
            }
            14 => words[top] = p[top] / 2,
            _ => {
                words[..top].fill_with(&mut word);
                words[top] = word() % p[top];
            }
        }
        Residue::new(field, words).unwrap()
    };
    (0..n).map(element).collect()
}

fn words<const L: usize>(x: &[Residue<L>]) -> Vec<u64> {
    x.iter().flat_map(Residue::words).collect()
}

fn values<const L: usize>(field: PrimeField, lengths: &[usize]) {
    for device in devices() {
        let few = if is_slow(&device) { 1 } else { lengths.len() };
        for &n in &lengths[lengths.len() - few..] {
            for &direction in &DIRECTIONS[..few.min(2)] {
                let x = residues::<L>(field, 2 * n, n as u64);
                let transform = Transform::new(Algebra::PrimeField(field), n).batch(2).direction(direction);
                let reference = |line: &[Residue<L>]| -> Vec<_> {
                    use stockham::algebra::Numbers;
                    naive::dft(line, direction).into_iter().map(|y| y.scaled(transform.scale())).collect()
                };
                let expected: Vec<_> = x.chunks(n).flat_map(reference).collect();
                let input = device.upload(&words(&x)).unwrap();
                let mut output = device.alloc::<u64>(2 * n * L).unwrap();
                device.plan(&transform).unwrap().run(&input, &mut output).unwrap();
                assert!(output.to_vec().unwrap() == words(&expected), "{field}, n = {n}, {direction:?}");
            }
        }
    }
}

#[test]
fn values_over_fields_of_all_sizes() {
    let field = |text: &str| text.parse::<PrimeField>().unwrap();
    values::<1>(field("babybear"), &[1, 2, 8, 256]);
    values::<1>(field("0x3fffffee00000001"), &[16, 512]);
    values::<1>(field("17"), &[4, 16]);
    values::<2>(PrimeField::of(BigPrime::P1).unwrap(), &[32]);
    values::<4>(field("bls12-381"), &[2, 4, 64, 128]);
    values::<8>(PrimeField::of(BigPrime::P3).unwrap(), &[8, 32]);
    values::<16>(PrimeField::of(BigPrime::P4).unwrap(), &[16]);
}

/// Every order that divides p − 1: by codelets, and on the host by convolutions where prime factors are large.
#[test]
fn values_of_lengths_that_are_no_powers_of_two() {
    let field = |text: &str| text.parse::<PrimeField>().unwrap();
    values::<4>(field("bn254"), &[9, 18, 29, 52, 117, 144]);
    values::<4>(field("bls12-381"), &[3, 6, 11, 19, 33, 96, 528, 192]);
    let (field, n) = (field("bls12-381"), 2 * 10_177);
    let (device, x) = (Device::cpu(), residues::<4>(field, n, 5));
    let input = device.upload(&words(&x)).unwrap();
    let mut output = device.alloc::<u64>(n * 4).unwrap();
    device.plan(&Transform::new(Algebra::PrimeField(field), n)).unwrap().run(&input, &mut output).unwrap();
    let y = output.to_vec().unwrap();
    for k in [0, 1, 10_177, n - 1] {
        assert_eq!(y[k * 4..][..4], naive::dft_at(&x, k, DIRECTIONS[0]).words(), "output {k}");
    }
}

/// The same field in two representations, sliced and in place: what comes out is the same numbers.
#[test]
fn residues_and_digits_of_a_big_prime_agree() {
    const L: usize = 8;
    let (n, prime) = (1 << 10, BigPrime::P3);
    let field = PrimeField::of(prime).unwrap();
    let x = residues::<L>(field, n, 3);
    let digits: Vec<u64> = x.iter().flat_map(|x| prime.field().from_limbs(&x.words()).unwrap()).collect();
    for device in devices() {
        let few = if is_slow(&device) { 1 } else { 2 };
        for &direction in &DIRECTIONS[..few] {
            let plan = |algebra| {
                let transform = Transform::new(algebra, n).direction(direction).in_place();
                device.plan(&transform.normalization(Normalization::None)).unwrap()
            };
            let (mut a, mut b) = (device.upload(&words(&x)).unwrap(), device.upload(&digits).unwrap());
            plan(Algebra::PrimeField(field)).run_in_place(&mut a).unwrap();
            plan(Algebra::BigPrime(prime)).run_in_place(&mut b).unwrap();
            let limbs: Vec<u64> = b.to_vec().unwrap().chunks(L).flat_map(|y| prime.field().to_limbs(y)).collect();
            assert!(a.to_vec().unwrap() == limbs, "{direction:?} on {:?}", device.info().id);

            let sliced = Transform::new(Algebra::PrimeField(field), n).direction(direction);
            let sliced = sliced.layouts(Layout::Plain, Layout::Sliced).normalization(Normalization::None);
            let (input, mut output) = (device.upload(&words(&x)).unwrap(), device.alloc::<u64>(n * L).unwrap());
            device.plan(&sliced).unwrap().run(&input, &mut output).unwrap();
            let y = output.to_vec().unwrap();
            assert!((0..n * L).all(|i| y[i % L * n + i / L] == limbs[i]), "{direction:?} on {:?}", device.info().id);
        }
    }
}

/// Negacyclic, which takes every step: (x^n + 1 = 0).
#[test]
fn products_of_polynomials() {
    const L: usize = 4;
    let (n, field) = (16, "bls12-381".parse::<PrimeField>().unwrap());
    let (a, b) = (residues::<L>(field, n, 1), residues::<L>(field, n, 2));
    let mut expected = vec![a[0].sub(&a[0]); n];
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            let c = &mut expected[(i + j) % n];
            *c = if i + j < n { c.add(&a.mul(b)) } else { c.sub(&a.mul(b)) };
        }
    }
    for device in devices() {
        let algebra = Algebra::PrimeField(field);
        let mut multiplier = Multiplier::plan(&device, algebra, Product::Negacyclic, n, n).unwrap();
        let product = multiplier.multiply(&words(&a), &words(&b)).unwrap();
        assert!(product == words(&expected), "{:?}", device.info().id);
    }
}

/// Bit-reversed orders, zeros behind the input and cosets, of one line and of columns, are those of the CPU.
#[test]
fn orders_and_zeros() {
    let fields = [("bn254", 11), ("bls12-381", 13), ("0x5555555555555555555700001", 12)];
    for (device, (name, most)) in devices().into_iter().flat_map(|device| fields.map(|field| (device.clone(), field))) {
        let algebra: Algebra = name.parse().unwrap();
        let Algebra::PrimeField(field) = algebra else { unreachable!("{name} has several words") };
        let (k, most) = (field.words(), most.min(field.max_log_len()));
        let sizes = [(1, 5), (5, 3), (9, 2), (most, 1), (most, 4)];
        // Kernels of such fields take some compilers long.
        let few = if !is_slow(&device) { &sizes[..] } else { &sizes[1..if k == 2 { 3 } else { 1 }] };
        for &(log, batch) in few {
            let n = 1usize << log;
            let shift = || [5].into_iter().chain(std::iter::repeat(0)).take(k).collect::<Vec<u64>>();
            let columns = |line: Transform| line.with_dims([Dim::new(n, batch)]).with_batch([Dim::new(batch, 1)]);
            let plain = || Transform::new(algebra, n);
            let cases = [
                plain().bit_reversed(false, true).batch(batch),
                plain().bit_reversed(true, false).inverse().batch(batch),
                plain().bit_reversed(true, true).on_coset(shift()).batch(batch),
                plain().padded_from((n / 4).max(1)).bit_reversed(false, true).batch(batch),
                columns(plain().padded_from(n / 2).on_coset(shift())),
                columns(plain().bit_reversed(false, true)),
            ];
            for transform in cases {
                let x = stockham::accuracy::random_residues(field, Layout::Plain, transform.input_len(), 7);
                let run = |device: &Device| -> stockham::Result<Vec<u64>> {
                    let mut y = device.alloc::<u64>(transform.output_len() * k)?;
                    device.plan(&transform)?.run(&device.upload(&x)?, &mut y)?;
                    y.to_vec()
                };
                let what = format!("{transform:?} on {}", device.info().id);
                assert!(run(&device).unwrap() == run(&Device::cpu()).unwrap(), "{what}");
            }
        }
    }
}

#[test]
fn misuse_is_an_error() {
    let field: PrimeField = "998244353".parse().unwrap();
    let device = Device::cpu();
    let plan = |n| device.plan(&Transform::new(Algebra::PrimeField(field), n)).map(drop);
    for n in [3, 1 << 24] {
        assert!(matches!(plan(n), Err(Error::Unsupported { .. })), "{n}");
    }
    let executable = device.plan(&Transform::new(Algebra::PrimeField(field), 4).in_place()).unwrap();
    let error = executable.run_in_place(&mut device.upload(&[1u64, 998_244_353, 2, 3]).unwrap()).unwrap_err();
    assert_eq!(error, Error::Residue { element: 1, field: "998244353" });
    let ortho = Transform::new(Algebra::PrimeField(field), 4).normalization(Normalization::Ortho);
    assert!(matches!(device.plan(&ortho), Err(Error::Unsupported { .. })));
    assert!(matches!(executable.run_in_place(&mut device.upload(&[1u32; 4]).unwrap()), Err(Error::ElementType { .. })));
}
