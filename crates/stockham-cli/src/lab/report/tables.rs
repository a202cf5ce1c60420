//! The study's tables in Markdown.

use std::fmt::Write;

use crate::size;

use super::super::primes::record::{PrimeOutcome, PrimeRow};
use super::super::published::{self, LENGTH, Published};
use super::super::record::{Cell, Entry, Outcome, Reading, Study};
use super::super::variants::{FAMILIES, Family, PROGRAMS, TRIGS, trig_name};

/// A row of cells.
fn row(cells: impl IntoIterator<Item = String>) -> String {
    format!("| {} |\n", cells.into_iter().collect::<Vec<_>>().join(" | "))
}

/// Heading and rule; the first column holds words, the others numbers.
fn heading(columns: &[&str]) -> String {
    let rule = columns.iter().enumerate().map(|(i, _)| if i == 0 { "---" } else { "---:" }.to_owned());
    row(columns.iter().map(|c| (*c).to_owned())) + &row(rule)
}

/// A table for each study.
fn each(studies: &[Study], table: impl Fn(&Study) -> String) -> String {
    folded(studies.iter().map(|study| (study, table(study))))
}

/// Parts under the names of their studies: the first one open, the others folded.
pub fn folded<'a>(parts: impl IntoIterator<Item = (&'a Study, String)>) -> String {
    let mut text = String::new();
    for (study, part) in parts {
        let title = format!("{}, n = {}", name(study), size::power(study.n));
        match part.trim() {
            "" => {}
            part if text.is_empty() => text = format!("**{title}**\n\n{part}\n"),
            part => text += &format!("\n<details>\n<summary>{title}</summary>\n\n{part}\n\n</details>\n"),
        }
    }
    text
}

/// `NVIDIA H200 (cuda:0)`.
pub fn name(study: &Study) -> String {
    format!("{} ({})", study.origin.device.name, study.origin.device.id)
}

/// Three digits or four.
pub fn milliseconds(ms: f64) -> String {
    match ms {
        ms if ms < 0.01 => format!("{ms:.5}"),
        ms if ms < 1.0 => format!("{ms:.4}"),
        ms => format!("{ms:.2}"),
    }
}

/// Where, when and how.
pub fn machines(studies: &[Study]) -> String {
    let line = |study: &Study| {
        let origin = &study.origin;
        let is_peer = |entry: &Entry| entry.outcome.reading().is_some_and(|reading| reading.launches.is_none());
        let peer = match study.ladder.iter().any(is_peer) {
            true => format!("compared with {}", study.peer),
            false => study.peer.clone(),
        };
        let (machine, date) = (&origin.machine, origin.date.split('T').next().unwrap_or_default());
        format!(
            "- **{}**: {}, in a machine with {} threads of {}; {date}; {peer}; `{}`\n",
            name(study),
            origin.device.driver,
            machine.threads,
            machine.processor,
            origin.command
        )
    };
    studies.iter().map(line).collect()
}

/// Bainville's tables: a table a family, his rows and columns.
pub fn chains(studies: &[Study]) -> String {
    let of = |study: &Study| FAMILIES.iter().filter_map(|family| of_family(study, family)).collect::<String>();
    each(studies, of)
}

fn of_family(study: &Study, family: &Family) -> Option<String> {
    let cells: Vec<&Cell> = study.chains.iter().filter(|cell| cell.family == family.name).collect();
    let first = cells.iter().find_map(|cell| cell.outcome.reading())?;
    let mut columns = vec![format!("{}, {} launches", family.name, first.launches.unwrap_or(0))];
    let letters = family.variants.iter().map(|v| format!("{} ms (÷copy)", v.name).trim_start().to_owned());
    columns.extend(letters);
    columns.extend(["best group", "shortest launch ÷copy", "L2 ÷ u√log2 n"].map(String::from));
    let has_figures = study.n == LENGTH;
    if has_figures {
        columns.extend(["2010: GTX 285, ms", "HD 5870, ms"].map(String::from));
    }
    let mut text = heading(&columns.iter().map(String::as_str).collect::<Vec<_>>());
    for trig in TRIGS {
        let of_variant = |name: &str| cells.iter().find(|cell| cell.variant == name && cell.trig == trig).copied();
        let variants: Vec<Option<&Cell>> = family.variants.iter().map(|v| of_variant(v.name)).collect();
        let readings: Vec<Option<&Reading>> = variants.iter().map(|c| c.and_then(|c| c.outcome.reading())).collect();
        let joined = |of: &dyn Fn(&Reading) -> Option<String>| {
            let parts = readings.iter().map(|r| r.and_then(of).unwrap_or_else(|| "–".into()));
            parts.collect::<Vec<_>>().join(" / ")
        };
        let mut line = vec![trig_name(trig).to_owned()];
        let time = |r: &&Reading| format!("{} ({:.1})", milliseconds(r.ms), r.copies());
        line.extend(readings.iter().map(|r| r.as_ref().map_or_else(|| "–".into(), time)));
        line.push(joined(&|r| Some(r.group?.to_string())));
        line.push(joined(&|r| Some(format!("{:.2}", r.shortest_ms()? / r.copy_ms))));
        line.push(joined(&|r| Some(format!("{:.2}", r.units?))));
        if has_figures {
            let figures: Vec<Option<Published>> =
                family.variants.iter().map(|v| published::of(family.name, v.name, trig)).collect();
            let side = |of: fn(&Published) -> f64| {
                let parts = figures.iter().map(|f| f.as_ref().map_or_else(|| "–".into(), |f| of(f).to_string()));
                parts.collect::<Vec<_>>().join(" / ")
            };
            line.extend([side(|f| f.gtx285), side(|f| f.hd5870)]);
        }
        text += &row(line);
    }
    let missing = cells.iter().filter_map(|cell| Some((cell.name(), missing(&cell.outcome)?)));
    missing.for_each(|(name, reason)| text += &format!("\nNot measured: {name}: {reason}\n"));
    Some(text + "\n")
}

fn missing(outcome: &Outcome) -> Option<&str> {
    if let Outcome::Missing(reason) = outcome { Some(reason) } else { None }
}

/// Launches, bytes, times and errors, a line an entry.
pub fn entries(studies: &[Study], of: impl Fn(&Study) -> &[Entry]) -> String {
    each(studies, |study| {
        let entries = of(study);
        if entries.is_empty() {
            return String::new();
        }
        let mut text =
            heading(&["", "launches", "GiB moved", "ms", "÷copy", "÷(trips × copy)", "best group", "L2 ÷ u√log2 n"]);
        for entry in entries {
            let cells = match &entry.outcome {
                Outcome::Reading(reading) => line(reading),
                Outcome::Missing(reason) => vec![reason.clone()],
            };
            text += &row(std::iter::once(entry.name.clone()).chain(cells));
        }
        text
    })
}

fn line(reading: &Reading) -> Vec<String> {
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".to_owned());
    vec![
        or_dash(reading.launches.map(|launches| launches.to_string())),
        or_dash(reading.bytes.map(|bytes| format!("{:.2}", bytes as f64 / (1u64 << 30) as f64))),
        milliseconds(reading.ms),
        format!("{:.2}", reading.copies()),
        or_dash(reading.launches.map(|launches| format!("{:.2}", reading.copies() / launches as f64))),
        or_dash(reading.group.map(|group| group.to_string())),
        reading.units.map_or_else(|| "exact".to_owned(), |units| format!("{units:.2}")),
    ]
}

/// Transforms a second, by the number at a time.
pub fn batches(studies: &[Study]) -> String {
    each(studies, |study| {
        if study.batches.is_empty() {
            return String::new();
        }
        let mut text = heading(&["", "ms", "÷copy", "transforms a second"]);
        for entry in &study.batches {
            let cells = entry.outcome.reading().map_or_else(
                || missing(&entry.outcome).map(|reason| vec![reason.to_owned()]).unwrap_or_default(),
                |r| vec![milliseconds(r.ms), format!("{:.2}", r.copies()), format!("{:.3e}", r.per_second())],
            );
            text += &row(std::iter::once(entry.name.clone()).chain(cells));
        }
        text
    })
}

/// AMD's figures as numbers: transforms a second.
pub fn programs(studies: &[Study]) -> String {
    each(studies, |study| {
        if study.programs.is_empty() {
            return String::new();
        }
        let names: Vec<String> = PROGRAMS.iter().map(|radix| format!("{radix}-point kernels")).collect();
        let columns: Vec<&str> = std::iter::once("n").chain(names.iter().map(String::as_str)).collect();
        let mut text = heading(&columns);
        for of_length in study.programs.chunk_by(|a, b| a.n == b.n) {
            let cell = |radix: &usize| {
                let program = of_length.iter().find(|program| program.radix == *radix);
                let reading = program.and_then(|program| program.outcome.reading());
                reading.map_or_else(|| "–".to_owned(), |reading| format!("{:.0}", reading.per_second()))
            };
            text += &row(std::iter::once(size::power(of_length[0].n)).chain(PROGRAMS.iter().map(cell)));
        }
        text
    })
}

/// Transforms over big primes and what they have to beat.
pub fn primes(studies: &[Study]) -> String {
    let ms = |ms: Option<f64>| ms.map_or_else(|| "–".to_owned(), milliseconds);
    let ratio = |ratio: Option<f64>| ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}"));
    let line = |row: &PrimeRow| {
        let name = format!("{}, k = {}, N = {}", row.field, row.digits, size::power(row.n));
        let times = match &row.outcome {
            PrimeOutcome::Times(times) => times,
            PrimeOutcome::Missing(reason) => return self::row([name, reason.clone()]),
        };
        let residues = times.residues;
        self::row([
            name,
            milliseconds(times.ms),
            format!("{} × {}", times.passes, milliseconds(times.copy_ms)),
            ms(times.arithmetic.map(|arithmetic| arithmetic.ms())),
            ms(times.sliced_ms),
            ms(times.montgomery_ms),
            ratio(times.to_montgomery()),
            residues.map_or_else(|| "–".to_owned(), |r| r.primes.to_string()),
            ms(residues.map(|r| r.reduce_ms)),
            ms(residues.map(|r| r.transforms_ms)),
            ms(residues.map(|r| r.recombine_ms)),
            ratio(times.to_residues()),
        ])
    };
    let columns = [
        "",
        "ms",
        "passes × copy",
        "arithmetic",
        "sliced",
        "(a) ms",
        "(a) ÷ ms",
        "(b) primes",
        "reduce",
        "transforms",
        "recombine",
        "(b) ÷ ms",
    ];
    each(studies, |study| {
        if study.primes.is_empty() {
            return String::new();
        }
        let mut text = heading(&columns);
        study.primes.iter().for_each(|row| text += &line(row));
        for row in &study.primes {
            let missing = row.times().map(|times| times.missing.as_slice()).unwrap_or_default();
            missing.iter().for_each(|what| text += &format!("\nNot measured: {}: {what}\n", row.name()));
        }
        text
    })
}

/// How many operations transforms take, and what one takes.
pub fn prime_operations(studies: &[Study]) -> String {
    let columns =
        ["", "products ÷ N", "sums ÷ N", "rotations ÷ N", "product, ps", "sum and difference, ps", "rotation, ps"];
    let line = |row: &PrimeRow| -> Option<String> {
        let arithmetic = row.times()?.arithmetic?;
        let per_point = |count: u64| format!("{:.2}", count as f64 / row.n as f64);
        let picoseconds = |ns: f64| format!("{:.1}", ns * 1e3);
        Some(self::row([
            row.name(),
            per_point(arithmetic.products),
            per_point(arithmetic.sums),
            per_point(arithmetic.rotations),
            picoseconds(arithmetic.product_ns),
            picoseconds(arithmetic.butterfly_ns),
            picoseconds(arithmetic.rotation_ns),
        ]))
    };
    each(studies, |study| {
        let lines: String = study.primes.iter().filter_map(line).collect();
        if lines.is_empty() { lines } else { heading(&columns) + &lines }
    })
}

/// What could not be measured.
pub fn failures(studies: &[Study]) -> String {
    let mut text = String::new();
    for study in studies {
        for failure in &study.failures {
            let _ = writeln!(text, "- {}: not measured: {failure}", name(study));
        }
    }
    text
}
