//! A big prime field as a context: what its elements need to compute, and elements as plain digits.

use std::fmt;
use std::sync::OnceLock;

use crate::algebra::{Root, roots};
use crate::error::{Error, Result};

use super::product::multiply;
use super::radix::Radix;
use super::{BigPrime, Digit, Layout, limbs};

/// The field ℤ/p with p = r^k + 1, as [`BigPrime::field`] gives it: one for each prime, for the life of the process.
///
/// Functions of elements take and give their k digits in base r, the lowest first. All are below r, except that
/// p − 1 = r^k is (0, …, 0, r). For arithmetic there is [`BigElement`](super::BigElement).
pub struct Field {
    prime: BigPrime,
    radix: Radix,
    nonresidue: u64,
    /// The digits of ω of order 2^m, for every m up to [`BigPrime::max_log_len`].
    roots: OnceLock<Vec<Vec<u64>>>,
}

impl Field {
    /// Integers modulo r^k + 1, prime or not.
    pub(super) fn new(prime: BigPrime, nonresidue: u64) -> Self {
        Self { prime, radix: Radix::new(prime.r), nonresidue, roots: OnceLock::new() }
    }

    /// The prime.
    pub fn prime(&self) -> BigPrime {
        self.prime
    }

    pub(super) fn radix(&self) -> &Radix {
        &self.radix
    }

    /// The smallest quadratic non-residue g, from which the roots of unity are made.
    pub fn nonresidue(&self) -> u64 {
        self.nonresidue
    }

    /// The root ω_n^k. The family is consistent: ω_{2n}² = ω_n, and ω_{2k} is the radix r.
    ///
    /// # Panics
    /// If n is not a power of two up to 2^[`max_log_len`](BigPrime::max_log_len).
    pub fn root(&self, root: Root) -> Vec<u64> {
        let roots = self.roots.get_or_init(|| self.compute_roots());
        let log = root.order().trailing_zeros() as usize;
        assert!(
            root.order().is_power_of_two() && log < roots.len(),
            "{} has no root of order {}",
            self.prime,
            root.order()
        );
        roots::of_power_of_two(roots, root, |x, y| self.multiply(x, y))
    }

    /// Many roots, at a product each: the largest order n among them is split, ω_n^e = ω_n^{e mod s}·ω_n^{s·⌊e/s⌋} with
    /// s about √n, into two tables.
    ///
    /// # Panics
    /// As [`root`](Self::root).
    pub fn roots(&self, roots: &[Root]) -> Vec<Vec<u64>> {
        roots::many(roots, |root| self.root(root), |x, y| self.multiply(x, y))
    }

    /// With w = g^{(p−1)/N} of the order N = 2^m, w^{N/2k} has the order of r, so it is r^t for an odd t, and
    /// ω = w^{1/t mod 2k} is the root of order N whose power N/2k is r.
    fn compute_roots(&self) -> Vec<Vec<u64>> {
        let (top, twos) = (self.prime.max_log_len(), self.prime.r.trailing_zeros());
        let order = self.prime.base_order();
        // (p − 1) / 2^top = r^k / 2^top: as many twos are left out of each of the k factors as there are to leave.
        let mut omit = top;
        let mut w = self.small(self.nonresidue);
        for _ in 0..self.prime.k {
            let omitted = omit.min(twos);
            omit -= omitted;
            w = self.power(&w, self.prime.r >> omitted);
        }
        let squarings = top - order.trailing_zeros();
        let z = (0..squarings).fold(w.clone(), |z, _| self.multiply(&z, &z));
        let t = (1..order).step_by(2).find(|&t| z == self.unit(t)).expect("a power of r");
        let inverse = (1..order).step_by(2).find(|i| i * t % order == 1).expect("an odd number has an inverse");
        let mut roots = vec![self.power(&w, inverse as u64)];
        for _ in 0..top {
            let last = &roots[roots.len() - 1];
            roots.push(self.multiply(last, last));
        }
        roots.reverse();
        roots
    }

    /// 1/2^m, from 2·(r/2)·r^{k−1} = −1: 1/2^v = −(r/2^v)·r^{k−1} for every v up to the twos in r.
    pub fn inverse_of_pow2(&self, m: u32) -> Vec<u64> {
        let twos = self.prime.r.trailing_zeros();
        let part = |v: u32| {
            let mut digits = vec![0; self.prime.digits()];
            digits[self.prime.digits() - 1] = self.prime.r >> v;
            self.multiply(&digits, &self.unit(self.prime.digits()))
        };
        let whole = self.power(&part(twos), (m / twos).into());
        self.multiply(&whole, &part(m % twos))
    }

    /// r^s for s < 2k.
    pub(super) fn unit(&self, s: usize) -> Vec<u64> {
        let k = self.prime.digits();
        let mut digits = vec![0; k];
        if s == k {
            digits[k - 1] = self.prime.r;
        } else if s < k {
            digits[s] = 1;
        } else {
            // −r^{s−k} = 1 + (r − 1)·(r^{s−k} + … + r^{k−1}).
            digits[s - k..].fill(self.prime.r - 1);
            digits[0] = 1;
        }
        digits
    }

    /// The digits of a 64-bit number.
    pub(super) fn small(&self, value: u64) -> Vec<u64> {
        let BigPrime { r, k } = self.prime;
        // Tiny primes are below some 64-bit numbers.
        let mut rest = r.checked_pow(k).map_or(value, |top| (u128::from(value) % (u128::from(top) + 1)) as u64);
        let mut digits = vec![0; k as usize];
        for digit in &mut digits {
            (*digit, rest) = (rest % r, rest / r);
        }
        if rest == 0 { digits } else { self.unit(k as usize) }
    }

    /// x·y.
    ///
    /// # Panics
    /// If x and y do not have k digits each.
    pub fn multiply(&self, x: &[u64], y: &[u64]) -> Vec<u64> {
        let k = self.prime.digits();
        assert!(x.len() == k && y.len() == k, "an element has {k} digits");
        let mut product = vec![0; x.len()];
        multiply(&self.radix, x, y, &mut product);
        product
    }

    pub(super) fn power(&self, x: &[u64], e: u64) -> Vec<u64> {
        let mut power = self.unit(0);
        for bit in (0..64 - e.leading_zeros()).rev() {
            power = self.multiply(&power, &power);
            if e >> bit & 1 == 1 {
                power = self.multiply(&power, x);
            }
        }
        power
    }

    /// Checks that the array holds the digits of elements.
    ///
    /// # Errors
    /// [`Error::Digit`] naming the first that is out of range; [`Error::BufferLength`] if the array does not hold whole
    /// elements.
    pub fn check<D: Digit>(&self, digits: &[D], layout: Layout) -> Result<()> {
        let k = self.prime.digits();
        if !digits.len().is_multiple_of(k) {
            let expected = digits.len().next_multiple_of(k);
            return Err(Error::BufferLength { buffer: "array of digits", expected, found: digits.len() });
        }
        let len = digits.len() / k;
        let (next_element, next_digit) = layout.strides(k, len);
        (0..len).try_for_each(|i| self.check_element(i, |c| digits[i * next_element + c * next_digit].into()))
    }

    /// Checks element number `element`, whose digits a function gives.
    #[inline(always)]
    pub(crate) fn check_element(&self, element: usize, digits: impl Fn(usize) -> u64) -> Result<()> {
        let (r, top) = (self.prime.r, self.prime.digits() - 1);
        let wrong = (0..=top).find(|&c| digits(c) >= r);
        match wrong {
            None => Ok(()),
            Some(c) if c == top && digits(c) == r && (0..top).all(|c| digits(c) == 0) => Ok(()),
            Some(digit) => {
                Err(Error::Digit { element, digit, value: digits(digit), field: self.prime.name(), radix: r })
            }
        }
    }

    /// The number as 64-bit limbs, the lowest first, as many as there are digits.
    ///
    /// # Panics
    /// If there are not k digits.
    pub fn to_limbs(&self, digits: &[u64]) -> Vec<u64> {
        assert_eq!(digits.len(), self.prime.digits(), "an element has k digits");
        let mut number = Vec::new();
        for &digit in digits.iter().rev() {
            limbs::multiply_add(&mut number, self.prime.r, digit);
        }
        number.resize(digits.len(), 0);
        number
    }

    /// The digits of a number given as 64-bit limbs, the lowest first; nothing if it is not below p.
    pub fn from_limbs(&self, number: &[u64]) -> Option<Vec<u64>> {
        let mut rest = number.to_vec();
        limbs::trim(&mut rest);
        let mut digits: Vec<u64> = (0..self.prime.digits()).map(|_| limbs::divide(&mut rest, &self.radix)).collect();
        match rest[..] {
            [] => Some(digits),
            [1] if digits.iter().all(|&digit| digit == 0) => {
                digits.clone_from(&self.unit(self.prime.digits()));
                Some(digits)
            }
            _ => None,
        }
    }

    /// The number in decimal.
    ///
    /// # Panics
    /// As [`to_limbs`](Self::to_limbs).
    pub fn to_decimal(&self, digits: &[u64]) -> String {
        limbs::to_decimal(self.to_limbs(digits))
    }

    /// The number in hexadecimal, without a prefix.
    ///
    /// # Panics
    /// As [`to_limbs`](Self::to_limbs).
    pub fn to_hex(&self, digits: &[u64]) -> String {
        limbs::to_hex(self.to_limbs(digits))
    }

    /// The digits of a decimal number, or of a hexadecimal one after `0x`.
    ///
    /// # Errors
    /// [`Error::Syntax`] if the text is no such number below p.
    pub fn parse(&self, text: &str) -> Result<Vec<u64>> {
        let number = limbs::parse(text.trim(), self.prime.digits());
        number.and_then(|number| self.from_limbs(&number)).ok_or_else(|| {
            let shown: String = text.trim().chars().take(40).collect();
            let dots = if shown.len() < text.trim().len() { "…" } else { "" };
            Error::Syntax {
                what: "an element of the field",
                found: shown + dots,
                expected: format!(
                    "a number from 0 to ({})^{}, decimal or hexadecimal after 0x",
                    self.prime.r, self.prime.k
                ),
            }
        })
    }
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Field({})", self.prime)
    }
}
