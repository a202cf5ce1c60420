//! A half spectrum in the butterflies of a stage: a thread has one and that of its images, and points p and h − p of the half spectrum
//! are made of two of their rows, or these of them. A filter does both, between the stages there and back.
//!
//! Row j of a butterfly has row r − 1 − j of the other for its image. Butterflies 0 and P/2 of P have theirs in themselves: rows
//! j and r − j, and rows j and r − 1 − j. Points 0 and h/2 are alone.

use std::ops::Range;

use crate::algebra::{Ring, Scalar};
use crate::plan::Ends;
use crate::transform::Side;

use super::{Lowering, Number};
use crate::kernel::symbol::Symbol;

/// A point's real and imaginary part.
pub(super) type Parts = Vec<Symbol>;

/// Whether butterflies are those that have their images in themselves.
pub(super) enum First {
    Always,
    Never,
    Perhaps(Symbol),
}

impl First {
    /// The condition that they are, where that is not certain.
    pub fn condition(&self) -> Option<&Symbol> {
        match self {
            Self::Perhaps(is_first) => Some(is_first),
            _ => None,
        }
    }

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
    /// What the column adds to a point's number, where there are several.
    pub digit: Option<Symbol>,
    pub is_first: First,
    /// Whether there is another butterfly at all.
    pub has_image: bool,
    /// Whether there are both, where that is not certain.
    pub exists: [Option<Symbol>; 2],
}

/// A point of the half spectrum: its number as what depends on the thread and what does not, and the numbers among which it is.
pub(super) struct HalfPoint {
    pub number: (Symbol, usize),
    pub range: Range<usize>,
}

impl<'a> Slots<'a> {
    /// The pairs of a stage, of so many butterflies of a thread, and the numbers of their two butterflies.
    pub fn of_stage(lowering: &'a Lowering<'a>, ends: &'a Ends, s: usize) -> Vec<(Self, [usize; 2])> {
        let pass = lowering.pass;
        let (r, is_paired) = (pass.tile.stages[s], pass.has_mirrored_butterflies(s));
        let lanes = pass.lanes(s);
        let of_thread = pass.butterflies(s) / if is_paired { 2 } else { 1 };
        let pair = |u: usize| {
            let (own, column) = lowering.butterfly(s, lanes, u);
            let image = is_paired.then(|| lowering.butterfly(s, lanes, u + of_thread).0);
            let is_first = match (is_paired, u) {
                (false, _) => First::Always,
                (true, 0) => First::Perhaps(lowering.is_first_pair(s, lanes)),
                (true, _) => First::Never,
            };
            let stage = (r, pass.radix / r);
            let digit = pass.pairs_columns(s).then(|| lowering.number_of_column(&column));
            let exists = [own.exists, image.and_then(|image| image.exists)];
            let (number, has_image) = (own.number, is_paired);
            let slots = Self { lowering, ends, stage, number, column, digit, is_first, has_image, exists };
            (slots, [u, u + of_thread])
        };
        (0..of_thread).map(pair).collect()
    }

    /// The rows of both, among those of all butterflies of the thread.
    pub fn butterflies(&self, rows: &[Parts], numbers: [usize; 2]) -> [Vec<Parts>; 2] {
        let (r, all) = (self.stage.0, rows.len() / self.stage.0);
        let rows_of = |u: usize| (0..r).map(|j| rows[u + j * all].clone()).collect();
        [rows_of(numbers[0]), if self.has_image { rows_of(numbers[1]) } else { Vec::new() }]
    }

    /// Puts them there.
    pub fn put(&self, rows: &mut [Parts], numbers: [usize; 2], butterflies: [Vec<Parts>; 2]) {
        let all = rows.len() / self.stage.0;
        for (u, butterfly) in numbers.into_iter().zip(butterflies) {
            for (j, x) in butterfly.into_iter().enumerate() {
                rows[u + j * all] = x;
            }
        }
    }

    /// The rows of a butterfly that have images in the other one, or in themselves, and so number their pairs.
    pub fn numbers(&self) -> Range<usize> {
        0..if self.has_image { self.stage.0 } else { self.low() }
    }

    /// Rows of butterfly 0 with images behind them, and row 0.
    fn low(&self) -> usize {
        self.stage.0.div_ceil(2)
    }

    /// Whether there is a pair, where that is not certain: of the first butterflies, the latter ones are those of the butterfly in the
    /// middle.
    pub fn exists(&self, j: usize) -> Option<&Symbol> {
        self.exists[usize::from(j >= self.low())].as_ref()
    }

    /// Points p and h − p of a pair, of the rows of both.
    pub fn pair(&self, j: usize, own: &[Parts], image: &[Parts]) -> [Parts; 2] {
        let r = self.stage.0;
        match j {
            0 => [own[0].clone(), self.is_first.choose(Some(&own[0]), image.get(r - 1))],
            _ if j < self.low() => [own[j].clone(), self.is_first.choose(Some(&own[r - j]), image.get(r - 1 - j))],
            _ => [self.is_first.choose(Some(&image[j]), Some(&own[j])), image[r - 1 - j].clone()],
        }
    }

    /// Point h/2 of the rows of both, if they may be those that have it.
    pub fn middle<'p>(&self, own: &'p [Parts], image: &'p [Parts]) -> Option<&'p Parts> {
        let r = self.stage.0;
        let of = if r.is_multiple_of(2) { own } else { image };
        self.has_middle().then(|| &of[r / 2])
    }

    /// Whether they may be those that have point h/2.
    pub fn has_middle(&self) -> bool {
        let (r, p) = self.stage;
        let is_there = r.is_multiple_of(2) || self.has_image && p.is_multiple_of(2);
        is_there && !matches!(self.is_first, First::Never)
    }

    /// The rows of both, or of one that is alone, of all pairs and of point h/2.
    pub fn rows(&self, pairs: &[[Parts; 2]], middle: Option<&Parts>) -> [Vec<Parts>; 2] {
        let (r, low) = (self.stage.0, self.low());
        let pair = |j: usize, side: usize| pairs.get(j).map(|pair| &pair[side]);
        let own = (0..r).map(|j| match j {
            _ if j < low => pairs[j][0].clone(),
            _ if 2 * j == r => self.is_first.choose(middle, pair(j, 0)),
            _ => self.is_first.choose(pair(r - j, 1), pair(j, 0)),
        });
        let image = (0..if self.has_image { r } else { 0 }).map(|i| match r - 1 - i {
            j if j >= low => pairs[j][1].clone(),
            j if 2 * j + 1 == r => self.is_first.choose(middle, pair(j, 1)),
            j => self.is_first.choose(pair(i, 0), pair(j, 1)),
        });
        [own.collect(), image.collect()]
    }

    /// The row of a pair's first point, without the constant j·P: of the first butterflies, the latter ones are those of the
    /// butterfly in the middle.
    pub fn row(&self, j: usize) -> Symbol {
        let (_, p) = self.stage;
        match &self.is_first {
            First::Perhaps(is_first) if j >= self.low() => is_first.select(&self.lowering.integer(p / 2), &self.number),
            _ => self.number.clone(),
        }
    }

    /// ω_N^p for a pair's point p, of its row.
    pub fn root(&self, j: usize, row: &Symbol) -> Number {
        let root = self.root_of_row(j, row);
        match &self.digit {
            Some(digit) => root.mul(&self.lowering.table(self.lowering.tables.mirrors.1, digit)),
            None => root,
        }
    }

    /// The same without what the column adds to it. Half of the rows on it is ω_4 times another one's, but of the butterfly in the
    /// middle, whose rows are known.
    fn root_of_row(&self, j: usize, row: &Symbol) -> Number {
        let (r, lowering) = (self.stage.0, self.lowering);
        if !self.has_image || !r.is_multiple_of(2) || j < r / 2 {
            return lowering.table(lowering.tables.mirrors.0 + j * self.stage.1, row);
        }
        let turned = self.root_of_row(j - r / 2, &self.number).mul_root(lowering.direction().root(1, 4));
        match self.is_first.condition() {
            Some(is_first) => lowering.root_or_known(turned, is_first, lowering.direction().root(2 * j + 1, 4 * r)),
            None => turned,
        }
    }

    /// Points p and h − p of a pair, of its row.
    pub fn points(&self, j: usize, row: Symbol) -> [HalfPoint; 2] {
        let (r, p) = (self.stage.0, self.stage.1 * self.ends.row);
        let number = self.digit.as_ref().map_or(row.clone(), |digit| row.times(self.ends.row).add(digit));
        let (image, offset) = (self.lowering.less(p, &number), (r - 1 - j) * p);
        [
            HalfPoint { number: (number, j * p), range: j * p..(j + 1) * p },
            HalfPoint { number: (image, offset), range: offset + 1..offset + p + 1 },
        ]
    }

    /// Point h/2.
    pub fn point_in_middle(&self) -> HalfPoint {
        let middle = self.ends.points / 2;
        HalfPoint { number: (self.lowering.integer(0), middle), range: middle..middle + 1 }
    }

    /// Makes the imaginary parts of points 0 and h zero, if this is their pair.
    pub fn made_real(&self, j: usize, x: &mut Parts) {
        if j == 0 {
            let zero = vec![self.lowering.zero()];
            x[1] = self.is_first.choose(Some(&zero), Some(&vec![x[1].clone()])).remove(0);
        }
    }

    /// The rows of both, or of one that is alone, after the filter: the conjugates of points of the DFT back.
    pub fn filter(&self, own: &[Parts], image: &[Parts]) -> [Vec<Parts>; 2] {
        let middle = self.middle(own, image).map(|x| self.filter_middle(x));
        let pairs: Vec<[Parts; 2]> = self.numbers().map(|j| self.filter_pair(j, self.pair(j, own, image))).collect();
        self.rows(&pairs, middle.as_ref())
    }

    /// What becomes of points p and h − p of the DFT.
    fn filter_pair(&self, j: usize, [x, y]: [Parts; 2]) -> [Parts; 2] {
        let row = self.row(j);
        let root = self.root(j, &row);
        let [low, high] = self.lowering.split(&root, [&x, &y]);
        let [of_low, of_high] = self.points(j, row.clone());
        let low = self.filter_point(of_low, low.to_vec());
        let high = self.filter_point(of_high, high.to_vec());
        let conjugate = |mut x: Parts| {
            self.made_real(j, &mut x);
            vec![x[0].clone(), x[1].neg()]
        };
        let (low, high) = (conjugate(low), conjugate(high));
        self.lowering.conjugates(&root, [&low, &high]).map(|x| x.to_vec())
    }

    /// What becomes of point h/2.
    fn filter_middle(&self, x: &Parts) -> Parts {
        let filtered = self.filter_point(self.point_in_middle(), vec![x[0].clone(), x[1].neg()]);
        filtered.into_iter().map(|x| x.add(&x)).collect()
    }

    /// What the filter makes of a point of the half spectrum.
    fn filter_point(&self, HalfPoint { number: (number, offset), range }: HalfPoint, parts: Parts) -> Parts {
        let site = if self.lowering.is_in_one_launch() {
            self.lowering.site_in_one_launch(&self.column, (number, offset), range)
        } else {
            self.lowering.site(Side::Output, &self.column, (&number, offset), range).0
        };
        self.lowering.context.filtered(&site, parts)
    }
}
