//! A peer timed on the same data.

use stockham::Data;
use stockham::accuracy::Measured;

use crate::error::{Error, Result};
use crate::peer::{Peer, Work};

use super::check::{self, Outputs};
use super::timing::{self, Patience};

/// The peer's time and the relative L2 error of its result.
pub fn time_peer<T: Measured>(peer: &Peer, patience: Patience, work: Work<'_, T>) -> Result<(f64, f64)> {
    let (transform, host) = (work.transform, work.host);
    time_peer_by(peer, patience, work, &|outputs| check::l2_error(transform, host, outputs))
}

/// The same of values of any type, whose error a function knows.
pub fn time_peer_by<T: Data>(
    peer: &Peer,
    patience: Patience,
    work: Work<'_, T>,
    l2_error: &dyn Fn(Outputs<'_, T>) -> Result<f64>,
) -> Result<(f64, f64)> {
    let stream = work.stream;
    // So that a peer that writes nothing is not taken for our own result.
    work.output.copy_from(stream, work.input)?;
    let mut transformer = peer.prepare(work)?;
    let ms = timing::measure_with(patience, stream, &mut || transformer.submit())?;
    stream.synchronize()?;
    // A wrong call would be fast; a peer's accuracy is its own affair.
    let l2_error = l2_error(&|range| transformer.outputs(range))?;
    if l2_error < 1e-3 {
        Ok((ms, l2_error))
    } else {
        Err(Error::Failed(format!("its result is wrong (L2 error {l2_error:.1e})")))
    }
}
