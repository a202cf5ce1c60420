//! What a product, a butterfly and a rotation take when a device does nothing else.

use stockham::algebra::Root;
use stockham::repetition::{Operation, Repetition};
use stockham::{BigPrime, Buffer, Device, Digit, Layout, Stream};

use crate::bench::check::spread;
use crate::bench::exact::ExactField;
use crate::bench::subject::SEED;
use crate::bench::timing;
use crate::error::{Error, Result};

/// Elements: enough to fill any device, or fewer where everything is slow.
const ELEMENTS: usize = 1 << 18;
const SLOW_ELEMENTS: usize = 1 << 10;

/// Repetitions of which the times are subtracted from each other: loads and stores fall out. The numbers are even, for
/// butterflies to come in pairs.
const PRODUCTS: [u32; 2] = [16, 80];
const OTHERS: [u32; 2] = [16, 272];

/// Elements whose results are compared with the host's.
const CHECKED: usize = 64;

/// Nanoseconds of one operation among many.
#[derive(Debug, Clone, Copy)]
pub struct Rates {
    pub product_ns: f64,
    /// A sum and a difference.
    pub butterfly_ns: f64,
    pub rotation_ns: f64,
}

impl Rates {
    /// Measures, and checks what came out.
    pub fn of<D: Digit>(device: &Device, prime: BigPrime) -> Result<Self>
    where
        BigPrime: ExactField<D>,
    {
        let count = if super::is_slow(device) { SLOW_ELEMENTS } else { ELEMENTS };
        let stream = device.new_stream()?;
        let host: Vec<D> = prime.random(Layout::Plain, count, SEED);
        let mut data = device.upload(&host)?;
        let mut ns = |operation, times| rate(device, &stream, prime, (operation, times), (&host, &mut data));
        Ok(Self {
            product_ns: ns(Operation::Product, PRODUCTS)?,
            butterfly_ns: 2.0 * ns(Operation::Butterfly, OTHERS)?,
            rotation_ns: ns(Operation::Rotation, OTHERS)?,
        })
    }
}

/// Nanoseconds of the operation for one element.
fn rate<D: Digit>(
    device: &Device,
    stream: &Stream,
    prime: BigPrime,
    (operation, times): (Operation, [u32; 2]),
    (host, data): (&[D], &mut Buffer<D>),
) -> Result<f64> {
    let mut ms = [0.0; 2];
    for (ms, times) in ms.iter_mut().zip(times) {
        let repetition = Repetition::plan(device, prime, operation, times)?;
        data.write(host)?;
        repetition.run(stream, data)?;
        stream.synchronize()?;
        check(prime, operation, times, host, &data.to_vec()?)?;
        *ms = timing::measure(stream, &mut || Ok(repetition.run(stream, data)?))?;
    }
    let operations = f64::from(times[1] - times[0]) * (host.len() / prime.digits()) as f64;
    Ok((ms[1] - ms[0]) * 1e6 / operations)
}

/// Compares some elements with the host's arithmetic.
fn check<D: Digit>(prime: BigPrime, operation: Operation, times: u32, host: &[D], found: &[D]) -> Result<()> {
    let (k, order, field) = (prime.digits(), prime.base_order(), prime.field());
    let element = |values: &[D], i: usize| -> Vec<u64> { values[i * k..][..k].iter().map(|&d| d.into()).collect() };
    let repeated = |from: Vec<u64>, times: u32, by: &[u64]| (0..times).fold(from, |x, _| field.multiply(&x, by));
    let expected = |i: usize| {
        let x = element(host, i);
        match operation {
            Operation::Product => (0..times).fold(x, |x, _| field.multiply(&x, &x)),
            Operation::Butterfly => {
                // Two in a row leave twice what was there.
                let mut two = vec![0; k];
                two[0] = 2;
                repeated(x, times / 2, &two)
            }
            Operation::Rotation => {
                let turns = (0..times as usize).map(|t| i + t).sum::<usize>();
                field.multiply(&x, &field.root(Root::new(turns % order, order)))
            }
        }
    };
    let wrong = spread(host.len() / k, CHECKED).into_iter().filter(|&i| element(found, i) != expected(i)).count();
    if wrong == 0 { Ok(()) } else { Err(Error::Failed(format!("{operation:?}: {wrong} elements are WRONG"))) }
}
