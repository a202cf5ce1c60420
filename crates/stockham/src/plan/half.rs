//! The ends of transforms of real numbers: a pass reads or writes real numbers on one side, and a half spectrum on the other.
//! What is between is a transform of elements, the imaginary parts of which are 0 before it, or cancel out in it.

use crate::error::{Error, Result};
use crate::transform::{Kind, Side, Transform};

use super::recipe::{Arithmetic, Column, Half, Pass, Place, Recipe};

/// What the pass of number `a` of so many knows of the half spectrum that it reads or writes, for the radices before it and
/// after it. Its columns are in the planner's order: digits first, then the batch.
pub(super) fn of(
    transform: &Transform,
    (before, inner): (usize, usize),
    (a, last): (usize, usize),
    columns: &[Column],
) -> Option<Half> {
    let dim = transform.dims[0];
    let of = |stride, row, own: &dyn Fn(usize) -> usize| {
        Some(Half { n: dim.n, stride, row, digits: (0..columns.len()).map(own).collect() })
    };
    match transform.half_side()? {
        // The digits inside of the first one are one column.
        Side::Input if a == 0 => of(dim.input_stride, inner, &|c| usize::from(c == 0 && last > 0)),
        // The digits before the last one have their final order.
        Side::Output if a == last => of(dim.output_stride, before, &|c| if c < a { columns[c].weight } else { 0 }),
        _ => None,
    }
}

impl Half {
    /// The farthest point of so many rows, and of all values of the digits.
    fn farthest(&self, rows: usize, columns: &[Column]) -> Option<usize> {
        let of_rows = (rows - 1).checked_mul(self.row)?;
        let mut digits = columns.iter().zip(&self.digits);
        digits.try_fold(of_rows, |far, (column, points)| far.checked_add((column.n - 1).checked_mul(*points)?))
    }

    /// The distance of a column's values in memory: points have theirs by their number.
    pub(crate) fn stride_of(&self, column: usize, stride: usize) -> usize {
        if self.digits[column] == 0 { stride } else { 0 }
    }
}

impl Recipe {
    /// Checks that real numbers go through memory, in plain tiles.
    pub(super) fn check_real(&self) -> Result<()> {
        let is_plain = |pass: &Pass| {
            let tile = &pass.tile;
            let goes = pass.cluster.is_none() && pass.source != Place::Output && pass.target != Place::Cluster;
            goes && pass.planes.is_none()
                && tile.share.is_none()
                && !tile.ahead
                && tile.arithmetic == Arithmetic::Scalar
        };
        let plain = self.chunk.is_none() && self.ring.is_none() && self.passes().iter().all(is_plain);
        if plain || self.transform.kind == Kind::Dft {
            return Ok(());
        }
        Err(Error::InvalidTransform(
            "real numbers go through memory in plain tiles, from the input to the output".into(),
        ))
    }

    /// Checks that a pass has a half spectrum where the transform has one, and nowhere else, with all its points. Gives the
    /// index of the farthest element there.
    pub(super) fn check_half(&self, number: usize, pass: &Pass, place: Place) -> Result<Option<usize>> {
        let side = self.transform.half_side();
        let is_half = match place {
            Place::Input => side == Some(Side::Input),
            Place::Output => side == Some(Side::Output),
            _ => false,
        };
        let invalid = || {
            Error::InvalidTransform(format!(
                "pass {number} does not have the half spectrum of its transform, or another"
            ))
        };
        let Some(half) = &pass.half else { return if is_half { Err(invalid()) } else { Ok(None) } };
        let dim = self.transform.dims[0];
        let strides = match side {
            Some(Side::Input) => (dim.input_stride, (|c| c.input_stride) as fn(&Column) -> usize),
            _ => (dim.output_stride, (|c| c.output_stride) as fn(&Column) -> usize),
        };
        let far = (half.digits.len() == pass.columns.len()).then(|| half.farthest(pass.points(), &pass.columns));
        let has_all = far.flatten() == Some(dim.n - 1) && (half.n, half.stride) == (dim.n, strides.0);
        if self.transform.kind == Kind::Dft || !has_all {
            return Err(invalid());
        }
        if !is_half {
            return Ok(None);
        }
        let mut batch =
            pass.columns.iter().enumerate().map(|(c, column)| (column, half.stride_of(c, strides.1(column))));
        let far = (dim.n / 2).checked_mul(half.stride).and_then(|far| {
            batch.try_fold(far, |far, (column, stride)| far.checked_add((column.n - 1).checked_mul(stride)?))
        });
        far.map(Some).ok_or_else(invalid)
    }
}
