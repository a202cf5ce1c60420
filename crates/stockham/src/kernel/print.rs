//! Printing kernels. OpenCL C and CUDA C differ by the table of words below; the rest is one printer.

use std::fmt::Write;

use super::ir::{Id, Kernel, Memory, Op, Stmt, Type};

/// The language of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// CUDA C++, as NVRTC takes it.
    Cuda,
    /// OpenCL C 1.2.
    OpenCl,
    /// OpenCL C on NVIDIA's driver, which takes PTX assembly too.
    OpenClNvidia,
}

/// The words in which the dialects differ.
struct Words {
    prelude: &'static str,
    kernel: &'static str,
    global: &'static str,
    restrict: &'static str,
    barrier: &'static str,
    group: &'static str,
    thread: &'static str,
}

const CUDA: Words = Words {
    prelude: "typedef unsigned int u32;\ntypedef unsigned long long u64;\n#define FUNCTION static __device__ __forceinline__\n#define mul_hi64 __umul64hi\n",
    kernel: "extern \"C\" __global__",
    global: "",
    restrict: "__restrict__",
    barrier: "__syncthreads();",
    group: "blockIdx.x",
    thread: "threadIdx.x",
};

const OPENCL: Words = Words {
    prelude: "typedef uint u32;\ntypedef ulong u64;\n#define FUNCTION static inline\n#define mul_hi64 mul_hi\n",
    kernel: "__kernel",
    global: "__global ",
    restrict: "restrict",
    barrier: "barrier(CLK_LOCAL_MEM_FENCE);",
    group: "get_group_id(0)",
    thread: "get_local_id(0)",
};

impl Dialect {
    fn words(self) -> &'static Words {
        match self {
            Self::Cuda => &CUDA,
            Self::OpenCl | Self::OpenClNvidia => &OPENCL,
        }
    }

    /// Whether PTX assembly may be used.
    pub(super) fn has_ptx(self) -> bool {
        self != Self::OpenCl
    }
}

/// The text of a kernel, primitives and all.
pub(super) fn print(kernel: &Kernel, dialect: Dialect, primitives: &str) -> String {
    Printer { kernel, dialect, words: dialect.words() }.run(primitives).expect("writing to a string does not fail")
}

/// 32-bit registers of an NVIDIA multiprocessor, of every generation in use.
const REGISTERS: usize = 65536;

struct Printer<'a> {
    kernel: &'a Kernel,
    dialect: Dialect,
    words: &'static Words,
}

impl Printer<'_> {
    fn run(&self, primitives: &str) -> Result<String, std::fmt::Error> {
        let (kernel, words) = (self.kernel, self.words);
        let mut text = String::new();
        if self.dialect != Dialect::Cuda && kernel.element.0 == Type::F64 {
            text.push_str("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
        }
        text.push_str(words.prelude);
        text.push_str(primitives);
        let element = vector(kernel.element);
        let (global, restrict) = (words.global, if kernel.in_place { "" } else { words.restrict });
        let bounds = match self.dialect {
            Dialect::Cuda => {
                let resident = (REGISTERS / (kernel.registers * kernel.group)).max(1);
                format!(" __launch_bounds__({}, {resident})", kernel.group)
            }
            Dialect::OpenCl => format!(" __attribute__((reqd_work_group_size({}, 1, 1)))", kernel.group),
            // With a required size NVIDIA's compiler would not heed the limit on registers that it is given.
            Dialect::OpenClNvidia => String::new(),
        };
        writeln!(
            text,
            "\n{}{bounds} void {}({global}const {element}* {restrict} source_base, const u64 source_offset,\n    \
             {global}{element}* {restrict} target_base, const u64 target_offset,\n    \
             {global}const {element}* {} table, const u64 columns_wide)\n{{",
            words.kernel, kernel.name, words.restrict
        )?;
        writeln!(text, "    {global}const {element}* {restrict} source = source_base + source_offset;")?;
        writeln!(text, "    {global}{element}* {restrict} target = target_base + target_offset;")?;
        writeln!(text, "    const {0} columns = ({0})columns_wide;", name_of(kernel.index_type))?;
        if kernel.tile_len > 0 {
            match self.dialect {
                Dialect::Cuda => writeln!(text, "    extern __shared__ {} tile[];", vector(kernel.tile))?,
                _ => writeln!(text, "    __local {} tile[{}];", vector(kernel.tile), kernel.tile_len)?,
            }
        }
        self.body(&mut text)?;
        text.push_str("}\n");
        Ok(text)
    }

    fn body(&self, text: &mut String) -> std::fmt::Result {
        let mut open: Option<Id> = None;
        let mut loads = 0;
        for stmt in &self.kernel.body {
            let guard = if let Stmt::Store { guard, .. } = stmt { *guard } else { None };
            // Neighbouring stores share their guard; values between them do not need one.
            let closes = !matches!(stmt, Stmt::Store { .. }) || guard != open;
            if open.is_some() && closes {
                text.push_str("    }\n");
                open = None;
            }
            if let (Some(g), None) = (guard, open) {
                writeln!(text, "    if ({}) {{", self.operand(g))?;
                open = guard;
            }
            match stmt {
                Stmt::Let(id) => {
                    let (ty, op) = &self.kernel.values[id.0 as usize];
                    if !matches!(op, Op::Const(_)) {
                        writeln!(text, "    const {} v{} = {};", name_of(*ty), id.0, self.expression(*ty, op))?;
                    }
                }
                Stmt::Load { memory, index, components } => {
                    let ty = self.kernel.values[components[0].0 as usize].0;
                    let place = format!("{}[{}]", memory_name(*memory), self.operand(*index));
                    if let [only] = components[..] {
                        writeln!(text, "    const {} v{} = {place};", name_of(ty), only.0)?;
                    } else {
                        writeln!(text, "    const {} l{loads} = {place};", vector((ty, components.len())))?;
                        for (c, id) in components.iter().enumerate() {
                            writeln!(text, "    const {} v{} = l{loads}.{};", name_of(ty), id.0, ["x", "y"][c])?;
                        }
                        loads += 1;
                    }
                }
                Stmt::Store { memory, index, components, .. } => {
                    let ty = self.kernel.values[components[0].0 as usize].0;
                    let parts: Vec<String> = components.iter().map(|&c| self.operand(c)).collect();
                    let value = self.construct((ty, components.len()), &parts.join(", "));
                    let indent = if open.is_some() { "        " } else { "    " };
                    writeln!(text, "{indent}{}[{}] = {value};", memory_name(*memory), self.operand(*index))?;
                }
                Stmt::Barrier => writeln!(text, "    {}", self.words.barrier)?,
            }
        }
        if open.is_some() {
            text.push_str("    }\n");
        }
        Ok(())
    }

    fn construct(&self, (ty, count): (Type, usize), parts: &str) -> String {
        match (count, self.dialect) {
            (1, _) => parts.to_owned(),
            (_, Dialect::Cuda) => format!("make_{}({parts})", vector((ty, count))),
            _ => format!("({})({parts})", vector((ty, count))),
        }
    }

    fn operand(&self, id: Id) -> String {
        match &self.kernel.values[id.0 as usize] {
            (ty, Op::Const(bits)) => constant(*ty, *bits),
            _ => format!("v{}", id.0),
        }
    }

    fn expression(&self, ty: Type, op: &Op) -> String {
        let o = |id: &Id| self.operand(*id);
        match op {
            Op::Const(bits) => constant(ty, *bits),
            Op::Argument(name) => (*name).to_owned(),
            Op::Group => format!("({}){}", name_of(ty), self.words.group),
            Op::Thread => format!("({}){}", name_of(ty), self.words.thread),
            Op::Loaded => unreachable!("loads are statements"),
            Op::Add(a, b) => format!("{} + {}", o(a), o(b)),
            Op::Sub(a, b) => format!("{} - {}", o(a), o(b)),
            Op::Mul(a, b) => format!("{} * {}", o(a), o(b)),
            Op::Neg(a) => format!("-{}", o(a)),
            Op::Fma(a, b, c) => format!("fma({}, {}, {})", o(a), o(b), o(c)),
            Op::Div(a, b) => format!("{} / {}", o(a), o(b)),
            Op::Rem(a, b) => format!("{} % {}", o(a), o(b)),
            Op::Shl(a, s) => format!("{} << {s}", o(a)),
            Op::Shr(a, s) => format!("{} >> {s}", o(a)),
            Op::And(a, b) => format!("{} & {}", o(a), o(b)),
            Op::Min(a, b) => format!("min({}, {})", o(a), o(b)),
            Op::Less(a, b) => format!("{} < {}", o(a), o(b)),
            Op::Equal(a, b) => format!("{} == {}", o(a), o(b)),
            Op::Cast(a) => format!("({}){}", name_of(ty), o(a)),
            Op::Call(name, operands) => {
                format!("{name}({})", operands.iter().map(o).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

fn memory_name(memory: Memory) -> &'static str {
    match memory {
        Memory::Source => "source",
        Memory::Target => "target",
        Memory::Table => "table",
        Memory::Tile => "tile",
    }
}

fn name_of(ty: Type) -> &'static str {
    match ty {
        Type::F32 => "float",
        Type::F64 => "double",
        Type::U32 => "u32",
        Type::U64 => "u64",
        Type::Wide => "wide",
        Type::Bool => "bool",
    }
}

fn vector((ty, count): (Type, usize)) -> String {
    if count == 1 { name_of(ty).to_owned() } else { format!("{}{count}", name_of(ty)) }
}

fn constant(ty: Type, bits: u64) -> String {
    match ty {
        // Rust prints the shortest decimal that reads back as the same number.
        Type::F32 => format!("{:?}f", f32::from_bits(bits as u32)),
        Type::F64 => format!("{:?}", f64::from_bits(bits)),
        Type::U32 => format!("{bits}u"),
        Type::U64 | Type::Wide => format!("(u64){bits:#x}ul"),
        Type::Bool => (if bits == 0 { "false" } else { "true" }).to_owned(),
    }
}
