//! `--from` and `--to`: the powers of two that `bench`, `verify` and `tune` go through, and how many of each.

use stockham::Algebra;

use crate::error::{Error, Result};
use crate::size;

/// The two ends.
#[derive(clap::Args)]
pub struct Sizes {
    /// The shortest transform, a power of two
    #[arg(long, value_name = "2^a", default_value = "2", value_parser = size::parse_power_of_two)]
    from: usize,
    /// The longest transform, a power of two
    #[arg(long, value_name = "2^b", default_value = "2^20", value_parser = size::parse_power_of_two)]
    to: usize,
}

impl Sizes {
    /// Every power of two between the ends.
    pub fn all(&self) -> Result<Vec<usize>> {
        let (from, to) = (self.from, self.to);
        if from > to {
            return Err(Error::input(format!("--from {} is larger than --to {}", size::power(from), size::power(to))));
        }
        Ok((from.trailing_zeros()..=to.trailing_zeros()).map(|bits| 1 << bits).collect())
    }
}

/// The transforms of n points that so many bytes hold, or one.
pub fn batch(algebra: Algebra, n: usize, bytes: usize) -> usize {
    (bytes / n.saturating_mul(algebra.element_bytes()).max(1)).max(1)
}
