//! What is left out of kernels over Goldilocks as they are written: arithmetic with zeros behind the elements that are given,
//! and shifts of shifts, which a compiler of CUDA gets wrong.

use super::cluster::hopper;
use super::{devices, interpreted_words, noise};
use crate::algebra::Algebra;
use crate::kernel::ir::{Kernel, Op};
use crate::kernel::lower;
use crate::plan::{Recipe, plan};
use crate::transform::{Dim, Transform};

/// How many functions of the algebra's own text are called with constants alone, and how many shift what was shifted.
fn calls_left_out(kernel: &Kernel) -> usize {
    let mut constant = vec![false; kernel.values.len()];
    let mut found = 0;
    let is_shift = |op: &Op| matches!(op, Op::Call(name, _) if name.starts_with("gl_shift"));
    for (i, (_, op)) in kernel.values.iter().enumerate() {
        constant[i] = match op {
            Op::Const(_) => true,
            Op::Call(_, operands) => operands.iter().all(|operand| constant[operand.0 as usize]),
            _ => false,
        };
        let Op::Call(name, operands) = op else { continue };
        found += usize::from(constant[i] && *name != "gl_widen");
        found += usize::from(is_shift(op) && is_shift(&kernel.values[operands[0].0 as usize].1));
    }
    found
}

fn check(recipe: &Recipe, given: usize, lines: usize) {
    let transform = &recipe.transform;
    for launch in recipe.launches() {
        assert_eq!(calls_left_out(&lower::kernel(recipe, launch)), 0, "{recipe}");
    }
    let input: Vec<u64> = (0..given * lines).map(|i| noise(i) >> 40).collect();
    let run = |recipe: &Recipe, input| {
        let output = vec![1; recipe.transform.output_len()];
        interpreted_words(recipe, input, output).unwrap_or_else(|fault| panic!("{fault}\n{recipe}"))
    };
    // Where the zeros are there.
    let mut whole = transform.clone();
    whole.domain.given = None;
    let whole = plan(&whole, &devices()[0]).unwrap();
    let mut padded = input.clone();
    padded.resize(transform.output_len(), 0);
    assert!(run(recipe, input) == run(&whole, padded), "{recipe}");
}

#[test]
fn nothing_is_computed_with_zeros_behind_the_input() {
    for device in devices().into_iter().chain([hopper(Some(16))]) {
        for (n, given, lines) in [(1 << 12, 1 << 9, 3), (1 << 9, 1 << 5, 7), (1 << 9, 1 << 8, 2)] {
            let transform = Transform::new(Algebra::Goldilocks, n);
            let mut transform = transform.with_dims([Dim::new(n, lines)]).with_batch([Dim::new(lines, 1)]);
            transform.domain.given = Some(given);
            check(&plan(&transform, &device).unwrap(), given, lines);
        }
    }
}

#[test]
fn no_shift_is_of_a_shift() {
    for device in devices().into_iter().chain([hopper(Some(16))]) {
        for n in (1..=13).map(|log| 1 << log).chain([48, 96, 255, 1020, 3 << 9]) {
            let forward = Transform::new(Algebra::Goldilocks, n).batch(3);
            for transform in [forward.clone(), forward.inverse()] {
                let recipe = plan(&transform, &device).unwrap();
                for launch in recipe.launches() {
                    assert_eq!(calls_left_out(&lower::kernel(&recipe, launch)), 0, "{recipe}");
                }
            }
        }
    }
}
