//! The assembly against the host's arithmetic.

use super::interpreter::Program;
use crate::algebra::Ring;
use crate::algebra::big_prime::tests::{Random, edges};
use crate::algebra::big_prime::{BigElement, BigPrime, with_digit_count};
use crate::algebra::traced::SumNumber;

/// x·r^s − 1 as the rotation leaves it: computed on digits, as its text says. Nothing if x is rare.
fn rotated<const K: usize>(prime: BigPrime, x: &BigElement<K>, s: usize) -> Option<[u64; K]> {
    let (all, highest) = (all_bits(prime), prime.radix() - 1);
    let mut digits = *x.digits();
    let s = match digits[0] {
        0 if digits.iter().any(|&digit| digit != 0) => return None,
        0 => 0,
        _ => s,
    };
    digits[0] = digits[0].wrapping_sub(1) & all;
    for step in (0..=K.ilog2()).map(|bit| 1 << bit).filter(|step| s & step != 0) {
        digits.rotate_right(step % K);
        digits.iter_mut().take(step).for_each(|digit| *digit = highest - *digit);
    }
    Some(digits)
}

/// The greatest number that a digit's words hold.
fn all_bits(prime: BigPrime) -> u64 {
    u64::MAX >> (64 - 8 * prime.digit_bytes())
}

/// Digits that are one less than the element.
fn one_less<const K: usize>(prime: BigPrime, x: &BigElement<K>) -> [u64; K] {
    if x.digits().iter().all(|&digit| digit == 0) {
        return std::array::from_fn(|i| if i == 0 { all_bits(prime) } else { 0 });
    }
    *x.sub(&BigElement::from_u64(prime.field(), 1)).digits()
}

/// The programs of a field.
struct Assembly<const K: usize> {
    prime: BigPrime,
    text: String,
}

impl<const K: usize> Assembly<K> {
    /// What a program makes of two elements, and whether it says that they are rare.
    fn run(&self, program: &Program, x: &BigElement<K>, y: &BigElement<K>) -> ([u64; K], bool) {
        self.run_on(program, x.digits(), y.digits())
    }

    fn run_on(&self, program: &Program, x: &[u64; K], y: &[u64; K]) -> ([u64; K], bool) {
        let mut operands = vec![0; K + 1];
        operands.extend(x.iter().chain(y));
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

    /// Holds a sum of elements that may be one less to the host's: of rotated elements, dense and special ones.
    fn check_sum_of_rotated(&self, number: usize) {
        let (prime, kind) = (self.prime, SumNumber::of(number, 2 * K));
        let program = Program::of(&self.text, &format!("fast_bp_sum_{number}"));
        let mut random = Random(prime.radix());
        let mut elements: Vec<_> = (0..20).map(|_| random.dense::<K>(prime.field())).collect();
        let dense = elements.len();
        elements.extend(self.special());
        let mut rare_ones = 0;
        let mut checked = 0;
        for i in 0..400 {
            let (m, n) = (random.below(elements.len()), random.below(elements.len()));
            let exponents = [random.below(2 * K), random.below(2 * K)];
            let operand = |which: usize, x: &BigElement<K>| {
                let turned = x.mul_pow_r(exponents[which]);
                let less = kind.less[which];
                let digits = if less { rotated(prime, x, exponents[which]) } else { Some(*turned.digits()) };
                digits.map(|digits| (turned, digits))
            };
            let [(a, of_a), (b, of_b)] = match [operand(0, &elements[m]), operand(1, &elements[n])] {
                [Some(a), Some(b)] => [a, b],
                _ => continue,
            };
            let (found, rare) = self.run_on(&program, &of_a, &of_b);
            let sum = a.add(&b.mul_pow_r(kind.turn));
            let expected = if kind.gives_less() { one_less(prime, &sum) } else { *sum.digits() };
            assert!(rare || found == expected, "{prime} sum {number} of {a:?} and {b:?}: pair {i}");
            // Digits of the same element may cancel.
            let is_usual = m < dense && n < dense && m != n;
            assert!(!rare || !is_usual, "{prime} sum {number} of {a:?} and {b:?} is not rare");
            rare_ones += usize::from(rare);
            checked += 1;
        }
        assert!(4 * rare_ones < 3 * checked, "{prime} sum {number}: of {checked} pairs {rare_ones} are rare");
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
            let turns = [0, 1, K / 2, K, K + 1, 2 * K - 1];
            let second_less = turns.map(|turn| 4 * K + turn);
            let first_less = [0, K].map(|turn| 2 * K + turn);
            let both_less = [0, K].map(|turn| 6 * K + turn);
            let numbers = [&turns[..], &first_less, &second_less, &both_less].concat();
            let text = super::primitives(prime, &numbers).expect("a field with assembly");
            let assembly = Assembly::<K> { prime, text };
            for turn in turns {
                assembly.check(&format!("fast_bp_sum_{turn}"), |x, y| x.add(&y.mul_pow_r(turn)));
            }
            for number in numbers {
                assembly.check_sum_of_rotated(number);
            }
            assembly.check("fast_bp_mul", |x, y| x.mul(y));
        });
    }
}

/// What a rotation leaves is one less, for every exponent, and `raise` puts that right.
#[test]
fn rotations_come_out_one_less() {
    fn check<const K: usize>(prime: BigPrime) {
        let text = super::primitives(prime, &[]).expect("a field with assembly");
        let (assembly, program) = (Assembly::<K> { prime, text: text.clone() }, Program::of(&text, "fast_bp_raise"));
        let mut random = Random(prime.radix());
        let dense: Vec<_> = (0..4).map(|_| random.dense::<K>(prime.field())).collect();
        let (count, zero) = (dense.len(), BigElement::from_u64(prime.field(), 0));
        for (i, x) in dense.into_iter().chain([zero]).chain(assembly.special()).enumerate() {
            for s in 0..2 * K {
                let Some(found) = rotated(prime, &x, s) else {
                    assert!(i > count, "{prime} {x:?} is not rare");
                    continue;
                };
                let whole = x.mul_pow_r(s);
                let one = BigElement::<K>::from_u64(prime.field(), 1);
                let known = whole == zero || found.iter().all(|&digit| digit < prime.radix());
                assert!(known, "{prime} {x:?} {s}");
                if whole != zero {
                    let less = BigElement::new(prime.field(), found).expect("digits below r");
                    assert_eq!(less.add(&one), whole, "{prime} {x:?} {s}");
                }
                let mut operands = vec![0; K + 1];
                operands.extend(found);
                program.run(&mut operands);
                let is_rare = operands[K] as u32 != 0;
                assert!(is_rare && i > count || operands[..K] == *whole.digits(), "{prime} {x:?} {s} raised");
            }
        }
    }
    for prime in primes() {
        with_digit_count!(prime.digits(), K => check::<K>(prime));
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
