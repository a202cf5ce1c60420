//! Timing work on a stream by the device's own clock.

use crate::device::Stream;
use crate::error::Error;

/// How long to measure.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// Repetitions at least, …
    runs: usize,
    /// … and the milliseconds they last together at least.
    total_ms: f64,
    /// A train of launches lasts this long at least, so that neither the clock's steps nor the first launch's way to
    /// the device count for much.
    train_ms: f64,
    /// Before anything counts: caches fill, clocks rise.
    warm_up_ms: f64,
}

impl Patience {
    /// For figures.
    pub const FIGURE: Self = Self { runs: 7, total_ms: 100.0, train_ms: 2.0, warm_up_ms: 30.0 };
    /// For one of several rounds in which things that are compared take turns.
    pub const ROUND: Self = Self { runs: 7, total_ms: 14.0, train_ms: 2.0, warm_up_ms: 2.0 };
    /// For results: times say little.
    pub const ONCE: Self = Self { runs: 1, total_ms: 0.0, train_ms: 0.0, warm_up_ms: 0.0 };
    /// For choosing among many.
    pub const GLANCE: Self = Self { runs: 3, total_ms: 5.0, train_ms: 1.0, warm_up_ms: 2.0 };
}

/// The median time of one submission, in milliseconds; of short ones, launch to launch in a train of them.
///
/// # Errors
/// What the submission or the driver reports.
pub fn measure<E: From<Error>>(
    patience: Patience,
    stream: &Stream,
    submit: &mut dyn FnMut() -> Result<(), E>,
) -> Result<f64, E> {
    let Patience { runs, total_ms, train_ms, warm_up_ms } = patience;
    let first = train(stream, 1, submit)?;
    // The first may have been slow for reasons of its own.
    let once = if first < warm_up_ms { train(stream, 3, submit)? / 3.0 } else { first };
    let length = (train_ms / once.max(1e-4)).ceil().clamp(1.0, 2000.0) as usize;
    let mut warm = first;
    while warm < warm_up_ms {
        warm += train(stream, length, submit)?.max(0.01);
    }
    let (mut times, mut total) = (Vec::new(), 0.0);
    while times.len() < runs || total < total_ms {
        let time = train(stream, length, submit)?;
        times.push(time / length as f64);
        // A clock that stands still must not keep us here.
        total += time.max(0.01);
    }
    Ok(median(times))
}

/// The median times of submissions that take turns, in milliseconds: so they share clocks, which fall where many of one kind draw more
/// power than a device may.
///
/// # Errors
/// What a submission or the driver reports.
pub fn measure_in_turns<E: From<Error>, const N: usize>(
    rounds: usize,
    stream: &Stream,
    mut submissions: [&mut dyn FnMut() -> Result<(), E>; N],
) -> Result<[f64; N], E> {
    let mut times = [const { Vec::new() }; N];
    for _ in 0..rounds {
        for (times, submit) in times.iter_mut().zip(&mut submissions) {
            times.push(measure(Patience::ROUND, stream, submit)?);
        }
    }
    Ok(times.map(median))
}

fn train<E: From<Error>>(stream: &Stream, length: usize, submit: &mut dyn FnMut() -> Result<(), E>) -> Result<f64, E> {
    let start = stream.record()?;
    for _ in 0..length {
        submit()?;
    }
    let end = stream.record()?;
    end.synchronize()?;
    Ok(end.milliseconds_since(&start)?)
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    let middle = times.len() / 2;
    if times.len() % 2 == 1 { times[middle] } else { (times[middle - 1] + times[middle]) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_ignores_outliers() {
        assert_eq!(median(vec![1.0, 100.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 100.0]), 3.0);
    }

    #[test]
    fn what_takes_turns_keeps_its_own_time() {
        let stream = crate::Device::cpu().new_stream().unwrap();
        let sleep = |ms| {
            move || {
                std::thread::sleep(std::time::Duration::from_millis(ms));
                Ok::<(), Error>(())
            }
        };
        let (mut short, mut long) = (sleep(1), sleep(4));
        let [short, long] = measure_in_turns(2, &stream, [&mut short, &mut long]).unwrap();
        assert!(short >= 1.0 && long >= 4.0, "{short} {long}");
    }

    #[test]
    fn a_sleep_takes_its_time() {
        let device = crate::Device::cpu();
        let pause = std::time::Duration::from_millis(1);
        let sleep = &mut || {
            std::thread::sleep(pause);
            Ok::<_, Error>(())
        };
        let time = measure(Patience::FIGURE, device.default_stream(), sleep);
        assert!((1.0..20.0).contains(&time.unwrap()));
    }
}
