//! The transform of a line of words: Stockham's stages of radix 4 and a last one of radix 2, as loops over neighbouring words
//! that the compiler makes vectors of.
//!
//! Words stay below p. Factors stand as ω·R, so that their products with words are Montgomery's.

use crate::algebra::{Digit, Direction, MachineWord, WordField, WordModulus, montgomery, reduced};
use crate::parallel;

use super::lanes::{Operation, compiled};

/// Words that one task of a stage takes at least.
const GRAIN: usize = 1 << 15;

/// A transform of n words.
pub(super) struct WordLine<W> {
    pub arithmetic: Arithmetic<W>,
    stages: Vec<Stage<W>>,
    n: usize,
}

/// Sums, differences and products of words below p.
pub(super) struct Arithmetic<W> {
    field: WordField,
    modulus: WordModulus<W>,
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

impl<W: Digit + MachineWord> Arithmetic<W> {
    pub fn new(field: WordField) -> Self {
        Self { field, modulus: field.word_modulus() }
    }

    /// A residue as what words are multiplied by.
    pub fn factor(&self, residue: u64) -> W {
        W::truncated(self.field.in_form(residue))
    }

    /// The first powers of a factor, as factors.
    pub fn powers(&self, factor: W, count: usize) -> impl Iterator<Item = W> {
        std::iter::successors(Some(self.factor(1)), move |power| Some(self.product(*power, factor))).take(count)
    }

    #[inline(always)]
    fn sum(&self, x: W, y: W) -> W {
        reduced(&x.plus(&y), &self.modulus.prime)
    }

    #[inline(always)]
    fn difference(&self, x: W, y: W) -> W {
        reduced(&x.plus(&self.modulus.prime).minus(&y), &self.modulus.prime)
    }

    /// x·y/R.
    #[inline(always)]
    fn product(&self, x: W, y: W) -> W {
        reduced(&montgomery(&self.modulus, &x, &y), &self.modulus.prime)
    }

    /// The words of a line times one factor, or a factor each; as they are for none.
    pub fn multiply(&self, line: &mut [W], factors: &[W]) {
        compiled(Factors { field: self, line, factors });
    }
}

struct Factors<'a, W> {
    field: &'a Arithmetic<W>,
    line: &'a mut [W],
    factors: &'a [W],
}

impl<W: Digit + MachineWord> Operation for Factors<'_, W> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        match *self.factors {
            [] => {}
            [factor] => self.line.iter_mut().for_each(|x| *x = self.field.product(*x, factor)),
            _ => self.line.iter_mut().zip(self.factors).for_each(|(x, w)| *x = self.field.product(*x, *w)),
        }
    }
}

impl<W: Digit + MachineWord> WordLine<W> {
    /// # Panics
    /// If the field has no roots of order n.
    pub fn new(field: WordField, n: usize, direction: Direction) -> Self {
        let (mut stages, mut p) = (Vec::new(), 1);
        let arithmetic = Arithmetic::new(field);
        let root = |k, n| arithmetic.factor(field.root(direction.root(k, n)));
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

    /// The transform of a line in place, without a factor; `scratch` has the same length.
    pub fn transform(&self, line: &mut [W], scratch: &mut [W]) {
        debug_assert_eq!((line.len(), scratch.len()), (self.n, self.n));
        let (mut source, mut target) = (line, scratch);
        for stage in &self.stages {
            stage.run(&self.arithmetic, source, target);
            std::mem::swap(&mut source, &mut target);
        }
        if self.stages.len() % 2 == 1 {
            target.copy_from_slice(source);
        }
    }
}

impl<W: Digit + MachineWord> Stage<W> {
    /// Block b of p·r outputs comes from the words b·p + k + j·n/r. Short blocks go whole to a task, long ones are cut into
    /// columns k.
    fn run(&self, field: &Arithmetic<W>, source: &[W], target: &mut [W]) {
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
    fn columns(&self, field: &Arithmetic<W>, source: &[W], stride: usize, first: usize, rows: &mut [&mut [W]]) {
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
struct Blocks<'a, W> {
    stage: &'a Stage<W>,
    field: &'a Arithmetic<W>,
    source: &'a [W],
    first: usize,
    target: &'a mut [W],
}

impl<W: Digit + MachineWord> Operation for Blocks<'_, W> {
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
                    to.copy_from_slice(&[field.sum(*x, *y), field.difference(*x, *y)]);
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
struct Columns<'a, W> {
    stage: &'a Stage<W>,
    field: &'a Arithmetic<W>,
    /// From the first column on.
    source: &'a [W],
    /// Words between the inputs of a DFT.
    stride: usize,
    first: usize,
    rows: Vec<&'a mut [W]>,
}

impl<W: Digit + MachineWord> Operation for Columns<'_, W> {
    type Output = ();
    #[inline(always)]
    fn run(mut self) {
        self.stage.columns(self.field, self.source, self.stride, self.first, &mut self.rows);
    }
}

/// The DFT of four words.
#[inline(always)]
fn four<W: Digit + MachineWord>(field: &Arithmetic<W>, turn: W, [x, y, z, w]: [W; 4]) -> [W; 4] {
    let (a, b) = (field.sum(x, z), field.difference(x, z));
    let (c, d) = (field.sum(y, w), field.product(field.difference(y, w), turn));
    [field.sum(a, c), field.sum(b, d), field.difference(a, c), field.difference(b, d)]
}

/// DFTs of four words each, one a column. (The targets are arguments of their own: so the compiler knows that they are apart.)
#[inline(always)]
fn fours<W: Digit + MachineWord>(
    (field, turn): (&Arithmetic<W>, W),
    [x, y, z, w]: [&[W]; 4],
    [u, v, t]: [&[W]; 3],
    a: &mut [W],
    b: &mut [W],
    c: &mut [W],
    d: &mut [W],
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
fn twos<W: Digit + MachineWord>(field: &Arithmetic<W>, [x, y]: [&[W]; 2], u: &[W], a: &mut [W], b: &mut [W]) {
    let n = a.len();
    let (x, y, u, b) = (&x[..n], &y[..n], &u[..n], &mut b[..n]);
    for k in 0..n {
        let (x, y) = (x[k], field.product(y[k], u[k]));
        (a[k], b[k]) = (field.sum(x, y), field.difference(x, y));
    }
}

/// The first stage: DFTs whose outputs are neighbours, of inputs without factors.
#[inline(always)]
fn first_fours<W: Digit + MachineWord>(field: &Arithmetic<W>, turn: W, [x, y, z, w]: [&[W]; 4], target: &mut [W]) {
    let n = target.len() / 4;
    let (x, y, z, w) = (&x[..n], &y[..n], &z[..n], &w[..n]);
    for (k, to) in target.chunks_exact_mut(4).enumerate() {
        to.copy_from_slice(&four(field, turn, [x[k], y[k], z[k], w[k]]));
    }
}

/// The second stage: rows of four words.
#[inline(always)]
fn second_fours<W: Digit + MachineWord>(field: &Arithmetic<W>, stage: &Stage<W>, inputs: [&[W]; 4], target: &mut [W]) {
    let factors: [[W; 4]; 3] = std::array::from_fn(|j| std::array::from_fn(|k| stage.twiddles[4 * j + k]));
    let [x, y, z, w] = inputs.map(|row| row.chunks_exact(4));
    for ((((x, y), z), w), to) in x.zip(y).zip(z).zip(w).zip(target.chunks_exact_mut(16)) {
        let mut rows = [[W::truncated(0); 4]; 4];
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
