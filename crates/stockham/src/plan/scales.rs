//! The factors of a recipe's passes follow from its transform's normalisation: the last pass has the whole factor.

use crate::algebra::Scale;
use crate::error::{Error, Result};

use super::recipe::Recipe;

impl Recipe {
    /// Checks that the passes multiply by what the transform asks for. Kernels have the factor of the last pass of a launch
    /// in their tables, so that it stands nowhere else.
    pub(super) fn check_scales(&self) -> Result<()> {
        let last = self.passes().len().saturating_sub(1);
        for (number, pass) in self.passes().iter().enumerate() {
            let expected = if number == last { self.transform.scale() } else { Scale::One };
            if pass.scale != expected {
                return Err(Error::InvalidTransform(format!(
                    "pass {number} of {} multiplies by {:?}, where {expected:?} belongs",
                    last + 1,
                    pass.scale
                )));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::{Algebra, BigPrime, PrimeField};
    use crate::device_info::{Backend, DeviceInfo};
    use crate::plan::{Choice, Method, plan};
    use crate::transform::{Normalization, Transform};

    fn device() -> DeviceInfo {
        DeviceInfo {
            id: "any".into(),
            backend: Backend::Cuda,
            name: "any".into(),
            driver: String::new(),
            memory_bytes: 1 << 36,
            max_allocation_bytes: 1 << 36,
            max_group: 1024,
            local_bytes: 227 << 10,
            simd_width: 32,
            compute_units: 2,
            registers: Some(65536),
            has_f64: true,
            compute_capability: Some((9, 0)),
            max_cluster: Some(16),
        }
    }

    /// One pass, passes through memory, a cluster, a ring; and algebras that keep the factor in a table.
    fn recipes() -> Vec<Recipe> {
        let choices =
            [(4, "2x4x4.4"), (6, "2x4x4.2/2x4x4/4x2x2"), (6, "c2/4x4x4.2/4x4x4.2"), (8, "r/8x4x4.4a/8x4x4.4a")];
        let chosen = choices.into_iter().map(|(log, choice)| {
            let transform = Transform::new(Algebra::ComplexF32, 1 << log).batch(3);
            choice.parse::<Choice>().unwrap().realise(&transform.inverse(), &device()).unwrap()
        });
        let normalizations = [Normalization::Ortho, Normalization::Forward, Normalization::None];
        let complex = normalizations.map(|norm| Transform::new(Algebra::ComplexF64, 1 << 15).normalization(norm));
        let field = PrimeField::named().next().unwrap();
        let fields = [Algebra::Goldilocks, Algebra::BigPrime(BigPrime::P3), Algebra::PrimeField(field)];
        let fields = fields.map(|algebra| Transform::new(algebra, 1 << 12).inverse());
        chosen.chain(complex.into_iter().chain(fields).map(|t| plan(&t, &device()).unwrap())).collect()
    }

    /// As in a file that was edited by hand.
    #[test]
    fn other_factors_are_refused() {
        let scales =
            [r#""One""#, r#"{"Inverse":0}"#, r#"{"Inverse":3}"#, r#"{"Inverse":8192}"#, r#"{"InverseSqrt":16}"#];
        for recipe in recipes() {
            recipe.check(&device()).unwrap();
            for number in 0..recipe.passes().len() {
                for scale in scales {
                    let mut document = serde_json::to_value(&recipe).unwrap();
                    let place = document.pointer_mut(&format!("/method/Passes/{number}/scale")).unwrap();
                    *place = serde_json::from_str(scale).unwrap();
                    let changed: Recipe = serde_json::from_value(document).unwrap();
                    let result = changed.check(&device());
                    match changed == recipe {
                        true => assert_eq!(result, Ok(())),
                        false => assert!(matches!(result, Err(Error::InvalidTransform(_))), "{scale}: {changed}"),
                    }
                }
            }
        }
    }

    #[test]
    fn a_factor_stands_in_the_last_pass() {
        let recipe = recipes().swap_remove(1);
        let mut moved = recipe.clone();
        let Method::Passes(passes) = &mut moved.method else { unreachable!("a choice makes passes") };
        let last = passes.len() - 1;
        (passes[0].scale, passes[last].scale) = (passes[last].scale, passes[0].scale);
        assert!(matches!(moved.check(&device()), Err(Error::InvalidTransform(_))), "{moved}");
        let turned =
            Recipe { transform: Transform { direction: crate::Direction::Forward, ..recipe.transform }, ..recipe };
        assert!(matches!(turned.check(&device()), Err(Error::InvalidTransform(_))), "{turned}");
    }
}
