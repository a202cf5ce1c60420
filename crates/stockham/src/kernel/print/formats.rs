//! Numbers in memory that are no components of elements, and functions of real numbers.

use super::*;
use crate::transform::{Format, Function, Part, Side};

impl Printer<'_> {
    /// The format of such numbers in that memory.
    pub(super) fn format(&self, memory: Memory) -> Option<Format> {
        match memory {
            Memory::Source => self.kernel.formats[0],
            Memory::Target => self.kernel.formats[1],
            _ => None,
        }
    }

    /// The type of the numbers in the source, or in the target.
    pub(super) fn name_of_side(&self, side: Side) -> Option<String> {
        let Format { part, is_complex } = self.kernel.formats[usize::from(side == Side::Output)]?;
        Some(self.name_of_format(part, is_complex))
    }

    /// The type of a real number that lies so in memory, or of two.
    fn name_of_format(&self, part: Part, is_two: bool) -> String {
        let name = match (part, is_two) {
            (Part::F16 | Part::Bf16 | Part::U16, true) => "ushort2",
            (Part::F16 | Part::Bf16 | Part::U16, false) => self.words.ushort,
            (Part::I16, true) => "short2",
            (Part::I16, false) => "short",
            (Part::I8, true) => "char2",
            (Part::I8, false) => self.words.schar,
            (Part::U8, true) => "uchar2",
            (Part::U8, false) => self.words.uchar,
            (Part::I32, true) => "int2",
            (Part::I32, false) => "int",
            (Part::F32, true) => "float2",
            (Part::F32, false) => "float",
            (Part::F64, true) => "double2",
            (Part::F64, false) => "double",
        };
        name.to_owned()
    }

    /// How each of the real numbers of a side lies in memory, and their type in twos.
    fn in_twos(&self, side: Side) -> (Part, String) {
        let part = part_of(self.kernel, side);
        (part, self.name_of_format(part, true))
    }

    /// The functions that read and write parts of such numbers.
    pub(super) fn conversions(&self) -> String {
        let mut parts: Vec<Part> = self.kernel.formats.iter().flatten().map(|format| format.part).collect();
        parts.dedup();
        parts.into_iter().map(|part| self.conversion(part)).collect()
    }

    fn conversion(&self, part: Part) -> String {
        let (real, is_cuda) = (name_of(self.kernel.element.0), self.dialect == Dialect::Cuda);
        let is_f64 = self.kernel.element.0 == Type::F64;
        let (ushort, suffix) = (self.words.ushort, if is_f64 { "f64" } else { "f32" });
        let register = if is_f64 { "d" } else { "f" };
        match part {
            Part::F16 if is_cuda => format!(
                "FUNCTION {real} wide_f16({ushort} x)\n{{\n    {real} y;\n    asm(\"cvt.{suffix}.f16 %0, %1;\" : \"={register}\"(y) : \"h\"(x));\n    return y;\n}}\n\
                 FUNCTION {ushort} narrow_f16({real} x)\n{{\n    {ushort} y;\n    asm(\"cvt.rn.f16.{suffix} %0, %1;\" : \"=h\"(y) : \"{register}\"(x));\n    return y;\n}}\n"
            ),
            Part::F16 => format!(
                "FUNCTION {real} wide_f16(ushort x)\n{{\n    return ({real})vload_half(0, (const half*)&x);\n}}\n\
                 FUNCTION ushort narrow_f16({real} x)\n{{\n    ushort y;\n    vstore_half_rte(x, 0, (half*)&y);\n    return y;\n}}\n"
            ),
            Part::Bf16 => {
                let (bits, float) =
                    if is_cuda { ("__float_as_uint", "__uint_as_float") } else { ("as_uint", "as_float") };
                // Ties to even; what is no number stays none.
                let rounded = format!(
                    "    const u32 b = {bits}(y);\n    \
                     return ({ushort})(y != y ? b >> 16 | 64u : (b + 0x7fffu + (b >> 16 & 1u)) >> 16);\n"
                );
                let rounded = if is_cuda {
                    format!(
                        "#if __CUDA_ARCH__ >= 900\n    {ushort} z;\n    asm(\"cvt.rn.bf16.f32 %0, %1;\" : \"=h\"(z) : \"f\"(y));\n    \
                         return z;\n#else\n{rounded}#endif\n"
                    )
                } else {
                    rounded
                };
                format!(
                    "FUNCTION {real} wide_bf16({ushort} x)\n{{\n    return ({real}){float}((u32)x << 16);\n}}\n\
                     FUNCTION {ushort} narrow_bf16({real} x)\n{{\n    const float y = (float)x;\n{rounded}}}\n"
                )
            }
            Part::F32 | Part::F64 => {
                let name = if part == Part::F32 { "float" } else { "double" };
                format!(
                    "FUNCTION {real} wide_{name}({name} x)\n{{\n    return ({real})x;\n}}\n\
                     FUNCTION {name} narrow_{name}({real} x)\n{{\n    return ({name})x;\n}}\n"
                )
            }
            Part::I8 | Part::U8 | Part::I16 | Part::U16 | Part::I32 => {
                let (ty, low, high) = match part {
                    Part::I8 => (self.words.schar, "-128", "127"),
                    Part::U8 => (self.words.uchar, "0", "255"),
                    Part::I16 => ("short", "-32768", "32767"),
                    Part::U16 => (ushort, "0", "65535"),
                    _ => ("int", "", ""),
                };
                let nearest = match (is_cuda, is_f64) {
                    (true, false) => "__float2int_rn(x)",
                    (true, true) => "__double2int_rn(x)",
                    _ => "convert_int_sat_rte(x)",
                };
                let held =
                    if low.is_empty() { nearest.to_owned() } else { format!("min(max({nearest}, {low}), {high})") };
                let name = word_of(part);
                format!(
                    "FUNCTION {real} wide_{name}({ty} x)\n{{\n    return ({real})x;\n}}\n\
                     FUNCTION {ty} narrow_{name}({real} x)\n{{\n    return ({ty}){held};\n}}\n"
                )
            }
        }
    }

    /// Loads a number of a format.
    pub(super) fn load_format(
        &self,
        text: &mut String,
        format: Format,
        (memory, index, components): (Memory, Id, &[Id]),
        guard: Option<Id>,
        loads: &mut usize,
    ) -> std::fmt::Result {
        let real = self.kernel.element.0;
        let (word, name) = (word_of(format.part), name_of(real));
        let side = if memory == Memory::Target { Side::Output } else { Side::Input };
        let ty = self.name_of_side(side).unwrap_or_default();
        let place = match guard {
            // Where there is no such number, the first one is read, and not taken.
            Some(guard) if side == Side::Input => {
                format!("source[{} ? {} : 0]", self.operand(guard), self.operand(index))
            }
            // Others may write the first one meanwhile.
            guard => {
                let zero = if format.is_complex { self.construct_format(&ty, "0, 0") } else { "0".to_owned() };
                self.guarded(guard, self.element_at(memory, index), &zero)
            }
        };
        writeln!(text, "    const {ty} l{loads} = {place};")?;
        for (c, id) in components.iter().enumerate() {
            let part = if format.is_complex { [".x", ".y"][c] } else { "" };
            let value = format!("wide_{word}(l{loads}{part})");
            let value = self.guarded(guard, value, &constant(real, 0));
            writeln!(text, "    const {name} v{} = {value};", id.0)?;
        }
        *loads += 1;
        Ok(())
    }

    /// Loads two real numbers, which lie where two are one vector.
    pub(super) fn load_pair(
        &self,
        text: &mut String,
        (index, components): (Id, &[Id]),
        guard: Option<Id>,
        loads: &mut usize,
    ) -> std::fmt::Result {
        let (real, (part, two)) = (self.kernel.element.0, self.in_twos(Side::Input));
        // Where there are no such numbers, the first ones are read, and not taken.
        let index = self.guarded(guard, self.operand(index), "0");
        let global = self.words.global;
        match self.alignment {
            Alignment::Vector => writeln!(text, "    const {two} l{loads} = (({global}const {two}*)source)[{index}];")?,
            Alignment::Digit => {
                let [first, second] = [0, 1].map(|which| format!("source[2ul * ({index}) + {which}ul]"));
                let pair = self.construct_format(&two, &format!("{first}, {second}"));
                writeln!(text, "    const {two} l{loads} = {pair};")?;
            }
        }
        for (id, field) in components.iter().zip(["x", "y"]) {
            let value = self.guarded(
                guard,
                converted("wide", part, format!("l{loads}.{field}"), self.kernel),
                &constant(real, 0),
            );
            writeln!(text, "    const {} v{} = {value};", name_of(real), id.0)?;
        }
        *loads += 1;
        Ok(())
    }

    /// Stores them.
    pub(super) fn store_pair(
        &self,
        text: &mut String,
        (index, components): (Id, &[Id]),
        indent: &str,
    ) -> std::fmt::Result {
        let (part, two) = self.in_twos(Side::Output);
        let parts: Vec<String> =
            components.iter().map(|&c| converted("narrow", part, self.operand(c), self.kernel)).collect();
        let (index, global) = (self.operand(index), self.words.global);
        if self.alignment == Alignment::Vector {
            let pair = self.construct_format(&two, &parts.join(", "));
            return writeln!(text, "{indent}(({global}{two}*)target)[{index}] = {pair};");
        }
        for (which, part) in parts.iter().enumerate() {
            writeln!(text, "{indent}target[2ul * {index} + {which}ul] = {part};")?;
        }
        Ok(())
    }

    /// A complex number of a format of its parts.
    fn construct_format(&self, ty: &str, parts: &str) -> String {
        if self.dialect == Dialect::Cuda { format!("make_{ty}({parts})") } else { format!("({ty})({parts})") }
    }

    /// Stores a number of a format.
    pub(super) fn store_format(
        &self,
        text: &mut String,
        format: Format,
        (index, components): (Id, &[Id]),
        indent: &str,
    ) -> std::fmt::Result {
        let word = word_of(format.part);
        let parts: Vec<String> = components.iter().map(|&c| format!("narrow_{word}({})", self.operand(c))).collect();
        let ty = self.name_of_side(Side::Output).unwrap_or_default();
        let parts = parts.join(", ");
        let value = if format.is_complex { self.construct_format(&ty, &parts) } else { parts };
        writeln!(text, "{indent}{} = {value};", self.element_at(Memory::Target, index))
    }

    /// A function of real numbers.
    pub(super) fn function(&self, ty: Type, function: Function, operands: &[String]) -> String {
        let name = match function {
            Function::Div => return operands.join(" / "),
            Function::Min => "fmin",
            Function::Max => "fmax",
            Function::Abs => "fabs",
            Function::Sqrt => "sqrt",
            Function::Rsqrt => "rsqrt",
            Function::Log2 => "log2",
            Function::Exp2 => "exp2",
            Function::SinPi => "sinpi",
            Function::CosPi => "cospi",
            Function::Floor => "floor",
            other => unreachable!("{other:?} is an operation of its own"),
        };
        let suffix = if self.dialect == Dialect::Cuda && ty == Type::F32 { "f" } else { "" };
        format!("{name}{suffix}({})", operands.join(", "))
    }
}

/// How each of the real numbers of a side lies in memory.
fn part_of(kernel: &Kernel, side: Side) -> Part {
    kernel.formats[usize::from(side == Side::Output)].map_or(native(kernel), |format| format.part)
}

/// The real numbers that are computed with.
fn native(kernel: &Kernel) -> Part {
    if kernel.element.0 == Type::F64 { Part::F64 } else { Part::F32 }
}

/// Bytes of the largest pair of real numbers that a kernel reads or writes at once.
pub(super) fn bytes_of_pairs(kernel: &Kernel) -> usize {
    let side = |stmt: &Stmt| match stmt {
        Stmt::Load { memory: Memory::SourcePairs, .. } => Some(Side::Input),
        Stmt::Store { memory: Memory::TargetPairs, .. } => Some(Side::Output),
        _ => None,
    };
    kernel
        .body
        .iter()
        .filter_map(side)
        .map(|side| Format { part: part_of(kernel, side), is_complex: true }.bytes())
        .max()
        .unwrap_or(1)
}

/// A number of memory as it is computed with, or the other way: `wide` or `narrow`.
fn converted(way: &str, part: Part, x: String, kernel: &Kernel) -> String {
    if part == native(kernel) { x } else { format!("{way}_{}({x})", word_of(part)) }
}

fn word_of(part: Part) -> &'static str {
    match part {
        Part::F16 => "f16",
        Part::Bf16 => "bf16",
        Part::F32 => "float",
        Part::F64 => "double",
        Part::I8 => "i8",
        Part::U8 => "u8",
        Part::I16 => "i16",
        Part::U16 => "u16",
        Part::I32 => "i32",
    }
}
