//! Transforms over several word-sized primes at once: what a transform of long integers is by residue number systems.
//!
//! Integers become residues, residues are transformed prime by prime, and become integers again by the Chinese remainder
//! theorem (see [`ResidueSystem`]). A convolution done so is exact as long as its values are below the product of the
//! primes; it is what a transform over one big prime of the same size is measured against.

use rayon::prelude::*;

use crate::algebra::{Algebra, PrimeField, ResidueSystem, Scale};
use crate::device::{Buffer, Device, Executable, KernelReport, Prepared, Stream};
use crate::error::{Error, Result};
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
    /// One of each for every prime.
    over_primes: Vec<OverPrime>,
    /// One for every prime, once they are asked for.
    products: Vec<Prepared>,
    workspace: Buffer<u64>,
}

/// The transforms of the residues modulo one prime.
struct OverPrime {
    forward: Executable,
    inverse: Executable,
}

impl OverPrime {
    fn plan(device: &Device, field: PrimeField, n: usize) -> Result<Self> {
        let transform = Transform::new(Algebra::PrimeField(field), n).in_place();
        Ok(Self { forward: device.plan(&transform)?, inverse: device.plan(&transform.inverse())? })
    }
}

impl ResidueTransform {
    /// Plans for n points, a power of two up to 2^m for primes that are 1 modulo 2^m.
    ///
    /// # Errors
    /// As [`Device::plan`]; [`Error::Compile`], [`Error::OutOfMemory`] or [`Error::Driver`] from the device.
    pub fn plan(device: &Device, system: ResidueSystem, n: usize) -> Result<Self> {
        let reduce = device.prepare_step(Step::Reduce { system })?;
        let recombine = device.prepare_step(Step::Recombine { system })?;
        let plan = |field| OverPrime::plan(device, field, n);
        let over_primes: Vec<OverPrime> = system.fields()?.into_par_iter().map(plan).collect::<Result<_>>()?;
        let executables = || over_primes.iter().flat_map(|prime| [&prime.forward, &prime.inverse]);
        let workspace = device.alloc(executables().map(Executable::workspace_len).max().unwrap_or(0))?;
        Ok(Self { device: device.clone(), system, n, reduce, recombine, over_primes, products: Vec::new(), workspace })
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
        self.over_primes.iter().map(|prime| &prime.forward)
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
        self.transform(stream, residues, |prime| &prime.forward)
    }

    /// Submits the inverse transform, with the factor 1/n, in the same way.
    ///
    /// # Errors
    /// As [`reduce`](Self::reduce).
    pub fn inverse(&mut self, stream: &Stream, residues: &mut Buffer<u64>) -> Result<()> {
        self.transform(stream, residues, |prime| &prime.inverse)
    }

    /// Submits x ← x·y, element by element. The first call makes the products ready.
    ///
    /// # Errors
    /// As [`reduce`](Self::reduce), and for the first call as [`plan`](Self::plan).
    pub fn multiply(&mut self, stream: &Stream, x: &mut Buffer<u64>, y: &Buffer<u64>) -> Result<()> {
        self.check_len("residues", x.len())?;
        self.check_len("factor", y.len())?;
        if self.products.is_empty() {
            let product = |field| Step::Product { algebra: Algebra::PrimeField(field), scale: Scale::One };
            let prepare = |field| self.device.prepare_step(product(field));
            self.products = self.system.fields()?.into_par_iter().map(prepare).collect::<Result<_>>()?;
        }
        for (product, start) in self.products.iter().zip((0..).step_by(self.n)) {
            let range = start..start + self.n;
            product.run_in_place(stream, x.slice_mut(range.clone())?, Some(y.slice(range)?))?;
        }
        Ok(())
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
        let transforms = self
            .over_primes
            .iter()
            .flat_map(|prime| [&prime.forward, &prime.inverse].into_iter().flat_map(Executable::kernel_reports));
        [&self.reduce, &self.recombine].into_iter().flat_map(Prepared::kernel_reports).chain(transforms).collect()
    }

    fn transform(
        &mut self,
        stream: &Stream,
        residues: &mut Buffer<u64>,
        of: fn(&OverPrime) -> &Executable,
    ) -> Result<()> {
        self.check_len("residues", residues.len())?;
        for (prime, start) in self.over_primes.iter().zip((0..).step_by(self.n)) {
            let line = residues.slice_mut(start..start + self.n)?;
            of(prime).run_in_place_on(stream, line, &mut self.workspace)?;
        }
        Ok(())
    }

    fn check_len(&self, buffer: &'static str, found: usize) -> Result<()> {
        let expected = self.n.saturating_mul(self.system.primes());
        if expected == found { Ok(()) } else { Err(Error::BufferLength { buffer, expected, found }) }
    }
}
