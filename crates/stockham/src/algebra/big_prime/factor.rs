//! The prime factors of a 64-bit number: Miller and Rabin's test with bases that decide it below 2^64, and Pollard's
//! rho (J. M. Pollard, "A Monte Carlo method for factorization", 1975).

/// The distinct prime factors of n > 0, in order.
pub(crate) fn prime_factors(mut n: u64) -> Vec<u64> {
    let mut factors = Vec::new();
    // What still divides is prime.
    let mut d = 2;
    while d < 1000 && d * d <= n {
        if n.is_multiple_of(d) {
            factors.push(d);
        }
        while n.is_multiple_of(d) {
            n /= d;
        }
        d += 1;
    }
    let mut parts = vec![n];
    while let Some(part) = parts.pop() {
        if part == 1 {
            continue;
        }
        if is_prime(part) {
            factors.push(part);
        } else {
            let d = divisor(part);
            parts.extend([d, part / d]);
        }
    }
    factors.sort_unstable();
    factors.dedup();
    factors
}

fn multiply(a: u64, b: u64, n: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(n)) as u64
}

pub(crate) fn power(a: u64, mut e: u64, n: u64) -> u64 {
    let (mut square, mut result) = (a % n, 1 % n);
    while e > 0 {
        if e & 1 == 1 {
            result = multiply(result, square, n);
        }
        square = multiply(square, square, n);
        e >>= 1;
    }
    result
}

/// The first twelve primes suffice as bases up to 3·10^23 (J. Sorenson and J. Webster, "Strong pseudoprimes to twelve
/// prime bases", 2017).
pub(crate) fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 {
        return false;
    }
    if let Some(base) = BASES.iter().find(|&&b| n.is_multiple_of(b)) {
        return n == *base;
    }
    let twos = (n - 1).trailing_zeros();
    BASES.iter().all(|&base| {
        let mut x = power(base, (n - 1) >> twos, n);
        if x == 1 || x == n - 1 {
            return true;
        }
        (1..twos).any(|_| {
            x = multiply(x, x, n);
            x == n - 1
        })
    })
}

/// A divisor of a composite number that has none below 1000.
fn divisor(n: u64) -> u64 {
    let gcd = |mut a: u64, mut b: u64| {
        while a != 0 {
            (a, b) = (b % a, a);
        }
        b
    };
    for c in 1.. {
        let next = |x: u64| ((u128::from(x) * u128::from(x) + c) % u128::from(n)) as u64;
        let (mut slow, mut fast) = (2, 2);
        loop {
            slow = next(slow);
            fast = next(next(fast));
            match gcd(slow.abs_diff(fast), n) {
                1 => {}
                // The whole number: another sequence must find it.
                d if d == n => break,
                d => return d,
            }
        }
    }
    n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_prime_and_complete() {
        let largest = 0xffff_ffff_ffff_ffc5;
        let squares = [4_294_967_291 * 4_294_967_291, 1009 * 1009, largest, 2 * 9_223_372_036_854_775_783];
        for n in (1..3000).chain(squares).chain([(1 << 63) + (1 << 34), u64::MAX, u64::MAX - 1]) {
            let factors = prime_factors(n);
            let mut rest = n;
            for f in &factors {
                assert!(is_prime(*f) && n.is_multiple_of(*f), "{f} of {n}");
                while rest.is_multiple_of(*f) {
                    rest /= f;
                }
            }
            assert_eq!(rest, 1, "{n}: {factors:?}");
        }
        let sieve = |n: u64| n > 1 && (2..n).all(|d| !n.is_multiple_of(d));
        assert!((0..3000).all(|n| is_prime(n) == sieve(n)));
    }
}
