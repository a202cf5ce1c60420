//! Clusters of work-groups, which CUDA alone has: their size, and stores to each other's local memory that tell when they
//! are done, in PTX (NVIDIA, "PTX ISA", `mapa`, `st.async`, `mbarrier` and `barrier.cluster`, from version 8.1 and sm_90
//! on).
//!
//! A work-group counts the bytes that it is sent in an `mbarrier` of its own, and waits for nothing else: neither for the
//! others' threads nor for a fence. So a cluster has but one barrier, which says that all its work-groups have begun, and
//! it is passed while the input is on its way.
//!
//! What goes from one local memory to another takes a network of 16 bytes a cycle and multiprocessor, however it is sent, and
//! if it is to the sender's own. So what a work-group has for itself it stores plainly, where that pays, and its warps
//! count instead of the bytes.

use super::*;

/// The address of a place in local memory.
pub(super) const AT: &str = "FUNCTION u32 at(const void* place) { return (u32)__cvta_generic_to_shared(place); }\n";

/// Each pass takes its thread's number from `opaque`, or else the compiler would see that both compute the same places,
/// keep those of the first in registers for the second, and spill.
const OPAQUE: &str = r#"FUNCTION u32 opaque(u32 x) { asm volatile("" : "+r"(x)); return x; }
"#;

const AT_BLOCK: &str = r#"FUNCTION u32 at(const void* place, u32 block)
{
    u32 there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at(place)), "r"(block));
    return there;
}
"#;

/// The first thread meets nobody in its `__syncwarp`, which keeps the compiler from making the beginning of an `mbarrier` an
/// instruction of the whole warp: that would race with what one thread says next. And it has the cluster's barrier before
/// the input's first use, not behind it (f64 of 2^23 points: 2.63 copies instead of 2.76).
const COUNT: &str = r#"FUNCTION void cluster_expect(u64* pushes, u32 bytes, u32 arrivals)
{
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(pushes)), "r"(arrivals) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        __syncwarp(1);
        asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }"
            :: "r"(at(pushes)), "r"(bytes) : "memory");
    }
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
FUNCTION void cluster_begun() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
FUNCTION void await_pushes(u64* pushes)
{
    asm volatile("{\n.reg .pred done;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n@!done bra AGAIN;\n}"
        :: "r"(at(pushes)) : "memory");
}
"#;

/// What a work-group has for itself, and that a warp has stored it.
const OWN: &str = r#"FUNCTION u32 cluster_rank()
{
    u32 rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
FUNCTION void stored_own(u64* pushes)
{
    __syncwarp();
    if (threadIdx.x % 32 == 0)
        asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" :: "r"(at(pushes)) : "memory");
}
"#;

/// Bytes of an element from which on a work-group stores its own plainly. For f64 that makes 1.22 copies instead of 1.38 at 2^14
/// points, and 1.34 instead of 1.48 at 2^15. Of f32 there are twice as many elements, and conditions: 1.28 instead of 1.25 at 2^15.
const OWN_BYTES: usize = 16;

/// Whether work-groups store plainly what they have for themselves.
fn stores_own(kernel: &Kernel) -> bool {
    kernel.place_bytes() >= OWN_BYTES
}

/// The functions that a kernel of clusters calls.
pub(super) fn functions(kernel: &Kernel) -> String {
    if kernel.cluster == 1 {
        return String::new();
    }
    let (ty, count) = kernel.tile;
    let (letter, store) = match ty {
        Type::F32 => ("f", "f32"),
        Type::F64 => ("d", "f64"),
        _ => ("l", "u64"),
    };
    let name = vector(kernel.tile);
    let (store, value, fields): (String, &str, &[&str]) = match count {
        1 => (store.into(), "%1", &["x"]),
        _ => (format!("v2.{store}"), "{%1, %2}", &["x.x", "x.y"]),
    };
    let own = if stores_own(kernel) { OWN } else { "" };
    let values: Vec<String> = fields.iter().map(|field| format!("\"{letter}\"({field})")).collect();
    format!(
        "{OPAQUE}{AT}{AT_BLOCK}{COUNT}{own}FUNCTION void push(u32 place, u32 pushes, {name} x)\n{{\n    \
         asm volatile(\"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.{store} [%0], {value}, [%{}];\"\n        \
         :: \"r\"(place), {}, \"r\"(pushes) : \"memory\");\n}}\n",
        count + 1,
        values.join(", ")
    )
}

/// The size of a kernel's clusters.
pub(super) fn dimensions(kernel: &Kernel) -> String {
    if kernel.cluster == 1 { String::new() } else { format!(" __cluster_dims__({}, 1, 1)", kernel.cluster) }
}

impl Printer<'_> {
    /// The count of what is sent, and what it is to come to.
    pub(super) fn expect(&self, text: &mut String, places: usize) -> std::fmt::Result {
        let (kernel, bytes) = (self.kernel, places * self.kernel.place_bytes());
        text.push_str("    __shared__ u64 pushes;\n");
        if !stores_own(kernel) {
            return writeln!(text, "    cluster_expect(&pushes, {bytes}u, 1u);");
        }
        let (of_others, warps) = (bytes - bytes / kernel.cluster, kernel.group.div_ceil(WARP));
        writeln!(
            text,
            "    cluster_expect(&pushes, {of_others}u, {}u);\n    const u32 own = cluster_rank();",
            1 + warps
        )
    }

    /// A store to the local memory of a work-group of the cluster.
    pub(super) fn push(&self, text: &mut String, (block, index): (Id, Id), components: &[Id]) -> std::fmt::Result {
        let parts: Vec<String> = components.iter().map(|&c| self.operand(c)).collect();
        let value = self.construct(self.kernel.tile, &parts.join(", "));
        let (block, index, bytes) = (self.operand(block), self.operand(index), self.kernel.place_bytes());
        text.push_str("    ");
        if stores_own(self.kernel) {
            write!(text, "if ({block} == own) tile[{index}] = {value};\n    else ")?;
        }
        writeln!(text, "push(at(tile, {block}) + {index} * {bytes}u, at(&pushes, {block}), {value});")
    }

    /// What a thread does when it has sent everything.
    pub(super) fn sent(&self, text: &mut String) {
        if stores_own(self.kernel) {
            text.push_str("    stored_own(&pushes);\n");
        }
    }
}
