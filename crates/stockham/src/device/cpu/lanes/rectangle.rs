//! A transform of r·c points as columns and rows in vectors: neighbouring columns are lanes, and so are the rows that they become.
//!
//! With j = j1·c + j2 and k = k1 + k2·r: X_k = Σ_{j2} ω_c^{j2·k2} ω_n^{j2·k1} Σ_{j1} ω_r^{j1·k1} x_j (W. M. Gentleman and
//! G. Sande, "Fast Fourier transforms: for fun and profit", 1966). Strips of as many columns as a vector has lanes are read once,
//! stay in the cache, and are transposed on their way out, so that the rows come as strips as well.

use std::ops::Range;

use bytemuck::Pod;
use num_complex::Complex;

use crate::algebra::{Direction, Numbers};

use super::strip::{Number, Order, Outer, Rows, Source, Strip, Target};
use super::wide::{MOST_LANES, Operation, Wide};

/// Numbers between transposed columns beside themselves: a distance that is no power of two.
const GAP: usize = 16;

/// Bytes of columns that are transformed side by side, at most: two buffers of them stay in a core's own cache.
const NEAR: usize = 1 << 16;

/// As many vectors of long columns that may take more: pieces of memory that are shorter cost more than the cache does.
const WIDE: usize = 4;

/// Bytes of those.
const FAR: usize = 1 << 18;

/// Points of a side at most whose buffers have gaps.
const SHORT: usize = 1 << 11;

/// Bytes of pieces of rows that are short: what a core fetches beyond them is another's to write.
const SHORT_PIECE: usize = 1 << 10;

/// Vectors of those that are transformed side by side, so that the next that a core writes is in another row, and its own.
const FEW: usize = 2;

/// Bytes of a line at least whose columns wait in its output. Shorter ones stay in the caches anyway, and rows would be copied in vain.
const LONG: usize = 1 << 22;

/// Lanes up to which they do where one core computes: more rows than these, a power of two apart, meet in a set of its nearest cache.
const FEW_LANES: usize = 8;

/// Bytes that vectors are best aligned to.
pub(crate) const LINE: usize = 64;

/// The tables of a rectangle.
#[derive(Debug)]
pub(crate) struct Rectangle<F> {
    columns: Strip<F>,
    rows: Strip<F>,
    lanes: usize,
    factors: Factors<F>,
}

/// Columns to transform: strips of them, from the input to their places between the passes.
pub(crate) struct Columns<'a, F> {
    pub strips: Range<usize>,
    pub input: &'a [F],
    /// Begins with the first of the strips.
    pub between: &'a mut [F],
    /// From a column to the next there.
    pub pitch: usize,
}

/// Rows to transform: strips of them, from between the passes to pieces of the output.
pub(crate) struct RowPart<'a, 'b, F> {
    pub strips: Range<usize>,
    /// In parts of as many columns, or nothing, if the output is where they come from.
    pub between: &'a [&'a [F]],
    /// Begins with the first of the strips.
    pub output: Rows<'a, 'b, F>,
}

impl<F: Number + Pod> Rectangle<F> {
    pub fn new(columns: &[usize], rows: &[usize], lanes: usize, direction: Direction) -> Self {
        let (columns, rows) = (Strip::new(columns, direction), Strip::new(rows, direction));
        let factors = Factors::new(&columns, (rows.len, lanes), direction, [FEW_FACTORS, MANY_FACTORS]);
        Self { columns, rows, lanes, factors }
    }

    pub fn len(&self) -> usize {
        self.columns.len * self.rows.len
    }

    /// Strips of columns, and of rows.
    pub fn strips(&self) -> [usize; 2] {
        [self.rows.len.div_ceil(self.lanes), self.columns.len.div_ceil(self.lanes)]
    }

    /// The distance of transposed columns between the passes.
    pub fn pitch(&self) -> usize {
        2 * self.columns.len.next_multiple_of(self.lanes) + GAP
    }

    /// Numbers between the passes.
    pub fn between_len(&self) -> usize {
        self.strips()[0] * self.lanes * self.pitch() + LINE
    }

    /// Whether transposed columns wait in the output, of one task or of several: as rows of it, where each strip of rows is read before
    /// it is written.
    pub fn waits_in_output(&self, tasks: usize) -> bool {
        let fills = [&self.columns, &self.rows].iter().all(|side| side.len.is_multiple_of(self.lanes));
        let is_long = self.len() * 2 * size_of::<F>() >= LONG;
        fills && is_long && (tasks > 1 || self.lanes <= FEW_LANES)
    }

    /// Whether so many tasks have as many strips each, and the rows' first butterflies read theirs.
    pub fn divides(&self, tasks: usize) -> bool {
        let fills = [&self.columns, &self.rows].iter().all(|side| side.len.is_multiple_of(self.lanes));
        let strips = self.strips();
        fills && strips.iter().all(|strips| strips.is_multiple_of(tasks)) && self.rows.first().is_multiple_of(tasks)
    }

    /// Numbers of an output's row that a strip makes.
    pub fn width(&self) -> usize {
        2 * self.lanes
    }

    /// Numbers of an output's row.
    pub fn row(&self) -> usize {
        2 * self.columns.len
    }

    /// Numbers of a buffer of [`columns`](Self::columns) and [`rows`](Self::rows).
    pub fn buffer_len(&self) -> usize {
        3 * self.buffer() + LINE
    }

    fn buffer(&self) -> usize {
        let of = |points: usize| (points + self.lanes) * self.row_of_buffer(self.together(points));
        of(self.columns.len).max(of(self.rows.len))
    }

    fn buffers<'a>(&self, buffer: &'a mut [F]) -> [&'a mut [F]; 3] {
        let len = self.buffer();
        let (a, rest) = aligned(buffer).split_at_mut(len);
        let (b, rest) = rest.split_at_mut(len);
        [a, b, &mut rest[..len]]
    }

    /// From a point of so many vectors to the next in a buffer: a cache line more than they take, as what a butterfly has would lie in
    /// one set of the nearest cache otherwise, where the points are a power of two. Longer buffers are not in that cache.
    fn row_of_buffer(&self, vectors: usize) -> usize {
        let is_near = self.columns.len.max(self.rows.len) <= SHORT;
        self.width() * vectors + if is_near { LINE / size_of::<F>() } else { 0 }
    }

    /// Vectors of columns or rows that are transformed side by side: more would not stay in the cache.
    fn together(&self, points: usize) -> usize {
        let within = |bytes: usize| bytes / size_of::<F>() / (points * self.width());
        within(NEAR).max(within(FAR).min(WIDE)).clamp(1, 16)
    }

    pub fn columns<W: Wide<F>>(&self, wide: W, part: Columns<'_, F>, buffer: &mut [F]) {
        let Columns { strips, input, between, pitch } = part;
        let (r, c, lanes, width) = (self.columns.len, self.rows.len, W::LANES, 2 * W::LANES);
        let [a, b, edge] = self.buffers(buffer);
        let (mut strip, mut between) = (strips.start, between);
        while strip < strips.end {
            let whole = strips.end.min(c / lanes).saturating_sub(strip);
            let vectors = whole.min(self.together(r)).max(1);
            let (from, first, stride) = if whole > 0 {
                (input, strip * width, 2 * c)
            } else {
                let left = 2 * (c % lanes);
                for (row, from) in edge.chunks_exact_mut(width).zip(input.chunks_exact(2 * c)) {
                    row[..left].copy_from_slice(&from[2 * c - left..]);
                }
                (&*edge, 0, width)
            };
            let source = Source { parts: &[from], first, stride, order: Order::Pairs };
            let outer = self.factors.from(strip, width);
            let row = self.row_of_buffer(vectors);
            let [done, _] = self.columns.run(wide, (vectors, row), Some(source), None, Some(outer), [&mut *a, &mut *b]);
            let from = &done[..r.next_multiple_of(lanes) * row];
            wide.call(Transposed { wide, vectors, row, from, to: between, pitch });
            between = between.split_at_mut((vectors * lanes * pitch).min(between.len())).1;
            strip += vectors;
        }
    }

    pub fn rows<W: Wide<F>>(&self, wide: W, part: RowPart<'_, '_, F>, buffer: &mut [F]) {
        let RowPart { strips, between, mut output } = part;
        let (r, c, lanes, width) = (self.columns.len, self.rows.len, W::LANES, 2 * W::LANES);
        let [a, b, edge] = self.buffers(buffer);
        let is_short = matches!(output, Rows::Each(..)) && strips.len() * width * size_of::<F>() <= SHORT_PIECE;
        let mut strip = strips.start;
        while strip < strips.end {
            let whole = strips.end.min(r / lanes).saturating_sub(strip);
            let vectors = whole.min(self.together(c)).min(if is_short { FEW } else { whole }).max(1);
            let first = (strip - strips.start) * width;
            let row = self.row_of_buffer(vectors);
            let source = Source { parts: between, first: strip * width, stride: self.pitch(), order: Order::Parts };
            let source = Some(source).filter(|_| !between.is_empty());
            if source.is_none() {
                for (k, to) in a.chunks_exact_mut(row).take(c).enumerate() {
                    to[..vectors * width].copy_from_slice(match &output {
                        Rows::Apart(data, stride) => &data[k * *stride + first..][..vectors * width],
                        Rows::Each(rows, _) => &rows[k][first..][..vectors * width],
                    });
                }
            }
            let rows = match &mut output {
                _ if whole == 0 => Rows::Apart(edge, width),
                Rows::Apart(data, stride) => Rows::Apart(&mut data[first..], *stride),
                Rows::Each(rows, _) => Rows::Each(rows, first),
            };
            let target = Some(Target { rows, order: Order::Pairs });
            self.rows.run(wide, (vectors, row), source, target, None, [&mut *a, &mut *b]);
            strip += vectors;
            if whole > 0 {
                continue;
            }
            let left = 2 * (r % lanes);
            for (k, from) in edge.chunks_exact(width).take(c).enumerate() {
                let to = match &mut output {
                    Rows::Apart(data, stride) => &mut data[k * *stride + first..],
                    Rows::Each(rows, _) => &mut rows[k][first..],
                };
                to[..left].copy_from_slice(&from[..left]);
            }
        }
    }
}

/// Rows of lanes that become a row for each lane.
struct Transposed<'a, F, W> {
    wide: W,
    vectors: usize,
    row: usize,
    from: &'a [F],
    to: &'a mut [F],
    pitch: usize,
}

impl<F: Number, W: Wide<F>> Operation for Transposed<'_, F, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { wide, vectors, row, from, to, pitch } = self;
        let width = 2 * W::LANES;
        for vector in 0..vectors {
            for (block, rows) in from.chunks_exact(W::LANES * row).enumerate() {
                let to = &mut to[vector * W::LANES * pitch + block * width..][..(W::LANES - 1) * pitch + width];
                for part in 0..2 {
                    let rows = &rows[vector * width + part * W::LANES..];
                    let mut tile = [wide.load(rows); MOST_LANES];
                    for i in 0..W::LANES {
                        tile[i] = wide.load(&rows[i * row..]);
                    }
                    wide.transpose(&mut tile[..W::LANES]);
                    for l in 0..W::LANES {
                        wide.store(tile[l], &mut to[l * pitch + part * W::LANES..]);
                    }
                }
            }
        }
    }
}

/// What outputs of the columns j2 of each strip are multiplied by: number m + l·near + i·p by ω_n^{j2·(m + l·near + i·p)}, as
/// [`Outer`] says.
#[derive(Debug)]
struct Factors<F> {
    factors: Vec<F>,
    near: usize,
    count: usize,
}

/// Bytes of factors up to which there is one for each output: the caches keep them, and a product is saved.
const FEW_FACTORS: usize = 1 << 16;

/// Bytes of factors, beyond which there are three for each output instead of two: fewer lie in memory then.
const MANY_FACTORS: usize = 1 << 22;

impl<F: Number> Factors<F> {
    fn new(columns: &Strip<F>, (c, lanes): (usize, usize), direction: Direction, [few, many]: [usize; 2]) -> Self {
        let (p, radix) = columns.last();
        let bytes = |factors: usize| 2 * size_of::<F>() * c * factors;
        let divisor = || (2..=p.isqrt()).rev().find(|near| p.is_multiple_of(*near));
        let near = match () {
            _ if bytes(p * radix) <= few => 0,
            _ if bytes(p + radix) > many => divisor().unwrap_or(p),
            _ => p,
        };
        let one = Complex::new(F::default(), F::default());
        let n = columns.len * c;
        let roots = |order, powers: Vec<usize>| {
            let most = powers.iter().max().map_or(0, |power| power + 1);
            (one.roots_of_unity(direction, order, c * most), powers)
        };
        let tables = if near == 0 {
            vec![roots(n, (0..p).flat_map(|m| (0..radix).map(move |i| m + i * p)).collect())]
        } else {
            let middle = if near < p { p / near } else { 0 };
            // ω_n^{j2·l·near} is a root of order n/near.
            [(n, near), (n / near, middle), (n / p, radix)]
                .map(|(order, count)| roots(order, (0..count).collect()))
                .into()
        };
        let count = tables.iter().map(|(_, powers)| powers.len()).sum();
        let mut factors = Vec::with_capacity(c.next_multiple_of(lanes) * 2 * count);
        for strip in (0..c).step_by(lanes) {
            for (roots, powers) in &tables {
                for k in powers {
                    let lane = |l: usize| roots[(strip + l).min(c - 1) * k];
                    factors.extend((0..lanes).map(|l| lane(l).re));
                    factors.extend((0..lanes).map(|l| lane(l).im));
                }
            }
        }
        Self { factors, near, count }
    }

    /// Those of a strip and of what follows, of vectors of so many numbers.
    fn from(&self, strip: usize, width: usize) -> Outer<'_, F> {
        Outer { factors: &self.factors[strip * self.count * width..], near: self.near, count: self.count }
    }
}

/// The part from the first place on that begins a cache line.
pub(crate) fn aligned<F>(x: &mut [F]) -> &mut [F] {
    let off = (x.as_ptr() as usize).wrapping_neg() % LINE / size_of::<F>();
    &mut x[off..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_two_and_three_factors_are_the_roots_of_their_outputs() {
        for (columns, c, lanes) in [(vec![8, 8, 8], 24, 4), (vec![5, 9, 4], 7, 8), (vec![7, 8], 10, 4)] {
            let strip = Strip::<f64>::new(&columns, Direction::Forward);
            let ((p, radix), n) = (strip.last(), strip.len * c);
            let roots = Complex::new(0.0, 0.0).roots_of_unity(Direction::Forward, n, n);
            let of = |bounds| Factors::new(&strip, (c, lanes), Direction::Forward, bounds);
            let [one, two, three] = [[usize::MAX; 2], [0, usize::MAX], [0, 0]].map(of);
            assert_eq!((one.near, one.count, two.near, two.count), (0, p * radix, p, p + radix));
            assert_eq!(three.near < p, p != 7, "{p}");
            for (factors, k, j) in [one, two, three]
                .iter()
                .flat_map(|factors| (0..strip.len).flat_map(move |k| (0..c).map(move |j| (factors, k, j))))
            {
                let (outer, lane) = (factors.from(j / lanes, 2 * lanes), j % lanes);
                let at = |i: usize| {
                    let factor = &outer.factors[2 * lanes * i..];
                    Complex::new(factor[lane], factor[lanes + lane])
                };
                let (m, i) = (k % p, k / p);
                let product = match factors.near {
                    0 => at(m * radix + i),
                    near if near < p => at(m % near) * at(near + m / near) * at(factors.count - radix + i),
                    _ => at(m) * at(p + i),
                };
                assert!((product - roots[j * k]).norm() < 5e-16, "{columns:?} by {c}, near {}: {k}, {j}", factors.near);
            }
        }
    }
}
