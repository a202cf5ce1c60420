/* Elements that BP_TEAM neighbouring threads of a warp share: each has BP_K consecutive digits, the first thread the lowest.
   All threads of the warp come to every function together. */

/* The thread's place in its team. */
FUNCTION u32 team_lane(void) { return (u32)THREAD % BP_TEAM; }

/* x as a thread of the team has it; places are taken modulo BP_TEAM. */
FUNCTION u32 team_word(u32 x, u32 lane) {
    u32 y;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, %4;"
        : "=r"(y) : "r"(x), "r"(lane), "r"(((32 - BP_TEAM) << 8) | 31), "r"(WARP_MASK));
    return y;
}

FUNCTION digit team_digit(digit x, u32 lane) {
#if BP_BITS == 32
    return team_word(x, lane);
#else
    return (u64)team_word((u32)(x >> 32), lane) << 32 | team_word((u32)x, lane);
#endif
}

/* Bit i says whether thread i of the warp has the flag. */
FUNCTION u32 warp_ballot(bool flag) {
    u32 mask;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
        : "=r"(mask) : "r"(flag ? 1 : 0), "r"(WARP_MASK));
    return mask;
}

/* Whether all threads of the team have it. */
FUNCTION bool team_all(bool flag) {
    const u32 all = 0xffffffffu >> (32 - BP_TEAM), first = (u32)THREAD % 32 / BP_TEAM * BP_TEAM;
    return (warp_ballot(flag) >> first & all) == all;
}

/* What the thread before gives on; what comes out of the last is negated at the first, since r^k = -1. */
FUNCTION int team_before(int c) {
    const u32 lane = team_lane();
    const int before = (int)team_word((u32)c, lane + BP_TEAM - 1);
    return lane == 0 ? -before : before;
}

/* The carry goes on from a thread's digit of that number to the others, and out of the last. */
FUNCTION void team_ripple(big *z, int *c, int first) {
    #pragma unroll 1
    for (int i = first; i < BP_K; i++) z->d[i] = bp_carry(z->d[i], c);
}

/* z + c r^first in every thread, and so on. The threads take up what comes in one after the other: in all at once carries
   could follow each other around for ever, as those of -1 do, which digits below r have no place for. */
RARELY big team_carry_on(big z, int c, int first) {
    const u32 lane = team_lane(), last = BP_TEAM - 1;
    team_ripple(&z, &c, first);
    for (u32 turn = 1; warp_ballot(c != 0) != 0; turn = (turn + 1) % BP_TEAM) {
        if (turn == 0) {
            digit any = 0;
            #pragma unroll 1
            for (int i = 0; i < BP_K; i++) any |= z.d[i];
            if (team_all(any == 0 && c == (lane == last ? 1 : 0))) {
                if (lane == last) z.d[BP_K - 1] = BP_R;
                c = 0;
            }
        }
        int more = team_before(c);
        if (lane == turn) {
            team_ripple(&z, &more, 0);
            c += more;
        } else if (lane == (turn + last) % BP_TEAM) {
            c = 0;
        }
    }
    return z;
}

/* Digits, and what comes out of each thread's last, brought together. It seldom goes farther than the next digit. */
FUNCTION big team_carry(big z, int c) {
    c = team_before(c);
    z.d[0] = bp_carry(z.d[0], &c);
    return warp_ballot(c != 0) == 0 ? z : team_carry_on(z, c, 1);
}

/* a + b r^s for s below 2k, where b's digits have moved up by s already: those that fell off the top are subtracted, or
   the others, from s = k on. A digit y is subtracted as r - y, which is one too much above. */
FUNCTION big team_add(big a, big b, u32 s) {
    const bool minus = s >= BP_TEAM * BP_K;
    const u32 m = minus ? s - BP_TEAM * BP_K : s, place = team_lane() * BP_K;
    int carry = 0;
    #pragma unroll
    for (u32 i = 0; i < BP_K; i++) {
        const bool negative = (place + i < m) != minus;
        const digit x = a.d[i], y = negative ? BP_R - b.d[i] : b.d[i];
        digit t = x + y;
        int c = negative ? -1 : 0;
        if (t < x || t >= BP_R) {
            t -= BP_R;
            c += 1;
        }
        a.d[i] = bp_carry(t, &carry);
        carry += c;
    }
    return team_carry(a, carry);
}

/* The same for a number s that is known when the text is compiled. */
FUNCTION big bp_sum(big a, big b, const u32 s) {
    big moved;
    #pragma unroll
    for (u32 i = 0; i < BP_K; i++) {
        const u32 from = (BP_TEAM * BP_K + i - s % (BP_TEAM * BP_K)) % (BP_TEAM * BP_K), lanes = from / BP_K;
        moved.d[i] = lanes == 0 ? b.d[from % BP_K] : team_digit(b.d[from % BP_K], team_lane() + lanes);
    }
    return team_add(a, moved, s);
}

/* x r^s for 0 <= s < 2k, which may differ from team to team. */
FUNCTION big bp_rotate(big x, u32 s) {
    big zero, moved;
    const u32 digits = s % BP_K, lane = team_lane() + BP_TEAM - s / BP_K % BP_TEAM;
    #pragma unroll
    for (u32 step = 1; step < BP_K; step *= 2) {
        #pragma unroll
        for (u32 i = 0; i < BP_K; i++) moved.d[i] = digits & step ? x.d[(i + BP_K - step) % BP_K] : x.d[i];
        x = moved;
    }
    #pragma unroll
    for (u32 i = 0; i < BP_K; i++) {
        moved.d[i] = team_digit(x.d[i], i < digits ? lane + BP_TEAM - 1 : lane);
        zero.d[i] = 0;
    }
    return team_add(zero, moved, s);
}

/* t += x y, three words. */
FUNCTION void team_accumulate(digit *t, digit x, digit y) {
#if BP_BITS == 32
    asm("mad.lo.cc.u32 %0, %3, %4, %0; madc.hi.cc.u32 %1, %3, %4, %1; addc.u32 %2, %2, 0;"
        : "+r"(t[0]), "+r"(t[1]), "+r"(t[2]) : "r"(x), "r"(y));
#else
    asm("mad.lo.cc.u64 %0, %3, %4, %0; madc.hi.cc.u64 %1, %3, %4, %1; addc.u64 %2, %2, 0;"
        : "+l"(t[0]), "+l"(t[1]), "+l"(t[2]) : "l"(x), "l"(y));
#endif
}

/* The negacyclic convolution of the digits. Every thread computes the sums of its own digits, from blocks of BP_K digits:
   block b of y and block lane - b of x, and the one before, for b from the last to the first. Products with blocks of x
   that went around are negative. They come first, and their sum is taken from an offset that keeps the whole positive, k r^2,
   of which each quotient but a thread's first takes k r away again. */
FUNCTION big bp_mul(big x, big y) {
    const u32 lane = team_lane();
    digit t[BP_K][3];
    #pragma unroll
    for (int i = 0; i < BP_K; i++) t[i][0] = t[i][1] = t[i][2] = 0;
    big above = x;
    #pragma unroll 1
    for (int block = BP_TEAM - 1; block >= 0; block--) {
        big of_y, of_x;
        #pragma unroll
        for (int j = 0; j < BP_K; j++) {
            of_y.d[j] = team_digit(y.d[j], block);
            of_x.d[j] = team_digit(x.d[j], lane + BP_TEAM - block);
        }
        #pragma unroll
        for (int i = 0; i < BP_K; i++) {
            #pragma unroll
            for (int j = i + 1; j < BP_K; j++) team_accumulate(t[i], above.d[BP_K + i - j], of_y.d[j]);
            if (block == (int)lane) {
                if (i == 0) bp_negate(t[i], BP_FIRST);
                else bp_negate(t[i], BP_OFFSET);
            }
            #pragma unroll
            for (int j = 0; j <= i; j++) team_accumulate(t[i], of_x.d[i - j], of_y.d[j]);
        }
        above = of_x;
    }
    big z;
    digit q0 = 0, q1 = 0, rest;
    #pragma unroll
    for (int i = 0; i < BP_K; i++) {
        bp_add3(t[i], q0, q1, 0);
        z.d[i] = bp_divide_sum(t[i], &q1, &q0);
    }
    /* What is left, (q1, q0) - k r, goes to the first two digits of the next thread, or comes back negated. */
    const digit quotient = bp_divide_two(q1, q0, &rest);
    int carry = team_before((int)quotient - BP_TEAM * BP_K);
    rest = team_digit(rest, lane + BP_TEAM - 1);
    const digit low = z.d[0], other = lane == 0 ? BP_R - rest : rest;
    digit sum = low + other;
    int c = lane == 0 ? -1 : 0;
    if (sum < low || sum >= BP_R) {
        sum -= BP_R;
        c += 1;
    }
    z.d[0] = sum;
    carry += c;
    z.d[1] = bp_carry(z.d[1], &carry);
    return warp_ballot(carry != 0) == 0 ? z : team_carry_on(z, carry, 2);
}
