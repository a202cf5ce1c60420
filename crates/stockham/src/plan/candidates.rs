//! What there is to try when a transform is tuned: the planner's choice, and its neighbours.

use crate::device_info::DeviceInfo;
use crate::transform::Transform;

use super::choice::{Choice, Launches};
use super::choose::choose;
use super::cost::Limits;
use super::hopper;
use super::planner;

/// Rows a thread, beside those that the planner takes.
const ROWS: [usize; 4] = [4, 8, 16, 32];

/// Bytes of its rows that a thread holds at most where passes go through memory: half of 128 registers.
const THREAD_BYTES: usize = 256;

/// Widths of tiles, as powers of two beside the planner's: half, the same, double.
const WIDTHS: [i32; 3] = [0, -1, 1];

/// Passes at most.
const MOST_PASSES: usize = 4;

/// Tiles of lines that no powers of two are, by the model's order.
const TILES: usize = 40;

/// The logarithm of a pass's radix at least: shorter ones have less to do than to move.
const LEAST_BITS: u32 = 5;

/// Choices worth measuring for a transform on a device: the planner's first, then others without duplicates, some dozens
/// at most, every one of which can be realised. None if the planner refuses the transform, or on the host.
pub fn candidates(transform: &Transform, device: &DeviceInfo) -> Vec<Choice> {
    let Ok(own) = choose(transform, device) else { return Vec::new() };
    let limits = Limits::for_transform(device, transform);
    let mut found = Found { transform, device, limits, choices: vec![own] };
    let n = transform.points();
    if let Some(cut) = planner::cut(n, false, &found.limits) {
        let most = THREAD_BYTES / found.limits.element_bytes;
        for rows in [None].into_iter().chain(ROWS.into_iter().filter(|&rows| rows <= most).map(Some)) {
            found.try_widths(&cut, rows);
        }
        let others = if n.is_power_of_two() { other_cuts(n.ilog2(), cut.len()) } else { Vec::new() };
        for other in others {
            found.try_widths(&other, None);
            // Most rows a thread make the fewest exchanges.
            found.try_widths(&other, ROWS.into_iter().rev().find(|&rows| rows <= most));
        }
    }
    if !n.is_power_of_two() {
        for pass in planner::tiles_of_line(transform, TILES, &found.limits) {
            found.push(Choice { passes: vec![pass], launches: Launches::Apart });
        }
        // What passes through memory make without a chirp does not need one.
        if found.choices.iter().any(Choice::has_chirp) {
            let others = hopper::chirp_candidates(transform, device, &found.limits);
            others.into_iter().for_each(|choice| found.push(choice));
        }
        return found.choices;
    }
    let others = hopper::candidates(transform, device, &found.limits);
    others.into_iter().for_each(|choice| found.push(choice));
    found.choices
}

/// Cuts into as many passes as the planner takes, one more, or one less: even ones, and those with the first pass twice
/// as long or half as long, at the last one's cost.
fn other_cuts(bits: u32, passes: usize) -> Vec<Vec<usize>> {
    let mut cuts = Vec::new();
    for count in [passes, passes + 1, passes - 1].into_iter().filter(|count| (1..=MOST_PASSES).contains(count)) {
        let parts = count as u32;
        let even: Vec<u32> = (0..parts).map(|a| bits / parts + u32::from(a < bits % parts)).collect();
        let shifts: &[i32] = if count == 1 { &[0] } else { &[0, 1, -1] };
        for shift in shifts {
            let mut cut = even.clone();
            cut[0] = cut[0].saturating_add_signed(*shift);
            cut[count - 1] = cut[count - 1].saturating_add_signed(-shift);
            if count == 1 || cut.iter().all(|&bits| bits >= LEAST_BITS) {
                cuts.push(cut.iter().map(|&bits| 1 << bits).collect());
            }
        }
    }
    cuts
}

/// Widths pass by pass: alike in all, and where there are two, other in one of them.
fn widths(passes: usize) -> Vec<Vec<i32>> {
    let mut widths: Vec<Vec<i32>> = WIDTHS.iter().map(|&width| vec![width; passes]).collect();
    if passes == 2 {
        widths.extend([-1, 1].into_iter().flat_map(|width| [vec![width, 0], vec![0, width]]));
    }
    widths
}

struct Found<'a> {
    transform: &'a Transform,
    device: &'a DeviceInfo,
    limits: Limits,
    choices: Vec<Choice>,
}

impl Found<'_> {
    /// A cut with so many rows a thread, in tiles of several widths.
    fn try_widths(&mut self, cut: &[usize], rows: Option<usize>) {
        let room = self.limits.tile_elements();
        if cut.iter().any(|&radix| radix > room) {
            return;
        }
        let passes = planner::passes(self.transform, cut, rows, &self.limits);
        for widths in widths(passes.len()) {
            let mut choice = Choice { passes: passes.clone(), launches: Launches::Apart };
            for ((pass, radix), width) in choice.passes.iter_mut().zip(cut).zip(widths) {
                let columns = self.transform.batch_count().saturating_mul(self.transform.points() / radix);
                let wanted = if width < 0 { pass.columns >> 1 } else { pass.columns << width };
                // More columns than there are would have nothing to do, and larger tiles no room in registers.
                let in_registers = *radix == pass.per_thread;
                let fits = if in_registers { usize::MAX } else { room / radix };
                pass.columns = wanted.min(columns.next_power_of_two()).min(fits).max(1);
            }
            self.push(choice);
        }
    }

    fn push(&mut self, choice: Choice) {
        if !self.choices.contains(&choice) && choice.realise(self.transform, self.device).is_ok() {
            self.choices.push(choice);
        }
    }
}
