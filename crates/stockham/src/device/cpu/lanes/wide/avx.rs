//! x86's vectors of 256 bits, with fused products and sums.

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

impl Wide<f32> for Avx {
    arithmetic!(f32, __m256, _mm256_set1_ps, _mm256_add_ps, _mm256_sub_ps, _mm256_mul_ps, _mm256_fmadd_ps);

    #[inline(always)]
    fn split(self, [a, b]: [__m256; 2]) -> [__m256; 2] {
        let low = instruction!(self, _mm256_permute2f128_ps::<0x20>(a, b));
        let high = instruction!(self, _mm256_permute2f128_ps::<0x31>(a, b));
        [
            instruction!(self, _mm256_shuffle_ps::<0x88>(low, high)),
            instruction!(self, _mm256_shuffle_ps::<0xdd>(low, high)),
        ]
    }
    #[inline(always)]
    fn join(self, [re, im]: [__m256; 2]) -> [__m256; 2] {
        let (low, high) =
            (instruction!(self, _mm256_unpacklo_ps(re, im)), instruction!(self, _mm256_unpackhi_ps(re, im)));
        let first = instruction!(self, _mm256_permute2f128_ps::<0x20>(low, high));
        [first, instruction!(self, _mm256_permute2f128_ps::<0x31>(low, high))]
    }
    #[inline(always)]
    fn transpose(self, tile: &mut [__m256]) {
        let top = self.quarter([tile[0], tile[1], tile[2], tile[3]]);
        let bottom = self.quarter([tile[4], tile[5], tile[6], tile[7]]);
        for i in 0..4 {
            tile[i] = instruction!(self, _mm256_permute2f128_ps::<0x20>(top[i], bottom[i]));
            tile[i + 4] = instruction!(self, _mm256_permute2f128_ps::<0x31>(top[i], bottom[i]));
        }
    }
}

impl Avx {
    /// Transposes each half of four vectors.
    #[inline(always)]
    fn quarter(self, [a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
        let (ab, cd) = (instruction!(self, _mm256_unpacklo_ps(a, b)), instruction!(self, _mm256_unpacklo_ps(c, d)));
        let (ef, gh) = (instruction!(self, _mm256_unpackhi_ps(a, b)), instruction!(self, _mm256_unpackhi_ps(c, d)));
        [
            instruction!(self, _mm256_shuffle_ps::<0x44>(ab, cd)),
            instruction!(self, _mm256_shuffle_ps::<0xee>(ab, cd)),
            instruction!(self, _mm256_shuffle_ps::<0x44>(ef, gh)),
            instruction!(self, _mm256_shuffle_ps::<0xee>(ef, gh)),
        ]
    }
}

impl Wide<f64> for Avx {
    arithmetic!(f64, __m256d, _mm256_set1_pd, _mm256_add_pd, _mm256_sub_pd, _mm256_mul_pd, _mm256_fmadd_pd);

    #[inline(always)]
    fn split(self, [a, b]: [__m256d; 2]) -> [__m256d; 2] {
        let low = instruction!(self, _mm256_permute2f128_pd::<0x20>(a, b));
        let high = instruction!(self, _mm256_permute2f128_pd::<0x31>(a, b));
        [instruction!(self, _mm256_unpacklo_pd(low, high)), instruction!(self, _mm256_unpackhi_pd(low, high))]
    }
    #[inline(always)]
    fn join(self, [re, im]: [__m256d; 2]) -> [__m256d; 2] {
        let (low, high) =
            (instruction!(self, _mm256_unpacklo_pd(re, im)), instruction!(self, _mm256_unpackhi_pd(re, im)));
        let first = instruction!(self, _mm256_permute2f128_pd::<0x20>(low, high));
        [first, instruction!(self, _mm256_permute2f128_pd::<0x31>(low, high))]
    }
    #[inline(always)]
    fn transpose(self, tile: &mut [__m256d]) {
        let (a, b) = (
            instruction!(self, _mm256_unpacklo_pd(tile[0], tile[1])),
            instruction!(self, _mm256_unpackhi_pd(tile[0], tile[1])),
        );
        let (c, d) = (
            instruction!(self, _mm256_unpacklo_pd(tile[2], tile[3])),
            instruction!(self, _mm256_unpackhi_pd(tile[2], tile[3])),
        );
        tile[0] = instruction!(self, _mm256_permute2f128_pd::<0x20>(a, c));
        tile[1] = instruction!(self, _mm256_permute2f128_pd::<0x20>(b, d));
        tile[2] = instruction!(self, _mm256_permute2f128_pd::<0x31>(a, c));
        tile[3] = instruction!(self, _mm256_permute2f128_pd::<0x31>(b, d));
    }
}
