//! The assembly against the host's arithmetic.

use super::interpreter::Program;
use crate::algebra::Ring;
use crate::algebra::big_prime::tests::{Random, edges};
use crate::algebra::big_prime::{BigElement, BigPrime, with_digit_count};

/// The programs of a field.
struct Assembly<const K: usize> {
    prime: BigPrime,
    text: String,
}

impl<const K: usize> Assembly<K> {
    /// What a program makes of two elements, and whether it says that they are rare.
    fn run(&self, program: &Program, x: &BigElement<K>, y: &BigElement<K>) -> ([u64; K], bool) {
        let mut operands = vec![0; K + 1];
        operands.extend(x.digits().iter().chain(y.digits()));
        program.run(&mut operands);
        (std::array::from_fn(|i| operands[i]), operands[K] as u32 != 0)
    }

    /// Holds a program to the host's function: on dense elements, on special ones, and on pairs of both.
    fn check(&self, function: &str, expected: impl Fn(&BigElement<K>, &BigElement<K>) -> BigElement<K>) {
        let program = Program::of(&self.text, function);
        let mut random = Random(self.prime.radix());
        let mut dense = || random.dense::<K>(self.prime.field());
        for _ in 0..100 / K {
            let (x, y) = (dense(), dense());
            let (found, rare) = self.run(&program, &x, &y);
            assert_eq!(found, *expected(&x, &y).digits(), "{} {function} of {x:?} and {y:?}", self.prime);
            assert!(!rare, "{} {function} of {x:?} and {y:?} is not rare", self.prime);
        }
        let special = self.special();
        let pairs: Vec<_> = special.iter().flat_map(|x| special.iter().map(move |y| (*x, *y))).collect();
        let some = pairs.len().div_ceil(3000 / K) | 1;
        let mixed = special.iter().step_by(special.len().div_ceil(8)).map(|x| (*x, dense()));
        let checked: Vec<_> = pairs.iter().step_by(some).copied().chain(mixed).collect();
        let mut rare_ones = 0;
        for (x, y) in &checked {
            let (found, rare) = self.run(&program, x, y);
            rare_ones += usize::from(rare);
            assert!(rare || found == *expected(x, y).digits(), "{} {function} of {x:?} and {y:?}", self.prime);
        }
        assert!(rare_ones < checked.len(), "{} {function}: all are rare", self.prime);
    }

    fn special(&self) -> Vec<BigElement<K>> {
        let field = self.prime.field();
        let mut random = Random(K as u64);
        let mut special = edges::<K>(self.prime);
        // Large digits in one half, in every other place, in one place.
        let patterns: [&dyn Fn(usize) -> bool; 4] = [&|i| i < K / 2, &|i| i >= K / 2, &|i| i % 2 == 0, &|i| i == K - 1];
        for pattern in patterns {
            let digits = std::array::from_fn(|i| if pattern(i) { self.prime.radix() - 1 } else { 0 });
            special.push(BigElement::new(field, digits).expect("digits below r"));
        }
        special.extend((0..8).map(|_| random.element(field)));
        special
    }
}

/// The fields whose arithmetic is assembly.
fn primes() -> Vec<BigPrime> {
    let others = ["2^31-2^15,32"].map(|text| text.parse().expect("a prime"));
    let named = BigPrime::NAMED.into_iter().map(|(_, prime)| prime);
    named.chain(others).filter(|&prime| super::primitives(prime, &[]).is_some()).collect()
}

#[test]
fn assembly_computes_as_the_host_does() {
    for prime in primes() {
        with_digit_count!(prime.digits(), K => {
            let turns = [0, 1, K / 2, K + 1, 2 * K - 1];
            let text = super::primitives(prime, &turns).expect("a field with assembly");
            let assembly = Assembly::<K> { prime, text };
            for turn in turns.into_iter().chain([K]) {
                assembly.check(&format!("fast_bp_sum_{turn}"), |x, y| x.add(&y.mul_pow_r(turn)));
            }
            assembly.check("fast_bp_mul", |x, y| x.mul(y));
        });
    }
}

/// Digits 0 and r − 1 alone make no product rare: small integers, of either sign, times the trivial twiddle.
#[test]
fn small_integers_are_not_rare() {
    fn check<const K: usize>(prime: BigPrime) {
        let text = super::primitives(prime, &[]).expect("a field with assembly");
        let (assembly, field) = (Assembly::<K> { prime, text }, prime.field());
        let program = Program::of(&assembly.text, "fast_bp_mul");
        let one = BigElement::<K>::from_u64(field, 1);
        for value in [0, 1, 2, 1000] {
            let small = BigElement::from_u64(field, value);
            for x in [small, small.neg().sub(&one), small.sub(&one).mul_pow_r(1), small.mul_pow_r(K / 2 + 1)] {
                let (found, rare) = assembly.run(&program, &x, &one);
                assert!(!rare && found == *x.digits() || x == one.neg(), "{prime} {x:?}");
            }
        }
    }
    for prime in [BigPrime::P3, BigPrime::P4, BigPrime::G32] {
        with_digit_count!(prime.digits(), K => check::<K>(prime));
    }
}
