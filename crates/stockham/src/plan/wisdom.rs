//! Wisdom: choices that were measured to be the fastest, device by device. It is advice that a planner takes before it
//! asks its model, and a choice that does not fit any more is passed over.
//!
//! In a file it is JSON: a version, and for every device and backend a list of what was tuned with its choice, one a line.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::algebra::Algebra;
use crate::device_info::{Backend, DeviceInfo};
use crate::error::{Error, Result};
use crate::regular_file::{self, Links};
use crate::transform::{Kind, Transform};
use crate::whole_file;

use super::choice::Choice;
use super::load::Load;
use super::planner;

/// What is shipped with the library, a file a device, as `stockham tune` writes it.
const SHIPPED: [&str; 2] = [include_str!("wisdom/nvidia-h100.json"), include_str!("wisdom/nvidia-h200.json")];

/// The best known choices. They depend on the device's name and backend, not on its driver; and on the algebra, the
/// length and the [`Load`] of a transform, not on its direction or placement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wisdom {
    devices: BTreeMap<Machine, BTreeMap<Case, Choice>>,
}

/// A device's name, and how it is driven: the same GPU has other limits through OpenCL than through CUDA.
type Machine = (String, Backend);

/// What a choice is for. The algebra by its name, so that a file may speak of fields that are not known here.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Case {
    algebra: String,
    n: usize,
    load: Load,
}

impl Case {
    /// Nothing for transforms that wisdom does not speak of: of several dimensions, of real numbers, or with points that are
    /// no neighbours.
    fn of(transform: &Transform, load: Load) -> Option<Self> {
        let ([dim], Kind::Dft) = (&transform.dims[..], transform.kind) else { return None };
        let contiguous = dim.n == 1 || (dim.input_stride, dim.output_stride) == (1, 1);
        contiguous.then(|| Self { algebra: transform.algebra.plain().name().to_owned(), n: dim.n, load })
    }
}

impl Wisdom {
    /// The wisdom that comes with the library, which devices start with when they are opened: what `stockham tune` measured
    /// to be the fastest on an NVIDIA H200, through CUDA and through OpenCL.
    pub fn shipped() -> &'static Self {
        static WISDOM: OnceLock<Wisdom> = OnceLock::new();
        WISDOM.get_or_init(|| {
            let mut wisdom = Self::default();
            for text in SHIPPED {
                // A test reads the files. A damaged one would be no reason to fail where there is a model to plan by.
                wisdom.merge(Self::from_json(text.as_bytes()).unwrap_or_default());
            }
            wisdom
        })
    }

    /// What is known of a transform on a device. A ring is for batches without gaps; others take what is known beside it.
    /// A few that do not fill the device take what a single one does, if they find room beside each other.
    pub fn get(&self, transform: &Transform, device: &DeviceInfo) -> Option<&Choice> {
        let known = self.devices.get(&machine(device))?;
        let load = Load::of(transform, device);
        let advisers = load.map_or(&[Load::Single][..], Load::advisers);
        let advice = advisers.iter().filter_map(|&load| known.get(&Case::of(transform, load)?));
        let groups = |choice: &Choice| choice.groups(transform.points()).saturating_mul(transform.batch_count());
        let takes_less = transform.share_of_memory() < 1.0;
        let mut fitting = advice.filter(|choice| {
            // What is the fastest while memory is the limit is not where numbers take less of it.
            (choice.passes.len() > 1 || !takes_less)
                && (!choice.launches.is_ring() || planner::is_packed(transform))
                && (load.is_some() || groups(choice) <= device.compute_units)
        });
        fitting.next()
    }

    /// What is known of a device: the choices, each with a transform that it is for, out of place and forward, in the least
    /// batch of its load. Those over algebras that are not known here are left out.
    pub fn choices<'a>(&'a self, device: &'a DeviceInfo) -> impl Iterator<Item = (Transform, &'a Choice)> {
        let choices = self.devices.get(&machine(device)).into_iter().flatten();
        choices.filter_map(|(case, choice)| {
            let batch = case.load.least_batch(case.n, device.compute_units);
            let transform = Transform::new(case.algebra.parse::<Algebra>().ok()?, case.n).batch(batch);
            transform.validate().is_ok().then_some((transform, choice))
        })
    }

    /// Remembers a choice in place of what was known, and says whether it could: wisdom is about one-dimensional
    /// transforms of contiguous points, single ones or so many that they fill the device. A choice without passes is none.
    pub fn insert(&mut self, transform: &Transform, device: &DeviceInfo, choice: Choice) -> bool {
        let case = Load::of(transform, device).and_then(|load| Case::of(transform, load));
        let Some(case) = case.filter(|_| !choice.passes.is_empty()) else { return false };
        self.devices.entry(machine(device)).or_default().insert(case, choice);
        true
    }

    /// Takes in other wisdom, which wins where both know something.
    pub fn merge(&mut self, later: Self) {
        for (machine, choices) in later.devices {
            self.devices.entry(machine).or_default().extend(choices);
        }
    }

    /// The number of choices.
    pub fn len(&self) -> usize {
        self.devices.values().map(BTreeMap::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`Error::ReadFile`] if it cannot be read or is no regular file, [`Error::Wisdom`] if it holds no wisdom.
    pub fn load(path: &Path) -> Result<Self> {
        let damaged = |reason: String| Error::Wisdom { path: path.display().to_string(), reason };
        let failed = |error: std::io::Error| match error.kind() {
            ErrorKind::FileTooLarge => damaged(error.to_string()),
            _ => Error::ReadFile { path: path.display().to_string(), message: error.to_string() },
        };
        let (file, _) = regular_file::open(path, Links::Followed).map_err(failed)?;
        let text = regular_file::read(file, MAX_BYTES).map_err(failed)?;
        Self::from_json(&text).map_err(damaged)
    }

    /// Writes a file, which is there whole or not at all.
    ///
    /// # Errors
    /// [`Error::WriteFile`].
    pub fn save(&self, path: &Path) -> Result<()> {
        let failed = |message: String| Error::WriteFile { path: path.display().to_string(), message };
        let text = self.to_json().map_err(|error| failed(error.to_string()))?;
        // A symbolic link stays one: what it points to is replaced.
        let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        whole_file::write(&target, text.as_bytes()).map_err(|error| failed(error.to_string()))
    }

    /// The file's text: indented, but for the choices, which take a line each.
    fn to_json(&self) -> serde_json::Result<String> {
        let mut devices = Vec::new();
        for ((name, backend), choices) in &self.devices {
            let line = |(case, choice): (&Case, &Choice)| {
                let Case { algebra, n, load } = case.clone();
                serde_json::to_string(&Entry { algebra, n, load, choice: choice.clone() })
            };
            let (name, backend) = (serde_json::to_string(name)?, serde_json::to_string(backend)?);
            let lines = list(choices.iter().map(line).collect::<serde_json::Result<_>>()?, 6);
            devices.push(format!(
                "{{\n      \"name\": {name},\n      \"backend\": {backend},\n      \"choices\": {lines}\n    }}"
            ));
        }
        Ok(format!("{{\n  \"stockham_wisdom\": {VERSION},\n  \"devices\": {}\n}}\n", list(devices, 2)))
    }

    fn from_json(text: &[u8]) -> std::result::Result<Self, String> {
        let Header { stockham_wisdom } = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        if stockham_wisdom != VERSION {
            return Err(format!("it has version {stockham_wisdom}, and this library reads version {VERSION}"));
        }
        let document: Document = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        let mut wisdom = Self::default();
        for OfDevice { name, backend, choices } in document.devices {
            let case = |Entry { algebra, n, load, choice }| (Case { algebra, n, load }, choice);
            wisdom.devices.entry((name, backend)).or_default().extend(choices.into_iter().map(case));
        }
        Ok(wisdom)
    }
}

/// A list in JSON with its values on lines of their own, in a text that is indented by so much.
fn list(values: Vec<String>, indent: usize) -> String {
    if values.is_empty() {
        return "[]".into();
    }
    let blank = " ".repeat(indent);
    format!("[\n{blank}  {}\n{blank}]", values.join(&format!(",\n{blank}  ")))
}

fn machine(device: &DeviceInfo) -> Machine {
    (device.name.clone(), device.backend)
}

/// The version of the file's format.
const VERSION: u32 = 1;

/// Larger files are none of ours, and are not read into memory.
const MAX_BYTES: u64 = 1 << 26;

#[derive(Deserialize)]
struct Header {
    stockham_wisdom: u32,
}

#[derive(Deserialize)]
struct Document {
    devices: Vec<OfDevice>,
}

#[derive(Deserialize)]
struct OfDevice {
    name: String,
    backend: Backend,
    choices: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    algebra: String,
    n: usize,
    load: Load,
    choice: Choice,
}

#[cfg(test)]
#[path = "wisdom_tests.rs"]
mod tests;
