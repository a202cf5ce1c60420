//! The record of a survey: a line of JSON says what is measured, and each other one has a length. Lines are added and never
//! changed, so that a run may be stopped at any time.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use stockham::Algebra;
use stockham::accuracy::Errors;

use crate::bench::row::Row;
use crate::error::{Error, Result};
use crate::origin::Origin;

/// What is measured, and where it began.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Heading {
    #[serde(flatten)]
    pub origin: Origin,
    pub algebra: Algebra,
    /// Bytes of a batch.
    pub bytes: usize,
    /// The name of what it is compared with.
    pub peer: Option<String>,
    /// Whether there are no times.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub errors_only: bool,
}

impl Heading {
    /// In a few words.
    fn title(&self) -> String {
        let peer = self.peer.as_deref().unwrap_or("nothing");
        let what = if self.errors_only { "errors of " } else { "" };
        let (name, device) = (self.algebra.name(), &self.origin.device.name);
        format!("{what}{name} on {device}, batches of {} bytes beside {peer}", self.bytes)
    }
}

/// A length. Errors are in units of u·√log2 n, rounded to four places.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    pub n: usize,
    pub batch: usize,
    #[serde(flatten)]
    pub times: Option<Times>,
    pub l2_units: f64,
    /// Whether that is within the limits.
    pub right: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peer_l2_units: Option<f64>,
}

/// The times of a length.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Times {
    pub ms: f64,
    /// That of a copy of the same bytes.
    pub copy_ms: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peer_ms: Option<f64>,
}

impl Entry {
    /// What was measured of one, with its times or without.
    pub fn of(row: &Row, algebra: Algebra, has_times: bool) -> Self {
        let in_units = |l2| rounded(Errors { l2, linf: 0.0 }.in_units(algebra.unit_roundoff(), row.n).l2);
        Self {
            n: row.n,
            batch: row.batch,
            times: has_times.then_some(Times { ms: row.ms, copy_ms: row.copy_ms, peer_ms: row.peer_ms }),
            l2_units: in_units(row.l2_error),
            right: row.right,
            peer_l2_units: row.peer_l2_error.map(in_units),
        }
    }

    /// Its time in copies.
    pub fn copies(&self) -> Option<f64> {
        self.times.as_ref().map(|times| times.ms / times.copy_ms)
    }

    /// How many times as long the peer takes.
    pub fn speed(&self) -> Option<f64> {
        let times = self.times.as_ref()?;
        times.peer_ms.map(|ms| ms / times.ms)
    }

    /// The peer's time in copies.
    pub fn peer_copies(&self) -> Option<f64> {
        let times = self.times.as_ref()?;
        times.peer_ms.map(|ms| ms / times.copy_ms)
    }
}

/// All that was measured.
pub struct Record {
    pub heading: Heading,
    pub entries: BTreeMap<usize, Entry>,
    path: PathBuf,
    file: Option<File>,
}

impl Record {
    /// What a file has.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).map_err(Error::read(path))?;
        Self::of_text(path, whole_lines(&text))
    }

    /// What a file has if it is of the same, or a new one; either to be added to.
    pub fn open(path: &Path, heading: Heading) -> Result<Self> {
        let write = |error: io::Error| Error::write(path)(error);
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Error::read(path)(error)),
        };
        let whole = whole_lines(&text);
        let mut record = if whole.is_empty() {
            Self { heading: heading.clone(), entries: BTreeMap::new(), path: path.to_owned(), file: None }
        } else {
            Self::of_text(path, whole)?
        };
        if record.heading.title() != heading.title() {
            let (found, wanted) = (record.heading.title(), heading.title());
            return Err(Error::input(format!(
                "{} has {found}, and this would be {wanted}: give another file",
                path.display()
            )));
        }
        let file = File::options().create(true).append(true).open(path).map_err(write)?;
        // A line that a run broke off in goes.
        file.set_len(whole.len() as u64).map_err(write)?;
        record.file = Some(file);
        if whole.is_empty() {
            record.add_line(&heading)?;
        }
        Ok(record)
    }

    fn of_text(path: &Path, text: &str) -> Result<Self> {
        let failed = |number: usize, error: serde_json::Error| {
            Error::input(format!("{}, line {}: {error}: this is no survey's record", path.display(), number + 1))
        };
        let mut lines = text.lines().enumerate();
        let (_, first) = lines.next().ok_or_else(|| Error::input(format!("{} is empty", path.display())))?;
        let heading = serde_json::from_str(first).map_err(|error| failed(0, error))?;
        let entry = |(number, line)| serde_json::from_str(line).map_err(|error| failed(number, error));
        let entries = lines.map(entry).map(|entry| entry.map(|entry: Entry| (entry.n, entry)));
        Ok(Self { heading, entries: entries.collect::<Result<_>>()?, path: path.to_owned(), file: None })
    }

    /// Whether a length is there.
    pub fn has(&self, n: usize) -> bool {
        self.entries.contains_key(&n)
    }

    /// Adds a length.
    pub fn add(&mut self, entry: Entry) -> Result<()> {
        self.add_line(&entry)?;
        self.entries.insert(entry.n, entry);
        Ok(())
    }

    fn add_line(&mut self, line: &impl Serialize) -> Result<()> {
        let mut text =
            serde_json::to_string(line).map_err(|error| Error::Failed(format!("cannot write JSON: {error}")))?;
        text.push('\n');
        match &mut self.file {
            Some(file) => file.write_all(text.as_bytes()).map_err(Error::write(&self.path)),
            None => Ok(()),
        }
    }
}

/// To four places: a record has many lengths.
fn rounded(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

/// The text without a last line that does not end.
fn whole_lines(text: &str) -> &str {
    &text[..text.rfind('\n').map_or(0, |end| end + 1)]
}
