//! Memory, with every access checked: which words it is to, and who else is there.

use super::super::hopper::EXCHANGES;
use super::super::ir::{Kernel, Memory, Stmt, Type};

/// Global memory: the bits of the components, element after element.
pub(in crate::kernel) struct Global<'a> {
    pub source: Vec<u64>,
    pub target: &'a mut Vec<u64>,
    pub table: &'a [u64],
}

/// How many barriers have been passed, and how far a work-group of a cluster is.
#[derive(Clone, Copy, Default)]
pub(super) struct Time {
    pub barriers: usize,
    /// Places that it expects to be sent, in each exchange.
    pub expects: Option<[usize; EXCHANGES]>,
    /// How often it has told the cluster that it may be sent something, and how often it knows that of all the others.
    pub told: usize,
    pub begun: usize,
    /// In how many exchanges it has begun to push.
    pub pushed: usize,
    /// For each exchange in which it has received everything, how often it had told the cluster before.
    pub received: [Option<usize>; EXCHANGES],
    /// Whether the tile's input is in local memory, or has been.
    pub fetched: bool,
    pub has_fetched: bool,
}

/// An access to a place of local memory.
#[derive(Clone, Copy)]
pub(super) struct Access {
    pub block: usize,
    pub thread: usize,
    pub writes: bool,
    /// For a push, which takes its time: in which exchange.
    pub pushes: Option<usize>,
    pub time: Time,
}

impl Access {
    /// By whom it is.
    fn told(&self) -> String {
        let word = if self.writes { "written" } else { "read" };
        format!("{word} by thread {} of work-group {}", self.thread, self.block)
    }

    /// Whether this access comes before a later one for certain. A push does when the work-group that it goes to has
    /// received everything, and before other pushes if that has told so. It comes after what was done before that work-group told
    /// that it may be sent something; and after what each thread of it did before it pushed in an exchange in which the sender has
    /// received everything. Other accesses do by the same thread, or by a barrier of the work-group, which alone makes them.
    fn is_before(&self, later: &Self) -> bool {
        let (told, begun) = (self.time.told, later.time.begun);
        match (self.pushes, later.pushes) {
            (Some(exchange), None) => later.time.received[exchange].is_some(),
            (Some(exchange), Some(_)) => later.time.received[exchange].is_some_and(|told| told < begun),
            (None, Some(_)) => told < begun || later.time.received.iter().skip(self.time.pushed).any(Option::is_some),
            (None, None) => self.thread == later.thread || self.time.barriers < later.time.barriers,
        }
    }
}

/// The local memory of a work-group, or of one thread of each team, and who touched each place since it was last written.
pub(super) struct Tile {
    pub words: Vec<u64>,
    /// By place; by word where vectors of digits stand, of which threads touch some of an element each.
    pub accesses: Vec<Vec<Access>>,
    words_of_place: usize,
    /// Places that were pushed to.
    pub pushed: [usize; EXCHANGES],
    /// The tile's input, where it is fetched ahead to memory of its own, and after how many barriers it was last read.
    pub fetched: Vec<u64>,
    pub read: Option<usize>,
}

/// Who may still be at the tile before, in a work-group that stays.
const BEFORE: Access = Access {
    block: 0,
    thread: usize::MAX,
    writes: true,
    pushes: None,
    time: Time {
        barriers: 0,
        expects: None,
        told: 0,
        begun: 0,
        pushed: 0,
        received: [None; EXCHANGES],
        fetched: false,
        has_fetched: false,
    },
};

/// What fetches the next tile: nothing comes after it for certain.
pub(super) const NEXT: Access = Access { time: Time { barriers: usize::MAX, ..BEFORE.time }, ..BEFORE };

impl Tile {
    pub fn of(kernel: &Kernel) -> Self {
        let is_vector = |stmt: &Stmt| matches!(stmt, Stmt::Store { memory: Memory::TileVectors, .. });
        let words_of_place = if kernel.body.iter().any(is_vector) { 1 } else { kernel.tile.1 };
        let words = kernel.tile_len / kernel.team * kernel.tile.1;
        Self {
            words: vec![0; words],
            accesses: vec![Vec::from_iter(kernel.hopper.ahead.as_ref().map(|_| BEFORE)); words / words_of_place],
            words_of_place,
            pushed: [0; EXCHANGES],
            fetched: Vec::new(),
            read: None,
        }
    }

    /// An access to so many words.
    pub fn touch(&mut self, words: std::ops::Range<usize>, access: Access) -> Result<(), String> {
        let places = words.start / self.words_of_place..words.end.div_ceil(self.words_of_place);
        let (first, len) = (places.start, self.accesses.len());
        let touched = self.accesses.get_mut(places);
        let touched = touched.ok_or_else(|| format!("tile[{first}] of {len}, out of bounds, {}", access.told()))?;
        for (at, before) in touched.iter_mut().enumerate() {
            if let Some(other) = before.iter().find(|a| (a.writes || access.writes) && !a.is_before(&access)) {
                let at = first + at;
                return Err(format!("tile[{at}] {}, and at the same time {}", access.told(), other.told()));
            }
            if access.writes {
                before.clear();
            }
            before.push(access);
        }
        Ok(())
    }
}

/// Who has touched each word of global memory that a kernel reads and writes in place: since it was last written, or ever.
pub(super) struct InPlace(Vec<Vec<Access>>);

impl InPlace {
    /// Of so many words. Nothing where the target is not the source, or work-groups meet by other means than barriers.
    pub fn of(kernel: &Kernel, words: usize) -> Option<Self> {
        let meets = kernel.hopper.cluster > 1 || kernel.body.iter().any(|stmt| matches!(stmt, Stmt::Meet(_)));
        (kernel.in_place && !meets).then(|| Self(vec![Vec::new(); words]))
    }

    /// An access to so many words by a thread of a work-group.
    pub fn touch(&mut self, words: std::ops::Range<usize>, group: usize, access: Access) -> Result<(), String> {
        let access = Access { block: group, ..access };
        for at in words {
            let before = &mut self.0[at];
            let meets = |a: &Access| a.block == group && a.is_before(&access);
            if let Some(other) = before.iter().find(|a| (a.writes || access.writes) && !meets(a)) {
                return Err(format!("word {at} {}, and at the same time {}", access.told(), other.told()));
            }
            before.push(access);
        }
        Ok(())
    }
}

/// How the words of an element, or of a vector, lie in a memory.
#[derive(Clone, Copy)]
pub(super) struct Words {
    /// From one index to the next.
    element: usize,
    /// From one word of it to the next.
    between: usize,
    /// How many there are.
    count: usize,
}

impl Words {
    /// Those of accesses to the memory by so many components. All threads of a team access an element.
    pub fn of(kernel: &Kernel, memory: Memory, (ty, components): (Type, usize)) -> Self {
        let vector = || 16 / kernel.element.0.bytes();
        let whole = |count| Self { element: count, between: 1, count };
        let strided = |(element, between)| Self { element, between, count: components * kernel.team };
        match (memory, kernel.digit_strides) {
            (Memory::SourceVectors | Memory::TargetVectors | Memory::TileVectors, _) => whole(vector()),
            (Memory::Source, Some([source, _])) => strided(source),
            (Memory::Target, Some([_, target])) => strided(target),
            (Memory::Table, Some(_)) => strided((kernel.element.1, 1)),
            _ if ty == Type::F32x2 => whole(2),
            _ => whole(components),
        }
    }

    /// The word of a number at an index; nothing beyond all numbers.
    pub fn at(self, index: usize, number: usize) -> Option<usize> {
        index.checked_mul(self.element)?.checked_add(number * self.between)
    }

    /// Where the words at an index begin and end; nothing unless they are among so many.
    pub fn range(self, index: usize, len: usize) -> Option<std::ops::Range<usize>> {
        let (first, last) = (self.at(index, 0)?, self.at(index, self.count - 1)?);
        (last < len).then(|| first..last + 1)
    }
}
