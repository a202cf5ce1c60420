#define GL_P 0xffffffff00000001ul

/* All values are in 0 ... p-1, for p = 2^64 - 2^32 + 1; 2^64 = 2^32 - 1 and 2^96 = -1 mod p.
   A carry or borrow out of 64 bits becomes a mask m of 32 ones, and m is 2^64 mod p. The carry flag of an addition and
   the borrow flag of a subtraction must not be mixed: hence neg after addc. */
FUNCTION u64 gl_sub(u64 a, u64 b) {
    u64 r;
    asm("{ .reg .u32 l, h, x, y, m;\n"
        "mov.b64 {l, h}, %1; mov.b64 {x, y}, %2;\n"
        "sub.cc.u32 l, l, x; subc.cc.u32 h, h, y; subc.u32 m, 0, 0;\n"
        "sub.cc.u32 l, l, m; subc.u32 h, h, 0;\n"
        "mov.b64 %0, {l, h}; }" : "=l"(r) : "l"(a), "l"(b));
    return r;
}

FUNCTION u64 gl_add(u64 a, u64 b) { return gl_sub(a, GL_P - b); }

/* The residue of any word: only words whose upper half is all ones, and whose lower half is not 0, are p or more. */
FUNCTION u64 gl_reduce(u64 a) {
    u32 low = (u32)a, high = (u32)(a >> 32);
    const bool over = high == 0xffffffffu && low != 0;
    low -= over ? 1 : 0;
    high = over ? 0 : high;
    return (u64)high << 32 | low;
}

/* low + 2^64 middle for any words */
FUNCTION u64 gl_fold(u64 low, u32 middle) {
    u64 r;
    asm("{ .reg .u32 l, h, x, y, m;\n"
        "mov.b64 {l, h}, %1;\n"
        "sub.cc.u32 x, 0, %2; subc.u32 y, %2, 0;\n"
        "add.cc.u32 l, l, x; addc.cc.u32 h, h, y; addc.u32 m, 0, 0; neg.s32 m, m;\n"
        "add.cc.u32 l, l, m; addc.u32 h, h, 0;\n"
        "mov.b64 %0, {l, h}; }" : "=l"(r) : "l"(low), "r"(middle));
    return gl_reduce(r);
}

/* low - top, at least 0 after the correction, for any words */
FUNCTION u64 gl_drop(u64 low, u32 top) {
    u64 r;
    asm("{ .reg .u32 l, h, m;\n"
        "mov.b64 {l, h}, %1;\n"
        "sub.cc.u32 l, l, %2; subc.cc.u32 h, h, 0; subc.u32 m, 0, 0;\n"
        "sub.cc.u32 l, l, m; subc.u32 h, h, 0;\n"
        "mov.b64 %0, {l, h}; }" : "=l"(r) : "l"(low), "r"(top));
    return r;
}

FUNCTION u64 gl_mul(u64 a, u64 b) {
    u64 low;
    u32 middle, top;
    asm("{ .reg .u32 a0, a1, b0, b1, r0, r1, r2, r3;\n"
        "mov.b64 {a0, a1}, %3; mov.b64 {b0, b1}, %4;\n"
        "mul.lo.u32 r0, a0, b0; mul.hi.u32 r1, a0, b0;\n"
        "mul.lo.u32 r2, a1, b1; mul.hi.u32 r3, a1, b1;\n"
        "mad.lo.cc.u32 r1, a0, b1, r1; madc.hi.cc.u32 r2, a0, b1, r2; addc.u32 r3, r3, 0;\n"
        "mad.lo.cc.u32 r1, a1, b0, r1; madc.hi.cc.u32 r2, a1, b0, r2; addc.u32 r3, r3, 0;\n"
        "mov.b64 %0, {r0, r1}; mov.u32 %1, r2; mov.u32 %2, r3; }"
        : "=l"(low), "=r"(middle), "=r"(top) : "l"(a), "l"(b));
    return gl_fold(gl_drop(low, top), middle);
}

/* a 2^s for 0 < s < 96, s known to the compiler */
FUNCTION u64 gl_shift(u64 a, u64 s) {
    if (s < 32) return gl_fold(a << s, (u32)(a >> (64 - s)));
    /* The three words of a 2^t. */
    const u64 t = s & 31;
    const u64 low = a << t;
    const u32 over = t ? (u32)(a >> (64 - t)) : 0;
    if (s < 64) return gl_fold(gl_drop(low << 32, over), (u32)(low >> 32));
    /* 2^64 low0 + 2^96 (low1 + 2^32 over), the last below p because over is below 2^31. */
    const u64 middle = low & 0xffffffffu;
    return gl_sub((middle << 32) - middle, (low >> 32) | ((u64)over << 32));
}
