//! Times of transforms over fields by choices of passes made by hand, for those who look for better ones than the planner's.
//!
//! `cargo run --release -p stockham --example field_times -- [DEVICE] < CASES`, where each line of CASES is
//! `FIELD [circle|negacyclic|coset] [inverse|by2|by4|by8] N LINES CHOICE`, with `-` as the choice for the planner's own: FIELD as
//! `babybear`, `goldilocks` or `bls12-381`; the circle FFT is over 2^31 - 1, whatever FIELD is, and it and negacyclic transforms have
//! bit-reversed values; by8 has an eighth of the points given, and zeros behind them. Lines of the output have the case, the
//! milliseconds, the same in plain copies of the bytes, and whether the first and the last line are the CPU's. Kernels are compiled
//! ahead, several at a time.

use std::io::BufRead;

use rayon::prelude::*;
use stockham::accuracy::{random, random_residues, random_words};
use stockham::algebra::Word;
use stockham::circle::CircleGenerator;
use stockham::plan::Choice;
use stockham::timing::{Patience, measure};
use stockham::{Algebra, Data, Device, Error, Executable, Goldilocks, Layout, Result, Transform};

fn main() -> Result<()> {
    let device = std::env::args().nth(1).map_or_else(Device::best, |name| Device::by_name(&name))?;
    println!("# {}, {}", device.info().name, device.info().driver);
    let cases: Vec<String> = std::io::stdin().lock().lines().map_while(|line| line.ok()).collect();
    let planned: Vec<_> = cases.par_iter().map(|case| plan(&device, case)).collect();
    for (case, planned) in cases.iter().zip(planned) {
        match planned.and_then(|(transform, executable)| row(&device, &transform, &executable)) {
            Ok((ms, copies, is_right)) => {
                println!("{case}\t{ms:.4}\t{copies:.3}\t{}", if is_right { "right" } else { "WRONG" });
            }
            Err(error) => println!("{case}\t{error}"),
        }
    }
    Ok(())
}

fn plan(device: &Device, case: &str) -> Result<(Transform, Executable)> {
    let expected = "expected FIELD [circle|negacyclic|coset] [inverse|by2|by4|by8] N LINES CHOICE";
    let wrong = || Error::InvalidTransform(format!("{case}: {expected}"));
    let words: Vec<&str> = case.split_whitespace().collect();
    let [field, kinds @ .., n, lines, choice] = &words[..] else { return Err(wrong()) };
    let [n, lines] = [n, lines].map(|number| number.parse::<usize>().map_err(|_| wrong()));
    let (n, lines) = (n?, lines?);
    let mut one = match kinds.contains(&"circle") {
        true => Transform::circle(n, CircleGenerator::Stwo)?,
        false => Transform::new(field.parse()?, n),
    };
    for kind in kinds {
        one = match *kind {
            "circle" | "inverse" => one,
            "negacyclic" => one.negacyclic().bit_reversed(false, true),
            "coset" => one.on_coset([7]),
            "by2" => one.padded_from(n / 2),
            "by4" => one.padded_from(n / 4),
            "by8" => one.padded_from(n / 8),
            _ => return Err(wrong()),
        };
    }
    let mut transform = one.batch(lines);
    if kinds.contains(&"inverse") {
        transform = transform.inverse();
        if !kinds.contains(&"circle") {
            transform.domain.reversed.reverse();
        }
    }
    let executable = match *choice {
        "-" => device.plan(&transform)?,
        choice => device.prepare(choice.parse::<Choice>()?.realise(&transform, device.info())?)?,
    };
    Ok((transform, executable))
}

/// Milliseconds, those in copies, and whether the result is right, on random elements.
fn row(device: &Device, transform: &Transform, executable: &Executable) -> Result<(f64, f64, bool)> {
    let elements = transform.input_len();
    match transform.algebra {
        Algebra::Goldilocks => time::<Goldilocks>(device, transform, executable, &random(elements, 1)),
        Algebra::WordField(field) if field.word() == Word::U32 => {
            time::<u32>(device, transform, executable, &random_words(field, elements, 1))
        }
        Algebra::WordField(field) => time::<u64>(device, transform, executable, &random_words(field, elements, 1)),
        Algebra::PrimeField(field) => {
            time::<u64>(device, transform, executable, &random_residues(field, Layout::Plain, elements, 1))
        }
        algebra => Err(Error::InvalidTransform(format!("{algebra:?}: expected a field of words"))),
    }
}

fn time<T: Data>(device: &Device, transform: &Transform, executable: &Executable, x: &[T]) -> Result<(f64, f64, bool)> {
    let (stream, words) = (device.new_stream()?, transform.algebra.layout().1);
    let (input, mut output) = (device.upload(x)?, device.alloc::<T>(transform.output_len() * words)?);
    let mut workspace = device.alloc::<T>(executable.workspace_len() * words)?;
    let copy = {
        let from = device.alloc::<T>(output.len())?;
        measure(Patience::FIGURE, &stream, &mut || output.copy_from(&stream, &from))?
    };
    let ms =
        measure(Patience::FIGURE, &stream, &mut || executable.run_on(&stream, &input, &mut output, &mut workspace))?;
    let (cpu, one) = (Device::cpu(), transform.clone().batch(1));
    let [given, made] = [one.input_len(), one.output_len()].map(|elements| elements * words);
    let (host, mut expected) = (cpu.plan(&one)?, cpu.alloc::<T>(made)?);
    let mut is_right = |line: usize| -> Result<bool> {
        host.run(&cpu.upload(&x[line * given..][..given])?, &mut expected)?;
        Ok(bytemuck::cast_slice::<T, u8>(&output.slice(line * made..(line + 1) * made)?.to_vec()?)
            == bytemuck::cast_slice::<T, u8>(&expected.to_vec()?))
    };
    let lines = x.len() / given;
    let is_right = is_right(0)? && (lines == 1 || is_right(lines - 1)?);
    Ok((ms, ms / copy, is_right))
}
