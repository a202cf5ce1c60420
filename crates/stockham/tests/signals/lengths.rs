//! Lengths that transforms are fast at.

use stockham::Kind;
use stockham::signal::next_fast_len;

#[test]
fn no_smooth_length_lies_between() {
    // What is left of a number without its factors 2, 3 and 5.
    let rest = |n: usize| {
        [2, 3, 5].iter().fold(n, |n, p| {
            let powers = std::iter::successors(Some(n), |n| (n % p == 0).then_some(n / p));
            powers.last().unwrap_or(n)
        })
    };
    for n in 1..3000 {
        assert_eq!((n..).find(|m| rest(*m) == 1), Some(next_fast_len(n, Kind::Dft)), "{n}");
        assert_eq!((n..).find(|m| rest(*m) == 1 && m % 2 == 0), Some(next_fast_len(n, Kind::Real)), "{n} real");
    }
}

#[test]
fn beyond_all_fast_lengths_it_is_the_length() {
    assert_eq!([Kind::Dft, Kind::Real].map(|kind| next_fast_len(usize::MAX, kind)), [usize::MAX; 2]);
}
