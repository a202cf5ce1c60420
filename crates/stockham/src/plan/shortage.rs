//! How many times as long tiles take for want of registers, and of others that compute while they wait.

use super::cost::{self, Limits};
use super::smooth::MOST_THREADS_BESIDE;
use super::team::WARP;
use super::{filter, rader_groups};

/// Registers that a convolution's threads want, in times of those that there are, at most if it goes in one tile: by powers, which
/// has half of the points, and by a chirp.
const MOST_SHORTAGE: [f64; 2] = [1.4, 1.2];

/// Bytes of numbers of one word each.
pub(super) const WIDE_BYTES: usize = 8;

/// Registers of a thread from which on fewer threads run beside each other than hide what they wait for.
const MANY_REGISTERS: f64 = 128.0;

/// Bytes of a thread's rows from which on a filter's stages lack registers.
const FEW_BYTES: f64 = 96.0;

/// What a tile of stages is for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Purpose {
    Once,
    /// The same where lines follow each other in memory, and are taken as a whole; and whether threads may load a tile as one.
    Line {
        flat: bool,
    },
    /// The same of real numbers, each of which is a point.
    Reals,
    /// There and back, with a chirp in its tile.
    Chirp,
    /// The same between other stages.
    Beside,
    /// There and back, in the order of powers.
    Powers,
    /// The same between other stages.
    PowersBeside,
    /// There and back, between the others of a convolution.
    Middle,
    /// The others of a convolution, at its ends.
    End,
    /// There and back, and nothing else.
    Filter,
    /// The same by the half spectrum of pairs of real numbers.
    Halves,
    /// From the half spectrum of pairs of real numbers, or to it.
    HalfFirst,
    HalfLast,
}

impl Purpose {
    /// Whether it is of lines that follow each other in memory.
    pub fn is_line(self) -> bool {
        self.is_half() || matches!(self, Self::Line { .. } | Self::Reals)
    }

    /// Whether it is of a convolution with a chirp that nothing else is beside in its tile.
    pub fn is_of_chirp(self) -> bool {
        matches!(self, Self::Chirp | Self::Middle | Self::End)
    }

    /// Whether it is of lines of pairs, with their half spectrum.
    pub fn is_half(self) -> bool {
        matches!(self, Self::HalfFirst | Self::HalfLast)
    }
}

/// How many times as long a pass takes for want of registers, for its own threads or for others beside them; and because warps are not
/// full where a column is alone in its work-group. Nothing if it is not worth it.
pub(super) fn want(purpose: Purpose, rows: usize, threads: usize, limits: &Limits) -> Option<f64> {
    let shortage = shortage(rows, threads, limits);
    let beside = cost::registers_to_convolve(rows, limits) as f64 / MANY_REGISTERS;
    match purpose {
        Purpose::Once | Purpose::End => Some(1.0),
        Purpose::Line { .. } | Purpose::Reals | Purpose::HalfFirst | Purpose::HalfLast => {
            Some(crowding(rows, threads, limits))
        }
        Purpose::Chirp | Purpose::Beside => {
            (shortage <= MOST_SHORTAGE[1]).then(|| shortage * waiting(rows, threads, limits))
        }
        Purpose::Powers | Purpose::PowersBeside => {
            let is_alone = purpose == Purpose::Powers;
            let has_group = threads > MOST_THREADS_BESIDE;
            let waiting =
                if has_group { rader_groups::waiting(rows, threads, is_alone, limits) } else { shortage.max(beside) };
            let warps = if has_group { threads.next_multiple_of(WARP) } else { threads };
            (shortage <= MOST_SHORTAGE[0]).then_some(waiting * warps as f64 / threads as f64)
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

/// Threads beside each other on a multiprocessor at most, those that hide what lines wait for, and how much longer fewer take as a power.
const MOST_RESIDENT: usize = 2048;
const ENOUGH_RESIDENT: f64 = 960.0;
const OF_RESIDENT: f64 = 0.3;

/// How many times as long lines take by a work-group alone, whose threads wait for each other however many they are, and by two.
const ALONE: f64 = 2.15;
const BY_TWO: f64 = 1.15;

/// The same where two have room that leave each other the least of registers.
const WITH_LEAST: f64 = 1.08;

/// How many times as long lines take because few threads have room beside each other, or few work-groups.
fn crowding(rows: usize, threads: usize, limits: &Limits) -> f64 {
    let group = group_of_columns(threads);
    let warps = group.next_multiple_of(WARP);
    // Compilers take a quarter more than the rows, and what addresses and an element's roots need.
    let registers = rows * limits.element_bytes * 5 / 16 + 2 * limits.element_bytes + 16;
    let groups = |registers: usize| limits.register_bytes / 4 / (registers.min(cost::MOST_REGISTERS) * warps);
    let few = |groups: usize| (ENOUGH_RESIDENT / (groups * group) as f64).max(1.0).powf(OF_RESIDENT);
    match groups(registers).min(MOST_RESIDENT / group) {
        0 | 1 if groups(cost::registers_of_lines(rows, group, limits)) > 1 => WITH_LEAST * BY_TWO * few(2),
        0 | 1 => ALONE,
        2 => BY_TWO * few(2),
        groups => few(groups),
    }
}

/// Bytes of the points of a codelet that leaves a thread no registers beside it for what guards it.
pub(super) const FULL_BYTES: usize = 29 * 16;

/// How many times as long its threads take then, whose rows go to memory and back.
pub(super) const SPILLED: f64 = 1.3;

/// How many times as long lines take for want of registers in their longest butterflies, which not all threads have.
pub(super) fn spilling(radix: usize, threads: usize, longest: usize, limits: &Limits) -> f64 {
    let is_guarded = !(radix / longest).is_multiple_of(threads);
    if is_guarded && longest * limits.element_bytes >= FULL_BYTES { SPILLED } else { 1.0 }
}

/// Threads of as many columns as a work-group takes together.
fn group_of_columns(threads: usize) -> usize {
    (filter::group(threads) / threads).max(1) * threads
}

/// How many times as long a convolution with a chirp takes because its threads do not fill warps, and because few work-groups
/// of them have room beside each other, which compute while others wait at barriers.
fn waiting(rows: usize, threads: usize, limits: &Limits) -> f64 {
    let of_columns = group_of_columns(threads);
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
