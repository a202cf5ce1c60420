//! Which rows and columns of a tile a thread has, in symbols ([`Pass::held`](crate::plan::Pass::held) has the same in numbers).

use crate::algebra::Scalar;
use crate::kernel::ir::{Op, Type};
use crate::kernel::symbol::Symbol;
use crate::plan::volume::reversed;
use crate::plan::{Holding, Lanes};

use super::Lowering;

/// A row and a column of the tile.
pub(super) struct Place {
    /// The part of the row that depends on the thread, a multiple of `aligned`.
    pub row: Symbol,
    /// The part that does not.
    pub step: usize,
    pub column: Symbol,
    pub aligned: usize,
    /// Whether there is such a row, where that is not certain; the one that stands here is another.
    pub exists: Option<Symbol>,
}

impl Place {
    /// One that there is.
    pub fn of(row: Symbol, step: usize, column: Symbol) -> Self {
        Self { row, step, column, aligned: 1, exists: None }
    }
}

/// What a column means for memory.
pub(super) struct Origin {
    /// Index of row 0.
    pub base: Symbol,
    /// Σ weight·digit, the factor of the twiddle exponent.
    pub weight: Symbol,
    /// Whether the column exists at all, where that is not certain.
    pub exists: Option<Symbol>,
}

impl Lowering<'_> {
    /// The thread of its column, and the column.
    pub(super) fn thread(&self, lanes: Lanes) -> (Symbol, Symbol) {
        let thread = self.context.value(Type::U32, Op::Thread);
        let (threads, group) = (self.pass.threads_per_column(), self.pass.group());
        if self.pass.hopper.swaps {
            let (pair, number) = self.pair(&thread);
            let (row, column) = self.row_and_column(&pair, (threads / 2, group / 2), self.pass.tile.columns, lanes);
            return (row.add(&number.times(threads / 2)), column);
        }
        self.row_and_column(&thread, (threads, group), self.pass.tile.columns, lanes)
    }

    /// The number in a column, and the column of so many, of one of `threads` a column, or of as many pairs of them.
    pub(super) fn row_and_column(
        &self,
        thread: &Symbol,
        (threads, group): (usize, usize),
        columns: usize,
        lanes: Lanes,
    ) -> (Symbol, Symbol) {
        match lanes {
            Lanes::Columns => (over(thread, columns, group), thread.modulo(columns)),
            _ => (thread.modulo(threads), over(thread, threads, group)),
        }
    }

    /// [`Pass::held`] in symbols.
    pub(super) fn held(&self, holding: Holding, v: usize) -> Place {
        let threads = self.pass.threads_per_column();
        match holding {
            Holding::Flat => {
                let thread = self.context.value(Type::U32, Op::Thread);
                let (radix, group) = (self.pass.radix, self.pass.group());
                if group.is_multiple_of(radix) {
                    let column = thread.over(radix).plus(v * (group / radix));
                    return Place::of(thread.modulo(radix), 0, column);
                }
                let place = thread.plus(v * group);
                Place::of(place.modulo(radix), 0, place.over(radix))
            }
            Holding::Array => {
                let Place { row, column, .. } = self.held(Holding::Flat, v);
                Place::of(reversed(&row, &self.pass.array), 0, column)
            }
            Holding::Slots(lanes) => self.held_in_slots(lanes, v),
            Holding::Points(_) | Holding::Gathered(_) | Holding::Scattered(_) => match self.pass.rader {
                Some(rader) => self.held_by_powers(rader, holding, v),
                None => unreachable!("points of a prime length"),
            },
            Holding::Input(s, lanes) => {
                let (thread, column) = self.thread(lanes);
                let Some(r) = self.pass.tile.stages.get(s).filter(|_| !self.pass.is_even()) else {
                    return Place::of(thread, threads * v, column);
                };
                let butterflies = self.pass.butterflies(s);
                let (b, exists, _) = self.butterfly(s, &thread, v % butterflies);
                Place { exists, ..Place::of(b, v / butterflies * (self.pass.radix / r), column) }
            }
            Holding::Output(s, lanes) => {
                let (thread, column) = self.thread(lanes);
                if self.pass.tile.stages.is_empty() {
                    return Place::of(thread, 0, column);
                }
                let (r, p) = self.pass.stage(s);
                let butterflies = self.pass.butterflies(s);
                let (u, j) = (v % butterflies, v / butterflies);
                if self.pass.swaps_before(s) {
                    let row = self.first_of_swapped(&thread);
                    return Place::of(row, u * (threads / 2) + j * p, column);
                }
                let (b, exists, bound) = self.butterfly(s, &thread, u);
                let k = b.modulo_if_larger(p, bound);
                let high = if p >= bound { self.context.integer(Type::U32, 0) } else { b.over(p).times(p * r) };
                Place { aligned: if p == 1 { r } else { 1 }, exists, ..Place::of(high.add(&k), j * p, column) }
            }
        }
    }

    /// The number of a thread's butterfly u in a stage, whether there is one with its number, where that is not certain, and
    /// what the number is below. Instead of those that are not there it is the last one.
    pub(super) fn butterfly(&self, s: usize, thread: &Symbol, u: usize) -> (Symbol, Option<Symbol>, usize) {
        let threads = self.pass.threads_per_column();
        let (number, bound) = (thread.plus(threads * u), threads * (u + 1));
        let count = self.pass.radix / self.pass.stage(s).0;
        if bound <= count {
            return (number, None, bound);
        }
        let last = self.context.integer(Type::U32, count - 1);
        let exists = number.less_than(&self.context.integer(Type::U32, count));
        (number.min(&last), Some(exists), count)
    }

    /// What the digits of a column are, and whether there is such a column, where that is not certain.
    pub(super) fn digits(&self, column: &Symbol) -> (Vec<Symbol>, Option<Symbol>) {
        if self.pass.has_images() { self.digits_with_images(column) } else { self.counted_digits(column) }
    }

    /// The same of columns that are no [images](crate::plan::Pass).
    pub(super) fn counted_digits(&self, column: &Symbol) -> (Vec<Symbol>, Option<Symbol>) {
        let (columns, ty) = (&self.pass.columns, self.index_type);
        let (width, values) = (self.pass.counted_in_tile(), self.pass.counted_values());
        let group = self.context.value(ty, Op::Group);
        let single = columns.len() == 1;
        let whole = values.is_multiple_of(width) && !single;
        let (mut exists, mut digits) = (None, Vec::new());
        let mut rest = if let Some(share) = self.pass.hopper.share {
            let (first, rest) = self.digits_in_cluster(&share, column);
            digits = first;
            rest
        } else if whole {
            // The tile lies within the first digit: the others are the same for the whole work-group.
            let tiles = values / width;
            digits.push(group.modulo(tiles).times(width).add(&column.cast(ty)));
            group.over(tiles)
        } else {
            let count = self.context.value(ty, Op::Argument("columns"));
            let number = group.times(width).add(&column.cast(ty));
            exists = Some(number.less_than(&count));
            // A column beyond the last one reads the last one's input, and is not stored.
            let last = count.sub(&self.context.integer(ty, 1));
            let number = number.min(&last);
            if single {
                digits.push(number.clone());
                number
            } else {
                digits.push(number.modulo(values));
                number.over(values)
            }
        };
        for (d, of) in columns.iter().enumerate().skip(digits.len()) {
            if d + 1 == columns.len() {
                digits.push(rest.clone());
            } else {
                digits.push(rest.modulo(of.n));
                rest = rest.over(of.n);
            }
        }
        (digits, exists)
    }

    /// Where a column is; `stride` says how far apart a digit's values lie.
    pub(super) fn origin(&self, column: &Symbol, stride: impl Fn(&crate::plan::Column) -> usize) -> Origin {
        let (digits, exists) = self.digits(column);
        let ty = self.index_type;
        let zero = |ty| self.context.integer(ty, 0);
        let (mut base, mut weight) = (zero(ty), zero(Type::U32));
        for (digit, of) in digits.iter().zip(&self.pass.columns) {
            base = base.add(&digit.times(stride(of)));
            if of.weight > 0 {
                weight = weight.add(&digit.cast(Type::U32).times(of.weight));
            }
        }
        Origin { base, weight, exists }
    }
}

/// thread / divisor, which is 0 where the divisor is the whole group.
pub(super) fn over(thread: &Symbol, divisor: usize, group: usize) -> Symbol {
    if divisor == group { thread.times(0) } else { thread.over(divisor) }
}

impl Symbol {
    /// An index into global memory: widened before the constant is added, so that the compiler can leave the constant
    /// to the address (in 32 bits it would have to mind the overflow).
    pub(super) fn offset(&self, constant: usize) -> Self {
        self.cast(Type::U64).plus(constant)
    }

    /// self mod p, where self is known to be below `bound`.
    pub(super) fn modulo_if_larger(&self, p: usize, bound: usize) -> Self {
        if bound <= p { self.clone() } else { self.modulo(p) }
    }
}
