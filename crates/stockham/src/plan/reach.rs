//! What passes reach: whoever made a recipe, its kernels stay within the memory that a run is given, and within the tables
//! that are made for it. A recipe that was read from a file may still compute something else, but it harms nothing.

use crate::algebra::Algebra;
use crate::error::{Error, Result};
use crate::transform::{Side, Transform};

use super::across::across;
use super::domain;
use super::pass::follow_each_other;
use super::recipe::{Arithmetic, Column, Padding, Pass, Place, Recipe, Twiddle};
use super::twiddles::TwiddleSource;

/// Places of local memory, points of a tile and registers that no device comes near to; all that is computed from numbers
/// below stays far from the end of what a `usize` holds.
const MOST_PLACES: usize = 1 << 32;
const MOST_POINTS: usize = 1 << 24;
const MOST_REGISTERS: usize = 1 << 16;

impl Padding {
    /// Places up to the last row and column of so many, if that is a number of places.
    fn end(&self, rows: usize, columns: usize) -> Option<usize> {
        let along = |count: usize, distance: usize| count.checked_sub(1)?.checked_mul(distance);
        let x = along(rows, self.row)?.checked_add(along(columns, self.column)?)?;
        let skipped = x.checked_shr(self.shift)?.checked_mul(self.skip)?;
        x.checked_add(skipped)?.checked_add(1).filter(|end| *end <= MOST_PLACES)
    }
}

impl Pass {
    /// Checks that there are as many columns as the transforms have, and tiles of them that are no more than can be counted.
    pub(super) fn check_columns(&self, transform: &Transform, points: usize) -> Result<()> {
        let of_transform = points;
        let points = self.columns.iter().try_fold(self.points(), |points, column| points.checked_mul(column.n));
        let all = of_transform.checked_mul(transform.batch_count());
        let tile = self.radix.checked_mul(self.tile.columns).filter(|points| *points <= MOST_POINTS);
        let slices = self.tile.rounds.slices.max(1);
        let is_counted =
            |padding: &Padding| padding.end(self.tile_rows().div_ceil(slices), self.tile.columns).is_some();
        let received = self.hopper.cluster.map_or(Some(0), |cluster| {
            let places = cluster.padding.end(self.radix, self.tile.columns)?;
            places.checked_add(cluster.start).filter(|end| *end <= MOST_PLACES)
        });
        let fits = points == all
            && tile.is_some()
            && received.is_some()
            && self.tile.exchanges.iter().all(is_counted)
            && (1..=MOST_REGISTERS).contains(&self.tile.registers);
        if fits {
            return Ok(());
        }
        Err(Error::InvalidTransform(format!(
            "a pass of {} points over {} columns at a time, with {} registers and its paddings, does not go through {} \
             transforms of {} points",
            self.radix,
            self.tile.columns,
            self.tile.registers,
            transform.batch_count(),
            of_transform
        )))
    }

    /// The index of the farthest element, for rows and columns so far apart; nothing if it is beyond all numbers.
    fn farthest(&self, row: usize, columns: &[Column], stride: fn(&Column) -> usize) -> Option<usize> {
        self.farthest_of(self.points(), row, columns, stride)
    }

    /// The same of the first rows.
    fn farthest_of(&self, rows: usize, row: usize, columns: &[Column], stride: fn(&Column) -> usize) -> Option<usize> {
        let rows = (rows - 1).checked_mul(row)?;
        columns.iter().try_fold(rows, |far, c| far.checked_add((c.n - 1).checked_mul(stride(c))?))
    }

    /// Whether what is between two passes of one launch lies transform after transform, each in its own part,
    /// so that a part may stand for another.
    fn is_in_parts(&self, points: usize, row: usize, stride: fn(&Column) -> usize) -> bool {
        let (mut inside, mut within) = (0, self.points());
        while within < points && inside < self.columns.len() {
            within = within.saturating_mul(self.columns[inside].n);
            inside += 1;
        }
        let (of_transform, of_batch) = self.columns.split_at(inside);
        within == points
            && self.farthest(row, of_transform, stride).is_some_and(|far| far < points)
            && follow_each_other(of_batch, points, stride)
    }

    fn check_twiddle(&self, transform: &Transform, points: usize) -> Result<()> {
        let Some(twiddle @ Twiddle { order, split, source, odd }) = self.twiddle else { return Ok(()) };
        let of_tables = twiddle.table_order();
        let weights = self.farthest(0, &self.columns, |c| c.weight);
        let is_found =
            source != TwiddleSource::Columns || weights.is_some_and(|weights| weights < self.twiddle_columns());
        let exponent = weights.and_then(|weights| weights.checked_mul(self.points() - 1));
        let fits = order > 0
            && points.is_multiple_of(order)
            && u32::try_from(of_tables).is_ok()
            && (1..=of_tables).contains(&split)
            && (of_tables.is_multiple_of(split) || transform.algebra.free_order() == 1)
            && exponent.is_some_and(|exponent| exponent < order)
            && is_found
            && odd == (source == TwiddleSource::Tables && domain::has_odd_twiddles(transform));
        if fits {
            return Ok(());
        }
        Err(Error::InvalidTransform(format!(
            "roots of order {order} in tables of {split} are not those of a pass over {} rows in a transform of {} points",
            self.radix, points
        )))
    }
}

impl Recipe {
    /// Checks what passes reach. Their columns are known to be all there are.
    pub(super) fn check_reach(&self) -> Result<()> {
        let transform = &self.transform;
        // Lines side by side are so in the workspace, too.
        let beside = across(transform).filter(|_| self.passes().len() > 1);
        let part = beside.map_or(1, |number| transform.batch[number].n).saturating_mul(self.points());
        for (number, pass) in self.passes().iter().enumerate() {
            pass.check_twiddle(transform, self.points())?;
            let from = (pass.source, pass.row_strides.0, (|c| c.input_stride) as fn(&Column) -> usize);
            let to = (pass.target, pass.row_strides.1, (|c| c.output_stride) as fn(&Column) -> usize);
            for (place, row, stride) in [from, to] {
                let far = match self.check_ends(number, pass, place)? {
                    None if place == Place::Input => {
                        pass.farthest_of(self.given_rows(pass)?, row, &pass.columns, stride)
                    }
                    None => pass.farthest(row, &pass.columns, stride),
                    far => far,
                };
                let is_below = |len: usize| far.is_some_and(|far| far < len);
                let stays = match place {
                    Place::Input => is_below(transform.array_len(Side::Input)),
                    Place::Output => is_below(transform.array_len(Side::Output)),
                    Place::Workspace => is_below(self.workspace_len),
                    Place::Ring => pass.is_in_parts(part, row, stride),
                    Place::Cluster => true,
                };
                if !stays {
                    return Err(Error::InvalidTransform(format!("pass {number} leaves its {place:?}, at {far:?}")));
                }
            }
            self.check_planes(pass)?;
            // Kernels write to the caller's output and workspace alone.
            if pass.target == Place::Input {
                return Err(Error::InvalidTransform(format!("pass {number} writes to its input")));
            }
        }
        Ok(())
    }

    /// Checks that planes are those of components that lie in the input, and that vectors are of numbers that make some.
    fn check_planes(&self, pass: &Pass) -> Result<()> {
        let algebra = self.transform.algebra;
        let (len, components) = (self.transform.input_len(), algebra.layout().1);
        let last = |planes: usize| planes.checked_mul(components - 1)?.checked_add(len);
        let in_input = |planes| last(planes).is_some_and(|end| end <= len.saturating_mul(components));
        let are_planes =
            pass.planes.is_none_or(|planes| pass.source == Place::Input && !algebra.has_digits() && in_input(planes));
        if are_planes && (pass.tile.arithmetic == Arithmetic::Scalar || algebra == Algebra::ComplexF32) {
            return Ok(());
        }
        Err(Error::InvalidTransform(format!(
            "planes are of the input's components, and vectors of pairs of f32: {} has {:?} and {:?}",
            algebra.name(),
            pass.planes,
            pass.tile.arithmetic
        )))
    }
}
