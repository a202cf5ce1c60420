//! Elements in Montgomery's form, negacyclic transforms, and lists of primes.

use stockham::accuracy::{random_residues, random_words};
use stockham::algebra::{PrimeField, WordField};
use stockham::moduli::ModuliTransform;
use stockham::polynomial::{Multiplier, Product};
use stockham::{Algebra, Data, Device, Digit, Error, Layout, Transform};

use crate::common::{DIRECTIONS, devices, is_slow};

fn run<D: Data>(device: &Device, transform: &Transform, x: &[D]) -> Vec<D> {
    let mut data = device.upload(x).unwrap();
    device.plan(&transform.clone().in_place()).unwrap().run_in_place(&mut data).unwrap();
    data.to_vec().unwrap()
}

fn multiply<D: Data>(device: &Device, algebra: Algebra, product: Product, x: &[D], y: &[D], n: usize) -> Vec<D> {
    Multiplier::<D>::plan(device, algebra, product, n, n).unwrap().multiply(x, y).unwrap()
}

/// What is done to elements in the form is what is done to residues: transforms with their factor, cosets and products.
fn same_in_form<D: Data>(device: &Device, plain: Algebra, n: usize, x: &[D], y: &[D], form: impl Fn(&[D]) -> Vec<D>) {
    let montgomery = plain.montgomery().unwrap();
    assert_ne!(plain, montgomery);
    let name = (montgomery.name(), &device.info().id);
    for &direction in &DIRECTIONS {
        let coset = vec![3].into_iter().chain(vec![0; plain.layout().1 - 1]).collect::<Vec<u64>>();
        let of = |algebra| Transform::new(algebra, n).direction(direction).on_coset(coset.clone());
        assert!(run(device, &of(montgomery), &form(x)) == form(&run(device, &of(plain), x)), "{name:?}, {direction:?}");
    }
    for product in [Product::Linear, Product::Negacyclic] {
        let of_form = multiply(device, montgomery, product, &form(x), &form(y), n);
        assert!(of_form == form(&multiply(device, plain, product, x, y, n)), "{name:?}, {product:?}");
    }
}

#[test]
fn montgomery_form_of_words() {
    fn check<D: Digit>(text: &str) {
        let field: WordField = text.parse().unwrap();
        let form = |x: &[D]| x.iter().map(|&x| D::truncated(field.montgomery().to_memory(x.into()))).collect();
        for device in devices() {
            let n = if is_slow(&device) { 64 } else { 1 << 10 };
            let (x, y) = (random_words::<D>(field, n, 1), random_words::<D>(field, n, 2));
            same_in_form(&device, Algebra::WordField(field), n, &x, &y, form);
        }
    }
    check::<u32>("babybear");
    check::<u64>("0x3fffffee00000001");
}

/// The same of several words.
#[test]
fn montgomery_form_of_long_residues() {
    let field: PrimeField = "bn254".parse().unwrap();
    let n = 16;
    let (x, y) = (random_residues(field, Layout::Plain, n, 1), random_residues(field, Layout::Plain, n, 2));
    let form = |x: &[u64]| -> Vec<u64> { x.chunks(4).flat_map(|x| field.montgomery().to_memory(x)).collect() };
    let montgomery = Algebra::PrimeField(field.montgomery());
    for device in devices() {
        same_in_form(&device, Algebra::PrimeField(field), n, &x, &y, form);
        let product = multiply(&device, montgomery, Product::Cyclic, &form(&x), &form(&y), n);
        let plain = multiply(&device, Algebra::PrimeField(field), Product::Cyclic, &x, &y, n);
        assert!(product == form(&plain), "{:?}", device.info().id);
    }
}

#[test]
fn names_of_forms() {
    let babybear: Algebra = "babybear".parse().unwrap();
    let montgomery = babybear.montgomery().unwrap();
    assert_eq!((montgomery.name(), montgomery.montgomery().unwrap()), ("babybear/montgomery", montgomery));
    assert_eq!("babybear/montgomery".parse::<Algebra>().unwrap(), montgomery);
    let risc0 = montgomery.with_root("risc0").unwrap();
    assert_eq!((risc0.name(), risc0.with_root("plonky3").unwrap()), ("babybear@0x89/montgomery", montgomery));
    assert_eq!("babybear@risc0/montgomery".parse::<Algebra>().unwrap(), risc0);
    let Algebra::WordField(field) = risc0 else { panic!("{risc0:?}") };
    assert_eq!(Algebra::WordField(field.plain()), babybear.with_root("risc0").unwrap());
    // 2^32 mod p.
    assert_eq!((field.to_memory(1), field.from_memory(0x0fff_fffe)), (0x0fff_fffe, 1));
    let bls: Algebra = "bls12-381/montgomery".parse().unwrap();
    assert_eq!(bls, "bls12-381".parse::<Algebra>().unwrap().montgomery().unwrap());
    assert!(matches!(Algebra::Goldilocks.montgomery(), Err(Error::Unsupported { .. })));
    assert!(matches!(Algebra::ComplexF32.montgomery(), Err(Error::Unsupported { .. })));
}

/// Which elements a prime has follows from its length alone.
#[test]
fn elements_follow_from_the_prime() {
    let bytes = |text: &str| match text.parse::<Algebra>().unwrap() {
        Algebra::WordField(field) => field.bytes(),
        Algebra::PrimeField(field) => 8 * field.words(),
        other => panic!("{other:?}"),
    };
    // On both sides of 2^31 and of 2^63.
    for (prime, expected) in
        [("2147483647", 4), ("2147483659", 8), ("9223372036854775783", 8), ("9223372036854775837", 16)]
    {
        assert_eq!(bytes(prime), expected, "{prime}");
    }
}

/// Σ ±x_i·y_j where i + j is k or k + n.
fn schoolbook(p: u64, x: &[u64], y: &[u64]) -> Vec<u64> {
    let n = x.len();
    let mut z = vec![0u128; n];
    for (i, x) in x.iter().enumerate() {
        for (j, y) in y.iter().enumerate() {
            let product = u128::from(*x) * u128::from(*y) % u128::from(p);
            let k = (i + j) % n;
            z[k] = (z[k] + if i + j < n { product } else { u128::from(p) - product }) % u128::from(p);
        }
    }
    z.into_iter().map(|z| z as u64).collect()
}

/// Products of polynomials modulo x^n + 1 over lists of primes, in natural and in bit-reversed order, and of several lines.
fn lists<D: Digit>(primes: &[&str], n: usize, reversed: bool) {
    let fields: Vec<Algebra> = primes.iter().map(|prime| prime.parse().unwrap()).collect();
    let words: Vec<WordField> = primes.iter().map(|prime| prime.parse().unwrap()).collect();
    let batch = 2;
    let one = Transform::new(fields[0], n).batch(batch).negacyclic().bit_reversed(false, reversed);
    let random = |seed| -> Vec<D> { words.iter().flat_map(|&field| random_words(field, batch * n, seed)).collect() };
    let (x, y) = (random(1), random(2));
    for device in devices() {
        let mut transform = ModuliTransform::<D>::plan(&device, &fields, &one).unwrap();
        assert_eq!(transform.buffer_len(), x.len());
        let stream = device.default_stream();
        let (mut a, mut b) = (device.upload(&x).unwrap(), device.upload(&y).unwrap());
        transform.forward(stream, &mut a).unwrap();
        transform.forward(stream, &mut b).unwrap();
        // The first fields alone leave the others as they are, and come back.
        for first in [1, fields.len() - 1, fields.len()] {
            let (len, mut some) = (first * batch * n, device.upload(&x).unwrap());
            transform.forward_first(stream, first, &mut some).unwrap();
            let found = some.to_vec().unwrap();
            assert!(found[..len] == a.to_vec().unwrap()[..len] && found[len..] == x[len..], "{:?}", device.info().id);
            transform.inverse_first(stream, first, &mut some).unwrap();
            assert!(some.to_vec().unwrap() == x, "{:?}", device.info().id);
        }
        assert!(matches!(transform.forward_first(stream, 0, &mut a), Err(Error::InvalidTransform(_))));
        assert!(matches!(transform.inverse_first(stream, fields.len() + 1, &mut a), Err(Error::InvalidTransform(_))));
        // x·y + y·x, where each field has its two terms side by side.
        let side = |buffers: [&[D]; 2]| -> Vec<D> {
            let lines = buffers[0].chunks(batch * n).zip(buffers[1].chunks(batch * n));
            lines.flat_map(|(first, second)| [first, second].concat()).collect()
        };
        let (of_x, of_y) = (a.to_vec().unwrap(), b.to_vec().unwrap());
        let [left, right] = [side([&of_x, &of_y]), side([&of_y, &of_x])].map(|x| device.upload(&x).unwrap());
        let mut twice = device.alloc::<D>(x.len()).unwrap();
        transform.inner_product(stream, 2, (&left, &right), &mut twice).unwrap();
        transform.inverse(stream, &mut twice).unwrap();
        transform.multiply(stream, &mut a, &b).unwrap();
        transform.inverse(stream, &mut a).unwrap();
        let (found, twice) = (a.to_vec().unwrap(), twice.to_vec().unwrap());
        for (line, (found, twice)) in found.chunks(n).zip(twice.chunks(n)).enumerate() {
            let field = words[line / batch];
            let number = |x: &D| u128::from(field.from_memory((*x).into()));
            let doubled = found.iter().map(|x| number(x) * 2 % u128::from(field.modulus()));
            assert!(doubled.eq(twice.iter().map(number)), "line {line} over {field} on {:?}", device.info().id);
        }
        for (line, ((x, y), found)) in x.chunks(n).zip(y.chunks(n)).zip(found.chunks(n)).enumerate() {
            let field = words[line / batch];
            let numbers = |x: &[D]| x.iter().map(|&x| field.from_memory(x.into())).collect::<Vec<u64>>();
            let expected = schoolbook(field.modulus(), &numbers(x), &numbers(y));
            assert!(numbers(found) == expected, "line {line} over {field} on {:?}", device.info().id);
        }
    }
}

#[test]
fn products_over_lists_of_primes() {
    lists::<u32>(&["babybear", "998244353", "koalabear/montgomery"], 64, true);
    lists::<u64>(&["0x3fffffee00000001", "0x7ffffff900000001"], 128, true);
    lists::<u64>(&["0xffffffffffc0001", "0x80140001", "0x800000000b80001"], 128, true);
    lists::<u64>(&["0x7ffffff900000001", "0x3fffffee00000001/montgomery"], 32, false);
}

/// X\[k\] = Σ x_j·ψ^((2k + 1)·j) over every field that has one.
#[test]
fn negacyclic_values() {
    let n = 8;
    for text in ["babybear", "0x3fffffee00000001", "bls12-381", "goldilocks"] {
        let algebra: Algebra = text.parse().unwrap();
        let transform = Transform::new(algebra, n).negacyclic();
        // The polynomial x takes ψ^(2k + 1), whose n-th power is −1.
        match algebra {
            Algebra::WordField(field) => {
                let psi = field.root(stockham::algebra::Root::new(1, 2 * n));
                let power = |e: usize| (0..e).fold(1, |power, _| field.multiply(power, psi));
                let expected: Vec<u64> = (0..n).map(|k| power(2 * k + 1)).collect();
                let x = [0, 1, 0, 0, 0, 0, 0, 0];
                let found = match field.bytes() {
                    4 => run(&Device::cpu(), &transform, &x.map(|x| x as u32)).into_iter().map(u64::from).collect(),
                    _ => run(&Device::cpu(), &transform, &x),
                };
                assert_eq!(found, expected, "{text}");
            }
            Algebra::PrimeField(field) => {
                let mut x = vec![0; 4 * n];
                x[4] = 1;
                let found = run(&Device::cpu(), &transform, &x);
                for value in found.chunks(4) {
                    let power = (0..3).fold(value.to_vec(), |power, _| field.multiply(&power, &power));
                    let minus_one = field.root(stockham::algebra::Root::new(1, 2));
                    assert_eq!(power, minus_one, "{text}");
                }
            }
            _ => {
                let zero = stockham::Goldilocks::reduce(0);
                let mut x = vec![zero; n];
                x[1] = stockham::Goldilocks::reduce(1);
                let found = run(&Device::cpu(), &transform, &x);
                assert!(found.iter().all(|y| y.pow(n as u64).value() == stockham::Goldilocks::MODULUS - 1));
            }
        }
    }
}

#[test]
fn what_has_no_such_roots_is_refused() {
    let device = Device::cpu();
    let field: Algebra = "17".parse().unwrap();
    let error = |transform: Transform| device.plan(&transform).map(drop).unwrap_err();
    // 17 has roots of order 16, which 16 points need for themselves.
    assert!(device.plan(&Transform::new(field, 8).negacyclic()).is_ok());
    assert!(matches!(error(Transform::new(field, 16).negacyclic()), Error::Unsupported { .. }));
    assert!(matches!(error(Transform::new(field, 4).negacyclic().on_coset([3])), Error::InvalidTransform(_)));
    assert!(matches!(error(Transform::new(Algebra::ComplexF64, 4).negacyclic()), Error::InvalidTransform(_)));
    let big = Transform::new(Algebra::BigPrime(stockham::BigPrime::P3), 4).negacyclic();
    assert!(matches!(error(big), Error::Unsupported { .. }));
    let list = |fields: &[Algebra]| ModuliTransform::<u32>::plan(&device, fields, &Transform::new(field, 4)).map(drop);
    assert!(matches!(list(&[]), Err(Error::InvalidTransform(_))));
    assert!(matches!(list(&[field, Algebra::Goldilocks]), Err(Error::ElementType { .. })));
}

/// x^e modulo p.
fn power(p: u64, x: u64, e: u64) -> u64 {
    (0..u64::BITS).rev().fold(1, |power, bit| {
        let square = u128::from(power) * u128::from(power) % u128::from(p);
        (if e >> bit & 1 == 1 { square * u128::from(x) % u128::from(p) } else { square }) as u64
    })
}

/// Σ x_j·z^j modulo p.
fn value(p: u64, x: &[u64], z: u64) -> u64 {
    let p = u128::from(p);
    x.iter().rev().fold(0, |sum, &x| ((u128::from(sum) * u128::from(z) + u128::from(x)) % p) as u64)
}

/// The number of the digits of i, so many, from right to left.
fn reversed(i: usize, bits: u32) -> usize {
    (0..bits).fold(0, |number, bit| number << 1 | i >> bit & 1)
}

/// SEAL's and OpenFHE's transform, by its formula: with the smallest root ψ of order 2n, value i is the polynomial's at
/// ψ^(2·r(i) + 1), where r(i) has the binary digits of i from right to left. The way back takes that order.
#[test]
fn negacyclic_orders_of_libraries_of_encryption() {
    fn check<D: Digit>(prime: &str, n: usize) {
        let field: WordField = prime.parse().unwrap();
        let p = field.modulus();
        // All numbers whose n-th power is −1 are the odd powers of one that a non-residue gives.
        let nonresidue = (2..).find(|&x| power(p, x, (p - 1) / 2) == p - 1).unwrap();
        let one = power(p, nonresidue, (p - 1) / (2 * n as u64));
        let psi = (0..n as u64).map(|k| power(p, one, 2 * k + 1)).min().unwrap();
        let algebra = Algebra::WordField(field.with_smallest_root(2 * n).unwrap());
        let input: Vec<D> = random_words(field, n, 7);
        let x: Vec<u64> = input.iter().map(|&x| x.into()).collect();
        let at = |i: usize| power(p, psi, 2 * reversed(i, n.ilog2()) as u64 + 1);
        let expected: Vec<u64> = (0..n).map(|i| value(p, &x, at(i))).collect();
        let forward = Transform::new(algebra, n).negacyclic().bit_reversed(false, true);
        let back = Transform::new(algebra, n).negacyclic().bit_reversed(true, false).inverse();
        for device in devices() {
            let found = run(&device, &forward, &input);
            assert!(found.iter().map(|&x| x.into()).eq(expected.iter().copied()), "{prime} on {:?}", device.info().id);
            assert!(run(&device, &back, &found) == input, "{prime} on {:?}", device.info().id);
        }
    }
    for n in [2, 8, 256] {
        // Primes of 30, 60 and 50 binary digits.
        check::<u32>("1073479681", n);
        check::<u64>("0x0ffffffffffc0001", n);
        check::<u64>("1125899906826241", n);
    }
}

/// Plonky2's roots of Goldilocks, by the definition: of order 2^32 it is 7277203076849721926.
#[test]
fn plonky2_roots() {
    use stockham::Goldilocks;
    let p = Goldilocks::MODULUS;
    for n in [1usize, 4, 64, 512, 4096] {
        let omega = power(p, 7_277_203_076_849_721_926, (1 << 32) / n as u64);
        let psi = power(p, 7_277_203_076_849_721_926, (1 << 31) / n as u64);
        let input: Vec<Goldilocks> = (0..n as u64).map(|i| Goldilocks::reduce(power(p, 3, 1000 + i))).collect();
        let x: Vec<u64> = input.iter().map(|x| x.value()).collect();
        let base = Transform::new(Algebra::Goldilocks, n).with_root("plonky2").unwrap();
        let places: Vec<usize> = (0..n).step_by((n / 64).max(1)).chain([n - 1]).collect();
        for device in devices().into_iter().filter(|device| n == 64 || !is_slow(device)) {
            let check = |transform: &Transform, at: &dyn Fn(usize) -> u64| {
                let found = run(&device, transform, &input);
                for &i in &places {
                    assert_eq!(found[i].value(), value(p, &x, at(i)), "{transform:?} on {:?}", device.info().id);
                }
                let mut back = transform.clone().inverse();
                back.domain.reversed.reverse();
                assert!(run(&device, &back, &found) == input, "{transform:?} on {:?}", device.info().id);
            };
            check(&base, &|i| power(p, omega, i as u64));
            check(&base.clone().bit_reversed(false, true), &|i| power(p, omega, reversed(i, n.ilog2()) as u64));
            let coset = base.clone().on_coset([7]);
            check(&coset, &|i| (u128::from(power(p, omega, i as u64)) * 7 % u128::from(p)) as u64);
            check(&base.clone().negacyclic(), &|i| power(p, psi, 2 * i as u64 + 1));
        }
    }
    let other = |root: &str| Transform::new(Algebra::Goldilocks, 4).with_root(root);
    assert_eq!(other("plonky3").unwrap(), Transform::new(Algebra::Goldilocks, 4));
    assert_eq!(other("0x64fdd1a46201e246").unwrap(), other("plonky2").unwrap());
    assert!(matches!(other("8"), Err(Error::Root { .. })));
    assert!(matches!(other("plonky4"), Err(Error::Syntax { .. })));
    let mut even = Transform::new(Algebra::Goldilocks, 4);
    even.domain.power = Some(2);
    assert!(matches!(even.validate(), Err(Error::InvalidTransform(_))));
}
