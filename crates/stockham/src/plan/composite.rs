//! The tile for DFTs of m·q points, of which q has no codelet and is made by a convolution as a stage [beside others](super::beside).
//! Those of m go before it, or, with Rader's, after it, or some before and some after.

use crate::codelet::MOST_PRIME;

use super::chirp;
use super::choice::MOST_ROWS;
use super::cost::Limits;
use super::instructions::{BY_POWERS, EXCHANGE, TWIDDLE, cost_of};
use super::pass::rows_of;
use super::rader::Rader;
use super::shortage::{Purpose, want};
use super::smooth::{self, Tile};

/// Stages before a convolution at most, and after it.
const MOST_BESIDE: usize = 2;

/// Bytes of its rows that a thread holds at most: beside a convolution some threads have a butterfly more.
const HELD_BYTES: usize = 384;

/// What is to be done: some convolutions of that many points side by side, of n points together.
struct Work {
    n: usize,
    m: usize,
    points: usize,
    chirp: Option<usize>,
}

/// The best of these tiles; nothing if there is none.
pub(super) fn best(n: usize, limits: &Limits) -> Option<Tile> {
    let m = smooth_part(n);
    let q = n / m;
    if m == 1 || q == 1 {
        return None;
    }
    let has_powers =
        !limits.is_exact && n <= smooth::room(limits) && smooth::is_smooth(q - 1) && Rader::of(q).is_some();
    let by_powers = has_powers.then_some(Work { n, m, points: q - 1, chirp: None });
    by_powers.and_then(|work| work.tile(limits)).or_else(|| {
        let by_chirp = |points| Work { n, m, points, chirp: Some(q) }.tile(limits);
        let longest = (2 * q - 1) + (2 * q - 1) / 4;
        let lengths = chirp::lengths(limits.algebra, q, &[7, 5, 3, 2], longest, smooth::room(limits) / m).into_iter();
        let tiles = lengths.filter_map(by_chirp);
        tiles.min_by(|a, b| a.cost.total_cmp(&b.cost))
    })
}

/// The part of a number that small primes make.
fn smooth_part(n: usize) -> usize {
    let mut rest = n;
    (2..=MOST_PRIME).for_each(|p| {
        while rest.is_multiple_of(p) {
            rest /= p;
        }
    });
    n / rest
}

impl Work {
    /// Rows of the convolutions' stages.
    fn rows(&self) -> usize {
        self.m * self.points
    }

    /// The best tile for it.
    fn tile(&self, limits: &Limits) -> Option<Tile> {
        let rows = self.rows();
        let (inner, outer) = (smooth::lists_of(self.points), self.outer());
        let most = (HELD_BYTES / limits.element_bytes).min(MOST_ROWS);
        let tiles = (rows.div_ceil(limits.max_group)..=smooth::most_held(limits).min(rows)).filter_map(|per_thread| {
            let threads = rows.div_ceil(per_thread);
            let held =
                |points, stages: &[usize]| stages.iter().map(|&r| rows_of(points, threads, r)).max().unwrap_or(0);
            let fits = |points, stages: &[usize]| held(points, stages) <= most;
            let of_inner = |stages: &[usize]| cost_of(rows, threads, stages) * rows as f64 / self.n as f64;
            // Twiddles are those of what is before the convolution, and of what is after it.
            let of_side = |stages: &[usize]| match stages.is_empty() {
                true => 0.0,
                false => cost_of(self.n, threads, stages) + TWIDDLE,
            };
            let inner = inner.iter().filter(|stages| fits(rows, stages)).map(|stages| (of_inner(stages), stages));
            let (of_there, there) = inner.min_by(|a, b| a.0.total_cmp(&b.0))?;
            let outer = outer.iter().filter(|both| both.iter().all(|stages| fits(self.n, stages)));
            let outer = outer.map(|both| (of_side(&both[0]) + of_side(&both[1]), both));
            let (of_both, [before, after]) = outer.min_by(|a, b| a.0.total_cmp(&b.0))?;
            // What the others hold comes from memory, or goes there, butterfly after butterfly.
            let held = held(rows, there);
            let (purpose, beside) = match self.chirp {
                None => (Purpose::PowersBeside, BY_POWERS),
                // An exchange more before it; products with the chirp, whose roots have the twiddles in them.
                Some(_) => (Purpose::Beside, (EXCHANGE + 2.0 * TWIDDLE) * rows as f64 / self.n as f64),
            };
            let cost = (2.0 * of_there + of_both + beside) * want(purpose, held, threads, limits)?;
            Some(Tile {
                per_thread,
                stages: [&before[..], there, after].concat(),
                chirp: self.chirp,
                rader: self.chirp.is_none(),
                beside: [before.len(), after.len()],
                side_by_side: None,
                cost,
            })
        });
        tiles.min_by(|a, b| a.cost.total_cmp(&b.cost))
    }

    /// All ways to make m of stages before a convolution and after it.
    fn outer(&self) -> Vec<[Vec<usize>; 2]> {
        let m = self.m;
        let lists = |m| smooth::lists_of(m).into_iter().filter(|stages| stages.len() <= MOST_BESIDE);
        let both = |before: usize| lists(before).flat_map(move |a| lists(m / before).map(move |b| [a.clone(), b]));
        let first = if self.chirp.is_some() { m } else { 1 };
        (first..=m).filter(|before| m.is_multiple_of(*before)).flat_map(both).collect()
    }
}
