//! DFTs of a prime length q as cyclic convolutions of q − 1 points (C. M. Rader, "Discrete Fourier transforms when the number of data
//! samples is prime", 1968): for a primitive root g modulo q, X_{g^−k} − x_0 = Σ_i x_{g^i} ω^{g^(i−k)}. A work-group does all of it
//! in one tile: it brings the points into the order of the powers of g, transforms them, multiplies by the spectrum of the roots,
//! and transforms once more. As both ways are the same DFT, the results come in the order g^0, g^1, … again, which is that of the
//! points before.
//!
//! X_0 is x_0 and the others' sum, which is point 0 of their DFT; and x_0 is added to all others as a part of point 0 of the product.

use num_complex::Complex;
use serde::{Deserialize, Serialize};

use crate::algebra::factor::{is_prime, power, prime_factors};
use crate::algebra::{Algebra, Direction, DoubleDouble, NumericRing, Scale};
use crate::autosort::Autosort;
use crate::error::{Error, Result};

use super::beside::parts;
use super::chirp;
use super::index::Index;
use super::pass::Holding;
use super::recipe::{Lanes, Pass, Place};

/// Lengths at most: the products of two numbers below have 32 bits.
const MOST: usize = 1 << 16;

/// What a DFT of a prime length goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rader {
    /// The length q.
    pub prime: usize,
    /// The least primitive root modulo q.
    pub generator: usize,
}

impl Rader {
    /// Nothing if the length is no prime that it is for.
    pub(crate) fn of(prime: usize) -> Option<Self> {
        if !(3..MOST).contains(&prime) || !is_prime(prime as u64) {
            return None;
        }
        let (q, factors) = (prime as u64, prime_factors(prime as u64 - 1));
        let is_primitive = |g: &u64| factors.iter().all(|factor| power(*g, (q - 1) / factor, q) != 1);
        (2..q).find(is_primitive).map(|generator| Self { prime, generator: generator as usize })
    }

    /// g^i mod q.
    pub(crate) fn power(self, i: usize) -> usize {
        let by_bit = |power: usize, bit: u32| {
            let square = power * power % self.prime;
            if i >> bit & 1 == 1 { square * self.generator % self.prime } else { square }
        };
        (0..usize::BITS - i.leading_zeros()).rev().fold(1, by_bit)
    }

    /// The powers of g, of which there are q − 1.
    pub(crate) fn powers(self) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(1), move |x| Some(x * self.generator % self.prime)).take(self.prime - 1)
    }

    /// The DFT of the roots ω^{g^−k}, divided by q − 1.
    fn spectrum<R: NumericRing>(self, direction: Direction) -> Vec<R> {
        let m = self.prime - 1;
        let mut x = vec![R::zero(); m];
        for (i, power) in self.powers().enumerate() {
            x[(m - i) % m] = R::root(direction.root(power, self.prime)).scaled(Scale::Inverse(m));
        }
        let autosort = Autosort::new(m, direction).expect("stages of codelets make a length of small primes");
        autosort.process(&mut x, &mut vec![R::zero(); m]);
        x
    }

    /// The same as the bytes of elements, and the powers of g before them, for stages of such an [excess](crate::codelet::gain).
    pub(crate) fn table_bytes(self, direction: Direction, excess: f64, algebra: Algebra) -> Vec<u8> {
        let powers = self.powers().map(|power| Complex::new(DoubleDouble::from(power as f64), DoubleDouble::from(0.0)));
        let spectrum = chirp::without_excess(self.spectrum(direction), excess);
        algebra.complex_bytes(&powers.chain(spectrum).collect::<Vec<_>>())
    }
}

impl Pass {
    /// Registers for points 0 of convolutions, of which a thread has that of each butterfly that it is the first of.
    pub(crate) fn zeroths(&self) -> usize {
        self.side_by_side().div_ceil(self.threads_per_column().max(1))
    }

    /// What a convolution's stages take or give where points are held by powers.
    pub(crate) fn of_powers(&self, holding: Holding) -> Holding {
        match holding {
            Holding::Gathered(lanes) | Holding::Scattered(lanes) => Holding::Input(self.inner().start, lanes),
            _ => unreachable!("points by powers"),
        }
    }

    /// Where point j of a convolution stands among all, when it is gathered or scattered: `row` tells which of those side by side it
    /// is.
    pub(crate) fn point_by_powers<I: Index>(&self, holding: Holding, row: &I, j: &I) -> I {
        let (m, before) = (self.side_by_side(), self.before_inner());
        if m == 1 {
            return j.clone();
        }
        let b = row.remainder(m);
        if matches!(holding, Holding::Gathered(_)) || before == m {
            return b.sum(&j.multiple(m));
        }
        let (k, high) = (b.remainder(before), b.quotient(before).multiple(self.stage_points()));
        high.sum(&k).sum(&j.multiple(before))
    }

    /// The row and column of a register, of points as they lie in memory, or of those that stages take and give, behind which there
    /// are more: points 0.
    pub(super) fn held_by_powers(&self, rader: Rader, holding: Holding, v: usize, thread: usize) -> (usize, usize) {
        if let Holding::Points(lanes) = holding {
            let place = self.point_in_order(lanes, v, &thread);
            return (place.row + place.step, place.column);
        }
        let of_stage = self.of_powers(holding);
        let rows = self.rows(of_stage);
        let (row, column) = self.held(of_stage, if v < rows { v } else { v - rows }, thread);
        let j = if v < rows { rader.power(row / self.side_by_side()) } else { 0 };
        (self.point_by_powers(holding, &row, &j), column)
    }

    /// Checks that a pass by Rader's convolution is one of complex numbers, in a plain tile.
    pub(super) fn check_rader(&self, algebra: Algebra) -> Result<()> {
        let Some(rader) = self.rader else { return Ok(()) };
        let tile = &self.tile;
        let is_plain = ![tile.load, tile.store].contains(&Lanes::Flat)
            && (tile.team, tile.staged) == (1, [false; 2])
            && tile.rounds.slices == 1
            && (self.hopper.is_none() && self.planes.is_none())
            && (self.chirp.is_none() && self.middle.is_none() && self.array.is_empty())
            && [self.source, self.target].iter().all(|place| ![Place::Ring, Place::Cluster].contains(place));
        let points = parts(&tile.stages, self.beside)[1];
        let is_sound = Rader::of(rader.prime) == Some(rader) && rader.prime - 1 == points && !self.inner().is_empty();
        if is_plain && is_sound && algebra.unit_roundoff().is_some() && !tile.stages.is_empty() {
            return Ok(());
        }
        Err(Error::InvalidTransform(format!(
            "DFTs of {} points by the powers of {}, over {}, in a tile of {} points: they are for complex numbers and prime lengths, \
             in passes through memory, of stages that make one point less",
            rader.prime,
            rader.generator,
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
    fn generators_are_primitive() {
        for (prime, generator) in [(3, 2), (5, 2), (7, 3), (41, 6), (257, 3), (1009, 11), (65_521, 17)] {
            assert_eq!(Rader::of(prime), Some(Rader { prime, generator }));
            let mut powers: Vec<usize> = Rader::of(prime).unwrap().powers().collect();
            powers.sort_unstable();
            assert!(powers.into_iter().eq(1..prime));
        }
        for n in [0, 1, 2, 4, 9, 1001, 65_537] {
            assert_eq!(Rader::of(n), None);
        }
    }

    #[test]
    fn a_product_with_the_spectrum_is_the_transform() {
        for (q, direction) in [(7, Direction::Forward), (31, Direction::Inverse), (37, Direction::Forward)] {
            let rader = Rader::of(q).unwrap();
            let x: Vec<Complex<DoubleDouble>> = (0..q)
                .map(|j| Complex::new(DoubleDouble::from(j as f64 - 2.5), DoubleDouble::from(1.0 / (j + 1) as f64)))
                .collect();
            let mut y: Vec<_> = rader.powers().map(|point| x[point]).collect();
            let autosort = Autosort::new(q - 1, direction).unwrap();
            let process = |y: &mut Vec<_>| autosort.process(y, &mut vec![Complex::zero(); q - 1]);
            process(&mut y);
            let first = Ring::add(&y[0], &x[0]);
            y.iter_mut().zip(rader.spectrum(direction)).for_each(|(y, b)| *y = Ring::mul(y, &b));
            y[0] = Ring::add(&y[0], &x[0]);
            process(&mut y);
            let mut found = vec![first; q];
            rader.powers().zip(y).for_each(|(point, y)| found[point] = y);
            for (found, expected) in found.iter().zip(naive::dft(&x, direction)) {
                let off = Ring::sub(found, &expected);
                assert!(off.re.to_f64().abs() + off.im.to_f64().abs() < 1e-26, "{q}");
            }
        }
    }
}
