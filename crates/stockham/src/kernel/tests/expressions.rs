//! Transforms whose numbers go through expressions: every access within its memory, whichever numbers there are, and results as
//! of numbers that were prepared before.

use num_complex::{Complex, Complex64};

use super::faults::Trial;
use super::lengths::{ROUGH, SMOOTH};
use super::{Bits, device, devices, interpreted_words};
use crate::algebra::{Algebra, Direction};
use crate::autosort::Autosort;
use crate::device_info::DeviceInfo;
use crate::plan::{Recipe, plan};
use crate::transform::{Access, Expr, Kind, Side, Transform, TrigType};

const F64: Algebra = Algebra::ComplexF64;

/// Factors that tell places apart.
fn factor(j: usize) -> f64 {
    1.0 + (j % 13) as f64 / 8.0
}

/// The parts of the numbers of a side, interpreted.
fn run(recipe: &Recipe, input: &[f64], parts: usize) -> Vec<f64> {
    let words = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let filler = vec![0.25; recipe.transform.output_len() * parts];
    let found = interpreted_words(recipe, words(input), words(&filler));
    found.unwrap_or_else(|fault| panic!("{fault}\n{recipe}")).into_iter().map(f64::from_bits).collect()
}

/// Of a batch of packed lines: the first `given` numbers of each are there, times a window; the first `kept` are written, times another.
fn check(plain: &Transform, device: &DeviceInfo) {
    let [given, kept] = [Side::Input, Side::Output].map(|side| plain.count(side, 0));
    let (given_there, kept_there) = (given.div_ceil(2), kept - kept / 3);
    let window = |n: usize| Expr::along(0, &(0..n).map(factor).collect::<Vec<_>>());
    let batch = plain.batch[0].n;
    let load = Access::of(Expr::value() * window(given)).extent([given_there]);
    let store = Access::of(Expr::value() * window(kept) * (Expr::batch(0) + 1.0)).extent([kept_there]);
    let fused = plain.clone().with_load(load).with_store(store);
    let parts = |side| if plain.is_real(side) { 1 } else { 2 };
    let (each, of_each) = (parts(Side::Input), parts(Side::Output));
    let numbers: Vec<f64> = (0..batch * given_there * each).map(|i| Complex64::sample(i).re).collect();
    let mut prepared = vec![0.0; batch * given * each];
    for (i, number) in numbers.iter().enumerate() {
        let (line, j, part) = (i / (given_there * each), i / each % given_there, i % each);
        prepared[(line * given + j) * each + part] = number * factor(j);
    }
    let expected = run(&plan(plain, device).unwrap(), &prepared, of_each);
    let recipe = plan(&fused, device).unwrap_or_else(|error| panic!("{plain:?}: {error}"));
    let found = run(&recipe, &numbers, of_each);
    assert_eq!(found.len(), batch * kept_there * of_each);
    let most = expected.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    for (i, found) in found.iter().enumerate() {
        let (line, j, part) = (i / (kept_there * of_each), i / of_each % kept_there, i % of_each);
        let expected = expected[(line * kept + j) * of_each + part] * factor(j) * (line + 1) as f64;
        assert!((found - expected).abs() <= 1e-12 * most, "{found}, not {expected}, at {line}, {j}\n{recipe}");
    }
}

#[test]
fn every_kind_of_numbers_goes_through_expressions() {
    let devices = devices();
    let powers = (0..=12).map(|log| 1usize << log);
    for (case, n) in powers.chain(SMOOTH).chain(ROUGH.into_iter().filter(|n| *n < 1000)).enumerate() {
        let device = &devices[case % devices.len()];
        // The index of a line alone is not held by one around it.
        for batch in [1, 2 + 100 / n] {
            check(&Transform::new(F64, n).batch(batch), device);
            check(&Transform::real(F64, n).batch(batch), device);
            check(&Transform::real(F64, n).inverse().batch(batch), device);
            check(&Transform::cosine(F64, TrigType::II, n).batch(batch), device);
            check(&Transform::sine(F64, TrigType::III, n).inverse().batch(batch), device);
            check(&Transform::sine(F64, TrigType::IV, n).batch(batch), device);
        }
    }
}

#[test]
fn several_passes_and_clusters() {
    let hopper = DeviceInfo {
        backend: crate::device_info::Backend::Cuda,
        id: "cuda:0".into(),
        compute_capability: Some((9, 0)),
        max_cluster: Some(16),
        registers: Some(1 << 16),
        compute_units: 132,
        ..device(227 << 10, 1024, 32)
    };
    for device in [&hopper, &devices()[1]] {
        for n in [1 << 14, 1 << 15, 3 << 13, 2 * 4099] {
            check(&Transform::new(F64, n).batch(2), device);
            check(&Transform::real(F64, n).batch(2), device);
            check(&Transform::real(F64, n).inverse().batch(2), device);
        }
    }
}

#[test]
fn numbers_are_added_to_what_is_there() {
    for (case, n) in [4, 12, 60, 74, 1000, 1 << 14, 2 * 4099].into_iter().enumerate() {
        let device = &devices()[case % 3];
        let plains = [
            Transform::new(F64, n).batch(2),
            Transform::real(F64, n).batch(2),
            Transform::real(F64, n).inverse().batch(2),
            Transform::cosine(F64, TrigType::II, n).batch(2),
        ];
        for plain in plains {
            let [given, of_each] = [Side::Input, Side::Output].map(|side| if plain.is_real(side) { 1 } else { 2 });
            let numbers: Vec<f64> = (0..plain.input_len() * given).map(|i| Complex64::sample(i).re).collect();
            let expected = run(&plan(&plain, device).unwrap(), &numbers, of_each);
            let recipe = plan(&plain.with_store(Access::default().accumulate()), device).unwrap();
            let most = expected.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            for (i, (found, expected)) in run(&recipe, &numbers, of_each).iter().zip(&expected).enumerate() {
                // What is there at first is the filler.
                assert!((found - 0.25 - expected).abs() <= 1e-12 * most, "{found} and {expected} at {i}\n{recipe}");
            }
        }
    }
}

#[test]
fn there_and_back_in_one_tile() {
    for (case, n) in [2, 8, 12, 60, 64, 100, 243, 1000, 1024, 2048].into_iter().enumerate() {
        let device = &devices()[case % 3];
        let batch = 1 + 100 / n;
        let spectrum: Vec<Complex64> = (0..n).map(|k| Complex::new(factor(k), factor(3 * k) - 1.5)).collect();
        let filter = Expr::value() * Expr::complex_along(0, &spectrum) * (Expr::batch(0) + 1.0);
        let transform = Transform::new(F64, n).batch(batch).filtered(filter);
        let recipe = plan(&transform, device).unwrap();
        assert_eq!(recipe.launches().len(), 1, "{recipe}");
        let x: Vec<Complex64> = (0..n * batch).map(Complex64::sample).collect();
        let found = run(&recipe, &x.iter().flat_map(|x| [x.re, x.im]).collect::<Vec<_>>(), 2);
        for (line, x) in x.chunks(n).enumerate() {
            let mut y = x.to_vec();
            let of = |direction, y: &mut Vec<Complex64>| {
                Autosort::new(n, direction).unwrap().process(y, &mut vec![Complex64::ZERO; n]);
            };
            of(Direction::Forward, &mut y);
            y.iter_mut().zip(&spectrum).for_each(|(y, factor)| *y *= factor * (line + 1) as f64);
            of(Direction::Inverse, &mut y);
            for (k, y) in y.iter().enumerate() {
                let at = 2 * (line * n + k);
                let (found, y) = (Complex::new(found[at], found[at + 1]), y / n as f64);
                assert!((found - y).norm() <= 1e-12 * (line + 1) as f64, "{found}, not {y}, at {line}, {k}\n{recipe}");
            }
        }
    }
}

#[test]
fn real_lines_there_and_back_in_one_tile() {
    let lengths =
        [4, 6, 8, 12, 20, 26, 30, 60, 90, 100, 120, 210, 250, 286, 420, 486, 1000, 1024, 1050, 2048, 2310, 4096, 4200];
    for (case, n) in lengths.into_iter().enumerate() {
        let device = &devices()[case % 3];
        let batch = 1 + 100 / n;
        let spectrum: Vec<Complex64> = (0..n / 2 + 1).map(|k| Complex::new(factor(k), factor(3 * k) - 1.5)).collect();
        let filter = Expr::value() * Expr::complex_along(0, &spectrum) * (Expr::batch(0) + 1.0);
        let transform = Transform::real(F64, n).batch(batch).filtered(filter);
        let recipe = plan(&transform, device).unwrap();
        assert_eq!(recipe.launches().len(), 1, "{recipe}");
        let x: Vec<f64> = (0..n * batch).map(|i| Complex64::sample(i).re).collect();
        let found = run(&recipe, &x, 1);
        for (line, x) in x.chunks(n).enumerate() {
            let mut y: Vec<Complex64> = x.iter().map(|x| Complex::new(*x, 0.0)).collect();
            let of = |direction, y: &mut Vec<Complex64>| {
                Autosort::new(n, direction).unwrap().process(y, &mut vec![Complex64::ZERO; n]);
            };
            of(Direction::Forward, &mut y);
            for (k, factor) in spectrum.iter().enumerate() {
                y[k] *= factor * (line + 1) as f64;
                let image = (n - k) % n;
                if image == k {
                    y[k].im = 0.0;
                }
                y[image] = y[k].conj();
            }
            of(Direction::Inverse, &mut y);
            for (k, y) in y.iter().enumerate() {
                let (found, y) = (found[line * n + k], y.re / n as f64);
                assert!((found - y).abs() <= 1e-12 * (line + 1) as f64, "{found}, not {y}, at {line}, {k}\n{recipe}");
            }
        }
    }
}

/// No barrier may be left out, and no table's roots may be others.
#[test]
fn faults_in_filters_of_real_lines_are_found() {
    let transform = Transform::real(F64, 256).batch(2).filtered(Expr::value() * (Expr::index(0) + 0.5));
    let recipe = plan(&transform, &devices()[1]).unwrap();
    let pass = &recipe.passes()[0];
    let input: Vec<u64> = (0..512).map(|i| Complex64::sample(i).re.to_bits()).collect();
    let trial = Trial::of(&recipe, input, 512);
    let barriers = trial.barriers();
    assert!(pass.tile.stages.len() > 1 && barriers == 2 * pass.tile.exchanges.len() - 2, "{recipe}");
    // Of two points that are each other's image, one's root does.
    let (len, unread) = trial.unread(1);
    assert!(pass.turns_roots() && unread <= pass.radix / 2 + 2, "{unread} of {len} numbers are not read");
}

#[test]
fn kinds_that_have_expressions_are_those_over_the_complex_numbers() {
    let half = Transform::real(F64, 8).filtered(Expr::value());
    assert!(half.is_real(Side::Output) && half.kind == Kind::Real && half.half_side().is_none());
    Transform::cosine(F64, TrigType::II, 8).filtered(Expr::value()).validate().unwrap_err();
    Transform::new(Algebra::Goldilocks, 8).filtered(Expr::value()).validate().unwrap_err();
    Transform::new(F64, 8).inverse().filtered(Expr::value()).validate().unwrap_err();
}
