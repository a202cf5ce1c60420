//! `stockham fft`: the transform of a `.npy` file along its last axis, as `numpy.fft.fft` computes it.

use std::io::Write;
use std::path::PathBuf;

use bytemuck::Pod;
use stockham::{Algebra, Complex32, Complex64, Element, Goldilocks, Transform};

use crate::args::{self, DeviceArg, Norm};
use crate::batches::Batches;
use crate::error::{Error, Result};
use crate::npy::{Kind, Reader, Writer};

/// Transform the last axis of a NumPy array
#[derive(clap::Args)]
pub struct Args {
    /// The array: complex64, complex128, float32 or float64 (uint64 with --field)
    #[arg(value_name = "IN.npy")]
    input: PathBuf,
    /// Where the result goes: complex64 or complex128 of the input's precision (uint64 with --field)
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

/// Reads, transforms and writes.
pub fn run(args: &Args, _: &mut dyn Write) -> Result<()> {
    let reader = Reader::open(&args.input)?;
    let kind = reader.header().kind;
    let name = args.input.display();
    match (args.field, kind) {
        (None, Kind::U64) => Err(Error::input(format!("{name} holds uint64: add --field goldilocks to transform it"))),
        (Some(Algebra::Goldilocks), Kind::U64) => transform(args, reader, Kind::U64, field_elements),
        (Some(Algebra::Goldilocks), other) => {
            Err(Error::input(format!("{name} holds {}, but --field goldilocks takes uint64", other.name())))
        }
        (Some(field), _) => Err(Error::input(format!("transforms over {} are made by `stockham ntt`", field.name()))),
        (None, Kind::U32) => {
            Err(Error::input(format!("{name} holds uint32: `stockham ntt` takes the digits of fields")))
        }
        (None, Kind::F32) => transform(args, reader, Kind::C64, |_, x: &[f32], y: &mut [Complex32]| {
            y.iter_mut().zip(x).for_each(|(y, x)| *y = Complex32::from(x));
            Ok(())
        }),
        (None, Kind::F64) => transform(args, reader, Kind::C128, |_, x: &[f64], y: &mut [Complex64]| {
            y.iter_mut().zip(x).for_each(|(y, x)| *y = Complex64::from(x));
            Ok(())
        }),
        (None, Kind::C64) => transform(args, reader, Kind::C64, |_, x: &[Complex32], y| {
            y.copy_from_slice(x);
            Ok(())
        }),
        (None, Kind::C128) => transform(args, reader, Kind::C128, |_, x: &[Complex64], y| {
            y.copy_from_slice(x);
            Ok(())
        }),
    }
}

fn field_elements(first: usize, values: &[u64], elements: &mut [Goldilocks]) -> Result<()> {
    for (i, (element, &value)) in elements.iter_mut().zip(values).enumerate() {
        *element = Goldilocks::new(value).ok_or(stockham::Error::FieldValue {
            index: first + i,
            value,
            field: Algebra::Goldilocks.name(),
            modulus: Goldilocks::MODULUS,
        })?;
    }
    Ok(())
}

/// Transforms a file of `F`; `convert` makes elements of them, knowing the index of the first.
fn transform<F: Pod, T: Element>(
    args: &Args,
    mut reader: Reader,
    result: Kind,
    convert: impl Fn(usize, &[F], &mut [T]) -> Result<()>,
) -> Result<()> {
    let shape = reader.header().shape.clone();
    let (one, count) = describe(args, T::ALGEBRA, &shape)?;
    let device = args.device.open()?;
    if count == 0 {
        return Writer::create(&args.output, result, &shape)?.commit();
    }
    let n = one.points();
    let mut batches = Batches::<T>::new(&device, &one, count)?;
    let mut writer = Writer::create(&args.output, result, &shape)?;
    let mut numbers = vec![F::zeroed(); batches.lines() * n];
    for first in (0..count).step_by(batches.lines()) {
        let len = batches.lines().min(count - first) * n;
        let lines = batches.run(|elements| {
            let numbers = &mut numbers[..len];
            reader.fill(bytemuck::cast_slice_mut(numbers))?;
            convert(first * n, numbers, &mut elements[..len])
        })?;
        writer.write(bytemuck::cast_slice(&lines[..len]))?;
    }
    writer.commit()
}

/// One transform along the last axis, and how many of them the other axes make.
fn describe(args: &Args, algebra: Algebra, shape: &[usize]) -> Result<(Transform, usize)> {
    let name = args.input.display();
    let Some((&n, batch)) = shape.split_last() else {
        return Err(Error::input(format!("{name} holds a single number (shape ()): a transform needs an axis")));
    };
    if n == 0 {
        return Err(Error::input(format!("{name} has shape {shape:?}: a transform needs at least one point")));
    }
    let direction = if args.inverse { stockham::Direction::Inverse } else { stockham::Direction::Forward };
    let one = Transform::new(algebra, n).direction(direction).normalization(args.norm.into());
    one.validate()?;
    Ok((one, batch.iter().product()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest array a device may be asked for at once is bounded; a batch beyond it comes in parts.
    #[test]
    fn a_batch_in_parts_covers_every_line() {
        let one = Transform::new(Algebra::ComplexF64, 1 << 20);
        let batches = Batches::<Complex64>::new(&stockham::Device::cpu(), &one, 33).unwrap();
        assert!(batches.lines() < 33 && batches.lines() * 3 >= 33, "{}", batches.lines());
    }
}
