//! Clusters of work-groups, which CUDA alone has: their size, their barrier, and loads from each other's local memory,
//! in PTX (NVIDIA, "PTX ISA", `mapa`, `ld.shared::cluster` and `barrier.cluster`, from version 7.8 and sm_90 on).

use super::*;

/// Each pass takes its thread's number from `opaque`, or else the compiler would see that both compute the same places,
/// keep those of the first in registers for the second, and spill.
const FUNCTIONS: &str = r#"FUNCTION void cluster_arrive() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }
FUNCTION void cluster_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
FUNCTION u32 opaque(u32 x) { asm volatile("" : "+r"(x)); return x; }
FUNCTION u32 tile_of(const void* tile, u32 block)
{
    u32 there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"((u32)__cvta_generic_to_shared(tile)), "r"(block));
    return there;
}
"#;

/// The functions that a kernel of clusters calls.
pub(super) fn functions(kernel: &Kernel) -> String {
    if kernel.cluster == 1 {
        return String::new();
    }
    let (ty, count) = kernel.tile;
    let (letter, load) = match ty {
        Type::F32 => ("f", "f32"),
        Type::F64 => ("d", "f64"),
        _ => ("l", "u64"),
    };
    let name = vector(kernel.tile);
    let (fields, load): (&[&str], String) =
        if count == 1 { (&[""], load.into()) } else { (&[".x", ".y"], format!("v2.{load}")) };
    let places = if count == 1 { "%0" } else { "{%0, %1}" };
    let results: Vec<String> = fields.iter().map(|field| format!("\"={letter}\"(x{field})")).collect();
    // Volatile, so that it stays between the barriers.
    format!(
        "{FUNCTIONS}FUNCTION {name} pull(u32 place)\n{{\n    {name} x;\n    \
         asm volatile(\"ld.shared::cluster.{load} {places}, [%{count}];\" : {} : \"r\"(place));\n    \
         return x;\n}}\n",
        results.join(", ")
    )
}

/// The size of a kernel's clusters.
pub(super) fn dimensions(kernel: &Kernel) -> String {
    if kernel.cluster == 1 { String::new() } else { format!(" __cluster_dims__({}, 1, 1)", kernel.cluster) }
}

impl Printer<'_> {
    /// A load from another work-group's local memory.
    pub(super) fn pull(
        &self,
        text: &mut String,
        (block, index): (Id, Id),
        components: &[Id],
        loads: &mut usize,
    ) -> std::fmt::Result {
        let bytes = self.kernel.tile.0.bytes() * self.kernel.tile.1;
        let (block, index) = (self.operand(block), self.operand(index));
        self.components(text, &format!("pull(tile_of(tile, {block}) + {index} * {bytes}u)"), components, loads)
    }
}
