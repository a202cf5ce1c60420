//! What a backend is that compiles kernels: OpenCL's and CUDA's.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Result;
use crate::kernel::{Alignment, Dialect, KernelText};

use super::driver::{Driver, KernelReport, Location, Memory, Queue};
use super::replay::Recording;

/// A driver that compiles kernels.
pub(crate) trait Gpu: Driver {
    /// The language of its kernels.
    fn dialect(&self) -> Dialect;
    /// Compiles each text, or takes it from the program cache.
    fn compile(&self, texts: &[KernelText]) -> Result<Vec<Arc<dyn Kernel>>>;
    /// Records launches, each of which waits for the one before it; nothing where that is not possible.
    fn record(&self, _launches: &[Launch<'_>]) -> Result<Option<Box<dyn Recording>>> {
        Ok(None)
    }
}

/// A launch with all that it takes.
pub(crate) struct Launch<'a> {
    pub kernel: &'a dyn Kernel,
    pub groups: usize,
    pub arguments: Vec<Argument<'a>>,
}

/// A compiled kernel.
pub(crate) trait Kernel: Send + Sync + Any {
    /// Submits `groups` work-groups of the kernel's group size.
    fn launch(&self, queue: &dyn Queue, groups: usize, arguments: &[Argument<'_>]) -> Result<()>;
    /// What the compiler told of it.
    fn report(&self) -> KernelReport;
    fn as_any(&self) -> &dyn Any;
}

/// A kernel's argument. Memory goes with its offset as an argument of its own, because OpenCL has no pointer arithmetic
/// on the host.
#[derive(Clone, Copy)]
pub(crate) enum Argument<'a> {
    Memory(&'a dyn Memory),
    U64(u64),
}

impl<'a> Argument<'a> {
    /// A place in memory, its offset in units of so many bytes.
    pub fn place(place: Location<'a>, unit: usize) -> [Self; 2] {
        [Self::Memory(place.memory), Self::U64((place.offset / unit) as u64)]
    }
}

/// The kernels of a recipe or of a step: those for memory that begins at multiples of a vector, and for any other memory those
/// that go digit by digit, which are compiled when they are asked for.
pub(super) struct Kernels {
    driver: Arc<dyn Gpu>,
    texts: Box<dyn Fn(Alignment) -> Vec<KernelText> + Send + Sync>,
    by_vectors: Compiled,
    /// Bytes at whose multiples memory must begin for those.
    alignment: usize,
    by_digits: Mutex<Option<Compiled>>,
}

/// Kernels in their order.
pub(super) type Compiled = Arc<[Arc<dyn Kernel>]>;

impl Kernels {
    pub fn compile(
        driver: Arc<dyn Gpu>,
        texts: impl Fn(Alignment) -> Vec<KernelText> + Send + Sync + 'static,
    ) -> Result<Self> {
        let by_vectors = texts(Alignment::Vector);
        let alignment = by_vectors.iter().map(|text| text.alignment).max().unwrap_or(1);
        let by_vectors = driver.compile(&by_vectors)?.into();
        Ok(Self { driver, texts: Box::new(texts), by_vectors, alignment, by_digits: Mutex::default() })
    }

    /// Those that are there from the beginning.
    pub fn by_vectors(&self) -> &Compiled {
        &self.by_vectors
    }

    /// Those for a run that touches these places.
    pub fn at(&self, places: &[Location<'_>]) -> Result<Compiled> {
        if places.iter().all(|place| place.is_at_multiple_of(self.alignment)) {
            return Ok(self.by_vectors.clone());
        }
        let mut by_digits = self.by_digits.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(compiled) = &*by_digits {
            return Ok(compiled.clone());
        }
        let compiled: Compiled = self.driver.compile(&(self.texts)(Alignment::Digit))?.into();
        Ok(by_digits.insert(compiled).clone())
    }
}
