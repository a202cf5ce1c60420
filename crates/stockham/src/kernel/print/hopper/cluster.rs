//! Clusters of work-groups, which CUDA alone has: their size, and stores to each other's local memory that tell when they
//! are done, in PTX (NVIDIA, "PTX ISA", `mapa`, `st.async`, `mbarrier` and `barrier.cluster`, from version 8.1 and sm_90
//! on).
//!
//! A work-group counts the bytes that it is sent in an `mbarrier` of its own, and waits for nothing else: neither for the
//! others' threads nor for a fence. So a cluster has but one barrier, which says that all its work-groups have begun, and
//! it is passed while the input is on its way.
//!
//! What a work-group has for itself it stores plainly, where that pays, and its threads meet before they read it.

use super::*;
use crate::kernel::hopper::EXCHANGES;

/// The counts of what a work-group is sent, by exchange.
pub(super) const COUNTS: [&str; EXCHANGES] = ["pushes", "more_pushes"];

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
/// the input's first use, not behind it.
const COUNT: &str = r#"FUNCTION void cluster_expect(u64* pushes, u32 bytes)
{
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at(pushes)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        __syncwarp(1);
        asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }"
            :: "r"(at(pushes)), "r"(bytes) : "memory");
    }
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
"#;

/// The same for an exchange of which the cluster is told with another or later, and the word that a thread is done with what it read.
const COUNT_MORE: &str = r#"FUNCTION void expect_pushes(u64* pushes, u32 bytes)
{
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at(pushes)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        __syncwarp(1);
        asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }"
            :: "r"(at(pushes)), "r"(bytes) : "memory");
    }
}
FUNCTION void cluster_done() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
"#;

const AWAIT: &str = r#"FUNCTION void cluster_begun() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
FUNCTION void await_pushes(u64* pushes)
{
    asm volatile("{\n.reg .pred done;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n@!done bra AGAIN;\n}"
        :: "r"(at(pushes)) : "memory");
}
"#;

const RANK: &str = r#"FUNCTION u32 cluster_rank()
{
    u32 rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
"#;

/// The functions that a kernel of clusters calls.
pub(super) fn functions(kernel: &Kernel) -> String {
    if kernel.hopper.cluster == 1 {
        return String::new();
    }
    let (ty, count) = kernel.tile;
    let (letter, store) = match ty {
        Type::F32 => ("f", "f32"),
        Type::F64 => ("d", "f64"),
        Type::U32 => ("r", "u32"),
        _ => ("l", "u64"),
    };
    let name = vector(kernel.tile);
    let (store, value, fields): (String, &str, &[&str]) = match count {
        1 => (store.into(), "%1", &["x"]),
        _ => (format!("v2.{store}"), "{%1, %2}", &["x.x", "x.y"]),
    };
    let exchanges_once = |stmt: &Stmt| matches!(stmt, Stmt::Meet(Meeting::Expect { places: [_, 0], tells: true }));
    let more = if kernel.body.iter().any(exchanges_once) { "" } else { COUNT_MORE };
    let rank = if kernel.stores_own() { RANK } else { "" };
    let values: Vec<String> = fields.iter().map(|field| format!("\"{letter}\"({field})")).collect();
    format!(
        "{OPAQUE}{AT}{AT_BLOCK}{COUNT}{more}{AWAIT}{rank}FUNCTION void push(u32 place, u32 pushes, {name} x)\n{{\n    \
         asm volatile(\"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.{store} [%0], {value}, [%{}];\"\n        \
         :: \"r\"(place), {}, \"r\"(pushes) : \"memory\");\n}}\n",
        count + 1,
        values.join(", ")
    )
}

/// The size of a kernel's clusters.
pub(in crate::kernel::print) fn dimensions(kernel: &Kernel) -> String {
    if kernel.hopper.cluster == 1 {
        String::new()
    } else {
        format!(" __cluster_dims__({}, 1, 1)", kernel.hopper.cluster)
    }
}

impl Printer<'_> {
    /// The counts of what is sent, and what they are to come to.
    pub(super) fn expect(&self, text: &mut String, places: [usize; EXCHANGES], tells: bool) -> std::fmt::Result {
        let kernel = self.kernel;
        let kept = |places: usize| if kernel.stores_own() { places / kernel.hopper.cluster } else { 0 };
        // The cluster is told with the first one.
        for (number, places) in places.into_iter().enumerate().rev().filter(|(_, places)| *places > 0) {
            let (count, bytes) = (COUNTS[number], (places - kept(places)) * kernel.place_bytes());
            let expect = if number == 0 && tells { "cluster_expect" } else { "expect_pushes" };
            writeln!(text, "    __shared__ u64 {count};\n    {expect}(&{count}, {bytes}u);")?;
        }
        if kept(places[0]) > 0 {
            text.push_str("    const u32 own = cluster_rank();\n");
        }
        Ok(())
    }

    /// A store to the local memory of a work-group of the cluster.
    pub(in crate::kernel::print) fn push(
        &self,
        text: &mut String,
        exchange: usize,
        (block, place): (Id, Id),
        components: &[Id],
    ) -> std::fmt::Result {
        let parts: Vec<String> = components.iter().map(|&c| self.operand(c)).collect();
        let value = self.construct(self.kernel.tile, &parts.join(", "));
        let (block, index, bytes) = (self.operand(block), self.operand(place), self.kernel.place_bytes());
        let count = COUNTS[exchange];
        text.push_str("    ");
        if self.kernel.stores_own() {
            write!(text, "if ({block} == own) {} = {value};\n    else ", self.in_tile(place))?;
        }
        writeln!(text, "push(at(tile, {block}) + {index} * {bytes}u, at(&{count}, {block}), {value});")
    }
}
