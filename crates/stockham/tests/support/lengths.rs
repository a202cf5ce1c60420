//! Lengths of every class, for all tests of lengths that are no powers of two.

/// Products of primes up to 31: single codelets, powers of one prime, near powers of two, decimal, of many factors, of two
/// large ones, and such that the threads of a stage have different numbers of butterflies.
pub const SMOOTH: [usize; 38] = [
    3, 5, 6, 7, 9, 10, 11, 12, 13, 15, 17, 18, 19, 21, 23, 24, 25, 29, 30, 31, 33, 36, 44, 60, 81, 96, 100, 121, 243,
    360, 625, 930, 1000, 1001, 1155, 2187, 4095, 4807,
];

/// Longer ones, of several passes where work-groups are small.
pub const LONG_SMOOTH: [usize; 5] = [10_000, 3 << 13, 7 * 7 * 7 * 7 * 7, 60_060, 100_000];

/// Lengths that divide p − 1 for p = 2^64 − 2^32 + 1, whose odd part is a product of 3, 5 and 17.
pub fn has_goldilocks_root(n: usize) -> bool {
    ((1u64 << 32) * 255).is_multiple_of(n as u64)
}

/// Those over this field.
pub const GOLDILOCKS: [usize; 17] =
    [3, 5, 6, 15, 17, 30, 51, 96, 255, 257, 514, 960, 257 * 15, 17 << 6, 255 << 4, 3 << 12, 85 << 8];

/// Lengths with a prime factor beyond 31: primes, next to powers of two and far from them, products with small and with large
/// ones, of both kinds of convolutions and with factors on both sides of them, and of several passes.
pub const ROUGH: [usize; 15] =
    [37, 61, 74, 97, 127, 131, 166, 257, 1009, 31 * 37, 1505, 2047, 19 * 167, 4099, 101 * 997];

/// A prime that no tile holds.
pub const LONG_PRIME: usize = 65_537;
