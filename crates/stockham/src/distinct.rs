//! Whether different indices of an array with strides stand for different places.
//!
//! Indices i and j share a place if Σ d_a·stride_a = 0 for d = i − j, which are all the d with |d_a| < n_a: whether there is one
//! other than 0 is to be decided. What is usual is decided by looking at one dimension after the other; for the rest all
//! differences are tried but those of two dimensions, which are solved for.

/// A dimension: how many indices, and how far apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stride {
    pub n: u64,
    pub stride: u64,
}

/// Differences that are tried at most.
const MOST_TRIED: u64 = 1 << 16;

/// Whether no two indices share a place; nothing if it would take long to find out: where there are three dimensions or more
/// that are interleaved, and all but the two longest ones have more than 2^15 indices or so together. No dimension may span
/// 2^63 places.
pub(crate) fn are_distinct(dims: impl IntoIterator<Item = Stride>) -> Option<bool> {
    let mut dims: Vec<Stride> = dims.into_iter().filter(|dim| dim.n > 1).collect();
    loop {
        dims.sort_by_key(|dim| dim.stride);
        if dims.first().is_some_and(|dim| dim.stride == 0) {
            return Some(false);
        }
        if is_outside(&dims) {
            dims.pop();
        } else if !thin_out(&mut dims) {
            break;
        }
    }
    if dims.is_empty() {
        return Some(true);
    }
    dims.sort_by_key(|dim| dim.n);
    let (tried, pair) = dims.split_at(dims.len() - 2);
    let count = tried.iter().try_fold(1u64, |count, dim| count.checked_mul(2 * dim.n - 1));
    count.filter(|count| *count <= MOST_TRIED)?;
    Some(!meet([pair[0], pair[1]], tried))
}

/// Whether the last dimension's stride is longer than all that is inside it, so that its indices do not meet.
fn is_outside(dims: &[Stride]) -> bool {
    let Some((last, inside)) = dims.split_last() else { return false };
    last.stride > inside.iter().fold(0, |sum: u64, dim| sum.saturating_add((dim.n - 1) * dim.stride))
}

/// Leaves out the indices that cannot take part: where g divides all strides but one, differences along that one are multiples
/// of g / gcd(g, stride). Says whether there was anything to leave out.
fn thin_out(dims: &mut Vec<Stride>) -> bool {
    for a in 0..dims.len() {
        let others = dims.iter().enumerate().filter(|(b, _)| *b != a).fold(0, |g, (_, dim)| gcd(g, dim.stride));
        let Stride { n, stride } = dims[a];
        let step = others / gcd(others, stride);
        if step >= n {
            dims.remove(a);
            return true;
        }
        if step > 1 {
            dims[a] = Stride { n: (n - 1) / step + 1, stride: stride * step };
            return true;
        }
    }
    false
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Whether some differences, not all of them 0, lead nowhere.
fn meet(pair: [Stride; 2], tried: &[Stride]) -> bool {
    let [x, y] = pair.map(|dim| (i128::from(dim.n) - 1, i128::from(dim.stride)));
    let g = i128::from(gcd(pair[0].stride, pair[1].stride));
    let (step, inverse) = (y.1 / g, inverse(x.1 / g, y.1 / g));
    let mut differences: Vec<i128> = tried.iter().map(|dim| 1 - i128::from(dim.n)).collect();
    loop {
        let sum: i128 = differences.iter().zip(tried).map(|(d, dim)| d * i128::from(dim.stride)).sum();
        if differences.iter().all(|d| *d == 0) {
            // x·s + y·t = 0 has the multiples of (t, −s)/g as solutions.
            if step <= x.0 && x.1 / g <= y.0 {
                return true;
            }
        } else if sum % g == 0 {
            // x·s + y·t = −sum: x is known modulo t/g, and bounded by both lengths.
            let least =
                (-x.0).max((-sum - y.0 * y.1).div_euclid(x.1) + i128::from((-sum - y.0 * y.1).rem_euclid(x.1) > 0));
            let most = x.0.min((-sum + y.0 * y.1).div_euclid(x.1));
            let known = (-sum / g).rem_euclid(step) * inverse % step;
            if least + (known - least).rem_euclid(step) <= most {
                return true;
            }
        }
        // The next differences, like an odometer's digits.
        let Some(a) = differences.iter().zip(tried).position(|(d, dim)| *d < i128::from(dim.n) - 1) else {
            return false;
        };
        differences[a] += 1;
        differences[..a].iter_mut().zip(tried).for_each(|(d, dim)| *d = 1 - i128::from(dim.n));
    }
}

/// 1/a modulo m, for a and m without a common divisor.
fn inverse(a: i128, m: i128) -> i128 {
    let (mut old, mut new) = ((a, 1), (m, 0));
    while new.0 != 0 {
        let quotient = old.0 / new.0;
        (old, new) = (new, (old.0 - quotient * new.0, old.1 - quotient * new.1));
    }
    old.1.rem_euclid(m)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    fn decide(dims: &[(u64, u64)]) -> Option<bool> {
        are_distinct(dims.iter().map(|&(n, stride)| Stride { n, stride }))
    }

    /// By looking at every place.
    fn tried(dims: &[(u64, u64)]) -> bool {
        let along = |places: Vec<u64>, &(n, stride): &(u64, u64)| -> Vec<u64> {
            (0..n).flat_map(|i| places.iter().map(move |place| place + i * stride)).collect()
        };
        let places = dims.iter().fold(vec![0], along);
        let count = places.len();
        places.into_iter().collect::<HashSet<_>>().len() == count
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        #[test]
        fn small_arrays_are_decided(dims in prop::collection::vec((1u64..7, 0u64..40), 0..5)) {
            prop_assert_eq!(decide(&dims), Some(tried(&dims)));
        }

        #[test]
        fn interleaved_arrays_are_decided(dims in prop::collection::vec((1u64..40, 1u64..60), 2..4)) {
            prop_assert_eq!(decide(&dims), Some(tried(&dims)));
        }
    }

    #[test]
    fn long_arrays_are_decided() {
        let long = 1 << 30;
        assert_eq!(decide(&[(2, 3), (2, 2)]), Some(true));
        assert_eq!(decide(&[(3, 3), (4, 2)]), Some(false));
        // Columns of two by three, or of two coprime strides.
        assert_eq!(decide(&[(long, 6), (2, 3), (3, 2)]), Some(true));
        assert_eq!(decide(&[(long, 6), (2, 3), (4, 2)]), Some(false));
        assert_eq!(decide(&[(long, 6), (2, 3), (3, 4)]), Some(true));
        assert_eq!(decide(&[(long, long + 1), (long, long)]), Some(true));
        assert_eq!(decide(&[(long + 1, long + 1), (long + 2, long)]), Some(false));
        assert_eq!(decide(&[(long, 1), (long, long), (2, long * long)]), Some(true));
        assert_eq!(decide(&[(long, 1), (long, long - 1)]), Some(false));
        // Three that are interleaved and long are not decided.
        assert_eq!(decide(&[(1 << 18, 1_000_003), (1 << 18, 1_000_033), (1 << 18, 1_000_037)]), None);
    }
}
