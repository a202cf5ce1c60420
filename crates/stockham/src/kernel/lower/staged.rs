//! Elements of digits on their way through local memory, so that neighbouring threads touch neighbouring vectors of 16 bytes
//! in global memory, and not one vector each of as many elements.

use crate::algebra::Scalar;
use crate::plan::{Holding, Lanes, Twiddle};
use crate::transform::Side;

use super::{Lowering, Number, Origin, Place};
use crate::kernel::ir::{Memory, Op, Type};
use crate::kernel::symbol::Symbol;

/// A vector of the tile, in the order in which neighbours in global memory follow each other.
struct Part {
    place: Place,
    /// The number of the element, as what depends on the thread and what does not, and that of the vector in it.
    element: (Symbol, usize),
    number: Symbol,
}

impl Lowering<'_> {
    /// Loads the rows of the holding, times the pass's twiddle.
    pub(super) fn load_staged(&self, holding: Holding) -> Vec<Number> {
        let lanes = self.pass.tile.load;
        let given = self.recipe.given_rows(self.pass).expect("the recipe was checked");
        let loaded: Vec<(Symbol, Vec<Symbol>)> = self
            .parts(lanes)
            .map(|part| {
                let index = self.vector(Side::Input, &part).0;
                (self.staged(&part.element, &part.number), self.given_vector(given, &part.place, &index))
            })
            .collect();
        for (index, words) in loaded {
            self.context.store(Memory::TileVectors, &index, &words, None);
        }
        self.context.barrier();
        let twiddle = self.twiddle_beside_free_roots();
        if let Some(twiddle) = twiddle {
            self.twiddle_staged(holding, twiddle);
        }
        let rows = (0..self.pass.tile.per_thread)
            .map(|v| self.load_from_stage(&self.number_in(lanes, &self.held(holding, v))))
            .collect();
        if twiddle.is_some() { rows } else { self.twiddle(holding, rows) }
    }

    /// Multiplies a thread's rows one by one where they stand, so that all registers are the product's.
    fn twiddle_staged(&self, holding: Holding, twiddle: Twiddle) {
        let by_root = self.by_root_of_row(holding, twiddle);
        let rows = self.context.integer(Type::U32, self.pass.tile.per_thread);
        self.context.repeat(&rows, &[], |v, _| {
            let mut place = self.held(holding, 0);
            place.row = place.row.add(&v.times(self.pass.threads_per_column()));
            let element = self.number_in(self.pass.tile.load, &place);
            let product = by_root(v, self.load_from_stage(&element));
            self.store_to_stage(&element, &product.into_components());
            Vec::new()
        });
    }

    /// Stores the rows of the holding, given as their components.
    pub(super) fn store_staged(&self, holding: Holding, rows: &[Vec<Symbol>]) {
        let lanes = self.pass.tile.store;
        // Nobody overwrites what another still has to read.
        self.context.barrier();
        for (v, components) in rows.iter().enumerate() {
            self.store_to_stage(&self.number_in(lanes, &self.held(holding, v)), components);
        }
        self.context.barrier();
        for part in self.parts(lanes) {
            let (index, origin) = self.vector(Side::Output, &part);
            let words = self.vector_at(Memory::TileVectors, &self.staged(&part.element, &part.number));
            self.context.store(Memory::TargetVectors, &index, &words, origin.exists.as_ref());
        }
    }

    /// The tile's element of that number.
    fn load_from_stage(&self, element: &(Symbol, usize)) -> Number {
        let words = (0..self.pass.vectors(self.algebra())).flat_map(|part| {
            let index = self.staged(element, &self.context.integer(Type::U32, part));
            self.vector_at(Memory::TileVectors, &index)
        });
        Number::from_components(self.algebra(), words.collect())
    }

    fn store_to_stage(&self, element: &(Symbol, usize), components: &[Symbol]) {
        for (part, words) in components.chunks(self.words_of_vector()).enumerate() {
            let index = self.staged(element, &self.context.integer(Type::U32, part));
            self.context.store(Memory::TileVectors, &index, words, None);
        }
    }

    /// The vectors that a thread moves: as many in each step as there are threads.
    fn parts(&self, lanes: Lanes) -> impl Iterator<Item = Part> {
        let vectors = self.pass.vectors(self.algebra());
        let at_once = self.pass.group() / vectors;
        let thread = self.context.value(Type::U32, Op::Thread);
        let (first, number) = (thread.over(vectors), thread.modulo(vectors));
        // Which digit of the element's number runs first.
        let inner = self.pass.neighbours_in_stage(lanes);
        assert!(self.pass.steps_are_whole(at_once, lanes), "the recipe was checked");
        let steps = self.pass.tile.per_thread * vectors;
        (0..steps).map(move |step| {
            // What depends on the thread of a run's elements and of the runs, and what on the step: steps take whole runs,
            // or runs whole steps.
            let (low, high) = match at_once.checked_rem(inner) {
                Some(0) => ((first.modulo(inner), 0), (first.over(inner), step * (at_once / inner))),
                _ => ((first.clone(), step * at_once % inner), (first.times(0), step * at_once / inner)),
            };
            let ((row, row_step), (column, column_step)) =
                if lanes == Lanes::Columns { (high, low) } else { (low, high) };
            let place = Place::of(row, row_step, column.plus(column_step));
            Part { place, element: (first.clone(), step * at_once), number: number.clone() }
        })
    }

    /// The number of the tile's element at a place: what depends on the thread, and what does not.
    fn number_in(&self, lanes: Lanes, place: &Place) -> (Symbol, usize) {
        if lanes == Lanes::Columns {
            let columns = self.pass.tile.columns;
            return (place.row.times(columns).add(&place.column), place.step * columns);
        }
        (place.column.times(self.pass.radix).add(&place.row), place.step)
    }

    /// Where a vector of an element lies in local memory. One is left out after each element, so that threads find the same
    /// vector of neighbours in different banks.
    fn staged(&self, (element, step): &(Symbol, usize), number: &Symbol) -> Symbol {
        let apart = self.pass.vectors(self.algebra()) + 1;
        element.times(apart).add(number).plus(step * apart)
    }

    /// Where it lies in the global memory of a side, and its column's origin there.
    fn vector(&self, side: Side, part: &Part) -> (Symbol, Origin) {
        let vectors = self.pass.vectors(self.algebra());
        let ((element, step), origin) = self.place_on(side, &part.place);
        let index = element.cast(Type::U64).times(vectors).add(&part.number.cast(Type::U64)).plus(step * vectors);
        (index, origin)
    }

    /// A vector of the source, of a row of the first ones that are there; zeros beyond them.
    fn given_vector(&self, rows: usize, place: &Place, index: &Symbol) -> Vec<Symbol> {
        let (ty, words) = (self.element.0, self.words_of_vector());
        if rows >= self.pass.points() {
            return self.vector_at(Memory::SourceVectors, index);
        }
        if place.step >= rows {
            return vec![self.context.value(ty, Op::Const(0)); words];
        }
        let exists = self.is_row_of(rows, place);
        self.context.load_where(Some(&exists), Memory::SourceVectors, index, (ty, words))
    }

    fn vector_at(&self, memory: Memory, index: &Symbol) -> Vec<Symbol> {
        self.context.load(memory, index, (self.element.0, self.words_of_vector()))
    }

    fn words_of_vector(&self) -> usize {
        self.element.1 / self.pass.vectors(self.algebra())
    }
}
