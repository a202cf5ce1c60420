//! The record as a table.

use std::io::Write;

use stockham::{Backend, Device};

use crate::error::Result;
use crate::size::Shape;
use crate::table::{self, Align};

use super::row::{Row, Unit};
use super::sweep::Record;

/// A table whose rows are printed as they come.
pub struct Table {
    unit: Unit,
    /// The titles, and widths that are enough for all that comes.
    columns: Vec<(String, usize)>,
    has_passes: bool,
    has_peer: bool,
}

impl Table {
    /// For the rows that a record is going to have.
    pub fn new(device: &Device, record: &Record, shapes: &[Shape]) -> Self {
        let (unit, rate) = match record.algebra.unit_roundoff() {
            Some(_) => (Unit::Operations { real: record.real }, "GFLOP/s"),
            None => (Unit::Elements, "Gelem/s"),
        };
        let longest = shapes.iter().map(|shape| shape.to_string().len()).max().unwrap_or(0);
        let mut columns =
            vec![("n".into(), longest.max(4)), ("batch".into(), 9), ("time".into(), 9), ("÷copy".into(), 7)];
        // The least that so many passes can take, in the unit of the column before; the host makes none.
        let has_passes = device.info().backend != Backend::Cpu;
        if has_passes {
            columns.push(("passes".into(), 6));
        }
        columns.push((rate.into(), 9));
        if let Some(name) = &record.peer {
            columns.extend([(format!("{name} ÷copy"), 7), (format!("speed ÷{name}"), 7)]);
        }
        columns.push(("L2 error".into(), 8));
        for (title, width) in &mut columns {
            *width = title.chars().count().max(*width);
        }
        Self { unit, columns, has_passes, has_peer: record.peer.is_some() }
    }

    fn line(&self, cells: &[String]) -> String {
        let columns: Vec<_> = self.columns.iter().map(|(_, width)| (*width, Align::Right)).collect();
        table::line(&columns, cells)
    }

    /// The titles.
    pub fn print_heading(&self, out: &mut dyn Write) -> Result<()> {
        let titles: Vec<String> = self.columns.iter().map(|(title, _)| title.clone()).collect();
        writeln!(out, "\n{}", self.line(&titles))?;
        Ok(out.flush()?)
    }

    /// A row, and what is to be said of it.
    pub fn print_row(&self, row: &Row, out: &mut dyn Write) -> Result<()> {
        let mut cells = vec![
            row.shape.to_string(),
            row.batch.to_string(),
            duration(row.ms),
            format!("{:.3}", row.ms / row.copy_ms),
        ];
        if self.has_passes {
            cells.push(row.passes.map_or("-".into(), |passes| passes.to_string()));
        }
        let rate = row.rate(self.unit);
        cells.push(if rate < 0.1 { format!("{rate:.6}") } else { format!("{rate:.3}") });
        if self.has_peer {
            cells.push(row.peer_ms.map_or("-".into(), |ms| format!("{:.3}", ms / row.copy_ms)));
            cells.push(row.peer_ms.map_or("-".into(), |ms| format!("{:.3}", ms / row.ms)));
        }
        cells.push(match (row.right, row.l2_error) {
            (true, 0.0) => "exact".into(),
            (true, error) => format!("{error:.1e}"),
            (false, error) => format!("{error:.1e} WRONG"),
        });
        writeln!(out, "{}", self.line(&cells))?;
        if let Some(note) = &row.note {
            writeln!(out, "n = {}: {note}", row.shape)?;
        }
        Ok(out.flush()?)
    }
}

/// Three or four digits with a unit.
fn duration(ms: f64) -> String {
    match ms {
        ms if ms < 1.0 => format!("{:.2} µs", ms * 1e3),
        ms if ms < 1e3 => format!("{ms:.3} ms"),
        ms => format!("{:.3} s", ms / 1e3),
    }
}
