//! The host's own cores as a device: always there, no driver. Work is done when it is submitted.

mod access;
mod any_words;
mod blocks;
mod chirp;
mod circle;
mod convolution;
mod definition;
mod digits;
mod factor;
mod four_step;
mod lanes;
mod length;
mod line;
mod lines;
mod lines_in_common;
pub(super) mod memory;
mod operands;
mod program;
mod real;
mod repeat;
mod residues;
mod scaled;
mod scratch;
mod share;
mod step;
mod trig;
mod word_arithmetic;
mod word_line;
mod words;

use std::any::Any;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use crate::algebra::Algebra;
use crate::brief::Brief;
use crate::error::Result;
use crate::host_memory;
use crate::plan::{HostBytes, Recipe, Step};
use crate::threads;

use super::driver::{Driver, KernelReport, Location, Mark, Memory, Operands, Program, Queue, StepProgram};
use super::listing::{Candidate, Listing};
use super::{Backend, DeviceInfo};
use memory::HostMemory;

/// Bytes of complex numbers from which threads are woken for them.
const LONG: u64 = 1 << 20;

pub(super) struct Cpu {
    info: DeviceInfo,
}

impl Cpu {
    fn new() -> Self {
        // Asked for once: reading it takes longer than a small transform.
        static INFO: OnceLock<DeviceInfo> = OnceLock::new();
        Self { info: INFO.get_or_init(describe).clone() }
    }
}

fn describe() -> DeviceInfo {
    // Whoever opens the device is told if that fails.
    let compute_units = threads::start(None).unwrap_or(1);
    let memory_bytes = host_memory::total();
    DeviceInfo {
        id: "cpu".into(),
        backend: Backend::Cpu,
        name: processor_name().unwrap_or_else(|| std::env::consts::ARCH.into()),
        driver: format!("rustfft and stockham {}", env!("CARGO_PKG_VERSION")),
        memory_bytes,
        max_allocation_bytes: memory_bytes,
        max_group: 1,
        local_bytes: 0,
        simd_width: 1,
        compute_units,
        registers: None,
        has_f64: true,
        compute_capability: None,
        max_cluster: None,
    }
}

fn proc_field(file: &str, field: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(field))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn processor_name() -> Option<String> {
    proc_field("/proc/cpuinfo", "model name")
}

pub(super) fn list() -> Listing {
    Listing { found: vec![Candidate { info: Cpu::new().info, unasked: true }], missing: Vec::new() }
}

pub(super) fn open(_: usize) -> Result<Arc<dyn Driver>> {
    threads::start(None)?;
    Ok(Arc::new(Cpu::new()))
}

impl Driver for Cpu {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }
    fn allocate(&self, bytes: usize) -> Result<Box<dyn Memory>> {
        Ok(Box::new(HostMemory::zeroed(bytes)?))
    }
    fn new_stream(&self) -> Result<Arc<dyn Queue>> {
        Ok(Arc::new(HostQueue))
    }
    fn prepare(self: Arc<Self>, recipe: &Recipe) -> Result<Arc<dyn Program>> {
        let transform = &recipe.transform;
        let line = transform.points().saturating_mul(transform.algebra.element_bytes()) as u64;
        if line > self.info.memory_bytes {
            return Err(host_memory::out_of_memory(line));
        }
        let HostBytes { plan, run } = HostBytes::of(transform);
        host_memory::check(plan)?;
        let is_over_floats = matches!(transform.algebra, Algebra::ComplexF32 | Algebra::ComplexF64);
        let is_brief = is_over_floats && line.saturating_mul(transform.batch_count() as u64) < LONG;
        let brief = is_brief.then(Brief::default);
        Ok(Arc::new(Bounded { program: program::prepare(transform)?, bytes: run, brief }))
    }
    fn prepare_step(self: Arc<Self>, step: &Step) -> Result<Arc<dyn StepProgram>> {
        host_memory::check(step.host_bytes())?;
        Ok(step::prepare(step))
    }
    fn synchronize(&self) -> Result<()> {
        Ok(())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A program that runs where there is room for its scratch memory.
struct Bounded {
    program: Arc<dyn Program>,
    bytes: u64,
    /// Its runs, if they take no longer than to wake a thread.
    brief: Option<Brief>,
}

impl Program for Bounded {
    fn launches(&self) -> usize {
        self.program.launches()
    }
    fn enqueue(&self, queue: &dyn Queue, operands: Operands<'_>, launches: Range<usize>) -> Result<()> {
        host_memory::check(self.bytes)?;
        let work = || self.program.enqueue(queue, operands, launches);
        match &self.brief {
            Some(brief) => brief.call(work),
            None => work(),
        }
    }
    fn reports(&self) -> Vec<KernelReport> {
        self.program.reports()
    }
}

struct HostQueue;

impl Queue for HostQueue {
    fn write(&self, target: &dyn Memory, offset: usize, bytes: &[u8]) -> Result<()> {
        HostMemory::of(target).write()[offset..offset + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }
    fn read(&self, source: &dyn Memory, offset: usize, bytes: &mut [u8]) -> Result<()> {
        bytes.copy_from_slice(&HostMemory::of(source).read()[offset..offset + bytes.len()]);
        Ok(())
    }
    fn copy(&self, source: Location<'_>, target: Location<'_>, bytes: usize) -> Result<()> {
        if std::ptr::addr_eq(source.memory, target.memory) {
            let all = &mut HostMemory::of(source.memory).write();
            all.copy_within(source.offset..source.offset + bytes, target.offset);
            return Ok(());
        }
        let all = HostMemory::of(source.memory).read();
        self.write(target.memory, target.offset, &all[source.offset..source.offset + bytes])
    }
    fn record(&self) -> Result<Box<dyn Mark>> {
        Ok(Box::new(HostMark(Instant::now())))
    }
    fn wait(&self, _: &dyn Mark) -> Result<()> {
        Ok(())
    }
    fn finish(&self) -> Result<()> {
        Ok(())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

struct HostMark(Instant);

impl Mark for HostMark {
    fn wait(&self) -> Result<()> {
        Ok(())
    }
    fn milliseconds_since(&self, earlier: &dyn Mark) -> Result<f64> {
        let earlier: &Self = earlier.as_any().downcast_ref().expect("a mark of this device");
        Ok(self.0.duration_since(earlier.0).as_secs_f64() * 1e3)
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}
