//! How the host transforms lines of a length: whole, split into shorter ones, in vectors, or as a convolution.

use std::any::{Any, TypeId};

use num_complex::Complex;

use crate::algebra::{Direction, Goldilocks, Numbers, NumericRing};
use crate::codelet::MOST_PRIME;
use crate::plan::host::{self, Way};
use crate::transform::largest_factor;

use super::chirp::Chirp;
use super::convolution::{self, Convolution};
use super::definition::Definition;
use super::factor::Real;
use super::four_step::FourStep;
use super::line::{Identity, Library, Line, Own};
use super::lines_in_common::Common;
use super::word_arithmetic::OfGoldilocks;
use super::word_line::WordLine;

/// Lines over ℂ, of which there are `batch`.
pub(super) fn complex<F: Real>(n: usize, direction: Direction, batch: usize) -> Box<dyn Line<Complex<F>>> {
    let library = || Box::new(Library::new(n, direction));
    match host::complex_way(!F::HAS_ACCURATE_LIBRARY, n, batch) {
        _ if n == 1 => Box::new(Identity),
        Way::Library => library(),
        Way::Split(r, c) => {
            let part = |n| complex(n, direction, usize::MAX);
            Box::new(FourStep::new(&Complex::one(), part(r), part(c), direction))
        }
        Way::Lanes(sides) => F::line(&sides, direction).unwrap_or_else(|| library()),
        Way::Chirp(m) => {
            let line = |direction| Common::of(m, direction, batch, || complex(m, direction, batch));
            Box::new(Chirp::new(n, direction, |direction| Box::new(line(direction))))
        }
    }
}

/// Lines over a field that an element names. Nothing if roots take no product and n is no power of two.
pub(super) fn exact<T: Numbers + 'static>(context: &T, n: usize, direction: Direction) -> Option<Box<dyn Line<T>>> {
    if n == 1 {
        return Some(Box::new(Identity));
    }
    let q = largest_factor(n);
    if q > MOST_PRIME {
        let part = |n| exact(context, n, direction);
        if q < n {
            return Some(Box::new(FourStep::new(context, part(q)?, part(n / q)?, direction)));
        }
        let Some(m) = convolution::length(context, q) else {
            return Some(Box::new(Definition::new(context, q, direction)));
        };
        return Some(Box::new(Convolution::new(context, q, direction, part(m)?)));
    }
    if let Some((r, c)) = host::exact_sides(n, size_of::<T>(), context.shift_order()) {
        let (columns, rows) = (exact(context, r, direction)?, exact(context, c, direction)?);
        return Some(Box::new(FourStep::new(context, columns, rows, direction)));
    }
    if let Some(line) = in_vectors(n, direction) {
        return Some(line);
    }
    if context.shift_order() > 1 && n.is_power_of_two() {
        return Some(Box::new(Own::shifting(context, n, direction)?));
    }
    Some(Box::new(Own::autosort(context, n, direction)?))
}

/// Powers of two over the Goldilocks field in vectors of words, if that is what elements are.
fn in_vectors<T: 'static>(n: usize, direction: Direction) -> Option<Box<dyn Line<T>>> {
    if TypeId::of::<T>() != TypeId::of::<Goldilocks>() || !n.is_power_of_two() {
        return None;
    }
    let line: Box<dyn Line<Goldilocks>> = Box::new(WordLine::new(OfGoldilocks::own(), n, direction));
    let line: Box<dyn Any> = Box::new(line);
    line.downcast().ok().map(|line| *line)
}
