//! Printing kernels. OpenCL C and CUDA C differ by a table of `words`; the rest is one printer.

mod digits;
mod expression;
mod floats;
mod formats;
mod hopper;
mod places;
mod team;
mod words;

use std::fmt::Write;

use crate::algebra::Primitives;
use crate::plan::{Ring, WARP};
use crate::transform::Side;

use super::Alignment;
use super::ir::{Id, Kernel, Lookups, Memory, Op, Stmt, Type};

pub(super) use digits::alignment;
use expression::{constant, memory_name, name_of, vector};
pub(super) use hopper::{local_bytes, print_ring, ring_local_bytes, ring_name};
pub use words::Dialect;
use words::Words;

/// The text of a kernel, primitives and all. It waits itself for the launch before, or need not.
pub(super) fn print(
    kernel: &Kernel,
    (dialect, alignment): (Dialect, Alignment),
    primitives: &Primitives,
    waits: bool,
) -> String {
    let words = dialect.words();
    let group = if kernel.hopper.ahead.is_some() { "tile_number" } else { words.group };
    let fast = primitives.fast;
    let printer = Printer { kernel, dialect, alignment, words, waits, group, streamed: None, fast, part: None };
    printer.run(&primitives.text).expect("writing to a string does not fail")
}

/// Bytes of a vector of digits.
const VECTOR_BYTES: usize = 16;

/// 32-bit registers of an NVIDIA multiprocessor, of every generation in use.
const REGISTERS: usize = 65536;

struct Printer<'a> {
    kernel: &'a Kernel,
    dialect: Dialect,
    /// Where the caller's memory begins.
    alignment: Alignment,
    words: &'static Words,
    /// Whether it waits for the launch before.
    waits: bool,
    /// The index of the work-group.
    group: &'static str,
    /// What is touched once only and is to leave the cache to the rest.
    streamed: Option<Memory>,
    /// The primitives that have a fast variant for all but rare operands.
    fast: &'static [&'static str],
    /// Which of the two passes it is that go through a ring.
    part: Option<(usize, Ring)>,
}

/// Which variant of the primitives a body calls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Variant {
    Any,
    /// The fast ones, which tell of operands that they are not made for.
    Fast,
}

impl Printer<'_> {
    fn run(&self, primitives: &str) -> Result<String, std::fmt::Error> {
        let (kernel, words) = (self.kernel, self.words);
        let mut text = self.head(primitives, &[kernel]);
        let bounds = self.bounds(kernel.registers);
        if !self.fast.is_empty() {
            // The whole again, for operands that the fast primitives are not made for.
            let tile = if kernel.tile_len > 0 {
                format!(",\n    {}{}* tile", words.local, vector(kernel.tile))
            } else {
                String::new()
            };
            writeln!(text, "\n{} void {}_any({}{tile})\n{{", words.apart, kernel.name, self.parameters())?;
            self.pointers(&mut text)?;
            self.body(&mut text, Variant::Any)?;
            text.push_str("}\n");
        }
        writeln!(text, "\n{}{bounds} void {}({})\n{{", words.kernel, kernel.name, self.parameters())?;
        if self.waits {
            text.push_str(words.wait);
        }
        self.pointers(&mut text)?;
        if kernel.tile_len > 0 {
            text.push_str(&self.tile(kernel.tile_len, self.tile_alignment()));
        }
        if !self.fast.is_empty() {
            text.push_str("    u32 rare = 0;\n");
        }
        match &kernel.hopper.ahead {
            Some(ahead) => self.tiles(&mut text, ahead)?,
            None => self.body(&mut text, if self.fast.is_empty() { Variant::Any } else { Variant::Fast })?,
        }
        text.push_str("}\n");
        Ok(text)
    }

    /// Local memory of so many places, which begins at a multiple of so many bytes, if any.
    fn tile(&self, len: usize, alignment: Option<usize>) -> String {
        let place = vector(self.kernel.tile);
        let (name, part) = self.team_tile(len, &place);
        match self.dialect {
            Dialect::Cuda => {
                let align = alignment.map(|bytes| format!("__align__({bytes}) ")).unwrap_or_default();
                format!("    extern __shared__ {align}{place} {name}[];\n{part}")
            }
            _ => {
                let align = alignment.map(|bytes| format!(" __attribute__((aligned({bytes})))")).unwrap_or_default();
                format!("    __local {place} {name}[{len}]{align};\n{part}")
            }
        }
    }

    /// Where local memory has to begin, if not at any place.
    fn tile_alignment(&self) -> Option<usize> {
        let has_vectors = self.has_vectors_in_tile().then_some(VECTOR_BYTES);
        hopper::tile_alignment(self.kernel).or(has_vectors)
    }

    /// What comes before the functions of these kernels.
    fn head(&self, primitives: &str, kernels: &[&Kernel]) -> String {
        let (kernel, words) = (self.kernel, self.words);
        let mut text = String::new();
        if self.dialect != Dialect::Cuda && kernel.element.0 == Type::F64 {
            text.push_str("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
        }
        text.push_str(words.prelude);
        if kernel.values.iter().any(|(_, op)| matches!(op, Op::Reverse(..))) {
            text.push_str(words.reverse_bits);
        }
        let does = |is: fn(&Stmt) -> bool| kernels.iter().any(|k| k.body.iter().any(is));
        if does(|stmt| matches!(stmt, Stmt::Load { memory: Memory::TablePairs, .. })) {
            text.push_str(words.pairs);
        }
        if !kernel.constants.is_empty() {
            let (word, count) = (kernel.element.0, kernel.constants.len());
            let all: Vec<String> = kernel.constants.iter().map(|&bits| constant(word, bits)).collect();
            let (qualifier, word) = (words.constant, name_of(word));
            text.push_str(&format!("{qualifier} {word} constants[{count}] = {{{}}};\n", all.join(", ")));
        }
        text.push_str(&self.team_words());
        text.push_str(primitives);
        text.push_str(&self.conversions());
        if self.dialect == Dialect::Cuda && kernel.values.iter().any(|(ty, _)| *ty == Type::F32x2) {
            text.push_str(floats::CUDA_VECTORS);
        }
        text.push_str(&hopper::functions(kernel));
        text
    }

    /// What a kernel is told of its work-groups.
    fn bounds(&self, registers: usize) -> String {
        let group = self.kernel.group;
        match self.dialect {
            Dialect::Cuda => {
                // A warp gets its registers whole, however few of its threads there are.
                let resident = (REGISTERS / (registers * group.next_multiple_of(WARP))).max(1);
                format!("{} __launch_bounds__({group}, {resident})", hopper::dimensions(self.kernel))
            }
            Dialect::OpenCl => format!(" __attribute__((reqd_work_group_size({group}, 1, 1)))"),
            // With a required size NVIDIA's compiler would not heed the limit on registers that it is given.
            Dialect::OpenClNvidia => String::new(),
        }
    }

    fn parameters(&self) -> String {
        let (global, ([source, target, element], [from, to])) = (self.words.global, self.pointed_to());
        format!(
            "{global}const {source}* {from}source_base, const u64 source_offset,\n    \
             {global}{target}* {to}target_base, const u64 target_offset,\n    \
             {global}const {element}* {}table{}",
            self.restrict_unless(self.kernel.lookups != Lookups::Early),
            self.arguments(", const u64 ")
        )
    }

    /// The scalar arguments, each after these words.
    fn arguments(&self, before: &str) -> String {
        self.kernel.arguments.iter().map(|name| format!("{before}{name}_wide")).collect()
    }

    /// What source, target and table point to, and how the first two do, with the space after it.
    fn pointed_to(&self) -> ([String; 3], [String; 2]) {
        let element = match self.kernel.digit_strides {
            Some(_) => name_of(self.kernel.element.0).to_owned(),
            None => vector(self.kernel.element),
        };
        // What may have been written since the kernel began is not constant. And what is constant NVIDIA's compiler asks for
        // behind the cluster's wait, not before it.
        let changes = self.kernel.in_place || self.waits || self.kernel.hopper.cluster > 1;
        let of = |is_real: bool| if is_real { name_of(self.kernel.element.0).to_owned() } else { element.clone() };
        let [source, target] = self.kernel.reals.map(of);
        let source = self.name_of_side(Side::Input).unwrap_or(source);
        let target = self.name_of_side(Side::Output).unwrap_or(target);
        let may_be_table = self.kernel.lookups == Lookups::AtTheirPlace;
        let [from, to] = [changes, changes || may_be_table].map(|is_free| self.restrict_unless(is_free));
        ([source, target, element], [from, to])
    }

    /// The word for memory that is nobody else's, with the space after it.
    fn restrict_unless(&self, is_free: bool) -> String {
        if is_free { String::new() } else { format!("{} ", self.words.restrict) }
    }

    fn pointers(&self, text: &mut String) -> std::fmt::Result {
        let global = self.words.global;
        let ([source, target, _], [from, to]) = self.pointed_to();
        writeln!(text, "    {global}const {source}* {from}source = source_base + source_offset;")?;
        writeln!(text, "    {global}{target}* {to}target = target_base + target_offset;")?;
        self.word_pointers(text)?;
        self.team_pointers(text)?;
        for name in self.kernel.arguments {
            writeln!(text, "    const {0} {name} = ({0}){name}_wide;", name_of(self.kernel.index_type))?;
        }
        Ok(())
    }

    fn body(&self, text: &mut String, variant: Variant) -> std::fmt::Result {
        let mut open: Option<Id> = None;
        let mut is_checked = variant == Variant::Any;
        let mut loads = 0;
        let mut loop_over = None;
        let mut repeated: Vec<Id> = Vec::new();
        let is_said = self.is_said();
        for stmt in &self.kernel.body {
            let guard = if let Stmt::Store { guard, .. } = stmt { *guard } else { None };
            // Neighbouring stores share their guard; values between them do not need one.
            let closes = !matches!(stmt, Stmt::Store { .. }) || guard != open;
            if open.is_some() && closes {
                text.push_str("    }\n");
                open = None;
            }
            if !is_checked && is_to_target(stmt) {
                self.check(text)?;
                is_checked = true;
            }
            if let (Some(g), None) = (guard, open) {
                writeln!(text, "    if ({}) {{", self.operand(g))?;
                open = guard;
            }
            match stmt {
                Stmt::Let(id) => {
                    let (ty, op) = &self.kernel.values[id.0 as usize];
                    if !matches!(op, Op::Const(_)) && is_said[id.0 as usize] {
                        writeln!(
                            text,
                            "    const {} v{} = {};",
                            name_of(*ty),
                            id.0,
                            self.expression(*ty, op, variant)
                        )?;
                    }
                }
                Stmt::Load { memory, index, components, guard } => {
                    if let Some(strides) = self.strides(*memory) {
                        self.load_digits(text, (*memory, *index, components), *guard, strides, &mut loads)?;
                        continue;
                    }
                    if self.load_vector(text, (*memory, *index, components), &mut loads)? {
                        continue;
                    }
                    if *memory == Memory::SourcePairs {
                        self.load_pair(text, (*index, components), *guard, &mut loads)?;
                        continue;
                    }
                    if let Some(format) = self.format(*memory) {
                        self.load_format(text, format, (*memory, *index, components), *guard, &mut loads)?;
                        continue;
                    }
                    let ty = self.kernel.values[components[0].0 as usize].0;
                    let mut place = self.element_at(*memory, *index);
                    if self.streams(*memory) {
                        place = format!("__ldcs(&{place})");
                    }
                    let zeros = vec![constant(ty, 0); components.len()].join(", ");
                    let place = self.guarded(*guard, place, &self.construct((ty, components.len()), &zeros));
                    self.components(text, &place, components, &mut loads)?;
                }
                Stmt::SinCos { trig, angle, sin, cos } => self.sin_cos(text, *trig, *angle, (sin.0, cos.0))?,
                Stmt::Store { memory, index, components, .. } => {
                    let indent = if open.is_some() { "        " } else { "    " };
                    if let Some(strides) = self.strides(*memory) {
                        self.store_digits(text, (*memory, *index, components), strides, indent)?;
                        continue;
                    }
                    if self.store_vector(text, (*memory, *index, components), indent)? {
                        continue;
                    }
                    if *memory == Memory::TargetPairs {
                        self.store_pair(text, (*index, components), indent)?;
                        continue;
                    }
                    if let Some(format) = self.format(*memory) {
                        self.store_format(text, format, (*index, components), indent)?;
                        continue;
                    }
                    let ty = self.kernel.values[components[0].0 as usize].0;
                    let parts: Vec<String> = components.iter().map(|&c| self.operand(c)).collect();
                    let value = self.construct((ty, components.len()), &parts.join(", "));
                    let place = self.element_at(*memory, *index);
                    if let Some(kept) = self.kept_store(*memory, *index, &value) {
                        writeln!(text, "{indent}{kept}")?;
                    } else if self.streams(*memory) {
                        writeln!(text, "{indent}__stcs(&{place}, {value});")?;
                    } else {
                        writeln!(text, "{indent}{place} = {value};")?;
                    }
                }
                Stmt::Rows { rows, counter, row } => {
                    let ty = name_of(self.kernel.values[row.0 as usize].0);
                    for (i, r) in rows.iter().enumerate() {
                        writeln!(text, "    {ty} row{}_{i} = {};", row.0, self.operand(*r))?;
                    }
                    text.push_str("    #pragma unroll 1\n");
                    writeln!(text, "    for (u32 v{0} = 0; v{0} < {1}; v{0}++) {{", counter.0, rows.len())?;
                    writeln!(text, "    const {ty} v{0} = row{0}_0;", row.0)?;
                    loop_over = Some(row.0);
                }
                Stmt::EndRows { result, results } => {
                    let row = loop_over.take().expect("a loop that began");
                    // The rows go around, so that each is the first in its turn, and all are where they were at the end.
                    for i in 1..results.len() {
                        writeln!(text, "    row{row}_{} = row{row}_{i};", i - 1)?;
                    }
                    writeln!(text, "    row{row}_{} = {};\n    }}", results.len() - 1, self.operand(*result))?;
                    let ty = name_of(self.kernel.values[result.0 as usize].0);
                    for (i, r) in results.iter().enumerate() {
                        writeln!(text, "    const {ty} v{} = row{row}_{i};", r.0)?;
                    }
                }
                Stmt::Repeat { times, counter, from, values } => {
                    for (value, first) in values.iter().zip(from) {
                        let ty = name_of(self.kernel.values[value.0 as usize].0);
                        writeln!(text, "    {ty} next{} = {};", value.0, self.operand(*first))?;
                    }
                    text.push_str("    #pragma unroll 1\n");
                    let times = self.operand(*times);
                    writeln!(text, "    for (u32 v{0} = 0; v{0} < {times}; v{0}++) {{", counter.0)?;
                    for value in values {
                        let ty = name_of(self.kernel.values[value.0 as usize].0);
                        writeln!(text, "    const {ty} v{0} = next{0};", value.0)?;
                    }
                    repeated.clone_from(values);
                }
                Stmt::EndRepeat { next, results } => {
                    for (value, next) in repeated.iter().zip(next) {
                        writeln!(text, "    next{} = {};", value.0, self.operand(*next))?;
                    }
                    text.push_str("    }\n");
                    for (value, result) in repeated.iter().zip(results) {
                        let ty = name_of(self.kernel.values[result.0 as usize].0);
                        writeln!(text, "    const {ty} v{} = next{};", result.0, value.0)?;
                    }
                }
                Stmt::Barrier if self.kernel.in_place => writeln!(text, "    {}", self.words.barrier_of_all)?,
                Stmt::Barrier => writeln!(text, "    {}", self.words.barrier)?,
                Stmt::Meet(meeting) => self.meet_others(text, *meeting)?,
                Stmt::Push { exchange, block, index, components } => {
                    self.push(text, *exchange, (*block, *index), components)?;
                }
            }
        }
        if open.is_some() {
            text.push_str("    }\n");
        }
        Ok(())
    }

    /// An element of memory as C has it.
    fn element_at(&self, memory: Memory, index: Id) -> String {
        if memory == Memory::TablePairs {
            let pair = vector((self.kernel.element.0, 2));
            return format!("((const {}{pair}*)table)[{}]", self.words.global, self.operand(index));
        }
        if memory == Memory::Tile {
            return self.in_tile(index);
        }
        let special = self.special_place(memory, index);
        special.unwrap_or_else(|| format!("{}[{}]", memory_name(memory), self.operand(index)))
    }

    /// Whether accesses tell the cache that nobody comes back.
    fn streams(&self, memory: Memory) -> bool {
        self.dialect == Dialect::Cuda && self.streamed == Some(memory)
    }

    /// What is loaded, and its components by name.
    fn components(&self, text: &mut String, loaded: &str, components: &[Id], loads: &mut usize) -> std::fmt::Result {
        let ty = self.kernel.values[components[0].0 as usize].0;
        if let [only] = components[..] {
            return writeln!(text, "    const {} v{} = {loaded};", name_of(ty), only.0);
        }
        writeln!(text, "    const {} l{loads} = {loaded};", vector((ty, components.len())))?;
        for (c, id) in components.iter().enumerate() {
            writeln!(text, "    const {} v{} = l{loads}.{};", name_of(ty), id.0, ["x", "y"][c])?;
        }
        *loads += 1;
        Ok(())
    }

    /// What is loaded where the guard holds, and zero elsewhere.
    fn guarded(&self, guard: Option<Id>, place: String, zero: &str) -> String {
        guard.map_or_else(|| place.clone(), |guard| format!("{} ? {place} : {zero}", self.operand(guard)))
    }

    /// Nothing has been stored yet: if any thread met rare operands, the work-group begins again.
    fn check(&self, text: &mut String) -> std::fmt::Result {
        let tile = if self.kernel.tile_len > 0 { ", tile" } else { "" };
        writeln!(
            text,
            "    if (any_thread(rare)) {{\n        {}_any(source_base, source_offset, target_base, target_offset, \
             table{}{tile});\n        return;\n    }}",
            self.kernel.name,
            self.arguments(", ")
        )
    }
}

/// Whether something is stored to the caller's memory.
fn is_to_target(stmt: &Stmt) -> bool {
    let Stmt::Store { memory, .. } = stmt else { return false };
    matches!(memory, Memory::Target | Memory::TargetPairs | Memory::TargetVectors)
}
