//! Transforms of several dimensions on any device: programs for one each, one after the other.

use std::ops::Range;
use std::sync::Arc;

use crate::error::Result;
use crate::plan::{Axis, Place, Recipe, axes};

use super::driver::{Driver, KernelReport, Location, Operands, Program, Queue};

/// Makes a recipe ready, of one dimension or of several.
pub(super) fn prepare(driver: &Arc<dyn Driver>, recipe: &Recipe) -> Result<Arc<dyn Program>> {
    if recipe.axes().is_empty() {
        return driver.clone().prepare(recipe);
    }
    let along =
        |axis: &Axis| Ok(Along { source: axis.source, target: axis.target, program: prepare(driver, &axis.recipe)? });
    let axes = recipe.axes().iter().map(along).collect::<Result<Vec<Along>>>()?;
    let between = axes::between(recipe.axes()) * recipe.transform.algebra.element_bytes();
    Ok(Arc::new(AxesProgram { axes, between }))
}

struct AxesProgram {
    axes: Vec<Along>,
    /// Bytes of the workspace before that of each dimension.
    between: usize,
}

/// What is done along one dimension.
struct Along {
    source: Place,
    target: Place,
    program: Arc<dyn Program>,
}

impl Program for AxesProgram {
    fn launches(&self) -> usize {
        self.axes.iter().map(|along| along.program.launches()).sum()
    }

    fn enqueue(&self, queue: &dyn Queue, operands: Operands<'_>, launches: Range<usize>) -> Result<()> {
        let Operands { input, output, workspace } = operands;
        let place = |place| match place {
            Place::Input => input,
            Place::Workspace => workspace.unwrap_or(output),
            _ => output,
        };
        let behind = workspace.map(|space| Location { offset: space.offset + self.between, ..space });
        let mut first = 0;
        for Along { source, target, program } in &self.axes {
            let count = program.launches();
            let (from, to) = (launches.start.max(first), launches.end.min(first + count));
            if from < to {
                let operands = Operands { input: place(*source), output: place(*target), workspace: behind };
                program.enqueue(queue, operands, from - first..to - first)?;
            }
            first += count;
        }
        Ok(())
    }

    fn reports(&self) -> Vec<KernelReport> {
        self.axes.iter().flat_map(|along| along.program.reports()).collect()
    }
}
