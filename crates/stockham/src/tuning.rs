//! Tuning: the candidates of a transform, measured on the device that is to run it, then the fastest with one pass after the
//! other otherwise ([`plan::neighbours`]); each is held to the result of the planner's own choice.
//!
//! The winner goes into [`Wisdom`](crate::plan::Wisdom):
//!
//! ```
//! # use stockham::{Algebra, Device, Transform};
//! # fn tuned(device: Device) -> stockham::Result<Device> {
//! let transform = Transform::new(Algebra::ComplexF32, 4096).batch(1 << 15);
//! let tuned = device.tune(&transform, &mut |_, _| {})?;
//! println!("{} ms instead of {} ms by {}", tuned.best_ms, tuned.model_ms, tuned.best);
//! let mut wisdom = device.wisdom().clone();
//! wisdom.insert(&transform, device.info(), tuned.best);
//! # Ok(
//! device.with_wisdom(wisdom)
//! # )
//! # }
//! ```

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::accuracy::{self, LAW_FACTOR, Measured, random, random_digits, random_residues, random_words};
use crate::algebra::{Algebra, Data, Goldilocks};
use crate::device::{Buffer, Device, Executable, Stream};
use crate::error::{Error, Result};
use crate::host_memory;
use crate::parallel;
use crate::plan::{self, Choice};
use crate::timing::{self, Patience};
use crate::transform::{Placement, Transform};
use crate::{Complex32, Complex64};

/// What tuning found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tuned {
    /// What was tuned, out of place.
    pub transform: Transform,
    /// Milliseconds of a copy of the output's bytes.
    pub copy_ms: f64,
    /// Milliseconds of the planner's own choice.
    pub model_ms: f64,
    /// The winner: the fastest choice, or the planner's own where none is clearly faster.
    pub best: Choice,
    /// Its milliseconds.
    pub best_ms: f64,
    /// Everything that was tried, the planner's own choice first.
    pub trials: Vec<Trial>,
}

/// A choice and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// The choice.
    pub choice: Choice,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a choice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It is right, and takes so many milliseconds.
    Time(f64),
    /// Its result is another than that of the planner's own choice, and it was refused.
    Wrong,
    /// The device did not compile it or did not run it, for this reason.
    Failed(String),
}

/// The seed of the input.
const SEED: u64 = 1;

/// Of all that was measured at a glance, so many are measured with patience, and the planner's own choice.
const FINALISTS: usize = 3;

/// A winner takes at most this share of the time of the planner's own choice; what is closer may be chance.
const MARGIN: f64 = 0.98;

impl Device {
    /// Measures the planner's choice for a transform and others on random data, by the device's own clock, then the fastest
    /// one's neighbours, and finds the winner. `progress` is told how many are done, of how many; of more, as neighbours come.
    ///
    /// Transforms in place are tuned out of place. It takes twice the bytes of the output beside what a run takes.
    ///
    /// # Errors
    /// As [`Device::plan`], and [`Error::Unsupported`] on the host, which leaves nothing to choose. A candidate that
    /// fails is told in the record and is no error.
    pub fn tune(&self, transform: &Transform, progress: &mut dyn FnMut(usize, usize)) -> Result<Tuned> {
        let transform = &Transform { placement: Placement::OutOfPlace, ..transform.clone() };
        plan::choose(transform, self.info())?;
        let len = transform.input_len();
        // Random data, and a blank output.
        let elements = len.saturating_add(transform.output_len());
        host_memory::check(elements.saturating_mul(transform.algebra.element_bytes()) as u64)?;
        match transform.algebra {
            Algebra::ComplexF32 => tune(self, transform, &random::<Complex32>(len, SEED), agree, progress),
            Algebra::ComplexF64 => tune(self, transform, &random::<Complex64>(len, SEED), agree, progress),
            Algebra::Goldilocks => tune(self, transform, &random::<Goldilocks>(len, SEED), agree, progress),
            Algebra::BigPrime(prime) if prime.digit_bytes() == 4 => {
                tune(self, transform, &random_digits::<u32>(prime, len, SEED), same, progress)
            }
            Algebra::BigPrime(prime) => tune(self, transform, &random_digits::<u64>(prime, len, SEED), same, progress),
            Algebra::WordField(field) if field.bytes() == 4 => {
                tune(self, transform, &random_words::<u32>(field, len, SEED), same, progress)
            }
            Algebra::WordField(field) => tune(self, transform, &random_words::<u64>(field, len, SEED), same, progress),
            Algebra::PrimeField(field) => {
                tune(self, transform, &random_residues(field, transform.input_layout, len, SEED), same, progress)
            }
        }
    }
}

/// Whether two results are as close as two transforms within the limits of `accuracy` are; the same, over an exact algebra.
fn agree<T: Measured>(found: &[T], expected: &[T], n: usize) -> bool {
    let unit = T::ALGEBRA.unit_roundoff();
    accuracy::errors(found, |i| expected[i].widen()).in_units(unit, n).within(n, LAW_FACTOR, unit.is_none())
}

/// Whether two results are the same.
fn same<T: Data>(found: &[T], expected: &[T], _: usize) -> bool {
    found == expected
}

fn tune<T: Data>(
    device: &Device,
    transform: &Transform,
    host: &[T],
    agree: Agree<T>,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Tuned> {
    let mut choices = plan::candidates(transform, device.info());
    // What was known to be good takes part.
    choices.extend(device.wisdom().get(transform, device.info()).filter(|known| !choices.contains(known)).cloned());
    let mut contest = Contest::new(device, transform, host, agree)?;
    contest.try_out(choices, progress)?;
    let passes = contest.quickest().passes.len();
    for pass in 0..passes {
        let others = plan::neighbours(contest.quickest(), pass, transform, device.info());
        contest.try_out(others, progress)?;
    }
    contest.settle()
}

/// Whether two results of so many points each agree.
type Agree<T> = fn(&[T], &[T], usize) -> bool;

/// What was tried.
struct Contest<'a, T> {
    device: &'a Device,
    transform: &'a Transform,
    agree: Agree<T>,
    bench: Bench<T>,
    copy_ms: f64,
    /// The planner's own choice is the first.
    trials: Vec<Trial>,
    prepared: Vec<Result<Executable>>,
    /// What is expected at a glance, once there is the planner's own choice.
    sampled: Option<Expected<T>>,
}

/// Some of the result of the planner's own choice, which all others are held to.
struct Expected<T> {
    ranges: Vec<Range<usize>>,
    values: Vec<T>,
}

impl<'a, T: Data> Contest<'a, T> {
    fn new(device: &'a Device, transform: &'a Transform, host: &[T], agree: Agree<T>) -> Result<Self> {
        let mut bench = Bench::new(device, transform, host)?;
        let stream = bench.stream.clone();
        let copy_ms =
            timing::measure::<Error>(Patience::FIGURE, &stream, &mut || bench.output.copy_from(&stream, &bench.blank))?;
        Ok(Self { device, transform, agree, bench, copy_ms, trials: Vec::new(), prepared: Vec::new(), sampled: None })
    }

    /// Measures choices at a glance, but those that were tried before.
    fn try_out(&mut self, mut choices: Vec<Choice>, progress: &mut dyn FnMut(usize, usize)) -> Result<()> {
        choices.retain(|choice| self.trials.iter().all(|trial| trial.choice != *choice));
        let (device, transform) = (self.device, self.transform);
        let count = self.trials.len() + choices.len();
        progress(self.trials.len(), count);
        // Compiling is what takes most of the time.
        let prepare = |choice: &Choice| device.prepare(choice.realise(transform, device.info())?);
        self.prepared.extend(parallel::map(choices.len(), 1, |i| prepare(&choices[i])));
        let expected = match self.sampled.take() {
            Some(expected) => expected,
            None => self.expected(samples(transform.output_len()))?,
        };
        for choice in choices {
            let outcome = self.measure(self.trials.len(), Patience::GLANCE, &expected);
            self.trials.push(Trial { choice, outcome });
            progress(self.trials.len(), count);
        }
        self.sampled = Some(expected);
        Ok(())
    }

    /// The planner's own choice, ready to run.
    fn model(&self) -> Result<Executable> {
        self.prepared[0].clone()
    }

    fn expected(&mut self, ranges: Vec<Range<usize>>) -> Result<Expected<T>> {
        let values = self.bench.result(&self.model()?, &ranges)?;
        Ok(Expected { ranges, values })
    }

    fn measure(&mut self, number: usize, patience: Patience, expected: &Expected<T>) -> Outcome {
        let mut attempt = || -> Result<Outcome> {
            let executable = self.prepared[number].as_ref().map_err(Clone::clone)?;
            let found = self.bench.result(executable, &expected.ranges)?;
            if !(self.agree)(&found, &expected.values, self.transform.points()) {
                return Ok(Outcome::Wrong);
            }
            Ok(Outcome::Time(self.bench.time(executable, patience)?))
        };
        attempt().unwrap_or_else(|error| Outcome::Failed(error.to_string()))
    }

    /// The fastest so far, or the planner's own choice where none is right.
    fn quickest(&self) -> &Choice {
        let number = by_time(&self.trials).next().unwrap_or(0);
        &self.trials[number].choice
    }

    /// Measures the best with patience, and finds the winner.
    fn settle(mut self) -> Result<Tuned> {
        let model = self.model()?;
        let model_ms = self.bench.time(&model, Patience::FIGURE)?;
        let (mut best, mut best_ms) = (0, model_ms);
        // What may win is looked at as a whole.
        let expected = self.expected(std::iter::once(0..self.transform.output_len()).collect())?;
        let finalists: Vec<usize> = by_time(&self.trials).filter(|&number| number > 0).take(FINALISTS).collect();
        for number in finalists {
            let outcome = self.measure(number, Patience::FIGURE, &expected);
            if let Outcome::Time(ms) = outcome
                && ms < best_ms.min(MARGIN * model_ms)
            {
                (best, best_ms) = (number, ms);
            }
            self.trials[number].outcome = outcome;
        }
        if let Outcome::Time(ms) = &mut self.trials[0].outcome {
            *ms = model_ms;
        }
        let Self { transform, copy_ms, trials, .. } = self;
        let best = trials[best].choice.clone();
        Ok(Tuned { transform: transform.clone(), copy_ms, model_ms, best, best_ms, trials })
    }
}

/// The numbers of the trials that are right, the fastest first.
fn by_time(trials: &[Trial]) -> impl Iterator<Item = usize> + use<> {
    let time = |(number, trial): (usize, &Trial)| match trial.outcome {
        Outcome::Time(ms) => Some((ms, number)),
        _ => None,
    };
    let mut times: Vec<_> = trials.iter().enumerate().filter_map(time).collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    times.into_iter().map(|(_, number)| number)
}

/// Ranges of a result that tell right candidates from wrong ones: its ends, and places in between.
fn samples(len: usize) -> Vec<Range<usize>> {
    const COUNT: usize = 32;
    const EACH: usize = 1 << 12;
    if len <= COUNT * EACH {
        return std::iter::once(0..len).collect();
    }
    let starts = (0..COUNT).map(|i| (len - EACH) / (COUNT - 1) * i).chain([len - EACH]);
    starts.map(|start| start..start + EACH).collect()
}

/// The memory that candidates run in.
struct Bench<T> {
    stream: Stream,
    /// Values of an element.
    per_element: usize,
    input: Buffer<T>,
    output: Buffer<T>,
    /// What the output is before a candidate runs, so that no other's result is taken for its own.
    blank: Buffer<T>,
}

impl<T: Data> Bench<T> {
    fn new(device: &Device, transform: &Transform, host: &[T]) -> Result<Self> {
        let per_element = T::per_element(transform.algebra).unwrap_or(1);
        let blank = device.upload(&host_memory::zeroed(transform.output_len().saturating_mul(per_element))?)?;
        let (input, output) = (device.upload(host)?, device.alloc(blank.len())?);
        Ok(Self { stream: device.new_stream()?, per_element, input, output, blank })
    }

    /// Some of what one run makes of the input: ranges of elements.
    fn result(&mut self, executable: &Executable, ranges: &[Range<usize>]) -> Result<Vec<T>> {
        self.output.copy_from(&self.stream, &self.blank)?;
        let mut workspace = executable.workspace::<T>("workspace")?;
        executable.run_on(&self.stream, &self.input, &mut self.output, &mut workspace)?;
        self.stream.synchronize()?;
        let mut found = Vec::new();
        for range in ranges {
            let values = range.start * self.per_element..range.end * self.per_element;
            found.append(&mut self.output.slice(values)?.to_vec()?);
        }
        Ok(found)
    }

    fn time(&mut self, executable: &Executable, patience: Patience) -> Result<f64> {
        let mut workspace = executable.workspace::<T>("workspace")?;
        let Self { stream, input, output, .. } = self;
        timing::measure::<Error>(patience, stream, &mut || {
            executable.run_on(stream, &*input, &mut *output, &mut workspace)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Launches;

    fn trial(outcome: Outcome) -> Trial {
        Trial { choice: Choice { passes: Vec::new(), launches: Launches::Apart }, outcome }
    }

    #[test]
    fn the_fastest_are_right_ones() {
        let times = [Outcome::Time(1.0), Outcome::Time(5.0), Outcome::Wrong, Outcome::Failed("why".into())];
        let more = [Outcome::Time(f64::NAN), Outcome::Time(2.0), Outcome::Time(4.0), Outcome::Time(3.0)];
        let trials: Vec<_> = times.into_iter().chain(more).map(trial).collect();
        assert_eq!(by_time(&trials).collect::<Vec<_>>(), [0, 5, 7, 6, 1, 4]);
        assert_eq!(by_time(&trials[2..4]).next(), None);
    }

    #[test]
    fn samples_begin_and_end_where_results_do() {
        assert_eq!((samples(5).len(), samples(5)[0].clone()), (1, 0..5));
        for len in [(1 << 17) + 1, 1 << 27] {
            let samples = samples(len);
            assert_eq!((samples[0].start, samples[samples.len() - 1].end), (0, len));
            assert!(samples.iter().all(|range| range.len() == 1 << 12 && range.end <= len));
        }
    }

    #[test]
    fn a_wrong_result_does_not_agree() {
        let right = random::<Complex32>(1 << 10, 3);
        assert!(agree(&right, &right, 1 << 10));
        let mut rounded = right.clone();
        rounded.iter_mut().for_each(|z| z.re *= 1.0 + f32::EPSILON);
        assert!(agree(&rounded, &right, 1 << 10));
        for wrong in [Complex32::new(f32::NAN, 0.0), right[7] * 1.001, right[8]] {
            let mut found = right.clone();
            found[7] = wrong;
            assert!(!agree(&found, &right, 1 << 10), "{wrong}");
        }
        let exact = random::<Goldilocks>(64, 3);
        let mut found = exact.clone();
        assert!(agree(&found, &exact, 64) && same(&found, &exact, 64));
        found[63] = exact[62];
        assert!(!agree(&found, &exact, 64) && !same(&found, &exact, 64));
    }

    #[test]
    fn there_is_nothing_to_tune_on_the_host() {
        let tuned = Device::cpu().tune(&Transform::new(Algebra::ComplexF32, 64), &mut |_, _| {});
        assert!(matches!(tuned, Err(Error::Unsupported { .. })), "{tuned:?}");
    }
}
