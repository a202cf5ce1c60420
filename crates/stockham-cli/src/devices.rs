//! `stockham devices`: what transforms can run on here, and what is missing for more.

use std::io::Write;

use serde::Serialize;
use stockham::{Backend, DEVICE_VARIABLE, Device, DeviceInfo, cache};

use crate::error::Result;
use crate::output::{Files, RecordArgs};
use crate::size;

/// List the devices found, which one is taken if none is named, and what was not found and why
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    record: RecordArgs,
}

impl Args {
    /// The files it takes.
    pub fn files(&self) -> Files<'_> {
        Files::default().record(&self.record.json)
    }
}

#[derive(Serialize)]
struct Document<'a> {
    /// What is taken if no device is named.
    default: Option<&'a str>,
    found: &'a [DeviceInfo],
    missing: Vec<[&'a str; 2]>,
}

/// Prints the list.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let discovery = Device::list();
    // A variable may name one that is not there: the list is what helps then.
    let default = Device::best().ok();
    let default = default.as_ref().map(|device| device.info().id.as_str());
    let width = discovery.found.iter().map(|info| info.id.len()).max().unwrap_or(0);
    for info in &discovery.found {
        let taken = if default == Some(&info.id) { " (taken if no other is named)" } else { "" };
        writeln!(out, "{:width$}  {}{taken}", info.id, info.name)?;
        writeln!(out, "{:width$}  {}", "", memory(info))?;
        writeln!(out, "{:width$}  {}", "", limits(info))?;
        writeln!(out, "{:width$}  driver: {}", "", info.driver)?;
    }
    for missing in &discovery.missing {
        writeln!(out, "\nnot found: {}: {}", missing.what, missing.reason)?;
    }
    if let (Some(directory), Some(reason)) = (cache::directory(), cache::distrusted()) {
        writeln!(out, "\nprograms are not kept in {}: {reason}", directory.display())?;
    }
    if default.is_none() {
        writeln!(out, "\n{DEVICE_VARIABLE} names none of these")?;
    }
    let missing = discovery.missing.iter().map(|missing| [missing.what.as_ref(), missing.reason.as_ref()]).collect();
    args.record.file().finish(&Document { default, found: &discovery.found, missing })
}

fn memory(info: &DeviceInfo) -> String {
    let all = size::bytes(info.memory_bytes);
    if info.max_allocation_bytes < info.memory_bytes {
        format!("memory: {all}, at most {} in one buffer", size::bytes(info.max_allocation_bytes))
    } else {
        format!("memory: {all}")
    }
}

fn limits(info: &DeviceInfo) -> String {
    let f64 = if info.has_f64 { "" } else { ", no f64" };
    if info.backend == Backend::Cpu {
        return format!("threads: {}{f64}", info.compute_units);
    }
    let capability = info
        .compute_capability
        .map(|(major, minor)| format!("compute capability {major}.{minor}, "))
        .unwrap_or_default();
    let registers = info.registers.map(|registers| format!(", {registers} registers a unit")).unwrap_or_default();
    let clusters = info.max_cluster.map(|blocks| format!(", clusters of up to {blocks} groups")).unwrap_or_default();
    format!(
        "{capability}{} compute units, groups of up to {} with {} of local memory, {} in lockstep{registers}{clusters}{f64}",
        info.compute_units,
        info.max_group,
        size::bytes(info.local_bytes as u64),
        info.simd_width,
    )
}
