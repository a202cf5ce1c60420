//! Files of elements: `.npy` arrays of digits, and text with a number on each line.

use std::path::Path;

use stockham::Layout;

use crate::error::{Error, Result};
use crate::npy::{Reader, Writer};
use crate::output::OutputFile;

use super::field::FileField;

/// Whether a file is an array or text.
pub fn is_npy(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy"))
}

/// Where elements come from.
pub struct Source<V> {
    /// Points of a transform.
    pub n: usize,
    /// The axes of the batch.
    pub batch: Vec<usize>,
    values: Values<V>,
}

enum Values<V> {
    Array(Reader),
    /// All of them, as the one transform that a text file holds.
    Text(Vec<V>),
}

impl<V: bytemuck::Pod> Source<V> {
    pub fn open<F: FileField<Value = V>>(path: &Path, field: &F, layout: Layout) -> Result<Self> {
        if !is_npy(path) {
            let values = numbers(path, field)?;
            let n = values.len() / field.digits().unwrap_or(1);
            return Ok(Self { n, batch: Vec::new(), values: Values::Text(values) });
        }
        let reader = Reader::open(path)?;
        let (kind, shape) = (reader.header().kind, &reader.header().shape);
        let wrong = |words: String| Error::input(format!("{} {words}", path.display()));
        if kind != field.kind() {
            let takes = field.kind().name();
            return Err(wrong(format!("holds {}, but {} takes {takes}", kind.name(), field.algebra().name())));
        }
        let axes = match (field.digits(), layout, &shape[..]) {
            (None, _, [batch @ .., n]) => Some((*n, batch)),
            (Some(k), Layout::Plain, [batch @ .., n, digits]) if *digits == k => Some((*n, batch)),
            (Some(k), Layout::Sliced, [digits, batch @ .., n]) if *digits == k => Some((*n, batch)),
            _ => None,
        };
        let Some((n, batch)) = axes else {
            let takes = match (field.digits(), layout) {
                (None, _) => "[..., N]".to_owned(),
                (Some(k), Layout::Plain) => format!("[..., N, {k}]"),
                (Some(k), Layout::Sliced) => format!("[{k}, ..., N]"),
            };
            return Err(wrong(format!("has shape {shape:?}, but {} takes {takes}", field.algebra().name())));
        };
        if n == 0 {
            return Err(wrong(format!("has shape {shape:?}: a transform needs at least one point")));
        }
        Ok(Self { n, batch: batch.to_vec(), values: Values::Array(reader) })
    }

    /// Fills `target` with the next values.
    pub fn fill(&mut self, target: &mut [V]) -> Result<()> {
        match &mut self.values {
            Values::Array(reader) => reader.fill(bytemuck::cast_slice_mut(target)),
            Values::Text(values) => {
                target.copy_from_slice(values);
                Ok(())
            }
        }
    }
}

/// The values of all lines that are not blank.
fn numbers<F: FileField>(path: &Path, field: &F) -> Result<Vec<F::Value>> {
    let text = std::fs::read(path).map_err(Error::read(path))?;
    let text = String::from_utf8(text)
        .map_err(|_| Error::input(format!("{} is neither a .npy file nor text", path.display())))?;
    let mut values = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let element = field.parse(line);
        values.extend(element.map_err(|error| Error::input(format!("{}, line {number}: {error}", path.display())))?);
    }
    if values.is_empty() {
        return Err(Error::input(format!("{} holds no number: a transform needs at least one point", path.display())));
    }
    Ok(values)
}

/// Where elements go.
pub enum Sink<'a, F> {
    Array(Writer),
    Text(OutputFile, &'a F),
}

impl<'a, F: FileField> Sink<'a, F> {
    pub fn create(path: &Path, field: &'a F, layout: Layout, batch: &[usize], n: usize) -> Result<Self> {
        if !is_npy(path) {
            return Ok(Self::Text(OutputFile::create(path)?, field));
        }
        let shape = match (field.digits(), layout) {
            (None, _) => [batch, &[n]].concat(),
            (Some(k), Layout::Plain) => [batch, &[n, k]].concat(),
            (Some(k), Layout::Sliced) => [&[k], batch, &[n]].concat(),
        };
        Ok(Self::Array(Writer::create(path, field.kind(), &shape)?))
    }

    /// Writes the next values.
    pub fn write(&mut self, values: &[F::Value]) -> Result<()> {
        match self {
            Self::Array(writer) => writer.write(bytemuck::cast_slice(values)),
            Self::Text(file, field) => values
                .chunks(field.digits().unwrap_or(1))
                .try_for_each(|element| file.write(format!("{}\n", field.format(element)).as_bytes())),
        }
    }

    /// Ends the file.
    pub fn commit(self) -> Result<()> {
        match self {
            Self::Array(writer) => writer.commit(),
            Self::Text(file, _) => file.commit(),
        }
    }
}
