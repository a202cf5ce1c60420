//! Devices, references and comparisons.

use stockham::accuracy::{Measured, errors, random};
use stockham::algebra::NumericRing;
use stockham::autosort::Autosort;
use stockham::{
    Algebra, Backend, Complex32, Complex64, Device, Direction, Goldilocks, Placement, Result, Transform, naive,
};

pub const DIRECTIONS: [Direction; 2] = [Direction::Forward, Direction::Inverse];

/// The device that the environment names, or all.
pub fn devices() -> Vec<Device> {
    match std::env::var("STOCKHAM_TEST_DEVICE") {
        Ok(name) if !name.is_empty() => vec![Device::by_name(&name).expect("the device named by the environment")],
        _ => Device::list().found.iter().map(|info| Device::by_name(&info.id).expect("a device found")).collect(),
    }
}

pub fn is_cpu(device: &Device) -> bool {
    device.info().backend == Backend::Cpu
}

/// Whether the device compiles so slowly that it takes a few cases only: an OpenCL device that is a CPU.
pub fn is_slow(device: &Device) -> bool {
    !is_cpu(device) && device.info().simd_width <= 1
}

/// Whether the device computes in this algebra at all.
pub fn computes(device: &Device, algebra: Algebra) -> bool {
    algebra != Algebra::ComplexF64 || device.info().has_f64
}

/// Which of many cases a test runs: the CPU takes all. Other devices compile each case for itself, so they take all in
/// one algebra and every third in the others, and different ones; slow ones take every eighth in each.
pub fn takes(device: &Device, algebra: Algebra, case: usize) -> bool {
    let turn = match algebra {
        Algebra::ComplexF32 if !is_slow(device) => return true,
        Algebra::ComplexF32 => 2,
        Algebra::ComplexF64 => 0,
        _ => 1,
    };
    is_cpu(device) || case % if is_slow(device) { 8 } else { 3 } == turn
}

/// Calls `$test::<T>(&device, …)` for every device and every algebra it computes in.
macro_rules! everywhere {
    ($test:ident $(, $argument:expr)*) => {
        for device in $crate::common::devices() {
            $test::<stockham::Complex32>(&device $(, $argument)*);
            $test::<stockham::Goldilocks>(&device $(, $argument)*);
            if $crate::common::computes(&device, stockham::Algebra::ComplexF64) {
                $test::<stockham::Complex64>(&device $(, $argument)*);
            }
        }
    };
}
pub(crate) use everywhere;

/// What a buffer is filled with before a run: no transform of random numbers gives it, and over ℂ it spreads.
pub trait Poison: Measured {
    fn poison() -> Self;
}
impl Poison for Complex32 {
    fn poison() -> Self {
        Self::new(f32::NAN, f32::NAN)
    }
}
impl Poison for Complex64 {
    fn poison() -> Self {
        Self::new(f64::NAN, f64::NAN)
    }
}
impl Poison for Goldilocks {
    fn poison() -> Self {
        Self::reduce(0x0bad_0bad_0bad_0bad)
    }
}

pub fn same_bits<T: Measured>(a: &[T], b: &[T]) -> bool {
    bytemuck::cast_slice::<T, u8>(a) == bytemuck::cast_slice::<T, u8>(b)
}

/// The scaled transform in at least twice the precision.
pub fn reference<T: Measured>(x: &[T], transform: &Transform) -> Vec<T::Wide> {
    reference_of(x.iter().map(|v| v.widen()).collect(), transform)
}

/// The same of numbers that have the precision.
pub fn reference_of<W: NumericRing>(mut x: Vec<W>, transform: &Transform) -> Vec<W> {
    match Autosort::new(x.len(), transform.direction) {
        Some(autosort) => autosort.process(&mut x, &mut vec![W::zero(); transform.points()]),
        None => x = naive::dft(&x, transform.direction),
    }
    let scale = transform.scale();
    x.iter().map(|v| v.scaled(scale)).collect()
}

/// Asserts an L2 error of at most `limit` units of u·√log2 n, or none over an exact algebra.
///
/// Limits above 1 are for few outputs, where single errors do not average out, and for several transforms in a row; a
/// value out of place is an error of a million units at least.
pub fn assert_close<T: Measured>(found: &[T], expected: &[T::Wide], n: usize, limit: f64, what: impl Fn() -> String) {
    assert_eq!(found.len(), expected.len(), "{}", what());
    let unit = T::ALGEBRA.unit_roundoff();
    let units = errors(found, |i| expected[i]).in_units(unit, n).l2;
    let limit = if unit.is_none() { 0.0 } else { limit };
    assert!(units <= limit, "{}: an error of {units} u·√log2 n", what());
}

/// Plans and runs a contiguous transform in its placement, into poisoned memory.
pub fn run<T: Poison>(device: &Device, transform: &Transform, x: &[T]) -> Result<Vec<T>> {
    let executable = device.plan(transform)?;
    let mut data = device.upload(x)?;
    match transform.placement {
        Placement::InPlace => {
            executable.run_in_place(&mut data)?;
            data.to_vec()
        }
        Placement::OutOfPlace => {
            let mut output = device.upload(&vec![T::poison(); transform.output_len()])?;
            executable.run(&data, &mut output)?;
            assert!(same_bits(&data.to_vec()?, x), "{executable:?} changed its input");
            output.to_vec()
        }
    }
}

/// A batch of one-dimensional random lines, its transform and its reference, line after line.
pub fn batch_case<T: Measured>(transform: &Transform, seed: u64) -> (Vec<T>, Vec<T::Wide>) {
    let n = transform.points();
    let x = random::<T>(n * transform.batch_count(), seed);
    let expected = x.chunks(n).flat_map(|line| reference(line, transform)).collect();
    (x, expected)
}
