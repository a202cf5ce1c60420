//! The suite of fields: the workloads of provers and of schemes of encryption, each checked in the same run.

mod field;
mod measure;
mod workloads;

use std::io::Write;

use serde::Serialize;
use stockham::accuracy;
use stockham::algebra::WordField;
use stockham::{Algebra, Device, Digit, Error as Refused};

use crate::error::{Error, Result};
use crate::origin::Origin;
use crate::output::RecordFile;
use crate::table::{self, Align};
use crate::{memory, size};

use super::exact::ExactField;
use super::subject::SEED;
use super::suite::Suite;
use field::{OfGoldilocks, Words};
use measure::Row;
use workloads::{Work, Workload};

/// Inputs, outputs and what they are compared with on the host, and on the device with a workspace.
const HOST_COPIES: usize = 4;
const DEVICE_COPIES: usize = 4;

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    origin: &'a Origin,
    suite: Suite,
    rows: &'a [Row],
}

/// Measures, prints and records all workloads.
pub fn run(is_quick: bool, device: &Device, file: RecordFile<'_>, out: &mut dyn Write) -> Result<()> {
    let workloads = workloads::all(is_quick)?;
    let longest = workloads.iter().map(bytes).max().unwrap_or(0);
    let needed = memory::of_host(device, longest.saturating_mul(HOST_COPIES), longest.saturating_mul(DEVICE_COPIES));
    memory::require(needed, out)?;
    let info = device.info();
    writeln!(out, "{} ({}), {}, fields", info.id, info.name, info.driver)?;
    let width = workloads.iter().map(|workload| workload.name.len()).max().unwrap_or(0);
    let widths = [width, 5, 6, 11, 7, 9, 6];
    let columns: Vec<_> =
        widths.iter().enumerate().map(|(i, w)| (*w, if i == 0 { Align::Left } else { Align::Right })).collect();
    let titles = ["field", "n", "lines", "time", "÷copy", "Gelem/s", "result"].map(str::to_owned);
    writeln!(out, "\n{}", table::line(&columns, &titles))?;
    let (origin, mut rows) = (Origin::of(device), Vec::new());
    for workload in &workloads {
        let row = match measured(workload, device) {
            Ok(row) => row,
            // What the device has not says so, and the others go on.
            Err(
                error @ (Error::Input(_) | Error::Library(Refused::Unsupported { .. } | Refused::OutOfMemory { .. })),
            ) => {
                writeln!(out, "{}: {error}", workload.name)?;
                continue;
            }
            Err(error) => return Err(error),
        };
        writeln!(out, "{}", table::line(&columns, &cells(&row)))?;
        out.flush()?;
        rows.push(row);
        file.keep(&Document { origin: &origin, suite: Suite::Fields, rows: &rows })?;
    }
    file.finish(&Document { origin: &origin, suite: Suite::Fields, rows: &rows })?;
    let wrong: Vec<String> =
        rows.iter().filter(|row| !row.right).map(|row| format!("{} of {} points", row.name, row.n)).collect();
    if wrong.is_empty() { Ok(()) } else { Err(Error::Failed(format!("WRONG RESULTS of {}", wrong.join(", ")))) }
}

fn cells(row: &Row) -> [String; 7] {
    let copies = format!("{:.3}", row.ms / row.copy_ms);
    let rate = (row.n * row.lines) as f64 / (row.ms * 1e6);
    let result = if row.right { "exact" } else { "WRONG" };
    let time = format!("{:.3} ms", row.ms);
    [row.name.clone(), size::power(row.n), row.lines.to_string(), time, copies, format!("{rate:.3}"), result.into()]
}

/// Bytes of the longer side.
fn bytes(workload: &Workload) -> usize {
    let element = workload.fields.first().map_or(4, |field| field.element_bytes());
    let blowup = if workload.work == Work::Extension { 2 } else { 1 };
    workload.n * workload.lines * element * blowup
}

fn measured(workload: &Workload, device: &Device) -> Result<Row> {
    match workload.fields.first() {
        Some(Algebra::WordField(field)) if field.bytes() == 4 => of_words::<u32>(workload, device),
        Some(Algebra::WordField(_)) => of_words::<u64>(workload, device),
        Some(Algebra::PrimeField(field)) => measure::lines(workload, &Words::<_, u64>::of(*field), device),
        Some(Algebra::Goldilocks) => measure::lines(workload, &OfGoldilocks, device),
        Some(other) => Err(Error::input(format!("the suite has nothing over {}", other.name()))),
        None => {
            let random = accuracy::random_words::<u32>("2147483647".parse()?, workload.n * workload.lines, SEED);
            measure::circle(workload, device, &random)
        }
    }
}

fn of_words<D: Digit>(workload: &Workload, device: &Device) -> Result<Row>
where
    WordField: ExactField<D>,
{
    let words = workload.fields.iter().filter_map(|algebra| match algebra {
        Algebra::WordField(field) => Some(Words::<_, D>::of(*field)),
        _ => None,
    });
    let fields: Vec<Words<WordField, D>> = words.collect();
    match workload.work {
        Work::Moduli(_) => measure::moduli(workload, &fields, device),
        _ => measure::lines(workload, &fields[0], device),
    }
}
