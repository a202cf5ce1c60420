//! Running kernels on the host, statement by statement, with every access checked: the test of planner and lowering
//! that needs no device. It finds wrong results, accesses out of bounds, and races between barriers.
//!
//! Elements of digits have no values here, only places: kernels over them are run for where they read and write, and so may be
//! all others.

mod evaluate;
mod meet;
mod memory;
mod needed;

use super::hopper::EXCHANGES;
use super::ir::{Id, Kernel, Memory, Op, Stmt, Type};
use crate::plan::WARP;

pub(super) use evaluate::evaluate;
use meet::{meet, place_of_piece, start_of_block};
pub(super) use memory::Global;
use memory::{Access, InPlace, Tile, Time, Words};

/// What is computed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Computed {
    Values,
    /// Only what decides where is read and written; what is stored is zeros.
    Places,
}

/// The values of a work-group, by value and thread, or team.
struct Block {
    group: usize,
    values: Vec<Vec<u64>>,
}

impl Block {
    fn begin(kernel: &Kernel, arguments: &[u64], group: usize) -> Result<Self, String> {
        let mut values = vec![vec![0u64; kernel.group / kernel.team]; kernel.values.len()];
        for (row, (_, op)) in values.iter_mut().zip(&kernel.values) {
            match op {
                Op::Const(bits) => row.fill(*bits),
                Op::Argument(name) => {
                    let place = kernel.arguments.iter().position(|a| a == name);
                    row.fill(arguments[place.ok_or_else(|| format!("no argument '{name}'"))?]);
                }
                _ => {}
            }
        }
        Ok(Self { group, values })
    }

    /// Gives a value what another has, in all threads.
    fn copy(&mut self, from: Id, to: Id) {
        self.values[to.0 as usize] = self.values[from.0 as usize].clone();
    }
}

/// A kernel that is run, and for each of its values whether it is computed.
struct Running<'a> {
    kernel: &'a Kernel,
    is_computed: Vec<bool>,
    computed: Computed,
}

/// Runs all work-groups, cluster by cluster, with these scalar arguments.
pub(super) fn run(kernel: &Kernel, global: &mut Global<'_>, arguments: &[u64], groups: usize) -> Result<(), String> {
    let has_digits = kernel.digit_strides.is_some() || kernel.values.iter().any(|(ty, _)| *ty == Type::Big);
    run_for(if has_digits { Computed::Places } else { Computed::Values }, kernel, global, arguments, groups)
}

/// Runs all work-groups for their values, or for places alone.
pub(super) fn run_for(
    computed: Computed,
    kernel: &Kernel,
    global: &mut Global<'_>,
    arguments: &[u64],
    groups: usize,
) -> Result<(), String> {
    assert_eq!(arguments.len(), kernel.arguments.len(), "the kernel takes {:?}", kernel.arguments);
    if !groups.is_multiple_of(kernel.hopper.cluster) {
        return Err(format!("{groups} work-groups in clusters of {}", kernel.hopper.cluster));
    }
    let is_computed = match computed {
        Computed::Values => vec![true; kernel.values.len()],
        Computed::Places => needed::needed(kernel),
    };
    let running = Running { kernel, is_computed, computed };
    let mut in_place = InPlace::of(kernel, global.source.len().max(global.target.len()));
    let mut firsts = (0..groups).step_by(kernel.hopper.cluster);
    firsts.try_for_each(|first| running.cluster(global, &mut in_place, arguments, first))
}

/// A loop that a kernel is in.
struct Loop {
    /// The statement that begins it.
    start: usize,
    round: usize,
    rounds: usize,
}

impl Running<'_> {
    /// Runs the work-groups of a cluster side by side.
    fn cluster(
        &self,
        global: &mut Global<'_>,
        in_place: &mut Option<InPlace>,
        arguments: &[u64],
        first: usize,
    ) -> Result<(), String> {
        let kernel = self.kernel;
        let groups = first..first + kernel.hopper.cluster;
        let mut blocks = groups.map(|group| Block::begin(kernel, arguments, group)).collect::<Result<Vec<_>, _>>()?;
        let mut tiles: Vec<Tile> = (0..kernel.hopper.cluster).map(|_| Tile::of(kernel)).collect();
        let mut time = Time::default();
        let mut loops = Vec::new();
        let mut at = 0;
        while let Some(stmt) = kernel.body.get(at) {
            match stmt {
                Stmt::Push { .. } if time.begun == 0 => {
                    return Err("a push to a work-group that may not have begun".into());
                }
                Stmt::Push { exchange, .. } => time.pushed = exchange + 1,
                Stmt::Barrier => time.barriers += 1,
                Stmt::Meet(meeting) => meet(kernel, global, *meeting, &blocks, &mut tiles, &mut time)?,
                Stmt::Rows { .. } | Stmt::Repeat { .. } | Stmt::EndRows { .. } | Stmt::EndRepeat { .. } => {
                    at = self.turn(&mut loops, at, &mut blocks)?;
                    continue;
                }
                _ => {}
            }
            for (rank, block) in blocks.iter_mut().enumerate() {
                self.step((global, in_place), stmt, (rank, block), &mut tiles, time)?;
            }
            at += 1;
        }
        if kernel.hopper.ahead.is_some() && (time.fetched || !time.has_fetched) {
            return Err("a tile is left before the next one is fetched".into());
        }
        let ends = |exchange: usize| time.received[exchange].is_some();
        if tiles.iter().any(|tile| (0..EXCHANGES).any(|exchange| tile.pushed[exchange] > 0 && !ends(exchange))) {
            return Err("a work-group may end while others write to its memory".into());
        }
        Ok(())
    }

    /// Begins a loop or ends a round of it: which statement comes next.
    fn turn(&self, loops: &mut Vec<Loop>, at: usize, blocks: &mut [Block]) -> Result<usize, String> {
        let body = &self.kernel.body;
        match &body[at] {
            Stmt::Rows { rows, .. } => loops.push(Loop { start: at, round: 0, rounds: rows.len() }),
            Stmt::Repeat { times, from, values, .. } => {
                let rounds = blocks[0].values[times.0 as usize][0];
                if blocks.iter().any(|block| block.values[times.0 as usize].iter().any(|t| *t != rounds)) {
                    return Err("threads go through a loop so many times, and others so many".into());
                }
                loops.push(Loop { start: at, round: 0, rounds: usize::try_from(rounds).unwrap_or(usize::MAX) });
                for block in &mut *blocks {
                    from.iter().zip(values).for_each(|(from, to)| block.copy(*from, *to));
                }
            }
            ending => {
                let this = loops.last_mut().ok_or("the end of a loop that did not begin")?;
                for block in &mut *blocks {
                    match (&body[this.start], ending) {
                        (Stmt::Rows { .. }, Stmt::EndRows { result, results }) => {
                            block.copy(*result, results[this.round]);
                        }
                        (Stmt::Repeat { values, .. }, Stmt::EndRepeat { next, .. }) => {
                            next.iter().zip(values).for_each(|(next, value)| block.copy(*next, *value));
                        }
                        _ => return Err("a loop ends as another kind of loop".into()),
                    }
                }
                this.round += 1;
            }
        }
        let this = loops.last().ok_or("a loop that did not begin")?;
        let is_end = |stmt: &Stmt| matches!(stmt, Stmt::EndRows { .. } | Stmt::EndRepeat { .. });
        if this.round < this.rounds {
            for block in &mut *blocks {
                let (Stmt::Rows { counter, .. } | Stmt::Repeat { counter, .. }) = &body[this.start] else { continue };
                block.values[counter.0 as usize].fill(this.round as u64);
                if let Stmt::Rows { rows, row, .. } = &body[this.start] {
                    block.copy(rows[this.round], *row);
                }
            }
            return Ok(this.start + 1);
        }
        // Loops do not stand in each other.
        let length = body[this.start..].iter().position(is_end).ok_or("a loop without an end")?;
        let end = this.start + length;
        if let (Stmt::Repeat { values, .. }, Stmt::EndRepeat { results, .. }) = (&body[this.start], &body[end]) {
            for block in &mut *blocks {
                values.iter().zip(results).for_each(|(value, result)| block.copy(*value, *result));
            }
        }
        loops.pop();
        Ok(end + 1)
    }

    /// One statement, by all threads of a work-group.
    // A thread is a row of several tables, not a place of one.
    #[allow(clippy::needless_range_loop)]
    fn step(
        &self,
        (global, in_place): (&mut Global<'_>, &mut Option<InPlace>),
        stmt: &Stmt,
        (rank, block): (usize, &mut Block),
        tiles: &mut [Tile],
        time: Time,
    ) -> Result<(), String> {
        let kernel = self.kernel;
        let (group, values) = (block.group, &mut block.values);
        let threads = kernel.group / kernel.team;
        let access = |thread, writes| Access { block: rank, thread, writes, pushes: None, time };
        let type_of = |id: &Id| kernel.values[id.0 as usize].0;
        match stmt {
            Stmt::Let(id) => {
                let (ty, op) = &kernel.values[id.0 as usize];
                if matches!(op, Op::Const(_) | Op::Argument(_)) || !self.is_computed[id.0 as usize] {
                    return Ok(());
                }
                for thread in 0..threads {
                    if let Op::Partner(a, distance) = op {
                        let partner = thread ^ *distance as usize;
                        let given = values[a.0 as usize].get(partner).filter(|_| thread / WARP == partner / WARP);
                        values[id.0 as usize][thread] = *given.ok_or("a thread without a partner in its warp")?;
                        continue;
                    }
                    let get = |id: &Id| values[id.0 as usize][thread];
                    let operand_type = op.operands().first().map_or(*ty, type_of);
                    let result = evaluate(*ty, operand_type, op, &get, (thread, group));
                    values[id.0 as usize][thread] = result;
                }
            }
            Stmt::Push { exchange, block, index, components } => {
                for thread in 0..threads {
                    let to = values[block.0 as usize][thread] as usize;
                    let at = values[index.0 as usize][thread] as usize;
                    let tile = tiles.get_mut(to).ok_or_else(|| format!("a push to rank {to} of the cluster"))?;
                    let pushes = (to != rank || !kernel.stores_own()).then_some(*exchange);
                    let words = Words::of(kernel, Memory::Tile, (type_of(&components[0]), components.len()));
                    let range = words.range(at, tile.words.len()).ok_or("a push out of bounds")?;
                    tile.touch(range, Access { pushes, ..access(thread, true) })?;
                    tile.pushed[*exchange] += 1;
                    for (c, id) in components.iter().enumerate() {
                        tile.words[at * components.len() + c] = values[id.0 as usize][thread];
                    }
                }
            }
            Stmt::Load { memory, index, components, guard } => {
                let words = Words::of(kernel, *memory, (type_of(&components[0]), components.len()));
                let is_listed = matches!(memory, Memory::Places | Memory::Blocks);
                if !is_listed
                    && self.computed == Computed::Places
                    && components.iter().any(|id| self.is_computed[id.0 as usize])
                {
                    return Err("a place that depends on what is loaded".into());
                }
                for thread in 0..threads {
                    if guard.is_some_and(|g| values[g.0 as usize][thread] == 0) {
                        components.iter().for_each(|id| values[id.0 as usize][thread] = 0);
                        continue;
                    }
                    let at = values[index.0 as usize][thread] as usize;
                    let listed = match memory {
                        Memory::Places => Some(place_of_piece(kernel, block.group, at)?),
                        Memory::Blocks => Some(start_of_block(kernel, at)?),
                        _ => None,
                    };
                    if let Some(place) = listed {
                        values[components[0].0 as usize][thread] = place;
                        continue;
                    }
                    if *memory == Memory::Fetched && !time.fetched {
                        return Err(format!("fetched[{at}] read by thread {thread} before it is there, or after"));
                    }
                    let is_in_tile = kernel.hopper.ahead.as_ref().is_some_and(|ahead| ahead.in_tile);
                    let from: &[u64] = match memory {
                        Memory::Source | Memory::SourceWords | Memory::SourcePairs | Memory::SourceVectors => {
                            &global.source
                        }
                        // By whoever is going to add to what is there.
                        Memory::Target if is_stored(kernel, *index) => &*global.target,
                        Memory::Target | Memory::TargetPairs | Memory::TargetVectors => {
                            return Err("a load from the target".into());
                        }
                        Memory::Table | Memory::TablePairs => global.table,
                        Memory::Constants => &kernel.constants,
                        Memory::Tile | Memory::TileVectors => &tiles[rank].words,
                        Memory::Fetched if is_in_tile => &tiles[rank].words,
                        Memory::Fetched => &tiles[rank].fetched,
                        Memory::Places | Memory::Blocks => return Err("a list of places is read by itself".into()),
                    };
                    let out = || format!("{memory:?}[{at}] read out of bounds by thread {thread}");
                    let range = words.range(at, from.len()).ok_or_else(out)?;
                    if self.computed == Computed::Values {
                        if let [only] = components[..]
                            && type_of(&only) == Type::F32x2
                        {
                            values[only.0 as usize][thread] = from[range.start] | from[range.start + 1] << 32;
                        } else {
                            for (id, word) in components.iter().zip(&from[range.clone()]) {
                                values[id.0 as usize][thread] = *word;
                            }
                        }
                    }
                    match memory {
                        Memory::Source | Memory::SourceWords | Memory::SourcePairs | Memory::SourceVectors => {
                            if let Some(in_place) = in_place {
                                in_place.touch(range, group, access(thread, false))?;
                            }
                        }
                        Memory::Tile | Memory::TileVectors => tiles[rank].touch(range, access(thread, false))?,
                        Memory::Fetched if is_in_tile => tiles[rank].touch(range, access(thread, false))?,
                        Memory::Fetched => tiles[rank].read = Some(time.barriers),
                        _ => {}
                    }
                }
            }
            Stmt::SinCos { angle, sin, cos, .. } => {
                let narrow = type_of(angle) == Type::F32;
                for thread in 0..threads {
                    let bits = values[angle.0 as usize][thread];
                    let x = if narrow { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) };
                    for (id, y) in [(sin, x.sin()), (cos, x.cos())] {
                        let bits = if narrow { u64::from((y as f32).to_bits()) } else { y.to_bits() };
                        values[id.0 as usize][thread] = bits;
                    }
                }
            }
            Stmt::Store { memory, index, components, guard } => {
                let words = Words::of(kernel, *memory, (type_of(&components[0]), components.len()));
                for thread in 0..threads {
                    if guard.is_some_and(|g| values[g.0 as usize][thread] == 0) {
                        continue;
                    }
                    let at = values[index.0 as usize][thread] as usize;
                    let is_local = matches!(memory, Memory::Tile | Memory::TileVectors);
                    let to: &mut Vec<u64> = match memory {
                        Memory::Target | Memory::TargetPairs | Memory::TargetVectors => global.target,
                        Memory::Tile | Memory::TileVectors => &mut tiles[rank].words,
                        _ => return Err(format!("a store to {memory:?}")),
                    };
                    let out = || format!("{memory:?}[{at}] written out of bounds by thread {thread}");
                    let range = words.range(at, to.len()).ok_or_else(out)?;
                    if self.computed == Computed::Values {
                        if let [only] = components[..]
                            && type_of(&only) == Type::F32x2
                        {
                            let bits = values[only.0 as usize][thread];
                            to[range.clone()].copy_from_slice(&[bits & 0xffff_ffff, bits >> 32]);
                        } else {
                            for (id, word) in components.iter().zip(&mut to[range.clone()]) {
                                *word = values[id.0 as usize][thread];
                            }
                        }
                    }
                    if is_local {
                        tiles[rank].touch(range, access(thread, true))?;
                    } else if let Some(in_place) = in_place {
                        in_place.touch(range, group, access(thread, true))?;
                    }
                }
            }
            // By all work-groups at once, or no statement of a thread.
            Stmt::Barrier
            | Stmt::Meet(_)
            | Stmt::Rows { .. }
            | Stmt::EndRows { .. }
            | Stmt::Repeat { .. }
            | Stmt::EndRepeat { .. } => {}
        }
        Ok(())
    }
}

/// Whether a place of the target is written.
fn is_stored(kernel: &Kernel, place: Id) -> bool {
    kernel.body.iter().any(|stmt| matches!(stmt, Stmt::Store { memory: Memory::Target, index, .. } if *index == place))
}
