//! One size: the transform, the copy and the peer, one after the other on one stream and the same memory.

use serde::Serialize;
use stockham::accuracy::{self, Measured};
use stockham::{Algebra, Buffer, Device, Stream, Transform};

use crate::error::{Error, Result};
use crate::peer::{Peer, Work};

use super::{check, timing};

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
    /// The peer's time.
    pub peer_ms: Option<f64>,
    /// The relative L2 error.
    pub l2_error: f64,
    /// Whether that is within the limits.
    pub right: bool,
    /// Why the peer has no time.
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
pub struct Bench<'a, T> {
    device: &'a Device,
    stream: Stream,
    peer: Option<&'a Peer>,
    memory: Option<Data<T>>,
}

struct Data<T> {
    host: Vec<T>,
    input: Buffer<T>,
    output: Buffer<T>,
}

const SEED: u64 = 1;

impl<'a, T: Measured> Bench<'a, T> {
    /// Nothing measured yet.
    pub fn new(device: &'a Device, peer: Option<&'a Peer>) -> Result<Self> {
        Ok(Self { device, stream: device.new_stream()?, peer, memory: None })
    }

    /// Measures `batch` transforms of `n` points.
    pub fn row(&mut self, n: usize, batch: usize) -> Result<Row> {
        let len = n * batch;
        if self.memory.as_ref().is_none_or(|data| data.host.len() != len) {
            // The old memory goes first: both may not fit.
            self.memory = None;
        }
        let data = match &mut self.memory {
            Some(data) => data,
            None => {
                let input = self.device.alloc::<T>(len)?;
                let output = self.device.alloc::<T>(len)?;
                let host = accuracy::random(len, SEED);
                self.memory.insert(Data { host, input, output })
            }
        };
        let Data { host, input, output } = data;
        input.write(host)?;
        let stream = &self.stream;

        let copy_ms = timing::measure(stream, &mut || Ok(output.copy_from(stream, input)?))?;
        let executable = self.device.plan(&Transform::new(T::ALGEBRA, n).batch(batch))?;
        let mut workspace = self.device.alloc::<T>(executable.workspace_len())?;
        let transform = &mut || Ok(executable.run_on(stream, &*input, &mut *output, &mut workspace)?);
        let ms = timing::measure(stream, transform)?;
        stream.synchronize()?;
        let l2_error = check::l2_error(host, &output.to_vec()?, n);
        let right = check::is_right::<T>(l2_error, n);
        drop((workspace, executable));

        let (peer_ms, note) = match self.peer {
            None => (None, None),
            Some(peer) => match time_peer(peer, Work { stream, host, input, output, n }) {
                Ok((ms, _)) => (Some(ms), None),
                Err(error) => (None, Some(format!("{}: {error}", peer.name()))),
            },
        };
        Ok(Row { n, batch, bytes: len * size_of::<T>(), ms, copy_ms, peer_ms, l2_error, right, note })
    }
}

/// The peer's time and the relative L2 error of its result.
pub fn time_peer<T: Measured>(peer: &Peer, work: Work<'_, T>) -> Result<(f64, f64)> {
    let (stream, host, n) = (work.stream, work.host, work.n);
    // So that a peer that writes nothing is not taken for our own result.
    work.output.copy_from(stream, work.input)?;
    let mut transformer = peer.prepare(work)?;
    let ms = timing::measure(stream, &mut || transformer.submit())?;
    stream.synchronize()?;
    // A wrong call would be fast; a peer's accuracy is its own affair.
    let l2_error = check::l2_error(host, &transformer.result()?, n);
    if l2_error < 1e-3 {
        Ok((ms, l2_error))
    } else {
        Err(Error::Failed(format!("its result is wrong (L2 error {l2_error:.1e})")))
    }
}
