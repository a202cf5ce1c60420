//! OpenCL objects that release themselves, and queries whose answers are plain values.

use std::ffi::c_void;
use std::ptr;

use cl3::types::{cl_device_id, cl_device_info, cl_int};

use crate::error::{Error, Result};

type Release = unsafe fn(*mut c_void) -> std::result::Result<(), cl_int>;

/// A reference to an OpenCL object, given back when dropped. OpenCL keeps the object itself for as long as submitted
/// work needs it.
#[derive(Debug)]
pub(super) struct Handle {
    raw: *mut c_void,
    release: Release,
}

// SAFETY: OpenCL's objects may be used from every thread at once; the one exception, setting a kernel's arguments, is
// guarded by the kernel's mutex.
unsafe impl Send for Handle {}
// SAFETY: as above.
unsafe impl Sync for Handle {}

impl Handle {
    /// # Safety
    /// `raw` must be an object of the kind that `release` releases, with one reference that the handle takes over.
    pub(super) unsafe fn new(raw: *mut c_void, release: Release) -> Self {
        Self { raw, release }
    }

    pub(super) fn raw(&self) -> *mut c_void {
        self.raw
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle owns one reference, and this is its end. An error would mean that it was none.
        let _ = unsafe { (self.release)(self.raw) };
    }
}

/// The words for an OpenCL status, with its number.
pub(super) fn status_words(status: cl_int) -> String {
    match status {
        // The loader's own answer, which the table of cl3 lacks.
        -1001 => "CL_PLATFORM_NOT_FOUND_KHR (-1001)".into(),
        _ => format!("{} ({status})", cl3::error_codes::error_text(status)),
    }
}

pub(super) fn driver_error(device: &str, call: &'static str, status: cl_int) -> Error {
    Error::Driver { device: device.to_owned(), call, message: status_words(status) }
}

/// Names the device and the call in a failure.
pub(super) trait Check<T> {
    fn check(self, device: &str, call: &'static str) -> Result<T>;
}

impl<T> Check<T> for std::result::Result<T, cl_int> {
    fn check(self, device: &str, call: &'static str) -> Result<T> {
        self.map_err(|status| driver_error(device, call, status))
    }
}

/// A device's property as text.
pub(super) fn device_text(device: cl_device_id, property: cl_device_info) -> Option<String> {
    Some(text(&cl3::device::get_device_data(device, property).ok()?))
}

/// A device's property as a number, whatever its width.
pub(super) fn device_number(device: cl_device_id, property: cl_device_info) -> Option<u64> {
    number(&cl3::device::get_device_data(device, property).ok()?)
}

/// The text before the terminating zero.
pub(super) fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).trim().to_owned()
}

/// A number of four or eight bytes.
pub(super) fn number(bytes: &[u8]) -> Option<u64> {
    if let Ok(bytes) = bytes.try_into() {
        return Some(u64::from_ne_bytes(bytes));
    }
    Some(u64::from(u32::from_ne_bytes(bytes.try_into().ok()?)))
}

/// A pointer.
pub(super) fn pointer(bytes: &[u8]) -> Option<*mut c_void> {
    Some(ptr::with_exposed_provenance_mut(usize::from_ne_bytes(bytes.try_into().ok()?)))
}
