//! How accurate a transform is: the measurement behind `stockham verify` and the tests.
//!
//! Errors are relative, in the norms L2 and L∞, and in units of u·√log2 n with u the unit roundoff: the growth of a
//! good FFT's error, so that one number serves every length and precision. The inputs are dense and random, the same
//! for the same seed, and short transforms are repeated until there are some thousand outputs to average over.
//!
//! Up to 2^20 points every output is compared with [`Autosort`](crate::autosort::Autosort) in at least twice the
//! precision. Beyond, a reference would need more memory than many machines have. There the transform is tested
//! against itself, as F. Ergün showed ("Testing multivariate linear functions: overcoming the generator bottleneck",
//! STOC 1995): a function that is linear, takes an impulse to a constant and a shift to a modulation is the DFT. The
//! accuracy is then estimated from outputs at random places, each computed by the definition in higher precision.
//!
//! ```
//! use stockham::{Complex64, Device, Direction, accuracy};
//! let record = accuracy::measure::<Complex64>(&Device::cpu(), 1024, Direction::Forward, 1)?;
//! assert!(record.passes() && record.l2_units < 1.0);
//! # Ok::<(), stockham::Error>(())
//! ```

mod arrays;
mod check;
mod chirp;
mod measured;

use serde::{Deserialize, Serialize};

use crate::algebra::{Algebra, Direction};
use crate::device::Device;
use crate::error::Result;
use crate::transform::{Normalization, Transform};

pub use arrays::{ArrayRecord, measure_array, measure_reals};
pub use check::{check, check_by, errors, references};
pub use measured::{Measured, random, random_digits, random_residues, random_words};

/// A record passes with an L2 error of at most this, in units of u·√log2 n.
pub const L2_LIMIT: f64 = 1.0;

/// The same of lengths with prime factors above 31: two transforms one after the other, of more points.
pub const CHIRP_L2_LIMIT: f64 = 1.2;

/// The limit of transforms of n points.
pub fn l2_limit(n: usize) -> f64 {
    let rest = crate::autosort::PRIMES.iter().fold(n.max(1), |mut rest, p| {
        while rest.is_multiple_of(*p) {
            rest /= p;
        }
        rest
    });
    if rest == 1 { L2_LIMIT } else { CHIRP_L2_LIMIT }
}

/// The same for L∞. The largest of n errors scatters more than their mean square, so the limit is higher; a single
/// wrong output stands out by orders of magnitude.
pub const LINF_LIMIT: f64 = 2.0;

/// The laws compare results of up to three runs, each with an error of its own, so they are held to twice the limits.
pub(crate) const LAW_FACTOR: f64 = 2.0;

/// Relative errors of a vector against a reference. Over an exact algebra an output is right or wrong, and counts as
/// an error of 0 or 1 on a magnitude of 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Errors {
    /// ‖y − reference‖₂ / ‖reference‖₂.
    pub l2: f64,
    /// max |y − reference| / max |reference|.
    pub linf: f64,
}

impl Errors {
    /// In units of u·√log2 n, or of u for n = 1. An exact algebra has no unit: the errors stay as they are.
    pub fn in_units(self, unit_roundoff: Option<f64>, n: usize) -> Self {
        let Some(u) = unit_roundoff else { return self };
        let unit = u * (n.max(2) as f64).log2().sqrt();
        Self { l2: self.l2 / unit, linf: self.linf / unit }
    }

    /// The limits of transforms of n points, times a factor.
    pub(crate) fn within(self, n: usize, factor: f64, exact: bool) -> bool {
        let limit = |limit: f64| if exact { 0.0 } else { factor * limit };
        // So written that an error that is not a number fails.
        self.l2 <= limit(l2_limit(n)) && self.linf <= limit(LINF_LIMIT)
    }
}

/// How a transform is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Every output is compared with a reference in at least twice the precision.
    Reference,
    /// Ergün's self-test, and some outputs compared with the definition in at least twice the precision.
    SelfTest,
}

impl Method {
    /// The largest length checked against a reference by default.
    pub const REFERENCE_UP_TO: usize = 1 << 20;

    /// The method [`check`] takes for a length.
    pub fn for_length(n: usize) -> Self {
        if n <= Self::REFERENCE_UP_TO { Self::Reference } else { Self::SelfTest }
    }
}

/// By how much the laws of Ergün's self-test are violated, in units of u·√log2 n.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Laws {
    /// F(x + y) against F(x) + F(y).
    pub linearity: Errors,
    /// F(x + aδ) against F(x) + a, with an impulse that has as much energy as x.
    pub impulse: Errors,
    /// F(x delayed by one) against F(x) times the powers of ω.
    pub shift: Errors,
}

/// What was measured for one transform.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The numbers.
    pub algebra: Algebra,
    /// The number of points.
    pub n: usize,
    /// The direction.
    pub direction: Direction,
    /// The inputs' seed.
    pub seed: u64,
    /// How it was checked.
    pub method: Method,
    /// Outputs compared with the reference.
    pub outputs: usize,
    /// Whether the algebra is exact, so that only errors of 0 pass.
    pub exact: bool,
    /// The L2 error in units of u·√log2 n; the root of the share of wrong outputs over an exact algebra.
    pub l2_units: f64,
    /// The L∞ error in units of u·√log2 n; 1 over an exact algebra if any output is wrong.
    pub linf_units: f64,
    /// The self-test's laws, if they were checked.
    pub laws: Option<Laws>,
}

impl Record {
    /// Whether all errors are within [`l2_limit`] and [`LINF_LIMIT`], and the laws within twice these; over an exact
    /// algebra, whether there are none.
    pub fn passes(&self) -> bool {
        let errors = Errors { l2: self.l2_units, linf: self.linf_units };
        let laws = self.laws.map_or(vec![], |laws| vec![laws.linearity, laws.impulse, laws.shift]);
        errors.within(self.n, 1.0, self.exact) && laws.iter().all(|law| law.within(self.n, LAW_FACTOR, self.exact))
    }
}

/// Measures a device's transform of `n` points, contiguous, out of place and without normalisation.
///
/// # Errors
/// As [`Device::plan`], [`Executable::run`](crate::Executable::run) and [`check`].
pub fn measure<T: Measured>(device: &Device, n: usize, direction: Direction, seed: u64) -> Result<Record> {
    let count = check::vectors(n);
    let transform = Transform::new(T::ALGEBRA, n).batch(count).direction(direction);
    let executable = device.plan(&transform.normalization(Normalization::None))?;
    let mut input = device.alloc::<T>(n * count)?;
    let mut output = device.alloc::<T>(n * count)?;
    let run = |x: &[T]| {
        input.write(x)?;
        executable.run(&input, &mut output)?;
        output.to_vec()
    };
    check(run, n, direction, seed)
}
