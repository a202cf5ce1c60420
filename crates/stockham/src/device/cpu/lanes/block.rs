//! Lines of a short length, a lane of vectors each from the first stage to the last: those that follow each other are transposed
//! on their way in and out. So are real lines, and cosine and sine transforms, which are made of them.

use bytemuck::Pod;
use num_complex::Complex;

use crate::algebra::{Data, Direction, DoubleDouble, Element, Numbers};
use crate::transform::{Kind, TrigType};

use super::super::factor::Factor;
use super::super::scratch::Scratch;
use super::columns::{self, ColumnLine};
use super::halves::{Halves, Join, Roots, Split};
use super::rectangle::{LINE, aligned};
use super::strip::{Number, Strip};
use super::tiles::{Enter, Gather, Leave, Rows, Scatter, place};
use super::wide::{MOST_LANES, Wide};

/// Bytes of a block at most: four of them stay in a core's own cache.
const NEAR: usize = 1 << 15;

/// Vectors of a block's rows at most.
const VECTORS: usize = 4;

/// The same where lines are columns of a matrix.
const VECTORS_OF_COLUMNS: usize = *columns::VECTORS.end();

/// Lines of a block at most.
pub(crate) const MOST_LINES: usize = VECTORS * MOST_LANES;

/// What lines go through: a transform of n points, of an even number if they are real.
pub(crate) struct Course<'a, F> {
    pub kind: Kind,
    pub n: usize,
    pub direction: Direction,
    pub orthogonal: bool,
    /// The stages of the complex transform of n points, or of n/2 if they are real.
    pub radices: &'a [usize],
    pub factor: Option<Box<dyn Factor<Complex<F>>>>,
}

/// Transforms of lines side by side, from elements to elements.
pub(crate) trait Block<I, O>: Send + Sync {
    /// Lines that are transformed at once, at most.
    fn together(&self) -> usize;
    /// Transforms lines that begin at these places of the source and of the target, or in place.
    fn lines(&self, source: Option<&[I]>, target: &mut [O], places: [&[usize]; 2]);
}

/// Numbers of a line as rows of blocks.
struct Ordered {
    len: usize,
    /// In blocks of 1 vector, of 2, and so on; nothing if they are in order.
    places: Vec<Vec<u32>>,
}

impl Ordered {
    /// Number i is this row.
    fn new(len: usize, vectors: usize, lanes: usize, row: &dyn Fn(usize) -> usize) -> Self {
        let places = |vectors: usize| (0..len).map(|i| place(row(i), 0, vectors, lanes) as u32).collect();
        Self { len, places: (1..=vectors).map(places).collect() }
    }

    fn of(&self, vectors: usize) -> Rows<'_> {
        if self.places.is_empty() { Rows::Straight(self.len) } else { Rows::At(&self.places[vectors - 1]) }
    }
}

/// A block, with what is done beside the stages.
pub(super) struct LaneBlock<F, W> {
    wide: W,
    strip: Strip<F>,
    is_real: bool,
    factor: Option<Box<dyn Factor<Complex<F>>>>,
    split: Vec<Complex<F>>,
    turn: Option<Vec<Complex<F>>>,
    /// Where numbers of a line go before, and where they come from after.
    rows: [Ordered; 2],
    /// Whether the second half of the rows changes its signs before, or after.
    negated: [bool; 2],
    /// What the first row is multiplied by before, or after.
    first: [Option<DoubleDouble>; 2],
    scratch: Scratch<F>,
}

impl<F: Number + Data, W: Wide<F>> LaneBlock<F, W>
where
    Complex<F>: Element,
{
    pub fn new(wide: W, course: Course<'_, F>) -> Self {
        let Course { kind, n, direction, orthogonal, radices, factor } = course;
        let one = Complex::new(F::default(), F::default());
        let straight = |len| Ordered { len, places: Vec::new() };
        let ordered = |row: &dyn Fn(usize) -> usize| Ordered::new(n, VECTORS_OF_COLUMNS, W::LANES, row);
        let backwards = || ordered(&|i| n - 1 - i);
        // First the numbers of even places, then those of odd ones from right to left.
        let folded = || ordered(&|i| if i % 2 == 0 { i / 2 } else { n - 1 - i / 2 });
        let is_sine = matches!(kind, Kind::Sine(_));
        let (mut negated, mut first) = ([false; 2], [None; 2]);
        let (direction, rows) = match kind {
            Kind::Dft => (direction, [straight(2 * n), straight(2 * n)]),
            Kind::Real if direction == Direction::Forward => (direction, [straight(n), straight(n + 2)]),
            Kind::Real => (direction, [straight(n + 2), straight(n)]),
            Kind::Cosine(TrigType::II) | Kind::Sine(TrigType::II) => {
                negated[0] = is_sine;
                first[1] = orthogonal.then(|| DoubleDouble::from(0.5).sqrt());
                (Direction::Forward, [folded(), if is_sine { backwards() } else { straight(n) }])
            }
            Kind::Cosine(_) | Kind::Sine(_) => {
                negated[1] = is_sine;
                first[0] = orthogonal.then(|| DoubleDouble::from(2.0).sqrt());
                (Direction::Inverse, [if is_sine { backwards() } else { straight(n) }, folded()])
            }
        };
        let is_real = kind != Kind::Dft;
        let is_trig = is_real && kind != Kind::Real;
        let split = if is_real { one.roots_of_unity(direction, n, n / 4 + 1) } else { Vec::new() };
        let turn = is_trig.then(|| one.roots_of_unity(direction, 4 * n, n / 2 + 1));
        let strip = Strip::new(radices, direction);
        Self { wide, strip, is_real, factor, split, turn, rows, negated, first, scratch: Scratch::default() }
    }

    /// Rows of a block, an even number.
    fn block_rows(&self) -> usize {
        let [before, after] = self.rows.each_ref().map(|rows| rows.len);
        before.max(after).max(2 * self.strip.len)
    }

    fn vectors(&self) -> usize {
        (NEAR / (self.block_rows() * W::LANES * size_of::<F>())).clamp(1, VECTORS)
    }

    /// From one block to the other, and perhaps back: the result's comes first.
    fn stages<'x>(&self, vectors: usize, mut blocks: [&'x mut [F]; 2]) -> [&'x mut [F]; 2] {
        let len = 2 * self.strip.len * vectors * W::LANES;
        let comes_first = self.factor.as_ref().map(|factor| {
            let block = bytemuck::cast_slice_mut(&mut blocks[0][..len]);
            let comes_first = factor.comes_first(block);
            if comes_first {
                factor.before(block);
            }
            comes_first
        });
        let blocks = self.strip.within(self.wide, vectors, blocks);
        if let (Some(factor), Some(comes_first)) = (&self.factor, comes_first) {
            factor.after(bytemuck::cast_slice_mut(&mut blocks[0][..len]), comes_first);
        }
        blocks
    }

    /// What is done to rows before the transform, or after it.
    fn finish(&self, side: usize, vectors: usize, block: &mut [F]) {
        let row = 2 * W::LANES * vectors;
        if self.negated[side] {
            let rows = self.rows[side].len;
            for i in rows / 2..rows {
                for vector in 0..vectors {
                    let at = place(i, vector, vectors, W::LANES);
                    block[at..at + W::LANES].iter_mut().for_each(|x| *x = x.neg());
                }
            }
        }
        if let Some(factor) = self.first[side] {
            for pair in block[..row].chunks_exact_mut(2 * W::LANES) {
                pair[..W::LANES].iter_mut().for_each(|x| *x = x.times_exactly(factor));
            }
        }
    }

    /// Transforms the rows of the first block: the result's block comes first.
    fn run<'x>(&self, vectors: usize, blocks: [&'x mut [F]; 2]) -> [&'x mut [F]; 2] {
        let [block, other] = blocks;
        self.finish(0, vectors, block);
        let (wide, m) = (self.wide, self.strip.len);
        let roots = Roots { split: &self.split, turn: self.turn.as_deref() };
        let [a, b] = match (self.is_real, self.strip.direction) {
            (false, _) => self.stages(vectors, [block, other]),
            (true, Direction::Forward) => {
                let [from, to] = self.stages(vectors, [block, other]);
                wide.call(Split(Halves { wide, vectors, m, roots, from, to }));
                [to, from]
            }
            (true, Direction::Inverse) => {
                wide.call(Join(Halves { wide, vectors, m, roots, from: block, to: other }));
                self.stages(vectors, [other, block])
            }
        };
        self.finish(1, vectors, a);
        [a, b]
    }
}

impl<I: Pod, O: Pod, F: Number + Data, W: Wide<F>> Block<I, O> for LaneBlock<F, W>
where
    Complex<F>: Element,
{
    fn together(&self) -> usize {
        self.vectors() * W::LANES
    }
    fn lines(&self, source: Option<&[I]>, target: &mut [O], places: [&[usize]; 2]) {
        let (wide, vectors) = (self.wide, places[0].len().div_ceil(W::LANES));
        let bytes = [if source.is_some() { size_of::<I>() } else { size_of::<O>() }, size_of::<O>()];
        // Places of real numbers.
        let mut numbers = [[0; MOST_LINES]; 2];
        for ((numbers, places), bytes) in numbers.iter_mut().zip(places).zip(bytes) {
            numbers.iter_mut().zip(places).for_each(|(number, place)| *number = bytes / size_of::<F>() * place);
        }
        let [from, to] = numbers.each_ref().map(|numbers| &numbers[..places[0].len()]);
        let target = bytemuck::cast_slice_mut(target);
        let len = self.block_rows() * vectors * W::LANES;
        self.scratch.with(2 * len + LINE / size_of::<F>(), |scratch| {
            let (block, rest) = aligned(scratch).split_at_mut(len);
            let lines = source.map_or(&*target, |source| bytemuck::cast_slice(source));
            wide.call(Gather { wide, vectors, lines, places: from, rows: self.rows[0].of(vectors), block });
            let [block, _] = self.run(vectors, [block, rest]);
            wide.call(Scatter { wide, vectors, block, rows: self.rows[1].of(vectors), lines: target, places: to });
        });
    }
}

/// Columns of real numbers that stay real.
impl<F: Number + Data, W: Wide<F>> ColumnLine<F> for LaneBlock<F, W>
where
    Complex<F>: Element,
{
    fn lanes(&self) -> usize {
        W::LANES
    }
    fn together(&self) -> usize {
        VECTORS_OF_COLUMNS * W::LANES
    }
    fn transform(&self, from: &[F], to: &mut [F], scratch: &mut [F]) {
        let (wide, vectors) = (self.wide, from.len() / self.rows[0].len / W::LANES);
        let (block, rest) = scratch.split_at_mut(from.len());
        wide.call(Enter { wide, vectors, columns: from, rows: self.rows[0].of(vectors), block });
        let [block, _] = self.run(vectors, [block, rest]);
        wide.call(Leave { wide, vectors, block, rows: self.rows[1].of(vectors), columns: to });
    }
}
