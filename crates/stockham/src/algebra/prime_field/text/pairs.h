
/* x y for a root y below p with its quotient q: x y - [x q / R] p, which is below 2 p, even without what words of x q before the last
   two of the lower half carry (V. Shoup). BP_MINUS is R - p. */
PRODUCT big bp_mul_pair_any(big x, big y, big q) {
    u64 h[2 * BP_K];
    big z;
    UNROLL
    for (int i = 0; i < 2 * BP_K; i++) h[i] = 0;
    UNROLL
    for (int i = 0; i < BP_K; i++) {
        u64 carry = 0;
        UNROLL
        for (int j = i < BP_K - 2 ? BP_K - 2 - i : 0; j < BP_K; j++) {
            const u64 low = x.d[i] * q.d[j], s = low + h[i + j];
            h[i + j] = s + carry;
            carry = mul_hi64(x.d[i], q.d[j]) + (u64)(s < low) + (u64)(h[i + j] < carry);
        }
        h[i + BP_K] = carry;
    }
    UNROLL
    for (int i = 0; i < BP_K; i++) z.d[i] = 0;
    UNROLL
    for (int i = 0; i < 2 * BP_K; i++) {
        const int first = i % BP_K;
        const u64 a = i < BP_K ? x.d[first] : h[i];
        u64 carry = 0;
        UNROLL
        for (int j = 0; j < BP_K - first; j++) {
            const u64 b = i < BP_K ? y.d[j] : BP_MINUS[j], low = a * b, s = low + z.d[first + j];
            z.d[first + j] = s + carry;
            carry = mul_hi64(a, b) + (u64)(s < low) + (u64)(z.d[first + j] < carry);
        }
    }
    return bp_reduced(z);
}
