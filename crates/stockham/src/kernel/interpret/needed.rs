//! Which values decide where a kernel reads and writes. All others may be left out where only that is asked.

use super::super::ir::{Id, Kernel, Stmt};

/// For each value whether a place, a guard or a count follows from it.
pub(super) fn needed(kernel: &Kernel) -> Vec<bool> {
    let mut needed = vec![false; kernel.values.len()];
    let mut todo: Vec<Id> = Vec::new();
    for stmt in &kernel.body {
        match stmt {
            Stmt::Load { index, guard, .. } | Stmt::Store { index, guard, .. } => {
                todo.push(*index);
                todo.extend(guard);
            }
            Stmt::Push { block, index, .. } => todo.extend([block, index]),
            Stmt::Repeat { times, .. } => todo.push(*times),
            _ => {}
        }
    }
    while let Some(id) = todo.pop() {
        if !std::mem::replace(&mut needed[id.0 as usize], true) {
            todo.extend(kernel.values[id.0 as usize].1.operands());
        }
    }
    needed
}
