//! Steps: what is done to whole arrays beside transforms, as plain data.

use serde::{Deserialize, Serialize};

use crate::algebra::residue_system::Constants;
use crate::algebra::{Algebra, BigPrime, Direction, ResidueSystem, Root, Scale, WordField};
use crate::error::{Error, Result};

use super::host;
use super::pass_shape::square_root_split;

/// A kernel, or a few, over whole arrays. `x` is changed in place where no other target is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Step {
    /// x_i ← x_i · y_i · scale.
    Product {
        /// The numbers.
        algebra: Algebra,
        /// The factor.
        scale: Scale,
    },
    /// x_i ← x_i² · scale.
    Square {
        /// The numbers.
        algebra: Algebra,
        /// The factor.
        scale: Scale,
    },
    /// z_i ← Σ x_{k·n + i} · y_{k·n + i} over the terms k, for n elements z_i: products of several arrays of n elements, one after
    /// the other, that are added up as they are made.
    InnerProduct {
        /// The numbers.
        algebra: Algebra,
        /// How many arrays.
        terms: usize,
    },
    /// x_i ← x_i · ω_{2n}^i · scale for i < n: a cyclic convolution of what it makes is the negacyclic one of what it
    /// was given, and the inverse direction leads back.
    Twist {
        /// The numbers.
        algebra: Algebra,
        /// The length.
        n: usize,
        /// ω or 1/ω.
        direction: Direction,
        /// The factor.
        scale: Scale,
    },
    /// Words of [three limbs](crate::algebra::limbs) below `base` → limbs, one a Goldilocks element, and zeros to the
    /// end of the target.
    Unpack {
        /// The limbs' base.
        base: u64,
    },
    /// Coefficients of a product, one a Goldilocks element → words of three limbs below `base`, as many as the target
    /// holds.
    Carry {
        /// The limbs' base.
        base: u64,
    },
    /// An operation over a big prime, many times on each element in registers: what it takes when nothing else is done.
    Repeat {
        /// The field.
        prime: BigPrime,
        /// What is done.
        operation: Operation,
        /// How often.
        times: u32,
    },
    /// Integers → their residues: of n integers, that of integer i modulo prime j at j·n + i. An integer of any size below
    /// 2^(64·words) will do.
    Reduce {
        /// The primes; an integer has as many words, and lies word after word.
        system: ResidueSystem,
    },
    /// The same back: residues → the integers below the primes' product.
    Recombine {
        /// The primes.
        system: ResidueSystem,
    },
}

/// The fields that a step goes through, one array of so many elements of each after the other.
#[derive(Debug, Clone)]
pub(crate) struct StepFields {
    /// The fields, whose elements are one word, all of the same width.
    pub fields: Vec<WordField>,
    /// Elements of a field's array.
    pub len: usize,
}

/// What a [repetition](Step::Repeat) does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// x ← x².
    Product,
    /// (x, y) ← (x + y, x − y), for x in the first half of the array and y in the second; a last element of an odd number
    /// stays as it is.
    Butterfly,
    /// x ← x·r^(i + t) for element i, in the rounds t = 0, 1, …
    Rotation,
}

impl Step {
    /// The most terms of an inner product: its kernel has them one after the other.
    pub const MOST_TERMS: usize = 64;

    /// The algebra of its elements; none for integers and their residues, which belong to several.
    pub fn algebra(&self) -> Option<Algebra> {
        Some(match self {
            Self::Product { algebra, .. }
            | Self::Square { algebra, .. }
            | Self::InnerProduct { algebra, .. }
            | Self::Twist { algebra, .. } => *algebra,
            Self::Repeat { prime, .. } => Algebra::BigPrime(*prime),
            Self::Unpack { .. } | Self::Carry { .. } => Algebra::Goldilocks,
            Self::Reduce { .. } | Self::Recombine { .. } => return None,
        })
    }

    /// Checks that the algebra has what the step needs.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a root or a scale that the algebra has not; [`Error::InvalidTransform`] for a base
    /// below 2, or whose cube is no element of the field.
    pub fn validate(&self) -> Result<()> {
        match *self {
            Self::Product { algebra, scale } | Self::Square { algebra, scale } => algebra.check_scale(scale),
            Self::InnerProduct { terms, .. } if !(1..=Self::MOST_TERMS).contains(&terms) => {
                let most = Self::MOST_TERMS;
                Err(Error::unsupported(format!("a sum of {terms} products"), format!("it takes 1 to {most}")))
            }
            Self::InnerProduct { .. } => Ok(()),
            Self::Twist { algebra, n, scale, .. } => {
                algebra.check_length(n.saturating_mul(2))?;
                algebra.check_scale(scale)
            }
            Self::Repeat { .. } => Ok(()),
            Self::Unpack { base } | Self::Carry { base } if !crate::algebra::limbs::check_bound(base, 1) => {
                Err(Error::InvalidTransform(format!("{base} is no base of limbs: three of them must fit a word")))
            }
            Self::Unpack { .. } | Self::Carry { .. } | Self::Reduce { .. } | Self::Recombine { .. } => Ok(()),
        }
    }

    /// Bytes of an element, and of what kernels point to: an element, or a digit of one.
    pub(crate) fn sizes(&self) -> (usize, usize) {
        self.algebra().map_or((8, 8), |algebra| (algebra.element_bytes(), algebra.unit_bytes()))
    }

    /// The primes, for steps on integers and their residues.
    pub(crate) fn system(&self) -> Option<ResidueSystem> {
        match self {
            Self::Reduce { system } | Self::Recombine { system } => Some(*system),
            _ => None,
        }
    }

    /// Bytes of the table that the host makes of it.
    pub(crate) fn host_bytes(&self) -> u64 {
        match *self {
            Self::Twist { algebra, n, .. } => n.saturating_mul(host::element_bytes(algebra)) as u64,
            _ => 0,
        }
    }

    /// What its kernels look up.
    pub(crate) fn table(&self) -> Vec<u8> {
        match self {
            Self::Twist { algebra, .. } => algebra.root_bytes(&self.roots()),
            Self::Reduce { system } => bytemuck::cast_slice(&Constants::of(*system).table()).to_vec(),
            _ => Vec::new(),
        }
    }

    /// The roots of a twist's tables: ω^e for e below the split, then ω^(split·e).
    pub(crate) fn roots(&self) -> Vec<Root> {
        let Self::Twist { n, direction, .. } = *self else { return Vec::new() };
        let split = twist_split(n);
        let coarse = (0..n.div_ceil(split)).map(|e| direction.root(e * split, 2 * n));
        (0..split).map(|e| direction.root(e, 2 * n)).chain(coarse).collect()
    }
}

/// The length of a twist's first table.
pub(crate) fn twist_split(n: usize) -> usize {
    square_root_split(n)
}
