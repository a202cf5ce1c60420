//! Times of the CPU's transforms, one line a case, for `scripts/cpu_peers.py`, which times other libraries beside them.
//!
//! `cargo run --release -p stockham --example cpu_times -- f32:1048576 f64:1024x4096 …`: single transforms by their
//! length, and ROWSxCOLUMNS for the transforms along the columns of a matrix. Lines have the case, the least time and the median, in
//! milliseconds. Threads are `RAYON_NUM_THREADS`.

use std::time::{Duration, Instant};

use stockham::accuracy::{Measured, random};
use stockham::{Complex32, Complex64, Device, Dim, Element, Error, Result, Transform};

/// How long a case is repeated at least.
const PATIENCE: Duration = Duration::from_millis(700);

fn main() -> Result<()> {
    for case in std::env::args().skip(1) {
        let wrong = || Error::InvalidTransform(format!("{case}: expected f32:N, f64:N or f64:ROWSxCOLUMNS"));
        let (precision, shape) = case.split_once(':').ok_or_else(wrong)?;
        let number = |text: &str| text.parse::<usize>().map_err(|_| wrong());
        let (n, columns) = match shape.split_once('x') {
            Some((rows, columns)) => (number(rows)?, Some(number(columns)?)),
            None => (number(shape)?, None),
        };
        let ms = match precision {
            "f32" => time::<Complex32>(n, columns)?,
            "f64" => time::<Complex64>(n, columns)?,
            _ => return Err(wrong()),
        };
        println!("{case}\t{:.6}\t{:.6}", ms[0], ms[1]);
    }
    Ok(())
}

/// The least time of a transform out of place, and the median of all, in milliseconds.
fn time<T: Element + Measured>(n: usize, columns: Option<usize>) -> Result<[f64; 2]> {
    let device = Device::cpu();
    let transform = match columns {
        Some(m) => Transform::new(T::ALGEBRA, n).with_dims([Dim::new(n, m)]).with_batch([Dim::new(m, 1)]),
        None => Transform::new(T::ALGEBRA, n),
    };
    let input = device.upload(&random::<T>(transform.input_len(), 1))?;
    let mut output = device.alloc::<T>(transform.output_len())?;
    let executable = device.plan(&transform)?;
    let (start, mut times) = (Instant::now(), Vec::new());
    for run in 0.. {
        let before = Instant::now();
        executable.run(&input, &mut output)?;
        times.push(before.elapsed().as_secs_f64() * 1e3);
        if run >= 3 && start.elapsed() > PATIENCE {
            break;
        }
    }
    times.sort_by(f64::total_cmp);
    Ok([times[0], times[times.len() / 2]])
}
