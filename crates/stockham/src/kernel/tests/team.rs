//! Kernels of teams, whose threads have some digits of an element each.

use super::device;
use crate::algebra::{Algebra, BigPrime};
use crate::device_info::{Backend, DeviceInfo};
use crate::kernel::ir::{Memory, Stmt};
use crate::kernel::lower;
use crate::plan::plan;
use crate::transform::Transform;

#[test]
fn a_thread_touches_its_own_digits_only() {
    let usual = device(64 << 10, 1024, 32);
    let nvidia = DeviceInfo { backend: Backend::Cuda, compute_capability: Some((9, 0)), ..usual };
    for field in ["P5", "P6", "G64"] {
        let prime: BigPrime = field.parse().unwrap();
        let transform = Transform::new(Algebra::BigPrime(prime), 1 << 12);
        for transform in [transform.clone(), transform.inverse()] {
            let recipe = plan(&transform, &nvidia).unwrap();
            for launch in recipe.launches() {
                let kernel = lower::kernel(&recipe, launch);
                assert!(kernel.team > 1, "{field}");
                let mut touched = [false; 2];
                for stmt in &kernel.body {
                    let (memory, components, stores) = match stmt {
                        Stmt::Load { memory, components, .. } => (memory, components, 0),
                        Stmt::Store { memory, components, .. } => (memory, components, 1),
                        _ => continue,
                    };
                    if *memory != Memory::Tile {
                        assert_eq!(components.len() * kernel.team, prime.digits(), "{field} {}: {stmt:?}", kernel.name);
                        touched[stores] = true;
                    }
                }
                assert_eq!(touched, [true; 2], "{field} {}", kernel.name);
            }
        }
    }
}
