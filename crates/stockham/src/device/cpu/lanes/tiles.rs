//! Lines that follow each other as lanes of a block, and back: small squares of real numbers are transposed in registers.
//!
//! A block has rows of real numbers, a vector of each for every vector of lines. Two rows after each other are the real and the
//! imaginary parts of complex numbers, as stages want them.

use super::strip::{Number, each};
use super::wide::{MOST_LANES, Operation, Wide};

/// Where a row's vector begins in a block.
#[inline(always)]
pub(super) fn place(row: usize, vector: usize, vectors: usize, lanes: usize) -> usize {
    lanes * ((row & !1) * vectors + 2 * vector + (row & 1))
}

/// How numbers of a line are rows of a block.
#[derive(Clone, Copy)]
pub(super) enum Rows<'a> {
    /// As many as these, in order.
    Straight(usize),
    /// Each begins here, in the first vector.
    At(&'a [u32]),
}

impl Rows<'_> {
    fn len(self) -> usize {
        match self {
            Self::Straight(len) => len,
            Self::At(places) => places.len(),
        }
    }

    #[inline(always)]
    fn place(self, row: usize, vectors: usize, lanes: usize) -> usize {
        match self {
            Self::Straight(_) => place(row, 0, vectors, lanes),
            Self::At(places) => places[row] as usize,
        }
    }
}

/// Lines on their way into a block.
pub(super) struct Gather<'a, F, W> {
    pub wide: W,
    pub vectors: usize,
    pub lines: &'a [F],
    /// Where each line begins. Lanes that have none are a line's that has one.
    pub places: &'a [usize],
    pub rows: Rows<'a>,
    pub block: &'a mut [F],
}

impl<F: Number, W: Wide<F>> Operation for Gather<'_, F, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { wide, vectors, lines, places, rows, block } = self;
        let (n, lanes, width) = (rows.len(), W::LANES, 2 * W::LANES);
        let whole = n / lanes * lanes;
        for (vector, places) in places.chunks(lanes).enumerate() {
            let block = &mut block[width * vector..];
            let mut lane: [&[F]; MOST_LANES] = [&lines[places[0]..][..n]; MOST_LANES];
            each!(lanes, l => {
                if let Some(place) = places.get(l) {
                    lane[l] = &lines[*place..][..n];
                }
            });
            for first in (0..whole).step_by(lanes) {
                let mut tile = [wide.load(&lane[0][first..]); MOST_LANES];
                each!(lanes, l => { tile[l] = wide.load(&lane[l][first..]) });
                wide.transpose(&mut tile[..W::LANES]);
                match rows {
                    Rows::Straight(_) => {
                        let block = &mut block[first * vectors * lanes..];
                        let mut pairs = block.chunks_mut(width * vectors).map(|pair| &mut pair[..width]);
                        each!(lanes, i => {
                            if i.is_multiple_of(2) && let Some(pair) = pairs.next() {
                                wide.store(tile[i], &mut pair[..W::LANES]);
                                wide.store(tile[i + 1], &mut pair[W::LANES..]);
                            }
                        });
                    }
                    Rows::At(places) => {
                        let places = &places[first..][..lanes];
                        each!(lanes, i => { wide.store(tile[i], &mut block[places[i] as usize..]) });
                    }
                }
            }
            for i in whole..n {
                let to = &mut block[rows.place(i, vectors, lanes)..][..lanes];
                to.iter_mut().zip(&lane).for_each(|(x, lane)| *x = lane[i]);
            }
        }
    }
}

/// The way back.
pub(super) struct Scatter<'a, F, W> {
    pub wide: W,
    pub vectors: usize,
    pub block: &'a [F],
    pub rows: Rows<'a>,
    pub lines: &'a mut [F],
    pub places: &'a [usize],
}

impl<F: Number, W: Wide<F>> Operation for Scatter<'_, F, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { wide, vectors, block, rows, lines, places } = self;
        let (n, lanes, width) = (rows.len(), W::LANES, 2 * W::LANES);
        let whole = n / lanes * lanes;
        for (vector, places) in places.chunks(lanes).enumerate() {
            let block = &block[width * vector..];
            for first in (0..whole).step_by(lanes) {
                let mut tile = [wide.splat(F::default()); MOST_LANES];
                match rows {
                    Rows::Straight(_) => {
                        let block = &block[first * vectors * lanes..];
                        let mut pairs = block.chunks(width * vectors).map(|pair| &pair[..width]);
                        each!(lanes, i => {
                            if i.is_multiple_of(2) && let Some(pair) = pairs.next() {
                                tile[i] = wide.load(&pair[..W::LANES]);
                                tile[i + 1] = wide.load(&pair[W::LANES..]);
                            }
                        });
                    }
                    Rows::At(places) => {
                        let places = &places[first..][..lanes];
                        each!(lanes, i => { tile[i] = wide.load(&block[places[i] as usize..]) });
                    }
                }
                wide.transpose(&mut tile[..W::LANES]);
                each!(lanes, l => {
                    if let Some(place) = places.get(l) {
                        wide.store(tile[l], &mut lines[place + first..]);
                    }
                });
            }
            for i in whole..n {
                let from = &block[rows.place(i, vectors, lanes)..][..lanes];
                places.iter().zip(from).for_each(|(place, x)| lines[place + i] = *x);
            }
        }
    }
}

/// Rows of neighbouring columns, which are those of a block but for their order.
pub(super) struct Enter<'a, F, W> {
    pub wide: W,
    pub vectors: usize,
    pub columns: &'a [F],
    pub rows: Rows<'a>,
    pub block: &'a mut [F],
}

impl<F: Number, W: Wide<F>> Operation for Enter<'_, F, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { wide, vectors, columns, rows, block } = self;
        for (row, from) in columns.chunks_exact(vectors * W::LANES).enumerate() {
            let to = &mut block[rows.place(row, vectors, W::LANES)..];
            for (from, to) in from.chunks_exact(W::LANES).zip(to.chunks_mut(2 * W::LANES)) {
                wide.store(wide.load(from), to);
            }
        }
    }
}

/// The way back.
pub(super) struct Leave<'a, F, W> {
    pub wide: W,
    pub vectors: usize,
    pub block: &'a [F],
    pub rows: Rows<'a>,
    pub columns: &'a mut [F],
}

impl<F: Number, W: Wide<F>> Operation for Leave<'_, F, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { wide, vectors, block, rows, columns } = self;
        for (row, to) in columns.chunks_exact_mut(vectors * W::LANES).enumerate() {
            let from = &block[rows.place(row, vectors, W::LANES)..];
            for (from, to) in from.chunks(2 * W::LANES).zip(to.chunks_exact_mut(W::LANES)) {
                wide.store(wide.load(from), to);
            }
        }
    }
}
