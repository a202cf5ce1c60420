//! Host memory: the device's own, or a slice that somebody lent.

use std::any::Any;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use bytemuck::Pod;

use crate::error::Result;
use crate::host_memory;

use super::super::driver::Memory;

/// Bytes of a cache line. A vector that lies across two of them takes twice as long to load.
const ALIGNED: usize = 64;

/// Host memory as bytes. The device's own is aligned for every element type and for vectors; what is lent, for its own.
pub(in crate::device) struct HostMemory {
    bytes: usize,
    words: Words,
}

enum Words {
    /// From the first word on that begins a cache line.
    Own(RwLock<Vec<u128>>, usize),
    /// Where a slice begins that outlives this; views of it are shared or unique as those of its buffer are.
    Lent(*mut u8),
}

// SAFETY: what is lent is a slice of plain values, which all threads may read, and one may write.
unsafe impl Send for HostMemory {}
// SAFETY: as above.
unsafe impl Sync for HostMemory {}

impl HostMemory {
    pub(super) fn zeroed(bytes: usize) -> Result<Self> {
        let words: Vec<u128> = host_memory::zeroed(bytes.div_ceil(size_of::<u128>()) + ALIGNED / size_of::<u128>())?;
        let first = (words.as_ptr() as usize).wrapping_neg() % ALIGNED / size_of::<u128>();
        Ok(Self { bytes, words: Words::Own(RwLock::new(words), first) })
    }

    /// Memory of a slice.
    ///
    /// # Safety
    /// So many bytes of initialised plain values must lie there as long as this is used. Nobody may write them while they are
    /// read through this, or use them while they are written.
    pub(in crate::device) unsafe fn lent(pointer: *mut u8, bytes: usize) -> Arc<dyn Memory> {
        Arc::new(Self { bytes, words: Words::Lent(pointer) })
    }

    /// # Panics
    /// If the memory is another device's, which the callers have excluded.
    pub(super) fn of(memory: &dyn Memory) -> &Self {
        memory.as_any().downcast_ref().expect("memory of this device")
    }

    /// Its bytes, to be read.
    pub(super) fn read(&self) -> Read<'_> {
        match &self.words {
            Words::Own(words, first) => Read::Own(words.read().unwrap_or_else(PoisonError::into_inner), *first),
            // SAFETY: as `lent` was promised; who reads has a shared view of the buffer.
            Words::Lent(pointer) => Read::Lent(unsafe { std::slice::from_raw_parts(*pointer, self.bytes) }),
        }
    }

    /// Its bytes, to be written: by those who have the only view of them.
    pub(super) fn write(&self) -> Write<'_> {
        match &self.words {
            Words::Own(words, first) => Write::Own(words.write().unwrap_or_else(PoisonError::into_inner), *first),
            Words::Lent(pointer) => Write::Lent(*pointer, self.bytes, PhantomData),
        }
    }
}

impl Memory for HostMemory {
    fn bytes(&self) -> usize {
        self.bytes
    }
    /// What is lent may overlap. (It may begin wherever the host's values may, so that its address is not told.)
    fn place(&self) -> Option<(u64, u64)> {
        match &self.words {
            Words::Own(..) => None,
            Words::Lent(pointer) => Some((0, pointer.addr() as u64)),
        }
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
}

pub(super) enum Read<'a> {
    Own(RwLockReadGuard<'a, Vec<u128>>, usize),
    Lent(&'a [u8]),
}

impl Deref for Read<'_> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Self::Own(words, first) => bytemuck::cast_slice(&words[*first..]),
            Self::Lent(bytes) => bytes,
        }
    }
}

pub(super) enum Write<'a> {
    Own(RwLockWriteGuard<'a, Vec<u128>>, usize),
    Lent(*mut u8, usize, PhantomData<&'a mut [u8]>),
}

impl Deref for Write<'_> {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Self::Own(words, first) => bytemuck::cast_slice(&words[*first..]),
            // SAFETY: as `lent` was promised; this is the only view.
            Self::Lent(pointer, bytes, _) => unsafe { std::slice::from_raw_parts(*pointer, *bytes) },
        }
    }
}

impl DerefMut for Write<'_> {
    fn deref_mut(&mut self) -> &mut [u8] {
        match self {
            Self::Own(words, first) => bytemuck::cast_slice_mut(&mut words[*first..]),
            // SAFETY: as `lent` was promised; this is the only view.
            Self::Lent(pointer, bytes, _) => unsafe { std::slice::from_raw_parts_mut(*pointer, *bytes) },
        }
    }
}

/// The values from a byte on, as many as are whole.
pub(super) fn values<T: Pod>(bytes: &[u8], from: usize) -> &[T] {
    let bytes = &bytes[from..];
    bytemuck::cast_slice(&bytes[..bytes.len() / size_of::<T>() * size_of::<T>()])
}

/// The same to be written.
pub(super) fn values_mut<T: Pod>(bytes: &mut [u8], from: usize) -> &mut [T] {
    let bytes = &mut bytes[from..];
    let whole = bytes.len() / size_of::<T>() * size_of::<T>();
    bytemuck::cast_slice_mut(&mut bytes[..whole])
}
