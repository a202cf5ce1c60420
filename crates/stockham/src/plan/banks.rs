//! Local memory without bank conflicts: the padding of an exchange is chosen by counting what every lane touches.
//!
//! The model is that of NVIDIA's multiprocessors, and a sound choice elsewhere: 32 banks of 4 bytes; lanes that touch
//! different words of one bank take turns; elements of 8 bytes are served to half a warp at a time, of 16 to a quarter.

use super::recipe::{Lanes, Padding, Pass};

const BANKS: usize = 32;
const WARP: usize = 32;
/// Warps looked at while choosing; all of them are looked at when checking.
const SAMPLED_WARPS: usize = 4;

/// What one side of an exchange touches: for each register, the row that each thread of a column addresses.
struct Side {
    lanes: Lanes,
    /// Row by register and thread of the column.
    rows: Vec<Vec<usize>>,
}

/// The writes after stage `s` and the reads before stage `s + 1`.
fn sides(pass: &Pass, s: usize) -> [Side; 2] {
    let threads = pass.threads_per_column();
    let (r, p) = pass.stage(s);
    let butterflies = pass.tile.per_thread / r;
    let written = |v: usize, thread: usize| {
        let (u, j) = (v % butterflies, v / butterflies);
        let b = thread + threads * u;
        b / p * p * r + b % p + j * p
    };
    let rows = |row: &dyn Fn(usize, usize) -> usize| -> Vec<Vec<usize>> {
        (0..pass.tile.per_thread).map(|v| (0..threads).map(|t| row(v, t)).collect()).collect()
    };
    [
        Side { lanes: pass.lanes(s), rows: rows(&written) },
        Side { lanes: pass.lanes(s + 1), rows: rows(&|v, t| t + threads * v) },
    ]
}

/// Turns that the lanes take beyond the first, summed over all accesses of the sampled warps.
fn extra_turns(pass: &Pass, side: &Side, padding: &Padding, place_bytes: usize, warps: usize) -> usize {
    let (threads, columns) = (pass.threads_per_column(), pass.tile.columns);
    let lanes_at_once = (WARP * 4 / place_bytes).clamp(1, WARP);
    let mut extra = 0;
    for rows in &side.rows {
        let place = |lane: usize| match side.lanes {
            Lanes::Rows => padding.place(rows[lane % threads], lane / threads),
            Lanes::Columns => padding.place(rows[lane / columns], lane % columns),
        };
        for first in (0..pass.group().min(warps * WARP)).step_by(lanes_at_once) {
            let mut words = [[usize::MAX; 16]; BANKS];
            let mut turns = 1;
            for lane in first..(first + lanes_at_once).min(pass.group()) {
                for word in (place(lane) * place_bytes / 4)..(place(lane) + 1) * place_bytes / 4 {
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

/// Bank conflicts of the exchange after stage `s`, over all warps: 0 means that every access takes one turn.
pub fn conflicts(pass: &Pass, s: usize, place_bytes: usize) -> usize {
    let warps = pass.group().div_ceil(WARP);
    let padding = &pass.tile.exchanges[s];
    sides(pass, s).iter().map(|side| extra_turns(pass, side, padding, place_bytes, warps)).sum()
}

/// The padding with the fewest conflicts for the exchange after stage `s`, the smallest among equals.
pub(super) fn choose(pass: &Pass, s: usize, place_bytes: usize) -> Padding {
    let sides = sides(pass, s);
    let turns = |padding: &Padding| -> usize {
        sides.iter().map(|side| extra_turns(pass, side, padding, place_bytes, SAMPLED_WARPS)).sum()
    };
    let len = |p: &Padding| p.place(pass.radix - 1, pass.tile.columns - 1) + 1;
    let mut best: Option<(usize, usize, Padding)> = None;
    for padding in candidates(pass) {
        let key = (turns(&padding), len(&padding));
        if best.as_ref().is_none_or(|(t, l, _)| key < (*t, *l)) {
            best = Some((key.0, key.1, padding));
        }
        if key.0 == 0 && padding.skip == 0 {
            break;
        }
    }
    best.expect("there are candidates").2
}

fn candidates(pass: &Pass) -> Vec<Padding> {
    let (rows, columns) = (pass.radix, pass.tile.columns);
    let skips = [
        (0, 0),
        (5, 1),
        (4, 1),
        (3, 1),
        (2, 1),
        (4, 2),
        (3, 2),
        (5, 2),
        (6, 1),
        (6, 2),
        (4, 4),
        (5, 4),
        (4, 8),
        (5, 8),
        (6, 8),
        (7, 8),
    ];
    let mut all = Vec::new();
    for (shift, skip) in skips {
        if columns > 1 {
            all.push(Padding { row: columns, column: 1, shift, skip });
            all.push(Padding { row: columns + 1, column: 1, shift, skip });
        }
        let height = Padding { row: 1, column: 0, shift, skip }.place(rows - 1, 0) + 1;
        let extra: &[usize] = if columns > 1 { &[0, 1, 2, 4, 8] } else { &[0] };
        all.extend(extra.iter().map(|e| Padding { row: 1, column: height + e, shift, skip }));
    }
    all
}
