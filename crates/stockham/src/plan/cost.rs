//! What passes cost, and the choices that follow: where to cut n, how wide a tile is, how many rows a thread holds.

use crate::algebra::Algebra;
use crate::device_info::{Backend, DeviceInfo};
use crate::error::{Error, Result};
use crate::transform::Transform;

use super::instructions;
use super::recipe::{Column, Pass, Rounds, StageRoots};
use super::team::{self, WARP};

/// What a device allows, in the terms of the planner.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    pub algebra: Algebra,
    /// Bytes of an element.
    pub element_bytes: usize,
    /// Components of an element.
    pub components: usize,
    /// The order of the roots that cost no product.
    pub free_order: usize,
    /// The logarithm of the points of a DFT between products: as many as the free roots allow, or else, where only −1 is
    /// free, a codelet's.
    pub block_bits: u32,
    /// Whether the algebra computes exactly.
    pub is_exact: bool,
    /// Whether roots of one word have quotients beside them ([`StageRoots::Pairs`]).
    pub has_pairs: bool,
    /// Bytes of local memory a tile may take.
    pub tile_bytes: usize,
    /// Bytes of a compute unit's registers; a tile takes half of them, addresses and temporaries the other half.
    pub register_bytes: usize,
    /// Rows that a thread holds at most: registers are what limits it.
    pub rows: usize,
    /// Instructions for a point that a trip through memory hides.
    pub hidden: f64,
    /// Points of a tile at most: fewer where larger ones turned out not to fit.
    pub most_points: usize,
    /// Threads of a work-group at most, a power of two.
    pub max_group: usize,
    /// Threads of a work-group where there is a choice.
    pub preferred_group: usize,
    /// Work-groups of a cluster at most, a power of two; 1 where there are none.
    pub max_cluster: usize,
    /// Compute units.
    pub compute_units: usize,
    /// Bytes of local memory that a compute unit has for all its work-groups: no limit where the device does not tell, and
    /// none where it is a cache like the rest.
    pub unit_tile_bytes: usize,
    /// Threads that hold an element together. All else is what such a team has then, as if it were one thread: its element
    /// is a thread's share, and so are registers and local memory.
    pub team: usize,
    /// Whether threads of a warp can give each other what they hold.
    pub has_warps: bool,
    /// Whether stages are worth such swaps.
    pub swaps: bool,
}

/// Larger tiles gain nothing where "local memory" is a cache.
const CPU_TILE_BYTES: usize = 64 << 10;

impl Limits {
    pub fn of(device: &DeviceInfo, algebra: Algebra) -> Self {
        let is_cpu = device.simd_width <= 1;
        let power = |most: usize| 1 << most.max(1).ilog2();
        let max_group = power(device.max_group.min(1024));
        let mut limits = Self {
            algebra,
            element_bytes: algebra.element_bytes(),
            components: algebra.layout().1,
            free_order: algebra.free_order(),
            block_bits: algebra.free_order().ilog2(),
            is_exact: algebra.unit_roundoff().is_none(),
            has_pairs: algebra.has_pairs() && !algebra.has_digits(),
            tile_bytes: if is_cpu { device.local_bytes.min(CPU_TILE_BYTES) } else { device.local_bytes },
            register_bytes: device.registers.map_or(usize::MAX, |r| r.saturating_mul(4)),
            rows: if is_cpu { CPU_ROWS } else { MAX_PER_THREAD },
            hidden: instructions::hidden(device),
            most_points: usize::MAX,
            max_group,
            preferred_group: if is_cpu { 64 } else { 256 }.min(max_group),
            max_cluster: power(device.max_cluster.unwrap_or(1)),
            compute_units: device.compute_units,
            unit_tile_bytes: match device.backend {
                _ if is_cpu => 0,
                Backend::Cuda => device.local_bytes,
                _ => usize::MAX,
            },
            team: team::size(device, algebra),
            has_warps: device.backend == Backend::Cuda,
            swaps: device.backend == Backend::Cuda && algebra.unit_roundoff().is_some(),
        };
        limits.share();
        if limits.free_order > 1 {
            // Products leave registers for few threads: small work-groups wait less for each other.
            limits.preferred_group = (32 * limits.rows_of_digits() / limits.team).clamp(1, limits.max_group);
            // Teams that do a DFT without products together, if each thread of them can have all registers there are.
            let of_block = limits.free_order / limits.rows_of_digits();
            if limits.team > 1 && of_block * limits.team <= MOST_THREADS_WITH_ALL_REGISTERS {
                limits.preferred_group = limits.preferred_group.max(of_block);
            }
            if limits.free_order == 2 {
                limits.block_bits = limits.rows_of_digits().min(MAX_CODELET).ilog2();
            }
        }
        limits
    }

    /// The same for a transform, whose numbers may take less of memory. That hides fewer instructions then, but not in proportion, as the
    /// nearest cache is busy with exchanges meanwhile.
    pub fn for_transform(device: &DeviceInfo, transform: &Transform) -> Self {
        let limits = Self::of(device, transform.algebra);
        Self { hidden: limits.hidden * transform.share_of_memory().sqrt(), ..limits }
    }

    /// What a team has, given what threads have.
    fn share(&mut self) {
        let team = self.team;
        for of_all in [
            &mut self.element_bytes,
            &mut self.components,
            &mut self.tile_bytes,
            &mut self.register_bytes,
            &mut self.max_group,
            &mut self.unit_tile_bytes,
        ] {
            *of_all /= team;
        }
    }

    /// The ways to send an exchange in rounds, the fewest rounds first: by component, and in slices of the rows.
    pub fn rounds(&self) -> impl Iterator<Item = Rounds> + use<> {
        let planes = match self.components {
            // Some digits at a time wait less often at barriers than one, and keep fewer of them than all.
            _ if self.free_order > 1 => {
                // Short elements, of which a thread holds more, and Montgomery's products leave no registers for it.
                let several = self.moves_vectors() && self.components.is_multiple_of(DIGITS_AT_A_TIME);
                several.then_some(DIGITS_AT_A_TIME).into_iter().chain([1]).map(Some).collect()
            }
            1 => vec![None],
            _ => vec![None, Some(1)],
        };
        let of_slices = |slices| planes.clone().into_iter().map(move |planes| Rounds { planes, slices });
        [1, 2, MAX_SLICES].map(of_slices).into_iter().flatten()
    }

    /// Whether elements are so long that it is worth while to move them in groups of digits, and registers are left for it.
    pub fn moves_vectors(&self) -> bool {
        self.free_order > 2 && self.element_bytes >= 64
    }

    /// Elements that a tile may hold, with as many rounds as there may be. A sixteenth is left for paddings. What a thread
    /// transforms alone needs no local memory.
    pub fn tile_elements(&self) -> usize {
        let places = self.tile_bytes / (self.element_bytes / self.components);
        let by_memory = places.saturating_mul(MAX_SLICES) / 17 * 16;
        let (per_thread, alone) = match self.rows_of_digits() {
            rows if self.free_order > 1 => (rows, rows.min(1 << self.block_bits)),
            _ => (self.most_rows(), ROWS_ALONE),
        };
        let room = by_memory.min(self.max_group * per_thread);
        room.min((self.register_bytes / 2 / self.element_bytes).max(2)).max(alone).min(self.most_points)
    }

    /// Rows that a thread holds at most: words of 32 bits are half of what others take of its registers.
    fn most_rows(&self) -> usize {
        if self.element_bytes <= 4 { 2 * self.rows } else { self.rows }
    }

    /// Elements of many digits that a thread holds: 64 registers full, but at least a butterfly of two.
    pub fn rows_of_digits(&self) -> usize {
        (256 / self.element_bytes).clamp(2, self.rows)
    }
}

/// Digits that an exchange moves in a round.
const DIGITS_AT_A_TIME: usize = 4;

/// Slices of an exchange at most: every further one costs two barriers.
const MAX_SLICES: usize = 4;

/// Rows a thread holds at most on GPUs.
const MAX_PER_THREAD: usize = 16;

/// The same where threads are loops of a CPU's: with more rows they run no faster, and take compilers several times as long.
const CPU_ROWS: usize = 4;

/// Rows of the longest DFTs that a thread does [alone](stages).
const ROWS_ALONE: usize = 8;

/// Points of a codelet with general roots of unity in it.
const MAX_CODELET: usize = 16;

/// What an exchange in slices costs, with its barriers and conditions.
const SLICING: f64 = 1.15;

/// Work-groups with tiles beyond this do not fit a compute unit in twos, and nothing overlaps their waiting.
pub(super) const OVERLAPPING_TILE_BYTES: usize = 64 << 10;

/// The time of a pass in trips through memory, by the contiguous bytes of its rows and the bytes of its tile (measured
/// on an H200; the shape of the curve is that of any memory with 32-byte sectors and 128-byte lines). Exact algebras
/// have more arithmetic for the waiting to hide.
pub(super) fn pass_cost(row_bytes: usize, tile_bytes: usize, is_exact: bool) -> f64 {
    let rows = match row_bytes {
        0..32 => 3.0,
        32..64 => 1.4,
        64..128 => 1.13,
        128..256 => 1.10,
        _ => 1.08,
    };
    match (tile_bytes > OVERLAPPING_TILE_BYTES, is_exact) {
        (false, _) => rows,
        (true, false) => 1.2 * rows,
        (true, true) => 1.5 * rows,
    }
}

/// The width of a tile of columns with the least cost, and that cost; nothing if not even one column fits.
pub(super) fn best_width(radix: usize, limits: &Limits) -> Option<(usize, f64)> {
    let room = limits.tile_elements() / radix;
    let widths = (0..=5).map(|b| 1usize << b).take_while(|w| *w <= room);
    let cost = |w: usize| {
        let bytes = w * radix * limits.element_bytes;
        let one_slice = bytes / limits.components <= limits.tile_bytes;
        pass_cost(w * limits.element_bytes, bytes, limits.is_exact) * if one_slice { 1.0 } else { SLICING }
    };
    widths.map(|w| (w, cost(w))).min_by(|a, b| a.1.total_cmp(&b.1))
}

/// Passes among which it is looked for the least cost.
const FEW_PASSES: u32 = 4;

/// The radices of the passes with the least cost; nothing if no cut fits.
pub(super) fn cut(n: usize, limits: &Limits) -> Option<Vec<usize>> {
    let room = limits.tile_elements();
    if n <= room {
        return Some(vec![n]);
    }
    let bits = n.ilog2();
    let even = |passes: u32| {
        // Larger radices first: only the later passes multiply by twiddles.
        let radices: Vec<usize> =
            (0..passes).map(|a| 1usize << (bits / passes + u32::from(a < bits % passes))).collect();
        let cost = radices.iter().map(|&r| best_width(r, limits).map_or(f64::INFINITY, |(_, cost)| cost)).sum::<f64>();
        cost.is_finite().then_some((cost, radices))
    };
    let few = (2..=FEW_PASSES).filter_map(even).min_by(|a, b| a.0.total_cmp(&b.0));
    // Devices with next to no local memory take as few as there can be.
    few.or_else(|| (FEW_PASSES + 1..=bits).find_map(even)).map(|(_, radices)| radices)
}

/// Bytes of a table of roots beyond which it does not stay in the nearest cache, beside the data that go through it.
const CACHED_TABLE: usize = 32 << 10;

/// Where the roots between the stages of a pass come from. Products are cheap over ℂ, and lookups that miss the cache
/// take as long as data do: f32 transforms of 2^14 points read as many bytes of roots as of input.
pub(super) fn stage_roots(pass: &Pass, limits: &Limits) -> StageRoots {
    let bytes = |s| {
        let (r, p) = pass.stage(s);
        let p = if pass.inner().contains(&s) { p / pass.side_by_side() } else { p };
        (r - 1) * p * limits.element_bytes
    };
    let longest = (1..pass.tile.stages.len()).map(bytes).max().unwrap_or(0);
    match limits.algebra.has_pairs() {
        true => StageRoots::Pairs,
        false if limits.is_exact || longest <= CACHED_TABLE => StageRoots::Lookups,
        false => StageRoots::Products,
    }
}

/// Rows a thread holds, and the radices of the stages.
pub(super) fn stages(radix: usize, rows_only: bool, limits: &Limits) -> (usize, Vec<usize>) {
    let bits = radix.ilog2();
    if bits == 0 {
        return (1, Vec::new());
    }
    let per_thread_bits = match bits {
        1..=3 => bits,
        4 => 2,
        5 | 6 => 3,
        // As many rows as a codelet has make an exchange less.
        9.. if limits.element_bytes <= 4 => 5,
        13.. if limits.has_pairs => 5,
        // Tiles of several columns have threads enough with twice the rows each.
        9 if rows_only => 3,
        _ => 4,
    };
    stages_of(radix, limits.most_rows().min(1 << per_thread_bits), limits)
}

/// The same with `rows` a thread, a power of two, or with as many as there are or must be.
pub(super) fn stages_of(radix: usize, rows: usize, limits: &Limits) -> (usize, Vec<usize>) {
    if radix == 1 {
        return (1, Vec::new());
    }
    let at_least = 1 << (radix / limits.max_group).max(1).ilog2();
    let rows = rows.max(at_least).min(radix);
    (rows, split(radix.ilog2(), rows.ilog2()))
}

/// The radices of the stages. The first one takes all rows of a thread at once: it has no twiddles. The others share the
/// rest evenly.
pub(super) fn split(bits: u32, per_thread_bits: u32) -> Vec<usize> {
    let (rest, count) = (bits - per_thread_bits, (bits - per_thread_bits).div_ceil(per_thread_bits));
    let others = (0..count).map(|s| 1usize << (rest / count + u32::from(s < rest % count)));
    std::iter::once(1 << per_thread_bits).chain(others).collect()
}

/// What a thread can have at most, on NVIDIA's multiprocessors.
pub(super) const MOST_REGISTERS: usize = 255;

/// Threads of a work-group that can have as many.
const MOST_THREADS_WITH_ALL_REGISTERS: usize = 256;

/// Registers that a thread should not exceed: its rows twice over, or once and what addresses and temporaries need.
pub(super) fn registers(per_thread: usize, limits: &Limits) -> usize {
    let rows = per_thread * limits.element_bytes / 4;
    if limits.free_order > 1 {
        // A product needs its factors, its result and a column of sums beside the rows, and a team's all columns.
        let product = if limits.team > 1 { 8 } else { 3 };
        // Butterflies of odd radices have their sums and differences beside what they give.
        let rows = if per_thread.is_power_of_two() { rows } else { 2 * rows };
        return (rows + product * limits.element_bytes / 4).next_multiple_of(32).clamp(64, MOST_REGISTERS);
    }
    (2 * rows).max(rows + 32)
}

/// Registers beside those of its rows that a thread of lines has at least, in times of an element's.
const LEAST_OF_LINES: usize = 14;

/// The same of lines: fewer, where a work-group would be alone otherwise, and two have room with what addresses and temporaries take.
pub(super) fn registers_of_lines(rows: usize, group: usize, limits: &Limits) -> usize {
    let wanted = registers(rows, limits);
    let least = (rows + LEAST_OF_LINES) * limits.element_bytes / 4;
    registers_beside(2, rows, group, limits).filter(|two| *two >= least).map_or(wanted, |two| two.min(wanted))
}

/// The same of a pass that goes its stages there and back, with roots of both ways.
pub(super) fn registers_to_convolve(per_thread: usize, limits: &Limits) -> usize {
    (per_thread * limits.element_bytes / 2 + 48).min(MOST_REGISTERS)
}

/// The same where so few work-groups run that each has a compute unit to itself: all there are, for every thread of one.
pub(super) fn registers_alone(per_thread: usize, group: usize, limits: &Limits) -> usize {
    let share = limits.register_bytes / 4 / group.next_multiple_of(WARP) / 8 * 8;
    share.min(MOST_REGISTERS).max(registers(per_thread, limits))
}

/// Registers of a thread beside those of its rows at least.
const LEAST_TEMPORARIES: usize = 8;

/// The same as [`registers_beside`], for those who ask for so many.
///
/// # Errors
/// [`Error::InvalidTransform`] if there is nothing left.
pub(super) fn room_beside(count: usize, per_thread: usize, group: usize, limits: &Limits) -> Result<usize> {
    registers_beside(count, per_thread, group, limits).ok_or_else(|| {
        Error::InvalidTransform(format!(
            "{count} work-groups of {group} threads side by side leave a thread too few registers for its {per_thread} rows"
        ))
    })
}

/// What is left for each thread if a unit has so many of their work-groups; nothing if that does not hold its rows.
pub(super) fn registers_beside(count: usize, per_thread: usize, group: usize, limits: &Limits) -> Option<usize> {
    let threads = group.next_multiple_of(WARP).checked_mul(count).filter(|threads| *threads > 0)?;
    let (registers, rows) = (limits.register_bytes / 4 / threads, per_thread * limits.element_bytes / 4);
    (registers >= rows + LEAST_TEMPORARIES).then_some(registers.min(MOST_REGISTERS))
}

/// Bytes of a sector, the least that memory is read or written by.
pub(super) const SECTOR_BYTES: usize = 32;

/// What a thread touches at once at most.
const VECTOR_BYTES: usize = 16;

/// Whether threads that load their own rows would waste most of a memory transaction. Of two rows, each is half a sector where
/// it is a vector, and otherwise both are one.
pub(super) fn wants_flat(radix: usize, per_thread: usize, limits: &Limits) -> bool {
    let together = radix.div_ceil(per_thread) * limits.element_bytes;
    let are_apart = radix > 2 || limits.element_bytes == VECTOR_BYTES;
    radix > 1 && together <= SECTOR_BYTES && are_apart && (per_thread >= 8 || radix < 8)
}

/// Threads of a work-group of a pass among several whose roots have [quotients](StageRoots::Pairs).
const GROUP_OF_PAIRS: usize = 128;

/// Points of a pass with twiddles over words from which on smaller work-groups are worth shorter rows.
const LONG_PRODUCTS: usize = 1024;

/// Columns of a tile.
pub(super) fn width(radix: usize, per_thread: usize, rows_only: bool, columns: &[Column], limits: &Limits) -> usize {
    let width = most_width(radix, per_thread, rows_only, columns, limits);
    // A tile that lies within the first digit needs no guard.
    let first = columns[0].n;
    if columns.len() > 1 && width > first && first.is_power_of_two() { first } else { 1 << width.ilog2() }
}

/// Bytes that memory moves at once, and those of lines that are long beside it.
pub(super) const MOVED_BYTES: usize = 128;
const LONG_LINE: usize = 512;

/// The same of the ends of a convolution: whole lines of memory, even where that leaves no room for a second work-group.
pub(super) fn width_of_ends(radix: usize, per_thread: usize, columns: &[Column], limits: &Limits) -> usize {
    let lines = MOVED_BYTES / limits.element_bytes;
    let has_room = radix.div_ceil(per_thread) * lines <= limits.max_group && radix * lines <= limits.tile_elements();
    let width = width(radix, per_thread, false, columns, limits);
    if has_room { width.max(lines.min(columns[0].n)) } else { width }
}

/// The same of whole lines, which threads tell apart by a division whatever their number; but where they are short, work-groups begin
/// where memory does.
pub(super) fn width_of_lines(radix: usize, per_thread: usize, columns: &[Column], limits: &Limits) -> usize {
    let width = most_width(radix, per_thread, true, columns, limits);
    let even = MOVED_BYTES / limits.element_bytes;
    if radix * limits.element_bytes < LONG_LINE && width > even { width / even * even } else { width }
}

fn most_width(radix: usize, per_thread: usize, rows_only: bool, columns: &[Column], limits: &Limits) -> usize {
    let threads = radix.div_ceil(per_thread);
    let by_threads = limits.max_group / threads;
    let by_memory = if radix == per_thread { usize::MAX } else { limits.tile_elements() / radix };
    let wanted = if rows_only {
        // Columns are free here: as many as a good work-group has threads for and one round of exchange has room for.
        let one_round = limits.tile_bytes / limits.element_bytes / 17 * 16 / radix;
        let has_twiddles = columns.iter().any(|column| column.weight > 0);
        let group = if limits.has_pairs && has_twiddles { GROUP_OF_PAIRS } else { limits.preferred_group };
        (group / threads).min(one_round.max(1))
    } else if limits.free_order > 1 {
        // An element alone is a good row, or a few are.
        (limits.preferred_group / threads).max(64 / limits.element_bytes)
    } else if limits.has_pairs {
        // Products are the limit, and small work-groups wait less for each other.
        (GROUP_OF_PAIRS / threads).max(64 / limits.element_bytes)
    } else {
        // A good row, or as many columns as make a good work-group.
        let width = best_width(radix, limits).map_or(1, |(w, _)| w).max(limits.preferred_group / threads);
        let has_twiddles = columns.iter().any(|column| column.weight > 0);
        if limits.is_exact && has_twiddles && radix >= LONG_PRODUCTS {
            // Products are the limit, while rows fill sectors.
            width.min((limits.preferred_group / threads).max(SECTOR_BYTES / limits.element_bytes))
        } else {
            width
        }
    };
    let useful = columns.iter().map(|c| c.n).product::<usize>().next_power_of_two();
    wanted.min(by_threads).min(by_memory).min(useful).max(1)
}
