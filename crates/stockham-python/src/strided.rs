//! Passes over spectra that are no transforms: conjugates, and mirror images.

use num_complex::Complex;
use stockham::threads;

use crate::job::{Finish, Job};
use crate::view::Place;

/// A real number's type.
pub trait Float: Copy + std::ops::Neg<Output = Self> + Send + Sync {}
impl Float for f32 {}
impl Float for f64 {}

/// Rows of an array that one task takes at least, by their numbers.
const GRAIN: usize = 1 << 14;

/// A loop: so many steps, and how far each goes in the target and in the source.
#[derive(Clone, Copy)]
struct Loop {
    n: usize,
    target: isize,
    source: isize,
}

/// Numbers that tasks write to and read from.
#[derive(Clone, Copy)]
struct Shared<F>(*mut Complex<F>, usize);

// SAFETY: tasks write places of their own, and read what none of them writes.
unsafe impl<F: Float> Send for Shared<F> {}
// SAFETY: as above.
unsafe impl<F: Float> Sync for Shared<F> {}

impl<F: Float> Shared<F> {
    /// Writes to one place the number of another, or its conjugate.
    #[inline(always)]
    fn copy(self, target: usize, source: usize, conjugates: bool) {
        assert!(target < self.1 && source < self.1);
        // SAFETY: both are within the slice, by the line above; no other task writes there.
        unsafe {
            let z = *self.0.add(source);
            *self.0.add(target) = if conjugates { Complex::new(z.re, -z.im) } else { z };
        }
    }
}

/// Ends a job on its output.
pub fn finish<F: Float>(job: &Job, place: &Place, data: &mut [Complex<F>], is_shared: bool) {
    let (mirrors, conjugates) = match job.finish {
        Finish::Nothing => return,
        Finish::Mirror => (true, false),
        Finish::MirrorConjugate => (true, true),
        Finish::Conjugate => (false, true),
    };
    let shared = Shared(data.as_mut_ptr(), data.len());
    let (Some((&last, others)), Some(&n)) = (job.axes.split_last(), job.lengths.last()) else { return };
    let half = n / 2 + 1;
    let along = |axis: usize, n: usize| {
        let stride = place.strides[axis] as isize;
        Loop { n, target: stride, source: stride }
    };
    let batch =
        (0..place.shape.len()).filter(|axis| !job.axes.contains(axis)).map(|axis| along(axis, place.shape[axis]));
    let batch: Vec<Loop> = batch.collect();
    if mirrors {
        // What is written stands where nothing is read: points n/2 + 1 … n − 1 along the last axis.
        let stride = place.strides[last];
        let mut pieces = vec![(half * stride, (n - half) * stride, batch.clone())];
        if let Some((_, _, loops)) = pieces.first_mut() {
            loops.push(Loop { n: n - half, target: stride as isize, source: -(stride as isize) });
        }
        // Point i of another axis is the mirror image of its point n − i; the first of itself.
        for &axis in others {
            let (n, stride) = (place.shape[axis], place.strides[axis]);
            let rest = pieces.clone().into_iter().filter(|_| n > 1).map(|(target, source, mut loops)| {
                loops.push(Loop { n: n - 1, target: stride as isize, source: -(stride as isize) });
                (target + stride, source + (n - 1) * stride, loops)
            });
            let rest: Vec<_> = rest.collect();
            pieces.extend(rest);
        }
        // A mirror image is the conjugate; the conjugate's is the number itself.
        for (target, source, loops) in pieces {
            go(shared, loops, target, source, !conjugates, is_shared);
        }
    }
    if conjugates {
        let last_count = if mirrors { half } else { place.shape[last] };
        let all = others.iter().map(|&axis| along(axis, place.shape[axis])).chain([along(last, last_count)]);
        let loops: Vec<Loop> = batch.into_iter().chain(all).collect();
        go(shared, loops, 0, 0, true, is_shared);
    }
}

/// Runs loops within loops, the one with the shortest steps innermost.
fn go<F: Float>(
    shared: Shared<F>,
    mut loops: Vec<Loop>,
    target: usize,
    source: usize,
    conjugates: bool,
    is_shared: bool,
) {
    if loops.iter().any(|each| each.n == 0) {
        return;
    }
    loops.retain(|each| each.n > 1);
    loops.sort_by_key(|each| std::cmp::Reverse(each.target));
    let inner = loops.pop().unwrap_or(Loop { n: 1, target: 0, source: 0 });
    let rows: usize = loops.iter().map(|each| each.n).product();
    let row = |mut number: usize| {
        let (mut target, mut source) = (target as isize, source as isize);
        for each in loops.iter().rev() {
            let i = (number % each.n) as isize;
            number /= each.n;
            target += i * each.target;
            source += i * each.source;
        }
        for _ in 0..inner.n {
            // A place below the slice is one far behind it, and refused.
            shared.copy(target as usize, source as usize, conjugates);
            target += inner.target;
            source += inner.source;
        }
    };
    if is_shared && rows > 1 {
        let per = GRAIN.div_ceil(inner.n);
        threads::for_each(rows.div_ceil(per), &|i| (i * per..rows.min((i + 1) * per)).for_each(row));
    } else {
        (0..rows).for_each(row);
    }
}
