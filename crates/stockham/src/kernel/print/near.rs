//! Rings that are near to their crews.
//!
//! The second-level cache of an H200 has two sides, each of them near to one half of the multiprocessors, and what goes to the
//! other side goes through a passage that is narrower than the rest: a copy of memory fills nine tenths of it. So a crew's
//! work-groups are on the same side, as far as they can be; and the ring has twice the memory that it needs, in pairs of
//! [`SIDE_BYTES`], one of them on either side, of which a crew takes what is near. Which that is, a kernel finds out itself, by
//! the time that an answer takes. Were it wrong, it would be slower, and no less right: all go by the same list.
//!
//! There is memory for one transform of a crew, seen as a square of blocks, one for each pair of its work-groups. A
//! work-group fetches a row of the square, and has then only its own blocks of the next transform to put there: so it need
//! not ask what the others have fetched, but only wait for what it fetches itself. In the next round it fetches a column.
//!
//! The block on the diagonal is the work-group's own in every round, and may stay in local memory ([`kept`]).

use super::*;
use crate::plan::{MOST_LANDINGS, Pieces, SIDE_BYTES};

/// The counts begin behind a barrier, as racecheck takes that for a write to the start of local memory, which threads have read.
///
/// Both fences that copies from the ring need. The one of all memories waits for what the warp has stored, too, and took 5 % of
/// the time.
const FUNCTIONS: &str = r#"FUNCTION void begin_landing(u64* landed)
{
    __syncthreads();
    if (threadIdx.x < LANDINGS)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at(landed + threadIdx.x)) : "memory");
}
FUNCTION void await_landings(u64* landed, u32 phase)
{
    for (u32 i = 0; i < LANDINGS; i++) await_count(landed + i, phase);
}
FUNCTION void fetch_pieces(char* to, const char* ring, const u32* places, u32 member, u64* landed)
{
    if (threadIdx.x < LANDINGS) {
        const u32 kept = KEEPS && threadIdx.x == member / (CREW / LANDINGS) ? BLOCK_BYTES : 0u;
        asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }"
            :: "r"(at(landed + threadIdx.x)), "r"(TILE_BYTES / LANDINGS - kept) : "memory");
    }
    if (threadIdx.x % 32u > 0) return;
    asm volatile("fence.proxy.async.shared::cta; fence.proxy.async.global;" ::: "memory");
    for (u32 i = threadIdx.x / 32u; i < PIECES; i += WARPS) {
        if (KEEPS && places[i] >= KEPT) continue;
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
            :: "r"(at(to) + i * PIECE_BYTES), "l"(ring + (u64)places[i] * ELEMENT_BYTES), "r"(PIECE_BYTES),
               "r"(at(landed + i / (PIECES / LANDINGS))) : "memory");
    }
}
"#;

/// How a work-group finds its place, before all else. It times additions of nothing to the ring's first pair of memories, so
/// that it knows on which side it is, and to its part of the other pairs; and takes a number on its side. When all have, each
/// knows how many crews there are on either side; those left over make up crews of both, which take memory of both.
const JOINING: &str = r#"FUNCTION u32 time_of(char* place, volatile u32* seen)
{
    u32 least = ~0u;
    for (u32 i = 0; i < 3; i++) {
        u32 begin, end, found;
        asm volatile("mov.u32 %0, %%clock;" : "=r"(begin) :: "memory");
        asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 0;" : "=r"(found) : "l"(place) : "memory");
        *seen = found;
        asm volatile("mov.u32 %0, %%clock;" : "=r"(end) :: "memory");
        least = min(least, end - begin);
    }
    return least;
}
FUNCTION u32 nearer(char* pair, volatile u32* seen)
{
    char* const place = pair + blockIdx.x * 128u % SIDE_BYTES;
    return time_of(place, seen) > time_of(place + SIDE_BYTES, seen);
}
FUNCTION void join_crew(char* ring, u32* taken, unsigned char* nearest, u32 pairs, u32* local)
{
    const u32 warp = threadIdx.x / 32u;
    if (threadIdx.x == 0) local[WARPS] = nearer(ring, local);
    __syncthreads();
    const u32 side = local[WARPS];
    if (threadIdx.x % 32u == 0)
        for (u32 pair = blockIdx.x * WARPS + warp; pair < pairs; pair += gridDim.x * WARPS)
            nearest[pair] = nearer(ring + (u64)pair * (2u * SIDE_BYTES), local + warp) ^ side;
    __syncthreads();
    if (threadIdx.x == 0) {
        u32 number, first, second;
        asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(number) : "l"(taken + side) : "memory");
        do {
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(first) : "l"(taken) : "memory");
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(second) : "l"(taken + 1) : "memory");
        } while (first + second < gridDim.x);
        const u32 crews_first = first / CREW * CREW, crews_second = second / CREW * CREW;
        const bool is_left = number >= (side ? crews_second : crews_first);
        const u32 before = is_left ? (side ? first : crews_second) : (side ? crews_first : 0);
        local[0] = before + number;
        local[1] = is_left ? 2 : side;
    }
    __syncthreads();
}
FUNCTION void find_places(u32* places, const unsigned char* nearest, u32 crew, u32 member, u32 side)
{
    for (u32 i = threadIdx.x; i < 2u * PIECES; i += blockDim.x) {
        const u32 piece = i % PIECES, block = piece / (PIECES / CREW), part = piece % (PIECES / CREW) * PIECE_BYTES;
        const u32 row = i < PIECES ? member : block, column = i < PIECES ? block : member;
        const u32 within = row * TILE_BYTES + column * (TILE_BYTES / CREW) + part;
        const u32 pair = crew * PAIRS + within / SIDE_BYTES;
        const u32 near = (side < 2u ? __ldcg(nearest + pair) ^ side : pair) & 1u;
        const u32 shared = (pair * (2u * SIDE_BYTES) + near * SIDE_BYTES + within % SIDE_BYTES) / ELEMENT_BYTES;
        places[i] = KEEPS && row == column ? KEPT + part / ELEMENT_BYTES : shared;
    }
}
"#;

/// The functions that the kernel calls, for a ring whose crews have so many pairs each, with so many bytes of local memory before
/// what is here.
pub(super) fn functions(kernel: &Kernel, pieces: &Pieces, pairs: usize, before: usize) -> String {
    let element_bytes = kernel.element_bytes();
    let names = [
        ("LANDINGS", pieces.landings()),
        ("ELEMENT_BYTES", element_bytes),
        ("PIECE_BYTES", pieces.piece * element_bytes),
        ("PIECES", pieces.count()),
        ("BLOCK", pieces.block),
        ("BLOCK_BYTES", pieces.block * element_bytes),
        ("KEEPS", usize::from(pieces.keeps)),
        ("KEPT", kept::MARK),
        ("SIDE_BYTES", SIDE_BYTES),
        ("PAIRS", pairs),
    ];
    let definitions: String = names.iter().map(|(name, value)| format!("#define {name} {value}u\n")).collect();
    let keeping = if pieces.keeps { kept::functions(kernel, before + lists_bytes(pieces)) } else { String::new() };
    format!("{definitions}{FUNCTIONS}{JOINING}{keeping}")
}

/// Where local memory ends, in bytes, with the lists and what is kept behind so many others.
pub(super) fn end(kernel: &Kernel, pieces: &Pieces, before: usize) -> usize {
    let lists = before + lists_bytes(pieces);
    if pieces.keeps { kept::end(kernel, pieces, lists) } else { lists }
}

/// Bytes of counts of what has landed, and of lists of where the pieces are to fetch from and to store to in even rounds, and the
/// other way around in odd ones.
fn lists_bytes(pieces: &Pieces) -> usize {
    MOST_LANDINGS * ahead::COUNT_BYTES + 2 * pieces.count() * size_of::<u32>()
}

/// What stands before the rounds: which crew the work-group is of, and where that has the ring.
pub(super) fn begin(text: &mut String) -> std::fmt::Result {
    write!(
        text,
        "    u64* const landed = arrivals + {};\n    \
         u32* const all_places = (u32*)(landed + {MOST_LANDINGS});\n    \
         ring += (0ul - (u64)ring) % (2u * SIDE_BYTES) / ELEMENT_BYTES;\n    \
         unsigned char* const nearest = (unsigned char*)(counts + counts_offset + (crews + 1u) * COUNT_BYTES);\n    \
         join_crew((char*)ring, (u32*)(counts + counts_offset + crews * COUNT_BYTES), nearest, crews * PAIRS, (u32*)memory);\n    \
         const u32 joined = ((const u32*)memory)[0], side = ((const u32*)memory)[1];\n    \
         const u32 crew = joined / CREW, member = joined % CREW;\n    \
         if (crew >= crews) return;\n    \
         find_places(all_places, nearest, crew, member, side);\n    begin_landing(landed);\n",
        ring::COUNTS
    )
}

/// Where the first pass of a round stores to.
pub(super) const TARGET: &str = "ring";

/// Where the pieces are that a part stores, and what is kept of the transform that it works on.
pub(super) fn places(kernel: &Kernel, part: usize) -> String {
    let Some(pieces) = &kernel.pieces else { return String::new() };
    let mut text = String::new();
    if part == 0 {
        text.push_str("    const u32* const places = all_places + (round & 1u ? 0u : PIECES);\n");
    }
    if pieces.keeps {
        text.push_str(&kept::place(kernel, part));
    }
    text
}

/// The tile of the second pass of a round's transform.
pub(super) fn fetch_second(round: &str) -> String {
    format!("fetch_pieces(memory, (const char*)ring, all_places + (({round}) & 1u ? PIECES : 0u), member, landed);")
}

/// What a part says where its input is to have come.
pub(super) fn fetched(part: usize) -> &'static str {
    match part {
        0 => "    await_count(arrivals, round & 1u);\n",
        _ => "    await_landings(landed, (round - 1u) & 1u);\n",
    }
}

/// What the first pass says before it stores where that part of the next tile has landed from.
pub(super) fn landed(number: usize) -> String {
    format!("    if (round > 0) await_count(landed + {number}, (round - 1u) & 1u);\n")
}
