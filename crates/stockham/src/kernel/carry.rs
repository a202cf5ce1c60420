//! The kernels of limbs: words are taken apart, and coefficients become words again by [carries](crate::algebra::limbs).
//!
//! Carries go in three kernels: *states* reads the coefficients and leaves one state for each work-group, *scan* turns
//! the states into the ones that groups have to add, and *words* reads the coefficients again and stores the words.
//! Between them the scratch memory holds a word more than there are groups: at first 0 and the states, then at g what
//! group g has to add.

use crate::algebra::Scalar;
use crate::algebra::limbs::{self, LIMBS, LOOKBACK, Unsigned};
use crate::plan::Step;

use super::hopper::Hopper;
use super::ir::{Kernel, Lookups, Memory, Op, Type};
use super::symbol::{Context, Symbol};

/// Words that a thread takes apart.
const WORDS: usize = 4;
/// Coefficients of a thread: odd, so that threads read their runs from different banks of local memory.
const RUN: usize = 15;
/// States of a thread.
const STATES: usize = 16;
/// An element of the Goldilocks field.
const ELEMENT: (Type, usize) = (Type::U64, 1);

/// Limbs of a work-group that takes words apart.
pub(crate) fn unpacked(group: usize) -> usize {
    group * WORDS * LIMBS
}

/// Coefficients of a work-group.
pub(crate) fn coefficients(group: usize) -> usize {
    group * RUN
}

/// States of a work-group.
pub(crate) fn states(group: usize) -> usize {
    group * STATES
}

/// Bytes of local memory that a thread needs at most.
pub(super) const LOCAL_BYTES: usize = 8 * (RUN + 1);

/// The kernels of a step, in the order of their use.
pub(super) fn lower(step: &Step, group: usize) -> Vec<Kernel> {
    match *step {
        Step::Unpack { base } => vec![unpack(base, group)],
        Step::Carry { base } => vec![carry(base, group, false), scan(group), carry(base, group, true)],
        _ => Vec::new(),
    }
}

/// A kernel under construction, with what all of them use.
struct Lowering {
    context: Context,
    group: usize,
    thread: Symbol,
    zero: Symbol,
}

impl Lowering {
    fn new(group: usize) -> Self {
        let context = Context::default();
        let (thread, zero) = (context.value(Type::U32, Op::Thread), context.integer(Type::U64, 0));
        Self { context, group, thread, zero }
    }

    fn argument(&self, name: &'static str) -> Symbol {
        self.context.value(Type::U32, Op::Argument(name))
    }

    /// The group's first element, if groups have so many.
    fn first(&self, elements: usize) -> Symbol {
        self.context.value(Type::U32, Op::Group).times(elements)
    }

    fn load(&self, memory: Memory, index: &Symbol) -> Symbol {
        self.load_where(None, memory, index)
    }

    /// The element at `index` if that is below `count`, else zero.
    fn load_below(&self, count: &Symbol, memory: Memory, index: &Symbol) -> Symbol {
        self.load_where(Some(&index.less_than(count)), memory, index)
    }

    fn load_where(&self, guard: Option<&Symbol>, memory: Memory, index: &Symbol) -> Symbol {
        let index = if memory == Memory::Tile { index.clone() } else { index.cast(Type::U64) };
        self.context.load_where(guard, memory, &index, ELEMENT).remove(0)
    }

    fn store(&self, memory: Memory, index: &Symbol, value: &Symbol, guard: Option<&Symbol>) {
        let index = if memory == Memory::Tile { index.clone() } else { index.cast(Type::U64) };
        self.context.store(memory, &index, std::slice::from_ref(value), guard);
    }

    /// Stores the tile's first `count` places, which stand for the target's from `first` on, as far as those go.
    fn store_tile(&self, count: usize, first: &Symbol, end: &Symbol) {
        self.context.barrier();
        for k in 0..count / self.group {
            let place = self.thread.plus(k * self.group);
            let index = first.add(&place);
            let value = self.load(Memory::Tile, &place);
            self.store(Memory::Target, &index, &value, Some(&index.less_than(end)));
        }
    }

    /// The states of this thread and all before it as one, and the state of those before it alone (W. D. Hillis and
    /// G. L. Steele, "Data parallel algorithms", 1986). Two halves of the tile take turns, so that one barrier a step is
    /// enough.
    fn scan(&self, mut state: Symbol) -> (Symbol, Symbol) {
        let propagate = state.literal(limbs::PROPAGATE);
        let mut half = 0;
        let mut before = |state: &Symbol, distance: usize| {
            self.store(Memory::Tile, &self.thread.plus(half * self.group), state, None);
            self.context.barrier();
            let is_first = self.thread.less_than(&self.context.integer(Type::U32, distance));
            let back = self.thread.plus((1 << 32) - distance);
            let place = is_first.select(&self.thread, &back).plus(half * self.group);
            half = 1 - half;
            is_first.select(&propagate, &self.load(Memory::Tile, &place))
        };
        let mut distance = 1;
        while distance < self.group {
            state = limbs::compose(&state, &before(&state, distance));
            distance *= 2;
        }
        let exclusive = before(&state, 1);
        (state, exclusive)
    }

    fn finish(self, name: &str, tile_len: usize, in_place: bool, arguments: &'static [&'static str]) -> Kernel {
        let (values, body) = self.context.take().finish();
        Kernel {
            name: name.into(),
            group: self.group,
            team: 1,
            hopper: Hopper::default(),
            // Six work-groups of 256 threads side by side, which is what local memory has room for.
            registers: 42,
            element: ELEMENT,
            reals: [false; 2],
            formats: [None; 2],
            tile: ELEMENT,
            tile_len,
            constants: Vec::new(),
            digit_strides: None,
            in_place,
            lookups: Lookups::Early,
            arguments,
            index_type: Type::U32,
            values,
            body,
        }
    }
}

/// Words to limbs, and zeros after them.
fn unpack(base: u64, group: usize) -> Kernel {
    let kernel = Lowering::new(group);
    let words = kernel.argument("words");
    for k in 0..WORDS {
        let place = kernel.thread.plus(k * group);
        let index = kernel.first(group * WORDS).add(&place);
        let word = kernel.load_below(&words, Memory::Source, &index);
        for (limb, value) in limbs::split(base, &word).iter().enumerate() {
            kernel.store(Memory::Tile, &place.times(LIMBS).plus(limb), value, None);
        }
    }
    kernel.store_tile(unpacked(group), &kernel.first(unpacked(group)), &kernel.argument("limbs"));
    kernel.finish("unpack", unpacked(group), false, &["words", "limbs"])
}

/// Coefficients to words, or to the state of each group.
fn carry(base: u64, group: usize, to_words: bool) -> Kernel {
    let kernel = Lowering::new(group);
    let own = load_run(&kernel, &kernel.argument("count"));
    let (before, own) = own.split_at(LOOKBACK);
    let mut words = Vec::new();
    let estimated = limbs::estimate(base, before, kernel.zero.clone());
    let state = limbs::carry(base, own, estimated, |_, word| words.push(word));
    kernel.context.barrier();
    let (inclusive, exclusive) = kernel.scan(state);
    let group_number = kernel.context.value(Type::U32, Op::Group);
    let tile_len = coefficients(group) + LOOKBACK;
    if !to_words {
        kernel.store(Memory::Target, &group_number.plus(1), &inclusive, Some(&kernel.thread.equals(group - 1)));
        let is_very_first = kernel.first(group).add(&kernel.thread).equals(0);
        kernel.store(Memory::Target, &group_number, &kernel.zero, Some(&is_very_first));
        return kernel.finish("carry_states", tile_len, false, &["count"]);
    }
    let one = limbs::resolve(&exclusive, &kernel.load(Memory::Table, &group_number));
    limbs::add_one(base, &mut words, one);
    kernel.context.barrier();
    for (k, word) in words.iter().enumerate() {
        kernel.store(Memory::Tile, &kernel.thread.times(RUN / LIMBS).plus(k), word, None);
    }
    let per_group = group * RUN / LIMBS;
    kernel.store_tile(per_group, &kernel.first(per_group), &kernel.argument("words"));
    kernel.finish("carry_words", tile_len, false, &["count", "words"])
}

/// The thread's run of coefficients and those before it, through local memory; beyond both ends they are 0.
fn load_run(kernel: &Lowering, count: &Symbol) -> Vec<Symbol> {
    let group = kernel.group;
    // Before the first coefficient the index wraps around and is beyond the last one.
    let first = kernel.first(coefficients(group)).plus((1 << 32) - LOOKBACK);
    for k in 0..=RUN {
        let place = kernel.thread.plus(k * group);
        let guard = (k == RUN).then(|| kernel.thread.less_than(&kernel.context.integer(Type::U32, LOOKBACK)));
        let value = kernel.load_below(count, Memory::Source, &first.add(&place));
        kernel.store(Memory::Tile, &place, &value, guard.as_ref());
    }
    kernel.context.barrier();
    let own = kernel.thread.times(RUN);
    (0..RUN + LOOKBACK).map(|k| kernel.load(Memory::Tile, &own.plus(k))).collect()
}

/// Turns some states into the ones to add: place 0 holds what the first group has to add, the places after it the
/// groups' states, and then what their next groups have to add.
fn scan(group: usize) -> Kernel {
    let kernel = Lowering::new(group);
    let count = kernel.argument("count");
    let propagate = kernel.zero.literal(limbs::PROPAGATE);
    let first = kernel.context.integer(Type::U32, 0);
    let one = kernel.load(Memory::Source, &first);
    let index = |k: usize| kernel.thread.times(STATES).plus(k + 1);
    let end = count.plus(1);
    // Beyond the last group there is nobody to whom a state would matter.
    let states: Vec<Symbol> = (0..STATES).map(|k| kernel.load_below(&end, Memory::Source, &index(k))).collect();
    let own = states.iter().fold(propagate.clone(), |low, high| limbs::compose(high, &low));
    let mut one = limbs::resolve(&kernel.scan(own).1, &one);
    for (k, state) in states.iter().enumerate() {
        one = limbs::resolve(state, &one);
        kernel.store(Memory::Target, &index(k), &one, Some(&index(k).less_than(&end)));
    }
    Kernel { registers: 64, ..kernel.finish("carry_scan", 2 * group, true, &["count"]) }
}
