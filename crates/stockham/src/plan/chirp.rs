//! DFTs of lengths with large prime factors, as cyclic convolutions with a [chirp]. A work-group does all of it in one tile: a DFT of
//! M ≥ 2n − 1 points, a product with the filter, and the way back.
//!
//! [chirp]: crate::autosort::chirp

use num_complex::Complex;

use crate::algebra::{Algebra, Direction, DoubleDouble, NumericRing, Root};
use crate::autosort::Autosort;
use crate::autosort::chirp::{filter, squares};
use crate::error::{Error, Result};

use super::beside::parts;
use super::recipe::{Lanes, Pass, Place};

/// The roots c_j = ω_{2n}^{j²}, of all points.
pub(crate) fn chirp(n: usize, direction: Direction) -> impl Iterator<Item = Root> {
    squares(n).map(move |square| direction.root(square, 2 * n))
}

/// The same times twiddles ω_{mn}^{jk}, at j·m + k for k below m.
pub(crate) fn chirp_beside(n: usize, m: usize, direction: Direction) -> impl Iterator<Item = Root> {
    let of_point = move |(j, square): (usize, usize)| {
        (0..m).map(move |k| direction.root((m * square + 2 * j * k) % (2 * m * n), 2 * m * n))
    };
    squares(n).enumerate().flat_map(of_point)
}

/// The filter of M points.
fn spectrum<R: NumericRing>(n: usize, m: usize, direction: Direction) -> Vec<R> {
    let autosort = Autosort::new(m, direction).expect("stages of codelets make a length of small primes");
    filter(&autosort, chirp(n, direction).map(|root| R::root(root.inverse())))
}

/// The same as the bytes of elements, rounded once: its errors would be all outputs', so that it has more digits before.
pub(crate) fn spectrum_bytes(n: usize, m: usize, direction: Direction, algebra: Algebra) -> Vec<u8> {
    if algebra == Algebra::ComplexF32 {
        let x: Vec<Complex<f64>> = spectrum(n, m, direction);
        return x.iter().flat_map(|z| [z.re, z.im]).flat_map(|x| (x as f32).to_ne_bytes()).collect();
    }
    algebra.complex_bytes(&spectrum::<Complex<DoubleDouble>>(n, m, direction))
}

impl Pass {
    /// Checks that a pass by a chirp is one of complex numbers whose rows stand in the tile as they were loaded.
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
        if is_long_enough && is_plain && algebra.unit_roundoff().is_some() && !tile.stages.is_empty() {
            return Ok(());
        }
        Err(Error::InvalidTransform(format!(
            "a DFT of {n} points by a chirp, over {}, in a tile of {} points: it is for complex numbers in passes through memory, \
             in tiles of at least twice as many points less one",
            algebra.name(),
            self.radix
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::Ring;
    use crate::naive;

    #[test]
    fn a_product_with_the_spectrum_is_the_transform() {
        for (n, m, direction) in [(7, 16, Direction::Forward), (11, 21, Direction::Inverse), (5, 9, Direction::Forward)]
        {
            let x: Vec<Complex<DoubleDouble>> = (0..n)
                .map(|j| Complex::new(DoubleDouble::from(j as f64 - 2.5), DoubleDouble::from(1.0 / (j + 1) as f64)))
                .collect();
            let chirp: Vec<_> = chirp(n, direction).map(Complex::<DoubleDouble>::root).collect();
            let mut padded: Vec<_> = x.iter().zip(&chirp).map(|(x, c)| Ring::mul(x, c)).collect();
            padded.resize(m, Complex::zero());
            let autosort = |x: &mut Vec<_>, direction| {
                Autosort::new(m, direction).unwrap().process(x, &mut vec![Complex::zero(); m]);
            };
            autosort(&mut padded, direction);
            padded
                .iter_mut()
                .zip(spectrum::<Complex<DoubleDouble>>(n, m, direction))
                .for_each(|(x, b)| *x = Ring::mul(x, &b));
            autosort(&mut padded, direction.reversed());
            for ((y, c), expected) in padded.iter().zip(&chirp).zip(naive::dft(&x, direction)) {
                let off = Ring::sub(&Ring::mul(y, c), &expected);
                assert!(off.re.to_f64().abs() + off.im.to_f64().abs() < 1e-26, "{n} in {m}");
            }
        }
    }
}
