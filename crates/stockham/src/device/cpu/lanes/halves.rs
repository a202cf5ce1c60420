//! The half spectra of real numbers in lanes, and cosine transforms, which are made of them, beside the complex transform of half
//! as many points. The formulas are those of lines one by one, in `real.rs` and `trig.rs`.

use num_complex::Complex;

use super::lane::{Lane, Lanes, lanes, product};
use super::strip::{Number, load, splat, store};
use super::tiles::place;
use super::wide::{Operation, Wide};
use crate::algebra::Scalar;

/// Between m = n/2 complex points and a spectrum of n real ones: X_k for k ≤ m, or a cosine transform's numbers, which are twice
/// the real part of X_k·ω_4n^k and minus its imaginary part as number n − k.
#[derive(Clone, Copy)]
pub(super) struct Roots<'a, F> {
    /// ω_n^k up to k = n/4.
    pub split: &'a [Complex<F>],
    /// ω_4n^k up to k = n/2, if the spectrum is a cosine transform's.
    pub turn: Option<&'a [Complex<F>]>,
}

/// The lines of a block, from one order to the other.
pub(super) struct Halves<'a, F, W> {
    pub wide: W,
    pub vectors: usize,
    pub m: usize,
    pub roots: Roots<'a, F>,
    pub from: &'a [F],
    pub to: &'a mut [F],
}

/// From points to their spectrum.
pub(super) struct Split<'a, F, W>(pub Halves<'a, F, W>);

/// From a spectrum to its points.
pub(super) struct Join<'a, F, W>(pub Halves<'a, F, W>);

#[inline(always)]
fn add<F: Number, W: Wide<F>>(a: Lanes<F, W>, b: Lanes<F, W>) -> Lanes<F, W> {
    Complex::new(a.re.add(&b.re), a.im.add(&b.im))
}

#[inline(always)]
fn sub<F: Number, W: Wide<F>>(a: Lanes<F, W>, b: Lanes<F, W>) -> Lanes<F, W> {
    Complex::new(a.re.sub(&b.re), a.im.sub(&b.im))
}

#[inline(always)]
fn conjugate<F: Number, W: Wide<F>>(z: Lanes<F, W>) -> Lanes<F, W> {
    Complex::new(z.re, z.im.neg())
}

/// One vector of the lines of a block.
#[derive(Clone, Copy)]
struct Column<'a, F, W> {
    wide: W,
    vector: usize,
    vectors: usize,
    m: usize,
    turn: Option<&'a [Complex<F>]>,
}

impl<F: Number, W: Wide<F>> Column<'_, F, W> {
    #[inline(always)]
    fn at(self, row: usize) -> usize {
        place(row, self.vector, self.vectors, W::LANES)
    }

    /// Point k.
    #[inline(always)]
    fn point(self, block: &[F], k: usize) -> Lanes<F, W> {
        load(self.wide, &block[self.at(2 * k)..])
    }
    #[inline(always)]
    fn put_point(self, block: &mut [F], k: usize, z: Lanes<F, W>) {
        store(self.wide, z, &mut block[self.at(2 * k)..]);
    }

    /// X_k.
    #[inline(always)]
    fn term(self, block: &[F], k: usize) -> Lanes<F, W> {
        let Some(turn) = self.turn else { return self.point(block, k) };
        let real = |row: usize| self.wide.load(&block[row..]);
        if k == 0 {
            return lanes(self.wide, [real(self.at(0)), self.wide.splat(F::default())]);
        }
        let x = lanes(self.wide, [real(self.at(k)), self.wide.neg(real(self.at(2 * self.m - k)))]);
        product(x, splat(self.wide, turn[k]))
    }
    #[inline(always)]
    fn put_term(self, block: &mut [F], k: usize, x: Lanes<F, W>) {
        let Some(turn) = self.turn else { return self.put_point(block, k, x) };
        let x = product(x, splat(self.wide, turn[k]));
        let x = add(x, x);
        self.wide.store(x.re.vector, &mut block[self.at(k)..]);
        if k > 0 && k < self.m {
            self.wide.store(self.wide.neg(x.im.vector), &mut block[self.at(2 * self.m - k)..]);
        }
    }
}

impl<F: Number, W: Wide<F>> Operation for Split<'_, F, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Halves { wide, vectors, m, roots, from, to } = self.0;
        let half = Lane { wide, vector: wide.splat(F::default().constant(0.5.into())) };
        let zero = Lane { wide, vector: wide.splat(F::default()) };
        for vector in 0..vectors {
            let column = Column { wide, vector, vectors, m, turn: roots.turn };
            let first = column.point(from, 0);
            column.put_term(to, 0, Complex::new(first.re.add(&first.im), zero));
            column.put_term(to, m, Complex::new(first.re.sub(&first.im), zero));
            for k in 1..m.div_ceil(2) {
                let (low, high) = (column.point(from, k), conjugate(column.point(from, m - k)));
                let (even, odd) = (add(low, high), sub(low, high));
                let even = Complex::new(even.re.mul(&half), even.im.mul(&half));
                // ω·odd/i
                let odd = Complex::new(odd.im.mul(&half), odd.re.mul(&half).neg());
                let turned = product(odd, splat(wide, roots.split[k]));
                column.put_term(to, k, add(even, turned));
                column.put_term(to, m - k, conjugate(sub(even, turned)));
            }
            if m.is_multiple_of(2) {
                column.put_term(to, m / 2, conjugate(column.point(from, m / 2)));
            }
        }
    }
}

impl<F: Number, W: Wide<F>> Operation for Join<'_, F, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Halves { wide, vectors, m, roots, from, to } = self.0;
        for vector in 0..vectors {
            let column = Column { wide, vector, vectors, m, turn: roots.turn };
            let (first, last) = (column.term(from, 0), column.term(from, m));
            column.put_point(to, 0, Complex::new(first.re.add(&last.re), first.re.sub(&last.re)));
            for k in 1..m.div_ceil(2) {
                let (low, high) = (column.term(from, k), conjugate(column.term(from, m - k)));
                let (even, odd) = (add(low, high), product(sub(low, high), splat(wide, roots.split[k])));
                // even + i·odd, and the conjugate of even − i·odd
                let turned = Complex::new(odd.im.neg(), odd.re);
                column.put_point(to, k, add(even, turned));
                column.put_point(to, m - k, conjugate(sub(even, turned)));
            }
            if m.is_multiple_of(2) {
                let middle = conjugate(column.term(from, m / 2));
                column.put_point(to, m / 2, add(middle, middle));
            }
        }
    }
}
