//! Arrays of codelets, written out element by element.

/// The array of `$body` for every `$k` below `$n`, a power of two up to 32. To the compiler [`std::array::from_fn`] is a loop,
/// which may stay one; here each index is a constant, and so are the roots that are made of it.
macro_rules! unrolled {
    ($n:expr, $k:ident => $body:expr) => {
        match $n {
            1 => $crate::algebra::unrolled!(@ $k $body; 0),
            2 => $crate::algebra::unrolled!(@ $k $body; 0 1),
            4 => $crate::algebra::unrolled!(@ $k $body; 0 1 2 3),
            8 => $crate::algebra::unrolled!(@ $k $body; 0 1 2 3 4 5 6 7),
            16 => $crate::algebra::unrolled!(@ $k $body; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15),
            _ => $crate::algebra::unrolled!(@ $k $body;
                0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31),
        }
    };
    (@ $k:ident $body:expr; $($i:literal)*) => {
        $crate::algebra::unrolled::exactly([$({ let $k: usize = $i; $body }),*])
    };
}

pub(crate) use unrolled;

/// An array of N elements as such.
#[inline(always)]
pub(crate) fn exactly<R: Clone, const M: usize, const N: usize>(x: [R; M]) -> [R; N] {
    let same: &[R; N] = x[..].try_into().expect("a power of two up to 32");
    same.clone()
}
