//! Cosets, zeros behind the input and bit-reversed orders, as the passes of a line over a field have them.
//!
//! For n = R_0·R_1·… row i of pass a is digit a of the input's index, where it weighs n/(R_0⋯R_a), and becomes that of the
//! output's, where it weighs R_0⋯R_(a−1). So each pass multiplies its rows by powers of the coset's number of their own,
//! and what follows from the other digits is left to the other passes.

use crate::algebra::Direction;
use crate::error::{Error, Result};
use crate::transform::{Side, Transform};

use super::across::across;
use super::recipe::{Column, Pass, Place, Recipe};

/// The strides of a pass that reads the input, or writes the output, where that is in bit-reversed order: the digits stand from
/// right to left. Each has its own bits from right to left, too: [`Recipe::reverses`]. `digit` is the column of the input's other
/// digits, if there are some.
pub(super) fn reverse(
    transform: &Transform,
    [reads, writes]: [bool; 2],
    units: (usize, usize),
    rows: &mut (usize, usize),
    (digit, columns): (Option<usize>, &mut [Column]),
) {
    let (n, [input, output]) = (transform.points(), transform.domain.reversed);
    if reads && input {
        rows.0 = units.0;
        if let Some(column) = digit.map(|digit| &mut columns[digit]) {
            column.input_stride = n / column.n * units.0;
        }
    }
    if writes && output {
        rows.1 = units.1;
        for column in columns.iter_mut().filter(|column| column.weight > 0) {
            column.output_stride = n / (column.weight * column.n) * units.1;
        }
    }
}

/// Whether twiddles take the powers of a negacyclic transform's number with them: row i of a column of weight K has ω_order^(i·K), and
/// by the number's powers ω_(2·order)^i. Where most roots are free they stand in other tables.
pub(super) fn has_odd_twiddles(transform: &Transform) -> bool {
    let is_forward = transform.direction == Direction::Forward;
    transform.domain.negacyclic && is_forward && transform.algebra.free_order() == 1
}

impl Recipe {
    /// What row i of a pass is multiplied by the i-th power of: which power of the coset's number, and on which side.
    pub(crate) fn coset_step(&self, number: usize) -> Option<(Side, usize)> {
        let has_all = self.passes()[number].twiddle.is_some_and(|twiddle| twiddle.odd);
        if !self.transform.domain.is_coset() || has_all {
            return None;
        }
        let weight = |passes: &[Pass]| passes.iter().fold(1usize, |n, pass| n.saturating_mul(pass.radix));
        Some(match self.transform.direction {
            Direction::Forward => (Side::Input, weight(&self.passes()[number + 1..])),
            Direction::Inverse => (Side::Output, weight(&self.passes()[..number])),
        })
    }

    /// Rows of a pass that reads the input that are there: all that follow are 0.
    ///
    /// # Errors
    /// [`Error::Unsupported`] if some of a row are there, and others are not.
    pub(crate) fn given_rows(&self, pass: &Pass) -> Result<usize> {
        let Some(given) = self.transform.domain.given.filter(|_| pass.source == Place::Input) else {
            return Ok(pass.points());
        };
        let of_row = self.transform.points() / pass.radix.max(1);
        match given.checked_div(of_row) {
            Some(rows @ 1..) if given.is_multiple_of(of_row) && rows <= pass.radix => Ok(rows),
            _ => Err(Error::unsupported(
                format!("a transform of {} points of which {given} are not zeros", self.transform.points()),
                format!("the first pass has {} rows: fewer zeros, or a longer pass, would do", pass.radix),
            )),
        }
    }

    /// Whether the bits of a digit are reversed on a side of a pass: those of the rows, or of a column.
    pub(crate) fn reverses(&self, pass: &Pass, side: Side, column: Option<usize>) -> bool {
        let [input, output] = self.transform.domain.reversed;
        let is_several = self.passes().len() > 1;
        match side {
            Side::Input => {
                let beside = usize::from(across(&self.transform).is_some());
                input && pass.source == Place::Input && column.is_none_or(|c| is_several && c == beside)
            }
            Side::Output => output && pass.target == Place::Output && column.is_none_or(|c| pass.columns[c].weight > 0),
        }
    }
}
