//! Records in JSON, which grow while something is measured.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::{Error, Result};

use super::{Place, write};

/// The option of a command that makes a record.
#[derive(clap::Args)]
pub struct RecordArgs {
    /// Write the record as JSON; - is standard output
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

impl RecordArgs {
    /// Where it goes.
    pub fn file(&self) -> RecordFile<'_> {
        RecordFile(self.json.as_deref())
    }
}

/// Where a record goes, if anywhere.
#[derive(Clone, Copy)]
pub struct RecordFile<'a>(pub Option<&'a Path>);

impl RecordFile<'_> {
    /// Writes what there is so far in place of what there was, so that a run that breaks off has left it. What cannot be
    /// replaced, a pipe for instance, waits for the whole.
    pub fn keep(self, record: &impl Serialize) -> Result<()> {
        match self.0 {
            Some(path) if matches!(Place::of(path), Ok(Place::File(_))) => save(path, record),
            _ => Ok(()),
        }
    }

    /// Writes the whole.
    pub fn finish(self, record: &impl Serialize) -> Result<()> {
        self.0.map_or(Ok(()), |path| save(path, record))
    }
}

fn save(target: &Path, record: &impl Serialize) -> Result<()> {
    let mut text =
        serde_json::to_string_pretty(record).map_err(|error| Error::Failed(format!("cannot write JSON: {error}")))?;
    text.push('\n');
    write(target, text.as_bytes())
}
