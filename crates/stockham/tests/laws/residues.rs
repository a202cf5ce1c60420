//! Residue number systems: integers come back from their residues, convolutions are exact, misuse.

use num_bigint::BigUint;
use stockham::algebra::ResidueSystem;
use stockham::residues::ResidueTransform;
use stockham::{Device, Error};

use crate::common::{devices, is_slow};

fn number(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |number, &word| (number << 64) + word)
}

/// Integers of k words below the product, every fourth at an edge.
fn integers(system: ResidueSystem, count: usize, seed: u64) -> Vec<u64> {
    let (k, product) = (system.primes(), system.product());
    let mut state = seed;
    let mut word = || {
        state = state.wrapping_mul(0xd129_0d3a_2a1e_53c5).wrapping_add(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        state ^ state >> 31
    };
    let integer = |i: usize| {
        let mut words = vec![0; k];
        match i % 12 {
            0 => words.copy_from_slice(&product),
            4 => words[0] = 1,
            8 => words[0] = 0,
            _ => {
                words.fill_with(&mut word);
                // The highest word of 32 primes' product is 0.
                words[k - 1] %= product[k - 1].max(1);
            }
        }
        if i.is_multiple_of(12) {
            words[0] -= 1;
        }
        words
    };
    (0..count).flat_map(integer).collect()
}

/// Reduces, multiplies every residue by itself where that is asked for, and recombines.
fn back(transform: &ResidueTransform, device: &Device, x: &[u64]) -> Vec<u64> {
    let stream = device.default_stream();
    let integers = transform.upload(x).unwrap();
    let mut residues = device.upload(&vec![u64::MAX; x.len()]).unwrap();
    let mut result = device.upload(&vec![u64::MAX; x.len()]).unwrap();
    transform.reduce(stream, &integers, &mut residues).unwrap();
    let found = residues.to_vec().unwrap();
    let (k, n) = (transform.system().primes(), transform.points());
    for (j, q) in transform.system().moduli().into_iter().enumerate() {
        for i in [0, 1, n / 2, n - 1] {
            assert_eq!(BigUint::from(found[j * n + i]), number(&x[i * k..][..k]) % q, "{device:?}");
        }
    }
    transform.recombine(stream, &residues, &mut result).unwrap();
    result.to_vec().unwrap()
}

#[test]
fn integers_come_back_from_their_residues() {
    for device in devices() {
        for (k, n) in [(2, 16), (8, 256), (16, 64), (32, 32)] {
            if is_slow(&device) && k != 8 {
                continue;
            }
            let system = ResidueSystem::new(k, 26).unwrap();
            let transform = ResidueTransform::plan(&device, system, n).unwrap();
            let x = integers(system, n, 1);
            assert!(back(&transform, &device, &x) == x, "{k} primes, {n} points on {device:?}");
        }
    }
}

#[test]
fn convolutions_are_exact() {
    for device in devices() {
        let (k, n) = (8, 64);
        let system = ResidueSystem::new(k, 26).unwrap();
        let mut transform = ResidueTransform::plan(&device, system, n).unwrap();
        let (x, y) = (integers(system, n, 2), integers(system, n, 3));
        let stream = device.default_stream();
        let mut spectra = [&x, &y].map(|values| {
            let mut residues = device.alloc(k * n).unwrap();
            transform.reduce(stream, &transform.upload(values).unwrap(), &mut residues).unwrap();
            transform.forward(stream, &mut residues).unwrap();
            residues
        });
        let [a, b] = &mut spectra;
        transform.multiply(stream, a, b).unwrap();
        transform.inverse(stream, a).unwrap();
        let mut result = device.alloc(k * n).unwrap();
        transform.recombine(stream, a, &mut result).unwrap();
        let found = result.to_vec().unwrap();
        let product = number(&system.product());
        let value = |values: &[u64], i: usize| number(&values[i * k..][..k]);
        for i in 0..n {
            let sum: BigUint = (0..n).map(|j| value(&x, j) * value(&y, (n + i - j) % n)).sum();
            assert_eq!(value(&found, i), sum % &product, "place {i} on {device:?}");
        }
    }
}

#[test]
fn misuse_is_refused() {
    let (device, system) = (Device::cpu(), ResidueSystem::new(2, 26).unwrap());
    assert!(matches!(ResidueTransform::plan(&device, system, 12), Err(Error::Unsupported { .. })));
    assert!(matches!(ResidueTransform::plan(&device, system, 1 << 30), Err(Error::Unsupported { .. })));
    let mut transform = ResidueTransform::plan(&device, system, 4).unwrap();
    let stream = device.default_stream();
    assert_eq!(
        transform.upload(&[0; 7]).err(),
        Some(Error::BufferLength { buffer: "array of integers", expected: 8, found: 7 })
    );
    let beyond = [vec![0; 6], system.product()].concat();
    assert_eq!(transform.upload(&beyond).err(), Some(Error::ResidueRange { element: 3, primes: 2 }));
    let (integers, mut short) = (transform.upload(&[0; 8]).unwrap(), device.alloc(6).unwrap());
    assert!(matches!(transform.reduce(stream, &integers, &mut short), Err(Error::BufferLength { .. })));
    assert!(matches!(transform.recombine(stream, &integers, &mut short), Err(Error::BufferLength { .. })));
    assert!(matches!(transform.forward(stream, &mut short), Err(Error::BufferLength { .. })));
    assert!(matches!(transform.multiply(stream, &mut short, &integers), Err(Error::BufferLength { .. })));
}
