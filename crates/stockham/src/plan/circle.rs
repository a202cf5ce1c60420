//! The circle FFT in passes: each makes as many layers as its DFTs would have, of the same digits.
//!
//! After c layers of the forward transform c binary digits of the index are done, and the next layer's factor depends on these
//! alone; of the inverse one it depends on those that are still to come, but for the one that the layer takes. So no factors
//! are left between passes, and each layer has a table by those digits.

use crate::algebra::Direction;

use super::recipe::{Pass, Recipe};

/// The layers of a pass.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layers {
    /// Points of a line.
    points: usize,
    direction: Direction,
    /// The product of the radices before the pass, and of those up to its end.
    before: usize,
    end: usize,
    /// The radix of the first stage, whose threads are neighbours along rows if it reads values.
    of_rows: usize,
}

impl Layers {
    /// Where the table of a layer begins, after which so many layers' digits are done, among those of the pass.
    pub fn start(self, done: u32) -> usize {
        match self.direction {
            Direction::Forward => (1 << done) - self.before,
            Direction::Inverse => self.points / self.before - (self.points >> done),
        }
    }

    /// Elements of all its tables.
    pub fn len(self) -> usize {
        self.start(self.end.ilog2())
    }

    /// Columns whose factors follow each other in the table of a layer, as neighbouring threads have neighbouring rows of one: where the
    /// values are, which are in bit-reversed order. Elsewhere rows follow each other, each with a factor for every column.
    pub fn columns(self, done: u32) -> usize {
        match self.direction {
            Direction::Forward => self.before,
            Direction::Inverse if self.before == 1 && 1 << done < self.of_rows => self.points / self.end,
            Direction::Inverse => 1,
        }
    }

    /// The digits that are done before the pass.
    pub fn first(self) -> u32 {
        self.before.ilog2()
    }

    /// The layers, each as how many are done before it.
    pub fn all(self) -> std::ops::Range<u32> {
        self.first()..self.end.ilog2()
    }
}

impl Recipe {
    /// The layers of a pass of that number; nothing if it makes DFTs.
    pub(crate) fn layers(&self, number: usize) -> Option<Layers> {
        self.transform.domain.circle?;
        let product = |passes: &[Pass]| passes.iter().fold(1usize, |n, pass| n.saturating_mul(pass.radix));
        let [before, end] = [number, number + 1].map(|count| product(&self.passes()[..count]));
        let (points, direction) = (self.transform.points(), self.transform.direction);
        Some(Layers {
            points,
            direction,
            before,
            end,
            of_rows: self.passes()[number].tile.stages.first().map_or(1, |radix| *radix),
        })
    }
}
