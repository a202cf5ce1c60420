//! Plonky3's fields as stockham's: the same bytes.

use p3_baby_bear::BabyBear;
use p3_field::{PrimeField64, TwoAdicField};
use p3_goldilocks::Goldilocks;
use p3_koala_bear::KoalaBear;
use stockham::{Algebra, Data, Result};

/// A field whose elements are transformed as they lie in memory: `BabyBear` and `KoalaBear`, which are words of 32 bits in
/// Montgomery's form, and `Goldilocks`, words of 64 bits. It is sealed, as it tells of memory.
pub trait DeviceField: TwoAdicField + PrimeField64 + sealed::Sealed {
    /// What an element is in memory.
    type Word: Data;

    /// The same field of stockham's, with Plonky3's roots of unity.
    ///
    /// # Errors
    /// None; a name is looked up.
    fn algebra() -> Result<Algebra>;

    /// The elements' words, which are below p.
    fn words(elements: &mut [Self]) -> &mut [Self::Word];
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! device_field {
    ($field:ty, $word:ty, $algebra:expr, $below_p:expr) => {
        impl sealed::Sealed for $field {}

        impl DeviceField for $field {
            type Word = $word;

            fn algebra() -> Result<Algebra> {
                $algebra
            }

            fn words(elements: &mut [Self]) -> &mut [$word] {
                const { assert!(size_of::<$field>() == size_of::<$word>()) };
                const { assert!(align_of::<$field>() == align_of::<$word>()) };
                $below_p(elements);
                let (pointer, len) = (elements.as_mut_ptr().cast(), elements.len());
                // SAFETY: the field is a transparent wrapper of the word's integer; what is written is below p, as it has to be.
                unsafe { std::slice::from_raw_parts_mut(pointer, len) }
            }
        }
    };
}

/// In Montgomery's form elements are below p.
fn as_they_are<F>(_: &mut [F]) {}

/// Plonky3 has any word for an element, kernels have those below p.
fn reduce(elements: &mut [Goldilocks]) {
    for x in elements {
        *x = Goldilocks::new(x.as_canonical_u64());
    }
}

device_field!(BabyBear, u32, "babybear/montgomery".parse(), as_they_are);
device_field!(KoalaBear, u32, "koalabear/montgomery".parse(), as_they_are);
device_field!(Goldilocks, stockham::Goldilocks, Ok(Algebra::Goldilocks), reduce);

#[cfg(test)]
mod tests {
    use p3_field::PrimeCharacteristicRing;

    use super::*;

    /// x·2^32 mod p for words of 32 bits, x for others.
    fn word(x: u64, p: u64, shift: u32) -> u64 {
        ((u128::from(x) << shift) % u128::from(p)) as u64
    }

    fn words_are_those_of_the_form<F: DeviceField>(shift: u32, of: impl Fn(F::Word) -> u64) {
        let numbers = [0, 1, 2, 0x1234_5678, F::ORDER_U64 / 2, F::ORDER_U64 - 1];
        let mut elements = numbers.map(F::from_u64);
        let words: Vec<F::Word> = F::words(&mut elements).to_vec();
        let expected = numbers.map(|x| word(x, F::ORDER_U64, shift));
        assert_eq!(words.iter().map(|&word| of(word)).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn elements_are_the_words_of_stockhams_field() {
        words_are_those_of_the_form::<BabyBear>(32, u64::from);
        words_are_those_of_the_form::<KoalaBear>(32, u64::from);
        words_are_those_of_the_form::<Goldilocks>(0, bytemuck::cast::<_, u64>);
    }

    #[test]
    fn words_from_p_on_are_reduced() {
        let mut elements = [0xffff_ffff_0000_0001, 0xffff_ffff_0000_0002, u64::MAX].map(Goldilocks::new);
        let words: Vec<u64> = Goldilocks::words(&mut elements).iter().map(|&word| bytemuck::cast(word)).collect();
        assert_eq!(words, [0, 1, 0xffff_fffe]);
        assert_eq!(elements[1], Goldilocks::ONE);
    }
}
