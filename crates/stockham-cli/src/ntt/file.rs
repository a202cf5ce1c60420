//! Files of elements: `.npy` arrays of digits, and text with a number on each line.

use std::borrow::Cow;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use stockham::Layout;
use stockham::integer::Integer;

use crate::error::{Error, Result};
use crate::input;
use crate::npy::{Kind, MAGIC, Reader, Writer};
use crate::output::OutputFile;

use super::field::FileField;

/// Whether a file is an array or text, by its name; nothing if it has none, as standard output.
pub fn is_array(path: &Path) -> Option<bool> {
    input::has_name(path).then(|| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy")))
}

/// Where elements come from.
pub struct Source<V> {
    /// Whether it is an array, and no text.
    pub is_array: bool,
    /// Points of a transform.
    pub n: usize,
    /// The axes of the batch.
    pub batch: Vec<usize>,
    path: PathBuf,
    values: Values<V>,
}

enum Values<V> {
    Array(Reader),
    /// All of them, as the one transform that a text file holds.
    Text(std::vec::IntoIter<V>),
}

impl<V: bytemuck::Pod> Source<V> {
    pub fn open<F: FileField<Value = V>>(path: &Path, field: &F, layout: Layout) -> Result<Self> {
        let mut stream = BufReader::with_capacity(1 << 18, input::open(path)?);
        let is_array = match is_array(path) {
            Some(is_array) => is_array,
            // By what it begins with.
            None => stream.fill_buf().map_err(Error::read(path))?.first() == Some(&MAGIC[0]),
        };
        if !is_array {
            let values = numbers(stream, path, field)?;
            let n = values.len() / field.digits().unwrap_or(1);
            let (batch, values, path) = (Vec::new(), Values::Text(values.into_iter()), path.to_owned());
            return Ok(Self { is_array, n, batch, path, values });
        }
        let reader = Reader::of(stream, path)?;
        let (kind, shape) = (reader.header().kind, &reader.header().shape);
        let wrong = |words: String| Error::input(format!("{} {words}", path.display()));
        if kind != field.kind() && !(kind == Kind::U64 && field.narrowed(0, &[]).is_some()) {
            let takes = field.kind().name();
            return Err(wrong(format!("holds {}, but {} takes {takes}", kind.name(), field.algebra().given())));
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
            return Err(wrong(format!("has shape {shape:?}, but {} takes {takes}", field.algebra().given())));
        };
        if n == 0 {
            return Err(wrong(format!(
                "has shape {shape:?}, which is empty along the axis N: it needs at least one element"
            )));
        }
        let (batch, path) = (batch.to_vec(), path.to_owned());
        Ok(Self { is_array, n, batch, path, values: Values::Array(reader) })
    }

    /// Fills `target` with the next values, the first of which is number `first`.
    pub fn fill<F: FileField<Value = V>>(&mut self, field: &F, first: usize, target: &mut [V]) -> Result<()> {
        match &mut self.values {
            Values::Array(reader) if reader.header().kind != field.kind() => {
                let mut words = vec![0u64; target.len()];
                reader.fill(bytemuck::cast_slice_mut(&mut words))?;
                let values = field.narrowed(first, &words).expect("the file was looked at when it was opened");
                let named = |error| Error::input(format!("{}: {error}", self.path.display()));
                target.copy_from_slice(&values.map_err(named)?);
                Ok(())
            }
            Values::Array(reader) => reader.fill(bytemuck::cast_slice_mut(target)),
            Values::Text(values) => {
                target.iter_mut().zip(values).for_each(|(target, value)| *target = value);
                Ok(())
            }
        }
    }
}

/// The values of all lines that are not blank.
fn numbers<F: FileField>(mut stream: impl Read, path: &Path, field: &F) -> Result<Vec<F::Value>> {
    let mut text = Vec::new();
    stream.read_to_end(&mut text).map_err(Error::read(path))?;
    let text = String::from_utf8(text)
        .map_err(|_| Error::input(format!("{} is neither a .npy file nor text", path.display())))?;
    let mut values = Vec::new();
    for (number, line) in lines(text.strip_prefix('\u{feff}').unwrap_or(&text)) {
        let element = element(&line, field);
        values.extend(element.map_err(|error| Error::input(format!("{}, line {number}: {error}", path.display())))?);
    }
    if values.is_empty() {
        return Err(Error::input(format!("{} holds no number, and needs at least one", path.display())));
    }
    Ok(values)
}

/// The lines that are not blank, with their numbers; those that end with a backslash go on in the next.
fn lines(text: &str) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    let mut physical = (1..).zip(text.lines());
    let logical = std::iter::from_fn(move || {
        let (number, line) = physical.next()?;
        let mut line = Cow::Borrowed(line);
        while line.ends_with('\\') {
            let Some((_, next)) = physical.next() else { break };
            line = Cow::Owned(format!("{line}\n{next}"));
        }
        Some((number, line))
    });
    logical.filter(|(_, line)| !line.trim().is_empty())
}

/// An element as integers are written everywhere, −1 being p − 1.
fn element<F: FileField>(text: &str, field: &F) -> std::result::Result<Vec<F::Value>, stockham::Error> {
    match Integer::parse(text.as_bytes().to_vec()) {
        Ok(number) if number.is_negative() => Ok(field.negated(&field.parse(&number.negated().to_string())?)),
        Ok(number) => field.parse(&number.to_string()),
        // In the words of the field, which takes no other numbers.
        Err(_) => field.parse(text),
    }
}

/// Where elements go.
pub enum Sink<'a, F> {
    Array(Writer),
    Text(OutputFile, &'a F),
}

impl<'a, F: FileField> Sink<'a, F> {
    pub fn create(
        path: &Path,
        is_array: bool,
        field: &'a F,
        layout: Layout,
        batch: &[usize],
        n: usize,
    ) -> Result<Self> {
        if !is_array {
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
