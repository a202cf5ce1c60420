//! Elements of many digits in global memory: vectors of 16 bytes where the digits of an element lie together; and vectors of
//! several elements of one word.

use super::*;

/// How many digits make a vector, its type, its fields.
struct Vector {
    digits: usize,
    name: &'static str,
}

const FIELDS: [&str; 4] = ["x", "y", "z", "w"];

/// Bytes at whose multiples the caller's memory must begin, for the kernel that is printed so.
pub(in crate::kernel) fn alignment(kernel: &Kernel, alignment: Alignment) -> usize {
    let own = if kernel.digit_strides.is_some() { kernel.element.0.bytes() } else { kernel.element_bytes() };
    let is_by_vectors = |stmt: &Stmt| {
        let (Stmt::Load { memory, .. } | Stmt::Store { memory, .. }) = stmt else { return false };
        let strides = match (memory, kernel.digit_strides) {
            (Memory::SourceVectors | Memory::TargetVectors, _) => return true,
            (Memory::Source, Some(strides)) => strides[0],
            (Memory::Target, Some(strides)) => strides[1],
            (Memory::Table, Some(_)) => (kernel.element.1, 1),
            _ => return false,
        };
        vectors(kernel, strides).is_some()
    };
    match alignment {
        Alignment::Vector if kernel.body.iter().any(is_by_vectors) => VECTOR_BYTES,
        Alignment::Vector => own.max(formats::bytes_of_pairs(kernel)),
        Alignment::Digit => own,
    }
}

/// How many digits make a vector.
fn digits_of_vector(kernel: &Kernel) -> usize {
    VECTOR_BYTES / kernel.element.0.bytes()
}

/// How many digits make the vectors of an element, if it is made of whole ones.
fn vectors(kernel: &Kernel, (_, between): (usize, usize)) -> Option<usize> {
    let (digits, of_thread) = (digits_of_vector(kernel), kernel.element.1 / kernel.team);
    (between == 1 && of_thread.is_multiple_of(digits)).then_some(digits)
}

impl Printer<'_> {
    /// Whether accesses to that memory are to elements of digits, and how far apart those lie.
    pub(super) fn strides(&self, memory: Memory) -> Option<(usize, usize)> {
        let [source, target] = self.kernel.digit_strides?;
        match memory {
            Memory::Source => Some(source),
            Memory::Target => Some(target),
            Memory::Table => Some((self.kernel.element.1, 1)),
            Memory::SourceWords
            | Memory::SourcePairs
            | Memory::TargetPairs
            | Memory::TablePairs
            | Memory::Constants
            | Memory::Tile
            | Memory::Fetched
            | Memory::Places
            | Memory::Blocks => None,
            Memory::SourceVectors | Memory::TargetVectors | Memory::TileVectors => None,
        }
    }

    /// The vectors that make up an element, if it is accessed by them.
    fn vectors(&self, strides: (usize, usize)) -> Option<Vector> {
        vectors(self.kernel, strides).filter(|_| self.alignment == Alignment::Vector)?;
        Some(self.vector_of_digits())
    }

    /// Whether vectors stand in local memory, which must be aligned then.
    pub(super) fn has_vectors_in_tile(&self) -> bool {
        self.kernel.body.iter().any(|stmt| matches!(stmt, Stmt::Store { memory: Memory::TileVectors, .. }))
    }

    fn vector_of_digits(&self) -> Vector {
        let name = match (self.kernel.element.0, self.dialect) {
            (Type::U64, Dialect::Cuda) => "ulonglong2",
            (Type::U64, _) => "ulong2",
            _ => "uint4",
        };
        Vector { digits: digits_of_vector(self.kernel), name }
    }

    /// The digits of a memory's vector of that number, where it is not accessed as a vector.
    fn digits_of_numbered(&self, memory: Memory, index: Id) -> Option<Vec<String>> {
        let is_global = matches!(memory, Memory::SourceVectors | Memory::TargetVectors);
        let (name, index, count) = (memory_name(memory), self.operand(index), digits_of_vector(self.kernel));
        let digit = |number| format!("{name}[(u64){index} * {count}ul + {number}ul]");
        (is_global && self.alignment == Alignment::Digit).then(|| (0..count).map(digit).collect())
    }

    /// A memory's vector of that number, if it is accessed by vectors.
    fn numbered_vector(&self, memory: Memory, index: Id) -> Option<(Vector, String)> {
        let (space, constant) = match memory {
            Memory::SourceVectors => (self.words.global, "const "),
            Memory::TargetVectors => (self.words.global, ""),
            Memory::TileVectors => (self.words.local, ""),
            _ => return None,
        };
        let vector = self.vector_of_digits();
        let (name, index) = (memory_name(memory), self.operand(index));
        let place = format!("(({space}{constant}{}*){name})[{index}]", vector.name);
        Some((vector, place))
    }

    /// Loads a vector, if that is how the memory is accessed.
    pub(super) fn load_vector(
        &self,
        text: &mut String,
        (memory, index, digits): (Memory, Id, &[Id]),
        loads: &mut usize,
    ) -> Result<bool, std::fmt::Error> {
        if let Some(places) = self.digits_of_numbered(memory, index) {
            let ty = name_of(self.kernel.element.0);
            for (id, place) in digits.iter().zip(places) {
                writeln!(text, "    const {ty} v{} = {place};", id.0)?;
            }
            return Ok(true);
        }
        let Some((vector, place)) = self.numbered_vector(memory, index) else { return Ok(false) };
        self.take_apart(text, &vector, &place, digits, loads)?;
        Ok(true)
    }

    /// What is loaded, a vector, and its digits by name.
    fn take_apart(
        &self,
        text: &mut String,
        vector: &Vector,
        loaded: &str,
        digits: &[Id],
        loads: &mut usize,
    ) -> std::fmt::Result {
        let ty = name_of(self.kernel.element.0);
        writeln!(text, "    const {} l{loads} = {loaded};", vector.name)?;
        for (field, id) in FIELDS.iter().zip(digits) {
            writeln!(text, "    const {ty} v{} = l{loads}.{field};", id.0)?;
        }
        *loads += 1;
        Ok(())
    }

    /// Stores a vector, likewise.
    pub(super) fn store_vector(
        &self,
        text: &mut String,
        (memory, index, digits): (Memory, Id, &[Id]),
        indent: &str,
    ) -> Result<bool, std::fmt::Error> {
        if let Some(places) = self.digits_of_numbered(memory, index) {
            for (&id, place) in digits.iter().zip(places) {
                writeln!(text, "{indent}{place} = {};", self.operand(id))?;
            }
            return Ok(true);
        }
        let Some((vector, place)) = self.numbered_vector(memory, index) else { return Ok(false) };
        writeln!(text, "{indent}{place} = {};", self.put_together(&vector, digits))?;
        Ok(true)
    }

    fn place(&self, memory: Memory, index: Id, digit: usize, (element, between): (usize, usize)) -> String {
        let (name, index) = (memory_name(memory), self.operand(index));
        if element == 1 {
            return format!("{name}[(u64){index} + {}ul]", digit * between);
        }
        format!("{name}[(u64){index} * {element}ul + {}ul]", digit * between)
    }

    fn vector_place(&self, memory: Memory, index: Id, number: usize, vector: &Vector, constant: &str) -> String {
        let (global, name) = (self.words.global, memory_name(memory));
        let count = self.kernel.element.1 / vector.digits;
        let index = self.operand(index);
        format!("(({global}{constant}{}*){name})[(u64){index} * {count}ul + {number}ul]", vector.name)
    }

    pub(super) fn load_digits(
        &self,
        text: &mut String,
        (memory, index, digits): (Memory, Id, &[Id]),
        guard: Option<Id>,
        strides: (usize, usize),
        loads: &mut usize,
    ) -> std::fmt::Result {
        let ty = name_of(self.kernel.element.0);
        let zero = constant(self.kernel.element.0, 0);
        let Some(vector) = self.vectors(strides) else {
            for (c, id) in digits.iter().enumerate() {
                let place = self.guarded(guard, self.place(memory, index, c, strides), &zero);
                writeln!(text, "    const {ty} v{} = {place};", id.0)?;
            }
            return Ok(());
        };
        let zeros = self.vector_of(&vector, &vec![zero; vector.digits].join(", "));
        for (number, ids) in digits.chunks(vector.digits).enumerate() {
            let place = self.vector_place(memory, index, number, &vector, "const ");
            self.take_apart(text, &vector, &self.guarded(guard, place, &zeros), ids, loads)?;
        }
        Ok(())
    }

    pub(super) fn store_digits(
        &self,
        text: &mut String,
        (memory, index, digits): (Memory, Id, &[Id]),
        strides: (usize, usize),
        indent: &str,
    ) -> std::fmt::Result {
        let Some(vector) = self.vectors(strides) else {
            for (c, &id) in digits.iter().enumerate() {
                let place = self.place(memory, index, c, strides);
                writeln!(text, "{indent}{place} = {};", self.operand(id))?;
            }
            return Ok(());
        };
        for (number, ids) in digits.chunks(vector.digits).enumerate() {
            let place = self.vector_place(memory, index, number, &vector, "");
            writeln!(text, "{indent}{place} = {};", self.put_together(&vector, ids))?;
        }
        Ok(())
    }

    fn put_together(&self, vector: &Vector, digits: &[Id]) -> String {
        let parts = digits.iter().map(|&id| self.operand(id)).collect::<Vec<_>>().join(", ");
        self.vector_of(vector, &parts)
    }

    fn vector_of(&self, vector: &Vector, parts: &str) -> String {
        match self.dialect {
            Dialect::Cuda => format!("make_{}({parts})", vector.name),
            _ => format!("({})({parts})", vector.name),
        }
    }
}
