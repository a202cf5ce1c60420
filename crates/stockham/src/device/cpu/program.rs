//! Batches of lines on the host: in parallel, strides by gathering and scattering.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use crate::algebra::{Algebra, Element, Scale};
use crate::error::Result;
use crate::transform::Transform;

use super::super::driver::{KernelReport, Operands, Program, Queue};
use super::lines::Lines;
use super::{HostMemory, digits, line, line::Line};

pub(super) fn prepare(transform: &Transform) -> Result<Arc<dyn Program>> {
    let (n, direction, batch) = (transform.points(), transform.direction, transform.batch_count());
    Ok(match transform.algebra {
        Algebra::ComplexF32 => Arc::new(HostProgram::new(transform, line::complex::<f32>(n, direction, batch))),
        Algebra::ComplexF64 => Arc::new(HostProgram::new(transform, line::complex::<f64>(n, direction, batch))),
        Algebra::Goldilocks => Arc::new(HostProgram::new(transform, line::goldilocks(n, direction)?)),
        Algebra::BigPrime(prime) => return digits::prepare(transform, prime),
        Algebra::PrimeField(field) => return digits::prepare_residues(transform, field),
    })
}

struct HostProgram<T> {
    lines: Lines,
    scale: Scale,
    line: Line<T>,
}

/// Lines gathered, transformed and scattered at a time when a layout is strided: bounds the extra memory.
const GROUP: usize = 64;

/// Elements of a task at least, so that its own costs do not count beside short lines.
const TASK: usize = 1 << 13;

impl<T: Element> HostProgram<T> {
    fn new(transform: &Transform, line: Line<T>) -> Self {
        Self { lines: Lines::of(transform), scale: transform.scale(), line }
    }

    fn transform_lines(&self, lines: &mut [T]) {
        (self.line)(lines);
        if self.scale != Scale::One {
            lines.iter_mut().for_each(|x| *x = x.scaled(self.scale));
        }
    }

    /// Lines of a task.
    fn together(&self) -> usize {
        TASK.div_ceil(self.lines.dim.n)
    }

    fn out_of_place(&self, input: &[T], output: &mut [T]) {
        let (n, stride) = (self.lines.dim.n, self.lines.dim.input_stride);
        let gather = |index: usize, line: &mut [T]| {
            let start = self.lines.origin(index).0;
            match stride {
                1 => line.copy_from_slice(&input[start..start + n]),
                _ => line.iter_mut().enumerate().for_each(|(j, x)| *x = input[start + j * stride]),
            }
        };
        if self.lines.is_packed() {
            let together = self.together();
            let tasks = output[..n * self.lines.count()].par_chunks_mut(n * together).enumerate();
            tasks.for_each(|(task, lines)| {
                lines.chunks_exact_mut(n).zip(task * together..).for_each(|(line, index)| gather(index, line));
                self.transform_lines(lines);
            });
            return;
        }
        for first in (0..self.lines.count()).step_by(GROUP) {
            let lines = self.gathered(first, |index, line| gather(index, line));
            self.scatter(first, &lines, output);
        }
    }

    fn in_place(&self, data: &mut [T]) {
        let (n, stride) = (self.lines.dim.n, self.lines.dim.input_stride);
        if self.lines.is_packed() {
            let tasks = data[..n * self.lines.count()].par_chunks_mut(n * self.together());
            tasks.for_each(|lines| self.transform_lines(lines));
            return;
        }
        for first in (0..self.lines.count()).step_by(GROUP) {
            let lines = self.gathered(first, |index, line| {
                let start = self.lines.origin(index).0;
                line.iter_mut().enumerate().for_each(|(j, x)| *x = data[start + j * stride]);
            });
            self.scatter(first, &lines, data);
        }
    }

    fn gathered(&self, first: usize, gather: impl Fn(usize, &mut [T]) + Sync) -> Vec<Vec<T>> {
        let last = (first + GROUP).min(self.lines.count());
        let line = |index| {
            let mut line = vec![T::zero(); self.lines.dim.n];
            gather(index, &mut line);
            self.transform_lines(&mut line);
            line
        };
        (first..last).into_par_iter().map(line).collect()
    }

    fn scatter(&self, first: usize, lines: &[Vec<T>], output: &mut [T]) {
        for (line, index) in lines.iter().zip(first..) {
            let start = self.lines.origin(index).1;
            line.iter().enumerate().for_each(|(j, x)| output[start + j * self.lines.dim.output_stride] = *x);
        }
    }
}

impl<T: Element> Program for HostProgram<T> {
    fn launches(&self) -> usize {
        1
    }

    fn enqueue(&self, _: &dyn Queue, operands: Operands<'_>, _: Range<usize>) -> Result<()> {
        let Operands { input, output, .. } = operands;
        let (first_in, first_out) = (input.offset / size_of::<T>(), output.offset / size_of::<T>());
        if std::ptr::addr_eq(input.memory, output.memory) {
            let mut words = HostMemory::of(output.memory).write();
            self.in_place(&mut bytemuck::cast_slice_mut(&mut words)[first_out..]);
        } else {
            let source = HostMemory::of(input.memory).read();
            let mut target = HostMemory::of(output.memory).write();
            let target: &mut [T] = bytemuck::cast_slice_mut(&mut target);
            self.out_of_place(&bytemuck::cast_slice(&source)[first_in..], &mut target[first_out..]);
        }
        Ok(())
    }

    fn reports(&self) -> Vec<KernelReport> {
        Vec::new()
    }
}
