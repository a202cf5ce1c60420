//! Transforms over several word-sized primes at once: what a transform of long integers is by residue number systems.
//!
//! Integers become residues, residues are transformed prime by prime, and become integers again by the Chinese remainder
//! theorem (see [`ResidueSystem`]). A convolution done so is exact as long as its values are below the product of the
//! primes; it is what a transform over one big prime of the same size is measured against.

use crate::algebra::{Algebra, ResidueSystem};
use crate::device::{Buffer, Device, Executable, KernelReport, Prepared, Stream};
use crate::error::{Error, Result};
use crate::moduli::ModuliTransform;
use crate::plan::Step;
use crate::transform::Transform;

/// Transforms of n points over every prime of a residue number system, made ready for a device.
///
/// Buffers hold k·n values of `u64`, for k primes: of *integers*, k words each, the lowest first, integer after integer;
/// of *residues*, n for each prime, prime after prime. Every method submits work to a stream and returns.
///
/// ```
/// use stockham::algebra::ResidueSystem;
/// use stockham::residues::ResidueTransform;
/// use stockham::Device;
/// let (device, system) = (Device::cpu(), ResidueSystem::new(2, 26)?);
/// let mut transform = ResidueTransform::plan(&device, system, 4)?;
/// // (2^63 + 3x)·(2^63 + 3x) mod x⁴ − 1
/// let mut x = transform.upload(&[1 << 63, 0, 3, 0, 0, 0, 0, 0])?;
/// let (mut residues, mut same) = (device.alloc(8)?, device.alloc(8)?);
/// let stream = device.default_stream();
/// transform.reduce(stream, &x, &mut residues)?;
/// transform.forward(stream, &mut residues)?;
/// same.copy_from(stream, &residues)?;
/// transform.multiply(stream, &mut residues, &same)?;
/// transform.inverse(stream, &mut residues)?;
/// transform.recombine(stream, &residues, &mut x)?;
/// stream.synchronize()?;
/// assert_eq!(x.to_vec()?[2..], [0, 3, 9, 0, 0, 0]);
/// # Ok::<(), stockham::Error>(())
/// ```
pub struct ResidueTransform {
    device: Device,
    system: ResidueSystem,
    n: usize,
    reduce: Prepared,
    recombine: Prepared,
    residues: ModuliTransform<u64>,
}

impl ResidueTransform {
    /// Plans for n points, a power of two up to 2^m for primes that are 1 modulo 2^m.
    ///
    /// # Errors
    /// As [`Device::plan`]; [`Error::Compile`], [`Error::OutOfMemory`] or [`Error::Driver`] from the device.
    pub fn plan(device: &Device, system: ResidueSystem, n: usize) -> Result<Self> {
        let reduce = device.prepare_step(Step::Reduce { system })?;
        let recombine = device.prepare_step(Step::Recombine { system })?;
        let fields: Vec<Algebra> = system.fields()?.into_iter().map(Algebra::of_prime).collect();
        // The first one stands for all.
        let residues = ModuliTransform::plan(device, &fields, &Transform::new(fields[0], n))?;
        Ok(Self { device: device.clone(), system, n, reduce, recombine, residues })
    }

    /// The primes.
    pub fn system(&self) -> ResidueSystem {
        self.system
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.n
    }

    /// The executables of the forward transforms, prime by prime.
    pub fn executables(&self) -> impl Iterator<Item = &Executable> {
        self.residues.executables()
    }

    /// Copies n integers to the device.
    ///
    /// # Errors
    /// [`Error::BufferLength`] unless there are k·n words; [`Error::ResidueRange`] for an integer that is not below the
    /// product of the primes; [`Error::OutOfMemory`].
    pub fn upload(&self, integers: &[u64]) -> Result<Buffer<u64>> {
        self.check_len("array of integers", integers.len())?;
        self.system.check(integers)?;
        self.device.upload(integers)
    }

    /// Submits the reduction of n integers modulo every prime. (An integer beyond the product of the primes leaves the
    /// residues that it has.)
    ///
    /// # Errors
    /// [`Error::BufferLength`], [`Error::DeviceMismatch`]; what the driver reports.
    pub fn reduce(&self, stream: &Stream, integers: &Buffer<u64>, residues: &mut Buffer<u64>) -> Result<()> {
        self.check_len("integers", integers.len())?;
        self.reduce.run(stream, integers, residues, None)
    }

    /// Submits the forward transform of the residues modulo every prime, one after the other, in place.
    ///
    /// # Errors
    /// As [`reduce`](Self::reduce).
    pub fn forward(&mut self, stream: &Stream, residues: &mut Buffer<u64>) -> Result<()> {
        self.residues.forward(stream, residues)
    }

    /// Submits the inverse transform, with the factor 1/n, in the same way.
    ///
    /// # Errors
    /// As [`reduce`](Self::reduce).
    pub fn inverse(&mut self, stream: &Stream, residues: &mut Buffer<u64>) -> Result<()> {
        self.residues.inverse(stream, residues)
    }

    /// Submits x ← x·y, element by element. The first call makes the products ready.
    ///
    /// # Errors
    /// As [`reduce`](Self::reduce), and for the first call as [`plan`](Self::plan).
    pub fn multiply(&mut self, stream: &Stream, x: &mut Buffer<u64>, y: &Buffer<u64>) -> Result<()> {
        self.residues.multiply(stream, x, y)
    }

    /// Submits the recombination of residues to n integers below the product of the primes.
    ///
    /// # Errors
    /// As [`reduce`](Self::reduce).
    pub fn recombine(&self, stream: &Stream, residues: &Buffer<u64>, integers: &mut Buffer<u64>) -> Result<()> {
        self.check_len("residues", residues.len())?;
        self.recombine.run(stream, residues, integers, None)
    }

    /// What the device's compiler told of each kernel.
    pub fn kernel_reports(&self) -> Vec<KernelReport> {
        let steps = [&self.reduce, &self.recombine].into_iter().flat_map(Prepared::kernel_reports);
        steps.chain(self.residues.kernel_reports()).collect()
    }

    fn check_len(&self, buffer: &'static str, found: usize) -> Result<()> {
        let expected = self.n.saturating_mul(self.system.primes());
        if expected == found { Ok(()) } else { Err(Error::BufferLength { buffer, expected, found }) }
    }
}
