//! What only kernels for Hopper say, in PTX: clusters, copies of whole tiles, rings. The printer asks what is here.

mod ahead;
mod boxes;
mod cluster;
mod joining;
mod kept;
mod near;
mod ring;

use super::*;
use crate::kernel::hopper::Meeting;

pub(in crate::kernel) use ahead::local_bytes;
pub(super) use cluster::dimensions;
pub(in crate::kernel) use ring::{print_ring, ring_local_bytes, ring_name};

/// The functions that a kernel calls.
pub(super) fn functions(kernel: &Kernel) -> String {
    cluster::functions(kernel) + &ahead::functions(kernel)
}

/// Where local memory has to begin, if tiles are copied to it.
pub(super) fn tile_alignment(kernel: &Kernel) -> Option<usize> {
    kernel.hopper.ahead.as_ref().map(|_| ahead::ALIGNMENT)
}

impl Printer<'_> {
    /// A place of memory that is not written as others are.
    pub(super) fn special_place(&self, memory: Memory, index: Id) -> Option<String> {
        match memory {
            Memory::Blocks => Some(kept::start_of_block(&self.operand(index))),
            _ => None,
        }
    }

    /// A store of which some stays in local memory.
    pub(super) fn kept_store(&self, memory: Memory, index: Id, value: &str) -> Option<String> {
        let keeps = memory == Memory::Target
            && matches!(self.part, Some((0, _)))
            && self.kernel.hopper.pieces.is_some_and(|pieces| pieces.keeps);
        keeps.then(|| kept::store(&self.operand(index), value))
    }

    /// What a work-group does together with its cluster or its crew.
    pub(super) fn meet_others(&self, text: &mut String, meeting: Meeting) -> std::fmt::Result {
        match (meeting, self.part) {
            (Meeting::Expect { places, tells }, _) => return self.expect(text, places, tells),
            (Meeting::Done, _) => text.push_str("    cluster_done();\n"),
            (Meeting::ClusterBegun, _) => text.push_str("    cluster_begun();\n"),
            (Meeting::Received { exchange }, _) => {
                return writeln!(text, "    await_pushes(&{});", cluster::COUNTS[exchange]);
            }
            (Meeting::Fetched, None) => text.push_str("    await_count(arrivals, phase);\n"),
            (_, Some((part, ring))) => text.push_str(&ring::meeting(part, ring, self.kernel, meeting)),
            (_, None) => return self.fetch_next(text),
        }
        Ok(())
    }
}
