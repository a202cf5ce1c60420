#define GL_P 0xffffffff00000001ul
#define GL_EPSILON 0xfffffffful

/* All values are in 0 ... p-1, for p = 2^64 - 2^32 + 1; 2^64 = GL_EPSILON and 2^96 = -1 mod p. */
FUNCTION u64 gl_reduce(u64 a) { return a >= GL_P ? a - GL_P : a; }

FUNCTION u64 gl_sub(u64 a, u64 b) { return a - b - (a < b ? GL_EPSILON : 0); }

FUNCTION u64 gl_add(u64 a, u64 b) { return gl_sub(a, GL_P - b); }

/* low + 2^64 high, for any words */
FUNCTION u64 gl_reduce128(u64 low, u64 high) {
    const u64 middle = high & GL_EPSILON, top = high >> 32;
    const u64 r = low - top - (low < top ? GL_EPSILON : 0);
    const u64 t = (middle << 32) - middle;
    const u64 s = r + t;
    return gl_reduce(s + (s < t ? GL_EPSILON : 0));
}

FUNCTION u64 gl_mul(u64 a, u64 b) { return gl_reduce128(a * b, mul_hi64(a, b)); }

/* a 2^s for 0 < s < 96 */
FUNCTION u64 gl_shift(u64 a, u64 s) {
    if (s < 64) return gl_reduce128(a << s, a >> (64 - s));
    /* 2^64 b + 2^96 c for the words of a 2^(s-64); c is below p because s - 64 is below 32 */
    const u64 t = s - 64;
    const u64 low = a << t, over = t ? a >> (64 - t) : 0;
    const u64 b = low & GL_EPSILON, c = (low >> 32) | (over << 32);
    return gl_sub((b << 32) - b, c);
}
