//! Low-degree extensions of files.

use std::io::Write;

use bytemuck::Zeroable;
use stockham::extension::Extension;
use stockham::{Domain, Layout, Transform};

use crate::error::{Error, Result};
use crate::{args, memory};

use super::Args;
use super::field::FileField;
use super::file::{Sink, Source};

/// Values that are extended at a time.
const ENOUGH: usize = 1 << 24;

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
    // Input, coefficients, output and workspace of it, and what is on its way.
    let on_device = output_bytes.saturating_add(bytes).saturating_mul(2);
    memory::require(memory::of_host(&device, bytes.saturating_add(output_bytes), on_device), out)?;
    let mut sink = Sink::create(&args.output, is_array, field, Layout::Plain, &shape.0, shape.1)?;
    let mut done = 0;
    while done < count {
        let now = lines.min(count - done);
        let of = if args.columns { one.clone() } else { one.clone().batch(now) };
        let mut extension = Extension::<F::Value>::plan(&device, &of, blowup, onto.clone())?;
        let mut host = vec![F::Value::zeroed(); line * now * per_element];
        source.fill(field, done * line, &mut host)?;
        let named = |error| Error::input(format!("{}: {error}", args.input.display()));
        field.check(&host, Layout::Plain, done * line).map_err(named)?;
        let input = device.upload(&host)?;
        let mut output = device.alloc(extension.output_len() * per_element)?;
        extension.run(device.default_stream(), &input, &mut output)?;
        sink.write(&output.to_vec()?)?;
        done += now;
    }
    sink.commit()?;
    writeln!(out, "{}, extended by {blowup}", args::done(&one, count, &device))?;
    Ok(())
}
