//! Local memory without bank conflicts: the padding of an exchange is chosen by counting what every lane touches.
//!
//! The model is that of NVIDIA's multiprocessors, and a sound choice elsewhere: 32 banks of 4 bytes; lanes that touch
//! different words of one bank take turns; elements of 8 bytes are served to half a warp at a time, of 16 to a quarter.

use std::cell::{LazyCell, RefCell};
use std::collections::VecDeque;

use crate::algebra::Scale;

use super::cost::SECTOR_BYTES;
use super::recipe::{Padding, Pass, StageRoots, Tile};
use super::team::WARP;

const BANKS: usize = 32;
/// Warps looked at first.
const SAMPLED_WARPS: usize = 2;

/// The row, within its slice, and the column of every access of one side of an exchange, by register and thread.
type Side = Vec<Vec<(usize, usize)>>;

/// The writes and the reads of an exchange, by the first threads.
fn sides(pass: &Pass, exchange: usize, threads: usize) -> [Side; 2] {
    let (from, to) = pass.exchanges()[exchange];
    let height = pass.tile_rows() / pass.tile.rounds.slices;
    let side = |holding| -> Side {
        let within = |(row, column): (usize, usize)| (row % height, column);
        let row = |v| pass.held_by_all(holding, v, threads).into_iter().map(within).collect();
        (0..pass.rows(holding)).map(row).collect()
    };
    [side(from), side(to)]
}

/// Turns that are told apart.
const MOST_TURNS: usize = 16;

/// Turns that the lanes take beyond the first, summed over the accesses of both sides. More than so many are not counted to the end.
fn extra_turns(sides: &[Side; 2], padding: &Padding, place_bytes: usize, most: usize) -> usize {
    let lanes_at_once = (WARP * 4 / place_bytes).clamp(1, WARP);
    // Places of 2, 4 … words lie in as many banks each, and so are counted as words of fewer banks are.
    let (words_of_place, banks) = match place_bytes / 4 {
        whole if BANKS.is_multiple_of(whole) => (1, BANKS / whole),
        words => (words, BANKS),
    };
    // One place alone may have more words than a warp has lanes.
    let (mut words, mut extra) = (Vec::with_capacity(WARP), 0);
    for lanes in sides.iter().flatten().flat_map(|access| access.chunks(lanes_at_once)) {
        let mut taken = 0u32;
        words.clear();
        for &(row, column) in lanes {
            let first = padding.place(row, column) * words_of_place;
            for word in first..first + words_of_place {
                words.push(word);
                taken |= 1 << (word & (banks - 1));
            }
        }
        // Most accesses have a bank for each word.
        if taken.count_ones() as usize == words.len() {
            continue;
        }
        extra += turns(&mut words, banks).saturating_sub(1);
        if extra > most {
            break;
        }
    }
    extra
}

/// Turns that words of so many banks, a power of two, take: in each a bank has one, which all who want it get.
fn turns(mut words: &mut [usize], banks: usize) -> usize {
    let mut turns = 0;
    while !words.is_empty() && turns < MOST_TURNS {
        let (mut taken, mut word_of, mut left) = (0u32, [0; BANKS], 0);
        for i in 0..words.len() {
            let (word, bank) = (words[i], words[i] & (banks - 1));
            if taken >> bank & 1 == 0 {
                taken |= 1 << bank;
                word_of[bank] = word;
            }
            if word_of[bank] != word {
                words[left] = word;
                left += 1;
            }
        }
        words = &mut words[..left];
        turns += 1;
    }
    turns
}

/// Bank conflicts of an exchange, over all warps: 0 means that every access takes one turn.
pub fn conflicts(pass: &Pass, exchange: usize, place_bytes: usize) -> usize {
    let padding = &pass.tile.exchanges[exchange];
    extra_turns(&sides(pass, exchange, pass.group()), padding, place_bytes, usize::MAX)
}

/// The padding with the fewest conflicts for an exchange, the smallest among equals.
pub(super) fn choose(pass: &Pass, exchange: usize, place_bytes: usize) -> Padding {
    let meeting = (vec![without_what_moves_nothing(pass)], exchange, place_bytes);
    found_or(meeting, || count(pass, exchange, place_bytes))
}

/// Who exchanges, the stages of a pass or two passes of a cluster, the number of the exchange, and the bytes of a place.
type Meeting = (Vec<Pass>, usize, usize);

thread_local! {
    /// The paddings chosen last: the planner lays the same passes out again and again, with others beside them or elsewhere.
    static FOUND: RefCell<VecDeque<(Meeting, Padding)>> = const { RefCell::new(VecDeque::new()) };
}

/// Paddings that are kept.
const MOST_FOUND: usize = 64;

/// The padding that was chosen for the same, or the one that is chosen now.
fn found_or(meeting: Meeting, choose: impl FnOnce() -> Padding) -> Padding {
    if let Some(padding) = FOUND.with_borrow(|found| found.iter().find(|(of, _)| *of == meeting).map(|found| found.1)) {
        return padding;
    }
    let padding = choose();
    FOUND.with_borrow_mut(|found| {
        found.truncate(MOST_FOUND - 1);
        found.push_front((meeting, padding));
    });
    padding
}

/// A pass whose rows are held where this one's are, and which is the same where no more is asked than that.
fn without_what_moves_nothing(pass: &Pass) -> Pass {
    let (scale, twiddle) = (Scale::One, None);
    let tile = Tile { exchanges: Vec::new(), registers: 0, roots: StageRoots::Lookups, ..pass.tile.clone() };
    Pass { scale, twiddle, tile, ..pass.clone() }
}

fn count(pass: &Pass, exchange: usize, place_bytes: usize) -> Padding {
    let few = sides(pass, exchange, pass.group().min(SAMPLED_WARPS * WARP));
    let all = LazyCell::new(|| sides(pass, exchange, pass.group()));
    let count = |sides: &[Side; 2], p: &Padding, most| extra_turns(sides, p, place_bytes, most);
    best_padding(pass, |p, most| count(&few, p, most), |p, most| count(&all, p, most))
}

/// An exchange between two passes through a cluster. What goes from one local memory to another goes by sectors, as to memory.
struct Exchange {
    /// The work-group that each push is for, by register and thread.
    blocks: Vec<Vec<usize>>,
    /// What the first pass pushes, as if all went to one group's local memory, and what the second reads.
    sides: [Side; 2],
}

impl Exchange {
    /// What the first threads of a group do.
    fn of(first: &Pass, second: &Pass, threads: usize) -> Self {
        let from = first.ends().1;
        let pushed = |(row, column)| {
            let (shared, other) = first.parts_of_column(&column);
            let (block, column) = second.column_of_row(row, other);
            (block, (shared, column))
        };
        let read = |v| second.held_by_all(second.input_of(0), v, threads);
        let pushes =
            (0..first.tile.per_thread).map(|v| first.held_by_all(from, v, threads).into_iter().map(pushed).unzip());
        let (blocks, places) = pushes.unzip();
        Self { blocks, sides: [places, (0..second.tile.per_thread).map(read).collect()] }
    }

    /// Bank conflicts, and sectors that are sent beyond as many as their elements fill. More than so many are not counted to the end.
    fn cost(&self, padding: &Padding, place_bytes: usize, most: usize) -> usize {
        let turns = extra_turns(&self.sides, padding, place_bytes, most);
        if turns > most { turns } else { turns + self.extra_sectors(padding, place_bytes) }
    }

    fn extra_sectors(&self, padding: &Padding, place_bytes: usize) -> usize {
        let of_warp = |(blocks, places): (&[usize], &[(usize, usize)])| {
            let of_lane = |(&block, &(row, column)): (&usize, &(usize, usize))| {
                let start = padding.place(row, column) * place_bytes;
                (start / SECTOR_BYTES..(start + place_bytes).div_ceil(SECTOR_BYTES)).map(move |sector| (block, sector))
            };
            let mut sectors: Vec<_> = blocks.iter().zip(places).flat_map(of_lane).collect();
            sectors.sort_unstable();
            sectors.dedup();
            sectors.len().saturating_sub((places.len() * place_bytes).div_ceil(SECTOR_BYTES))
        };
        let warps = |(blocks, places): (&Vec<usize>, &Vec<(usize, usize)>)| -> usize {
            blocks.chunks(WARP).zip(places.chunks(WARP)).map(of_warp).sum()
        };
        self.blocks.iter().zip(&self.sides[0]).map(warps).sum()
    }
}

/// Bank conflicts of an exchange through a cluster and sectors that it sends in vain, over all warps of a work-group.
pub fn cluster_conflicts(first: &Pass, second: &Pass, place_bytes: usize) -> usize {
    let exchange = Exchange::of(first, second, first.group());
    second.hopper.cluster.map_or(0, |cluster| exchange.cost(&cluster.padding, place_bytes, usize::MAX))
}

/// The padding of an exchange through a cluster. What is pushed should fill whole sectors, too, which
/// the network between local memories moves.
pub(super) fn choose_for_cluster(first: &Pass, second: &Pass, place_bytes: usize) -> Padding {
    let meeting = ([first, second].map(without_padding).to_vec(), 0, place_bytes);
    found_or(meeting, || count_for_cluster(first, second, place_bytes))
}

/// The same where no more is asked than who exchanges in a cluster.
fn without_padding(pass: &Pass) -> Pass {
    let mut pass = without_what_moves_nothing(pass);
    pass.hopper.cluster = None;
    pass
}

fn count_for_cluster(first: &Pass, second: &Pass, place_bytes: usize) -> Padding {
    let few = Exchange::of(first, second, first.group().min(SAMPLED_WARPS * WARP));
    let all = LazyCell::new(|| Exchange::of(first, second, first.group()));
    best_padding(second, |p, most| few.cost(p, place_bytes, most), |p, most| all.cost(p, place_bytes, most))
}

/// The padding that costs least, the smallest among equals, by what a few warps touch and what all do, of which no more is
/// counted than the least cost before.
fn best_padding(
    pass: &Pass,
    few: impl Fn(&Padding, usize) -> usize,
    all: impl Fn(&Padding, usize) -> usize,
) -> Padding {
    let height = pass.tile_rows() / pass.tile.rounds.slices;
    let len = |p: &Padding| p.len(height, pass.tile.columns);
    let mut best: Option<((usize, usize), Padding)> = None;
    for padding in candidates(pass) {
        // Nothing costs less than nothing.
        if best.as_ref().is_some_and(|((least, of_least), _)| *least == 0 && len(&padding) >= *of_least) {
            continue;
        }
        let most = best.as_ref().map_or(usize::MAX, |((least, _), _)| *least);
        // A few warps rule most candidates out.
        let cost = match few(&padding, most) {
            0 => all(&padding, most),
            cost => cost,
        };
        let key = (cost, len(&padding));
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
    let (rows, columns) = (pass.tile_rows() / pass.tile.rounds.slices, pass.tile.columns);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_any_size_are_counted() {
        let side: Side = vec![vec![(0, 0), (1, 0)]];
        let padding = Padding { row: 1, column: 0, shift: 0, skip: 0 };
        let count = |bytes| extra_turns(&[side.clone(), side.clone()], &padding, bytes, usize::MAX);
        // Two lanes at once have a bank each, or a lane alone has all banks, once or twice.
        assert_eq!([4, 8, 24, 128, 256].map(count), [0, 0, 0, 0, 4]);
    }
}
