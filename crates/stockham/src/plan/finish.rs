//! From a pass's shape and what was chosen for it to the pass: its threads, its registers and its local memory.

use crate::algebra::Scale;

use super::banks;
use super::choice::{Loading, PassChoice};
use super::cost::{self, Limits};
use super::hopper::Hopper;
use super::images::mirrored_rows;
use super::pass_shape::Shape;
use super::rader::Rader;
use super::rader_groups;
use super::recipe::{Arithmetic, Lanes, Padding, Pass, Place, Rounds, StageRoots, Tile};

/// Registers that a convolution takes beside others: butterflies of some threads only, and points 0 of several.
const REGISTERS_BESIDE: usize = 40;

/// The pass of a shape that follows from what was chosen.
pub(super) fn finish(shape: Shape, choice: &PassChoice, place: (Place, Place), scale: Scale, limits: &Limits) -> Pass {
    let PassChoice { columns, per_thread, stages, .. } = choice.clone();
    let (load, store) = shape.lanes();
    // The order of the threads changes at an exchange, or not at all.
    let store = if stages.len() < 2 { load } else { store };
    let (load, store) = match choice.loading {
        // The rows of an array's last stage are far enough apart.
        Loading::Flat if !shape.array.is_empty() && store_fills_sectors(&stages, limits) => (Lanes::Flat, Lanes::Rows),
        Loading::Flat => (Lanes::Flat, Lanes::Flat),
        _ => (load, store),
    };
    let groups = shape.columns.iter().map(|column| column.n).product::<usize>().div_ceil(columns);
    let radix = stages.iter().product();
    let mirrored = match stages[..] {
        [_, .., last] if shape.filter && shape.ends.is_some() => mirrored_rows(radix, per_thread, last),
        _ => 0,
    };
    let rows = choice.most_rows().max(mirrored);
    let group = columns * usize::div_ceil(radix, per_thread);
    let registers = match shape.is_line(limits) {
        _ if groups <= limits.compute_units => cost::registers_alone(rows, group, limits),
        true => cost::registers_of_lines(rows, group, limits),
        false => cost::registers(rows, limits),
    };
    let mut pass = Pass {
        source: place.0,
        target: place.1,
        planes: None,
        radix,
        chirp: choice.chirp,
        middle: shape.middle,
        filter: shape.filter,
        rader: choice.convolved().filter(|_| choice.rader).and_then(|points| Rader::of(points + 1)),
        beside: choice.beside,
        array: shape.array,
        ends: shape.ends,
        row_strides: shape.row_strides,
        columns: shape.columns,
        twiddle: shape.twiddle,
        scale,
        tile: Tile {
            columns,
            per_thread,
            stages,
            load,
            store,
            exchanges: Vec::new(),
            registers,
            rounds: Rounds::ONE,
            staged: [false; 2],
            sectors: false,
            arithmetic: Arithmetic::Scalar,
            roots: StageRoots::Lookups,
            team: limits.team,
        },
        hopper: Hopper { ahead: matches!(choice.loading, Loading::Ahead | Loading::Early), ..Hopper::default() },
    };
    if pass.convolves() {
        let beside = if pass.beside == [0; 2] { 0 } else { REGISTERS_BESIDE };
        let registers = (cost::registers_to_convolve(rows, limits) + beside).min(cost::MOST_REGISTERS);
        pass.tile.registers = pass.tile.registers.max(registers);
    }
    if choice.rader && groups > limits.compute_units {
        let registers = rader_groups::registers(&pass, rows, limits);
        pass.tile.registers = registers.map_or(pass.tile.registers, |most| pass.tile.registers.min(most));
    }
    if let Some(registers) = choice.side_by_side.and_then(|count| cost::registers_beside(count, rows, group, limits)) {
        pass.tile.registers = registers;
    }
    pass.tile.roots = cost::stage_roots(&pass, limits);
    if choice.products && pass.tile.stages.len() > 1 {
        pass.tile.roots = StageRoots::Products;
    }
    lay_out(&mut pass, limits);
    pass
}

/// Whether neighbouring threads write whole sectors after the last stage.
fn store_fills_sectors(stages: &[usize], limits: &Limits) -> bool {
    let [before @ .., _] = stages else { return false };
    !before.is_empty() && before.iter().product::<usize>() * limits.element_bytes >= 2 * cost::SECTOR_BYTES
}

/// Chooses the exchanges' paddings, and as many rounds as it takes to fit local memory.
pub(super) fn lay_out(pass: &mut Pass, limits: &Limits) {
    pass.hopper.swaps = limits.swaps && pass.can_swap();
    // A slice must hold whole outputs of every stage, the last of which are the largest.
    let sliceable = !pass.convolves()
        && !pass.is_mirrored()
        && pass.is_even()
        && pass.tile.load != Lanes::Flat
        && pass.tile.store != Lanes::Flat;
    let room = limits.tile_bytes.saturating_sub(pass.ahead_bytes(limits.element_bytes));
    let last = pass.tile.stages.last().copied().filter(|_| sliceable).unwrap_or(1);
    let per_thread = pass.tile.per_thread;
    let is_whole = |slices: usize| slices == 1 || last.is_multiple_of(slices) && per_thread.is_multiple_of(slices);
    for rounds in limits.rounds().filter(|rounds| is_whole(rounds.slices)) {
        if lay_out_in(pass, rounds, limits) <= room {
            return;
        }
    }
}

/// Chooses the paddings of exchanges in such rounds; gives the bytes that they take.
pub(super) fn lay_out_in(pass: &mut Pass, rounds: Rounds, limits: &Limits) -> usize {
    pass.tile.rounds = rounds;
    let place_bytes = limits.element_bytes / if rounds.planes.is_some() { limits.components } else { 1 };
    let exchanges = pass.exchanges();
    let mut chosen: Vec<Padding> = Vec::with_capacity(exchanges.len());
    for (e, (from, to)) in exchanges.iter().enumerate() {
        // What goes back as it came meets in the same banks.
        let there = exchanges[..e].iter().position(|(a, b)| (a, b) == (to, from));
        chosen.push(there.map_or_else(|| banks::choose(pass, e, place_bytes), |there| chosen[there]));
    }
    pass.tile.exchanges = chosen;
    pass.planes_len() * place_bytes
}
