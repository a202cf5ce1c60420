//! What a row needs to know of the numbers that it measures.

use std::sync::{Mutex, MutexGuard, PoisonError};

use stockham::accuracy::{self, Measured};
use stockham::{Buffer, Data, Direction, Executable, Kind, Lengths, Stream, Transform};

use crate::error::Result;
use crate::peer::{Peer, Work};

use super::beside;
use super::check::{self, Outputs, Reference};
use super::timing::Patience;

/// The seed of all random inputs.
pub const SEED: u64 = 1;

/// Numbers whose transforms are measured.
pub trait Subject {
    /// What buffers hold.
    type Value: Data;
    /// One forward transform of these lengths, without gaps.
    fn transform(&self, lengths: impl Into<Lengths>) -> Transform;
    /// The values of random elements, or as many real numbers as take the same memory.
    fn random(&self, elements: usize) -> Vec<Self::Value>;
    /// Makes of random values what all libraries transform alike. Whether that changed them.
    fn fit(&self, _transform: &Transform, _input: &mut [Self::Value]) -> bool {
        false
    }
    /// Judges the result.
    fn check(&self, timed: Timed<'_, Self::Value>) -> Result<Verdict>;
    /// The peer's time and the relative L2 error of its result.
    fn time_peer(&self, peer: &Peer, patience: Patience, work: Work<'_, Self::Value>) -> Result<(f64, f64)>;
}

/// A transform that was timed and has ended, with what it left.
pub struct Timed<'a, T> {
    /// The stream it ran on.
    pub stream: &'a Stream,
    /// What it computes.
    pub transform: &'a Transform,
    /// The input on the host, and what is behind it if it takes less memory than the output.
    pub host: &'a [T],
    /// The input on the device; a check may overwrite it, and leaves it as it was if the result is right.
    pub input: &'a mut Buffer<T>,
    /// The result, in memory of the same length.
    pub output: &'a Buffer<T>,
}

/// What a check found.
#[derive(Debug)]
pub struct Verdict {
    /// The relative L2 error.
    pub l2_error: f64,
    /// Whether the result is right.
    pub right: bool,
    /// What is wrong, where there is more to say of it.
    pub note: Option<String>,
}

/// Bytes of a transform's input and of its output. Two real numbers are as long as an element.
pub fn side_bytes(transform: &Transform) -> [usize; 2] {
    let bytes = |len: usize| len.saturating_mul(transform.algebra.element_bytes());
    let [input, output] = [transform.input_len(), transform.output_len()].map(bytes);
    match (transform.kind, transform.direction) {
        (Kind::Dft, _) => [input, output],
        (Kind::Real, Direction::Forward) => [input / 2, output],
        (Kind::Real, Direction::Inverse) => [input, output / 2],
        // Those of cosines and sines.
        _ => [input / 2, output / 2],
    }
}

/// Memory for an executable's runs.
pub fn workspace_of<T: Data>(executable: &Executable) -> stockham::Result<Buffer<T>> {
    let bytes = executable.workspace_len().saturating_mul(executable.transform().algebra.element_bytes());
    executable.device().alloc(bytes / size_of::<T>())
}

/// Elements of one value each, compared with a reference in at least twice the precision.
pub struct Elements<T: Measured> {
    /// That of the lines that were compared last, as inputs of all lengths begin alike.
    reference: Mutex<Option<Reference<T>>>,
}

impl<T: Measured> Elements<T> {
    pub fn new() -> Self {
        Self { reference: Mutex::new(None) }
    }

    /// Takes a reference that was made elsewhere for the next lines.
    pub fn expect(&self, reference: Reference<T>) {
        *self.known() = Some(reference);
    }

    fn known(&self) -> MutexGuard<'_, Option<Reference<T>>> {
        self.reference.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn l2_error(&self, transform: &Transform, host: &[T], outputs: Outputs<'_, T>) -> Result<f64> {
        let [line] = transform.dims[..] else { return check::l2_error(transform, host, outputs) };
        let mut known = self.known();
        if !known.as_ref().is_some_and(|reference| reference.is_of(line.n, host.len() / line.n)) {
            *known = Reference::of(host, line.n, 1);
        }
        match &*known {
            Some(reference) => reference.l2_error(outputs),
            None => check::l2_error(transform, host, outputs),
        }
    }
}

impl<T: Measured> Subject for Elements<T> {
    type Value = T;
    fn transform(&self, lengths: impl Into<Lengths>) -> Transform {
        Transform::new(T::ALGEBRA, lengths)
    }
    fn random(&self, elements: usize) -> Vec<T> {
        accuracy::random(elements, SEED)
    }
    fn check(&self, timed: Timed<'_, T>) -> Result<Verdict> {
        let Timed { transform, host, output, .. } = timed;
        let l2_error = self.l2_error(transform, host, &|range| Ok(output.slice(range)?.to_vec()?))?;
        Ok(Verdict { l2_error, right: check::is_right(transform, l2_error), note: None })
    }
    fn time_peer(&self, peer: &Peer, patience: Patience, work: Work<'_, T>) -> Result<(f64, f64)> {
        let (transform, host) = (work.transform, work.host);
        beside::time_peer_by(peer, patience, work, &|outputs| self.l2_error(transform, host, outputs))
    }
}
