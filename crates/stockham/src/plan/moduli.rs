//! Transforms over several fields of one word in the same launches: the outermost batch dimension goes through a list of primes,
//! whose constants and roots kernels look up.
//!
//! A work-group's tile lies within one entry of that dimension, so that all its threads ask for the same constants.

use crate::algebra::WordField;
use crate::device_info::DeviceInfo;
use crate::error::{Error, Result};
use crate::transform::Transform;

use super::choice::{Loading, PassChoice};
use super::cost::Limits;
use super::planner;
use super::recipe::{Lanes, Method, Pass, Place, Recipe};
use super::shape;

/// The recipe for a transform over each field of a list, on a device that compiles kernels. In the buffers they follow each
/// other.
///
/// # Errors
/// [`Error::InvalidTransform`] if the fields are none, or of different words; [`Error::Unsupported`] as [`plan`](super::plan).
pub fn plan_over(of_one: &Transform, fields: &[WordField], device: &DeviceInfo) -> Result<Recipe> {
    // The arithmetic has room for the largest prime, and words are all of one size.
    let Some(widest) = fields.iter().max_by_key(|field| field.modulus()) else {
        return Err(Error::InvalidTransform("a list of fields has at least one".into()));
    };
    let transform = Transform { algebra: (*widest).into(), ..of_one.clone() }.repeated(fields.len());
    shape::check_line(&transform, device)?;
    if !transform.points().is_power_of_two() {
        let what = format!("{} points over a list of fields", transform.points());
        return Err(Error::unsupported(what, "kernels look up roots of powers of two"));
    }
    let limits = Limits::of(device, transform.algebra);
    let n = transform.points();
    let (choice, _) = planner::through_memory(&transform, n, usize::MAX, device, limits.clone())?;
    let within = |choice: PassChoice| {
        let columns = n / choice.radix().unwrap_or(1) * of_one.batch_count();
        let columns = std::iter::successors(Some(choice.columns), |columns| Some(columns / 2))
            .find(|of_tile| *of_tile <= 1 || columns.is_multiple_of(*of_tile));
        PassChoice { columns: columns.unwrap_or(1).max(1), loading: Loading::Direct, ..choice }
    };
    let passes: Vec<PassChoice> = choice.passes.into_iter().map(within).collect();
    let recipe = planner::realise(&transform, &limits, &passes, Place::Workspace);
    let recipe = Recipe { moduli: fields.to_vec(), ..recipe };
    recipe.check(device)?;
    Ok(recipe)
}

impl Recipe {
    /// Work-groups of a pass that have the same field; nothing if there is but one field, which kernels know.
    pub(crate) fn groups_of_modulus(&self, pass: &Pass) -> Option<usize> {
        let columns = pass.column_count().checked_div(self.moduli.len())?;
        columns.checked_div(pass.counted_in_tile())
    }

    /// Checks that each tile is over one field of the list, and that kernels ask for nothing of the fields that is not there.
    pub(super) fn check_moduli(&self) -> Result<()> {
        let Some(first) = self.moduli.first() else { return Ok(()) };
        let invalid = |reason: &str| Err(Error::InvalidTransform(reason.into()));
        if self.moduli.iter().any(|field| field.word() != first.word()) {
            return invalid("fields of a list have elements of one word, all of 32 bits or all of 64");
        }
        let largest = self.moduli.iter().max_by_key(|field| field.modulus()).copied();
        if largest.map(Into::into) != Some(self.transform.algebra) {
            return invalid("a transform over a list of fields names the one of the largest prime");
        }
        for &field in &self.moduli {
            Transform { algebra: field.into(), ..self.transform.clone() }.validate()?;
        }
        let is_plain = |pass: &Pass| {
            let direct = ![pass.tile.load, pass.tile.store].contains(&Lanes::Flat) && pass.hopper.is_none();
            let within = pass.columns.last().is_some_and(|column| column.n == self.moduli.len());
            let of_field = pass.column_count() / self.moduli.len();
            direct && within && pass.counted_in_tile() > 0 && of_field.is_multiple_of(pass.counted_in_tile())
        };
        let by_passes =
            matches!(self.method, Method::Passes(_)) && self.ring.is_none() && self.transform.domain.circle.is_none();
        if by_passes && self.passes().iter().all(is_plain) {
            return Ok(());
        }
        invalid("tiles of a transform over a list of fields are within the entries of one of them, in plain passes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Algebra;
    use crate::plan::shape::tests::gpu;

    fn fields(texts: &[&str]) -> Vec<WordField> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn tiles_are_within_one_field() {
        let fields = fields(&["babybear", "koalabear", "998244353"]);
        for (n, batch) in [(1, 1), (2, 3), (16, 5), (16, 64), (1 << 12, 1), (1 << 16, 3)] {
            let one = Transform::new(fields[0].into(), n).batch(batch).negacyclic().in_place();
            let recipe = plan_over(&one, &fields, &gpu()).unwrap();
            let groups = |pass: &Pass| recipe.groups_of_modulus(pass).unwrap() * fields.len();
            assert!(recipe.passes().iter().all(|pass| groups(pass) == pass.groups()), "{recipe:#?}");
        }
    }

    #[test]
    fn recipes_by_hand_are_of_fields_alike() {
        let (fields, one) = (fields(&["babybear", "koalabear"]), Transform::new(Algebra::Goldilocks, 16).batch(3));
        let recipe = plan_over(&one, &fields, &gpu()).unwrap();
        recipe.check(&gpu()).unwrap();
        let changed = |change: &dyn Fn(&mut Recipe)| {
            let mut recipe = recipe.clone();
            change(&mut recipe);
            recipe.check(&gpu())
        };
        let wide = "0x3fffffee00000001".parse::<WordField>().unwrap();
        let changes: [&dyn Fn(&mut Recipe); 4] = [
            &|recipe| recipe.moduli[0] = wide,
            // The largest prime is koalabear's.
            &|recipe| recipe.transform.algebra = fields[0].into(),
            &|recipe| recipe.moduli.push(fields[0]),
            &|recipe| {
                if let Method::Passes(passes) = &mut recipe.method {
                    passes[0].tile.columns = 2;
                }
            },
        ];
        for change in changes {
            assert!(matches!(changed(change), Err(Error::InvalidTransform(_))));
        }
        assert!(matches!(plan_over(&one, &[], &gpu()), Err(Error::InvalidTransform(_))));
        assert!(matches!(plan_over(&one, &[fields[0], wide], &gpu()), Err(Error::InvalidTransform(_))));
    }
}
