//! A right transform passes both methods; one with a planted fault fails both.

use num_complex::Complex;

use super::*;
use crate::accuracy::random_digits;
use crate::algebra::{BigPrime, Element, Goldilocks, Layout, Root};

const METHODS: [Method; 2] = [Method::Reference, Method::SelfTest];
const DIRECTIONS: [Direction; 2] = [Direction::Forward, Direction::Inverse];

/// The right transform, of a batch.
fn right<T: Element>(x: &[T], n: usize, direction: Direction) -> Vec<T> {
    let autosort = Autosort::new(n, direction).unwrap();
    let mut y = x.to_vec();
    y.chunks_mut(n).for_each(|line| autosort.process(line, &mut vec![T::zero(); n]));
    y
}

/// The record of the right transform whose result is then changed.
fn record<T: Measured>(method: Method, n: usize, direction: Direction, fault: impl Fn(&mut [T])) -> Record {
    let function = |x: &[T]| {
        let mut y = right(x, n, direction);
        y.chunks_mut(n).for_each(&fault);
        Ok(y)
    };
    check_by(method, function, n, direction, 7).unwrap()
}

fn refused<T: Measured>(name: &str, fault: impl Fn(&mut [T]) + Copy) {
    for method in METHODS {
        for n in [16, 1 << 13] {
            for direction in DIRECTIONS {
                let record = record(method, n, direction, fault);
                assert!(!record.passes(), "{name}: {record:?}");
            }
        }
    }
}

/// The faults that make sense over any algebra.
fn refused_everywhere<T: Measured>() {
    refused::<T>("two outputs swapped", |y| y.swap(1, 2));
    refused::<T>("shifted by one", |y| y.rotate_left(1));
    refused::<T>("zeros", |y| y.fill(T::zero()));
    refused::<T>("the last output never written", |y| *y.last_mut().unwrap() = T::zero());
    refused::<T>("reversed, as of the other direction", |y| y[1..].reverse());
    refused::<T>("another order", |y| {
        let (even, odd): (Vec<_>, Vec<_>) = y.chunks(2).map(|pair| (pair[0], pair[1])).unzip();
        y.copy_from_slice(&[even, odd].concat());
    });
    refused::<T>("scaled", |y| y.iter_mut().for_each(|v| *v = Ring::add(v, v)));
    refused::<T>("a constant added", |y| y.iter_mut().for_each(|v| *v = Ring::add(v, &T::one())));
    refused::<T>("input remembered", |y| y[3] = random::<T>(1, 3)[0]);
}

#[test]
fn right_transforms_pass() {
    fn pass<T: Measured>(lengths: &[usize]) {
        for method in METHODS {
            for &n in lengths {
                for direction in DIRECTIONS {
                    let record = record::<T>(method, n, direction, |_| {});
                    assert!(record.passes(), "{record:?}");
                    assert!(record.exact || n == 1 || record.l2_units > 0.1, "too good to be true: {record:?}");
                }
            }
        }
    }
    let lengths = [1, 2, 3, 4, 8, 15, 64, 105, 1 << 10, 1 << 14];
    pass::<Complex<f32>>(&lengths);
    pass::<Complex<f64>>(&lengths);
    pass::<Goldilocks>(&[1, 2, 3, 4, 8, 15, 64, 1 << 10, 1 << 14]);
}

#[test]
fn faults_are_caught_in_single_precision() {
    refused_everywhere::<Complex<f32>>();
    refused::<Complex<f32>>("one output off by a thousandth", |y| y[5] *= 1.001);
    refused::<Complex<f32>>("conjugated", |y| y.iter_mut().for_each(|v| *v = v.conj()));
    refused::<Complex<f32>>("not a number", |y| y[7].re = f32::NAN);
    refused::<Complex<f32>>("infinite", |y| y[7].im = f32::INFINITY);
}

#[test]
fn faults_are_caught_in_double_precision() {
    refused_everywhere::<Complex<f64>>();
    refused::<Complex<f64>>("one output off by a millionth", |y| y[5] *= 1.000_001);
    refused::<Complex<f64>>("conjugated", |y| y.iter_mut().for_each(|v| *v = v.conj()));
    refused::<Complex<f64>>("not a number", |y| y[7].re = f64::NAN);
    refused::<Complex<f64>>("single precision", |y| {
        y.iter_mut().for_each(|v| *v = Complex::new(f64::from(v.re as f32), f64::from(v.im as f32)));
    });
}

#[test]
fn faults_are_caught_over_a_field() {
    refused_everywhere::<Goldilocks>();
    refused::<Goldilocks>("one output off by one", |y| y[5] = y[5].add(&Goldilocks::one()));
}

/// One radix-2 step from two right halves, with ω^k of every k but one right: a fault that is linear and depends on the
/// input, as a wrong entry of a table is.
#[test]
fn one_wrong_twiddle_is_caught() {
    fn wrong_twiddle<T: Measured>(turn: impl Fn(T) -> T) {
        for (method, n) in [(Method::Reference, 1 << 13), (Method::SelfTest, 1 << 13)] {
            let half = n / 2;
            let function = |x: &[T], wrong: Option<usize>| {
                let part = |offset| x.iter().skip(offset).step_by(2).copied().collect::<Vec<T>>();
                let even = right(&part(0), half, Direction::Forward);
                let odd = right(&part(1), half, Direction::Forward);
                let twiddle = |k: usize| {
                    let w = T::root(Root::new(k, n));
                    odd[k].mul(&if wrong == Some(k) { turn(w) } else { w })
                };
                let (low, high): (Vec<T>, Vec<T>) =
                    (0..half).map(|k| (even[k].add(&twiddle(k)), even[k].sub(&twiddle(k)))).unzip();
                Ok([low, high].concat())
            };
            let record = |wrong| check_by(method, |x| function(x, wrong), n, Direction::Forward, 3).unwrap();
            assert!(record(None).passes(), "{:?}", record(None));
            assert!(!record(Some(1234)).passes(), "{:?}", record(Some(1234)));
        }
    }
    wrong_twiddle(|w: Complex<f64>| w * 1.000_000_1);
    wrong_twiddle(|w: Complex<f32>| w * 1.001);
    wrong_twiddle(|w: Goldilocks| w.neg());
}

/// Twiddles from angles that were rounded before their sines were taken.
#[test]
fn single_precision_angles_are_caught() {
    let n = 1 << 12;
    let function = |x: &[Complex<f32>]| {
        let half = n / 2;
        let part = |offset| x.iter().skip(offset).step_by(2).copied().collect::<Vec<_>>();
        let (even, odd) = (right(&part(0), half, Direction::Forward), right(&part(1), half, Direction::Forward));
        let twiddle = |k: usize| Complex::from_polar(1.0f32, -std::f32::consts::TAU * 1.000_001 * k as f32 / n as f32);
        let low = (0..half).map(|k| even[k] + odd[k] * twiddle(k));
        Ok(low.chain((0..half).map(|k| even[k] - odd[k] * twiddle(k))).collect())
    };
    for method in METHODS {
        let record = check_by(method, function, n, Direction::Forward, 1).unwrap();
        assert!(!record.passes(), "{record:?}");
    }
}

#[test]
fn inputs_are_random_and_repeatable() {
    let x = random::<Complex<f64>>(1 << 14, 5);
    assert_eq!(x, random(1 << 14, 5));
    assert_eq!(x[..100], random::<Complex<f64>>(100, 5));
    assert_ne!(x, random(1 << 14, 6));
    let mean: Complex<f64> = x.iter().sum::<Complex<f64>>() / x.len() as f64;
    let energy: f64 = x.iter().map(Complex::norm_sqr).sum::<f64>() / x.len() as f64;
    assert!(mean.norm() < 0.03 && (energy - 2.0 / 3.0).abs() < 0.02, "{mean} {energy}");
    assert!(x.iter().all(|v| v.re.abs() <= 1.0 && v.im.abs() <= 1.0));
}

#[test]
fn random_digits_are_uniform_below_the_radix() {
    let x = random_digits::<u64>(BigPrime::P3, 1 << 12, 5);
    assert_eq!(x, random_digits::<u64>(BigPrime::P3, 1 << 12, 5));
    BigPrime::P3.field().check(&x, Layout::Plain).unwrap();
    BigPrime::P3.field().check(&x, Layout::Sliced).unwrap();
    let share = |bit: u32| x.iter().filter(|&&digit| digit >> bit & 1 == 1).count() as f64 / x.len() as f64;
    assert!((0..63).all(|bit| (share(bit) - 0.5).abs() < 0.02));
    assert!(random_digits::<u32>(BigPrime::G8, 8, 1).iter().all(|&digit| u64::from(digit) < BigPrime::G8.radix()));
}

#[test]
fn a_missing_reference_and_a_short_result_are_errors() {
    let nothing = |_: &[Complex<f32>]| Ok(Vec::new());
    let record = check(nothing, 8, Direction::Forward, 1);
    assert!(matches!(record, Err(Error::BufferLength { expected: 4096, found: 0, .. })), "{record:?}");
    let copy = |x: &[Complex<f32>]| Ok(x.to_vec());
    let record = check_by(Method::Reference, copy, 8209, Direction::Forward, 1);
    assert!(record.is_ok_and(|record| record.method == Method::Reference && !record.passes()));
    assert!(!check(copy, 11, Direction::Forward, 1).unwrap().passes());
    // Over ℂ there are references of all lengths, over a field not.
    let copy = |x: &[Goldilocks]| Ok(x.to_vec());
    let record = check_by(Method::Reference, copy, 8209, Direction::Forward, 1);
    assert!(matches!(record, Err(Error::Unsupported { .. })), "{record:?}");
}

#[test]
fn records_are_written_and_read() {
    let written = record::<Complex<f64>>(Method::SelfTest, 64, Direction::Inverse, |_| {});
    let text = serde_json::to_string(&written).unwrap();
    assert!(text.contains(r#""method":"self-test""#), "{text}");
    let read: Record = serde_json::from_str(&text).unwrap();
    assert_eq!((read.n, read.passes()), (64, true));
}

#[test]
fn units_shrink_with_the_root_of_the_logarithm() {
    let errors = Errors { l2: 4.0, linf: 8.0 };
    assert_eq!(errors.in_units(Some(0.5), 16), Errors { l2: 4.0, linf: 8.0 });
    assert_eq!(errors.in_units(Some(0.5), 1), Errors { l2: 8.0, linf: 16.0 });
    assert_eq!(errors.in_units(None, 16), errors);
}
