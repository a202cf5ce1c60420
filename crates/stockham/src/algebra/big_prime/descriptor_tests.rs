//! Descriptors: primality, sizes, text.

use super::{BigPrime, names, proof};
use crate::error::Error;

#[test]
fn the_constants_are_prime() {
    for (name, prime) in BigPrime::NAMED {
        assert!(proof::prove(prime).is_some(), "{name}");
    }
}

#[test]
fn composites_are_refused() {
    // Neighbours of P3, a multiple of 5, 2^32 + 1 = 641 · 6700417, and numbers without a small factor.
    for (r, k) in [((1 << 63) + (1 << 33), 8), (8, 2), (256, 4), (1 << 63, 8), (u64::MAX - 1, 2)] {
        assert_eq!(BigPrime::new(r, k), Err(Error::NotPrime { r, k }));
    }
    for (r, k) in [(3, 2), (2, 2), (6, 3), (6, 512), (6, 1), (0, 0)] {
        assert!(matches!(BigPrime::new(r, k), Err(Error::Unsupported { .. })), "{r}, {k}");
    }
}

#[test]
fn small_ones_are_found_exactly() {
    let is_prime = |p: u64| (2..).take_while(|d| d * d <= p).all(|d| !p.is_multiple_of(d));
    for r in (4..300).step_by(2) {
        assert_eq!(BigPrime::new(r, 2).is_ok(), is_prime(r * r + 1), "{r}^2 + 1");
    }
    for r in (4..60).step_by(2) {
        assert_eq!(BigPrime::new(r, 4).is_ok(), is_prime(r.pow(4) + 1), "{r}^4 + 1");
    }
}

#[test]
fn sizes_are_those_published() {
    let sizes = |p: BigPrime| (p.digits(), p.base_order(), p.bits(), p.two_adicity(), p.digit_bytes());
    assert_eq!(sizes(BigPrime::P1), (2, 4, 127, 106, 8));
    assert_eq!(sizes(BigPrime::P2), (4, 8, 256, 200, 8));
    assert_eq!(sizes(BigPrime::P4), (16, 32, 993, 576, 8));
    assert_eq!(sizes(BigPrime::P7), (128, 256, 8192, 3584, 8));
    assert_eq!(sizes(BigPrime::G8), (8, 16, 256, 160, 4));
    assert_eq!(sizes(BigPrime::G256), (256, 512, 6656, 1792, 4));
    assert_eq!(sizes(BigPrime::H128), (128, 256, 8065, 1536, 8));
}

#[test]
fn text_and_back() {
    let other = BigPrime::new((1 << 59) + (1 << 57) + (1 << 39), 8).unwrap();
    assert_eq!(other.to_string(), "2^59+2^57+2^39,8");
    for prime in BigPrime::NAMED.into_iter().map(|(_, p)| p).chain([other]) {
        assert_eq!(prime.to_string().parse(), Ok(prime));
        let json = serde_json::to_string(&prime).unwrap();
        assert_eq!(json, format!("\"{prime}\""));
        assert_eq!(serde_json::from_str::<BigPrime>(&json).unwrap(), prime);
    }
    for text in ["18446744073708503040,8", "0xfffffffffff00000, 8", "2^64 - 2^20,8", " 2^63+2^63-2^20,8"] {
        assert_eq!(names::parse(text), Some(((1u64 << 20).wrapping_neg(), 8)), "{text}");
    }
    for text in ["", "P8", "2^63+2^34", ",8", "2^65,8", "2^64,8", "-2^3,8", "2^63+,8", "1e9,8", "2^63+2^34,8,9"] {
        assert!(matches!(text.parse::<BigPrime>(), Err(Error::Syntax { .. })), "{text}");
    }
    assert!(serde_json::from_str::<BigPrime>("\"2^63+2^33,8\"").unwrap_err().to_string().contains("not prime"));
}
