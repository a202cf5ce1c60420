//! The ends of transforms of real numbers. These come with imaginary parts of 0, and go without; of a half spectrum the points
//! that are not there are the conjugates of those that are.

use crate::algebra::Scalar;
use crate::plan::Half;
use crate::plan::Place as Target;
use crate::transform::Side;

use super::{Lowering, Number, Place};
use crate::kernel::ir::{Memory, Op, Type};
use crate::kernel::symbol::Symbol;

impl Lowering<'_> {
    /// The half spectrum that the pass reads.
    pub(super) fn half_of_source(&self) -> Option<&Half> {
        let reads = self.pass.source == Target::Input && self.recipe.transform.half_side() == Some(Side::Input);
        self.pass.half.as_ref().filter(|_| reads)
    }

    /// The half spectrum that it writes.
    pub(super) fn half_of_target(&self) -> Option<&Half> {
        let writes = self.pass.target == Target::Output && self.recipe.transform.half_side() == Some(Side::Output);
        self.pass.half.as_ref().filter(|_| writes)
    }

    /// A real number of the source, or 0 where there is none.
    pub(super) fn real(&self, exists: Option<&Symbol>, index: &Symbol) -> Number {
        let word = self.element.0;
        let mut components = self.context.load_where(exists, Memory::Source, index, (word, 1));
        components.push(self.context.value(word, Op::Const(0)));
        Number::from_components(self.algebra(), components)
    }

    /// The number of a place's point, where the first of the batch's transform of its column is in memory, and whether there is
    /// such a column, where that is not certain.
    fn point(
        &self,
        half: &Half,
        place: &Place,
        stride: fn(&crate::plan::Column) -> usize,
    ) -> (Symbol, Symbol, Option<Symbol>) {
        let (digits, exists) = self.digits(&place.column);
        let mut point = place.row.plus(place.step).times(half.row);
        let mut base = self.context.integer(self.index_type, 0);
        for (c, (digit, column)) in digits.iter().zip(&self.pass.columns).enumerate() {
            base = base.add(&digit.times(half.stride_of(c, stride(column))));
            point = point.add(&digit.cast(Type::U32).times(half.digits[c]));
        }
        (point, base, exists)
    }

    /// Where a point is in memory.
    fn index_of(&self, half: &Half, base: &Symbol, point: &Symbol) -> Symbol {
        base.add(&point.cast(self.index_type).times(half.stride)).cast(Type::U64)
    }

    /// A row of a spectrum of which half is there. Points 0 and n/2, their own mirror images, have imaginary parts of 0.
    pub(super) fn mirrored(&self, half: &Half, place: &Place) -> Number {
        let (point, base, _) = self.point(half, place, |c| c.input_stride);
        let image = self.context.integer(Type::U32, half.n).sub(&point);
        let own = point.min(&image);
        let index = self.index_of(half, &base, &own);
        let exists = self.pass.chirp.map(|n| self.is_row_of(n, place));
        let element = self.context.load_where(exists.as_ref(), Memory::Source, &index, self.element);
        let [re, im] = &element[..] else { unreachable!("a complex number has two parts") };
        let zero = self.context.value(self.element.0, Op::Const(0));
        let im = image.less_than(&point).select(&im.neg(), im);
        let im = own.equals(0).select(&zero, &im);
        let im = if half.n.is_multiple_of(2) { own.equals(half.n / 2).select(&zero, &im) } else { im };
        Number::from_components(self.algebra(), vec![re.clone(), im])
    }

    /// Where a row of the spectrum goes, whether there is such a column, and whether the row is there and of the half.
    pub(super) fn place_in_half(&self, half: &Half, place: Place) -> (Symbol, Option<Symbol>, Option<Symbol>) {
        let (point, base, column) = self.point(half, &place, |c| c.output_stride);
        let is_there = point.less_than(&self.context.integer(Type::U32, half.n / 2 + 1));
        let row = place.exists.map_or(is_there.clone(), |exists| exists.and(&is_there));
        (self.index_of(half, &base, &point), column, Some(row))
    }
}
