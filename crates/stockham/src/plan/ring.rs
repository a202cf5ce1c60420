//! Two passes in one launch, through a ring in memory that is so short that it stays in the device's second-level cache.
//!
//! The work-groups of the launch are as many as the device holds side by side, in crews. A crew takes one share of the work
//! after another, each of its work-groups a tile of each pass. In turn it does the first pass of a share and the
//! second of the share before, so that none waits for the others at once: what a crew has stored is told by a count
//! in memory, and looked at when the next tile is to be fetched, a tile's time later. So a share crosses device memory
//! once each way, and what is between its passes is in one of two slots that the crew has of the ring.
//!
//! Where there are just the two passes, a share is a transform. Where one comes before them, in a launch of its own, what
//! is left to do are lines, R_0 of R_1·R_2 points, whose results lie R_0 apart. A share is some neighbouring ones then, so
//! many that rows of the output are as long as a transaction: lines k_0 of a share give the outputs k_0 + R_0·(k_1 + R_1·k_2),
//! which are neighbours. In the ring they lie k_0 by k_0 within k_1, which makes tiles of the last pass contiguous.

use crate::algebra::Algebra;
use crate::device_info::DeviceInfo;
use crate::error::{Error, Result};
use crate::transform::Transform;

use super::ahead::UNIT_BYTES;
use super::choice::{Loading, PassChoice};
use super::cost::Limits;
use super::crews::{MOST_PIECES, Ring};
use super::planner;
use super::recipe::{Column, Method, Pass, Place, Recipe, Twiddle};

/// Bytes of local memory that a work-group takes of its unit beside what it asks for.
const RESERVED_BYTES: usize = 1 << 10;

/// Threads and work-groups that a unit of every device with bulk copies has room for.
const MOST_THREADS: usize = 1 << 10;
const MOST_GROUPS: usize = 16;

/// Bytes of a row of the output where a share is some neighbouring lines.
const ROW_BYTES: usize = 128;

/// The recipe that follows from a choice for each of two passes, or of three, the last two of which go through a ring.
pub(super) fn realise(transform: &Transform, device: &DeviceInfo, choices: &[PassChoice]) -> Result<Recipe> {
    if !device.has_bulk_copies() {
        return Err(Error::unsupported(format!("a ring on {}", device.id), "the device has no bulk copies"));
    }
    let limits = Limits::of(device, transform.algebra);
    let is_ahead = |choice: &PassChoice| choice.loading == Loading::Ahead;
    let fits = match choices {
        [first, second] => is_ahead(first) && is_ahead(second),
        [before, first, second] => !is_ahead(before) && is_ahead(first) && is_ahead(second),
        _ => false,
    };
    if !fits {
        let choices: Vec<String> = choices.iter().map(ToString::to_string).collect();
        let choices = choices.join("/");
        return Err(unfit(format!(
            "a ring is between two passes that fetch ahead, the last of two or three, and the choice is {choices}"
        )));
    }
    let mut recipe = planner::realise(transform, &limits, choices);
    let Method::Passes(passes) = &mut recipe.method else { unreachable!("a choice makes passes") };
    let [before @ .., first, second] = &mut passes[..] else { unreachable!("a pass for each choice") };
    (first.target, second.source) = (Place::Ring, Place::Ring);
    let mut points = first.radix * second.radix;
    if let [before] = before {
        // The lines it leaves are transforms of their own, so the passes of the ring have little to multiply.
        before.columns[0].weight = 1;
        before.twiddle = Some(Twiddle { after: true, ..Twiddle::of(transform.points(), transform.algebra) });
        let row: usize = std::env::var("PROBE_ROW").ok().and_then(|v| v.parse().ok()).unwrap_or(ROW_BYTES);
        let lines = (row / limits.element_bytes).clamp(1, before.radix);
        take_lines([first, second], before.radix, lines, transform.algebra);
        points *= lines;
    }
    let (crew, shares) = (points / first.tile_points(), transform.points() / points * transform.batch_count());
    let most = side_by_side([first, second], transform, device);
    let ring = Ring { crew, crews: (most / crew.max(1)).min(shares), groups: most, points };
    if ring.crews == 0 {
        return Err(unfit(format!("a crew of {crew} work-groups, where {} has room for {most}", device.id)));
    }
    recipe.ring = Some(ring);
    recipe.workspace_len = recipe.len_before_ring() + ring.len_with_counts(transform.algebra);
    recipe.check(device)?;
    Ok(recipe)
}

/// Makes shares of so many of the lines that a pass before has left to two passes.
fn take_lines([first, second]: [&mut Pass; 2], all: usize, lines: usize, algebra: Algebra) {
    let line = first.radix * second.radix;
    let shares = Column { n: all / lines, input_stride: lines * line, output_stride: lines * line, weight: 0 };
    // Their first digits are what is inside the first pass's rows, and the line; and the line, and the first pass's digit.
    let of_first = Column { n: lines, output_stride: second.radix, weight: 0, ..first.columns[1] };
    first.columns.splice(1..2, [of_first, shares]);
    first.row_strides.1 = lines * second.radix;
    first.twiddle = None;
    let unit = second.columns[0].output_stride;
    let of_second = Column { n: lines, input_stride: second.radix, weight: 0, ..second.columns[0] };
    let rows = Column { input_stride: lines * second.radix, weight: 1, ..second.columns[1] };
    second.columns.splice(0..2, [of_second, rows, Column { output_stride: lines * unit, ..shares }]);
    second.twiddle = Some(Twiddle::of(line, algebra));
}

/// How many work-groups that do both passes the device has room for.
fn side_by_side(passes: [&Pass; 2], transform: &Transform, device: &DeviceInfo) -> usize {
    let most = |of: &dyn Fn(&Pass) -> usize| passes.into_iter().map(of).max().unwrap_or(0).max(1);
    let fetched = most(&|pass| pass.ahead_bytes(transform.algebra.element_bytes()));
    let local = most(&|pass| pass.tile_bytes(transform.algebra)) + fetched + RESERVED_BYTES;
    let by_memory = (device.local_bytes + RESERVED_BYTES) / local;
    let registers = most(&|pass| pass.tile.registers * pass.threads());
    let by_registers = device.registers.map_or(usize::MAX, |all| all / registers);
    let by_threads = MOST_THREADS / most(&Pass::threads);
    device.compute_units * by_memory.min(by_registers).min(by_threads).min(MOST_GROUPS)
}

impl Recipe {
    /// Elements of the workspace before the ring: what a pass before has made.
    pub(crate) fn len_before_ring(&self) -> usize {
        if self.passes().len() > 2 { self.transform.points() * self.transform.batch_count() } else { 0 }
    }

    pub(super) fn check_ring(&self) -> Result<()> {
        let Some(ring) = self.ring else {
            let is_between = |pass: &Pass| [pass.source, pass.target].contains(&Place::Ring);
            let fits = !self.passes().iter().any(is_between);
            return if fits { Ok(()) } else { Err(unfit("passes with a ring between them, and no crews".into())) };
        };
        let Ring { crew, crews, groups, points } = ring;
        let [before @ .., first, second] = self.passes() else {
            return Err(unfit("a ring is between two passes".into()));
        };
        let source = if before.is_empty() { Place::Input } else { Place::Workspace };
        let all = self.transform.points().saturating_mul(self.transform.batch_count());
        let needed = ring.len_with_counts(self.transform.algebra).saturating_add(self.len_before_ring());
        let is_shared = |pass: &Pass| {
            pass.tile.ahead
                && pass.tile.share.is_none()
                && pass.tile_points().checked_mul(crew) == Some(points)
                && pass.groups().checked_mul(pass.tile_points()) == Some(all)
        };
        let fits = before.len() <= 1
            && before
                .iter()
                .all(|pass| (pass.source, pass.target) == (Place::Input, Place::Workspace) && !pass.tile.ahead)
            && (first.source, first.target) == (source, Place::Ring)
            && (second.source, second.target) == (Place::Ring, Place::Output)
            && is_shared(first)
            && is_shared(second)
            && first.boxes().is_some()
            && first.fills_parts_of(points)
            && makes_blocks([first, second], ring, self.transform.algebra)
            && crews.checked_mul(crew).is_some_and(|all| all <= groups)
            && second.has_contiguous_tiles()
            && first.threads() == second.threads()
            && points > 0
            && (1..=all / points).contains(&crews)
            && self.chunk.is_none();
        if fits && self.workspace_len >= needed {
            return Ok(());
        }
        Err(unfit(format!(
            "{crews} crews of {crew} work-groups take shares of {points} points, each of them a tile of both passes, which fetch \
             ahead and have work-groups of one size"
        )))
    }
}

/// Whether a work-group has as many rows of its columns for each of its crew, and gets as many from each.
fn makes_blocks([first, second]: [&Pass; 2], ring: Ring, algebra: Algebra) -> bool {
    let Ring { crew, points, .. } = ring;
    let lines = points / (first.radix * second.radix).max(1);
    let piece = ring.piece(algebra);
    piece > 0
        && (piece * algebra.element_bytes()).is_multiple_of(UNIT_BYTES)
        && piece.is_multiple_of(first.tile.columns)
        && ring.tile() / piece <= MOST_PIECES
        && first.radix.is_multiple_of(crew)
        && second.radix.is_multiple_of(first.tile.columns)
        && second.radix / first.tile.columns * lines == crew
        && second.tile.columns == first.radix / crew * lines
}

impl Pass {
    /// Whether tiles, in their order, write one part of so many points of the target after the other.
    fn fills_parts_of(&self, points: usize) -> bool {
        let reach = |n: usize, stride: usize| n.saturating_sub(1).saturating_mul(stride);
        let (mut count, mut last) = (self.radix, reach(self.radix, self.row_strides.1));
        for column in &self.columns {
            if count < points {
                last = last.saturating_add(reach(column.n, column.output_stride));
            } else if column.n > 1 && column.output_stride != count {
                return false;
            }
            count = count.saturating_mul(column.n);
        }
        last < points
    }
}

fn unfit(why: String) -> Error {
    Error::InvalidTransform(why)
}
