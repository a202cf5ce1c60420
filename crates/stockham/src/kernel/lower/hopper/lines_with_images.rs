//! Clusters of neighbouring lines at a half spectrum. A tile has some values of the first digit of points, and their images behind
//! them: value n − d of d, whose second digits are mirrored, too. So what is for the image of a line goes to the work-group, and to the
//! place, from the other end. Values 0 and n/2 have their images among themselves, and stand where the others' halves do:
//! [`Lowering::digits_with_images`] says how.

use crate::algebra::Scalar;
use crate::kernel::symbol::Symbol;
use crate::plan::Pass;

use super::super::Lowering;

/// A column of a thread's before it is pushed.
pub(super) struct Line {
    /// Its place among those of its cluster, where the second pass's columns have no images.
    pub place: Symbol,
    /// Whether it is of value 0, or n/2.
    is_zero: Symbol,
    is_middle: Symbol,
    /// Whether its rows, those of the lower half and the others, go from the other end.
    is_turned: [Symbol; 2],
    /// Its place among the values, or among the images.
    within: Symbol,
}

impl Lowering<'_> {
    /// A column's line, if the launch has lines with their images.
    pub(super) fn line_with_images(&self, column: &Symbol, other: &Symbol) -> Option<Line> {
        let (share, half) = (self.pass.hopper.share?, self.pass.half_of_wide()?);
        let [zero, one] = [0, 1].map(|x| self.integer(x));
        let digit = 1 - share.digit;
        let value = self.digits(column).0.swap_remove(digit);
        let (is_zero, is_middle) = (value.equals(0), value.equals(self.pass.columns[digit].n / 2));
        let of_middle = is_middle.select(&self.integer(half), other);
        let place = if self.pass.has_images() { is_zero.select(&zero, &of_middle) } else { other.clone() };
        let is_image = other.less_than(&self.integer(half)).select(&zero, &one);
        let is_turned = [is_middle.select(&zero, &is_image), is_zero.select(&one, &is_image)];
        let is_turned = is_turned.map(|is_turned| zero.less_than(&is_turned));
        Some(Line { place, is_zero, is_middle, is_turned, within: other.modulo(half) })
    }

    /// The work-group that takes a thread's row, so far from its first, as a column or as an image, and the place of that in its tile.
    pub(super) fn beside_images(&self, line: &Line, second: &Pass, thread: &Symbol, row: usize) -> (Symbol, Symbol) {
        let (n, half) = (self.pass.radix, self.pass.half_of_wide().unwrap_or(1));
        let behind = second.column_of_parts(0, half);
        let Line { is_zero, is_middle, is_turned, within, .. } = line;
        let (is_turned, value) = if row < n / 2 {
            let first = thread.add(&is_middle.select(&self.integer(n / 2), &self.integer(0)));
            (&is_turned[0], is_turned[0].select(&self.less(n - 1 - row, thread), &first.plus(row)))
        } else {
            let last = is_middle.select(&self.integer(n + n / 2 - 1), &self.integer(n - 1));
            let last = is_zero.select(&self.integer(n), &last);
            let value = is_turned[1].select(&last.sub(&thread.plus(row)), &thread.plus(row));
            // The row in the middle of value 0 is its own image, and stands beside row 0.
            let value = if row == n / 2 { is_zero.select(&value.modulo(n / 2), &value) } else { value };
            (&is_turned[1], value)
        };
        let place = is_turned.select(&self.integer(behind), &self.integer(0)).add(within);
        (value.over(behind / half), place.add(&value.modulo(behind / half).times(half)))
    }
}
