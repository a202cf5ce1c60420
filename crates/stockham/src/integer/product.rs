//! A product on a device, from words to words.

use crate::algebra::limbs::LIMBS;
use crate::algebra::{Algebra, Goldilocks};
use crate::convolution::Convolution;
use crate::device::{Buffer, Device, KernelReport, Prepared, Stream};
use crate::error::{Error, Result};
use crate::host_memory;
use crate::plan::Step;

use super::limb::Limb;
use super::{Base, Integer, text};

/// The product of two positive integers of given lengths, made ready for a device, with the memory it needs.
///
/// The numbers' words go to the device with [`load`](Self::load), are multiplied there by [`run`](Self::run), as often
/// as one likes, and come back with [`product`](Self::product).
pub struct Multiplication {
    limb: Limb,
    n: usize,
    stream: Stream,
    convolution: Convolution<Goldilocks>,
    unpack: Prepared,
    carry: Prepared,
    a: Operand,
    /// Nothing for a square.
    b: Option<Operand>,
    scratch: Buffer<Goldilocks>,
    product: Buffer<Goldilocks>,
}

struct Operand {
    /// Digits of the number.
    digits: usize,
    words: Buffer<Goldilocks>,
    limbs: Buffer<Goldilocks>,
}

/// Milliseconds of device time of the parts of a product. Together they lead from words to words.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Times {
    /// Words to limbs.
    pub unpack: f64,
    /// Forward transforms: two, or one for a square.
    pub forward: f64,
    /// Element-wise products.
    pub product: f64,
    /// The inverse transform.
    pub inverse: f64,
    /// Carries, and limbs to words.
    pub carry: f64,
}

impl Times {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.unpack + self.forward + self.product + self.inverse + self.carry
    }
}

impl Multiplication {
    /// Plans the product of numbers of `a` and `b` digits; without `b`, the square of the first.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for numbers too long for this device or to be exact; [`Error::InvalidTransform`] for a
    /// number without digits; [`Error::OutOfMemory`]; [`Error::Compile`] or [`Error::Driver`] from the device.
    pub fn plan(device: &Device, base: Base, a: usize, b: Option<usize>) -> Result<Self> {
        let lengths = (a, b.unwrap_or(a));
        if lengths.0 == 0 || lengths.1 == 0 {
            return Err(Error::InvalidTransform("a number to multiply needs at least one digit".into()));
        }
        let limb = Limb::longest(base, lengths)?;
        let limbs = limb.count(lengths.0) + limb.count(lengths.1);
        let n = (limbs - 1).next_power_of_two();
        check_memory(device, n, if b.is_some() { 2 } else { 1 })?;
        let operand = |digits: usize| -> Result<Operand> {
            let words = device.alloc(digits.div_ceil(limb.word_digits()))?;
            Ok(Operand { digits, words, limbs: device.alloc(n)? })
        };
        let (convolution, base) = (Convolution::plan(device, Algebra::Goldilocks, n)?, limb.value());
        let (unpack, carry) = (device.prepare_step(Step::Unpack { base })?, device.prepare_step(Step::Carry { base })?);
        let product: Buffer<Goldilocks> = device.alloc(limbs.div_ceil(LIMBS))?;
        Ok(Self {
            limb,
            n,
            stream: device.new_stream()?,
            convolution,
            unpack,
            a: operand(lengths.0)?,
            b: b.map(operand).transpose()?,
            scratch: device.alloc(carry.scratch_len(product.len()))?,
            carry,
            product,
        })
    }

    /// The length of the transforms.
    pub fn points(&self) -> usize {
        self.n
    }

    /// Digits of a limb.
    pub fn limb_digits(&self) -> usize {
        self.limb.digits
    }

    /// What the device's compiler told of each kernel (nothing on the CPU).
    pub fn kernel_reports(&self) -> Vec<KernelReport> {
        let steps = [&self.unpack, &self.carry].into_iter().flat_map(Prepared::kernel_reports);
        self.convolution.kernel_reports().into_iter().chain(steps).collect()
    }

    /// Copies the numbers' words to the device. Their signs are left to the caller.
    ///
    /// # Errors
    /// [`Error::Bases`] or [`Error::BufferLength`] if they are not as planned; [`Error::OutOfMemory`]; what the driver
    /// reports.
    pub fn load(&mut self, a: &Integer, b: Option<&Integer>) -> Result<()> {
        let operands = [(&mut self.a, Some(a), "first number")].into_iter();
        let operands = operands.chain(self.b.as_mut().map(|operand| (operand, b, "second number")));
        for (operand, number, name) in operands {
            let digits = number.map_or(&[][..], Integer::digits);
            if let Some(number) = number.filter(|number| number.base() != self.limb.base) {
                return Err(Error::Bases { first: self.limb.base.name(), second: number.base().name() });
            }
            if digits.len() != operand.digits {
                return Err(Error::BufferLength { buffer: name, expected: operand.digits, found: digits.len() });
            }
            operand.words.write_on(&self.stream, &text::words(digits, self.limb)?)?;
        }
        Ok(())
    }

    /// Multiplies the numbers loaded last, and waits.
    ///
    /// # Errors
    /// What the driver reports.
    pub fn run(&mut self) -> Result<Times> {
        let stream = &self.stream;
        let mut events = vec![stream.record()?];
        let mut operands: Vec<&mut Operand> = [Some(&mut self.a), self.b.as_mut()].into_iter().flatten().collect();
        for operand in &mut operands {
            self.unpack.run(stream, &operand.words, &mut operand.limbs, None)?;
        }
        events.push(stream.record()?);
        for operand in &mut operands {
            self.convolution.forward(stream, &mut operand.limbs)?;
        }
        events.push(stream.record()?);
        let (x, y) = (&mut self.a.limbs, self.b.as_ref().map(|operand| &operand.limbs));
        self.convolution.product(stream, x, y)?;
        events.push(stream.record()?);
        self.convolution.inverse(stream, x)?;
        events.push(stream.record()?);
        let scratch = (!self.scratch.is_empty()).then_some(&mut self.scratch);
        self.carry.run(stream, x, &mut self.product, scratch)?;
        events.push(stream.record()?);
        stream.synchronize()?;
        let part = |i: usize| events[i + 1].milliseconds_since(&events[i]);
        Ok(Times { unpack: part(0)?, forward: part(1)?, product: part(2)?, inverse: part(3)?, carry: part(4)? })
    }

    /// The product that was computed last, without a sign.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] of the host; what the driver reports.
    pub fn product(&self) -> Result<Integer> {
        let mut words = host_memory::zeroed(self.product.len())?;
        self.product.read_on(&self.stream, &mut words)?;
        Ok(Integer::from_digits(self.limb.base, text::digits(&words, self.limb)?))
    }
}

/// Memory that is asked for piece by piece may be promised and not be there. The limbs of each factor, a transform's
/// workspace, and words in and out, a third of the limbs each, is what it takes.
fn check_memory(device: &Device, n: usize, factors: usize) -> Result<()> {
    let info = device.info();
    let elements = n.saturating_mul(factors + 1).saturating_add(2 * n / LIMBS);
    let requested = elements.saturating_mul(size_of::<Goldilocks>()) as u64;
    if requested <= info.memory_bytes {
        return Ok(());
    }
    Err(Error::OutOfMemory { device: info.id.clone(), requested, total: info.memory_bytes })
}
