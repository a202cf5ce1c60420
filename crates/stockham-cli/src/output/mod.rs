//! Output files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// A file being written under another name beside its target; [`commit`](Self::commit) gives it its name, and dropping
/// it without that removes it. The target, the input of the same command perhaps, is untouched until then.
pub struct OutputFile {
    writer: Option<BufWriter<File>>,
    target: PathBuf,
    /// Nothing if the target is a pipe or a terminal, which cannot be replaced and is written directly.
    temporary: Option<PathBuf>,
}

impl OutputFile {
    /// Starts writing.
    pub fn create(target: &Path) -> Result<Self> {
        let metadata = fs::metadata(target);
        if metadata.as_ref().is_ok_and(fs::Metadata::is_dir) {
            return Err(Error::input(format!("cannot write {}: it is a folder", target.display())));
        }
        if metadata.as_ref().is_ok_and(|m| !m.is_file()) {
            let file = File::options().write(true).open(target).map_err(Error::write(target))?;
            return Ok(Self { writer: Some(BufWriter::new(file)), target: target.to_owned(), temporary: None });
        }
        // A symbolic link stays one: what it points to is replaced.
        let target = fs::canonicalize(target).unwrap_or_else(|_| target.to_owned());
        let Some(name) = target.file_name() else {
            return Err(Error::input(format!("cannot write {}: it names no file", target.display())));
        };
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.partial", std::process::id()));
        let temporary = target.with_file_name(hidden);
        let file = File::options().write(true).create_new(true).open(&temporary).map_err(Error::write(&target))?;
        Ok(Self { writer: Some(BufWriter::with_capacity(1 << 18, file)), target, temporary: Some(temporary) })
    }

    /// Writes more.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        writer.write_all(bytes).map_err(Error::write(&self.target))
    }

    /// Ends the file and gives it its name.
    pub fn commit(mut self) -> Result<()> {
        if let Some(mut writer) = self.writer.take() {
            writer.flush().map_err(Error::write(&self.target))?;
        }
        if let Some(temporary) = self.temporary.take() {
            // An existing file keeps its permissions.
            if let Ok(metadata) = fs::metadata(&self.target) {
                let _ = fs::set_permissions(&temporary, metadata.permissions());
            }
            if let Err(error) = fs::rename(&temporary, &self.target) {
                let _ = fs::remove_file(&temporary);
                return Err(Error::write(&self.target)(error));
            }
        }
        Ok(())
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        self.writer = None;
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Writes a whole file.
pub fn write(target: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = OutputFile::create(target)?;
    file.write(bytes)?;
    file.commit()
}

/// Writes a record as JSON.
pub fn write_json(target: &Path, record: &impl serde::Serialize) -> Result<()> {
    let mut text =
        serde_json::to_string_pretty(record).map_err(|error| Error::Failed(format!("cannot write JSON: {error}")))?;
    text.push('\n');
    write(target, text.as_bytes())
}
