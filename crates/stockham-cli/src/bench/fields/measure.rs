//! Measuring a workload, and judging what it gave: outputs by the definition, and all of it by the way back.

use rayon::prelude::*;
use serde::Serialize;
use stockham::algebra::Root;
use stockham::circle::{CircleGenerator, CircleOrder, CircleTransform};
use stockham::extension::Extension;
use stockham::moduli::ModuliTransform;
use stockham::{Algebra, Buffer, Data, Device, Dim, Domain, Transform};

use crate::error::Result;

use super::super::check::spread;
use super::super::subject::{SEED, workspace_of};
use super::super::timing::measure;
use super::field::Field;
use super::workloads::{Work, Workload};

/// Lines that are looked at, and outputs of each.
const LINES: usize = 4;
const OUTPUTS: usize = 4;

/// The shift of the coset that extensions are on.
const SHIFT: u64 = 31;

/// What was measured.
#[derive(Debug, Serialize)]
pub struct Row {
    /// The workload.
    pub name: String,
    /// Points of a line.
    pub n: usize,
    /// Lines.
    pub lines: usize,
    /// Bytes of the longer side.
    pub bytes: usize,
    /// Milliseconds.
    pub ms: f64,
    /// Those that a copy of as many bytes takes.
    pub copy_ms: f64,
    /// Whether all that was looked at is right.
    pub right: bool,
}

/// Where the elements of a line stand: line l is at l·`line`, and its elements so far apart.
#[derive(Clone, Copy)]
struct Layout {
    line: usize,
    element: usize,
}

impl Workload {
    fn layout(&self, n: usize) -> Layout {
        match self.work {
            Work::Columns | Work::Extension => Layout { line: 1, element: self.lines },
            _ => Layout { line: n, element: 1 },
        }
    }

    /// The transform of the lines over a field.
    fn transform(&self, algebra: Algebra, lines: usize) -> Transform {
        let one = Transform::new(algebra, self.n);
        match self.work {
            Work::Columns | Work::Extension => {
                one.with_dims([Dim::new(self.n, lines)]).with_batch([Dim::new(lines, 1)])
            }
            Work::Negacyclic | Work::Moduli(_) => one.negacyclic().bit_reversed(false, true).batch(lines),
            Work::Lines | Work::Circle => one.batch(lines),
        }
    }

    /// At which place output k of a line is the polynomial's value.
    fn place<F: Field>(&self, field: &F, k: usize) -> Vec<u64> {
        let reversed = |k: usize| if self.n > 1 { k.reverse_bits() >> (usize::BITS - self.n.ilog2()) } else { 0 };
        match self.work {
            Work::Negacyclic | Work::Moduli(_) => field.root(Root::new(2 * reversed(k) + 1, 2 * self.n)),
            Work::Extension => field.times(&field.root(Root::new(k, 2 * self.n)), SHIFT),
            Work::Lines | Work::Columns | Work::Circle => field.root(Root::new(k, self.n)),
        }
    }

    fn row(&self, bytes: usize, (ms, copy_ms): (f64, f64), right: bool) -> Row {
        Row { name: self.name.clone(), n: self.n, lines: self.lines, bytes, ms, copy_ms, right }
    }
}

/// The values of a line.
fn line<T: Data>(values: &[T], layout: Layout, (number, n, k): (usize, usize, usize)) -> Vec<T> {
    let first = number * layout.line;
    (0..n).flat_map(|j| values[(first + j * layout.element) * k..][..k].iter().copied()).collect()
}

/// Whether outputs of some lines are the values of those lines' polynomials.
fn are_values<F: Field>(
    workload: &Workload,
    field: &F,
    (x, y): (&[F::Value], &[F::Value]),
    lines: usize,
) -> Result<bool> {
    let k = field.algebra().layout().1;
    let outputs = if workload.work == Work::Extension { 2 * workload.n } else { workload.n };
    let right = |number: usize| -> Result<bool> {
        let mut polynomial = line(x, workload.layout(workload.n), (number, workload.n, k));
        if workload.work == Work::Extension {
            polynomial = interpolated(field.algebra(), workload.n, &polynomial)?;
        }
        let found = line(y, workload.layout(outputs), (number, outputs, k));
        let is_right = |&at: &usize| field.value(&polynomial, &workload.place(field, at)) == found[at * k..][..k];
        Ok(spread(outputs, OUTPUTS).par_iter().all(is_right))
    };
    spread(lines, LINES).into_iter().try_fold(true, |all, number| Ok(all && right(number)?))
}

/// The coefficients of the polynomial with these values, on the host.
fn interpolated<T: Data>(algebra: Algebra, n: usize, values: &[T]) -> Result<Vec<T>> {
    let device = Device::cpu();
    let mut line = device.upload(values)?;
    device.plan(&Transform::new(algebra, n).inverse().in_place())?.run_in_place(&mut line)?;
    Ok(line.to_vec()?)
}

fn bytes_of<T: Data>(buffer: &Buffer<T>) -> usize {
    buffer.len() * size_of::<T>()
}

/// Transforms of lines, columns, and extensions.
pub fn lines<F: Field>(workload: &Workload, field: &F, device: &Device) -> Result<Row> {
    let (stream, k) = (device.new_stream()?, field.algebra().layout().1);
    let transform = workload.transform(field.algebra(), workload.lines);
    let x = field.random(workload.n * workload.lines, SEED);
    let mut input = device.upload(&x)?;
    if workload.work == Work::Extension {
        let onto = Domain { coset: shift(k), ..Domain::default() };
        let mut extension = Extension::plan(device, &transform, 2, onto)?;
        let mut output = device.alloc(extension.output_len() * k)?;
        let ms = measure(&stream, &mut || Ok(extension.run(&stream, &input, &mut output)?))?;
        stream.synchronize()?;
        let right = are_values(workload, field, (&x, &output.to_vec()?), workload.lines)?;
        // The coefficients are not needed any more.
        drop(extension);
        let mut copy = device.alloc(output.len())?;
        let copy_ms = measure(&stream, &mut || Ok(copy.copy_from(&stream, &output)?))?;
        return Ok(workload.row(bytes_of(&output), (ms, copy_ms), right));
    }
    let executable = device.plan(&transform)?;
    let (mut output, mut workspace) = (device.alloc(input.len())?, workspace_of(&executable)?);
    let copy_ms = measure(&stream, &mut || Ok(output.copy_from(&stream, &input)?))?;
    let ms = measure(&stream, &mut || Ok(executable.run_on(&stream, &input, &mut output, &mut workspace)?))?;
    stream.synchronize()?;
    let right = are_values(workload, field, (&x, &output.to_vec()?), workload.lines)?;
    let mut back = transform.inverse();
    back.domain.reversed.reverse();
    let back = device.plan(&back)?;
    // What is to come back must not be there already.
    input.copy_from(&stream, &output)?;
    back.run_on(&stream, &output, &mut input, &mut workspace_of(&back)?)?;
    stream.synchronize()?;
    Ok(workload.row(bytes_of(&output), (ms, copy_ms), right && input.to_vec()? == x))
}

/// The words of the shift.
fn shift(words: usize) -> Vec<u64> {
    [SHIFT].into_iter().chain(std::iter::repeat(0)).take(words).collect()
}

/// Transforms in place over a list of fields.
pub fn moduli<F: Field>(workload: &Workload, fields: &[F], device: &Device) -> Result<Row> {
    let (stream, each) = (device.new_stream()?, workload.lines / fields.len());
    let algebras: Vec<Algebra> = fields.iter().map(Field::algebra).collect();
    let x: Vec<F::Value> = fields.iter().flat_map(|field| field.random(workload.n * each, SEED)).collect();
    let mut transform = ModuliTransform::plan(device, &algebras, &workload.transform(algebras[0], each))?;
    let (input, mut data) = (device.upload(&x)?, device.alloc(x.len())?);
    let copy_ms = measure(&stream, &mut || Ok(data.copy_from(&stream, &input)?))?;
    let ms = measure(&stream, &mut || Ok(transform.forward(&stream, &mut data)?))?;
    data.copy_from(&stream, &input)?;
    transform.forward(&stream, &mut data)?;
    stream.synchronize()?;
    let (y, len) = (data.to_vec()?, workload.n * each);
    let parts = fields.iter().zip(x.chunks(len).zip(y.chunks(len)));
    let right = parts.map(|(field, part)| are_values(workload, field, part, each)).collect::<Result<Vec<bool>>>()?;
    transform.inverse(&stream, &mut data)?;
    stream.synchronize()?;
    let right = right.into_iter().all(|right| right) && data.to_vec()? == x;
    Ok(workload.row(bytes_of(&data), (ms, copy_ms), right))
}

/// The circle FFT.
pub fn circle(workload: &Workload, device: &Device, x: &[u32]) -> Result<Row> {
    let (stream, n) = (device.new_stream()?, workload.n);
    let transform = Transform::circle(n, CircleGenerator::Stwo)?.batch(workload.lines);
    let executable = device.plan(&transform)?;
    let mut input = device.upload(x)?;
    let (mut output, mut workspace) = (device.alloc(x.len())?, workspace_of(&executable)?);
    let copy_ms = measure(&stream, &mut || Ok(output.copy_from(&stream, &input)?))?;
    let ms = measure(&stream, &mut || Ok(executable.run_on(&stream, &input, &mut output, &mut workspace)?))?;
    stream.synchronize()?;
    let (found, host) = (output.to_vec()?, CircleTransform::new(n, CircleGenerator::Stwo, CircleOrder::BitReversed)?);
    let is_right = |number: &usize| {
        let line = number * n..(number + 1) * n;
        let is_value = |at: usize| circle_value(&x[line.clone()], host.point(at)) == u64::from(found[number * n + at]);
        spread(n, OUTPUTS).into_iter().all(is_value)
    };
    let right = spread(workload.lines, LINES).iter().all(is_right);
    let back = device.plan(&transform.inverse())?;
    input.copy_from(&stream, &output)?;
    back.run_on(&stream, &output, &mut input, &mut workspace_of(&back)?)?;
    stream.synchronize()?;
    Ok(workload.row(bytes_of(&output), (ms, copy_ms), right && input.to_vec()? == x))
}

/// The value at a point of the polynomial with these coefficients, folded by y, by x, by 2x² − 1 …
fn circle_value(coefficients: &[u32], (x, y): (u32, u32)) -> u64 {
    let p = (1u64 << 31) - 1;
    let mut folded: Vec<u64> = coefficients.iter().map(|&c| c.into()).collect();
    let (mut factor, mut x) = (u64::from(y), u64::from(x));
    while folded.len() > 1 {
        folded = folded.chunks(2).map(|pair| (pair[0] + pair[1] * factor) % p).collect();
        (factor, x) = (x, (2 * x * x + p - 1) % p);
    }
    folded[0]
}
