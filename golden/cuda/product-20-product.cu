typedef unsigned int u32;
typedef unsigned long long u64;
#define FUNCTION static __device__ __forceinline__
#define mul_hi64 __umul64hi
#if __CUDA_ARCH__ >= 900
#define LAUNCH_NEXT asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#define LAUNCH_WAIT asm volatile("griddepcontrol.wait;" ::: "memory");
#else
#define LAUNCH_NEXT
#define LAUNCH_WAIT
#endif
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

/* For 0 <= t < 32, a 2^t = x + 2^32 y + 2^64 z with words x, y and a small signed z, whose upper word is u. Of that times
   2^0, 2^32 or 2^64 the reduction is 2^32 h - m, both signed in two words. t is a constant once this is inlined, and a is no
   such product itself: ptxas of CUDA 13.0 makes of (0 - w) << t, and an addition, one instruction whose carry is wrong. */
#define GL_SHIFT(name, h, m) \
    FUNCTION wide name(wide a, u64 t) { \
        wide r; \
        asm("{ .reg .u32 x, y, z, u, h0, h1, m0, m1, s;\n" \
            "sub.u32 u, 32, %6; shl.b32 x, %3, %6; shf.l.clamp.b32 y, %3, %4, %6;\n" \
            "shf.l.clamp.b32 z, %4, %5, %6; min.u32 u, u, 31; shr.s32 u, %5, u;\n" h m \
            "subc.cc.u32 %1, h0, m1; subc.u32 %2, h1, s; }" \
            : "=r"(r.w0), "=r"(r.w1), "=r"(r.w2) : "r"(a.w0), "r"(a.w1), "r"(a.w2), "r"((u32)t)); \
        return r; \
    }

GL_SHIFT(gl_shift0, "add.cc.u32 h0, y, z; addc.u32 h1, 0, u;\n", "mov.u32 m1, u; shr.s32 s, u, 31; sub.cc.u32 %0, x, z;\n")
GL_SHIFT(gl_shift32, "add.cc.u32 h0, x, y; addc.u32 h1, 0, 0;\n",
         "add.cc.u32 m0, y, z; addc.u32 m1, 0, u; shr.s32 s, m1, 31; sub.cc.u32 %0, 0, m0;\n")
GL_SHIFT(gl_shift64, "sub.cc.u32 h0, x, z; subc.u32 h1, 0, u;\n",
         "add.cc.u32 m0, x, y; addc.u32 m1, 0, 0; mov.u32 s, 0; sub.cc.u32 %0, 0, m0;\n")

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

extern "C" __global__ __launch_bounds__(256, 4) void product(const u64* source_base, const u64 source_offset,
    u64* target_base, const u64 target_offset,
    const u64* __restrict__ table, const u64 count_wide, const u64 first_wide)
{
    LAUNCH_NEXT
    LAUNCH_WAIT
    const u64* source = source_base + source_offset;
    u64* target = target_base + target_offset;
    const u32 count = (u32)count_wide;
    const u32 first = (u32)first_wide;
    const u32 v0 = (u32)threadIdx.x;
    const u32 v1 = count;
    const u32 v2 = (u32)blockIdx.x;
    const u32 v4 = v2 << 10;
    const u32 v5 = v4 + v0;
    const bool v7 = v5 < v1;
    const u64 v8 = (u64)v5;
    const u64 v9 = v7 ? source[v8] : (u64)0x0ul;
    const u32 v10 = first;
    const u32 v11 = v5 + v10;
    const u64 v12 = (u64)v11;
    const u64 v13 = v7 ? table[v12] : (u64)0x0ul;
    const u64 v14 = gl_mul(v9, v13);
    const wide v15 = gl_widen(v14);
    const wide v17 = gl_shift64(v15, (u64)0xcul);
    const u32 v19 = v5 + 256u;
    const bool v20 = v19 < v1;
    const u64 v21 = (u64)v19;
    const u64 v22 = v20 ? source[v21] : (u64)0x0ul;
    const u32 v23 = v11 + 256u;
    const u64 v24 = (u64)v23;
    const u64 v25 = v20 ? table[v24] : (u64)0x0ul;
    const u64 v26 = gl_mul(v22, v25);
    const wide v27 = gl_widen(v26);
    const wide v28 = gl_shift64(v27, (u64)0xcul);
    const u32 v30 = v5 + 512u;
    const bool v31 = v30 < v1;
    const u64 v32 = (u64)v30;
    const u64 v33 = v31 ? source[v32] : (u64)0x0ul;
    const u32 v34 = v11 + 512u;
    const u64 v35 = (u64)v34;
    const u64 v36 = v31 ? table[v35] : (u64)0x0ul;
    const u64 v37 = gl_mul(v33, v36);
    const wide v38 = gl_widen(v37);
    const wide v39 = gl_shift64(v38, (u64)0xcul);
    const u32 v41 = v5 + 768u;
    const bool v42 = v41 < v1;
    const u64 v43 = (u64)v41;
    const u64 v44 = v42 ? source[v43] : (u64)0x0ul;
    const u32 v45 = v11 + 768u;
    const u64 v46 = (u64)v45;
    const u64 v47 = v42 ? table[v46] : (u64)0x0ul;
    const u64 v48 = gl_mul(v44, v47);
    const wide v49 = gl_widen(v48);
    const wide v50 = gl_shift64(v49, (u64)0xcul);
    const wide v52 = gl_widen((u64)0x0ul);
    const wide v53 = gl_sub(v52, v17);
    const u64 v54 = gl_narrow(v53);
    const u64 v55 = gl_reduce(v54);
    if (v7) {
        target[v8] = v55;
    }
    const wide v56 = gl_sub(v52, v28);
    const u64 v57 = gl_narrow(v56);
    const u64 v58 = gl_reduce(v57);
    if (v20) {
        target[v21] = v58;
    }
    const wide v59 = gl_sub(v52, v39);
    const u64 v60 = gl_narrow(v59);
    const u64 v61 = gl_reduce(v60);
    if (v31) {
        target[v32] = v61;
    }
    const wide v62 = gl_sub(v52, v50);
    const u64 v63 = gl_narrow(v62);
    const u64 v64 = gl_reduce(v63);
    if (v42) {
        target[v43] = v64;
    }
}
