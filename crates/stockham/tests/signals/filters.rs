//! Windows by their formulas, and filters by what they let pass.

use std::f64::consts::PI;

use stockham::Error;
use stockham::signal::{Band, Window, firwin, kaiser_beta, kaiser_order};

const WINDOWS: [Window; 6] =
    [Window::Rectangular, Window::Hann, Window::Hamming, Window::Blackman, Window::Kaiser(0.5), Window::Kaiser(14.0)];

/// The power series, whose terms are all positive.
fn bessel(x: f64) -> f64 {
    (1..200)
        .scan(1.0, |term, k| {
            *term *= (x / 2.0 / f64::from(k)).powi(2);
            Some(*term)
        })
        .sum::<f64>()
        + 1.0
}

#[test]
fn windows_are_their_formulas() {
    for n in [0, 1, 2, 3, 8, 9, 100] {
        for window in WINDOWS {
            let (symmetric, periodic) = (window.symmetric(n), window.periodic(n));
            assert_eq!((symmetric.len(), periodic.len()), (n, n));
            assert_eq!(symmetric, symmetric.iter().rev().copied().collect::<Vec<_>>());
            assert!(n < 2 || periodic == window.symmetric(n + 1)[..n], "{window:?} of {n}");
            for (i, w) in symmetric.iter().enumerate().filter(|_| n > 1) {
                let at = 2.0 * i as f64 / (n - 1) as f64 - 1.0;
                let expected = match window {
                    Window::Hann => 0.5 + 0.5 * (PI * at).cos(),
                    Window::Hamming => 0.54 + 0.46 * (PI * at).cos(),
                    Window::Blackman => 0.42 + 0.5 * (PI * at).cos() + 0.08 * (2.0 * PI * at).cos(),
                    Window::Kaiser(beta) => bessel(beta * (1.0 - at * at).max(0.0).sqrt()) / bessel(beta),
                    _ => 1.0,
                };
                assert!((w - expected).abs() < 4e-15, "{window:?} of {n} at {i}: {w}, not {expected}");
            }
        }
    }
    // What the power series is too large for.
    let steep = Window::Kaiser(1e6).symmetric(101);
    assert!(steep.iter().all(|w| (0.0..=1.0).contains(w)) && steep[50] == 1.0);
}

/// The gain at a frequency.
fn gain(taps: &[f64], frequency: f64, rate: f64) -> f64 {
    let turn = |i: usize| 2.0 * PI * frequency / rate * i as f64;
    let part = |of: fn(f64) -> f64| taps.iter().enumerate().map(|(i, h)| h * of(turn(i))).sum::<f64>();
    part(f64::cos).hypot(part(f64::sin))
}

#[test]
fn filters_let_pass_their_bands() {
    let rate = 8000.0;
    let passes = |band: Band, f: f64| match band {
        Band::Low(edge) => f < edge,
        Band::High(edge) => f > edge,
        Band::Pass(low, high) => (low..high).contains(&f),
        Band::Stop(low, high) => !(low..high).contains(&f),
        _ => unreachable!(),
    };
    for attenuation in [30.0, 60.0, 90.0] {
        let width = 200.0;
        let (taps, window) = kaiser_order(attenuation, width, rate).unwrap();
        assert_eq!(window, Window::Kaiser(kaiser_beta(attenuation)));
        for band in [Band::Low(1000.0), Band::High(500.0), Band::Pass(700.0, 2100.0), Band::Stop(1500.0, 2500.0)] {
            let filter = firwin(taps | 1, band, rate, window).unwrap();
            // Some dB more than promised where two edges meet and by the scale.
            let ripple = 2.5 * 10f64.powf(-attenuation / 20.0);
            for f in (0..=400).map(|i| f64::from(i) * 10.0) {
                let near = [1000.0, 500.0, 700.0, 2100.0, 1500.0, 2500.0].iter().any(|edge: &f64| {
                    (edge - f).abs() < width / 2.0 && passes(band, edge - 1.0) != passes(band, edge + 1.0)
                });
                let expected = if passes(band, f) { 1.0 } else { 0.0 };
                let found = gain(&filter, f, rate);
                assert!(near || (found - expected).abs() < ripple, "{band:?}, {attenuation} dB: {found} at {f} Hz");
            }
        }
    }
}

#[test]
fn an_edge_has_half_of_the_amplitude() {
    let taps = firwin(401, Band::Low(1000.0), 8000.0, Window::Hamming).unwrap();
    assert!((gain(&taps, 1000.0, 8000.0) - 0.5).abs() < 1e-3);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |taps, band| matches!(firwin(taps, band, 8000.0, Window::Hann), Err(Error::Signal { .. }));
    for band in [
        Band::Low(0.0),
        Band::Low(4000.0),
        Band::High(-1.0),
        Band::Pass(200.0, 200.0),
        Band::Pass(300.0, 200.0),
        Band::Stop(1.0, 5000.0),
        Band::Low(f64::NAN),
    ] {
        assert!(refused(11, band), "{band:?}");
    }
    assert!(refused(0, Band::Low(100.0)));
    assert!(refused(10, Band::High(100.0)) && refused(10, Band::Stop(100.0, 200.0)));
    assert!(!refused(10, Band::Pass(100.0, 200.0)));
    for (attenuation, width) in [(7.0, 100.0), (f64::NAN, 100.0), (60.0, 0.0), (60.0, -1.0), (60.0, 1e-300)] {
        assert!(
            matches!(kaiser_order(attenuation, width, 8000.0), Err(Error::Signal { .. })),
            "{attenuation}, {width}"
        );
    }
}
