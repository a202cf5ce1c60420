//! Recipes through a ring: one launch for the last two passes, for which the crews' counts begin at zero.

use std::ops::Range;
use std::sync::Arc;

use crate::error::Result;
use crate::plan::{Place, Recipe, Ring};

use super::driver::{KernelReport, Location, Memory, Operands, Program, Queue};
use super::gpu::{Argument, Gpu, Kernel};
use super::gpu_recipe::KernelProgram;

pub(super) struct RingProgram {
    /// The launches of the passes before.
    pub before: KernelProgram,
    pub recipe: Recipe,
    pub ring: Ring,
    pub kernel: Arc<dyn Kernel>,
    /// One for each of the two passes.
    pub tables: Vec<Box<dyn Memory>>,
    /// As many bytes as all counts have.
    pub zeros: Box<dyn Memory>,
}

/// What the counts of a ring begin with.
pub(super) fn zeros(driver: &dyn Gpu, queue: &dyn Queue, ring: Ring) -> Result<Box<dyn Memory>> {
    let zeros = vec![0; ring.count_bytes()];
    let memory = driver.allocate(zeros.len())?;
    queue.write(&*memory, 0, &zeros)?;
    Ok(memory)
}

impl RingProgram {
    fn enqueue_ring(&self, queue: &dyn Queue, operands: Operands<'_>) -> Result<()> {
        let Self { recipe, ring, kernel, tables, zeros, .. } = self;
        let algebra = recipe.transform.algebra;
        let workspace = operands.workspace.expect("a recipe of several passes comes with a workspace");
        let behind =
            |elements: usize| Location { offset: workspace.offset + elements * algebra.element_bytes(), ..workspace };
        let start = recipe.len_before_ring();
        let (between, counts) = (behind(start), behind(start + ring.len(algebra)));
        let zeros = Location { memory: &**zeros, offset: 0 };
        queue.copy(zeros, counts, ring.count_bytes())?;
        let [.., first, second] = recipe.passes() else { unreachable!("a ring is between two passes") };
        let source = if first.source == Place::Input { operands.input } else { workspace };
        let mut arguments = Vec::new();
        let places = [[source, between], [between, operands.output]];
        for ((pass, table), places) in [first, second].into_iter().zip(tables).zip(places) {
            arguments.extend(places.into_iter().flat_map(|place| Argument::place(place, algebra.unit_bytes())));
            arguments.extend([Argument::Memory(&**table), Argument::U64(pass.column_count() as u64)]);
        }
        arguments.extend([Argument::Memory(counts.memory), Argument::U64(counts.offset as u64)]);
        arguments.push(Argument::U64(ring.crews as u64));
        kernel.launch(queue, ring.groups, &arguments)?;
        queue.flush()
    }
}

impl Program for RingProgram {
    fn launches(&self) -> usize {
        self.before.launches() + 1
    }

    fn enqueue(&self, queue: &dyn Queue, operands: Operands<'_>, launches: Range<usize>) -> Result<()> {
        let before = self.before.launches();
        self.before.enqueue(queue, operands, launches.start.min(before)..launches.end.min(before))?;
        if launches.contains(&before) { self.enqueue_ring(queue, operands) } else { Ok(()) }
    }

    fn reports(&self) -> Vec<KernelReport> {
        self.before.reports().into_iter().chain([self.kernel.report()]).collect()
    }
}
