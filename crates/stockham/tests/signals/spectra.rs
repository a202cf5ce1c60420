//! Spectra over time and what is made by spectra, against the definition of the DFT.

use std::f64::consts::PI;

use stockham::signal::{Stft, Window, fftfreq, fftshift, hilbert, ifftshift, resample, welch};
use stockham::{Algebra, Complex64, Device, Direction, Element, Error, Kind, naive};

use crate::common::{computes, devices, is_slow};
use crate::convolutions::Number;

/// Calls a test for every device and every kind of sample, or for one on devices that compile slowly.
macro_rules! everywhere {
    ($test:ident, $first:ty $(, $more:ty)*) => {
        for device in devices() {
            $test::<$first>(&device);
            if computes(&device, Algebra::ComplexF64) && !is_slow(&device) {
                $($test::<$more>(&device);)*
            }
        }
    };
}

fn tolerance<T: Number>() -> f64 {
    30.0 * T::Complex::ALGEBRA.unit_roundoff().unwrap()
}

fn widened<T: Number>(x: &[T]) -> Vec<Complex64> {
    x.iter().map(|x| x.wide()).collect()
}

fn assert_close<T: Number>(found: &[T], expected: &[Complex64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let largest = expected.iter().map(|y| y.norm()).fold(1e-300, f64::max);
    for (i, (y, expected)) in found.iter().zip(expected).enumerate() {
        assert!((y.wide() - expected).norm() <= tolerance * largest, "{what}: {y:?}, not {expected} at {i}");
    }
}

fn segments_have_their_spectra<T: Number>(device: &Device)
where
    T::Complex: Number,
{
    for (samples, n, hop) in [(100, 16, 4), (5, 16, 8), (64, 15, 7), (33, 1, 1), (1000, 64, 64)] {
        let (window, x) = (Window::Hamming.periodic(n), T::random(samples, 1));
        let stft = Stft::new(window.clone(), hop).unwrap();
        let spectra = stft.forward(device, &x).unwrap();
        let bins = if T::KIND == Kind::Real { n / 2 + 1 } else { n };
        let sum: f64 = window.iter().sum();
        let mut expected = Vec::new();
        let mut start = -((n / 2) as isize);
        // The last segment is the first that reaches half a window beyond the end.
        loop {
            let at = |j: usize| usize::try_from(start + j as isize).ok().and_then(|place| x.get(place));
            let value = |j: usize| at(j).map_or(Complex64::ZERO, |x| x.wide()) * window[j] / sum;
            let segment: Vec<Complex64> = (0..n).map(value).collect();
            expected.extend(&naive::dft(&segment, Direction::Forward)[..bins]);
            if start + n as isize >= (samples + n / 2) as isize {
                break;
            }
            start += hop as isize;
        }
        let what = format!("{samples} samples, {n} points, {hop} apart, on {device:?}");
        assert_close(&spectra, &expected, tolerance::<T>(), &what);
        // Side by side, what is left of a sample is as little as the window's ends.
        let least = if hop == n { window[0] } else { 1.0 };
        let back = stft.inverse::<T>(device, &spectra, samples).unwrap();
        assert_close(&back, &widened(&x), tolerance::<T>() / least, &what);
        assert!(stft.inverse::<T>(device, &spectra, samples + hop).is_err());
    }
}

#[test]
fn segments_have_their_spectra_and_come_back() {
    everywhere!(segments_have_their_spectra, f32, f64, stockham::Complex32, Complex64);
}

fn density_is_the_mean<T: Number>(device: &Device) {
    for (samples, n, hop) in [(100, 16, 8), (16, 16, 3), (90, 15, 15)] {
        let (window, x, rate) = (Window::Hann.symmetric(n), T::random(samples, 2), 50.0);
        let found = welch(device, &x, &window, hop, rate).unwrap();
        let starts: Vec<usize> = (0..=samples - n).step_by(hop).collect();
        let mut expected = vec![0.0; n];
        for start in &starts {
            let segment = widened(&x[*start..][..n]);
            let mean = segment.iter().sum::<Complex64>() / n as f64;
            let segment: Vec<Complex64> = segment.iter().zip(&window).map(|(x, w)| (x - mean) * w).collect();
            let spectrum = naive::dft(&segment, Direction::Forward);
            expected.iter_mut().zip(spectrum).for_each(|(power, z)| *power += z.norm_sqr());
        }
        let scale = rate * window.iter().map(|w| w * w).sum::<f64>() * starts.len() as f64;
        expected.iter_mut().for_each(|power| *power /= scale);
        if T::KIND == Kind::Real {
            // The powers of both signs.
            (1..n.div_ceil(2)).for_each(|k| expected[k] += expected[n - k]);
            expected.truncate(n / 2 + 1);
        }
        let largest = expected.iter().copied().fold(0.0, f64::max);
        assert_eq!(found.len(), expected.len());
        for (k, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert!((found - expected).abs() < 4.0 * tolerance::<T>() * largest, "{found}, not {expected} at {k}");
        }
    }
}

#[test]
fn welchs_density_is_the_mean_of_its_segments() {
    everywhere!(density_is_the_mean, f32, f64, stockham::Complex32, Complex64);
}

#[test]
fn the_analytic_signal_has_no_frequencies_below_zero() {
    for device in devices() {
        for n in [1, 2, 7, 30, 64] {
            let x = f32::random(3 * n, 3);
            let found = hilbert(&device, &x, n).unwrap();
            let mut expected = Vec::new();
            for line in x.chunks(n) {
                let mut spectrum = naive::dft(&widened(line), Direction::Forward);
                for (k, z) in spectrum.iter_mut().enumerate() {
                    let own = k == 0 || 2 * k == n;
                    *z *= if own {
                        1.0
                    } else if 2 * k < n {
                        2.0
                    } else {
                        0.0
                    } / n as f64;
                }
                expected.extend(naive::dft(&spectrum, Direction::Inverse));
            }
            assert_close(&found, &expected, tolerance::<f32>(), &format!("{n} on {device:?}"));
        }
        assert_eq!(hilbert::<f32>(&device, &[], 4), Ok(Vec::new()));
    }
}

#[test]
fn sines_are_sines_at_every_rate() {
    let cpu = Device::cpu();
    for (n, wanted) in [(9, 30), (30, 9), (8, 8), (16, 17), (17, 16), (12, 10), (10, 12), (1, 5), (5, 1)] {
        // All that both lengths have, but the highest of an even length, which has no phase.
        let highest = (n.min(wanted) - 1) / 2;
        let at = |i: usize, n: usize| {
            let wave = |k: usize| (2.0 * PI * (k * i) as f64 / n as f64 + k as f64).cos() / (k + 1) as f64;
            (0..=highest).map(wave).sum::<f64>()
        };
        let x: Vec<f64> = (0..n).chain(0..n).map(|i| at(i, n)).collect();
        let expected: Vec<Complex64> = (0..wanted).chain(0..wanted).map(|i| at(i, wanted).into()).collect();
        let found = resample(&cpu, &x, n, wanted).unwrap();
        assert_close(&found, &expected, tolerance::<f64>(), &format!("{n} to {wanted}"));
        // And back, if nothing was lost.
        if wanted > n {
            let x = f64::random(n, 4);
            let there = resample(&cpu, &x, n, wanted).unwrap();
            assert_close(&resample(&cpu, &there, wanted, n).unwrap(), &widened(&x), tolerance::<f64>(), "back");
        }
    }
}

#[test]
fn the_middle_is_where_numpy_has_it() {
    let mut x: Vec<usize> = (0..12).collect();
    fftshift(&mut x, [3, 4]).unwrap();
    assert_eq!(x, [10, 11, 8, 9, 2, 3, 0, 1, 6, 7, 4, 5]);
    ifftshift(&mut x, [3, 4]).unwrap();
    assert_eq!(x, (0..12).collect::<Vec<_>>());
    for n in 1..9 {
        let mut frequencies = fftfreq(n, 1.0);
        fftshift(&mut frequencies, n).unwrap();
        assert!(frequencies.is_sorted() && frequencies[n / 2] == 0.0);
    }
    assert!(fftshift(&mut x, 11).is_err());
}

#[test]
fn what_makes_no_sense_is_refused() {
    let cpu = Device::cpu();
    let is_refused = |result: Result<(), Error>| assert!(matches!(result, Err(Error::Signal { .. })), "{result:?}");
    is_refused(Stft::new(Vec::new(), 1).map(|_| ()));
    is_refused(Stft::new(vec![1.0; 4], 0).map(|_| ()));
    is_refused(Stft::new(vec![1.0; 4], 5).map(|_| ()));
    is_refused(welch(&cpu, &[1f32; 3], &[1.0; 4], 2, 1.0).map(|_| ()));
    is_refused(hilbert(&cpu, &[1f32; 3], 0).map(|_| ()));
    is_refused(resample(&cpu, &[1f32; 3], 3, 0).map(|_| ()));
    assert!(hilbert(&cpu, &[1f32; 3], 2).is_err() && resample(&cpu, &[1f32; 3], 2, 4).is_err());
    // Hann's windows side by side leave out where they are 0.
    let gaps = Stft::new(Window::Hann.periodic(8), 8).unwrap();
    let spectra = gaps.forward(&cpu, &[1f64; 32]).unwrap();
    is_refused(gaps.inverse::<f64>(&cpu, &spectra, 32).map(|_| ()));
}
