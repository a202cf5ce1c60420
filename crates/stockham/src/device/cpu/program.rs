//! Batches of lines on the host: in parallel, strides by gathering and scattering.

use std::sync::Arc;

use rayon::prelude::*;

use crate::algebra::{Algebra, Element, Scale};
use crate::error::Result;
use crate::transform::{Dim, Transform};

use super::super::driver::{KernelReport, Operands, Program, Queue};
use super::HostMemory;
use super::line::{self, Line};

pub(super) fn prepare(transform: &Transform) -> Result<Arc<dyn Program>> {
    let (n, direction) = (transform.points(), transform.direction);
    Ok(match transform.algebra {
        Algebra::ComplexF32 => Arc::new(HostProgram::new(transform, line::complex::<f32>(n, direction))),
        Algebra::ComplexF64 => Arc::new(HostProgram::new(transform, line::complex::<f64>(n, direction))),
        Algebra::Goldilocks => Arc::new(HostProgram::new(transform, line::goldilocks(n, direction)?)),
    })
}

struct HostProgram<T> {
    dim: Dim,
    batch: Vec<Dim>,
    scale: Scale,
    line: Line<T>,
}

/// Lines gathered, transformed and scattered at a time when a layout is strided: bounds the extra memory.
const GROUP: usize = 64;

impl<T: Element> HostProgram<T> {
    fn new(transform: &Transform, line: Line<T>) -> Self {
        Self { dim: transform.dims[0], batch: transform.batch.clone(), scale: transform.scale(), line }
    }

    fn count(&self) -> usize {
        self.batch.iter().map(|d| d.n).product()
    }

    /// The first input and output element of transform number `index`.
    fn origin(&self, mut index: usize) -> (usize, usize) {
        let (mut input, mut output) = (0, 0);
        for d in self.batch.iter().rev() {
            let i = index % d.n;
            index /= d.n;
            input += i * d.input_stride;
            output += i * d.output_stride;
        }
        (input, output)
    }

    fn transform_line(&self, line: &mut [T]) {
        (self.line)(line);
        if self.scale != Scale::One {
            line.iter_mut().for_each(|x| *x = x.scaled(self.scale));
        }
    }

    /// Whether the outputs of consecutive transforms follow each other without gaps.
    fn is_packed(&self) -> bool {
        self.dim.output_stride == 1
            && (1..self.count().min(3)).all(|i| self.origin(i).1 == i * self.dim.n)
            && self.batch.iter().filter(|d| d.n > 1).count() <= 1
    }

    fn out_of_place(&self, input: &[T], output: &mut [T]) {
        let (n, stride) = (self.dim.n, self.dim.input_stride);
        let gather = |index: usize, line: &mut [T]| {
            let start = self.origin(index).0;
            line.iter_mut().enumerate().for_each(|(j, x)| *x = input[start + j * stride]);
        };
        if self.is_packed() {
            output[..n * self.count()].par_chunks_mut(n).enumerate().for_each(|(index, line)| {
                gather(index, line);
                self.transform_line(line);
            });
            return;
        }
        for first in (0..self.count()).step_by(GROUP) {
            let lines = self.lines(first, |index, line| gather(index, line));
            self.scatter(first, &lines, output);
        }
    }

    fn in_place(&self, data: &mut [T]) {
        let (n, stride) = (self.dim.n, self.dim.input_stride);
        if self.is_packed() {
            data[..n * self.count()].par_chunks_mut(n).for_each(|line| self.transform_line(line));
            return;
        }
        for first in (0..self.count()).step_by(GROUP) {
            let lines = self.lines(first, |index, line| {
                let start = self.origin(index).0;
                line.iter_mut().enumerate().for_each(|(j, x)| *x = data[start + j * stride]);
            });
            self.scatter(first, &lines, data);
        }
    }

    fn lines(&self, first: usize, gather: impl Fn(usize, &mut [T]) + Sync) -> Vec<Vec<T>> {
        let last = (first + GROUP).min(self.count());
        let line = |index| {
            let mut line = vec![T::zero(); self.dim.n];
            gather(index, &mut line);
            self.transform_line(&mut line);
            line
        };
        (first..last).into_par_iter().map(line).collect()
    }

    fn scatter(&self, first: usize, lines: &[Vec<T>], output: &mut [T]) {
        for (line, index) in lines.iter().zip(first..) {
            let start = self.origin(index).1;
            line.iter().enumerate().for_each(|(j, x)| output[start + j * self.dim.output_stride] = *x);
        }
    }
}

impl<T: Element> Program for HostProgram<T> {
    fn enqueue(&self, _: &dyn Queue, operands: Operands<'_>) -> Result<()> {
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
