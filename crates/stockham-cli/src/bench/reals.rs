//! Real numbers, whose transforms are half spectra, and such spectra, whose inverse transforms are real numbers. The buffers of both
//! sides hold reals, of a spectrum the real and imaginary parts, and are as long as the spectra, which are the longer side.

use std::marker::PhantomData;

use stockham::accuracy::{self, Measured};
use stockham::algebra::Ring;
use stockham::{Data, Direction, Element, Lengths, Normalization, Transform};

use crate::elements::Number;
use crate::error::Result;
use crate::peer::{Peer, Work};

use super::check::{self, Outputs};
use super::subject::{SEED, Subject, Timed, Verdict};
use super::timing::Patience;
use super::{arrays, beside};

/// Real numbers of a type, compared with a reference in at least twice the precision.
pub struct Reals<R> {
    direction: Direction,
    of: PhantomData<R>,
}

impl<R> Reals<R> {
    pub fn new(direction: Direction) -> Self {
        Self { direction, of: PhantomData }
    }
}

impl<R: Number + Data> Subject for Reals<R>
where
    R::Complex: Measured,
{
    type Value = R;
    fn transform(&self, lengths: impl Into<Lengths>) -> Transform {
        let forward = Transform::real(R::Complex::ALGEBRA, lengths);
        match self.direction {
            Direction::Forward => forward,
            // As peers have it.
            Direction::Inverse => forward.inverse().normalization(Normalization::None),
        }
    }
    fn random(&self, elements: usize) -> Vec<R> {
        bytemuck::cast_slice(&accuracy::random::<R::Complex>(elements, SEED)).to_vec()
    }
    /// Points of half spectra that are their own images have no imaginary parts: NumPy takes none of them, cuFFT does.
    fn fit(&self, transform: &Transform, input: &mut [R]) -> bool {
        if self.direction == Direction::Forward {
            return false;
        }
        let n = transform.points();
        for spectrum in input.chunks_exact_mut(2 * (n / 2 + 1)) {
            spectrum[1] = R::zeroed();
            if n.is_multiple_of(2) {
                spectrum[n + 1] = R::zeroed();
            }
        }
        true
    }
    fn check(&self, timed: Timed<'_, R>) -> Result<Verdict> {
        let Timed { transform, host, output, .. } = timed;
        let l2_error = l2_error(transform, host, &|range| Ok(output.slice(range)?.to_vec()?))?;
        Ok(Verdict { l2_error, right: check::is_right(transform, l2_error), note: None })
    }
    fn time_peer(&self, peer: &Peer, patience: Patience, work: Work<'_, R>) -> Result<(f64, f64)> {
        let (transform, host) = (work.transform, work.host);
        beside::time_peer_by(peer, patience, work, &|outputs| l2_error(transform, host, outputs))
    }
}

/// The relative L2 error of half spectra, of which `parts` has the real and the imaginary parts; or of real numbers, which it has.
fn l2_error<R: Number + Data>(transform: &Transform, x: &[R], parts: Outputs<'_, R>) -> Result<f64>
where
    R::Complex: Measured,
{
    if transform.direction == Direction::Inverse {
        return l2_error_of_reals(transform, x, parts);
    }
    let spectra = |range: std::ops::Range<usize>| -> Result<Vec<R::Complex>> {
        Ok(bytemuck::cast_slice(&parts(2 * range.start..2 * range.end)?).to_vec())
    };
    arrays::l2_error(transform, &|i| x[i].complex().widen(), &spectra)
}

/// The same of what inverse transforms of half spectra give: it is the DFT of the conjugates, of which those that are not in memory
/// are the others' conjugates.
fn l2_error_of_reals<R: Number + Data>(transform: &Transform, x: &[R], numbers: Outputs<'_, R>) -> Result<f64>
where
    R::Complex: Measured,
{
    let n = transform.points();
    let half = n / 2 + 1;
    let point = |i: usize| {
        let (line, k) = (i / n, i % n);
        let there = line * half + k.min(n - k);
        let number = |part: usize| x[2 * there + part].complex().widen();
        // Whatever is there, points that are their own images have no imaginary parts.
        let is_own_image = k == 0 || 2 * k == n;
        let direction = if 2 * k < n { Direction::Forward } else { Direction::Inverse };
        if is_own_image { number(0) } else { number(0).add(&number(1).mul_root(direction.root(1, 4))) }
    };
    let of_points = Transform::new(transform.algebra, n).batch(transform.batch_count());
    let found = |range| Ok(numbers(range)?.into_iter().map(Number::complex).collect::<Vec<R::Complex>>());
    arrays::l2_error(&of_points, &point, &found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stockham::Device;

    #[test]
    fn faults_in_real_numbers_are_found() {
        // With a middle and without, and a prime without an autosort.
        for n in [2, 15, 37, 64] {
            let transform = Reals::<f64>::new(Direction::Inverse).transform(n).batch(3);
            let x = Reals::<f64>::new(Direction::Inverse).random(transform.input_len());
            let device = Device::cpu();
            let mut output = device.alloc::<f64>(transform.output_len()).unwrap();
            let input = device.upload(bytemuck::cast_slice::<f64, stockham::Complex64>(&x)).unwrap();
            device.plan(&transform).unwrap().run(&input, &mut output).unwrap();
            let y = output.to_vec().unwrap();
            let is_right = |y: &[f64]| {
                check::is_right(&transform, l2_error(&transform, &x, &|range| Ok(y[range].to_vec())).unwrap())
            };
            assert!(is_right(&y), "{n}");
            let mut shifted = y.clone();
            shifted.chunks_mut(n).for_each(|line| line.rotate_left(1));
            let mut last = y.clone();
            *last.last_mut().unwrap() += 1.0;
            let forward: Vec<f64> = y.chunks(n).flat_map(|line| (0..n).map(|j| line[(n - j) % n])).collect();
            let all = if n > 2 { vec![shifted, last, forward] } else { vec![shifted, last] };
            assert!(all.iter().all(|y| !is_right(y)), "{n}");
        }
    }
}
