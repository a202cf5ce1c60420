use num_bigint::BigUint;

use super::arithmetic::{WordModulus, by_constant, montgomery, reduced};
use super::*;
use crate::algebra::{Algebra, MachineWord, Numbers, Ring, Scale};
use crate::naive;

/// Primes of both words, near their ends and far from them.
fn fields() -> Vec<WordField> {
    let texts = [
        "babybear",
        "koalabear",
        "998244353",
        "3",
        "17",
        "2147483629",
        "2147483659",
        "0x7fffffffffffffe7",
        "0x3fffffee00000001",
        "0x1fffffffffe00001",
        "0xffffffffffc0001",
        "0x80140001",
    ];
    texts.map(|text| text.parse().unwrap()).into()
}

/// Words below a bound, those at its edges first.
fn samples(bound: u64) -> Vec<u64> {
    let mut state = 7u64;
    let mut word = || {
        state = state.wrapping_mul(0xd129_0d3a_2a1e_53c5).wrapping_add(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        state ^ state >> 31
    };
    let edges = [0, 1, 2, bound - 1, bound.saturating_sub(2), bound / 2, bound / 2 + 1];
    edges.into_iter().map(|x| x.min(bound - 1)).chain((0..40).map(|_| word() % bound)).collect()
}

#[test]
fn arithmetic_is_that_of_integers() {
    fn check<W: Digit + MachineWord>(field: WordField) {
        let p = u128::from(field.modulus());
        let element = |x: u64| WordElement::<W>::new(field, W::truncated(x)).unwrap();
        let value = |x: WordElement<W>| -> u128 { Into::<u64>::into(x.value()).into() };
        for a in samples(field.modulus()) {
            let x = element(a);
            assert_eq!(value(x.neg()), (p - u128::from(a)) % p, "{field}");
            assert_eq!(x.inverse().map(|y| value(y.mul(&x))), (a != 0).then_some(1), "{field}");
            for b in samples(field.modulus()) {
                let y = element(b);
                let (a, b) = (u128::from(a), u128::from(b));
                assert_eq!(value(x.add(&y)), (a + b) % p, "{field}");
                assert_eq!(value(x.sub(&y)), (a + p - b) % p, "{field}");
                assert_eq!(value(x.mul(&y)), a * b % p, "{field}");
            }
        }
    }
    for field in fields() {
        match field.word() {
            Word::U32 => check::<u32>(field),
            _ => check::<u64>(field),
        }
    }
}

/// Products of any word, as kernels have them, are the right residues and below 2p.
#[test]
fn products_of_unreduced_words_are_below_twice_the_prime() {
    fn check<W: Digit + MachineWord>(field: WordField) {
        let (p, width) = (field.modulus(), 8 * size_of::<W>());
        let word = W::truncated;
        let modulus = WordModulus { prime: word(p), inverse: word(field.constants.inverse) };
        let big = |x: W| BigUint::from(Into::<u64>::into(x));
        let most = if width == 32 { u64::from(u32::MAX) } else { u64::MAX };
        for c in samples(p) {
            for x in samples(most).into_iter().chain([most]) {
                let expected = BigUint::from(x) * c % p;
                let shoup = by_constant(&word(p), &word(x), [&word(c), &word(field.quotient(c))]);
                assert!(big(shoup) < BigUint::from(p) * 2u32 && big(shoup) % p == expected, "{x}·{c} in {field}");
                let form = field.product(c, field.constants.one);
                let product = montgomery(&modulus, &word(x), &word(form));
                assert!(big(product) < BigUint::from(p) * 2u32 && big(product) % p == expected, "{x}·{c} in {field}");
                assert_eq!(big(reduced(&product, &word(p))), expected, "{x}·{c} in {field}");
            }
        }
    }
    for field in fields() {
        match field.word() {
            Word::U32 => check::<u32>(field),
            _ => check::<u64>(field),
        }
    }
}

/// What Montgomery's reduction leaves of products of two words that are not reduced: below x·y/R + p.
#[test]
fn products_of_two_unreduced_words_have_their_bound() {
    let field: WordField = "0xffffffffffc0001".parse().unwrap();
    let (p, inverse) = (field.modulus(), field.constants.inverse);
    let mut largest = 0;
    for (a, b) in [(16u64, 1u64), (16, 3), (15, 16), (4, 4)] {
        for x in samples(a * p).into_iter().chain([a * p - 1]) {
            for y in samples(b * p).into_iter().chain([b * p - 1]) {
                let product = montgomery(&WordModulus { prime: p, inverse }, &x, &y);
                let expected = field.product(x % p, y % p);
                assert_eq!(field.product(product % p, field.constants.one), expected, "{x}·{y}");
                assert!(product / p < (a * b).div_ceil(16) + 1, "{x}·{y}");
                largest = largest.max(product / p);
            }
        }
    }
    assert!(largest > 10, "{largest}");
}

#[test]
fn roots_and_scales_are_those_of_the_field() {
    for name in ["babybear", "koalabear"] {
        let field: WordField = name.parse().unwrap();
        let one = WordElement::<u32>::new(field, 1).unwrap();
        for (k, log) in [(0, 0), (1, 1), (1, 2), (3, 5), (5, 24)] {
            let root = Root::new(k, 1 << log);
            assert_eq!(u64::from(one.root_of_unity(root).value()), field.root(root), "{name}");
        }
        assert_eq!(one.scaled(Scale::Inverse(1 << 20)).mul(&one.integer(1 << 20)), one);
    }
    // 2 has order 8 modulo 17, and 3² = 9 is the root of order 8 that the smallest non-residue 3 gives.
    let field: WordField = "17".parse().unwrap();
    let x: Vec<_> = (0..8).map(|i| WordElement::<u32>::new(field, i * i % 17).unwrap()).collect();
    for (k, y) in naive::dft(&x, crate::Direction::Forward).iter().enumerate() {
        let sum: u64 = (0..8u64).map(|j| j * j % 17 * (0..j * k as u64).fold(1, |w, _| w * 9 % 17)).sum();
        assert_eq!(u64::from(y.value()), sum % 17);
    }
}

#[test]
fn what_is_no_element_or_no_word_is_refused() {
    assert!(matches!("bn254".parse::<WordField>(), Err(Error::Unsupported { .. })));
    // 2^63 + 29 is prime.
    assert!(matches!("9223372036854775837".parse::<WordField>(), Err(Error::Unsupported { .. })));
    let field: WordField = "998244353".parse().unwrap();
    let refused = |index, value| Err(Error::FieldValue { index, value, field: "998244353", modulus: 998_244_353 });
    assert_eq!(field.check(&[1u32, 998_244_353]), refused(1, 998_244_353));
    assert_eq!(WordElement::<u32>::new(field, u32::MAX).map(drop), refused(0, u32::MAX.into()));
    assert!(matches!(WordElement::<u64>::new(field, 1), Err(Error::ElementType { .. })));
    let text = serde_json::to_string(&Algebra::WordField(field)).unwrap();
    assert_eq!(text, r#"{"word-field":"0x3b800001"}"#);
    assert_eq!(serde_json::from_str::<Algebra>(&text).unwrap(), Algebra::WordField(field));
    assert!(serde_json::from_str::<Algebra>(r#"{"word-field":"bn254"}"#).is_err());
    assert_eq!("998244353".parse::<Algebra>().unwrap(), Algebra::WordField(field));
}

#[test]
fn roots_of_all_orders_are_one_family() {
    for text in ["babybear", "koalabear", "2147483647", "0x10008330001", "babybear@risc0", "97"] {
        let field: WordField = text.parse().unwrap();
        let power = |x: u64, e: usize| (0..e).fold(1, |power, _| field.multiply(power, x));
        for n in (1..=700).filter(|n| field.has_root(*n)) {
            let root = field.root(Root::new(1, n));
            for d in (1..=n).filter(|d| n.is_multiple_of(*d)) {
                assert_eq!(power(root, n / d), field.root(Root::new(1, d)), "{text}: {n}, {d}");
            }
            assert_eq!(power(root, n), 1, "{text}: {n}");
            assert!((1..n).filter(|d| n.is_multiple_of(*d)).all(|d| power(root, d) != 1), "{text}: {n}");
            let many: Vec<u64> = field.roots_in_form(&(0..n).map(|k| Root::new(k, n)).collect::<Vec<_>>()).collect();
            assert!((0..n).all(|k| many[k] == field.in_form(power(root, k))), "{text}: {n}");
        }
        assert!(!field.has_root(0));
    }
}
