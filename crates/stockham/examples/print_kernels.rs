//! Writes the kernels of a sweep of sizes to a folder, for golden files and for compilers that run without a device.
//!
//! `cargo run --example print_kernels -- FOLDER cuda|opencl|opencl-nvidia ALGEBRA:LOG2N …`

use std::path::Path;

use stockham::kernel::{Dialect, texts};
use stockham::plan::plan;
use stockham::{Algebra, Backend, DeviceInfo, Transform};

/// An H200, as its CUDA and OpenCL drivers describe it.
fn h200(dialect: Dialect) -> DeviceInfo {
    let (backend, local_bytes) =
        if dialect == Dialect::Cuda { (Backend::Cuda, 227 << 10) } else { (Backend::Opencl, 48 << 10) };
    DeviceInfo {
        id: "h200".into(),
        backend,
        name: "NVIDIA H200".into(),
        driver: "none".into(),
        memory_bytes: 141 << 30,
        max_allocation_bytes: 141 << 30,
        max_group: 1024,
        local_bytes,
        simd_width: 32,
        compute_units: 132,
        registers: Some(65536),
        has_f64: true,
        compute_capability: Some((9, 0)),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, dialect, jobs @ ..] = &arguments[..] else { return Err("FOLDER DIALECT ALGEBRA:LOG2N ...".into()) };
    let (dialect, suffix) = match dialect.as_str() {
        "cuda" => (Dialect::Cuda, "cu"),
        "opencl" => (Dialect::OpenCl, "cl"),
        "opencl-nvidia" => (Dialect::OpenClNvidia, "cl"),
        other => return Err(format!("no dialect '{other}'").into()),
    };
    std::fs::create_dir_all(folder)?;
    for job in jobs {
        let (name, bits) = job.split_once(':').ok_or("a job is ALGEBRA:LOG2N")?;
        let algebra = [Algebra::ComplexF32, Algebra::ComplexF64, Algebra::Goldilocks]
            .into_iter()
            .find(|a| a.name() == name)
            .ok_or_else(|| format!("no algebra '{name}'"))?;
        let n = 1usize << bits.parse::<u32>()?;
        let recipe = plan(&Transform::new(algebra, n).batch(1 << 8), &h200(dialect))?;
        for text in texts(&recipe, dialect) {
            let file = format!("{name}-2^{bits}-{}.{suffix}", text.name);
            std::fs::write(Path::new(folder).join(file), text.source)?;
        }
    }
    Ok(())
}
