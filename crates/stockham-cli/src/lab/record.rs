//! What a study measured, as it is written and read.

use serde::{Deserialize, Serialize};
use stockham::plan::Trig;

use crate::origin::Origin;

use super::primes::record::{PrimeOutcome, PrimeRow};

/// A whole study.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Study {
    /// Where and when.
    #[serde(flatten)]
    pub origin: Origin,
    /// Points of the long transform.
    pub n: usize,
    /// The work-group sizes that were tried.
    pub groups: Vec<usize>,
    /// The library it was compared with, or why there was none.
    pub peer: String,
    /// One stage a launch, by radix, variant and sine.
    pub chains: Vec<Cell>,
    /// Planar input.
    pub planar: Vec<Entry>,
    /// Programs of one kernel size, over the lengths.
    pub programs: Vec<Program>,
    /// Local memory, registers, in place, two dimensions.
    pub later: Vec<Entry>,
    /// Short transforms, more and more of them at a time.
    pub batches: Vec<Entry>,
    /// From one radix-2 stage a launch to the engine's own recipe.
    pub ladder: Vec<Entry>,
    /// The same over a finite field.
    pub field_ladder: Vec<Entry>,
    /// Big primes, beside what they have to beat.
    #[serde(default)]
    pub primes: Vec<PrimeRow>,
    /// What could not be measured at all.
    pub failures: Vec<String>,
}

/// A chain of launches of one radix.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Cell {
    /// The family: `radix 4`.
    pub family: String,
    /// The variant: `A`; nothing where there is one only.
    pub variant: String,
    /// How the kernel computes sines; nothing if it has tables instead.
    pub trig: Option<Trig>,
    /// What came of it.
    pub outcome: Outcome,
}

/// A program of kernels of one size, at one length.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Program {
    /// Points of the kernels, but the last.
    pub radix: usize,
    /// Points of the transform.
    pub n: usize,
    /// What came of it.
    pub outcome: Outcome,
}

/// Anything else.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Entry {
    /// What it is.
    pub name: String,
    /// What came of it.
    pub outcome: Outcome,
}

/// A reading, or the reason why there is none.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It ran.
    Reading(Reading),
    /// It did not.
    Missing(String),
}

impl Outcome {
    /// The reading.
    pub fn reading(&self) -> Option<&Reading> {
        if let Self::Reading(reading) = self { Some(reading) } else { None }
    }
}

/// A time, and how far the result was from the truth.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub struct Reading {
    /// Points of a transform.
    pub n: usize,
    /// Transforms at a time.
    pub batch: usize,
    /// The best work-group size, where it was chosen among several.
    pub group: Option<usize>,
    /// Launches, each of which is a trip through memory; nothing if a library does not tell.
    pub launches: Option<usize>,
    /// Bytes read and written by all of them.
    pub bytes: Option<usize>,
    /// The time of all launches.
    pub ms: f64,
    /// The time of a copy of the same elements.
    pub copy_ms: f64,
    /// The time of each launch, where they were timed apart.
    pub launch_ms: Vec<f64>,
    /// The relative L2 error; 0 for exact results.
    pub l2: f64,
    /// The same in units of u·√log2 n; nothing over exact algebras.
    pub units: Option<f64>,
    /// What the relative L2 error may be.
    pub bound: f64,
}

impl Reading {
    /// Whether the error is within its bound. (Not so if it is not a number.)
    pub fn is_right(&self) -> bool {
        self.l2 <= self.bound
    }

    /// The time in copies.
    pub fn copies(&self) -> f64 {
        self.ms / self.copy_ms
    }

    /// The time of the shortest launch.
    pub fn shortest_ms(&self) -> Option<f64> {
        self.launch_ms.iter().copied().min_by(f64::total_cmp)
    }

    /// Transforms in a second.
    pub fn per_second(&self) -> f64 {
        self.batch as f64 / (self.ms / 1e3)
    }
}

impl Study {
    /// A study of which nothing is measured yet.
    pub fn new(origin: Origin, n: usize, groups: Vec<usize>, peer: String) -> Self {
        Self {
            origin,
            n,
            groups,
            peer,
            chains: Vec::new(),
            planar: Vec::new(),
            programs: Vec::new(),
            later: Vec::new(),
            batches: Vec::new(),
            ladder: Vec::new(),
            field_ladder: Vec::new(),
            primes: Vec::new(),
            failures: Vec::new(),
        }
    }

    /// What came out wrong.
    pub fn wrong(&self) -> impl Iterator<Item = String> {
        let wrong = |outcome: &Outcome| outcome.reading().is_some_and(|reading| !reading.is_right());
        let primes = self.primes.iter().filter_map(|row| {
            let wrong = &row.times()?.wrong;
            (!wrong.is_empty()).then(|| format!("{}: {}", row.name(), wrong.join(", ")))
        });
        self.outcomes().filter(move |(_, outcome)| wrong(outcome)).map(|(name, _)| name).chain(primes)
    }

    /// The reason for the first refusal, if nothing ran at all.
    pub fn refused(&self) -> Option<&str> {
        let primes = self.primes.iter().map(|row| match &row.outcome {
            PrimeOutcome::Missing(reason) => Some(reason.as_str()),
            PrimeOutcome::Times(_) => None,
        });
        let reasons = self.outcomes().map(|(_, outcome)| match outcome {
            Outcome::Missing(reason) => Some(reason.as_str()),
            Outcome::Reading(_) => None,
        });
        let mut reasons = reasons.chain(primes);
        let first = reasons.next().flatten();
        if reasons.all(|reason| reason.is_some()) { first } else { None }
    }

    /// Every reading with its name.
    pub fn outcomes(&self) -> impl Iterator<Item = (String, &Outcome)> {
        let chains = self.chains.iter().map(|c| (c.name(), &c.outcome));
        let programs = self.programs.iter().map(|p| (p.name(), &p.outcome));
        let entries =
            [&self.planar, &self.later, &self.batches, &self.ladder, &self.field_ladder].into_iter().flatten();
        chains.chain(programs).chain(entries.map(|e| (e.name.clone(), &e.outcome)))
    }
}

impl Cell {
    /// `radix 4 A, sincos`.
    pub fn name(&self) -> String {
        let space = if self.variant.is_empty() { "" } else { " " };
        format!("{}{space}{}, {}", self.family, self.variant, super::variants::trig_name(self.trig))
    }
}

impl Program {
    /// `8-point kernels, n = 2^12`.
    pub fn name(&self) -> String {
        format!("{}-point kernels, n = {}", self.radix, crate::size::power(self.n))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_study_of_refusals_is_told_from_one_with_readings() {
        let device = stockham::Device::cpu();
        let mut study = Study::new(Origin::of(&device), 16, Vec::new(), "none".into());
        assert_eq!(study.refused(), None, "nothing was tried");
        let entry = |reason: &str| Entry { name: reason.into(), outcome: Outcome::Missing(reason.into()) };
        study.planar = vec![entry("too large"), entry("too small")];
        assert_eq!(study.refused(), Some("too large"));
        let reading = Reading { ms: 1.0, ..Reading::default() };
        study.ladder = vec![Entry { name: "radix 2".into(), outcome: Outcome::Reading(reading) }];
        assert_eq!(study.refused(), None);
    }
}
