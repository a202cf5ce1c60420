//! Steps on the OpenCL and CUDA backends.

use std::sync::Arc;

use crate::algebra::limbs::LIMBS;
use crate::algebra::{Algebra, ResidueSystem};
use crate::error::{Error, Result};
use crate::kernel::{self, steps};
use crate::plan::{Operation, Step, StepFields};

use super::driver::{Extent, KernelReport, Location, Memory, Queue, StepOperands, StepProgram};
use super::gpu::{Argument, Gpu, Kernels};

/// Makes a step ready on a GPU.
pub(super) fn prepare<G: Gpu>(driver: Arc<G>, step: &Step) -> Result<Arc<dyn StepProgram>> {
    let (of, info, dialect) = (*step, driver.info().clone(), driver.dialect());
    let texts = move |alignment| kernel::step_texts_for(&of, &info, dialect, alignment);
    let kernels = Kernels::compile(driver.clone(), texts)?;
    let (element, unit) = step.sizes();
    let bytes = step.table();
    // Kernels without a table still take the argument.
    let table = driver.allocate(bytes.len().max(element))?;
    if !bytes.is_empty() {
        let queue = driver.new_stream()?;
        queue.write(&*table, 0, &bytes)?;
        // Runs come on other streams, which must find the table complete.
        queue.finish()?;
    }
    Ok(Arc::new(GpuStep { step: *step, kernels, table, unit, group: steps::group(driver.info()), list: None }))
}

/// Makes a product, or an inner product, ready over a list of fields, of which the algebra is that of the largest prime.
pub(super) fn prepare_over<G: Gpu>(
    driver: Arc<G>,
    (step, algebra): (&Step, Algebra),
    list: &StepFields,
) -> Result<Arc<dyn StepProgram>> {
    let (step, of, info, dialect) = (*step, list.clone(), driver.info().clone(), driver.dialect());
    let text = move |alignment| vec![kernel::step_text_over((&step, algebra), &of, &info, (dialect, alignment))];
    let kernels = Kernels::compile(driver.clone(), text)?;
    let table = driver.allocate(algebra.element_bytes())?;
    let (group, list) = (steps::group(driver.info()), Some((list.fields.len(), list.len)));
    Ok(Arc::new(GpuStep { step, kernels, table, unit: algebra.unit_bytes(), group, list }))
}

/// Elements at most: kernels count in 32 bits, and the last work-group goes beyond the end.
const LONGEST: usize = 1 << 31;

struct GpuStep {
    step: Step,
    kernels: Kernels,
    table: Box<dyn Memory>,
    /// Bytes of what kernels point to.
    unit: usize,
    group: usize,
    /// How many fields it is over, and the elements of each, if they are several.
    list: Option<(usize, usize)>,
}

impl GpuStep {
    fn launch(
        &self,
        queue: &dyn Queue,
        (kernel, groups): (usize, usize),
        (source, target, table): (Extent<'_>, Extent<'_>, &dyn Memory),
        numbers: &[usize],
    ) -> Result<()> {
        let kernels = self.kernels.at(&[source.location, target.location, Location { memory: table, offset: 0 }])?;
        let mut arguments = Vec::new();
        for Location { memory, offset } in [source.location, target.location] {
            arguments.extend([Argument::Memory(memory), Argument::U64((offset / self.unit) as u64)]);
        }
        arguments.push(Argument::Memory(table));
        arguments.extend(numbers.iter().map(|&number| Argument::U64(number as u64)));
        kernels[kernel].launch(queue, groups, &arguments)
    }

    /// Coefficients to states, states to the ones to add, coefficients and ones to words.
    fn carry(&self, queue: &dyn Queue, source: Extent<'_>, target: Extent<'_>, scratch: Extent<'_>) -> Result<()> {
        let (groups, table) = (self.groups(target.len), scratch.location.memory);
        self.launch(queue, (0, groups), (source, scratch, &*self.table), &[source.len])?;
        let block = steps::states(self.group);
        for first in (0..groups).step_by(block) {
            let mut from = scratch;
            from.location.offset += first * self.unit;
            self.launch(queue, (1, 1), (from, from, &*self.table), &[block.min(groups - first)])?;
        }
        self.launch(queue, (2, groups), (source, target, table), &[source.len, target.len])
    }

    /// Between integers and their residues, so many integers a work-group.
    fn residues(
        &self,
        queue: &dyn Queue,
        source: Extent<'_>,
        target: Extent<'_>,
        (system, per_group): (ResidueSystem, fn(ResidueSystem, usize) -> usize),
    ) -> Result<()> {
        let count = target.len / system.primes();
        let groups = count.div_ceil(per_group(system, self.group));
        self.launch(queue, (0, groups), (source, target, &*self.table), &[count])
    }

    /// Work-groups of a carry to so many words.
    fn groups(&self, words: usize) -> usize {
        (words * LIMBS).div_ceil(steps::coefficients(self.group))
    }
}

impl StepProgram for GpuStep {
    fn enqueue(&self, queue: &dyn Queue, StepOperands { source, target, other }: StepOperands<'_>) -> Result<()> {
        let limbs = if let Step::Carry { .. } = self.step { target.len.saturating_mul(LIMBS) } else { target.len };
        let first = other.map_or(0, |other| other.location.offset / self.step.sizes().0);
        let longest = source.len.max(limbs).max(first);
        if longest > LONGEST {
            let what = format!("a step over {longest} elements");
            return Err(Error::unsupported(what, format!("this version's kernels take up to {LONGEST}")));
        }
        match (self.step, other) {
            (Step::Unpack { .. }, _) => {
                let groups = target.len.div_ceil(steps::unpacked(self.group));
                self.launch(queue, (0, groups), (source, target, &*self.table), &[source.len, target.len])?;
            }
            (Step::Carry { .. }, Some(scratch)) => self.carry(queue, source, target, scratch)?,
            (Step::Carry { .. }, None) => unreachable!("the lengths were checked, that of the scratch memory too"),
            (Step::Repeat { operation, times, .. }, _) => {
                let count = if operation == Operation::Butterfly { target.len / 2 } else { target.len };
                // A butterfly of a single element is none.
                if count > 0 {
                    let (groups, numbers) = (count.div_ceil(self.group), [count, times as usize]);
                    self.launch(queue, (0, groups), (source, target, &*self.table), &numbers)?;
                }
            }
            (Step::Reduce { system }, _) => self.residues(queue, source, target, (system, steps::reduced))?,
            (Step::Recombine { system }, _) => self.residues(queue, source, target, (system, steps::recombined))?,
            (
                Step::Product { algebra, .. }
                | Step::Square { algebra, .. }
                | Step::InnerProduct { algebra, .. }
                | Step::Twist { algebra, .. },
                other,
            ) => {
                let table = other.map_or(&*self.table, |other| other.location.memory);
                let (fields, len) = self.list.unwrap_or((1, target.len));
                let groups = fields * steps::groups(algebra, self.group, len);
                let numbers = [target.len, first];
                let has_factor = matches!(self.step, Step::Product { .. } | Step::InnerProduct { .. });
                let count = if has_factor { 2 } else { 1 };
                self.launch(queue, (0, groups), (source, target, table), &numbers[..count])?;
            }
        }
        queue.flush()
    }

    fn scratch_len(&self, target_len: usize) -> usize {
        if let Step::Carry { .. } = self.step { self.groups(target_len) + 1 } else { 0 }
    }

    fn reports(&self) -> Vec<KernelReport> {
        self.kernels.by_vectors().iter().map(|kernel| kernel.report()).collect()
    }
}
