//! Recipes by chunks on the OpenCL and CUDA backends: launches that do the second pass of a chunk and the first of the next.

use std::ops::Range;

use crate::error::Result;
use crate::plan::Recipe;

use super::driver::{KernelReport, Location, Memory, Operands, Program, Queue};
use super::gpu::{Argument, Compiled};

pub(super) struct ChunkedProgram {
    recipe: Recipe,
    kernels: Compiled,
    tables: Vec<Box<dyn Memory>>,
}

impl ChunkedProgram {
    /// A kernel for both passes, and a table for each.
    pub fn new(recipe: Recipe, kernels: Compiled, tables: Vec<Box<dyn Memory>>) -> Self {
        Self { recipe, kernels, tables }
    }

    fn launch(&self, queue: &dyn Queue, operands: Operands<'_>, number: usize) -> Result<()> {
        let algebra = self.recipe.transform.algebra;
        let workspace = operands.workspace.expect("a recipe of several passes comes with a workspace");
        let places = [[operands.input, workspace], [workspace, operands.output]];
        let parts = self.recipe.parts(number);
        let mut arguments = Vec::new();
        for ((part, places), table) in parts.iter().zip(places).zip(&self.tables) {
            for (place, elements) in places.into_iter().zip([part.source, part.target]) {
                let place = Location { offset: place.offset + elements * algebra.element_bytes(), ..place };
                arguments.extend(Argument::place(place, algebra.unit_bytes()));
            }
            arguments.extend([Argument::Memory(&**table), Argument::U64(part.columns as u64)]);
        }
        let [one, two] = parts.map(|part| part.groups);
        arguments.push(Argument::U64(one as u64));
        self.kernels[0].launch(queue, one + two, &arguments)
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
