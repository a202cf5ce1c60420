//! x86's vectors of 512 bits.

use std::arch::x86_64::*;

use super::{Operation, Wide};

/// AVX-512's foundation. One exists only where the processor has it, as nobody else makes any.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    pub(super) fn known() -> Option<Self> {
        is_x86_feature_detected!("avx512f").then_some(Self(()))
    }
}

#[target_feature(enable = "avx512f")]
fn compiled<O: Operation>(operation: O) -> O::Output {
    operation.run()
}

impl Avx512 {
    /// Numbers of two vectors, by their places in both.
    #[inline(always)]
    fn pick(self, places: [i32; 16], a: __m512, b: __m512) -> __m512 {
        let places: __m512i = bytemuck::must_cast(places);
        instruction!(self, _mm512_permutex2var_ps(a, places, b))
    }

    #[inline(always)]
    fn pick_wide(self, places: [i64; 8], a: __m512d, b: __m512d) -> __m512d {
        let places: __m512i = bytemuck::must_cast(places);
        instruction!(self, _mm512_permutex2var_pd(a, places, b))
    }

    /// Transposes each quarter of four vectors.
    #[inline(always)]
    fn quarters(self, [a, b, c, d]: [__m512; 4]) -> [__m512; 4] {
        let (ab, cd) = (instruction!(self, _mm512_unpacklo_ps(a, b)), instruction!(self, _mm512_unpacklo_ps(c, d)));
        let (ef, gh) = (instruction!(self, _mm512_unpackhi_ps(a, b)), instruction!(self, _mm512_unpackhi_ps(c, d)));
        [
            instruction!(self, _mm512_shuffle_ps::<0x44>(ab, cd)),
            instruction!(self, _mm512_shuffle_ps::<0xee>(ab, cd)),
            instruction!(self, _mm512_shuffle_ps::<0x44>(ef, gh)),
            instruction!(self, _mm512_shuffle_ps::<0xee>(ef, gh)),
        ]
    }
}

impl Wide<f32> for Avx512 {
    arithmetic!(f32, __m512, _mm512_set1_ps, _mm512_add_ps, _mm512_sub_ps, _mm512_mul_ps, _mm512_fmadd_ps);

    #[inline(always)]
    fn split(self, [a, b]: [__m512; 2]) -> [__m512; 2] {
        [
            self.pick([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30], a, b),
            self.pick([1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31], a, b),
        ]
    }
    #[inline(always)]
    fn join(self, [re, im]: [__m512; 2]) -> [__m512; 2] {
        [
            self.pick([0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23], re, im),
            self.pick([8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31], re, im),
        ]
    }
    #[inline(always)]
    fn transpose(self, tile: &mut [__m512]) {
        let x = |i: usize| [tile[i], tile[i + 1], tile[i + 2], tile[i + 3]];
        let [a, b, c, d] = [self.quarters(x(0)), self.quarters(x(4)), self.quarters(x(8)), self.quarters(x(12))];
        // Quarters of vectors, 4·4 of them, as if each was a number.
        for i in 0..4 {
            let (ab, cd) = (
                instruction!(self, _mm512_shuffle_f32x4::<0x88>(a[i], b[i])),
                instruction!(self, _mm512_shuffle_f32x4::<0x88>(c[i], d[i])),
            );
            let (ef, gh) = (
                instruction!(self, _mm512_shuffle_f32x4::<0xdd>(a[i], b[i])),
                instruction!(self, _mm512_shuffle_f32x4::<0xdd>(c[i], d[i])),
            );
            tile[i] = instruction!(self, _mm512_shuffle_f32x4::<0x88>(ab, cd));
            tile[i + 4] = instruction!(self, _mm512_shuffle_f32x4::<0x88>(ef, gh));
            tile[i + 8] = instruction!(self, _mm512_shuffle_f32x4::<0xdd>(ab, cd));
            tile[i + 12] = instruction!(self, _mm512_shuffle_f32x4::<0xdd>(ef, gh));
        }
    }
}

impl Wide<f64> for Avx512 {
    arithmetic!(f64, __m512d, _mm512_set1_pd, _mm512_add_pd, _mm512_sub_pd, _mm512_mul_pd, _mm512_fmadd_pd);

    #[inline(always)]
    fn split(self, [a, b]: [__m512d; 2]) -> [__m512d; 2] {
        [self.pick_wide([0, 2, 4, 6, 8, 10, 12, 14], a, b), self.pick_wide([1, 3, 5, 7, 9, 11, 13, 15], a, b)]
    }
    #[inline(always)]
    fn join(self, [re, im]: [__m512d; 2]) -> [__m512d; 2] {
        [self.pick_wide([0, 8, 1, 9, 2, 10, 3, 11], re, im), self.pick_wide([4, 12, 5, 13, 6, 14, 7, 15], re, im)]
    }
    #[inline(always)]
    fn transpose(self, tile: &mut [__m512d]) {
        for i in (0..8).step_by(2) {
            let (a, b) = (tile[i], tile[i + 1]);
            tile[i] = instruction!(self, _mm512_unpacklo_pd(a, b));
            tile[i + 1] = instruction!(self, _mm512_unpackhi_pd(a, b));
        }
        // Quarters of vectors, 4·4 of them twice, as if each was a number.
        for i in 0..2 {
            let [a, b, c, d] = [tile[i], tile[i + 2], tile[i + 4], tile[i + 6]];
            let (ab, cd) = (
                instruction!(self, _mm512_shuffle_f64x2::<0x88>(a, b)),
                instruction!(self, _mm512_shuffle_f64x2::<0x88>(c, d)),
            );
            let (ef, gh) = (
                instruction!(self, _mm512_shuffle_f64x2::<0xdd>(a, b)),
                instruction!(self, _mm512_shuffle_f64x2::<0xdd>(c, d)),
            );
            tile[i] = instruction!(self, _mm512_shuffle_f64x2::<0x88>(ab, cd));
            tile[i + 2] = instruction!(self, _mm512_shuffle_f64x2::<0x88>(ef, gh));
            tile[i + 4] = instruction!(self, _mm512_shuffle_f64x2::<0xdd>(ab, cd));
            tile[i + 6] = instruction!(self, _mm512_shuffle_f64x2::<0xdd>(ef, gh));
        }
    }
}
