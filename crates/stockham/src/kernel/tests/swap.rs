//! Stages of radix 2 whose rows neighbouring threads give each other.

use num_complex::Complex;

use super::cluster::{check_recipe, hopper};
use super::{Bits, device, elements, expected, words};
use crate::algebra::Algebra;
use crate::device_info::DeviceInfo;
use crate::error::Error;
use crate::kernel::interpret::{Global, run};
use crate::kernel::ir::Op;
use crate::kernel::{Tables, lower};
use crate::plan::{Choice, Method, Recipe, candidates, plan};
use crate::transform::{Dim, Transform};

fn realise(transform: &Transform, choice: &str) -> Result<Recipe, Error> {
    choice.parse::<Choice>().unwrap().realise(transform, &hopper(Some(16)))
}

/// Neighbours in rows and in columns, in one pass and in several, and in clusters.
const SHAPES: [(&str, usize); 13] = [
    ("1x4x4.4.4.2", 1 << 7),
    ("2x8x8.8.2", 1 << 7),
    ("1x32x32.32.2", 1 << 11),
    ("8x8x8.8/4x8x8.8.2", 1 << 13),
    ("4x8x8.8.2/8x8x8.8", 1 << 13),
    ("16x4x4.2/8x4x4.2", 1 << 6),
    ("c2/64x8x8/4x8x8.8.2", 1 << 10),
    ("c8/64x16x16/2x16x16.16.2", 1 << 13),
    ("32x4x4.2/8x4x4.4.2", 1 << 8),
    ("c4/16x4x4.2/2x4x4.4.4", 1 << 9),
    ("c2/32x8x8.2/8x8x8.8", 1 << 10),
    ("c8/16x16x16.2/4x16x16.8", 1 << 12),
    ("c16/16x32x32.2/4x32x32.8", 1 << 14),
];

fn swaps(recipe: &Recipe) -> usize {
    recipe.passes().iter().filter(|pass| pass.tile.swaps).count()
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

/// Other exchanges may go in rounds, by component and in slices.
#[test]
fn swaps_go_with_rounds() {
    for (bytes, components, slices) in [(17 << 10, 2, 1), (9 << 10, 1, 1), (5 << 10, 1, 2)] {
        let device = DeviceInfo { local_bytes: bytes, ..hopper(None) };
        let choice: Choice = "1x32x32.32.2".parse().unwrap();
        let recipe = choice.realise(&Transform::new(Algebra::ComplexF32, 1 << 11).batch(2), &device).unwrap();
        let rounds = recipe.passes()[0].tile.rounds;
        assert_eq!((swaps(&recipe), rounds.planes.unwrap_or(2), rounds.slices), (1, components, slices));
        check_recipe::<Complex<f32>>(&recipe);
    }
}

#[test]
fn who_gives_to_whom_matters() {
    let transform = Transform::new(Algebra::ComplexF32, 1 << 7).batch(2);
    let recipe = realise(&transform, "2x8x8.8.2").unwrap();
    let input: Vec<Complex<f32>> = (0..transform.input_len()).map(Complex::sample).collect();
    let roots: Vec<_> = Tables::roots(&recipe.passes()[0], transform.direction, 1);
    let table: Vec<Complex<f32>> = bytemuck::allocation::pod_collect_to_vec(&Algebra::ComplexF32.root_bytes(&roots));
    let attempt = |distance: u32| {
        let mut kernel = lower::kernel(&recipe, 0..1);
        let partners = kernel.values.iter_mut().filter_map(|(_, op)| match op {
            Op::Partner(_, distance) => Some(distance),
            _ => None,
        });
        // Half of the rows' components.
        assert_eq!(partners.map(|found| *found = distance).count(), 8);
        let mut target = vec![0; 2 * input.len()];
        let mut global = Global { source: words(&input), target: &mut target, table: &words(&table) };
        run(&kernel, &mut global, &[2], 1)?;
        Ok(Complex::close(&elements::<Complex<f32>>(&target), &expected(&transform, &input)))
    };
    assert_eq!(attempt(1), Ok(true));
    assert_eq!(attempt(2), Ok(false));
    let fault: Result<bool, String> = attempt(32);
    assert!(fault.as_ref().is_err_and(|fault| fault.contains("without a partner")), "{fault:?}");
}

#[test]
fn clusters_that_swap_are_worth_measuring() {
    let worth = |algebra, log: u32, choice: &str| {
        let transform = Transform::new(algebra, 1 << log).batch(1 << (26 - log));
        candidates(&transform, &hopper(Some(16))).contains(&choice.parse().unwrap())
    };
    for choice in ["c16/64x32x32.2/4x32x32.32", "c8/128x32x32.2/8x32x32.32", "c8/256x32x32/4x32x32.32.2"] {
        assert!(worth(Algebra::ComplexF32, 16, choice), "{choice}");
        assert!(!worth(Algebra::Goldilocks, 16, choice), "{choice}");
    }
    assert!(worth(Algebra::ComplexF32, 17, "c16/128x32x32.2/4x32x32.32.2"));
    assert!(worth(Algebra::ComplexF64, 16, "c16/64x32x32.2/4x32x32.32"));
}

/// In other orders of stages, over other numbers, in work-groups that are no whole warps, and elsewhere, rows go through local
/// memory.
#[test]
fn others_do_not_swap() {
    let swaps_of = |algebra, n: usize, choice| swaps(&realise(&Transform::new(algebra, n).batch(4), choice).unwrap());
    assert_eq!(swaps_of(Algebra::ComplexF32, 1 << 7, "2x8x8.8.2"), 1);
    // Of two passes the second stores in another order than it loads, and has no other exchange between.
    assert_eq!(swaps_of(Algebra::ComplexF32, 1 << 8, "16x8x8.2/8x8x8.2"), 1);
    for (algebra, n, choice) in [
        (Algebra::ComplexF32, 1 << 7, "2x8x8.2.8"),
        (Algebra::ComplexF32, 1 << 7, "2x8x8.4.4"),
        (Algebra::ComplexF32, 1 << 7, "1x8x8.8.2"),
        (Algebra::ComplexF32, 1 << 7, "2x8x8.8.2f"),
        (Algebra::Goldilocks, 1 << 7, "2x8x8.8.2"),
    ] {
        assert_eq!(swaps_of(algebra, n, choice), 0, "{choice}");
    }
    let opencl = device(48 << 10, 256, 32);
    let choice: Choice = "2x8x8.8.2".parse().unwrap();
    let transform = Transform::new(Algebra::ComplexF32, 1 << 7).batch(4);
    assert_eq!(swaps(&choice.realise(&transform, &opencl).unwrap()), 0);
    // Made by hand.
    let recipe = realise(&transform, "2x8x8.8.2").unwrap();
    assert!(recipe.to_string().contains("stages 8·8·2, the last by swaps within warps"), "{recipe}");
    assert!(matches!(recipe.check(&opencl), Err(Error::Unsupported { .. })));
    let mut exact = plan(&Transform::new(Algebra::Goldilocks, 1 << 7), &hopper(None)).unwrap();
    let Method::Passes(passes) = &mut exact.method else { panic!("passes") };
    passes[0].tile.swaps = true;
    passes[0].tile.exchanges.pop();
    assert!(matches!(exact.check(&hopper(None)), Err(Error::Unsupported { .. })));
}
