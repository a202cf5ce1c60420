//! The filter of a half spectrum between the stages there and back: a thread has a butterfly of the last stage and the one of its
//! images, makes points p and h − p of the half spectrum of two rows, and makes rows of them again.
//!
//! Row j of a butterfly has row r − 1 − j of the other for its image. Butterflies 0 and P/2 of P have theirs in themselves: rows
//! j and r − j, and rows j and r − 1 − j. Points 0 and h/2 are alone.

use std::ops::Range;

use crate::algebra::{DoubleDouble, Scalar};
use crate::plan::Ends;
use crate::transform::Side;

use super::Lowering;
use crate::kernel::symbol::Symbol;

/// A point's real and imaginary part.
type Parts = Vec<Symbol>;

/// Whether butterflies are those that have their images in themselves.
pub(super) enum First {
    Always,
    Never,
    Perhaps(Symbol),
}

impl First {
    /// One of two, where both are.
    fn choose(&self, if_first: Option<&Parts>, otherwise: Option<&Parts>) -> Parts {
        let select = |(a, b): (&Symbol, &Symbol)| match self {
            Self::Always => a.clone(),
            Self::Never => b.clone(),
            Self::Perhaps(is_first) => is_first.select(a, b),
        };
        match (if_first, otherwise) {
            (Some(a), Some(b)) => a.iter().zip(b).map(select).collect(),
            (Some(only), None) | (None, Some(only)) => only.clone(),
            (None, None) => unreachable!("a row of two that there are"),
        }
    }
}

/// A butterfly and the one of its images.
pub(super) struct Slots<'a> {
    pub lowering: &'a Lowering<'a>,
    pub ends: &'a Ends,
    /// The radix of the stage, and the number of its butterflies.
    pub stage: (usize, usize),
    pub number: Symbol,
    pub column: Symbol,
    pub is_first: First,
}

impl Slots<'_> {
    /// The rows of both, or of one that is alone, after the filter: the conjugates of points of the DFT back.
    pub fn filter(&self, own: &[Parts], image: &[Parts]) -> (Vec<Parts>, Vec<Parts>) {
        let (r, p) = self.stage;
        // Rows of butterfly 0 with images behind them, and row 0.
        let low = r.div_ceil(2);
        let middle = match (r.is_multiple_of(2), p.is_multiple_of(2)) {
            (true, _) => own.get(r / 2),
            (false, true) => image.get(r / 2),
            (false, false) => None,
        };
        let middle = middle.filter(|_| !matches!(self.is_first, First::Never)).map(|x| self.filter_middle(x));
        let mut pairs = Vec::new();
        for j in 0..if image.is_empty() { low } else { r } {
            let (x, y) = match j {
                0 => (own[0].clone(), self.is_first.choose(Some(&own[0]), image.get(r - 1))),
                _ if j < low => (own[j].clone(), self.is_first.choose(Some(&own[r - j]), image.get(r - 1 - j))),
                _ => (self.is_first.choose(Some(&image[j]), Some(&own[j])), image[r - 1 - j].clone()),
            };
            pairs.push(self.filter_pair(j, [&x, &y]));
        }
        let pair = |j: usize, side: usize| pairs.get(j).map(|pair| &pair[side]);
        let own = (0..r).map(|j| match j {
            _ if j < low => pairs[j][0].clone(),
            _ if 2 * j == r => self.is_first.choose(middle.as_ref(), pair(j, 0)),
            _ => self.is_first.choose(pair(r - j, 1), pair(j, 0)),
        });
        let image = (0..image.len()).map(|i| match r - 1 - i {
            j if j >= low => pairs[j][1].clone(),
            j if 2 * j + 1 == r => self.is_first.choose(middle.as_ref(), pair(j, 1)),
            j => self.is_first.choose(pair(i, 0), pair(j, 1)),
        });
        (own.collect(), image.collect())
    }

    /// The row of a pair's first point, without the constant j·P: of the first butterflies, the latter ones are those of the
    /// butterfly in the middle.
    fn row(&self, j: usize) -> Symbol {
        let (r, p) = self.stage;
        match &self.is_first {
            First::Perhaps(is_first) if j >= r.div_ceil(2) => {
                is_first.select(&self.lowering.integer(p / 2), &self.number)
            }
            _ => self.number.clone(),
        }
    }

    /// What becomes of points p and h − p of the DFT, the first of which is row j of a butterfly.
    fn filter_pair(&self, j: usize, points: [&[Symbol]; 2]) -> [Parts; 2] {
        let ((r, p), row) = (self.stage, self.row(j));
        let root = || self.lowering.table(self.lowering.tables.mirrors.0 + j * p, &row);
        let [low, high] = self.lowering.split(root, points, |x| x.times_exactly(DoubleDouble::from(0.5)));
        let image = self.lowering.less(p, &row);
        let offset = (r - 1 - j) * p;
        let low = self.filter_point((&row, j * p), j * p..(j + 1) * p, low.to_vec());
        let high = self.filter_point((&image, offset), offset + 1..offset + p + 1, high.to_vec());
        let zero = vec![self.lowering.zero()];
        let conjugate = |[re, im]: [Symbol; 2]| {
            // Points 0 and h are real.
            let im = if j == 0 { self.is_first.choose(Some(&zero), Some(&vec![im])).remove(0) } else { im };
            vec![re, im.neg()]
        };
        let (low, high) = (conjugate(low), conjugate(high));
        self.lowering.split(root, [&low, &high], |x| x).map(|x| x.to_vec())
    }

    /// What becomes of point h/2.
    fn filter_middle(&self, x: &Parts) -> Parts {
        let middle = self.ends.points / 2;
        let nothing = self.lowering.integer(0);
        let filtered = self.filter_point((&nothing, middle), middle..middle + 1, vec![x[0].clone(), x[1].neg()]);
        filtered.into_iter().map(|x| x.add(&x)).collect()
    }

    /// What the filter makes of a point of the half spectrum, one of `range`.
    fn filter_point(&self, number: (&Symbol, usize), range: Range<usize>, parts: Parts) -> [Symbol; 2] {
        let (site, _) = self.lowering.site(Side::Output, &self.column, number, range);
        let filtered = self.lowering.context.filtered(&site, parts);
        filtered.try_into().unwrap_or_else(|_| unreachable!("a complex number has two parts"))
    }
}
