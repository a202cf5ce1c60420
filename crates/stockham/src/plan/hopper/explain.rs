//! What `explain` says of launches that passes share.

use std::fmt;

use crate::algebra::Algebra;

use super::super::explain::{binary, product};
use super::super::recipe::{Pass, Recipe};
use super::{Cluster, Ring, SLOTS, Sharing};

/// Which clusters a pass shares with the one before.
pub(in crate::plan) fn launch_line(f: &mut fmt::Formatter<'_>, pass: &Pass) -> fmt::Result {
    let Some(Cluster { blocks, .. }) = pass.hopper.cluster else { return Ok(()) };
    let wide =
        if pass.wide() > 1 { format!(", {} neighbouring columns at a time", pass.wide()) } else { String::new() };
    writeln!(f, "  in the same launch as the pass before, by clusters of {blocks} work-groups{wide}")
}

/// What a pass fetches ahead.
pub(in crate::plan) fn ahead_line(f: &mut fmt::Formatter<'_>, pass: &Pass, algebra: Algebra) -> fmt::Result {
    if !pass.hopper.ahead {
        return Ok(());
    }
    let element = algebra.element_bytes();
    let early = match pass.hopper.early {
        0 => String::new(),
        points => format!(", {} of it before the exchange is over", binary(product([points, element]))),
    };
    let bytes = binary(product([pass.tile_points(), element]));
    writeln!(f, "  work-groups stay, and fetch the next {bytes} while they compute{early}")
}

/// The ring of two passes.
pub(in crate::plan) fn ring_line(f: &mut fmt::Formatter<'_>, recipe: &Recipe) -> fmt::Result {
    let Some(Ring { crew, crews, near, keeps, sharing, .. }) = recipe.ring else { return Ok(()) };
    let (n, element) = (recipe.points(), recipe.transform.algebra.element_bytes());
    let (slots, side) = if near.is_some() { (1, " near to them") } else { (SLOTS, "") };
    let slots = binary(product([crews, slots, n, element]));
    let sharing = match sharing {
        Sharing::Even => "",
        Sharing::ByAge => " that share by age",
        Sharing::Drawn => " that draw transforms",
    };
    let keeping = if keeps { ", but what each has for itself" } else { "" };
    writeln!(
        f,
        "one launch for both, {crews} crews of {crew} work-groups{sharing}, through a ring of {slots}{side}{keeping}"
    )
}
