//! `stockham cache`: the compiled kernels that are kept from run to run.

use std::io::Write;

use stockham::cache;

use crate::error::{Error, Result};
use crate::size;

/// Tell where compiled kernels are kept and how much they take, or clear them
#[derive(clap::Args)]
pub struct Args {
    /// Remove all of them
    #[arg(long)]
    clear: bool,
}

/// Prints, or clears.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let Some(directory) = cache::directory() else {
        writeln!(out, "compiled kernels are not kept: the cache is off, or there is no folder for it")?;
        return Ok(());
    };
    let name = directory.display();
    if args.clear {
        let removed = cache::clear().map_err(Error::write(&directory))?;
        writeln!(out, "removed {removed} compiled kernels from {name}")?;
        return Ok(());
    }
    let usage = cache::usage().map_err(Error::read(&directory))?;
    let (bytes, most) = (size::bytes(usage.bytes), size::bytes(cache::MOST_BYTES));
    writeln!(out, "{} compiled kernels in {name} take {bytes}; beyond {most} the oldest go", usage.programs)?;
    Ok(())
}
