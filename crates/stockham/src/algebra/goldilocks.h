#define GL_P 0xffffffff00000001ul
#define GL_EPSILON 0xfffffffful

/* p = 2^64 - 2^32 + 1, so 2^64 = 2^32 - 1 and 2^96 = -1 mod p. A word is any u64, standing for its residue; only what
   goes to the caller is brought below p. A wide value is a sum that has not been reduced: low + 2^64 high, signed. */
typedef struct { u64 low; long high; } wide;

FUNCTION u64 gl_reduce(u64 a) { return a >= GL_P ? a - GL_P : a; }

FUNCTION wide gl_widen(u64 a) {
    wide r;
    r.low = a;
    r.high = 0;
    return r;
}

FUNCTION wide gl_add(wide a, wide b) {
    wide r;
    r.low = a.low + b.low;
    r.high = a.high + b.high + (r.low < a.low ? 1 : 0);
    return r;
}

FUNCTION wide gl_sub(wide a, wide b) {
    wide r;
    r.low = a.low - b.low;
    r.high = a.high - b.high - (a.low < b.low ? 1 : 0);
    return r;
}

/* 2^32 h + l */
FUNCTION wide gl_join(long h, long l) {
    wide r;
    r.low = ((u64)h << 32) + (u64)l;
    r.high = (h >> 32) + (l >> 63) + (r.low < (u64)l ? 1 : 0);
    return r;
}

/* a 2^t for 0 <= t < 32 is y0 + 2^32 y1 + 2^64 y2 with words y0, y1 and a small signed y2. */
typedef struct { long y0, y1, y2; } gl_shifted;

FUNCTION gl_shifted gl_shift(wide a, u64 t) {
    gl_shifted r;
    const u64 low = a.low << t;
    r.y0 = (long)(low & GL_EPSILON);
    r.y1 = (long)(low >> 32);
    r.y2 = (long)(((u64)a.high << t) | (t ? a.low >> (64 - t) : 0));
    return r;
}

/* a 2^(t + 0) */
FUNCTION wide gl_shift0(wide a, u64 t) {
    const gl_shifted s = gl_shift(a, t);
    return gl_join(s.y1 + s.y2, s.y0 - s.y2);
}

/* a 2^(t + 32) */
FUNCTION wide gl_shift32(wide a, u64 t) {
    const gl_shifted s = gl_shift(a, t);
    return gl_join(s.y0 + s.y1, -(s.y1 + s.y2));
}

/* a 2^(t + 64) */
FUNCTION wide gl_shift64(wide a, u64 t) {
    const gl_shifted s = gl_shift(a, t);
    return gl_join(s.y0 - s.y2, -(s.y0 + s.y1));
}

/* A word of the same residue. |high| is below 2^16. */
FUNCTION u64 gl_narrow(wide a) {
    const u64 d = (u64)(a.high << 32) - (u64)a.high;
    const u64 r = a.low + d;
    if (a.high >= 0) return r + (r < d ? GL_EPSILON : 0);
    return r - (r > a.low ? GL_EPSILON : 0);
}

FUNCTION u64 gl_mul(u64 a, u64 b) {
    const u64 low = a * b, high = mul_hi64(a, b);
    const u64 middle = high & GL_EPSILON, top = high >> 32;
    const u64 r = low - top - (low < top ? GL_EPSILON : 0);
    const u64 t = (middle << 32) - middle;
    const u64 s = r + t;
    return s + (s < t ? GL_EPSILON : 0);
}
