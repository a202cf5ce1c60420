//! Work-groups that stay for one tile after another and fetch the next one's input by bulk copies, in PTX (NVIDIA, "PTX
//! ISA", `cp.async.bulk` and `mbarrier`, from sm_90 on). An `mbarrier` counts the bytes that have arrived; its phases, and
//! the tiles, take turns.

use super::*;
use crate::kernel::ir::Ahead;

/// Bytes of a copy at most, as a power of two: one for a whole tile is no faster.
const COPY_BITS: u32 = 14;

/// Where fetched tiles begin is a multiple of so many bytes: 16 would do, and makes the copies slow (1.20 copies instead
/// of 1.12 for f32 transforms of 2^14 points).
pub(super) const ALIGNMENT: usize = 128;

/// Bytes of the count of what has arrived.
const COUNT_BYTES: usize = 8;

/// Bulk copies want source and target at multiples of 16 bytes. Where the caller's memory lies elsewhere, threads copy.
const FUNCTIONS: &str = r#"FUNCTION u32 at(const void* place) { return (u32)__cvta_generic_to_shared(place); }
FUNCTION void begin_fetching(u64* arrivals)
{
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at(arrivals)) : "memory");
    __syncthreads();
}
FUNCTION void fetch(void* to, const void* from, u64* arrivals)
{
    if ((u64)from % 16ul == 0) {
        if (threadIdx.x == 0) {
            asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
            asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }"
                :: "r"(at(arrivals)), "r"(TILE_BYTES) : "memory");
            for (u32 i = 0; i < TILE_BYTES; i += COPY_BYTES)
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                    :: "r"(at(to) + i), "l"((const char*)from + i), "r"(COPY_BYTES), "r"(at(arrivals)) : "memory");
        }
        return;
    }
    for (u32 i = threadIdx.x; i < TILE_BYTES / 8u; i += blockDim.x) ((u64*)to)[i] = ((const u64*)from)[i];
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" :: "r"(at(arrivals)) : "memory");
}
FUNCTION void await_fetched(u64* arrivals, u32 phase)
{
    asm volatile("{\n.reg .pred done;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra AGAIN;\n}"
        :: "r"(at(arrivals)), "r"(phase) : "memory");
}
"#;

/// Bytes of a kernel's local memory before those of fetched tiles.
fn start(kernel: &Kernel) -> usize {
    kernel.tile_bytes().next_multiple_of(ALIGNMENT)
}

/// Bytes of a tile's input.
fn tile_bytes(kernel: &Kernel, ahead: Ahead) -> usize {
    ahead.len * kernel.element.0.bytes() * kernel.element.1
}

/// Bytes of local memory that a kernel has at run time.
pub(in crate::kernel) fn local_bytes(kernel: &Kernel) -> usize {
    kernel.ahead.map_or(kernel.tile_bytes(), |ahead| start(kernel) + tile_bytes(kernel, ahead) + COUNT_BYTES)
}

/// The functions that a kernel calls which fetches ahead.
pub(super) fn functions(kernel: &Kernel) -> String {
    let Some(ahead) = kernel.ahead else { return String::new() };
    let bytes = tile_bytes(kernel, ahead);
    format!(
        "#define TILE_BYTES {bytes}u\n#define COPY_BYTES {}u\n{FUNCTIONS}",
        1 << bytes.trailing_zeros().min(COPY_BITS)
    )
}

impl Printer<'_> {
    /// The loop over tiles around the body.
    pub(super) fn tiles(&self, text: &mut String, ahead: Ahead) -> std::fmt::Result {
        let Ahead { columns, len } = ahead;
        let element = vector(self.kernel.element);
        writeln!(
            text,
            "    {element}* const fetched = ({element}*)((char*)tile + {});\n    u64* const arrivals = (u64*)(fetched + {len});\n    \
             const u32 tiles = (u32)(columns / {columns}u);\n    begin_fetching(arrivals);\n    \
             fetch(fetched, source + (u64)blockIdx.x * {len}ul, arrivals);\n    \
             u32 phase = 0;\n    #pragma unroll 1\n    \
             for (u32 tile_number = blockIdx.x; tile_number < tiles; tile_number += gridDim.x, phase ^= 1u) {{",
            start(self.kernel)
        )?;
        self.body(text, Variant::Any)?;
        text.push_str("    }\n");
        Ok(())
    }

    pub(super) fn fetch_next(&self, text: &mut String) -> std::fmt::Result {
        let Some(Ahead { len, .. }) = self.kernel.ahead else { return Ok(()) };
        writeln!(
            text,
            "    if (tiles - tile_number > gridDim.x)\n        \
             fetch(fetched, source + ((u64)tile_number + gridDim.x) * {len}ul, arrivals);"
        )
    }
}
