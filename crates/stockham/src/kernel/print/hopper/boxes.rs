//! Copies of boxes of an array to local memory, in PTX (NVIDIA, "PTX ISA", `cp.async.bulk.tensor`, from sm_90 on). The launch
//! hands the kernel a map of the array, which the driver writes.

use super::*;
use crate::plan::{Array, BOX_WORD};

/// What kernels take that copy boxes, after all other arguments.
pub(super) const PARAMETER: &str = ",\n    const __grid_constant__ Map map";

/// The first words of a copy that is to leave the cache to the rest.
const POLICY: &str = "{ .reg .b64 policy; createpolicy.fractional.L2::evict_first.b64 policy, 1.0; ";

/// The type of a map, and the function that fetches a tile of that number, or some of its rows: they have all come when the last
/// ones have. A map wants memory at multiples of 16 bytes; where the caller's lies elsewhere, threads copy. What is fetched is to
/// leave the cache to the rest.
pub(super) fn functions(array: &Array, kernel: &Kernel) -> String {
    write(array, kernel).expect("writing to a string does not fail")
}

fn write(array: &Array, kernel: &Kernel) -> Result<String, std::fmt::Error> {
    let (name, element_bytes) = (vector(kernel.element), kernel.element_bytes());
    let mut text = format!(
        "struct __align__(128) Map {{ u64 words[16]; }};\n#define ROWS {}u\n\
         FUNCTION void fetch(void* to, const {name}* source, const Map* map, u32 number, u32 first, u32 last, u64* arrivals)\n{{\n    \
         u32 rest = number;\n    u64 from = 0;\n",
        array.dims[array.rows].of_box,
    );
    let mut starts = vec!["0u".to_owned(); array.dims.len()];
    for (dim, boxes) in array.turns() {
        let extent = array.dims[dim];
        starts[dim] = format!("start{dim}");
        writeln!(text, "    const u32 start{dim} = rest % {boxes}u * {}u;\n    rest /= {boxes}u;", extent.of_box)?;
        writeln!(text, "    from += start{dim} * {}ul;", extent.stride)?;
    }
    text.push_str("    if ((u64)source % 16ul == 0) {\n        if (threadIdx.x == 0) {\n            ");
    // The map counts words along the first dimension.
    let words = element_bytes / BOX_WORD;
    if words > 1 {
        starts[0] = format!("{} * {words}u", starts[0]);
    }
    starts[array.rows] = "row".to_owned();
    let rows = array.dims[array.rows].of_box;
    let row_bytes = array.box_len() / rows * element_bytes;
    let operands: Vec<String> = (0..starts.len()).map(|dim| format!("%{}", dim + 2)).collect();
    let values: Vec<String> = starts.iter().map(|start| format!("\"r\"({start})")).collect();
    writeln!(text, "expect_fetched(arrivals, (last - first) * {row_bytes}u, last == ROWS);")?;
    write!(
        text,
        "            for (u32 row = first; row < last; row += {}u)\n                \
         asm volatile(\"{POLICY}cp.async.bulk.tensor.{}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {{{}}}], [%{}], policy; }}\"\n                    \
         :: \"r\"(at(to) + row * {row_bytes}u), \"l\"(map), {}, \"r\"(at(arrivals)) : \"memory\");\n        }}\n        return;\n    }}\n",
        array.at_once,
        starts.len(),
        operands.join(", "),
        starts.len() + 2,
        values.join(", "),
    )?;
    write!(
        text,
        "    for (u32 i = first * {0}u + threadIdx.x; i < last * {0}u; i += blockDim.x) {{\n        rest = i;\n        u64 at = from;\n",
        array.box_len() / rows
    )?;
    for extent in array.dims.iter().filter(|extent| extent.of_box > 1) {
        writeln!(text, "        at += rest % {0}u * {1}ul;\n        rest /= {0}u;", extent.of_box, extent.stride)?;
    }
    write!(
        text,
        "        {}\n    }}\n    fetched_by_threads(arrivals, last == ROWS);\n}}\n",
        if kernel.reals[0] {
            // Real numbers, two by two, begin at any.
            let word = name_of(kernel.element.0);
            format!("for (u32 c = 0; c < 2u; c++) (({word}*)to)[2u * i + c] = ((const {word}*)source)[2ul * at + c];")
        } else {
            format!("(({name}*)to)[i] = source[at];")
        }
    )?;
    Ok(text)
}
