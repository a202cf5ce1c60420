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

    pub(super) fn integer(&self, value: usize) -> Symbol {
        self.context.integer(Type::U32, value)
    }

    /// value − number.
    pub(super) fn less(&self, value: usize, number: &Symbol) -> Symbol {
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

    /// A number of the input.
    pub(super) fn read_real(&self, ends: &Ends, point: &Point, number: &Symbol, exists: Option<&Symbol>) -> Symbol {
        let index = self.index_of(ends.strides.0, &point.base, number);
        self.context.load_where(exists, Memory::Source, &index, (self.element.0, 1)).remove(0)
    }

    /// The real number that the DFT of types I and II takes with this number.
    pub(super) fn read_trig_number(
        &self,
        ends: &Ends,
        (is_sine, of): (bool, TrigType),
        (point, p): (&Point, &Symbol),
        exists: Option<&Symbol>,
    ) -> Symbol {
        let (n, zero) = (self.numbers(), self.zero());
        let real = |number: &Symbol| self.read_real(ends, point, number, exists);
        match of {
            TrigType::I if is_sine => {
                let is_low = p.less_than(&self.integer(n + 1));
                let is_zero = self.either(&p.equals(0), &p.equals(n + 1));
                let at = is_low.select(&p.sub(&self.integer(1)), &self.less(2 * n + 1, p));
                let x = real(&is_zero.select(&self.integer(0), &at));
                is_zero.select(&zero, &is_low.select(&x, &x.neg()))
            }
            TrigType::I => {
                let at = p.min(&self.less(2 * n - 2, p));
                let x = real(&at);
                let is_end = self.either(&at.equals(0), &at.equals(n - 1));
                if self.recipe.transform.orthogonalize { self.by_root_where(&is_end, &x, 2.0) } else { x }
            }
            TrigType::II => {
                let (at, is_odd) = self.reordered(p);
                let x = real(&at);
                if is_sine { is_odd.select(&x.neg(), &x) } else { x }
            }
            TrigType::III | TrigType::IV => unreachable!("their points are no real numbers"),
        }
    }

    /// A point of the half spectrum of type III, which two of the numbers make.
    pub(super) fn read_third(
        &self,
        ends: &Ends,
        is_sine: bool,
        (point, p): (&Point, &Symbol),
        exists: Option<&Symbol>,
    ) -> Number {
        let (n, zero) = (self.numbers(), self.zero());
        let real = |number: &Symbol| self.read_real(ends, point, number, exists);
        let is_first = p.equals(0);
        let re = real(&if is_sine { self.less(n - 1, p) } else { p.clone() });
        let re = if self.recipe.transform.orthogonalize { self.by_root_where(&is_first, &re, 2.0) } else { re };
        // What is mirrored to number n is not there.
        let image = if is_sine { p.sub(&self.integer(1)) } else { self.less(n, p) };
        let im = real(&is_first.select(&self.integer(0), &image)).neg();
        let x = Number::from_components(self.algebra(), vec![re, is_first.select(&zero, &im)]);
        self.turned(ends, 0, p, x)
    }

    /// The point that numbers of the input make.
    pub(super) fn read_trig(
        &self,
        ends: &Ends,
        (is_sine, of): (bool, TrigType),
        point: &Point,
        exists: Option<&Symbol>,
    ) -> Number {
        let (n, p) = (self.numbers(), &point.number);
        let real = |number: &Symbol| self.read_real(ends, point, number, exists);
        let number = |re: Symbol, im: Symbol| Number::from_components(self.algebra(), vec![re, im]);
        match of {
            TrigType::I | TrigType::II => {
                number(self.read_trig_number(ends, (is_sine, of), (point, p), exists), self.zero())
            }
            TrigType::III => self.read_third(ends, is_sine, (point, p), exists),
            TrigType::IV if n.is_multiple_of(2) => {
                let (left, right) = (p.times(2), self.less(n - 1, &p.times(2)));
                let (re, im) = if is_sine { (right, left) } else { (left, right) };
                self.turned(ends, 0, p, number(real(&re), real(&im)))
            }
            TrigType::IV => {
                let m = self.odd_of(p);
                // The numbers of sines come from right to left.
                let at = m.over(2);
                let x = real(&if is_sine { self.less(n - 1, &at) } else { at });
                number(self.with_sign(&x, &m, [3, 5]), self.with_sign(&x, &m, [5, 7]))
            }
        }
    }

    /// A point's number as an index of a table: that of the last one where a chirp has none.
    fn within_line(&self, ends: &Ends, point: &Symbol) -> Symbol {
        if self.pass.chirp.or(ends.chirp).is_some() { point.min(&self.integer(ends.points - 1)) } else { point.clone() }
    }

    /// A point that was read, or is going to be written, turned as the ends say of that side.
    pub(super) fn turned(&self, ends: &Ends, side: usize, point: &Symbol, x: Number) -> Number {
        match ends.turns[side] {
            Some(_) => x.mul(&self.table(self.tables.turns[side], &self.within_line(ends, point))),
            None => x,
        }
    }

    /// Where type III has the number that its DFT gives with this number, and what it is.
    pub(super) fn third_of(&self, is_sine: bool, number: &Symbol, x: &Symbol) -> (Symbol, Symbol) {
        let (at, is_odd) = self.reordered(number);
        (at, if is_sine { is_odd.select(&x.neg(), x) } else { x.clone() })
    }

    /// The numbers of the output that a point of the half spectrum makes, of types I and II.
    pub(super) fn write_half_trig(
        &self,
        ends: &Ends,
        (is_sine, of): (bool, TrigType),
        (point, k): (&Point, &Symbol),
        x: [Symbol; 2],
        exists: Option<Symbol>,
    ) -> Vec<Stored> {
        let all = |condition: &Symbol| Some(exists.as_ref().map_or(condition.clone(), |exists| exists.and(condition)));
        let is_inside = self.integer(0).less_than(k).and(&k.less_than(&self.integer(ends.points)));
        let stored = |number: &Symbol, x: Symbol, exists: Option<Symbol>| {
            Stored::at(&self.index_of(ends.strides.1, &point.base, number), vec![x], exists)
        };
        let (n, orthogonal) = (self.numbers(), self.recipe.transform.orthogonalize);
        if of == TrigType::I {
            let [re, im] = x;
            if is_sine {
                return vec![stored(&k.sub(&self.integer(1)), im.neg(), all(&is_inside))];
            }
            let is_end = self.either(&k.equals(0), &k.equals(n - 1));
            let re = if orthogonal { self.by_root_where(&is_end, &re, 0.5) } else { re };
            return vec![stored(k, re, exists)];
        }
        // Number n − k is made of the imaginary part.
        let turned = self.turned(ends, 1, k, Number::from_components(self.algebra(), x.to_vec())).into_components();
        let [re, im] = [turned[0].add(&turned[0]), turned[1].add(&turned[1]).neg()];
        let re = if orthogonal { self.by_root_where(&k.equals(0), &re, 0.5) } else { re };
        let at = |number: Symbol| if is_sine { self.less(n - 1, &number) } else { number };
        vec![stored(&at(k.clone()), re, exists.clone()), stored(&at(self.less(n, k)), im, all(&is_inside))]
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
        let stored = |number: &Symbol, x: Symbol, exists: Option<Symbol>| {
            Stored::at(&self.index_of(ends.strides.1, &point.base, number), vec![x], exists)
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
                let (at, x) = self.third_of(is_sine, p, re);
                vec![stored(&at, x, None)]
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
