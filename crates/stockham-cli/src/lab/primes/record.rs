//! What is recorded of a big prime's transforms and of what they are measured against.

use serde::{Deserialize, Serialize};

/// A field at a length.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PrimeRow {
    /// The field's name.
    pub field: String,
    /// Its digits: k.
    pub digits: usize,
    /// Points of the transform.
    pub n: usize,
    /// What came of it.
    pub outcome: PrimeOutcome,
}

/// Times, or the reason why there are none.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PrimeOutcome {
    /// It ran.
    Times(PrimeTimes),
    /// It did not.
    Missing(String),
}

/// Times of single transforms in milliseconds.
#[derive(Debug, Default, Clone, Serialize, Deserialize)]
pub struct PrimeTimes {
    /// Over the special prime, the digits of an element together.
    pub ms: f64,
    /// Digit after digit.
    pub sliced_ms: Option<f64>,
    /// A copy of the same bytes.
    pub copy_ms: f64,
    /// Passes through memory, of which each takes a copy's time at least.
    pub passes: usize,
    /// What the arithmetic takes at least.
    pub arithmetic: Option<Arithmetic>,
    /// Over the same prime by Montgomery's arithmetic.
    pub montgomery_ms: Option<f64>,
    /// By a residue number system.
    pub residues: Option<ResidueTimes>,
    /// What came out wrong.
    pub wrong: Vec<String>,
    /// What did not run, and why.
    pub missing: Vec<String>,
}

/// How often the transform's kernels do an operation, and what one takes when nothing else is done.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Arithmetic {
    /// General products.
    pub products: u64,
    /// Sums and differences, also with a rotation in them.
    pub sums: u64,
    /// Rotations on their own.
    pub rotations: u64,
    /// Nanoseconds of a product, the device being full of them.
    pub product_ns: f64,
    /// Of a sum and a difference of the same two.
    pub butterfly_ns: f64,
    /// Of a rotation.
    pub rotation_ns: f64,
}

impl Arithmetic {
    /// All of them one after the other.
    pub fn ms(&self) -> f64 {
        let Self { products, sums, rotations, product_ns, butterfly_ns, rotation_ns } = *self;
        (products as f64 * product_ns + sums as f64 / 2.0 * butterfly_ns + rotations as f64 * rotation_ns) * 1e-6
    }
}

/// A transform by residues, in its three parts.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct ResidueTimes {
    /// Primes below 2^62.
    pub primes: usize,
    /// Integers to residues.
    pub reduce_ms: f64,
    /// The transforms over all primes, one after the other.
    pub transforms_ms: f64,
    /// Residues to integers.
    pub recombine_ms: f64,
}

impl ResidueTimes {
    /// All three.
    pub fn ms(&self) -> f64 {
        self.reduce_ms + self.transforms_ms + self.recombine_ms
    }
}

impl PrimeRow {
    /// `P3, n = 2^20`.
    pub fn name(&self) -> String {
        format!("{}, n = {}", self.field, crate::size::power(self.n))
    }

    /// The times.
    pub fn times(&self) -> Option<&PrimeTimes> {
        if let PrimeOutcome::Times(times) = &self.outcome { Some(times) } else { None }
    }
}

impl PrimeTimes {
    /// What all passes take at least.
    pub fn memory_ms(&self) -> f64 {
        self.passes as f64 * self.copy_ms
    }

    /// How many times as long the same prime takes in Montgomery's arithmetic.
    pub fn to_montgomery(&self) -> Option<f64> {
        Some(self.montgomery_ms? / self.ms)
    }

    /// How many times as long residues take.
    pub fn to_residues(&self) -> Option<f64> {
        Some(self.residues?.ms() / self.ms)
    }
}
