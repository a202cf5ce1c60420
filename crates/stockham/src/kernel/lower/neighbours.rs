//! Elements of one word in bit-reversed order: rows of a butterfly that lie side by side in memory go in vectors of 16 bytes.

use crate::plan::Holding;
use crate::transform::{Side, reversed_bits};

use super::{Lowering, Number, Place};
use crate::kernel::ir::{Memory, Op, Type};
use crate::kernel::symbol::{Symbol, all_of};

/// Bytes of a vector.
const BYTES: usize = 16;

/// Rows of a thread that lie side by side: where the first is, and which they are, in their order.
type Neighbours = (Place, Vec<usize>);

impl Lowering<'_> {
    /// The rows of a holding as vectors of a side's memory; nothing unless all are in some.
    fn neighbours(&self, side: Side, holding: Holding) -> Option<Vec<Neighbours>> {
        let (pass, (ty, words)) = (self.pass, self.element);
        if words != 1 || !self.recipe.reverses(pass, side, None) {
            return None;
        }
        let count = BYTES / ty.bytes();
        let is_input = side == Side::Input;
        let row_stride = if is_input { pass.row_strides.0 } else { pass.row_strides.1 };
        let mut strides = pass.columns.iter().map(|c| if is_input { c.input_stride } else { c.output_stride });
        if row_stride != 1 || !strides.all(|stride| stride.is_multiple_of(count)) {
            return None;
        }
        let bits = pass.radix.ilog2();
        let place = |v: usize| self.held(holding, v);
        let number = |v: usize| reversed_bits(place(v).step, bits);
        let mut rows: Vec<usize> = (0..pass.rows(holding)).collect();
        rows.sort_by_key(|&v| (place(v).row.number(), place(v).column.number(), number(v)));
        let are_neighbours = |vector: &[usize]| {
            let (first, at) = (place(vector[0]), number(vector[0]));
            at.is_multiple_of(count)
                && vector.iter().enumerate().all(|(i, &v)| {
                    let place = place(v);
                    let is_same = place.row.number() == first.row.number()
                        && place.column.number() == first.column.number()
                        && place.exists.is_none();
                    is_same && number(v) == at + i && (!is_input || self.apart(&place).is_none())
                })
        };
        let vectors = rows.chunks(count);
        let is_whole = rows.len().is_multiple_of(count) && vectors.clone().all(are_neighbours);
        is_whole.then(|| vectors.map(|vector| (place(vector[0]), vector.to_vec())).collect())
    }

    /// Loads a thread's rows in vectors, if they lie so.
    pub(super) fn load_neighbours(&self, holding: Holding) -> Option<Vec<Number>> {
        let vectors = self.neighbours(Side::Input, holding)?;
        let mut rows = vec![None; self.pass.rows(holding)];
        for (place, members) in vectors {
            let ((base, number), _) = self.vector_on(Side::Input, &place, members.len());
            let words = self.context.load(Memory::SourceVectors, &base.offset(number), (self.element.0, members.len()));
            for (v, word) in members.into_iter().zip(words) {
                rows[v] = Some(Number::from_components(self.algebra(), vec![word]));
            }
        }
        rows.into_iter().collect()
    }

    /// Stores a thread's rows in vectors, if they are to lie so.
    pub(super) fn store_neighbours(&self, holding: Holding, rows: &[Vec<Symbol>]) -> bool {
        let Some(vectors) = self.neighbours(Side::Output, holding) else { return false };
        if self.pass.tile.sectors {
            self.store_sectors(&vectors, rows);
            return true;
        }
        for (place, members) in vectors {
            let ((base, number), exists) = self.vector_on(Side::Output, &place, members.len());
            let words: Vec<Symbol> = members.iter().map(|&v| rows[v][0].clone()).collect();
            self.context.store(
                Memory::TargetVectors,
                &base.offset(number),
                &words,
                all_of([exists, place.exists]).as_ref(),
            );
        }
        true
    }

    /// Stores vectors of which two make a sector, where neighbouring threads have given each other one of each two: first the sectors
    /// of the first thread, then those of the second.
    fn store_sectors(&self, vectors: &[Neighbours], rows: &[Vec<Symbol>]) {
        let is_second = self.context.value(Type::U32, Op::Thread).modulo(2).equals(1);
        let select = |second: &[Symbol], first: &[Symbol]| -> Vec<Symbol> {
            second.iter().zip(first).map(|(second, first)| is_second.select(second, first)).collect()
        };
        for pair in vectors.chunks(2) {
            let [(place, first), (_, second)] = pair else { unreachable!("a butterfly's rows are whole sectors") };
            let words = |members: &[usize]| -> Vec<Symbol> { members.iter().map(|&v| rows[v][0].clone()).collect() };
            let (first, second) = (words(first), words(second));
            let given = select(&first, &second);
            let got: Vec<Symbol> = given.iter().map(|word| word.of_partner(1)).collect();
            let ((own, number), exists) = self.vector_on(Side::Output, place, given.len());
            let other = own.of_partner(1);
            let half = |first: &Symbol, second: &Symbol| is_second.select(&second.plus(1), first).offset(number);
            let exists = exists.as_ref();
            self.context.store(Memory::TargetVectors, &half(&own, &other), &select(&got, &first), exists);
            self.context.store(Memory::TargetVectors, &half(&other, &own), &select(&second, &got), exists);
        }
    }

    /// The number of a side's vector of so many words that begins at a place, as what depends on the thread and what does not, and
    /// whether there is its column.
    fn vector_on(&self, side: Side, place: &Place, words: usize) -> ((Symbol, usize), Option<Symbol>) {
        let ((base, number), origin) = self.place_on(side, place);
        ((base.over(words), number / words), origin.exists)
    }
}
