//! Exchanges between stages: rows go through local memory, in one round or several, to the threads that go on with them.

use crate::algebra::Scalar;
use crate::plan::{Holding, Padding, Rounds};

use super::{Lowering, Number, Place};
use crate::kernel::ir::Memory;
use crate::kernel::symbol::Symbol;

impl Lowering<'_> {
    /// Passes the rows to the threads that go on with them, in one round or several.
    pub(super) fn exchange(&self, (number, (from, to)): (usize, (Holding, Holding)), rows: Vec<Number>) -> Vec<Number> {
        let Rounds { planes, slices } = self.pass.tile.rounds;
        let components: Vec<Vec<Symbol>> = rows.into_iter().map(|x| self.held_of(x.into_components())).collect();
        let (at_a_time, width) = planes.map_or((self.element.1, self.element.1), |planes| (planes, 1));
        let mut received: Vec<Vec<Symbol>> = vec![Vec::new(); self.pass.rows(to)];
        let is_first = number == 0 && !self.pass.tile.staged[0] && self.pass.hopper.cluster.is_none();
        let mut first = is_first || self.pass.turns_in_places(number);
        // All threads have loaded their rows at the first barrier.
        let mut is_first_round = true;
        for first_component in (0..self.element.1).step_by(at_a_time) {
            let round = || (first_component..first_component + at_a_time).step_by(width).enumerate();
            for slice in 0..slices {
                if !first {
                    // Nobody overwrites what another still has to read.
                    self.context.barrier();
                }
                first = false;
                for (plane, component) in round() {
                    let parts = components.iter().map(|x| &x[component..component + width]);
                    self.send((number, plane), from, slice, parts);
                }
                if is_first_round {
                    self.ask_crew(number);
                }
                self.context.barrier();
                if std::mem::take(&mut is_first_round) {
                    self.fetch_next_beside(number);
                }
                for (plane, _) in round() {
                    self.receive((number, plane), to, slice, width, &mut received);
                }
            }
        }
        self.fetch_next_behind(number);
        self.done_exchanging(number);
        received.into_iter().map(|x| Number::from_components(self.algebra(), x).of_stored()).collect()
    }

    /// Stores the rows that lie in the slice.
    fn send<'s>(
        &self,
        (number, plane): (usize, usize),
        from: Holding,
        slice: usize,
        rows: impl Iterator<Item = &'s [Symbol]>,
    ) {
        let height = self.pass.tile_rows() / self.pass.tile.rounds.slices;
        for (v, x) in rows.enumerate() {
            let Some(lies) = self.lies_in(from, v, slice) else { continue };
            let mut place = self.held(from, v);
            if slice > 0 {
                // Modulo 2^32: the row is at least the slice's first wherever it is stored.
                place.row = place.row.plus(place.step).plus((1 << 32) - slice * height);
                (place.step, place.aligned) = (0, 1);
            }
            let index = self.place_of((number, plane), &place);
            self.context.store(Memory::Tile, &index, x, lies.as_ref());
        }
    }

    /// Where a row and column stand in local memory; what was received from a cluster makes room for it.
    fn place_of(&self, (number, plane): (usize, usize), place: &Place) -> Symbol {
        let start = self.pass.hopper.cluster.map_or(self.pass.early_len(self.algebra()), |cluster| cluster.start);
        position(&self.pass.tile.exchanges[number], place).plus(start + plane * self.pass.plane_len())
    }

    /// Whether register `v` holds a row of the slice: nothing for never, and a condition where it depends on the thread.
    fn lies_in(&self, holding: Holding, v: usize, slice: usize) -> Option<Option<Symbol>> {
        let (slices, threads) = (self.pass.tile.rounds.slices, self.pass.threads_per_column());
        if slices == 1 {
            return Some(self.held(holding, v).exists);
        }
        let Holding::Output(s, lanes) = holding else { return None };
        // Row b·r + … of butterfly b = τ + T·u lies in the slice of b.
        let butterflies = self.pass.butterflies(s);
        let (u, per_slice) = (v % butterflies, butterflies * threads / slices);
        let (low, high) = (slice * per_slice, (slice + 1) * per_slice);
        if low <= threads * u && threads * (u + 1) <= high {
            return Some(None);
        }
        if high <= threads * u || threads * (u + 1) <= low {
            return None;
        }
        let butterfly = self.thread(lanes).0.plus(threads * u);
        let number = butterfly.over(per_slice);
        Some(Some(number.equals(slice)))
    }

    /// The points of a tile, if this is the exchange to convolutions with a chirp from what is before them: other rows are zeros, for which
    /// the last point stands here.
    fn points_before_chirp(&self, number: usize) -> Option<usize> {
        self.pass.points_by_chirp().filter(|_| number + 1 == self.pass.inner().start)
    }

    /// Loads the registers whose rows lie in the slice.
    fn receive(
        &self,
        (number, plane): (usize, usize),
        to: Holding,
        slice: usize,
        width: usize,
        received: &mut [Vec<Symbol>],
    ) {
        let slices = self.pass.tile.rounds.slices;
        let height = self.pass.tile_rows() / slices;
        let of_slice = received.len() / slices;
        for (v, x) in received.iter_mut().enumerate().skip(slice * of_slice).take(of_slice) {
            let mut place = self.held(to, v);
            place.step -= slice * height;
            if let Some(n) = self.points_before_chirp(number) {
                place = Place::of(self.within(n, &place), 0, place.column);
            }
            let index = self.place_of((number, plane), &place);
            x.extend(self.context.load(Memory::Tile, &index, (self.element.0, width)));
        }
    }
}

/// [`Padding::place`] in symbols, with the constant part apart where that is exact.
pub(super) fn position(padding: &Padding, Place { row, step, column, aligned, .. }: &Place) -> Symbol {
    let x = row.times(padding.row).add(&column.times(padding.column));
    let unit = 1usize << padding.shift;
    let x_is_multiple = (aligned * padding.row).is_multiple_of(unit) && padding.column.is_multiple_of(unit);
    skipping(padding, &x, x_is_multiple, step * padding.row)
}

/// The place of x + a constant.
pub(super) fn skipping(padding: &Padding, x: &Symbol, x_is_multiple: bool, constant: usize) -> Symbol {
    if padding.skip == 0 {
        return x.plus(constant);
    }
    let unit = 1usize << padding.shift;
    if constant.is_multiple_of(unit) || x_is_multiple {
        return x.add(&x.over(unit).times(padding.skip)).plus(constant + (constant >> padding.shift) * padding.skip);
    }
    let x = x.plus(constant);
    x.add(&x.over(unit).times(padding.skip))
}
