//! The tile for DFTs of m·q points, of which q is a prime that Rader's convolution makes as a stage [beside others](super::beside):
//! those of m go before it, or after it, or some before and some after.

use crate::transform::largest_factor;

use super::cost::Limits;
use super::pass::rows_of;
use super::rader::Rader;
use super::smooth::{self, Purpose, TWIDDLE, Tile};

/// Stages before a convolution at most, and after it.
const MOST_BESIDE: usize = 2;

/// The best of these tiles; nothing if there is none.
pub(super) fn best(n: usize, limits: &Limits) -> Option<Tile> {
    let q = largest_factor(n);
    let (m, convolved) = (n / q, n - n / q);
    if m == 1 || n > smooth::room(limits) || ![m, q - 1].into_iter().all(smooth::is_smooth) {
        return None;
    }
    Rader::of(q)?;
    let (inner, outer) = (smooth::lists_of(q - 1), outer(m));
    let most = smooth::most_held(limits);
    let tile = |rows: usize| {
        let threads = convolved.div_ceil(rows);
        let held = |points, stages: &[usize]| stages.iter().map(|&r| rows_of(points, threads, r)).max().unwrap_or(0);
        let fits = |points, stages: &[usize]| held(points, stages) <= stages.iter().copied().max().unwrap_or(0).max(most);
        let of_inner = |stages: &Vec<usize>| smooth::cost_of(convolved, threads, stages) * convolved as f64 / n as f64;
        // Twiddles are those of what is before the convolution, and of what is after it.
        let of_side = |stages: &Vec<usize>| match stages.is_empty() {
            true => 0.0,
            false => smooth::cost_of(n, threads, stages) + TWIDDLE,
        };
        let of_outer = |[before, after]: &[Vec<usize>; 2]| of_side(before) + of_side(after);
        let (there, of_there) = least(inner.iter().filter(|stages| fits(convolved, stages)), of_inner)?;
        let fit = |both: &&[Vec<usize>; 2]| both.iter().all(|stages| fits(n, stages));
        let ([before, after], of_both) = least(outer.iter().filter(fit), of_outer)?;
        let held = held(convolved, there).max(held(n, before)).max(held(n, after));
        let want = smooth::want(Purpose::Powers, held, threads, limits)?;
        let stages = [&before[..], there, after].concat();
        let beside = [before.len(), after.len()];
        let cost = (2.0 * of_there + of_both + smooth::BY_POWERS) * want;
        Some(Tile { per_thread: rows, stages, chirp: None, rader: true, beside, cost })
    };
    let tiles = (convolved.div_ceil(limits.max_group)..=most.min(convolved)).filter_map(tile);
    tiles.min_by(|a, b| a.cost.total_cmp(&b.cost))
}

/// What costs least, and that.
fn least<T>(of: impl Iterator<Item = T>, cost: impl Fn(T) -> f64) -> Option<(T, f64)>
where
    T: Copy,
{
    of.map(|one| (one, cost(one))).min_by(|a, b| a.1.total_cmp(&b.1))
}

/// All ways to make m of stages before a convolution and after it.
fn outer(m: usize) -> Vec<[Vec<usize>; 2]> {
    let lists = |m| smooth::lists_of(m).into_iter().filter(|stages| stages.len() <= MOST_BESIDE);
    let both = |before: usize| lists(before).flat_map(move |a| lists(m / before).map(move |b| [a.clone(), b]));
    (1..=m).filter(|before| m.is_multiple_of(*before)).flat_map(both).collect()
}
