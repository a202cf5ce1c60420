//! The kernel language: typed values in single assignment, and statements that load, store and synchronise.
//!
//! It is low enough for an assembler: every value is one scalar, there are no pointers, and control flow is a guard on a
//! store. All loops are unrolled by the lowering.

use crate::algebra::Word;

/// A scalar type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// 32-bit unsigned.
    U32,
    /// 64-bit unsigned.
    U64,
    /// A sum of residues that is not reduced yet, in registers only.
    Wide,
    /// Truth.
    Bool,
}

impl Type {
    /// Whether it is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }

    /// Bytes in memory.
    pub fn bytes(self) -> usize {
        match self {
            Self::F32 | Self::U32 => 4,
            Self::F64 | Self::U64 => 8,
            Self::Wide => 12,
            Self::Bool => 1,
        }
    }
}

impl From<Word> for Type {
    fn from(word: Word) -> Self {
        match word {
            Word::F32 => Self::F32,
            Word::F64 => Self::F64,
            Word::U64 => Self::U64,
            Word::Wide => Self::Wide,
        }
    }
}

/// A value of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(pub(super) u32);

/// How a value comes about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Op {
    /// A constant, as the bits of its type (integers as they are).
    Const(u64),
    /// A scalar argument of the kernel.
    Argument(&'static str),
    /// The index of the work-group.
    Group,
    /// The index of the thread in its work-group.
    Thread,
    /// Part of the element that a load statement brings.
    Loaded,
    /// a + b.
    Add(Id, Id),
    /// a − b.
    Sub(Id, Id),
    /// a · b.
    Mul(Id, Id),
    /// −a.
    Neg(Id),
    /// a · b + c, rounded once.
    Fma(Id, Id, Id),
    /// a / b, integers.
    Div(Id, Id),
    /// a mod b, integers.
    Rem(Id, Id),
    /// a << s.
    Shl(Id, u32),
    /// a >> s.
    Shr(Id, u32),
    /// a & b.
    And(Id, Id),
    /// The lesser of two integers.
    Min(Id, Id),
    /// a < b.
    Less(Id, Id),
    /// a = b, integers.
    Equal(Id, Id),
    /// The same integer in this value's type.
    Cast(Id),
    /// An algebra's primitive function.
    Call(&'static str, Vec<Id>),
}

impl Op {
    /// The values it uses.
    pub fn operands(&self) -> Vec<Id> {
        match self {
            Self::Const(_) | Self::Argument(_) | Self::Group | Self::Thread | Self::Loaded => Vec::new(),
            Self::Neg(a) | Self::Shl(a, _) | Self::Shr(a, _) | Self::Cast(a) => vec![*a],
            Self::Add(a, b) | Self::Sub(a, b) | Self::Mul(a, b) | Self::Div(a, b) => vec![*a, *b],
            Self::Rem(a, b) | Self::And(a, b) | Self::Less(a, b) | Self::Equal(a, b) | Self::Min(a, b) => vec![*a, *b],
            Self::Fma(a, b, c) => vec![*a, *b, *c],
            Self::Call(_, operands) => operands.clone(),
        }
    }
}

/// A kernel's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Memory {
    /// The source of the pass.
    Source,
    /// The target of the pass.
    Target,
    /// The twiddle tables.
    Table,
    /// The work-group's local memory.
    Tile,
}

/// A step of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub enum Stmt {
    /// Computes a value.
    Let(Id),
    /// Loads the components of an element.
    Load {
        /// From where.
        memory: Memory,
        /// The index of the element.
        index: Id,
        /// Its components.
        components: Vec<Id>,
    },
    /// Stores an element.
    Store {
        /// To where.
        memory: Memory,
        /// The index of the element.
        index: Id,
        /// Its components.
        components: Vec<Id>,
        /// Only where this holds.
        guard: Option<Id>,
    },
    /// All threads of the work-group come here, and see each other's stores to local memory.
    Barrier,
}

/// A kernel, ready to be printed.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// The function's name.
    pub name: String,
    /// Threads of a work-group.
    pub group: usize,
    /// Registers that a thread should not exceed.
    pub registers: usize,
    /// The elements of source, target and table: a scalar type and how many of them.
    pub element: (Type, usize),
    /// The scalars of the local memory and how many make one place.
    pub tile: (Type, usize),
    /// Places of local memory.
    pub tile_len: usize,
    /// Whether source and target may be the same memory.
    pub in_place: bool,
    /// The types of the scalar arguments.
    pub index_type: Type,
    /// The type and origin of every value.
    pub values: Vec<(Type, Op)>,
    /// What is done.
    pub body: Vec<Stmt>,
}

impl Kernel {
    /// Bytes of local memory.
    pub fn tile_bytes(&self) -> usize {
        self.tile_len * self.tile.0.bytes() * self.tile.1
    }
}
