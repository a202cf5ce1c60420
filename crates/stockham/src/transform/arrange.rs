//! Arrays without gaps: the strides of their dimensions, and of the batch around them.

use super::{Access, Dim, Domain, Kind, Normalization, Placement, Side, Transform};
use crate::algebra::{Algebra, Direction, Layout};
use crate::error::{Error, Result};

impl Transform {
    pub(super) fn over(algebra: Algebra, kind: Kind, lengths: Vec<usize>) -> Self {
        let axes: Vec<usize> = (0..lengths.len()).collect();
        Self::arranged(algebra, kind, &lengths, &axes)
    }

    /// Along those dimensions of an array without gaps, which has them all.
    fn arranged(algebra: Algebra, kind: Kind, lengths: &[usize], axes: &[usize]) -> Self {
        let mut transform = Self {
            algebra,
            kind,
            orthogonalize: false,
            dims: axes.iter().map(|&axis| Dim::new(lengths[axis], 1)).collect(),
            batch: Vec::new(),
            direction: Direction::Forward,
            normalization: Normalization::Backward,
            placement: Placement::OutOfPlace,
            input_layout: Layout::Plain,
            output_layout: Layout::Plain,
            domain: Domain::default(),
            load: Access::default(),
            store: Access::default(),
            filter: None,
        };
        let (mut input, mut output) = (1usize, 1usize);
        for (axis, &n) in lengths.iter().enumerate().rev() {
            let dim = Dim { n, input_stride: input, output_stride: output };
            let counts = match axes.iter().position(|of| *of == axis) {
                Some(number) => {
                    transform.dims[number] = dim;
                    [Side::Input, Side::Output].map(|side| transform.count(side, number))
                }
                None => {
                    transform.batch.insert(0, dim);
                    [n; 2]
                }
            };
            (input, output) = (input.saturating_mul(counts[0]), output.saturating_mul(counts[1]));
        }
        transform
    }

    /// Of an array without gaps, the transform along some of its dimensions only; the others are its batch.
    ///
    /// ```
    /// use stockham::{Algebra, Transform};
    /// // Along the first dimension and the last, of 4 and of 6 points, 5 times.
    /// let t = Transform::along(Algebra::ComplexF32, Default::default(), &[4, 5, 6], &[0, 2])?;
    /// assert_eq!((t.points(), t.batch_count(), t.input_len()), (24, 5, 120));
    /// # Ok::<(), stockham::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidTransform`] if there is no such dimension, or one is named twice.
    pub fn along(algebra: Algebra, kind: Kind, lengths: &[usize], axes: &[usize]) -> Result<Self> {
        let rank = lengths.len();
        let twice = axes.iter().enumerate().find(|(i, axis)| axes[..*i].contains(axis));
        if let Some((_, axis)) = twice.or_else(|| axes.iter().enumerate().find(|(_, axis)| **axis >= rank)) {
            let what = if *axis < rank { "is named twice" } else { "is not there" };
            return Err(Error::InvalidTransform(format!("of an array of {rank} dimensions, number {axis} {what}")));
        }
        Ok(Self::arranged(algebra, kind, lengths, axes))
    }

    /// `count` transforms one after the other: one batch dimension whose strides are the transform's points on each side.
    pub fn batch(mut self, count: usize) -> Self {
        let all = |side| (0..self.dims.len()).fold(1usize, |all, number| all.saturating_mul(self.count(side, number)));
        self.batch = vec![Dim { n: count, input_stride: all(Side::Input), output_stride: all(Side::Output) }];
        self.padded()
    }

    /// `count` of all this, one after the other: a batch dimension outside of the others.
    ///
    /// ```
    /// use stockham::{Algebra, Transform};
    /// let columns = Transform::along(Algebra::ComplexF32, Default::default(), &[4, 6], &[0])?;
    /// assert_eq!((columns.batch_count(), columns.repeated(3).batch_count()), (6, 18));
    /// # Ok::<(), stockham::Error>(())
    /// ```
    pub fn repeated(mut self, count: usize) -> Self {
        let mut dim = Dim { n: count, input_stride: self.input_len(), output_stride: self.output_len() };
        self.pad([&mut dim]);
        self.batch.insert(0, dim);
        self
    }

    /// In place, the lines of real numbers are as far apart as those of pairs.
    pub(super) fn padded(mut self) -> Self {
        let line = self.dims.len().saturating_sub(1);
        let (mut dims, mut batch) = (std::mem::take(&mut self.dims), std::mem::take(&mut self.batch));
        self.pad(dims[..line].iter_mut().chain(&mut batch));
        (self.dims, self.batch) = (dims, batch);
        self
    }

    fn pad<'a>(&self, dims: impl IntoIterator<Item = &'a mut Dim>) {
        let Some(half) = self.half_side().filter(|_| self.placement == Placement::InPlace) else { return };
        for dim in dims {
            match half {
                Side::Output => dim.input_stride = dim.output_stride.saturating_mul(2),
                Side::Input => dim.output_stride = dim.input_stride.saturating_mul(2),
            }
        }
    }
}
