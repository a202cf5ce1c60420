//! Two kernels as one, whose work-groups stay, in crews: in turn they do a tile of the first pass of a share and one of
//! the second pass of the share before, through a ring in memory ([`crate::plan::Ring`]).
//!
//! Round t of a crew's T shares is the first pass of t and the second of t − 1. A work-group fetches its next tile in
//! either part, as soon as the present one's exchanges are over:
//!
//! - In the first part of round t > 0 that of the second pass of t − 1, which is there when all of the crew have stored t
//!   times. The slot where this part is about to store is free when all have fetched the second pass of t − 2.
//! - In the second part of round t that of the first pass of t + 1, which is in the input, and in the last but one round
//!   that of the second pass of t, as nothing is left of the first.
//!
//! A count says how many tiles the crew has stored, and another how many it has fetched to the end. Each is told as soon as
//! it is so, and asked for before the last barrier of the next exchange, so that the answer is there behind it. A crew with
//! a single share has no time between.

use super::*;
use crate::algebra::{Algebra, Primitives};
use crate::plan::{COUNT_BYTES, MOST_LANDINGS, Ring, SIDE_BYTES};

/// What a work-group tells its crew to have stored must not be seen before it is, by all its warps: these arrive at an
/// `mbarrier`, and one thread alone waits for them. What it tells to be done with has come by then. What the others fetch
/// comes from the second-level cache by a way of its own, so that nothing has to be invalidated: an acquire would empty the
/// nearest cache.
const FUNCTIONS: &str = r#"FUNCTION void begin_storing(u64* stored)
{
    if (threadIdx.x > 0) return;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(stored)), "n"(WARPS) : "memory");
    for (u32 i = 1; i <= LANDINGS; i++)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at(stored + i)) : "memory");
}
FUNCTION void announce_stored(u64* stored, u32 phase, u32* count)
{
    __syncwarp();
    if (threadIdx.x % 32u == 0)
        asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" :: "r"(at(stored)) : "memory");
    if (threadIdx.x == 0) {
        await_count(stored, phase);
        asm volatile("red.release.gpu.global.add.u32 [%0], 1;" :: "l"(count) : "memory");
    }
}
FUNCTION u32 ask_crew(const u32* count)
{
    u32 found = 0;
    if (threadIdx.x == 0) asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(found) : "l"(count) : "memory");
    return found;
}
FUNCTION void await_crew(const u32* count, u32 found, u32 stored)
{
    if (threadIdx.x == 0)
        while (found < stored) found = ask_crew(count);
}
FUNCTION void fetch_pieces(char* to, const char* ring, const u32* places, u64* landed)
{
    if (threadIdx.x < LANDINGS)
        asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }"
            :: "r"(at(landed + threadIdx.x)), "r"(TILE_BYTES / LANDINGS) : "memory");
    if (threadIdx.x % 32u > 0) return;
    asm volatile("fence.proxy.async;" ::: "memory");
    for (u32 i = threadIdx.x / 32u; i < PIECES; i += WARPS)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
            :: "r"(at(to) + i * PIECE_BYTES), "l"(ring + (u64)places[i] * ELEMENT_BYTES), "r"(PIECE_BYTES),
               "r"(at(landed + i / (PIECES / LANDINGS))) : "memory");
}
"#;

/// How a work-group finds its place, before all else. It times additions of nothing to the ring's first pair of memories, so
/// that it knows on which side it is, and to its part of the other pairs; and takes a number on its side. When all have, each
/// knows how many crews there are on either side; those left over make up crews of both.
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
        u32 number, numbers[2];
        asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(number) : "l"(taken + side) : "memory");
        do {
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(numbers[0]) : "l"(taken) : "memory");
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(numbers[1]) : "l"(taken + 1) : "memory");
        } while (numbers[0] + numbers[1] < gridDim.x);
        const u32 first = numbers[0] / CREW * CREW, second = numbers[1] / CREW * CREW;
        const bool is_left = number >= (side ? second : first);
        local[0] = is_left ? number + (side ? numbers[0] : second) : number + (side ? first : 0);
        local[1] = is_left ? 2 : side;
    }
    __syncthreads();
}
FUNCTION void find_places(u32* places, const unsigned char* nearest, u32 crew, u32 member, u32 side)
{
    for (u32 i = threadIdx.x; i < 2u * PIECES; i += blockDim.x) {
        const u32 piece = i % PIECES, block = piece / (PIECES / CREW), part = piece % (PIECES / CREW) * PIECE_BYTES;
        const u32 within = i < PIECES ? member * TILE_BYTES + block * (TILE_BYTES / CREW) + part
                                      : block * TILE_BYTES + member * (TILE_BYTES / CREW) + part;
        const u32 pair = crew * PAIRS + within / SIDE_BYTES;
        const u32 near = (side < 2u ? __ldcg(nearest + pair) ^ side : pair) & 1u;
        places[i] = (pair * (2u * SIDE_BYTES) + near * SIDE_BYTES + within % SIDE_BYTES) / ELEMENT_BYTES;
    }
}
"#;

/// The text of the kernel for two passes. Its arguments are those of both, the first's
/// before the second's, where the crews' counts are, and how many crews there are.
pub(in crate::kernel) fn print_ring(pair: &[Kernel; 2], ring: (Ring, Algebra), primitives: &Primitives) -> String {
    let printer = |part: usize| Printer {
        kernel: &pair[part],
        dialect: Dialect::Cuda,
        words: Dialect::Cuda.words(),
        waits: false,
        group: "tile_number",
        streamed: Some([Memory::Source, Memory::Target][part]),
        fast: primitives.fast,
        part: Some(part),
    };
    write_ring(&[printer(0), printer(1)], ring, &primitives.text).expect("writing to a string does not fail")
}

/// As in clusters, and beside that the number is known to be less than the work-group's size: so the constant parts of places
/// are parts of instructions, of which there are 7 % fewer. (In clusters that made f64 of 2^23 points 7 % slower.)
fn opaque(group: usize) -> String {
    format!(
        "FUNCTION u32 opaque(u32 x) {{ asm volatile(\"\" : \"+r\"(x)); __builtin_assume(x < {group}u); return x; }}\n"
    )
}

/// Bytes of local memory before the counts: of what has been fetched, and of the warps that have stored.
fn counts(pair: [&Kernel; 2]) -> usize {
    pair.map(Kernel::tile_bytes).into_iter().fold(0, usize::max).next_multiple_of(ahead::COUNT_BYTES)
}

/// Bytes of local memory before the places of pieces, which are those to fetch from and to store to in even rounds, and the
/// other way around in odd ones.
fn places(pair: [&Kernel; 2]) -> usize {
    counts(pair) + (2 + MOST_LANDINGS) * ahead::COUNT_BYTES
}

/// Pieces of a tile.
fn pieces(kernel: &Kernel) -> usize {
    kernel.ring.map_or(1, |(ring, piece)| ring.tile() / piece)
}

/// Bytes of local memory that the kernel has at run time.
pub(in crate::kernel) fn ring_local_bytes(pair: &[Kernel; 2]) -> usize {
    places(pair.each_ref()) + 2 * pieces(&pair[0]) * size_of::<u32>()
}

fn write_ring(
    printers: &[Printer<'_>; 2],
    (ring, algebra): (Ring, Algebra),
    primitives: &str,
) -> Result<String, std::fmt::Error> {
    let kernels = [printers[0].kernel, printers[1].kernel];
    let element = vector(kernels[0].element);
    let mut text = printers[0].head(primitives);
    text.push_str(&opaque(kernels[0].group));
    for (name, value) in [
        ("WARPS", kernels[0].group.div_ceil(WARP)),
        ("CREW", ring.crew),
        ("LANDINGS", ring.landings()),
        ("ELEMENT_BYTES", algebra.element_bytes()),
        ("PIECE_BYTES", ring.piece(algebra) * algebra.element_bytes()),
        ("PIECES", pieces(kernels[0])),
        ("SIDE_BYTES", SIDE_BYTES),
        ("PAIRS", ring.pairs(algebra)),
    ] {
        writeln!(text, "#define {name} {value}u")?;
    }
    text.push_str(FUNCTIONS);
    text.push_str(JOINING);
    let registers = kernels.map(|kernel| kernel.registers);
    let parameters = ["first", "second"].map(|pass| {
        format!(
            "const {element}* {pass}_source, const u64 {pass}_source_offset,\n    \
             {element}* {pass}_target, const u64 {pass}_target_offset,\n    \
             const {element}* __restrict__ {pass}_table, const u64 {pass}_columns"
        )
    });
    write!(
        text,
        "\n{}{} void {}({},\n    {},\n    char* counts, const u64 counts_offset, const u64 crews_wide{})\n{{\n",
        printers[0].words.kernel,
        printers[0].bounds(registers[0].max(registers[1])),
        pair_name(kernels),
        parameters[0],
        parameters[1],
        boxes::PARAMETER
    )?;
    let of_share = kernels[0].ahead.as_ref().map_or(1, |ahead| ahead.columns) * ring.crew;
    write!(
        text,
        "    extern __shared__ __align__({}) char memory[];\n    \
         u64* const arrivals = (u64*)(memory + {});\n    \
         u32* const all_places = (u32*)(memory + {});\n    \
         const u32 crews = (u32)crews_wide;\n    \
         {element}* ring = first_target + first_target_offset;\n    \
         ring += (0ul - (u64)ring) % (2u * SIDE_BYTES) / sizeof({element});\n    \
         counts += counts_offset;\n    \
         u32* const taken = (u32*)(counts + crews * {COUNT_BYTES}u);\n    \
         unsigned char* const nearest = (unsigned char*)(counts + (crews + 1u) * {COUNT_BYTES}u);\n    \
         join_crew((char*)ring, taken, nearest, crews * PAIRS, (u32*)memory);\n    \
         const u32 crew = ((const u32*)memory)[0] / CREW, member = ((const u32*)memory)[0] % CREW;\n    \
         const u32 shares = (u32)(first_columns / {of_share}u);\n    \
         if (crew >= min(crews, shares)) return;\n    \
         find_places(all_places, nearest, crew, member, ((const u32*)memory)[1]);\n    \
         const u32 rounds = (shares - crew + crews - 1) / crews;\n    \
         u32* const count = (u32*)(counts + crew * {COUNT_BYTES}u);\n    \
         const {element}* const input = first_source + first_source_offset;\n    \
         begin_storing(arrivals + 1);\n    begin_fetching(arrivals);\n    {}\n    \
         #pragma unroll 1\n    for (u32 round = 0; round <= rounds; round++) {{\n    \
         if (round < rounds) {{\n",
        ahead::ALIGNMENT,
        counts(kernels),
        places(kernels),
        fetch_first("0"),
    )?;
    part(&mut text, &printers[0], "round", "ring")?;
    write!(
        text,
        "    if (rounds == 1) {{\n    await_crew(count, 0, CREW);\n    __syncthreads();\n    {}\n    }}\n    }}\n    if (round > 0) {{\n",
        fetch_second("0")
    )?;
    part(&mut text, &printers[1], "(round - 1)", "second_target + second_target_offset")?;
    text.push_str("    }\n    }\n}\n");
    Ok(text)
}

/// A pass of one share.
fn part(text: &mut String, printer: &Printer<'_>, round: &str, target: &str) -> std::fmt::Result {
    let kernel = printer.kernel;
    let (element, place, index) = (vector(kernel.element), vector(kernel.tile), name_of(kernel.index_type));
    let pass = ["first", "second"][printer.part.unwrap_or(0)];
    write!(
        text,
        "    const u32 share = crew + {round} * crews, tile_number = share * CREW + member;\n    \
         {element}* const target = {target};\n    \
         const {element}* __restrict__ const table = {pass}_table;\n    \
         const {index} columns = ({index}){pass}_columns;\n    \
         {place}* const tile = ({place}*)memory;\n    \
         {element}* const fetched = ({element}*)memory;\n"
    )?;
    if printer.part == Some(0) {
        text.push_str("    const u32* const places = all_places + (round & 1u ? 0 : PIECES);\n");
    }
    printer.body(text, Variant::Any)
}

/// The tile of the first pass in a round.
fn fetch_first(round: &str) -> String {
    format!("fetch(memory, input, &map, (crew + ({round}) * crews) * CREW + member, arrivals);")
}

/// The tile of the second pass of a round's share.
fn fetch_second(round: &str) -> String {
    format!("fetch_pieces(memory, (const char*)ring, all_places + (({round}) & 1u ? PIECES : 0), arrivals + 2);")
}

/// What a part says at a meeting of the crew, or where the next tile is fetched.
pub(super) fn meeting(part: usize, meeting: Meeting) -> String {
    match (meeting, part) {
        (Meeting::Fetched, 0) => "    await_count(arrivals, round & 1u);\n".into(),
        (Meeting::Fetched, _) => {
            "    for (u32 i = 0; i < LANDINGS; i++) await_count(arrivals + 2 + i, (round - 1u) & 1u);\n".into()
        }
        (Meeting::Landed(i), _) => {
            format!("    if (round > 0) await_count(arrivals + {}, (round - 1u) & 1u);\n", 2 + i)
        }
        (Meeting::Announce, _) => "    announce_stored(arrivals + 1, round & 1u, count);\n".into(),
        (Meeting::AskCrew, 0) => "    const u32 found = round > 0 ? ask_crew(count) : 0;\n".into(),
        (Meeting::AskCrew, _) => "    const u32 found = round + 1 == rounds ? ask_crew(count) : 0;\n".into(),
        (Meeting::CrewReady, 0) => "    if (round > 0) await_crew(count, found, round * CREW);\n".into(),
        (Meeting::CrewReady, _) => "    if (round + 1 == rounds) await_crew(count, found, rounds * CREW);\n".into(),
        (_, 0) => {
            format!("    if (round > 0) {}\n    else if (rounds > 1) {}\n", fetch_second("round - 1"), fetch_first("1"))
        }
        _ => format!(
            "    if (round + 1 < rounds) {}\n    else if (round < rounds) {}\n",
            fetch_first("round + 1"),
            fetch_second("round")
        ),
    }
}
