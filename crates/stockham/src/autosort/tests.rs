//! Whole transforms against the definition, over exact rings; what they cost over big primes.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::algebra::{BigElement, BigPrime, Goldilocks, Prime, PrimeField, Residue, Ring, Root, Scale};
use crate::naive;

#[test]
fn agrees_with_the_definition_over_exact_rings() {
    for n in [1usize, 2, 3, 4, 6, 8, 15, 16, 17, 32, 48, 51, 60, 64, 105, 120, 272, 480, 512] {
        for direction in [Direction::Forward, Direction::Inverse] {
            if 3360 % n == 0 {
                check::<Prime<3361>>(n, direction, Prime::new);
            }
            if n % 7 != 0 {
                check(n, direction, Goldilocks::reduce);
            }
        }
    }
    assert!(Autosort::<Goldilocks>::new(0, Direction::Forward).is_none());
    assert!(Autosort::<Goldilocks>::new(257, Direction::Forward).is_none());
}

#[test]
fn long_transforms_agree_at_single_outputs() {
    // Long enough for stages of both kinds: whole blocks and cut columns.
    for (n, direction) in [(1 << 17, Direction::Forward), (3 << 15, Direction::Inverse), (5 << 14, Direction::Forward)]
    {
        let x: Vec<Goldilocks> = (0..n as u64).map(|i| Goldilocks::reduce((i + 3).pow(3) << 16)).collect();
        let (mut y, mut scratch) = (x.clone(), x.clone());
        Autosort::new(n, direction).expect("a covered length").process(&mut y, &mut scratch);
        for k in (0..n).step_by(n / 37).chain([1, n - 1]) {
            assert_eq!(y[k], naive::dft_at(&x, k, direction), "n = {n}, k = {k}");
        }
    }
}

fn check<R: NumericRing + PartialEq + std::fmt::Debug>(n: usize, direction: Direction, element: impl Fn(u64) -> R) {
    let x: Vec<R> = (0..n as u64).map(|i| element(i * i * 0x9e37_79b9 + 12345 * i + 7)).collect();
    let (mut y, mut scratch) = (x.clone(), x.clone());
    Autosort::new(n, direction).expect("a covered length").process(&mut y, &mut scratch);
    assert_eq!(y, naive::dft(&x, direction), "n = {n}");
}

/// Elements with all sorts of digits.
fn elements<const K: usize>(prime: BigPrime, n: usize) -> Vec<BigElement<K>> {
    let mut x = BigElement::<K>::from_u64(prime.field(), 0x9e37_79b9_7f4a_7c15);
    let next = |i: usize| {
        x = x.mul(&x).add(&x.mul_pow_r(i));
        // Now and then an element at the edge.
        if i % 7 == 3 { BigElement::from_u64(prime.field(), 1).mul_pow_r(i / 7) } else { x }
    };
    (0..n).map(next).collect()
}

fn transformed<const K: usize>(x: &[BigElement<K>], direction: Direction) -> Vec<BigElement<K>> {
    let mut y = x.to_vec();
    ShiftingAutosort::over(&x[0], x.len(), direction).expect("a power of two").process(&mut y, &mut x.to_vec());
    y
}

#[test]
fn agrees_with_the_definition_over_big_primes() {
    fn check<const K: usize>(prime: BigPrime, longest: usize) {
        for n in (0..).map(|log| 1 << log).take_while(|&n| n <= longest) {
            let x = elements::<K>(prime, n);
            for direction in [Direction::Forward, Direction::Inverse] {
                assert_eq!(transformed(&x, direction), naive::dft(&x, direction), "{prime}, n = {n}");
            }
        }
    }
    check::<2>(BigPrime::P1, 512);
    check::<4>(BigPrime::P2, 512);
    check::<8>(BigPrime::P3, 512);
    check::<16>(BigPrime::P4, 256);
    check::<32>(BigPrime::P5, 128);
    check::<64>(BigPrime::P6, 128);
    check::<128>(BigPrime::P7, 16);
    check::<4>(BigPrime::G4, 512);
    check::<8>(BigPrime::G8, 256);
    check::<16>(BigPrime::G16, 256);
    check::<32>(BigPrime::G32, 128);
    check::<64>(BigPrime::G64, 64);
    check::<8>(BigPrime::new((1 << 59) + (1 << 57) + (1 << 39), 8).unwrap(), 256);
}

/// Where −1 is the only root without a product: stages of radix 16 and of what is left, short blocks and long ones.
#[test]
fn agrees_with_the_definition_over_prime_fields() {
    let field: PrimeField = "998244353".parse().unwrap();
    for n in (0..=13).map(|log| 1usize << log) {
        let element = |i: usize| Residue::<1>::new(field, [(i as u64 + 3).pow(4) % 998_244_353]).unwrap();
        let x: Vec<_> = (0..n).map(element).collect();
        for direction in [Direction::Forward, Direction::Inverse] {
            let mut y = x.clone();
            ShiftingAutosort::over(&x[0], n, direction).expect("a power of two").process(&mut y, &mut x.clone());
            for k in (0..n).step_by((n / 64).max(1)).chain([n - 1]) {
                assert_eq!(y[k], naive::dft_at(&x, k, direction), "n = {n}, output {k}");
            }
        }
    }
}

/// The codelets and twiddles that the GPU's kernels are made of.
#[test]
fn codelets_are_right_over_a_big_prime() {
    for n in [2, 4, 8, 16, 32, 256] {
        let x = elements::<8>(BigPrime::P3, n);
        for direction in [Direction::Forward, Direction::Inverse] {
            let mut y = x.clone();
            Autosort::over(&x[0], n, direction).expect("a covered length").process(&mut y, &mut x.clone());
            assert_eq!(y, naive::dft(&x, direction), "n = {n}");
            if n <= 32 {
                let mut y = x.clone();
                codelet::dft(&mut y, direction);
                assert_eq!(y, naive::dft(&x, direction), "radix {n}");
            }
        }
    }
}

/// The reference of every big-prime test that is too long for the definition.
#[test]
fn long_transforms_over_a_big_prime_obey_the_definition_at_single_outputs() {
    let n = 1 << 13;
    let x = elements::<8>(BigPrime::P3, n);
    let y = transformed(&x, Direction::Forward);
    for k in [0, 1, 2, 4095, 4096, 5000, n - 1] {
        assert_eq!(y[k], naive::dft_at(&x, k, Direction::Forward), "output {k}");
    }
    let scale = Scale::Inverse(n);
    let back: Vec<_> = transformed(&y, Direction::Inverse).iter().map(|x| x.scaled(scale)).collect();
    assert!(back == x);
}

/// An element that counts what is done to it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Counted<const K: usize>(BigElement<K>);

static PRODUCTS: AtomicUsize = AtomicUsize::new(0);
static ROTATIONS: AtomicUsize = AtomicUsize::new(0);

impl<const K: usize> Ring for Counted<K> {
    fn add(&self, rhs: &Self) -> Self {
        Self(self.0.add(&rhs.0))
    }
    fn sub(&self, rhs: &Self) -> Self {
        Self(self.0.sub(&rhs.0))
    }
    fn neg(&self) -> Self {
        Self(self.0.neg())
    }
    fn mul(&self, rhs: &Self) -> Self {
        PRODUCTS.fetch_add(1, Ordering::Relaxed);
        Self(self.0.mul(&rhs.0))
    }
    fn mul_root(&self, root: Root) -> Self {
        match BigElement::<K>::root_as_rotation(root) {
            Some(0) => {}
            Some(_) => _ = ROTATIONS.fetch_add(1, Ordering::Relaxed),
            None => _ = PRODUCTS.fetch_add(1, Ordering::Relaxed),
        }
        Self(self.0.mul_root(root))
    }
    fn mul_cos(&self, _: Root) -> Self {
        unreachable!("codelets of powers of two take no cosines")
    }
    fn mul_sin(&self, _: Root) -> Self {
        unreachable!("codelets of powers of two take no sines")
    }
}

impl<const K: usize> Numbers for Counted<K> {
    fn integer(&self, value: u64) -> Self {
        Self(self.0.integer(value))
    }
    fn shift_order(&self) -> usize {
        self.0.shift_order()
    }
    fn scaled(&self, scale: Scale) -> Self {
        Self(self.0.scaled(scale))
    }
}

/// Up to K = 2k points there is no general product, and the fewest rotations a radix-2 DFT has, K/2·log2 K − (K − 1);
/// longer transforms take (e − 1)·n products at most, for n ≤ K^e.
#[test]
fn operations_are_as_few_as_promised() {
    fn counts<const K: usize>(prime: BigPrime, n: usize) -> (usize, usize) {
        let x: Vec<Counted<K>> = elements(prime, n).into_iter().map(Counted).collect();
        let autosort = ShiftingAutosort::over(&x[0], n, Direction::Forward).unwrap();
        PRODUCTS.store(0, Ordering::Relaxed);
        ROTATIONS.store(0, Ordering::Relaxed);
        let mut y = x.clone();
        autosort.process(&mut y, &mut x.clone());
        let counts = (PRODUCTS.load(Ordering::Relaxed), ROTATIONS.load(Ordering::Relaxed));
        let plain: Vec<BigElement<K>> = x.iter().map(|x| x.0).collect();
        assert!(transformed(&plain, Direction::Forward).iter().eq(y.iter().map(|y| &y.0)));
        counts
    }
    assert_eq!(counts::<2>(BigPrime::P1, 4), (0, 1));
    assert_eq!(counts::<4>(BigPrime::P2, 8), (0, 5));
    assert_eq!(counts::<8>(BigPrime::P3, 16), (0, 17));
    assert_eq!(counts::<16>(BigPrime::P4, 32), (0, 49));
    assert_eq!(counts::<32>(BigPrime::P5, 64), (0, 129));
    assert_eq!(counts::<64>(BigPrime::P6, 128), (0, 321));
    assert_eq!(counts::<128>(BigPrime::P7, 256), (0, 769));
    for (n, e) in [(32, 2), (256, 2), (512, 3), (4096, 3)] {
        let (products, _) = counts::<8>(BigPrime::P3, n);
        assert!(0 < products && products <= (e - 1) * n, "{products} products for n = {n}");
    }
}
