//! The primes that have names, the text of the others, and which of those were proved already.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock, PoisonError, RwLock};

use super::{BigPrime, Field, proof};

macro_rules! primes {
    ($($name:ident = ($r:expr)^$k:literal: $note:literal,)*) => {
        impl BigPrime {
            $(
                #[doc = concat!("(", stringify!($r), ")^", stringify!($k), " + 1: ", $note, ".")]
                pub const $name: Self = Self { r: ($r) as u64, k: $k };
            )*
            /// The constants and their names.
            pub const NAMED: [(&'static str, Self); [$($k),*].len()] = [$((stringify!($name), Self::$name)),*];
        }
    };
}

const fn pow2(e: u32) -> u128 {
    1 << e
}

primes! {
    P1 = (pow2(63) + pow2(53))^2: "127 bits, 64-bit digits; P1 to P7 are those of the BPAS library",
    P2 = (pow2(64) - pow2(50))^4: "256 bits, 64-bit digits",
    P3 = (pow2(63) + pow2(34))^8: "505 bits, 64-bit digits",
    P4 = (pow2(62) + pow2(36))^16: "993 bits, 64-bit digits",
    P5 = (pow2(62) + pow2(56))^32: "1985 bits, 64-bit digits",
    P6 = (pow2(63) - pow2(40))^64: "4032 bits, 64-bit digits",
    P7 = (pow2(64) - pow2(28))^128: "8192 bits, 64-bit digits",
    G4 = (pow2(31) - pow2(28))^4: "124 bits, 32-bit digits",
    G8 = (pow2(32) - pow2(20))^8: "256 bits, 32-bit digits",
    G16 = (pow2(30) + pow2(16))^16: "481 bits, 32-bit digits",
    G32 = (pow2(32) - pow2(13))^32: "1024 bits, 32-bit digits",
    G32B = (pow2(32) - pow2(29))^32: "1018 bits, 32-bit digits",
    G64 = (pow2(32) - pow2(24))^64: "2048 bits, 32-bit digits",
    G64B = (pow2(32) - pow2(9))^64: "2048 bits, 32-bit digits",
    G128 = (pow2(30) - pow2(26))^128: "3829 bits, 32-bit digits",
    G256 = (pow2(26) - pow2(7))^256: "6656 bits, 32-bit digits",
    H2 = (pow2(64) - pow2(49))^2: "128 bits, 64-bit digits",
    H4 = (pow2(64) - pow2(26))^4: "256 bits, 64-bit digits",
    H8 = (pow2(61) + pow2(41))^8: "489 bits, 64-bit digits",
    H16 = (pow2(64) - pow2(17))^16: "1024 bits, 64-bit digits",
    H32 = (pow2(61) + pow2(56))^32: "1954 bits, 64-bit digits",
    H64 = (pow2(61) - pow2(20))^64: "3904 bits, 64-bit digits",
    H128 = (pow2(63) + pow2(12))^128: "8065 bits, 64-bit digits",
}

/// A prime that is a constant or was proved. It stays for the life of the process.
struct Known {
    name: String,
    field: OnceLock<Field>,
}

type Register = RwLock<HashMap<BigPrime, &'static Known>>;

fn register() -> &'static Register {
    static REGISTER: LazyLock<Register> = LazyLock::new(|| {
        let entry = |(name, prime): (&str, _)| (prime, known(name.into(), OnceLock::new()));
        RwLock::new(BigPrime::NAMED.into_iter().map(entry).collect())
    });
    &REGISTER
}

fn known(name: String, field: OnceLock<Field>) -> &'static Known {
    Box::leak(Box::new(Known { name, field }))
}

fn find(prime: BigPrime) -> Option<&'static Known> {
    register().read().unwrap_or_else(PoisonError::into_inner).get(&prime).copied()
}

/// Whether the prime is a constant or was proved before.
pub(super) fn is_known(prime: BigPrime) -> bool {
    find(prime).is_some()
}

/// Remembers that the prime is proved.
pub(super) fn remember(prime: BigPrime, field: Field) {
    let mut register = register().write().unwrap_or_else(PoisonError::into_inner);
    register.entry(prime).or_insert_with(|| known(format!("{},{}", radix_text(prime.r), prime.k), field.into()));
}

pub(super) fn name(prime: BigPrime) -> &'static str {
    &find(prime).expect("every BigPrime is a constant or was proved").name
}

pub(super) fn field(prime: BigPrime) -> &'static Field {
    let known = find(prime).expect("every BigPrime is a constant or was proved");
    known.field.get_or_init(|| {
        let nonresidue = proof::nonresidue(prime.r, prime.k).expect("a prime has a quadratic non-residue");
        Field::new(prime, nonresidue)
    })
}

pub(super) fn by_name(text: &str) -> Option<BigPrime> {
    BigPrime::NAMED.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, prime)| prime)
}

/// The radix in non-adjacent form, which has the fewest terms, unless those are many.
pub(super) fn radix_text(r: u64) -> String {
    let (mut rest, mut terms) = (u128::from(r), Vec::new());
    while rest > 0 {
        let e = rest.trailing_zeros();
        let minus = (rest >> e) & 3 == 3;
        rest = if minus { rest + pow2(e) } else { rest - pow2(e) };
        terms.push(format!("{}2^{e}", if minus { "-" } else { "+" }));
    }
    if terms.len() > 4 {
        return r.to_string();
    }
    terms.reverse();
    terms.concat().trim_start_matches('+').to_owned()
}

/// Radix and number of digits of a text, with the radix as [`radix_text`] writes it, or with decimal and hexadecimal numbers in it.
pub(super) fn parse(text: &str) -> Option<(u64, u32)> {
    let (radix, k) = text.split_once(',')?;
    let mut sum = 0i128;
    for plus in radix.split('+') {
        for (j, term) in plus.split('-').enumerate() {
            let value = number(term.trim())?;
            sum += if j == 0 { value } else { -value };
        }
    }
    Some((u64::try_from(sum).ok()?, k.trim().parse().ok()?))
}

/// A term up to 2^64.
fn number(text: &str) -> Option<i128> {
    let value = if let Some(e) = text.strip_prefix("2^") {
        pow2(e.parse().ok().filter(|&e| e <= 64)?)
    } else if let Some(hex) = text.strip_prefix("0x") {
        u64::from_str_radix(hex, 16).ok()?.into()
    } else {
        text.parse::<u64>().ok()?.into()
    };
    Some(value as i128)
}
