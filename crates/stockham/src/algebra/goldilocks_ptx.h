#define GL_P 0xffffffff00000001ul

/* p = 2^64 - 2^32 + 1, so 2^64 = 2^32 - 1 and 2^96 = -1 mod p. A word is any u64, standing for its residue; only what
   goes to the caller is brought below p. A wide value is a sum that has not been reduced: three words, signed.
   A carry or borrow out of 64 bits becomes a mask m of 32 ones, and m is 2^64 mod p. The carry flag of an addition and
   the borrow flag of a subtraction must not be mixed: hence neg after addc. */
typedef struct { u32 w0, w1, w2; } wide;

/* Only words whose upper half is all ones, and whose lower half is not 0, are p or more. */
FUNCTION u64 gl_reduce(u64 a) {
    u32 low = (u32)a, high = (u32)(a >> 32);
    const bool over = high == 0xffffffffu && low != 0;
    low -= over ? 1 : 0;
    high = over ? 0 : high;
    return (u64)high << 32 | low;
}

FUNCTION wide gl_widen(u64 a) {
    wide r;
    r.w0 = (u32)a;
    r.w1 = (u32)(a >> 32);
    r.w2 = 0;
    return r;
}

FUNCTION wide gl_add(wide a, wide b) {
    wide r;
    asm("add.cc.u32 %0, %3, %6; addc.cc.u32 %1, %4, %7; addc.u32 %2, %5, %8;"
        : "=r"(r.w0), "=r"(r.w1), "=r"(r.w2)
        : "r"(a.w0), "r"(a.w1), "r"(a.w2), "r"(b.w0), "r"(b.w1), "r"(b.w2));
    return r;
}

FUNCTION wide gl_sub(wide a, wide b) {
    wide r;
    asm("sub.cc.u32 %0, %3, %6; subc.cc.u32 %1, %4, %7; subc.u32 %2, %5, %8;"
        : "=r"(r.w0), "=r"(r.w1), "=r"(r.w2)
        : "r"(a.w0), "r"(a.w1), "r"(a.w2), "r"(b.w0), "r"(b.w1), "r"(b.w2));
    return r;
}

/* 2^32 h + l, both signed */
FUNCTION wide gl_join(u64 h, u64 l) {
    wide r;
    const u32 sign = (u32)((int)(l >> 32) >> 31);
    r.w0 = (u32)l;
    asm("add.cc.u32 %0, %2, %3; addc.u32 %1, %4, %5;"
        : "=r"(r.w1), "=r"(r.w2) : "r"((u32)(l >> 32)), "r"((u32)h), "r"((u32)(h >> 32)), "r"(sign));
    return r;
}

/* a 2^s for 0 <= s < 96, s known to the compiler. a 2^(s mod 32) is y0 + 2^32 y1 + 2^64 y2 with words y0, y1 and a small
   signed y2. */
FUNCTION wide gl_shift(wide a, u32 s) {
    const u32 t = s & 31;
    const u32 x0 = a.w0, x1 = a.w1;
    const u64 y0 = x0 << t, y1 = t ? (x1 << t) | (x0 >> (32 - t)) : x1;
    const u32 low = t ? (a.w2 << t) | (x1 >> (32 - t)) : a.w2;
    const u32 high = (u32)((int)a.w2 >> (t ? 32 - t : 31));
    const u64 y2 = (u64)high << 32 | low;
    if (s < 32) return gl_join(y1 + y2, y0 - y2);
    if (s < 64) return gl_join(y0 + y1, 0 - (y1 + y2));
    return gl_join(y0 - y2, 0 - (y0 + y1));
}

/* A word of the same residue. |w2| is below 2^16. */
FUNCTION u64 gl_narrow(wide a) {
    u64 r;
    asm("{ .reg .u32 l, h, s, t, x, y;\n"
        "shr.s32 s, %3, 31;\n"
        "sub.cc.u32 x, 0, %3; subc.u32 y, %3, s;\n"
        "add.cc.u32 l, %1, x; addc.cc.u32 h, %2, y; addc.u32 t, s, 0;\n"
        "neg.s32 x, t; shr.s32 y, t, 31;\n"
        "add.cc.u32 l, l, x; addc.u32 h, h, y;\n"
        "mov.b64 %0, {l, h}; }" : "=l"(r) : "r"(a.w0), "r"(a.w1), "r"(a.w2));
    return r;
}

FUNCTION u64 gl_mul(u64 a, u64 b) {
    u64 r;
    asm("{ .reg .u32 a0, a1, b0, b1, r0, r1, r2, r3, x, y, m;\n"
        "mov.b64 {a0, a1}, %1; mov.b64 {b0, b1}, %2;\n"
        "mul.lo.u32 r0, a0, b0; mul.hi.u32 r1, a0, b0;\n"
        "mul.lo.u32 r2, a1, b1; mul.hi.u32 r3, a1, b1;\n"
        "mad.lo.cc.u32 r1, a0, b1, r1; madc.hi.cc.u32 r2, a0, b1, r2; addc.u32 r3, r3, 0;\n"
        "mad.lo.cc.u32 r1, a1, b0, r1; madc.hi.cc.u32 r2, a1, b0, r2; addc.u32 r3, r3, 0;\n"
        /* less the fourth word */
        "sub.cc.u32 r0, r0, r3; subc.cc.u32 r1, r1, 0; subc.u32 m, 0, 0;\n"
        "sub.cc.u32 r0, r0, m; subc.u32 r1, r1, 0;\n"
        /* and 2^32 - 1 times the third */
        "sub.cc.u32 x, 0, r2; subc.u32 y, r2, 0;\n"
        "add.cc.u32 r0, r0, x; addc.cc.u32 r1, r1, y; addc.u32 m, 0, 0; neg.s32 m, m;\n"
        "add.cc.u32 r0, r0, m; addc.u32 r1, r1, 0;\n"
        "mov.b64 %0, {r0, r1}; }" : "=l"(r) : "l"(a), "l"(b));
    return r;
}
