//! Slices may begin at any value of a buffer: at any element, and where elements are made of digits, at any digit.

use stockham::accuracy::random;
use stockham::{Algebra, BigPrime, Data, Device, Digit, Goldilocks, Transform};

use crate::common::{computes, devices, is_slow};

/// Values before and behind a slice, which nobody may touch.
const AROUND: usize = 5;

/// `x` from the value `first` on, with others around it.
fn placed<T: Data>(x: &[T], first: usize, around: T) -> Vec<T> {
    let mut values = vec![around; first + x.len() + AROUND];
    values[first..first + x.len()].copy_from_slice(x);
    values
}

fn same<T: Data>(a: &[T], b: &[T]) -> bool {
    bytemuck::cast_slice::<T, u8>(a) == bytemuck::cast_slice::<T, u8>(b)
}

/// Input, output and workspace each begin at other values, in every combination of a few; the result is that of memory which
/// begins where it was allocated, and nothing around it is touched.
fn begin_anywhere<T: Data>(device: &Device, transform: &Transform, x: &[T], firsts: &[usize]) {
    let around = x[0];
    let executable = device.plan(transform).unwrap();
    let in_place = device.plan(&transform.clone().in_place()).unwrap();
    let (input, mut output) = (device.upload(x).unwrap(), device.alloc(x.len()).unwrap());
    executable.run(&input, &mut output).unwrap();
    let expected = output.to_vec().unwrap();
    let workspace_len = |len: usize| len * x.len() / transform.input_len();
    let stream = device.default_stream();
    for (case, &first) in firsts.iter().enumerate() {
        let (other, third) = (firsts[(case + 1) % firsts.len()], firsts[(case + 2) % firsts.len()]);
        for (from, to, between) in [(first, first, first), (first, other, third), (0, first, 0), (other, 0, first)] {
            let what = || format!("{executable:?} from {from} to {to} by {between}");
            let input = device.upload(&placed(x, from, around)).unwrap();
            let mut output = device.upload(&placed(&vec![around; x.len()], to, around)).unwrap();
            let len = workspace_len(executable.workspace_len());
            let mut workspace = device.alloc(between + len).unwrap();
            let read = input.slice(from..from + x.len()).unwrap();
            let written = output.slice_mut(to..to + x.len()).unwrap();
            let scratch = workspace.slice_mut(between..).unwrap();
            executable.run_on(stream, read, written, scratch).unwrap();
            assert!(same(&output.to_vec().unwrap(), &placed(&expected, to, around)), "{}", what());
            let mut data = device.upload(&placed(x, to, around)).unwrap();
            let mut workspace = device.alloc(between + workspace_len(in_place.workspace_len())).unwrap();
            let scratch = workspace.slice_mut(between..).unwrap();
            in_place.run_in_place_on(stream, data.slice_mut(to..to + x.len()).unwrap(), scratch).unwrap();
            assert!(same(&data.to_vec().unwrap(), &placed(&expected, to, around)), "{} in place", what());
        }
    }
}

/// Small digits are those of an element of every field.
fn digits<D: Digit>(len: usize) -> Vec<D> {
    (0..len).map(|i| D::truncated(i as u64 * 7919 % 30_011)).collect()
}

fn over_digits<D: Digit>(algebra: Algebra, n: usize) {
    for device in devices() {
        let transform = Transform::new(algebra, n).batch(2);
        let k = D::per_element(algebra).expect("digits of the field");
        // A vector's digits, and those of an element.
        let firsts: Vec<usize> = if is_slow(&device) { vec![1] } else { (0..=4).chain([k - 1, k, k + 1]).collect() };
        begin_anywhere(&device, &transform, &digits::<D>(2 * n * k), &firsts);
    }
}

#[test]
fn digits_of_64_bits() {
    over_digits::<u64>(Algebra::BigPrime(BigPrime::P1), 4);
    over_digits::<u64>(Algebra::BigPrime(BigPrime::P3), 64);
}

#[test]
fn digits_of_32_bits() {
    over_digits::<u32>(Algebra::BigPrime(BigPrime::G4), 8);
    over_digits::<u32>(Algebra::BigPrime(BigPrime::G8), 16);
}

#[test]
fn words_of_prime_fields() {
    for field in ["babybear", "0x3fffffee00000001", "H2", "bls12-381"] {
        let algebra: Algebra = field.parse().unwrap_or_else(|error| panic!("{field}: {error}"));
        match algebra {
            Algebra::WordField(field) if field.bytes() == 4 => over_digits::<u32>(algebra, 8),
            Algebra::BigPrime(prime) if prime.digit_bytes() == 4 => over_digits::<u32>(algebra, 8),
            _ => over_digits::<u64>(algebra, 8),
        }
    }
}

/// Long enough for several passes and a workspace, and elements that teams of threads share.
#[test]
fn several_passes_and_teams() {
    for device in devices().iter().filter(|device| !is_slow(device)) {
        for (prime, n) in [(BigPrime::P1, 1 << 13), (BigPrime::P5, 1 << 9)] {
            let algebra = Algebra::BigPrime(prime);
            let x = digits::<u64>(n * prime.digits());
            begin_anywhere(device, &Transform::new(algebra, n), &x, &[0, 1, 2, 3]);
        }
    }
}

#[test]
fn numbers() {
    for device in devices() {
        let lengths: &[usize] = if is_slow(&device) { &[16] } else { &[16, 1 << 14, 1 << 17] };
        for &n in lengths {
            let of = |algebra| Transform::new(algebra, n);
            begin_anywhere(&device, &of(Algebra::ComplexF32), &random::<stockham::Complex32>(n, 1), &[0, 1, 2, 3]);
            begin_anywhere(&device, &of(Algebra::Goldilocks), &random::<Goldilocks>(n, 2), &[0, 1, 2, 3]);
            if computes(&device, Algebra::ComplexF64) {
                begin_anywhere(&device, &of(Algebra::ComplexF64), &random::<stockham::Complex64>(n, 3), &[0, 1, 2, 3]);
            }
        }
    }
}
