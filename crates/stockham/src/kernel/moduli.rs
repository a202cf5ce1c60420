//! Primes as data: what kernels look up of the field that a work-group is over, and where that stands before its tables.
//!
//! All of a field is one block of the table, the fields' blocks follow each other. It begins with pairs of words: the prime and
//! its inverse, the factor of the output, and the roots of codelets, each with its quotient. A work-group is over one field, so
//! that all threads load the same pairs, each of which is one load.

use std::collections::HashMap;

use crate::algebra::{Algebra, OfModulus, Root, Scale, WordField};
use crate::plan::{Pass, Recipe};

use super::ir::{Id, Memory, Type};

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
        Scale::Inverse(n) => field.inverse_of_pow2(n.trailing_zeros()),
        _ => 1,
    };
    let roots = (0..order(pass) / 2).map(|k| with_quotient(field.root(Root::new(k, order(pass)))));
    let pairs = [[field.modulus(), field.inverse_of_modulus()], with_quotient(scale)].into_iter().chain(roots);
    Algebra::WordField(field).word_bytes(pairs.flatten())
}

/// The constants that a kernel looks up.
#[derive(Debug)]
pub(super) struct Moduli {
    /// Where those of the work-group's field begin, in pairs.
    first: Id,
    word: Type,
    /// The order of the codelets' roots.
    order: usize,
    known: HashMap<OfModulus, [Id; 2]>,
}

impl Moduli {
    pub fn new(first: Id, word: Type, pass: &Pass) -> Self {
        Self { first, word, order: order(pass), known: HashMap::new() }
    }
}

impl super::build::Builder {
    /// A constant of the field that the work-group is over, where that is data.
    pub fn of_modulus(&mut self, constant: OfModulus) -> Option<[Id; 2]> {
        let moduli = self.moduli.as_ref()?;
        if let Some(pair) = moduli.known.get(&constant) {
            return Some(*pair);
        }
        let pair = match constant {
            OfModulus::Prime => 0,
            OfModulus::Scale => 1,
            OfModulus::Root(root) => FIRST_ROOT + root.exponent() * (moduli.order / root.order()),
        };
        let (first, word) = (moduli.first, moduli.word);
        let pair = self.constant(Type::U64, pair as u64);
        let index = self.value(Type::U64, super::ir::Op::Add(first, pair));
        let words: [Id; 2] = self.load(Memory::TablePairs, index, (word, 2), None).try_into().ok()?;
        self.moduli.as_mut()?.known.insert(constant, words);
        Some(words)
    }
}
