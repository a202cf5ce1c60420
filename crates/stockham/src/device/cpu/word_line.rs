//! The transform of a line of words: Stockham's stages of radix 4 and a last one of radix 2, as loops over neighbouring words
//! that the compiler makes vectors of. Words stay below p.

use bytemuck::Zeroable;

use crate::algebra::{Data, Direction};
use crate::parallel;

use super::lanes::{Operation, compiled};
use super::line::{Finish, Line, copy};
use super::word_arithmetic::Arithmetic;

/// Words that one task of a stage takes at least.
const GRAIN: usize = 1 << 15;

/// A transform of n words.
pub(super) struct WordLine<A: Arithmetic> {
    arithmetic: A,
    stages: Vec<Stage<A::Word>>,
    n: usize,
}

/// DFTs of length p become DFTs of length p·r.
struct Stage<W> {
    radix: usize,
    p: usize,
    /// ω_{pr}^{jk} for k < p, one row for each j from 1 on.
    twiddles: Vec<W>,
    /// The root of order 4.
    turn: W,
}

impl<A: Arithmetic> WordLine<A> {
    /// # Panics
    /// If the field has no roots of order n.
    pub fn new(arithmetic: A, n: usize, direction: Direction) -> Self {
        let (mut stages, mut p) = (Vec::new(), 1);
        let root = |k, n| arithmetic.root(direction.root(k, n));
        while p < n {
            let radix = if n / p >= 4 { 4 } else { 2 };
            let rows = if p == 1 { 1..1 } else { 1..radix };
            let twiddles = rows.flat_map(|j| arithmetic.powers(root(j, p * radix), p)).collect();
            let turn = root(if radix == 4 { 1 } else { 0 }, 4);
            stages.push(Stage { radix, p, twiddles, turn });
            p *= radix;
        }
        Self { arithmetic, stages, n }
    }

    /// The transform of a line, without a factor: from elsewhere, or in place. `scratch` has the same length.
    fn transform(&self, input: Option<&[A::Word]>, line: &mut [A::Word], scratch: &mut [A::Word]) {
        let Some((first, others)) = self.stages.split_first() else {
            return copy(input, line);
        };
        let ends_here = others.len() % 2 == 0;
        let (mut source, mut target) = match input {
            Some(input) => {
                let (target, other) = if ends_here { (line, scratch) } else { (scratch, line) };
                first.run(self.arithmetic, input, target);
                (target, other)
            }
            None => {
                first.run(self.arithmetic, line, scratch);
                (scratch, line)
            }
        };
        for stage in others {
            stage.run(self.arithmetic, source, target);
            std::mem::swap(&mut source, &mut target);
        }
        if input.is_none() && ends_here {
            target.copy_from_slice(source);
        }
    }
}

impl<A: Arithmetic> Line<A::Word> for WordLine<A> {
    fn len(&self) -> usize {
        self.n
    }
    fn scratch_len(&self) -> usize {
        self.n
    }
    fn line(
        &self,
        input: Option<&[A::Word]>,
        line: &mut [A::Word],
        scratch: &mut [A::Word],
        finish: Finish<'_, A::Word>,
    ) {
        self.transform(input, line, &mut scratch[..self.n]);
        finish(line);
    }
}

impl<W: Data> Stage<W> {
    /// Block b of p·r outputs comes from the words b·p + k + j·n/r. Short blocks go whole to a task, long ones are cut into
    /// columns k.
    fn run<A: Arithmetic<Word = W>>(&self, field: A, source: &[W], target: &mut [W]) {
        let (p, r) = (self.p, self.radix);
        if p * r <= GRAIN {
            parallel::tasks(target, p * r, GRAIN / (p * r), &|first, target| {
                compiled(Blocks { stage: self, field, source, first, target });
            });
            return;
        }
        let width = (GRAIN / r).min(p);
        for (b, block) in target.chunks_mut(p * r).enumerate() {
            let mut cut: Vec<_> = block.chunks_mut(p).map(|row| row.chunks_mut(width)).collect();
            let parts: Vec<Vec<&mut [W]>> =
                (0..p.div_ceil(width)).map(|_| cut.iter_mut().filter_map(Iterator::next).collect()).collect();
            parallel::each_of(parts, &|i, rows: Vec<&mut [W]>| {
                let (first, stride) = (i * width, source.len() / r);
                compiled(Columns { stage: self, field, source: &source[b * p + first..], stride, first, rows });
            });
        }
    }

    /// The columns from number `first` on, as many as the rows of the target are long.
    #[inline(always)]
    fn columns<A: Arithmetic<Word = W>>(
        &self,
        field: A,
        source: &[W],
        stride: usize,
        first: usize,
        rows: &mut [&mut [W]],
    ) {
        let width = rows[0].len();
        let input = |j: usize| &source[j * stride..][..width];
        let factors = |j: usize| &self.twiddles[(j - 1) * self.p + first..][..width];
        match rows {
            [a, b, c, d] => {
                let factors = [factors(1), factors(2), factors(3)];
                fours((field, self.turn), [input(0), input(1), input(2), input(3)], factors, a, b, c, d);
            }
            [a, b] => twos(field, [input(0), input(1)], factors(1), a, b),
            _ => unreachable!("stages have radix 4 or 2"),
        }
    }
}

/// Whole blocks, the first of which has a number.
struct Blocks<'a, A: Arithmetic> {
    stage: &'a Stage<A::Word>,
    field: A,
    source: &'a [A::Word],
    first: usize,
    target: &'a mut [A::Word],
}

impl<A: Arithmetic> Operation for Blocks<'_, A> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { stage, field, source, first, target } = self;
        let (p, r) = (stage.p, stage.radix);
        let stride = source.len() / r;
        let input = |j: usize| &source[j * stride + first * p..][..target.len() / r];
        match (p, r) {
            (1, 4) => first_fours(field, stage.turn, [input(0), input(1), input(2), input(3)], target),
            (1, _) => {
                for ((x, y), to) in input(0).iter().zip(input(1)).zip(target.chunks_exact_mut(2)) {
                    let (x, y) = (field.taken(*x), field.taken(*y));
                    to.copy_from_slice(&[field.sum(x, y), field.difference(x, y)]);
                }
            }
            (4, 4) => second_fours(field, stage, [input(0), input(1), input(2), input(3)], target),
            _ => {
                for (block, b) in target.chunks_exact_mut(p * r).zip(first..) {
                    let mut rows = block.chunks_exact_mut(p);
                    let mut row = || rows.next().unwrap_or_default();
                    match r {
                        4 => stage.columns(field, &source[b * p..], stride, 0, &mut [row(), row(), row(), row()]),
                        _ => stage.columns(field, &source[b * p..], stride, 0, &mut [row(), row()]),
                    }
                }
            }
        }
    }
}

/// Some columns of a block.
struct Columns<'a, A: Arithmetic> {
    stage: &'a Stage<A::Word>,
    field: A,
    /// From the first column on.
    source: &'a [A::Word],
    /// Words between the inputs of a DFT.
    stride: usize,
    first: usize,
    rows: Vec<&'a mut [A::Word]>,
}

impl<A: Arithmetic> Operation for Columns<'_, A> {
    type Output = ();
    #[inline(always)]
    fn run(mut self) {
        self.stage.columns(self.field, self.source, self.stride, self.first, &mut self.rows);
    }
}

/// The DFT of four words.
#[inline(always)]
fn four<A: Arithmetic>(field: A, turn: A::Word, [x, y, z, w]: [A::Word; 4]) -> [A::Word; 4] {
    let (a, b) = (field.sum(x, z), field.difference(x, z));
    let (c, d) = (field.sum(y, w), field.product(field.difference(y, w), turn));
    [field.sum(a, c), field.sum(b, d), field.difference(a, c), field.difference(b, d)]
}

/// DFTs of four words each, one a column. (The targets are arguments of their own: so the compiler knows that they are apart.)
#[inline(always)]
fn fours<A: Arithmetic>(
    (field, turn): (A, A::Word),
    [x, y, z, w]: [&[A::Word]; 4],
    [u, v, t]: [&[A::Word]; 3],
    a: &mut [A::Word],
    b: &mut [A::Word],
    c: &mut [A::Word],
    d: &mut [A::Word],
) {
    let n = a.len();
    let (x, y, z, w, u, v, t) = (&x[..n], &y[..n], &z[..n], &w[..n], &u[..n], &v[..n], &t[..n]);
    let (b, c, d) = (&mut b[..n], &mut c[..n], &mut d[..n]);
    for k in 0..n {
        let inputs = [x[k], field.product(y[k], u[k]), field.product(z[k], v[k]), field.product(w[k], t[k])];
        [a[k], b[k], c[k], d[k]] = four(field, turn, inputs);
    }
}

/// The same of two.
#[inline(always)]
fn twos<A: Arithmetic>(field: A, [x, y]: [&[A::Word]; 2], u: &[A::Word], a: &mut [A::Word], b: &mut [A::Word]) {
    let n = a.len();
    let (x, y, u, b) = (&x[..n], &y[..n], &u[..n], &mut b[..n]);
    for k in 0..n {
        let (x, y) = (x[k], field.product(y[k], u[k]));
        (a[k], b[k]) = (field.sum(x, y), field.difference(x, y));
    }
}

/// The first stage: DFTs whose outputs are neighbours, of inputs without factors.
#[inline(always)]
fn first_fours<A: Arithmetic>(field: A, turn: A::Word, [x, y, z, w]: [&[A::Word]; 4], target: &mut [A::Word]) {
    let n = target.len() / 4;
    let (x, y, z, w) = (&x[..n], &y[..n], &z[..n], &w[..n]);
    for (k, to) in target.chunks_exact_mut(4).enumerate() {
        to.copy_from_slice(&four(field, turn, [x[k], y[k], z[k], w[k]].map(|x| field.taken(x))));
    }
}

/// The second stage: rows of four words.
#[inline(always)]
fn second_fours<A: Arithmetic>(field: A, stage: &Stage<A::Word>, inputs: [&[A::Word]; 4], target: &mut [A::Word]) {
    let factors: [[A::Word; 4]; 3] = std::array::from_fn(|j| std::array::from_fn(|k| stage.twiddles[4 * j + k]));
    let [x, y, z, w] = inputs.map(|row| row.chunks_exact(4));
    for ((((x, y), z), w), to) in x.zip(y).zip(z).zip(w).zip(target.chunks_exact_mut(16)) {
        let mut rows = [[A::Word::zeroed(); 4]; 4];
        for k in 0..4 {
            let inputs = [
                x[k],
                field.product(y[k], factors[0][k]),
                field.product(z[k], factors[1][k]),
                field.product(w[k], factors[2][k]),
            ];
            let outputs = four(field, stage.turn, inputs);
            (0..4).for_each(|j| rows[j][k] = outputs[j]);
        }
        to.copy_from_slice(rows.as_flattened());
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::Own;
    use super::super::word_arithmetic::OfGoldilocks;
    use super::*;
    use crate::accuracy::random;
    use crate::algebra::{Goldilocks, NumericRing};

    #[test]
    fn words_of_goldilocks_are_elements() {
        for n in (1..=17).map(|log| 1 << log) {
            for direction in [Direction::Forward, Direction::Inverse] {
                let mut x = random::<Goldilocks>(n, 5);
                // Words that stand for the residues 0 and 1.
                x[0] = bytemuck::cast(Goldilocks::MODULUS);
                x[n - 1] = bytemuck::cast(Goldilocks::MODULUS + 1);
                let line = WordLine::new(OfGoldilocks::own(), n, direction);
                let of_elements = Own::shifting(&Goldilocks::one(), n, direction).unwrap();
                let of = |line: &dyn Line<Goldilocks>| {
                    let (mut y, mut z) = (x.clone(), vec![Goldilocks::default(); n]);
                    let mut scratch = vec![Goldilocks::default(); line.scratch_len()];
                    line.lines(None, &mut y, &mut scratch, &|_| {});
                    line.lines(Some(&x), &mut z, &mut scratch, &|_| {});
                    assert!(y == z, "{n} points in place and out of place");
                    y
                };
                let (words, elements) = (of(&line), of(&of_elements));
                let bits = bytemuck::cast_slice::<_, u64>(&words);
                assert!(bits.iter().all(|&word| word < Goldilocks::MODULUS), "{n} points below p");
                assert!(words == elements, "{n} points, {direction:?}");
            }
        }
    }
}
