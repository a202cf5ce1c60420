/* p = 2^31 - 1, and words are signed, from -p to p. w is even, twice a factor: x w / 2 mod p, as 2^31 = 1. Less p 2^31, which is
   even, too, x w is not positive, and what is left of it from -p to p, as well. */
FUNCTION u32 m31_mul(u32 x, u32 w) {
    const long twice = (long)(int)x * (int)w - 0x3fffffff80000000l;
    return (u32)(twice >> 32) + ((u32)twice >> 1);
}
