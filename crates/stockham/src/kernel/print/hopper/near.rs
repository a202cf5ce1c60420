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
use crate::plan::{MOST_LANDINGS, Pieces, Ring, SIDE_BYTES};
use crate::transform::Transform;

/// The counts begin behind a barrier, as racecheck takes that for a write to the start of local memory, which threads have read.
///
/// Both fences that copies from the ring need. The one of all memories waits for what the warp has stored, too.
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
    const u32 others = (WARPS - 1u) * 32u;
    if (ONE_FETCHES ? threadIdx.x < others : threadIdx.x % 32u > 0) return;
    const u32 first = ONE_FETCHES ? threadIdx.x - others : threadIdx.x / 32u;
    asm volatile("fence.proxy.async.shared::cta; fence.proxy.async.global;" ::: "memory");
    for (u32 i = first; i < PIECES; i += ONE_FETCHES ? blockDim.x - others : WARPS) {
        if (KEEPS && places[i] >= KEPT) continue;
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
            :: "r"(at(to) + i * PIECE_BYTES), "l"(ring + (u64)places[i] * ELEMENT_BYTES), "r"(PIECE_BYTES),
               "r"(at(landed + i / (PIECES / LANDINGS))) : "memory");
    }
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

/// Pieces for each warp, up to which one warp fetches all of them, so that the others need no fences.
const FEW_PIECES: usize = 2;

/// The functions that the kernel calls, for the ring of a transform, with so many bytes of local memory before what is here.
pub(super) fn functions(
    kernel: &Kernel,
    pieces: &Pieces,
    (transform, ring): (&Transform, Ring),
    before: usize,
) -> String {
    let element_bytes = kernel.element_bytes();
    let names = [
        ("LANDINGS", pieces.landings()),
        ("ELEMENT_BYTES", element_bytes),
        ("PIECE_BYTES", pieces.piece * element_bytes),
        ("PIECES", pieces.count()),
        ("ONE_FETCHES", usize::from(pieces.count() <= FEW_PIECES * kernel.group.div_ceil(WARP))),
        ("BLOCK", pieces.block),
        ("BLOCK_BYTES", pieces.block * element_bytes),
        ("KEEPS", usize::from(pieces.keeps)),
        ("KEPT", kept::MARK),
        ("SIDE_BYTES", SIDE_BYTES),
        ("PAIRS", ring.pairs(transform)),
    ];
    let definitions: String = names.iter().map(|(name, value)| format!("#define {name} {value}u\n")).collect();
    let keeping = if pieces.keeps { kept::functions(kernel, before + lists_bytes(pieces)) } else { String::new() };
    format!("{definitions}{FUNCTIONS}{}{keeping}", joining::functions(ring))
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
         join_crew((char*)ring, (u32*)(counts + counts_offset + crews * COUNT_BYTES), nearest, crews, batch, (u32*)memory);\n    \
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
    let Some(pieces) = &kernel.hopper.pieces else { return String::new() };
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
