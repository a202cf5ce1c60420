//! Memory of a device for runs on memory of the host. A little of it is kept: drivers take as long to give it and to take it back
//! as for copies of a few MiB.

use std::sync::{Arc, Mutex, PoisonError};

use crate::algebra::Data;
use crate::error::Result;

use super::driver::Memory;
use super::{Buffer, Device};

/// Bytes of it that are kept.
const MOST: usize = 64 << 20;

/// Bytes that one range of it has at most: there are the input's copy, the output's, and a workspace.
const MOST_OF_ONE: usize = MOST / 3;

/// Kept memory serves for as much as this part of it, or more.
const LEAST_PART: usize = 4;

/// What is kept, the latest last. Nobody else has what is idle.
#[derive(Default)]
pub(super) struct MemoryPool {
    kept: Mutex<Vec<Arc<dyn Memory>>>,
}

impl Device {
    /// Memory as [`alloc`](Self::alloc) gives it, for work on the default stream that is waited for.
    pub(super) fn pooled<T: Data>(&self, len: usize) -> Result<Buffer<T>> {
        let bytes = len.saturating_mul(size_of::<T>());
        if bytes > MOST_OF_ONE {
            return self.alloc(len);
        }
        let mut kept = self.memory_pool.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_idle = |memory: &Arc<dyn Memory>| Arc::strong_count(memory) == 1;
        let fits = |memory: &Arc<dyn Memory>| (bytes..=bytes.max(1) * LEAST_PART).contains(&memory.bytes());
        if let Some(place) = kept.iter().rposition(|memory| is_idle(memory) && fits(memory)) {
            let memory = kept.remove(place);
            kept.push(memory.clone());
            return Ok(Buffer::from_memory(self.clone(), memory, len));
        }
        let buffer = self.alloc(len)?;
        kept.push(buffer.memory().clone());
        // The latest stay. What goes is freed when nobody uses it.
        while kept.iter().map(|memory| memory.bytes()).sum::<usize>() > MOST {
            kept.remove(0);
        }
        Ok(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_given_again_to_one_at_a_time() {
        let device = Device::cpu();
        let address = |buffer: &Buffer<u8>| Arc::as_ptr(buffer.memory()).cast::<()>();
        let first = device.pooled::<u8>(1000).unwrap();
        let second = device.pooled::<u8>(1000).unwrap();
        assert_ne!(address(&first), address(&second));
        let before = address(&first);
        drop(first);
        let third = device.pooled::<u8>(900).unwrap();
        assert_eq!((address(&third), third.len()), (before, 900));
        drop(third);
        // Too little, and too much for so little.
        assert_ne!(address(&device.pooled::<u8>(1001).unwrap()), before);
        assert_ne!(address(&device.pooled::<u8>(10).unwrap()), before);
    }

    #[test]
    fn no_more_is_kept_than_is_said() {
        let device = Device::cpu();
        let kept = || device.memory_pool.kept.lock().unwrap().iter().map(|memory| memory.bytes()).sum::<usize>();
        for count in [1, 1 << 20, MOST_OF_ONE, MOST_OF_ONE - 1, 3, MOST_OF_ONE / 5, MOST_OF_ONE, MOST] {
            let buffer = device.pooled::<u8>(count).unwrap();
            assert_eq!(buffer.len(), count);
            assert!(kept() <= MOST, "{} bytes", kept());
        }
        let together = [(); 4].map(|()| device.pooled::<u8>(MOST_OF_ONE).unwrap());
        assert!((MOST - 3..=MOST).contains(&kept()), "{} bytes", kept());
        drop(together);
        let buffer = device.pooled::<u8>(MOST_OF_ONE).unwrap();
        assert!(kept() <= MOST && Arc::strong_count(buffer.memory()) == 2);
    }
}
