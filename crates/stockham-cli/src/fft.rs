//! `stockham fft`: the transform of a `.npy` file along its last axis, as `numpy.fft.fft` computes it.

use std::io::Write;
use std::path::PathBuf;

use bytemuck::Pod;
use stockham::{Algebra, Element, Goldilocks, Transform};

use crate::args::{self, DeviceArg, Norm};
use crate::batches::Batches;
use crate::elements::{Number, result_kind, with_number};
use crate::error::{Error, Result};
use crate::npy::{Kind, Reader, Writer};
use crate::output::Files;
use crate::{memory, progress};

/// Transform the last axis of a NumPy array
#[derive(clap::Args)]
pub struct Args {
    /// The array, of numbers of any kind (uint64 with --field); - is standard input
    #[arg(value_name = "IN.npy")]
    input: PathBuf,
    /// Where the result goes: complex64 of float16, float32 and complex64, complex128 of all others (uint64 with --field);
    /// - is standard output
    #[arg(value_name = "OUT.npy")]
    output: PathBuf,
    /// The inverse transform
    #[arg(long)]
    inverse: bool,
    /// Which direction carries the factor 1/n
    #[arg(long, value_enum, default_value = "backward")]
    norm: Norm,
    /// Transform over a finite field: goldilocks (`stockham ntt` takes others too)
    #[arg(long, value_name = "FIELD", value_parser = args::parse_field)]
    field: Option<Algebra>,
    #[command(flatten)]
    device: DeviceArg,
}

impl Args {
    /// The files it takes.
    pub fn files(&self) -> Files<'_> {
        Files::default().read([&self.input]).make(&self.output)
    }
}

/// Reads, transforms and writes.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let reader = Reader::open(&args.input)?;
    let kind = reader.header().kind;
    let name = args.input.display();
    match (args.field, kind) {
        (None, kind) => with_number!(kind, N => transform(args, reader, out, result_kind(kind), |_, x: &[N], y| {
            y.iter_mut().zip(x).for_each(|(y, x)| *y = x.complex());
            Ok(())
        })),
        (Some(Algebra::Goldilocks), Kind::U64) => {
            let elements = |first, x: &[u64], y: &mut [_]| field_elements(args, first, x, y);
            transform(args, reader, out, Kind::U64, elements)
        }
        (Some(Algebra::Goldilocks), other) => {
            Err(Error::input(format!("{name} holds {}, but --field goldilocks takes uint64", other.name())))
        }
        (Some(field), _) => Err(Error::input(format!("transforms over {} are made by `stockham ntt`", field.name()))),
    }
}

fn field_elements(args: &Args, first: usize, values: &[u64], elements: &mut [Goldilocks]) -> Result<()> {
    for (i, (element, &value)) in elements.iter_mut().zip(values).enumerate() {
        *element = Goldilocks::new(value).ok_or_else(|| {
            let (index, field) = (first + i, Algebra::Goldilocks.name());
            let error = stockham::Error::FieldValue { index, value, field, modulus: Goldilocks::MODULUS };
            Error::input(format!("{}: {error}", args.input.display()))
        })?;
    }
    Ok(())
}

/// Transforms a file of `F`; `convert` makes elements of them, knowing the index of the first.
fn transform<F: Pod, T: Element>(
    args: &Args,
    mut reader: Reader,
    out: &mut dyn Write,
    result: Kind,
    convert: impl Fn(usize, &[F], &mut [T]) -> Result<()>,
) -> Result<()> {
    let shape = reader.header().shape.clone();
    let (one, count) = describe(args, T::ALGEBRA, &shape)?;
    let device = args.device.open()?;
    // In Fortran order the file has been read whole already.
    memory::require(Batches::<T>::host_bytes(&device, &one, count), out)?;
    let mut writer = Writer::create(&args.output, result, &shape)?;
    if count > 0 {
        let bar = progress::bar(count);
        bar.set_message("planning");
        let mut batches = Batches::<T>::new(&device, &one, count)?;
        bar.set_message("transforming");
        let mut numbers = Vec::new();
        for first in (0..count).step_by(batches.lines()) {
            let fill = |start: usize, elements: &mut [T]| {
                numbers.resize(elements.len(), F::zeroed());
                reader.fill(bytemuck::cast_slice_mut(&mut numbers))?;
                convert(first * one.points() + start, &numbers, elements)
            };
            batches.stream(count - first, fill, |results| writer.write(bytemuck::cast_slice(results)))?;
            bar.inc(batches.lines() as u64);
        }
    }
    writer.commit()?;
    writeln!(out, "{}", args::done(&one, count, &device))?;
    Ok(())
}

/// One transform along the last axis, and how many of them the other axes make.
fn describe(args: &Args, algebra: Algebra, shape: &[usize]) -> Result<(Transform, usize)> {
    let name = args.input.display();
    let Some((&n, batch)) = shape.split_last() else {
        return Err(Error::input(format!("{name} holds a single number (shape ()): a transform needs an axis")));
    };
    if n == 0 {
        return Err(Error::input(format!(
            "{name} has shape {shape:?}, whose last axis is empty: a transform needs at least one point"
        )));
    }
    let direction = if args.inverse { stockham::Direction::Inverse } else { stockham::Direction::Forward };
    let one = Transform::new(algebra, n).direction(direction).normalization(args.norm.into());
    one.validate()?;
    // Lengths beyond all memory may stand beside an empty axis.
    let count = if batch.contains(&0) { 0 } else { batch.iter().product() };
    Ok((one, count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stockham::Complex64;

    /// The largest array a device may be asked for at once is bounded; a batch beyond it comes in parts.
    #[test]
    fn a_batch_in_parts_covers_every_line() {
        let one = Transform::new(Algebra::ComplexF64, 1 << 20);
        let batches = Batches::<Complex64>::new(&stockham::Device::cpu(), &one, 33).unwrap();
        assert!(batches.lines() < 33 && batches.lines() * 3 >= 33, "{}", batches.lines());
    }
}
