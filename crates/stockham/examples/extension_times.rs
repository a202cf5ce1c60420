//! Times of low-degree extensions of the columns of a matrix, each run by itself.
//!
//! `cargo run --release -p stockham --example extension_times -- DEVICE FIELD ROWS COLUMNS BLOWUP [in-place]`, FIELD being `babybear`,
//! `koalabear` or `goldilocks`. Tells the median, the time that 95 % of runs take at most, and whether the first and the last column
//! are the CPU's.

use stockham::accuracy::{random, random_words};
use stockham::algebra::Word;
use stockham::extension::{Extension, InPlaceExtension};
use stockham::{Algebra, Buffer, Data, Device, Dim, Domain, Error, Goldilocks, Result, Stream, Transform};

/// Runs that are timed.
const RUNS: usize = 200;

/// What goes on at most, in milliseconds.
const MOST: f64 = 4000.0;

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let expected = || Error::InvalidTransform("expected DEVICE FIELD ROWS COLUMNS BLOWUP [in-place]".into());
    let [device, field, rows, columns, blowup, how @ ..] = &words[..] else { return Err(expected()) };
    let number = |word: &String| word.parse::<usize>().ok().filter(|&number| number > 0).ok_or_else(expected);
    let (rows, columns, blowup) = (number(rows)?, number(columns)?, number(blowup)?);
    let case = Case {
        device: Device::by_name(device)?,
        field: field.parse()?,
        rows,
        columns,
        blowup,
        in_place: !how.is_empty(),
    };
    match case.field {
        Algebra::Goldilocks => case.row::<Goldilocks>(random(rows * columns, 1)),
        Algebra::WordField(field) if field.word() == Word::U32 => {
            case.row::<u32>(random_words(field, rows * columns, 1))
        }
        _ => Err(expected()),
    }
}

struct Case {
    device: Device,
    field: Algebra,
    rows: usize,
    columns: usize,
    blowup: usize,
    in_place: bool,
}

impl Case {
    fn values(&self, columns: usize) -> Transform {
        let one = Transform::new(self.field, self.rows);
        one.with_dims([Dim::new(self.rows, columns)]).with_batch([Dim::new(columns, 1)])
    }

    fn onto() -> Domain {
        Domain { coset: vec![7], ..Domain::default() }
    }

    fn row<T: Data>(&self, x: Vec<T>) -> Result<()> {
        let (stream, values) = (self.device.new_stream()?, self.values(self.columns));
        let len = x.len() * self.blowup;
        let mut output = self.device.alloc::<T>(len)?;
        let times = if self.in_place {
            let mut extension = InPlaceExtension::plan(&self.device, &values, self.blowup, Self::onto())?;
            let times = times(&stream, &mut || extension.run(&stream, &mut output))?;
            // Once more of what is compared.
            output.slice_mut(..x.len())?.write_on(&stream, &x)?;
            extension.run(&stream, &mut output)?;
            times
        } else {
            let mut extension = Extension::plan(&self.device, &values, self.blowup, Self::onto())?;
            let input = self.device.upload(&x)?;
            times(&stream, &mut || extension.run(&stream, &input, &mut output))?
        };
        stream.synchronize()?;
        let right = self.is_right(&x, &output)?;
        let at = |part: f64| times[((times.len() - 1) as f64 * part).round() as usize];
        println!("# {}, {}", self.device.info().name, self.device.info().driver);
        println!(
            "{} {} x {}, by {}: median {:.3} ms, 95 % {:.3} ms of {} runs, {}",
            self.field.name(),
            self.rows,
            self.columns,
            self.blowup,
            at(0.5),
            at(0.95),
            times.len(),
            if right { "right" } else { "WRONG" }
        );
        Ok(())
    }

    fn is_right<T: Data>(&self, x: &[T], output: &Buffer<T>) -> Result<bool> {
        let (cpu, y) = (Device::cpu(), output.to_vec()?);
        let mut extension = Extension::<T>::plan(&cpu, &self.values(1), self.blowup, Self::onto())?;
        let mut expected = cpu.alloc::<T>(self.rows * self.blowup)?;
        let mut is_right = |column: usize| -> Result<bool> {
            let of = |all: &[T]| all.iter().skip(column).step_by(self.columns).copied().collect::<Vec<T>>();
            extension.run(cpu.default_stream(), &cpu.upload(&of(x))?, &mut expected)?;
            cpu.default_stream().synchronize()?;
            Ok(bytemuck::cast_slice::<T, u8>(&of(&y)) == bytemuck::cast_slice::<T, u8>(&expected.to_vec()?))
        };
        Ok(is_right(0)? && is_right(self.columns - 1)?)
    }
}

/// Milliseconds of each run, in order of size.
fn times(stream: &Stream, submit: &mut dyn FnMut() -> Result<()>) -> Result<Vec<f64>> {
    for _ in 0..5 {
        submit()?;
    }
    let (mut times, mut total) = (Vec::new(), 0.0);
    while times.len() < RUNS && total < MOST {
        let start = stream.record()?;
        submit()?;
        let end = stream.record()?;
        end.synchronize()?;
        times.push(end.milliseconds_since(&start)?);
        total += times[times.len() - 1];
    }
    times.sort_by(f64::total_cmp);
    Ok(times)
}
