//! One size: the transform, the copy and the peer, one after the other on one stream and the same memory.

use serde::Serialize;
use stockham::plan::Choice;
use stockham::{Backend, Buffer, Device, Executable, Stream, Transform};

use crate::error::Result;
use crate::peer::{Peer, Work};
use crate::size::Shape;

use super::subject::{Subject, Timed, Verdict, side_bytes, workspace_of};
use super::timing::{self, Patience};

/// What was measured.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Points of a transform.
    pub n: usize,
    /// Its lengths, if it has several dimensions.
    #[serde(skip_serializing_if = "Shape::is_line")]
    pub shape: Shape,
    /// Transforms at a time.
    pub batch: usize,
    /// Bytes of all of them, read once and written once; of the longer side if one is real.
    pub bytes: usize,
    /// The time of the transforms.
    pub ms: f64,
    /// The time of a copy of the same bytes.
    pub copy_ms: f64,
    /// Passes through memory, each of which takes a copy's time at least; nothing on the host, which makes none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passes: Option<usize>,
    /// The peer's time.
    pub peer_ms: Option<f64>,
    /// The relative L2 error.
    pub l2_error: f64,
    /// The peer's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peer_l2_error: Option<f64>,
    /// Whether ours is within the limits.
    pub right: bool,
    /// What is wrong, or why the peer has no time.
    pub note: Option<String>,
}

/// What a rate counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Of transforms over ℂ, or of real numbers.
    Operations { real: bool },
    /// Of fields: over these an operation has no agreed count.
    Elements,
}

impl Row {
    /// Over ℂ, 10⁹ operations a second of the customary 5·n·log2 n, or of 2.5·n·log2 n if the input is real, which takes
    /// half of them; over a field, 10⁹ elements a second.
    pub fn rate(&self, unit: Unit) -> f64 {
        let elements = (self.n * self.batch) as f64;
        let each = match unit {
            Unit::Operations { real: false } => 5.0 * (self.n as f64).log2(),
            Unit::Operations { real: true } => 2.5 * (self.n as f64).log2(),
            Unit::Elements => 1.0,
        };
        each * elements / (self.ms * 1e6)
    }

    /// The medians of a first round of the same and others, which are right if all are.
    fn of_rounds(first: Self, others: Vec<Self>) -> Self {
        let rounds: Vec<&Self> = others.iter().chain([&first]).collect();
        let median = |mut times: Vec<f64>| {
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        };
        let [ms, copy_ms] = [|row: &Self| row.ms, |row: &Self| row.copy_ms]
            .map(|time| median(rounds.iter().map(|row| time(row)).collect()));
        let peer_ms = rounds.iter().map(|row| row.peer_ms).collect::<Option<Vec<f64>>>().map(median);
        let l2_error = rounds.iter().map(|row| row.l2_error).fold(0.0, f64::max);
        let right = rounds.iter().all(|row| row.right);
        let note = rounds.iter().find_map(|row| row.note.clone());
        Self { ms, copy_ms, peer_ms, l2_error, right, note, ..first }
    }
}

/// What takes less than so many milliseconds on a device with launches may take the host longer, which has its moods: for some
/// tenths of a second launches take it half as long again as before. So the transform, the copy and the peer take turns, …
const SHORT_MS: f64 = 0.02;

/// … so many times after the first, more quickly.
const MORE_ROUNDS: usize = 8;

/// The memory that rows are measured in, kept from row to row while it fits.
pub struct Bench<'a, S: Subject> {
    device: &'a Device,
    stream: Stream,
    peer: Option<&'a Peer>,
    subject: S,
    /// By what transforms are planned, if not by the device.
    choice: Option<&'a Choice>,
    memory: Option<Memory<S::Value>>,
}

struct Memory<T> {
    /// At least as much as the input.
    host: Vec<T>,
    input: Buffer<T>,
    output: Buffer<T>,
    /// Whether the input is what the host has.
    is_written: bool,
}

impl<'a, S: Subject> Bench<'a, S> {
    /// Nothing measured yet.
    pub fn new(device: &'a Device, peer: Option<&'a Peer>, subject: S) -> Result<Self> {
        Ok(Self { device, stream: device.new_stream()?, peer, subject, choice: None, memory: None })
    }

    /// The same with a choice of passes, made by hand.
    pub fn by(self, choice: Option<&'a Choice>) -> Self {
        Self { choice, ..self }
    }

    /// What it measures.
    pub fn subject(&self) -> &S {
        &self.subject
    }

    fn plan(&self, transform: &Transform) -> Result<Executable> {
        Ok(match self.choice {
            Some(choice) => self.device.prepare(choice.realise(transform, self.device.info())?)?,
            None => self.device.plan(transform)?,
        })
    }

    /// Measures `batch` transforms of a shape, short ones in several rounds.
    pub fn row(&mut self, shape: impl Into<Shape>, batch: usize) -> Result<Row> {
        let shape = &shape.into();
        let first = self.round(shape, batch, Patience::FIGURE)?;
        if first.ms >= SHORT_MS || self.device.info().backend == Backend::Cpu {
            return Ok(first);
        }
        let others: Result<Vec<Row>> = (0..MORE_ROUNDS).map(|_| self.round(shape, batch, Patience::ROUND)).collect();
        Ok(Row::of_rounds(first, others?))
    }

    fn round(&mut self, shape: &Shape, batch: usize, patience: Patience) -> Result<Row> {
        let transform = self.subject.transform(shape.lengths()).batch(batch);
        transform.validate()?;
        let executable = self.plan(&transform)?;
        self.measured(executable, shape, patience)
    }

    /// Measures transforms of a shape that were planned elsewhere, once.
    pub fn measured(&mut self, executable: Executable, shape: &Shape, patience: Patience) -> Result<Row> {
        let transform = executable.transform().clone();
        // Both sides have as much memory, so that the copy is of the longer one.
        let sides = side_bytes(&transform);
        let bytes = sides[0].max(sides[1]);
        let len = bytes / size_of::<S::Value>();
        let memory = match &mut self.memory {
            Some(memory) if memory.input.len() == len => memory,
            old => {
                // The old memory goes first: both may not fit. What the host has begins alike for every length.
                let host = old.take().map(|old| old.host).filter(|host| host.len() >= len);
                let (input, output) = (self.device.alloc(len)?, self.device.alloc(len)?);
                let host = host.unwrap_or_else(|| self.subject.random(bytes / transform.algebra.element_bytes()));
                self.memory.insert(Memory { host, input, output, is_written: false })
            }
        };
        let Memory { host, input, output, is_written } = memory;
        let is_other = self.subject.fit(&transform, &mut host[..len]);
        let host = &host[..len];
        // Right results come of the right input, and leave it: one that anything changed would be found by the next row.
        if !std::mem::replace(is_written, false) || is_other {
            input.write(host)?;
        }
        let stream = &self.stream;

        let copy_ms = timing::measure_with(patience, stream, &mut || Ok(output.copy_from(stream, input)?))?;
        let passes = Some(executable.recipe().trips()).filter(|&passes| passes > 0);
        let mut workspace = workspace_of(&executable)?;
        let [input_len, output_len] = sides.map(|bytes| bytes / size_of::<S::Value>());
        let submit = &mut || {
            let (input, output) = (input.slice(..input_len)?, output.slice_mut(..output_len)?);
            Ok(executable.run_on(stream, input, output, &mut workspace)?)
        };
        let ms = timing::measure_with(patience, stream, submit)?;
        stream.synchronize()?;
        drop((workspace, executable));
        let verdict = self.subject.check(Timed { stream, transform: &transform, host, input, output })?;

        let (peer_found, failed) = match self.peer {
            None => (None, None),
            Some(peer) => {
                let work = Work { stream, transform: &transform, host, input, output };
                match self.subject.time_peer(peer, patience, work) {
                    Ok(found) => (Some(found), None),
                    Err(error) => (None, Some(format!("{}: {error}", peer.name()))),
                }
            }
        };
        let Verdict { l2_error, right, note } = verdict;
        *is_written = right;
        let note = note.or(failed);
        let (peer_ms, peer_l2_error) = peer_found.unzip();
        let (n, shape, batch) = (shape.points(), shape.clone(), transform.batch_count());
        Ok(Row { n, shape, batch, bytes, ms, copy_ms, passes, peer_ms, l2_error, peer_l2_error, right, note })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(ms: f64, peer_ms: Option<f64>, l2_error: f64, note: Option<&str>) -> Row {
        let (right, note) = (note.is_none(), note.map(str::to_owned));
        let (n, shape, batch, bytes, copy_ms, passes) = (8, 8.into(), 3, 192, 2.0 * ms, Some(1));
        let peer_l2_error = peer_ms.map(|_| l2_error);
        Row { n, shape, batch, bytes, ms, copy_ms, passes, peer_ms, l2_error, peer_l2_error, right, note }
    }

    #[test]
    fn rounds_are_as_fast_as_their_medians_and_as_right_as_the_worst() {
        let others = vec![round(1.0, Some(3.0), 3e-7, None), round(2.0, Some(2.0), 2e-7, None)];
        let row = Row::of_rounds(round(5.0, Some(1.0), 1e-7, None), others);
        assert_eq!((row.n, row.batch, row.ms, row.copy_ms, row.peer_ms), (8, 3, 2.0, 4.0, Some(2.0)));
        assert_eq!((row.l2_error, row.right, row.note), (3e-7, true, None));
        // One round that is wrong, or without a peer, is enough.
        let others = vec![round(1.0, None, 0.5, Some("wrong")), round(1.0, Some(2.0), 0.0, None)];
        let row = Row::of_rounds(round(1.0, Some(1.0), 0.0, None), others);
        assert_eq!((row.peer_ms, row.l2_error, row.right, row.note.as_deref()), (None, 0.5, false, Some("wrong")));
    }

    #[test]
    fn a_row_tells_its_shape_if_it_has_one() {
        let line = round(1.0, None, 0.0, None);
        let array = Row { shape: Shape::parse("2x4").unwrap(), ..round(1.0, None, 0.0, None) };
        let [line, array] = [line, array].map(|row| serde_json::to_value(row).unwrap());
        assert_eq!((&line["n"], line.get("shape")), (&8.into(), None));
        assert_eq!((&array["n"], &array["shape"]), (&8.into(), &serde_json::json!([2, 4])));
    }

    #[test]
    fn real_numbers_take_half_the_operations() {
        let row = round(24e-6, None, 0.0, None);
        let units = [Unit::Operations { real: false }, Unit::Operations { real: true }, Unit::Elements];
        assert_eq!(units.map(|unit| row.rate(unit).round()), [15.0, 8.0, 1.0]);
    }
}
