//! Local memory without bank conflicts: the padding of an exchange is chosen by counting what every lane touches.
//!
//! The model is that of NVIDIA's multiprocessors, and a sound choice elsewhere: 32 banks of 4 bytes; lanes that touch
//! different words of one bank take turns; elements of 8 bytes are served to half a warp at a time, of 16 to a quarter.

use super::recipe::{Padding, Pass};
use super::team::WARP;

const BANKS: usize = 32;
/// Warps looked at first.
const SAMPLED_WARPS: usize = 2;

/// The row, within its slice, and the column of every access of one side of an exchange, by register and thread.
type Side = Vec<Vec<(usize, usize)>>;

/// The writes and the reads of an exchange, by the first threads.
fn sides(pass: &Pass, exchange: usize, threads: usize) -> [Side; 2] {
    let (from, to) = pass.exchanges()[exchange];
    let height = pass.radix / pass.tile.rounds.slices;
    let side = |holding| -> Side {
        let place = |v, t| {
            let (row, column) = pass.held(holding, v, t);
            (row % height, column)
        };
        let row = |v| (0..threads).map(|t| place(v, t)).collect();
        (0..pass.tile.per_thread).map(row).collect()
    };
    [side(from), side(to)]
}

/// Turns that the lanes take beyond the first, summed over all accesses.
fn extra_turns(side: &Side, padding: &Padding, place_bytes: usize) -> usize {
    let lanes_at_once = (WARP * 4 / place_bytes).clamp(1, WARP);
    let mut extra = 0;
    for access in side {
        for lanes in access.chunks(lanes_at_once) {
            let mut words = [[usize::MAX; 16]; BANKS];
            let mut turns = 1;
            for &(row, column) in lanes {
                let place = padding.place(row, column);
                for word in (place * place_bytes / 4)..(place + 1) * place_bytes / 4 {
                    let seen = &mut words[word % BANKS];
                    let at = seen.iter().position(|&w| w == word || w == usize::MAX).unwrap_or(15);
                    seen[at] = word;
                    turns = turns.max(at + 1);
                }
            }
            extra += turns - 1;
        }
    }
    extra
}

/// Bank conflicts of an exchange, over all warps: 0 means that every access takes one turn.
pub fn conflicts(pass: &Pass, exchange: usize, place_bytes: usize) -> usize {
    let padding = &pass.tile.exchanges[exchange];
    sides(pass, exchange, pass.group()).iter().map(|side| extra_turns(side, padding, place_bytes)).sum()
}

/// The padding with the fewest conflicts for an exchange, the smallest among equals.
pub(super) fn choose(pass: &Pass, exchange: usize, place_bytes: usize) -> Padding {
    let sampled = sides(pass, exchange, pass.group().min(SAMPLED_WARPS * WARP));
    best_padding(pass, &sampled, &sides(pass, exchange, pass.group()), place_bytes)
}

/// What the threads of a group touch in an exchange between two passes through a cluster: what the first pass writes, as if
/// all went to one group's local memory, and what the second reads.
fn cluster_sides(first: &Pass, second: &Pass, threads: usize) -> [Side; 2] {
    let from = first.output_of(first.tile.stages.len().saturating_sub(1));
    let written = |v| {
        let place = |t| {
            let (row, column) = first.held(from, v, t);
            let (shared, other) = first.parts_of_column(column);
            let of_second = second.tile.share.map_or(second.tile.columns, |share| share.values);
            (shared, second.column_of_parts(row % of_second, other))
        };
        (0..threads).map(place).collect()
    };
    let read = |v| (0..threads).map(|t| second.held(second.input_of(0), v, t)).collect();
    [(0..first.tile.per_thread).map(written).collect(), (0..second.tile.per_thread).map(read).collect()]
}

/// Bank conflicts of an exchange through a cluster, over all warps of a work-group.
pub fn cluster_conflicts(first: &Pass, second: &Pass, place_bytes: usize) -> usize {
    let Some(cluster) = &second.cluster else { return 0 };
    let sides = cluster_sides(first, second, first.group());
    sides.iter().map(|side| extra_turns(side, &cluster.padding, place_bytes)).sum()
}

/// The padding of an exchange through a cluster.
pub(super) fn choose_for_cluster(first: &Pass, second: &Pass, place_bytes: usize) -> Padding {
    let sampled = cluster_sides(first, second, first.group().min(SAMPLED_WARPS * WARP));
    best_padding(second, &sampled, &cluster_sides(first, second, first.group()), place_bytes)
}

fn best_padding(pass: &Pass, sampled: &[Side], all: &[Side], place_bytes: usize) -> Padding {
    let count = |sides: &[Side], p: &Padding| sides.iter().map(|side| extra_turns(side, p, place_bytes)).sum::<usize>();
    let height = pass.radix / pass.tile.rounds.slices;
    let len = |p: &Padding| p.place(height - 1, pass.tile.columns - 1) + 1;
    let mut best: Option<((usize, usize), Padding)> = None;
    for padding in candidates(pass) {
        // A few warps rule most candidates out.
        let few = count(sampled, &padding);
        let key = (if few > 0 { few } else { count(all, &padding) }, len(&padding));
        if best.as_ref().is_none_or(|(least, _)| key < *least) {
            best = Some((key, padding));
        }
        if key.0 == 0 && padding.skip == 0 {
            break;
        }
    }
    best.expect("there are candidates").1
}

fn candidates(pass: &Pass) -> Vec<Padding> {
    let (rows, columns) = (pass.radix / pass.tile.rounds.slices, pass.tile.columns);
    let mut layouts = vec![(1, rows)];
    if columns > 1 {
        layouts.extend([
            (columns, 1),
            (1, rows + 1),
            (columns + 1, 1),
            (1, rows + 2),
            (1, rows + 4),
            (1, rows + 8),
            (1, rows + 16),
            (1, rows + 32),
        ]);
    }
    let skips = [
        (0, 0),
        (4, 1),
        (5, 1),
        (3, 1),
        (2, 1),
        (6, 1),
        (4, 2),
        (5, 2),
        (3, 2),
        (6, 2),
        (4, 4),
        (5, 4),
        (6, 4),
        (7, 8),
    ];
    let paddings = skips
        .into_iter()
        .flat_map(|(shift, skip)| layouts.iter().map(move |&(row, column)| Padding { row, column, shift, skip }));
    paddings.collect()
}
