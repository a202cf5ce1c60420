//! The half spectrum of real numbers, two of which make a point of the DFT: [slots](crate::plan) of two points are made of two
//! points of the spectrum, or the other way round.
//!
//! For w = ω_N^p, N = 2h and * for conjugates, 2·X_p = S − i·w·D and 2·X_{h−p} = (S + i·w·D)* with S = Z_p + Z*_{h−p} and
//! D = Z_p − Z*_{h−p}. And back, but for a factor, Z_p = S + i·w·D and Z_{h−p} = (S − i·w·D)*, of S and D by the same rule from X_p
//! and X_{h−p}, with the roots of the other direction.

use crate::algebra::{DoubleDouble, Ring, Scalar};
use crate::plan::{Ends, Lanes};
use crate::transform::Side;

use super::ends::{Point, Stored};
use super::{Lowering, Number, Place};
use crate::kernel::ir::{Op, Type};
use crate::kernel::symbol::{Symbol, all_of};
use crate::plan::held::Threads;
use crate::plan::index::reversed;

/// Two points that a thread has.
pub(super) struct Slot {
    pub own: Place,
    pub image: Place,
    /// Whether it is the slot of points 0 and h/2, where that may be; of a plane, of rows 0 and R/2 of a column that is its own image.
    pub is_first: Option<Symbol>,
}

impl Lowering<'_> {
    /// [`Pass::held`](crate::plan::Pass) in symbols, for registers in slots.
    pub(super) fn held_in_slots(&self, lanes: Lanes, v: usize) -> Place {
        let of_thread = self.pass.slots_of_thread();
        let Slot { own, image, .. } = self.slot(lanes, v % of_thread);
        let place = if v < of_thread { own } else { image };
        match self.pass.reversed_at_slots() {
            [] => place,
            lengths => Place { row: reversed(&place.row, lengths), ..place },
        }
    }

    /// A thread's slot of that number.
    fn slot(&self, lanes: Lanes, number: usize) -> Slot {
        if self.pass.is_of_plane() && self.pass.has_images() || self.lines_in_tile().is_some() {
            return self.slot_of_plane(lanes, number).slot;
        }
        let ((slots, threads), columns) = (self.pass.slots(), self.pass.counted_in_tile());
        let thread = self.context.value(Type::U32, Op::Thread);
        let threads_of = Threads { of_column: threads, of_all: self.pass.group() };
        let (lane, column) = threads_of.number_and_column(&thread, columns, lanes);
        let (r, at) = (self.pass.radix, lane.plus(threads * number));
        let (exists, at) = if threads * (number + 1) <= slots {
            (None, at)
        } else {
            (Some(at.less_than(&self.integer(slots))), at.min(&self.integer(slots - 1)))
        };
        let is_zero = (number == 0).then(|| at.equals(0));
        if !self.pass.has_images() {
            let image = self.less(r, &at);
            let image = is_zero.as_ref().map_or(image.clone(), |is_zero| is_zero.select(&self.integer(r / 2), &image));
            // Of an odd number of points, point 0 is alone.
            let is_alone = is_zero.is_some() && !r.is_multiple_of(2);
            let has_image = is_alone.then(|| self.integer(0).less_than(&at));
            let both = all_of([exists.clone(), has_image]);
            let place = |row: Symbol, exists| Place { exists, ..Place::of(row, 0, column.clone()) };
            return Slot { own: place(at, exists), image: place(image, both), is_first: is_zero };
        }
        // Column 0 has its images in itself, and beyond those are the rows of the column in the middle, with theirs.
        let (own_images, behind) = ((r - 1) / 2, column.plus(columns));
        let is_column_zero = self.is_column_zero(&column);
        let is_low = at.less_than(&self.integer(own_images + 1));
        let in_middle = self.integer(own_images).less_than(&at).and(&is_column_zero);
        let own_row = in_middle.select(&at.sub(&self.integer(own_images + 1)), &at);
        let own_column = in_middle.select(&behind, &column);
        let of_low = self.less(r, &at);
        let of_low = is_zero.as_ref().map_or(of_low.clone(), |is_zero| is_zero.select(&self.integer(r / 2), &of_low));
        let of_zero = is_low.select(&of_low, &self.less(r + own_images, &at));
        let image_row = is_column_zero.select(&of_zero, &self.less(r - 1, &at));
        let is_in_column = is_low.and(&is_column_zero);
        let is_in_column = match &is_zero {
            // Row (R − 1)/2 of the column in the middle is that of point h/2 where R is odd.
            Some(_) if !r.is_multiple_of(2) => self.integer(0).less_than(&at).and(&is_in_column),
            _ => is_in_column,
        };
        let image_column = is_in_column.select(&column, &behind);
        let place = |row: Symbol, column: Symbol| Place { exists: exists.clone(), ..Place::of(row, 0, column) };
        Slot {
            own: place(own_row, own_column),
            image: place(image_row, image_column),
            is_first: is_zero.map(|is_zero| is_zero.and(&is_column_zero)),
        }
    }

    /// The digits of a column, and of its image: behind column 0 the one in the middle, if there is one.
    pub(super) fn digits_with_images(&self, column: &Symbol) -> (Vec<Symbol>, Option<Symbol>) {
        let (counted, n) = (self.pass.counted_in_tile(), self.pass.columns[0].n);
        let (mut digits, mut exists) = self.counted_digits(&column.modulo(counted));
        let constant = |n| self.context.integer(self.index_type, n);
        let less = |n, digit: &Symbol| constant(n).sub(digit);
        let (is_own, first) = (column.less_than(&self.integer(counted)), digits[0].clone());
        let is_zero = first.equals(0);
        if let Some(m) = self.pass.second_digit() {
            let second = digits[1].clone();
            let (is_low, behind) = (second.less_than(&constant(m / 2)), second.sub(&constant(m / 2)));
            // Of values 0 and n/2 of the first digit, the images are among their own.
            let of_zero = is_low.select(&constant(0), &constant(n / 2));
            let own = [is_zero.select(&of_zero, &first), is_zero.select(&is_low.select(&second, &behind), &second)];
            let of_low = second.equals(0).select(&constant(m / 2), &less(m, &second));
            let of_zeros = is_low.select(&of_low, &less(m - 1, &behind));
            let image = [is_zero.select(&of_zero, &less(n, &first)), is_zero.select(&of_zeros, &less(m - 1, &second))];
            for (digit, (own, image)) in digits.iter_mut().zip(own.iter().zip(&image)) {
                *digit = is_own.select(own, image);
            }
            return (digits, exists);
        }
        digits[0] = self.value_or_image(&first, &is_own, n);
        if !n.is_multiple_of(2) {
            // Of an odd number of columns, column 0 has none.
            let has_image = is_own.select(&is_own, &constant(0).less_than(&first));
            exists = all_of([exists, Some(has_image)]);
        }
        (digits, exists)
    }

    /// The value of a digit of `n` at some place of a tile that has values and images: that of its image, if it is one.
    pub(super) fn value_or_image(&self, value: &Symbol, is_value: &Symbol, n: usize) -> Symbol {
        let constant = |n| self.context.integer(self.index_type, n);
        let image = value.equals(0).select(&constant(n / 2), &constant(n).sub(value));
        is_value.select(value, &image)
    }

    fn slots_of(&self, lanes: Lanes) -> impl Iterator<Item = Slot> {
        (0..self.pass.slots_of_thread()).map(move |number| self.slot(lanes, number))
    }

    /// ω_N^p for the point at a place.
    pub(super) fn root_of_point(&self, place: &Place) -> Number {
        let row = place.row.plus(place.step);
        let row = self.lines_in_tile().map_or(row.clone(), |ends| row.modulo(ends.points));
        let row = self.table(self.tables.mirrors.0, &row);
        if !self.pass.has_images() || self.pass.is_of_plane() {
            return row;
        }
        row.mul(&self.table(self.tables.mirrors.1, &self.number_of_column(&place.column)))
    }

    /// What a column adds to the numbers of its points, where columns are some and their images.
    pub(super) fn number_of_column(&self, column: &Symbol) -> Symbol {
        let (digits, _) = self.digits(column);
        let first = digits[0].cast(Type::U32);
        match self.pass.second_digit() {
            Some(_) => first.add(&digits[1].cast(Type::U32).times(self.pass.columns[0].n)),
            None => first,
        }
    }

    /// S and D of two points.
    pub(super) fn sum_and_difference([a, b]: [&[Symbol]; 2]) -> ([Symbol; 2], [Symbol; 2]) {
        ([a[0].add(&b[0]), a[1].sub(&b[1])], [a[0].sub(&b[0]), a[1].add(&b[1])])
    }

    /// w·D.
    pub(super) fn turned_difference(&self, root: &Number, difference: [Symbol; 2]) -> [Symbol; 2] {
        let product = Number::from_components(self.algebra(), difference.to_vec()).mul(root).into_components();
        product.try_into().unwrap_or_else(|_| unreachable!("a complex number has two parts"))
    }

    /// Points p and h − p of the half spectrum, of those of the DFT, the first of which is at a place.
    pub(super) fn halves(&self, place: &Place, points: [&[Symbol]; 2]) -> [[Symbol; 2]; 2] {
        self.split(&self.root_of_point(place), points)
    }

    /// The same by ω_N^p. A half of the root takes two products, and that of the sums none beside.
    pub(super) fn split(&self, root: &Number, points: [&[Symbol]; 2]) -> [[Symbol; 2]; 2] {
        let (sum, difference) = Self::sum_and_difference(points);
        let half = DoubleDouble::from(0.5);
        let parts = root.clone().into_components().into_iter().map(|part| part.times_exactly(half)).collect();
        let turned = self.turned_difference(&Number::from_components(self.algebra(), parts), difference);
        let half = self.zero().constant(half);
        Self::points_of(&sum, &turned, |x, y| x.mul_add(&half, y))
    }

    /// Twice the conjugates of points p and h − p of the DFT, of those of the half spectrum.
    pub(super) fn conjugates(&self, root: &Number, points: [&[Symbol]; 2]) -> [[Symbol; 2]; 2] {
        let (sum, difference) = Self::sum_and_difference(points);
        let turned = self.turned_difference(root, difference);
        Self::points_of(&sum, &turned, Scalar::add)
    }

    /// The two points of a sum and a turned difference, by how these are added.
    fn points_of(
        [re, im]: &[Symbol; 2],
        turned: &[Symbol; 2],
        add: impl Fn(&Symbol, &Symbol) -> Symbol,
    ) -> [[Symbol; 2]; 2] {
        let low = [add(re, &turned[1]), add(im, &turned[0].neg())];
        let high = [add(re, &turned[1].neg()), add(im, &turned[0]).neg()];
        [low, high]
    }

    /// Points p and h − p of the DFT, of those of the half spectrum, but for a factor.
    pub(super) fn joined(&self, root: impl FnOnce() -> Number, points: [&[Symbol]; 2]) -> [[Symbol; 2]; 2] {
        let (sum, difference) = Self::sum_and_difference(points);
        let turned = self.turned_difference(&root(), difference);
        [[sum[0].sub(&turned[1]), sum[1].add(&turned[0])], [sum[0].add(&turned[1]), turned[0].sub(&sum[1])]]
    }

    /// Stores what was computed, all of it before.
    pub(super) fn store_all(&self, stored: Vec<Stored>) {
        for Stored { site, components, exists } in stored {
            self.context.store_at(exists.as_ref(), &site, &components);
        }
    }

    /// The points of the DFT, from those of the half spectrum.
    pub(super) fn load_in_slots(&self, ends: &Ends, lanes: Lanes) -> Vec<Number> {
        if ends.plane {
            return self.load_plane(ends, lanes);
        }
        let two = |parts: [Symbol; 2]| Number::from_components(self.algebra(), parts.to_vec());
        let pair = |slot: Slot| {
            let point = self.point(ends, &slot.own, Side::Input);
            let image = self.less(ends.points, &point.number);
            let [mut a, mut b] = [&point.number, &image].map(|number| self.read_half(ends, &point, number, None));
            let first = slot.is_first.map(|is_first| {
                for x in [&mut a, &mut b] {
                    x[1] = is_first.select(&self.zero(), &x[1]);
                }
                let middle = self.integer(ends.points / 2);
                let middle = self.read_half(ends, &point, &middle, Some(&is_first));
                (is_first, middle[0].add(&middle[0]), middle[1].add(&middle[1]).neg())
            });
            let [own, image] = self.joined(|| self.root_of_point(&slot.own), [&a, &b]);
            let image = match first {
                Some((is_first, re, im)) => [is_first.select(&re, &image[0]), is_first.select(&im, &image[1])],
                None => image,
            };
            (two(own), two(image))
        };
        let (own, images): (Vec<_>, Vec<_>) = self.slots_of(lanes).map(pair).unzip();
        own.into_iter().chain(images).collect()
    }

    /// The points of the half spectrum, from those of the DFT.
    pub(super) fn store_in_slots(&self, ends: &Ends, lanes: Lanes, rows: Vec<Number>) {
        if ends.plane {
            return self.store_plane(ends, lanes, rows);
        }
        let rows: Vec<Vec<Symbol>> = rows.into_iter().map(|x| x.into_components()).collect();
        let (owns, images) = rows.split_at(rows.len() / 2);
        let mut stored: Vec<Stored> = Vec::new();
        for ((slot, own), image) in self.slots_of(lanes).zip(owns).zip(images) {
            let point = self.point(ends, &slot.own, Side::Output);
            let exists = all_of([point.exists.clone(), slot.own.exists.clone()]);
            // Point 0 is its own image.
            let other = |c: usize| match &slot.is_first {
                Some(is_first) => is_first.select(&own[c], &image[c]),
                None => image[c].clone(),
            };
            let [low, high] = self.halves(&slot.own, [own, &[other(0), other(1)]]);
            let of_high = self.less(ends.points, &point.number);
            stored.extend(self.written_half(ends, &point, &point.number, low, exists.clone()));
            stored.extend(self.written_half(ends, &point, &of_high, high, exists.clone()));
            if let Some(is_first) = slot.is_first.filter(|_| ends.points.is_multiple_of(2)) {
                let exists = exists.map_or(is_first.clone(), |exists| exists.and(&is_first));
                let middle = [image[0].clone(), image[1].neg()];
                let number = self.integer(ends.points / 2);
                stored.extend(self.written_half(ends, &point, &number, middle, Some(exists)));
            }
        }
        self.store_all(stored);
    }

    /// Point `number` of the half spectrum of a point's line.
    pub(super) fn read_half(
        &self,
        ends: &Ends,
        point: &Point,
        number: &Symbol,
        exists: Option<&Symbol>,
    ) -> Vec<Symbol> {
        let x = match self.recipe.transform.trig() {
            None => return self.half_of_memory(ends, point, number, exists),
            Some((is_sine, _)) => self.read_third(ends, is_sine, (point, number), exists),
        };
        x.into_components()
    }

    /// What is written of it.
    fn written_half(
        &self,
        ends: &Ends,
        point: &Point,
        number: &Symbol,
        x: [Symbol; 2],
        exists: Option<Symbol>,
    ) -> Vec<Stored> {
        match self.recipe.transform.trig() {
            None => {
                let index = self.index_of(ends.strides.1, &point.base, number);
                vec![Stored::at(&index, x.to_vec(), exists)]
            }
            Some(trig) => self.write_half_trig(ends, trig, (point, number), x, exists),
        }
    }
}
