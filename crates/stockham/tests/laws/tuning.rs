//! Tuning on devices: what it records, and that its winner computes the transform. No times: those are the device's.

use std::collections::BTreeSet;

use stockham::plan::{Choice, Launches, PassChoice, Wisdom, candidates, choose, neighbours};
use stockham::tuning::Outcome;
use stockham::{BigPrime, Complex32, Device, Goldilocks, Layout, Transform};

use crate::common::{Poison, assert_close, batch_case, devices, is_cpu, is_slow, run};

#[test]
fn the_winner_is_among_what_was_tried_and_is_right() {
    fn agree<T: Poison>(device: &Device, transform: &Transform) {
        let mut told = Vec::new();
        let tuned = device.tune(transform, &mut |done, of| told.push((done, of))).unwrap();
        let tried: Vec<_> = tuned.trials.iter().map(|trial| trial.choice.clone()).collect();
        let candidates = candidates(transform, device.info());
        assert_eq!(tried[..candidates.len()], candidates);
        for (i, choice) in tried.iter().enumerate().skip(candidates.len()) {
            let is_neighbour = |other: &Choice| {
                (0..other.passes.len()).any(|pass| neighbours(other, pass, transform, device.info()).contains(choice))
            };
            assert!(tried[..i].iter().any(is_neighbour) && !tried[..i].contains(choice), "{choice}");
        }
        assert_eq!(tried[0], choose(transform, device.info()).unwrap());
        // So many are done after each, and of so many as are known by then.
        let done: BTreeSet<usize> = told.iter().map(|&(done, _)| done).collect();
        assert_eq!(done, (0..=tried.len()).collect());
        assert!(told.is_sorted() && told[0] == (0, candidates.len()), "{told:?}");
        assert_eq!(told.last(), Some(&(tried.len(), tried.len())));
        for trial in &tuned.trials {
            // A device may refuse a candidate, but none computes anything else.
            assert_ne!(trial.outcome, Outcome::Wrong, "{} on {}", trial.choice, device.info().id);
            if let Outcome::Time(ms) = trial.outcome {
                assert!(ms.is_finite() && ms >= 0.0, "{ms} ms");
            }
        }
        let winner = tuned.trials.iter().find(|trial| trial.choice == tuned.best).unwrap();
        assert_eq!(winner.outcome, Outcome::Time(tuned.best_ms));
        assert_eq!(tuned.trials[0].outcome, Outcome::Time(tuned.model_ms));
        assert!(tuned.best_ms <= tuned.model_ms);

        let mut wisdom = Wisdom::default();
        assert!(wisdom.insert(transform, device.info(), tuned.best.clone()));
        let device = device.with_wisdom(wisdom);
        let executable = device.plan(transform).unwrap();
        assert_eq!(*executable.recipe(), tuned.best.realise(transform, device.info()).unwrap());
        let (x, expected) = batch_case::<T>(transform, 41);
        let y = run(&device, transform, &x).unwrap();
        assert_close(&y, &expected, transform.points(), 1.5, || tuned.best.to_string());
    }
    for device in devices().into_iter().filter(|device| !is_cpu(device)) {
        // What is shipped would be one more to try.
        let device = device.with_wisdom(Wisdom::default());
        let n = if is_slow(&device) { 1 << 3 } else { 1 << 6 };
        agree::<Complex32>(&device, &Transform::new(stockham::Algebra::ComplexF32, n));
        // So many that they fill the device.
        let batch = device.info().compute_units * (1 << 12) / n;
        agree::<Goldilocks>(&device, &Transform::new(stockham::Algebra::Goldilocks, n).batch(batch));
    }
}

/// What was known before takes part, and what cannot be realised is told.
#[test]
fn what_is_known_takes_part() {
    fn told(device: &Device, transform: &Transform, per_thread: usize) -> Outcome {
        let stages = vec![2; transform.points().ilog2() as usize];
        let pass = PassChoice::new(1, per_thread, stages);
        let known = Choice { passes: vec![pass], launches: Launches::Apart };
        let mut wisdom = Wisdom::default();
        wisdom.insert(transform, device.info(), known.clone());
        let tuned = device.with_wisdom(wisdom).tune(transform, &mut |_, _| {}).unwrap();
        // It comes behind the candidates; what comes behind it are neighbours of the fastest.
        let trial = &tuned.trials[candidates(transform, device.info()).len()];
        assert_eq!(trial.choice, known);
        assert!(tuned.trials.iter().all(|trial| trial.outcome != Outcome::Wrong), "{tuned:?}");
        trial.outcome.clone()
    }
    for device in devices().into_iter().filter(|device| !is_cpu(device)) {
        let transform = Transform::new(stockham::Algebra::Goldilocks, 16);
        assert!(matches!(told(&device, &transform, 2), Outcome::Time(_)));
        // Digits, in an order of their own.
        let digits = Transform::new(stockham::Algebra::BigPrime(BigPrime::P1), 16);
        let digits = digits.layouts(Layout::Sliced, Layout::Plain);
        assert!(matches!(told(&device, &digits, 0), Outcome::Failed(_)));
    }
}
