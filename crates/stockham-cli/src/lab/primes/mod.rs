//! Transforms over big primes, beside what they have to beat: the trips through memory, the arithmetic that they cannot do
//! without, the same prime in Montgomery's arithmetic, and as many word-sized primes as an element has words.

mod rates;
pub mod record;
mod residues;

use rayon::prelude::*;
use stockham::algebra::PrimeField;
use stockham::kernel::operations;
use stockham::{Algebra, Backend, BigPrime, Device, Digit, Layout, Transform, cache};

use crate::bench::digits::Digits;
use crate::bench::exact::ExactField;
use crate::bench::row::{Bench, Row};
use crate::error::{Error, Result};

use super::sections::Lab;
use rates::Rates;
use record::{Arithmetic, PrimeOutcome, PrimeRow, PrimeTimes};

/// The fields: k = 8, 16, 32, the last with a bit of each word to spare and without.
const FIELDS: [&str; 4] = ["P3", "P4", "2^31-2^15,32", "G32"];

/// Elements of at most so many digits where the compiler is slow: OpenCL on a CPU takes minutes over others.
const SLOW_DIGITS: usize = 8;

/// The lengths are powers of four between these, …
const BITS: [u32; 2] = [10, 20];
/// … up to this one where everything is slow.
const SLOW_BITS: u32 = 10;

/// Whether an OpenCL device is a CPU.
fn is_slow(device: &Device) -> bool {
    device.info().simd_width <= 1
}

/// The lengths up to the longest, which is the only one if it is short.
fn lengths(device: &Device, longest: usize) -> Vec<usize> {
    let most = if is_slow(device) { SLOW_BITS } else { BITS[1] };
    let lengths = || (BITS[0]..=most).step_by(2).map(|bits| 1usize << bits).filter(|n| *n <= longest);
    if lengths().next().is_none() { vec![longest] } else { lengths().collect() }
}

/// The fields that are asked for, or the usual ones, as far as the device compiles their kernels in reasonable time.
fn fields(lab: &Lab<'_>) -> Result<Vec<BigPrime>> {
    if !lab.primes.is_empty() {
        return Ok(lab.primes.to_vec());
    }
    let all: Vec<BigPrime> = FIELDS.iter().map(|name| name.parse()).collect::<stockham::Result<_>>()?;
    Ok(all.into_iter().filter(|prime| !is_slow(lab.device) || prime.digits() <= SLOW_DIGITS).collect())
}

/// Measures every field at every length, the longest last, and hands over each row as soon as it is there.
pub fn measure(lab: &Lab<'_>, longest: usize, mut keep: impl FnMut(PrimeRow)) -> Result<()> {
    let device = lab.device;
    for prime in fields(lab)? {
        let name = prime.name();
        let is_narrow = prime.digit_bytes() == 4;
        (lab.tell)(&format!("{name}: compiling"));
        compile(device, prime, &lengths(device, longest));
        (lab.tell)(&format!("{name}: operations"));
        let rates = if is_narrow { Rates::of::<u32>(device, prime) } else { Rates::of::<u64>(device, prime) };
        let rates = rates.map_err(|error| error.to_string());
        for n in lengths(device, longest) {
            let mut row = PrimeRow {
                field: name.to_owned(),
                digits: prime.digits(),
                n,
                outcome: PrimeOutcome::Missing(String::new()),
            };
            (lab.tell)(&row.name());
            let times =
                if is_narrow { times::<u32>(device, prime, n, &rates) } else { times::<u64>(device, prime, n, &rates) };
            row.outcome = times.map_or_else(|error| PrimeOutcome::Missing(error.to_string()), PrimeOutcome::Times);
            keep(row);
        }
    }
    Ok(())
}

/// Compiles the transforms that are to be measured side by side into the cache of programs: a compiler takes seconds for a
/// kernel over long elements, and uses one core. What fails is told when it is measured. On CUDA alone: compilers for
/// OpenCL take one kernel at a time.
fn compile(device: &Device, prime: BigPrime, lengths: &[usize]) {
    if device.info().backend != Backend::Cuda || cache::directory().is_none() {
        return;
    }
    let special = [Layout::Plain, Layout::Sliced].map(|layout| (Algebra::BigPrime(prime), layout));
    let montgomery = PrimeField::of(prime).ok().map(|field| (Algebra::PrimeField(field), Layout::Plain));
    let mut transforms = Vec::new();
    for (algebra, layout) in special.into_iter().chain(montgomery) {
        for &n in lengths {
            let transform = Transform::new(algebra, n).layouts(layout, layout);
            transforms.extend([transform.clone(), transform.inverse()]);
        }
    }
    transforms.par_iter().for_each(|transform| drop(device.plan(transform)));
}

fn times<D: Digit>(
    device: &Device,
    prime: BigPrime,
    n: usize,
    rates: &std::result::Result<Rates, String>,
) -> Result<PrimeTimes>
where
    BigPrime: ExactField<D>,
{
    let plain = bench(device, Digits::<_, D>::of(prime, Layout::Plain), n)?;
    let mut times = PrimeTimes {
        ms: plain.ms,
        copy_ms: plain.copy_ms,
        passes: plain.passes.unwrap_or(0),
        wrong: faults("the special prime", &plain).into_iter().collect(),
        ..PrimeTimes::default()
    };
    match rates {
        Ok(rates) => times.arithmetic = Some(floor(device, prime, n, rates)?),
        Err(reason) => times.missing.push(format!("the operations: {reason}")),
    }
    match bench(device, Digits::<_, D>::of(prime, Layout::Sliced), n) {
        Ok(row) => {
            times.sliced_ms = Some(row.ms);
            times.wrong.extend(faults("digits sliced", &row));
        }
        Err(error) => times.missing.push(format!("digits sliced: {error}")),
    }
    let field = PrimeField::of(prime).map_err(Error::from);
    match field.and_then(|field| bench(device, Digits::<_, u64>::of(field, Layout::Plain), n)) {
        Ok(row) => {
            times.montgomery_ms = Some(row.ms);
            times.wrong.extend(faults("Montgomery's arithmetic", &row));
        }
        Err(error) => times.missing.push(format!("Montgomery's arithmetic: {error}")),
    }
    let words = prime.digits() * prime.digit_bytes() / 8;
    match residues::measure(device, words, n) {
        Ok((residues, wrong)) => {
            times.residues = Some(residues);
            times.wrong.extend(wrong);
        }
        Err(error) => times.missing.push(format!("residues: {error}")),
    }
    Ok(times)
}

/// One transform, timed and checked as `bench` does.
fn bench<D: Digit, F: ExactField<D>>(device: &Device, subject: Digits<F, D>, n: usize) -> Result<Row> {
    Bench::new(device, None, subject)?.row(n, 1)
}

fn faults(what: &str, row: &Row) -> Option<String> {
    let note = row.note.as_deref().unwrap_or("wrong");
    (!row.right).then(|| format!("{what}: {note}"))
}

/// What the transform's operations take by themselves.
fn floor(device: &Device, prime: BigPrime, n: usize, rates: &Rates) -> Result<Arithmetic> {
    let transform = Transform::new(Algebra::BigPrime(prime), n);
    let counts = operations(&stockham::plan::plan(&transform, device.info())?);
    Ok(Arithmetic {
        products: counts.products,
        sums: counts.sums + counts.turned_sums,
        rotations: counts.rotations,
        product_ns: rates.product_ns,
        butterfly_ns: rates.butterfly_ns,
        rotation_ns: rates.rotation_ns,
    })
}
