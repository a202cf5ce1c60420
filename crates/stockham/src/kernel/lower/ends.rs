//! The ends of transforms of real numbers. These come with imaginary parts of 0, and go without; of a half spectrum the points
//! that are not there are the conjugates of those that are.

use crate::algebra::Scalar;
use crate::plan::Ends;
use crate::plan::Place as Target;
use crate::transform::Side;

use super::{Lowering, Number, Place};
use crate::kernel::access::Site;
use crate::kernel::ir::{Memory, Op, Type};
use crate::kernel::symbol::{Symbol, all_of};

/// A number that goes to memory: where, and whether it does, where that is not certain.
pub(super) struct Stored {
    pub site: Site,
    pub components: Vec<Symbol>,
    pub exists: Option<Symbol>,
}

impl Stored {
    /// One that goes to a place of which nothing else is known.
    pub fn at(index: &Symbol, components: Vec<Symbol>, exists: Option<Symbol>) -> Self {
        Self { site: Site::at(index), components, exists }
    }
}

/// A point of the DFT.
pub(super) struct Point {
    pub number: Symbol,
    /// Where the numbers of its line begin in memory.
    pub base: Symbol,
    /// Whether there is such a column, where that is not certain.
    pub exists: Option<Symbol>,
    /// What its number is beside that: a constant that is kept [apart](Lowering::point_in_one_launch).
    pub step: usize,
    /// Whether it is before the end of a chirp for certain.
    pub is_certain: bool,
}

impl Point {
    /// Its number, with the constant.
    pub fn whole(&self) -> Symbol {
        if self.step == 0 { self.number.clone() } else { self.number.plus(self.step) }
    }

    /// An index of its number, for so much a point, with the constant.
    fn further(&self, index: Symbol, stride: usize) -> Symbol {
        if self.step == 0 { index } else { index.plus(self.step * stride) }
    }
}

impl Lowering<'_> {
    /// What points the pass reads, if they are made of other numbers.
    pub(super) fn ends_of_source(&self) -> Option<&Ends> {
        self.pass.ends.as_ref().filter(|ends| self.pass.source == Target::Input && ends.sides[0])
    }

    /// What points it writes, if other numbers are made of them.
    pub(super) fn ends_of_target(&self) -> Option<&Ends> {
        self.pass.ends.as_ref().filter(|ends| self.pass.target == Target::Output && ends.sides[1])
    }

    /// A real number of the source, or 0 where there is none.
    pub(super) fn real(&self, exists: Option<&Symbol>, index: &Symbol) -> Number {
        let word = self.element.0;
        let mut components = self.context.load_where(exists, Memory::Source, index, (word, 1));
        components.push(self.zero());
        Number::from_components(self.algebra(), components)
    }

    pub(super) fn zero(&self) -> Symbol {
        self.context.value(self.element.0, Op::Const(0))
    }

    /// The point at a place, of the input or of the output.
    pub(super) fn point(&self, ends: &Ends, place: &Place, side: Side) -> Point {
        let (digits, exists) = self.digits(&place.column);
        let mut number = place.row.plus(place.step).times(ends.row);
        let strides = self.pass.row_strides;
        let stride_of_rows = if side == Side::Input { strides.0 } else { strides.1 };
        let mut base = match ends.stride_of_rows(stride_of_rows) {
            _ if !ends.lines.is_empty() => {
                let line = number.over(ends.points);
                number = number.modulo(ends.points);
                line.cast(self.index_type).times(stride_of_rows)
            }
            0 => self.context.integer(self.index_type, 0),
            stride => place.row.plus(place.step).cast(self.index_type).times(stride),
        };
        for (c, (digit, column)) in digits.iter().zip(&self.pass.columns).enumerate() {
            let stride = if side == Side::Input { column.input_stride } else { column.output_stride };
            base = base.add(&self.along_column(digit, c, ends.stride_of(c, stride)));
            number = number.add(&digit.cast(Type::U32).times(ends.digits[c]));
        }
        Point { number, base, exists, step: 0, is_certain: false }
    }

    /// Where a number of a line is in memory.
    pub(super) fn index_of(&self, stride: usize, base: &Symbol, number: &Symbol) -> Symbol {
        base.add(&number.cast(self.index_type).times(stride)).cast(Type::U64)
    }

    /// The point at a place of the input.
    pub(super) fn read_point(&self, ends: &Ends, place: &Place) -> Number {
        if self.is_beyond(Some(ends), place) {
            return self.no_point();
        }
        let transform = &self.recipe.transform;
        let is_plain = transform.trig().is_none() && transform.half_side().is_none();
        let apart = is_plain.then(|| self.point_in_one_launch(ends, place, Side::Input)).flatten();
        let point = apart.unwrap_or_else(|| self.point(ends, place, Side::Input));
        // Behind the end of a chirp there is none.
        let exists = self.is_in_chirp(ends, place, &point).or_else(|| self.apart(place));
        if ends.packed {
            let first = point.number.times(2);
            let numbers =
                [first.clone(), first.plus(1)].map(|number| self.read_number(ends, &point, &number, exists.as_ref()));
            return Number::from_components(self.algebra(), numbers.to_vec());
        }
        let x = match transform.trig() {
            Some(trig) => self.read_trig(ends, trig, &point, exists.as_ref()),
            None if transform.half_side() == Some(Side::Input) => self.mirrored(ends, &point, exists.as_ref()),
            None => {
                let index = self.index_of(ends.strides.0, &point.base, &point.number);
                let index = point.further(index, ends.strides.0);
                if self.reals[0] {
                    self.real(exists.as_ref(), &index)
                } else {
                    let loaded = self.context.load_where(exists.as_ref(), Memory::Source, &index, self.element);
                    Number::from_components(self.algebra(), loaded)
                }
            }
        };
        match ends.chirp {
            Some(n) => self.by_chirp_of_point(n, &point, &x),
            None => x,
        }
    }

    /// The real number of a point's line that has this number, in the order that the DFT takes them.
    fn read_number(&self, ends: &Ends, point: &Point, number: &Symbol, exists: Option<&Symbol>) -> Symbol {
        match self.recipe.transform.trig() {
            None => self.read_real(ends, point, number, exists),
            Some(trig) => self.read_trig_number(ends, trig, (point, number), exists),
        }
    }

    /// What is written of it.
    fn written_number(&self, ends: &Ends, point: &Point, number: &Symbol, x: &Symbol) -> Stored {
        let (at, x) = match self.recipe.transform.trig() {
            None => (number.clone(), x.clone()),
            Some((is_sine, _)) => self.third_of(is_sine, number, x),
        };
        Stored::at(&self.index_of(ends.strides.1, &point.base, &at), vec![x], None)
    }

    /// A point of the half spectrum in memory.
    pub(super) fn half_of_memory(
        &self,
        ends: &Ends,
        point: &Point,
        number: &Symbol,
        exists: Option<&Symbol>,
    ) -> Vec<Symbol> {
        let index = self.index_of(ends.strides.0, &point.base, number);
        self.context.load_where(exists, Memory::Source, &index, self.element)
    }

    /// What is written of the point at a place.
    pub(super) fn written_of(&self, ends: &Ends, place: Place, components: Vec<Symbol>) -> Vec<Stored> {
        let is_plain = self.recipe.transform.trig().is_none() && self.recipe.transform.half_side().is_none();
        let apart = is_plain.then(|| self.point_in_one_launch(ends, &place, Side::Output)).flatten();
        let point = apart.unwrap_or_else(|| self.point(ends, &place, Side::Output));
        let within = self.is_in_chirp(ends, &place, &point);
        let transform = &self.recipe.transform;
        let mut stored = match transform.trig() {
            _ if ends.packed => {
                let first = point.number.times(2);
                let of = |c: usize| self.written_number(ends, &point, &first.plus(c), &components[c]);
                vec![of(0), of(1)]
            }
            None if transform.half_side() == Some(Side::Output) => vec![self.in_half(ends, &point, components)],
            None => {
                let index = point.further(self.index_of(ends.strides.1, &point.base, &point.number), ends.strides.1);
                let kept = if self.reals[1] { 1 } else { components.len() };
                vec![Stored::at(&index, components[..kept].to_vec(), None)]
            }
            Some(trig) => self.write_trig(ends, trig, &point, components),
        };
        for one in &mut stored {
            let all = [point.exists.clone(), place.exists.clone(), within.clone(), one.exists.take()];
            one.exists = all_of(all);
        }
        stored
    }

    /// A point of a spectrum of which half is there. Points 0 and n/2, their own mirror images, have imaginary parts of 0.
    fn mirrored(&self, ends: &Ends, point: &Point, exists: Option<&Symbol>) -> Number {
        let n = ends.points;
        let image = self.context.integer(Type::U32, n).sub(&point.number);
        let own = point.number.min(&image);
        let index = self.index_of(ends.strides.0, &point.base, &own);
        let element = self.context.load_where(exists, Memory::Source, &index, self.element);
        let [re, im] = &element[..] else { unreachable!("a complex number has two parts") };
        let zero = self.zero();
        let im = image.less_than(&point.number).select(&im.neg(), im);
        let im = own.equals(0).select(&zero, &im);
        let im = if n.is_multiple_of(2) { own.equals(n / 2).select(&zero, &im) } else { im };
        Number::from_components(self.algebra(), vec![re.clone(), im])
    }

    /// A point of a half spectrum.
    fn in_half(&self, ends: &Ends, point: &Point, components: Vec<Symbol>) -> Stored {
        let is_there = point.number.less_than(&self.context.integer(Type::U32, ends.points / 2 + 1));
        let index = self.index_of(ends.strides.1, &point.base, &point.number);
        Stored::at(&index, components, Some(is_there))
    }
}
