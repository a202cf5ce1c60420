//! What an algebra knows of the numbers that tell where its polynomials are evaluated, roots of unity and cosets, and of
//! the form of its elements.

use super::{Algebra, Goldilocks, Layout, NumericRing, PrimeField, Ring, Root, Word, WordField, word_bytes};
use crate::error::{Error, Result};

/// Which power of Goldilocks' own root of order 2^32 a [preset](Goldilocks::ROOTS) is, or a number.
pub(crate) fn goldilocks_power(text: &str) -> Result<u64> {
    let preset = Goldilocks::ROOTS.iter().find(|preset| preset.name.eq_ignore_ascii_case(text.trim()));
    let number = preset.map_or(text.trim(), |preset| preset.root);
    let value = match number.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => number.parse().ok(),
    };
    let Some(root) = value.and_then(Goldilocks::new) else {
        let expected = "plonky3, plonky2, or a number below the prime, decimal or hexadecimal after 0x".into();
        return Err(Error::Syntax {
            what: "a root of unity of the field",
            found: text.chars().take(80).collect(),
            expected,
        });
    };
    let two_adicity = Goldilocks::TWO_ADICITY;
    root.logarithm().ok_or_else(|| Error::Root { field: "goldilocks", root: text.into(), two_adicity })
}

impl Algebra {
    /// The same field with other roots of unity: a [preset](PrimeField::root_presets), or a number.
    ///
    /// # Errors
    /// As [`PrimeField::with_root`]; [`Error::Unsupported`] for other roots of algebras that are no fields of such. (Over
    /// Goldilocks they are the [transform's](crate::Transform::with_root).)
    pub fn with_root(self, root: &str) -> Result<Self> {
        let own = |field: PrimeField| field.with_root(root);
        match self {
            Self::WordField(field) => Ok(Self::WordField(WordField::new(own(field.field())?)?)),
            Self::PrimeField(field) => Ok(Self::PrimeField(own(field)?)),
            Self::Goldilocks if goldilocks_power(root)? == 1 => Ok(self),
            Self::Goldilocks => Err(Error::unsupported(
                format!("the root {root} over goldilocks"),
                "transforms take it: Transform::with_root, and Ntt::root",
            )),
            _ => Err(Error::unsupported(
                format!("the root {root} over {}", self.given()),
                "it has roots of its own; word fields and prime fields take others",
            )),
        }
    }

    /// The same field with elements in [Montgomery's form](PrimeField::montgomery).
    ///
    /// # Errors
    /// [`Error::Unsupported`] for algebras that are neither word fields nor prime fields.
    pub fn montgomery(self) -> Result<Self> {
        match self {
            Self::WordField(field) => Ok(Self::WordField(field.montgomery())),
            Self::PrimeField(field) => Ok(Self::PrimeField(field.montgomery())),
            _ => Err(Error::unsupported(
                format!("Montgomery's form over {}", self.given()),
                "word fields and prime fields have it",
            )),
        }
    }

    /// The same algebra without such a form: what plans do not depend on.
    pub(crate) fn plain(self) -> Self {
        match self {
            Self::WordField(field) => Self::WordField(field.plain()),
            Self::PrimeField(field) => Self::PrimeField(field.plain()),
            other => other,
        }
    }

    /// Powers of a residue, s^(i·step) for every i below a count, as the bytes of elements by which data are multiplied.
    ///
    /// # Panics
    /// If the elements are no residues.
    pub(crate) fn power_bytes(self, s: &[u64], step: usize, count: usize) -> Vec<u8> {
        match self {
            Self::WordField(field) => word_bytes(field.word(), field.powers_in_form(s[0], step, count)),
            Self::Goldilocks => {
                let step = Goldilocks::reduce(s[0]).pow(step as u64);
                let powers = std::iter::successors(Some(Goldilocks::reduce(1)), |power| Some(power.mul(&step)));
                powers.take(count).flat_map(|x| x.value().to_ne_bytes()).collect()
            }
            Self::PrimeField(field) => {
                let words = field.powers_in_form(s, step, count).flatten();
                words.flat_map(u64::to_ne_bytes).collect()
            }
            _ => panic!("elements of {} are no residues", self.name()),
        }
    }

    /// The same powers with their quotients.
    ///
    /// # Panics
    /// If elements [have none](Self::has_pairs).
    pub(crate) fn power_pair_bytes(self, s: &[u64], step: usize, count: usize) -> Vec<u8> {
        match self {
            Self::WordField(field) => word_bytes(field.word(), field.pairs(field.powers(s[0], step, count, 1))),
            Self::PrimeField(field) => {
                let pairs = field.powers_in_form(s, step, count).flat_map(|power| field.pair(&power));
                word_bytes(Word::U64, pairs)
            }
            _ => panic!("elements of {} have no quotients", self.name()),
        }
    }

    /// The words of a root of unity, where elements are residues; those of 1 elsewhere.
    pub(crate) fn root_words(self, root: Root) -> Vec<u64> {
        match self {
            Self::WordField(field) => vec![field.root(root)],
            Self::PrimeField(field) => field.root(root),
            Self::Goldilocks => vec![<Goldilocks as NumericRing>::root(root).value()],
            _ => vec![1],
        }
    }

    /// 1/s for a residue that is not 0.
    pub(crate) fn inverse_of(self, s: &[u64]) -> Vec<u64> {
        match self {
            Self::WordField(field) => field.field().inverse_of(s),
            Self::PrimeField(field) => field.inverse_of(s),
            _ => Goldilocks::reduce(s[0]).inverse().map_or_else(Vec::new, |x| vec![x.value()]),
        }
    }

    /// x/y for residues that are not 0.
    pub(crate) fn ratio_of(self, x: &[u64], y: &[u64]) -> Vec<u64> {
        let inverse = self.inverse_of(y);
        match self {
            Self::WordField(field) => field.field().multiply(x, &inverse),
            Self::PrimeField(field) => field.multiply(x, &inverse),
            _ => vec![Goldilocks::reduce(x[0]).mul(&Goldilocks::reduce(inverse[0])).value()],
        }
    }

    /// Checks that words are those of a residue that is not 0.
    ///
    /// # Errors
    /// [`Error::FieldValue`], [`Error::Residue`] or [`Error::BufferLength`]; [`Error::Unsupported`] for elements that are no
    /// residues.
    pub(crate) fn check_residue(self, words: &[u64]) -> Result<()> {
        let len = match self {
            Self::PrimeField(field) => field.words(),
            Self::WordField(_) | Self::Goldilocks => 1,
            _ => {
                return Err(Error::unsupported(
                    format!("a coset over {}", self.given()),
                    "its elements are no residues",
                ));
            }
        };
        if words.len() != len {
            return Err(Error::BufferLength { buffer: "coset", expected: len, found: words.len() });
        }
        if words.iter().all(|&word| word == 0) {
            return Err(Error::InvalidTransform("0 makes no coset".into()));
        }
        match self {
            Self::WordField(field) => field.check(words),
            Self::PrimeField(field) => field.check(words, Layout::Plain),
            Self::Goldilocks if words[0] >= Goldilocks::MODULUS => {
                Err(Error::FieldValue { index: 0, value: words[0], field: self.name(), modulus: Goldilocks::MODULUS })
            }
            _ => Ok(()),
        }
    }
}
