//! Lengths that are no powers of two: into which stages passes are cut. A pass with a prime factor that has no codelet is made by a
//! [chirp](super::chirp).
//!
//! A stage of radix r has R/r butterflies, and a thread takes one after the other, as many of them as of threads.

use crate::codelet::{MOST_PRIME, RADICES};
use crate::transform::largest_factor;

use super::cost::{self, Limits, MOVED_BYTES, SECTOR_BYTES};
use super::images::{mirrored_rows, spare_slots};
use super::instructions::{
    BARRIER, BY_POWERS, COLLIDING, EXCHANGE, HIDDEN, TWIDDLE, collide, cost_of, idle_instructions, least_cost,
};
use super::pass::{is_even, most_rows};
use super::rader::Rader;
use super::shortage::{Purpose, spilling, want};
use super::{chirp, composite, hopper};

/// Stages of a pass at most.
const MOST_STAGES: usize = 4;

/// Bytes of its rows that a thread holds at most: half of 128 registers, or what a single butterfly takes.
const THREAD_BYTES: usize = 256;

/// Rows that a thread holds at most where it has butterflies with their images, in times of those that it should.
const MOST_MIRRORED: usize = 3;

/// Threads of a column beside which there are others, and those of a work-group then.
pub(super) const MOST_THREADS_BESIDE: usize = 32;
const RADER_GROUP: usize = 128;

/// Bytes that the banks of local memory serve at once.
const BANK_BYTES: usize = 128;

/// Rows that a thread of a convolution with a chirp holds at most, in one tile or in several passes, unless there are too few threads.
/// With 20 to 32 of them it took up to twice as long.
const MOST_BY_CHIRP: usize = 18;

/// Threads of a filter's column beyond which each has more rows.
const FEW_THREADS: usize = 256;

/// What an instruction counts beside, where memory hides as many: of two tiles the one with fewer.
const OF_HIDDEN: f64 = 0.01;

/// How many times as long passes take that do not use whole sectors.
const APART: f64 = 2.0;

/// The same of what memory takes of whole lines, where threads together touch all of a sector.
const OF_SECTOR: f64 = 1.1;

/// Points of lines from which on that counts: of elements, of real numbers, and of these if a thread is alone.
const SHORT_LINE: usize = 8;
const SHORT_REALS: usize = 12;
const SHORT_ALONE: usize = 5;

/// Points of lines of real numbers from which on threads should read whole sectors together, as they write them, of twice the bytes.
const LONG_REALS: usize = 40;

/// Points of lines of real numbers whose first stage may be the shortest: of longer ones more rows need factors.
const FEW_REALS: usize = 32;

/// What real numbers cost more, of two tiles alike, where some threads have fewer of the last butterflies, of which a half spectrum
/// leaves out rows.
const UNEVEN: f64 = 1.002;

/// Rows that a thread holds at most, in times of those of its longest butterfly; where this has more points than that, it leaves few
/// registers to more rows.
const OF_LONGEST: [usize; 2] = [3, 2];
const OF_FULL: [usize; 2] = [8, 7];
/// The same of convolutions in the order of powers that have a work-group for a column.
const OF_POWERS: [usize; 2] = [9, 8];
const FULL: usize = 30;

/// Whether codelets make it.
pub(super) fn is_smooth(n: usize) -> bool {
    largest_factor(n) <= MOST_PRIME
}

/// How a work-group takes a DFT, and what that costs, in instructions for a point.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Tile {
    /// Rows a thread, rounded up.
    pub per_thread: usize,
    /// The radices of the stages.
    pub stages: Vec<usize>,
    /// The length, if the stages make a convolution.
    pub chirp: Option<usize>,
    /// Whether the length is prime, and the stages make a convolution of one point less.
    pub rader: bool,
    /// How many of the stages are before those of a convolution, and after them.
    pub beside: [usize; 2],
    /// Work-groups side by side, where that is known.
    pub side_by_side: Option<usize>,
    pub cost: f64,
}

/// The best tile for DFTs of a length, once or in lines; nothing if no work-group holds one.
pub(super) fn tile(n: usize, purpose: Purpose, limits: &Limits) -> Option<Tile> {
    if is_smooth(n) {
        return best_stages(n, purpose, limits);
    }
    let beside = best_rader(n, limits).or_else(|| composite::best(n, limits));
    let is_measured = hopper::chirp_tile(n, limits).is_some();
    let cost = |tile: &Tile| match tile.chirp.filter(|q| is_measured && *q < n) {
        Some(q) => untold(n, q, limits) * tile.cost,
        None => tile.cost,
    };
    let found = beside.into_iter().chain(best_chirp(n, limits));
    found.min_by(|a, b| cost(a).total_cmp(&cost(b)))
}

/// How many times as long as instructions tell a chirp beside other stages takes, against one that was measured; of two `f32` from so many
/// points of the chirp on, of two `f64` more where the measured one is short.
const UNTOLD: f64 = 1.2;
const UNTOLD_FROM: usize = 400;
const UNTOLD_SHORT: f64 = 1.6;
/// Points of DFTs by a chirp that was measured, at most, for which what it takes is known better than what others do.
pub(super) const SHORT_CHIRP: usize = 1536;

fn untold(n: usize, q: usize, limits: &Limits) -> f64 {
    match limits.element_bytes {
        8 if q < UNTOLD_FROM => 1.0,
        8 => UNTOLD,
        _ if n <= SHORT_CHIRP => UNTOLD_SHORT,
        _ => UNTOLD,
    }
}

/// The best tile for the middle pass of a convolution.
pub(super) fn middle_tile(points: usize, limits: &Limits) -> Option<Tile> {
    best_stages(points, Purpose::Middle, limits)
}

/// The best tile for a filter, of points or of pairs of real numbers.
pub(super) fn filter_tile(points: usize, in_pairs: bool, limits: &Limits) -> Option<Tile> {
    best_stages(points, if in_pairs { Purpose::Halves } else { Purpose::Filter }, limits)
}

/// The best tile for lines of pairs of real numbers, with the half spectrum at the first stage or at the last one: of those whose
/// threads have no more rows than that of other lines.
pub(super) fn tile_of_pairs(points: usize, is_first: bool, limits: &Limits) -> Option<Tile> {
    let plain = tile(points, Purpose::Line { flat: false }, limits)?;
    let rows = |tile: &Tile| most_rows(points, tile.per_thread, &tile.stages);
    let purpose = if is_first { Purpose::HalfFirst } else { Purpose::HalfLast };
    let found = best_stages(points, purpose, limits).filter(|found| rows(found) <= rows(&plain));
    Some(found.unwrap_or(plain))
}

/// Columns of a tile of a prime length: neighbours for the banks where few threads have one, as rows come in an order of their own;
/// but where many do, each barrier holds up fewer of them if a column is alone.
pub(super) fn rader_columns(radix: usize, threads: usize, limits: &Limits) -> usize {
    if threads > MOST_THREADS_BESIDE {
        return 1;
    }
    let by_memory = limits.tile_bytes / limits.element_bytes / (radix + 2);
    let room = (RADER_GROUP / threads).min(by_memory).min(limits.max_group / threads).max(1);
    (BANK_BYTES / limits.element_bytes).min(1 << room.ilog2()).max(1)
}

/// Rows that a thread holds at most.
pub(super) fn most_held(limits: &Limits) -> usize {
    THREAD_BYTES / limits.element_bytes
}

/// All lists of stages that make a length, of which a thread does one after the other.
pub(super) fn lists_of(length: usize) -> Vec<Vec<usize>> {
    factorisations_below(length, length)
}

fn best_stages(radix: usize, purpose: Purpose, limits: &Limits) -> Option<Tile> {
    stages_below(f64::INFINITY, radix, purpose, limits)
}

/// The best of those that cost less than something.
fn stages_below(most: f64, radix: usize, purpose: Purpose, limits: &Limits) -> Option<Tile> {
    let search = Search { radix, purpose, limits };
    let mut best: Option<Tile> = None;
    for stages in search.lists() {
        let least = best.as_ref().map_or(most, |best| best.cost);
        if least_cost(&stages) >= least {
            continue;
        }
        let cheaper = search.costs(&stages).filter(|(_, cost)| *cost < least);
        if let Some((per_thread, cost)) = cheaper.min_by(|a, b| a.1.total_cmp(&b.1)) {
            best = Some(Tile { cost, ..Tile::of_stages((per_thread, stages)) });
        }
    }
    best
}

/// The best tiles for DFTs in lines that codelets make, so many, the best first.
pub(super) fn tiles_of_line(radix: usize, is_flat: bool, count: usize, limits: &Limits) -> Vec<Tile> {
    let search = Search { radix, purpose: Purpose::Line { flat: is_flat }, limits };
    let mut tiles = Vec::new();
    for stages in search.lists() {
        let of_rows = |(per_thread, cost)| Tile { cost, ..Tile::of_stages((per_thread, stages.clone())) };
        tiles.extend(search.costs(&stages).map(of_rows));
    }
    tiles.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    tiles.truncate(count);
    tiles
}

/// Bytes of lines from which on the order of their stages counts, and of those that are long.
const MIDDLE_LINE: usize = 1 << 10;
const LONG_LINE: usize = 12 << 10;

/// Longest radices that are better last than first: primes, whose butterflies leave few registers to what is on its way from memory. Of two
/// `f64` compilers spill in either place; 31 is always better last, 29 in middle lines, and in long ones 23 and 25 where threads have
/// fewer rows than the butterfly.
const LAST_OF_F32: [usize; 4] = [19, 23, 29, 31];
const LAST_OF_MIDDLE_F64: [usize; 2] = [29, 31];
const LAST_OF_F64: [usize; 2] = [23, 25];
const LAST_ALWAYS: usize = 31;

/// Stages of `f32` one of which is as short at least where middle lines end with the longest.
const SHORT_STAGE: usize = 16;

impl Tile {
    /// With its stages in the order that is the fastest for lines of so many points. Of 950 lengths on an H100, each in two or three
    /// orders, those of primes from 19 on are 5 to 10 % faster with the shortest stage first, some by a quarter; middle lines are, too.
    pub fn in_order(mut self, radix: usize, limits: &Limits) -> Self {
        let is_plain = self.chirp.is_none() && !self.rader && self.beside == [0; 2] && !limits.is_exact;
        let longest = self.stages.iter().copied().max().unwrap_or(1);
        let has_short = || self.stages.iter().any(|&stage| stage <= SHORT_STAGE);
        let is_better_last = match (radix * limits.element_bytes, limits.element_bytes == 8) {
            (LONG_LINE.., _) if self.stages.len() < 3 => false,
            (LONG_LINE.., true) => LAST_OF_F32.contains(&longest),
            (LONG_LINE.., false) => {
                longest == LAST_ALWAYS || LAST_OF_F64.contains(&longest) && self.per_thread < longest
            }
            (MIDDLE_LINE.., true) => LAST_OF_F32.contains(&longest) && has_short(),
            (MIDDLE_LINE.., false) => LAST_OF_MIDDLE_F64.contains(&longest),
            _ => false,
        };
        if is_plain && is_better_last {
            self.stages.sort_unstable();
        }
        self
    }

    /// Of so many rows a thread and such stages, which make the length.
    pub fn of_stages((per_thread, stages): (usize, Vec<usize>)) -> Self {
        Self { per_thread, stages, ..Self::default() }
    }
}

/// Tiles of stages that are looked for.
struct Search<'a> {
    radix: usize,
    purpose: Purpose,
    limits: &'a Limits,
}

impl Search<'_> {
    /// The lists of stages, each in the order that it has in a tile.
    fn lists(&self) -> Vec<Vec<usize>> {
        let mut lists = lists_of(self.radix);
        match self.purpose {
            // Where few butterflies are more, each has its image.
            Purpose::HalfFirst => lists.iter_mut().for_each(|stages| stages.reverse()),
            Purpose::Reals if self.radix <= FEW_REALS => {
                lists.extend_from_within(..);
                let half = lists.len() / 2;
                lists[half..].iter_mut().for_each(|stages| stages.reverse());
            }
            _ => (),
        }
        lists
    }

    /// Rows that a thread holds at least: at the ends of a convolution there are columns of whole lines of memory, or at least sectors.
    fn least_rows(&self) -> usize {
        let of_columns = |columns: usize| (self.radix * columns).div_ceil(self.limits.max_group);
        let of_bytes = |bytes: usize| of_columns(bytes.div_ceil(self.limits.element_bytes));
        match self.purpose {
            Purpose::End if of_bytes(MOVED_BYTES) <= MOST_BY_CHIRP => of_bytes(MOVED_BYTES),
            Purpose::End => of_bytes(SECTOR_BYTES),
            _ => of_columns(1),
        }
    }

    /// Rows that a thread holds at most.
    fn most_rows(&self, longest: usize) -> usize {
        let (radix, element_bytes) = (self.radix, self.limits.element_bytes);
        if self.purpose.is_of_chirp() {
            return MOST_BY_CHIRP.max(self.least_rows());
        }
        let is_filter = matches!(self.purpose, Purpose::Filter | Purpose::Halves);
        let is_long = radix > FEW_THREADS * (THREAD_BYTES / 2 / element_bytes);
        let of_thread = if is_filter && !is_long { THREAD_BYTES / 2 } else { THREAD_BYTES };
        let more = if longest > FULL { OF_FULL } else { OF_LONGEST };
        let of_longest = match self.purpose {
            purpose if purpose.is_line() => longest * more[0] / more[1],
            Purpose::Powers if radix > MOST_THREADS_BESIDE * longest => longest * OF_POWERS[0] / OF_POWERS[1],
            _ => longest,
        };
        (of_thread / element_bytes).max(of_longest)
    }

    /// The rows that a thread may have for such stages, and what they cost then.
    fn costs(&self, stages: &[usize]) -> impl Iterator<Item = (usize, f64)> {
        let most = stages.iter().max().map_or(0, |&longest| self.most_rows(longest));
        let rows = self.least_rows()..=most.min(self.radix);
        rows.filter_map(move |per_thread| Some((per_thread, self.cost(stages, per_thread, most)?)))
    }

    /// What stages cost by threads of so many rows, which hold at most so many; nothing if they hold more, or are not worth it.
    fn cost(&self, stages: &[usize], per_thread: usize, most: usize) -> Option<f64> {
        let &Self { radix, purpose, limits } = self;
        let (longest, shortest) = (*stages.iter().max()?, *stages.iter().min()?);
        let last = *stages.last()?;
        let is_even = || is_even(radix, per_thread, stages);
        let is_several = stages.len() > 1;
        let mirrored =
            if purpose == Purpose::Halves && is_several { mirrored_rows(radix, per_thread, last) } else { 0 };
        let held = most_rows(radix, per_thread, stages);
        // Products by tables of what free roots leave over go through rows that all threads have.
        if (limits.free_order > 1 && !is_even()) || held > most || mirrored > MOST_MIRRORED * most {
            return None;
        }
        let threads = radix.div_ceil(per_thread);
        let want = want(purpose, held.max(mirrored), threads, limits)?;
        let crowding = (mirrored as f64 / most as f64).max(1.0);
        let colliding = if purpose == Purpose::Chirp && collide(stages) { COLLIDING } else { 1.0 };
        let to_slots = if purpose.is_half() && !(is_several && spare_slots(radix, per_thread, shortest)) {
            EXCHANGE + BARRIER * threads as f64 / radix as f64
        } else {
            0.0
        };
        let idle = idle_instructions(radix, threads, stages, mirrored);
        let instructions = cost_of(radix, threads, stages) + to_slots + idle;
        let instructions = if purpose.is_line() {
            // Few threads would touch a sector of memory each; where all have as much to do, they load the tile as a whole.
            let together = if is_several { threads } else { 1 } * limits.element_bytes;
            let is_flat =
                purpose == (Purpose::Line { flat: true }) && cost::wants_flat(radix, per_thread, limits) && is_even();
            let of_memory = if is_flat { 1.0 } else { of_sectors(radix, together, purpose, limits) };
            let hidden = if matches!(purpose, Purpose::Line { .. }) { limits.hidden } else { HIDDEN };
            let is_uneven = purpose == Purpose::Reals && !(radix / last).is_multiple_of(threads);
            let of_rows = if is_uneven { UNEVEN } else { 1.0 };
            beside_memory(instructions, of_memory * hidden) * of_rows * spilling(radix, threads, longest, limits)
        } else if (2..=SECTOR_BYTES / limits.element_bytes).contains(&threads) && !is_even() {
            APART * instructions
        } else {
            instructions
        };
        Some(instructions * colliding * want * crowding)
    }
}

/// How many times as long memory takes for lines of which threads touch so many bytes together: the shortest lines are few sectors,
/// however they are taken.
fn of_sectors(radix: usize, together: usize, purpose: Purpose, limits: &Limits) -> f64 {
    let (short, whole, bytes) = match purpose {
        Purpose::Reals if together == limits.element_bytes => (SHORT_ALONE, 1.0, SECTOR_BYTES),
        Purpose::Reals if radix >= LONG_REALS => (LONG_REALS, 1.0, 2 * SECTOR_BYTES),
        Purpose::Reals => (SHORT_REALS, 1.0, SECTOR_BYTES),
        _ => (SHORT_LINE, OF_SECTOR, SECTOR_BYTES),
    };
    if together <= bytes && radix >= short { whole * bytes as f64 / together as f64 } else { 1.0 }
}

/// What instructions take beside memory, which takes so many times as long as it does at best: the longer of the two, and a part of the
/// instructions that it does not hide.
fn beside_memory(instructions: f64, hidden: f64) -> f64 {
    instructions.max(hidden) + OF_HIDDEN * instructions
}

/// The least number that both divide.
pub(super) fn least_common_multiple(a: usize, b: usize) -> usize {
    (a..).step_by(a).find(|multiple| multiple.is_multiple_of(b)).unwrap_or(a)
}

/// The stages of a DFT whose threads all have so many rows in each, and the instructions for a point; nothing if there are none.
pub(super) fn even_stages(radix: usize, rows: usize) -> Option<(Vec<usize>, f64)> {
    if !radix.is_multiple_of(rows) {
        return None;
    }
    let lists = factorisations_below(radix, rows);
    let with_cost = |stages: Vec<usize>| (cost_of(radix, radix / rows, &stages), stages);
    let even = lists.into_iter().filter(|stages| is_even(radix, rows, stages)).map(with_cost);
    even.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(cost, stages)| (stages, cost))
}

/// Instructions for a point of a convolution that take as long as a copy of it, of two `f32` and of two `f64`.
const OF_COPY: [f64; 2] = [124.0, 165.0];

/// Lengths of convolutions that are looked at, in multiples of the shortest: three stages of a longer one may take less than four.
const LONGER: f64 = 1.35;

/// The best tile for DFTs by a chirp.
fn best_chirp(n: usize, limits: &Limits) -> Option<Tile> {
    if let Some((copies, tile)) = hopper::chirp_tile(n, limits) {
        return Some(Tile { cost: copies * OF_COPY[limits.element_bytes / 16], ..tile });
    }
    let (least, most) = (2 * n - 1, room(limits));
    let longest = ((least as f64 * LONGER) as usize).min(most);
    let lengths = chirp::lengths(limits.algebra, n, &[7, 5, 3, 2], longest, most).into_iter();
    lengths.fold(None, |best: Option<Tile>, m| {
        // There and back, and three products.
        let longer = m as f64 / n as f64;
        let most = best.as_ref().map_or(f64::INFINITY, |best| (best.cost / longer - 3.0 * TWIDDLE) / 2.0);
        let Some(tile) = stages_below(most, m, Purpose::Chirp, limits) else { return best };
        Some(Tile { chirp: Some(n), cost: (2.0 * tile.cost + 3.0 * TWIDDLE) * longer, ..tile })
    })
}

/// The best tile for DFTs of a prime length by a convolution of one point less.
fn best_rader(n: usize, limits: &Limits) -> Option<Tile> {
    if n > room(limits) || !is_smooth(n - 1) || limits.is_exact {
        return None;
    }
    Rader::of(n)?;
    let tile = best_stages(n - 1, Purpose::Powers, limits)?;
    let cost = 2.0 * tile.cost + BY_POWERS;
    Some(Tile { rader: true, cost, ..tile })
}

/// Numbers in a range that some primes make.
pub(super) fn products_of(primes: &[usize], from: usize, to: usize) -> Vec<usize> {
    let powers =
        |p: usize| std::iter::successors(Some(1usize), move |power| power.checked_mul(p)).take_while(move |q| *q <= to);
    let with_powers = |products: Vec<usize>, p: &usize| {
        let by = |power: usize| products.iter().map(move |product| product.saturating_mul(power));
        powers(*p).flat_map(by).filter(|product| *product <= to).collect()
    };
    let products = primes.iter().fold(vec![1], with_powers);
    products.into_iter().filter(|product| *product >= from).collect()
}

/// All ways to make a number of a few radices of at most so much, the largest first.
fn factorisations_below(n: usize, most: usize) -> Vec<Vec<usize>> {
    let radices: Vec<usize> = RADICES.into_iter().filter(|radix| *radix <= most && n.is_multiple_of(*radix)).collect();
    let mut found = Vec::new();
    factorisations(n, &radices, &mut Vec::new(), &mut found);
    found
}

/// The same of those radices, in ascending order, behind some that were taken.
fn factorisations(n: usize, radices: &[usize], begun: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    if n == 1 {
        found.push(begun.clone());
    }
    let Some(most) = radices.last() else { return };
    // What is left may be more than the stages that are left can make.
    if most.saturating_pow((MOST_STAGES - begun.len()) as u32) < n {
        return;
    }
    for (number, radix) in radices.iter().enumerate().filter(|(_, radix)| n.is_multiple_of(**radix)) {
        begun.push(*radix);
        factorisations(n / radix, &radices[..=number], begun, found);
        begun.pop();
    }
}

/// Points of a pass at most: what registers hold beside temporaries, and local memory in one round, a component at a time.
pub(super) fn room(limits: &Limits) -> usize {
    let places = limits.tile_bytes / (limits.element_bytes / limits.components) / 17 * 16;
    let registers = limits.register_bytes / 8 * 5 / limits.element_bytes;
    let threads = limits.max_group * (THREAD_BYTES / limits.element_bytes).max(1);
    places.min(registers).min(threads).min(limits.most_points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_numbers_are_those_of_codelets() {
        assert!([1, 2, 31, 30 * 31, 7 * 11 * 13, 10_000, 29 * 23 * 19 * 17].into_iter().all(is_smooth));
        assert!([37, 74, 31 * 37, 1009].into_iter().all(|n| !is_smooth(n)));
    }

    #[test]
    fn products_are_of_some_primes() {
        let mut products = products_of(&[5, 3, 2], 7, 16);
        products.sort_unstable();
        assert_eq!(products, [8, 9, 10, 12, 15, 16]);
    }
}
