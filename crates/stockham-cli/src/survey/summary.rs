//! What a survey amounts to: a line for each class of lengths, and those where the peer is faster.

use std::io::Write;

use crate::error::{Error, Result};
use crate::size;
use crate::table::{self, Align};

use super::record::{Entry, Record};

/// Lengths by their largest prime factor, which decides the way they go.
const CLASSES: [(&str, usize, usize); 4] = [
    ("factors to 7", 0, 7),
    ("factors 11, 13", 11, 13),
    ("factors 17 to 31", 17, 31),
    ("larger factors", 32, usize::MAX),
];

/// The peer is faster where it is so by more than this.
const SLOWER: f64 = 1.05;

/// So many lengths where it is are named.
const NAMED: usize = 8;

const COLUMNS: [(&str, usize); 9] = [
    ("lengths", 16),
    ("count", 6),
    ("median ÷copy", 12),
    ("worst ÷copy", 16),
    ("speed ÷peer", 11),
    ("least", 14),
    ("worst error", 15),
    ("the peer's", 15),
    ("more exact", 10),
];

/// Prints the table.
pub fn print(record: &Record, out: &mut dyn Write) -> Result<()> {
    let heading = &record.heading;
    let peer = heading.peer.as_deref().unwrap_or("nothing");
    let (name, bytes) = (&heading.origin.device.name, size::bytes(heading.bytes as u64));
    writeln!(out, "\n{} on {name}, batches of {bytes}, beside {peer}; errors in u·√log2 n", heading.algebra.name())?;
    let line = |cells: &[String]| {
        let align = |i| if i == 0 { Align::Left } else { Align::Right };
        let columns: Vec<_> = COLUMNS.iter().enumerate().map(|(i, (_, width))| (*width, align(i))).collect();
        table::line(&columns, cells)
    };
    writeln!(out, "\n{}", line(&COLUMNS.map(|(title, _)| title.to_owned())))?;
    for (title, from, to) in CLASSES.into_iter().chain([("all", 0, usize::MAX)]) {
        let entries: Vec<&Entry> =
            record.entries.values().filter(|entry| (from..=to).contains(&largest_factor(entry.n))).collect();
        if !entries.is_empty() {
            writeln!(out, "{}", line(&cells(title, &entries)))?;
        }
    }
    let slower = slower(record);
    if heading.peer.is_some() && !heading.errors_only {
        let worst: Vec<String> =
            slower.iter().take(NAMED).map(|(speed, entry)| format!("{} ({speed:.2})", entry.n)).collect();
        let named = if worst.is_empty() { String::new() } else { format!(": {}", worst.join(", ")) };
        let more = if slower.len() > NAMED { ", …" } else { "" };
        let percent = (SLOWER - 1.0) * 100.0;
        writeln!(out, "\n{peer} is faster by more than {percent:.0} % at {} lengths{named}{more}", slower.len())?;
    }
    Ok(out.flush()?)
}

fn cells(title: &str, entries: &[&Entry]) -> [String; 9] {
    let mut copies: Vec<f64> = entries.iter().filter_map(|entry| entry.copies()).collect();
    copies.sort_by(f64::total_cmp);
    // The largest of something, and where.
    let worst = |of: &dyn Fn(&Entry) -> Option<f64>, digits: usize| {
        let values = entries.iter().filter_map(|entry| Some((of(entry)?, entry.n)));
        values.max_by(|a, b| a.0.total_cmp(&b.0)).map_or("-".into(), |(value, n)| format!("{value:.digits$} ({n})"))
    };
    let speeds: Vec<f64> = entries.iter().filter_map(|entry| entry.speed()).collect();
    let mean = (speeds.iter().map(|speed| speed.ln()).sum::<f64>() / speeds.len() as f64).exp();
    let least = entries.iter().filter_map(|entry| Some((entry.speed()?, entry.n))).min_by(|a, b| a.0.total_cmp(&b.0));
    let both: Vec<bool> = entries.iter().filter_map(|entry| Some(entry.l2_units <= entry.peer_l2_units?)).collect();
    let share = both.iter().filter(|better| **better).count() as f64 / both.len() as f64;
    let some = |there: bool, text: String| if there { text } else { "-".into() };
    [
        title.into(),
        entries.len().to_string(),
        copies.get(copies.len() / 2).map_or("-".into(), |median| format!("{median:.2}")),
        worst(&|entry| entry.copies(), 2),
        some(!speeds.is_empty(), format!("{mean:.2}")),
        least.map_or("-".into(), |(speed, n)| format!("{speed:.2} ({n})")),
        worst(&|entry| Some(entry.l2_units), 3),
        worst(&|entry| entry.peer_l2_units, 3),
        some(!both.is_empty(), format!("{:.1} %", 100.0 * share)),
    ]
}

/// Where the peer is faster, the worst first.
fn slower(record: &Record) -> Vec<(f64, &Entry)> {
    let speeds = record.entries.values().filter_map(|entry| Some((entry.speed()?, entry)));
    let mut slower: Vec<(f64, &Entry)> = speeds.filter(|(speed, _)| speed * SLOWER < 1.0).collect();
    slower.sort_by(|a, b| a.0.total_cmp(&b.0));
    slower
}

/// The largest prime factor; 1 of 1.
fn largest_factor(n: usize) -> usize {
    let (mut rest, mut p) = (n, 2);
    while p * p <= rest {
        if rest.is_multiple_of(p) { rest /= p } else { p += 1 }
    }
    rest
}

/// An error if results were.
pub fn wrong(record: &Record) -> Result<()> {
    let wrong: Vec<String> =
        record.entries.values().filter(|entry| !entry.right).map(|entry| entry.n.to_string()).collect();
    if wrong.is_empty() { Ok(()) } else { Err(Error::Failed(format!("WRONG RESULTS for n = {}", wrong.join(", ")))) }
}

#[cfg(test)]
mod tests {
    use super::super::record::Times;
    use super::*;

    fn entry(n: usize, ms: f64, peer_ms: f64, l2_units: f64) -> Entry {
        let times = Some(Times { ms, copy_ms: 1.0, peer_ms: Some(peer_ms) });
        Entry { n, batch: 1, times, l2_units, right: true, peer_l2_units: Some(0.8) }
    }

    #[test]
    fn factors_are_found() {
        let of = [1, 2, 1024, 13 * 27, 31, 37, 2 * 41 * 31].map(largest_factor);
        assert_eq!(of, [1, 2, 2, 13, 31, 37, 41]);
    }

    #[test]
    fn a_class_is_summed_up() {
        let entries = [entry(8, 1.0, 2.0, 0.5), entry(16, 2.0, 1.0, 0.9), entry(64, 1.5, 1.5, 0.7)];
        let cells = cells("some", &entries.iter().collect::<Vec<_>>());
        let expected = ["some", "3", "1.50", "2.00 (16)", "1.00", "0.50 (16)", "0.900 (16)", "0.800 (64)", "66.7 %"];
        assert_eq!(cells, expected);
        let without = Entry { times: None, ..entries[0].clone() };
        let cells = super::cells("errors", &[&without]);
        assert_eq!(cells, ["errors", "1", "-", "-", "-", "-", "0.500 (8)", "0.800 (8)", "100.0 %"]);
    }
}
