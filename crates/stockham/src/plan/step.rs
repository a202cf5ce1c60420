//! Steps: what is done to whole arrays beside transforms, as plain data.

use serde::{Deserialize, Serialize};

use crate::algebra::{Algebra, Direction, Root, Scale};
use crate::error::{Error, Result};

use super::planner::twiddle_split;

/// A kernel, or a few, over whole arrays. `x` is changed in place where no other target is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
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
}

impl Step {
    /// The algebra of its elements.
    pub fn algebra(&self) -> Algebra {
        match self {
            Self::Product { algebra, .. } | Self::Square { algebra, .. } | Self::Twist { algebra, .. } => *algebra,
            Self::Unpack { .. } | Self::Carry { .. } => Algebra::Goldilocks,
        }
    }

    /// Checks that the algebra has what the step needs.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a root or a scale that the algebra has not; [`Error::InvalidTransform`] for a base
    /// below 2, or whose cube is no element of the field.
    pub fn validate(&self) -> Result<()> {
        match *self {
            Self::Product { algebra, scale } | Self::Square { algebra, scale } => algebra.check_scale(scale),
            Self::Twist { algebra, n, scale, .. } => {
                algebra.check_length(n.saturating_mul(2))?;
                algebra.check_scale(scale)
            }
            Self::Unpack { base } | Self::Carry { base } if !crate::algebra::limbs::check_bound(base, 1) => {
                Err(Error::InvalidTransform(format!("{base} is no base of limbs: three of them must fit a word")))
            }
            Self::Unpack { .. } | Self::Carry { .. } => Ok(()),
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
    twiddle_split(n, 1)
}
