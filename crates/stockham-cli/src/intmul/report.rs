//! What is told of a product, on standard output and as JSON.

use std::io::{self, Write};

use serde::Serialize;
use stockham::integer::Base;
use stockham::{Device, DeviceInfo};

use crate::origin::Origin;
use crate::size;
use crate::table::{Align, Table};

use super::Shape;

/// Seconds of the stages, by the host's clock.
#[derive(Default, Serialize)]
pub struct Seconds {
    /// Files to numbers.
    pub read: f64,
    /// Kernels and memory.
    pub plan: f64,
    /// Digits to words, and words to the device.
    pub load: f64,
    /// All runs.
    pub multiply: f64,
    /// Words from the device, and words to digits.
    pub unload: f64,
    /// The check modulo primes.
    pub verify: Option<f64>,
    /// The file.
    pub write: f64,
}

/// A product and how it came about.
pub struct Record {
    /// The base of all three numbers.
    pub base: Base,
    /// Digits of the factors and the product.
    pub digits: [usize; 3],
    /// What was computed on the device; nothing if a factor was zero.
    pub shape: Option<Shape>,
    /// How long the stages took.
    pub seconds: Seconds,
    /// The primes that the product was checked by.
    pub primes: Vec<u64>,
}

#[derive(Serialize)]
pub struct Document<'a> {
    #[serde(flatten)]
    origin: Origin,
    base: &'static str,
    digits: [usize; 3],
    seconds: &'a Seconds,
    multiplication: Option<Parts>,
    primes: &'a [u64],
}

/// Milliseconds of device time, from words to words on the device.
#[derive(Serialize)]
struct Parts {
    points: usize,
    limb_digits: usize,
    square: bool,
    runs: usize,
    unpack_ms: f64,
    forward_ms: f64,
    product_ms: f64,
    inverse_ms: f64,
    carry_ms: f64,
    total_ms: f64,
}

impl Record {
    /// For standard output.
    pub fn print(&self, device: &DeviceInfo, out: &mut dyn Write) -> io::Result<()> {
        let [a, b, product] = self.digits;
        writeln!(out, "{a} by {b} {} digits make {product}", self.base.name())?;
        let mut rows = vec![("read", self.seconds.read)];
        if let Some(shape) = &self.shape {
            let (points, limb) = (size::power(shape.points), shape.limb_digits);
            writeln!(out, "{points} points, limbs of {limb} digits, on {} ({})", device.id, device.name)?;
            let (total, carry) = (shape.times.total(), shape.times.carry);
            rows.extend([("plan", self.seconds.plan), ("load", self.seconds.load)]);
            rows.extend([("transform", (total - carry) / 1e3), ("carry", carry / 1e3)]);
            rows.push(("unload", self.seconds.unload));
        }
        rows.extend(self.seconds.verify.map(|seconds| ("verify", seconds)));
        rows.push(("write", self.seconds.write));
        writeln!(out)?;
        let mut table = Table::new(&[("stage", Align::Left), ("seconds", Align::Right)]);
        rows.into_iter().for_each(|(name, seconds)| table.row([name.to_owned(), format!("{seconds:.6}")]));
        table.print(out)?;
        if !self.primes.is_empty() {
            let primes: Vec<String> = self.primes.iter().map(ToString::to_string).collect();
            writeln!(out, "\nright modulo {}", primes.join(", "))?;
        }
        Ok(())
    }

    /// For a file.
    pub fn document(&self, device: &Device) -> Document<'_> {
        let parts = self.shape.as_ref().map(|shape| Parts {
            points: shape.points,
            limb_digits: shape.limb_digits,
            square: shape.square,
            runs: shape.runs,
            unpack_ms: shape.times.unpack,
            forward_ms: shape.times.forward,
            product_ms: shape.times.product,
            inverse_ms: shape.times.inverse,
            carry_ms: shape.times.carry,
            total_ms: shape.times.total(),
        });
        Document {
            origin: Origin::of(device),
            base: self.base.name(),
            digits: self.digits,
            seconds: &self.seconds,
            multiplication: parts,
            primes: &self.primes,
        }
    }
}
