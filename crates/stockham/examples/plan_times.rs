//! Scratch.
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;
use stockham::plan::plan;
use stockham::{Algebra, Backend, DeviceInfo, Transform};

fn h100() -> DeviceInfo {
    DeviceInfo {
        id: "h200".into(),
        backend: Backend::Cuda,
        name: "NVIDIA H200".into(),
        driver: "none".into(),
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

fn main() {
    let device = h100();
    let mut lengths: Vec<usize> = (1..28).map(|e| 1 << e).collect();
    let mut state = 12345u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for _ in 0..120 {
        lengths.push(random(8192) + 2);
    }
    for _ in 0..60 {
        lengths.push(random(1_000_000) + 2);
    }
    while lengths.len() < 27 + 180 + 100 {
        let mut n = 1usize;
        let bound = 1usize << (8 + random(18));
        while n < bound {
            n *= [2, 3, 5, 7, 11, 13][random(6)];
        }
        lengths.push(n);
    }
    let mut times = Vec::new();
    let mut all = DefaultHasher::new();
    for algebra in [Algebra::ComplexF32, Algebra::ComplexF64] {
        for &n in lengths.iter().filter(|n| std::env::args().nth(1).is_none_or(|a| a == n.to_string())) {
            let transform = Transform::new(algebra, n).batch(((1 << 27) / n).max(1));
            let mut first = 0.0;
            let mut text = String::new();
            for _ in 0..1 {
                let start = Instant::now();
                let recipe = plan(&transform, &device);
                first = start.elapsed().as_secs_f64();
                text = format!("{:?}", recipe.map_err(|e| e.to_string()));
            }
            text.hash(&mut all);
            times.push((first * 1e3, n, algebra));
        }
    }
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!(
        "{} plans, {} over 2 ms, sum {:.1} ms, hash {:x}",
        times.len(),
        times.iter().filter(|t| t.0 > 2.0).count(),
        times.iter().map(|t| t.0).sum::<f64>(),
        all.finish()
    );
    for (t, n, a) in times.iter().take(30) {
        println!("{t:8.2} ms {n} {}", a.name());
    }
}
