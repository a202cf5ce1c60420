//! Recipes by chunks on the OpenCL and CUDA backends: launches that do the second pass of a chunk and the first of the next.

use std::ops::Range;
use std::sync::Arc;

use crate::error::Result;
use crate::plan::{Pass, RING, Recipe};

use super::driver::{KernelReport, Location, Memory, Operands, Program, Queue};
use super::gpu::{Argument, Kernel};

pub(super) struct ChunkedProgram {
    recipe: Recipe,
    kernels: Vec<Arc<dyn Kernel>>,
    tables: Vec<Box<dyn Memory>>,
}

/// One pass of one chunk; nothing at the ends of a run.
struct Part<'a> {
    source: Location<'a>,
    target: Location<'a>,
    columns: usize,
    groups: usize,
}

impl ChunkedProgram {
    /// A kernel for both passes, and a table for each.
    pub fn new(recipe: Recipe, kernels: Vec<Arc<dyn Kernel>>, tables: Vec<Box<dyn Memory>>) -> Self {
        Self { recipe, kernels, tables }
    }

    /// Entries of the outermost batch dimension, and those of a chunk.
    fn entries(&self) -> (usize, usize) {
        let all = self.recipe.transform.batch.first().map_or(1, |d| d.n);
        (all, self.recipe.chunk.unwrap_or(all))
    }

    /// A pass of the chunk that begins at an entry, between its places of an entry each in the source and in the target.
    fn part<'a>(&self, pass: &Pass, first: usize, [from, to]: [(Location<'a>, usize); 2]) -> Part<'a> {
        let (all, chunk) = self.entries();
        let count = chunk.min(all.saturating_sub(first));
        let columns = pass.column_count() / all * count;
        let bytes = self.recipe.transform.algebra.element_bytes();
        let at = |(location, elements): (Location<'a>, usize)| Location {
            offset: location.offset + elements * bytes,
            ..location
        };
        Part { source: at(from), target: at(to), columns, groups: columns.div_ceil(pass.tile.columns) }
    }

    fn launch(&self, queue: &dyn Queue, operands: Operands<'_>, number: usize) -> Result<()> {
        let (all, chunk) = self.entries();
        let passes = self.recipe.passes();
        let workspace = operands.workspace.expect("a recipe of several passes comes with a workspace");
        let between = |number: usize| (workspace, number % RING * chunk * self.recipe.entry_len());
        let stride = |of: fn(&crate::plan::Column) -> usize, pass: &Pass| pass.columns.last().map_or(0, of);
        // The first pass of a chunk, and the second of the chunk before it.
        let (next, before) = (number, number.wrapping_sub(1));
        let first = number * chunk;
        let input = first.min(all) * stride(|c| c.input_stride, &passes[0]);
        let one = self.part(&passes[0], first, [(operands.input, input), between(next)]);
        let two = if number == 0 {
            Part { source: workspace, target: operands.output, columns: 0, groups: 0 }
        } else {
            let first = before * chunk;
            let output = first * stride(|c| c.output_stride, &passes[1]);
            self.part(&passes[1], first, [between(before), (operands.output, output)])
        };
        let unit = self.recipe.transform.algebra.unit_bytes();
        let mut arguments = Vec::new();
        for (part, table) in [&one, &two].into_iter().zip(&self.tables) {
            arguments.extend([part.source, part.target].into_iter().flat_map(|place| Argument::place(place, unit)));
            arguments.extend([Argument::Memory(&**table), Argument::U64(part.columns as u64)]);
        }
        arguments.push(Argument::U64(one.groups as u64));
        self.kernels[0].launch(queue, one.groups + two.groups, &arguments)
    }
}

impl Program for ChunkedProgram {
    fn launches(&self) -> usize {
        self.recipe.submissions()
    }

    fn enqueue(&self, queue: &dyn Queue, operands: Operands<'_>, launches: Range<usize>) -> Result<()> {
        for number in launches {
            self.launch(queue, operands, number)?;
        }
        queue.flush()
    }

    fn reports(&self) -> Vec<KernelReport> {
        self.kernels.iter().map(|kernel| kernel.report()).collect()
    }
}
