//! A prime and what follows from it: Montgomery's constants and the roots of unity.

use std::sync::OnceLock;

use super::super::big_prime::factor::is_prime;
use super::super::word_field::Constants;
use super::super::{BigPrime, Root, powers_of_two};
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
        let is_montgomery = false;
        Self { name, given, inverse, one, square, two_adicity, origin, is_montgomery, roots, word, words }
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

    /// ω_n^k.
    ///
    /// # Panics
    /// If the field has no root of that order.
    pub fn root(&self, root: Root) -> Vec<u64> {
        let orders = self.orders();
        let log = root.order().trailing_zeros() as usize;
        assert!(root.order().is_power_of_two() && log < orders.len(), "{} has no such root", self.name);
        powers_of_two::root(orders, root, |x, y| self.multiply(x, y))
    }

    /// Many roots, at a product each.
    pub fn roots(&self, roots: &[Root]) -> Vec<Vec<u64>> {
        powers_of_two::roots(roots, |root| self.root(root), |x, y| self.multiply(x, y))
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
