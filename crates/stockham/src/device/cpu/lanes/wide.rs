//! Vectors of real numbers, by the instruction sets that have them: a token of one says that the processor has it.

/// An instruction set's vectors of real numbers. Everything is inlined into the one function that is compiled for the set.
pub(crate) trait Wide<F>: Copy + Send + Sync {
    /// Numbers side by side.
    type Vector: Copy;
    /// How many they are.
    const LANES: usize;

    /// Runs something as a function of its own that is compiled for the set.
    fn call<O: Operation>(self, operation: O) -> O::Output;
    fn splat(self, x: F) -> Self::Vector;
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// a·b + c, rounded once where the set has it.
    fn mul_add(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    fn neg(self, a: Self::Vector) -> Self::Vector;
    /// The first numbers of a slice.
    fn load(self, from: &[F]) -> Self::Vector;
    fn store(self, x: Self::Vector, to: &mut [F]);
    /// Real and imaginary parts of numbers of which two vectors hold one after the other.
    fn split(self, pairs: [Self::Vector; 2]) -> [Self::Vector; 2];
    /// The way back.
    fn join(self, parts: [Self::Vector; 2]) -> [Self::Vector; 2];
    /// Transposes as many vectors as they have lanes.
    fn transpose(self, tile: &mut [Self::Vector]);
}

/// The most lanes of any.
pub(crate) const MOST_LANES: usize = 8;

/// What is compiled for an instruction set.
pub(crate) trait Operation {
    type Output;
    fn run(self) -> Self::Output;
}

/// Runs something compiled for the vectors that this processor has, or as it is.
#[inline]
pub(crate) fn compiled<O: Operation>(operation: O) -> O::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(wide) = known() {
        return Wide::<f32>::call(wide, operation);
    }
    operation.run()
}

/// The vectors that this processor has.
#[cfg(target_arch = "x86_64")]
pub(crate) fn known() -> Option<avx::Avx> {
    avx::Avx::known()
}

/// x86's vectors of 256 bits, with fused products and sums.
#[cfg(target_arch = "x86_64")]
mod avx {
    use std::arch::x86_64::*;

    use super::{Operation, Wide};

    /// AVX2 and FMA. One exists only where the processor has both, as nobody else makes any.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx(());

    impl Avx {
        pub(super) fn known() -> Option<Self> {
            (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Self(()))
        }
    }

    #[target_feature(enable = "avx2,fma")]
    fn compiled<O: Operation>(operation: O) -> O::Output {
        operation.run()
    }

    /// An instruction, where there is a token.
    macro_rules! avx {
        ($token:expr, $name:ident $(::<$constant:literal>)? ($($argument:expr),*)) => {{
            let Avx(()) = $token;
            // SAFETY: the token says that the processor has the instruction, which touches no memory.
            unsafe { $name $(::<$constant>)? ($($argument),*) }
        }};
    }

    macro_rules! arithmetic {
        ($float:ty, $vector:ty, $splat:ident, $add:ident, $sub:ident, $mul:ident, $mul_add:ident) => {
            type Vector = $vector;
            const LANES: usize = size_of::<$vector>() / size_of::<$float>();

            #[inline(always)]
            fn call<O: Operation>(self, operation: O) -> O::Output {
                // SAFETY: the token says that the processor has what the function is compiled for.
                unsafe { compiled(operation) }
            }
            #[inline(always)]
            fn splat(self, x: $float) -> $vector {
                avx!(self, $splat(x))
            }
            #[inline(always)]
            fn add(self, a: $vector, b: $vector) -> $vector {
                avx!(self, $add(a, b))
            }
            #[inline(always)]
            fn sub(self, a: $vector, b: $vector) -> $vector {
                avx!(self, $sub(a, b))
            }
            #[inline(always)]
            fn mul(self, a: $vector, b: $vector) -> $vector {
                avx!(self, $mul(a, b))
            }
            #[inline(always)]
            fn mul_add(self, a: $vector, b: $vector, c: $vector) -> $vector {
                avx!(self, $mul_add(a, b, c))
            }
            #[inline(always)]
            fn neg(self, a: $vector) -> $vector {
                let zero = avx!(self, $splat(-0.0));
                avx!(self, $sub(zero, a))
            }
            #[inline(always)]
            fn load(self, from: &[$float]) -> $vector {
                let (numbers, _) =
                    from.split_first_chunk::<{ size_of::<$vector>() / size_of::<$float>() }>().expect("as many");
                bytemuck::must_cast(*numbers)
            }
            #[inline(always)]
            fn store(self, x: $vector, to: &mut [$float]) {
                let x: [$float; size_of::<$vector>() / size_of::<$float>()] = bytemuck::must_cast(x);
                to[..x.len()].copy_from_slice(&x);
            }
        };
    }

    impl Wide<f32> for Avx {
        arithmetic!(f32, __m256, _mm256_set1_ps, _mm256_add_ps, _mm256_sub_ps, _mm256_mul_ps, _mm256_fmadd_ps);

        #[inline(always)]
        fn split(self, [a, b]: [__m256; 2]) -> [__m256; 2] {
            let low = avx!(self, _mm256_permute2f128_ps::<0x20>(a, b));
            let high = avx!(self, _mm256_permute2f128_ps::<0x31>(a, b));
            [avx!(self, _mm256_shuffle_ps::<0x88>(low, high)), avx!(self, _mm256_shuffle_ps::<0xdd>(low, high))]
        }
        #[inline(always)]
        fn join(self, [re, im]: [__m256; 2]) -> [__m256; 2] {
            let (low, high) = (avx!(self, _mm256_unpacklo_ps(re, im)), avx!(self, _mm256_unpackhi_ps(re, im)));
            let first = avx!(self, _mm256_permute2f128_ps::<0x20>(low, high));
            [first, avx!(self, _mm256_permute2f128_ps::<0x31>(low, high))]
        }
        #[inline(always)]
        fn transpose(self, tile: &mut [__m256]) {
            let x = self;
            let top = quarter(self, [tile[0], tile[1], tile[2], tile[3]]);
            let bottom = quarter(self, [tile[4], tile[5], tile[6], tile[7]]);
            for i in 0..4 {
                tile[i] = avx!(x, _mm256_permute2f128_ps::<0x20>(top[i], bottom[i]));
                tile[i + 4] = avx!(x, _mm256_permute2f128_ps::<0x31>(top[i], bottom[i]));
            }
        }
    }

    /// Transposes each half of four vectors.
    #[inline(always)]
    fn quarter(wide: Avx, [a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
        let x = wide;
        let (ab, cd) = (avx!(x, _mm256_unpacklo_ps(a, b)), avx!(x, _mm256_unpacklo_ps(c, d)));
        let (ef, gh) = (avx!(x, _mm256_unpackhi_ps(a, b)), avx!(x, _mm256_unpackhi_ps(c, d)));
        let (first, second) = (avx!(x, _mm256_shuffle_ps::<0x44>(ab, cd)), avx!(x, _mm256_shuffle_ps::<0xee>(ab, cd)));
        [first, second, avx!(x, _mm256_shuffle_ps::<0x44>(ef, gh)), avx!(x, _mm256_shuffle_ps::<0xee>(ef, gh))]
    }

    impl Wide<f64> for Avx {
        arithmetic!(f64, __m256d, _mm256_set1_pd, _mm256_add_pd, _mm256_sub_pd, _mm256_mul_pd, _mm256_fmadd_pd);

        #[inline(always)]
        fn split(self, [a, b]: [__m256d; 2]) -> [__m256d; 2] {
            let low = avx!(self, _mm256_permute2f128_pd::<0x20>(a, b));
            let high = avx!(self, _mm256_permute2f128_pd::<0x31>(a, b));
            [avx!(self, _mm256_unpacklo_pd(low, high)), avx!(self, _mm256_unpackhi_pd(low, high))]
        }
        #[inline(always)]
        fn join(self, [re, im]: [__m256d; 2]) -> [__m256d; 2] {
            let (low, high) = (avx!(self, _mm256_unpacklo_pd(re, im)), avx!(self, _mm256_unpackhi_pd(re, im)));
            let first = avx!(self, _mm256_permute2f128_pd::<0x20>(low, high));
            [first, avx!(self, _mm256_permute2f128_pd::<0x31>(low, high))]
        }
        #[inline(always)]
        fn transpose(self, tile: &mut [__m256d]) {
            let x = self;
            let (a, b) = (avx!(x, _mm256_unpacklo_pd(tile[0], tile[1])), avx!(x, _mm256_unpackhi_pd(tile[0], tile[1])));
            let (c, d) = (avx!(x, _mm256_unpacklo_pd(tile[2], tile[3])), avx!(x, _mm256_unpackhi_pd(tile[2], tile[3])));
            tile[0] = avx!(x, _mm256_permute2f128_pd::<0x20>(a, c));
            tile[1] = avx!(x, _mm256_permute2f128_pd::<0x20>(b, d));
            tile[2] = avx!(x, _mm256_permute2f128_pd::<0x31>(a, c));
            tile[3] = avx!(x, _mm256_permute2f128_pd::<0x31>(b, d));
        }
    }
}
