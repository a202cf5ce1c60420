//! Products of polynomials against the definition.

use stockham::accuracy::random;
use stockham::algebra::{BigElement, BigPrime, Digit, NumericRing, Ring};
use stockham::polynomial::{Multiplier, Product, multiply};
use stockham::{Algebra, Complex32, Device, Error, Goldilocks};

use crate::common::{Poison, assert_close, devices, everywhere, takes};

/// The product by the definition, in at least twice the precision.
fn definition<T: Poison>(product: Product, a: &[T], b: &[T]) -> Vec<T::Wide> {
    let n = if product == Product::Linear { a.len() + b.len() - 1 } else { a.len() };
    let mut c = vec![T::Wide::zero(); n];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            let term = x.widen().mul(&y.widen());
            let sum = &mut c[(i + j) % n];
            *sum = if product == Product::Negacyclic && i + j >= n { sum.sub(&term) } else { sum.add(&term) };
        }
    }
    c
}

fn products_follow_the_definition<T: Poison>(device: &Device) {
    let linear = [(1, 1), (1, 7), (5, 9), (64, 65), (100, 300)].map(|lengths| (Product::Linear, lengths));
    let lengths = [1, 2, 3, 12, 16, 64, 1 << 11].map(|n| (n, n));
    let cyclic = lengths.map(|lengths| (Product::Cyclic, lengths));
    let negacyclic = lengths.map(|lengths| (Product::Negacyclic, lengths));
    for (case, (product, lengths)) in linear.into_iter().chain(cyclic).chain(negacyclic).enumerate() {
        if !takes(device, T::ALGEBRA, case) {
            continue;
        }
        let (a, b) = (random::<T>(lengths.0, 51), random::<T>(lengths.1, 52));
        let mut multiplier = Multiplier::plan(device, T::ALGEBRA, product, a.len(), b.len()).unwrap();
        let expected = definition(product, &a, &b);
        // A second time, with what the first has left in memory.
        for _ in 0..2 {
            let c = multiplier.multiply(&a, &b).unwrap();
            assert_close(&c, &expected, 4 * a.len(), 3.0, || format!("{product:?}, {lengths:?} on {device:?}"));
        }
    }
}

#[test]
fn products_are_those_of_polynomials() {
    everywhere!(products_follow_the_definition);
}

#[test]
fn an_empty_polynomial_is_zero() {
    for device in devices() {
        for product in [Product::Linear, Product::Cyclic, Product::Negacyclic] {
            assert_eq!(multiply::<Complex32>(&device, product, &[], &[]), Ok(Vec::new()));
        }
        assert_eq!(multiply(&device, Product::Linear, &[Goldilocks::one()], &[]), Ok(Vec::new()));
    }
}

#[test]
fn wrong_lengths_are_refused() {
    let one = [Goldilocks::one(); 3];
    for device in devices() {
        let unequal = multiply(&device, Product::Cyclic, &one, &one[..2]);
        assert!(matches!(unequal, Err(Error::BufferLength { expected: 3, found: 2, .. })), "{unequal:?}");
        let mut multiplier = Multiplier::plan(&device, Algebra::Goldilocks, Product::Linear, 3, 2).unwrap();
        let longer = multiplier.multiply(&one, &one);
        assert!(matches!(longer, Err(Error::BufferLength { expected: 2, found: 3, .. })), "{longer:?}");
        assert!(multiplier.multiply(&one, &one[..2]).is_ok());
        let huge = Multiplier::<Goldilocks>::plan(&device, Algebra::Goldilocks, Product::Linear, usize::MAX, 2);
        assert!(matches!(huge, Err(Error::InvalidTransform(_))));
    }
}

/// Elements without structure, as their digits.
fn digits<D: Digit>(prime: BigPrime, count: usize, salt: u64) -> Vec<D> {
    let values = random::<Goldilocks>(count * prime.digits(), salt);
    values.iter().map(|value| D::truncated(value.value() % prime.radix())).collect()
}

fn products_over_big_primes<D: Digit, const K: usize>(device: &Device, prime: BigPrime) {
    let field = prime.field();
    let element = |digits: &[D]| BigElement::<K>::new(field, std::array::from_fn(|c| digits[c].into())).unwrap();
    let elements = |digits: &[D]| digits.chunks(K).map(element).collect::<Vec<_>>();
    let cases = [
        (Product::Linear, (5, 9)),
        (Product::Cyclic, (8, 8)),
        (Product::Cyclic, (6, 6)),
        (Product::Negacyclic, (16, 16)),
        (Product::Negacyclic, (7, 7)),
    ];
    for (product, lengths) in cases {
        let (a, b) = (digits::<D>(prime, lengths.0, 53), digits::<D>(prime, lengths.1, 54));
        let algebra = Algebra::BigPrime(prime);
        let mut multiplier = Multiplier::plan(device, algebra, product, lengths.0, lengths.1).unwrap();
        let found = elements(&multiplier.multiply(&a, &b).unwrap());
        let n = if product == Product::Linear { lengths.0 + lengths.1 - 1 } else { lengths.0 };
        let mut expected = vec![BigElement::from_u64(field, 0); n];
        for (i, x) in elements(&a).iter().enumerate() {
            for (j, y) in elements(&b).iter().enumerate() {
                let (term, sum) = (x.mul(y), &mut expected[(i + j) % n]);
                *sum = if product == Product::Negacyclic && i + j >= n { sum.sub(&term) } else { sum.add(&term) };
            }
        }
        assert_eq!(found, expected, "{product:?} over {prime}, {lengths:?} on {device:?}");
        let mut wrong = a.clone();
        wrong[K + 1] = D::truncated(prime.radix());
        let refused = multiplier.multiply(&wrong, &b);
        assert!(matches!(refused, Err(Error::Digit { element: 1, digit: 1, .. })), "{refused:?}");
    }
}

#[test]
fn products_over_big_primes_are_exact() {
    for device in devices() {
        products_over_big_primes::<u64, 4>(&device, BigPrime::P2);
        products_over_big_primes::<u32, 8>(&device, BigPrime::G8);
    }
}
