//! A prime and what follows from it: Montgomery's constants and the roots of unity.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::super::big_prime::factor::is_prime;
use super::super::word_field::Constants;
use super::super::{BigPrime, Root, roots};
use super::arithmetic::{
    add_modulo, bits, is_zero, less, multiply, negated_inverse, shifted, subtract, trailing_zeros,
};

/// The logarithm of the largest order of roots that transforms have.
const MOST: u32 = 48;

/// Where the roots of unity come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Powers of the smallest quadratic non-residue.
    Own,
    /// Powers of a generator.
    Generator(u64),
    /// Powers of this root of order 2^m, for the two-adicity m.
    Root(&'static [u64]),
    /// Those of the same field as a big prime.
    Of(BigPrime),
}

/// Functions take and give numbers "in form": x stands as x·R mod p.
#[derive(Debug)]
pub(super) struct Modulus {
    pub name: String,
    /// What it was asked for as, if not by name.
    pub given: OnceLock<String>,
    pub words: Vec<u64>,
    /// −1/p mod 2^64.
    pub inverse: u64,
    /// R mod p: 1 in form.
    pub one: Vec<u64>,
    /// R² mod p: x ∘ R² is x in form.
    pub square: Vec<u64>,
    pub two_adicity: u32,
    pub origin: Origin,
    /// Whether elements lie in memory in form.
    pub is_montgomery: bool,
    /// ω of order 2^m in form, for every m up to the longest transform's.
    roots: OnceLock<Vec<Vec<u64>>>,
    /// For odd primes q the root whose order is the largest power of q that divides p − 1, in form, and that order.
    odd_roots: Mutex<HashMap<u64, (Vec<u64>, u128)>>,
    /// What elements of one word need.
    pub word: OnceLock<Option<Constants>>,
}

impl Modulus {
    /// For an odd number of at least 3 below half of R, prime or not.
    pub fn new(name: String, words: Vec<u64>, origin: Origin) -> Self {
        // R and R² by doubling.
        let doubled = |x: &mut Vec<u64>| {
            let same = x.clone();
            add_modulo(&words, x, &same);
        };
        let mut one = vec![0; words.len()];
        one[0] = 1;
        (0..64 * words.len()).for_each(|_| doubled(&mut one));
        let mut square = one.clone();
        (0..64 * words.len()).for_each(|_| doubled(&mut square));
        let mut less_one = words.clone();
        less_one[0] -= 1;
        let (inverse, two_adicity) = (negated_inverse(words[0]), trailing_zeros(&less_one));
        let (given, roots, word) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let odd_roots = Mutex::default();
        let is_montgomery = false;
        Self { name, given, inverse, one, square, two_adicity, origin, is_montgomery, roots, odd_roots, word, words }
    }

    pub fn multiply(&self, x: &[u64], y: &[u64]) -> Vec<u64> {
        let mut z = vec![0; self.words.len()];
        multiply(&self.words, self.inverse, x, y, &mut z);
        z
    }

    /// A number below p in form.
    pub fn form(&self, x: &[u64]) -> Vec<u64> {
        self.multiply(x, &self.square)
    }

    /// The number below p that stands in form.
    pub fn plain(&self, x: &[u64]) -> Vec<u64> {
        let mut one = vec![0; self.words.len()];
        one[0] = 1;
        self.multiply(x, &one)
    }

    /// R − p.
    pub fn negated(&self) -> Vec<u64> {
        let mut negated = vec![0; self.words.len()];
        subtract(&mut negated, &self.words);
        negated
    }

    /// ⌊x·R/p⌋ for the x that stands in form. So many p and what stands are x·R, so that it is that times −1/p modulo R.
    pub fn quotient(&self, form: &[u64]) -> Vec<u64> {
        let mut rest = form.to_vec();
        let mut word = |i: usize| {
            let (m, mut carry) = (rest[i].wrapping_mul(self.inverse), 0);
            for (rest, &p) in rest[i..].iter_mut().zip(&self.words) {
                let sum = u128::from(m) * u128::from(p) + u128::from(*rest) + u128::from(carry);
                (*rest, carry) = (sum as u64, (sum >> 64) as u64);
            }
            m
        };
        (0..self.words.len()).map(&mut word).collect()
    }

    fn small(&self, value: u64) -> Vec<u64> {
        let mut x = vec![0; self.words.len()];
        x[0] = if self.words.len() == 1 { value % self.words[0] } else { value };
        self.form(&x)
    }

    pub fn power(&self, x: &[u64], e: &[u64]) -> Vec<u64> {
        (0..bits(e)).rev().fold(self.one.clone(), |power, bit| {
            let square = self.multiply(&power, &power);
            if e[bit as usize / 64] >> (bit % 64) & 1 == 1 { self.multiply(&square, x) } else { square }
        })
    }

    fn minus_one(&self) -> Vec<u64> {
        let mut minus = self.words.clone();
        subtract(&mut minus, &self.one);
        minus
    }

    /// Miller and Rabin's test with the first 40 primes, of which 12 are a proof below 2^64 (J. Sorenson and J. Webster,
    /// "Strong pseudoprimes to twelve prime bases", 2017).
    pub fn seems_prime(&self) -> bool {
        let odd_part = shifted(&self.words_less_one(), self.two_adicity);
        let minus_one = self.minus_one();
        let passes = |base: u64| {
            let base = self.small(base);
            let mut x = self.power(&base, &odd_part);
            if is_zero(&base) || x == self.one || x == minus_one {
                return true;
            }
            (1..self.two_adicity).any(|_| {
                x = self.multiply(&x, &x);
                x == minus_one
            })
        };
        (2..).filter(|&base| is_prime(base)).take(40).all(passes)
    }

    fn words_less_one(&self) -> Vec<u64> {
        let mut less_one = self.words.clone();
        less_one[0] -= 1;
        less_one
    }

    /// g, of which the roots of unity are powers: a generator, or at least a quadratic non-residue; nothing if they are a big
    /// prime's.
    pub fn generator(&self) -> Option<u64> {
        match self.origin {
            Origin::Of(_) | Origin::Root(_) => None,
            Origin::Generator(g) => Some(g),
            Origin::Own => {
                let (half, minus_one) = (shifted(&self.words_less_one(), 1), self.minus_one());
                (2..).find(|&g| self.power(&self.small(g), &half) == minus_one)
            }
        }
    }

    /// The root of order 2^m for the two-adicity m, in form: g^((p−1)/2^m), or what was given; nothing if a big prime's roots are
    /// not of all orders.
    pub fn whole_root(&self) -> Option<Vec<u64>> {
        match self.origin {
            Origin::Of(_) if self.two_adicity > MOST => None,
            Origin::Of(prime) => Some(self.root_of(prime, self.two_adicity)),
            Origin::Root(root) => Some(self.form(root)),
            Origin::Own | Origin::Generator(_) => {
                let g = self.generator().expect("a prime has a non-residue");
                Some(self.power(&self.small(g), &shifted(&self.words_less_one(), self.two_adicity)))
            }
        }
    }

    fn root_of(&self, prime: BigPrime, log: u32) -> Vec<u64> {
        let mut words = prime.field().to_limbs(&prime.field().root(Root::new(1, 1 << log)));
        words.resize(self.words.len(), 0);
        self.form(&words)
    }

    /// ω of order 2^m, whose squares are the others.
    fn orders(&self) -> &[Vec<u64>] {
        self.roots.get_or_init(|| {
            let most = self.two_adicity.min(MOST);
            let last = match (self.whole_root(), self.origin) {
                (Some(root), _) => self.squared(root, self.two_adicity - most),
                (None, Origin::Of(prime)) => self.root_of(prime, most),
                (None, _) => unreachable!("other fields have roots of all orders"),
            };
            let mut roots = vec![last];
            for _ in 0..most {
                let last = &roots[roots.len() - 1];
                roots.push(self.multiply(last, last));
            }
            roots.reverse();
            roots
        })
    }

    /// x^(2^times).
    fn squared(&self, x: Vec<u64>, times: u32) -> Vec<u64> {
        (0..times).fold(x, |x, _| self.multiply(&x, &x))
    }

    /// Whether a number below p is a root of unity of order 2^m, for the two-adicity m.
    pub fn is_root(&self, x: &[u64]) -> bool {
        self.squared(self.form(x), self.two_adicity - 1) == self.minus_one()
    }

    /// ω_n^k. For n = Π q^e over primes q, k/n = Σ k_q/q^e modulo 1, and ω_n^k is the product of the roots that this names: so that
    /// the family is consistent, and roots of powers of two are what they are.
    ///
    /// # Panics
    /// If the field has no root of that order.
    pub fn root(&self, root: Root) -> Vec<u64> {
        let (n, k) = (root.order(), root.exponent());
        let (orders, log) = (self.orders(), n.trailing_zeros());
        assert!(self.has_root(n), "{} has no root of order {n}", self.name);
        // k·(n/part)^-1 modulo a part of n.
        let share = |part: usize| (k as u128 * inverse((n / part) as u64, part as u64) % part as u128) as usize;
        let two = roots::of_power_of_two(orders, Root::new(share(1 << log), 1 << log), |x, y| self.multiply(x, y));
        odd_primes((n >> log) as u64).into_iter().fold(two, |product, q| {
            let mut part = q as usize;
            while (n / part).is_multiple_of(q as usize) {
                part *= q as usize;
            }
            let (whole, order) = self.odd_root(q);
            let step = order / part as u128 * share(part) as u128;
            self.multiply(&product, &self.power(&whole, &[step as u64, (step >> 64) as u64]))
        })
    }

    /// Whether n divides p − 1, and its power of two is an order that transforms have.
    pub fn has_root(&self, n: usize) -> bool {
        let rest = |rest: u128, word: &u64| ((rest << 64) + u128::from(*word)) % n as u128;
        n > 0 && n.trailing_zeros() <= MOST && self.words_less_one().iter().rev().fold(0, rest) == 0
    }

    /// The root of the order of the largest power of an odd prime q that divides p − 1, if that is below 2^96, and that order: the
    /// power of the smallest number that gives one.
    fn odd_root(&self, q: u64) -> (Vec<u64>, u128) {
        let mut known = self.odd_roots.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || {
            let (mut order, mut rest) = (1u128, self.words_less_one());
            while order < 1 << 96
                && let Some(quotient) = divided(&rest, q)
            {
                (order, rest) = (order * u128::from(q), quotient);
            }
            let less = order / u128::from(q);
            let of = |g: u64| self.power(&self.small(g), &rest);
            let is_whole = |root: &Vec<u64>| self.power(root, &[less as u64, (less >> 64) as u64]) != self.one;
            ((2..).map(of).find(is_whole).expect("a prime has generators"), order)
        };
        known.entry(q).or_insert_with(make).clone()
    }

    /// Many roots, at a product each.
    pub fn roots(&self, roots: &[Root]) -> Vec<Vec<u64>> {
        roots::many(roots, |root| self.root(root), |x, y| self.multiply(x, y))
    }

    /// 1/2^m.
    pub fn inverse_of_pow2(&self, m: u32) -> Vec<u64> {
        // (p + 1)/2 is the inverse of 2: p is odd.
        let mut half = shifted(&self.words, 1);
        let mut one = vec![0; half.len()];
        one[0] = 1;
        add_modulo(&self.words, &mut half, &one);
        self.power(&self.form(&half), &[m.into()])
    }

    /// 1/n for a number that p does not divide, in form.
    pub fn inverse_of_number(&self, n: usize) -> Vec<u64> {
        self.inverse_of(&self.small(n as u64))
    }

    /// 1/x for x ≠ 0: x^(p − 2).
    pub fn inverse_of(&self, x: &[u64]) -> Vec<u64> {
        let mut e = self.words.clone();
        let mut two = vec![0; e.len()];
        two[0] = 2;
        debug_assert!(!less(&e, &two));
        subtract(&mut e, &two);
        self.power(x, &e)
    }
}

/// The primes that divide an odd number, by division: orders are short, and this is done for each root.
fn odd_primes(mut n: u64) -> Vec<u64> {
    let mut primes = Vec::new();
    let mut q = 3;
    while n > 1 {
        if q > n / q {
            q = n;
        }
        if n.is_multiple_of(q) {
            primes.push(q);
            while n.is_multiple_of(q) {
                n /= q;
            }
        }
        q += 2;
    }
    primes
}

/// x/q, if that leaves nothing.
fn divided(x: &[u64], q: u64) -> Option<Vec<u64>> {
    let (mut quotient, mut rest) = (vec![0; x.len()], 0u128);
    for (word, digit) in x.iter().zip(&mut quotient).rev() {
        let with_rest = (rest << 64) + u128::from(*word);
        (*digit, rest) = ((with_rest / u128::from(q)) as u64, with_rest % u128::from(q));
    }
    (rest == 0).then_some(quotient)
}

/// 1/x modulo a number that has no divisor in common with it (Euclid).
fn inverse(x: u64, modulus: u64) -> u128 {
    let m = i128::from(modulus);
    let (mut a, mut b) = ((i128::from(x) % m, 1i128), (m, 0i128));
    while a.0 != 0 {
        let quotient = b.0 / a.0;
        (a, b) = ((b.0 - quotient * a.0, b.1 - quotient * a.1), a);
    }
    b.1.rem_euclid(m) as u128
}
