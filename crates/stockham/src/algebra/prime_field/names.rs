//! The fields that have names, and those that were asked for: one of each, for the life of the process.

use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

use super::modulus::{Modulus, Origin};
use super::{BigPrime, Error, PrimeField, Result, arithmetic};
use crate::algebra::big_prime::limbs as numbers;

/// Names, moduli, and the generators that other libraries over these fields make their roots of unity of: the scalar
/// fields of two pairing-friendly curves, and primes for residues of one word.
const NAMED: [(&str, &str, u64); 4] = [
    ("bls12-381", "0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", 7),
    ("bn254", "0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001", 5),
    ("babybear", "0x78000001", 31),
    ("koalabear", "0x7f000001", 3),
];

/// Roots of unity of the whole order 2^m that libraries have for these fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RootPreset {
    /// Its name.
    pub name: &'static str,
    /// The root, in hexadecimal after 0x.
    pub root: &'static str,
    /// The libraries that have it.
    pub libraries: &'static str,
}

const PRESETS: [(&str, RootPreset); 6] = [
    (
        "bls12-381",
        preset(
            "arkworks",
            "0x16a2a19edfe81f20d09b681922c813b4b63683508c2280b93829971f439f0d2b",
            "arkworks, zkcrypto, sppark",
        ),
    ),
    (
        "bn254",
        preset(
            "arkworks",
            "0x2a3c09f0a58a7e8500e0a7eb8ef62abc402d111e41112ed49bd61b6e725b19f0",
            "arkworks, Plonky3, snarkjs",
        ),
    ),
    ("bn254", preset("halo2", "0x3ddb9f5166d18b798865ea93dd31f743215cf6dd39329c8d34f1ed960c37c9c", "halo2curves")),
    ("babybear", preset("plonky3", "0x1a427a41", "Plonky3, OpenVM")),
    ("babybear", preset("risc0", "0x89", "RISC Zero, ICICLE, sppark")),
    ("koalabear", preset("plonky3", "0x6ac49f88", "Plonky3, SP1")),
];

const fn preset(name: &'static str, root: &'static str, libraries: &'static str) -> RootPreset {
    RootPreset { name, root, libraries }
}

/// The largest p has so many words, of which the uppermost bit is not used.
const MOST_WORDS: usize = 32;

type Register = RwLock<HashMap<String, &'static Modulus>>;

fn register() -> &'static Register {
    static REGISTER: LazyLock<Register> = LazyLock::new(Register::default);
    &REGISTER
}

fn find(name: &str) -> Option<PrimeField> {
    let modulus = register().read().unwrap_or_else(PoisonError::into_inner).get(name).copied();
    modulus.map(|modulus| PrimeField { modulus })
}

fn remember(modulus: Modulus) -> PrimeField {
    let mut register = register().write().unwrap_or_else(PoisonError::into_inner);
    let modulus = register.entry(modulus.name.clone()).or_insert_with_key(|_| Box::leak(Box::new(modulus)));
    PrimeField { modulus }
}

pub(super) fn named() -> impl Iterator<Item = PrimeField> {
    NAMED.into_iter().map(|(name, ..)| parse(name).expect("a field with a name"))
}

pub(super) fn presets(field: PrimeField) -> impl Iterator<Item = RootPreset> {
    let (name, _) = split_root(without_form(field.name()));
    PRESETS.into_iter().filter(move |(of, _)| *of == name).map(|(_, preset)| preset)
}

/// A field's name, and its root if one is named.
fn split_root(text: &str) -> (&str, Option<&str>) {
    text.split_once('@').map_or((text, None), |(field, root)| (field, Some(root)))
}

/// What stands behind the name of a field whose elements are in Montgomery's form.
const FORM: &str = "/montgomery";

fn without_form(name: &str) -> &str {
    name.strip_suffix(FORM).unwrap_or(name)
}

/// The same field with elements in Montgomery's form.
pub(super) fn montgomery(field: PrimeField) -> PrimeField {
    if field.is_montgomery() {
        return field;
    }
    let name = format!("{}{FORM}", field.name());
    find(&name).unwrap_or_else(|| {
        let mut modulus = Modulus::new(name, field.modulus.words.clone(), field.modulus.origin);
        modulus.is_montgomery = true;
        remember(modulus)
    })
}

/// The same field with residues for elements.
pub(super) fn plain(field: PrimeField) -> PrimeField {
    if !field.is_montgomery() {
        return field;
    }
    // It was there before the other one.
    find(without_form(field.name())).unwrap_or(field)
}

pub(super) fn with_root(field: PrimeField, text: &str) -> Result<PrimeField> {
    if field.is_montgomery() {
        return with_root(plain(field), text).map(montgomery);
    }
    // The roots that the field has by itself.
    let own = parse(split_root(field.name()).0)?;
    let named = presets(own).find(|preset| preset.name.eq_ignore_ascii_case(text));
    let number = named.map_or(text, |preset| preset.root);
    let syntax = |_| {
        let names: String = presets(own).map(|preset| format!("{}, ", preset.name)).collect();
        let expected = format!("{names}or a number below the prime, decimal or hexadecimal after 0x");
        Error::Syntax { what: "a root of unity of the field", found: text.chars().take(80).collect(), expected }
    };
    let root = own.parse(number).map_err(syntax)?;
    let modulus = own.modulus;
    if !modulus.is_root(&root) {
        let (root, two_adicity) = (text.into(), modulus.two_adicity);
        return Err(Error::Root { field: own.given(), root, two_adicity });
    }
    if modulus.whole_root().is_some_and(|own| modulus.plain(&own) == root) {
        return Ok(own);
    }
    let name = format!("{}@0x{}", own.name(), numbers::to_hex(root.clone()));
    if let Some(field) = find(&name) {
        return Ok(field);
    }
    Ok(remember(Modulus::new(name, modulus.words.clone(), Origin::Root(Box::leak(root.into())))))
}

pub(super) fn find_or_make(words: &[u64]) -> Result<PrimeField> {
    make_as(words, None)
}

/// The same for a prime that was given as a text, which refusals call it.
fn make_as(words: &[u64], given: Option<&str>) -> Result<PrimeField> {
    let bits = arithmetic::bits(words);
    let hex = format!("0x{}", numbers::to_hex(words.to_vec()));
    let named = NAMED.iter().find(|(_, modulus, _)| *modulus == hex);
    let name = named.map_or(hex.as_str(), |(name, ..)| name);
    let given = given.unwrap_or(name);
    let refused = |reason: &str| Err(Error::unsupported(format!("the field of integers modulo {given}"), reason));
    if bits < 2 || words[0].is_multiple_of(2) || bits as usize >= 64 * MOST_WORDS {
        return refused("p must be an odd prime of at most 2047 bits");
    }
    if let Some(field) = find(name) {
        return Ok(field);
    }
    let origin = named.map_or(Origin::Own, |(.., generator)| Origin::Generator(*generator));
    let modulus = Modulus::new(name.into(), padded(words), origin);
    if !modulus.seems_prime() {
        return refused("it is not prime");
    }
    Ok(remember(modulus))
}

pub(super) fn of_big_prime(prime: BigPrime) -> Result<PrimeField> {
    let name = format!("{prime}/residues");
    if let Some(field) = find(&name) {
        return Ok(field);
    }
    let bits = prime.bits();
    if bits as usize >= 64 * MOST_WORDS {
        return Err(Error::unsupported(format!("{prime} of {bits} bits as residues"), "p may have 2047 bits"));
    }
    // p − 1 = −1, and one more.
    let field = prime.field();
    let mut minus_one = vec![0; prime.digits()];
    minus_one[prime.digits() - 1] = prime.radix();
    let mut words = field.to_limbs(&minus_one);
    words[0] += 1;
    Ok(remember(Modulus::new(name, padded(&words), Origin::Of(prime))))
}

/// As many words as an element has: a power of two, the uppermost bit of which is free.
fn padded(words: &[u64]) -> Vec<u64> {
    let len = (arithmetic::bits(words) as usize / 64 + 1).next_power_of_two();
    let mut words = words.to_vec();
    words.resize(len, 0);
    words
}

pub(super) fn parse(text: &str) -> Result<PrimeField> {
    if let Some(field) = text.strip_suffix(FORM) {
        return parse(field).map(montgomery);
    }
    if let (field, Some(root)) = split_root(text) {
        return with_root(parse(field)?, root);
    }
    let named = NAMED.iter().find(|(name, ..)| name.eq_ignore_ascii_case(text));
    let number = named.map_or(text, |(_, modulus, _)| modulus);
    if let Some(field) = find(named.map_or(text, |(name, ..)| name)) {
        return Ok(field);
    }
    if let Some(prime) = text.strip_suffix("/residues") {
        return of_big_prime(prime.parse()?);
    }
    let words = numbers::parse(number, MOST_WORDS).ok_or_else(|| Error::Syntax {
        what: "a prime field",
        found: text.chars().take(80).collect(),
        expected: "a name as bls12-381, or an odd prime of at most 2047 bits".into(),
    })?;
    let field = make_as(&words, Some(text))?;
    if named.is_none() && text != field.name() {
        field.modulus.given.get_or_init(|| text.into());
    }
    Ok(field)
}
