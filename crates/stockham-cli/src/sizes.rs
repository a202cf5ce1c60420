//! The lengths and shapes that `bench`, `verify` and `tune` go through: `--from` and `--to`, powers of two, or `--sizes`,
//! or `--smooth`; and how many of each.

use std::ops::RangeInclusive;

use stockham::Algebra;

use crate::error::{Error, Result};
use crate::size::{self, Shape};

/// The two ends.
#[derive(clap::Args)]
pub struct Sizes {
    /// The shortest transform, a power of two
    #[arg(long, value_name = "2^a", default_value = "2", value_parser = size::parse_power_of_two)]
    from: usize,
    /// The longest transform, a power of two
    #[arg(long, value_name = "2^b", default_value = "2^20", value_parser = size::parse_power_of_two)]
    to: usize,
    /// These lengths instead: 1000,4095,10^6; `bench` and `verify` take shapes, too: 1024x1024,64x64x64
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = Shape::parse, conflicts_with_all = ["from", "to"])]
    sizes: Vec<Shape>,
    /// All lengths from A to B whose prime factors are at most 13
    #[arg(long, value_name = "A..B", value_parser = parse_range, conflicts_with_all = ["from", "to", "sizes"])]
    smooth: Option<RangeInclusive<usize>>,
}

/// The largest prime factor of the lengths of `--smooth`.
const MOST_FACTOR: usize = 13;

/// Numbers that a range has at most: more would be looked through for minutes.
const MOST_RANGE: usize = 1 << 28;

/// Reads `1..65536`, both ends included.
pub fn parse_range(text: &str) -> std::result::Result<RangeInclusive<usize>, String> {
    let (from, to) = text.split_once("..").ok_or_else(|| format!("'{text}' is no range: write 2..8192"))?;
    let (from, to) = (size::parse_positive(from)?, size::parse_positive(to)?);
    match to.checked_sub(from) {
        None => Err(format!("{from} is larger than {to}")),
        Some(count) if count >= MOST_RANGE => Err(format!("{from} to {to} are too many: at most {MOST_RANGE}")),
        Some(_) => Ok(from..=to),
    }
}

fn is_smooth(n: usize) -> bool {
    let divided = |mut rest: usize, p: usize| {
        while rest.is_multiple_of(p) {
            rest /= p;
        }
        rest
    };
    (2..=MOST_FACTOR).fold(n, divided) == 1
}

impl Sizes {
    /// All of them.
    pub fn all(&self) -> Result<Vec<Shape>> {
        if let Some(range) = &self.smooth {
            return Ok(range.clone().filter(|&n| is_smooth(n)).map(Shape::from).collect());
        }
        if !self.sizes.is_empty() {
            return Ok(self.sizes.clone());
        }
        let (from, to) = (self.from, self.to);
        if from > to {
            return Err(Error::input(format!("--from {} is larger than --to {}", size::power(from), size::power(to))));
        }
        Ok((from.trailing_zeros()..=to.trailing_zeros()).map(|bits| Shape::from(1 << bits)).collect())
    }

    /// All of them, for a command that takes one dimension only.
    pub fn lengths(&self, command: &str) -> Result<Vec<usize>> {
        let length = |shape: Shape| match shape.lengths() {
            [n] => Ok(*n),
            _ => Err(Error::input(format!(
                "{command} takes one dimension, and {shape} has several: `stockham bench` and `verify` take them"
            ))),
        };
        self.all()?.into_iter().map(length).collect()
    }
}

/// The transforms of n points that so many bytes hold, or one.
pub fn batch(algebra: Algebra, n: usize, bytes: usize) -> usize {
    (bytes / n.saturating_mul(algebra.element_bytes()).max(1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_lengths_are_those_of_small_primes() {
        let smooth: Vec<usize> = (1..=40).filter(|&n| is_smooth(n)).collect();
        assert_eq!(smooth.len(), 32, "{smooth:?}");
        assert!(!smooth.contains(&17) && !smooth.contains(&34) && smooth.contains(&39));
        assert_eq!((2..=8192).filter(|&n| is_smooth(n)).count(), 671);
    }

    #[test]
    fn ranges_are_read() {
        assert_eq!(parse_range("2..2^13"), Ok(2..=8192));
        for text in ["", "5", "..", "9..3", "0..4", "1..10^12", "a..b"] {
            assert!(parse_range(text).is_err(), "{text}");
        }
    }
}
