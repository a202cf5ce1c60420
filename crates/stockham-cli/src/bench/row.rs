//! One size: the transform, the copy and the peer, one after the other on one stream and the same memory.

use serde::Serialize;
use stockham::plan::Choice;
use stockham::{Algebra, Buffer, Device, Executable, Stream, Transform};

use crate::error::Result;
use crate::peer::{Peer, Work};

use super::subject::{Subject, Timed, Verdict, workspace_of};
use super::timing;

/// What was measured.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Points of a transform.
    pub n: usize,
    /// Transforms at a time.
    pub batch: usize,
    /// Bytes of all of them, read once and written once.
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
    /// Whether that is within the limits.
    pub right: bool,
    /// What is wrong, or why the peer has no time.
    pub note: Option<String>,
}

impl Row {
    /// Over ℂ, 10⁹ operations a second of the customary 5·n·log2 n; over a field, 10⁹ elements a second.
    pub fn rate(&self, algebra: Algebra) -> f64 {
        let elements = (self.n * self.batch) as f64;
        let operations = if algebra.unit_roundoff().is_some() { 5.0 * (self.n as f64).log2() } else { 1.0 };
        operations * elements / (self.ms * 1e6)
    }
}

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

    fn plan(&self, transform: &Transform) -> Result<Executable> {
        Ok(match self.choice {
            Some(choice) => self.device.prepare(choice.realise(transform, self.device.info())?)?,
            None => self.device.plan(transform)?,
        })
    }

    /// Measures `batch` transforms of `n` points.
    pub fn row(&mut self, n: usize, batch: usize) -> Result<Row> {
        let transform = self.subject.transform(n).batch(batch);
        transform.validate()?;
        let bytes = n * batch * transform.algebra.element_bytes();
        let len = bytes / size_of::<S::Value>();
        let executable = self.plan(&transform)?;
        if self.memory.as_ref().is_none_or(|memory| memory.host.len() != len) {
            // The old memory goes first: both may not fit.
            self.memory = None;
        }
        let memory = match &mut self.memory {
            Some(memory) => memory,
            None => {
                let (input, output) = (self.device.alloc(len)?, self.device.alloc(len)?);
                let host = self.subject.random(n * batch);
                self.memory.insert(Memory { host, input, output, is_written: false })
            }
        };
        let Memory { host, input, output, is_written } = memory;
        // Right results come of the right input, and leave it: one that anything changed would be found by the next row.
        if !std::mem::replace(is_written, false) {
            input.write(host)?;
        }
        let stream = &self.stream;

        let copy_ms = timing::measure(stream, &mut || Ok(output.copy_from(stream, input)?))?;
        let passes = Some(executable.recipe().trips()).filter(|&passes| passes > 0);
        let mut workspace = workspace_of(&executable)?;
        let submit = &mut || Ok(executable.run_on(stream, &*input, &mut *output, &mut workspace)?);
        let ms = timing::measure(stream, submit)?;
        stream.synchronize()?;
        drop((workspace, executable));
        let verdict = self.subject.check(Timed { stream, transform: &transform, host, input, output })?;

        let (peer_ms, failed) = match self.peer {
            None => (None, None),
            Some(peer) => match self.subject.time_peer(peer, Work { stream, host, input, output, n }) {
                Ok((ms, _)) => (Some(ms), None),
                Err(error) => (None, Some(format!("{}: {error}", peer.name()))),
            },
        };
        let Verdict { l2_error, right, note } = verdict;
        *is_written = right;
        let note = note.or(failed);
        Ok(Row { n, batch, bytes, ms, copy_ms, passes, peer_ms, l2_error, right, note })
    }
}
