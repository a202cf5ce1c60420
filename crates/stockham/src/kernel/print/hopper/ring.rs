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
//! it is so, and asked for before the last barrier of the next exchange, so that the answer is there behind it. Small crews of
//! near rings tell there, too, what they have stored ([`tells_late`](crate::plan::Ring::tells_late)): all threads have met since
//! then. A crew with a single transform has no time between.
//!
//! Which transforms are a crew's follows from its number, or from those of its age ([`joining`]), or it draws them, so that
//! faster ones take more: the first two are given, one of its work-groups draws each of the others two rounds before and
//! writes it down beside the counts, with the round that it is for ([`Turns`]).
//!
//! What is other in rings that are near to their crews is in [`near`].

use super::*;
use crate::algebra::Primitives;
use crate::plan::{COUNT_BYTES, Ring, SLOTS, Sharing, points_of};
use crate::transform::Transform;

/// What a work-group tells its crew to have stored must not be seen before it is, by all its warps: these arrive at an
/// `mbarrier`, and one thread alone waits for them; or they have met at a barrier since
/// ([`tells_late`](crate::plan::Ring::tells_late)). What it tells to be done with has come by then. What the others fetch
/// comes from the second-level cache by a way of its own, so that nothing has to be invalidated: an acquire would empty the
/// nearest cache.
const FUNCTIONS: &str = r#"FUNCTION void begin_storing(u64* stored)
{
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(stored)), "n"(WARPS) : "memory");
}
FUNCTION void announce(u64* count)
{
    if (threadIdx.x == 0) asm volatile("red.release.gpu.global.add.u32 [%0], 1;" :: "l"(count) : "memory");
}
FUNCTION void announce_stored(u64* stored, u32 phase, u64* count)
{
    __syncwarp();
    if (threadIdx.x % 32u == 0)
        asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" :: "r"(at(stored)) : "memory");
    if (threadIdx.x == 0) await_count(stored, phase);
    announce(count);
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

/// Not the thread that makes sure of the crew draws, but one of the last warp, and nobody waits for it at a barrier.
const DRAWING: &str = r#"#define DRAWER ((WARPS - 1u) * 32u)
FUNCTION u32 draw(u32* drawn)
{
    u32 number = 0;
    if (threadIdx.x == DRAWER)
        asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 1;" : "=r"(number) : "l"(drawn) : "memory");
    return number;
}
FUNCTION void write_down(u64* place, u32 round, u32 transform)
{
    if (threadIdx.x == DRAWER)
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" :: "l"(place), "l"((u64)round << 32 | transform) : "memory");
}
FUNCTION void await_drawn(const u64* place, u64 found, u32 round, volatile u32* told)
{
    if (threadIdx.x == 0) {
        while ((u32)(found >> 32) != round) found = ask_crew(place);
        *told = (u32)found;
    }
}
"#;

/// The name of the kernel.
pub(in crate::kernel) fn ring_name([first, second]: [&Kernel; 2]) -> String {
    format!("{}_{}", first.name, second.name)
}

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
        alignment: Alignment::Vector,
        words: Dialect::Cuda.words(),
        waits: false,
        group: "tile_number",
        streamed: Some([Memory::Source, Memory::Target][part]),
        fast: primitives.fast,
        part: Some((part, ring)),
    };
    write_ring(&[printer(0), printer(1)], (transform, ring), &primitives.text)
        .expect("writing to a string does not fail")
}

/// As in clusters, and beside that the number is known to be less than the work-group's size: so the constant parts of places
/// are parts of instructions, of which there are fewer. (In clusters it was slower.)
fn opaque(group: usize) -> String {
    format!(
        "FUNCTION u32 opaque(u32 x) {{ asm volatile(\"\" : \"+r\"(x)); __builtin_assume(x < {group}u); return x; }}\n"
    )
}

/// Counts in local memory: of what has been fetched, of the warps that have stored, and beside them what has been drawn.
pub(super) const COUNTS: usize = 3;

/// Bytes of local memory before them.
fn counts(pair: [&Kernel; 2]) -> usize {
    pair.map(Kernel::tile_bytes).into_iter().fold(0, usize::max).next_multiple_of(ahead::COUNT_BYTES)
}

/// Bytes of local memory that the kernel has at run time.
pub(in crate::kernel) fn ring_local_bytes(pair: &[Kernel; 2]) -> usize {
    let counted = behind_counts(pair.each_ref());
    pair[0].hopper.pieces.as_ref().map_or(counted, |pieces| near::end(&pair[0], pieces, counted))
}

/// Bytes of local memory up to the end of the counts.
fn behind_counts(pair: [&Kernel; 2]) -> usize {
    counts(pair) + COUNTS * ahead::COUNT_BYTES
}

fn write_ring(
    printers: &[Printer<'_>; 2],
    (transform, ring): (&Transform, Ring),
    primitives: &str,
) -> Result<String, std::fmt::Error> {
    let kernels = [printers[0].kernel, printers[1].kernel];
    let (is_near, turns) = (ring.near.is_some(), Turns::of(ring));
    let element = vector(kernels[0].element);
    let mut text = printers[0].head(primitives, &kernels);
    write!(
        text,
        "{}{}#define WARPS {}u\n{FUNCTIONS}{}{}#define CREW {}u\n#define POINTS {points}ul\n#define COUNT_BYTES {COUNT_BYTES}u\n",
        opaque(kernels[0].group),
        // Where nothing else is fetched, it is the first pass's function.
        if is_near || ring.loads { String::new() } else { ahead::contiguous(kernels[1]) },
        kernels[0].group.div_ceil(WARP),
        if ring.sharing == Sharing::Drawn { DRAWING } else { "" },
        early_rows(kernels),
        ring.crew,
        points = points_of(transform),
    )?;
    if let Some(pieces) = &kernels[0].hopper.pieces {
        text.push_str(&near::functions(kernels[0], pieces, (transform, ring), behind_counts(kernels)));
    }
    let registers = kernels.map(|kernel| kernel.registers);
    let [numbers, results] = [kernels[0].reals[0], kernels[1].reals[1]]
        .map(|is_real| if is_real { name_of(kernels[0].element.0).to_owned() } else { element.clone() });
    let parameters = [("first", &numbers, &element), ("second", &element, &results)].map(|(pass, source, target)| {
        format!(
            "const {source}* {pass}_source, const u64 {pass}_source_offset,\n    \
             {target}* {pass}_target, const u64 {pass}_target_offset,\n    \
             const {element}* __restrict__ {pass}_table, const u64 {pass}_columns"
        )
    });
    write!(
        text,
        "\n{}{} void {}({},\n    {},\n    char* counts, const u64 counts_offset, const u64 crews_wide{})\n{{\n",
        printers[0].words.kernel,
        printers[0].bounds(registers[0].max(registers[1])),
        ring_name(kernels),
        parameters[0],
        parameters[1],
        if ring.loads { "" } else { boxes::PARAMETER }
    )?;
    let of_transform = kernels[0].hopper.ahead.as_ref().map_or(1, |ahead| ahead.columns) * ring.crew;
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
        "{}    u64* const count = (u64*)(counts + counts_offset + crew * COUNT_BYTES);\n    \
         const {element}* const input = {};\n    \
         begin_storing(arrivals + 1);\n    begin_fetching(arrivals);\n    {}\n    \
         u32 phase = 0;\n    #pragma unroll 1\n    for (u32 round = 0; {}; round++) {{\n    if ({}) {{\n",
        turns.begin,
        if kernels[0].reals[0] {
            format!("(const {element}*)(first_source + first_source_offset)")
        } else {
            "first_source + first_source_offset".to_owned()
        },
        fetch_first(turns.first, ALL_ROWS, ring),
        turns.goes_on,
        turns.has_now,
    )?;
    let target = if is_near { near::TARGET } else { "ring + ((u64)(round & 1u) - transform) * POINTS" };
    part(&mut text, &printers[0], turns.now, target)?;
    write!(
        text,
        "    if ({}) {{\n    await_crew(count, 0, CREW, 0);\n    __syncthreads();\n    {}\n    }}\n    }}\n    if (round > 0) {{\n",
        turns.is_only,
        fetch_second("0", is_near)
    )?;
    part(&mut text, &printers[1], turns.before, "second_target + second_target_offset")?;
    writeln!(text, "    }}\n{}    }}\n}}", turns.end)?;
    Ok(text)
}

/// Which transforms are a crew's, round by round. Where registers are short, how the conditions are written decides how the
/// compiler orders the rest; others that say the same were slower. So look at what it makes of a change.
struct Turns {
    /// What stands before the rounds, and at the end of each.
    begin: &'static str,
    end: &'static str,
    /// As long as this holds there is another round.
    goes_on: &'static str,
    /// The transform of the first round, of this one, of the one before, and of the next one.
    first: &'static str,
    now: &'static str,
    before: &'static str,
    next: &'static str,
    /// Whether there is one in this round, and in the next; whether it is this one and no other; and the same in the first
    /// round.
    has_now: &'static str,
    has_next: &'static str,
    is_last: &'static str,
    has_second: &'static str,
    is_only: &'static str,
    /// Rounds up to this one, where it is the last.
    all: &'static str,
}

impl Turns {
    const EVEN: Self = Self {
        begin: "    const u32 rounds = (batch - crew + crews - 1) / crews;\n",
        end: "",
        goes_on: "round <= rounds",
        first: "crew",
        now: "crew + round * crews",
        before: "crew + (round - 1) * crews",
        next: "(crew + (round + 1) * crews)",
        has_now: "round < rounds",
        has_next: "round + 1 < rounds",
        is_last: "round + 1 == rounds",
        has_second: "rounds > 1",
        is_only: "rounds == 1",
        all: "rounds",
    };

    const BY_AGE: Self = Self {
        begin: joining::TAKE_SHARE,
        first: "start",
        now: "start + round * stride",
        before: "start + (round - 1) * stride",
        next: "(start + (round + 1) * stride)",
        ..Self::EVEN
    };

    const DRAWN: Self = Self {
        begin: "    volatile u32* const told = (u32*)(arrivals + 2);\n    \
                u32* const drawn = (u32*)(counts + counts_offset + crews * COUNT_BYTES) + 2;\n    \
                u32 before = 0, now = crew, next = crew + crews;\n",
        end: "    if (now >= batch) break;\n    before = now;\n    now = next;\n",
        goes_on: "",
        first: "crew",
        now: "now",
        before: "before",
        next: "next",
        has_now: "now < batch",
        has_next: "next < batch",
        is_last: "now < batch && next >= batch",
        has_second: "next < batch",
        is_only: "round == 0 && next >= batch",
        all: "(round + 1)",
    };

    fn of(ring: Ring) -> Self {
        match ring.sharing {
            Sharing::Even => Self::EVEN,
            Sharing::ByAge => Self::BY_AGE,
            Sharing::Drawn => Self::DRAWN,
        }
    }
}

/// How many rows of the first pass's tile come early.
fn early_rows(kernels: [&Kernel; 2]) -> String {
    let [Some(first), Some(second)] = kernels.map(|kernel| kernel.hopper.ahead.as_ref()) else { return String::new() };
    if second.early == 0 {
        return String::new();
    }
    format!("#define EARLY_ROWS {}u\n", second.early / first.columns)
}

/// A pass of one transform.
fn part(text: &mut String, printer: &Printer<'_>, transform: &str, target: &str) -> std::fmt::Result {
    let (kernel, part) = (printer.kernel, printer.part.map_or(0, |(part, _)| part));
    let (element, place, index) = (vector(kernel.element), vector(kernel.tile), name_of(kernel.index_type));
    let results = if kernel.reals[1] { name_of(kernel.element.0).to_owned() } else { element.clone() };
    let loads = part == 0 && printer.part.is_some_and(|(_, ring)| ring.loads);
    let pass = ["first", "second"][part];
    write!(
        text,
        "    const u32 transform = {transform}, tile_number = transform * CREW + member;\n    \
         {results}* const target = {target};\n    \
         const {element}* __restrict__ const table = {pass}_table;\n    \
         const {index} columns = ({index}){pass}_columns;\n    \
         {place}* const tile = ({place}*)memory;\n    \
         {element}* const fetched = ({element}*)memory;\n"
    )?;
    text.push_str(&near::places(kernel, part));
    if loads {
        text.push_str("    const auto* const source = input;\n");
    }
    printer.body(text, Variant::Any)?;
    if !loads {
        text.push_str("    phase ^= 1u;\n");
    }
    Ok(())
}

/// The rows of a tile, and those that come early and late where it comes in two parts.
const ALL_ROWS: &str = "0u, ROWS";
const EARLY_ROWS: &str = "0u, EARLY_ROWS";
const LATE_ROWS: &str = "EARLY_ROWS, ROWS";

/// Such rows of the tile of a transform's first pass, where they are fetched.
fn fetch_first(transform: &str, rows: &str, ring: Ring) -> String {
    if ring.loads {
        return ";".into();
    }
    format!("fetch(memory, input, &map, {transform} * CREW + member, {rows}, arrivals);")
}

/// The tile of the second pass of a round's transform.
fn fetch_second(round: &str, is_near: bool) -> String {
    if is_near {
        return near::fetch_second(round);
    }
    format!("fetch(memory, (const char*)(ring + (({round}) & 1u) * POINTS) + member * TILE_BYTES, arrivals);")
}

/// What a part says at a meeting of the crew, where its input is to have come, or where the next tile is fetched.
pub(super) fn meeting(part: usize, ring: Ring, kernel: &Kernel, meeting: Meeting) -> String {
    let is_near = ring.near.is_some();
    let is_split = kernel.hopper.ahead.as_ref().is_some_and(|ahead| ahead.early > 0);
    let if_late = |text| if ring.tells_late() { text } else { "" };
    let if_drawn = |text| if ring.sharing == Sharing::Drawn { text } else { "" };
    let Turns { has_now, has_next, is_last, has_second, all, next, .. } = Turns::of(ring);
    let fetch_second = |round| fetch_second(round, is_near);
    // In a near ring nobody has to know what the others have fetched.
    let landed = if is_near { "0" } else { "(round - 1) * CREW" };
    match (meeting, part) {
        (Meeting::Fetched, 0) if ring.loads => String::new(),
        (Meeting::Fetched, _) if is_near => near::fetched(part).into(),
        (Meeting::Fetched, 0) => "    await_count(arrivals, phase);\n".into(),
        (Meeting::Fetched, _) => "    await_count(arrivals, phase);\n    announce_landed(count);\n".into(),
        (Meeting::Landed(number), _) => near::landed(number),
        // Rounds but the first go on with a second pass.
        (Meeting::Announce, _) => {
            format!("    {}announce_stored(arrivals + 1, round & 1u, count);\n", if_late("if (round == 0) "))
        }
        (Meeting::AskCrew, 0) => {
            let ask = "    const u64 found = round > 0 ? ask_crew(count) : 0;\n";
            let draw = "    const u64 written = round > 0 ? ask_crew(count + 1 + (round + 1) % 2u) : 0;\n    \
                              const u32 number = member == 0 ? draw(drawn) : 0;\n";
            format!("{ask}{}", if_drawn(draw))
        }
        (Meeting::AskCrew, _) => {
            let tell = format!("    if ({has_now}) announce(count);\n");
            format!("{}    const u64 found = {is_last} ? ask_crew(count) : 0;\n", if_late(&tell))
        }
        (Meeting::CrewReady, 0) => {
            let wait = format!("    if (round > 0) await_crew(count, found, round * CREW, {landed});\n");
            let told = "    if (round > 0) await_drawn(count + 1 + (round + 1) % 2u, written, round + 1, told);\n";
            format!("{wait}{}", if_drawn(told))
        }
        (Meeting::CrewReady, _) => {
            format!("    if ({is_last}) await_crew(count, found, {all} * CREW, 0);\n")
        }
        (Meeting::FetchEarly, _) => format!("    if ({has_next}) {}\n", fetch_first(next, EARLY_ROWS, ring)),
        (_, 0) => {
            let (first, second) = (fetch_first(next, ALL_ROWS, ring), fetch_second("round - 1"));
            let fetch = format!("    if (round > 0) {second}\n    else if ({has_second}) {first}\n");
            let take = "    if (round > 0) next = *told;\n    \
                              if (member == 0) write_down(count + 1 + round % 2u, round + 2, 2 * crews + number);\n";
            format!("{fetch}{}", if_drawn(take))
        }
        _ => {
            let rows = if is_split { LATE_ROWS } else { ALL_ROWS };
            let (first, second) = (fetch_first(next, rows, ring), fetch_second("round"));
            format!("    if ({has_next}) {first}\n    else if ({has_now}) {second}\n")
        }
    }
}
