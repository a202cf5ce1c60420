//! How work-groups make up the crews of a near ring, before all else.
//!
//! Those of a crew are on one side of the second-level cache, and of one age: of two that share a unit, the one that came
//! first goes before the other, whose crew would be waited for. Crews of the former take more transforms
//! ([`crate::plan::Sharing`]).

use super::*;
use crate::plan::{SHARES, Sharing};

/// A work-group times additions of nothing to the ring's first pair of memories, so that it knows on which side it is, and to
/// its part of the other pairs, which have been asked for before. Then it takes a number among those of its side and age: the
/// counts of a side's first comers and of the others are halves of one. When all have, each knows how many crews there are on
/// either side; those left over make up crews of both, which take memory of both. A side's first crews are those of its first
/// comers: so many `first` ones, and from number `begin` on so many `second` ones, share transforms up to a cut, the others
/// those behind it.
const JOINING: &str = r#"#define LATER 65536u
FUNCTION u32 first_comers(u32 counts) { return counts % LATER; }
FUNCTION u32 all_of(u32 counts) { return counts % LATER + counts / LATER; }
FUNCTION u32 time_of(char* place, volatile u32* seen)
{
    u32 begin, end, found;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(begin) :: "memory");
    asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 0;" : "=r"(found) : "l"(place) : "memory");
    *seen = found;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(end) :: "memory");
    return end - begin;
}
FUNCTION void ask_for(const char* place) { asm volatile("prefetch.global.L2 [%0];" :: "l"(place) : "memory"); }
FUNCTION char* probe(char* ring, u32 pair)
{
    return ring + (u64)pair * (2u * SIDE_BYTES) + blockIdx.x * 128u % SIDE_BYTES;
}
FUNCTION u32 nearer(char* place, volatile u32* seen)
{
    return time_of(place, seen) > time_of(place + SIDE_BYTES, seen);
}
FUNCTION void share_by_age(u32* share, u32 crew, u32 crews, u32 batch, u32 first, u32 begin, u32 second)
{
    first = min(first, crews);
    second = begin < crews ? min(second, crews - begin) : 0u;
    const u32 ahead = first + second, behind = crews - ahead;
    const u32 parts = ahead * SHARE_AHEAD + behind * SHARE_BEHIND;
    const u32 cut = behind > 0 ? ahead * (u32)((u64)batch * SHARE_AHEAD / parts) : batch;
    const bool is_ahead = crew < first || crew - begin < second;
    const u32 before = crew < begin ? 0u : is_ahead ? begin - first : second;
    const u32 start = is_ahead ? crew - before : cut + crew - first - before;
    const u32 end = is_ahead ? cut : batch, stride = is_ahead ? ahead : behind;
    share[0] = start;
    share[1] = stride;
    share[2] = start < end ? (end - start + stride - 1) / stride : 0u;
}
FUNCTION void join_crew(char* ring, u32* taken, unsigned char* nearest, u32 crews, u32 batch, u32* local)
{
    const u32 warp = threadIdx.x / 32u, lane = threadIdx.x % 32u, pairs = crews * PAIRS;
    if (lane < 2u) {
        if (warp == 0) ask_for(probe(ring, 0) + lane * SIDE_BYTES);
        for (u32 pair = blockIdx.x * WARPS + warp; pair < pairs; pair += gridDim.x * WARPS)
            ask_for(probe(ring, pair) + lane * SIDE_BYTES);
    }
    if (threadIdx.x == 0) local[WARPS] = nearer(probe(ring, 0), local);
    __syncthreads();
    const u32 side = local[WARPS];
    if (lane == 0)
        for (u32 pair = blockIdx.x * WARPS + warp; pair < pairs; pair += gridDim.x * WARPS)
            nearest[pair] = nearer(probe(ring, pair), local + warp) ^ side;
    __syncthreads();
    if (threadIdx.x == 0) {
        u32 slot, before, first, second;
        asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
        const bool is_later = slot >= WARPS;
        asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;"
            : "=r"(before) : "l"(taken + side), "r"(is_later ? LATER : 1u) : "memory");
        do {
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(first) : "l"(taken) : "memory");
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(second) : "l"(taken + 1) : "memory");
        } while (all_of(first) + all_of(second) < gridDim.x);
        const u32 number = is_later ? first_comers(side ? second : first) + before / LATER : before % LATER;
        const u32 crews_first = all_of(first) / CREW, crews_second = all_of(second) / CREW;
        const bool is_left = number >= (side ? crews_second : crews_first) * CREW;
        const u32 others = is_left ? (side ? all_of(first) : crews_second * CREW) : (side ? crews_first * CREW : 0u);
        local[0] = others + number;
        local[1] = is_left ? 2 : side;
        if (BY_AGE && local[0] / CREW < crews)
            share_by_age(local + 2, local[0] / CREW, crews, batch, first_comers(first) / CREW, crews_first,
                first_comers(second) / CREW);
    }
    __syncthreads();
}
"#;

/// What stands before the rounds where crews share by age.
pub(super) const TAKE_SHARE: &str = "    const u32 start = ((const u32*)memory)[2], stride = ((const u32*)memory)[3];\n    \
     const u32 rounds = ((const u32*)memory)[4];\n    \
     if (rounds == 0) return;\n";

/// The functions for a ring.
pub(super) fn functions(ring: Ring) -> String {
    let (ahead, behind) = SHARES;
    let by_age = u32::from(ring.sharing == Sharing::ByAge);
    format!("#define BY_AGE {by_age}u\n#define SHARE_AHEAD {ahead}u\n#define SHARE_BEHIND {behind}u\n{JOINING}")
}
