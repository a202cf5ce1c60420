//! Recipes on the OpenCL and CUDA backends: they become kernels and tables, and a run becomes launches.

use std::ops::Range;
use std::sync::Arc;

use crate::error::Result;
use crate::host_memory;
use crate::kernel::{self, Tables};
use crate::plan::schedule::Launch as Scheduled;
use crate::plan::{Place, Recipe};
use crate::transform::Side;

use super::compile;
use super::driver::{KernelReport, Location, Memory, Operands, Program, Queue};
use super::gpu::{Argument, Gpu, Kernel, Kernels, Launch};
use super::replay::Replays;
use super::ring::RingProgram;

/// Makes a recipe ready on a GPU.
pub(super) fn prepare(driver: Arc<dyn Gpu>, recipe: &Recipe) -> Result<Arc<dyn Program>> {
    let (dialect, of) = (driver.dialect(), recipe.clone());
    let texts = move |alignment| kernel::texts_for(&of, dialect, alignment);
    let (kernels, tables) = compile::beside(|| Kernels::compile(driver.clone(), texts), || table_bytes(recipe));
    let (kernels, tables) = (kernels?, tables?);
    let algebra = recipe.transform.algebra;
    let queue = driver.new_stream()?;
    let in_memory = |bytes: Vec<u8>| {
        // A kernel without twiddles still takes the argument.
        let table = driver.allocate(bytes.len().max(algebra.element_bytes()))?;
        if !bytes.is_empty() {
            queue.write(&*table, 0, &bytes)?;
        }
        Ok(table)
    };
    let tables = tables.into_iter().map(in_memory).collect::<Result<Vec<_>>>()?;
    if let (Some(ring), [kernel]) = (recipe.ring, &kernels.by_vectors()[..]) {
        let program = RingProgram::new(&*driver, &*queue, (recipe.clone(), ring), kernel.clone(), tables)?;
        queue.finish()?;
        return Ok(Arc::new(program));
    }
    // Runs come on other streams, which must find the tables complete.
    queue.finish()?;
    let step = |(launch, table): (Range<usize>, _)| {
        let passes = &recipe.passes()[launch];
        Step { source: passes[0].source, target: passes[passes.len() - 1].target, table }
    };
    let unit = algebra.unit_bytes();
    let of_side = |side| match algebra.unit_roundoff() {
        Some(_) => recipe.transform.format(side).bytes(),
        None => unit,
    };
    let units = [of_side(Side::Input), of_side(Side::Output), unit];
    let steps: Vec<Step> = recipe.launches().into_iter().zip(tables).map(step).collect();
    let moved = (recipe.transform.input_len() + recipe.transform.output_len()).saturating_mul(algebra.element_bytes());
    let is_short = moved <= REPLAYED_BYTES && algebra.unit_roundoff().is_some();
    let schedule = recipe.schedule();
    let entries = recipe.transform.batch.first().map_or(1, |outermost| outermost.n);
    let replays = (schedule.len() > 1 && is_short).then(|| (Replays::new(), driver));
    let points = recipe.lengths().map(|_| recipe.transform.points() as u64);
    Ok(Arc::new(KernelProgram { kernels, steps, schedule, entries, units, points, replays }))
}

/// What each launch looks up.
fn table_bytes(recipe: &Recipe) -> Result<Vec<Vec<u8>>> {
    let algebra = recipe.transform.algebra;
    let of_launch = |launch: Range<usize>| {
        let passes = &recipe.passes()[launch.clone()];
        let last = &passes[passes.len() - 1];
        // Before they are bytes, roots are exponents, over fields fractions, and numbers.
        let counted = |number| Tables::in_recipe(recipe, number, 0).end;
        let count = launch.clone().map(counted).fold(0, usize::saturating_add);
        let count = count.saturating_mul(recipe.moduli.len().max(1));
        host_memory::check(count.saturating_mul(ROOT_BYTES + 4 * algebra.element_bytes()) as u64)?;
        let mut bytes: Vec<u8> = launch.flat_map(|number| Tables::of_recipe(recipe, number)).collect();
        bytes.extend(algebra.scale_bytes(last.scale));
        bytes.extend(kernel::access::table_bytes(recipe, (passes[0].source, last.target)));
        Ok(bytes)
    };
    recipe.launches().into_iter().map(of_launch).collect()
}

/// Bytes that a complex transform of several launches reads and writes at most to be recorded: up to there a host may take
/// longer to launch, one by one, than the device to compute. Over fields arithmetic takes the device longer than that; and what is recorded does not overlap with what was before it.
const REPLAYED_BYTES: usize = 4 << 20;

/// Bytes of a root as an exponent and as a fraction, at most.
const ROOT_BYTES: usize = 32;

/// What a kernel works on.
struct Step {
    source: Place,
    target: Place,
    table: Box<dyn Memory>,
}

struct KernelProgram {
    kernels: Kernels,
    /// Its launches, recorded, where one by one they would take the host longer than the device.
    replays: Option<(Replays, Arc<dyn Gpu>)>,
    steps: Vec<Step>,
    schedule: Vec<Scheduled>,
    /// Entries of the outermost batch dimension.
    entries: usize,
    /// Bytes of what kernels point to: of the numbers of input and output, and of elements in the workspace.
    units: [usize; 3],
    /// The length of a line, if the kernels take it as an argument.
    points: Option<u64>,
}

impl KernelProgram {
    fn launches_of<'a>(
        &'a self,
        kernels: &'a [Arc<dyn Kernel>],
        operands: Operands<'a>,
        launches: Range<usize>,
    ) -> impl Iterator<Item = Launch<'a>> {
        let [of_input, of_output, of_element] = self.units;
        let location = move |place: Place| -> (Location<'a>, usize) {
            match place {
                Place::Input => (operands.input, of_input),
                Place::Output => (operands.output, of_output),
                Place::Workspace => {
                    let workspace = operands.workspace.expect("a recipe of several passes comes with a workspace");
                    (workspace, of_element)
                }
                Place::Cluster | Place::Ring => unreachable!("a launch of its own begins and ends in other memory"),
            }
        };
        self.schedule[launches].iter().map(move |launch| {
            let Step { source, target, table } = &self.steps[launch.number];
            let places = [(location(*source), launch.source), (location(*target), launch.target)];
            let [[source, from], [target, to]] = places.map(|((place, unit), before)| {
                Argument::place(Location { offset: place.offset + before * unit, ..place }, unit)
            });
            let (table, columns) = (Argument::Memory(&**table), Argument::U64(launch.columns as u64));
            let kernel = &*kernels[launch.number];
            let points = self.points.map(Argument::U64);
            let arguments = [source, from, target, to, table].into_iter().chain(points).chain([columns]).collect();
            Launch { kernel, groups: launch.groups, arguments }
        })
    }
}

impl Program for KernelProgram {
    fn launches(&self) -> usize {
        self.schedule.len()
    }

    fn enqueue_first(&self, queue: &dyn Queue, operands: Operands<'_>, entries: usize) -> Result<()> {
        let Operands { input, output, workspace } = operands;
        let kernels = self.kernels.at(&[input, output, workspace.unwrap_or(output)])?;
        for mut launch in self.launches_of(&kernels, operands, 0..self.schedule.len()) {
            if let [.., Argument::U64(columns)] = &mut launch.arguments[..] {
                // Tiles lie within the entries.
                *columns = *columns / self.entries as u64 * entries as u64;
            }
            launch.kernel.launch(queue, launch.groups / self.entries * entries, &launch.arguments)?;
        }
        queue.flush()
    }

    fn enqueue(&self, queue: &dyn Queue, operands: Operands<'_>, launches: Range<usize>) -> Result<()> {
        let is_whole = launches == (0..self.schedule.len());
        let Operands { input, output, workspace } = operands;
        let kernels = self.kernels.at(&[input, output, workspace.unwrap_or(output)])?;
        let launches = || self.launches_of(&kernels, operands, launches.clone());
        let direct = || launches().try_for_each(|launch| launch.kernel.launch(queue, launch.groups, &launch.arguments));
        match &self.replays {
            Some((replays, gpu)) if is_whole => {
                replays.submit(queue, operands, direct, || gpu.record(&launches().collect::<Vec<_>>()))?;
            }
            _ => direct()?,
        }
        queue.flush()
    }

    fn reports(&self) -> Vec<KernelReport> {
        self.kernels.by_vectors().iter().map(|kernel| kernel.report()).collect()
    }
}
