//! Kernels of convolutions with a chirp that take the length of a line as an argument.

use num_complex::Complex;

use super::cluster::{check_recipe, hopper};
use crate::algebra::Algebra;
use crate::kernel::{Dialect, texts};
use crate::plan::{Choice, Recipe};
use crate::transform::{Access, Dim, Expr, Normalization, Transform};

/// Choices in a tile, in several passes and in a cluster, and two lengths each that they serve alike.
const CLASSES: [(&str, [usize; 2]); 5] = [
    ("2x9x5.9bN", [22, 23]),
    ("1x16x16.16bN", [113, 127]),
    ("b/4x8x8/8x8x8/4x8x8", [29, 31]),
    ("b/4x4x4/4x4x4/2x4x4/4x4x4/4x4x4", [29, 32]),
    ("bc2/8x4x4.4/8x4x4.4/8x4x4.4", [113, 127]),
];

fn recipe(choice: &str, n: usize, transform: &Transform) -> Recipe {
    let choice = choice.replace('N', &n.to_string()).parse::<Choice>().unwrap();
    choice.realise(transform, &hopper(Some(16))).unwrap()
}

#[test]
fn kernels_serve_all_lengths_of_a_class() {
    for (choice, [first, last]) in CLASSES {
        let all = |n| {
            let forward = Transform::new(Algebra::ComplexF32, n);
            let scaled = forward.clone().inverse().normalization(Normalization::Ortho);
            [forward.clone(), forward.clone().batch(3), scaled.in_place().batch(5)]
        };
        let of = |n| all(n).map(|transform| recipe(choice, n, &transform));
        let [firsts, lasts] = [first, last].map(of);
        for (first, last) in firsts.iter().zip(&lasts) {
            assert_eq!(texts(first, Dialect::Cuda), texts(last, Dialect::Cuda), "{choice}");
            [first, last].into_iter().for_each(check_recipe::<Complex<f32>>);
        }
        // A length that is much shorter has rows that are never there.
        let [shorter, ..] = of(2 * first / 3);
        assert_ne!(texts(&shorter, Dialect::Cuda), texts(&firsts[0], Dialect::Cuda), "{choice}");
        check_recipe::<Complex<f32>>(&shorter);
    }
}

/// Where a kernel has the length in more than that, it is of one length.
#[test]
fn other_kernels_are_of_one_length() {
    let (choice, n) = ("1x16x16.16bN", 127);
    let plain = Transform::new(Algebra::ComplexF32, n);
    assert_eq!(recipe(choice, n, &plain.clone().batch(3)).lengths(), Some(113..=128));
    for other in [
        Transform::new(Algebra::Goldilocks, 120),
        plain.clone().with_dims([Dim::new(n, 3)]).with_batch([Dim::new(3, 1)]),
        plain.clone().with_batch([Dim::new(3, 128)]),
        Transform::real(Algebra::ComplexF32, n).batch(3),
        plain.clone().batch(3).with_load(Access::of(Expr::value() * Expr::value())),
    ] {
        let n = other.points();
        assert_eq!(recipe(choice, n, &other).lengths(), None, "{other:?}");
    }
}
