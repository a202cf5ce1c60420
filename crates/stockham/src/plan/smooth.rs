//! Lengths that are no powers of two: into which passes they are cut, and passes into stages. A pass with a prime factor that has
//! no codelet is made by a [chirp](super::chirp).
//!
//! A stage of radix r has R/r butterflies, and a thread takes one after the other, as many of them as of threads. What a
//! stage costs is counted in instructions: butterflies of threads that have none are waited for all the same.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::codelet::{MOST_PRIME, RADICES};

use crate::transform::largest_factor;

use super::cost::{self, Limits, SECTOR_BYTES};
use super::filter::{self, mirrored_rows};
use super::pass::{is_even, most_rows};
use super::rader::Rader;
use super::team::WARP;
use super::{chirp, composite};

/// Stages of a pass at most.
const MOST_STAGES: usize = 4;

/// Passes at most.
const MOST_PASSES: u32 = 4;

/// Bytes of its rows that a thread holds at most: half of 128 registers, or what a single butterfly takes.
const THREAD_BYTES: usize = 256;

/// Rows that a thread holds at most where it has butterflies with their images, in times of those that it should.
const MOST_MIRRORED: usize = 3;

/// Instructions for an element: of an exchange, stored and loaded with their places; of a twiddle, looked up and multiplied.
pub(super) const EXCHANGE: f64 = 4.5;
pub(super) const TWIDDLE: f64 = 7.0;

/// What a barrier costs, in instructions of each thread.
const BARRIER: f64 = 24.0;

/// What an exchange of points in the order of powers costs more than others, in instructions: a table's places, and banks that
/// several of them meet in.
const COLLISIONS: f64 = 6.0;

/// A convolution in the order of powers, beside its stages: two exchanges, which collide, and a product.
pub(super) const BY_POWERS: f64 = 2.0 * (EXCHANGE + COLLISIONS) + TWIDDLE;

/// Threads of a column beside which there are others, and those of a work-group then.
const MOST_THREADS_BESIDE: usize = 32;
const RADER_GROUP: usize = 128;

/// Bytes that the banks of local memory serve at once.
const BANK_BYTES: usize = 128;

/// Registers that a convolution's threads want, in times of those that there are, at most if it goes in one tile: by powers, which
/// has half of the points, and by a chirp.
const MOST_SHORTAGE: [f64; 2] = [1.4, 1.2];

/// Rows that a thread of a convolution with a chirp holds at most, unless there are too few threads. With 20 to 32 of them it took up to
/// twice as long.
const MOST_BY_CHIRP: usize = 18;

/// How many times as long a convolution with a chirp takes whose stages [collide].
const COLLIDING: f64 = 1.2;

/// Bytes of numbers of one word each.
const WIDE_BYTES: usize = 8;

/// Registers of a thread from which on fewer threads run beside each other than hide what they wait for.
const MANY_REGISTERS: f64 = 128.0;

/// Threads of a filter's column beyond which each has more rows.
const FEW_THREADS: usize = 256;

/// Bytes of a thread's rows from which on a filter's stages lack registers.
const FEW_BYTES: f64 = 96.0;

/// How many times as long passes take that do not use whole sectors.
const APART: f64 = 2.0;

/// Whether codelets make it.
pub(super) fn is_smooth(n: usize) -> bool {
    largest_factor(n) <= MOST_PRIME
}

/// How a work-group takes a DFT, and what that costs, in instructions for a point.
#[derive(Debug, Clone, PartialEq)]
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
    pub cost: f64,
}

/// Real operations of codelets, by radix.
static OPERATIONS: LazyLock<[usize; MOST_RADIX + 1]> = LazyLock::new(|| std::array::from_fn(operations));

/// The largest radix of a stage.
const MOST_RADIX: usize = 32;

/// Real operations of a codelet, where products and sums are one.
fn operations(radix: usize) -> usize {
    let p = (2..=radix).find(|p| radix.is_multiple_of(*p)).unwrap_or(1);
    match radix {
        0 | 1 => 0,
        2 => 4,
        4 => 16,
        8 => 52,
        16 => 144,
        32 => 372,
        _ if p == radix => (p - 1) * (p - 1) + 5 * (p - 1),
        _ => {
            let power =
                std::iter::successors(Some(p), |power| Some(power * p)).take_while(|q| radix.is_multiple_of(*q));
            let (a, is_coprime) = match power.last() {
                Some(power) if power < radix => (power, true),
                _ => (p, false),
            };
            let b = radix / a;
            let twiddles = if is_coprime { 0 } else { 6 * (a - 1) * (b - 1) };
            b * operations(a) + a * operations(b) + twiddles
        }
    }
}

/// The best tile for DFTs of a length; nothing if no work-group holds one.
pub(super) fn tile(n: usize, limits: &Limits) -> Option<Tile> {
    if is_smooth(n) {
        return best_stages(n, Purpose::Once, limits);
    }
    let beside = best_rader(n, limits).or_else(|| composite::best(n, limits));
    let found = beside.into_iter().chain(best_chirp(n, limits));
    found.min_by(|a, b| a.cost.total_cmp(&b.cost))
}

/// The best tile for the middle pass of a convolution.
pub(super) fn middle_tile(points: usize, limits: &Limits) -> Option<Tile> {
    best_stages(points, Purpose::Middle, limits)
}

/// The best tile for a filter, of points or of pairs of real numbers.
pub(super) fn filter_tile(points: usize, in_pairs: bool, limits: &Limits) -> Option<Tile> {
    best_stages(points, if in_pairs { Purpose::Halves } else { Purpose::Filter }, limits)
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

/// What a tile of stages is for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Purpose {
    Once,
    /// There and back, with a chirp in its tile.
    Chirp,
    /// The same between other stages.
    Beside,
    /// There and back, in the order of powers.
    Powers,
    /// There and back, between the others of a convolution.
    Middle,
    /// There and back, and nothing else.
    Filter,
    /// The same by the half spectrum of pairs of real numbers.
    Halves,
}

/// How many times as long a pass takes for want of registers, for its own threads or for others beside them; and because warps are not
/// full where a column is alone in its work-group. Nothing if it is not worth it.
pub(super) fn want(purpose: Purpose, rows: usize, threads: usize, limits: &Limits) -> Option<f64> {
    let shortage = shortage(rows, threads, limits);
    let beside = cost::registers_to_convolve(rows, limits) as f64 / MANY_REGISTERS;
    match purpose {
        Purpose::Once => Some(1.0),
        Purpose::Chirp | Purpose::Beside => {
            (shortage <= MOST_SHORTAGE[1]).then(|| shortage * waiting(rows, threads, limits))
        }
        Purpose::Powers => {
            let warps = if threads > MOST_THREADS_BESIDE { threads.next_multiple_of(WARP) } else { threads };
            (shortage <= MOST_SHORTAGE[0]).then_some(shortage.max(beside) * warps as f64 / threads as f64)
        }
        // Numbers of two words each hide less of what they wait for.
        Purpose::Middle if limits.element_bytes > WIDE_BYTES => Some(shortage.max(beside)),
        Purpose::Middle => Some(shortage),
        Purpose::Filter | Purpose::Halves => {
            let crowd = (rows * limits.element_bytes) as f64 / FEW_BYTES;
            // Where registers are short, two transforms are faster.
            (shortage <= 1.0).then_some(crowd.max(1.0))
        }
    }
}

/// How many times as long a convolution with a chirp takes because its threads do not fill warps, and because few work-groups
/// of them have room beside each other, which compute while others wait at barriers.
fn waiting(rows: usize, threads: usize, limits: &Limits) -> f64 {
    let of_columns = (filter::group(threads) / threads).max(1) * threads;
    let of_warps = of_columns.next_multiple_of(WARP);
    let registers = cost::registers_to_convolve(rows, limits) * of_warps;
    let alone = match limits.register_bytes / 4 / registers {
        0 | 1 => 1.4,
        2 => 1.18,
        3 => 1.09,
        _ => 1.0,
    };
    alone * of_warps as f64 / of_columns as f64
}

/// The registers that its threads want, in times of those that there are.
fn shortage(rows: usize, threads: usize, limits: &Limits) -> f64 {
    let (wanted, there) = (cost::registers_to_convolve(rows, limits), limits.register_bytes / 4 / threads);
    (wanted as f64 / there as f64).max(1.0)
}

/// Rows that a thread holds at most.
pub(super) fn most_held(limits: &Limits) -> usize {
    THREAD_BYTES / limits.element_bytes
}

/// All lists of stages that make a length, of which a thread does one after the other.
pub(super) fn lists_of(length: usize) -> Vec<Vec<usize>> {
    let mut lists = Vec::new();
    factorisations(length, length, &mut Vec::new(), &mut lists);
    lists
}

fn best_stages(radix: usize, purpose: Purpose, limits: &Limits) -> Option<Tile> {
    stages_below(f64::INFINITY, radix, purpose, limits)
}

/// The best of those that cost less than something.
fn stages_below(most: f64, radix: usize, purpose: Purpose, limits: &Limits) -> Option<Tile> {
    let mut best: Option<Tile> = None;
    let is_filter = matches!(purpose, Purpose::Filter | Purpose::Halves);
    let is_long = radix > FEW_THREADS * (THREAD_BYTES / 2 / limits.element_bytes);
    let of_thread = if is_filter && !is_long { THREAD_BYTES / 2 } else { THREAD_BYTES };
    let by_chirp = (purpose == Purpose::Chirp).then(|| MOST_BY_CHIRP.max(radix.div_ceil(limits.max_group)));
    for stages in lists_of(radix) {
        if least_cost(&stages) >= best.as_ref().map_or(most, |best| best.cost) {
            continue;
        }
        let rows = by_chirp.unwrap_or((of_thread / limits.element_bytes).max(stages[0]));
        for per_thread in radix.div_ceil(limits.max_group)..=rows.min(radix) {
            let mirrored =
                mirrored_rows(radix, per_thread, &stages).filter(|_| purpose == Purpose::Halves).unwrap_or(0);
            let held = most_rows(radix, per_thread, &stages);
            // Products by tables of what free roots leave over go through rows that all threads have.
            let is_odd = limits.free_order > 1 && !is_even(radix, per_thread, &stages);
            if is_odd || held > rows || mirrored > MOST_MIRRORED * rows {
                continue;
            }
            let crowding = (mirrored as f64 / rows as f64).max(1.0);
            let held = held.max(mirrored);
            let threads = radix.div_ceil(per_thread);
            // Few threads would touch a sector of memory each; where all have as much to do, they load the tile as a whole.
            let is_apart =
                (2..=SECTOR_BYTES / limits.element_bytes).contains(&threads) && !is_even(radix, per_thread, &stages);
            let Some(want) = want(purpose, held, threads, limits) else { continue };
            let idle = idle_instructions(radix, threads, &stages, mirrored);
            let apart = if is_apart { APART } else { 1.0 };
            let colliding = if by_chirp.is_some() && collide(&stages) { COLLIDING } else { 1.0 };
            let cost = (cost_of(radix, threads, &stages) + idle) * apart * colliding * want * crowding;
            if cost < best.as_ref().map_or(most, |best| best.cost) {
                best =
                    Some(Tile { per_thread, stages: stages.clone(), chirp: None, rader: false, beside: [0; 2], cost });
            }
        }
    }
    best
}

/// Instructions for a point at least: where all threads have as much to do, and nobody waits.
fn least_cost(stages: &[usize]) -> f64 {
    let of_radix = |r: &usize| OPERATIONS[*r] as f64 / *r as f64;
    let twiddles = |r: &usize| TWIDDLE * (r - 1) as f64 / *r as f64 + EXCHANGE;
    stages.iter().map(of_radix).sum::<f64>() + stages.iter().skip(1).map(twiddles).sum::<f64>()
}

/// Whether threads that write what a stage gives meet in banks whatever the padding: groups of as many rows as there were radices before
/// lie at even distances, and are no whole parts of a warp.
fn collide(stages: &[usize]) -> bool {
    let is_oblique = |radix: &usize| radix.is_multiple_of(2) && !radix.is_power_of_two();
    stages.len() > 2 && stages[..2].iter().all(is_oblique)
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
    let mut lists = Vec::new();
    factorisations(radix, rows, &mut Vec::new(), &mut lists);
    let with_cost = |stages: Vec<usize>| (cost_of(radix, radix / rows, &stages), stages);
    let even = lists.into_iter().filter(|stages| is_even(radix, rows, stages)).map(with_cost);
    even.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(cost, stages)| (stages, cost))
}

/// Lengths of convolutions that are looked at, in multiples of the shortest: three stages of a longer one may take less than four.
const LONGER: f64 = 1.35;

/// The best tile for DFTs by a chirp.
fn best_chirp(n: usize, limits: &Limits) -> Option<Tile> {
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
fn factorisations(n: usize, most: usize, begun: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    if n == 1 {
        found.push(begun.clone());
    }
    // What is left may be more than the stages that are left can make.
    if most.saturating_pow((MOST_STAGES - begun.len()) as u32) < n {
        return;
    }
    for &radix in RADICES.iter().filter(|&&radix| radix <= most && n.is_multiple_of(radix)) {
        begun.push(radix);
        factorisations(n / radix, radix, begun, found);
        begun.pop();
    }
}

/// Instructions for a point.
pub(super) fn cost_of(radix: usize, threads: usize, radices: &[usize]) -> f64 {
    let stage = |(s, &r): (usize, &usize)| {
        let slots = threads * (radix / r).div_ceil(threads);
        let twiddles = if s > 0 { TWIDDLE * (r - 1) as f64 + EXCHANGE * r as f64 } else { 0.0 };
        let barrier = if s > 0 { BARRIER * threads as f64 } else { 0.0 };
        slots as f64 * (OPERATIONS[r] as f64 + twiddles) + barrier
    };
    radices.iter().enumerate().map(stage).sum::<f64>() / radix as f64
}

/// The same of butterflies that threads go through without need where they have them with their images, so many rows of the last
/// stage.
fn idle_instructions(radix: usize, threads: usize, stages: &[usize], mirrored: usize) -> f64 {
    let [.., r] = stages else { return 0.0 };
    let plain = (radix / r).div_ceil(threads);
    let more = (threads * (mirrored / r).saturating_sub(plain)) as f64;
    more * (OPERATIONS[*r] as f64 + TWIDDLE * (r - 1) as f64) / radix as f64
}

/// Points of a pass at most: what registers hold beside temporaries, and local memory in one round, a component at a time.
pub(super) fn room(limits: &Limits) -> usize {
    let places = limits.tile_bytes / (limits.element_bytes / limits.components) / 17 * 16;
    let registers = limits.register_bytes / 8 * 5 / limits.element_bytes;
    let threads = limits.max_group * (THREAD_BYTES / limits.element_bytes).max(1);
    places.min(registers).min(threads).min(limits.most_points)
}

/// The radices of the passes with the least cost; nothing if no cut fits. Several passes may be worth it where one alone would be by a
/// convolution and prime factors by themselves are shorter.
pub(super) fn cut(n: usize, limits: &Limits) -> Option<Vec<usize>> {
    let room = room(limits);
    let alone = (n <= room).then(|| tile(n, limits)).flatten();
    let is_long = alone.as_ref().is_some_and(|tile| tile.chirp.is_some() || tile.beside != [0; 2]);
    if alone.is_some() && !is_long {
        return Some(vec![n]);
    }
    let mut costs = HashMap::new();
    let several = (2..=MOST_PASSES).find_map(|passes| {
        let mut best = None;
        sides(n, passes, &mut Vec::new(), &mut |radices| {
            let mut cost_of = |&radix| *costs.entry(radix).or_insert_with(|| pass_cost(radix, room, limits));
            let cost = radices.iter().map(&mut cost_of).sum::<Option<f64>>();
            if let Some(cost) = cost
                && best.as_ref().is_none_or(|(least, _)| cost < *least)
            {
                best = Some((cost, radices.to_vec()));
            }
        });
        // More passes than two are for what fits no tile.
        best.or_else(|| alone.is_some().then(|| (f64::INFINITY, Vec::new())))
    });
    let (least, radices) = several?;
    let is_better = alone.is_some() && cost_alone(n, limits).is_none_or(|cost| cost <= least);
    Some(if is_better { vec![n] } else { radices })
}

/// Factors of a cut are at most so many times as long as if all were alike.
const OBLONG: f64 = 6.0;

/// Visits all ways to cut a length into so many passes that are about as long, the longest first: only later ones have
/// twiddles.
pub(super) fn sides(n: usize, passes: u32, begun: &mut Vec<usize>, visit: &mut impl FnMut(&[usize])) {
    if passes == 1 {
        if begun.last().is_none_or(|last| n <= *last) {
            begun.push(n);
            visit(begun);
            begun.pop();
        }
        return;
    }
    let mean = (n as f64).powf(1.0 / f64::from(passes));
    let most = ((mean * OBLONG) as usize).min(begun.last().copied().unwrap_or(usize::MAX));
    for side in (mean.ceil() as usize..=most).rev().filter(|side| n.is_multiple_of(*side)) {
        begun.push(side);
        sides(n / side, passes - 1, begun, visit);
        begun.pop();
    }
}

/// Instructions that a trip through memory hides: of stages, and of convolutions, which have more to do between.
const HIDDEN: f64 = 60.0;
const HIDDEN_THERE_AND_BACK: f64 = 140.0;

/// What a pass costs, in trips through memory.
fn pass_cost(radix: usize, room: usize, limits: &Limits) -> Option<f64> {
    if radix > room {
        return None;
    }
    let (length, busy) = busy(radix, limits)?;
    let (_, memory) = cost::best_width(length, limits)?;
    Some(trips(memory, busy))
}

/// The same of a pass that takes lines as they lie in memory.
fn cost_alone(radix: usize, limits: &Limits) -> Option<f64> {
    let (length, busy) = busy(radix, limits)?;
    Some(trips(cost::pass_cost(usize::MAX, length * limits.element_bytes, limits.is_exact), busy))
}

/// The points of a pass's tile, and the time of its instructions.
fn busy(radix: usize, limits: &Limits) -> Option<(usize, f64)> {
    if radix.is_power_of_two() {
        let instructions = cost_of(radix, radix.div_ceil(16), &cost::stages(radix, false, limits).1);
        return Some((radix, instructions / HIDDEN));
    }
    let Tile { stages, cost, chirp, rader, .. } = tile(radix, limits)?;
    let hidden = if chirp.is_some() || rader { HIDDEN_THERE_AND_BACK } else { HIDDEN };
    Some((stages.iter().product(), cost / hidden))
}

/// The time of a pass, given that of its memory and of its instructions.
fn trips(memory: f64, busy: f64) -> f64 {
    memory.max(busy) + busy / 8.0
}

/// The same of passes of a convolution: of one before and after the middle, and of the middle one, which has the rows of one column
/// side by side.
pub(super) fn outer_cost(radix: usize, limits: &Limits) -> Option<f64> {
    pass_cost(radix, room(limits), limits)
}

pub(super) fn there_and_back(radix: usize, limits: &Limits) -> Option<f64> {
    if radix > room(limits) {
        return None;
    }
    let tile = middle_tile(radix, limits)?;
    Some(trips(1.0, (2.0 * tile.cost + TWIDDLE) / HIDDEN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Algebra;
    use crate::device_info::DeviceInfo;

    fn limits(algebra: Algebra) -> Limits {
        let device = DeviceInfo {
            backend: crate::Backend::Cuda,
            max_group: 1024,
            local_bytes: 227 << 10,
            simd_width: 32,
            registers: Some(64 << 10),
            ..crate::Device::cpu().info().clone()
        };
        Limits::of(&device, algebra)
    }

    #[test]
    fn smooth_numbers_are_those_of_codelets() {
        assert!([1, 2, 31, 30 * 31, 7 * 11 * 13, 10_000, 29 * 23 * 19 * 17].into_iter().all(is_smooth));
        assert!([37, 74, 31 * 37, 1009].into_iter().all(|n| !is_smooth(n)));
    }

    #[test]
    fn operations_are_about_those_of_the_generator_of_fftw() {
        // Additions and fused products of FFTW's codelets n1_*, which save some twiddles and constants.
        for (radix, of_fftw) in
            [(3, 12), (5, 32), (6, 36), (7, 60), (9, 80), (10, 84), (11, 140), (12, 96), (13, 176), (15, 156)]
        {
            let ours = operations(radix);
            assert!(ours >= of_fftw && 5 * ours <= 7 * of_fftw, "{radix}: {ours}, and {of_fftw}");
        }
    }

    #[test]
    fn other_passes_are_made_by_chirps() {
        for algebra in [Algebra::ComplexF32, Algebra::ComplexF64] {
            let limits = limits(algebra);
            // Threads of longer tiles of f64 lack registers: those go in several passes.
            let longest = if algebra == Algebra::ComplexF32 { 4099 } else { 2503 };
            for n in [37, 74, 1009, 31 * 37, longest, 37 << 12, 1009 * 1013] {
                let radices = cut(n, &limits).unwrap_or_else(|| panic!("no cut of {n}"));
                assert_eq!(radices.iter().product::<usize>(), n);
                for tile in radices
                    .iter()
                    .filter(|radix| !is_smooth(**radix))
                    .map(|&radix| (radix, tile(radix, &limits).unwrap()))
                {
                    let (radix, Tile { stages, chirp, rader, .. }) = tile;
                    let points = stages.iter().product::<usize>();
                    let q = largest_factor(radix);
                    assert!(if rader {
                        points == radix - radix / q
                    } else {
                        chirp == Some(radix) && points >= 2 * radix - 1
                    });
                }
            }
            assert_eq!(cut(65_537, &limits), None);
        }
        let mut products = products_of(&[5, 3, 2], 7, 16);
        products.sort_unstable();
        assert_eq!(products, [8, 9, 10, 12, 15, 16]);
    }

    #[test]
    fn passes_make_the_length_and_fit() {
        for algebra in [Algebra::ComplexF32, Algebra::ComplexF64, Algebra::Goldilocks] {
            let limits = limits(algebra);
            for n in [
                3,
                6,
                31,
                37 - 1,
                1000,
                1001,
                4095,
                7 * 11 * 13,
                10_000,
                30 * 31,
                1_000_000,
                3 << 20,
                7usize.pow(8),
                31usize.pow(5),
                3usize.pow(18),
            ] {
                let radices = cut(n, &limits).unwrap_or_else(|| panic!("no cut of {n}"));
                assert_eq!(radices.iter().product::<usize>(), n);
                for radix in radices.into_iter().filter(|radix| !radix.is_power_of_two()) {
                    let tile = tile(radix, &limits).unwrap();
                    assert_eq!((tile.stages.iter().product::<usize>(), tile.chirp), (radix, None));
                    assert!(radix.div_ceil(tile.per_thread) <= limits.max_group);
                }
            }
        }
    }
}
