//! Neighbouring columns of a short length, each a lane of vectors all the way: nothing is transposed.

use num_complex::Complex;

use crate::algebra::{Data, Direction, Element};

use super::strip::{Number, Order, Rows, Source, Strip, Target};
use super::wide::Wide;

/// Bytes of a block at most, as long as its rows are not shorter than they may be.
const MOST: usize = 1 << 19;

/// Vectors of a block's rows. Each row of a matrix lies in another page, which takes longer to be found than to be read: the more is
/// read of it at a time, the better, though four blocks are more than some cores' own caches hold.
pub(super) const VECTORS: std::ops::RangeInclusive<usize> = 4..=8;

/// A transform of the columns of a block, all of whose rows are whole vectors.
pub(crate) trait ColumnLine<T>: Send + Sync {
    /// Numbers of a vector.
    fn lanes(&self) -> usize;
    /// Columns of a block at most.
    fn together(&self) -> usize;
    /// From one block to another, with as much scratch memory as for two more.
    fn transform(&self, from: &[T], to: &mut [T], scratch: &mut [T]);
}

/// A strip of vectors.
pub(super) struct LaneColumns<F, W> {
    wide: W,
    strip: Strip<F>,
}

impl<F: Number, W: Wide<F>> LaneColumns<F, W> {
    /// With two stages at least.
    pub fn new(wide: W, radices: &[usize], direction: Direction) -> Self {
        Self { wide, strip: Strip::new(radices, direction) }
    }
}

impl<F: Number + Data, W: Wide<F>> ColumnLine<Complex<F>> for LaneColumns<F, W>
where
    Complex<F>: Element,
{
    fn lanes(&self) -> usize {
        W::LANES
    }
    fn together(&self) -> usize {
        let vectors = MOST / (self.strip.len * W::LANES * size_of::<Complex<F>>());
        vectors.clamp(*VECTORS.start(), *VECTORS.end()) * W::LANES
    }
    fn transform(&self, from: &[Complex<F>], to: &mut [Complex<F>], scratch: &mut [Complex<F>]) {
        let columns = from.len() / self.strip.len;
        let (a, rest) = scratch.split_at_mut(from.len());
        let buffers = [a, &mut rest[..from.len()]].map(|buffer| bytemuck::cast_slice_mut::<_, F>(buffer));
        let from: [&[F]; 1] = [bytemuck::cast_slice(from)];
        let source = Source { parts: &from, first: 0, stride: 2 * columns, order: Order::Pairs };
        let rows = Rows::Apart(bytemuck::cast_slice_mut(to), 2 * columns);
        let target = Some(Target { rows, order: Order::Pairs });
        self.strip.run(self.wide, (columns / W::LANES, 2 * columns), Some(source), target, None, buffers);
    }
}
