//! Convolutions as stages beside others, in one tile: DFTs of n = m·q points, of which q has no codelet.
//!
//! For Cooley and Tukey a convolution that makes DFTs of q points is a stage of radix q. With m' the product of the radices before
//! it, its butterfly b takes the rows b + m·j and gives (b − k)·q + k + m'·j, k = b mod m', as [any stage](super::held) does.
//! It has m butterflies, and goes over them side by side, by stages of its own: their row i of butterfly b is row b + m·i of m times
//! as many. So these are as of an array whose dimension m is done, and threads share out all butterflies alike.

use std::ops::Range;

use super::recipe::Pass;

/// The product of some radices; all there is if it is beyond all numbers.
fn product(radices: &[usize]) -> usize {
    radices.iter().fold(1, |product: usize, radix| product.saturating_mul(*radix))
}

/// Those of the stages that make a convolution, for so many before it and after it.
pub(super) fn inner(stages: &[usize], [before, after]: [usize; 2]) -> Range<usize> {
    let start = before.min(stages.len());
    start..stages.len().saturating_sub(after).max(start)
}

/// The product of the radices before a convolution's stages, of these, and of those after them.
pub(super) fn parts(stages: &[usize], beside: [usize; 2]) -> [usize; 3] {
    let Range { start, end } = inner(stages, beside);
    [&stages[..start], &stages[start..end], &stages[end..]].map(product)
}

impl Pass {
    /// The length of its DFTs.
    pub fn points(&self) -> usize {
        self.convolved().map_or(self.radix, |points| points.saturating_mul(self.side_by_side()))
    }

    /// The length q of the DFTs that are convolutions, if there are such.
    fn convolved(&self) -> Option<usize> {
        self.chirp.or(self.rader.map(|rader| rader.prime))
    }

    /// Rows of a tile that are points, where there may be more, which are zeros: those of convolutions with a chirp.
    pub(crate) fn points_by_chirp(&self) -> Option<usize> {
        self.chirp.map(|_| self.points())
    }

    /// Rows of a tile: one more than of its stages for each convolution of Rader's.
    pub(crate) fn tile_rows(&self) -> usize {
        if self.rader.is_some() { self.points() } else { self.radix }
    }

    /// The stages that make a convolution; of a pass that has none, all.
    pub(crate) fn inner(&self) -> Range<usize> {
        inner(&self.tile.stages, self.beside)
    }

    /// Convolutions side by side: m.
    pub(crate) fn side_by_side(&self) -> usize {
        let [before, _, after] = parts(&self.tile.stages, self.beside);
        before.saturating_mul(after)
    }

    /// The product of the radices before those of a convolution: m'.
    pub(crate) fn before_inner(&self) -> usize {
        parts(&self.tile.stages, self.beside)[0]
    }

    /// Rows that a stage goes over.
    pub(super) fn stage_rows(&self, stage: usize) -> usize {
        if self.inner().contains(&stage) { self.radix } else { self.points() }
    }

    /// The radix of a stage and the product of the radices before it. Those of a convolution have m before them, and are a radix of q
    /// for the others.
    pub fn stage(&self, number: usize) -> (usize, usize) {
        let (stages, inner) = (&self.tile.stages, self.inner());
        let before = match number {
            _ if number < inner.start => product(&stages[..number]),
            _ if inner.contains(&number) => self.side_by_side().saturating_mul(product(&stages[inner.start..number])),
            _ => self.stage_points().saturating_mul(product(&stages[inner.end..number])),
        };
        (stages[number], before)
    }

    /// The product of the radices before a convolution, and of its own: m'·q.
    pub(crate) fn stage_points(&self) -> usize {
        self.points() / parts(&self.tile.stages, self.beside)[2].max(1)
    }
}
