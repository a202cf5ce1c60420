/* An element of Z/(r^k + 1) is k digits in base r, each below r; only -1 = r^k is (0, ..., 0, r).
   BP_K is how many of them a thread has, and BP_R is r. */
typedef struct { digit d[BP_K]; } big;

/* A rotated element as it is to be: it is already. */
FUNCTION big bp_raise(big x) { return x; }

/* The digit z + c, brought back to 0 <= z < r; the new c is what the next digit has to take up. */
ANY digit bp_carry(digit z, int *c) {
    int next = 0;
    if (*c < 0) {
        const digit less = (digit)-*c;
        BP_REPEAT (z < less) {
            z += BP_R;
            next -= 1;
        }
        z -= less;
    } else {
        digit more = (digit)*c;
        BP_REPEAT (more >= BP_R - z) {
            more -= BP_R - z;
            z = 0;
            next += 1;
        }
        z += more;
    }
    *c = next;
    return z;
}

/* (u1, u0) / d for u1 < d, with the highest bit of d set and v = floor((2^2w - 1) / d) - 2^w (N. Moeller and T. Granlund,
   "Improved division by invariant integers", 2011). */
ANY digit bp_divide(digit u1, digit u0, digit *rest) {
    digit q0 = BP_V * u1, q1 = MUL_HIGH(BP_V, u1);
    q0 += u0;
    q1 += u1 + (q0 < u0 ? 1 : 0) + 1;
    digit r = u0 - q1 * BP_D;
    if (r > q0) {
        q1 -= 1;
        r += BP_D;
    }
    if (r >= BP_D) {
        q1 += 1;
        r -= BP_D;
    }
    *rest = r;
    return q1;
}

/* t += x y, three words */
FUNCTION void bp_accumulate(digit *t, digit x, digit y) {
    const digit low = x * y;
    digit high = MUL_HIGH(x, y);
    t[0] += low;
    high += t[0] < low ? 1 : 0;
    t[1] += high;
    t[2] += t[1] < high ? 1 : 0;
}

FUNCTION void bp_add3(digit *t, digit a0, digit a1, digit a2) {
    t[0] += a0;
    const digit c = t[0] < a0 ? 1 : 0;
    t[1] += c;
    t[2] += t[1] < c ? 1 : 0;
    t[1] += a1;
    t[2] += (t[1] < a1 ? 1 : 0) + a2;
}

/* (q1, q0) and the rest of a sum t of products, divided by r. */
FUNCTION digit bp_divide_sum(const digit *t, digit *q1, digit *q0) {
    const digit u2 = t[2] << BP_SHIFT | HIGH_BITS(t[1]), u1 = t[1] << BP_SHIFT | HIGH_BITS(t[0]);
    digit rest;
    *q1 = bp_divide(u2, u1, &rest);
    *q0 = bp_divide(rest, t[0] << BP_SHIFT, &rest);
    return rest >> BP_SHIFT;
}

/* (q1, q0) / r and the rest. */
FUNCTION digit bp_divide_two(digit q1, digit q0, digit *rest) {
    const digit quotient = bp_divide(q1 << BP_SHIFT | HIGH_BITS(q0), q0 << BP_SHIFT, rest);
    *rest >>= BP_SHIFT;
    return quotient;
}

/* t = start - t, in two's complement. */
FUNCTION void bp_negate(digit *t, digit s0, digit s1, digit s2) {
    t[0] = ~t[0];
    t[1] = ~t[1];
    t[2] = ~t[2];
    bp_add3(t, 1, 0, 0);
    bp_add3(t, s0, s1, s2);
}
