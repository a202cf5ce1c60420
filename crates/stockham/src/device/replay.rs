//! Launches that are submitted again and again with the same operands: recorded once, and submitted together from then on.
//! What a launch costs the host is more than a short one takes on the device.

use std::sync::{Mutex, PoisonError};

use crate::error::Result;

use super::driver::{Location, Operands, Queue};

/// Launches with their arguments, recorded.
pub(crate) trait Recording: Send + Sync {
    /// Submits them all; says whether it did, because some streams take none.
    fn submit(&self, queue: &dyn Queue) -> Result<bool>;
}

/// Recordings that are kept at most, the latest used ones.
const KEPT: usize = 8;

/// The recordings of one program, by the operands they are for.
pub(super) struct Replays {
    /// The latest used first.
    kept: Mutex<Vec<(Key, Run)>>,
}

/// Where the input, the output and the workspace begin on the device.
type Key = [u64; 3];

/// How launches with some operands are submitted the next time.
enum Run {
    /// They have been once, and are recorded if they come again.
    Once,
    Recorded(Box<dyn Recording>),
    /// One by one, because they could not be recorded.
    Direct,
}

impl Replays {
    pub fn new() -> Self {
        Self { kept: Mutex::new(Vec::new()) }
    }

    /// Submits what was recorded for these operands. When they come for the second time they `record`; at first, and
    /// wherever recording or submitting is not possible, the launches are `direct`.
    pub fn submit(
        &self,
        queue: &dyn Queue,
        operands: Operands<'_>,
        direct: impl FnOnce() -> Result<()>,
        record: impl FnOnce() -> Result<Option<Box<dyn Recording>>>,
    ) -> Result<()> {
        let Some(key) = key(operands) else { return direct() };
        // The lock is held while a recording is submitted: two threads may not submit the same one at once.
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        match kept.iter().position(|(known, _)| *known == key) {
            None => {
                kept.truncate(KEPT - 1);
                kept.insert(0, (key, Run::Once));
            }
            Some(place) => {
                kept[..=place].rotate_right(1);
                let run = &mut kept[0].1;
                if let Run::Once = run {
                    // Recording is for speed alone: where it fails, the launches themselves tell what is wrong.
                    *run = record().ok().flatten().map_or(Run::Direct, Run::Recorded);
                }
                if let Run::Recorded(recording) = run
                    && recording.submit(queue)?
                {
                    return Ok(());
                }
            }
        }
        drop(kept);
        direct()
    }
}

/// Nothing where memory has no addresses.
fn key(operands: Operands<'_>) -> Option<Key> {
    let address = |place: Location<'_>| Some(place.memory.address()? + place.offset as u64);
    let workspace = operands.workspace.map_or(Some(0), address)?;
    Some([address(operands.input)?, address(operands.output)?, workspace])
}

#[cfg(test)]
#[path = "replay_tests.rs"]
mod tests;
