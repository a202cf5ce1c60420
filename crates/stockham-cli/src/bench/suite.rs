//! Sets of sweeps that are measured in one run, and what they amount to beside the peer.

use std::io::Write;

use clap::ValueEnum;
use serde::Serialize;
use stockham::{Algebra, Direction, Kind, Layout};

use crate::error::Result;
use crate::size::{self, Shape};

use super::row::Row;
use super::sweep::{Load, Record, Sweep};

/// A set of sweeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Suite {
    /// Complex f32 and f64 up to one transform of the whole batch, Goldilocks, and single complex transforms to 2^27 points.
    Hopper,
    /// What provers and schemes of encryption transform over finite fields
    Fields,
}

/// Points of the longest single transform, if it is not longer than a batch of single precision.
const SINGLE: usize = 1 << 27;

/// The longest transform over Goldilocks.
const GOLDILOCKS: usize = 1 << 24;

/// The lengths from which on a transform in one trip through memory is an art: the mean is over them.
const LONG: usize = 1 << 14;

/// Slower than the peer by more is worth a word.
const SLOWER: f64 = 1.03;

impl Suite {
    /// The sweeps, with batches of so many bytes.
    pub fn sweeps(self, bytes: usize) -> Vec<Sweep> {
        let sweep = |algebra: Algebra, load: Load, longest: usize| {
            let lengths = (1..usize::BITS).map(|bits| 1usize << bits).take_while(|n| *n <= longest);
            let sizes = lengths.map(Shape::from).collect();
            Sweep {
                algebra,
                layout: Layout::Plain,
                kind: Kind::Dft,
                direction: Direction::Forward,
                sizes,
                load,
                choice: None,
            }
        };
        let whole = |algebra: Algebra| bytes / algebra.element_bytes();
        let batches = |algebra, longest: usize| sweep(algebra, Load::Batch(bytes), whole(algebra).min(longest));
        // Of both precisions to the same length: that is what is compared, and not how many bytes there are.
        let singles = |algebra| sweep(algebra, Load::Single, whole(Algebra::ComplexF32).min(SINGLE));
        match self {
            Self::Hopper => vec![
                batches(Algebra::ComplexF32, usize::MAX),
                batches(Algebra::ComplexF64, usize::MAX),
                batches(Algebra::Goldilocks, GOLDILOCKS),
                singles(Algebra::ComplexF32),
                singles(Algebra::ComplexF64),
            ],
            // Its workloads are no sweeps.
            Self::Fields => Vec::new(),
        }
    }
}

/// The geometric mean of how many times faster than the peer long transforms are, and the lengths at which it is the
/// peer that is clearly faster; nothing without a peer.
fn beside_peer(rows: &[Row]) -> Option<(Option<f64>, Vec<usize>)> {
    let compared: Vec<(usize, f64)> = rows.iter().filter_map(|row| Some((row.n, row.peer_ms? / row.ms))).collect();
    if compared.is_empty() {
        return None;
    }
    let logs: Vec<f64> = compared.iter().filter(|(n, _)| *n >= LONG).map(|(_, speed)| speed.ln()).collect();
    let mean = (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp());
    Some((mean, compared.iter().filter(|(_, speed)| *speed * SLOWER < 1.0).map(|(n, _)| *n).collect()))
}

/// Prints what the sweeps amount to.
pub fn summarise(sweeps: &[Record], out: &mut dyn Write) -> Result<()> {
    for record in sweeps {
        let (Some(name), Some((mean, slower))) = (&record.peer, beside_peer(&record.rows)) else { continue };
        let load = if record.single { "one transform" } else { "batches" };
        let mean = mean.map_or_else(String::new, |mean| {
            format!(" {mean:.3} times as fast as {name} in the geometric mean from {} on;", size::power(LONG))
        });
        let slower = match &slower[..] {
            [] => "at no length".into(),
            some => format!("at {}", some.iter().map(|n| size::power(*n)).collect::<Vec<_>>().join(", ")),
        };
        writeln!(out, "{}, {load}:{mean} slower by over {:.0} % {slower}", record.title(), 100.0 * (SLOWER - 1.0))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(n: usize, ms: f64, peer_ms: Option<f64>) -> Row {
        let (l2_error, right) = (0.0, true);
        let (shape, batch, bytes, copy_ms) = (n.into(), 1, 8 * n, 1.0);
        let peer_l2_error = None;
        Row { n, shape, batch, bytes, ms, copy_ms, passes: None, peer_ms, l2_error, peer_l2_error, right, note: None }
    }

    #[test]
    fn sweeps_end_at_one_transform_of_the_whole_batch() {
        let sweeps = Suite::Hopper.sweeps(1 << 30);
        let ends: Vec<_> =
            sweeps.iter().map(|s| (s.algebra, s.load, s.sizes[0].points(), s.sizes.last().unwrap().points())).collect();
        let batch = Load::Batch(1 << 30);
        assert_eq!(
            ends,
            [
                (Algebra::ComplexF32, batch, 2, 1 << 27),
                (Algebra::ComplexF64, batch, 2, 1 << 26),
                (Algebra::Goldilocks, batch, 2, 1 << 24),
                (Algebra::ComplexF32, Load::Single, 2, 1 << 27),
                (Algebra::ComplexF64, Load::Single, 2, 1 << 27),
            ]
        );
        assert!(Suite::Hopper.sweeps(1).iter().all(|sweep| sweep.sizes.is_empty()));
    }

    #[test]
    fn what_sweeps_amount_to() {
        let rows = [
            row(1 << 4, 1.0, Some(0.5)),
            row(1 << 13, 1.0, Some(0.98)),
            row(1 << 14, 1.0, Some(2.0)),
            row(1 << 15, 2.0, Some(1.0)),
            row(1 << 16, 1.0, Some(8.0)),
            row(1 << 17, 1.0, None),
        ];
        let (mean, slower) = beside_peer(&rows).unwrap();
        assert!((mean.unwrap() - 2.0).abs() < 1e-12, "{mean:?}");
        assert_eq!(slower, [1 << 4, 1 << 15]);
        assert_eq!(beside_peer(&rows[..2]).unwrap().0, None);
        assert!(beside_peer(&rows[5..]).is_none());
    }
}
