use num_bigint::BigUint;

use super::*;
use crate::algebra::{Numbers, Ring, Root, Scale, with_word_count};
use crate::naive;

fn big(words: &[u64]) -> BigUint {
    BigUint::new(words.iter().flat_map(|w| [*w as u32, (*w >> 32) as u32]).collect())
}

/// Fields of every number of words.
fn fields() -> Vec<PrimeField> {
    let named = PrimeField::named();
    // The largest primes below 2^62 and 2^63.
    let words = [(1 << 62) - 57, (1u64 << 63) - 25].map(|p| PrimeField::new(&[p]).unwrap());
    let big = [BigPrime::P1, BigPrime::P2, BigPrime::P3, BigPrime::P4, BigPrime::P5, BigPrime::G32];
    named.chain(words).chain(big.map(|prime| PrimeField::of(prime).unwrap())).collect()
}

/// Numbers below p, those at its edges first.
fn samples<const L: usize>(field: PrimeField) -> Vec<Residue<L>> {
    let p = big(field.modulus());
    let mut state = 7u64;
    let mut word = || {
        state = state.wrapping_mul(0xd129_0d3a_2a1e_53c5).wrapping_add(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        state ^ state >> 31
    };
    let edges = [BigUint::ZERO, 1u32.into(), 2u32.into(), &p - 1u32, &p - 2u32, &p / 2u32, &p / 2u32 + 1u32];
    let random = (0..40).map(|_| big(&(0..L).map(|_| word()).collect::<Vec<_>>()) % &p);
    let residue = |x: BigUint| {
        let mut words = [0; L];
        words.iter_mut().zip(x.to_u64_digits()).for_each(|(w, d)| *w = d);
        Residue::new(field, words).unwrap()
    };
    edges.into_iter().chain(random).map(residue).collect()
}

#[test]
fn quotients_spare_half_of_a_product() {
    fn check<const L: usize>(field: PrimeField) {
        let (p, r) = (big(field.modulus()), BigUint::from(1u32) << (64 * L));
        for y in samples::<L>(field).iter().map(|y| big(&y.words())) {
            let form: Vec<u64> = (&y * &r % &p).to_u64_digits().into_iter().chain([0; L]).take(L).collect();
            let pair = field.pair(&form);
            assert_eq!((big(&pair[..L]), big(&pair[L..])), (y.clone(), &y * &r / &p), "{}", field.name());
            // What is left of a product is below 3p/2, so that there is room for what the lowest words of x·q carry.
            for x in samples::<L>(field).iter().map(|x| big(&x.words())) {
                let upper = &x * big(&pair[L..]) / &r;
                assert!(&x * &y - &upper * &p < &p + (&p >> 1) + 1u32, "{}: {x}·{y}", field.name());
            }
        }
    }
    for field in fields().into_iter().filter(|field| field.has_pairs()) {
        with_word_count!(field.words(), L => check::<L>(field));
    }
}

#[test]
fn arithmetic_is_that_of_big_integers() {
    fn check<const L: usize>(field: PrimeField) {
        let p = big(field.modulus());
        let all = samples::<L>(field);
        for x in &all {
            let a = big(&x.words());
            assert_eq!(big(&x.neg().words()), (&p - &a) % &p, "{field}");
            assert_eq!(x.inverse().map(|y| y.mul(x)), (a != BigUint::ZERO).then(|| x.integer(1)), "{field}");
            for y in &all {
                let b = big(&y.words());
                assert_eq!(big(&x.add(y).words()), (&a + &b) % &p, "{field}");
                assert_eq!(big(&x.sub(y).words()), (&a + &p - &b) % &p, "{field}");
                assert_eq!(big(&x.mul(y).words()), &a * &b % &p, "{field}");
            }
        }
    }
    for field in fields() {
        with_word_count!(field.words(), L => check::<L>(field));
    }
}

#[test]
fn roots_have_their_orders_and_big_primes_lend_theirs() {
    fn check<const L: usize>(field: PrimeField) {
        let one = Residue::<L>::one(field);
        for log in [1, 2, 5, field.max_log_len()] {
            let root = one.root_of_unity(Root::new(1, 1usize << log.min(field.max_log_len())));
            let half = (1..log.min(field.max_log_len())).fold(root, |x, _| x.mul(&x));
            assert_eq!(half, one.neg(), "{field}, 2^{log}");
        }
        assert_eq!(one.scaled(Scale::Inverse(4)).mul(&one.integer(4)), one);
    }
    for field in fields() {
        with_word_count!(field.words(), L => check::<L>(field));
    }
    let (field, prime) = (PrimeField::of(BigPrime::P3).unwrap(), BigPrime::P3.field());
    for (k, n) in [(1, 16), (3, 64), (5, 1 << 20)] {
        let root = Residue::<8>::one(field).root_of_unity(Root::new(k, n));
        assert_eq!(root.words().to_vec(), prime.to_limbs(&prime.root(Root::new(k, n))));
    }
}

/// Every preset is a root of the whole order, and one of each field is its own.
#[test]
fn presets_are_roots() {
    for field in PrimeField::named() {
        let of = |preset: RootPreset| field.with_root(preset.name).unwrap();
        assert_eq!(field.root_presets().filter(|preset| of(*preset) == field).count(), 1, "{field}");
        for preset in field.root_presets() {
            let order = 1 << field.two_adicity();
            let (root, words) = (of(preset).root(Root::new(1, order)), field.parse(preset.root).unwrap());
            assert_eq!(root, words, "{field}, {}", preset.name);
            assert_eq!(of(preset).root(Root::new(1, 2)), field.root(Root::new(1, 2)));
        }
    }
}

/// The roots of the highest order that arkworks, sppark and Plonky3 have for these fields.
#[test]
fn roots_are_those_of_other_libraries() {
    for (name, generator, order, root) in [
        ("bls12-381", 7, 32, "0x16a2a19edfe81f20d09b681922c813b4b63683508c2280b93829971f439f0d2b"),
        ("bn254", 5, 28, "0x2a3c09f0a58a7e8500e0a7eb8ef62abc402d111e41112ed49bd61b6e725b19f0"),
        ("babybear", 31, 27, "0x1a427a41"),
        ("koalabear", 3, 24, "0x6ac49f88"),
    ] {
        let field: PrimeField = name.parse().unwrap();
        assert_eq!((field.generator(), field.max_log_len()), (Some(generator), order));
        assert_eq!(field.root(Root::new(1, 1 << order)), field.parse(root).unwrap(), "{name}");
    }
    // 3 is the smallest non-residue of 17, and 9 = 3² the root of order 8.
    let field: PrimeField = "17".parse().unwrap();
    assert_eq!((field.generator(), field.root(Root::new(1, 8))), (Some(3), vec![9]));
    assert_eq!(PrimeField::of(BigPrime::P3).unwrap().generator(), None);
}

#[test]
fn the_definition_holds_over_a_small_field() {
    // 2 has order 8 modulo 17, and 3² = 9 is the square root of −1·… that the smallest non-residue 3 gives for order 8.
    let field: PrimeField = "17".parse().unwrap();
    let x: Vec<_> = (0..8).map(|i| Residue::<1>::new(field, [i * i % 17]).unwrap()).collect();
    let y = naive::dft(&x, crate::Direction::Forward);
    for (k, y) in y.iter().enumerate() {
        let sum: u64 = (0..8u64).map(|j| j * j % 17 * (0..j * k as u64).fold(1, |w, _| w * 9 % 17)).sum();
        assert_eq!(y.words(), [sum % 17]);
    }
}

#[test]
fn what_is_no_field_is_refused() {
    for text in ["", "x", "-5", "0x", "bls", "1e9", "P3/residue"] {
        assert!(matches!(text.parse::<PrimeField>(), Err(Error::Syntax { .. })), "{text}");
    }
    // Small ones, Carmichael's 561, a strong pseudoprime to the bases 2 to 37, squares, and what is too long.
    let long = format!("0x1{}", "0".repeat(511) + "1");
    for text in ["0", "1", "2", "4", "561", "318665857834031151167461", "998244351", long.as_str()] {
        assert!(matches!(text.parse::<PrimeField>(), Err(Error::Unsupported { .. } | Error::Syntax { .. })), "{text}");
    }
    let field: PrimeField = "bn254".parse().unwrap();
    assert!(matches!(field.check(field.modulus(), Layout::Plain), Err(Error::Residue { element: 0, field: "bn254" })));
    assert!(matches!(field.check(&[0; 5], Layout::Plain), Err(Error::BufferLength { expected: 8, found: 5, .. })));
    assert!(matches!(Residue::<1>::new(field, [0]), Err(Error::BufferLength { expected: 4, found: 1, .. })));
    assert!(PrimeField::of(BigPrime::P6).is_err());
}

#[test]
fn names_come_back() {
    let rooted = ["babybear@risc0", "bn254@halo2"].map(|text| text.parse::<PrimeField>().unwrap());
    for field in fields().into_iter().chain(rooted) {
        assert_eq!(field.name().parse::<PrimeField>().unwrap(), field);
        let text = serde_json::to_string(&field).unwrap();
        assert_eq!(serde_json::from_str::<PrimeField>(&text).unwrap(), field);
    }
    let decimal: PrimeField =
        "52435875175126190479447740508185965837690552500527637822603658699938581184513".parse().unwrap();
    assert_eq!(decimal.name(), "bls12-381");
    // In files by one name, in messages as it was given.
    let given: PrimeField = "7340033".parse().unwrap();
    assert_eq!((given.name(), given.given()), ("0x700001", "7340033"));
    assert_eq!("0x700001".parse::<PrimeField>().unwrap(), given);
    let error = "7340035".parse::<PrimeField>().unwrap_err();
    assert!(error.to_string().contains("modulo 7340035"), "{error}");
}

#[test]
fn evaluated_polynomials_are_outputs_of_transforms() {
    fn check<const L: usize>(field: PrimeField, n: usize) {
        let values = crate::accuracy::random_residues(field, Layout::Sliced, n, 3);
        field.check(&values, Layout::Sliced).unwrap();
        let element = |i: usize| Residue::<L>::new(field, std::array::from_fn(|c| values[c * n + i])).unwrap();
        let x: Vec<_> = (n / 2..n).map(element).collect();
        for k in [0, 1, n / 8 * 3] {
            let z = field.root(Root::new(k, n / 2));
            let y = field.evaluate(&values, Layout::Sliced, n / 2..n, &z);
            assert_eq!(y, naive::dft_at(&x, k, crate::Direction::Forward).words(), "{field}, output {k}");
        }
        let (half, two) = (field.inverse_of_pow2(1), x[0].integer(2).words());
        assert_eq!(field.multiply(&half, &two), x[0].integer(1).words());
    }
    check::<1>("babybear".parse().unwrap(), 1 << 13);
    check::<4>("bn254".parse().unwrap(), 1 << 12);
    check::<8>(PrimeField::of(BigPrime::P3).unwrap(), 64);
}
