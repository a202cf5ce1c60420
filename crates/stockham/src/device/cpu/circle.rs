//! The circle FFT on the host, line by line.

use std::ops::Range;
use std::sync::Arc;

use crate::algebra::Direction;
use crate::circle::{CircleGenerator, CircleOrder, CircleTransform};
use crate::error::{Error, Result};
use crate::transform::Transform;

use super::super::driver::{Operands, Program, Queue};
use super::lines::Lines;
use super::operands::sides;

struct CircleProgram {
    transform: CircleTransform,
    direction: Direction,
    lines: Lines,
}

pub(super) fn prepare(transform: &Transform, generator: CircleGenerator) -> Result<Arc<dyn Program>> {
    Ok(Arc::new(CircleProgram {
        transform: CircleTransform::new(transform.points(), generator, CircleOrder::BitReversed)?,
        direction: transform.direction,
        lines: Lines::of(transform),
    }))
}

impl Program for CircleProgram {
    fn enqueue(&self, _: &dyn Queue, operands: Operands<'_>, _: Range<usize>) -> Result<()> {
        sides(operands, |source: Option<&[u32]>, target: &mut [u32]| {
            let dim = self.lines.dim;
            let mut line = vec![0; dim.n];
            for (from, to) in (0..self.lines.count()).map(|number| self.lines.origin(number)) {
                let source = source.unwrap_or(target);
                line.iter_mut().zip(0..).for_each(|(x, j)| *x = source[from + j * dim.input_stride]);
                let done = match self.direction {
                    Direction::Forward => self.transform.evaluate(&mut line),
                    Direction::Inverse => self.transform.interpolate(&mut line),
                };
                done.map_err(|error| match error {
                    Error::FieldValue { index, value, field, modulus } => {
                        Error::FieldValue { index: from + index * dim.input_stride, value, field, modulus }
                    }
                    other => other,
                })?;
                line.iter().zip(0..).for_each(|(x, j)| target[to + j * dim.output_stride] = *x);
            }
            Ok(())
        })
    }
}
