//! The rectangle of vectors as which the host computes a line over ℂ, and the radices of its sides.

/// The prime factors of lengths that are computed in vectors.
const PRIMES: [usize; 11] = [31, 29, 23, 19, 17, 13, 11, 7, 5, 3, 2];

/// From this side on a strip of columns is more than a core's cache holds.
const LONG: usize = 1 << 12;

/// The longest columns that are transformed side by side, as blocks.
const LONGEST_COLUMNS: usize = 1 << 10;

/// From this length on a convolution's points cost more than their stages.
const LONG_CHIRP: usize = 1 << 18;

/// Columns and rows as the radices of their stages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LaneSides {
    pub columns: Vec<usize>,
    pub rows: Vec<usize>,
}

/// The sides of a line of n points. Nothing if it has a prime factor above 31.
pub(crate) fn lane_sides(n: usize) -> Option<LaneSides> {
    let primes = factors(n)?;
    let mut divisors = vec![1];
    for &p in &primes {
        let more: Vec<_> = divisors.iter().map(|d| d * p).collect();
        divisors.extend(more);
        divisors.sort_unstable();
        divisors.dedup();
    }
    let cost = |r: usize| sides_cost(r, n / r);
    let r = divisors.into_iter().min_by(|a, b| cost(*a).total_cmp(&cost(*b)))?;
    let (mut columns, rows) = (radices(r)?, radices(n / r)?);
    // Each butterfly of the last stage has a factor of its own in every column: where they take much memory, few butterflies.
    let longest = (0..columns.len()).max_by_key(|i| columns[*i]).filter(|_| r >= LONG);
    if let Some(i) = longest {
        let radix = columns.remove(i);
        columns.push(radix);
    }
    Some(LaneSides { columns, rows })
}

/// The stages of neighbouring columns of n points, which are lanes all the way. Nothing where it is one stage, or where blocks of
/// columns are more than a core's cache holds.
pub(crate) fn column_radices(n: usize) -> Option<Vec<usize>> {
    radices(n).filter(|radices| radices.len() > 1 && n <= LONGEST_COLUMNS)
}

/// The shortest length of at least that many points with factors of 2, 3 and 5 that is cheap.
pub(crate) fn chirp_length(least: usize) -> usize {
    let power = least.next_power_of_two();
    // 3·2^a, 5·2^a, 9·2^a, 15·2^a: between powers of two. 125·2^a has more stages, which only memory hides.
    let long = (power >= LONG_CHIRP).then_some((125, 128));
    let shorter = [(9, 16), (5, 8), (3, 4), (15, 16)].into_iter().chain(long).filter(|(_, of)| power >= *of);
    shorter.map(|(odd, of)| power / of * odd).filter(|m| *m >= least).min().unwrap_or(power)
}

/// Prime factors, in descending order.
fn factors(n: usize) -> Option<Vec<usize>> {
    let (mut rest, mut primes) = (n, Vec::new());
    for p in PRIMES {
        while rest > 1 && rest.is_multiple_of(p) {
            primes.push(p);
            rest /= p;
        }
    }
    (rest == 1).then_some(primes)
}

/// The stages of a side: powers of two by 8 and 4, with the odd factors behind them.
pub(crate) fn radices(n: usize) -> Option<Vec<usize>> {
    let mut odd = factors(n)?;
    odd.retain(|p| *p > 2);
    let twos = n.trailing_zeros();
    // As many eights as leave fours, or a two alone.
    let (eights, fours) = match twos % 3 {
        0 => (twos / 3, 0),
        1 if twos >= 4 => (twos / 3 - 1, 2),
        2 => (twos / 3, 1),
        _ => (0, 0),
    };
    let two = usize::from(twos == 1);
    let twos = [(8, eights as usize), (4, fours as usize), (2, two)];
    Some(twos.into_iter().flat_map(|(radix, count)| vec![radix; count]).chain(odd).collect())
}

/// What a pass over a line takes, from its loads and products, as measured for radices of 8 and 4 roughly.
fn stage_cost(radix: usize) -> f64 {
    match radix {
        2 => 0.8,
        3 | 4 => 1.0,
        5 | 8 => 1.3,
        7 => 1.8,
        p => 0.3 * p as f64,
    }
}

/// The cost of a rectangle for each point: sides that do not fill vectors waste them.
fn sides_cost(r: usize, c: usize) -> f64 {
    let stages = |n: usize| radices(n).map_or(f64::INFINITY, |r| r.into_iter().map(stage_cost).sum::<f64>() + 0.4);
    let waste = |n: usize| n.next_multiple_of(8) as f64 / n as f64;
    let long = |n: usize| if n > LONG { 2.0 } else { 1.0 };
    let side = |points: usize, lanes: usize| stages(points) * waste(lanes) * long(points);
    // Of equals, the nearest to a square.
    let oblong = (r as f64 / c as f64).ln().abs();
    side(r, c) + side(c, r) + 0.05 * oblong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_of_radices_and_make_the_length() {
        for n in 1..3000 {
            let smooth = factors(n).is_some();
            assert_eq!(smooth, (2..=n).filter(|p| n % p == 0).all(|p| PRIMES.iter().any(|q| p % q == 0)), "{n}");
            let sides = lane_sides(n);
            assert_eq!(sides.is_some(), smooth, "{n}");
            if let Some(LaneSides { columns, rows }) = sides {
                let all = || columns.iter().chain(&rows);
                assert_eq!(all().product::<usize>(), n);
                assert!(all().all(|r| [2, 4, 8].contains(r) || PRIMES.contains(r)), "{n}: {columns:?}, {rows:?}");
            }
        }
    }

    #[test]
    fn columns_of_long_lines_end_with_eights() {
        for n in [1 << 24, 1 << 25, 3 << 24, 1 << 26] {
            let LaneSides { columns, .. } = lane_sides(n).unwrap();
            assert_eq!(columns.last(), Some(&8), "{n}: {columns:?}");
        }
    }

    #[test]
    fn chirps_have_room() {
        for least in (1..5000).chain([(1 << 18) - 1, 500_000, 1_000_001, 2_000_005]) {
            let m = chirp_length(least);
            assert!(m >= least && m < 2 * least.max(2) && factors(m).is_some(), "{least}: {m}");
        }
    }
}
