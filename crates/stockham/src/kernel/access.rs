//! How a kernel reaches the caller's memory where numbers are other than they lie there: what is loaded goes through the
//! transform's expression at once, and what is stored goes through the other before.

use std::ops::Range;

use crate::algebra::{Algebra, Scalar};
use crate::plan::{Place, Recipe};
use crate::transform::{Array, Coordinates, Expr, Format, Function, Kind, Side, Transform, Value, Values, trace};

use super::ir::{Memory, Op, Type};
use super::symbol::{Context, Symbol, all_of};

/// Where a number is: its place in the array that a side is, as what depends on the thread and what does not; and what is known of
/// its indices, which need not be found from the place then.
pub(super) struct Site {
    pub place: (Symbol, usize),
    pub known: Option<Indices>,
}

/// The indices of a number of a line.
pub(super) struct Indices {
    /// The number along the line, as what depends on the thread and what does not.
    pub number: (Symbol, usize),
    /// The numbers among which it is.
    pub range: Range<usize>,
    /// Those of the batch.
    pub batch: Vec<Symbol>,
}

impl Site {
    /// A place of which nothing else is known.
    pub fn at(place: &Symbol) -> Self {
        Self { place: (place.clone(), 0), known: None }
    }
}

/// Whether a number lies in memory.
enum Presence {
    Always,
    Never,
    If(Symbol),
}

/// A side of the caller's memory.
#[derive(Debug, Clone)]
pub(super) struct Access {
    value: Option<Expr>,
    /// Whether numbers in memory are complex.
    is_complex: bool,
    /// The indices of a place, if anybody asks for them.
    coordinates: Option<Coordinates>,
    /// Whether some numbers are not there.
    has_holes: bool,
    /// Whether numbers lie closer together in memory than in the array.
    is_closer: bool,
    /// Whether numbers are added to what is there.
    accumulates: bool,
    /// Whether each line's real numbers follow each other from an even place on.
    is_in_twos: bool,
    /// The arrays in the table.
    arrays: Vec<Entry>,
    /// The real numbers that are computed with.
    real: Type,
    /// The type of indices.
    index: Type,
}

/// An array in the table.
#[derive(Debug, Clone)]
struct Entry {
    array: Array,
    /// The element of the table that it begins with.
    start: usize,
    /// Whether two real numbers are one of the table's elements, as threads look up two neighbours. Otherwise each is one, with a zero
    /// behind it.
    in_twos: bool,
}

impl Entry {
    /// How many elements it takes.
    fn elements(&self) -> usize {
        if self.in_twos { self.array.len().div_ceil(2) } else { self.array.len() }
    }

    /// Its components in the table, one after the other.
    fn components(&self) -> Vec<f64> {
        let numbers = (0..self.array.len()).map(|at| self.array.number(at));
        if !self.in_twos {
            return numbers.flat_map(|(re, im)| [re, im]).collect();
        }
        let mut components: Vec<f64> = numbers.map(|(re, _)| re).collect();
        components.resize(2 * self.elements(), 0.0);
        components
    }
}

/// The two sides of a launch.
#[derive(Debug, Clone, Default)]
pub(super) struct Accesses {
    pub load: Option<Access>,
    pub store: Option<Access>,
    /// What is between, where a pass goes there and back.
    pub filter: Option<Access>,
}

impl Accesses {
    /// Those of a launch that goes from one place to another, with arrays that follow so many elements of its table.
    pub fn of(recipe: &Recipe, (source, target): (Place, Place), mut start: usize) -> Self {
        let mut of = |side, is_there: bool| is_there.then(|| Access::of(recipe, side, &mut start)).flatten();
        let load = of(Side::Input, source == Place::Input);
        let store = of(Side::Output, target == Place::Output);
        let filter = recipe.transform.filter.as_ref().map(|filter| {
            let coordinates = recipe.transform.coordinates_of_spectrum();
            Access::new(recipe, (Some(&filter.value), true), false, coordinates, &mut start)
        });
        Self { load, store, filter }
    }
}

/// The arrays of a launch, as bytes of its table's elements.
pub(crate) fn table_bytes(recipe: &Recipe, (source, target): (Place, Place)) -> Vec<u8> {
    let Accesses { load, store, filter } = Accesses::of(recipe, (source, target), 0);
    let entries = load.into_iter().chain(store).chain(filter).flat_map(|access| access.arrays);
    let numbers = entries.flat_map(|entry| entry.components());
    match recipe.transform.algebra {
        Algebra::ComplexF32 => numbers.flat_map(|x| (x as f32).to_le_bytes()).collect(),
        _ => numbers.flat_map(f64::to_le_bytes).collect(),
    }
}

/// The format of a side of a launch, where it is not that of whole components of elements; and whether there is one of them.
pub(super) fn format_of(recipe: &Recipe, side: Side) -> (Option<Format>, bool) {
    let transform = &recipe.transform;
    if transform.access(side).is_plain() {
        return (None, transform.is_real(side));
    }
    let format = transform.format(side);
    let is_native = format.part == transform.natural_format(side).part;
    (Some(format).filter(|_| !is_native), !format.is_complex)
}

impl Access {
    fn of(recipe: &Recipe, side: Side, start: &mut usize) -> Option<Self> {
        let transform = &recipe.transform;
        let access = transform.access(side);
        if access.is_plain() {
            return None;
        }
        let value = (access.value(), transform.format(side).is_complex);
        let in_twos = transform.kind == Kind::Real && transform.is_real(side);
        let this = Self::new(recipe, value, in_twos, transform.coordinates(side), start);
        let is_in_twos = in_twos && this.has_even_lines(transform, side);
        Some(Self { accumulates: access.accumulates(), is_in_twos, ..this })
    }

    fn new(
        recipe: &Recipe,
        (value, is_complex): (Option<&Expr>, bool),
        in_twos: bool,
        coordinates: Option<Coordinates>,
        start: &mut usize,
    ) -> Self {
        let mut placed = |array: &Array| {
            let entry = Entry { array: array.clone(), start: *start, in_twos: in_twos && !array.is_complex };
            *start += entry.elements();
            entry
        };
        let arrays = value.into_iter().flat_map(Expr::arrays).map(&mut placed).collect();
        let axes = || coordinates.iter().flat_map(|all| &all.axes).filter(|axis| axis.n > 1);
        let has_holes = axes().any(|axis| axis.there < axis.n);
        let is_closer = axes().any(|axis| axis.in_memory != axis.stride);
        let end = coordinates.iter().flat_map(|all| &all.axes).map(|axis| axis.n.saturating_mul(axis.stride)).max();
        let index = if end.is_some_and(|end| u32::try_from(end).is_ok()) { Type::U32 } else { Type::U64 };
        let real = if recipe.transform.algebra == Algebra::ComplexF64 { Type::F64 } else { Type::F32 };
        Self {
            value: value.cloned(),
            is_complex,
            coordinates,
            has_holes,
            is_closer,
            accumulates: false,
            is_in_twos: false,
            arrays,
            real,
            index,
        }
    }

    /// Whether lines begin at even places, and their numbers follow each other.
    fn has_even_lines(&self, transform: &Transform, side: Side) -> bool {
        let strides: Vec<usize> = match &self.coordinates {
            Some(coordinates) if self.is_closer => coordinates.axes.iter().map(|axis| axis.in_memory).collect(),
            _ => transform.strides(side).map(|strides| strides.stride as usize).collect(),
        };
        strides.split_first().is_some_and(|(line, others)| *line == 1 && others.iter().all(|s| s.is_multiple_of(2)))
    }

    /// What becomes of a number at a place.
    pub fn apply(&self, context: &Context, site: &Site, components: Vec<Symbol>) -> Vec<Symbol> {
        let at = Placed { access: self, context, site, may_be_none: true };
        at.through(components)
    }

    /// A number at a place, if the guard holds.
    fn placed<'a>(&'a self, context: &'a Context, site: &'a Site, guard: Option<&Symbol>) -> Placed<'a> {
        Placed { access: self, context, site, may_be_none: guard.is_some() }
    }

    /// The real numbers at two places, which follow each other from an even one on if numbers lie in twos.
    pub fn load_two(&self, context: &Context, guard: Option<&Symbol>, sites: &[Site; 2]) -> [Symbol; 2] {
        let places = sites.each_ref().map(|site| self.placed(context, site, guard));
        let Some(index) = self.in_one(&places) else {
            return sites.each_ref().map(|site| self.load(context, guard, site, 1).remove(0));
        };
        let parts = context.load_memory(guard, Memory::SourcePairs, &index, (self.real, 2));
        let [first, second] = &places;
        let both = [(first, &parts[0]), (second, &parts[1])];
        both.map(|(at, part)| {
            let part = at.through(vec![part.clone()]).remove(0);
            at.where_there(guard, vec![part]).remove(0)
        })
    }

    /// Stores real numbers at two such places.
    pub fn store_two(&self, context: &Context, sites: &[Site; 2], parts: &[Symbol; 2], guard: Option<&Symbol>) {
        let places = sites.each_ref().map(|site| self.placed(context, site, guard));
        let Some(index) = self.in_one(&places).filter(|_| !self.accumulates) else {
            let both = sites.iter().zip(parts);
            return both.for_each(|(site, part)| self.store(context, site, std::slice::from_ref(part), guard));
        };
        let [first, second] = &places;
        let parts =
            [(first, &parts[0]), (second, &parts[1])].map(|(at, part)| at.through(vec![part.clone()]).remove(0));
        context.store_memory(Memory::TargetPairs, &index, &parts, guard);
    }

    /// The number of the two, if they are in memory for certain.
    fn in_one(&self, [first, second]: &[Placed<'_>; 2]) -> Option<Symbol> {
        let ((base, offset), presence) = first.in_memory();
        let is_there = |presence| matches!(presence, Presence::Always);
        (self.is_in_twos && is_there(presence) && is_there(second.in_memory().1)).then(|| base.over(2).plus(offset / 2))
    }

    /// The components, so many, of the number at a place that is loaded, if the guard holds.
    pub fn load(&self, context: &Context, guard: Option<&Symbol>, site: &Site, count: usize) -> Vec<Symbol> {
        let at = self.placed(context, site, guard);
        let ((base, offset), presence) = at.in_memory();
        let is_there = match presence {
            Presence::Never => return vec![at.constant(0.0); count],
            Presence::Always => None,
            Presence::If(is_there) => Some(is_there),
        };
        let index = base.plus(offset);
        let guard = all_of([guard.cloned(), is_there]);
        let element = (self.real, if self.is_complex { 2 } else { 1 });
        let mut parts = at.through(context.load_memory(guard.as_ref(), Memory::Source, &index, element));
        parts.truncate(count);
        at.where_there(guard.as_ref(), parts)
    }

    /// Stores a number at a place, if the guard holds.
    pub fn store(&self, context: &Context, site: &Site, components: &[Symbol], guard: Option<&Symbol>) {
        let at = self.placed(context, site, guard);
        let ((base, offset), presence) = at.in_memory();
        let is_there = match presence {
            Presence::Never => return,
            Presence::Always => None,
            Presence::If(is_there) => Some(is_there),
        };
        let index = base.plus(offset);
        let guard = all_of([guard.cloned(), is_there]);
        let mut parts = at.through(components.to_vec());
        parts.truncate(if self.is_complex { 2 } else { 1 });
        if self.accumulates {
            let before = context.load_memory(guard.as_ref(), Memory::Target, &index, (self.real, parts.len()));
            parts = parts.iter().zip(&before).map(|(part, before)| before.add(part)).collect();
        }
        context.store_memory(Memory::Target, &index, &parts, guard.as_ref());
    }
}

fn value_of(mut components: Vec<Symbol>) -> Value<Symbol> {
    match components.pop() {
        Some(only) if components.is_empty() => Value::Real(only),
        Some(im) => Value::Complex(components.remove(0), im),
        None => unreachable!("a number has a part"),
    }
}

/// A side at a place of its array.
struct Placed<'a> {
    access: &'a Access,
    context: &'a Context,
    site: &'a Site,
    /// Whether there may be no such number, so that the place is anywhere.
    may_be_none: bool,
}

impl Placed<'_> {
    /// The real and the imaginary part of what the expression gives of a number.
    fn through(&self, components: Vec<Symbol>) -> Vec<Symbol> {
        let value = value_of(components);
        let value = self.access.value.as_ref().map_or_else(|| value.clone(), |expr| trace(expr, self, &value));
        value.parts(self).to_vec()
    }

    /// What the expression gives where there is a number, and zeros elsewhere.
    fn where_there(&self, guard: Option<&Symbol>, parts: Vec<Symbol>) -> Vec<Symbol> {
        let Some(guard) = guard.filter(|_| self.access.value.is_some()) else { return parts };
        let zero = self.constant(0.0);
        parts.iter().map(|part| guard.select(part, &zero)).collect()
    }

    /// The index of a coordinate.
    fn digit(&self, number: usize) -> Symbol {
        if let Some(known) = &self.site.known {
            let digit = match number.checked_sub(1) {
                None => known.number.0.plus(known.number.1),
                Some(batch) => known.batch[batch].clone(),
            };
            return digit.cast(self.access.index);
        }
        let axis = self.access.coordinates.as_ref().expect("the transform was checked").axes[number];
        let place = self.site.place.0.cast(self.access.index);
        let rest = axis.next.map_or_else(|| place.clone(), |next| place.modulo(next));
        rest.over(axis.stride)
    }

    /// The same below a number of values, whatever the place.
    fn digit_below(&self, number: usize, n: usize) -> Symbol {
        let digit = self.digit(number);
        if self.may_be_none { digit.min(&self.context.integer(self.access.index, n - 1)) } else { digit }
    }

    /// The place in memory, as what depends on the thread and what does not, and whether there is one.
    fn in_memory(&self) -> ((Symbol, usize), Presence) {
        let Access { has_holes, is_closer, .. } = *self.access;
        let Some(coordinates) = self.access.coordinates.as_ref().filter(|_| has_holes || is_closer) else {
            return (self.site.place.clone(), Presence::Always);
        };
        if let Some(known) = &self.site.known {
            return self.known_in_memory(known, coordinates);
        }
        let (mut index, mut is_there) = (self.context.integer(self.access.index, 0), None);
        for (number, axis) in coordinates.axes.iter().enumerate().filter(|(_, axis)| axis.n > 1) {
            let digit = self.digit(number);
            if axis.there < axis.n {
                let is_within = digit.less_than(&self.context.integer(self.access.index, axis.there));
                is_there = all_of([is_there, Some(is_within)]);
            }
            index = index.add(&digit.times(axis.in_memory));
        }
        let place = if is_closer { (index.cast(Type::U64), 0) } else { self.site.place.clone() };
        (place, is_there.map_or(Presence::Always, Presence::If))
    }

    /// The same where indices are known.
    fn known_in_memory(&self, known: &Indices, coordinates: &Coordinates) -> ((Symbol, usize), Presence) {
        let [line, batch @ ..] = &coordinates.axes[..] else { unreachable!("a line has its index") };
        let (number, offset) = &known.number;
        let presence = match line.there {
            there if known.range.end <= there => Presence::Always,
            there if there <= known.range.start => Presence::Never,
            there => {
                let there = self.context.integer(self.access.index, there);
                Presence::If(number.plus(*offset).cast(self.access.index).less_than(&there))
            }
        };
        let digits =
            known.batch.iter().zip(batch).map(|(digit, axis)| digit.cast(self.access.index).times(axis.in_memory));
        let of_number = number.cast(self.access.index).times(line.in_memory);
        let index = digits.reduce(|sum, digit| sum.add(&digit)).map_or(of_number.clone(), |base| base.add(&of_number));
        ((index.cast(Type::U64), offset * line.in_memory), presence)
    }

    /// The place of a number in an array along some dimensions, as what depends on the thread and what does not.
    fn place_in(&self, array: &Array) -> (Symbol, usize) {
        let zero = self.context.integer(self.access.index, 0);
        let Some(known) = &self.site.known else {
            let at = array.along.iter().fold(zero, |at, (dim, n)| at.times(*n).add(&self.digit_below(*dim, *n)));
            return (at.cast(Type::U64), 0);
        };
        let (at, offset) = array.along.iter().fold((zero, 0), |(at, offset), (dim, n)| {
            let (digit, more) = match dim {
                0 if known.range.end <= *n => (known.number.0.cast(self.access.index), known.number.1),
                0 => (self.digit_below(0, *n), 0),
                _ => (self.digit(*dim), 0),
            };
            (at.times(*n).add(&digit), offset * n + more)
        });
        (at.cast(Type::U64), offset)
    }

    /// The pair of real numbers at a place of the table.
    fn pair(&self, place: &Symbol) -> [Symbol; 2] {
        let [first, second] = &self.context.load_memory(None, Memory::Table, place, (self.access.real, 2))[..] else {
            unreachable!("two components were asked for")
        };
        [first.clone(), second.clone()]
    }

    fn real(&self, index: &Symbol) -> Symbol {
        index.cast(self.access.real)
    }
}

impl Values for Placed<'_> {
    type Number = Symbol;

    fn constant(&self, x: f64) -> Symbol {
        let bits = if self.access.real == Type::F32 { u64::from((x as f32).to_bits()) } else { x.to_bits() };
        self.context.value(self.access.real, Op::Const(bits))
    }

    fn index(&self, dim: usize) -> Symbol {
        self.real(&self.digit(dim))
    }

    fn batch(&self, dim: usize) -> Symbol {
        let rank = self.access.coordinates.as_ref().map_or(0, |coordinates| coordinates.rank);
        self.real(&self.digit(rank + dim))
    }

    fn look_up(&self, array: &Array) -> [Symbol; 2] {
        let entry = self.access.arrays.iter().find(|entry| entry.array == *array).expect("an array of the expression");
        let (at, offset) = self.place_in(array);
        if !entry.in_twos {
            return self.pair(&at.plus(offset + entry.start));
        }
        // Two real numbers are one of the table's elements. The odd one of an offset is counted with what depends on the thread.
        let (half, is_second) = (offset / 2 + entry.start, offset % 2 == 1);
        let zero = self.constant(0.0);
        if at.is_even() {
            let [first, second] = self.pair(&at.over(2).plus(half));
            return [if is_second { second } else { first }, zero];
        }
        let [first, second] = self.pair(&at.plus(offset % 2).over(2).plus(half));
        let is_odd = at.modulo(2).equals(1);
        let (if_odd, if_even) = if is_second { (first, second) } else { (second, first) };
        [is_odd.select(&if_odd, &if_even), zero]
    }

    fn apply(&self, function: Function, operands: &[&Symbol]) -> Symbol {
        match (function, operands) {
            (Function::Add, [a, b]) => a.add(b),
            (Function::Sub, [a, b]) => a.sub(b),
            (Function::Mul, [a, b]) => a.mul(b),
            (Function::Neg, [a]) => a.neg(),
            (Function::Less, [a, b]) => a.less_than(b),
            (Function::Select, [truth, a, b]) => truth.select(a, b),
            (function, operands) => operands[0].function(function, operands),
        }
    }
}
