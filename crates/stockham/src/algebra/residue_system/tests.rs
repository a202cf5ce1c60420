use num_bigint::BigUint;

use super::{Constants, ResidueSystem};
use crate::Error;

fn number(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |number, &word| (number << 64) + word)
}

/// Words of integers below the product: edges, then any.
fn integers(system: ResidueSystem, count: usize) -> Vec<Vec<u64>> {
    let (k, product) = (system.primes(), system.product());
    let less = |by: u64| {
        let mut words = product.clone();
        words[0] -= by;
        words
    };
    let mut edges = vec![vec![0; k], vec![0; k], less(1), less(2)];
    edges[1][0] = 1;
    edges.extend(system.moduli().into_iter().flat_map(|q| {
        [q - 1, q, q + 1].map(|value| {
            let mut words = vec![0; k];
            words[0] = value;
            words
        })
    }));
    let mut state = 7u64;
    let mut word = || {
        state = state.wrapping_mul(0xd129_0d3a_2a1e_53c5).wrapping_add(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        state ^ state >> 31
    };
    let random = (0..count).map(|_| {
        let mut words: Vec<u64> = (0..k).map(|_| word()).collect();
        words[k - 1] %= product[k - 1].max(1);
        words
    });
    // Of a single prime only q − 1 and less are below the product.
    edges.into_iter().chain(random).filter(|x| number(x) < number(&product)).collect()
}

#[test]
fn primes_are_the_largest_ones() {
    let system = ResidueSystem::new(4, 26).unwrap();
    let moduli = system.moduli();
    assert!(moduli.windows(2).all(|pair| pair[1] < pair[0]));
    assert!(moduli.iter().all(|q| *q < 1 << 62 && (q - 1).is_multiple_of(1 << 26)));
    assert_eq!(system.fields().unwrap().iter().map(|field| field.modulus()[0]).collect::<Vec<_>>(), moduli);
    // None was left out: nothing between them is prime.
    let mut above = 1u64 << 62;
    for q in moduli {
        let between = (q >> 26) + 1..above >> 26;
        assert!(between.map(|c| (c << 26) + 1).all(|n| crate::algebra::PrimeField::new(&[n]).is_err()));
        above = q;
    }
}

#[test]
fn residues_and_words_are_those_of_big_integers() {
    for k in [1, 2, 3, 5, 8, 16, 31, 32] {
        let system = ResidueSystem::new(k, 26).unwrap();
        let constants = Constants::of(system);
        assert_eq!(number(&system.product()), system.moduli().iter().map(|&q| BigUint::from(q)).product());
        for x in integers(system, 50) {
            let residues: Vec<u64> = (0..k).map(|j| constants.residue(j, &x)).collect();
            for (&residue, q) in residues.iter().zip(system.moduli()) {
                assert_eq!(BigUint::from(residue), number(&x) % q, "{system:?}");
            }
            assert_eq!(constants.words(&residues), x, "{system:?}");
        }
        // Any words have residues, as large as they may be.
        let x = vec![u64::MAX; k];
        for (j, q) in system.moduli().into_iter().enumerate() {
            assert_eq!(BigUint::from(constants.residue(j, &x)), number(&x) % q, "{system:?}");
        }
        // The largest residues make −1.
        let largest: Vec<u64> = system.moduli().iter().map(|q| q - 1).collect();
        assert_eq!(number(&constants.words(&largest)) + 1u64, number(&system.product()));
    }
}

#[test]
fn what_makes_no_system_is_refused() {
    for (primes, two_adicity) in [(0, 26), (33, 26), (4, 0), (4, 49), (usize::MAX, 26), (32, 48)] {
        let refused = ResidueSystem::new(primes, two_adicity);
        let is_there = primes == 32 && two_adicity == 48;
        assert!(is_there == refused.is_ok() && (is_there || matches!(refused, Err(Error::Unsupported { .. }))));
    }
    let system = ResidueSystem::new(2, 26).unwrap();
    assert_eq!(serde_json::from_str::<ResidueSystem>(&serde_json::to_string(&system).unwrap()).unwrap(), system);
    assert!(serde_json::from_str::<ResidueSystem>(r#"{"primes":40,"two_adicity":26}"#).is_err());
    let product = system.product();
    let below = [product[0] - 1, product[1]];
    assert_eq!(system.check(&below), Ok(()));
    assert_eq!(
        system.check(&[below, below, [product[0], product[1]]].concat()),
        Err(Error::ResidueRange { element: 2, primes: 2 })
    );
    assert!(matches!(system.check(&[1, 2, 3]), Err(Error::BufferLength { .. })));
}
