//! What the planner owes to every algebra, without a device.

use stockham::plan::{Recipe, plan};
use stockham::{Algebra, Backend, BigPrime, DeviceInfo, Transform};

/// An H200, as its CUDA driver describes it.
pub fn h200() -> DeviceInfo {
    DeviceInfo {
        id: "cuda:0".into(),
        backend: Backend::Cuda,
        name: "NVIDIA H200".into(),
        driver: String::new(),
        memory_bytes: 141 << 30,
        max_allocation_bytes: 141 << 30,
        max_group: 1024,
        local_bytes: 227 << 10,
        simd_width: 32,
        compute_units: 132,
        registers: Some(65536),
        has_f64: true,
        compute_capability: Some((9, 0)),
        max_cluster: Some(16),
    }
}

fn recipe(prime: BigPrime, n: usize) -> Recipe {
    plan(&Transform::new(Algebra::BigPrime(prime), n), &h200()).unwrap()
}

/// Blocks of stages in all passes: but for the first, each costs up to n products.
fn blocks(recipe: &Recipe, prime: BigPrime) -> usize {
    let of_pass = |pass: &stockham::plan::Pass| {
        (0..pass.tile.stages.len()).filter(|&s| pass.block(s, prime.base_order()).first == s).count()
    };
    recipe.passes().iter().map(of_pass).sum()
}

#[test]
fn base_cases_take_one_pass_without_products() {
    let mut seen = 0;
    for (name, prime) in BigPrime::NAMED {
        let order = prime.base_order();
        if order <= 128 {
            let recipe = recipe(prime, order);
            assert_eq!((recipe.passes().len(), blocks(&recipe, prime)), (1, 1), "{name}, n = {order}");
            seen += 1;
        }
    }
    assert!(seen >= 15, "{seen}");
}

/// (e − 1)·n products for n ≤ K^e, at the lengths that the library is measured at.
#[test]
fn long_transforms_take_as_few_blocks_as_there_can_be() {
    for (prime, log) in [(BigPrime::P3, 20), (BigPrime::P3, 24), (BigPrime::P4, 20), (BigPrime::G32, 20)] {
        let least = u32::div_ceil(log, prime.base_order().ilog2()) as usize;
        assert_eq!(blocks(&recipe(prime, 1 << log), prime), least, "{prime}, n = 2^{log}");
    }
}
