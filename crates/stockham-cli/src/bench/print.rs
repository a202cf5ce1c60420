//! The record as a table.

use std::io::Write;

use stockham::Algebra;

use crate::error::Result;
use crate::peer::Peer;
use crate::size;
use crate::table::{Align, Table};

use super::row::Row;

/// Prints the rows and what is to be said of them.
pub fn print(rows: &[Row], algebra: Algebra, peer: Option<&Peer>, out: &mut dyn Write) -> Result<()> {
    // Over a field an operation has no agreed count; elements have.
    let rate = if algebra.unit_roundoff().is_some() { "GFLOP/s" } else { "Gelem/s" };
    let name = peer.map_or("peer".into(), Peer::name);
    let (peer_copy, speed) = (format!("{name} ÷copy"), format!("speed ÷{name}"));
    let mut columns = vec!["n", "batch", "time", "÷copy", rate];
    // The least that so many passes can take, in the unit of the column before; the host makes none.
    let has_passes = rows.iter().any(|row| row.passes.is_some());
    if has_passes {
        columns.insert(4, "passes");
    }
    if peer.is_some() {
        columns.extend([peer_copy.as_str(), speed.as_str()]);
    }
    columns.push("L2 error");
    let mut table = Table::new(&columns.iter().map(|name| (*name, Align::Right)).collect::<Vec<_>>());
    for row in rows {
        let mut cells =
            vec![size::power(row.n), row.batch.to_string(), duration(row.ms), format!("{:.3}", row.ms / row.copy_ms)];
        if has_passes {
            cells.push(row.passes.map_or("-".into(), |passes| passes.to_string()));
        }
        let rate = row.rate(algebra);
        cells.push(if rate < 0.1 { format!("{rate:.6}") } else { format!("{rate:.3}") });
        if peer.is_some() {
            cells.push(row.peer_ms.map_or("-".into(), |ms| format!("{:.3}", ms / row.copy_ms)));
            cells.push(row.peer_ms.map_or("-".into(), |ms| format!("{:.3}", ms / row.ms)));
        }
        cells.push(match (row.right, row.l2_error) {
            (true, 0.0) => "exact".into(),
            (true, error) => format!("{error:.1e}"),
            (false, error) => format!("{error:.1e} WRONG"),
        });
        table.row(cells);
    }
    writeln!(out)?;
    table.print(out)?;
    for row in rows {
        if let Some(note) = &row.note {
            writeln!(out, "n = {}: {note}", size::power(row.n))?;
        }
    }
    Ok(())
}

/// Three or four digits with a unit.
fn duration(ms: f64) -> String {
    match ms {
        ms if ms < 1.0 => format!("{:.2} µs", ms * 1e3),
        ms if ms < 1e3 => format!("{ms:.3} ms"),
        ms => format!("{:.3} s", ms / 1e3),
    }
}
