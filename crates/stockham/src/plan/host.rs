//! What the host's way of computing takes of memory beside the buffers of a run. Some of it is another library's, which ends
//! the process where there is not enough; so it is known before.

use crate::algebra::Algebra;
use crate::transform::Transform;

/// Bytes of memory that the host takes at once, at most: an estimate, and for complex numbers a generous one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostBytes {
    /// While a transform is planned, for tables of roots of unity. About half of it stays.
    pub plan: u64,
    /// While it runs.
    pub run: u64,
}

/// From this length on, transforms of complex numbers are split.
const SPLIT_FROM: usize = 1 << 17;

/// Lines that a thread has begun: one that waits for the others to finish parts of its line takes another meanwhile.
const BEGUN: usize = 4;

/// Strided lines that are gathered at a time.
const GATHERED: usize = 64;

impl HostBytes {
    /// Of a transform of one dimension.
    pub fn of(transform: &Transform) -> Self {
        let (n, batch) = (transform.points(), transform.batch_count());
        let at_once = batch.min(BEGUN * rayon::current_num_threads());
        let bytes = element_bytes(transform.algebra);
        // Elements of tables, of a line's scratch memory, and of lines that are gathered.
        let (tables, scratch, gathered) = match transform.algebra {
            Algebra::ComplexF32 | Algebra::ComplexF64 => {
                let is_whole = transform.algebra == Algebra::ComplexF32 && batch >= rayon::current_num_threads();
                let (tables, scratch) = match split(n).filter(|_| !is_whole) {
                    Some((r, c)) => (library(r).0 + library(c).0 + 4 * c, library(c).1 + n),
                    None => library(n),
                };
                (tables, scratch, GATHERED)
            }
            // A stage's roots are computed in order, and then put into the order of their use.
            Algebra::Goldilocks => (n.saturating_mul(2), n, GATHERED),
            Algebra::BigPrime(prime) => (n.saturating_mul(2).div_ceil(prime.digits()), digits(n, bytes), usize::MAX),
            Algebra::PrimeField(_) => (n.saturating_mul(2), digits(n, bytes), usize::MAX),
        };
        let lines = match gathered {
            usize::MAX => ((1 << 18) / n.max(1)).clamp(1, GATHERED).min(batch),
            _ if is_packed(transform) => 0,
            lines => lines.min(batch),
        };
        let elements = scratch.saturating_mul(at_once).saturating_add(n.saturating_mul(lines));
        let of = |elements: usize| elements.saturating_mul(bytes) as u64;
        Self { plan: of(tables), run: of(elements) }
    }
}

/// Bytes of an element as the host computes with it, which is that of a buffer, or has its field with it.
pub(super) fn element_bytes(algebra: Algebra) -> usize {
    match algebra {
        Algebra::BigPrime(prime) => 8 * prime.digits() + 8,
        Algebra::PrimeField(field) => 8 * field.words() + 8,
        algebra => algebra.element_bytes(),
    }
}

/// Elements that rustfft takes for a transform of n points, to plan it and to run it. Roots are a line mostly, and more for
/// short ones; where a large prime makes it compute convolutions, these are three times as long, have roots as well, and are
/// copied. (Measured on a processor with AVX: up to 1.1 lines and 11.)
fn library(n: usize) -> (usize, usize) {
    let rough = [2, 3, 5, 7, 11, 13].into_iter().fold(n.max(1), |mut rest, factor| {
        while rest.is_multiple_of(factor) {
            rest /= factor;
        }
        rest
    });
    let (tables, scratch) = if rough == 1 { (3, 2) } else { (14, 6) };
    let of = |lines: usize| n.saturating_mul(lines).saturating_add(1 << 12);
    (of(tables), of(scratch))
}

/// The sides of the rectangle as which a long transform is computed, the shorter one first.
fn split(n: usize) -> Option<(usize, usize)> {
    // Beyond is nothing that a machine holds.
    if !(SPLIT_FROM..1 << 48).contains(&n) {
        return None;
    }
    // A side that is shorter makes the other too long.
    let r = (n.isqrt() / 9..=n.isqrt()).rev().find(|r| n.is_multiple_of(*r))?;
    (n / r / r <= 64).then_some((r, n / r))
}

/// A copy of the line, and the runs that a stage is cut into: two points of a radix of 2 take 104 bytes.
fn digits(n: usize, bytes: usize) -> usize {
    n.saturating_add(n.saturating_mul(56).div_ceil(bytes))
}

/// Whether the outputs follow each other without gaps.
fn is_packed(transform: &Transform) -> bool {
    let mut batch = transform.batch.iter().filter(|dim| dim.n > 1);
    transform.dims.first().is_some_and(|dim| dim.output_stride == 1)
        && batch.next().is_none_or(|dim| dim.output_stride == transform.points())
        && batch.next().is_none()
}
