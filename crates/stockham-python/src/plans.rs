//! Plans that calls have made, kept for the next call of the same kind.

use std::collections::HashMap;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use stockham::plan::HostBytes;
use stockham::threads::Workers;
use stockham::{Backend, Device, Error, Executable, Transform};

use crate::state::{self, lock};

/// Plans that are kept if nobody sets another limit, and the bytes that they may take by estimate.
const ENTRIES: usize = 1024;
const BYTES: u64 = 512 << 20;

/// What a plan takes beside its tables.
const OWN_BYTES: u64 = 2048;

/// Scratch memory up to so many bytes is kept by threads, for whatever plan.
const OF_THREADS: u64 = 1 << 20;

/// What a transform was planned for: on a device, for so many threads.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    transform: Transform,
    device: Arc<str>,
    threads: usize,
}

struct Entry {
    executable: Executable,
    bytes: u64,
    used: u64,
}

/// The plans, and what became of calls.
pub struct Plans {
    kept: HashMap<Key, Entry>,
    clock: u64,
    bytes: u64,
    most_entries: usize,
    most_bytes: u64,
    hits: u64,
    misses: u64,
}

impl Default for Plans {
    fn default() -> Self {
        let (most_entries, most_bytes) = (ENTRIES, BYTES);
        Self { kept: HashMap::new(), clock: 0, bytes: 0, most_entries, most_bytes, hits: 0, misses: 0 }
    }
}

impl Plans {
    fn find(&mut self, key: &Key) -> Option<Executable> {
        self.clock += 1;
        let clock = self.clock;
        match self.kept.get_mut(key) {
            Some(entry) => {
                entry.used = clock;
                self.hits += 1;
                Some(entry.executable.clone())
            }
            None => {
                self.misses += 1;
                None
            }
        }
    }

    fn keep(&mut self, key: Key, executable: Executable, bytes: u64) -> Vec<Entry> {
        self.clock += 1;
        self.bytes += bytes;
        let replaced = self.kept.insert(key, Entry { executable, bytes, used: self.clock });
        self.bytes -= replaced.as_ref().map_or(0, |entry| entry.bytes);
        let mut gone: Vec<Entry> = replaced.into_iter().collect();
        gone.extend(self.shrink(1));
        gone
    }

    /// Takes out those that were not used for the longest time until the limits hold, but leaves so many.
    fn shrink(&mut self, least: usize) -> Vec<Entry> {
        let mut gone = Vec::new();
        while self.kept.len() > least && (self.kept.len() > self.most_entries || self.bytes > self.most_bytes) {
            let oldest = self.kept.iter().min_by_key(|(_, entry)| entry.used).map(|(key, _)| key.clone());
            let Some(entry) = oldest.and_then(|key| self.kept.remove(&key)) else { break };
            self.bytes -= entry.bytes;
            gone.push(entry);
        }
        gone
    }
}

/// The plan of a transform on a device, which may have been made before. To be called without the interpreter's lock.
pub fn planned(device: &Device, name: &Arc<str>, transform: Transform, workers: &Workers) -> Result<Executable, Error> {
    let key = Key { transform, device: name.clone(), threads: workers.count() };
    let plans = &state::get().plans;
    if let Some(executable) = lock(plans).find(&key) {
        return Ok(executable);
    }
    let executable = workers.run(|| device.plan(&key.transform))?;
    let tables = match device.info().backend {
        // About half of what planning takes stays, and what runs keep is for the next.
        Backend::Cpu => {
            let HostBytes { plan, run } = workers.run(|| HostBytes::of(&key.transform));
            (plan / 2).saturating_add(if run > OF_THREADS { run } else { 0 })
        }
        _ => (key.transform.points() as u64).saturating_mul(key.transform.algebra.element_bytes() as u64),
    };
    // What goes is freed without the lock.
    let gone = lock(plans).keep(key, executable.clone(), tables.saturating_add(OWN_BYTES));
    drop(gone);
    Ok(executable)
}

/// A dictionary of what is kept: `entries`, `bytes` (by estimate), `hits`, `misses`, `max_entries`, `max_bytes`.
#[pyfunction]
pub fn cache_info(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    let plans = lock(&state::get().plans);
    dict.set_item("entries", plans.kept.len())?;
    dict.set_item("bytes", plans.bytes)?;
    dict.set_item("hits", plans.hits)?;
    dict.set_item("misses", plans.misses)?;
    dict.set_item("max_entries", plans.most_entries)?;
    dict.set_item("max_bytes", plans.most_bytes)?;
    Ok(dict)
}

/// Forgets all plans, and counts from 0 again.
#[pyfunction]
pub fn cache_clear(py: Python<'_>) {
    py.detach(|| {
        let mut plans = lock(&state::get().plans);
        let new = Plans { most_entries: plans.most_entries, most_bytes: plans.most_bytes, ..Plans::default() };
        let old = std::mem::replace(&mut *plans, new);
        drop(plans);
        drop(old);
    });
}

/// Sets limits; those that are not given stay.
#[pyfunction]
#[pyo3(signature = (max_entries=None, max_bytes=None))]
pub fn cache_limit(py: Python<'_>, max_entries: Option<usize>, max_bytes: Option<u64>) {
    py.detach(|| {
        let mut plans = lock(&state::get().plans);
        plans.most_entries = max_entries.unwrap_or(plans.most_entries);
        plans.most_bytes = max_bytes.unwrap_or(plans.most_bytes);
        let gone = plans.shrink(0);
        drop(plans);
        drop(gone);
    });
}
