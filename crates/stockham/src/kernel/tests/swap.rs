//! Stages of radix 2 whose rows neighbouring threads give each other.

use num_complex::Complex;

use super::cluster::{check_recipe, hopper};
use super::{Bits, elements, expected, words};
use crate::algebra::Algebra;
use crate::error::Error;
use crate::kernel::interpret::{Global, run};
use crate::kernel::ir::Op;
use crate::kernel::{Tables, lower};
use crate::plan::{Choice, Method, Recipe, candidates, plan};
use crate::transform::{Dim, Transform};

fn realise(transform: &Transform, choice: &str) -> Result<Recipe, Error> {
    choice.parse::<Choice>().unwrap().realise(transform, &hopper(Some(16)))
}

/// Neighbours in columns, few and many, of short and of long passes.
const SHAPES: [(&str, usize); 6] = [
    ("c2/64x4x4.2/4x4x4.4.4.2", 1 << 10),
    ("c8/64x16x16.2/4x16x16.16.2", 1 << 14),
    ("c4/16x4x4.2/2x4x4.4.4", 1 << 9),
    ("c2/32x8x8.2/8x8x8.8", 1 << 10),
    ("c8/16x16x16.2/4x16x16.8", 1 << 12),
    ("c16/16x32x32.2/4x32x32.8", 1 << 14),
];

fn swaps(recipe: &Recipe) -> usize {
    recipe.passes().iter().filter(|pass| pass.hopper.swaps).count()
}

#[test]
fn every_shape_is_right() {
    for (choice, n) in SHAPES {
        let base = Transform::new(Algebra::ComplexF32, n);
        let layouts = [
            base.clone().batch(3),
            base.clone().in_place().batch(2).inverse(),
            base.clone().with_dims([Dim::new(n, 5)]).with_batch([Dim::new(5, 1)]),
        ];
        for layout in layouts {
            let recipe = realise(&layout, choice).unwrap();
            assert!(swaps(&recipe) > 0, "{choice} {layout:?}");
            check_recipe::<Complex<f32>>(&recipe);
        }
        check_recipe::<Complex<f64>>(&realise(&Transform::new(Algebra::ComplexF64, n).batch(3), choice).unwrap());
    }
}

#[test]
fn who_gives_to_whom_matters() {
    let transform = Transform::new(Algebra::ComplexF32, 1 << 9).batch(2);
    let recipe = realise(&transform, "c4/16x4x4.2/2x4x4.4.4").unwrap();
    let passes = recipe.passes();
    let input: Vec<Complex<f32>> = (0..transform.input_len()).map(Complex::sample).collect();
    let bytes: Vec<u8> =
        passes.iter().flat_map(|pass| Tables::bytes(pass, transform.direction, Algebra::ComplexF32)).collect();
    let table: Vec<Complex<f32>> = bytemuck::allocation::pod_collect_to_vec(&bytes);
    let attempt = |distance: u32| {
        let mut kernel = lower::kernel(&recipe, 0..2);
        let partners = kernel.values.iter_mut().filter_map(|(_, op)| match op {
            Op::Partner(_, distance) => Some(distance),
            _ => None,
        });
        // Half of the rows' components.
        assert_eq!(partners.map(|found| *found = distance).count(), 4);
        let mut target = vec![0; 2 * input.len()];
        let mut global = Global { source: words(&input), target: &mut target, table: &words(&table) };
        run(&kernel, &mut global, &[passes[0].column_count() as u64], passes[0].groups())?;
        Ok(Complex::close(&elements::<Complex<f32>>(&target), &expected(&transform, &input)))
    };
    assert_eq!(attempt(16), Ok(true));
    assert_eq!(attempt(1), Ok(false));
    let fault: Result<bool, String> = attempt(32);
    assert!(fault.as_ref().is_err_and(|fault| fault.contains("without a partner")), "{fault:?}");
}

#[test]
fn clusters_that_swap_are_worth_measuring() {
    let worth = |algebra, log: u32, choice: &str| {
        let transform = Transform::new(algebra, 1 << log).batch(1 << (26 - log));
        candidates(&transform, &hopper(Some(16))).contains(&choice.parse().unwrap())
    };
    for choice in ["c16/64x32x32.2/4x32x32.32", "c16x5/64x32x32.2/4x32x32.32", "c8/128x32x32.2/8x32x32.32"] {
        assert!(worth(Algebra::ComplexF32, 16, choice), "{choice}");
        assert!(!worth(Algebra::Goldilocks, 16, choice), "{choice}");
    }
    assert!(worth(Algebra::ComplexF32, 15, "c8/64x32x32.2/8x32x32.16"));
    assert!(worth(Algebra::ComplexF64, 16, "c16/64x32x32.2/4x32x32.32"));
}

/// In passes alone, in the second of a cluster, in other orders of stages, over other numbers and in work-groups that are no whole
/// warps, rows go through local memory.
#[test]
fn others_do_not_swap() {
    let swaps_of = |algebra, n: usize, choice| swaps(&realise(&Transform::new(algebra, n).batch(4), choice).unwrap());
    assert_eq!(swaps_of(Algebra::ComplexF32, 1 << 9, "c4/16x4x4.2/2x4x4.4.4"), 1);
    for (algebra, n, choice) in [
        (Algebra::ComplexF32, 1 << 7, "2x8x8.8.2"),
        (Algebra::ComplexF32, 1 << 8, "16x8x8.2/8x8x8.2"),
        (Algebra::ComplexF32, 1 << 9, "c4/16x4x2.4/2x4x4.4.4"),
        (Algebra::ComplexF32, 1 << 9, "c4/2x4x4.4.4/16x4x4.2"),
        (Algebra::ComplexF32, 1 << 8, "c4/8x4x4.2/2x4x4.4.2"),
        (Algebra::Goldilocks, 1 << 9, "c4/16x4x4.2/2x4x4.4.4"),
    ] {
        assert_eq!(swaps_of(algebra, n, choice), 0, "{choice}");
    }
    // Made by hand.
    let transform = Transform::new(Algebra::ComplexF32, 1 << 9).batch(4);
    let recipe = realise(&transform, "c4/16x4x4.2/2x4x4.4.4").unwrap();
    assert!(recipe.to_string().contains("stages 4·2, the last by swaps within warps"), "{recipe}");
    for algebra in [Algebra::Goldilocks, Algebra::ComplexF32] {
        let mut exact = plan(&Transform::new(algebra, 1 << 7), &hopper(None)).unwrap();
        let Method::Passes(passes) = &mut exact.method else { panic!("passes") };
        passes[0].hopper.swaps = true;
        passes[0].tile.exchanges.pop();
        assert!(matches!(exact.check(&hopper(None)), Err(Error::Unsupported { .. })));
    }
}
