//! What the host's way of computing takes of memory beside the buffers of a run. Some of it is another library's, which ends
//! the process where there is not enough; so it is known before.

use crate::algebra::{Algebra, Direction};
use crate::threads;
use crate::transform::{Kind, Transform, TrigType};

use super::axes;
pub(crate) use super::lane_sides::{LaneSides, chirp_length, column_radices, lane_sides, radices};

/// Bytes of memory that the host takes at once, at most: an estimate, and for complex numbers a generous one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostBytes {
    /// While a transform is planned, for tables of roots of unity. About half of it stays.
    pub plan: u64,
    /// While it runs.
    pub run: u64,
}

/// From this length on a transform over ℂ that has several cores is split, so that all have something of it.
const SHARED_FROM: usize = 1 << 18;

/// From this length on an `f64` transform of a power of two is split even so. rustfft rounds its angles before it takes
/// their sines, so that its `f64` error grows faster than √log n: it is 0.93 u·√log2 n at 2^16, 1.00 at 2^20 and 1.04 at 2^24. Short transforms joined
/// by twiddles of correctly rounded factors stay below. In `f32` the angles are accurate enough.
const ACCURATE_BELOW: usize = 1 << 17;

/// From this length on any transform over ℂ is split, as rustfft takes two lines of memory more than that.
const LEAN_FROM: usize = 1 << 23;

/// From so many bytes on, elements of a field are transformed as columns and rows, which stay in the cache. Where many roots
/// take no product, the factors between the two would be most of the work.
const EXACT_BYTES: usize = 1 << 18;

/// Tasks that a thread has begun: one that waits for the others to finish parts of its line takes another meanwhile.
const BEGUN: usize = 4;

/// Strided lines that a task gathers at a time: as neighbours in memory, they fill several cache lines.
pub(crate) const LANES: usize = 16;

/// Elements between lines that are gathered: a distance that is no power of two, so that their elements do not all belong to
/// the same few places of the cache.
pub(crate) const GAP: usize = 8;

/// Lines beyond are left to the ways that take the least memory.
const MOST_IN_LANES: usize = 1 << 26;

/// The longest lines that are transformed side by side: longer ones leave no room for each other in a core's cache.
const LONGEST_IN_BLOCKS: usize = 1 << 10;

/// From this length on, rustfft's transforms of half as many points make powers of two of real numbers faster.
const REAL_POWERS_BY_LIBRARY: usize = 1 << 9;

/// Bytes of blocks, two of them, but those of long lines.
const BLOCKS: usize = 1 << 16;

/// The most numbers of a vector, where lines lie side by side.
const VECTOR: usize = 8;

/// The most numbers of a vector, where a line is a rectangle.
const WIDEST: usize = 16;

/// Complex numbers of a cache line at most.
const LINE: usize = 8;

/// The sides of the rectangle as which a line is computed, the divisors of n that are nearest to its root, if they are near.
pub(crate) fn sides(n: usize) -> Option<(usize, usize)> {
    // Beyond is nothing that a machine holds.
    if n >= 1 << 48 {
        return None;
    }
    // A side that is shorter makes the other too long.
    let r = ((n.isqrt() / 9).max(1)..=n.isqrt()).rev().find(|r| n.is_multiple_of(*r))?;
    (n / r <= 64 * r).then_some((r, n / r))
}

/// The shortest `f32` lines of large prime factors that are convolutions in vectors: rustfft's have errors of up to 1.4 u·√log2 n
/// from there on, below of up to 1.1.
const CHIRP_FROM: usize = 1 << 10;

/// How a line over ℂ is transformed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Way {
    /// By rustfft.
    Library,
    /// As columns and rows of these lengths.
    Split(usize, usize),
    /// As columns and rows in vectors.
    Lanes(LaneSides),
    /// As a convolution of so many points.
    Chirp(usize),
}

/// The way of a line over ℂ, of which there are `batch`.
pub(crate) fn complex_way(is_f64: bool, n: usize, batch: usize) -> Way {
    let threads = threads::current();
    let is_shared = threads >= 2 && n >= SHARED_FROM && batch < threads;
    if has_vectors() && n < MOST_IN_LANES {
        match lane_sides(n) {
            Some(sides) if in_lanes(is_f64, n) || is_shared => return Way::Lanes(sides),
            None if is_f64 || is_shared || n >= CHIRP_FROM => return Way::Chirp(chirp_length(2 * n - 1)),
            _ => {}
        }
    }
    // On one core, two trips take up to 1.6 times as long as rustfft in `f64`, and up to 2.4 times in `f32`.
    let pays = threads >= if is_f64 { 2 } else { 4 };
    let shared = n >= SHARED_FROM && batch < threads && pays;
    // The odd factors of other lengths round more than the angles do.
    let rounds = is_f64 && n >= ACCURATE_BELOW && n.is_power_of_two();
    let sides = sides(n).filter(|_| shared || n >= LEAN_FROM || rounds);
    sides.map_or(Way::Library, |(r, c)| Way::Split(r, c))
}

/// The stages of lines that are transformed side by side, each a lane: complex ones, or real ones of half as many points. Nothing
/// where they fill half of the lanes at most, or where other ways are faster.
pub(crate) fn block_radices(transform: &Transform) -> Option<Vec<usize>> {
    let (n, is_f64) = (transform.points(), transform.algebra == Algebra::ComplexF64);
    let points = match transform.kind {
        Kind::Dft => n,
        Kind::Real => n / 2,
        Kind::Cosine(_) | Kind::Sine(_) => {
            let (_, of) = transform.trig()?;
            matches!(of, TrigType::II | TrigType::III).then_some(n / 2)?
        }
    };
    let is_whole = transform.kind == Kind::Dft || n.is_multiple_of(2);
    let fits = is_whole && (1..=LONGEST_IN_BLOCKS).contains(&points) && has_vectors();
    let fills = transform.batch_count() > if is_f64 { VECTOR / 4 } else { VECTOR / 2 };
    let by_library = match (transform.kind, transform.direction) {
        (Kind::Dft, _) => n.is_power_of_two() || !is_f64 && !has_long_factor(n) && is_fast_in_library(n),
        (Kind::Real, Direction::Forward) => n.is_power_of_two() && n >= REAL_POWERS_BY_LIBRARY,
        _ => false,
    };
    if fits && fills && !by_library { radices(points) } else { None }
}

/// Whether the host has vectors that codelets are compiled for.
fn has_vectors() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Whether rustfft is faster than lanes for `f32` lines of a length that is no power of two, as measured up to 1000: it has more
/// points in registers, for some factors. Lines of 13 points are as those of columns, so that arrays in either order give the same.
fn is_fast_in_library(n: usize) -> bool {
    let has_fast_factor = [8, 11, 12, 27].iter().any(|of| n.is_multiple_of(*of));
    n == 13 || !(10..=1 << 8).contains(&n) || has_fast_factor && !n.is_multiple_of(13)
}

/// Whether codelets of 17 to 31 points are needed.
fn has_long_factor(n: usize) -> bool {
    [17, 19, 23, 29, 31].iter().any(|p| n.is_multiple_of(*p))
}

/// Whether vectors are the way of a length that they can take, as measured beside rustfft on a processor with 1 MiB of
/// second-level cache a core. In `f64`, rustfft is accurate enough for powers of two alone, in `f32` not for factors of 17 to 31.
fn in_lanes(is_f64: bool, n: usize) -> bool {
    let is_power = n.is_power_of_two();
    match is_f64 {
        false if is_power => (1 << 12..1 << 19).contains(&n),
        false => n > 31 && has_long_factor(n),
        true => !is_power || n > 1 << 10,
    }
}

/// The same over a field, of elements of so many bytes, where the roots of that order take no product.
pub(crate) fn exact_sides(n: usize, element_bytes: usize, shift_order: usize) -> Option<(usize, usize)> {
    sides(n).filter(|_| n.saturating_mul(element_bytes) >= EXACT_BYTES && shift_order <= 2)
}

/// Elements of tables, of scratch memory that each task has, and of that which the parts of lines take on all cores.
struct Elements {
    tables: usize,
    scratch: usize,
    parts: usize,
}

impl Elements {
    /// With more of tables and of scratch memory.
    fn and(self, tables: usize, scratch: usize) -> Self {
        Self { tables: self.tables.saturating_add(tables), scratch: self.scratch.saturating_add(scratch), ..self }
    }
}

impl HostBytes {
    /// Of a transform. Those along several dimensions are planned together, and run one after the other.
    pub fn of(transform: &Transform) -> Self {
        if transform.dims.len() > 1 || transform.is_filtered() {
            let lines = axes::lines(transform).into_iter().map(|(_, _, line)| Self::of(&line));
            let none = Self { plan: 0, run: 0 };
            return lines
                .fold(none, |all, line| Self { plan: all.plan.saturating_add(line.plan), run: all.run.max(line.run) });
        }
        let (n, batch, algebra) = (transform.points(), transform.batch_count(), transform.algebra);
        let bytes = element_bytes(algebra);
        if transform.is_fused() {
            // Both sides as they are computed with.
            let plain = transform.unfused();
            let sides = plain.input_len().saturating_add(plain.output_len()).saturating_mul(bytes) as u64;
            let Self { plan, run } = Self::of(&plain);
            return Self { plan, run: run.saturating_add(sides) };
        }
        let begun = BEGUN.saturating_mul(threads::current());
        let Elements { tables, scratch, parts } = match algebra {
            Algebra::ComplexF32 | Algebra::ComplexF64 => {
                let of = |n| complex(algebra == Algebra::ComplexF64, n, batch, begun);
                match transform.kind {
                    Kind::Dft => of(n),
                    // Half as many points, and roots; or all of them, as complex numbers. A line is copied beside that.
                    Kind::Real => {
                        let inner = of(if n.is_multiple_of(2) { n / 2 } else { n });
                        inner.and(n / 2, n.saturating_add(n / 2 + 1))
                    }
                    // All points of them at most, of type I twice as many, and tables of roots.
                    Kind::Cosine(_) | Kind::Sine(_) => {
                        of(n.saturating_add(1).saturating_mul(2)).and(n.saturating_mul(2), n.saturating_mul(6))
                    }
                }
            }
            // A stage's roots are computed in order, and then put into the order of their use.
            // Twiddles, powers of a coset, and lines.
            Algebra::WordField(_) => Elements { tables: n.saturating_mul(2), scratch: n, parts: 0 },
            // Roots that are not the field's own, and powers of a coset.
            Algebra::Goldilocks if transform.domain.power.is_some() => {
                Elements { tables: n.saturating_mul(3), scratch: n, parts: 0 }
            }
            Algebra::Goldilocks | Algebra::PrimeField(_) => {
                let line = |n: usize| Elements { tables: n.saturating_mul(2), scratch: n, parts: 0 };
                let coset = if transform.domain.is_coset() { n } else { 0 };
                by_sides(exact_sides(n, bytes, algebra.free_order()), n, begun, &line).and(coset, 0)
            }
            Algebra::BigPrime(prime) => {
                Elements { tables: n.saturating_mul(2).div_ceil(prime.digits()), scratch: digits(n, bytes), parts: 0 }
            }
        };
        // Columns that are lanes of vectors take two blocks and two buffers.
        let blocks = if algebra.unit_roundoff().is_some() { 4 } else { 1 };
        let gathered = blocks * LANES.saturating_mul(2).saturating_mul(n.saturating_add(GAP));
        // A strip of columns is a list of its pieces, one for each point.
        let strips = batch.div_ceil(LANES).min(begun);
        let pieces = n.saturating_mul(strips).saturating_mul(size_of::<&[u8]>()).div_ceil(bytes);
        let lines = match algebra {
            _ if algebra.unit_roundoff().is_none()
                && !matches!(algebra, Algebra::WordField(_))
                && (algebra != Algebra::Goldilocks || !(n.is_power_of_two() || transform.domain.is_plain())) =>
            {
                // They are gathered, with scratch memory for each that is transformed.
                let lines = ((1 << 18) / n.max(1)).clamp(1, 64).min(batch);
                n.saturating_mul(lines).saturating_add(scratch.saturating_mul(lines.min(begun)))
            }
            _ if transform.algebra.unit_roundoff().is_some() && block_radices(transform).is_some() => {
                let blocks = n.saturating_mul(4 * VECTOR).saturating_add(BLOCKS / bytes + gathered);
                blocks.saturating_add(scratch).saturating_add(pieces).saturating_mul(begun)
            }
            _ if is_packed(transform) => scratch.saturating_mul(batch.min(begun)),
            _ => scratch.saturating_add(gathered).saturating_mul(strips).saturating_add(pieces),
        };
        let of = |elements: usize| elements.saturating_mul(bytes) as u64;
        Self { plan: of(tables), run: of(lines.saturating_add(parts)) }
    }
}

/// What a line over ℂ takes.
fn complex(is_f64: bool, n: usize, batch: usize, begun: usize) -> Elements {
    let line = |n| Elements { tables: library(n).0, scratch: library(n).1, parts: 0 };
    match complex_way(is_f64, n, batch) {
        Way::Library => line(n),
        Way::Split(r, c) => by_sides(Some((r, c)), n, begun, &line),
        Way::Lanes(sides) => lanes(&sides),
        Way::Chirp(m) => {
            let of = complex(is_f64, m, batch, begun);
            // Both ways, the chirp and its roots, and the filter with what it is computed of, in four times `f32`'s bytes.
            let wide = if is_f64 { 2 } else { 4 };
            let tables = 2 * of.tables + (3 * wide + 1) * m + (2 * wide + 3) * n;
            Elements { tables, scratch: m + of.scratch, ..of }
        }
    }
}

/// What a rectangle in vectors takes: factors of all columns, made of lists of roots, and twiddles of the stages.
fn lanes(LaneSides { columns, rows }: &LaneSides) -> Elements {
    let of = |radices: &[usize]| (radices.iter().product::<usize>(), radices.last().copied().unwrap_or(1));
    let ((r, radix), (c, _)) = (of(columns), of(rows));
    let lists = (c + WIDEST) * (r / radix + radix);
    // A side's points are wide in buffers, some vectors of columns side by side and a cache line, and a task has three of them.
    let points = r.max(c) + WIDEST;
    let (side, lines) = (WIDEST * points, LINE * points);
    let buffer = 3 * (lines + side.max((16 * side).min(1 << 13)).max((4 * side).min(1 << 15)));
    Elements {
        tables: 2 * lists + 4 * (r + c),
        scratch: (r + 2 * WIDEST) * (c + WIDEST) + WIDEST + buffer,
        parts: (threads::current() + 1) * buffer,
    }
}

/// What a line takes, whole or as a rectangle: two tables of factors, made of a list of roots, and what is between the sides.
fn by_sides(sides: Option<(usize, usize)>, n: usize, begun: usize, whole: &dyn Fn(usize) -> Elements) -> Elements {
    let Some((r, c)) = sides else { return whole(n) };
    let (columns, rows) = (whole(r), whole(c));
    let run = (1..=r.isqrt()).rev().find(|run| r.is_multiple_of(*run)).unwrap_or(1);
    Elements {
        tables: columns.tables + rows.tables + c * (run + 2 * (r / run)),
        scratch: n + GAP * c,
        parts: begun * (rows.scratch.max(columns.scratch) + LANES * (c + GAP)),
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
