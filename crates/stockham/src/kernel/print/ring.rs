//! Two kernels as one, whose work-groups stay, in crews: in turn they do a tile of the first pass of a transform and one of
//! the second pass of the transform before, through a ring in memory ([`crate::plan::Ring`]).
//!
//! Round t of a crew's T transforms is the first pass of t and the second of t − 1. A work-group fetches its next tile in
//! either part, as soon as the present one's exchanges are over:
//!
//! - In the first part of round t > 0 that of the second pass of t − 1, which is there when all of the crew have stored t
//!   times. The slot where this part is about to store is free when all have fetched the second pass of t − 2.
//! - In the second part of round t that of the first pass of t + 1, which is in the input, and in the last but one round
//!   that of the second pass of t, as nothing is left of the first.
//!
//! A count says how many tiles the crew has stored, and another how many it has fetched to the end. Each is told as soon as
//! it is so, and asked for before the last barrier of the next exchange, so that the answer is there behind it. A crew with
//! a single transform has no time between.
//!
//! What is other in rings that are near to their crews is in [`near`].

use super::*;
use crate::algebra::Primitives;
use crate::plan::{COUNT_BYTES, Ring, SLOTS};
use crate::transform::Transform;

/// What a work-group tells its crew to have stored must not be seen before it is, by all its warps: these arrive at an
/// `mbarrier`, and one thread alone waits for them. What it tells to be done with has come by then. What the others fetch
/// comes from the second-level cache by a way of its own, so that nothing has to be invalidated: an acquire would empty the
/// nearest cache.
const FUNCTIONS: &str = r#"FUNCTION void begin_storing(u64* stored)
{
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(stored)), "n"(WARPS) : "memory");
}
FUNCTION void announce_stored(u64* stored, u32 phase, u64* count)
{
    __syncwarp();
    if (threadIdx.x % 32u == 0)
        asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" :: "r"(at(stored)) : "memory");
    if (threadIdx.x == 0) {
        await_count(stored, phase);
        asm volatile("red.release.gpu.global.add.u32 [%0], 1;" :: "l"(count) : "memory");
    }
}
FUNCTION void announce_landed(u64* count)
{
    if (threadIdx.x == 0) asm volatile("red.relaxed.gpu.global.add.u32 [%0 + 4], 1;" :: "l"(count) : "memory");
}
FUNCTION u64 ask_crew(const u64* count)
{
    u64 found = 0;
    if (threadIdx.x == 0) asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(found) : "l"(count) : "memory");
    return found;
}
FUNCTION void await_crew(const u64* count, u64 found, u32 stored, u32 landed)
{
    if (threadIdx.x == 0) {
        while ((u32)found < stored || (u32)(found >> 32) < landed) found = ask_crew(count);
        asm volatile("fence.proxy.async.global;" ::: "memory");
    }
}
"#;

/// The text of the kernel for the two passes of a transform. Its arguments are those of both, the first's before the
/// second's, where the crews' counts are, and how many crews there are.
pub(in crate::kernel) fn print_ring(
    pair: &[Kernel; 2],
    (transform, ring): (&Transform, Ring),
    primitives: &Primitives,
) -> String {
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
    write_ring(&[printer(0), printer(1)], (transform, ring), &primitives.text)
        .expect("writing to a string does not fail")
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

/// Bytes of local memory that the kernel has at run time.
pub(in crate::kernel) fn ring_local_bytes(pair: &[Kernel; 2]) -> usize {
    counts(pair.each_ref()) + 2 * ahead::COUNT_BYTES + pair[0].pieces.as_ref().map_or(0, near::local_bytes)
}

fn write_ring(
    printers: &[Printer<'_>; 2],
    (transform, ring): (&Transform, Ring),
    primitives: &str,
) -> Result<String, std::fmt::Error> {
    let kernels = [printers[0].kernel, printers[1].kernel];
    let is_near = ring.near.is_some();
    let element = vector(kernels[0].element);
    let mut text = printers[0].head(primitives);
    write!(
        text,
        "{}{}#define WARPS {}\n{FUNCTIONS}#define CREW {}u\n#define POINTS {points}ul\n",
        opaque(kernels[0].group),
        if is_near { String::new() } else { ahead::contiguous(kernels[1]) },
        kernels[0].group.div_ceil(WARP),
        ring.crew,
        points = transform.points(),
    )?;
    if let Some(pieces) = &kernels[0].pieces {
        text.push_str(&near::functions(kernels[0], pieces, ring.pairs(transform)));
    }
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
    let of_transform = kernels[0].ahead.as_ref().map_or(1, |ahead| ahead.columns) * ring.crew;
    write!(
        text,
        "    extern __shared__ __align__({}) char memory[];\n    \
         u64* const arrivals = (u64*)(memory + {});\n    \
         const u32 crews = (u32)crews_wide, batch = (u32)(first_columns / {of_transform}u);\n    \
         {element}* ring = first_target + first_target_offset;\n",
        ahead::ALIGNMENT,
        counts(kernels),
    )?;
    if is_near {
        near::begin(&mut text)?;
    } else {
        write!(
            text,
            "    const u32 crew = blockIdx.x / CREW, member = blockIdx.x % CREW;\n    \
             if (crew >= batch) return;\n    \
             ring += (0ul - (u64)ring) % {COUNT_BYTES}ul / sizeof({element}) + crew * ({SLOTS}ul * POINTS);\n"
        )?;
    }
    write!(
        text,
        "    const u32 rounds = (batch - crew + crews - 1) / crews;\n    \
         u64* const count = (u64*)(counts + counts_offset + crew * {COUNT_BYTES}u);\n    \
         const {element}* const input = first_source + first_source_offset;\n    \
         begin_storing(arrivals + 1);\n    begin_fetching(arrivals);\n    {}\n    \
         u32 phase = 0;\n    #pragma unroll 1\n    for (u32 round = 0; round <= rounds; round++) {{\n    \
         if (round < rounds) {{\n",
        fetch_first("0"),
    )?;
    let target = if is_near { near::TARGET } else { "ring + ((u64)(round & 1u) - transform) * POINTS" };
    part(&mut text, &printers[0], "round", target)?;
    write!(
        text,
        "    if (rounds == 1) {{\n    await_crew(count, 0, CREW, 0);\n    __syncthreads();\n    {}\n    }}\n    }}\n    if (round > 0) {{\n",
        fetch_second("0", is_near)
    )?;
    part(&mut text, &printers[1], "(round - 1)", "second_target + second_target_offset")?;
    text.push_str("    }\n    }\n}\n");
    Ok(text)
}

/// A pass of one transform.
fn part(text: &mut String, printer: &Printer<'_>, round: &str, target: &str) -> std::fmt::Result {
    let kernel = printer.kernel;
    let (element, place, index) = (vector(kernel.element), vector(kernel.tile), name_of(kernel.index_type));
    let pass = ["first", "second"][printer.part.unwrap_or(0)];
    write!(
        text,
        "    const u32 transform = crew + {round} * crews, tile_number = transform * CREW + member;\n    \
         {element}* const target = {target};\n    \
         const {element}* __restrict__ const table = {pass}_table;\n    \
         const {index} columns = ({index}){pass}_columns;\n    \
         {place}* const tile = ({place}*)memory;\n    \
         {element}* const fetched = ({element}*)memory;\n"
    )?;
    if kernel.pieces.is_some() && printer.part == Some(0) {
        text.push_str(near::PLACES);
    }
    printer.body(text, Variant::Any)?;
    text.push_str("    phase ^= 1u;\n");
    Ok(())
}

/// The tile of the first pass in a round.
fn fetch_first(round: &str) -> String {
    format!("fetch(memory, input, &map, (crew + ({round}) * crews) * CREW + member, arrivals);")
}

/// The tile of the second pass of a round's transform.
fn fetch_second(round: &str, is_near: bool) -> String {
    if is_near {
        return near::fetch_second(round);
    }
    format!("fetch(memory, (const char*)(ring + (({round}) & 1u) * POINTS) + member * TILE_BYTES, arrivals);")
}

/// What a part says at a meeting of the crew, where its input is to have come, or where the next tile is fetched.
pub(super) fn meeting(part: usize, is_near: bool, meeting: Meeting) -> String {
    let fetch_second = |round| fetch_second(round, is_near);
    // In a near ring nobody has to know what the others have fetched.
    let landed = if is_near { "0" } else { "(round - 1) * CREW" };
    match (meeting, part) {
        (Meeting::Fetched, _) if is_near => near::fetched(part).into(),
        (Meeting::Fetched, 0) => "    await_count(arrivals, phase);\n".into(),
        (Meeting::Fetched, _) => "    await_count(arrivals, phase);\n    announce_landed(count);\n".into(),
        (Meeting::Landed(number), _) => near::landed(number),
        (Meeting::Announce, _) => "    announce_stored(arrivals + 1, round & 1u, count);\n".into(),
        (Meeting::AskCrew, 0) => "    const u64 found = round > 0 ? ask_crew(count) : 0;\n".into(),
        (Meeting::AskCrew, _) => "    const u64 found = round + 1 == rounds ? ask_crew(count) : 0;\n".into(),
        (Meeting::CrewReady, 0) => format!("    if (round > 0) await_crew(count, found, round * CREW, {landed});\n"),
        (Meeting::CrewReady, _) => "    if (round + 1 == rounds) await_crew(count, found, rounds * CREW, 0);\n".into(),
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
