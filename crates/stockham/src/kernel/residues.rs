//! The kernels of [residue number systems](crate::algebra::residue_system). Integers lie word after word, residues prime
//! after prime; local memory makes contiguous both what a work-group reads and what it writes.

use crate::algebra::residue_system::Constants;
use crate::algebra::residue_system::arithmetic::{Modulus, scalar_product};
use crate::algebra::{ResidueSystem, Scalar};

use super::carry::LOCAL_BYTES;
use super::hopper::Hopper;
use super::ir::{Kernel, Lookups, Memory, Op, Type};
use super::symbol::{Context, Symbol};

/// A word.
const WORD: (Type, usize) = (Type::U64, 1);

/// Neighbouring integers that are reduced modulo one prime side by side, if the work-group has so many threads: their
/// residues are neighbours in memory.
const LANES: usize = 32;

/// How many threads of a work-group share an integer that is reduced: the more, the fewer integers need local memory.
fn sharing(system: ResidueSystem, group: usize) -> usize {
    let for_room = (8 * row(system)).div_ceil(LOCAL_BYTES).next_power_of_two();
    (group / LANES).clamp(1, system.primes().next_power_of_two()).max(for_room).min(group)
}

/// Integers of a work-group that reduces.
pub(crate) fn reduced(system: ResidueSystem, group: usize) -> usize {
    group / sharing(system, group)
}

/// Integers of a work-group that recombines, which is one a thread: as many as the local memory of such a group has
/// room for.
pub(crate) fn recombined(system: ResidueSystem, group: usize) -> usize {
    let room = group * LOCAL_BYTES / (8 * row(system));
    1 << room.min(group).ilog2()
}

/// Words from one integer to the next in local memory: an odd number, for threads that read each its own integer to find
/// them in different banks.
fn row(system: ResidueSystem) -> usize {
    system.primes() | 1
}

/// A kernel under construction, with what both of them use.
struct Lowering {
    context: Context,
    system: ResidueSystem,
    thread: Symbol,
    count: Symbol,
    /// The first integer of the group.
    first: Symbol,
    /// Threads.
    group: usize,
    /// Integers of the group.
    integers: usize,
}

impl Lowering {
    fn new(system: ResidueSystem, group: usize, integers: usize) -> Self {
        let context = Context::default();
        let thread = context.value(Type::U32, Op::Thread);
        let count = context.value(Type::U32, Op::Argument("count"));
        let first = context.value(Type::U32, Op::Group).times(integers);
        Self { context, system, thread, count, first, group, integers }
    }

    /// Calls `each` with the place in local memory, the index and the guard of every word of the group's integers, in the
    /// order in which neighbouring threads take neighbouring ones.
    fn for_words(&self, each: impl Fn(&Symbol, &Symbol, &Symbol)) {
        let (words, all) = (self.system.primes(), self.count.times(self.system.primes()));
        let (start, total) = (self.first.times(words), self.integers * words);
        for k in 0..total.div_ceil(self.group) {
            let word = self.thread.plus(k * self.group);
            let place = word.over(words).times(row(self.system)).add(&word.modulo(words));
            let index = start.add(&word);
            let mut exists = index.less_than(&all);
            if !total.is_multiple_of(self.group) && k == total / self.group {
                let within = word.less_than(&self.context.integer(Type::U32, total));
                exists = within.select(&exists, &within);
            }
            each(&place, &index, &exists);
        }
    }

    fn load(&self, memory: Memory, index: &Symbol, guard: Option<&Symbol>) -> Symbol {
        let index = if memory == Memory::Tile { index.clone() } else { index.cast(Type::U64) };
        self.context.load_where(guard, memory, &index, WORD).remove(0)
    }

    fn store(&self, memory: Memory, index: &Symbol, value: &Symbol, guard: Option<&Symbol>) {
        let index = if memory == Memory::Tile { index.clone() } else { index.cast(Type::U64) };
        self.context.store(memory, &index, std::slice::from_ref(value), guard);
    }

    fn finish(self, name: &str, registers: usize) -> Kernel {
        let (values, body) = self.context.take().finish();
        Kernel {
            name: name.into(),
            team: 1,
            hopper: Hopper::default(),
            group: self.group,
            registers,
            element: WORD,
            reals: [false; 2],
            formats: [None; 2],
            tile: WORD,
            tile_len: self.integers * row(self.system),
            constants: Vec::new(),
            digit_strides: None,
            in_place: false,
            lookups: Lookups::Early,
            arguments: &["count"],
            index_type: Type::U32,
            values,
            body,
        }
    }
}

/// Integers to residues. Threads share the primes out among those of one integer; the constants come from the
/// [table](Constants::table), at the same place for all integers, so that the text is one scalar product a prime that a thread
/// takes.
pub(super) fn reduce(system: ResidueSystem, group: usize) -> Kernel {
    let (words, sharing) = (system.primes(), sharing(system, group));
    let kernel = Lowering::new(system, group, reduced(system, group));
    kernel.for_words(|place, index, exists| {
        let word = kernel.load(Memory::Source, index, Some(exists));
        // What is beyond the end is zero, and has a place of its own unless it is beyond the tile as well.
        kernel.store(Memory::Tile, place, &word, Some(exists));
    });
    kernel.context.barrier();
    let (integer, first_prime) = (kernel.thread.modulo(kernel.integers), kernel.thread.over(kernel.integers));
    let element = kernel.first.add(&integer);
    let is_there = element.less_than(&kernel.count);
    let own = integer.times(row(system));
    let x: Vec<Symbol> = (0..words).map(|c| kernel.load(Memory::Tile, &own.plus(c), Some(&is_there))).collect();
    for u in 0..words.div_ceil(sharing) {
        let prime = first_prime.plus(u * sharing);
        let is_prime =
            (u * sharing + sharing > words).then(|| prime.less_than(&kernel.context.integer(Type::U32, words)));
        let exists = is_prime.as_ref().map_or_else(|| is_there.clone(), |is| is.select(&is_there, is));
        let constants = prime.times(words + 2);
        let constant = |c: usize| kernel.load(Memory::Table, &constants.plus(c), is_prime.as_ref());
        let q = Modulus { prime: constant(0), inverse: constant(1) };
        let terms = x.iter().enumerate().map(|(c, word)| (word.clone(), constant(c + 2)));
        if let Some(residue) = scalar_product(&q, terms) {
            let index = prime.mul(&kernel.count).add(&element);
            kernel.store(Memory::Target, &index, &residue, Some(&exists));
        }
    }
    // The words of an integer, and what a product needs.
    kernel.finish("reduce", (2 * words + 40).next_multiple_of(8))
}

/// Residues to integers, one a thread. The constants are different for every digit, and stand in the text.
pub(super) fn recombine(system: ResidueSystem, group: usize) -> Kernel {
    let (words, integers) = (system.primes(), recombined(system, group));
    let kernel = Lowering::new(system, integers, integers);
    let element = kernel.first.add(&kernel.thread);
    let is_there = element.less_than(&kernel.count);
    let residue = |j: usize| kernel.load(Memory::Source, &kernel.count.times(j).add(&element), Some(&is_there));
    let residues: Vec<Symbol> = (0..words).map(residue).collect();
    let own = kernel.thread.times(row(system));
    for (c, word) in Constants::of(system).words(&residues).iter().enumerate() {
        kernel.store(Memory::Tile, &own.plus(c), word, None);
    }
    kernel.context.barrier();
    kernel.for_words(|place, index, exists| {
        let word = kernel.load(Memory::Tile, place, Some(exists));
        kernel.store(Memory::Target, index, &word, Some(exists));
    });
    // Residues that are still to come and digits that there are already, and what a product needs.
    kernel.finish("recombine", (3 * words + 40).next_multiple_of(8))
}
