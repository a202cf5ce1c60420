//! Work-groups that stay for one tile after another and fetch the next one's input by bulk copies, in PTX (NVIDIA, "PTX
//! ISA", `cp.async.bulk`, `cp.async.bulk.tensor` and `mbarrier`, from sm_90 on). An `mbarrier` counts the bytes that have
//! arrived; its phases, and the tiles, take turns.

use super::*;
use crate::kernel::hopper::Ahead;

/// Bytes of a copy at most, as a power of two: one for a whole tile is no faster.
const COPY_BITS: u32 = 14;

/// Where fetched tiles begin is a multiple of so many bytes: 16 would do, and makes the copies slow.
pub(super) const ALIGNMENT: usize = 128;

/// Bytes of a count of what has arrived.
pub(super) const COUNT_BYTES: usize = 8;

const FUNCTIONS: &str = r#"FUNCTION void begin_fetching(u64* arrivals)
{
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at(arrivals)) : "memory");
    __syncthreads();
}
FUNCTION void expect_fetched(u64* arrivals, u32 bytes, bool is_last)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (is_last)
        asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }"
            :: "r"(at(arrivals)), "r"(bytes) : "memory");
    else
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" :: "r"(at(arrivals)), "r"(bytes) : "memory");
}
FUNCTION void fetched_by_threads(u64* arrivals, bool is_last)
{
    if (!is_last) return;
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" :: "r"(at(arrivals)) : "memory");
}
FUNCTION void await_count(u64* count, u32 phase)
{
    asm volatile("{\n.reg .pred done;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra AGAIN;\n}"
        :: "r"(at(count)), "r"(phase) : "memory");
}
"#;

/// Bulk copies want source and target at multiples of 16 bytes. Where the caller's memory lies elsewhere, threads copy, past
/// the nearest cache as bulk copies do.
const CONTIGUOUS: &str = r#"FUNCTION void fetch(void* to, const void* from, u64* arrivals)
{
    if ((u64)from % 16ul == 0) {
        if (threadIdx.x == 0) {
            expect_fetched(arrivals, TILE_BYTES, true);
            for (u32 i = 0; i < TILE_BYTES; i += COPY_BYTES)
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                    :: "r"(at(to) + i), "l"((const char*)from + i), "r"(COPY_BYTES), "r"(at(arrivals)) : "memory");
        }
        return;
    }
    for (u32 i = threadIdx.x; i < TILE_BYTES / 8u; i += blockDim.x) ((u64*)to)[i] = __ldcg((const u64*)from + i);
    fetched_by_threads(arrivals, true);
}
"#;

/// Where fetched tiles begin in the local memory of a kernel that has memory of its own for them, in bytes.
fn start(kernel: &Kernel) -> usize {
    kernel.tile_bytes().next_multiple_of(ALIGNMENT)
}

/// Where the counts are.
fn counts(kernel: &Kernel) -> usize {
    (start(kernel) + kernel.fetched_bytes()).next_multiple_of(COUNT_BYTES)
}

/// Bytes of local memory that a kernel has at run time.
pub(in crate::kernel) fn local_bytes(kernel: &Kernel) -> usize {
    if kernel.hopper.ahead.is_none() { kernel.tile_bytes() } else { counts(kernel) + COUNT_BYTES }
}

/// The functions that a kernel calls which fetches ahead.
pub(super) fn functions(kernel: &Kernel) -> String {
    let Some(ahead) = &kernel.hopper.ahead else { return String::new() };
    let fetch = match &ahead.array {
        None => contiguous(kernel),
        Some(array) => boxes::functions(array, kernel),
    };
    format!("#define TILE_BYTES {}u\n{}{FUNCTIONS}{fetch}", kernel.fetched_bytes(), cluster::AT)
}

/// How contiguous tiles are fetched.
pub(super) fn contiguous(kernel: &Kernel) -> String {
    format!("#define COPY_BYTES {}u\n{CONTIGUOUS}", 1 << kernel.fetched_bytes().trailing_zeros().min(COPY_BITS))
}

impl Printer<'_> {
    /// The loop over tiles around the body.
    pub(in crate::kernel::print) fn tiles(&self, text: &mut String, ahead: &Ahead) -> std::fmt::Result {
        let element = vector(self.kernel.element);
        let (start, counts) = (start(self.kernel), counts(self.kernel));
        writeln!(
            text,
            "    {element}* const fetched = ({element}*)((char*)tile + {start});\n    \
             u64* const arrivals = (u64*)((char*)tile + {counts});\n    \
             const u32 tiles = (u32)(columns / {}u);\n    begin_fetching(arrivals);",
            ahead.columns,
        )?;
        self.fetch(text, ahead, "blockIdx.x")?;
        text.push_str(
            "    u32 phase = 0;\n    #pragma unroll 1\n    \
             for (u32 tile_number = blockIdx.x; tile_number < tiles; tile_number += gridDim.x, phase ^= 1u) {\n",
        );
        self.body(text, Variant::Any)?;
        text.push_str("    }\n");
        Ok(())
    }

    pub(super) fn fetch_next(&self, text: &mut String) -> std::fmt::Result {
        let Some(ahead) = &self.kernel.hopper.ahead else { return Ok(()) };
        text.push_str("    if (tiles - tile_number > gridDim.x)\n    ");
        self.fetch(text, ahead, "tile_number + gridDim.x")
    }

    /// Fetches the tile of that number.
    fn fetch(&self, text: &mut String, ahead: &Ahead, number: &str) -> std::fmt::Result {
        writeln!(text, "    fetch(fetched, source + ((u64){number}) * {}ul, arrivals);", ahead.len)
    }
}
