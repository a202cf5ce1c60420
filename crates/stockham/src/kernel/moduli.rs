//! Primes as data: what kernels look up of the field that a work-group is over, and where that stands before its tables.
//!
//! All of a field is one block of the table, the fields' blocks follow each other. It begins with pairs of words: the prime and
//! its inverse, the factor of the output, and the roots of codelets, each with its quotient. A work-group is over one field, so
//! that all threads load the same pairs, each of which is one load.

use std::collections::HashMap;

use crate::algebra::{Algebra, OfModulus, Root, Scale, WordField};
use crate::plan::{Pass, Recipe};

use super::ir::{Id, Memory, Op, Type};

/// Words that a field's constants take in the table of a pass, if fields are data.
pub(super) fn constants_len(recipe: &Recipe, pass: &Pass) -> usize {
    if recipe.moduli.is_empty() { 0 } else { 2 * (FIRST_ROOT + order(pass) / 2) }
}

/// The pairs before the roots.
const FIRST_ROOT: usize = 2;

/// The order of the roots that codelets of a pass take.
fn order(pass: &Pass) -> usize {
    pass.tile.stages.iter().copied().max().unwrap_or(1)
}

/// The constants of a field as bytes.
pub(super) fn constant_bytes(pass: &Pass, field: WordField) -> Vec<u8> {
    let with_quotient = |c: u64| [c, field.quotient(c)];
    let scale = match pass.scale {
        Scale::Inverse(n) => field.inverse_of(n),
        _ => 1,
    };
    let roots = (0..order(pass) / 2).map(|k| with_quotient(field.root(Root::new(k, order(pass)))));
    let pairs = [[field.modulus(), field.inverse_of_modulus()], with_quotient(scale)].into_iter().chain(roots);
    Algebra::WordField(field).word_bytes(pairs.flatten())
}

/// The constants of each field of a list that a step takes: the prime and its inverse, and what makes a product an element.
pub(super) fn constants_of_step(fields: &[WordField]) -> Vec<u64> {
    let of_field = |field: &WordField| {
        let factor = field.product_factor();
        [field.modulus(), field.inverse_of_modulus(), factor, field.quotient(factor)]
    };
    fields.iter().flat_map(of_field).collect()
}

/// Pairs of them.
pub(super) const PAIRS_OF_STEP: usize = 2;

/// The constants that a kernel looks up.
#[derive(Debug)]
pub(super) struct Moduli {
    /// Where those of the work-group's field begin, in pairs.
    first: Id,
    word: Type,
    /// The order of the codelets' roots; nothing in a step, whose constants stand in its text.
    order: Option<usize>,
    known: HashMap<OfModulus, [Id; 2]>,
}

impl Moduli {
    pub fn new(first: Id, word: Type, pass: &Pass) -> Self {
        Self { order: Some(order(pass)), ..Self::of_step(first, word) }
    }

    pub fn of_step(first: Id, word: Type) -> Self {
        Self { first, word, order: None, known: HashMap::new() }
    }

    /// The number of a pair, if there is such.
    fn place(&self, constant: OfModulus) -> Option<usize> {
        match (constant, self.order) {
            (OfModulus::Prime, _) => Some(0),
            (OfModulus::Product, None) | (OfModulus::Scale, Some(_)) => Some(1),
            (OfModulus::Root(root), Some(order)) => Some(FIRST_ROOT + root.exponent() * (order / root.order())),
            _ => None,
        }
    }
}

impl super::build::Builder {
    /// A constant of the field that the work-group is over, where that is data.
    pub fn of_modulus(&mut self, constant: OfModulus) -> Option<[Id; 2]> {
        let moduli = self.moduli.as_ref()?;
        if let Some(pair) = moduli.known.get(&constant) {
            return Some(*pair);
        }
        let (first, word, in_text) = (moduli.first, moduli.word, moduli.order.is_none());
        let pair = moduli.place(constant)?;
        let pair = self.constant(Type::U64, pair as u64);
        let index = self.value(Type::U64, Op::Add(first, pair));
        let words: Vec<Id> = if in_text {
            let [one, two] = [1, 2].map(|number| self.constant(Type::U64, number));
            let index = self.value(Type::U64, Op::Mul(index, two));
            let next = self.value(Type::U64, Op::Add(index, one));
            [index, next].into_iter().flat_map(|at| self.load(Memory::Constants, at, (word, 1), None)).collect()
        } else {
            self.load(Memory::TablePairs, index, (word, 2), None)
        };
        let words: [Id; 2] = words.try_into().ok()?;
        self.moduli.as_mut()?.known.insert(constant, words);
        Some(words)
    }
}
