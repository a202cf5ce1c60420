//! Tiles that make convolutions with a chirp, as they were measured: of 125 by hand on an H200 those that no other of as many points or
//! more beats. What instructions cost does not tell of them: with 24 or 32 rows a thread, some leave it the registers that it needs, and
//! others do not. Most find room for more work-groups side by side than the planner would have, which compute while others wait.

use super::super::choice::{Choice, Launches, PassChoice};
use super::super::cost::Limits;
use super::super::smooth::Tile;

/// A convolution that was measured.
struct Measured {
    by: By,
    /// What a transform takes, whatever its length: the time of a copy of so many points, of 256 MiB of them, on an H100, or .755 of
    /// those on an H200, where they are copied so much faster.
    time: f64,
    /// Work-groups that a unit has registers for without a spill, where those are more than the planner would have.
    side_by_side: Option<usize>,
}

enum By {
    /// In a tile, of so many rows a thread and these stages.
    Tile(usize, &'static [usize]),
    /// In [clusters](super::chirp_shape), of so many points.
    Clusters(usize),
}

impl Measured {
    const fn tile(rows: usize, stages: &'static [usize], time: f64) -> Self {
        Self { by: By::Tile(rows, stages), time, side_by_side: None }
    }

    /// So many work-groups side by side.
    const fn side_by_side(self, count: usize) -> Self {
        Self { side_by_side: Some(count), ..self }
    }

    fn points(&self) -> usize {
        match self.by {
            By::Tile(_, stages) => stages.iter().product(),
            By::Clusters(points) => points,
        }
    }
}

/// Over complex numbers of two `f32`, the shortest first.
const OF_F32: [Measured; 12] = [
    Measured::tile(12, &[16, 12, 12], 1989.0).side_by_side(5),
    Measured::tile(16, &[16, 16, 10], 2380.0).side_by_side(4),
    Measured::tile(32, &[32, 16, 6], 2670.0).side_by_side(3),
    Measured::tile(32, &[32, 16, 8], 3382.0).side_by_side(3),
    Measured::tile(32, &[32, 18, 8], 5285.0).side_by_side(3),
    Measured::tile(32, &[32, 16, 10], 5566.0).side_by_side(3),
    Measured::tile(30, &[30, 30, 6], 5618.0).side_by_side(2),
    Measured::tile(32, &[32, 16, 12], 5952.0).side_by_side(2),
    Measured::tile(32, &[32, 16, 16], 7886.0).side_by_side(2),
    Measured::tile(32, &[32, 18, 16], 12400.0),
    Measured::tile(32, &[32, 32, 12], 13675.0),
    Measured::tile(32, &[32, 32, 16], 19371.0),
];

/// Of two `f64`.
const OF_F64: [Measured; 10] = [
    Measured::tile(12, &[16, 12, 12], 2126.0).side_by_side(2),
    Measured::tile(16, &[16, 16, 10], 2377.0).side_by_side(3),
    Measured::tile(24, &[24, 16, 8], 2929.0).side_by_side(2),
    Measured::tile(14, &[16, 16, 14], 3698.0).side_by_side(2),
    Measured::tile(16, &[16, 16, 16], 4240.0).side_by_side(2),
    Measured::tile(24, &[24, 24, 8], 4747.0).side_by_side(2),
    Measured::tile(24, &[24, 24, 9], 6677.0),
    Measured::tile(16, &[16, 16, 8, 3], 7900.0),
    Measured { by: By::Clusters(72 * 96), time: 9404.0, side_by_side: None },
    Measured::tile(24, &[24, 24, 13], 10910.0),
];

/// Points of a convolution up to which tiles are as instructions tell, and were not measured.
const SHORT: usize = 1 << 11;

/// The fastest tile for DFTs of n points, and what it takes, in the time of a copy of them. Nothing on another device, for shorter ones
/// and for longer ones, and where clusters are faster.
pub(in crate::plan) fn tile(n: usize, limits: &Limits) -> Option<(f64, Tile)> {
    if limits.is_exact || limits.max_cluster == 1 || 2 * n - 1 <= SHORT {
        return None;
    }
    let measured: &[Measured] = if limits.element_bytes == 8 { &OF_F32 } else { &OF_F64 };
    let long_enough = measured.iter().filter(|tile| tile.points() >= 2 * n - 1);
    let best = long_enough.min_by(|a, b| a.time.total_cmp(&b.time))?;
    let By::Tile(rows, stages) = best.by else { return None };
    let of_stages = Tile::of_stages((rows, stages.to_vec()));
    let tile = Tile { chirp: Some(n), side_by_side: best.side_by_side, ..of_stages };
    Some((best.time / n as f64, tile))
}

/// The choice of that tile.
pub(super) fn choice(n: usize, limits: &Limits) -> Option<Choice> {
    let (_, Tile { per_thread, stages, chirp, side_by_side, .. }) = tile(n, limits)?;
    let pass = PassChoice { chirp, side_by_side, ..PassChoice::new(1, per_thread, stages) };
    Some(Choice { passes: vec![pass], launches: Launches::Apart })
}

/// Whether a tile of such stages was measured.
pub(super) fn is_measured(stages: &[usize]) -> bool {
    OF_F32.iter().chain(&OF_F64).any(|measured| matches!(measured.by, By::Tile(_, of_tile) if of_tile == stages))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_tiles_take_longer() {
        for tiles in [&OF_F32[..], &OF_F64] {
            assert!(tiles.is_sorted_by(|a, b| a.points() < b.points() && a.time < b.time));
        }
    }
}
