//! What a work-group of a near ring has for itself, and keeps in local memory.
//!
//! It is in one of two places in turn, since what is of the transform before is read after it is written. In the lists of
//! places, those of its pieces are marked: nothing is fetched from there, and what goes there stays.

use super::*;
use crate::plan::Pieces;

/// What marks a place. Multiplied by the bytes of an element it is gone.
pub(super) const MARK: usize = 1 << 31;

/// Where a round's transform has its place in local memory, in elements; how its first pass stores an element, to the ring or
/// there; and where a block of the second pass's tile begins. Of the two stores one is executed, without a branch.
const FUNCTIONS: &str = r#"FUNCTION u32 kept_in(u32 round) { return START + (round & 1u) * BLOCK; }
FUNCTION void keep_or_store(ELEMENT* ring, ELEMENT* kept, u32 place, ELEMENT value)
{
    asm volatile("{ .reg .pred keeps; setp.lt.s32 keeps, %0, 0; @keeps st.shared.TYPE [%1], VALUES; @!keeps st.global.TYPE [%2], VALUES; }"
        :: "r"(place), "r"(at(kept) + place * ELEMENT_BYTES), "l"(ring + place), OPERANDS : "memory");
}
FUNCTION u32 start_of_block(u32 block, u32 member, u32 kept) { return block == member ? kept : block * BLOCK; }
"#;

/// The functions for elements of the kernel, with so many bytes of local memory before what is kept.
pub(super) fn functions(kernel: &Kernel, before: usize) -> String {
    let (ty, values, operands) = match kernel.element {
        (Type::F32, 2) => ("v2.f32", "{%3, %4}", r#""f"(value.x), "f"(value.y)"#),
        (Type::F64, 2) => ("v2.f64", "{%3, %4}", r#""d"(value.x), "d"(value.y)"#),
        (Type::U64, 1) => ("u64", "%3", r#""l"(value)"#),
        other => unreachable!("no ring has elements of {other:?}"),
    };
    FUNCTIONS
        .replace("START", &format!("{}u", start(kernel, before)))
        .replace("ELEMENT*", &format!("{}*", vector(kernel.element)))
        .replace("ELEMENT value", &format!("{} value", vector(kernel.element)))
        .replace("TYPE", ty)
        .replace("VALUES", values)
        .replace("OPERANDS", operands)
}

/// Where local memory ends with it, in bytes.
pub(super) fn end(kernel: &Kernel, pieces: &Pieces, before: usize) -> usize {
    (start(kernel, before) + pieces.kept()) * kernel.element_bytes()
}

/// Where it begins behind so many bytes, in elements.
fn start(kernel: &Kernel, before: usize) -> usize {
    before.div_ceil(kernel.element_bytes())
}

/// What stands before a part: where it stores what is kept, or reads it.
pub(super) fn place(kernel: &Kernel, part: usize) -> String {
    let element = vector(kernel.element);
    match part {
        0 => format!("    {element}* const kept = ({element}*)memory + kept_in(round);\n"),
        _ => "    const u32 kept = kept_in(round - 1u);\n".into(),
    }
}

/// Stores an element to a place of the ring.
pub(super) fn store(place: &str, value: &str) -> String {
    format!("keep_or_store(target, kept, (u32){place}, {value});")
}

/// Where a block of the second pass's tile begins.
pub(super) fn start_of_block(number: &str) -> String {
    format!("start_of_block({number}, member, kept)")
}
