//! Long copies between a device and host memory that is not page-locked, which the driver would make on one thread: several threads
//! fill or empty page-locked pieces, while the device copies others.

use std::ptr;
use std::slice;
use std::sync::{Mutex, TryLockError};

use cudarc::driver::sys::{
    self, CUdeviceptr, CUevent, CUevent_flags, CUmemorytype, CUpointer_attribute, CUresult, CUstream,
};

use crate::error::Result;
use crate::parallel;

use super::context::Context;

/// Bytes of a piece: many of what a thread takes.
const PIECE: usize = 8 << 20;

/// Two are copied by the device, one after the other, while one is filled or emptied, and one may be late.
const PIECES: usize = 4;

/// Bytes of a copy that is worth it: pieces take time to be made, and threads to come.
const LEAST: usize = PIECE;

/// Bytes that a thread copies at least.
const GRAIN: usize = 1 << 18;

/// The pieces of a context, which are made when they are needed first.
#[derive(Default)]
pub(super) struct Staging {
    pieces: Mutex<Vec<Piece>>,
}

/// Page-locked memory, and the end of the copy that uses it.
struct Piece {
    bytes: *mut u8,
    copied: CUevent,
}

// SAFETY: CUDA's events and page-locked memory may be used from every thread; the lock gives them to one at a time.
unsafe impl Send for Piece {}

impl Piece {
    fn new(context: &Context) -> Result<Self> {
        let mut bytes = ptr::null_mut();
        // SAFETY: writes one pointer; the context is current.
        context.check("cuMemAllocHost", unsafe { sys::cuMemAllocHost_v2(&raw mut bytes, PIECE) })?;
        let mut piece = Self { bytes: bytes.cast(), copied: ptr::null_mut() };
        let flags = CUevent_flags::CU_EVENT_DISABLE_TIMING as u32;
        // SAFETY: writes one pointer; the context is current.
        let code = unsafe { sys::cuEventCreate(&raw mut piece.copied, flags) };
        if code != CUresult::CUDA_SUCCESS {
            piece.free();
        }
        context.check("cuEventCreate", code)?;
        // SAFETY: the memory is there, and nobody else's. Threads see it as bytes.
        unsafe { piece.bytes.write_bytes(0, PIECE) };
        Ok(piece)
    }

    fn filled(&mut self, len: usize) -> &mut [u8] {
        // SAFETY: so many bytes and more were allocated and written; no copy is under way, as the callers have waited.
        unsafe { slice::from_raw_parts_mut(self.bytes, len.min(PIECE)) }
    }

    fn free(&self) {
        // SAFETY: both were made here, and are not used again; the context is current. Errors leave nothing to be done.
        unsafe {
            if !self.copied.is_null() {
                let _ = sys::cuEventDestroy_v2(self.copied);
            }
            let _ = sys::cuMemFreeHost(self.bytes.cast());
        }
    }

    /// Marks the end of the copy.
    fn mark(&self, context: &Context, stream: CUstream) -> Result<()> {
        // SAFETY: event and stream are valid and of this context.
        context.check("cuEventRecord", unsafe { sys::cuEventRecord(self.copied, stream) })
    }

    fn wait(&self, context: &Context) -> Result<()> {
        // SAFETY: the event is valid. One that was never recorded is there already.
        context.check("cuEventSynchronize", unsafe { sys::cuEventSynchronize(self.copied) })
    }
}

impl Staging {
    /// Gives the work the pieces, or nothing: for short copies, for memory that is page-locked itself, and where others have the
    /// pieces or there is no room for them.
    fn with(
        &self,
        context: &Context,
        (host, len): (*const u8, usize),
        work: impl FnOnce(&mut [Piece]) -> Result<()>,
    ) -> Option<Result<()>> {
        if len < LEAST || is_page_locked(host) {
            return None;
        }
        let mut pieces = match self.pieces.try_lock() {
            Ok(pieces) => pieces,
            Err(TryLockError::Poisoned(pieces)) => pieces.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        while pieces.len() < PIECES {
            pieces.push(Piece::new(context).ok()?);
        }
        Some(work(&mut pieces))
    }

    /// Copies to the device behind the stream's work. The caller, whose context is current, waits for the stream, whatever this returns.
    pub fn write(&self, context: &Context, stream: CUstream, to: CUdeviceptr, bytes: &[u8]) -> Option<Result<()>> {
        self.with(context, (bytes.as_ptr(), bytes.len()), |pieces| {
            for (i, part) in bytes.chunks(PIECE).enumerate() {
                let piece = &mut pieces[i % PIECES];
                piece.wait(context)?;
                copy(piece.filled(part.len()), part);
                let to = to + (i * PIECE) as u64;
                // SAFETY: both ranges are valid; the piece is left alone until its event has come.
                let code = unsafe { sys::cuMemcpyHtoDAsync_v2(to, piece.bytes.cast(), part.len(), stream) };
                context.check("cuMemcpyHtoDAsync", code)?;
                piece.mark(context, stream)?;
            }
            Ok(())
        })
    }

    /// Copies from the device behind the stream's work; as [`write`](Self::write).
    pub fn read(&self, context: &Context, stream: CUstream, from: CUdeviceptr, bytes: &mut [u8]) -> Option<Result<()>> {
        let len = bytes.len();
        self.with(context, (bytes.as_ptr(), len), |pieces| {
            let begin = |piece: &Piece, i: usize| {
                let (at, from) = (i * PIECE, from + (i * PIECE) as u64);
                // SAFETY: both ranges are valid; the piece is left alone until its event has come.
                let code = unsafe { sys::cuMemcpyDtoHAsync_v2(piece.bytes.cast(), from, PIECE.min(len - at), stream) };
                context.check("cuMemcpyDtoHAsync", code)?;
                piece.mark(context, stream)
            };
            for (i, piece) in pieces.iter().enumerate().take(len.div_ceil(PIECE)) {
                piece.wait(context)?;
                begin(piece, i)?;
            }
            for (i, part) in bytes.chunks_mut(PIECE).enumerate() {
                let piece = &mut pieces[i % PIECES];
                piece.wait(context)?;
                let count = part.len();
                copy(part, piece.filled(count));
                if (i + PIECES) * PIECE < len {
                    begin(piece, i + PIECES)?;
                }
            }
            Ok(())
        })
    }

    /// Gives the pieces back, in their context.
    pub fn free(&mut self) {
        let pieces = self.pieces.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        pieces.drain(..).for_each(|piece| piece.free());
    }
}

fn copy(to: &mut [u8], from: &[u8]) {
    parallel::tasks(to, 1, GRAIN, &|first, part| {
        part.copy_from_slice(&from[first..first + part.len()]);
    });
}

/// Whether CUDA knows the memory.
fn is_page_locked(host: *const u8) -> bool {
    let mut kind = 0u32;
    let attribute = CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
    // SAFETY: writes one number; a pointer unknown to CUDA is an error.
    let code = unsafe { sys::cuPointerGetAttribute((&raw mut kind).cast(), attribute, host as u64) };
    code == CUresult::CUDA_SUCCESS && kind == CUmemorytype::CU_MEMORYTYPE_HOST as u32
}
