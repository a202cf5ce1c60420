//! What a row needs to know of the numbers that it measures.

use std::marker::PhantomData;

use stockham::accuracy::{self, Measured};
use stockham::{Buffer, Data, Executable, Stream, Transform};

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
    /// The transform of one line of `n` points.
    fn transform(&self, n: usize) -> Transform;
    /// The values of random elements.
    fn random(&self, elements: usize) -> Vec<Self::Value>;
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
    /// The input on the host.
    pub host: &'a [T],
    /// The input on the device; a check may overwrite it, and leaves it as it was if the result is right.
    pub input: &'a mut Buffer<T>,
    /// The result.
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
    fn transform(&self, n: usize) -> Transform {
        Transform::new(T::ALGEBRA, n)
    }
    fn random(&self, elements: usize) -> Vec<T> {
        accuracy::random(elements, SEED)
    }
    fn check(&self, timed: Timed<'_, T>) -> Result<Verdict> {
        let n = timed.transform.points();
        let l2_error = check::l2_error(timed.host, &|range| Ok(timed.output.slice(range)?.to_vec()?), n)?;
        Ok(Verdict { l2_error, right: check::is_right::<T>(l2_error, n), note: None })
    }
    fn time_peer(&self, peer: &Peer, patience: Patience, work: Work<'_, T>) -> Result<(f64, f64)> {
        beside::time_peer(peer, patience, work)
    }
}
