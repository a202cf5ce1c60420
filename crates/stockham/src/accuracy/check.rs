//! The two checks of a function that claims to be the DFT: against a reference, and against itself.

use crate::algebra::{Direction, NumericRing, Ring};
use crate::autosort::{Autosort, PRIMES};
use crate::error::{Error, Result};
use crate::host_memory;
use crate::naive;
use crate::parallel;

use super::chirp;
use super::measured::bits;
use super::{Errors, Laws, Measured, Method, Record, random};

/// Outputs to average over: as many short vectors as make up so many points.
const POINTS: usize = 1 << 12;

/// Outputs of a self-test that are compared with the definition, at least; the estimate's standard error is then about
/// 6 %, and about 1 % for even lengths, whose outputs come in combs of up to `COMB`.
const SAMPLES: usize = 64;

/// Combs of a self-test, at least.
const COMBS: usize = 8;

/// Outputs of a comb, at most.
const COMB: usize = 1 << 8;

/// The vectors that [`check`] transforms at a time.
pub(super) fn vectors(n: usize) -> usize {
    (POINTS / n.max(1)).max(1)
}

/// The longest transform whose reference is the definition …
const NAIVE_UP_TO: usize = 1 << 12;
/// … where there is a chirp, too, which is as exact and for longer ones faster.
const SHORT: usize = 1 << 7;

/// Whether n has no prime factors but those that have codelets.
fn is_smooth(n: usize) -> bool {
    let rest = PRIMES.iter().fold(n.max(1), |mut rest, p| {
        while rest.is_multiple_of(*p) {
            rest /= p;
        }
        rest
    });
    rest == 1
}

/// Whether there are roots of unity of every order: over ℂ.
fn has_all_roots<T: Measured>() -> bool {
    T::ALGEBRA.unit_roundoff().is_some()
}

/// Whether there is a reference for so many points.
fn has_reference<T: Measured>(n: usize) -> bool {
    is_smooth(n) || n <= NAIVE_UP_TO || has_all_roots::<T>()
}

/// Checks a function that claims to be the unnormalised DFT of `n` points, by the method for that length, or against itself
/// if there is no reference of that length. The function is called with one vector after the other in one slice, as many as
/// [`measure`](super::measure) puts in a batch (4096 points, or one vector if that is longer), and returns their transforms
/// in the same way.
///
/// # Errors
/// What the function returns; [`Error::Unsupported`] if n is 0; [`Error::OutOfMemory`].
pub fn check<T: Measured>(
    function: impl FnMut(&[T]) -> Result<Vec<T>>,
    n: usize,
    direction: Direction,
    seed: u64,
) -> Result<Record> {
    let method = if has_reference::<T>(n) { Method::for_length(n) } else { Method::SelfTest };
    check_by(method, function, n, direction, seed)
}

/// As [`check`], by a given method.
///
/// # Errors
/// What the function returns; [`Error::Unsupported`] if there is no reference of that length.
pub fn check_by<T: Measured>(
    method: Method,
    mut function: impl FnMut(&[T]) -> Result<Vec<T>>,
    n: usize,
    direction: Direction,
    seed: u64,
) -> Result<Record> {
    check_memory::<T>(n)?;
    let x = random::<T>(n * vectors(n), seed);
    let y = call(&mut function, &x)?;
    let (outputs, found, laws) = match method {
        Method::Reference => {
            let reference = references(&x, n, direction)?;
            (y.len(), errors(&y, |i| reference[i]), None)
        }
        Method::SelfTest => {
            let (found, outputs) = sampled(&x, &y, n, direction, seed);
            (outputs, found, Some(laws(&mut function, &x, &y, n, direction, seed)?))
        }
    };
    let u = T::ALGEBRA.unit_roundoff();
    let found = found.in_units(u, n);
    Ok(Record {
        algebra: T::ALGEBRA,
        n,
        direction,
        seed,
        method,
        outputs,
        exact: u.is_none(),
        l2_units: found.l2,
        linf_units: found.linf,
        laws,
    })
}

/// Checks that there is room for what a check holds at once: of elements, two inputs, their sum and what became of them, or
/// roots; of wider ones, a reference or the input, a line of scratch memory, and two of roots while they are computed.
pub(super) fn check_memory<T: Measured>(n: usize) -> Result<()> {
    const LINES: usize = 6;
    const WIDE_LINES: usize = 4;
    let points = n.saturating_mul(vectors(n));
    // A convolution has a filter, a line and scratch memory, and roots.
    let convolved = if is_smooth(n) || n <= SHORT { 0 } else { 5 * chirp::length(n) };
    let bytes = points.saturating_mul(LINES * size_of::<T>() + WIDE_LINES * size_of::<T::Wide>());
    host_memory::check(bytes.saturating_add(convolved.saturating_mul(size_of::<T::Wide>())) as u64)
}

/// The relative errors of `found` against the reference that a function gives for each place.
pub fn errors<T: Measured>(found: &[T], reference: impl Fn(usize) -> T::Wide + Sync) -> Errors {
    let pair = |i: usize| {
        let (y, reference) = (&found[i], reference(i));
        (y.distance_squared(&reference), T::magnitude_squared(&reference))
    };
    relative(found.len(), pair)
}

/// From so many pairs of squares: of a distance, and of the reference's magnitude.
fn relative(count: usize, pair: impl Fn(usize) -> (f64, f64) + Sync) -> Errors {
    /// Pairs that are added up by one task. Sums of sums round less than one long one.
    const RUN: usize = 1 << 10;
    // Not f64::max, which would pass over an output that is not a number.
    let larger = |a: f64, b: f64| if a > b || a.is_nan() { a } else { b };
    let both = |a: [f64; 4], b: [f64; 4]| [a[0] + b[0], a[1] + b[1], larger(a[2], b[2]), larger(a[3], b[3])];
    let single = |(d, m): (f64, f64)| [d, m, d, m];
    let run = |i: usize| (i * RUN..count.min((i + 1) * RUN)).map(|i| single(pair(i))).fold([0.0; 4], both);
    let runs = parallel::map(count.div_ceil(RUN), 1, run);
    let [distance, norm, farthest, largest] = runs.into_iter().fold([0.0; 4], both);
    // Nothing to be relative to: no error if there is no distance, else an endless one.
    let ratio = |a: f64, b: f64| if a == 0.0 { 0.0 } else { (a / b).sqrt() };
    Errors { l2: ratio(distance, norm), linf: ratio(farthest, largest) }
}

fn call<T: Measured>(function: &mut impl FnMut(&[T]) -> Result<Vec<T>>, x: &[T]) -> Result<Vec<T>> {
    let y = function(x)?;
    if y.len() == x.len() {
        Ok(y)
    } else {
        Err(Error::BufferLength { buffer: "transform's result", expected: x.len(), found: y.len() })
    }
}

/// The unnormalised transforms of lines of `n` points, one after the other, in the wider ring.
///
/// # Errors
/// [`Error::Unsupported`] if there is no reference of that length: over a field, if it has prime factors above 31 and is long.
pub fn references<T: Measured>(x: &[T], n: usize, direction: Direction) -> Result<Vec<T::Wide>> {
    let mut wide = widened(x);
    transform_lines::<T>(&mut wide, n, direction)?;
    Ok(wide)
}

/// The transform of a line, in the wider ring.
pub(super) fn reference<T: Measured>(mut line: Vec<T::Wide>, direction: Direction) -> Result<Vec<T::Wide>> {
    let n = line.len();
    transform_lines::<T>(&mut line, n, direction)?;
    Ok(line)
}

fn transform_lines<T: Measured>(wide: &mut [T::Wide], n: usize, direction: Direction) -> Result<()> {
    match Autosort::new(n, direction) {
        Some(autosort) => {
            let mut scratch = vec![T::Wide::zero(); n];
            wide.chunks_mut(n).for_each(|line| autosort.process(line, &mut scratch));
        }
        None if n > SHORT && has_all_roots::<T>() => chirp::transform(wide, n, direction),
        None if 0 < n && n <= NAIVE_UP_TO => {
            parallel::chunks(wide, n, 1, |_, line| line.copy_from_slice(&naive::dft(line, direction)));
        }
        None => {
            let reason =
                format!("it needs n without prime factors above 31, or n up to {NAIVE_UP_TO}, or complex numbers");
            return Err(Error::unsupported(format!("a reference for {n} points"), reason));
        }
    }
    Ok(())
}

fn widened<T: Measured>(x: &[T]) -> Vec<T::Wide> {
    let mut wide = vec![T::Wide::zero(); x.len()];
    parallel::fill(&mut wide, 1 << 10, |i| x[i].widen());
    wide
}

/// The errors at combs of outputs with random starts, and how many outputs they were.
fn sampled<T: Measured>(x: &[T], y: &[T], n: usize, direction: Direction, seed: u64) -> (Errors, usize) {
    let wide = widened(x);
    let comb = COMB.min(1 << n.trailing_zeros());
    let count = COMBS.max(SAMPLES / comb);
    let pairs = |i: u64| {
        let place = (bits(!seed, i) % y.len() as u64) as usize;
        let (line, step) = (place / n * n, n / comb);
        let start = place % n % step;
        let reference = naive::dft_comb(&wide[line..][..n], start, step, direction);
        let found = y[line..][..n].iter().skip(start).step_by(step);
        found.zip(reference).map(|(y, r)| (y.distance_squared(&r), T::magnitude_squared(&r))).collect::<Vec<_>>()
    };
    // One after the other: each uses all cores.
    let pairs: Vec<_> = (0..count as u64).flat_map(pairs).collect();
    (relative(pairs.len(), |i| pairs[i]), count * comb)
}

fn laws<T: Measured>(
    function: &mut impl FnMut(&[T]) -> Result<Vec<T>>,
    x: &[T],
    y: &[T],
    n: usize,
    direction: Direction,
    seed: u64,
) -> Result<Laws> {
    let u = T::ALGEBRA.unit_roundoff();
    let units = |found: &[T], expected: &(dyn Fn(usize) -> T::Wide + Sync)| errors(found, expected).in_units(u, n);

    let other = random::<T>(x.len(), seed ^ (1 << 63));
    let other_y = call(function, &other)?;
    let sum: Vec<T> = x.iter().zip(&other).map(|(a, b)| Ring::add(a, b)).collect();
    let linearity = units(&call(function, &sum)?, &|i| y[i].widen().add(&other_y[i].widen()));
    drop((other, other_y, sum));

    let impulse = T::impulse(n);
    let mut struck = x.to_vec();
    struck.chunks_mut(n).for_each(|line| line[0] = Ring::add(&line[0], &impulse));
    let impulse = units(&call(function, &struck)?, &|i| y[i].widen().add(&impulse.widen()));

    let mut delayed = struck;
    delayed.copy_from_slice(x);
    delayed.chunks_mut(n).for_each(|line| line.rotate_right(1));
    let roots = T::roots(direction, n);
    let shift = units(&call(function, &delayed)?, &|i| y[i].widen().mul(&roots[i % n].widen()));

    Ok(Laws { linearity, impulse, shift })
}

#[cfg(test)]
#[path = "faults.rs"]
mod faults;
