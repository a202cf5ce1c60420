/* An element of Z/p is its residue below p in BP_K words of 64 bits, the lowest first; p is below half of R = 2^(64 k).
   BP_INVERSE is -1/p mod 2^64. */
typedef u64 digit;
typedef struct { u64 d[BP_K]; } big;

/* z - p where that is not negative */
FUNCTION big bp_reduced(big z) {
    big t;
    u64 borrow = 0;
    UNROLL
    for (int i = 0; i < BP_K; i++) {
        const u64 s = z.d[i] - BP_P[i];
        t.d[i] = s - borrow;
        borrow = (u64)(z.d[i] < BP_P[i]) | (u64)(s < borrow);
    }
    UNROLL
    for (int i = 0; i < BP_K; i++) z.d[i] = borrow ? z.d[i] : t.d[i];
    return z;
}

/* a + b */
FUNCTION big bp_add(big a, big b) {
    u64 carry = 0;
    UNROLL
    for (int i = 0; i < BP_K; i++) {
        const u64 s = a.d[i] + b.d[i];
        b.d[i] = s + carry;
        carry = (u64)(s < a.d[i]) | (u64)(b.d[i] < carry);
    }
    return bp_reduced(b);
}

/* a - b */
FUNCTION big bp_subtract(big a, big b) {
    u64 borrow = 0;
    UNROLL
    for (int i = 0; i < BP_K; i++) {
        const u64 s = a.d[i] - b.d[i], less = (u64)(a.d[i] < b.d[i]) | (u64)(s < borrow);
        b.d[i] = s - borrow;
        borrow = less;
    }
    /* p where that was negative */
    u64 carry = 0;
    const u64 mask = 0 - borrow;
    UNROLL
    for (int i = 0; i < BP_K; i++) {
        const u64 y = BP_P[i] & mask, s = b.d[i] + y;
        b.d[i] = s + carry;
        carry = (u64)(s < y) | (u64)(b.d[i] < carry);
    }
    return b;
}

/* x y / R: word by word of x, with the multiple of p that clears the lowest word of the sum (Koc, Acar and Kaliski) */
PRODUCT big bp_mul_any(big x, big y) {
    big z;
    UNROLL
    for (int i = 0; i < BP_K; i++) z.d[i] = 0;
    ROWS
    for (int i = 0; i < BP_K; i++) {
        const u64 a = x.d[i];
        u64 carry = 0;
        UNROLL
        for (int j = 0; j < BP_K; j++) {
            const u64 low = a * y.d[j], s = low + z.d[j];
            z.d[j] = s + carry;
            carry = mul_hi64(a, y.d[j]) + (u64)(s < low) + (u64)(z.d[j] < carry);
        }
        const u64 top = carry, m = z.d[0] * BP_INVERSE;
        /* The lowest word becomes 0, with a carry unless it was. */
        carry = mul_hi64(m, BP_P[0]) + (u64)(z.d[0] != 0);
        UNROLL
        for (int j = 1; j < BP_K; j++) {
            const u64 low = m * BP_P[j], s = low + z.d[j], t = s + carry;
            carry = mul_hi64(m, BP_P[j]) + (u64)(s < low) + (u64)(t < carry);
            z.d[j - 1] = t;
        }
        z.d[BP_K - 1] = top + carry;
    }
    return bp_reduced(z);
}
