//! Where transforms run: the CPU, OpenCL and CUDA devices, all found at run time.

mod axes;
mod buffer;
pub mod cache;
mod compile;
mod cpu;
mod cuda;
mod discover;
mod disjoint;
mod driver;
mod executable;
mod gpu;
mod gpu_recipe;
mod gpu_step;
mod host_run;
pub mod interop;
mod listing;
mod memory_pool;
mod opencl;
mod private_folder;
mod replay;
mod ring;
mod step;
mod stream;
#[cfg(test)]
mod testing;

use std::fmt;
use std::sync::Arc;

use crate::algebra::{Data, WordField};
use crate::error::{Error, Result};
use crate::plan::{self, Recipe, Wisdom};
use crate::transform::Transform;

pub use crate::device_info::{Backend, DeviceInfo};
pub use buffer::{Buffer, Slice, SliceMut};
pub use discover::Discovery;
pub use driver::KernelReport;
pub use executable::{Executable, Runner};
pub use listing::Missing;
pub(crate) use step::Prepared;
pub use stream::{Event, Stream};

use driver::Driver;
use memory_pool::MemoryPool;

/// The environment variable that names the device of [`Device::best`].
pub const DEVICE_VARIABLE: &str = "STOCKHAM_DEVICE";

/// The environment variable that names a file of [`Wisdom`] for all devices but the CPU, which has nothing to choose. It
/// comes before what is [shipped](Wisdom::shipped).
pub const WISDOM_VARIABLE: &str = "STOCKHAM_WISDOM";

/// A device that runs transforms. Cheap to clone; asking twice for the same name gives the same device.
#[derive(Clone)]
pub struct Device {
    driver: Arc<dyn Driver>,
    default_stream: Stream,
    wisdom: Arc<Wisdom>,
    memory_pool: Arc<MemoryPool>,
}

impl Device {
    pub(crate) fn from_driver(driver: Arc<dyn Driver>) -> Result<Self> {
        let mut wisdom = Wisdom::default();
        if driver.info().backend != Backend::Cpu {
            cache::check()?;
            wisdom.merge(Wisdom::shipped().clone());
            if let Some(path) = std::env::var_os(WISDOM_VARIABLE).filter(|path| !path.is_empty()) {
                wisdom.merge(Wisdom::load(path.as_ref())?);
            }
        }
        let default_stream = Stream::new(driver.clone(), driver.new_stream()?);
        Ok(Self { driver, default_stream, wisdom: Arc::new(wisdom), memory_pool: Arc::default() })
    }

    /// The device that the environment variable [`DEVICE_VARIABLE`] names, or else the fastest kind found:
    /// CUDA, then OpenCL on a GPU, then the CPU.
    ///
    /// # Errors
    /// [`Error::DeviceNotFound`] if the variable names a device that is not there; [`Error::ReadFile`] or
    /// [`Error::Wisdom`] if [`WISDOM_VARIABLE`] names a file that is not there or is damaged.
    pub fn best() -> Result<Self> {
        match std::env::var(DEVICE_VARIABLE) {
            Ok(name) if !name.is_empty() => Self::by_name(&name),
            _ => discover::best(),
        }
    }

    /// Everything found on this machine, and what was not found and why.
    pub fn list() -> Discovery {
        discover::list()
    }

    /// The device of that name: `cpu`, `opencl:1`, `cuda:0`; `opencl` and `cuda` mean the first of their kind.
    ///
    /// # Errors
    /// [`Error::DeviceNotFound`] with the names of those found; [`Error::ReadFile`] or [`Error::Wisdom`] if
    /// [`WISDOM_VARIABLE`] names a file that is not there or is damaged; [`Error::Syntax`] as [`cache::check`].
    pub fn by_name(name: &str) -> Result<Self> {
        discover::by_name(name)
    }

    /// The host's own cores. Always there, as long as the process may start threads: `by_name("cpu")` returns an error
    /// instead of a panic if it may not.
    ///
    /// # Panics
    /// If no threads can be started, which [`threads::start`](crate::threads::start) tells before.
    pub fn cpu() -> Self {
        discover::cpu()
    }

    /// The device's name and limits.
    pub fn info(&self) -> &DeviceInfo {
        self.driver().info()
    }

    /// The same device with other wisdom, in place of what it had; buffers and streams of both fit each other.
    pub fn with_wisdom(&self, wisdom: Wisdom) -> Self {
        Self { wisdom: Arc::new(wisdom), ..self.clone() }
    }

    /// What [`plan`](Self::plan) asks before it asks the planner: what [`with_wisdom`](Self::with_wisdom) gave, or else
    /// what is [shipped](Wisdom::shipped) and, before that, what stood in the file that the environment variable
    /// [`WISDOM_VARIABLE`] named when the device was opened. The CPU has none.
    pub fn wisdom(&self) -> &Wisdom {
        &self.wisdom
    }

    /// The recipe that follows from the wisdom's choice for a transform; nothing if it has none that fits. Of several
    /// dimensions wisdom speaks of each, and the planner of the others.
    pub fn advised(&self, transform: &Transform) -> Option<Recipe> {
        if transform.is_filtered() {
            return None;
        }
        if transform.dims.len() < 2 {
            return self.wisdom.get(transform, self.info())?.realise(transform, self.info()).ok();
        }
        transform.validate().ok()?;
        if plan::plane::choose(transform, self.info()).is_some() {
            return None;
        }
        // What it knows nothing of is not planned in vain.
        let lines = plan::axes::lines_on(transform, self.info());
        let advice = lines.iter().map(|(.., line)| self.advised(line));
        let advice: Vec<Option<Recipe>> = advice.collect();
        if advice.iter().all(Option::is_none) {
            return None;
        }
        let mut advice = advice.into_iter();
        let recipe = |line: &Transform| match advice.next().flatten() {
            Some(recipe) => Ok(recipe),
            None => plan::plan(line, self.info()),
        };
        plan::axes::compose(transform, lines, recipe).ok()
    }

    /// Plans a transform for this device, by its wisdom or else by the planner's model, and makes it ready.
    ///
    /// # Errors
    /// [`Error::InvalidTransform`], [`Error::Unsupported`]; [`Error::Compile`], [`Error::OutOfMemory`] or
    /// [`Error::Driver`] from the device.
    pub fn plan(&self, transform: &Transform) -> Result<Executable> {
        // Wisdom is only advice: what the device does not take any more is planned anew.
        match self.advised(transform).map(|recipe| self.prepare(recipe)) {
            Some(Ok(executable)) => Ok(executable),
            _ => self.prepare(plan::plan(transform, self.info())?),
        }
    }

    /// Plans a transform over each field of a list, in the same launches, where the device compiles kernels.
    pub(crate) fn plan_over(&self, of_one: &Transform, fields: &[WordField]) -> Result<Executable> {
        self.prepare(plan::plan_over(of_one, fields, self.info())?)
    }

    /// Makes a recipe ready, as it stands.
    ///
    /// # Errors
    /// As [`plan`](Self::plan).
    pub fn prepare(&self, recipe: Recipe) -> Result<Executable> {
        recipe.check(self.info())?;
        let program = axes::prepare(self.driver(), &recipe)?;
        Ok(Executable::new(self.clone(), recipe, program))
    }

    /// Memory for `len` elements, uninitialised.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn alloc<T: Data>(&self, len: usize) -> Result<Buffer<T>> {
        let info = self.info();
        let out_of_memory =
            |requested| Error::OutOfMemory { device: info.id.clone(), requested, total: info.memory_bytes };
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(|| out_of_memory(u64::MAX))?;
        if bytes as u64 > info.memory_bytes {
            return Err(out_of_memory(bytes as u64));
        }
        // Drivers refuse empty allocations; one element is the least.
        let memory = self.driver().allocate(bytes.max(size_of::<T>()))?;
        Ok(Buffer::from_memory(self.clone(), memory.into(), len))
    }

    /// Memory with a copy of `host`.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`]; what the driver reports.
    pub fn upload<T: Data>(&self, host: &[T]) -> Result<Buffer<T>> {
        let mut buffer = self.alloc(host.len())?;
        buffer.write(host)?;
        Ok(buffer)
    }

    /// A new stream, ordered with no other.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn new_stream(&self) -> Result<Stream> {
        Ok(Stream::new(self.driver.clone(), self.driver.new_stream()?))
    }

    /// The stream of the calls that name none.
    pub fn default_stream(&self) -> &Stream {
        &self.default_stream
    }

    /// Waits for everything submitted to the device.
    ///
    /// # Errors
    /// What the driver reports, faults of earlier work included.
    pub fn synchronize(&self) -> Result<()> {
        self.driver().synchronize()
    }

    pub(crate) fn driver(&self) -> &Arc<dyn Driver> {
        &self.driver
    }

    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(self.driver(), other.driver())
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device {} ({})", self.info().id, self.info().name)
    }
}
