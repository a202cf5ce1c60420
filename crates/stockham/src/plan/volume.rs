//! Arrays of several dimensions in one tile: their stages one after the other, the last dimension's first.
//!
//! A stage takes butterflies over the highest digits of a row's number, and gives the lowest ones (Stockham). So rows have the
//! digits of an array's index in the order of their last dimension, and stand in it in the end as they lie in memory; and the
//! stages of a dimension have no roots for what others have given.

use crate::error::{Error, Result};
use crate::transform::Kind;

use super::pass::Holding;
use super::recipe::{Lanes, Pass, Recipe};

impl Pass {
    /// The points of those dimensions that are done before a stage, or convolutions that it is of side by side.
    pub(crate) fn done_before(&self, stage: usize) -> usize {
        if self.beside != [0; 2] {
            return if self.inner().contains(&stage) { self.side_by_side() } else { 1 };
        }
        let before = self.stage(stage).1;
        let inner_first = self.array.iter().rev().scan(1, |points, n| {
            *points *= n;
            Some(*points)
        });
        inner_first.take_while(|points| *points <= before).last().unwrap_or(1)
    }

    /// What threads hold that load an array as it lies in memory.
    pub(super) fn as_in_memory(&self) -> Option<Holding> {
        (!self.array.is_empty() && self.tile.load == Lanes::Flat).then_some(Holding::Array)
    }

    /// Checks that the stages are those of dimension after dimension.
    pub(super) fn check_array(&self) -> Result<()> {
        let mut stages = self.tile.stages.iter();
        let is_made = |n: &usize| {
            let mut made = 1usize;
            while made < *n {
                let Some(radix) = stages.next() else { return false };
                made = made.saturating_mul(*radix);
            }
            made == *n
        };
        let is_flat = self.tile.load == Lanes::Flat && !self.convolves() && self.twiddle.is_none();
        if self.array.is_empty() || is_flat && self.array.iter().rev().all(is_made) && stages.len() == 0 {
            return Ok(());
        }
        Err(Error::InvalidTransform(format!(
            "stages of {:?} do not make an array of {:?}",
            self.tile.stages, self.array
        )))
    }
}

impl Recipe {
    /// Checks that the passes are those of lines, or of an array.
    pub(super) fn check_arrays(&self) -> Result<()> {
        let mut lengths: Vec<usize> = self.transform.dims.iter().map(|dim| dim.n).collect();
        if let (Kind::Real, Some(last)) = (self.transform.kind, lengths.last_mut()) {
            // Two numbers make a point.
            *last /= 2;
        }
        let of_array = |pass: &Pass| if lengths.len() > 1 { pass.array == lengths } else { pass.array.is_empty() };
        let fits = match self.passes() {
            [one] => of_array(one),
            passes => passes.iter().all(|pass| pass.array.is_empty()),
        };
        if !fits || self.transform.algebra.free_order() > 1 && self.passes().iter().any(|pass| !pass.array.is_empty()) {
            return Err(Error::InvalidTransform(format!("the passes are not those of an array of {lengths:?}")));
        }
        self.passes().iter().try_for_each(Pass::check_array)
    }
}
