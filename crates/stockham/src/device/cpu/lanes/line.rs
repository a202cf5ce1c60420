//! A line as a rectangle of vectors, which may be shared out over threads.

use std::ops::Range;
use std::sync::{Mutex, PoisonError, RwLock};

use num_complex::Complex;

use crate::algebra::{Data, Direction, Element};
use crate::parallel;
use crate::plan::host::LaneSides;
use crate::threads;

use super::super::line::{Finish, Line};
use super::super::scratch::Scratch;
use super::rectangle::{Columns, Rectangle, RowPart, aligned};
use super::strip::{Number, Rows};
use super::wide::Wide;

/// Bytes of a task at least where threads are called for each pass.
const TASK: usize = 1 << 17;

/// Tasks of such a pass for each thread, so that threads that are late have less to do.
const TASKS: usize = 2;

/// Bytes of a thread's part at least where they meet between the passes: half of them come from another core's cache.
const PART: usize = 1 << 15;

/// Bytes of a line at most that is computed so.
const AT_ONCE: usize = 1 << 22;

/// A rectangle of vectors as a line, with buffers of each task if it is shared out.
pub(super) struct LaneLine<F, W> {
    wide: W,
    rectangle: Rectangle<F>,
    buffers: Scratch<Complex<F>>,
}

impl<F: Number + Data, W: Wide<F>> LaneLine<F, W>
where
    Complex<F>: Element,
{
    pub fn new(wide: W, sides: &LaneSides, direction: Direction) -> Self {
        let rectangle = Rectangle::new(&sides.columns, &sides.rows, W::LANES, direction);
        Self { wide, rectangle, buffers: Scratch::default() }
    }

    fn with_buffer(&self, work: impl FnOnce(&mut [F])) {
        self.buffers.with(self.rectangle.buffer_len() / 2 + 1, |buffer| work(bytemuck::cast_slice_mut(buffer)));
    }

    /// A task's columns, from the line to between the passes.
    fn some_columns(&self, part: Columns<'_, F>) {
        self.with_buffer(|buffer| self.rectangle.columns(self.wide, part, buffer));
    }

    /// A task's rows, from there to its pieces of the line.
    fn some_rows(&self, strips: Range<usize>, between: &[&[F]], rows: &mut [&mut [F]], finish: Finish<'_, Complex<F>>) {
        self.with_buffer(|buffer| {
            let part = RowPart { strips, between, output: Rows::Each(&mut *rows, 0) };
            self.rectangle.rows(self.wide, part, buffer);
        });
        rows.iter_mut().for_each(|piece| finish(bytemuck::cast_slice_mut(piece)));
    }

    /// What so many tasks write of each of the line's rows, `per` strips each.
    fn pieces<'x>(&self, line: &'x mut [F], per: usize, tasks: usize) -> Vec<Vec<&'x mut [F]>> {
        let (row, piece) = (self.rectangle.row(), per * self.rectangle.width());
        let mut rest: Vec<&mut [F]> = line.chunks_mut(row).collect();
        (0..tasks).map(|_| rest.iter_mut().map(|row| take(row, piece)).collect()).collect()
    }

    /// All columns, from the line to between the passes.
    fn columns(&self, tasks: usize, input: &[F], (between, pitch): (&mut [F], usize), buffer: &mut [F]) {
        let [strips, _] = self.rectangle.strips();
        let per = strips.div_ceil(tasks);
        if per == strips {
            return self.rectangle.columns(self.wide, Columns { strips: 0..strips, input, between, pitch }, buffer);
        }
        let parts = between.chunks_mut(per * W::LANES * pitch).take(strips.div_ceil(per)).collect();
        parallel::each_of(parts, &|i, between| {
            self.some_columns(Columns { strips: i * per..strips.min((i + 1) * per), input, between, pitch });
        });
    }

    /// All rows, from there to the line, or where they are.
    fn rows(&self, tasks: usize, between: &[&[F]], line: &mut [F], buffer: &mut [F], finish: Finish<'_, Complex<F>>) {
        let [_, strips] = self.rectangle.strips();
        let per = strips.div_ceil(tasks);
        if per == strips {
            let output = Rows::Apart(&mut *line, self.rectangle.row());
            self.rectangle.rows(self.wide, RowPart { strips: 0..strips, between, output }, buffer);
            return finish(bytemuck::cast_slice_mut(line));
        }
        parallel::each_of(self.pieces(line, per, strips.div_ceil(per)), &|i, mut pieces| {
            self.some_rows(i * per..strips.min((i + 1) * per), between, &mut pieces, finish);
        });
    }

    /// Columns and rows by so many tasks each, which are called once.
    fn at_once(&self, tasks: usize, input: &[F], between: &mut [F], output: &mut [F], finish: Finish<'_, Complex<F>>) {
        let pitch = self.rectangle.pitch();
        let [columns, rows] = self.rectangle.strips().map(|strips| strips / tasks);
        let between = between.chunks_exact_mut(columns * W::LANES * pitch).take(tasks);
        let between: Vec<_> = between.map(RwLock::new).collect();
        let pieces: Vec<_> = self.pieces(output, rows, tasks).into_iter().map(Mutex::new).collect();
        let first = |i: usize| {
            let mut between = between[i].write().unwrap_or_else(PoisonError::into_inner);
            self.some_columns(Columns { strips: i * columns..(i + 1) * columns, input, between: &mut between, pitch });
        };
        let then = |i: usize| {
            let parts: Vec<_> =
                between.iter().map(|part| part.read().unwrap_or_else(PoisonError::into_inner)).collect();
            let parts: Vec<&[F]> = parts.iter().map(|part| &***part).collect();
            let mut pieces = pieces[i].lock().unwrap_or_else(PoisonError::into_inner);
            self.some_rows(i * rows..(i + 1) * rows, &parts, &mut pieces, finish);
        };
        parallel::one_after_the_other(tasks, &first, &then);
    }

    /// Of two passes whose threads are called for each.
    fn tasks(threads: usize, bytes: usize) -> usize {
        if threads == 1 { 1 } else { (TASKS * threads).min(bytes / TASK).max(1) }
    }

    /// Of passes between which they meet, if the line is of that kind.
    fn tasks_at_once(&self, threads: usize, bytes: usize) -> Option<usize> {
        let tasks = threads.min(bytes / PART);
        (tasks > 1 && bytes <= AT_ONCE && self.rectangle.divides(tasks)).then_some(tasks)
    }
}

/// Takes the first elements away, so many or all.
fn take<'a, T>(rest: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    rest.split_off_mut(..count.min(rest.len())).unwrap_or_default()
}

impl<F: Number + Data, W: Wide<F>> Line<Complex<F>> for LaneLine<F, W>
where
    Complex<F>: Element,
{
    fn len(&self) -> usize {
        self.rectangle.len()
    }
    fn scratch_len(&self) -> usize {
        self.rectangle.between_len() / 2 + 1 + self.rectangle.buffer_len() / 2 + 1
    }
    fn line(
        &self,
        input: Option<&[Complex<F>]>,
        line: &mut [Complex<F>],
        scratch: &mut [Complex<F>],
        finish: Finish<'_, Complex<F>>,
    ) {
        let (between, buffer) = scratch.split_at_mut(self.rectangle.between_len() / 2 + 1);
        let (between, buffer) = (aligned(bytemuck::cast_slice_mut(between)), bytemuck::cast_slice_mut(buffer));
        let (threads, bytes) = (threads::current(), size_of_val(line));
        let (tasks, line) = (Self::tasks(threads, bytes), bytemuck::cast_slice_mut(line));
        let input = input.map(|input| bytemuck::cast_slice(input));
        match (input, self.tasks_at_once(threads, bytes)) {
            (Some(input), Some(tasks)) => self.at_once(tasks, input, between, line, finish),
            (Some(input), None) if self.rectangle.waits_in_output(tasks) => {
                self.columns(tasks, input, (&mut *line, self.rectangle.row()), buffer);
                self.rows(tasks, &[], line, buffer, finish);
            }
            _ => {
                self.columns(tasks, input.unwrap_or(line), (&mut *between, self.rectangle.pitch()), buffer);
                self.rows(tasks, &[between], line, buffer, finish);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Vectors;
    use super::*;
    use crate::plan::host::lane_sides;

    #[test]
    fn threads_change_nothing() {
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        // Some are computed at once, by 2 threads, or by 4; the last one's columns wait in the output.
        for n in [1 << 10, 1 << 12, 1 << 15, 9 * 5 * 7 * 11 * 13, 25 << 11, 3 << 17] {
            let Some(line) = f64::line(&lane_sides(n).unwrap(), Direction::Forward) else { return };
            let x: Vec<_> = (0..n).map(|j| Complex::new((j * j % 1009) as f64, (j % 31) as f64)).collect();
            let of = |threads| {
                let (mut y, mut scratch) = (x.clone(), vec![Complex::default(); line.scratch_len()]);
                let halved = |part: &mut [Complex<f64>]| part.iter_mut().for_each(|x| *x *= 0.5);
                pool(threads).install(|| line.lines(None, &mut y, &mut scratch, &halved));
                let mut z = vec![Complex::default(); n];
                pool(threads).install(|| line.lines(Some(&x), &mut z, &mut scratch, &halved));
                assert!(y == z, "{n} points in place and out of place, on {threads} threads");
                y
            };
            for threads in 2..=4 {
                assert!(of(1) == of(threads), "{n} points on one thread and on {threads}");
            }
        }
    }
}
