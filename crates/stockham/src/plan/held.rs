//! Which rows and columns of a tile a thread has, over numbers for bank conflicts, and over symbols for kernels.

use super::index::{Index, reversed};
use super::pass::Holding;
use super::recipe::{Lanes, Pass};

/// A row and a column of the tile.
pub(crate) struct Place<I: Index> {
    /// The part of the row that depends on the thread, a multiple of `aligned`.
    pub row: I,
    /// The part that does not.
    pub step: usize,
    pub column: I,
    pub aligned: usize,
    /// Whether there is such a row, where that is not certain; the one that stands here is another.
    pub exists: Option<I::Truth>,
}

impl<I: Index> Place<I> {
    /// One that there is.
    pub fn of(row: I, step: usize, column: I) -> Self {
        Self { row, step, column, aligned: 1, exists: None }
    }
}

/// Threads of a column, and of all of them.
pub(crate) struct Threads {
    pub of_column: usize,
    pub of_all: usize,
}

impl Threads {
    /// The number of a thread in its column, and the column, of so many.
    pub fn number_and_column<I: Index>(&self, thread: &I, columns: usize, lanes: Lanes) -> (I, I) {
        match lanes {
            Lanes::Columns => (thread.quotient_below(columns, self.of_all), thread.remainder(columns)),
            _ => (thread.remainder(self.of_column), thread.quotient_below(self.of_column, self.of_all)),
        }
    }
}

/// A thread's butterfly in a stage. Instead of one beyond the last it is the last one.
pub(crate) struct Butterfly<I: Index> {
    pub number: I,
    /// Whether there is one with its number, where that is not certain.
    pub exists: Option<I::Truth>,
    /// What the number is below.
    pub bound: usize,
}

impl Pass {
    /// The number of a thread in its column, and the column.
    pub(crate) fn number_and_column<I: Index>(&self, thread: &I, lanes: Lanes) -> (I, I) {
        let (of_column, of_all) = (self.threads_per_column(), self.group());
        if self.hopper.swaps {
            let (pair, which) = self.pair(thread);
            let threads = Threads { of_column: of_column / 2, of_all: of_all / 2 };
            let (number, column) = threads.number_and_column(&pair, self.tile.columns, lanes);
            return (number.sum(&which.multiple(of_column / 2)), column);
        }
        Threads { of_column, of_all }.number_and_column(thread, self.tile.columns, lanes)
    }

    /// Butterfly u of a thread of that number in its column.
    pub(crate) fn butterfly<I: Index>(&self, s: usize, number: &I, u: usize) -> Butterfly<I> {
        if self.has_mirrored_butterflies(s) {
            return self.mirrored_butterfly(s, number, u);
        }
        let threads = self.threads_per_column();
        let (number, bound) = (number.increased(threads * u), threads * (u + 1));
        let count = self.stage_rows(s) / self.stage(s).0;
        if bound <= count {
            return Butterfly { number, exists: None, bound };
        }
        let exists = Some(number.is_below(count));
        Butterfly { number: number.at_most(count - 1), exists, bound: count }
    }

    /// The point that register `v` of a thread holds as points lie in memory, of a length that Rader's convolutions make. Instead of one beyond the last it is
    /// the last one.
    pub(crate) fn point_in_order<I: Index>(&self, lanes: Lanes, v: usize, thread: &I) -> Place<I> {
        let (number, column) = self.number_and_column(thread, lanes);
        let (threads, last) = (self.threads_per_column(), self.points() - 1);
        if threads * (v + 1) <= last + 1 {
            return Place::of(number, threads * v, column);
        }
        let row = number.increased(threads * v);
        Place { exists: Some(row.is_below(last + 1)), ..Place::of(row.at_most(last), 0, column) }
    }

    /// The row and column that register `v` of a thread holds, of what stages take and give, or of the whole tile in its order.
    pub(crate) fn place_of<I: Index>(&self, holding: Holding, v: usize, thread: &I) -> Place<I> {
        let threads = self.threads_per_column();
        match holding {
            Holding::Flat => {
                let (radix, group) = (self.radix, self.group());
                if group.is_multiple_of(radix) {
                    let column = thread.quotient(radix).increased(v * (group / radix));
                    return Place::of(thread.remainder(radix), 0, column);
                }
                let place = thread.increased(v * group);
                Place::of(place.remainder(radix), 0, place.quotient(radix))
            }
            Holding::Array => {
                let Place { row, column, .. } = self.place_of(Holding::Flat, v, thread);
                Place::of(reversed(&row, &self.array), 0, column)
            }
            Holding::Input(s, lanes) => {
                let (number, column) = self.number_in_stage(s, thread, lanes);
                let Some(r) = self.tile.stages.get(s).filter(|_| !self.is_even() || self.has_mirrored_butterflies(s))
                else {
                    return Place::of(number, threads * v, column);
                };
                let butterflies = self.butterflies(s);
                let Butterfly { number, exists, .. } = self.butterfly(s, &number, v % butterflies);
                let column = self.column_in_stage(s, column, v % butterflies);
                Place { exists, ..Place::of(number, v / butterflies * (self.stage_rows(s) / r), column) }
            }
            Holding::Output(s, lanes) => {
                let (number, column) = self.number_in_stage(s, thread, lanes);
                if self.tile.stages.is_empty() {
                    return Place::of(number, 0, column);
                }
                let (r, p) = self.stage(s);
                let butterflies = self.butterflies(s);
                let (u, j) = (v % butterflies, v / butterflies);
                if self.swaps_before(s) {
                    return Place::of(self.first_of_swapped(&number), u * (threads / 2) + j * p, column);
                }
                let Butterfly { number: b, exists, bound } = self.butterfly(s, &number, u);
                let column = self.column_in_stage(s, column, u);
                let k = b.remainder_below(p, bound);
                let high = b.quotient_below(p, bound).multiple(p * r);
                Place { aligned: if p == 1 { r } else { 1 }, exists, ..Place::of(high.sum(&k), j * p, column) }
            }
            Holding::Slots(_) | Holding::Points(_) | Holding::Gathered(_) | Holding::Scattered(_) => {
                unreachable!("of half spectra and prime lengths others tell")
            }
        }
    }

    /// The row and column that register `v` of thread `thread` holds. Of butterflies beyond the last it is the last's.
    pub fn held(&self, holding: Holding, v: usize, thread: usize) -> (usize, usize) {
        match holding {
            Holding::Slots(lanes) => self.held_in_slots(lanes, v, thread),
            Holding::Points(_) | Holding::Gathered(_) | Holding::Scattered(_) => match self.rader {
                Some(rader) => self.held_by_powers(rader, holding, v, thread),
                None => unreachable!("points of a prime length"),
            },
            _ => {
                let place = self.place_of(holding, v, &thread);
                (place.row + place.step, place.column)
            }
        }
    }

    /// The same of all threads up to so many.
    pub(super) fn held_by_all(&self, holding: Holding, v: usize, threads: usize) -> Vec<(usize, usize)> {
        match holding {
            Holding::Slots(_) | Holding::Points(_) | Holding::Gathered(_) | Holding::Scattered(_) => {
                (0..threads).map(|thread| self.held(holding, v, thread)).collect()
            }
            _ => {
                let Place { row, step, column, .. } = self.place_of(holding, v, &(0..threads).collect::<Vec<_>>());
                row.into_iter().map(|row| row + step).zip(column).collect()
            }
        }
    }
}
