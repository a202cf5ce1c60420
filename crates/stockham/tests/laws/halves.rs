//! Transforms of numbers in half precision, computed in `f32`: they err by the rounding of both sides, and hardly by anything else.

use half::{bf16, f16};
use stockham::accuracy::random;
use stockham::{Access, Algebra, Complex64, Data, Device, Transform};

use crate::common::{devices, is_slow, reference_of};

/// How much larger an error may be than that of rounding what is read and what is written.
const LIMIT: f64 = 1.2;

const LINES: usize = 2;

/// A format's rounding, and its numbers in full.
type Rounding<T> = (fn(f64) -> T, fn(T) -> f64);

fn distance(a: &[Complex64], b: &[Complex64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).norm_sqr()).sum::<f64>().sqrt()
}

fn check<T: Data>(device: &Device, n: usize, (round, wide): Rounding<T>) {
    let access = || Access::default().format(T::format().expect("a format of numbers").complex());
    let transform = Transform::new(Algebra::ComplexF32, n).batch(LINES);
    let exact: Vec<Complex64> = random(LINES * n, n as u64);
    let parts = |x: &[Complex64]| -> Vec<T> { x.iter().flat_map(|z| [round(z.re), round(z.im)]).collect() };
    let numbers = |x: &[T]| -> Vec<Complex64> { x.chunks(2).map(|z| Complex64::new(wide(z[0]), wide(z[1]))).collect() };
    let input = parts(&exact);
    let mut output = device.alloc::<T>(2 * LINES * n).unwrap();
    let fused = transform.clone().with_load(access()).with_store(access());
    device.plan(&fused).unwrap().run(&device.upload(&input).unwrap(), &mut output).unwrap();
    let (found, read) = (numbers(&output.to_vec().unwrap()), numbers(&input));
    for line in (0..LINES).map(|line| line * n..(line + 1) * n) {
        let expected = reference_of(exact[line.clone()].to_vec(), &transform);
        let least = numbers(&parts(&reference_of(read[line.clone()].to_vec(), &transform)));
        let (error, least) = (distance(&found[line], &expected), distance(&least, &expected));
        let what = || format!("{n} points in {:?} on {}", T::format(), device.info().id);
        assert!(error <= LIMIT * least, "an error of {error:e}, and of {least:e} by rounding: {}", what());
    }
}

#[test]
fn halves_err_by_their_rounding() {
    for device in devices() {
        let lengths = [2, 30, 37, 243, 256, 1000, 1009, 1024, 4095, 4096, 5003, 8192];
        let step = if is_slow(&device) { 3 } else { 1 };
        for n in lengths.into_iter().step_by(step) {
            check::<f16>(&device, n, (f16::from_f64, f16::to_f64));
            check::<bf16>(&device, n, (bf16::from_f64, bf16::to_f64));
        }
    }
}
