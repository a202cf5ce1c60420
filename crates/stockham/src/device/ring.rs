//! Recipes through a ring: one launch, for which the crews' counts begin at zero.

use std::ops::Range;
use std::sync::Arc;

use crate::error::Result;
use crate::plan::{Recipe, Ring};
use crate::transform::Side;

use super::driver::{KernelReport, Location, Memory, Operands, Program, Queue};
use super::gpu::{Argument, Gpu, Kernel};

pub(super) struct RingProgram {
    recipe: Recipe,
    ring: Ring,
    kernel: Arc<dyn Kernel>,
    tables: Vec<Box<dyn Memory>>,
    /// As many bytes as all counts have.
    zeros: Box<dyn Memory>,
}

impl RingProgram {
    /// One kernel, and a table for each pass.
    pub fn new(
        driver: &dyn Gpu,
        queue: &dyn Queue,
        (recipe, ring): (Recipe, Ring),
        kernel: Arc<dyn Kernel>,
        tables: Vec<Box<dyn Memory>>,
    ) -> Result<Self> {
        let zeros = vec![0; ring.count_bytes()];
        let memory = driver.allocate(zeros.len())?;
        queue.write(&*memory, 0, &zeros)?;
        Ok(Self { recipe, ring, kernel, tables, zeros: memory })
    }
}

impl Program for RingProgram {
    fn launches(&self) -> usize {
        1
    }

    fn enqueue(&self, queue: &dyn Queue, operands: Operands<'_>, launches: Range<usize>) -> Result<()> {
        if launches.is_empty() {
            return Ok(());
        }
        let Self { recipe, ring, kernel, tables, zeros } = self;
        let algebra = recipe.transform.algebra;
        let workspace = operands.workspace.expect("a recipe of several passes comes with a workspace");
        let counts = workspace.offset + ring.len(&recipe.transform) * algebra.element_bytes();
        let zeros = Location { memory: &**zeros, offset: 0 };
        queue.copy(zeros, Location { offset: counts, ..workspace }, ring.count_bytes())?;
        let mut arguments = Vec::new();
        let element = algebra.unit_bytes();
        let of = |side| if recipe.transform.is_real(side) { element / 2 } else { element };
        let places = [
            [(operands.input, of(Side::Input)), (workspace, element)],
            [(workspace, element), (operands.output, of(Side::Output))],
        ];
        for ((pass, table), places) in recipe.passes().iter().zip(tables).zip(places) {
            arguments.extend(places.into_iter().flat_map(|(place, unit)| Argument::place(place, unit)));
            arguments.extend([Argument::Memory(&**table), Argument::U64(pass.column_count() as u64)]);
        }
        arguments.extend([Argument::Memory(workspace.memory), Argument::U64(counts as u64)]);
        arguments.push(Argument::U64(ring.crews as u64));
        kernel.launch(queue, ring.groups(), &arguments)?;
        queue.flush()
    }

    fn reports(&self) -> Vec<KernelReport> {
        vec![self.kernel.report()]
    }
}
