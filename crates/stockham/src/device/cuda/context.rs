//! A device's primary context, and calls within it.

use std::marker::PhantomData;
use std::ptr;

use cudarc::driver::sys::{self, CUcontext, CUdevice, CUdevice_attribute, CUresult};

use crate::error::{Error, Result};

use super::super::DeviceInfo;
use super::find::{Found, words};
use super::staging::Staging;

/// The context that a device shares with CUDA's runtime and other libraries in this process.
pub(super) struct Context {
    pub(super) info: DeviceInfo,
    /// The architecture that kernels are compiled for.
    pub(super) architecture: u32,
    pub(super) staging: Staging,
    device: CUdevice,
    raw: CUcontext,
}

// SAFETY: CUDA's contexts may be used from every thread at once.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

impl Context {
    pub(super) fn retain(found: &Found) -> Result<Self> {
        let mut raw = ptr::null_mut();
        // SAFETY: the device was found by this process after `cuInit`.
        let code = unsafe { sys::cuDevicePrimaryCtxRetain(&raw mut raw, found.device) };
        check(&found.info, "cuDevicePrimaryCtxRetain", code)?;
        let (info, staging) = (found.info.clone(), Staging::default());
        Ok(Self { info, architecture: found.architecture, staging, device: found.device, raw })
    }

    pub(super) fn raw(&self) -> CUcontext {
        self.raw
    }

    pub(super) fn device(&self) -> CUdevice {
        self.device
    }

    /// What the driver answers about the device.
    pub(super) fn attribute(&self, attribute: CUdevice_attribute) -> Result<u32> {
        let mut value = 0;
        // SAFETY: writes one number; the device was found by this process after `cuInit`.
        let code = unsafe { sys::cuDeviceGetAttribute(&raw mut value, attribute, self.device) };
        self.check("cuDeviceGetAttribute", code)?;
        Ok(value.max(0) as u32)
    }

    /// Makes this context the calling thread's, until the guard is dropped: the thread's own may be another's. A thread
    /// that has none keeps this one, because pushing and popping would cost a good part of a small launch.
    pub(super) fn enter(&self) -> Result<Entered> {
        let mut current = ptr::null_mut();
        // SAFETY: writes one pointer.
        self.check("cuCtxGetCurrent", unsafe { sys::cuCtxGetCurrent(&raw mut current) })?;
        if current.is_null() {
            // SAFETY: the context is valid as long as it is retained; the driver refuses one that is gone.
            self.check("cuCtxSetCurrent", unsafe { sys::cuCtxSetCurrent(self.raw) })?;
        }
        let pushed = !current.is_null() && current != self.raw;
        if pushed {
            // SAFETY: the context is valid as long as it is retained.
            self.check("cuCtxPushCurrent", unsafe { sys::cuCtxPushCurrent_v2(self.raw) })?;
        }
        Ok(Entered { pushed, thread: PhantomData })
    }

    pub(super) fn check(&self, call: &'static str, code: CUresult) -> Result<()> {
        check(&self.info, call, code)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if let Ok(_entered) = self.enter() {
            self.staging.free();
        }
        // SAFETY: gives back what `retain` took. An error leaves nothing to be done.
        let _ = unsafe { sys::cuDevicePrimaryCtxRelease_v2(self.device) };
    }
}

/// The calling thread has a context, which ends with this guard.
pub(super) struct Entered {
    pushed: bool,
    /// A guard belongs to its thread.
    thread: PhantomData<*const ()>,
}

impl Drop for Entered {
    fn drop(&mut self) {
        if self.pushed {
            let mut popped = ptr::null_mut();
            // SAFETY: pops what `enter` pushed on this thread.
            let _ = unsafe { sys::cuCtxPopCurrent_v2(&raw mut popped) };
        }
    }
}

pub(super) fn check(info: &DeviceInfo, call: &'static str, code: CUresult) -> Result<()> {
    match code {
        CUresult::CUDA_SUCCESS => Ok(()),
        // How much was wanted is known to those callers only who ask for memory themselves.
        CUresult::CUDA_ERROR_OUT_OF_MEMORY => Err(out_of_memory(info, 0)),
        _ => Err(Error::Driver { device: info.id.clone(), call, message: words(code) }),
    }
}

pub(super) fn out_of_memory(info: &DeviceInfo, requested: u64) -> Error {
    Error::OutOfMemory { device: info.id.clone(), requested, total: info.memory_bytes }
}
