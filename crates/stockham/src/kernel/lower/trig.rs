//! The ends of cosine and sine transforms: how their numbers make the points of a DFT, and are made of them. The algorithms are
//! those of the host (`device/cpu/trig.rs`), but for types II and III, whose DFTs have all their points here.

use crate::algebra::{DoubleDouble, Ring, Scalar};
use crate::plan::Ends;
use crate::transform::TrigType;

use super::ends::{Point, Stored};
use super::{Lowering, Number};
use crate::kernel::ir::{Memory, Type};
use crate::kernel::symbol::Symbol;

impl Lowering<'_> {
    /// Numbers of a line.
    fn numbers(&self) -> usize {
        self.recipe.transform.dims[0].n
    }

    fn integer(&self, value: usize) -> Symbol {
        self.context.integer(Type::U32, value)
    }

    /// value − number.
    fn less(&self, value: usize, number: &Symbol) -> Symbol {
        self.integer(value).sub(number)
    }

    /// √2 times a number where that holds, or 1/√2 times.
    fn by_root_where(&self, holds: &Symbol, x: &Symbol, square: f64) -> Symbol {
        holds.select(&x.times_exactly(DoubleDouble::from(square).sqrt()), x)
    }

    /// Whether one of two holds.
    fn either(&self, a: &Symbol, b: &Symbol) -> Symbol {
        a.select(a, b)
    }

    /// The number of the reordered line at a point (types II and III), and whether it is of odd number.
    fn reordered(&self, point: &Symbol) -> (Symbol, Symbol) {
        let n = self.numbers();
        let is_odd = self.integer(n.div_ceil(2) - 1).less_than(point);
        (is_odd.select(&self.less(2 * n - 1, &point.times(2)), &point.times(2)), is_odd)
    }

    /// For a point of type IV and an odd length: 2j + 1 for the number j that goes there.
    fn odd_of(&self, point: &Symbol) -> Symbol {
        point.modulo(2).equals(1).select(point, &point.plus(self.numbers()))
    }

    /// x, or −x where √2·cos(π·m/4), or √2·sin, is −1.
    fn with_sign(&self, x: &Symbol, m: &Symbol, negative: [usize; 2]) -> Symbol {
        let rest = m.modulo(8);
        self.either(&rest.equals(negative[0]), &rest.equals(negative[1])).select(&x.neg(), x)
    }

    /// The point that numbers of the input make.
    pub(super) fn read_trig(
        &self,
        ends: &Ends,
        (is_sine, of): (bool, TrigType),
        point: &Point,
        exists: Option<&Symbol>,
    ) -> Number {
        let (n, p, word) = (self.numbers(), &point.number, self.element.0);
        let real = |number: &Symbol| {
            let index = self.index_of(ends.strides.0, &point.base, number);
            self.context.load_where(exists, Memory::Source, &index, (word, 1)).remove(0)
        };
        // The numbers of sines come from right to left.
        let from_left = |number: Symbol| if is_sine { self.less(n - 1, &number) } else { number };
        let number = |re: Symbol, im: Symbol| Number::from_components(self.algebra(), vec![re, im]);
        let turned = |x: Number| self.turned(ends, 0, point, x);
        let (orthogonal, zero) = (self.recipe.transform.orthogonalize, self.zero());
        match of {
            TrigType::I if is_sine => {
                let is_low = p.less_than(&self.integer(n + 1));
                let is_zero = self.either(&p.equals(0), &p.equals(n + 1));
                let at = is_low.select(&p.sub(&self.integer(1)), &self.less(2 * n + 1, p));
                let x = real(&is_zero.select(&self.integer(0), &at));
                number(is_zero.select(&zero, &is_low.select(&x, &x.neg())), zero)
            }
            TrigType::I => {
                let at = p.min(&self.less(2 * n - 2, p));
                let x = real(&at);
                let is_end = self.either(&at.equals(0), &at.equals(n - 1));
                number(if orthogonal { self.by_root_where(&is_end, &x, 2.0) } else { x }, zero)
            }
            TrigType::II => {
                let (at, is_odd) = self.reordered(p);
                let x = real(&at);
                number(if is_sine { is_odd.select(&x.neg(), &x) } else { x }, zero)
            }
            TrigType::III => {
                let is_first = p.equals(0);
                let re = real(&from_left(p.clone()));
                let re = if orthogonal { self.by_root_where(&is_first, &re, 2.0) } else { re };
                // What is mirrored to number n is not there.
                let image = if is_sine { p.sub(&self.integer(1)) } else { self.less(n, p) };
                let im = real(&is_first.select(&self.integer(0), &image)).neg();
                turned(number(re, is_first.select(&zero, &im)))
            }
            TrigType::IV if n.is_multiple_of(2) => {
                let (left, right) = (p.times(2), self.less(n - 1, &p.times(2)));
                let (re, im) = if is_sine { (right, left) } else { (left, right) };
                turned(number(real(&re), real(&im)))
            }
            TrigType::IV => {
                let m = self.odd_of(p);
                let x = real(&from_left(m.over(2)));
                number(self.with_sign(&x, &m, [3, 5]), self.with_sign(&x, &m, [5, 7]))
            }
        }
    }

    /// A point's number as an index of a table: that of the last one where a chirp has none.
    fn within_line(&self, ends: &Ends, point: &Symbol) -> Symbol {
        if self.pass.chirp.is_some() { point.min(&self.integer(ends.points - 1)) } else { point.clone() }
    }

    /// A point that was read, or is going to be written, turned as the ends say of that side.
    pub(super) fn turned(&self, ends: &Ends, side: usize, point: &Point, x: Number) -> Number {
        match ends.turns[side] {
            Some(_) => x.mul(&self.table(self.tables.turns[side], &self.within_line(ends, &point.number))),
            None => x,
        }
    }

    /// The numbers of the output that a point makes.
    pub(super) fn write_trig(
        &self,
        ends: &Ends,
        (is_sine, of): (bool, TrigType),
        point: &Point,
        components: Vec<Symbol>,
    ) -> Vec<Stored> {
        let [re, im] = &components[..] else { unreachable!("a complex number has two parts") };
        let (n, p) = (self.numbers(), &point.number);
        let orthogonal = self.recipe.transform.orthogonalize;
        let stored = |number: &Symbol, x: Symbol, exists: Option<Symbol>| Stored {
            index: self.index_of(ends.strides.1, &point.base, number),
            components: vec![x],
            exists,
        };
        match of {
            TrigType::I if is_sine => {
                let is_there = self.integer(0).less_than(p).and(&p.less_than(&self.integer(n + 1)));
                vec![stored(&p.sub(&self.integer(1)), im.neg(), Some(is_there))]
            }
            TrigType::I => {
                let is_end = self.either(&p.equals(0), &p.equals(n - 1));
                let x = if orthogonal { self.by_root_where(&is_end, re, 0.5) } else { re.clone() };
                vec![stored(p, x, Some(p.less_than(&self.integer(n))))]
            }
            TrigType::II => {
                let x = re.add(re);
                let x = if orthogonal { self.by_root_where(&p.equals(0), &x, 0.5) } else { x };
                let at = if is_sine { self.less(n - 1, p) } else { p.clone() };
                vec![stored(&at, x, None)]
            }
            TrigType::III => {
                let (at, is_odd) = self.reordered(p);
                vec![stored(&at, if is_sine { is_odd.select(&re.neg(), re) } else { re.clone() }, None)]
            }
            TrigType::IV if n.is_multiple_of(2) => {
                let (left, right) = (p.times(2), self.less(n - 1, &p.times(2)));
                let double = im.add(im);
                let other = if is_sine { double } else { double.neg() };
                vec![stored(&left, re.add(re), None), stored(&right, other, None)]
            }
            TrigType::IV => {
                // The point is that of number k for 2k + 1 = m mod n, or of its mirror image, as m·n mod 4 says.
                let eightfold = p.cast(Type::U64).times(8).modulo(n).cast(Type::U32);
                let rest = eightfold.equals(0).select(&self.integer(0), &self.less(n, &eightfold));
                let m = self.odd_of(&rest);
                let turned = |m: &Symbol| m.modulo(8).times(n % 8).modulo(8);
                let is_own = turned(&m).modulo(4).equals(1);
                let m = is_own.select(&m, &self.less(2 * n, &m));
                let k = m.over(2);
                let x = self.with_sign(&re.times_exactly(DoubleDouble::from(2.0).sqrt()), &turned(&m), [3, 5]);
                let x = if is_sine { k.modulo(2).equals(1).select(&x.neg(), &x) } else { x };
                vec![stored(&k, x, None)]
            }
        }
    }
}
