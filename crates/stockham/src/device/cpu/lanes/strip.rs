//! The transform of neighbouring columns, a lane each: stages of Stockham's autosort algorithm from where they lie, through
//! buffers in the nearest cache, to where they go.

use std::marker::PhantomData;

use num_complex::Complex;

use crate::algebra::{Direction, Numbers, Scalar};
use crate::codelet;

use super::lane::{Lanes, lanes, product};
use super::wide::{Operation, Wide};

/// What real numbers are here.
pub(crate) trait Number: Scalar + Copy + Default + Send + Sync {}
impl<F: Scalar + Copy + Default + Send + Sync> Number for F {}

/// The transform of `len` points.
#[derive(Debug, Clone)]
pub(crate) struct Strip<F> {
    pub len: usize,
    pub direction: Direction,
    stages: Vec<Stage<F>>,
}

/// DFTs of p points become DFTs of p·radix points.
#[derive(Debug, Clone)]
struct Stage<F> {
    radix: usize,
    p: usize,
    /// ω_{p·radix}^{jk} for 0 < j < radix, a row for each k < p.
    twiddles: Vec<Complex<F>>,
    /// cos and sin of 2π·jk/radix for 0 < j, k ≤ radix/2, where that is odd.
    inner: Vec<Complex<F>>,
}

/// Where columns are read: rows at a distance.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a, F> {
    /// As many rows in each, and such that what a butterfly of the first stage reads in one place of it is in one of them.
    pub parts: &'a [&'a [F]],
    /// Where the rows begin in each.
    pub first: usize,
    pub stride: usize,
    pub order: Order,
}

/// Where they are written.
pub(crate) struct Target<'a, 'b, F> {
    pub rows: Rows<'a, 'b, F>,
    pub order: Order,
}

pub(crate) enum Rows<'a, 'b, F> {
    /// At a distance.
    Apart(&'a mut [F], usize),
    /// From a place in each on.
    Each(&'a mut [&'b mut [F]], usize),
}

/// How complex numbers lie.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Order {
    /// A vector of real parts, and one of imaginary parts.
    Parts,
    /// One number after the other.
    Pairs,
}

/// What outputs are multiplied by: number m + l·near + i·p, below p but for i, by fine\[m\]·middle\[l\]·coarse\[i\], where p is more
/// than 1 and near less than p; what is not there is 1. Without fine ones, number m + i·p has a coarse factor of its own, the i-th after
/// m·radix. Those of a vector of columns follow each other.
#[derive(Clone, Copy)]
pub(crate) struct Outer<'a, F> {
    pub factors: &'a [F],
    /// Fine factors of a vector, if there are any.
    pub near: usize,
    /// All factors of a vector.
    pub count: usize,
}

/// Does something for every number below one that the compiler knows. Where they are few each is a constant, so that what is
/// indexed stays in registers.
macro_rules! each {
    ($n:ident, $i:ident => $body:block) => {
        match $n {
            1 => each!(@ $i $body 0),
            2 => each!(@ $i $body 0 1),
            3 => each!(@ $i $body 0 1 2),
            4 => each!(@ $i $body 0 1 2 3),
            5 => each!(@ $i $body 0 1 2 3 4),
            7 => each!(@ $i $body 0 1 2 3 4 5 6),
            8 => each!(@ $i $body 0 1 2 3 4 5 6 7),
            _ => for $i in 0..$n { $body },
        }
    };
    (@ $i:ident $body:block $($value:literal)*) => {{ $({ let $i: usize = $value; $body })* }};
}
pub(super) use each;

/// The first two vectors of a slice.
#[inline(always)]
pub(super) fn load<F, W: Wide<F>>(wide: W, data: &[F]) -> Lanes<F, W> {
    let at = &data[..2 * W::LANES];
    lanes(wide, [wide.load(&at[..W::LANES]), wide.load(&at[W::LANES..])])
}

#[inline(always)]
pub(super) fn store<F, W: Wide<F>>(wide: W, x: Lanes<F, W>, to: &mut [F]) {
    let to = &mut to[..2 * W::LANES];
    wide.store(x.re.vector, &mut to[..W::LANES]);
    wide.store(x.im.vector, &mut to[W::LANES..]);
}

/// The first complex numbers of a slice, which lie one after the other.
#[inline(always)]
pub(super) fn load_pairs<F, W: Wide<F>>(wide: W, data: &[F]) -> Lanes<F, W> {
    let pairs = load(wide, data);
    lanes(wide, wide.split([pairs.re.vector, pairs.im.vector]))
}

#[inline(always)]
pub(super) fn store_pairs<F, W: Wide<F>>(wide: W, x: Lanes<F, W>, to: &mut [F]) {
    store(wide, lanes(wide, wide.join([x.re.vector, x.im.vector])), to);
}

/// A number in all lanes.
#[inline(always)]
pub(super) fn splat<F, W: Wide<F>>(wide: W, x: Complex<F>) -> Lanes<F, W> {
    lanes(wide, [wide.splat(x.re), wide.splat(x.im)])
}

/// A small DFT of lanes.
trait Codelet<F, const R: usize> {
    fn apply<W: Wide<F>>(&self, wide: W, x: [Lanes<F, W>; R]) -> [Lanes<F, W>; R];
}

/// Those that are written for any ring; which is their direction, the compiler knows.
struct Ours<const INVERSE: bool>;

macro_rules! ours {
    ($($radix:literal $x:ident $direction:ident => $body:expr;)*) => {$(
        impl<F: Number, const INVERSE: bool> Codelet<F, $radix> for Ours<INVERSE> {
            #[inline(always)]
            fn apply<W: Wide<F>>(&self, _: W, $x: [Lanes<F, W>; $radix]) -> [Lanes<F, W>; $radix] {
                let $direction = if INVERSE { Direction::Inverse } else { Direction::Forward };
                $body
            }
        }
    )*};
}

ours! {
    1 x _direction => x;
    2 x _direction => codelet::dft2(x);
    4 x direction => codelet::dft4(x, direction);
    8 x direction => codelet::dft8(x, direction);
}

/// An odd prime: the inputs j and R − j are paired, as their sum meets only cosines and their difference only sines.
struct Odd<'a, F>(&'a [Complex<F>]);

impl<F: Number, const R: usize> Codelet<F, R> for Odd<'_, F> {
    #[inline(always)]
    fn apply<W: Wide<F>>(&self, wide: W, x: [Lanes<F, W>; R]) -> [Lanes<F, W>; R] {
        let half = R / 2;
        let (mut sums, mut differences, mut out) = (x, x, x);
        for j in 1..=half {
            let (a, b) = (x[j], x[R - j]);
            sums[j] = Complex::new(a.re.add(&b.re), a.im.add(&b.im));
            differences[j] = Complex::new(a.re.sub(&b.re), a.im.sub(&b.im));
            out[0] = Complex::new(out[0].re.add(&sums[j].re), out[0].im.add(&sums[j].im));
        }
        for (k, row) in (1..=half).zip(self.0.chunks_exact(half)) {
            let (first, mut even) = (splat(wide, row[0]), x[0]);
            even = Complex::new(sums[1].re.mul_add(&first.re, &even.re), sums[1].im.mul_add(&first.re, &even.im));
            let mut odd = Complex::new(differences[1].re.mul(&first.im), differences[1].im.mul(&first.im));
            for j in 2..=half {
                let w = splat(wide, row[j - 1]);
                even = Complex::new(sums[j].re.mul_add(&w.re, &even.re), sums[j].im.mul_add(&w.re, &even.im));
                let d = &differences[j];
                odd = Complex::new(d.re.mul_add(&w.im, &odd.re), d.im.mul_add(&w.im, &odd.im));
            }
            // ∓i times the sines' part.
            out[k] = Complex::new(even.re.add(&odd.im), even.im.sub(&odd.re));
            out[R - k] = Complex::new(even.re.sub(&odd.im), even.im.add(&odd.re));
        }
        out
    }
}

impl<F: Number> Strip<F> {
    /// With stages of these radices.
    pub fn new(radices: &[usize], direction: Direction) -> Self {
        let mut p = 1;
        let one = Complex::new(F::default(), F::default());
        let stage = |&radix: &usize| {
            let roots = one.roots_of_unity(direction, p * radix, p * radix);
            let twiddles = (0..p).flat_map(|k| (1..radix).map(move |j| j * k)).map(|jk| roots[jk]).collect();
            let half = radix / 2;
            let circle = one.roots_of_unity(direction.reversed(), radix, radix);
            let products = (1..=half).flat_map(|k| (1..=half).map(move |j| j * k % radix));
            let inner = if radix % 2 == 1 { products.map(|jk| circle[jk]).collect() } else { Vec::new() };
            let stage = Stage { radix, p, twiddles, inner };
            p *= radix;
            stage
        };
        let stages = if radices.is_empty() { vec![1] } else { radices.to_vec() }.iter().map(stage).collect();
        Self { len: radices.iter().product(), direction, stages }
    }

    /// The radix of the first stage.
    pub fn first(&self) -> usize {
        self.stages.first().map_or(1, |stage| stage.radix)
    }

    /// p and the radix of the last stage.
    pub fn last(&self) -> (usize, usize) {
        self.stages.last().map_or((1, 1), |stage| (stage.p, stage.radix))
    }

    /// Transforms some vectors of columns side by side, by way of two buffers, in which each point has 2·LANES numbers for each vector,
    /// at a pitch. Without a source they are in the first, and without a target the result is in the one that comes first: outputs
    /// that are multiplied have none.
    pub fn run<'x, W: Wide<F>>(
        &self,
        wide: W,
        (vectors, pitch): (usize, usize),
        mut source: Option<Source<'_, F>>,
        mut target: Option<Target<'_, '_, F>>,
        outer: Option<Outer<'_, F>>,
        [a, b]: [&'x mut [F]; 2],
    ) -> [&'x mut [F]; 2] {
        debug_assert!(outer.is_none() || target.is_none());
        let (mut from, mut to) = (a, b);
        for (i, stage) in self.stages.iter().enumerate() {
            let is_last = i + 1 == self.stages.len();
            if is_last && source.is_none() && target.is_none() && outer.is_some() {
                let source = Source { parts: &[], first: 0, stride: pitch, order: Order::Parts };
                let target = Target { rows: Rows::Apart(&mut *from, pitch), order: Order::Parts };
                Pass { wide, stage, vectors, n: self.len, direction: self.direction, source, target, outer }.run();
                break;
            }
            let whole: [&[F]; 1] = [from];
            let source =
                source.take().unwrap_or(Source { parts: &whole, first: 0, stride: pitch, order: Order::Parts });
            let inner = Target { rows: Rows::Apart(to, pitch), order: Order::Parts };
            let target = target.take_if(|_| is_last).unwrap_or(inner);
            let outer = outer.filter(|_| is_last);
            Pass { wide, stage, vectors, n: self.len, direction: self.direction, source, target, outer }.run();
            std::mem::swap(&mut from, &mut to);
        }
        [from, to]
    }

    /// Transforms what is in the first buffer, where the other may be written as well: the result's comes first.
    pub fn within<'x, W: Wide<F>>(&self, wide: W, vectors: usize, buffers: [&'x mut [F]; 2]) -> [&'x mut [F]; 2] {
        self.run(wide, (vectors, 2 * W::LANES * vectors), None, None, None, buffers)
    }
}

/// A stage over lanes.
struct Pass<'s, 'a, 'b, F, W> {
    wide: W,
    stage: &'s Stage<F>,
    vectors: usize,
    n: usize,
    direction: Direction,
    source: Source<'s, F>,
    target: Target<'a, 'b, F>,
    outer: Option<Outer<'s, F>>,
}

/// A pass with the codelet of a radix, and what the compiler shall know of it: so its loop has no branches.
struct By<P, C, K, const R: usize>(P, C, PhantomData<K>);

/// What a pass does beside its codelet.
trait Kind {
    const FROM_PAIRS: bool = false;
    /// Whether it multiplies inputs by twiddles.
    const TWIDDLES: bool = true;
    const OUTER: bool = false;
    const TO_PAIRS: bool = false;
    /// Whether outputs go where the inputs were: the last stage's butterflies may.
    const IN_PLACE: bool = false;
}

/// The first one of columns, and the only one.
struct First;
struct Only;
/// The first one between buffers, and the others.
struct Inner;
struct Later;
/// The last one of columns.
struct Last;
/// The last one of rows, and the only one.
struct Ends;
struct Sole;

impl Kind for First {
    const FROM_PAIRS: bool = true;
    const TWIDDLES: bool = false;
}
impl Kind for Only {
    const FROM_PAIRS: bool = true;
    const TWIDDLES: bool = false;
    const OUTER: bool = true;
}
impl Kind for Inner {
    const TWIDDLES: bool = false;
}
impl Kind for Later {}
impl Kind for Last {
    const OUTER: bool = true;
    const IN_PLACE: bool = true;
}
impl Kind for Ends {
    const TO_PAIRS: bool = true;
}
impl Kind for Sole {
    const TWIDDLES: bool = false;
    const TO_PAIRS: bool = true;
}

impl<F: Number, W: Wide<F>> Pass<'_, '_, '_, F, W> {
    fn run(self) {
        match (self.source.order, self.stage.p > 1, self.outer.is_some(), self.target.order) {
            (Order::Pairs, _, false, _) => self.of::<First>(),
            (Order::Pairs, _, true, _) => self.of::<Only>(),
            (_, false, _, Order::Pairs) => self.of::<Sole>(),
            (_, true, _, Order::Pairs) => self.of::<Ends>(),
            (_, false, _, _) => self.of::<Inner>(),
            (_, true, false, _) => self.of::<Later>(),
            (_, true, true, _) => self.of::<Last>(),
        }
    }

    fn of<K: Kind>(self) {
        match self.direction {
            Direction::Forward => self.by::<K, _>(Ours::<false>),
            Direction::Inverse => self.by::<K, _>(Ours::<true>),
        }
    }

    fn by<K: Kind, C>(self, ours: C)
    where
        C: Codelet<F, 1> + Codelet<F, 2> + Codelet<F, 4> + Codelet<F, 8>,
    {
        match self.stage.radix {
            1 => self.with::<K, C, 1>(ours),
            2 => self.with::<K, C, 2>(ours),
            4 => self.with::<K, C, 4>(ours),
            8 => self.with::<K, C, 8>(ours),
            _ => self.odd::<K>(),
        }
    }

    fn odd<K: Kind>(self) {
        let odd = Odd(&self.stage.inner);
        match self.stage.radix {
            3 => self.with::<K, _, 3>(odd),
            5 => self.with::<K, _, 5>(odd),
            7 => self.with::<K, _, 7>(odd),
            11 => self.with::<K, _, 11>(odd),
            13 => self.with::<K, _, 13>(odd),
            17 => self.with::<K, _, 17>(odd),
            19 => self.with::<K, _, 19>(odd),
            23 => self.with::<K, _, 23>(odd),
            29 => self.with::<K, _, 29>(odd),
            _ => self.with::<K, _, 31>(odd),
        }
    }

    #[inline(always)]
    fn with<K: Kind, C: Codelet<F, R>, const R: usize>(self, codelet: C) {
        self.wide.call(By::<_, _, K, R>(self, codelet, PhantomData));
    }
}

impl<F, W, C, K, const R: usize> Operation for By<Pass<'_, '_, '_, F, W>, C, K, R>
where
    F: Number,
    W: Wide<F>,
    C: Codelet<F, R>,
    K: Kind,
{
    type Output = ();

    /// Inputs k + block·p + j·n/R become outputs block·p·R + k + i·p.
    #[inline(always)]
    fn run(self) {
        let Self(Pass { wide, stage, vectors, n, source, target, outer, .. }, codelet, _) = self;
        let (p, width) = (if K::TWIDDLES { stage.p } else { 1 }, 2 * W::LANES);
        let (blocks, step) = (n / R / p, n / R * source.stride);
        // As long as each other, so that one comparison tells that a place is within them all.
        let len = (n / R - 1) * source.stride + width * vectors;
        let mut inputs: [&[F]; R] = [&[]; R];
        if K::IN_PLACE {
        } else if let [part] = source.parts {
            each!(R, j => { inputs[j] = &part[source.first + j * step..][..len] });
        } else {
            let per = R / source.parts.len();
            each!(R, j => { inputs[j] = &source.parts[j / per][source.first + j % per * step..][..len] });
        }
        type Each<'a, 'b, F> = &'a mut [&'b mut [F]];
        let (mut rest, stride, mut rows, first): (&mut [F], _, Option<Each<'_, '_, F>>, _) = match target.rows {
            Rows::Apart(data, stride) => (data, stride, None, 0),
            Rows::Each(rows, first) => (&mut [], 0, Some(rows), first),
        };
        let mut twiddles = [splat(wide, stage.twiddles.first().copied().unwrap_or_default()); R];
        for block in 0..blocks {
            let mut outputs: [&mut [F]; R] = std::array::from_fn(|_| Default::default());
            let mut groups: [Each<'_, '_, F>; R] = std::array::from_fn(|_| Default::default());
            if let Some(rows) = &mut rows {
                each!(R, i => {
                    let (part, more) = std::mem::take(rows).split_at_mut(p);
                    groups[i] = part;
                    *rows = more;
                });
            } else {
                // All but the last are as long as the compiler sees: one comparison serves them.
                let (mut part, more) = rest.split_at_mut((R * p * stride).min(rest.len()));
                each!(R, i => {
                    let len = if i + 1 < R { p * stride } else { part.len() };
                    (outputs[i], part) = part.split_at_mut(len);
                });
                debug_assert!(part.is_empty());
                rest = more;
            }
            let (mut m, mut l) = (0, 0);
            for k in 0..p {
                if K::TWIDDLES {
                    let row = &stage.twiddles[k * (R - 1)..][..R - 1];
                    each!(R, j => {
                        if j > 0 {
                            twiddles[j] = splat(wide, row[j - 1]);
                        }
                    });
                }
                let mut pieces: [&mut [F]; R] = std::array::from_fn(|_| Default::default());
                if K::TO_PAIRS && rows.is_some() {
                    let group = pieces.iter_mut().zip(&mut groups);
                    group.for_each(|(piece, group)| *piece = &mut group[k][first..][..width * vectors]);
                }
                for vector in 0..vectors {
                    let mut x = [splat(wide, Complex::new(F::default(), F::default())); R];
                    if K::IN_PLACE {
                        let at = k * stride + vector * width;
                        each!(R, j => { x[j] = load(wide, &outputs[j][at..]) });
                    } else {
                        let at = (block * p + k) * source.stride + vector * width;
                        each!(R, j => { x[j] = load(wide, &inputs[j][at..]) });
                    }
                    if K::FROM_PAIRS {
                        each!(R, j => { x[j] = lanes(wide, wide.split([x[j].re.vector, x[j].im.vector])) });
                    }
                    if K::TWIDDLES {
                        each!(R, j => {
                            if j > 0 {
                                x[j] = product(x[j], twiddles[j]);
                            }
                        });
                    }
                    let mut y = codelet.apply(wide, x);
                    if K::OUTER {
                        let Some(Outer { factors, near, count }) = outer else { continue };
                        let factors = &factors[vector * count * width..][..count * width];
                        if K::TWIDDLES && near > 0 {
                            let mut fine = load(wide, &factors[width * m..]);
                            if near < p {
                                fine = product(fine, load(wide, &factors[width * (near + l)..]));
                            }
                            each!(R, i => { y[i] = product(y[i], fine) });
                        }
                        let first = if near > 0 { count - R } else { R * k };
                        let coarse = &factors[first * width..][..width * R];
                        each!(R, i => { y[i] = product(y[i], load(wide, &coarse[width * i..])) });
                    }
                    if K::TO_PAIRS {
                        each!(R, i => { y[i] = lanes(wide, wide.join([y[i].re.vector, y[i].im.vector])) });
                        if rows.is_some() {
                            each!(R, i => { store(wide, y[i], &mut pieces[i][vector * width..]) });
                            continue;
                        }
                    }
                    let at = k * stride + vector * width;
                    each!(R, i => { store(wide, y[i], &mut outputs[i][at..]) });
                }
                if K::OUTER && K::TWIDDLES {
                    m += 1;
                    if outer.is_some_and(|outer| m == outer.near) {
                        (m, l) = (0, l + 1);
                    }
                }
            }
        }
    }
}
