//! The kernel language: typed values in single assignment, and statements that load, store and synchronise.
//!
//! It is low enough for an assembler: every value is one scalar, there are no pointers, and control flow is a guard on a
//! store, or a loop over elements of many digits, whose text is long. Other loops are unrolled by the lowering.

use std::collections::BTreeSet;

use crate::algebra::Word;
use crate::plan::{Cluster, Trig};
use crate::transform::{Format, Function};

use super::hopper::{Hopper, Meeting};

/// A scalar type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// IEEE single precision.
    F32,
    /// Two numbers of IEEE single precision, on which arithmetic is done at once.
    F32x2,
    /// IEEE double precision.
    F64,
    /// 32-bit unsigned.
    U32,
    /// 64-bit unsigned.
    U64,
    /// A sum of residues that is not reduced yet, in registers only.
    Wide,
    /// All digits of an element, in registers only.
    Big,
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
            Self::F32x2 | Self::F64 | Self::U64 => 8,
            Self::Wide => 12,
            Self::Bool => 1,
            Self::Big => unreachable!("an element in registers has no place in memory"),
        }
    }
}

impl From<Word> for Type {
    fn from(word: Word) -> Self {
        match word {
            Word::F32 => Self::F32,
            Word::F64 => Self::F64,
            Word::U32 => Self::U32,
            Word::U64 => Self::U64,
            Word::Wide => Self::Wide,
            Word::Big => Self::Big,
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
    /// What a statement brings: part of a loaded element, a sine or a cosine, or what a loop defines.
    Loaded,
    /// a + b.
    Add(Id, Id),
    /// a − b.
    Sub(Id, Id),
    /// a · b.
    Mul(Id, Id),
    /// The upper word of a · b, 64-bit integers.
    MulHigh(Id, Id),
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
    /// The number whose lower bits, so many, are those of a from right to left.
    Reverse(Id, u32),
    /// a & b.
    And(Id, Id),
    /// The lesser of two integers.
    Min(Id, Id),
    /// a < b.
    Less(Id, Id),
    /// a = b, integers.
    Equal(Id, Id),
    /// b where a holds, else c.
    Select(Id, Id, Id),
    /// The same integer in this value's type; of a real number, which is one.
    Cast(Id),
    /// The vector (a, b).
    Vector(Id, Id),
    /// Component 0 or 1 of a vector.
    Lane(Id, u32),
    /// The same value of the thread so far away, whose number differs in this one bit; both are of a warp.
    Partner(Id, u32),
    /// An algebra's primitive function.
    Call(&'static str, Vec<Id>),
    /// A function of real numbers.
    Function(Function, Vec<Id>),
}

impl Op {
    /// Whether it is a product of elements of digits.
    pub fn is_product(&self) -> bool {
        matches!(self, Self::Call("bp_mul" | "bp_mul_pair" | "bp_by_constant", _))
    }

    /// The values it uses.
    pub fn operands(&self) -> Vec<Id> {
        match self {
            Self::Const(_) | Self::Argument(_) | Self::Group | Self::Thread | Self::Loaded => Vec::new(),
            Self::Neg(a)
            | Self::Shl(a, _)
            | Self::Shr(a, _)
            | Self::Reverse(a, _)
            | Self::Cast(a)
            | Self::Lane(a, _)
            | Self::Partner(a, _) => vec![*a],
            Self::Add(a, b) | Self::Sub(a, b) | Self::Mul(a, b) | Self::Div(a, b) | Self::Vector(a, b) => vec![*a, *b],
            Self::MulHigh(a, b)
            | Self::Rem(a, b)
            | Self::And(a, b)
            | Self::Less(a, b)
            | Self::Equal(a, b)
            | Self::Min(a, b) => vec![*a, *b],
            Self::Fma(a, b, c) | Self::Select(a, b, c) => vec![*a, *b, *c],
            Self::Call(_, operands) | Self::Function(_, operands) => operands.clone(),
        }
    }

    /// The same operation on other values.
    pub(super) fn with_operands(&self, map: &mut dyn FnMut(Id) -> Id) -> Self {
        let mut op = self.clone();
        match &mut op {
            Self::Const(_) | Self::Argument(_) | Self::Group | Self::Thread | Self::Loaded => {}
            Self::Neg(a)
            | Self::Shl(a, _)
            | Self::Shr(a, _)
            | Self::Reverse(a, _)
            | Self::Cast(a)
            | Self::Lane(a, _)
            | Self::Partner(a, _) => *a = map(*a),
            Self::Add(a, b)
            | Self::Sub(a, b)
            | Self::Mul(a, b)
            | Self::MulHigh(a, b)
            | Self::Div(a, b)
            | Self::Rem(a, b)
            | Self::And(a, b)
            | Self::Less(a, b)
            | Self::Equal(a, b)
            | Self::Min(a, b)
            | Self::Vector(a, b) => (*a, *b) = (map(*a), map(*b)),
            Self::Fma(a, b, c) | Self::Select(a, b, c) => (*a, *b, *c) = (map(*a), map(*b), map(*c)),
            Self::Call(_, operands) | Self::Function(_, operands) => operands.iter_mut().for_each(|id| *id = map(*id)),
        }
        op
    }
}

/// A kernel's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Memory {
    /// What is read.
    Source,
    /// The same, word by word.
    SourceWords,
    /// The same, two real numbers at a time.
    SourcePairs,
    /// What is written.
    Target,
    /// The same, two real numbers at a time.
    TargetPairs,
    /// What is read beside it: the twiddle tables of a pass, another operand of a step.
    Table,
    /// The same in pairs of words.
    TablePairs,
    /// Words that stand in the kernel's text.
    Constants,
    /// The work-group's local memory.
    Tile,
    /// What is read, in vectors of 16 bytes.
    SourceVectors,
    /// What is written, in vectors of 16 bytes.
    TargetVectors,
    /// The work-group's local memory, in vectors of 16 bytes.
    TileVectors,
    /// The input of a tile in local memory, where the work-group has [fetched](Meeting::Fetched) it.
    Fetched,
    /// Where the pieces of a tile go in a near ring, in elements from its start.
    Places,
    /// Where the blocks of a tile that was [fetched](Meeting::Fetched) from a near ring are, if one of them was kept.
    Blocks,
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
        /// Only where this holds; zeros elsewhere.
        guard: Option<Id>,
    },
    /// Computes a sine and a cosine.
    SinCos {
        /// By which functions.
        trig: Trig,
        /// Of what, in radians.
        angle: Id,
        /// The sine.
        sin: Id,
        /// The cosine.
        cos: Id,
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
    /// Begins a loop over rows, so that what is long for each stands in the text once: statements until [`Stmt::EndRows`].
    Rows {
        /// The rows.
        rows: Vec<Id>,
        /// The number of the row, 32 bits.
        counter: Id,
        /// The row.
        row: Id,
    },
    /// Ends a loop over rows.
    EndRows {
        /// What becomes of the row.
        result: Id,
        /// What became of all of them.
        results: Vec<Id>,
    },
    /// Begins a loop that goes on with what its last round left: statements until [`Stmt::EndRepeat`].
    Repeat {
        /// The number of rounds, 32 bits.
        times: Id,
        /// The number of the round, 32 bits.
        counter: Id,
        /// What the first round begins with.
        from: Vec<Id>,
        /// What a round begins with.
        values: Vec<Id>,
    },
    /// Ends such a loop.
    EndRepeat {
        /// What the next round begins with.
        next: Vec<Id>,
        /// What the last round left.
        results: Vec<Id>,
    },
    /// All threads of the work-group come here, and see each other's stores to local memory.
    Barrier,
    /// They do something together that only Hopper has.
    Meet(Meeting),
    /// Sends an element to a place of the local memory of a work-group of the cluster. The thread goes on at once.
    Push {
        /// Which of the launch's exchanges through the cluster it is part of.
        exchange: usize,
        /// The rank of that work-group.
        block: Id,
        /// The place.
        index: Id,
        /// Its components.
        components: Vec<Id>,
    },
}

/// How early compilers may look up tables, whose numbers are in registers from then on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookups {
    /// As early as they like.
    Early,
    /// Not so a table that other memory might be: in a kernel with many of them, all at once would leave no registers.
    Late,
    /// Nor one that the target might be, as compilers find out otherwise that it is not. Each is looked up behind the barrier that
    /// stands before it.
    AtTheirPlace,
}

/// A kernel, ready to be printed.
#[derive(Debug, Clone, PartialEq)]
pub struct Kernel {
    /// The function's name.
    pub name: String,
    /// Threads of a work-group.
    pub group: usize,
    /// Neighbours among them that hold an element together, so many digits each: where the body speaks of a thread, of an
    /// element's components and of the tile, it is one of these teams, a thread's digits and its part of the tile.
    pub team: usize,
    /// What only Hopper has of it.
    pub hopper: Hopper,
    /// Registers that a thread should not exceed.
    pub registers: usize,
    /// The elements of source, target and table: a scalar type and how many of them.
    pub element: (Type, usize),
    /// Whether the source, and the target, are of the first components alone: real numbers.
    pub reals: [bool; 2],
    /// The format of the numbers in the source, and in the target, where these are no components of elements.
    pub formats: [Option<Format>; 2],
    /// The scalars of the local memory and how many make one place.
    pub tile: (Type, usize),
    /// Places of local memory.
    pub tile_len: usize,
    /// Words that stand in its text: constants of fields.
    pub constants: Vec<u64>,
    /// For elements of digits: how many digits apart elements, and the digits of one, lie in the source and in the
    /// target. Otherwise all memory holds whole elements, one after the other.
    pub digit_strides: Option<[(usize, usize); 2]>,
    /// Whether source and target may be the same memory.
    pub in_place: bool,
    /// How early compilers may look up its tables.
    pub lookups: Lookups,
    /// The scalar arguments, in order.
    pub arguments: &'static [&'static str],
    /// Their type.
    pub index_type: Type,
    /// The type and origin of every value.
    pub values: Vec<(Type, Op)>,
    /// What is done.
    pub body: Vec<Stmt>,
}

impl Kernel {
    /// Whether it calls primitive functions.
    pub fn calls(&self) -> bool {
        self.values.iter().any(|(_, op)| matches!(op, Op::Call(..)))
    }

    /// The numbers by which functions of a family are called, in order.
    pub fn family_numbers(&self) -> Vec<usize> {
        let number = |op: &Op| match op {
            Op::Call(name, operands) if name.ends_with('_') => self.family_number(operands),
            _ => None,
        };
        let numbers: BTreeSet<usize> = self.values.iter().filter_map(|(_, op)| number(op)).collect();
        numbers.into_iter().collect()
    }

    /// How often products of elements of digits stand in the text.
    pub fn products(&self) -> usize {
        self.values.iter().filter(|(_, op)| op.is_product()).count()
    }

    /// The constant that is the last operand.
    pub(super) fn family_number(&self, operands: &[Id]) -> Option<usize> {
        match self.values[operands.last()?.0 as usize].1 {
            Op::Const(bits) => usize::try_from(bits).ok(),
            _ => None,
        }
    }

    /// Bytes of an element of the source.
    pub fn element_bytes(&self) -> usize {
        self.element.0.bytes() * self.element.1
    }

    /// Bytes of a tile's input, where it is fetched ahead.
    pub fn fetched_bytes(&self) -> usize {
        self.hopper.ahead.as_ref().map_or(0, |ahead| ahead.len * self.element_bytes())
    }

    /// Bytes of a place of local memory.
    pub fn place_bytes(&self) -> usize {
        self.tile.0.bytes() * self.tile.1
    }

    /// Whether the work-groups of a cluster store plainly what they have for themselves.
    pub fn stores_own(&self) -> bool {
        self.hopper.cluster > 1 && Cluster::stores_own(self.hopper.cluster, self.place_bytes())
    }

    /// Bytes of local memory.
    pub fn tile_bytes(&self) -> usize {
        self.tile_len * self.place_bytes()
    }
}
