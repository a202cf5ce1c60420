//! Low-degree extensions of files.

use std::io::Write;

use bytemuck::Zeroable;
use stockham::extension::{Extension, InPlaceExtension};
use stockham::{Buffer, Data, Device, Domain, Layout, Transform};

use crate::error::{Error, Result};
use crate::{args, memory};

use super::Args;
use super::field::FileField;
use super::file::{Sink, Source};

/// Values that are extended at a time, if they are lines, or written.
const ENOUGH: usize = 1 << 24;

/// Columns of a matrix from which those that are extended together take less than an eighth of the output's memory beside it.
const WIDE: usize = 144;

/// Reads values on a subgroup, line by line or the columns of a matrix, and writes those on the domain of `blowup` times as
/// many points.
pub fn extend<F: FileField>(
    args: &Args,
    field: &F,
    (mut source, is_array): (Source<F::Value>, bool),
    (one, count): (Transform, usize),
    (blowup, domain): (usize, Domain),
    out: &mut dyn Write,
) -> Result<()> {
    if blowup == 0 || !blowup.is_power_of_two() {
        return Err(Error::input(format!("--lde {blowup} is not a power of two")));
    }
    let points = one.points().saturating_mul(blowup);
    field.algebra().check_length(points)?;
    let (from, onto) = (Domain { coset: Vec::new(), ..domain.clone() }, domain);
    let mut one = one;
    one.domain = from;
    let (n, batch) = (source.n, source.batch.clone());
    let shape = if args.columns { (vec![points], n) } else { (batch, points) };
    let device = args.device.open()?;
    let per_element = field.digits().unwrap_or(1);
    let line = one.input_len();
    let lines = (ENOUGH / line.saturating_mul(blowup).max(1)).clamp(1, count.max(1));
    let bytes = line.saturating_mul(lines).saturating_mul(field.algebra().element_bytes());
    let output_bytes = bytes.saturating_mul(blowup);
    // Columns are extended where they are. Lines have input, coefficients, output and workspace of it.
    let on_device = match args.columns && n >= WIDE {
        true => output_bytes.saturating_add(output_bytes / 8),
        false => output_bytes.saturating_add(bytes).saturating_mul(2),
    };
    let written = ENOUGH / per_element * per_element;
    let on_host = bytes.saturating_add(output_bytes.min(written * size_of::<F::Value>()));
    memory::require(memory::of_host(&device, on_host, on_device), out)?;
    let mut sink = Sink::create(&args.output, is_array, field, Layout::Plain, &shape.0, shape.1)?;
    let mut done = 0;
    while done < count {
        let now = lines.min(count - done);
        let mut host = vec![F::Value::zeroed(); line * now * per_element];
        source.fill(field, done * line, &mut host)?;
        let named = |error| Error::input(format!("{}: {error}", args.input.display()));
        field.check(&host, Layout::Plain, done * line).map_err(named)?;
        let output = match args.columns {
            true => columns(&device, &one, (blowup, &onto), host)?,
            false => lines_of(&device, &one.clone().batch(now), (blowup, &onto), &host)?,
        };
        for first in (0..output.len()).step_by(written) {
            let last = output.len().min(first + written);
            sink.write(&output.slice(first..last)?.to_vec()?)?;
        }
        done += now;
    }
    sink.commit()?;
    writeln!(out, "{}, extended by {blowup}", args::done(&one, count, &device))?;
    Ok(())
}

/// The columns of a matrix, of which the host has the first rows.
fn columns<T: Data>(
    device: &Device,
    columns: &Transform,
    (blowup, onto): (usize, &Domain),
    host: Vec<T>,
) -> stockham::Result<Buffer<T>> {
    let mut extension = InPlaceExtension::plan(device, columns, blowup, onto.clone())?;
    let mut data = device.alloc(extension.len())?;
    data.slice_mut(..host.len())?.write(&host)?;
    drop(host);
    extension.run(device.default_stream(), &mut data)?;
    Ok(data)
}

/// Lines that follow each other.
fn lines_of<T: Data>(
    device: &Device,
    lines: &Transform,
    (blowup, onto): (usize, &Domain),
    host: &[T],
) -> stockham::Result<Buffer<T>> {
    let mut extension = Extension::plan(device, lines, blowup, onto.clone())?;
    let per_element = lines.algebra.element_bytes() / size_of::<T>();
    let mut output = device.alloc(extension.output_len() * per_element)?;
    extension.run(device.default_stream(), &device.upload(host)?, &mut output)?;
    Ok(output)
}
