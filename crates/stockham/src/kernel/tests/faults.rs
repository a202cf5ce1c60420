//! Faults planted in the one kernel of a recipe, which its run must show.

use super::{Global, Tables, arguments, lower, run};
use crate::kernel::ir::{Kernel, Stmt};
use crate::plan::Recipe;

/// The kernel of a recipe of one pass over f64, with an input, so many words of output, and its table.
pub(super) struct Trial<'a> {
    recipe: &'a Recipe,
    input: Vec<u64>,
    output_len: usize,
    table: Vec<u64>,
    kernel: Kernel,
}

impl<'a> Trial<'a> {
    pub fn of(recipe: &'a Recipe, input: Vec<u64>, output_len: usize) -> Self {
        let table = bytemuck::allocation::pod_collect_to_vec(&Tables::of_recipe(recipe, 0));
        Self { recipe, input, output_len, table, kernel: lower::kernel(recipe, 0..1) }
    }

    fn compute(&self, kernel: &Kernel, table: &[u64]) -> Result<Vec<u64>, String> {
        let pass = &self.recipe.passes()[0];
        let mut target = vec![0; self.output_len];
        let mut global = Global { source: self.input.clone(), target: &mut target, table };
        let arguments = arguments(kernel, self.recipe, pass.column_count());
        run(kernel, &mut global, &arguments, pass.groups()).map(|()| target)
    }

    /// How many barriers there are, none of which may be left out.
    pub fn barriers(&self) -> usize {
        let body = &self.kernel.body;
        let barriers: Vec<usize> = (0..body.len()).filter(|&at| body[at] == Stmt::Barrier).collect();
        for &barrier in &barriers {
            let mut kernel = lower::kernel(self.recipe, 0..1);
            kernel.body.remove(barrier);
            assert!(self.compute(&kernel, &self.table).is_err(), "the barrier at {barrier} is not needed?");
        }
        barriers.len()
    }

    /// Numbers of the table, and how many of every so-manieth may be others without a difference.
    pub fn unread(&self, step: usize) -> (usize, usize) {
        let sound = self.compute(&self.kernel, &self.table).unwrap();
        let is_read = |place: &usize| {
            let mut other = self.table.clone();
            other[*place] = 3f64.to_bits();
            self.compute(&self.kernel, &other).unwrap() != sound
        };
        let len = self.table.len();
        (len, (0..len).step_by(step).filter(|place| !is_read(place)).count())
    }
}
