//! Arithmetic against big integers, roots of unity, text.

use num_bigint::BigUint;

use super::{BigElement, BigPrime, Field, Layout, with_digit_count};
use crate::algebra::{Numbers, Ring, Root, Scale};
use crate::error::Error;

fn modulus(prime: BigPrime) -> BigUint {
    BigUint::from(prime.radix()).pow(prime.digits() as u32) + 1u32
}

/// By Horner's rule, independently of the conversions under test.
fn big<const K: usize>(x: &BigElement<K>) -> BigUint {
    let r = x.field().prime().radix();
    x.digits().iter().rev().fold(BigUint::ZERO, |sum, &digit| sum * r + digit)
}

fn small_pairs(pairs: usize, k: usize) -> usize {
    (8 * pairs / k).clamp(20, 4 * pairs)
}

pub(super) struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn dense<const K: usize>(&mut self, field: &'static Field) -> BigElement<K> {
        BigElement::new(field, std::array::from_fn(|_| self.next() % field.prime().radix())).unwrap()
    }

    /// Digits of all sorts: now and then the extreme ones, in runs.
    pub fn element<const K: usize>(&mut self, field: &'static Field) -> BigElement<K> {
        let r = field.prime().radix();
        let extremes = self.next().is_multiple_of(3);
        let mut last = 0;
        let digits = std::array::from_fn(|_| {
            last = match self.next() % 8 {
                _ if !extremes => self.next() % r,
                0 => 0,
                1 => r - 1,
                2 => self.next() % r,
                3 => 1,
                _ => last,
            };
            last
        });
        BigElement::new(field, digits).unwrap()
    }
}

/// The elements at which carries, borrows and the one element with a digit of r are met.
pub(super) fn edges<const K: usize>(prime: BigPrime) -> Vec<BigElement<K>> {
    let field = prime.field();
    let one = BigElement::<K>::from_u64(field, 1);
    let zero = one.sub(&one);
    let mut edges = vec![zero, one, one.add(&one), one.neg(), one.neg().sub(&one), one.add(&one).neg()];
    for i in (0..K).filter(|i| K <= 16 || i % (K / 8) < 2) {
        let power = one.mul_pow_r(i);
        edges.extend([power, power.sub(&one), power.neg(), power.add(&one), power.neg().add(&one)]);
    }
    edges.push(BigElement::new(field, [prime.radix() - 1; K]).unwrap());
    edges.push(BigElement::from_u64(field, prime.radix() - 1));
    edges
}

fn check_pair<const K: usize>(p: &BigUint, x: &BigElement<K>, y: &BigElement<K>) {
    let (a, b) = (big(x), big(y));
    let expect = |what: &str, found: BigElement<K>, expected: BigUint| {
        assert_eq!(big(&found), expected, "{what} of {x:?} and {y:?}");
        x.field().check(found.digits(), Layout::Plain).unwrap_or_else(|e| panic!("{what} of {x:?} and {y:?}: {e}"));
    };
    expect("sum", x.add(y), (&a + &b) % p);
    expect("difference", x.sub(y), (&a + p - &b) % p);
    expect("product", x.mul(y), &a * &b % p);
    let (sum, difference) = x.add_sub(y);
    assert_eq!((sum, difference), (x.add(y), x.sub(y)), "{x:?} {y:?}");
}

fn check_single<const K: usize>(p: &BigUint, x: &BigElement<K>, shifts: impl Iterator<Item = usize>) {
    let (a, r) = (big(x), BigUint::from(x.field().prime().radix()));
    assert_eq!(big(&x.neg()), (p - &a) % p, "{x:?}");
    for s in shifts {
        let rotated = x.mul_pow_r(s);
        assert_eq!(big(&rotated), &a * r.modpow(&BigUint::from(s), p) % p, "{x:?} times r^{s}");
        x.field().check(rotated.digits(), Layout::Plain).unwrap();
    }
}

fn arithmetic<const K: usize>(prime: BigPrime, pairs: usize) {
    let (field, p) = (prime.field(), modulus(prime));
    let edges = edges::<K>(prime);
    let mut random = Random(prime.radix());
    for x in &edges {
        check_single(&p, x, (0..=4 * K).filter(|s| K <= 16 || s % (K / 4) < 2));
        // Every partner that makes a carry or a borrow end at the very top.
        let one = BigElement::from_u64(field, 1);
        for y in [x.neg(), x.neg().sub(&one), x.neg().sub(&one).sub(&one), x.add(&one), x.sub(&one)] {
            check_pair(&p, x, &y);
        }
        edges.iter().for_each(|y| check_pair(&p, x, y));
    }
    for i in 0..small_pairs(pairs, K) {
        let x = random.element::<K>(field);
        let y = match i % 5 {
            0 => x.neg(),
            1 => edges[random.next() as usize % edges.len()].sub(&x),
            2 => x.sub(&edges[random.next() as usize % edges.len()]),
            _ => random.element(field),
        };
        check_pair(&p, &x, &y);
        check_single(&p, &x, std::iter::once(random.next() as usize % (4 * K)));
    }
}

/// A prime of no table.
fn users() -> BigPrime {
    BigPrime::new((1 << 59) + (1 << 57) + (1 << 39), 8).unwrap()
}

fn primes() -> impl Iterator<Item = BigPrime> {
    let tiny = [(4, 2), (6, 4), (10, 2), (2 << 16, 2)].into_iter().filter_map(|(r, k)| BigPrime::new(r, k).ok());
    BigPrime::NAMED.into_iter().map(|(_, prime)| prime).chain([users()]).chain(tiny)
}

#[test]
fn arithmetic_is_that_of_big_integers() {
    for prime in primes().filter(|p| p.digits() <= 32) {
        with_digit_count!(prime.digits(), K => arithmetic::<K>(prime, 500));
    }
    with_digit_count!(BigPrime::P6.digits(), K => arithmetic::<K>(BigPrime::P6, 100));
    with_digit_count!(BigPrime::G64.digits(), K => arithmetic::<K>(BigPrime::G64, 100));
}

/// Some forty million pairs: `cargo test --release -p stockham --lib -- --ignored thoroughly`, a quarter of an hour.
/// `STOCKHAM_PAIRS` sets how many for elements of 8 digits (otherwise a million).
#[test]
#[ignore = "takes a quarter of an hour"]
fn arithmetic_thoroughly() {
    let pairs = std::env::var("STOCKHAM_PAIRS").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    for prime in primes() {
        with_digit_count!(prime.digits(), K => arithmetic::<K>(prime, pairs));
    }
}

#[test]
fn tiny_fields_are_right_throughout() {
    fn all<const K: usize>(prime: BigPrime) {
        let (field, p) = (prime.field(), modulus(prime));
        let count = u64::try_from(&p).unwrap();
        let elements: Vec<BigElement<K>> = (0..count).map(|i| BigElement::from_u64(field, i)).collect();
        for (x, i) in elements.iter().zip(0..) {
            assert_eq!(big(x), BigUint::from(i as u64));
            assert_eq!(x.inverse().map(|y| x.mul(&y)), (i > 0).then(|| elements[1]));
            check_single(&p, x, 0..4 * K);
            elements.iter().for_each(|y| check_pair(&p, x, y));
        }
        assert_eq!(BigElement::<K>::from_u64(field, count + 3), elements[3]);
    }
    for (r, k) in [(4, 2), (6, 2), (10, 2), (14, 2), (4, 4), (6, 4)] {
        if let Ok(prime) = BigPrime::new(r, k) {
            with_digit_count!(prime.digits(), K => all::<K>(prime));
        }
    }
}

#[test]
fn roots_are_the_family_with_r_for_the_base_order() {
    fn check<const K: usize>(prime: BigPrime) {
        let (field, p) = (prime.field(), modulus(prime));
        let one = BigElement::<K>::from_u64(field, 1);
        let root = |log: u32| one.root_of_unity(Root::new(1, 1 << log));
        let (base, top) = (prime.base_order().ilog2(), prime.max_log_len());
        assert_eq!(root(base), one.mul_pow_r(1));
        assert_eq!((root(0), root(1)), (one, one.neg()));
        for log in 0..top {
            assert_eq!(root(log + 1).mul(&root(log + 1)), root(log), "{prime}, 2^{log}");
        }
        // As the literature makes it: w = g^((p−1)/N), z = w^(N/K) = r^t, ω = w^(1/t mod K).
        let n = 1u64 << top.min(28);
        let w = BigUint::from(field.nonresidue()).modpow(&((&p - 1u32) / n), &p);
        let (z, r) = (w.modpow(&(n / prime.base_order() as u64).into(), &p), BigUint::from(prime.radix()));
        let order = prime.base_order() as u32;
        let t = (1..order).find(|t| r.modpow(&(*t).into(), &p) == z).unwrap();
        let inverse = (1..order).find(|i| i * t % order == 1).unwrap();
        let omega = BigElement::<K>::of(field, &field.root(Root::new(1, n as usize)));
        assert_eq!(big(&omega), w.modpow(&inverse.into(), &p), "{prime}");
        // Powers of it, in products and in rotations, alone and many at once.
        for k in [0, 1, 5, n - 1, n / 2, n / 2 + 1, n / 4 * 3, n / u64::from(order) * 3] {
            let power = one.root_of_unity(Root::new(k as usize, n as usize));
            assert_eq!(power, omega.pow(k), "{prime}: {k} of {n}");
        }
        let many: Vec<Root> = (0..40).map(|i| Root::new(i * i + i, 2 << (i % top.min(10) as usize))).collect();
        let each: Vec<_> = many.iter().map(|&root| field.root(root)).collect();
        assert_eq!(field.roots(&many), each, "{prime}");
        assert_eq!(field.roots(&[]), Vec::<Vec<u64>>::new());
        assert_eq!(field.roots(&[Root::new(0, 1)]), [one.digits()]);
    }
    for prime in primes().filter(|p| p.digits() <= 32).chain([BigPrime::G64B]) {
        with_digit_count!(prime.digits(), K => check::<K>(prime));
    }
}

/// The least quadratic non-residues, found independently.
#[test]
fn nonresidues_are_those_known() {
    let known = [
        (BigPrime::P1, 3),
        (BigPrime::P2, 5),
        (BigPrime::P3, 5),
        (BigPrime::P4, 3),
        (BigPrime::P7, 23),
        (BigPrime::G8, 11),
        (BigPrime::G64, 7),
        (BigPrime::H32, 5),
    ];
    for (prime, g) in known {
        assert_eq!(prime.field().nonresidue(), g, "{prime}");
    }
    let p = modulus(BigPrime::G16);
    assert_eq!(BigUint::from(3u32).modpow(&((&p - 1u32) / 2u32), &p), &p - 1u32);
}

#[test]
fn inverses_and_scales() {
    fn check<const K: usize>(prime: BigPrime) {
        let field = prime.field();
        let one = BigElement::<K>::from_u64(field, 1);
        let x = Random(7).element::<K>(field);
        assert_eq!(x.inverse().unwrap().mul(&x), one);
        assert_eq!(one.sub(&one).inverse(), None);
        assert_eq!(one.neg().inverse(), Some(one.neg()));
        for n in [1, 2, 1 << 13, 1 << 14, 1 << 40, 3, 1000] {
            let scaled = x.scaled(Scale::Inverse(n));
            assert_eq!(scaled.mul(&BigElement::from_u64(field, n as u64)), x, "{prime}: 1/{n}");
        }
        assert_eq!(x.scaled(Scale::One), x);
        assert_eq!(x.pow(5), x.mul(&x).mul(&x).mul(&x).mul(&x));
    }
    for prime in [BigPrime::P1, BigPrime::P2, BigPrime::P3, BigPrime::P4, BigPrime::G4, BigPrime::G8, BigPrime::G32] {
        with_digit_count!(prime.digits(), K => check::<K>(prime));
    }
}

#[test]
fn text_and_limbs_are_those_of_big_integers() {
    fn check<const K: usize>(prime: BigPrime) {
        let (field, p) = (prime.field(), modulus(prime));
        let mut random = Random(3);
        let elements = edges::<K>(prime).into_iter().chain((0..20).map(|_| random.element(field)));
        for x in elements {
            let (number, digits) = (big(&x), x.digits().to_vec());
            assert_eq!(x.to_string(), number.to_str_radix(10));
            assert_eq!(format!("{x:#x}"), format!("{number:#x}"));
            let limbs = field.to_limbs(&digits);
            assert_eq!(BigUint::from_slice(bytemuck::cast_slice(&limbs)), number);
            assert_eq!(field.from_limbs(&limbs), Some(digits.clone()));
            for text in [x.to_string(), format!(" {x:#x}\n"), format!("000{x}")] {
                assert_eq!(field.parse(&text), Ok(digits.clone()), "{text}");
            }
        }
        for wrong in [p.to_str_radix(10), format!("{p:#x}"), (&p << 64u32).to_str_radix(10), "9".repeat(10_000)] {
            assert!(matches!(field.parse(&wrong), Err(Error::Syntax { .. })), "{wrong}");
        }
        for wrong in ["", "-1", "+1", "0x", "1 2", "1e5", "0xg", "1.0", "٣"] {
            assert!(matches!(field.parse(wrong), Err(Error::Syntax { .. })), "{wrong}");
        }
        assert_eq!(field.from_limbs(&field.to_limbs(&[0; K])), Some(vec![0; K]));
        assert_eq!(field.from_limbs(&[]), Some(vec![0; K]));
        assert_eq!(field.from_limbs(&p.to_u64_digits()), None);
    }
    for prime in [BigPrime::P1, BigPrime::P2, BigPrime::P3, BigPrime::P6, BigPrime::G4, BigPrime::G8, BigPrime::G32] {
        with_digit_count!(prime.digits(), K => check::<K>(prime));
    }
}

#[test]
fn wrong_digits_are_named() {
    let (field, r) = (BigPrime::P3.field(), BigPrime::P3.radix());
    let refused = |digits: &[u64], layout, element, digit| {
        let value = digits[if layout == Layout::Plain { element * 8 + digit } else { digit * 3 + element }];
        assert_eq!(field.check(digits, layout), Err(Error::Digit { element, digit, value, field: "P3", radix: r }));
    };
    let mut digits = vec![0; 24];
    field.check(&digits, Layout::Plain).unwrap();
    digits[15] = r;
    field.check(&digits, Layout::Plain).unwrap();
    refused(&digits, Layout::Sliced, 0, 5);
    digits[15] = r + 1;
    refused(&digits, Layout::Plain, 1, 7);
    digits[15] = r;
    digits[8] = 1;
    refused(&digits, Layout::Plain, 1, 7);
    digits[3] = u64::MAX;
    refused(&digits, Layout::Plain, 0, 3);
    assert!(matches!(field.check(&digits[1..], Layout::Plain), Err(Error::BufferLength { .. })));
    assert!(matches!(BigElement::<4>::new(field, [0; 4]), Err(Error::BufferLength { expected: 8, found: 4, .. })));
    assert!(matches!(BigElement::<8>::new(field, [r; 8]), Err(Error::Digit { digit: 0, .. })));
    let message = field.check(&digits, Layout::Plain).unwrap_err().to_string();
    let expected = format!("digit 3 of element 0 is {}, but P3 has digits below its radix {r}", u64::MAX);
    assert_eq!(message, expected);
}
