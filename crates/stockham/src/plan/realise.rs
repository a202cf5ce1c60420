//! From choices to the recipe that follows from them.

use crate::device_info::{Backend, DeviceInfo};
use crate::error::{Error, Result};
use crate::transform::{Kind, Transform};

use super::choice::{Choice, Clusters, Launches, Loading, PassChoice};
use super::recipe::{Place, Recipe};
use super::{cost, ends, hopper, long_chirp, plane, planner, shape};

impl Choice {
    /// The recipe for a transform on a device. Tiles are fetched ahead, and passes go through a ring, only where the
    /// transforms follow each other without gaps, and tiles are flat only where there is a single pass, too.
    ///
    /// # Errors
    /// [`Error::InvalidTransform`] if the choice is one for another length, or the device cannot hold its tiles;
    /// [`Error::Unsupported`] if the device does not execute the transform, or has no such clusters.
    pub fn realise(&self, transform: &Transform, device: &DeviceInfo) -> Result<Recipe> {
        shape::check_passes(transform, device)?;
        let mut passes = self.passes.clone();
        let is_line = transform.dims.len() == 1;
        let (is_packed, is_single) =
            (if is_line { planner::is_packed(transform) } else { plane::is_packed(transform) }, passes.len() == 1);
        let follow = is_packed
            || is_line && planner::is_alone(transform)
            || plane::is_plane(transform) && plane::is_packed(transform) && transform.kind == Kind::Dft;
        let points = passes.iter().try_fold(1usize, |points, choice| points.checked_mul(choice.radix()?));
        let in_pairs = points.is_some_and(|points| ends::pairs(transform) == Some(points));
        let follow = follow || in_pairs && ends::go_through_rings(transform);
        let is_ring = self.launches.is_ring() && follow;
        let has_stages = passes.iter().all(|pass| !pass.stages.is_empty());
        let is_possible = |loading| match loading {
            Loading::Direct => true,
            Loading::Flat => (is_packed || plane::is_array_of_pairs(transform)) && is_single && has_stages,
            Loading::Ahead if is_single => is_packed && is_line,
            Loading::Ahead | Loading::Early => is_ring,
        };
        // Rows that are zeros, or lie in another order, are loaded and stored by their threads.
        let is_plain = transform.domain.is_plain();
        let is_possible = |loading| is_possible(loading) && (is_plain || loading == Loading::Direct);
        let others = passes.iter_mut().filter(|pass| !is_possible(pass.loading));
        others.for_each(|pass| pass.loading = Loading::Direct);
        let by_chirp = match self.launches {
            Launches::Chirp => Some(long_chirp::realise_choices(transform, device, &passes)?),
            Launches::ChirpClusters(clusters) => Some(hopper::realise_chirp(transform, device, clusters, &passes)?),
            _ => None,
        };
        if let Some(recipe) = by_chirp {
            recipe.check(device)?;
            return Ok(recipe);
        }
        check_choices(transform, device, &passes)?;
        let shared = hopper::realise(transform, device, (self.launches, &passes), (in_pairs, follow));
        shared.unwrap_or_else(|| realise(transform, device, &passes))
    }
}

/// The recipe that follows from choices made by hand or by measuring, one a pass.
///
/// # Errors
/// [`Error::InvalidTransform`] if the stages' product is not the transform's length, a stage has no codelet or does not
/// divide the rows of a thread, or the device cannot hold such a tile; [`Error::Unsupported`] on the host, or if the device
/// does not execute the transform.
pub fn realise(transform: &Transform, device: &DeviceInfo, choices: &[PassChoice]) -> Result<Recipe> {
    check_choices(transform, device, choices)?;
    let recipe = planner::realise(transform, &cost::Limits::of(device, transform.algebra), choices, Place::Workspace);
    recipe.check(device)?;
    Ok(recipe)
}

/// The same for passes that go by twos in one launch, in clusters of so many work-groups: the columns of each pass are the
/// radix of the other, divided by `blocks`. Where there are four, they are that for each of some neighbouring columns of
/// both, as many times as wide.
///
/// # Errors
/// As [`realise`], and [`Error::Unsupported`] if the device has no such clusters.
pub fn realise_in_clusters(
    transform: &Transform,
    device: &DeviceInfo,
    blocks: usize,
    choices: &[PassChoice],
) -> Result<Recipe> {
    check_choices(transform, device, choices)?;
    if transform.kind != Kind::Dft {
        return Err(Error::unsupported("real numbers in clusters", "they go through memory"));
    }
    hopper::realise_clusters(transform, device, Clusters { blocks, side_by_side: None }, choices)
}

/// Threads of a work-group beyond those of all devices.
pub(super) const MOST_GROUP: usize = 1 << 14;

/// Checks what must hold before anything is computed from choices.
fn check_choices(transform: &Transform, device: &DeviceInfo, choices: &[PassChoice]) -> Result<()> {
    shape::check_passes(transform, device)?;
    if device.backend == Backend::Cpu {
        return Err(Error::unsupported(format!("a choice of passes on {}", device.id), "the host makes no passes"));
    }
    let product = choices.iter().try_fold(1usize, |product, choice| product.checked_mul(choice.radix()?));
    let (n, most) = (transform.inner_points(), device.max_group.min(MOST_GROUP));
    let sound = choices.iter().all(|choice| choice.is_sound(most));
    if choices.is_empty() || !product.is_some_and(|points| ends::makes(transform, points)) || !sound {
        let choices: Vec<String> = choices.iter().map(ToString::to_string).collect();
        return Err(Error::InvalidTransform(format!(
            "the choice {} does not make a transform of {n} points with work-groups of at most {most}",
            choices.join("/")
        )));
    }
    let limits = cost::Limits::of(device, transform.algebra);
    for (choice, count) in choices.iter().filter_map(|choice| Some((choice, choice.side_by_side?))) {
        let group = choice.columns * choice.product().unwrap_or(0).div_ceil(choice.per_thread);
        cost::room_beside(count, choice.most_rows(), group, &limits)?;
    }
    let radices = || choices.iter().map(|choice| choice.radix().unwrap_or(0));
    if transform.dims.len() > 1
        && choices.len() > 1
        && !plane::lengths(transform).is_some_and(|lengths| radices().eq(lengths))
    {
        return Err(Error::InvalidTransform("the passes of a plane are one for each dimension".into()));
    }
    Ok(())
}
