//! Values, types and memory as text.

use super::super::ir::{Id, Memory, Op, Type};
use super::{Dialect, Printer, Variant};

impl Printer<'_> {
    pub(super) fn construct(&self, (ty, count): (Type, usize), parts: &str) -> String {
        match (count, self.dialect) {
            (1, _) => parts.to_owned(),
            (_, Dialect::Cuda) => format!("make_{}({parts})", vector((ty, count))),
            _ => format!("({})({parts})", vector((ty, count))),
        }
    }

    pub(super) fn operand(&self, id: Id) -> String {
        match &self.kernel.values[id.0 as usize] {
            (ty, Op::Const(bits)) => constant(*ty, *bits),
            _ => format!("v{}", id.0),
        }
    }

    pub(super) fn expression(&self, ty: Type, op: &Op, variant: Variant) -> String {
        let o = |id: &Id| self.operand(*id);
        match op {
            Op::Const(bits) => constant(ty, *bits),
            Op::Argument(name) => (*name).to_owned(),
            Op::Group => format!("({}){}", name_of(ty), self.group),
            Op::Thread if self.kernel.hopper.cluster > 1 || self.part.is_some() => {
                format!("opaque({})", self.words.thread)
            }
            Op::Thread if self.kernel.team > 1 => {
                format!("({}){} / {}", name_of(ty), self.words.thread, self.kernel.team)
            }
            Op::Thread => format!("({}){}", name_of(ty), self.words.thread),
            Op::Loaded => unreachable!("loads are statements"),
            Op::Add(a, b) => format!("{} + {}", o(a), o(b)),
            Op::Sub(a, b) => format!("{} - {}", o(a), o(b)),
            Op::Mul(a, b) => format!("{} * {}", o(a), o(b)),
            Op::MulHigh(a, b) => format!("mul_hi64({}, {})", o(a), o(b)),
            Op::Neg(a) => format!("-{}", o(a)),
            Op::Fma(a, b, c) => format!("fma({}, {}, {})", o(a), o(b), o(c)),
            Op::Div(a, b) => format!("{} / {}", o(a), o(b)),
            Op::Rem(a, b) => format!("{} % {}", o(a), o(b)),
            Op::Shl(a, s) => format!("{} << {s}", o(a)),
            Op::Shr(a, s) => format!("{} >> {s}", o(a)),
            Op::Reverse(_, 0) => constant(ty, 0),
            Op::Reverse(a, bits) => format!("reverse_bits({}) >> {}", o(a), 32 - bits),
            Op::And(a, b) => format!("{} & {}", o(a), o(b)),
            Op::Min(a, b) => format!("min({}, {})", o(a), o(b)),
            Op::Less(a, b) => format!("{} < {}", o(a), o(b)),
            Op::Equal(a, b) => format!("{} == {}", o(a), o(b)),
            Op::Select(a, b, c) => format!("{} ? {} : {}", o(a), o(b), o(c)),
            Op::Cast(a) => format!("({}){}", name_of(ty), o(a)),
            Op::Vector(a, b) => self.construct((Type::F32, 2), &format!("{}, {}", o(a), o(b))),
            Op::Partner(a, distance) => format!("__shfl_xor_sync(~0u, {}, {distance})", o(a)),
            Op::Lane(a, lane) => format!("{}.{}", o(a), ["x", "y"][*lane as usize]),
            Op::Function(function, operands) => {
                let operands: Vec<String> = operands.iter().map(o).collect();
                self.function(ty, *function, &operands)
            }
            Op::Call(name, operands) => {
                let mut arguments: Vec<String> = operands.iter().map(o).collect();
                let mut called = String::from(*name);
                if name.ends_with('_') {
                    arguments.pop();
                    let number = self.kernel.family_number(operands).expect("a family's last operand is a constant");
                    called.push_str(&number.to_string());
                }
                if variant == Variant::Fast && self.fast.contains(name) {
                    called.insert_str(0, "fast_");
                    arguments.push("&rare".into());
                }
                format!("{called}({})", arguments.join(", "))
            }
        }
    }
}

pub(super) fn memory_name(memory: Memory) -> &'static str {
    match memory {
        Memory::Source => "source",
        Memory::SourceWords => "source_words",
        Memory::SourcePairs | Memory::SourceVectors => "source",
        Memory::Target | Memory::TargetPairs | Memory::TargetVectors => "target",
        Memory::Table | Memory::TablePairs => "table",
        Memory::Constants => "constants",
        Memory::Tile | Memory::TileVectors => "tile",
        Memory::Fetched => "fetched",
        Memory::Places => "places",
        Memory::Blocks => "blocks",
    }
}

pub(super) fn name_of(ty: Type) -> &'static str {
    match ty {
        Type::F32 => "float",
        Type::F32x2 => "float2",
        Type::F64 => "double",
        Type::U32 => "u32",
        Type::U64 => "u64",
        Type::Wide => "wide",
        Type::Big => "big",
        Type::Bool => "bool",
    }
}

pub(super) fn vector((ty, count): (Type, usize)) -> String {
    if count == 1 { name_of(ty).to_owned() } else { format!("{}{count}", name_of(ty)) }
}

pub(super) fn constant(ty: Type, bits: u64) -> String {
    match ty {
        // Rust prints the shortest decimal that reads back as the same number.
        Type::F32 | Type::F32x2 => format!("{:?}f", f32::from_bits(bits as u32)),
        Type::F64 => format!("{:?}", f64::from_bits(bits)),
        Type::U32 => format!("{bits}u"),
        Type::U64 | Type::Wide => format!("(u64){bits:#x}ul"),
        Type::Big => unreachable!("there are no such constants"),
        Type::Bool => (if bits == 0 { "false" } else { "true" }).to_owned(),
    }
}
