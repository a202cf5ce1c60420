//! Writing: C order, this machine's byte order.

use std::path::Path;

use crate::error::Result;
use crate::output::OutputFile;

use super::Kind;

/// A file being written.
pub struct Writer {
    file: OutputFile,
}

impl Writer {
    /// Starts a file of that shape.
    pub fn create(path: &Path, kind: Kind, shape: &[usize]) -> Result<Self> {
        let mut file = OutputFile::create(path)?;
        file.write(&header(kind, shape))?;
        Ok(Self { file })
    }

    /// Writes the next elements.
    pub fn write(&mut self, elements: &[u8]) -> Result<()> {
        self.file.write(elements)
    }

    /// Ends the file.
    pub fn commit(self) -> Result<()> {
        self.file.commit()
    }
}

/// A header whose elements start at a multiple of 64 bytes, as the format asks.
pub(super) fn header(kind: Kind, shape: &[usize]) -> Vec<u8> {
    let order = if cfg!(target_endian = "little") { '<' } else { '>' };
    let axes: String = shape.iter().map(|n| format!("{n}, ")).collect();
    // One axis is written (8,), several (2, 8).
    let axes = if shape.len() == 1 { axes.trim_end() } else { axes.trim_end_matches(", ") };
    let code = kind.code();
    let order = if kind.component_bytes() == 1 { '|' } else { order };
    let mut text = format!("{{'descr': '{order}{code}', 'fortran_order': False, 'shape': ({axes}), }}");
    let version: u8 = if text.len() + 64 > usize::from(u16::MAX) { 2 } else { 1 };
    let prefix = if version == 1 { 10 } else { 12 };
    let len = (prefix + text.len() + 1).next_multiple_of(64) - prefix;
    text.extend(std::iter::repeat_n(' ', len - text.len() - 1));
    text.push('\n');
    let mut bytes = b"\x93NUMPY".to_vec();
    bytes.extend([version, 0]);
    bytes.extend(&(len as u32).to_le_bytes()[..prefix - 8]);
    bytes.extend(text.as_bytes());
    bytes
}
