/* Elements that a thread has for itself. BP_K is k. */

/* z + c r + ... where c goes on from digit 0 to the others, and around. */
RARELY big bp_wrap_on(big z, int c) {
    int first = 1;
    while (c != 0) {
        #pragma unroll 1
        for (int i = first; i < BP_K; i++) if (c != 0) z.d[i] = bp_carry(z.d[i], &c);
        digit any = 0;
        #pragma unroll 1
        for (int i = 0; i < BP_K; i++) any |= z.d[i];
        if (c == 1 && any == 0) {
            z.d[BP_K - 1] = BP_R;
            break;
        }
        c = -c;
        first = 0;
    }
    return z;
}

/* z + c r^k for digits below r: c comes back negated at digit 0, since r^k = -1. It seldom goes farther. */
ANY big bp_wrap(big z, int c) {
    c = -c;
    z.d[0] = bp_carry(z.d[0], &c);
    return c == 0 ? z : bp_wrap_on(z, c);
}

/* a + b r^s for 0 <= s < 2k: the digits of b move up by s mod k, and what falls off the top comes back negated. */
ANY big bp_sum(big a, big b, u32 s) {
    const bool minus = s >= BP_K;
    const u32 m = minus ? s - BP_K : s;
    big z;
    int carry = 0;
    ROLLED
    for (u32 i = 0; i < BP_K; i++) {
        const digit x = a.d[i], y = b.d[(i + BP_K - m) % BP_K];
        digit t;
        int c = 0;
        if ((i < m) != minus) {
            t = x - y;
            if (x < y) {
                t += BP_R;
                c = -1;
            }
        } else {
            t = x + y;
            if (t < x || t >= BP_R) {
                t -= BP_R;
                c = 1;
            }
        }
        /* A digit r of -1 may leave one more. */
        if (t >= BP_R) {
            t -= BP_R;
            c += 1;
        }
        z.d[i] = bp_carry(t, &carry);
        carry += c;
    }
    return bp_wrap(z, carry);
}

/* x r^s for 0 <= s < 2k */
ANY big bp_rotate(big x, u32 s) {
    big zero;
    ROLLED
    for (int i = 0; i < BP_K; i++) zero.d[i] = 0;
    return bp_sum(zero, x, s);
}

/* The negacyclic convolution of the digits, each sum divided by r on its way: the quotient goes on to the next digit.
   So that no sum is negative, k r^2 is added to each, whose quotient k r is taken away again from the next. */
ANY big bp_mul(big x, big y) {
    big z;
    digit q0 = 0, q1 = 0;
    ROLLED
    for (int i = 0; i < BP_K; i++) {
        digit t[3] = {0, 0, 0};
        ROLLED
        for (int j = i + 1; j < BP_K; j++) bp_accumulate(t, x.d[j], y.d[BP_K + i - j]);
        if (i == 0) bp_negate(t, BP_FIRST);
        else bp_negate(t, BP_OFFSET);
        ROLLED
        for (int j = 0; j <= i; j++) bp_accumulate(t, x.d[j], y.d[i - j]);
        bp_add3(t, q0, q1, 0);
        z.d[i] = bp_divide_sum(t, &q1, &q0);
    }
    /* What is left, (q1, q0) - k r, comes back negated at digits 0 and 1. */
    digit s0;
    const digit s1 = bp_divide_two(q1, q0, &s0);
    int carry = 0;
    if (z.d[0] < s0) {
        z.d[0] += BP_R;
        carry = -1;
    }
    z.d[0] -= s0;
    carry += BP_K - (int)s1;
    ROLLED
    for (int i = 1; i < BP_K; i++) if (carry != 0) z.d[i] = bp_carry(z.d[i], &carry);
    return bp_wrap(z, carry);
}
