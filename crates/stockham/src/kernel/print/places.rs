//! Places in local memory: a pointer and a constant, which is part of the instruction that loads or stores. Of a sum as an index of 32
//! bits compilers have to think that it may overflow, and NVIDIA's makes two instructions of it for each place.

use super::super::build::uses;
use super::super::ir::{Id, Memory, Op, Stmt};
use super::Printer;

/// Constants that are added to an index of 32 bits: larger ones are taken from it, as that overflows.
const MOST_CONSTANT: u64 = i32::MAX as u64;

impl Printer<'_> {
    /// A place in local memory as C has it.
    pub(super) fn in_tile(&self, index: Id) -> String {
        match self.behind(index) {
            Some((start, constant)) => format!("(tile + {})[{constant}]", self.operand(start)),
            None => format!("tile[{}]", self.operand(index)),
        }
    }

    /// The place that a place is so far behind. Kernels of digits have no register left for it.
    fn behind(&self, index: Id) -> Option<(Id, u64)> {
        if self.kernel.digit_strides.is_some() {
            return None;
        }
        let op = |id: Id| &self.kernel.values[id.0 as usize].1;
        let Op::Add(start, constant) = op(index) else { return None };
        let &Op::Const(constant @ ..=MOST_CONSTANT) = op(*constant) else { return None };
        Some((*start, constant))
    }

    /// Whether each value is said by its name: sums that are places alone are not.
    pub(super) fn is_said(&self) -> Vec<bool> {
        let values = &self.kernel.values;
        let mut is_said = vec![false; values.len()];
        let mut say = |id: Id| is_said[id.0 as usize] = true;
        for stmt in &self.kernel.body {
            let place = match stmt {
                Stmt::Load { memory: Memory::Tile, index, .. } | Stmt::Store { memory: Memory::Tile, index, .. } => {
                    self.behind(*index).map(|(start, _)| (*index, start))
                }
                _ => None,
            };
            for id in uses(values, stmt) {
                say(place.filter(|(index, _)| *index == id).map_or(id, |(_, start)| start));
            }
        }
        is_said
    }
}
