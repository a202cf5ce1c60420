//! DFTs of lengths with large prime factors, as convolutions with a chirp (L. I. Bluestein, "A linear filtering approach to the
//! computation of the discrete Fourier transform", 1970): with jk = ((j + k)² − j² − k²)/2 and c_j = ω_{2n}^{j²},
//! X_k = c_k⁻¹ Σ_j (x_j c_j⁻¹) c_{j+k}. A work-group does all of it in one tile of M ≥ 2n − 1 points: a sum of this form is the DFT
//! of a product, of the DFT of x_j c_j⁻¹ and a spectrum, the inverse DFT of the c_m. So both ways are the same DFT, over any algebra.

use std::ops::RangeInclusive;

use num_complex::Complex;

use crate::algebra::{
    Algebra, Direction, DoubleDouble, Gathered, Goldilocks, Numbers, NumericRing, Powers, Scalar, Scale, Word,
    WordElement,
};
use crate::autosort::chirp::squares;
use crate::autosort::{Autosort, PRIMES};
use crate::error::{Error, Result};
use crate::transform::Kind;

use super::beside::parts;
use super::recipe::{Lanes, Method, Pass, Place, Recipe};
use super::smooth;

/// The roots c_j⁻¹ times twiddles ω_{mn}^{jk}, at j·m + k for k below m, of all n points.
pub(crate) fn chirp_beside(n: usize, m: usize, direction: Direction) -> Powers {
    let order = 2 * m * n;
    let of_point = move |(j, square): (usize, usize)| (0..m).map(move |k| order - m * square + 2 * j * k);
    Powers::new(direction, order, squares(n, n).enumerate().flat_map(of_point))
}

/// The spectrum of M points, for outputs that are scaled so: over the ring that an element names.
pub(crate) fn spectrum<R: Numbers>(context: &R, (n, m): (usize, usize), direction: Direction, scale: Scale) -> Vec<R> {
    let factor = context.integer(1).scaled(Scale::Inverse(m)).scaled(scale);
    let mut roots = context.roots_of_unity(direction, 2 * n, 2 * n);
    roots.iter_mut().for_each(|root| *root = root.mul(&factor));
    let mut x = vec![context.integer(0); m];
    x.iter_mut().zip(squares(n, 2 * n - 1)).for_each(|(x, square)| *x = roots[square]);
    let autosort = Autosort::over(context, m, direction.reversed());
    autosort
        .expect("stages of codelets make a length of small primes")
        .process(&mut x, &mut vec![context.integer(0); m]);
    x
}

/// The same as the bytes of what elements are multiplied by, between stages of such an [excess](crate::codelet::gain). Over ℂ it is
/// rounded once: its errors would be all outputs', so that it has more digits before.
pub(crate) fn spectrum_bytes(
    lengths: (usize, usize),
    direction: Direction,
    (scale, excess): (Scale, f64),
    algebra: Algebra,
) -> Vec<u8> {
    match algebra {
        Algebra::ComplexF32 => {
            let x: Vec<Complex<f64>> = spectrum(&Complex::one(), lengths, direction, scale);
            let parts = without_excess(x, excess).flat_map(|z| [z.re, z.im]);
            bytemuck::cast_slice(&parts.map(|x| x as f32).collect::<Vec<_>>()).to_vec()
        }
        Algebra::Goldilocks => algebra
            .word_bytes(spectrum(&Goldilocks::reduce(1), lengths, direction, scale).into_iter().map(Goldilocks::value)),
        Algebra::WordField(field) if field.word() == Word::U32 => {
            let x = spectrum(&WordElement::<u32>::one(field), lengths, direction, scale);
            algebra.word_bytes(x.into_iter().map(|x| field.in_form(x.value().into())))
        }
        Algebra::WordField(field) => {
            let x = spectrum(&WordElement::<u64>::one(field), lengths, direction, scale);
            algebra.word_bytes(x.into_iter().map(|x| field.in_form(x.value())))
        }
        _ => {
            let x = spectrum(&Complex::<DoubleDouble>::one(), lengths, direction, scale);
            algebra.complex_bytes(&without_excess(x, excess).collect::<Vec<_>>())
        }
    }
}

/// A spectrum less what stages there and back have too much.
pub(super) fn without_excess<T: Scalar>(spectrum: Vec<Complex<T>>, excess: f64) -> impl Iterator<Item = Complex<T>> {
    let factor = DoubleDouble::from(1.0).sub(&excess.into());
    spectrum.into_iter().map(move |z| Complex::new(z.re.times_exactly(factor), z.im.times_exactly(factor)))
}

/// Lengths of convolutions for DFTs of q points that are looked at: those of few small primes up to `longest`, of which a field has few,
/// so that there all are looked at that codelets make, up to four times the shortest, and `most`.
pub(super) fn lengths(algebra: Algebra, q: usize, primes: &[usize], longest: usize, most: usize) -> Vec<usize> {
    let least = 2 * q - 1;
    if algebra.unit_roundoff().is_some() {
        return smooth::products_of(primes, least, longest.min(most));
    }
    let all = smooth::products_of(&PRIMES, least, (LONGEST_OVER_FIELDS * least).min(most));
    all.into_iter().filter(|m| has_roots(algebra, q, *m)).collect()
}

/// How many times as long as the shortest a convolution over a field is at most.
const LONGEST_OVER_FIELDS: usize = 4;

/// Whether an algebra has the roots that a convolution of M points takes for DFTs of q.
pub(super) fn has_roots(algebra: Algebra, q: usize, m: usize) -> bool {
    algebra.unit_roundoff().is_some() || [2 * q, m].iter().all(|order| algebra.check_length(*order).is_ok())
}

/// Classes that the lengths of a convolution are in, from half of the longest on: what is before the end of the chirp for certain, and
/// what is behind it, differ little within one.
const CLASSES: usize = 8;

impl Recipe {
    /// The lengths that its kernels serve alike, and take the length as an argument: where lines follow each other, each of which is one
    /// convolution, and numbers are as in the caller's memory. What else depends on the length is in the tables, their scale as well.
    pub(crate) fn lengths(&self) -> Option<RangeInclusive<usize>> {
        let transform = &self.transform;
        let n = transform.points();
        let is_whole = match &self.method {
            Method::Passes(passes) => matches!(&passes[..], [pass] if pass.chirp == Some(n) && pass.beside == [0; 2]),
            Method::Convolution(_) => !transform.is_filtered(),
            _ => false,
        };
        let follow = [&transform.dims[..], &transform.batch].concat();
        let is_packed = follow.len() <= 2
            && follow.iter().zip([1, n]).all(|(dim, stride)| (dim.input_stride, dim.output_stride) == (stride, stride));
        let is_plain = transform.kind == Kind::Dft && transform.dims.len() == 1 && !transform.is_fused();
        if !(is_whole && is_packed && is_plain) || transform.algebra.unit_roundoff().is_none() {
            return None;
        }
        let points = match self.passes() {
            [pass] => pass.radix,
            _ => self.points(),
        };
        let longest = points.div_ceil(2);
        let width = (longest / CLASSES).max(1);
        let most = longest - longest.checked_sub(n)? / width * width;
        Some((most + 1).saturating_sub(width)..=most)
    }
}

impl Pass {
    /// Checks that a pass by a chirp is over an algebra that has its roots, and has its rows in the tile as they were loaded.
    pub(super) fn check_chirp(&self, algebra: Algebra) -> Result<()> {
        if self.middle.is_some() {
            return Err(Error::InvalidTransform("a pass there and back, where no convolution has its middle".into()));
        }
        let Some(n) = self.chirp else { return Ok(()) };
        let tile = &self.tile;
        let points = parts(&tile.stages, self.beside)[1];
        let is_long_enough = n > 1 && n.checked_mul(2).is_some_and(|twice| twice - 1 <= points);
        // Behind a chirp there is nothing: its points are the rows before those of zeros.
        let is_plain = self.beside[1] == 0 && ![tile.load, tile.store].contains(&Lanes::Flat)
            && (tile.team, tile.staged) == (1, [false; 2])
            // The rows of a last stage's butterfly lie in all slices.
            && tile.rounds.slices == 1
            && (self.hopper.is_none() && self.planes.is_none())
            && [self.source, self.target].iter().all(|place| ![Place::Ring, Place::Cluster].contains(place));
        let is_over = !algebra.has_digits() && has_roots(algebra, n, points);
        if is_long_enough && is_plain && is_over && !tile.stages.is_empty() {
            return Ok(());
        }
        Err(Error::InvalidTransform(format!(
            "a DFT of {n} points by a chirp, over {}, in a tile of {} points: it is for passes through memory, in tiles of at least \
             twice as many points less one, of which order the algebra has roots",
            algebra.name(),
            self.radix
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive;

    /// x by the definition, and by what a tile does, which gives the distances of both.
    fn distances<R: Numbers>(one: &R, (n, m): (usize, usize), direction: Direction) -> impl Iterator<Item = R> {
        let x: Vec<R> = (0..n as u64).map(|j| one.integer(j * j + 3)).collect();
        let chirp: Vec<R> = chirp_beside(n, 1, direction).roots().map(|root| one.root_of_unity(root)).collect();
        let mut y: Vec<R> = x.iter().zip(&chirp).map(|(x, c)| x.mul(c)).collect();
        y.resize(m, one.integer(0));
        let autosort = |y: &mut Vec<R>| {
            Autosort::over(one, m, direction).unwrap().process(y, &mut vec![one.integer(0); m]);
        };
        autosort(&mut y);
        y.iter_mut().zip(spectrum(one, (n, m), direction, Scale::One)).for_each(|(y, b)| *y = y.mul(&b));
        autosort(&mut y);
        let found: Vec<R> = y.iter().zip(chirp).map(|(y, c)| y.mul(&c)).collect();
        found.into_iter().zip(naive::dft(&x, direction)).map(|(found, expected)| found.sub(&expected))
    }

    #[test]
    fn a_product_with_the_spectrum_is_the_transform() {
        for (n, m, direction) in [(7, 16, Direction::Forward), (11, 21, Direction::Inverse), (5, 9, Direction::Forward)]
        {
            for off in distances(&Complex::<DoubleDouble>::one(), (n, m), direction) {
                assert!(off.re.to_f64().abs() + off.im.to_f64().abs() < 1e-24, "{n} in {m}");
            }
        }
        assert!(
            distances(&Goldilocks::reduce(1), (17, 40), Direction::Inverse).all(|off| off == Goldilocks::reduce(0))
        );
    }
}
