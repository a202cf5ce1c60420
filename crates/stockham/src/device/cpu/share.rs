//! A batch of lines shared out over the cores: each task gets memory of its own for its results, whatever the strides.
//!
//! If the batch's dimension with the largest stride goes beyond a line, its indices have regions that follow each other.
//! Otherwise the lines are columns of a matrix, and a task has a strip of some columns: a piece of every row.

use crate::parallel;
use crate::plan::host::{GAP, LANES};
use crate::threads;
use crate::transform::Dim;

use super::lanes::MOST_LINES;
use super::lines::Lines;

/// Elements of a task at least, so that its own costs do not count beside short lines.
const TASK: usize = 1 << 13;

/// Elements of each line that are moved at a time, as a small matrix in registers and the nearest cache.
const DEPTH: usize = 8;

/// Elements that are transformed together at most, where short lines follow each other.
const PACKED: usize = 1 << 12;

/// Strips of columns for each core, so that cores that are late have less to do.
const STRIPS: usize = 4;

/// Where lines are read.
pub(super) enum Source<'a, T> {
    /// Where they are written.
    Target,
    /// From elements of the same kind, the first of which is the first line's.
    Elements(&'a [T]),
    /// By the one who transforms them, who is told where; what is in the target is of no use.
    Elsewhere,
}

impl<T> Clone for Source<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Source<'_, T> {}

impl<T> Source<'_, T> {
    /// The same from so many elements on.
    fn from(self, first: usize) -> Self {
        match self {
            Self::Elements(elements) => Self::Elements(&elements[first..]),
            other => other,
        }
    }
}

/// Lines that are transformed by one task.
pub(super) struct Task<'a, T> {
    lines: Lines,
    source: Source<'a, T>,
    /// Where that is in the whole input.
    first: usize,
    target: Target<'a, T>,
}

/// Where a task's lines are written, and read in place.
enum Target<'a, T> {
    Whole(&'a mut [T]),
    /// The task's piece of each row, where elements of a line lie in different rows.
    Rows(Vec<&'a mut [T]>),
}

/// What is done with lines: with the place of the first one, where they are read if they are not in place, and where they go.
pub(super) type Work<'a, T> = &'a mut dyn FnMut(usize, Option<&[T]>, &mut [T]);

/// Calls `visit` with tasks that make up all lines. The target begins at the first line's first element, and so does a
/// source of elements; that is number `first` of the whole input.
pub(super) fn share<T: Send + Sync>(
    lines: &Lines,
    source: Source<'_, T>,
    target: &mut [T],
    first: usize,
    visit: &(dyn Fn(Task<'_, T>) + Sync),
) {
    let (n, points) = (lines.dim.n, lines.dim.n * lines.count());
    // Who the threads are takes longer to ask than a short line.
    let threads = if points >= 2 * TASK { threads::current() } else { 1 };
    let (Some(&outer), true) = (lines.batch.first(), threads > 1) else {
        return visit(Task { lines: lines.clone(), source, first, target: Target::Whole(target) });
    };
    let rest = Lines::new(lines.dim, lines.batch[1..].to_vec());
    // Some indices of the outer dimension, with what is in it.
    let part = |i: usize, per: usize| {
        let dim = Dim { n: per.min(outer.n - i * per), ..outer };
        let batch = [vec![dim], rest.batch.clone()].concat();
        let begin = i * per * outer.input_stride;
        (Lines::new(lines.dim, batch), source.from(begin), first + begin)
    };
    let whole = |per: usize| if rest.batch.is_empty() { per.next_multiple_of(LANES) } else { per };
    let least = TASK.div_ceil(points / outer.n);
    if outer.output_stride >= lines.dim.output_stride {
        let per = whole(least).min(outer.n.div_ceil(threads));
        let regions = target.chunks_mut(per * outer.output_stride).take(outer.n.div_ceil(per)).collect();
        parallel::each_of(regions, &|i, target| {
            let (lines, source, first) = part(i, per);
            if per == 1 && !rest.batch.is_empty() {
                share(&lines, source, target, first, visit);
            } else {
                visit(Task { lines, source, first, target: Target::Whole(target) });
            }
        });
        return;
    }
    let per = whole(least.max(outer.n.div_ceil(STRIPS * threads)));
    let mut strips: Vec<_> = (0..outer.n.div_ceil(per)).map(|_| Vec::with_capacity(n)).collect();
    for row in target.chunks_mut(lines.dim.output_stride).take(n) {
        strips.iter_mut().zip(row.chunks_mut(per * outer.output_stride)).for_each(|(strip, piece)| strip.push(piece));
    }
    parallel::each_of(strips, &|i, rows| {
        let (lines, source, first) = part(i, per);
        visit(Task { lines, source, first, target: Target::Rows(rows) });
    });
}

impl<T: Copy> Task<'_, T> {
    /// Calls `work` with one contiguous line after the other, or several, that are to be transformed in place, or from
    /// elements if some are given; and with the place in the whole input where the first of them begins. Lines that are not
    /// contiguous are gathered, some neighbours at a time, and scattered again. `zero` is what memory is filled with.
    pub fn by_lines(self, zero: T, work: Work<'_, T>) {
        let Self { lines, source, first, mut target } = self;
        let (n, count) = (lines.dim.n, lines.count());
        if let (Target::Whole(target), true) = (&mut target, lines.are_packed()) {
            // They follow each other: as many at a time as stay in the nearest cache, and each alone for who asks where it begins.
            let most = if matches!(source, Source::Elsewhere) { n } else { n * LANES.max(PACKED / n) };
            for place in (0..n * count).step_by(most) {
                let len = most.min(n * count - place);
                let from = match source {
                    Source::Elements(source) => Some(&source[place..][..len]),
                    Source::Target | Source::Elsewhere => None,
                };
                work(first + place, from, &mut target[place..][..len]);
            }
            return;
        }
        let (pitch, stride) = (n + GAP, lines.dim.input_stride);
        let mut spare = Vec::new();
        let mut origins = Vec::with_capacity(LANES.min(count));
        for group in (0..count).step_by(LANES) {
            origins.clear();
            origins.extend((group..count.min(group + LANES)).map(|index| lines.origin(index)));
            let distance = origins.get(1).map_or(n, |second| second.1.wrapping_sub(origins[0].1));
            let even = distance >= n && origins.iter().enumerate().all(|(i, o)| o.1 == origins[0].1 + i * distance);
            if let (Target::Whole(target), 1, true) = (&mut target, lines.dim.output_stride, even) {
                let block = &mut target[origins[0].1..];
                match source {
                    Source::Elements(source) if lines.dim.input_stride == 1 => {
                        for (line, origin) in block.chunks_mut(distance).zip(&origins) {
                            work(first + origin.0, Some(&source[origin.0..][..n]), &mut line[..n]);
                        }
                        continue;
                    }
                    Source::Elements(source) => gather(&origins, Rows::Apart(source, stride), n, distance, block),
                    Source::Target | Source::Elsewhere => {}
                }
                for (line, origin) in block.chunks_mut(distance).zip(&origins) {
                    work(first + origin.0, None, &mut line[..n]);
                }
                continue;
            }
            spare.resize(LANES * pitch, zero);
            let from = match (source, &target) {
                (Source::Elsewhere, _) => None,
                (Source::Elements(source), _) => Some(Rows::Apart(source, stride)),
                (Source::Target, Target::Whole(data)) => Some(Rows::Apart(data, stride)),
                (Source::Target, Target::Rows(rows)) => Some(Rows::Each(rows)),
            };
            if let Some(from) = from {
                gather(&origins, from, n, pitch, &mut spare);
            }
            for (line, origin) in spare.chunks_mut(pitch).zip(&origins) {
                work(first + origin.0, None, &mut line[..n]);
            }
            scatter(&origins, &spare, n, pitch, &mut target, lines.dim.output_stride);
        }
    }
}

impl<T: Copy> Task<'_, T> {
    /// Calls `work` with blocks of some neighbouring columns and with those where their transforms go, of which there are `most`
    /// at a time, and zeros behind them until they are a multiple of `lanes`.
    pub fn by_columns(
        self,
        zero: T,
        [from, to]: [&mut [T]; 2],
        (most, lanes): (usize, usize),
        mut work: impl FnMut(&mut [T], &mut [T]),
    ) {
        let Self { lines, source, mut target, .. } = self;
        // A task may have a single column of each matrix.
        let side = lines.batch.last().filter(|_| lines.are_columns()).map_or(1, |dim| dim.n);
        let n = lines.dim.n;
        let mut index = 0;
        while index < lines.count() {
            let columns = most.min(side - index % side);
            let width = columns.next_multiple_of(lanes);
            let (input, output) = lines.origin(index);
            for (j, row) in from.chunks_exact_mut(width).take(n).enumerate() {
                let at = input + j * lines.dim.input_stride;
                row[..columns].copy_from_slice(match (source, &target) {
                    (Source::Elements(source), _) => &source[at..][..columns],
                    (_, Target::Whole(data)) => &data[at..][..columns],
                    (_, Target::Rows(rows)) => &rows[j][input..][..columns],
                });
                row[columns..].fill(zero);
            }
            work(&mut from[..n * width], &mut to[..n * width]);
            for (j, row) in to.chunks_exact(width).take(n).enumerate() {
                let piece = match &mut target {
                    Target::Whole(data) => &mut data[output + j * lines.dim.output_stride..],
                    Target::Rows(rows) => &mut rows[j][output..],
                };
                piece[..columns].copy_from_slice(&row[..columns]);
            }
            index += columns;
        }
    }
}

impl<T> Task<'_, T> {
    /// Calls `work` with the places of some lines at a time, where each begins in the input and in the target, both of which it
    /// gets; without an input, that is the target, or as the one knows who transforms them. Of each line, the elements are
    /// neighbours.
    pub fn by_blocks(self, most: usize, mut work: impl FnMut(Option<&[T]>, &mut [T], [&[usize]; 2])) {
        let Self { lines, source, first, target } = self;
        let Target::Whole(target) = target else { unreachable!("pieces of rows hold elements of different lines") };
        let (source, first) = match source {
            Source::Elements(source) => (Some(source), 0),
            Source::Target => (None, 0),
            Source::Elsewhere => (None, first),
        };
        let mut places = [[0; MOST_LINES]; 2];
        for group in (0..lines.count()).step_by(most) {
            let count = most.min(lines.count() - group);
            let [inputs, outputs] = &mut places;
            for (line, (at, to)) in (group..group + count).zip(inputs.iter_mut().zip(outputs)) {
                let (input, output) = lines.origin(line);
                (*at, *to) = (first + input, output);
            }
            work(source, target, places.each_ref().map(|places| &places[..count]));
        }
    }
}

/// Whether there are [`LANES`] lines whose elements are neighbours.
fn are_neighbours(places: impl ExactSizeIterator<Item = usize> + Clone) -> bool {
    places.len() == LANES && places.clone().zip(places.skip(1)).all(|(a, b)| a + 1 == b)
}

/// Where the elements of lines are read.
enum Rows<'a, 'b, T> {
    /// At a distance.
    Apart(&'a [T], usize),
    /// In rows of their own.
    Each(&'a [&'b mut [T]]),
}

impl<T> Rows<'_, '_, T> {
    /// From element j of the line that begins at a place on.
    fn at(&self, j: usize, place: usize) -> &[T] {
        match self {
            Self::Apart(data, stride) => &data[place + j * stride..],
            Self::Each(rows) => &rows[j][place..],
        }
    }
}

/// Fills contiguous lines.
fn gather<T: Copy>(origins: &[(usize, usize)], rows: Rows<'_, '_, T>, n: usize, pitch: usize, block: &mut [T]) {
    let whole = if are_neighbours(origins.iter().map(|origin| origin.0)) { n / DEPTH * DEPTH } else { 0 };
    for first in (0..whole).step_by(DEPTH) {
        let mut tile = [[block[0]; LANES]; DEPTH];
        for (j, part) in (first..).zip(&mut tile) {
            part.copy_from_slice(&rows.at(j, origins[0].0)[..LANES]);
        }
        for (lane, line) in block.chunks_mut(pitch).take(LANES).enumerate() {
            line[first..first + DEPTH].iter_mut().zip(&tile).for_each(|(x, part)| *x = part[lane]);
        }
    }
    for (line, origin) in block.chunks_mut(pitch).zip(origins) {
        line[whole..n].iter_mut().zip(whole..).for_each(|(x, j)| *x = rows.at(j, origin.0)[0]);
    }
}

/// The way back, to elements that lie at a distance if they are not in rows of their own.
fn scatter<T: Copy>(
    origins: &[(usize, usize)],
    block: &[T],
    n: usize,
    pitch: usize,
    target: &mut Target<'_, T>,
    stride: usize,
) {
    let mut put = |j: usize, place: usize, part: &[T]| {
        let to = match target {
            Target::Whole(data) => &mut data[place + j * stride..],
            Target::Rows(rows) => &mut rows[j][place..],
        };
        to[..part.len()].copy_from_slice(part);
    };
    let whole = if are_neighbours(origins.iter().map(|origin| origin.1)) { n / DEPTH * DEPTH } else { 0 };
    for first in (0..whole).step_by(DEPTH) {
        let mut tile = [[block[0]; LANES]; DEPTH];
        for (lane, line) in block.chunks(pitch).take(LANES).enumerate() {
            tile.iter_mut().zip(&line[first..first + DEPTH]).for_each(|(part, x)| part[lane] = *x);
        }
        for (j, part) in (first..).zip(&tile) {
            put(j, origins[0].1, part);
        }
    }
    for (line, origin) in block.chunks(pitch).zip(origins) {
        (whole..n).for_each(|j| put(j, origin.1, &line[j..=j]));
    }
}

#[cfg(test)]
#[path = "share_tests.rs"]
mod tests;
