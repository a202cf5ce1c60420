//! What outlives calls: plans, threads, devices. A forked process starts with none, as its parent's threads are not
//! there, and its locks may be held by them for ever.

use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use pyo3::prelude::*;
use stockham::threads::Workers;

use crate::devices::Chosen;
use crate::plans::Plans;

#[derive(Default)]
pub struct State {
    pub plans: Mutex<Plans>,
    /// The latest last.
    pub workers: Mutex<Vec<Workers>>,
    /// By their names.
    pub devices: Mutex<Vec<Chosen>>,
    /// The name of the device for the host's arrays, if it is not the CPU.
    pub device: Mutex<Option<String>>,
    /// The CPU, which most calls take.
    pub cpu: OnceLock<Chosen>,
}

static STATE: AtomicPtr<State> = AtomicPtr::new(std::ptr::null_mut());

/// The process's state.
pub fn get() -> &'static State {
    let mut found = STATE.load(Ordering::Acquire);
    if found.is_null() {
        let new = Box::into_raw(Box::default());
        found = match STATE.compare_exchange(std::ptr::null_mut(), new, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => new,
            Err(other) => {
                // SAFETY: it was made here, and nobody else has seen it.
                drop(unsafe { Box::from_raw(new) });
                other
            }
        };
    }
    // SAFETY: what was put there is never freed.
    unsafe { &*found }
}

/// To be called in a process that was forked: its parent's state is left alone.
#[pyfunction]
pub fn forget_after_fork() {
    STATE.store(std::ptr::null_mut(), Ordering::Release);
}

/// What holds a lock may fail, but leaves nothing half done.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
