//! Two passes in one launch, through a ring in memory that is so short that it stays in the device's second-level cache.
//!
//! The work-groups of the launch are as many as the device holds side by side, in crews. A crew takes one transform of the
//! batch after another, each of its work-groups a tile of each pass. In turn it does the first pass of a transform and the
//! second of the transform before, so that none waits for the others at once: what a crew has stored is told by a count
//! in memory, and looked at when the next tile is to be fetched, a tile's time later. So a transform crosses device memory
//! once each way, and what is between its passes is in one of two slots that the crew has of the ring.
//!
//! A near ring has but one slot, on the side of the cache on which the crew is, and is cut up into blocks, one for each pair
//! of work-groups: each stores its blocks where it has fetched those of the transform before. The one for itself may stay in
//! its local memory.

use crate::algebra::Algebra;
use crate::device_info::DeviceInfo;
use crate::error::{Error, Result};
use crate::transform::{Side, Transform};

use super::super::choice::{Loading, PassChoice};
use super::super::cost::Limits;
use super::super::finish;
use super::super::planner;
use super::super::recipe::{Method, Pass, Place, Recipe};
use super::boxes::{Array, UNIT_BYTES};
use super::crews::{MOST_PIECES, Pieces, Ring, SMALL_CREW, Sharing, points_of};

/// Bytes of local memory that a work-group takes of its unit beside what it asks for.
const RESERVED_BYTES: usize = 1 << 10;

/// Bytes of elements at least that work-groups keep.
const LEAST_KEPT_BYTES: usize = 16;

/// Threads and work-groups that a unit of every device with bulk copies has room for.
const MOST_THREADS: usize = 1 << 10;
const MOST_GROUPS: usize = 16;

/// The recipe that follows from a choice for each of two passes.
pub(super) fn realise(
    transform: &Transform,
    device: &DeviceInfo,
    choices: &[PassChoice],
    is_near: bool,
) -> Result<Recipe> {
    if !device.has_bulk_copies() {
        return Err(Error::unsupported(format!("a ring on {}", device.id), "the device has no bulk copies"));
    }
    let limits = Limits::of(device, transform.algebra);
    let loadings: Vec<Loading> = choices.iter().map(|choice| choice.loading).collect();
    let loads = transform.half_side() == Some(Side::Input);
    let fits = match loadings[..] {
        [Loading::Direct, Loading::Ahead] => loads,
        [Loading::Ahead, Loading::Ahead | Loading::Early] => !loads,
        _ => false,
    };
    if !fits {
        let choices: Vec<String> = choices.iter().map(ToString::to_string).collect();
        let choices = choices.join("/");
        return Err(unfit(format!(
            "a ring is between two passes that fetch ahead, of which the second may fetch early, or from half spectra one that does \
             not and one that fetches ahead, and the choice is {choices}"
        )));
    }
    let mut recipe = planner::realise(transform, &limits, choices, Place::Ring);
    let Method::Passes(passes) = &mut recipe.method else { unreachable!("a choice makes passes") };
    let [first, second] = &mut passes[..] else { unreachable!("a pass for each choice") };
    if choices[1].loading == Loading::Early {
        split(second, &limits);
    }
    let crew = first.groups() / transform.batch_count();
    let most = side_by_side([first, second], transform, device, 0);
    let crews = (most / crew.max(1)).min(transform.batch_count());
    // Of f32, with as many rows a thread as registers take, there is no register for the numbers that crews draw.
    let sharing = match transform.algebra {
        Algebra::ComplexF64 => Sharing::Drawn,
        _ if is_near && most >= device.compute_units.saturating_mul(2) => Sharing::ByAge,
        _ => Sharing::Even,
    };
    // Elements of 8 bytes take twice as many instructions for as much that stays.
    let keeps = is_near && crew <= SMALL_CREW && limits.element_bytes >= LEAST_KEPT_BYTES;
    let mut ring = Ring { crew, crews, near: is_near.then_some(most), keeps, sharing, loads };
    // Not at the price of work-groups.
    let kept = ring.pieces(transform).map_or(0, |pieces| pieces.kept()) * limits.element_bytes;
    ring.keeps &= side_by_side([first, second], transform, device, kept) == most;
    if ring.crews == 0 {
        return Err(unfit(format!("a crew of {crew} work-groups, where {} has room for {most}", device.id)));
    }
    recipe.ring = Some(ring);
    recipe.workspace_len = ring.workspace_len(transform);
    recipe.check(device)?;
    Ok(recipe)
}

/// Lets the exchanges of the second pass go in rounds, and leaves to the next tile what of local memory they do not use.
fn split(pass: &mut Pass, limits: &Limits) {
    let Some(rounds) = limits.rounds().find(|rounds| rounds.count(limits.components) > 1) else { return };
    finish::lay_out_in(pass, rounds, limits);
    pass.hopper.early = early_points(pass, limits.components);
}

/// All points of a tile but those of as much local memory as a round of its exchanges takes.
fn early_points(pass: &Pass, components: usize) -> usize {
    pass.tile_points() - pass.tile_points() / pass.tile.rounds.count(components)
}

/// How many work-groups that do both passes, and keep so many bytes of local memory beside them, the device has room for.
fn side_by_side(passes: [&Pass; 2], transform: &Transform, device: &DeviceInfo, kept: usize) -> usize {
    let most = |of: &dyn Fn(&Pass) -> usize| passes.into_iter().map(of).max().unwrap_or(0).max(1);
    let fetched = most(&|pass| pass.ahead_bytes(transform.algebra.element_bytes()));
    let local = most(&|pass| pass.tile_bytes(transform.algebra)) + fetched + kept + RESERVED_BYTES;
    let by_memory = device.local_bytes.saturating_add(RESERVED_BYTES) / local;
    let by_registers = device.registers.map_or(usize::MAX, |all| all / most(&Pass::registers));
    let by_threads = MOST_THREADS / most(&Pass::threads);
    device.compute_units.saturating_mul(by_memory.min(by_registers).min(by_threads).min(MOST_GROUPS))
}

impl Recipe {
    /// The array whose boxes a pass fetches, where its tiles are not contiguous; what comes early is whole copies.
    pub(crate) fn boxes(&self, pass: &Pass) -> Option<Array> {
        let mut array = pass.boxes()?;
        let early = self.passes().iter().map(|pass| pass.hopper.early).max().unwrap_or(0);
        array.at_once = array.at_once.min(pass.radix - early / pass.tile.columns);
        Some(array)
    }

    pub(super) fn check_ring(&self) -> Result<()> {
        let Some(ring) = self.ring else {
            let is_single = self.passes().len() < 2;
            let needs_ring = |pass: &Pass| {
                (pass.hopper.ahead && !is_single)
                    || pass.hopper.early > 0
                    || [pass.source, pass.target].contains(&Place::Ring)
            };
            let fits = !self.passes().iter().any(needs_ring);
            return if fits { Ok(()) } else { Err(unfit("two passes that fetch ahead make a ring".into())) };
        };
        let Ring { crew, crews, near, keeps, sharing, loads } = ring;
        let batch = self.transform.batch_count();
        let goes = |pass: &Pass, places| {
            (pass.source, pass.target) == places
                && pass.hopper.ahead != (loads && pass.source == Place::Input)
                && pass.hopper.share.is_none()
                && pass.columns.first().is_some_and(|column| column.n.checked_div(pass.tile.columns) == Some(crew))
                && pass.groups() == crew.saturating_mul(batch)
        };
        let [first, second] = self.passes() else { return Err(unfit("a ring is between two passes".into())) };
        let fits = goes(first, (Place::Input, Place::Ring))
            && goes(second, (Place::Ring, Place::Output))
            && if loads { first.has_images() } else { first.boxes().is_some() }
            && second.has_contiguous_tiles()
            && first.threads() == second.threads()
            && is_split([first, second], self.transform.algebra)
            && first.radix.checked_mul(second.radix) == Some(points_of(&self.transform))
            && (!second.has_images() || first.tile.per_thread >= 2)
            && (1..=batch).contains(&crews)
            && (near.is_some() || !keeps && sharing != Sharing::ByAge)
            && near.is_none_or(|groups| crew.checked_mul(crews).is_some_and(|all| all <= groups))
            && ring
                .pieces(&self.transform)
                .is_none_or(|pieces| makes_pieces([first, second], pieces, self.transform.algebra));
        if fits && self.workspace_len >= ring.workspace_len(&self.transform) {
            return Ok(());
        }
        Err(unfit(format!(
            "{crews} crews of {crew} work-groups take a batch of transforms, each of them a tile of both passes, which fetch \
             ahead and have work-groups of one size"
        )))
    }
}

/// Whether nothing comes early in the first pass, and in the second nothing or what its exchanges leave room for, in whole rows
/// of the first pass's tile.
fn is_split([first, second]: [&Pass; 2], algebra: Algebra) -> bool {
    let early = second.hopper.early;
    let is_room = early == early_points(second, algebra.layout().1) && !second.tile.exchanges.is_empty();
    first.hopper.early == 0 && (early == 0 || is_room) && early.is_multiple_of(first.tile.columns.max(1))
}

/// Whether a work-group has as many rows of its columns for each of its crew, and gets as many from each; and pieces are
/// some of these rows, and can be copied.
fn makes_pieces([first, second]: [&Pass; 2], pieces: Pieces, algebra: Algebra) -> bool {
    let Pieces { crew, piece, .. } = pieces;
    piece > 0
        && (piece * algebra.element_bytes()).is_multiple_of(UNIT_BYTES)
        && piece.is_multiple_of(first.tile.columns)
        && pieces.count() <= MOST_PIECES
        && second.radix / first.tile.columns == crew
        && first.radix / second.tile.columns == crew
        && [first, second].iter().all(|pass| pass.tile.per_thread.is_multiple_of(pieces.landings()))
}

fn unfit(why: String) -> Error {
    Error::InvalidTransform(why)
}
