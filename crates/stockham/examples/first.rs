//! How long a process waits for its first transform: opening the device, planning, and the first run, in milliseconds.
//!
//! `first DEVICE complex-f32|complex-f64|goldilocks LOG2N`
//!
//! One process tells one time: run it with an empty `STOCKHAM_CACHE_DIR` for a cold cache, and again for a warm one.
//! NVIDIA's driver has a cache of its own for OpenCL, which `CUDA_CACHE_DISABLE=1` turns off.

use std::time::Instant;

use stockham::accuracy::{Measured, random};
use stockham::{Complex32, Complex64, Device, Goldilocks, Transform};

type Failure = Box<dyn std::error::Error>;

/// Milliseconds since the last lap.
struct Watch(Instant);

impl Watch {
    fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let lap = now - std::mem::replace(&mut self.0, now);
        lap.as_secs_f64() * 1e3
    }
}

fn first<T: Measured>(name: &str, n: usize) -> Result<(), Failure> {
    let host = random::<T>(n, 1);
    let mut watch = Watch(Instant::now());
    let device = Device::by_name(name)?;
    let open = watch.lap();
    let executable = device.plan(&Transform::new(T::ALGEBRA, n).in_place())?;
    let plan = watch.lap();
    let mut data = device.upload(&host)?;
    let upload = watch.lap();
    executable.run_in_place(&mut data)?;
    let first = watch.lap();
    executable.run_in_place(&mut data)?;
    let second = watch.lap();
    println!(
        "{name} {} n = {n}: open {open:.1} ms, plan {plan:.1} ms, upload {upload:.2} ms, first run {first:.3} ms, \
         second run {second:.3} ms",
        T::ALGEBRA.name()
    );
    Ok(())
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [device, algebra, bits] = &arguments[..] else { return Err("DEVICE ALGEBRA LOG2N".into()) };
    let n = 1usize.checked_shl(bits.parse()?).ok_or("LOG2N is too large")?;
    match algebra.as_str() {
        "complex-f32" => first::<Complex32>(device, n),
        "complex-f64" => first::<Complex64>(device, n),
        "goldilocks" => first::<Goldilocks>(device, n),
        other => Err(format!("no algebra '{other}'").into()),
    }
}
