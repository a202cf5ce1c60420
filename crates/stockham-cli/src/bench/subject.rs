//! What a row needs to know of the numbers that it measures.

use std::marker::PhantomData;

use stockham::accuracy::{self, Measured};
use stockham::{Buffer, Data, Direction, Executable, Kind, Lengths, Stream, Transform};

use crate::error::Result;
use crate::peer::{Peer, Work};

use super::timing::Patience;
use super::{beside, check};

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
pub struct Elements<T>(PhantomData<T>);

impl<T> Elements<T> {
    pub fn new() -> Self {
        Self(PhantomData)
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
        let l2_error = check::l2_error(transform, host, &|range| Ok(output.slice(range)?.to_vec()?))?;
        Ok(Verdict { l2_error, right: check::is_right(transform, l2_error), note: None })
    }
    fn time_peer(&self, peer: &Peer, patience: Patience, work: Work<'_, T>) -> Result<(f64, f64)> {
        beside::time_peer(peer, patience, work)
    }
}
