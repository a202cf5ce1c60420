//! The study on standard output, part by part as it is measured.

use std::io::Write;

use crate::error::Result;
use crate::table::{Align, Table};

use super::primes::record::{PrimeOutcome, PrimeRow};
use super::record::{Entry, Outcome, Program, Reading, Study};
use super::variants::PROGRAMS;

const COLUMNS: [(&str, Align); 9] = [
    ("", Align::Left),
    ("group", Align::Right),
    ("launches", Align::Right),
    ("GiB", Align::Right),
    ("time", Align::Right),
    ("÷copy", Align::Right),
    ("shortest launch", Align::Right),
    ("L2 ÷ u√log2 n", Align::Right),
    ("bound", Align::Right),
];

/// Bainville's tables, one line a cell.
pub fn chains(study: &Study, out: &mut dyn Write) -> Result<()> {
    let rows = study.chains.iter().map(|cell| (cell.name(), &cell.outcome));
    table("One stage a launch", rows, out)
}

/// Any other part.
pub fn entries(title: &str, entries: &[Entry], out: &mut dyn Write) -> Result<()> {
    table(title, entries.iter().map(|entry| (entry.name.clone(), &entry.outcome)), out)
}

fn table<'a>(title: &str, rows: impl Iterator<Item = (String, &'a Outcome)>, out: &mut dyn Write) -> Result<()> {
    let mut table = Table::new(&COLUMNS);
    let mut missing = Vec::new();
    for (name, outcome) in rows {
        match outcome {
            Outcome::Reading(reading) => table.row(std::iter::once(name).chain(cells(reading))),
            Outcome::Missing(reason) => missing.push(format!("{name}: {reason}")),
        }
    }
    writeln!(out, "\n{title}\n")?;
    table.print(out)?;
    for line in missing {
        writeln!(out, "{line}")?;
    }
    Ok(out.flush()?)
}

fn cells(reading: &Reading) -> [String; 8] {
    let or_blank = |text: Option<String>| text.unwrap_or_default();
    let unit = reading.units.map(|units| reading.l2 / units);
    let error = match unit {
        Some(_) => format!("{:.2}{}", reading.units.unwrap_or(0.0), if reading.is_right() { "" } else { " WRONG" }),
        None => (if reading.is_right() { "exact" } else { "WRONG" }).to_owned(),
    };
    [
        or_blank(reading.group.map(|group| group.to_string())),
        or_blank(reading.launches.map(|launches| launches.to_string())),
        or_blank(reading.bytes.map(|bytes| format!("{:.2}", bytes as f64 / (1u64 << 30) as f64))),
        format!("{:.4} ms", reading.ms),
        format!("{:.2}", reading.copies()),
        or_blank(reading.shortest_ms().map(|ms| format!("{ms:.4} ms"))),
        error,
        or_blank(unit.map(|unit| format!("{:.1}", reading.bound / unit))),
    ]
}

/// AMD's figures as a table: transforms a second.
pub fn programs(programs: &[Program], out: &mut dyn Write) -> Result<()> {
    let names: Vec<String> = PROGRAMS.iter().map(|radix| format!("{radix}-point kernels")).collect();
    let columns: Vec<_> = std::iter::once("n").chain(names.iter().map(String::as_str)).collect();
    let mut table = Table::new(&columns.iter().map(|name| (*name, Align::Right)).collect::<Vec<_>>());
    for of_length in programs.chunk_by(|a, b| a.n == b.n) {
        let cell = |radix: &usize| {
            let program = of_length.iter().find(|program| program.radix == *radix);
            let reading = program.and_then(|program| program.outcome.reading());
            reading.map_or("-".into(), |r| format!("{:.0}{}", r.per_second(), if r.is_right() { "" } else { " WRONG" }))
        };
        table.row(std::iter::once(crate::size::power(of_length[0].n)).chain(PROGRAMS.iter().map(cell)));
    }
    writeln!(out, "\nTransforms a second, one at a time\n")?;
    table.print(out)?;
    for program in programs {
        if let Outcome::Missing(reason) = &program.outcome {
            writeln!(out, "{}: {reason}", program.name())?;
        }
    }
    Ok(out.flush()?)
}

/// Big primes, a line a field and length.
pub fn primes(rows: &[PrimeRow], out: &mut dyn Write) -> Result<()> {
    let columns = ["field", "n", "time", "passes × copy", "arithmetic", "sliced", "Montgomery", "×", "residues", "×"];
    let mut table = Table::new(&columns.map(|name| (name, Align::Right)));
    let ms = |ms: Option<f64>| ms.map_or_else(|| "-".to_owned(), |ms| format!("{ms:.4} ms"));
    let ratio = |ratio: Option<f64>| ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
    let mut notes = Vec::new();
    for row in rows {
        let times = match &row.outcome {
            PrimeOutcome::Times(times) => times,
            PrimeOutcome::Missing(reason) => {
                notes.push(format!("{}: {reason}", row.name()));
                continue;
            }
        };
        table.row([
            row.field.clone(),
            crate::size::power(row.n),
            ms(Some(times.ms)),
            ms(Some(times.memory_ms())),
            ms(times.arithmetic.map(|arithmetic| arithmetic.ms())),
            ms(times.sliced_ms),
            ms(times.montgomery_ms),
            ratio(times.to_montgomery()),
            times.residues.map_or_else(
                || "-".to_owned(),
                |r| format!("{:.4} + {:.4} + {:.4} ms", r.reduce_ms, r.transforms_ms, r.recombine_ms),
            ),
            ratio(times.to_residues()),
        ]);
        let missing = times.missing.iter().map(|what| format!("{}: {what}", row.name()));
        notes.extend(missing.chain(times.wrong.iter().map(|what| format!("{}: WRONG: {what}", row.name()))));
    }
    writeln!(out, "\nBig primes, one transform\n")?;
    table.print(out)?;
    for note in notes {
        writeln!(out, "{note}")?;
    }
    Ok(out.flush()?)
}
