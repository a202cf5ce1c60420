//! A step made ready for a device, with the checks that its operands need.

use std::any::TypeId;
use std::sync::Arc;

use crate::algebra::{Algebra, Data};
use crate::error::{Error, Result};
use crate::plan::{Step, StepFields};

use super::driver::{Extent, StepOperands, StepProgram};
use super::{Buffer, Device, KernelReport, Slice, SliceMut, Stream};

/// A step made ready for a device.
pub(crate) struct Prepared {
    device: Device,
    step: Step,
    program: Arc<dyn StepProgram>,
}

impl Device {
    /// Makes a step ready.
    ///
    /// # Errors
    /// As [`Step::validate`]; [`Error::Compile`], [`Error::OutOfMemory`] or [`Error::Driver`] from the device.
    pub(crate) fn prepare_step(&self, step: Step) -> Result<Prepared> {
        step.validate()?;
        let program = self.driver().clone().prepare_step(&step)?;
        Ok(Prepared { device: self.clone(), step, program })
    }
}

impl Device {
    /// Makes a product, or an inner product, of the fields of a list ready, in one launch. The step's algebra is that of the largest
    /// prime.
    ///
    /// # Errors
    /// As [`prepare_step`](Self::prepare_step); [`Error::Unsupported`] on the CPU.
    pub(crate) fn prepare_step_over(&self, step: Step, list: &StepFields) -> Result<Prepared> {
        step.validate()?;
        let Some(algebra) = step.algebra() else {
            return Err(Error::unsupported("a step over a list of fields", "it has an algebra"));
        };
        let program = self.driver().clone().prepare_step_over((&step, algebra), list)?;
        Ok(Prepared { device: self.clone(), step, program })
    }
}

impl Prepared {
    /// Submits a step in place on the whole of `data`; a product takes the other factor.
    pub fn run_in_place<'a, T: Data>(
        &self,
        stream: &Stream,
        data: impl Into<SliceMut<'a, T>>,
        other: Option<Slice<'_, T>>,
    ) -> Result<()> {
        let data = data.into();
        let target = self.extent("data", data.as_slice())?;
        let other = other.map(|other| self.extent("factor", other)).transpose()?;
        let expected = match (self.step, other) {
            (Step::Twist { n, .. }, _) => n,
            (_, Some(other)) => other.len,
            _ => target.len,
        };
        check_len("data", expected, target.len)?;
        self.submit(stream, StepOperands { source: target, target, other })
    }

    /// Submits an inner product of two arrays of as many elements as the target has, times its terms.
    pub fn run_with<T: Data>(
        &self,
        stream: &Stream,
        source: Slice<'_, T>,
        factor: Slice<'_, T>,
        target: SliceMut<'_, T>,
    ) -> Result<()> {
        let (source, other) = (self.extent("source", source)?, self.extent("factor", factor)?);
        let target = self.extent("target", target.as_slice())?;
        let terms = if let Step::InnerProduct { terms, .. } = self.step { terms } else { 1 };
        check_len("source", target.len.saturating_mul(terms), source.len)?;
        check_len("factor", source.len, other.len)?;
        self.submit(stream, StepOperands { source, target, other: Some(other) })
    }

    /// Submits a step from one buffer to another; carries take [`scratch_len`](Self::scratch_len) elements of scratch
    /// memory.
    pub fn run<T: Data>(
        &self,
        stream: &Stream,
        source: &Buffer<T>,
        target: &mut Buffer<T>,
        scratch: Option<&mut Buffer<T>>,
    ) -> Result<()> {
        let (source, target) = (self.extent("source", source.into())?, self.extent("target", (&*target).into())?);
        let other = scratch.map(|scratch| self.extent("scratch", (&*scratch).into())).transpose()?;
        if let Some(system) = self.step.system() {
            check_len("source", source.len.next_multiple_of(system.primes()), source.len)?;
            check_len("target", source.len, target.len)?;
        }
        check_len("scratch", self.scratch_len(target.len), other.map_or(0, |scratch| scratch.len))?;
        self.submit(stream, StepOperands { source, target, other })
    }

    /// Elements of scratch memory for a target of that length.
    pub fn scratch_len(&self, target_len: usize) -> usize {
        self.program.scratch_len(target_len)
    }

    /// What the device's compiler told of each kernel (nothing on the CPU).
    pub fn kernel_reports(&self) -> Vec<KernelReport> {
        self.program.reports()
    }

    fn extent<'a, T: Data>(&self, name: &'static str, buffer: Slice<'a, T>) -> Result<Extent<'a>> {
        let is_words = TypeId::of::<T>() == TypeId::of::<u64>();
        let per_element = self.step.algebra().map_or(is_words.then_some(1), T::per_element);
        let Some(per_element) = per_element else {
            let expected = self.step.algebra().map_or(u64::NAME, Algebra::name);
            return Err(Error::ElementType { buffer: name, expected, found: T::NAME });
        };
        if !buffer.device().is_same(&self.device) {
            return Err(Error::DeviceMismatch { what: name, device: self.device.info().id.clone() });
        }
        let len = buffer.len() / per_element;
        check_len(name, len * per_element, buffer.len())?;
        Ok(Extent { location: buffer.location(), len })
    }

    fn submit(&self, stream: &Stream, operands: StepOperands<'_>) -> Result<()> {
        stream.check_device(&self.device)?;
        if operands.target.len == 0 {
            return Ok(());
        }
        self.program.enqueue(stream.queue(), operands)
    }
}

fn check_len(buffer: &'static str, expected: usize, found: usize) -> Result<()> {
    if expected == found { Ok(()) } else { Err(Error::BufferLength { buffer, expected, found }) }
}
