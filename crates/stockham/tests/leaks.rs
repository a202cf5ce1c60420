//! Ten thousand plans, made, run and dropped, leave nothing behind.
#![cfg(target_os = "linux")]

use stockham::accuracy::random;
use stockham::{Algebra, Complex32, Device, Goldilocks, Transform};

const PLANS: usize = 10_000;
/// How often at most they are made.
const ROUNDS: usize = 3;

/// What may stay of each plan, on average. On the CPU nothing does; the bound is the allocator's scatter. Other devices'
/// drivers keep a little of every program they build: PoCL's LLVM some hundred bytes of diagnostics. Whatever this
/// library could forget there, a program, a kernel, a queue or a table, is larger.
fn bytes_a_plan(device: &Device) -> usize {
    if device.info().id == "cpu" { 64 } else { 256 }
}

fn resident_bytes() -> usize {
    const PAGE: usize = 4096;
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux tells a process its size");
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("resident pages") * PAGE
}

fn devices() -> Vec<Device> {
    match std::env::var("STOCKHAM_TEST_DEVICE") {
        Ok(name) if !name.is_empty() => vec![Device::by_name(&name).expect("the device named by the environment")],
        _ => Device::list().found.iter().map(|info| Device::by_name(&info.id).expect("a device found")).collect(),
    }
}

/// Plans, a buffer and a run each; every tenth with a stream and a workspace of its own.
fn plan_and_drop(device: &Device, transforms: &[Transform], count: usize) {
    for i in 0..count {
        let transform = &transforms[i % transforms.len()];
        let executable = device.plan(transform).unwrap();
        match transform.algebra {
            Algebra::Goldilocks => {
                let mut data = device.upload(&random::<Goldilocks>(transform.input_len(), 1)).unwrap();
                executable.run_in_place(&mut data).unwrap();
            }
            _ => {
                let mut data = device.upload(&random::<Complex32>(transform.input_len(), 1)).unwrap();
                if i % 10 == 0 {
                    let mut runner = executable.runner().unwrap();
                    runner.run_in_place(&mut data).unwrap();
                    runner.stream().synchronize().unwrap();
                } else {
                    executable.run_in_place(&mut data).unwrap();
                }
            }
        }
    }
}

#[test]
fn plans_leave_nothing_behind() {
    a_leak_is_seen();
    for device in devices() {
        let transforms: Vec<Transform> = [16, 60, 256, 1024]
            .into_iter()
            .filter(|n: &usize| device.info().id == "cpu" || n.is_power_of_two())
            .flat_map(|n| [Transform::new(Algebra::ComplexF32, n), Transform::new(Algebra::Goldilocks, n)])
            .map(Transform::in_place)
            .collect();
        // The first rounds fill caches, pools and the allocator's arenas.
        plan_and_drop(&device, &transforms, PLANS / 5);
        // What is forgotten stays in every round; what the allocator's arenas scatter, in the first ones only.
        let limit = PLANS * bytes_a_plan(&device);
        let round = || {
            let before = resident_bytes();
            plan_and_drop(&device, &transforms, PLANS);
            resident_bytes().saturating_sub(before)
        };
        let mut least = usize::MAX;
        for _ in 0..ROUNDS {
            let grown = round();
            println!("{}: {grown} bytes for {PLANS} plans", device.info().id);
            least = least.min(grown);
            if least <= limit {
                break;
            }
        }
        assert!(least <= limit, "{}: {least} bytes stayed after {PLANS} plans", device.info().id);
    }
}

/// Before anything else has run, so that no memory is there that was given back and is used again.
fn a_leak_is_seen() {
    let before = resident_bytes();
    for i in 0..PLANS {
        // Where nobody looks, the compiler would leave the allocation out.
        std::mem::forget(std::hint::black_box(vec![i as u8 | 1; 1 << 10]));
    }
    assert!(resident_bytes().saturating_sub(before) > PLANS * bytes_a_plan(&Device::cpu()), "the measurement is blind");
}
