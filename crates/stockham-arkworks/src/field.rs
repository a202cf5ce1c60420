//! arkworks' prime fields as stockham's: the same bytes.

use std::any::TypeId;
use std::collections::HashMap;
use std::mem::offset_of;
use std::sync::{Mutex, PoisonError};

use ark_ff::{BigInt, Fp, MontBackend, MontConfig, PrimeField};
use stockham::algebra::PrimeField as Field;
use stockham::{Algebra, Error, Result};

/// A prime field whose elements are transformed as they lie in memory, words of 64 bits in Montgomery's form: those that arkworks
/// makes by `MontConfig`, as the scalar fields of BLS12-381 and BN254. It is sealed, as it tells of memory.
pub trait DeviceField: PrimeField + sealed::Sealed {
    /// The same field of stockham's, with arkworks' roots of unity.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a field whose elements have another number of words there, as those of 6, and of more than 2047
    /// bits.
    fn algebra() -> Result<Algebra>;

    /// The elements' words, those of each the lowest first.
    fn words(elements: &mut [Self]) -> &mut [u64];
}

mod sealed {
    pub trait Sealed {}
}

impl<T: MontConfig<N>, const N: usize> sealed::Sealed for Fp<MontBackend<T, N>, N> {}

impl<T: MontConfig<N>, const N: usize> DeviceField for Fp<MontBackend<T, N>, N> {
    fn algebra() -> Result<Algebra> {
        static KNOWN: Mutex<Option<HashMap<TypeId, Algebra>>> = Mutex::new(None);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_default();
        if let Some(&algebra) = known.get(&TypeId::of::<T>()) {
            return Ok(algebra);
        }
        let field = Field::new(&T::MODULUS.0)?;
        if field.words() != N {
            return Err(Error::Unsupported {
                what: format!("a field of {N} words for a prime of {} bits", field.bits()),
                reason: format!("elements have {} words", field.words()),
            });
        }
        let root: String =
            words(T::TWO_ADIC_ROOT_OF_UNITY.into_bigint().0).map(|word| format!("{word:016x}")).collect();
        let algebra = Algebra::PrimeField(field.with_root(&format!("0x{root}"))?.montgomery());
        known.insert(TypeId::of::<T>(), algebra);
        Ok(algebra)
    }

    fn words(elements: &mut [Self]) -> &mut [u64] {
        const {
            assert!(size_of::<Self>() == N * size_of::<u64>() && align_of::<Self>() == align_of::<u64>());
            assert!(offset_of!(Self, 0) == 0 && offset_of!(BigInt<N>, 0) == 0);
        }
        let len = elements.len() * N;
        // SAFETY: the element is its array of words and nothing else, as the sizes and offsets above tell; all words are
        // integers, and those of elements are written.
        unsafe { std::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), len) }
    }
}

/// The highest first.
fn words<const N: usize>(words: [u64; N]) -> impl Iterator<Item = u64> {
    words.into_iter().rev()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_are_those_of_the_form<F: DeviceField>() {
        // Montgomery's form of 1 is 2^256 mod p, that of 0 is 0.
        let mut elements = [F::ONE, F::ZERO, -F::ONE];
        let r = F::from(2u64).pow([256u64]).into_bigint();
        let minus_r = (-F::from(2u64).pow([256u64])).into_bigint();
        assert_eq!(F::words(&mut elements), [r.as_ref(), &[0; 4], minus_r.as_ref()].concat());
    }

    #[test]
    fn elements_are_the_words_of_stockhams_field() {
        words_are_those_of_the_form::<ark_bls12_381::Fr>();
        words_are_those_of_the_form::<ark_bn254::Fr>();
    }

    #[test]
    fn roots_are_those_of_arkworks() {
        fn check<F: DeviceField>() {
            let Algebra::PrimeField(field) = F::algebra().unwrap() else { panic!("a prime field") };
            for n in [2, 8, 1 << 20].into_iter().filter(|&n| n <= 1 << F::TWO_ADICITY) {
                let root = F::get_root_of_unity(n as u64).unwrap().into_bigint();
                assert_eq!(field.root(stockham::algebra::Root::new(1, n)), root.as_ref());
            }
        }
        check::<ark_bls12_381::Fr>();
        check::<ark_bn254::Fr>();
        // A field that stockham has no name for.
        check::<ark_bn254::Fq>();
    }

    #[test]
    fn elements_of_six_words_are_refused() {
        let error = ark_bls12_381::Fq::algebra().unwrap_err();
        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
    }
}
